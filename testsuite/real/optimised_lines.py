#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the line counts of an optimised program with gcov's and prints the cause of every difference.

optimised_lines.py PATHDUMP BASIC EXACT UNSPLIT CALLS GCOV WITHOUT_G: four profiles of one program at stage=early.  Each of
them has one option more than the one before: termination=exact, -fno-partial-inlining, -fno-optimize-sibling-calls.  The
folders have the .gcno and .gcda files of the same program, compiled with --coverage and, in the second folder, without -g.
Level of optimisation, inputs and other options are the same.  Exit status 1 if a difference has no cause.

The counts of every line are computed in steps, from pathdump's to gcov's.  Each step changes one option, or one rule on
the graph that the .gcno files describe.  A line belongs to every cause in whose step its count changes.
"""

import argparse
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import gcov_lines
from gcov_lines import ENTRY, EXIT, Arc, Function, Place, count_on_line

Counts = dict[Place, int]
Unit = list[Function]

BASIC = "blocks are not split at calls"
SPLIT = "GCC splits the function"
RETURN = "a call in tail position has its own return"
UNSOLVED = "the paths leave open how often cut edges were taken"
GRAPH = "the graphs differ"
UNEXECUTED = "the copies that own the line were not executed"
LAST_BLOCK = "gcov takes the last block for EXIT"
MODEL = "gcov does something else than its rule"
DEBUG_LINE = "the line has no code"
DEBUG_COUNT = "a block ends with a line without code"
UNEXPLAINED = (GRAPH, MODEL)

TREE, FAKE = 1, 2  # flags of arcs in .gcno files


# ---- graphs and counts of .gcno and .gcda files ----


def dump_of(path: Path) -> list[str]:
    text = subprocess.run(["gcov-dump", "-l", path.name], cwd=path.parent, check=True, text=True, errors="replace",
                          stdout=subprocess.PIPE).stdout
    return [line.removeprefix(f"{path.name}:") for line in text.splitlines()]


def read_notes(path: Path) -> dict[str, tuple[Function, list[tuple[Arc, int]]]]:
    """The functions of an object by their identification: without counts, and with the flags of their arcs."""
    functions: dict[str, tuple[Function, list[tuple[Arc, int]]]] = {}
    for line in dump_of(path):
        if match := re.search(r"FUNCTION ident=(\d+),.* `(.*)' (.*):(\d+):\d+-", line):
            function, arcs = Function(match[2], match[3], int(match[4])), []
            functions[match[1]] = function, arcs
        elif match := re.search(r"BLOCKS (\d+) blocks", line):
            function.runs = {block: [] for block in range(int(match[1]))}
        elif match := re.search(r"block (\d+):((?: \d+:[0-9a-f]{4}\S*)+)$", line):
            arcs += [(Arc(int(match[1]), int(to)), int(flags, 16)) for to, flags in re.findall(r"(\d+):([0-9a-f]{4})", match[2])]
        elif match := re.search(r"block (\d+):(`.*)$", line):
            for name, numbers in re.findall(r"`([^']*)'((?::\d+|, \d+)*)", match[2]):
                found = [int(number) for number in re.findall(r"\d+", numbers)]
                if found:
                    function.runs[int(match[1])].append((name, found))
    return functions


def read_counters(path: Path) -> dict[str, list[int]]:
    counters: dict[str, list[int]] = {}
    is_arcs = False
    for line in dump_of(path):
        if match := re.search(r"FUNCTION ident=(\d+)", line):
            values = counters[match[1]] = []
        elif "COUNTERS" in line:
            is_arcs = "COUNTERS arcs" in line
        elif is_arcs and (match := re.match(r"\s+\d+:((?: \d+)+) ?$", line)):
            values += [int(value) for value in match[1].split()]
    return counters


def solve(function: Function, arcs: list[tuple[Arc, int]], counters: list[int]) -> None:
    """Counts of blocks and arcs: the counters belong to the arcs that are not in the spanning tree; what enters a block
    leaves it."""
    values = iter(counters)
    unknown = [arc for arc, flags in arcs if flags & TREE]
    for arc, flags in arcs:
        if not flags & TREE:
            arc.count = next(values, 0)
    entering, leaving = defaultdict(list), defaultdict(list)
    for arc, _ in arcs:
        entering[arc.dst].append(arc)
        leaving[arc.src].append(arc)
    open_arcs = {id(arc): arc for arc in unknown}
    while open_arcs:
        solved = False
        for block in function.runs:
            if block in (ENTRY, EXIT):
                continue
            missing = [arc for arc in entering[block] + leaving[block] if id(arc) in open_arcs]
            if len(missing) == 1:
                arc = missing[0]
                known_in = sum(other.count for other in entering[block] if id(other) not in open_arcs)
                known_out = sum(other.count for other in leaving[block] if id(other) not in open_arcs)
                arc.count = known_out - known_in if arc.dst == block else known_in - known_out
                del open_arcs[id(arc)]
                solved = True
        if not solved:
            raise ValueError(f"{function.name}: the counters do not determine all arcs")
    for block in function.runs:
        function.counts[block] = sum(arc.count for arc in (leaving if block == ENTRY else entering)[block])
    function.arcs = sorted((arc for arc, _ in arcs), key=lambda arc: (arc.src, arc.dst))


def read_units(objects: Path) -> list[Unit]:
    units = []
    for data in sorted(objects.glob("*.gcda")):
        counters = read_counters(data)
        units.append([])
        for identification, (function, arcs) in read_notes(data.with_suffix(".gcno")).items():
            solve(function, arcs, counters.get(identification, []))
            units[-1].append(function)
    return units


# ---- gcov's rule, in parts ----


def counts_of(unit: Unit, drops_last: bool, needs_owner: bool) -> Counts:
    """Functions that begin on one line are counted separately."""
    starts: dict[Place, Unit] = defaultdict(list)
    for function in unit:
        starts[function.file, function.line].append(function)
    groups = [[function for together in starts.values() if len(together) == 1 for function in together]]
    groups += [[function] for together in starts.values() if len(together) > 1 for function in together]
    return sum_of([counts_of_group(group, drops_last, needs_owner) for group in groups])


def counts_of_group(functions: Unit, drops_last: bool, needs_owner: bool) -> Counts:
    """If `drops_last`, no line belongs to a function's last block.  If `needs_owner`, a line that belongs to unexecuted
    blocks only has the count 0 even if other blocks that list the line were executed."""
    listed: Counter = Counter()
    owners: dict[Place, list[tuple[Function, int]]] = defaultdict(list)
    for function in functions:
        last = max(function.runs) if drops_last else None
        for block, runs in sorted(function.runs.items()):
            for file, numbers in runs:
                for number in set(numbers):
                    listed[file, number] += function.counts[block]
            if runs and block != last:
                owners[runs[-1][0], max(runs[-1][1])].append((function, block))
            for file, numbers in runs[:-1] if block != last else []:
                owners[file, max(numbers)].append((function, block))
    counts = dict(listed)
    for place, blocks in owners.items():
        by_function: dict[int, tuple[Function, set[int]]] = {}
        for function, block in blocks:
            by_function.setdefault(id(function), (function, set()))[1].add(block)
        own = sum(count_on_line(function, owned) for function, owned in by_function.values())
        if needs_owner or own:
            counts[place] = own
    return counts


def sum_of(parts: list[Counts]) -> Counts:
    sums: Counter = Counter()
    for counts in parts:
        sums.update(counts)  # keeps lines with the count 0
    return dict(sums)


# ---- steps ----


class Steps:
    """Counts of all lines after each step, and the causes of their changes."""

    def __init__(self, counts: Counts):
        self.last = self.first = counts
        self.causes: dict[Place, list[str]] = defaultdict(list)
        self.changes: dict[str, list[tuple[Place, int | None, int | None]]] = defaultdict(list)

    def add(self, counts: Counts, cause_of) -> None:
        for place in sorted(self.last.keys() | counts.keys()):
            before, after = self.last.get(place), counts.get(place)
            if before != after:
                cause = cause_of(place, before)
                self.causes[place].append(cause)
                self.changes[cause].append((place, before, after))
        self.last = counts

    def differing(self) -> list[Place]:
        return [place for place in sorted(self.first.keys() | self.last.keys())
                if self.first.get(place) != self.last.get(place)]


def tracefile(pathdump: str, profile: Path) -> Counts:
    text = subprocess.run([pathdump, "export", "--format=lcov", *gcov_lines.ALL_FILES, profile], check=True, text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return gcov_lines.read_tracefile(text)


def lines_of_unsolved(pathdump: str, profile: Path) -> set[Place]:
    """The lines of functions of whose cut edges the paths do not determine the counts."""
    export = subprocess.run([pathdump, "export", "--format=json", profile], check=True, text=True, errors="replace",
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    functions = [gcov_lines.read_function(data) for data in json.loads(export)["functions"]]
    return {(file, number) for function in functions if function.unsolved
            for runs in function.runs.values() for file, numbers in runs for number in numbers}


def compare(pathdump: str, profiles: list[Path], objects: Path, without_g: Path) -> Steps:
    basic, exact, unsplit, calls = (tracefile(pathdump, profile) for profile in profiles)
    units = read_units(without_g)
    steps = Steps(basic)
    steps.add(exact, lambda *_: BASIC)
    steps.add(unsplit, lambda *_: SPLIT)
    graph = sum_of([counts_of(unit, False, False) for unit in units])
    open_lines = lines_of_unsolved(pathdump, profiles[2])
    steps.add(graph, lambda place, _: RETURN if calls.get(place) == graph.get(place)
              else UNSOLVED if place in open_lines else GRAPH)
    steps.add(sum_of([counts_of(unit, False, True) for unit in units]), lambda *_: UNEXECUTED)
    steps.add(sum_of([counts_of(unit, True, True) for unit in units]), lambda *_: LAST_BLOCK)
    steps.add(gcov_lines.read_gcov("gcov", without_g).lines, lambda *_: MODEL)
    steps.add(gcov_lines.read_gcov("gcov", objects).lines, lambda _, before: DEBUG_LINE if before is None else DEBUG_COUNT)
    return steps


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pathdump")
    parser.add_argument("profiles", type=Path, nargs=4, metavar="PROFILE")
    parser.add_argument("objects", type=Path, nargs=2, metavar="FOLDER")
    parser.add_argument("--examples", type=int, default=0, metavar="N", help="list N lines of each cause")
    options = parser.parse_args()
    steps = compare(options.pathdump, options.profiles, *options.objects)
    differing = steps.differing()
    print(f"{len(steps.first.keys() | steps.last.keys())} lines, {len(differing)} differ")
    for cause, changes in steps.changes.items():
        print(f"{len(changes):6} {cause}")
        for (file, line), before, after in changes[:options.examples]:
            print(f"         {Path(file).name}:{line}: {before} becomes {after}; pathdump {steps.first.get((file, line))}, "
                  f"gcov {steps.last.get((file, line))}")
    return 1 if any(steps.changes.get(cause) for cause in UNEXPLAINED) else 0


if __name__ == "__main__":
    sys.exit(main())
