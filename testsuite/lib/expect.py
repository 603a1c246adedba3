#!/usr/bin/env python3
"""Compares a profile (JSON) with the expectations in a test's own comments.

Usage: expect.py SOURCE PROFILE.json LEVEL STAGE

A comment '@name' marks its line.  Expectations, one a line, anywhere in comments:

  EXPECT-PATHS f: entry a b backedge = 5
      At stage source the executed paths of f, seen as their marked lines between start and end kind, are
      exactly the ones listed so (all EXPECT-PATHS lines of f together).
  EXPECT-PATHS-O0 f: ...
      The same, for -O0 only; where a function has such lines, they replace the others at -O0.
  EXPECT-NUM-PATHS f: 10
      At stage source f has so many static paths.
  EXPECT-LINE a: 17
      In every stage the blocks with the marked line executed so often, all functions together.
  EXPECT-ENTRIES f: 12
      In every stage so many paths start at the entry of f (left out where f was inlined everywhere).
  EXPECT-LEFT-OUT f: text
      f is listed as left out, for a reason that contains the text.
"""
import collections
import json
import re
import sys


def marks_of(source):
    """Line number → name of the mark on it."""
    marks = {}
    with open(source, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            found = re.search(r"@(\w+)", line)
            if found and "EXPECT-" not in line:
                marks[number] = found.group(1)
    return marks


def expectations_of(source):
    with open(source, encoding="utf-8") as file:
        text = file.read()
    return re.findall(r"EXPECT-([A-Z0-9-]+) (\w+): *(.*?) *(?:\*/)?$", text, re.MULTILINE)


def block_counts(function):
    counts = collections.Counter()
    for path in function["paths"]:
        for block in path["blocks"]:
            counts[block] += int(path["count"])
    return counts


def line_counts(profile):
    """Executions of the blocks that hold a line, summed over all functions."""
    lines = collections.Counter()
    for function in profile["functions"]:
        counts = block_counts(function)
        for block in function["blocks"]:
            for line in set(block["lines"]):
                lines[line] += counts[block["id"]]
    return lines


def marked_paths(function, marks):
    """Executed paths as 'start marks end' → count."""
    lines = {block["id"]: block["lines"] for block in function["blocks"]}
    paths = collections.Counter()
    for path in function["paths"]:
        names = [marks[line] for block in path["blocks"] for line in lines[block] if line in marks]
        paths[" ".join([path["start"], *names, path["end"]])] += int(path["count"])
    return paths


class Checker:
    def __init__(self, source, profile, level, stage):
        self.marks = marks_of(source)
        self.expectations = expectations_of(source)
        self.profile = profile
        self.level = level
        self.stage = stage
        self.lines = line_counts(profile)
        self.functions = {}
        for function in profile["functions"]:
            name = re.sub(r"\(.*", "", function["demangled"])
            self.functions.setdefault(function["name"], function)
            self.functions.setdefault(name, function)
        self.failures = []

    def expect(self, condition, message):
        if not condition:
            self.failures.append(message)

    def function(self, name):
        if name not in self.functions:
            self.failures.append(f"no function {name} in the profile")
            return None
        return self.functions[name]

    def check_paths(self):
        wanted = collections.defaultdict(collections.Counter)
        special = {name for kind, name, _ in self.expectations if kind == "PATHS-O0"}
        for kind, name, value in self.expectations:
            at_o0 = self.level == "-O0" and name in special
            if kind == ("PATHS-O0" if at_o0 else "PATHS"):
                path, count = value.rsplit("=", 1)
                wanted[name][path.strip()] += int(count)
        for name, paths in wanted.items():
            function = self.function(name)
            if function:
                actual = marked_paths(function, self.marks)
                self.expect(actual == paths, f"{name}: wanted {dict(paths)}, got {dict(actual)}")

    def run(self):
        if self.stage == "source":
            self.check_paths()
        line_of = {name: line for line, name in self.marks.items()}
        for kind, name, value in self.expectations:
            if kind == "LINE":
                actual = self.lines[line_of[name]]
                self.expect(actual == int(value), f"line {name}: wanted {value}, got {actual}")
            elif kind == "NUM-PATHS" and self.stage == "source":
                function = self.function(name)
                actual = function and function["num_paths"]
                self.expect(actual == value, f"{name}: wanted {value} paths, got {actual}")
            elif kind == "ENTRIES" and (self.stage == "source" or name in self.functions):
                function = self.function(name)
                actual = function and sum(int(path["count"]) for path in function["paths"]
                                          if path["start"] == "entry")
                self.expect(actual == int(value), f"{name}: wanted {value} entries, got {actual}")
            elif kind == "LEFT-OUT":
                reasons = [f["reason"] for f in self.profile["left_out"] if f["name"] == name]
                self.expect(any(value in reason for reason in reasons),
                            f"{name}: wanted left out for '{value}', got {reasons}")
        return self.failures


def main():
    source, profile_name, level, stage = sys.argv[1:]
    with open(profile_name, encoding="utf-8") as file:
        profile = json.load(file)
    checker = Checker(source, profile, level, stage)
    if not checker.expectations:
        sys.exit(f"{source} expects nothing")
    failures = checker.run()
    for failure in failures:
        print(failure)
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
