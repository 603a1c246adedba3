#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the invariant of line counts: a line with an executed block is never 0, and a line without one never positive.

line_invariant.py PATHDUMP PROFILE... prints the lines that violate the invariant; exit status 1 if there are any.

The executed blocks follow from the paths in the JSON export.  The counts are those of the exports lcov, cobertura
and annotations, of `show --json`, and of the page that `html` writes.  Lines of functions of
an interprocedural model are left out, because its JSON does not tell how far the last block was executed.
"""

import base64
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
import zlib
from collections import Counter, defaultdict
from pathlib import Path

import gcov_lines

Place = tuple[str, int]  # file, line


# ---- executed lines, from paths ----


def positions_of(function: dict, block: dict) -> list[tuple[Place, int, bool]]:
    """The block's positions: file and line, index of the part, and whether the code was inlined."""
    positions = []
    for part, lines in enumerate(block.get("parts", [block["lines"]])):
        positions += [((function["file"], line), part, False) for line in lines]
    for position in block.get("inlined", []):
        is_inlined = position["function"] != function["demangled"]
        positions.append(((position["file"], position["line"]), position.get("part", 0), is_inlined))
    return positions


def lines_of(function: dict) -> dict[Place, bool]:
    """Every line that the function's blocks list, with whether a block that lists it was executed.  A path that ends at
    a call executes its last block up to that call only.  Of a function that the compiler generated, only the code that
    was inlined and the code that the user wrote."""
    lines: dict[Place, bool] = {}
    ends: dict[int, int] = {}  # by executed block: the number of its parts that were executed
    for path in function["paths"] + function.get("residual", []):
        if int(path["count"]) == 0:
            continue
        skipped, last = path.get("prefix_len", 0), len(path["blocks"]) - 1
        for i, block in enumerate(path["blocks"]):
            if i >= skipped:
                parts = path["parts"] if path["end"] == "call" and i == last else sys.maxsize
                ends[block] = max(ends.get(block, 0), parts)
    for block in function["blocks"]:
        written = {((at["file"], at["line"]), at["part"]) for at in block.get("written", [])}
        for place, part, is_inlined in positions_of(function, block):
            if is_inlined or not function["artificial"] or (place, part) in written:
                lines[place] = lines.get(place, False) or part < ends.get(block["id"], 0)
    return lines


def executed_lines(functions: list[dict]) -> dict[Place, bool]:
    executed: dict[Place, bool] = {}
    for function in filter(has_own_paths, functions):
        for place, is_executed in lines_of(function).items():
            executed[place] = executed.get(place, False) or is_executed
    unknown = {place for function in functions if not has_own_paths(function) for place in lines_of(function)}
    return {place: is_executed for place, is_executed in executed.items() if place not in unknown}


def has_own_paths(function: dict) -> bool:
    """Functions of interprocedural models list their calls, and have no paths of their own."""
    return "calls" not in function


# ---- counts, from exports ----


def key_of(function: dict) -> tuple[str, str, int]:
    return function["name"], function["file"], function["line"]


def counts_of_cobertura(text: str) -> dict[Place, int]:
    return {(unit.get("filename"), int(line.get("number"))): int(line.get("hits"))
            for unit in ElementTree.fromstring(text).iter("class") for line in unit.findall("lines/line")}


def unexecuted_of_github(text: str) -> set[Place]:
    pattern = r"^::warning file=(.*?),line=(\d+),endLine=(\d+),title=pathprof (?:lines|function)-never-ran::"
    return {(re.sub("%([0-9A-F]{2})", lambda code: chr(int(code[1], 16)), file), line)
            for file, first, last in re.findall(pattern, text, re.MULTILINE)
            for line in range(int(first), int(last) + 1)}


def unexecuted_of_gitlab(text: str) -> set[Place]:
    return {(finding["location"]["path"], line) for finding in json.loads(text)
            if finding["check_name"] in ("lines-never-ran", "function-never-ran")
            for line in range(finding["location"]["lines"]["begin"], finding["location"]["lines"]["end"] + 1)}


def counts_of_show(text: str, artificial: dict[str, set[Place]]) -> dict[Place, int]:
    """Of functions that the compiler made up, whose other lines are those of other functions, only the lines that
    somebody wrote."""
    counts: dict[Place, int] = defaultdict(int)
    for listing in json.loads(text)["functions"]:
        for line in listing["lines"]:
            place = line.get("file", listing["file"]), line["line"]
            if listing["name"] not in artificial or place in artificial[listing["name"]]:
                counts[place] += int(line["count"])
    return counts


