# SPDX-License-Identifier: GPL-3.0-or-later
"""What ran last: pathrt_last_paths and the gdb command."""

import pathlib

from conftest import need

COMMAND = pathlib.Path(__file__).resolve().parents[2] / "libpathrt/pathprof-gdb.py"
EXACT = "-fplugin-arg-pathprof-termination=exact"

# step (5) crashes behind its call of twice.
PROGRAM = """\
#include <pathrt.h>
#include <signal.h>
#include <stdlib.h>

static volatile int sink;
int *volatile nowhere;

static void
handle (int number)
{
  sink = number;
  if (pathrt_last_paths && pathrt_last_paths (1) != 0)
    exit (2);
  exit (3);
}

__attribute__ ((noinline)) int
leaf (int x)
{
  if (x > 3)
    return 1;
  sink = x;
  return 0;
}

__attribute__ ((noinline)) int
twice (int x)
{
  return leaf (x) + leaf (x);
}

__attribute__ ((noinline)) int
step (int x)
{
  int r = twice (x);
  if (x == 5)
    *nowhere = 1;
  return r + leaf (x + 1);
}

int
main (int argc, char **argv)
{
  if (argc == 1)
    signal (SIGSEGV, handle);
  for (int i = 2; i < 9; i++)
    step (i);
  return argv == NULL;
}
"""


def test_crash_handler(project):
    project.write("prog.c", PROGRAM)
    project.gcc("-O1", EXACT, "prog.c", "-o", "prog")
    lines = project.run("./prog", status=3).stdout.splitlines()
    assert lines[0].startswith("thread ")
    frames = [line.split() for line in lines[1:]]
    assert [frame[:3] for frame in frames if frame[0] != "last"] == [
        ["#0", "handle", "in"], ["#1", "step", "in"], ["#2", "main", "in"]]
    # The profile knows the paths by these numbers.
    for _, name, _, _, number in frames[-2:]:
        shown = project.pathdump("path", "prog.pathprof", name, number).stdout
        assert "to call" in shown and "executed 1 time" in shown


def test_without_frames(project):
    project.write("prog.c", PROGRAM)
    project.gcc("-O1", "prog.c", "-o", "prog")
    assert project.run("./prog", status=2).stdout == ""


def test_gdb_command(project):
    need("gdb")
    project.write("prog.c", PROGRAM)
    project.gcc("-O1", EXACT, "prog.c", "-o", "prog")
    shown = project.run("gdb", "-q", "-batch", "-nx", "-ex", f"source {COMMAND}", "-ex", "run x",
                        "-ex", "pathprof-last", "./prog").stdout
    lines = shown[shown.index("\nthread ") + 1:].splitlines()
    assert [line.split()[:4] for line in lines[1:4]] == [
        ["last", "twice"], ["#0", "step", "in", "path"], ["#1", "main", "in", "path"]]
