# SPDX-License-Identifier: GPL-3.0-or-later
"""Coverage of code that the user wrote and GCC moved to functions of its own: bodies of coroutines, regions of OpenMP,
initialisers of variables and of members."""

import re
import sys

import pytest

from conftest import BIN, BUILD, HERE, plugin

sys.path.append(str(HERE.parent / "real"))
import line_invariant  # noqa: E402

# Each program executes the lines marked "rare" only if it is called with arguments. It executes the lines marked "code"
# if it is called without arguments. Lines marked "name" contain code only with some versions of GCC, and other lines
# contain no code. The number after a mark is the number of branch outcomes on the line. "*" marks the first line of a
# coroutine, on which GCC, and gcov, count branches of the function that creates the coroutine.
COROUTINE = """#include <coroutine>
struct Task {
  struct promise_type {
    Task get_return_object() { return {}; } // code
    std::suspend_never initial_suspend() { return {}; } // code
    std::suspend_never final_suspend() noexcept { return {}; } // code
    void unhandled_exception() {}
    void return_void() {} // code
  };
};
int g;
Task work(int n) { // code *
  if (n > 1) { // code 2
    g = 1; // rare
    g = 2; // rare
  }
  switch (n) { // code 3
  case 5: // rare
    g = 3; // rare
    break; // rare
  case 1: // code
    g = 4; // code
  }
  co_await std::suspend_never(); // code
  for (int i = 0; i < n; i++) // code 2
    g += n; // code
  co_return; // code
} // name
int main(int argc, char **) { // code
  work(argc); // code
  return 0; // code
}
"""

REGIONS = """int g;
static void set(int value) { g = value; } // code
static void run(int n, int rare) { // code
#pragma omp parallel for // code
  for (int i = 0; i < n; i++) { // code
    if (i == 4 * rare - 2) // code 2
      set(1); // rare
    else
      g = 0; // code
  }
#pragma omp parallel num_threads(1) // code
  {
    if (rare) // code 2
      g = 2; // rare
#pragma omp task // code
    {
      if (rare) // code 2
        g = 3; // rare
    }
  }
} // code
int main(int argc, char **argv) { // code
  (void) argv;
  set(0); // code
  run(4, argc > 1); // code
  return 0; // code
}
"""

INITIALISERS = """int find(int);
extern int argument;
static int first = // name
  argument > 1 ? // code 2
  find(1) // rare
  : find(2); // code
thread_local int of_thread = // name
  argument > 1 ? // code 2
  find(3) // rare
  : find(4); // code
int main() { // code
  return first + of_thread == 0; // code
}
struct Object { int value; Object(int of) : value(of) {} }; // code
static int last = // name
  argument > 1 ? // code 2
  find(5) // rare
  : find(6); static Object object(last); // code"""

REST = """#include <stdio.h>
#include <stdlib.h>
int argument = 1;
int find(int value) { return value; }
static void __attribute__((constructor(101))) read(int argc, char **) { argument = argc; }
"""

MEMBERS = """int find(int value) { // code
  return value; // code
}
struct Base {
  int value;
  Base() : value(find(1)) {} // code
};
struct Common : Base {
  int plain;
  int first = find(2); // code
  Base second = {}; // code
};
struct Rare : Base {
  int first = find(2); // rare
  Base second = {}; // rare
};
int main(int argc, char **) { // code
  Common common; // code
  if (argc > 1) { // code 2
    Rare rare; // rare
    return rare.first != 2; // rare
  }
  return common.first != 2; // code
}
"""

PROGRAMS = {
    "coroutine": (COROUTINE, ("-std=c++20",), {
        "work(int)", "main", *(f"Task::promise_type::{name}()" for name in (
            "get_return_object", "initial_suspend", "final_suspend", "return_void"))}),
    "regions": (REGIONS, ("-fopenmp",), {"set(int)", "run(int, int)", "main"}),
    "initialisers": (INITIALISERS, (), {"main", "Object::Object(int)"}),
    "members": (MEMBERS, (), {"find(int)", "Base::Base()", "main"}),
}


def marked_lines(source, *words):
    return {number for number, line in enumerate(source.splitlines(), 1)
            if (found := re.search("// ([a-z]+)", line)) and found[1] in words}


def outcomes_of(source):
    """Returns the number of branch outcomes on each line."""
    return {number: int(found[1]) for number, line in enumerate(source.splitlines(), 1)
            if (found := re.search("// [a-z]+ ([0-9])$", line))}


class Checker:
    """A program, its profile, and the marks in its source."""

    def __init__(self, project, name, options):
        self.project = project
        self.source, more, self.functions = PROGRAMS[name]
        project.write("prog.cc", self.source)
        project.write("rest.cc", REST)
        project.gxx("-g", *options, *more, "prog.cc", *(["rest.cc"] if name == "initialisers" else []), "-o", "prog")

    def run(self, *arguments):
        self.project.run("./prog", *arguments)

    def check_lines(self, missing):
        """`missing` contains the marks of the lines that were not executed."""
        lcov = self.lcov()
        counts = {int(line): int(count) for line, count in re.findall("^DA:([0-9]+),([0-9]+)", lcov, re.M)}
        names = marked_lines(self.source, "name")
        assert names & set(counts) in (set(), names)
        everything, missed = marked_lines(self.source, "code", "rare") | (names & set(counts)), marked_lines(self.source, *missing)
        found = self.project.pathdump.json("coverage", "--json", "--lines", "--file=prog.cc", "prog.pathprof")
        assert {one["line"] for one in found["missing_lines"]} == missed
        (file,) = found["files"]
        assert (file["lines"]["covered"], file["lines"]["total"]) == (len(everything - missed), len(everything))
        assert file["functions"]["total"] == len(self.functions)
        assert set(counts) == everything and {line for line in counts if counts[line] == 0} == missed
        assert set(re.findall("^FN:[0-9,]+,(.*)$", lcov, re.M)) == self.functions
        assert line_invariant.violations(BUILD / "bin/pathdump", self.project.folder / "prog.pathprof")[0] == []
        done = self.project.run(BIN / "pathdump", "coverage", "--fail-under-line=100", "--file=prog.cc", "prog.pathprof",
                                status=1 if missed else 0)
        assert ("below" in done.stderr) == bool(missed)

    def check_outcomes(self):
        found = re.findall("^BRDA:([0-9]+),", self.lcov(), re.M)
        ramps = {str(number) for number, line in enumerate(self.source.splitlines(), 1) if line.endswith("*")}
        assert {int(line): found.count(line) for line in set(found) - ramps} == outcomes_of(self.source)

    def lcov(self):
        return self.project.pathdump("export", "--format=lcov", "--file=prog.cc", "prog.pathprof").stdout


@pytest.mark.parametrize("options", [("-O0",), ("-O2", *plugin("stage=source"))], ids=["O0", "O2"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_code_of_the_user(project, name, options):
    checker = Checker(project, name, options)
    checker.run()
    checker.check_lines({"rare"})
    checker.run("1", "2", "3", "4")
    checker.check_lines(set())
    if options == ("-O0",):
        checker.check_outcomes()
