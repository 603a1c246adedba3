# SPDX-License-Identifier: GPL-3.0-or-later
"""How instrumented code finds a thread's copy of the counters (update=thread), and which threads need one."""

import pathlib
import platform
import re
import shutil

import pytest


# The thread begins in a function that is not instrumented; one that is, inlined or not, asks for the copy while values
# are in registers and below the stack pointer.
VALUES = """\
#include <pthread.h>
#include <stdlib.h>

INLINE static double
pick (int a, int b, int c, int d, int e, int f, double g, double h)
{
  if (a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 > 1000)
    return g;
  return g * 2 + h * 3 + (a - b) * (c - d) * (e - f);
}

static void *
run (void *start)
{
  int n = *(int *) start;
  volatile int kept[8];
  for (int i = 0; i < 8; i++)
    kept[i] = n * i;
  double x = kept[1] * 0.5, y = kept[2] * 0.25, z = kept[3] + 0.125;
  float v[8];
  for (int i = 0; i < 8; i++)
    v[i] = n + i;
  double got = pick (kept[1], kept[2], kept[3], kept[4], kept[5], kept[6], x, y);
  for (int i = 0; i < 8; i++)
    if (kept[i] != n * i || v[i] != n + i)
      abort ();
  if (x != n * 0.5 || y != n * 0.5 || z != n * 3 + 0.125 || got != n * 2.5 - n * n * n)
    abort ();
  return start;
}

int
main (void)
{
  pthread_t threads[4];
  int starts[4] = { 1, 2, 3, 4 };
  for (int i = 0; i < 4; i++)
    pthread_create (&threads[i], NULL, run, &starts[i]);
  for (int i = 0; i < 4; i++)
    pthread_join (threads[i], NULL);
  return 0;
}
"""
INLINE = {"inlined": "__attribute__ ((always_inline)) inline", "called": "__attribute__ ((noinline))"}


def vector_options():
    flags = pathlib.Path("/proc/cpuinfo").read_text() if pathlib.Path("/proc/cpuinfo").exists() else ""
    return [""] + [f"-m{flag}" for flag in ("avx2", "avx512f") if re.search(rf"\b{flag}\b", flags)]


@pytest.mark.parametrize("vectors", vector_options())
@pytest.mark.parametrize("stage, inlined", [("source", "inlined"), ("source", "called"), ("early", "called"),
                                            ("late", "called")])
def test_asking_for_the_copy_changes_no_value(project, stage, inlined, vectors):
    project.write("prog.c", VALUES.replace("INLINE", INLINE[inlined]))
    project.gcc("-O2", "-ftree-vectorize", "-pthread", "-fPIC", "-fchecking=1", *vectors.split(),
                f"-fplugin-arg-pathprof-stage={stage}", "-fplugin-arg-pathprof-exclude=main,run", "prog.c", "-o", "prog")
    project.run("./prog")
    assert project.functions()["pick"] == [4]


@pytest.mark.skipif(platform.machine() != "x86_64" or not shutil.which("objdump"), reason="reads code of x86-64")
@pytest.mark.parametrize("stage", ["source", "early", "late"])
def test_leaf_functions_stay_leaves(project, stage):
    """An ordinary call at its start would have the function save its arguments and set up a frame."""
    project.write("leaf.c", "int leaf (int a, int b, double d) { return a > b ? a * 3 : d > 2 ? b : a + b; }\n")
    project.gcc("-O2", "-pthread", "-fPIC", f"-fplugin-arg-pathprof-stage={stage}", "-c", "leaf.c")
    code = project.run("objdump", "-dr", "--no-show-raw-insn", "leaf.o").stdout
    assert "%fs:" in code and "__pathrt_thread_keeping" in code
    assert not re.search(r"\bpush\b|__pathrt_thread\b", code), code


# How much memory the process has before and after a thread's first path.  The section of counters takes 8 MB.
SIZES = """\
#include <pthread.h>
#include <stdio.h>

volatile int sink;

__attribute__ ((noinline)) static int
f (int x)
{
  int sum = 0;
  STEPS
  return sum;
}

static long
size (void)
{
  long pages = 0;
  FILE *file = fopen ("/proc/self/statm", "r");
  if (!file || fscanf (file, "%ld", &pages) != 1)
    return -1;
  fclose (file);
  return pages;
}

static void *
run (void *grown)
{
  long before = size ();
  sink = f (1);
  *(long *) grown = size () - before;
  return grown;
}

int
main (int argc, char **argv)
{
  pthread_t thread;
  pthread_attr_t small;
  long grown[4];
  pthread_attr_init (&small);
  pthread_attr_setstacksize (&small, 1 << 18);
  if (argc > 1)
    run (&grown[3]);
  for (int i = 0; i < 3; i++)
    {
      pthread_create (&thread, &small, run, &grown[i]);
      pthread_join (thread, NULL);
    }
  if (argc > 1)
    printf ("%d ", grown[3] >= 2048);
  printf ("%d %d %d\\n", grown[0] >= 2048, grown[1] >= 2048, grown[2] >= 2048);
  return argv[0] == NULL;
}
"""


def test_one_thread_at_a_time_needs_no_copy(project):
    """The first one counts in the section itself, and at its end leaves that to the next one; a second thread has a copy,
    which it leaves, too."""
    project.write("prog.c", SIZES.replace("STEPS", " ".join(f"if (x & {1 << i}) sum += {i};" for i in range(20))))
    project.gcc("-O0", "-pthread", "-fPIC", "-fplugin-arg-pathprof-array-max=2000000", "-fplugin-arg-pathprof-paths-max=2000000",
                "-fplugin-arg-pathprof-include=f", "prog.c", "-o", "prog")
    assert project.run("./prog").stdout == "0 0 0\n"
    assert project.functions()["f"] == [3]
    assert project.run("./prog", "twice").stdout == "0 1 0 0\n"
    assert project.functions()["f"] == [7]
