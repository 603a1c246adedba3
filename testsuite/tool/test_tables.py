# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions whose counts are kept in tables: hot paths are counted without a call, and exactly."""

import itertools
import signal

import pytest

from conftest import STAGES, UPDATES

ZERO = "-fplugin-arg-pathprof-array-max=0"

# Each activation of `step` is one path of three.
PROGRAM = """\
#include <pathrt.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int sink;

__attribute__ ((noinline)) int
step (int n)
{
  if (n % 4 == 0)
    sink = n;
  else if (n % 4 == 1)
    sink = -n;
  return n;
}

void
work (int times)
{
  for (int i = 0; i < times; i++)
    step (i);
}
"""

CHILDREN = """
int main (void)
{
  work (4000);
  pathrt_reset ();
  work (400);
  pathrt_dump ();
  work (4000);
  if (fork () == 0)
    {
      work (40000);
      if (fork () == 0)
        {
          pathrt_pause ();
          work (40);
          pathrt_resume ();
          work (8000);
        }
    }
  while (wait (0) > 0)
    ;
  return 0;
}"""

# Linked between instrumented code and the runtime (ld --wrap).
SPY = """\
#include <stdint.h>
#include <stdio.h>

static long calls;
#define SPY(name) \\
  void __real_##name (void *, uint64_t, void *); \\
  void __wrap_##name (void *table, uint64_t key, void *cache) { calls++; __real_##name (table, key, cache); }
SPY (__pathrt_count)
SPY (__pathrt_count_atomic)

#define SPY_ON_RESIDUAL(name) \\
  void __real_##name (void *, uint64_t, void *, uint64_t, void *); \\
  void __wrap_##name (void *table, uint64_t id, void *info, uint64_t amount, void *cache) \\
  { calls++; __real_##name (table, id, info, amount, cache); }
SPY_ON_RESIDUAL (__pathrt_residual)
SPY_ON_RESIDUAL (__pathrt_residual_atomic)

static __attribute__ ((destructor)) void
tell (void)
{
  printf ("%ld\\n", calls);
}
"""


def calls_of(project, *options, env=None):
    """How often the runtime is called for 40000 activations."""
    project.write("prog.c", PROGRAM + "int main (void) { work (40000); }")
    project.write("spy.c", SPY)
    project.run("cc", "-c", "spy.c")
    wrapped = [f"-Wl,--wrap=__pathrt_{name}" for name in ("count", "count_atomic", "residual", "residual_atomic")]
    project.gcc("-O2", ZERO, *options, "prog.c", "spy.o", *wrapped, "-o", "prog")
    calls = int(project.run("./prog", env=env).stdout)
    assert project.functions()["step"] == [10000, 10000, 20000]
    return calls


@pytest.mark.parametrize("stage,update", itertools.product(STAGES, UPDATES))
def test_hot_paths_are_counted_without_calls(project, stage, update):
    assert calls_of(project, f"-fplugin-arg-pathprof-stage={stage}", f"-fplugin-arg-pathprof-update={update}",
                    "-fchecking=1") < 2000


@pytest.mark.parametrize("update", UPDATES)
def test_so_are_those_that_the_runtime_hears_of(project, update):
    project.write("prog.c", PROGRAM + "int main (void) { work (4); }")
    project.gcc("-O2", "prog.c", "-o", "tests")
    project.run("./tests", env={"PATHPROF_FILE": "tests.pathprof"})
    assert calls_of(project, *(f"-fplugin-arg-pathprof-{option}" for option in (
        "mode=preferential", "interesting=tests.pathprof", "notify=1", "large-ids=hash", f"update={update}"))) < 2000


@pytest.mark.parametrize("stage", STAGES)
def test_small_code_calls(project, stage):
    assert calls_of(project, "-Os", f"-fplugin-arg-pathprof-stage={stage}") >= 40000


def test_an_array_from_the_environment(project):
    assert calls_of(project, env={"PATHPROF_ARRAY_MAX": "1000"}) >= 40000


@pytest.mark.parametrize("mode", ["exit", "continuous"])
@pytest.mark.parametrize("update", UPDATES)
def test_children_dumps_and_resets(project, mode, update):
    project.write("prog.c", PROGRAM + CHILDREN)
    project.gcc("-O2", ZERO, f"-fplugin-arg-pathprof-update={update}", "prog.c", "-o", "prog")
    project.run("./prog", env={"PATHPROF_MODE": mode})
    # The grandchild's pause forgets nothing: it starts at zero.
    total = 4400 + 40000 + 8000
    assert project.functions()["step"] == [total // 4, total // 4, total // 2]


@pytest.mark.parametrize("update", UPDATES)
def test_killed_in_continuous_mode(project, update):
    project.write("prog.c", PROGRAM + "int main (void) { work (40000); kill (getpid (), SIGKILL); }")
    project.gcc("-O2", ZERO, f"-fplugin-arg-pathprof-update={update}", "prog.c", "-o", "prog")
    for runs in (1, 2):
        project.run("./prog", env={"PATHPROF_MODE": "continuous"}, status=-signal.SIGKILL)
        assert project.functions()["step"] == [10000 * runs, 10000 * runs, 20000 * runs]
