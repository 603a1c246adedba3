#!/usr/bin/env python3
"""Runs test suites and ends with one line 'N passed, N failed' over all of them."""
import argparse
import importlib.util
import os
import pathlib
import re
import subprocess
import sys


class Totals:
    def __init__(self):
        self.passed = self.failed = 0

    def add(self, suite, passed, failed):
        print(f"{suite}: {passed} passed, {failed} failed", flush=True)
        self.passed += passed
        self.failed += failed


def run(command, log, **options):
    """Runs a command, copies its output to a log file and returns (status, output)."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", stdin=subprocess.DEVNULL, check=False, **options)
    log.write_text(done.stdout)
    return done.returncode, done.stdout


def number(pattern, text):
    found = re.search(pattern, text)
    return int(found.group(1)) if found else 0


def failures(status, passed, failed):
    """A suite that failed without saying which test, or that ran none, counts as one failure."""
    silent = status != 0 and failed == 0 or passed + failed == 0
    return 1 if silent else failed


def run_unit(arguments, totals):
    for name in arguments.unit_tests.split():
        program = arguments.build / name
        name = program.name
        environment = {**os.environ, "PATHPROF_GOLDEN": str(arguments.source / "testsuite/golden")}
        status, output = run([program], arguments.build / f"{name}.log", env=environment)
        checks = number(r"Checks: (\d+)", output)
        failed = number(r"Failures: (\d+)", output) + number(r"Errors: (\d+)", output)
        failed = failures(status, checks - failed, failed)
        if failed:
            print(output)
        totals.add(name, max(checks - failed, 0), failed)


def run_dg(arguments, totals):
    folder = arguments.build / "dg"
    folder.mkdir(exist_ok=True)
    environment = {**os.environ, "PATHPROF_BUILD": str(arguments.build)}
    status, output = run([arguments.runtest, "--tool", "pathprof", "--srcdir",
                          str(arguments.source / "testsuite")],
                         arguments.build / "dg.log", cwd=folder, env=environment)
    passed = number(r"# of expected passes\s+(\d+)", output)
    failed = number(r"# of unexpected failures\s+(\d+)", output)
    failed = failures(status, passed, failed)
    if failed:
        print("\n".join(line for line in output.splitlines() if not line.startswith("PASS")))
    totals.add("pathprof.dg", passed, failed)


def run_pytest(arguments, totals, suite):
    environment = {**os.environ, "PATHPROF_BUILD": str(arguments.build), "PATHPROF_GCC": arguments.gcc,
                   "PYTHONDONTWRITEBYTECODE": "1"}
    # Tests have folders of their own and may run side by side.
    workers = ["-n", arguments.jobs] if suite == "tool" and importlib.util.find_spec("xdist") else []
    status, output = run([arguments.pytest, "-q", "-p", "no:cacheprovider", *workers,
                          str(arguments.source / "testsuite" / suite)],
                         arguments.build / f"{suite}.log", env=environment)
    passed = number(r"(\d+) passed", output)
    failed = number(r"(\d+) failed", output) + number(r"(\d+) errors?\b", output)
    failed = failures(status, passed, failed)
    if failed:
        print(output)
    totals.add(suite, passed, failed)


def run_tool(arguments, totals):
    run_pytest(arguments, totals, "tool")


def run_install(arguments, totals):
    run_pytest(arguments, totals, "install")


def run_smoke(arguments, totals):
    """A few seconds of what needs all parts: for builds that differ only in where they are."""
    run_pytest(arguments, totals, "smoke")


def run_deb(arguments, totals):
    """The Debian package made of this build tree."""
    run_pytest(arguments, totals, "package")


def run_package(arguments, totals):
    """What is made of 'make dist', in one build without optimisation: distcheck, and in it the Debian package.  Each ends
    with its own line of what passed."""
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    status, output = run(["make", "-C", arguments.build, f"-j{arguments.jobs}", "distcheck", "DESTDIR=", "check_PROGRAMS=",
                          "PATHPROF_CHECK=smoke deb", "DISTCHECK_CONFIGURE_FLAGS=CFLAGS=-O1 CXXFLAGS=-O0"],
                         arguments.build / "package.log", env=environment)
    parts = re.findall(r"^(\d+) passed, (\d+) failed$", output, re.M)
    passed, failed = (sum(int(part[i]) for part in parts) for i in (0, 1))
    if status == 0:
        passed += 1
    else:
        failed += failed == 0
        print(output[-20000:])
    totals.add("package", passed, failed)


def run_sample(arguments, totals, suite):
    """The fixed sample of a suite that runs for long."""
    status, output = run([sys.executable, arguments.source / "testsuite" / suite / "run", arguments.build,
                          "--fixed-sample", *arguments.flags.split()], arguments.build / f"{suite}.log")
    passed = number(r"(\d+) passed", output)
    failed = number(r"(\d+) failed", output)
    failed = failures(status, passed, failed)
    if failed:
        print(output)
    totals.add(f"{suite} sample", passed, failed)


def run_torture(arguments, totals):
    run_sample(arguments, totals, "torture")


def run_languages(arguments, totals):
    run_sample(arguments, totals, "languages")


def run_fuzz(arguments, totals):
    run_sample(arguments, totals, "fuzz")


SUITES = {"unit": run_unit, "dg": run_dg, "tool": run_tool, "install": run_install, "torture": run_torture,
          "languages": run_languages, "fuzz": run_fuzz, "smoke": run_smoke, "deb": run_deb, "package": run_package}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--unit-tests", required=True, help="programs in the build folder")
    parser.add_argument("--runtest", required=True)
    parser.add_argument("--pytest", required=True)
    parser.add_argument("--gcc", default="gcc", help="the compiler that the plugin is for")
    parser.add_argument("--jobs", default="1", help="of a build")
    parser.add_argument("--flags", default="", help="more options of the samples, in one word")
    parser.add_argument("suites", nargs="+", choices=SUITES)
    arguments = parser.parse_args()
    arguments.source = arguments.source.resolve()
    arguments.build = arguments.build.resolve()
    totals = Totals()
    for suite in arguments.suites:
        SUITES[suite](arguments, totals)
    print(f"{totals.passed} passed, {totals.failed} failed", flush=True)
    sys.exit(totals.failed != 0)


if __name__ == "__main__":
    main()
