# SPDX-License-Identifier: GPL-3.0-or-later
"""switch=1 thrown at random moments under threads: what is counted are the paths that began while it was on, exactly.

The program keeps a trace of itself: functions call at() with a number, at least once on each way through them.  All threads
stand still in at() while the switch is thrown, so what a thread's tests of the switch see between two calls of at() is what
it was when the first of them returned, and the program counts by the definition which paths have to be counted.
Each thread leaves at() before the switch is thrown again, however busy the machine is.

PATHPROF_THROWS=N throws it N times instead of the fixed sample.
"""

import collections
import os
import re

import pytest

from conftest import plugin

THROWS = os.environ.get("PATHPROF_THROWS", "300")

PROGRAM = """\
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <pathrt.h>

#define PLAIN __attribute__ ((noinline, no_profile_instrument_function))
enum { THREADS = 8, KEYS = 4096, DEPTH = 64, HEAD = 31, LATCH = 34 };

struct counted { unsigned long long path, count; };
/* An activation: the numbers on the path that it is on, and whether the switch was on as it began.  */
struct activation { unsigned long long path; int is_counted, last; };

struct thread
{
  pthread_t id;
  unsigned seed;
  int depth, was_on;
  struct activation stack[DEPTH];
  struct counted counted[KEYS];
};

static struct thread threads[THREADS];
static __thread struct thread *self;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_wanted, num_waiting, is_on, is_over;

PLAIN static void
count (struct activation *of)
{
  struct counted *at = &self->counted[of->path % 4093];
  while (at->path && at->path != of->path)
    at = at == &self->counted[KEYS - 1] ? self->counted : at + 1;
  at->path = of->path;
  at->count += of->is_counted;
}

PLAIN static void
stand_still (void)
{
  pthread_mutex_lock (&mutex);
  num_waiting++;
  pthread_cond_broadcast (&changed);
  while (is_wanted)
    pthread_cond_wait (&changed, &mutex);
  num_waiting--;
  pthread_cond_broadcast (&changed);
  pthread_mutex_unlock (&mutex);
}

/* A function's first number is divisible by 10, its last one has a 9 at its end; HEAD follows LATCH over a back edge.  */
PLAIN void
at (int number)
{
  struct activation *of = &self->stack[self->depth];
  if (number % 10 == 0)
    {
      of = &self->stack[++self->depth];
      of->path = 0;
    }
  else if (number == HEAD && of->last == LATCH)
    {
      count (of);
      of->path = 0;
    }
  if (!of->path)
    of->is_counted = self->was_on;
  of->path = of->path * 100 + (unsigned) number;
  of->last = number;
  if (number % 10 == 9)
    {
      count (of);
      self->depth--;
    }
  if (__atomic_load_n (&is_wanted, __ATOMIC_ACQUIRE))
    stand_still ();
  self->was_on = __atomic_load_n (&is_on, __ATOMIC_RELAXED);
}

__attribute__ ((noinline)) static int
branch (int x)
{
  at (10);
  if (x & 1)
    at (11);
  else
    at (12);
  if (x & 2)
    at (13);
  at (19);
  return x;
}

__attribute__ ((noinline)) static int
tree (int n)
{
  at (20);
  if (n > 1)
    {
      at (21);
      n = tree (n - 1) + tree (n - 2);
    }
  at (29);
  return n;
}

__attribute__ ((noinline)) static int
loop (int x, int n)
{
  at (30);
  do
    {
      at (31);
      if ((x + n) & 1)
        at (32);
      else
        x += branch (x);
      at (34);
    }
  while (--n > 0);
  at (39);
  return x;
}

PLAIN static void *
run (void *thread)
{
  self = thread;
  self->was_on = __atomic_load_n (&is_on, __ATOMIC_RELAXED);
  while (!__atomic_load_n (&is_over, __ATOMIC_RELAXED))
    {
      int x = rand_r (&self->seed) % 64;
      loop (x, 1 + x % 9);
      tree (x % 5);
      branch (x);
    }
  return NULL;
}

PLAIN static void
throw (int on)
{
  pthread_mutex_lock (&mutex);
  __atomic_store_n (&is_wanted, 1, __ATOMIC_RELEASE);
  while (num_waiting < THREADS)
    pthread_cond_wait (&changed, &mutex);
  __atomic_store_n (&is_on, on, __ATOMIC_RELAXED);
  pathrt_switch (on);
  __atomic_store_n (&is_wanted, 0, __ATOMIC_RELEASE);
  pthread_cond_broadcast (&changed);
  while (num_waiting > 0)
    pthread_cond_wait (&changed, &mutex);
  pthread_mutex_unlock (&mutex);
}

PLAIN int
main (int argc, char **argv)
{
  unsigned seed = 1;
  for (int i = 0; i < THREADS; i++)
    {
      threads[i].seed = (unsigned) i + 1;
      pthread_create (&threads[i].id, NULL, run, &threads[i]);
    }
  for (int i = 0; i < atoi (argv[argc - 1]); i++)
    {
      throw (rand_r (&seed) % 2);
      for (volatile int pause = rand_r (&seed) % 4000; pause > 0; pause--)
        ;
    }
  __atomic_store_n (&is_over, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < THREADS; i++)
    {
      pthread_join (threads[i].id, NULL);
      for (int k = 0; k < KEYS; k++)
        if (threads[i].counted[k].path)
          printf ("%llu %llu\\n", threads[i].counted[k].path, threads[i].counted[k].count);
    }
  return 0;
}
"""


def by_definition(output):
    counts = collections.Counter()
    for line in output.splitlines():
        path, count = line.split()
        counts[path] += int(count)
    return {path: count for path, count in counts.items() if count}


def profiled(project):
    """Counts by the numbers on each path, which the source has on the path's lines."""
    numbers = {line: match[1] for line, text in enumerate(PROGRAM.splitlines(), 1)
               if (match := re.fullmatch(r"\s*at \((\d+)\);", text))}
    counts = collections.Counter()
    for function in project.profile()["functions"]:
        lines_of = {block["id"]: block["lines"] for block in function["blocks"]}
        for path in function["paths"]:
            lines = [line for block in path["blocks"] for line in lines_of[block]]
            counts["".join(numbers[line] for line in lines if line in numbers)] += path["count"]
    return dict(counts)


@pytest.mark.parametrize("stage", ["late", "early"])
@pytest.mark.parametrize("update", ["thread", "atomic"])
def test_paths_that_began_while_it_was_on(project, stage, update):
    project.write("prog.c", PROGRAM)
    project.gcc("-O1", "-g", "-pthread", "prog.c", "-o", "prog", *plugin(f"stage={stage}", "switch=1", f"update={update}"))
    expected = by_definition(project.run("./prog", THROWS).stdout)
    assert len(expected) > 12 and profiled(project) == expected


def test_no_data_race(project):
    project.write("prog.c", PROGRAM)
    project.gcc("-O1", "-g", "-pthread", "-fsanitize=thread", "prog.c", "-o", "prog",
                *plugin("stage=late", "switch=1", "update=thread"))
    done = project.run("./prog", "100")
    assert "WARNING" not in done.stderr and profiled(project) == by_definition(done.stdout)
