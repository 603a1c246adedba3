# SPDX-License-Identifier: GPL-3.0-or-later
"""Transactional memory, -fgnu-tm."""

import pytest


PROGRAM = """\
#include <stdio.h>
int total, log_[8];
static __attribute__ ((noinline)) int
in_transaction (int i)
{
  if (i & 1)
    return 1;
  return 2;
}
static __attribute__ ((noipa)) int
work (int n)
{
  int r = 0;
  for (int k = 0; k < 3; k++)
    __transaction_atomic
      {
        for (int i = 0; i < n; i++)
          {
            log_[i & 7] += i;
            if (log_[i & 7] % 7 == 3)
              __transaction_cancel;
            total += in_transaction (i);
          }
        r += total;
      }
  return r;
}
static __attribute__ ((noipa)) void
cancels (int n)
{
  __transaction_atomic
    {
      total += n;
      if (n & 1)
        __transaction_cancel;
    }
}
int
main (void)
{
  for (int i = 0; i < 20; i++)
    {
      work (i);
      cancels (i);
    }
  printf ("%d\\n", total);
  return 0;
}
"""
MODES = [("acyclic", "source", []), ("acyclic", "late", []), ("acyclic", "early", ["array-max=0"]),
         ("kiter", "late", ["array-max=0"]), ("kipf", "source", ["update=single"]), ("kipf", "late", []),
         ("acyclic", "source", ["update=thread"]), ("context", "source", []), ("piecewise", "source", [])]


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_transactions(project, level):
    """Regression 24: no count depends on how often a transaction starts anew, and each mode compiles transactions."""
    project.write("prog.c", PROGRAM)
    expected = set()
    for mode, stage, others in MODES:
        settings = [f"-fplugin-arg-pathprof-{setting}" for setting in [f"mode={mode}", f"stage={stage}", *others]]
        project.gcc(level, "-g", "-fgnu-tm", *settings, "prog.c", "-o", "prog")
        (project.folder / "prog.pathprof").unlink(missing_ok=True)
        expected.add(project.run("./prog").stdout)
        profile = project.profile()  # which `pathdump check` accepts
        entered = {function["name"]: sum(int(path["count"]) for path in function["paths"] if path["start"] == "entry")
                   for function in profile["functions"] if function["mode"] == mode == "acyclic"}
        left_out = {function["name"]: function["reason"] for function in profile["left_out"]}
        if stage == "late":
            assert not left_out
        if stage == "late" and mode == "acyclic":
            assert entered["cancels"] == entered["work"] == 20
        for reason in left_out.values():
            assert reason.startswith("a transaction (-fgnu-tm) cannot call the runtime; use stage=late")
        if mode == "kipf" and stage == "source":
            assert set(left_out) == {"work"}  # the others have no loops, and so their paths are in an array
    assert len(expected) == 1
