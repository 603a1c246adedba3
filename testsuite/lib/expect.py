# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares a profile (JSON) with the expectations in a test's own comments.

A comment '@name' marks its line.  Expectations are written in comments, one per line.  f is the name of a function as
in the profile or as a C++ programmer writes it, without result and parameters.  An expectation with a condition,
'EXPECT-LINE [WORD] a: 17', is checked only if WORD is the level, the stage or an argument of the plugin;
'EXPECT-LINE [!WORD] a: 17' is checked only if WORD is none of these.

  EXPECT-PATHS f: entry a b backedge = 5
      At stage source the executed paths of f, seen as their marked lines between start and end kind, are
      exactly the ones listed so (all EXPECT-PATHS lines of f together).  Of context each part is in
      parentheses: entry (a) () b backedge.
  EXPECT-RESIDUAL f: 12
      At stage source so many executions of paths of f were of residual ones (mode=preferential).
  EXPECT-SEQUENCE f: entry a backedge | loop b backedge = 4
      At stage source so often such a path of f (mode=kipf) was followed by such another one, and so on.
  EXPECT-NUM-PATHS f: 10
      At stage source f has so many static paths.
  EXPECT-UNCUT-PATHS f: 1024
      At stage source f had so many static paths before it was cut to the limit.
  EXPECT-MAX-PATHS f: 100
      In every stage f is in the profile, with at most so many static paths.
  EXPECT-STORAGE f: hash
      At stage source the counts of f are kept so.
  EXPECT-LINE a: 17
      In every stage the blocks with the marked line executed so often, all functions together.  At stage late
      not more often, if optimised: a block may hold several copies of a line, of unrolled loops and inlined
      functions, and lists it once.  (test_traces.py has the exact counts of that stage.)
  EXPECT-ENTRIES f: 12
      In every stage so many paths start at the entry of f (left out where f was inlined everywhere); at stage
      late not more, if optimised.
  EXPECT-SLOWER a: 20 b
      In every stage an execution of the paths with line a took on average more than 20 times the cycles of one
      with line b.
  EXPECT-LEFT-OUT f: text
      f is listed as left out, for a reason that contains the text; not at stage late, if optimised, where f
      may have another graph.
  EXPECT-ABSENT f:
      f is not mentioned in the profile.
"""
import collections
import re


def marks_of(text):
    """Line number → name of the mark on it."""
    marks = {}
    for number, line in enumerate(text.splitlines(), 1):
        found = re.search(r"@(\w+)", line)
        if found and "EXPECT-" not in line:
            marks[number] = found.group(1)
    return marks


def conditional_expectations(text):
    """Returns (kind, condition, name, value) of each expectation; the condition is '' if the expectation is always checked."""
    return re.findall(r"EXPECT-([A-Z-]+) (?:\[(\S+)\] )?([\w:.~<>]+): *(.*?) *(?:\*/)?$", text, re.MULTILINE)


def expectations_of(text, words):
    """Returns (kind, name, value) of each expectation whose condition the words of the configuration fulfil."""
    return [(kind, name, value) for kind, condition, name, value in conditional_expectations(text)
            if not condition or (condition.lstrip("!") in words) != condition.startswith("!")]


def unknown_words(text, words):
    """Returns the words in conditions that no configuration has; `words` are those of all configurations."""
    return {condition.lstrip("!") for _, condition, _, _ in conditional_expectations(text) if condition} - set(words)


def unparsed_expectations(text):
    """Returns the number of expectations that are not well-formed."""
    own = {"OPTIONS", "EXIT", "SINCE", "TARGET"}
    written = [kind for kind in re.findall(r"EXPECT-([A-Z-]+)", text) if kind not in own]
    return len(written) - len(conditional_expectations(text))


def short_name(demangled):
    """The name without parameters and result: 'int twice<int>(int)' → 'twice<int>'."""
    return demangled.partition("(")[0].rpartition(" ")[2]


def all_lines(function, path):
    """The lines of each block on a path.  One that was cut short ends behind some of the last block's parts."""
    blocks = {block["id"]: block for block in function["blocks"]}
    lines = [blocks[block]["lines"] for block in path["blocks"]]
    if path["end"] == "call":
        parts = blocks[path["blocks"][-1]].get("parts", [lines[-1]])[:path["parts"]]
        lines[-1] = list(dict.fromkeys(line for part in parts for line in part))
    return lines


def executed_lines(function, path):
    """Those of the blocks behind the path's context, which was counted with other paths."""
    return all_lines(function, path)[path.get("prefix_len", 0):]


def marks_of_parts(function, path, marks):
    """Those of each part of the path's context in parentheses, then the others."""
    lines = all_lines(function, path)
    ends = path.get("prefix_parts") or [path["prefix_len"]] if "prefix_len" in path else []
    parts = [[marks[line] for block in lines[start:end] for line in block if line in marks]
             for start, end in zip([0, *ends], [*ends, len(lines)])]
    return [*(f"({' '.join(part)})" for part in parts[:-1]), *parts[-1]]


def executed_paths(function):
    """Interesting and residual ones, under mode=preferential."""
    return [*function["paths"], *function.get("residual", [])]


def line_counts(profile):
    """Executions of the blocks that hold a line, summed over all functions."""
    counts = collections.Counter()
    for function in profile["functions"]:
        for path in executed_paths(function):
            for lines in executed_lines(function, path):
                for line in set(lines):
                    counts[line] += int(path["count"])
    return counts


def marked_paths(function, marks):
    """Executed paths as 'start marks end' → count."""
    paths = collections.Counter()
    for path in executed_paths(function):
        paths[marked_path(function, path, marks)] += int(path["count"])
    return paths


