#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""One program of pathprof.dg at every level and in all stages.

Usage: run_program.py BUILD SOURCE [TARGET EMULATOR]

The program is built by the driver of the build tree and run, and its profile is checked by pathdump and
against the program's own comments (expect.py).  With a TARGET, such as aarch64-linux-gnu, the driver for that target
builds the program, and the command EMULATOR runs it.  The comments may contain four more directives:

  EXPECT-OPTIONS: WORDS
      The words are added to the command line of the driver.  If there are several such lines, the program is built and
      run with each of them.
  EXPECT-EXIT: STATUS
      The program's exit status; 0 if there is no such line.
  EXPECT-SINCE: N
      The program needs GCC N or later.
  EXPECT-TARGET: CPUS
      The program is for these processors, which are the first parts of target names such as x86_64-linux-gnu.

For each configuration, prints 'PASS: NAME LEVEL STAGE' or 'FAIL: NAME LEVEL STAGE: STEP', with the words after STAGE if
there are several lines of words.  The lines after a FAIL describe the failure.  If the compiler for the language is not
installed or too old, or the program is for other processors, prints 'UNSUPPORTED: NAME'.
"""
import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import shlex
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


def directives(text, keyword):
    return re.findall(rf"{keyword}: *(.*?) *(?:\*/)?$", text, re.MULTILINE)


def plugin_arguments(options):
    """Returns the options without the prefix of the plugin's arguments."""
    return [option.removeprefix("-fplugin-arg-pathprof-") for option in options]


class Program:
    def __init__(self, build, source, target="", emulator=""):
        self.bin = build / "bin"
        self.driver = self.bin / (f"{target}-{DRIVERS[source.suffix]}" if target else DRIVERS[source.suffix])
        self.emulator = shlex.split(emulator)
        self.source = source
        self.text = source.read_text(encoding="utf-8")
        self.options = [words.split() for words in directives(self.text, "EXPECT-OPTIONS")] or [[]]
        # Who else has the processor is in the cycles of a path, and not always seen by the program.
        self.tries = 5 if "EXPECT-SLOWER" in self.text else 1
        self.exit_status = int((directives(self.text, "EXPECT-EXIT") or ["0"])[0])
        self.since = int((directives(self.text, "EXPECT-SINCE") or ["0"])[0])
        self.processors = " ".join(directives(self.text, "EXPECT-TARGET")).split()

    def is_supported(self):
        def printed(option):
            return subprocess.run([self.driver, option], capture_output=True, text=True, check=False).stdout
        version = printed("-dumpversion")
        return bool(version) and int(version.split(".")[0]) >= self.since and \
            (not self.processors or printed("-dumpmachine").split("-")[0] in self.processors)

    def check(self, level, stage, options, folder):
        def step(name, command, status=0):
            # A warning that activations never finished goes to standard error.
            done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  errors="replace", timeout=900, check=False,
                                  env={**os.environ, "PATHPROF_FILE": "prog.pathprof"})
            if done.returncode != status:
                words = " ".join(map(str, command))
                raise Failed(name, f"{words}\nexit status {done.returncode}, wanted {status}\n"
                                   f"{done.stdout}{done.stderr}")
            return done.stdout

        step("build", [self.driver, level, "-g", "-fchecking=1",
                       *options, f"-fplugin-arg-pathprof-stage={stage}", self.source, "-o", "prog"])
        for _ in range(self.tries):
            (pathlib.Path(folder) / "prog.pathprof").unlink(missing_ok=True)
            step("run", [*self.emulator, "./prog"], self.exit_status)
            step("check", [self.bin / "pathdump", "check", "prog.pathprof"])
            profile = json.loads(step("export", [self.bin / "pathdump", "export", "prog.pathprof"]))
            failures = expect.Checker(self.text, profile, level, stage, plugin_arguments(options)).run()
            if not failures:
                return
        raise Failed("expect", "\n".join(failures))

    def run(self, configuration):
        """PASS or FAIL with its details, as text."""
        level, stage, options = configuration
        what = " ".join([self.source.name, level, stage, *(plugin_arguments(options) if len(self.options) > 1 else [])])
        with tempfile.TemporaryDirectory() as folder:
            try:
                self.check(level, stage, options, folder)
            except Failed as failed:
                return f"FAIL: {what}: {failed}\n{failed.text}"
            except subprocess.TimeoutExpired as expired:
                return f"FAIL: {what}: time\n{expired}"
        return f"PASS: {what}"


def main():
    build, source, *board = sys.argv[1:]
    program = Program(pathlib.Path(build), pathlib.Path(source), *board)
    if not program.is_supported():
        print(f"UNSUPPORTED: {program.source.name}")
        return
    words = {word for options in program.options for word in plugin_arguments(options)}
    if unknown := expect.unknown_words(program.text, {*LEVELS, *STAGES, *words}):
        print(f"FAIL: {program.source.name}: conditions that are never true: {' '.join(sorted(unknown))}")
        return
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for result in pool.map(program.run, itertools.product(LEVELS, STAGES, program.options)):
            print(result)


if __name__ == "__main__":
    main()
