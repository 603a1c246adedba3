#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the tables of doc/qualification: requirements with their cases, and known problems from doc/limits.md.

With --check, only compares the tables with the documents; exits with status 1 if they differ.
"""
import re
import sys

sys.dont_write_bytecode = True
from cases import CASES, ROOT, requirements  # noqa: E402

DOCUMENTS = ROOT / "doc/qualification"
LIMITS = ROOT / "doc/limits.md"
CASES_TABLE = "verification.md", "output of testsuite/qualification/tables.py, cases"
TRACE_TABLE = "verification.md", "output of testsuite/qualification/tables.py, requirements"
PROBLEMS_TABLE = "known-problems.md", "output of testsuite/qualification/tables.py, problems"
MUTATIONS_TABLE = "verification.md", "output of testsuite/qualification/mutate --table"

# Situations in doc/limits.md in which code or conditions that were not executed can be reported as covered, or code that has to be
# covered is missing from a report; and the way to avoid each.  A key is the beginning of the situation.
FALSE_COVERAGE = {
    "`exit` or `longjmp` is called deep": "stage `source` without optimisation, where `termination=exact` is the default; do not ignore the warning",
    "A call in tail position, at stage": "`-O0`, `-fno-optimize-sibling-calls` or `termination=exact`",
    "With `mode=kiter`, the program calls `exit`": "`mode=acyclic` or `mode=kipf`",
    "A path spans the call to `pathrt_test_begin`": "one process per test, with `PATHPROF_TEST`",
    "Several threads and tests": "one process per test, with `PATHPROF_TEST`",
    "Line counts at stages `early` and `late`": "stage `source`",
    "Labels at stage `source` with -O1 and above": "`-O0`",
    "Comparisons that GCC has combined": "`-O0`",
    "Conditions with `co_await`": "assign the awaited value to a variable before the decision",
    "Defaulted `operator==`": "review default arguments and initialisers that contain conditions",
    "`coverage --changed-since`": "review changes that move the start or end of a comment; use the coverage of the whole program as evidence",
    "A source file that was edited while it was being compiled": "build from a clean checkout that nobody edits",
    "With `-flto`, source files of units": "build without `-flto`, or from a clean checkout",
    "ccache without `-g`": "`-g`, or no ccache",
    "Variants of an inline function": "measure each program in a profile of its own, without `pathprof.objects`",
    "MC/DC in `export --format=lcov`": "`coverage --conditions` or `coverage --evidence` as evidence",
    "Branches in `export --format=lcov`": "`coverage --branches` or `coverage --evidence` as evidence",
    "Conditions that a front end other than GCC's": "`-O0`",
    "Default member initialisers": "write initialisers with conditions as functions",
    "`#pragma omp for` and other loops": "review the conditions of such loops",
    "A coroutine, or a region of OpenMP, on a single line": "write the body on lines of its own",
}
# Numbers of entries of each section that have been examined: a new entry has to be examined, too.
EXAMINED = {"Activations that never finish": 12, "Processes": 14, "Fork, vfork and clone": 6, "Threads, signals and coroutines": 6,
            "Cycles": 7, "Switched programs": 3, "Separate results per test": 2, "Path models": 7, "Lines": 18,
            "Texts and outcomes of conditions": 13, "Reports and files": 16}


class Outdated(Exception):
    """A table that does not fit the documents any more."""


def table(headings, rows):
    return "".join(f"| {' | '.join(row)} |\n" for row in [headings, ["---"] * len(headings), *rows])


def replaced(place, headings, rows):
    """Returns the file of a table, and its text with new rows."""
    name, mark = place
    pattern = re.compile(rf"(<!-- {re.escape(mark)}: begin -->\n).*?(<!-- end -->)", re.DOTALL)
    text, number = pattern.subn(lambda found: found[1] + table(headings, rows) + found[2], (DOCUMENTS / name).read_text(encoding="utf-8"))
    if number != 1:
        raise Outdated(f"{name}: {number} tables named '{mark}'; expected one")
    return DOCUMENTS / name, text


def replace_table(place, headings, rows):
    file, text = replaced(place, headings, rows)
    file.write_text(text, encoding="utf-8")


def limits():
    """Returns the situations in which a result can be wrong: (section, situation) pairs in the order of doc/limits.md."""
    text = LIMITS.read_text(encoding="utf-8")
    group = text[text.index("\n## Limits that can make a result wrong"):text.index("\n## Limits that only make pathprof report less")]
    return [(section, " ".join(situation.split()))
            for section, entries in re.findall(r"^### (.+?)\n(.*?)(?=^### |\Z)", group, re.MULTILINE | re.DOTALL)
            for situation in re.findall(r"^- \*\*(.+?):?\*\*", entries, re.MULTILINE | re.DOTALL)]


def anchor(section):
    return re.sub(r"[^a-z0-9 -]", "", section.lower()).replace(" ", "-")


def problems():
    entries = limits()
    numbers = {section: sum(one == section for one, _ in entries) for section, _ in entries}
    for section in {**EXAMINED, **numbers}:
        if numbers.get(section, 0) != EXAMINED.get(section, 0):
            raise Outdated(f"doc/limits.md: section '{section}' contains {numbers.get(section, 0)} entries, of which {EXAMINED.get(section, 0)} "
                           "were examined; add those that can cause false coverage to FALSE_COVERAGE, and adapt EXAMINED")
    rows = []
    for start, avoidance in FALSE_COVERAGE.items():
        found = [entry for entry in entries if entry[1].startswith(start)]
        if len(found) != 1:
            raise Outdated(f"doc/limits.md: {len(found)} entries begin with '{start}'; adapt FALSE_COVERAGE")
        section, situation = found[0]
        rows.append([f"KP-{len(rows) + 1}", situation, avoidance, f"[{section}](../limits.md#{anchor(section)})"])
    return ["problem", "situation", "avoided by", "described in"], rows


def traces():
    known = requirements()
    rows = [[name, ", ".join(case.name for case in CASES if name in case.requirements)] for name in known]
    uncovered = [name for name, cases in rows if not cases] + [name for case in CASES for name in case.requirements if name not in known]
    if uncovered:
        raise Outdated(f"{uncovered[0]} has no case, or is not a requirement; adapt cases.py or requirements.md")
    return ["requirement", "cases"], rows


def cases():
    return (["case", "verifies", "subject", "oracle", "compiler options", "tests in `testsuite/tool`"],
            [[case.name, ", ".join(case.requirements), case.title, case.oracle, case.flags, " ".join(f"`{test}`" for test in case.tests)]
             for case in CASES])


def main():
    is_check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not is_check:
        sys.exit(__doc__)
    try:
        for place, (headings, rows) in ((CASES_TABLE, cases()), (TRACE_TABLE, traces()), (PROBLEMS_TABLE, problems())):
            file, text = replaced(place, headings, rows)
            if is_check and text != file.read_text(encoding="utf-8"):
                raise Outdated(f"{file.relative_to(ROOT)}: a table is not current; run testsuite/qualification/tables.py")
            if not is_check:
                replace_table(place, headings, rows)
    except Outdated as error:
        sys.exit(f"tables: {error}")


if __name__ == "__main__":
    main()
