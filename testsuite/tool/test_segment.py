# SPDX-License-Identifier: GPL-3.0-or-later
"""Counters relative to the base of %gs: code for executables on x86-64, in which each thread has a base of its own."""

import pathlib
import platform
import re
import shutil
import signal

import pytest

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="needs the segment registers of x86-64")

LOOP = """\
int
count (unsigned n, unsigned mask)
{
  int sum = n > mask ? 1 : 2;
  for (unsigned i = 0; i < n; i++)
    {
      if (i & mask)
        sum += i;
      if ((i & 12) == 4)
        sum ^= mask;
    }
  return sum;
}
"""


@pytest.mark.skipif(not shutil.which("objdump"), reason="reads machine code")
@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2", "-O3", "-Os"])
@pytest.mark.parametrize("stage", ["source", "early", "late"])
@pytest.mark.parametrize("options", [(), ("-fno-pie",), ("-fno-strict-aliasing", "-fno-plt"), ("-mavx2", "-ftree-vectorize")])
def test_each_counter_is_in_the_segment_and_no_instruction_is_added(project, level, stage, options):
    code = {}
    project.write("loop.c", LOOP)
    for update in ("single", "thread"):
        project.gcc(level, *options, f"-fplugin-arg-pathprof-stage={stage}", f"-fplugin-arg-pathprof-update={update}", "-c", "loop.c")
        code[update] = [line.split("\t")[1].split() for line in
                        project.run("objdump", "-d", "--no-show-raw-insn", "--disassemble=count", "loop.o").stdout.splitlines()
                        if re.match(r" +[0-9a-f]+:\t", line)]
    assert not any("%gs:" in word for line in code["single"] for word in line)
    assert any("%gs:" in word for line in code["thread"] for word in line)
    assert len([line for line in code["thread"] if not line[0].startswith("nop")]) <= len(code["single"]) + 1
    assert "%fs:" not in str(code["thread"])


@pytest.mark.skipif(not shutil.which("objdump"), reason="reads machine code")
@pytest.mark.parametrize("mode", ["acyclic", "kiter", "intracontext"])
@pytest.mark.parametrize("options", ["-O1", "-O2", "-O3 -mavx2", "-O2 -fno-strict-aliasing", "-Os"])
def test_no_access_to_a_counter_is_outside_of_the_segment(project, mode, options):
    accesses = 0
    for program in ("loops.c", "steady.c", "selects.c"):
        project.gcc("-w", *options.split(), f"-fplugin-arg-pathprof-mode={mode}", "-fplugin-arg-pathprof-stage=early", "-c",
                    pathlib.Path(__file__).parents[1] / "trace" / program, "-o", "loops.o")
        instruction = ""
        for line in project.run("objdump", "-dr", "--no-show-raw-insn", "loops.o").stdout.splitlines():
            fields = line.split("\t")
            if "R_X86_64_" not in line:
                instruction = fields[1] if len(fields) > 1 else ""
            elif "pathprof_counters" in line and not instruction.startswith("lea"):
                assert "%gs:" in instruction, line
                accesses += 1
    assert accesses >= 10


THREADS = """\
#include <pthread.h>
#include <threads.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_key_t key;
static _Thread_local volatile int sink;

__attribute__ ((noinline)) static int
hot (int x)
{
  if (x & 1)
    return x * 3;
  return x & 2 ? x + 1 : x;
}

static void
at_end (void *times)
{
  int sum = 0;
  for (long i = 0; i < *(long *) times; i++)
    sum += hot (i);
  sink = sum;
}

static void *
run (void *times)
{
  pthread_setspecific (key, times);
  at_end (times);
  return NULL;
}

static int
run_c11 (void *times)
{
  at_end (times);
  return 0;
}

int
main (int argc, char **argv)
{
  long times = atol (argv[1]);
  pthread_t threads[8];
  thrd_t others[8];
  pthread_key_create (&key, at_end);
  for (int round = 0; round < atoi (argv[2]); round++)
    {
      for (int i = 0; i < 8; i++)
        if (pthread_create (&threads[i], NULL, run, &times) || thrd_create (&others[i], run_c11, &times) != thrd_success)
          abort ();
      at_end (&times);
      for (int i = 0; i < 8; i++)
        {
          pthread_join (threads[i], NULL);
          thrd_join (others[i], NULL);
        }
    }
  if (argc > 3)
    {
      if (fork () == 0)
        {
          pthread_create (&threads[0], NULL, run, &times);
          at_end (&times);
          pthread_join (threads[0], NULL);
          return 0;
        }
      wait (NULL);
    }
  return 0;
}
"""


