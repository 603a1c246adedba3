#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Line counts from path counts, by gcov's own rule, and their comparison with gcov's.

gcov's rule (add_line_counts and accumulate_line_info in GCC's gcov.cc): a block belongs to the last line
of its positions in one file (the greatest number, wherever it stands), except
the function's last block, which gcov takes for EXIT.  A line to which blocks belong has been executed as often as
control came into them from other blocks, and once more for each turn of a cycle within them.  A line to
which none belongs has the sum of the counts of the blocks that list it.

gcov_lines.py EXPORT.json EXPORT.lcov OBJECTS: two exports of one profile, and a folder with the .gcno and .gcda
files of the same sources and runs.  Prints the lines that differ, whether it is the counts that follow from the
paths, or those that pathdump itself made of them; exit status 1 if a function that always returned has one.
"""

import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

ENTRY, EXIT = 0, 1
CUT_FLAGS = {"back", "abnormal", "cut"}

Place = tuple[str, int]  # file, line


@dataclass
class Arc:
    src: int
    dst: int
    count: int = 0
    left: int = 0  # what is not yet part of a cycle


@dataclass
class Function:
    """A function with the counts of its blocks and arcs.  Abnormal edges are arcs from ENTRY, as gcov has them."""

    name: str
    file: str
    line: int
    runs: dict[int, list[tuple[str, list[int]]]] = field(default_factory=dict)  # block → (file, lines)…
    counts: Counter = field(default_factory=Counter)
    arcs: list[Arc] = field(default_factory=list)
    calls: int = 0
    unsolved: bool = False  # several distributions over the cut edges agree with the paths
    unfinished: bool = False  # some activation started but did not end a path
    statements: dict[int, int] = field(default_factory=dict)  # by block
    misread: set[Place] = field(default_factory=set)  # lines that gcov counts wrongly


# Options of exports of coverage: all files, with the names that the profile contains, because none is below this directory.
ALL_FILES = ("--all", "--root", "/proc/sys")


# ---- from paths to blocks and arcs ----


def split_at_calls(data: dict) -> dict:
    """The function with its blocks split as gcov has them: behind each call that may not return.  A block
    that has such calls lists in "parts" the lines of each piece; without it blocks stay whole, and lines
    of expressions with several calls get other counts than gcov's."""
    pieces = {block["id"]: block.get("parts", [block["lines"]]) for block in data["blocks"]}
    first, last, total = {}, {}, 0
    for block, parts in sorted(pieces.items()):
        first[block], last[block] = total, total + len(parts) - 1
        total += len(parts)
    blocks, edges = [], []
    for block in data["blocks"]:
        ids = range(first[block["id"]], last[block["id"]] + 1)
        blocks += [{"id": new, "stmts": block["stmts"], "lines": lines, "inlined": []}
                   for new, lines in zip(ids, pieces[block["id"]])]
        for position in block.get("inlined", []):
            blocks[position.get("part", 0) - len(ids)]["inlined"].append(position)
        edges += [{"src": new, "dst": new + 1, "flags": ["call"]} for new in ids[:-1]]
    edges += [edge | {"src": last[edge["src"]], "dst": first[edge["dst"]]} for edge in data["edges"]]
    paths = []
    for path in data["paths"]:
        new_blocks = [new for old in path["blocks"] for new in range(first[old], last[old] + 1)]
        if path["end"] == "call":  # in the middle of the last block
            behind = last[path["blocks"][-1]] - first[path["blocks"][-1]] + 1 - path["parts"]
            new_blocks = new_blocks[:len(new_blocks) - behind]
        paths.append(path | {"blocks": new_blocks})
    return data | {"blocks": blocks, "edges": edges, "paths": paths}


def outline(data: dict) -> Function:
    """What holds of a split function whatever ran."""
    function = Function(data["name"], data["file"], data["line"])
    function.runs = {block["id"]: runs_of(block, data["file"]) for block in data["blocks"]}
    function.statements = {block["id"]: block["stmts"] for block in data["blocks"]}
    function.misread = misread_lines(function, data["edges"])
    return function


def misread_by_gcov(export: dict) -> set[Place]:
    """The lines that gcov counts wrongly, of a profile in any mode."""
    functions = [outline(split_at_calls(data | {"paths": []})) for data in export["functions"]]
    return {place for function in functions for place in function.misread}


