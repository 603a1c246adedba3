#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs test suites, or single tests of them, and ends with one line 'N passed, N failed' over all of them.

TESTS is one word: suites, as 'unit dg', or SUITE:TEST with what belongs to it behind, as
'unit:check_core figures', 'dg:switch.c while', 'tool:test_report.py -k name'.  A unit program is followed by a Check case,
programs of dg may be globs, files of pytest are followed by its options.  What single tests print is shown.
"""
import argparse
import concurrent.futures
import dataclasses
import importlib.util
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

# What a developer runs before a commit: every unit test, each model once from compiler to report (smoke), programs whose
# comments say what is expected at every level and stage, and of the tool what is quick.  Less than a minute of two idle
# processors: a configuration of a dg program costs half a second.
QUICK = """unit smoke dg:if_else.c while.c context_loop.c
  tool:test_report.py test_check.py test_diff.py test_merge.py test_selection.py test_missing.py"""


@dataclasses.dataclass
class Selection:
    """A suite, with words that choose tests of it: all without."""
    suite: str
    words: list = dataclasses.field(default_factory=list)
    shown: bool = False


def selections(text, shown=True):
    chosen, previous = [], ""
    for word in shlex.split(text):
        suite, colon, test = word.partition(":")
        if word == "quick":
            chosen += selections(QUICK, shown=False)
        elif suite in SUITES and (colon or not previous.startswith("-")):
            chosen.append(Selection(suite, [test] if test else [], shown and colon != ""))
        elif chosen and chosen[-1].words:
            chosen[-1].words.append(word)
        else:
            sys.exit(f"unknown suite {word!r}; known are: quick {' '.join(SUITES)}")
        previous = word
    return chosen


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


def run_unit(arguments, totals, selection):
    """Side by side: each program is one process."""
    environment = {**os.environ, "PATHPROF_GOLDEN": str(arguments.source / "testsuite/golden")}
    names = [pathlib.Path(program).name for program in arguments.unit_tests.split()]
    if selection.words:
        names, cases = selection.words[:1], selection.words[1:]
        environment |= {"CK_RUN_CASE": " ".join(cases), "CK_VERBOSITY": "verbose"} if cases else {"CK_VERBOSITY": "verbose"}

    def run_program(name):
        return run([arguments.build / "testsuite" / name], arguments.build / f"{name}.log", env=environment)

    with concurrent.futures.ThreadPoolExecutor(int(arguments.jobs)) as pool:
        for name, (status, output) in zip(names, pool.map(run_program, names)):
            checks = number(r"Checks: (\d+)", output)
            failed = number(r"Failures: (\d+)", output) + number(r"Errors: (\d+)", output)
            failed = failures(status, checks - failed, failed)
            if failed or selection.shown:
                print(output)
            totals.add(name, max(checks - failed, 0), failed)


def run_dg(arguments, totals, selection):
    patterns = [word if "." in word else f"{word}.*" for word in selection.words]
    folder = arguments.build / "dg"
    folder.mkdir(exist_ok=True)
    environment = {**os.environ, "PATHPROF_BUILD": str(arguments.build)}
    status, output = run([arguments.runtest, "--tool", "pathprof", "--srcdir",
                          str(arguments.source / "testsuite"), *([f"dg.exp={' '.join(patterns)}"] if patterns else [])],
                         arguments.build / "dg.log", cwd=folder, env=environment)
    passed = number(r"# of expected passes\s+(\d+)", output)
    failed = number(r"# of unexpected failures\s+(\d+)", output)
    failed = failures(status, passed, failed)
    if failed or selection.shown:
        print("\n".join(line for line in output.splitlines() if selection.shown or not line.startswith("PASS")))
    totals.add("pathprof.dg", passed, failed)


def run_pytest(arguments, totals, selection):
    folder = arguments.source / "testsuite" / PYTEST_FOLDERS.get(selection.suite, selection.suite)
    environment = {**os.environ, "PATHPROF_BUILD": str(arguments.build), "PATHPROF_GCC": arguments.gcc,
                   "PYTHONDONTWRITEBYTECODE": "1"}
    # Tests have folders of their own and may run side by side, but for those of what is installed, which are few.
    together = selection.suite in ("tool", "smoke") and not selection.shown and importlib.util.find_spec("xdist")
    words = [str(folder / word) if (folder / word.split("::")[0]).exists() else word for word in selection.words]
    status, output = run([arguments.pytest, "-q", "-p", "no:cacheprovider", *(["-n", arguments.jobs] if together else []),
                          *(words or [str(folder)])],
                         arguments.build / f"{selection.suite}.log", env=environment)
    passed = number(r"(\d+) passed", output)
    failed = number(r"(\d+) failed", output) + number(r"(\d+) errors?\b", output)
    failed = failures(status, passed, failed)
    if failed or selection.shown:
        print(output)
    totals.add(selection.suite, passed, failed)


def run_package(arguments, totals, _):
    """What is made of 'make dist', in one build without optimisation: distcheck, and in it the Debian package.  Each ends
    with its own line of what passed."""
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    status, output = run(["make", "-C", arguments.build, f"-j{arguments.jobs}", "distcheck", "DESTDIR=",
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


def run_sample(arguments, totals, selection):
    """The fixed sample of a suite that runs for long."""
    suite = selection.suite
    status, output = run([sys.executable, arguments.source / "testsuite" / suite / "run", arguments.build,
                          "--fixed-sample", *arguments.flags.split(), *selection.words],
                         arguments.build / f"{suite}.log")
    passed = number(r"(\d+) passed", output)
    failed = number(r"(\d+) failed", output)
    failed = failures(status, passed, failed)
    if failed or selection.shown:
        print(output)
    totals.add(f"{suite} sample", passed, failed)


# smoke: a few seconds of what needs all parts, for builds that differ only in where they are.  deb: the Debian package
# made of this build tree.
SUITES = {"unit": run_unit, "dg": run_dg, "tool": run_pytest, "install": run_pytest, "torture": run_sample,
          "languages": run_sample, "fuzz": run_sample, "smoke": run_pytest, "deb": run_pytest, "package": run_package}
PYTEST_FOLDERS = {"deb": "package"}

# What a suite cannot do without, and, of whole suites, without what some tests are skipped: program, header or Python
# module, and its Debian package.
PYTEST = {"pytest": "python3-pytest"}
NEEDED = {"unit": {"check.h": "check"}, "dg": {"runtest": "dejagnu"}, "fuzz": {"clang": "clang"},
          **dict.fromkeys(("tool", "install", "smoke", "deb"), PYTEST)}
USED = {"dg": {"gfortran": "gfortran"},
        "tool": {"xdist": "python3-pytest-xdist", "jsonschema": "python3-jsonschema", "lcov": "lcov", "xmllint": "libxml2-utils",
                 "dot": "graphviz", "gdb": "gdb", "ccache": "ccache", "strace": "strace", "cmake": "cmake", "man": "man-db",
                 "mandoc": "mandoc", "zsh": "zsh", "chromium": "chromium", "chromedriver": "chromium-driver",
                 "selenium": "python3-selenium", "matplotlib": "python3-matplotlib"},
        "package": {"dh": "debhelper", "fakeroot": "fakeroot", "lintian": "lintian", "cmake": "cmake",
                    "pkg-config": "pkg-config"}}


def is_installed(name):
    if name.endswith(".h"):
        return any(pathlib.Path(folder, name).exists() for folder in ("/usr/include", "/usr/local/include"))
    return bool(shutil.which(name) or importlib.util.find_spec(name))


def tell_missing(chosen):
    """Names what is not installed; ends the run if a suite cannot do without."""
    needed, used = {}, {}
    for selection in chosen:
        needed |= NEEDED.get(selection.suite, {})
        used |= {} if selection.words else USED.get(selection.suite, {})
    absent = [package for name, package in needed.items() if not is_installed(name)]
    skipped = [package for name, package in used.items() if not is_installed(name)]
    if skipped:
        print(f"not installed, so some tests are skipped or fail: {' '.join(skipped)}; 'make deps check' installs all",
              flush=True)
    if absent:
        sys.exit(f"the tests need the Debian packages {' '.join(absent)}: run 'make deps check'")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--unit-tests", required=True, help="programs in the build folder")
    parser.add_argument("--runtest", required=True)
    parser.add_argument("--pytest", required=True)
    parser.add_argument("--gcc", default="gcc", help="the compiler that the plugin is for")
    parser.add_argument("--jobs", default="1", help="of a build")
    parser.add_argument("--flags", default="", help="more options of the samples, in one word")
    parser.add_argument("--only-look", action="store_true", help="run nothing; say what is not installed")
    parser.add_argument("tests", metavar="TESTS")
    arguments = parser.parse_args()
    arguments.source = arguments.source.resolve()
    arguments.build = arguments.build.resolve()
    chosen = selections(arguments.tests)
    if arguments.only_look:
        tell_missing(chosen)
        return
    totals = Totals()
    for selection in chosen:
        SUITES[selection.suite](arguments, totals, selection)
    print(f"{totals.passed} passed, {totals.failed} failed", flush=True)
    sys.exit(totals.failed != 0)


if __name__ == "__main__":
    main()
