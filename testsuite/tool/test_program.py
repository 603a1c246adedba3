# SPDX-License-Identifier: GPL-3.0-or-later
"""Paths through the calls of a unit: the published example, and what the modes refuse."""

import json
import subprocess

import pytest

from conftest import BUILD, HERE, assert_mentions

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


def build(folder, source, *arguments, level="-O2"):
    (folder / "program.c").write_text(source)
    given = [f"-fplugin-arg-pathprof-{argument}" for argument in arguments]
    return subprocess.run([BUILD / "bin/pathprof-gcc", level, "-g", "-w", "-fchecking=1", "program.c", "-o", "program", *given],
                          cwd=folder, capture_output=True, text=True, timeout=900, check=False)


def profile(folder):
    subprocess.run(["./program"], cwd=folder, check=True, timeout=900)
    subprocess.run([BUILD / "bin/pathdump", "check", "program.pathprof"], cwd=folder, check=True, capture_output=True)
    text = subprocess.run([BUILD / "bin/pathdump", "export", "program.pathprof"], cwd=folder, check=True,
                          capture_output=True, text=True).stdout
    return json.loads(text)


def counts(program):
    return {path["id"]: int(path["count"]) for path in program["paths"]}


@pytest.mark.parametrize("level, wide", (("-O0", 0), ("-O1", 0), ("-O2", 0), ("-O3", 0), ("-Os", 0), ("-O2", 1)))
@pytest.mark.parametrize("mode", ("context", "piecewise"))
def test_figure_4(mode, level, wide, tmp_path):
    assert build(tmp_path, FIGURE_4.format(linkage="static"), f"mode={mode}", f"wide={wide}", level=level).stderr == ""
    (program,) = profile(tmp_path)["program_paths"]
    assert program["mode"] == mode
    assert program["num_paths"] == str(GOLDEN[mode]["num_paths"])
    assert counts(program) == GOLDEN[mode]["counts"]


def test_a_function_that_others_may_call_begins_paths(tmp_path):
    assert build(tmp_path, FIGURE_4.format(linkage=""), "mode=context").stderr == ""
    (program,) = profile(tmp_path)["program_paths"]
    assert program["num_paths"] == str(GOLDEN["context"]["num_paths"] + 4)
    assert counts(program) == GOLDEN["context"]["counts"]


@pytest.mark.parametrize("arguments, kind", (
    ((), "summary"), (("recursion=split",), "split"), (("recursion=summary",), "summary"),
    (("termination=basic",), "summary"), (("termination=exact",), "split"), (("conditions=1",), "split")))
def test_all_calls_can_be_stepped_over(arguments, kind, tmp_path):
    """Exact termination, the default with recursion=split and conditions=1, ends paths at these calls."""
    assert build(tmp_path, FIGURE_4.format(linkage="static"), "mode=piecewise", "hybrid=all", *arguments).stderr == ""
    exported = profile(tmp_path)
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
def test_wrong_arguments(arguments, named, tmp_path):
    result = build(tmp_path, FIGURE_4.format(linkage="static"), *arguments)
    assert result.returncode != 0
    assert_mentions(result.stderr, *named)


def test_one_interprocedural_mode_a_unit(tmp_path):
    (tmp_path / "scheme").write_text("pow mode=piecewise\n")
    result = build(tmp_path, FIGURE_4.format(linkage="static"), "mode=context", "scheme=scheme")
    assert result.returncode != 0
    assert_mentions(result.stderr, "'mode=context'", "'mode=piecewise'")
