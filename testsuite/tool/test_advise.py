# SPDX-License-Identifier: GPL-3.0-or-later
"""pathdump advise: where paths know more than edges."""
import json
import os
import subprocess
from pathlib import Path

import pytest

BUILD = Path(os.environ["PATHPROF_BUILD"]).resolve()

SOURCE = """
#include <stdio.h>
volatile int sink;
__attribute__((noinline)) void correlated(int a, int b) {
  if (a)
    sink = 1;
  if (b)
    sink = 2;
  if (a)
    sink = 3;
}
__attribute__((noinline)) void alternating(int n) {
  for (volatile int i = 0; i < n; i++)
    if (i & 1)
      sink = 4;
    else
      sink = 5;
}
int main(void) {
  for (int i = 0; i < 400; i++)
    correlated((i & 1) != 0, (i & 2) != 0);
  alternating(1000);
  return 0;
}
"""


def line_of(text):
    return SOURCE.split("\n").index(text) + 1


def advise(folder, *arguments, mode="acyclic", k=2):
    (folder / "a.c").write_text(SOURCE)
    given = [f"-fplugin-arg-pathprof-{argument}" for argument in (f"mode={mode}", "stage=source")]
    given += [f"-fplugin-arg-pathprof-k={k}"] if mode == "kipf" else []
    subprocess.run([BUILD / "bin/pathprof-gcc", "-O1", "-g", "a.c", "-o", "a", *given], cwd=folder, check=True, timeout=900)
    subprocess.run(["./a"], cwd=folder, check=True, timeout=900)
    return subprocess.run([BUILD / "bin/pathdump", "advise", *arguments], cwd=folder, check=True, capture_output=True,
                          text=True).stdout


def test_correlated_branches(tmp_path):
    advice = json.loads(advise(tmp_path, "--json"))
    functions = {function["function"]: function for function in advice["functions"]}
    assert (functions["correlated"]["executions"], functions["correlated"]["missed_by_edges"],
            functions["correlated"]["missed_by_paths"]) == (1200, 600, 400)
    assert "missed_by_pairs" not in functions["correlated"]
    (branch,) = [branch for branch in advice["branches"] if branch["function"] == "correlated"]
    assert (branch["missed_by_edges"], branch["missed_by_paths"]) == (200, 0)
    third, first = 8 + 1, 4 + 1
    assert (branch["branch"]["line"], branch["told_by"]["line"], branch["told_by"]["missed"]) == (third, first, 0)
    assert advice["loops"] == []


@pytest.mark.parametrize("k", (2, 4))
def test_alternating_loop(k, tmp_path):
    advice = json.loads(advise(tmp_path, "--json", mode="kipf", k=k))
    (function,) = [function for function in advice["functions"] if function["function"] == "alternating"]
    assert function["missed_by_edges"] >= 500 and function["missed_by_pairs"] <= 3
    assert function["missed_by_paths"] >= 498
    (loop,) = [loop for loop in advice["loops"] if loop["function"] == "alternating"]
    assert loop["missed"] >= 498 and loop["missed_after_one"] == 0
    assert loop["rounds"] >= 997


def test_text(tmp_path):
    text = advise(tmp_path, mode="kipf")
    assert "Branches that the way to them decides" in text
    assert "Loops whose next way around follows from the last" in text
    assert f"a.c:{line_of('  if (b)') + 2} " in text


def test_nothing_to_say(tmp_path):
    (tmp_path / "b.c").write_text("int main(void) { return 0; }\n")
    subprocess.run([BUILD / "bin/pathprof-gcc", "-O1", "b.c", "-o", "b"], cwd=tmp_path, check=True)
    subprocess.run(["./b"], cwd=tmp_path, check=True)
    text = subprocess.run([BUILD / "bin/pathdump", "advise"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert text == "No branch was executed in a function that has paths of its own.\n"
