# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line of the suites of GCC's own tests: which programs, which levels, what is known, the table."""

import argparse
import collections
import fnmatch
import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from differential import (FAILED, FAILED_WITHOUT, LEVELS, LINES, LINES_LEVEL, NOT_APPLICABLE, PASSED, REBUILT, STAGES,
                          Comparer, Program, State, Toolchain, compare_all)

SAMPLE_LEVELS = ["-O0", "-O2"]
TABLE_FILE = Path(__file__).resolve().parents[2] / "doc/testing.md"


# The version of GCC whose own tests are run: that of the build.
tested_major = ""


class NoTests(Exception):
    pass


@dataclass(frozen=True)
class Collection:
    """Suites that have a command: testsuite/NAME/run."""

    name: str
    description: str
    suites: tuple[str, ...]
    programs: Callable[[list[str], bool], list[Program]]  # of the named suites; all or, if it has one, the usual sample
    at_level: Callable[[Program, str], Program]
    levels: tuple[str, ...] = LEVELS
    stages: tuple[str, ...] = STAGES  # by default

    @property
    def folder(self) -> Path:
        return Path(__file__).resolve().parents[1] / self.name


def level_options(level: str) -> str:
    """GCC's own list has -g at -O3, where debug statements meet the most passes."""
    return "-O3 -g" if level == "-O3" else level


def chosen_programs(collection: Collection, arguments: argparse.Namespace) -> list[Program]:
    programs = collection.programs(arguments.suite, bool(arguments.programs) or arguments.fixed_sample)
    if arguments.fixed_sample:
        names = [line.split("#")[0].strip() for line in (collection.folder / "sample").read_text().splitlines()]
        by_name = {f"{program.suite}/{program.name}": program for program in programs}
        programs = [by_name[name] for name in names if name]
    if arguments.programs:
        programs = [program for program in programs
                    if any(fnmatch.fnmatch(name, glob) for glob in arguments.programs
                           for name in (program.name, f"{program.suite}/{program.name}"))]
    if arguments.sample:
        programs.sort(key=lambda program: hashlib.sha256(f"{program.suite}/{program.name}".encode()).digest())
        programs = programs[:arguments.sample]
    return programs


class Table:
    """Outcomes by suite, level and stage."""

    def __init__(self) -> None:
        self.counts: dict[tuple[str, str, str], collections.Counter] = collections.defaultdict(collections.Counter)
        self.failures: list[str] = []
        self.failures_without: list[str] = []  # that show without the plugin, too
        self.not_applicable: dict[str, list[str]] = collections.defaultdict(list)
        self.passed = self.failed = 0

    def add(self, program: Program, level: str, records: list[dict]) -> None:
        for record in records:
            self.counts[program.suite, level, record["stage"]][record["result"]] += 1
            self.passed += record["result"] == PASSED
            self.failed += record["result"] == FAILED
            what = f"{program.suite}/{program.name} {level} {record['stage']}"
            if record["result"] == FAILED:
                self.failures.append(f"{what}: {record['reason']}")
            elif record["result"] == FAILED_WITHOUT:
                self.failures_without.append(f"{what}: {record['reason']}")
            elif record["result"] == NOT_APPLICABLE:
                self.not_applicable[f"{program.suite}/{program.name}: {record['reason']}"].append(f"{level} {record['stage']}")

    def text(self, suites: tuple[str, ...]) -> str:
        rows = [f"| suite | level | stage | programs | applicable | passed | {FAILED_WITHOUT} | failed |",
                "|---|---|---|---:|---:|---:|---:|---:|"]
        total: collections.Counter = collections.Counter()
        for suite in suites:
            for level in LEVELS:
                for stage in (*STAGES, LINES, REBUILT):
                    counts = self.counts.get((suite, level, stage))
                    if counts:
                        rows.append(self.row(f"{suite} | {level} | {stage}", counts))
                        total += counts
        rows.append(self.row("all | | ", total))
        return "\n".join(rows) + "\n"

    @staticmethod
    def row(what: str, counts: collections.Counter) -> str:
        figures = [counts.total(), counts.total() - counts[NOT_APPLICABLE], counts[PASSED], counts[FAILED_WITHOUT], counts[FAILED]]
        return f"| {what} | {' | '.join(map(str, figures))} |"


def update_document(collection: Collection, table: str) -> None:
    mark = f"output of testsuite/{collection.name}/run --table"
    text = re.sub(rf"(<!-- {mark}: begin -->\n).*?(<!-- end -->)", lambda found: f"{found[1]}{table}{found[2]}",
                  TABLE_FILE.read_text(), flags=re.DOTALL)
    TABLE_FILE.write_text(text)


def stages_at(level: str, arguments: argparse.Namespace) -> list[str]:
    return [stage for stage in arguments.stages if stage != LINES or level == LINES_LEVEL]


def known_outcomes(programs: list[Program], state: State, arguments: argparse.Namespace) -> Table:
    table = Table()
    for level in arguments.levels:
        for program in programs:
            records = [state.get(program, level_options(level), stage) for stage in stages_at(level, arguments)]
            table.add(program, level, [record for record in records if record])
    return table


