#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""One program of pathprof.dg at every level and in all stages.

Usage: run_program.py BUILD SOURCE

The program is built by the driver of the build tree and run, and its profile is checked by pathdump and
against the program's own comments (expect.py).  Two more directives there: 'EXPECT-OPTIONS: WORDS' adds
to the command line of the driver, 'EXPECT-EXIT: STATUS' is the program's exit status if not 0.

Prints 'PASS: NAME LEVEL STAGE' or 'FAIL: NAME LEVEL STAGE: STEP' a configuration; the lines after a FAIL
say what happened.  Where the compiler for the language is not installed, prints 'UNSUPPORTED: NAME'.
"""
import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import expect

LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os")
STAGES = ("source", "early", "late")
DRIVERS = {".c": "pathprof-gcc", ".cc": "pathprof-g++", ".f90": "pathprof-gfortran"}


class Failed(Exception):
    def __init__(self, step, text):
        super().__init__(step)
        self.text = text


def directive(text, keyword):
    found = re.search(rf"{keyword}: *(.*?) *(?:\*/)?$", text, re.MULTILINE)
    return found.group(1).split() if found else []


class Program:
    def __init__(self, build, source):
        self.bin = build / "bin"
        self.driver = self.bin / DRIVERS[source.suffix]
        self.source = source
        self.text = source.read_text(encoding="utf-8")
        self.options = directive(self.text, "EXPECT-OPTIONS")
        # Who else has the processor is in the cycles of a path, and not always seen by the program.
        self.tries = 5 if "EXPECT-SLOWER" in self.text else 1
        self.exit_status = int((directive(self.text, "EXPECT-EXIT") or [0])[0])

    def is_supported(self):
        not_found = 127
        return subprocess.run([self.driver, "--version"], capture_output=True,
                              check=False).returncode != not_found

    def check(self, level, stage, folder):
        def step(name, command, status=0):
            done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, errors="replace", timeout=60,
                                  check=False, env={**os.environ, "PATHPROF_FILE": "prog.pathprof"})
            if done.returncode != status:
                words = " ".join(map(str, command))
                raise Failed(name, f"{words}\nexit status {done.returncode}, wanted {status}\n"
                                   f"{done.stdout}")
            return done.stdout

        step("build", [self.driver, level, "-g", "-fchecking=1",
                       *self.options, f"-fplugin-arg-pathprof-stage={stage}", self.source, "-o", "prog"])
        for _ in range(self.tries):
            (pathlib.Path(folder) / "prog.pathprof").unlink(missing_ok=True)
            step("run", ["./prog"], self.exit_status)
            step("check", [self.bin / "pathdump", "check", "prog.pathprof"])
            profile = json.loads(step("export", [self.bin / "pathdump", "export", "prog.pathprof"]))
            failures = expect.Checker(self.text, profile, level, stage).run()
            if not failures:
                return
        raise Failed("expect", "\n".join(failures))

    def run(self, configuration):
        """PASS or FAIL with its details, as text."""
        level, stage = configuration
        what = f"{self.source.name} {level} {stage}"
        with tempfile.TemporaryDirectory() as folder:
            try:
                self.check(level, stage, folder)
            except Failed as failed:
                return f"FAIL: {what}: {failed}\n{failed.text}"
            except subprocess.TimeoutExpired as expired:
                return f"FAIL: {what}: time\n{expired}"
        return f"PASS: {what}"


def main():
    program = Program(*map(pathlib.Path, sys.argv[1:]))
    if not program.is_supported():
        print(f"UNSUPPORTED: {program.source.name}")
        return
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for result in pool.map(program.run, itertools.product(LEVELS, STAGES)):
            print(result)


if __name__ == "__main__":
    main()