def marked_path(function, path, marks):
    """A path as 'start marks end'."""
    return " ".join([path["start"], *marks_of_parts(function, path, marks), path["end"]])


def marked_sequences(function, marks):
    """Sequences of a forest, as marked paths → count."""
    names = {path["id"]: marked_path(function, path, marks) for path in executed_paths(function)}
    found = collections.Counter()
    work = [((), node) for node in function.get("forest", [])]
    while work:
        before, node = work.pop()
        sequence = (*before, names[node["path"]])
        found[sequence] += int(node["count"])
        work += ((sequence, child) for child in node["children"])
    return found


class Checker:
    """Compares the expectations of a source file with a profile; `arguments` are those of the plugin."""

    def __init__(self, text, profile, level, stage, arguments):
        self.marks = marks_of(text)
        self.lines_of = {name: line for line, name in self.marks.items()}
        self.expectations = expectations_of(text, {level, stage, *arguments})
        self.unparsed = unparsed_expectations(text)
        self.profile = profile
        self.at_source = stage == "source"
        self.is_transformed = stage == "late" and level != "-O0"
        self.lines = line_counts(profile)
        self.functions = {}
        for function in profile["functions"]:
            self.functions.setdefault(function["name"], function)
            self.functions.setdefault(short_name(function["demangled"]), function)
        self.failures = []

    def expect_equal(self, what, wanted, actual):
        if wanted != actual:
            self.failures.append(f"{what}: wanted {wanted}, got {actual}")

    def expect_count(self, what, wanted, actual):
        if not self.is_transformed or actual > wanted:
            self.expect_equal(what, wanted, actual)

    def function(self, name):
        if name not in self.functions:
            self.failures.append(f"no function {name} in the profile")
        return self.functions.get(name)

    def check_paths(self):
        wanted = collections.defaultdict(collections.Counter)
        for kind, name, value in self.expectations:
            if kind == "PATHS":
                path, count = value.rsplit("=", 1)
                wanted[name][path.strip()] += int(count)
        for name, paths in wanted.items():
            if function := self.function(name):
                self.expect_equal(name, dict(paths), dict(marked_paths(function, self.marks)))

    def check_field(self, name, field, value):
        if self.at_source and (function := self.function(name)):
            self.expect_equal(f"{name}: {field}", value, function[field])

    def check_sequence(self, name, value):
        if self.at_source and (function := self.function(name)):
            sequence, count = value.rsplit("=", 1)
            paths = tuple(path.strip() for path in sequence.split("|"))
            self.expect_equal(f"{name}: {sequence}", int(count), marked_sequences(function, self.marks)[paths])

    def check_residual(self, name, value):
        if self.at_source and (function := self.function(name)):
            count = sum(int(path["count"]) for path in function["residual"])
            self.expect_equal(f"{name}: residual", int(value), count)

    def check_max_paths(self, name, value):
        function = self.function(name)
        if function and int(function["num_paths"]) > int(value):
            self.failures.append(f"{name}: {function['num_paths']} paths, more than {value}")

    def check_line(self, name, value):
        self.expect_count(f"line {name}", int(value), self.lines[self.lines_of[name]])

    def check_entries(self, name, value):
        if not self.at_source and name not in self.functions:
            return
        if function := self.function(name):
            entries = sum(int(path["count"]) for path in executed_paths(function)
                          if path["start"] == "entry" and "prefix_len" not in path)
            self.expect_count(f"{name}: entries", int(value), entries)

    def cycles_each(self, name):
        """Of an execution of the paths with a marked line, on average."""
        count = cycles = 0
        for function in self.profile["functions"]:
            for path in executed_paths(function):
                if any(self.lines_of[name] in lines for lines in executed_lines(function, path)):
                    count += int(path["count"])
                    cycles += int(path["cycles"])
        return cycles / count if count else 0

    def check_slower(self, name, value):
        times, other = value.split()
        slow, fast = self.cycles_each(name), self.cycles_each(other)
        if slow <= int(times) * fast:
            self.failures.append(f"{name} took {slow} cycles each, {other} {fast}")

    def check_left_out(self, name, value):
        reasons = [f["reason"] for f in self.profile["left_out"] if f["name"] == name]
        if not self.is_transformed and not any(value in reason for reason in reasons):
            self.failures.append(f"{name}: wanted left out for '{value}', got {reasons}")

    def check_absent(self, name):
        if name in self.functions or any(f["name"] == name for f in self.profile["left_out"]):
            self.failures.append(f"{name} is in the profile")

    def check(self, kind, name, value):
        if kind == "NUM-PATHS":
            self.check_field(name, "num_paths", value)
        elif kind == "UNCUT-PATHS":
            self.check_field(name, "num_paths_uncut", value)
        elif kind == "STORAGE":
            self.check_field(name, "storage", value)
        elif kind == "SEQUENCE":
            self.check_sequence(name, value)
        elif kind == "RESIDUAL":
            self.check_residual(name, value)
        elif kind == "MAX-PATHS":
            self.check_max_paths(name, value)
        elif kind == "LINE":
            self.check_line(name, value)
        elif kind == "ENTRIES":
            self.check_entries(name, value)
        elif kind == "SLOWER":
            self.check_slower(name, value)
        elif kind == "LEFT-OUT":
            self.check_left_out(name, value)
        elif kind == "ABSENT":
            self.check_absent(name)
        elif kind != "PATHS":
            self.failures.append(f"unknown expectation EXPECT-{kind}")

    def run(self):
        """What differs, a text each."""
        if not self.expectations:
            return ["the test expects nothing"]
        if self.unparsed:
            return [f"{self.unparsed} expectations cannot be read"]
        if self.at_source:
            self.check_paths()
        for kind, name, value in self.expectations:
            self.check(kind, name, value)
        return self.failures
