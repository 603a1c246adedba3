# SPDX-License-Identifier: GPL-3.0-or-later
"""Dumps while the program counts: nothing is lost or counted twice."""

import pytest


PROGRAM = """\
#include <pathrt.h>
#include <pthread.h>
#include <stdlib.h>

__attribute__ ((noinline)) static int
hot (int x)
{
  if (x & 1)
    return x * 3;
  return x + 1;
}

static void *
run (void *times)
{
  long sum = 0;
  for (long i = 0; i < (long) times; i++)
    sum += hot ((int) i);
  return (void *) sum;
}

static volatile int is_done;

static void *
dump (void *data)
{
  while (!is_done)
    pathrt_dump ();
  return data;
}

int
main (int argc, char **argv)
{
  pthread_t threads[3];
  pthread_create (&threads[2], NULL, dump, NULL);
  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, run, (void *) atol (argv[1]));
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  is_done = 1;
  pthread_join (threads[2], NULL);
  return argc == 0;
}
"""

SIGNALS = """\
#include <signal.h>
#include <sys/time.h>
#include <stdlib.h>

static volatile int sink;

/* One signal at most for so many calls: signals that come faster than they are handled would leave the program no time,
   on a machine that is slow enough.  */
enum { CALLS = 20000 };

__attribute__ ((noinline)) static void
hot (int x)
{
  if (x & 1)
    sink = x;
}

int
main (int argc, char **argv)
{
  struct itimerval once = { { 0, 0 }, { 0, 0 } };
  int times = atoi (argv[1]);
  for (int i = 0; i < times; i++)
    {
      if (i % CALLS == 0)
        {
          once.it_value.tv_usec = 1 + i / CALLS % 50;
          setitimer (ITIMER_REAL, &once, NULL);
        }
      hot (i);
    }
  once.it_value.tv_usec = 0;
  setitimer (ITIMER_REAL, &once, NULL);
  return argc == 0;
}
"""


@pytest.mark.parametrize("storage", ["6000", "0"])
@pytest.mark.parametrize("update", ["atomic", "thread"])
def test_dumps_from_another_thread(project, update, storage):
    times = 3000000 if storage == "6000" else 700000
    project.write("prog.c", PROGRAM)
    project.gcc("-O2", "-pthread", f"-fplugin-arg-pathprof-update={update}",
                f"-fplugin-arg-pathprof-array-max={storage}", "prog.c", "-o", "prog")
    project.run("./prog", times)
    assert project.functions()["hot"] == [times, times]


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("storage", ["6000", "0"])
def test_dumps_by_signal(project, level, storage):
    times = 12000000 if storage == "6000" else 3000000
    project.write("prog.c", SIGNALS)
    project.gcc(level, f"-fplugin-arg-pathprof-array-max={storage}", "prog.c", "-o", "prog")
    project.run("./prog", times, env={"PATHPROF_SIGNAL": "ALRM"})
    assert project.functions()["hot"] == [times // 2, times // 2]
