# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact termination where processes are made and end."""

import shutil
import signal

import pytest

EXACT = "-fplugin-arg-pathprof-termination=exact"


def ends(project, name):
    """Of a function's paths: how they start and end, and how often they ran."""
    return sorted((path["start"], path["end"], path["count"]) for path in project.functions_by_name()[name]["paths"])


CHILD = """\
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int sink;

__attribute__ ((noinline)) static int
spawn (int n)
{
  pid_t child = %s ();
  if (child == 0)
    {
      %s;
      _exit (1);
    }
  int status;
  waitpid (child, &status, 0);
  return n + status;
}

__attribute__ ((noinline)) static int
caller (int n)
{
  sink = spawn (n);
  return sink + 1;
}

int
main (void)
{
  for (int i = 0; i < 5; i++)
    sink = caller (i);
  return 0;
}
"""

ENDS = {
    "exec": 'execl ("/bin/true", "true", (char *) 0)',
    "_exit": "_exit (0)",
}


@pytest.mark.parametrize("stage", ["source", "early", "late"])
@pytest.mark.parametrize("make", ["fork", "vfork"])
@pytest.mark.parametrize("end", ENDS)
def test_callers_of_a_child_are_the_parents(project, make, end, stage):
    """What a caller ran up to the call is counted once, and what the child ran up to its end too."""
    project.write("prog.c", CHILD % (make, ENDS[end]))
    project.gcc("-O1", "-fno-inline", EXACT, f"-fplugin-arg-pathprof-stage={stage}", "prog.c", "-o", "prog")
    project.run("./prog")
    assert ends(project, "caller") == [("entry", "exit", 5)]
    assert not [path for path in ends(project, "main") if path[1] == "call"]
    start = "cut" if make == "fork" else "handler"  # a path ends at a fork
    assert (start, "call" if end == "exec" else "noreturn", 5) in ends(project, "spawn")


THROWS = """\
#include <thread>

__attribute__ ((noinline)) static void
thrower (int n)
{
  if (n == 0)
    throw 4;
  thrower (n - 1);
  asm ("");
}

int
main ()
{
  std::thread thread (thrower, 3);
  thread.join ();
}
"""


@pytest.mark.parametrize("level", ["-O0", "-O1"])
def test_uncaught_exception(project, level):
    """What it cuts short is counted, on all threads."""
    project.write("prog.cc", THROWS)
    project.gxx(level, "-pthread", EXACT, "prog.cc", "-o", "prog")
    project.run("./prog", status=-signal.SIGABRT)
    assert ends(project, "_ZL7throweri") == [("entry", "call", 3), ("entry", "noreturn", 1)]
    assert ends(project, "main")[0][1:] == ("call", 1)


TRAPS = """\
#include <csignal>

static void trap (int) { throw 1; }

__attribute__ ((noinline, noclone)) static int
f (const int *numbers, int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += 100 / numbers[i];
  return sum;
}

int
main ()
{
  static int numbers[] = {1, 2, 3, 4, 5, 6, 7, 8, 0, 9};
  struct sigaction action = {};
  action.sa_handler = trap;
  action.sa_flags = SA_NODEFER;
  sigaction (SIGFPE, &action, nullptr);
  try { return f (numbers, 10); } catch (int) { return 0; }
}
"""


@pytest.mark.parametrize("options", ["", EXACT])
@pytest.mark.parametrize("stage", ["source", "early", "late"])
def test_trap_in_a_loop(project, stage, options):
    """Iterations that are done are counted when a statement of a later one throws."""
    project.write("prog.cc", TRAPS)
    project.gxx("-O2", "-fno-tree-vectorize", "-fnon-call-exceptions", *options.split(),
                f"-fplugin-arg-pathprof-stage={stage}", "prog.cc", "-o", "prog")
    project.run("./prog")
    done = sum(count for _, end, count in ends(project, "_ZL1fPKii") if end == "backedge")
    # At source the count of a turn may come before the statement that throws.
    assert done == 8 or (stage == "source" and not options and done == 9)