@pytest.mark.parametrize("options", [(), ("-static",), ("-static-pie",), ("-no-pie", "-fno-pie"), ("-flto",), ("-Wl,--gc-sections", "-ffunction-sections"),
                                     ("-Wl,--exclude-libs,ALL",), ("-fplugin-arg-pathprof-termination=exact",),
                                     ("-fplugin-arg-pathprof-array-max=0",), ("-fplugin-arg-pathprof-mode=kiter",),
                                     ("-fplugin-arg-pathprof-metric=tsc",)])
@pytest.mark.parametrize("mode", ["exit", "continuous"])
def test_counts_of_threads_are_exact(project, options, mode):
    """Threads of both kinds, destructors that run after the runtime's own, threads that start while others end, and a fork."""
    project.write("prog.c", THREADS)
    project.gcc("-O2", *options, "prog.c", "-o", "prog")
    done = project.run("./prog", 20000, 10, "fork", env={"PATHPROF_MODE": mode})
    assert done.stderr == ""
    assert project.entries("hot") == 20000 * (10 * (8 * 2 + 8 + 1) + 3)


def test_many_short_threads_reuse_the_copies(project):
    project.write("prog.c", THREADS)
    project.gcc("-O1", "prog.c", "-o", "prog")
    project.run("./prog", 3, 400)
    assert project.entries("hot") == 3 * 400 * 25


@pytest.mark.parametrize("pic", ["", "-fPIC"])
def test_threads_of_cxx_and_of_libraries(project, pic):
    """A library that is loaded at run time creates threads; its own functions are compiled with -fPIC."""
    project.write("lib.cc", """\
#include <thread>
#include <vector>
extern "C" void in_threads (int (*f) (int))
{
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; i++)
    threads.emplace_back ([f] { for (int j = 0; j < 30000; j++) f (j); });
  for (std::thread &thread : threads)
    thread.join ();
}
""")
    project.write("prog.cc", """\
#include <dlfcn.h>
extern "C" int hot (int x) { return x & 1 ? x : x + 2; }
int main ()
{
  void *lib = dlopen ("./lib.so", RTLD_NOW);
  auto in_threads = reinterpret_cast<void (*) (int (*) (int))> (dlsym (lib, "in_threads"));
  in_threads (hot);
  return 0;
}
""")
    if pic:
        project.gxx("-O2", "-fPIC", "-pthread", "-shared", "lib.cc", "-o", "lib.so")
    else:
        project.run("g++", "-O2", "-fPIC", "-shared", "lib.cc", "-o", "lib.so")
    project.gxx("-O2", "prog.cc", "-o", "prog")
    project.run("./prog")
    assert project.entries("hot") == 180000


def test_code_for_executables_in_a_shared_library(project):
    """Such code would use the base of the program's counters: the process ends before it counts."""
    project.write("lib.c", "__attribute__ ((constructor)) static void start (void) { }\n")
    project.write("prog.c", "int main (void) { return 0; }\n")
    project.gcc("-O0", "-fPIE", "-c", "lib.c")
    project.gcc("-shared", "lib.o", "-o", "liblib.so")
    project.run("gcc", "prog.c", "-o", "prog", "-L.", "-Wl,--no-as-needed", "-llib", "-Wl,-rpath,$ORIGIN")
    done = project.run("./prog", status=-signal.SIGABRT)
    assert done.stderr.startswith("pathrt: error: ") and "-fPIC" in done.stderr


def test_program_that_defines_pthread_create(project):
    project.write("prog.c", THREADS.replace("int\nmain", """\
#include <dlfcn.h>
int
pthread_create (pthread_t *thread, const pthread_attr_t *attributes, void *(*routine) (void *), void *argument)
{
  int (*create) (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *) = dlsym (RTLD_NEXT, "pthread_create");
  return create (thread, attributes, routine, argument);
}

int
main""").replace("#include <pthread.h>", "#define _GNU_SOURCE\n#include <pthread.h>"))
    project.gcc("-O1", "prog.c", "-o", "prog")
    done = project.run("./prog", 10, 1)
    assert done.stderr.startswith("pathrt: note: the program defines pthread_create") and "update=atomic" in done.stderr
    project.gcc("-O1", "-fplugin-arg-pathprof-update=atomic", "prog.c", "-o", "prog")
    assert project.run("./prog", 10, 1).stderr == ""
