# SPDX-License-Identifier: GPL-3.0-or-later
"""Indirect calls in paths across functions: indirect=chain."""

import pytest

from conftest import plugin

OPERATIONS = """
#include <stdio.h>

static int add(int a, int b) {{ return a > 3 ? a + b : b; }}
static int subtract(int a, int b) {{ return a & 1 ? a - b : b - a; }}
static int multiply(int a, int b) {{ return a * b; }}
{more}
int (*table[])(int, int) = {{add, subtract, multiply{names}}};
int apply(int (*f)(int, int), int a, int b) {{
  int result = f(a, b);
  return result > 0 ? result : -result;
}}
int outside(int a, int b);
int main(void) {{
  long sum = 0;
  for (int i = 0; i < 999; i++)
    sum += apply(i % 10 ? table[i % 3] : outside, i, 7);
  printf("%ld\\n", sum);
  return 0;
}}
"""

SHAPES = """
#include <cstdio>
#include <stdexcept>

struct Shape {
  virtual int area(int n) = 0;
  virtual ~Shape() = default;
};
struct Square : Shape {
  int area(int n) override {
    if (n % 7 == 6)
      throw std::runtime_error("bad");
    return n * n;
  }
};
struct Stripe : Shape {
  int area(int n) override { return n & 1 ? 3 * n : n; }
};
int total(Shape &shape, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    try {
      sum += shape.area(i);
    } catch (const std::exception &) {
      sum--;
    }
  return sum;
}
int main() {
  Square square;
  Stripe stripe;
  std::printf("%d %d\\n", total(square, 50), total(stripe, 60));
}
"""


def build(project, source, *arguments, level=("-O2",), name="prog.c"):
    project.write(name, source)
    project.compile(name, *level, "-g", "-fchecking=1", *project.folder.glob("*.o"), *plugin(*arguments))


def run(project):
    """Runs the program, and returns its output and the profile of this run."""
    (project.folder / "prog.pathprof").unlink(missing_ok=True)
    return project.run("./prog").stdout, project.profile()


def calls_of(exported, function):
    (found,) = [f for f in exported["functions"] if f["demangled"].split("(")[0] == function]
    return [(call["callee"], call["kind"]) for call in found["calls"]]


def entered(exported):
    """How often paths begin in a function or go into it, by function."""
    (program,) = exported["program_paths"]
    sums = {}
    for path in program["paths"]:
        for step in path["steps"][path["prefix_len"]:]:
            if "function" in step and step["blocks"][:1] == [0]:
                sums[step["function"]] = sums.get(step["function"], 0) + int(path["count"])
    return sums


@pytest.fixture
def outside(project):
    """A project with an object file whose function the profiled unit does not know."""
    project.write("outside.c", "int outside(int a, int b) { return a | b; }\n")
    project.run("gcc", "-c", "outside.c")
    return project


@pytest.mark.parametrize("level", ("-O0", "-O2"))
@pytest.mark.parametrize("mode", ("context", "piecewise"))
def test_paths_go_through_known_targets(mode, level, outside):
    outputs = set()
    for indirect, targets in (("cut", []), ("chain", ["add", "multiply", "subtract"])):
        build(outside, OPERATIONS.format(more="", names=""), "mode=" + mode, "indirect=" + indirect, level=(level,))
        output, exported = run(outside)
        outputs.add(output)
        assert calls_of(exported, "apply") == [(name, "whole") for name in targets] + [(None, "summary")]
        sums = entered(exported)
        assert [sums[name] for name in ("add", "subtract", "multiply")] == [299, 300, 300]
    assert len(outputs) == 1


def test_a_call_with_many_targets_stays_indirect(outside):
    names = ["more", "most"]
    more = "".join("static int %s(int a, int b) { return a ^ b; }\n" % name for name in names)
    build(outside, OPERATIONS.format(more=more, names="".join(", " + name for name in names)), "mode=context", "indirect=chain")
    assert calls_of(run(outside)[1], "apply") == [(None, "summary")]


@pytest.mark.parametrize("options", (("-O1",), ("-O2",), ("-O2", "-flto")))
def test_virtual_calls_that_throw(options, project):
    build(project, SHAPES, "mode=context", "indirect=chain", level=options, name="prog.cc")
    output, exported = run(project)
    assert output == "33943 3570\n"
    assert calls_of(exported, "total")[:3] == [("_ZN6Square4areaEi", "whole"), ("_ZN6Stripe4areaEi", "whole"), (None, "summary")]
    sums = entered(exported)
    assert (sums["_ZN6Square4areaEi"], sums["_ZN6Stripe4areaEi"]) == (50, 60)


DESTRUCTORS = """
struct Shape {
  virtual ~Shape() = default;
  virtual int area() { return 1; }
};
struct Square : Shape {
  int area() override { return 2; }
};
int main() {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    Shape *shape = new Square;
    sum += shape->area();
    delete shape;
  }
  return sum - 6;
}
"""


@pytest.mark.parametrize("level", ("-O0", "-O1", "-O2"))
def test_destructors_stay_in_their_group(level, project):
    """Complete and base destructors are aliases: the linker keeps or drops both, also where one calls its clone."""
    build(project, DESTRUCTORS, "mode=context", "indirect=chain", level=(level,), name="prog.cc")
    output, exported = run(project)
    assert output == ""
    sums = entered(exported)
    assert (sums["main"], sums["_ZN6Square4areaEv"]) == (1, 3)