def read_function(data: dict) -> Function:
    data = split_at_calls(data)
    function = outline(data)
    inner, starts, ends = Counter(), Counter(), Counter()
    for path in data["paths"]:
        count = int(path["count"])
        blocks = path["blocks"]
        for block in blocks:
            function.counts[block] += count
        for step in zip(blocks, blocks[1:]):
            inner[step] += count
        if path["start"] == "entry":
            function.calls += count
        else:
            starts[blocks[0]] += count
        if path["end"] in ("backedge", "cut"):
            ends[blocks[-1]] += count
    add_arcs(function, data["edges"], inner, starts, ends, exact=data["termination"] == "exact",
             optimised=data["optimised"])
    return function


def misread_lines(function: Function, edges: list[dict]) -> set[Place]:
    """Where a function begins with a label that computed gotos jump to.  GCC gives each block that abnormal edges
    enter a fake edge from ENTRY (branch_prob in profile.cc), but not the first, which has a real one: gcov does not
    see that control comes there again.  If a call ends that block, the edge to EXIT that GCC gives the call takes the
    difference, and the block alone is counted wrongly; otherwise any block may be."""
    abnormal = {edge["dst"] for edge in edges if "abnormal" in edge["flags"]}
    after = defaultdict(list)
    before = defaultdict(list)
    for edge in edges:
        if "abnormal" not in edge["flags"]:
            after[edge["src"]].append(edge["dst"])
            before[edge["dst"]].append(edge["src"])
    # The plugin gives the function's own line an empty block, and one to labels, maybe with another above it.
    blocks = [after[ENTRY][0]]
    if function.statements[blocks[0]] or len(after[blocks[0]]) != 1:
        return set()
    blocks.append(after[blocks[0]][0])
    if not any(block in abnormal and not function.statements[block] for block in [blocks[1], *before[blocks[1]]]):
        return set()
    if not function.statements[blocks[1]] and len(after[blocks[1]]) == 1:
        blocks.append(after[blocks[1]][0])
    ends_in_call = any(edge["src"] == blocks[-1] and "call" in edge["flags"] for edge in edges)
    return {(file, number) for block in (blocks if ends_in_call else function.runs)
            for file, numbers in function.runs[block] for number in numbers}


def runs_of(block: dict, own_file: str) -> list[tuple[str, list[int]]]:
    """The block's own lines, then those of other files; how they alternate is not in the JSON."""
    runs = [(own_file, block["lines"])] if block["lines"] else []
    for position in block.get("inlined", []):
        if position["file"] == own_file:
            continue
        if not runs or runs[-1][0] != position["file"]:
            runs.append((position["file"], []))
        runs[-1][1].append(position["line"])
    return runs


def add_arcs(function: Function, edges: list[dict], inner: Counter, starts: Counter, ends: Counter,
             exact: bool, optimised: bool) -> None:
    """With optimisation gcov sees that setjmp returns again, but not to the first block: that has no fake edge."""
    cut = []
    first = next(edge["dst"] for edge in edges if edge["src"] == ENTRY)
    leaving = [edge["dst"] for edge in edges if edge["src"] == first]
    if not function.statements[first] and sum(len(run[1]) for run in function.runs[first]) <= 1 and len(leaving) == 1:
        first = leaving[0]
    for edge in edges:
        arc = Arc(edge["src"], edge["dst"])
        if "abnormal" in edge["flags"]:
            continue
        if CUT_FLAGS & set(edge["flags"]):
            cut.append(arc)
        else:
            arc.count = inner[arc.src, arc.dst]
        function.arcs.append(arc)
    abnormal = [edge for edge in edges if "abnormal" in edge["flags"]]
    jumped_to = {edge["dst"] for edge in abnormal}
    # With exact termination a path that leaves over an abnormal edge ends at a call.
    solve(function, cut, starts, ends, free=set() if exact else {edge["src"] for edge in abnormal},
          jumped_to=jumped_to)
    into = Counter()
    for arc in cut:
        into[arc.dst] += arc.count
    for target in sorted(jumped_to):
        ordinary = min(into[target], function.counts[target])
        if (optimised and target != first) or target not in into or not function.statements[target]:
            function.arcs.append(Arc(ENTRY, target, function.counts[target] - ordinary))
        elif any(edge["src"] == target and "call" in edge["flags"] for edge in edges):
            # gcov does not see that setjmp returns again, to a block that other edges lead to, too.
            function.counts[target] = ordinary
    function.arcs.sort(key=lambda arc: (arc.src, arc.dst))