# More activations at one time than a chunk of the stack of frames has places.
DEEP = """\
#include <setjmp.h>
#include <stdlib.h>
#include <sys/resource.h>

static jmp_buf back;
static volatile int sink;

__attribute__ ((noinline)) static int
down (int n, int jumps)
{
  if (n == 0)
    {
      if (jumps == 2)
        exit (0);
      if (jumps)
        longjmp (back, 1);
      return 1;
    }
  return down (n - 1, jumps) + 1;
}

__attribute__ ((noinline)) static void
catcher (int n)
{
  if (!setjmp (back))
    sink = down (n, 1);
}

__attribute__ ((noinline)) static void
touch_stack (void)
{
  volatile char room[1 << 21];
  for (unsigned i = 0; i < sizeof room; i += 1024)
    room[i] = 1;
}

int
main (int argc, char **argv)
{
  (void) argv;
  touch_stack ();
  struct rlimit old, none;
  getrlimit (RLIMIT_AS, &old);
  none = old;
  none.rlim_cur = 1 << 20;
  if (argc > 1)
    setrlimit (RLIMIT_AS, &none);
  for (int i = 0; i < 3; i++)
    {
      sink = down (5000, 0);
      catcher (4500);
    }
  if (argc > 1)
    setrlimit (RLIMIT_AS, &old);
  sink = down (3000, 2);
  return 0;
}
"""


@pytest.mark.parametrize("stage", ["source", "early", "late"])
@pytest.mark.parametrize("of_catcher", [(), ("-fplugin-arg-pathprof-exclude=catcher",)], ids=["seen", "excluded"])
def test_deep_recursion(project, stage, of_catcher):
    """Frames of several chunks; what jumps leave behind is found by the next activations, if nobody else looks."""
    project.write("prog.c", DEEP)
    project.gcc("-O1", "-fno-inline", EXACT, f"-fplugin-arg-pathprof-stage={stage}", *of_catcher, "prog.c", "-o", "prog")
    project.run("./prog")
    assert ends(project, "down") == [("entry", "call", 3 * 4500 + 3000), ("entry", "exit", 3),
                                     ("entry", "exit", 3 * 5000), ("entry", "noreturn", 1), ("entry", "noreturn", 3)]
    project.pathdump("check", "prog.pathprof")


def test_no_memory_for_frames(project):
    """What is cut short is dropped, which is said; the rest is counted as always."""
    project.write("prog.c", DEEP)
    project.gcc("-O1", "-fno-inline", EXACT, "prog.c", "-o", "prog")
    assert "not enough memory" in project.run("./prog", "limit").stderr
    assert [path for path in ends(project, "down") if path[1] != "call"] == [
        ("entry", "exit", 3), ("entry", "exit", 3 * 5000), ("entry", "noreturn", 1), ("entry", "noreturn", 3)]


INLINED = """\
static volatile int sink;

static inline int
leaf (int n)
{
  for (int i = 0; i < n; i++)
    sink = i;
  return n;
}

static inline int
inner (int n)
{
  return leaf (n) + leaf (n + 1);
}

int
outer (int n)
{
  return inner (n) + 1;
}
"""


@pytest.mark.skipif(not shutil.which("objdump"), reason="objdump is missing")
@pytest.mark.parametrize("stage", ["early", "late"])
def test_frames_for_calls_that_are_inlined(project, stage):
    """When all calls are inlined nobody has a frame; when one is left, its caller has."""
    project.write("prog.c", INLINED)
    for options, is_there in ((), False), (("-fno-inline",), True):
        project.gcc("-O2", *options, EXACT, f"-fplugin-arg-pathprof-stage={stage}", "-c", "prog.c", "-o", "prog.o")
        assert ("__pathrt_frame_top" in project.run("objdump", "-dr", "prog.o").stdout) == is_there


# Calls of ext and of never are left of the functions that were inlined into outer, and seldom made; what ext does it does
# twice within one activation of grow.
SELDOM = """\
#include <setjmp.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <pathrt.h>

volatile int sink;
static jmp_buf back;
static int what;

__attribute__ ((noinline, cold)) static void
ext (int n)
{
  sink = n;
  if (what == 1)
    pathrt_dump ();
  if (what == 2 && n == 1)
    longjmp (back, 1);
  if (what == 3 && fork () != 0)
    {
      wait (NULL);
      exit (0);
    }
  if (what == 4 && n == 2)
    exit (0);
}

__attribute__ ((noinline, noreturn, cold)) static void
never (void)
{
  if (what == 6 || what == 8)
    exit (0);
  longjmp (back, 2);
}

static inline int
grow (int n)
{
  if (__builtin_expect (n > 990, 0))
    {
      ext (0);
      sink = 3;
      if (n == 995)
        sink = 4;
      ext (1);
      sink = 5;
      ext (2);
    }
  if (n == 900 && (what == 5 || what == 6))
    never ();
  return n + 1;
}

static inline int
both (int n)
{
  ext (0);
  if (n & 1)
    sink = 3;
  ext (1);
  return n + 1;
}

__attribute__ ((noinline)) int
outer (int n)
{
  int r = 0;
  if (n & 1)
    r = 2;
  r += grow (n);
  if (r & 4)
    sink = 7;
  if (__builtin_expect (n > 997 && what >= 7, 0))
    {
      r += both (n);
      sink = r;
      never ();
    }
  return r + grow (n + 1);
}

int
main (int argc, char **argv)
{
  what = atoi (argv[1]);
  setjmp (back);
  static int i;
  while (i < 1000)
    sink = outer (i++);
  return argc - 2;
}
"""


