# SPDX-License-Identifier: GPL-3.0-or-later
"""Counters that threads share or have to themselves (update=), with what ends threads."""

import itertools
import platform
import re

import pytest

from conftest import BIN, UPDATES, assert_mentions, assert_one_line

EXACT = ("atomic", "thread", "thread -fPIC")
TERMINATIONS = ("basic", "exact")
x86_64 = pytest.mark.skipif(platform.machine() != "x86_64", reason="needs the segment registers of x86-64")

HOT = """\
#include <pthread.h>
#include <stdlib.h>

__attribute__ ((noinline)) static int
hot (int x)
{
  if (x & 1)
    return x * 3;
  return x & 2 ? x + 1 : x;
}

static void *
run (void *times)
{
  long sum = 0;
  for (long i = 0; i < (long) times; i++)
    sum += hot ((int) i);
  return (void *) sum;
}

int
main (int argc, char **argv)
{
  pthread_t threads[8];
  for (int i = 0; i < 8; i++)
    pthread_create (&threads[i], NULL, run, (void *) atol (argv[1]));
  for (int i = 0; i < 8; i++)
    pthread_join (threads[i], NULL);
  return argc == 0;
}
"""

# Frames left by pthread_exit, a destructor of thread-specific data that is called three times, detached
# threads, one that is cancelled, and one that waits for ever.
ENDS = """\
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static pthread_key_t key;
static sem_t started, never;

static volatile int sink;

__attribute__ ((noinline)) static void
leaf (int x)
{
  sink = x;
}

__attribute__ ((noinline)) static void
destroy (void *left)
{
  leaf (1);
  if ((long) left > 1)
    pthread_setspecific (key, (void *) ((long) left - 1));
}

__attribute__ ((noinline)) static void
leave (int depth)
{
  if (depth == 0)
    pthread_exit (NULL);
  leave (depth - 1);
  leaf (2);
}

static void *
leaving (void *data)
{
  pthread_setspecific (key, (void *) 3);
  leave (3);
  return data;
}

static void *
waiting (void *data)
{
  leaf (3);
  sem_post (&started);
  while (sem_wait (&never) != 0)
    continue;
  return data;
}

static void *
short_lived (void *data)
{
  leaf (4);
  sem_post (&started);
  return data;
}

int
main (void)
{
  pthread_t thread;
  pthread_key_create (&key, destroy);
  sem_init (&started, 0, 0);
  sem_init (&never, 0, 0);
  for (int i = 0; i < 20; i++)
    {
      pthread_create (&thread, NULL, leaving, NULL);
      pthread_join (thread, NULL);
    }
  for (int i = 0; i < 10; i++)
    {
      pthread_create (&thread, NULL, short_lived, NULL);
      pthread_detach (thread);
      sem_wait (&started);
    }
  pthread_create (&thread, NULL, waiting, NULL);
  sem_wait (&started);
  pthread_cancel (thread);
  pthread_join (thread, NULL);
  pthread_create (&thread, NULL, waiting, NULL);
  sem_wait (&started);
  return 0;
}
"""


def options(update, termination="basic", *more):
    """In code for shared libraries (-fPIC), each thread looks up the address of its counters."""
    update, *pic = update.split()
    return (f"-fplugin-arg-pathprof-update={update}", f"-fplugin-arg-pathprof-termination={termination}", *pic, *more)


@pytest.mark.parametrize("storage", ["6000", "0"])
@pytest.mark.parametrize("update, termination", itertools.product(EXACT, TERMINATIONS))
def test_counts_are_exact(project, update, termination, storage):
    times = 10000000 if storage == "6000" else 200000
    project.write("prog.c", HOT)
    project.gcc("-O2", "-pthread", *options(update, termination), f"-fplugin-arg-pathprof-array-max={storage}",
                "prog.c", "-o", "prog")
    project.run("./prog", times)
    assert project.functions()["hot"] == [2 * times, 2 * times, 4 * times]


@pytest.mark.parametrize("option", ["-pthread", pytest.param("", marks=x86_64)])
def test_counts_are_exact_by_default(project, option):
    project.write("prog.c", HOT)
    project.gcc("-O2", *option.split(), "prog.c", "-o", "prog")
    project.run("./prog", 500000)
    assert project.entries("hot") == 4000000


# Options of a compilation, and how its counters are updated then.
UPDATE_BY_OPTIONS = {
    "-pthread": "thread", "-fopenmp": "thread", "-fopenacc": "thread", "-fgnu-tm": "thread",
    "-ftree-parallelize-loops=4": "thread", "@options": "thread", "-fopenmp -fno-exceptions": "thread",
    "-fPIC": "single", "-fPIC -fopenmp-simd": "single", "-fPIC -ftree-parallelize-loops=1": "single",
    "-fPIC -fopenmp -fno-openmp": "single", "": "thread" if platform.machine() == "x86_64" else "single", "-fopenmp -fplugin-arg-pathprof-update=single": "single", "-fplugin-arg-pathprof-update=atomic -fopenmp": "atomic",
}