def solve(function: Function, cut: list[Arc], starts: Counter, ends: Counter, free: set[int],
          jumped_to: set[int]) -> None:
    """Counts of the cut edges: those into a block add up to the paths that start there, those out of one to
    the paths that end there; for the blocks in `free` and `jumped_to` that is an upper bound."""
    into, out_of = starts.copy(), ends.copy()
    open_arcs = list(cut)
    while open_arcs:
        known = None
        for arc in open_arcs:
            if arc.dst not in jumped_to and sum(other.dst == arc.dst for other in open_arcs) == 1:
                known = (arc, into[arc.dst])
            elif arc.src not in free and sum(other.src == arc.src for other in open_arcs) == 1:
                known = (arc, out_of[arc.src])
            if known:
                break
        if not known:
            function.unsolved = any(into[arc.dst] for arc in open_arcs)
            return
        arc, arc.count = known
        into[arc.dst] -= arc.count
        out_of[arc.src] -= arc.count
        open_arcs.remove(arc)
    sources = {arc.src for arc in cut} - free
    function.unfinished = any(out_of[block] for block in sources)


# ---- from blocks and arcs to lines ----


@dataclass
class Line:
    count: int = 0
    listed: int = 0  # the sum of the counts of all blocks that list the line
    functions: set[str] = field(default_factory=set)
    blocks: list[tuple[Function, int]] = field(default_factory=list)  # that belong to the line


def line_counts(functions: list[Function]) -> dict[Place, Line]:
    """Functions that start on one line (instances of a template, a class on a single line) are counted apart
    and added up."""
    starts = defaultdict(list)
    for function in functions:
        starts[function.file, function.line].append(function)
    groups = [[f for together in starts.values() if len(together) == 1 for f in together]]
    groups += [[f] for together in starts.values() if len(together) > 1 for f in together]
    sums: dict[Place, Line] = defaultdict(Line)
    for group in groups:
        add_lines(sums, line_counts_of(group))
    return sums


def add_lines(sums: dict[Place, Line], more: dict[Place, Line]) -> None:
    for place, line in more.items():
        sums[place].count += line.count
        sums[place].listed += line.listed
        sums[place].functions |= line.functions


def line_counts_of(functions: list[Function]) -> dict[Place, Line]:
    lines: dict[Place, Line] = defaultdict(Line)
    for function in functions:
        for block, runs in sorted(function.runs.items()):
            for file, numbers in runs:
                for number in numbers:
                    lines[file, number].count += function.counts[block]
                    lines[file, number].functions.add(function.name)
                if block != max(function.runs):
                    lines[file, max(numbers)].blocks.append((function, block))
    for line in lines.values():
        line.listed = line.count
        if line.blocks:
            line.count = sum(count_on_line(function, {b for f, b in line.blocks if f is function})
                             for function in {id(f): f for f, _ in line.blocks}.values())
    return lines


def count_on_line(function: Function, blocks: set[int]) -> int:
    entered = sum(arc.count for arc in function.arcs if arc.dst in blocks and arc.src not in blocks)
    within: dict[int, list[Arc]] = defaultdict(list)
    for arc in function.arcs:
        if arc.src in blocks and arc.dst in blocks:
            arc.left = arc.count
            within[arc.src].append(arc)
    return entered + sum(Cycles(within, start).count for start in sorted(blocks) if within)


class Cycles:
    """Turns of the cycles through `start` and later blocks; Johnson's algorithm with gcov's greedy
    subtraction."""

    def __init__(self, within: dict[int, list[Arc]], start: int):
        self.within = within
        self.start = start
        self.count = 0
        self.blocked: dict[int, set[int]] = {}  # block → blocks that it keeps blocked
        self.path: list[Arc] = []
        self.find(start)

    def candidates(self, block: int) -> list[Arc]:
        return [arc for arc in self.within[block] if arc.dst >= self.start]

    def find(self, block: int) -> bool:
        found = False
        self.blocked[block] = set()
        for arc in self.candidates(block):
            if arc.left <= 0:
                continue
            self.path.append(arc)
            if arc.dst == self.start:
                self.take()
                found = True
            elif all(step.left > 0 for step in self.path) and arc.dst not in self.blocked:
                found |= self.find(arc.dst)
            self.path.pop()
        if found:
            self.unblock(block)
        else:
            for arc in self.candidates(block):
                if arc.left > 0 and arc.dst in self.blocked:
                    self.blocked[arc.dst].add(block)
        return found

    def take(self) -> None:
        turns = min(arc.left for arc in self.path)
        self.count += turns
        for arc in self.path:
            arc.left -= turns

    def unblock(self, block: int) -> None:
        for other in self.blocked.pop(block, ()):
            self.unblock(other)


