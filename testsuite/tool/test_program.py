# SPDX-License-Identifier: GPL-3.0-or-later
"""Paths through the calls of a unit: the published example, and what the modes refuse."""

import json

import pytest

from conftest import HERE, assert_mentions, plugin

GOLDEN = json.loads((HERE / "../golden/melski-reps-figure-4.json").read_text(encoding="utf-8"))
FIGURE_4 = """\
{linkage} double pow (double base, long exp)
{{
  double power = 1.0;
  while (exp > 0)
    {{
      power *= base;
      exp--;
    }}
  return power;
}}

int main (void)
{{
  double t, result = 0.0;
  int i = 1;
  while (i <= 18)
    {{
      if ((i % 2) == 0)
        {{
          t = pow (i, 2);
          result += t;
        }}
      if ((i % 3) == 0)
        {{
          t = pow (i, 2);
          result += t;
        }}
      i++;
    }}
  return result != 1959.0;
}}
"""


def build(project, source, *arguments, level="-O2", status=0):
    """Compiles the program and returns the compiler's messages."""
    project.write("prog.c", source)
    return project.gcc(level, "-g", "-w", "-fchecking=1", "prog.c", "-o", "prog", *plugin(*arguments), status=status).stderr


def profile(project):
    project.run("./prog")
    return project.profile()


def counts(program):
    return {path["id"]: int(path["count"]) for path in program["paths"]}


@pytest.mark.parametrize("level, wide", (("-O0", 0), ("-O1", 0), ("-O2", 0), ("-O3", 0), ("-Os", 0), ("-O2", 1)))
@pytest.mark.parametrize("mode", ("context", "piecewise"))
def test_figure_4(mode, level, wide, project):
    assert build(project, FIGURE_4.format(linkage="static"), f"mode={mode}", f"wide={wide}", level=level) == ""
    (program,) = profile(project)["program_paths"]
    assert program["mode"] == mode
    assert program["num_paths"] == str(GOLDEN[mode]["num_paths"])
    assert counts(program) == GOLDEN[mode]["counts"]


def test_a_function_that_others_may_call_begins_paths(project):
    assert build(project, FIGURE_4.format(linkage=""), "mode=context") == ""
    (program,) = profile(project)["program_paths"]
    assert program["num_paths"] == str(GOLDEN["context"]["num_paths"] + 4)
    assert counts(program) == GOLDEN["context"]["counts"]


@pytest.mark.parametrize("arguments, kind", (
    ((), "summary"), (("recursion=split",), "split"), (("recursion=summary",), "summary"),
    (("termination=basic",), "summary"), (("termination=exact",), "split"), (("conditions=1",), "split")))
def test_all_calls_can_be_stepped_over(arguments, kind, project):
    """Exact termination, the default with recursion=split and conditions=1, ends paths at these calls."""
    assert build(project, FIGURE_4.format(linkage="static"), "mode=piecewise", "hybrid=all", *arguments) == ""
    exported = profile(project)
    (program,) = exported["program_paths"]
    assert program["cut_sites"] == 2
    assert all(len(path["steps"]) == 1 for path in program["paths"])
    calls = [call for function in exported["functions"] for call in function["calls"]]
    assert [(call["kind"], call["reason"]) for call in calls] == [(kind, "strategy")] * 2


@pytest.mark.parametrize("arguments, named", (
    (("mode=context", "stage=early"), ["'mode=context'", "'stage=source'", "'stage=early'"]),
    (("mode=piecewise", "stage=late"), ["'mode=piecewise'", "'stage=source'", "'stage=late'"]),
    (("mode=context", "metric=tsc"), ["'metric=tsc'", "'mode=acyclic'", "'mode=context'"]),
    (("mode=context", "hybrid=some"), ["'hybrid'", "'some'", "auto, static, file, leaf or all"]),
    (("mode=context", "recursion=none"), ["'recursion'", "'none'", "summary or split"]),
    (("mode=context", "indirect=all"), ["'indirect'", "'all'", "cut or chain"]),
    (("mode=context", "wide=128"), ["'wide'", "'128'", "0 or 1"]),
))
def test_wrong_arguments(arguments, named, project):
    assert_mentions(build(project, FIGURE_4.format(linkage="static"), *arguments, status=1), *named)


def test_one_interprocedural_mode_a_unit(project):
    project.write("scheme", "pow mode=piecewise\n")
    errors = build(project, FIGURE_4.format(linkage="static"), "mode=context", "scheme=scheme", status=1)
    assert_mentions(errors, "'mode=context'", "'mode=piecewise'")