def test_options_that_imply_threads(project):
    """Regression 5: GCC decides which options mean -pthread, for every name of the driver."""
    project.write("prog.c", "int f (int x) { return x > 0; }\n")
    project.write("options", "-fopenmp\n")
    drivers = [name for name in sorted(BIN.glob("pathprof-g*")) if re.fullmatch(r"pathprof-g(cc|\+\+)(-\d+)?", name.name)]
    assert len(drivers) >= 4
    for options, update in UPDATE_BY_OPTIONS.items():
        for driver in drivers if options == "-fopenmp" else drivers[:1]:
            dump = project.run(driver, "-O2", "-fdump-tree-pathprof=/dev/stdout", *options.split(), "-c", "prog.c").stdout
            assert f"update {update}, " in dump, (driver.name, options)


OPENMP = """
static __attribute__ ((noinline)) int
hot (int x)
{
  if (x & 1)
    return 1;
  return 0;
}

int
main (void)
{
  int sum = 0;
#pragma omp parallel num_threads (4) reduction (+:sum)
  for (int i = 0; i < 500000; i++)
    sum += hot (i);
  return sum != 1000000;
}
"""


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_openmp_counts_are_exact(project, level):
    """Regression 5: an OpenMP program that is compiled and linked by separate commands counts exactly."""
    project.write("prog.c", OPENMP)
    project.gcc(level, "-fopenmp", "-c", "prog.c")
    project.gcc("-fopenmp", "prog.o", "-o", "prog")
    project.run("./prog")
    assert project.functions()["hot"] == [1000000, 1000000]


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("update", UPDATES)
def test_ends_of_threads(project, update, level):
    project.write("prog.c", ENDS)
    project.gcc(level, "-pthread", *options(update, "exact", "-fno-inline", "-fno-optimize-sibling-calls"),
                "prog.c", "-o", "prog")
    project.run("./prog")
    assert project.entries("leaving") == 20
    assert project.entries("leave") == 80
    assert project.entries("destroy") == 60
    assert project.entries("waiting") == 2
    if update != "single":
        assert project.entries("leaf") == 60 + 10 + 2


@pytest.mark.parametrize("sanitizer", ["thread", "address", "undefined"])
@pytest.mark.parametrize("update, termination", itertools.product(UPDATES, TERMINATIONS))
def test_sanitizers_see_nothing(project, sanitizer, update, termination):
    project.write("prog.c", HOT)
    project.gcc("-O1", "-pthread", f"-fsanitize={sanitizer}", *options(update, termination), "prog.c", "-o", "prog")
    assert project.run("./prog", 20000).stderr == ""
    if update != "single" or sanitizer == "thread":
        assert project.entries("hot") == 160000


WARNING = ["prog.pathprof", "threads", "3 functions", "update=single", "-pthread", "-fplugin-arg-pathprof-update=thread"]


@pytest.mark.parametrize("mode", ["exit", "continuous"])
def test_threads_that_nobody_told_of(project, mode):
    """CMake's FindThreads adds no -pthread where the C library has the threads: every command warns."""
    project.write("prog.c", HOT)
    project.gcc("-O2", "-fPIC", "-fno-inline", "prog.c", "-o", "prog")
    assert project.run("./prog", 100, env={"PATHPROF_MODE": mode}).stderr == ""
    for command in (["report"], ["show"], ["functions"], ["coverage"], ["stats"], ["advise"], ["export"],
                    ["diff", "prog.pathprof"], ["path", "main", "0"]):
        name = command[0]
        arguments = ["prog.pathprof", *command[1:]]
        done = project.pathdump(name, *arguments)
        lines = done.stderr.splitlines(True)
        assert len(lines) == (2 if name == "diff" else 1), name
        for line in lines:
            assert_one_line(line, "pathdump: warning: ", *WARNING)
    project.pathdump("merge", "-o", "sum", "prog.pathprof", "prog.pathprof")
    assert_one_line(project.pathdump("report", "sum").stderr, "pathdump: warning: sum: ", *WARNING[1:])


def test_threads_of_a_process_that_was_killed(project):
    """The runtime notes it in the raw file whenever it is called."""
    project.write("prog.c", "#include <signal.h>\n" + HOT.replace("return argc == 0", "raise (SIGKILL)"))
    project.gcc("-O1", "-fPIC", "-fplugin-arg-pathprof-array-max=0", "prog.c", "-o", "prog")
    project.run("./prog", 100, status=-9, env={"PATHPROF_MODE": "continuous"})
    assert_mentions(project.pathdump("report", "prog.pathprof").stderr, "prog.pathprof", "threads", "update=single")


@pytest.mark.parametrize("update", EXACT)
def test_threads_that_are_counted_exactly(project, update):
    project.write("prog.c", HOT)
    project.gcc("-O2", *options(update), "prog.c", "-o", "prog")
    project.run("./prog", 100)
    assert project.pathdump("report", "prog.pathprof").stderr == ""


def test_children_without_threads(project):
    """What a fork leaves behind is one thread; and so is a program that makes none."""
    project.write("prog.c", HOT.replace("8", "0").replace("return argc == 0", "return fork () < 0")
                  .replace("#include <stdlib.h>", "#include <stdlib.h>\n#include <unistd.h>"))
    project.gcc("-O1", "-fPIC", "prog.c", "-o", "prog")
    project.run("./prog", 1)
    assert project.pathdump("report", "prog.pathprof").stderr == ""