@pytest.mark.skipif(not shutil.which("objdump"), reason="objdump is missing")
def test_frames_for_calls_that_are_seldom(project):
    """They are taken in front of such calls only, where the path that is cut short is the same."""
    project.write("prog.c", SELDOM)
    inlined, plain = ("-fno-early-inlining",), ("-fno-inline",)
    for what in range(9):
        found = []
        for options in plain, inlined:
            project.gcc("-O2", *options, EXACT, "prog.c", "-o", "prog")
            (project.folder / "prog.pathprof").unlink(missing_ok=True)
            project.run("./prog", str(what))
            found.append([ends(project, name) for name in ("outer", "grow", "both", "main", "ext")])
            code = project.run("objdump", "-dr", "prog", "--disassemble=outer").stdout
            assert ("__pathrt_frame_top" in code or "%fs:" in code) == (options == plain)
        assert found[0] == found[1]


# A thread that is behind a call, and behind one that may be inlined, when the process ends.
BEHIND = """\
#include <pthread.h>
#include <unistd.h>

volatile int sink;
static volatile int is_there;

__attribute__ ((noinline)) void
ext (int n)
{
  sink = n;
}

static inline void
leaf (int n)
{
  for (int i = 0; i < n; i++)
    is_there = sink = 1;
}

__attribute__ ((noinline)) void
f (int a, int b, int n)
{
  if (a)
    sink = 1;
  else
    sink = 2;
  ext (1);
  if (b)
    sink = 3;
  else
    sink = 4;
  leaf (n);
  sink = 9;
  ext (2);
}

static void *
run (void *p)
{
  f (p != 0, p != 0, 2000000000);
  return p;
}

int
main (void)
{
  pthread_t thread;
  pthread_create (&thread, 0, run, 0);
  while (!is_there)
    ;
  usleep (1000);
  return 0;
}
"""


@pytest.mark.parametrize("stage", ["source", "early", "late"])
def test_end_while_a_thread_is_behind_a_call(project, stage):
    """What a frame says is true of one place, also between two calls."""
    project.write("prog.c", BEHIND)
    project.gcc("-g", "-O2", "-pthread", EXACT, f"-fplugin-arg-pathprof-stage={stage}", "prog.c", "-o", "prog")
    project.run("./prog")
    # Not what 'check' accepts: the thread runs on while the profile is written.
    told = project.pathdump.json("export", "--format=json", "prog.pathprof")
    (function,) = (function for function in told["functions"] if function["name"] == "f")
    assert sum(path["count"] for path in function["paths"] if path["start"] == "entry") <= 1


PARALLEL = """\
#include <stdlib.h>

volatile int sink;

static inline void
inner (int n)
{
#pragma omp parallel num_threads (2)
  {
#pragma omp master
    {
      if (n == 7)
        exit (0);
      sink = n;
    }
  }
}

__attribute__ ((noinline)) void
outer (int n)
{
  if (n > 3)
    sink = 1;
  else
    sink = 2;
  inner (n);
  sink = 3;
}

int
main (void)
{
  for (int i = 0; i < 10; i++)
    outer (i);
}
"""


@pytest.mark.parametrize("stage", ["source", "early"])
def test_end_in_a_parallel_region(project, stage):
    """The function whose call of a region was inlined waits there."""
    project.write("prog.c", PARALLEL)
    project.gcc("-g", "-O2", "-fopenmp", EXACT, f"-fplugin-arg-pathprof-stage={stage}", "prog.c", "-o", "prog")
    project.run("./prog")
    assert ends(project, "outer") == [("entry", "call", 1), ("entry", "exit", 3), ("entry", "exit", 4)]