def run_programs(collection: Collection, programs: list[Program], state: State, toolchain: Toolchain,
                 arguments: argparse.Namespace) -> Table:
    table = Table()
    seen = 0

    def report(program: Program, level: str, records: list[dict]) -> None:
        nonlocal seen
        seen += 1
        failures = len(table.failures)
        table.add(program, level.split()[0], records)
        for failure in table.failures[failures:]:
            print(f"FAIL  {failure}", flush=True)
        if seen % 200 == 0 and not arguments.fixed_sample:
            print(f"{seen} of {len(trials)}: {table.passed} passed, {table.failed} failed", flush=True)

    programs = [replace(program, plugin_options=(*program.plugin_options, *plugin_options(arguments)))
                for program in programs]
    trials = [(collection.at_level(program, level), level_options(level), stages_at(level, arguments))
              for level in arguments.levels for program in programs]
    with tempfile.TemporaryDirectory(prefix=f"pathprof-{collection.name}-") as scratch:
        folder = Path(scratch)
        if arguments.keep:
            folder = arguments.build / f"{collection.name}/kept"
            folder.mkdir(parents=True, exist_ok=True)
            print(f"programs stay in {folder}")
        compare_all(Comparer(toolchain, state, folder, arguments.keep), trials, arguments.jobs, report)
    return table


def plugin_options(arguments: argparse.Namespace) -> tuple[str, ...]:
    return tuple(f"-fplugin-arg-pathprof-{setting}" for setting in arguments.plugin)


def level_list(text: str) -> list[str]:
    return ["-" + level.lstrip("-") for level in text.split(",")]


def parse_arguments(collection: Collection) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=collection.description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path, help="build folder of pathprof")
    names = list(collection.suites)
    parser.add_argument("--levels", type=level_list, default=list(collection.levels), metavar="O0,O2,…")
    parser.add_argument("--stages", type=lambda text: text.split(","), default=list(collection.stages),
                        metavar="source,early,late,lines,rebuilt",
                        help=f"{LINES}: line counts against gcov's, at {LINES_LEVEL} only; {REBUILT}: the program rebuilt "
                             "with its profile")
    parser.add_argument("--suite", action="append", choices=names, help="only this suite (may be repeated)")
    parser.add_argument("--programs", action="append", metavar="GLOB", help="only these programs (may be repeated)")
    parser.add_argument("--sample", type=int, metavar="N", help="N programs, always the same ones")
    parser.add_argument("--fixed-sample", action="store_true",
                        help=f"the programs of the file sample at {' and '.join(SAMPLE_LEVELS)}, all anew: 'make check'")
    parser.add_argument("--plugin", action="append", default=[], metavar="KEY=VALUE",
                        help="an argument of the plugin (may be repeated); what is known is kept apart for each choice")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count(), metavar="N")
    parser.add_argument("--again", action="store_true", help="forget what is known and run anew")
    parser.add_argument("--keep", action="store_true", help="keep programs and profiles below BUILD/SUITE/kept")
    parser.add_argument("--table", action="store_true",
                        help=f"run nothing; print the table of what is known, and put it into doc/{TABLE_FILE.name}")
    parser.add_argument("--not-applicable", action="store_true", help="list the programs that are not applicable, too")
    arguments = parser.parse_args()
    arguments.suite = arguments.suite or names
    if arguments.fixed_sample:
        arguments.levels = SAMPLE_LEVELS
    if any(setting.startswith("mode=") and setting != "mode=acyclic" for setting in arguments.plugin):
        # Lines are compared under termination=exact, which other modes do not have.
        arguments.stages = [stage for stage in arguments.stages if stage != LINES]
    if arguments.table and arguments.plugin:
        parser.error("the tables are of the plugin without arguments")
    for given, known in [(arguments.levels, LEVELS), (arguments.stages, (*STAGES, LINES, REBUILT))]:
        for wrong in set(given) - set(known):
            parser.error(f"{wrong} is none of {', '.join(known)}")
    arguments.build = arguments.build.resolve()
    return arguments


def main(collection: Collection) -> int:
    arguments = parse_arguments(collection)
    toolchain = Toolchain(arguments.build)
    global tested_major
    tested_major = toolchain.major
    try:
        programs = chosen_programs(collection, arguments)
        for compiler in sorted({toolchain.plain[program.language] for program in programs}):
            if not shutil.which(compiler):
                raise NoTests(f"{compiler} is missing: run 'make deps check-languages'")
    except NoTests as error:
        print(f"FAIL  {error}\n0 passed, 1 failed")
        return 1
    name = "-".join(["sample" if arguments.fixed_sample else "state", *arguments.plugin])
    file = arguments.build / collection.name / f"{name}.jsonl"
    if arguments.fixed_sample:
        file.unlink(missing_ok=True)
    state = State(file, toolchain)
    if arguments.again:
        state.known.clear()
    if arguments.table:
        table = known_outcomes(programs, state, arguments)
        update_document(collection, table.text(collection.suites))
    else:
        table = run_programs(collection, programs, state, toolchain, arguments)
    if arguments.not_applicable:
        for program, where in sorted(table.not_applicable.items()):
            print(f"not applicable  {program} ({', '.join(where)})")
    if table.failures and not arguments.fixed_sample:
        print("\nfailures:\n" + "\n".join(table.failures) + "\n")
    if table.failures_without and not arguments.fixed_sample:
        print(f"\n{FAILED_WITHOUT}:\n" + "\n".join(table.failures_without) + "\n")
    if not arguments.fixed_sample:
        print(table.text(collection.suites))
    print(f"{table.passed} passed, {table.failed} failed")
    return 1 if table.failed else 0