def functions_of_html(text: str) -> dict[str, list[dict[int, int]]]:
    """The counts of each source section, by the function's assembler name, file and line."""
    functions: dict = defaultdict(list)
    for packed in re.findall(r'data-kind="function" data-key="[^"]*">([^<]*)<', text):
        data = json.loads(zlib.decompress(base64.b64decode(packed)))
        key = (data["assembler"], data["file"], data["line"])
        functions[key].append({line: int(count) for section in data["source"] for line, count in section["counts"]})
    return functions


# ---- comparison ----


class Checker:
    def __init__(self, pathdump: Path | str, profile: Path | str):
        self.pathdump, self.profile = str(pathdump), str(profile)
        functions = json.loads(self.run("export", "--format=json"))["functions"]
        self.functions = functions
        self.executed = executed_lines(functions)
        self.violations: list[str] = []

    def run(self, *arguments: str) -> str:
        return subprocess.run([self.pathdump, *arguments, self.profile], check=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, errors="replace").stdout

    def add(self, how: str, place: Place, shown: str) -> None:
        state = "executed" if self.executed[place] else "not executed"
        self.violations.append(f"{how}: {place[0]}:{place[1]}: {shown}, but its blocks were {state}")

    def check_counts(self, how: str, counts: dict[Place, int]) -> None:
        for place, is_executed in self.executed.items():
            if place not in counts:
                self.add(how, place, "line is missing")
            elif is_executed != (counts[place] > 0):
                self.add(how, place, f"count {counts[place]}")

    def check_unexecuted(self, how: str, unexecuted: set[Place]) -> None:
        for place, is_executed in self.executed.items():
            if is_executed == (place in unexecuted):
                self.add(how, place, "said never to have run" if is_executed else "not said never to have run")

    def check_page(self) -> None:
        """Functions with the same name and line, such as the `main` of several programs, are not distinguished by the
        page's keys, and are left out."""
        sections = functions_of_html(self.run("html", "-o", "/dev/stdout"))
        keys = Counter(map(key_of, self.functions))
        for function in self.functions:
            key = key_of(function)
            if keys[key] != 1 or key not in sections or function["artificial"] or not has_own_paths(function):
                continue
            lines: dict[int, bool] = {}
            files: dict[int, set[str]] = defaultdict(set)
            for (file, line), is_executed in lines_of(function).items():
                lines[line] = lines.get(line, False) or is_executed
                files[line].add(file)
            for line, count in sections[key][0].items():
                if len(files[line]) == 1 and lines[line] != (count > 0):
                    self.violations.append(f"html: {function['name']}: line {line}: count {count}, but "
                                           f"{'executed' if lines[line] else 'not executed'}")

    def check_all(self) -> None:
        export = "export", *gcov_lines.ALL_FILES
        self.check_counts("lcov", gcov_lines.read_tracefile(self.run(*export, "--format=lcov")))
        self.check_counts("cobertura", counts_of_cobertura(self.run(*export, "--format=cobertura")))
        for style, read in (("github", unexecuted_of_github), ("gitlab", unexecuted_of_gitlab)):
            self.check_unexecuted(style, read(self.run(*export, "--format=annotations", f"--style={style}")))
        artificial = {function["name"]: {(at["file"], at["line"]) for block in function["blocks"]
                                         for at in block.get("written", [])}
                      for function in self.functions if function["artificial"]}
        shown = counts_of_show(self.run("show", "--json", "-n", "1"), artificial)
        written = {place: count for place, count in shown.items() if place in self.executed}
        self.check_counts("show", written)
        self.check_page()


def violations(pathdump: Path | str, profile: Path | str) -> tuple[list[str], int]:
    """The lines of a profile that violate the invariant, and the number of executed lines."""
    checker = Checker(pathdump, profile)
    checker.check_all()
    return checker.violations, sum(checker.executed.values())


def main() -> int:
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    status = 0
    for profile in sys.argv[2:]:
        found, executed = violations(sys.argv[1], profile)
        for violation in found:
            print(f"{profile}: {violation}")
        print(f"{profile}: {executed} executed lines, {len(found)} violations")
        status |= bool(found)
    return status


if __name__ == "__main__":
    sys.exit(main())