# ---- gcov ----


@dataclass
class GcovCounts:
    lines: dict[Place, int]
    functions: dict[Place, set[str]]
    units: list[set[tuple[str, str]]]  # (file, function)… of each object
    returned: dict[tuple[str, str], bool]  # (file, function) → every call returned


def run_gcov(gcov: str, objects: Path, *options: str) -> str:
    data = sorted(file.name for file in objects.glob("*.gcda"))
    return subprocess.run([gcov, "--stdout", *options, *data], cwd=objects, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          errors="replace").stdout


def read_gcov(gcov: str, objects: Path) -> GcovCounts:
    counts, functions, units = Counter(), defaultdict(set), []
    for document in run_gcov(gcov, objects, "--json-format").splitlines():
        units.append(set())
        for file in json.loads(document)["files"]:
            units[-1] |= {(file["file"], function["name"]) for function in file["functions"]}
            for line in file["lines"]:
                place = (file["file"], line["line_number"])
                counts[place] += line["count"]
                functions[place].add(line.get("function_name", ""))
    return GcovCounts(dict(counts), functions, units, read_returned(gcov, objects))


def read_returned(gcov: str, objects: Path) -> dict[tuple[str, str], bool]:
    """From the listing of blocks and their calls, for the percentage that gcov prints for a function is rounded.
    A block behind a call is not listed; what is compared is then the call before it, or the line.  Where a
    line has several blocks that may hold a function for unfinished that is not."""
    returned = {}
    source = name = ""
    executed = 0
    pattern = (r"^ +-: +0:Source:(?P<source>.*)$|^function (?P<function>\S+) called|"
               r"^ *(?P<count>\S+): +\d+(?:-block|:)|^call +\d+ returned (?P<calls>\d+)$")
    text = run_gcov(gcov, objects, "--all-blocks", "--branch-probabilities", "--branch-counts")
    for match in re.finditer(pattern, text, re.MULTILINE):
        source = match["source"] or source
        if match["source"]:
            name = ""
        elif match["function"]:
            name = match["function"]
            returned.setdefault((source, name), True)
        elif match["count"]:
            digits = match["count"].rstrip("*")
            executed = int(digits) if digits.isdigit() else 0
        else:
            if int(match["calls"]) != executed:
                returned[source, name] = False
            executed = int(match["calls"])
    return returned


def read_tracefile(text: str) -> dict[Place, int]:
    """Lines of a tracefile of lcov."""
    counts, file = {}, ""
    for record in text.splitlines():
        if record.startswith("SF:"):
            file = record[3:]
        elif record.startswith("DA:"):
            line, count = record[3:].split(",")[:2]
            counts[file, int(line)] = int(count)
    return counts


# ---- comparison ----


@dataclass
class Difference:
    place: Place
    functions: list[str]
    ours: int | None
    gcov: int | None
    how: str = "from paths"

    def __str__(self) -> str:
        file, line = self.place
        return f"{Path(file).name}:{line} ({', '.join(self.functions)}): {self.ours} {self.how}, {self.gcov} by gcov"


@dataclass
class Comparison:
    """Lines of functions that always returned, and of the others."""

    equal: int = 0
    differing: list[Difference] = field(default_factory=list)
    equal_unfinished: int = 0
    differing_unfinished: list[Difference] = field(default_factory=list)
    unsolved: list[str] = field(default_factory=list)
    misread: int = 0  # lines that are left out, for gcov counts them wrongly
    # Lines that gcov reports as never executed although a block was executed that lists them.  pathdump has the sum of
    # the counts of these blocks.
    missed: list[Place] = field(default_factory=list)
    # Functions that gcov saw in their callers only: it counts their lines, and those that call them, otherwise.
    always_inlined: list[str] = field(default_factory=list)


def by_unit(export: dict, gcov: GcovCounts) -> list[list[Function]]:
    """The functions of each object: gcov counts the lines of one object after the other, and what starts on one
    line in two of them does not meet.  A function of several objects is in the first that has it.  The last
    list has what gcov does not: functions that the compiler made up, such as implicit destructors and
    finalizers, and those that were inlined wherever they are called."""
    waiting = defaultdict(list)
    for data in export["functions"]:
        waiting[data["file"], data["name"]].append(data)
    units = []
    for unit in gcov.units:
        units.append([read_function(waiting[key].pop()) for key in sorted(unit) if waiting[key]])
    units.append([read_function(data) for rest in waiting.values() for data in rest])
    return units


def without_made_up_lines(data: dict) -> dict:
    """A function that the compiler generated, with only the lines of code that somebody wrote: inlined code, and the code
    that pathdump lists as written, such as the body of a coroutine."""
    blocks = []
    for block in data["blocks"]:
        inlined = [position for position in block.get("inlined", [])
                   if position["function"] not in (data["name"], data["demangled"])]
        kept = {(at["file"], at["line"], at.get("part", 0)) for at in inlined + block.get("written", [])}
        parts = [[line for line in lines if (data["file"], line, part) in kept]
                 for part, lines in enumerate(block.get("parts", [block["lines"]]))]
        others = [position for position in block.get("inlined", [])
                  if (position["file"], position["line"], position.get("part", 0)) in kept]
        blocks.append({**block, "lines": sum(parts, []), "inlined": others} | ({"parts": parts} if "parts" in block else {}))
    return {**data, "blocks": blocks}


def written_in_artificial(export: dict) -> dict[Place, int]:
    """What pathdump counts and gcov does not: code that somebody wrote, in functions that the compiler made up."""
    counts: Counter = Counter()
    for data in export["functions"]:
        if data["artificial"]:
            for place, line in line_counts([read_function(without_made_up_lines(data))]).items():
                counts[place] += line.count
    return counts


def compare(export: dict, tracefile: str, objects: Path, gcov_program: str = "gcov") -> Comparison:
    """Of two exports of a profile, as JSON and as a tracefile of lcov: the first gives the paths, the second what
    pathdump itself made of them."""
    gcov = read_gcov(gcov_program, objects)
    *units, unlisted = by_unit(export, gcov)
    functions = [function for unit in units for function in unit]
    ours: dict[Place, Line] = defaultdict(Line)
    for unit in units:
        add_lines(ours, line_counts(unit))
    # What was made up shares its lines with other functions; what was inlined has lines of its own.
    ours = line_counts(unlisted) | ours
    exported = read_tracefile(tracefile)
    for place, count in written_in_artificial(export).items():
        if place in exported:
            exported[place] -= count
    misread = {place for function in functions for place in function.misread}
    artificial = {data["name"] for data in export["functions"] if data["artificial"]}
    result = Comparison(unsolved=sorted(f.name for f in functions if f.unsolved),
                        always_inlined=sorted({f.name for f in unlisted} - artificial))
    for place in sorted(gcov.lines):
        if place in misread:
            result.misread += 1
            continue
        names = sorted(gcov.functions.get(place, set()) | (ours[place].functions if place in ours else set()))
        theirs = gcov.lines.get(place)
        complete = all(gcov.returned.get((place[0], name), True) for name in names)
        found = {"from paths": ours[place].count if place in ours else None, "by pathdump": exported.get(place)}
        if theirs == found["from paths"] == 0 and found["by pathdump"] == ours[place].listed > 0:
            result.missed.append(place)
            continue
        wrong = [Difference(place, names, mine, theirs, how) for how, mine in found.items() if mine != theirs]
        if not wrong:
            result.equal += complete
            result.equal_unfinished += not complete
        (result.differing if complete else result.differing_unfinished).extend(wrong)
    return result


def main() -> int:
    export, tracefile, objects = map(Path, sys.argv[1:])
    result = compare(json.loads(export.read_text()), tracefile.read_text(), objects)
    for title, differences in [("always returned", result.differing), ("did not always return", result.differing_unfinished)]:
        for difference in differences:
            print(f"{title}: {difference}")
    if result.unsolved:
        print(f"not determined by the paths: {', '.join(result.unsolved)}")
    print(f"{result.equal} lines of functions that always returned are equal, {len(result.differing)} counts of them differ; "
          f"of the others {result.equal_unfinished} and {len(result.differing_unfinished)}; {result.misread} left out, "
          f"{len(result.missed)} missed by gcov")
    return 1 if result.differing else 0


if __name__ == "__main__":
    sys.exit(main())
