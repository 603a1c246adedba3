# SPDX-License-Identifier: GPL-3.0-or-later
"""Process life: modules, sudden ends, children, signals."""

import fcntl
import os
import pathlib
import re
import signal
import subprocess
import time

import pytest

from conftest import BUILD, GCC, STAGES, assert_one_line, need, wait_for

# count (which) is called; which of its paths ran says how often.
COUNT = """\
#include <stdlib.h>
#include <unistd.h>
static volatile int sink;
static __attribute__ ((noinline)) void
count (int which)
{
  if (which == 0)
    sink = 1;
  else if (which == 1)
    sink = 2;
  else
    sink = 3;
}
"""


def build(project, text, *options, name="prog", language="c", env=None):
    source = project.write(f"{name}.{language}", COUNT + text)
    compile_ = project.gxx if language == "cc" else project.gcc
    compile_(source, *options, "-o", name, env=env)


def counts(project, name="prog.pathprof"):
    """The counts of count's paths; runs."""
    profile = project.profile(name)
    found = [f for f in profile["functions"] if f["name"] in ("count", "_ZL5counti")]
    return sorted(path["count"] for f in found for path in f["paths"]), profile["runs"]


def leftovers(project, name="prog.pathprof"):
    return [file for file in os.listdir(project.folder) if file.startswith(name + ".")]


# ---- modules ----

LIBRARY = """\
static volatile int sink;
int twice (int n) { return n > 1 ? 2 * n : n; }
"""
OPENER = """\
#include <dlfcn.h>
#include <stdio.h>
int main (int argc, char **argv)
{
  int sum = 0, times = argc > 1 ? atoi (argv[1]) : 1;
  for (int i = 0; i < times; i++)
    {
      void *library = dlopen ("./libtwice.so", RTLD_NOW | RTLD_LOCAL);
      if (!library)
        return 99;
      int (*twice) (int) = (int (*) (int)) dlsym (library, "twice");
      sum += twice (1) + twice (2) + twice (3);
      dlclose (library);
    }
  long pages = 0, skipped;
  FILE *statm = fopen ("/proc/self/statm", "r");
  if (fscanf (statm, "%ld %ld", &pages, &skipped) != 2)
    return 98;
  fclose (statm);
  printf ("%ld\\n", pages);
  return sum != 11 * times;
}
"""


@pytest.mark.parametrize("linker", ["bfd", "gold", "lld"])
def test_run_counts_once_for_all_modules(project, linker):
    need(f"ld.{linker}")
    project.write("lib.c", LIBRARY)
    build(project, "int twice (int n);\nint main (void) { count (0); return twice (2) - 4; }\n", "-c")
    os.rename(project.folder / "prog", project.folder / "prog.o")
    project.gcc("-fPIC", "-shared", f"-fuse-ld={linker}", "lib.c", "-o", "libtwice.so")
    project.gcc(f"-fuse-ld={linker}", "prog.o", "-L.", "-ltwice", "-Wl,-rpath,$ORIGIN", "-o", "prog")
    project.run("./prog")
    assert counts(project) == ([1], 1)
    build(project, OPENER, f"-fuse-ld={linker}", "-ldl", name="opener")
    assert project.run("./opener").stderr == ""
    profile = project.profile("opener.pathprof")
    assert profile["runs"] == 1
    assert {f["name"]: sorted(p["count"] for p in f["paths"]) for f in profile["functions"]}["twice"] \
        == [1, 2]


@pytest.mark.parametrize("options", ["-static", "-static-pie", "-static -fuse-ld=gold", "-r"])
def test_kinds_of_link(project, options):
    if "-fuse-ld=gold" in options:
        need("ld.gold")
    if options == "-r":
        build(project, "int main (void) { count (0); return 0; }\n", "-c")
        project.gcc("-r", "prog", "-o", "whole.o")
        project.gcc("whole.o", "-o", "prog")
    else:
        build(project, "int main (void) { count (0); return 0; }\n", *options.split())
    project.run("./prog")
    assert counts(project) == ([1], 1)


def test_calls_act_on_all_modules(project):
    project.write("lib.c", LIBRARY)
    project.gcc("-fPIC", "-shared", "lib.c", "-o", "libtwice.so")
    build(project, """
#include "pathrt.h"
int twice (int n);
int main (void)
{
  twice (1);
  count (0);
  pathrt_reset ();
  twice (2);
  count (1);
  pathrt_set_file ("other");
  if (pathrt_dump () != 0)
    return 1;
  kill (getpid (), SIGKILL);
}
""".replace("#include", "#include <signal.h>\n#include", 1), "-L.", "-ltwice", "-Wl,-rpath,$ORIGIN")
    project.run("./prog", status=-signal.SIGKILL)
    assert project.functions("other") == {"count": [1], "main": [], "twice": [1]}
    assert not project.exists("prog.pathprof")


def test_opening_and_closing_leaks_nothing(project):
    """Also with tables, whose memory the runtime maps."""
    project.write("lib.c", LIBRARY)
    project.gcc("-fPIC", "-shared", "-fplugin-arg-pathprof-array-max=0", "lib.c", "-o", "libtwice.so")
    build(project, OPENER, "-ldl")
    times = 10000 if "PATHPROF_LONG" in os.environ else 500
    few, many = (int(project.run("./prog", n).stdout) for n in (20, times))
    assert many - few < 64
    assert project.functions()["twice"] == [20 + times, 2 * (20 + times)]
    assert project.profile()["runs"] == 2
    assert not leftovers(project)


def test_plugin_of_a_plain_program(project):
    project.write("lib.c", LIBRARY)
    project.gcc("-fPIC", "-shared", "lib.c", "-o", "libtwice.so")
    project.write("prog.c", COUNT + OPENER)
    project.run("gcc", "prog.c", "-o", "prog", "-ldl")
    few, many = (int(project.run("./prog", n).stdout) for n in (3, 300))
    assert many - few < 64
    assert project.functions()["twice"] == [303, 606]


def test_plugins_opened_and_closed_by_a_thread_while_the_program_ends(project):
    """Not every time, but often enough, exit runs the destructors of an object that was opened since."""
    project.write("lib.c", LIBRARY)
    project.gcc("-fPIC", "-shared", "-fplugin-arg-pathprof-termination=exact",
                "-fplugin-arg-pathprof-update=thread", "lib.c", "-o", "libtwice.so")
    build(project, """
#include <dlfcn.h>
#include <pthread.h>
static void *open_and_close (void *data)
{
  for (;;)
    {
      void *library = dlopen ("./libtwice.so", RTLD_NOW);
      for (int i = 0; i < 100; i++)
        ((int (*) (int)) dlsym (library, "twice")) (i);
      dlclose (library);
    }
  return data;
}
int main (void)
{
  pthread_t thread;
  pthread_create (&thread, 0, open_and_close, 0);
  usleep (2000);
  exit (0);
}
""", "-pthread")
    for _ in range(1000 if "PATHPROF_LONG" in os.environ else 50):
        assert project.run("./prog").stderr == ""


def test_plugin_closed_while_the_program_ends(project):
    project.write("lib.c", LIBRARY)
    project.gcc("-fPIC", "-shared", "lib.c", "-o", "libtwice.so")
    build(project, """
#include <dlfcn.h>
struct Holder
{
  void *library = dlopen ("./libtwice.so", RTLD_NOW);
  ~Holder ()
  {
    ((int (*) (int)) dlsym (library, "twice")) (1);
    dlclose (library);
  }
} holder;
int main () { count (0); }
""", language="cc")
    project.run("./prog")
    assert project.functions()["twice"] == [1]
    assert counts(project) == ([1], 1)


def test_file_a_module(project):
    """Modules with a file each: each file counts the run once."""
    project.write("lib.c", LIBRARY)
    project.gcc("-fPIC", "-shared", "-Wl,--build-id", "lib.c", "-o", "libtwice.so")
    build(project, """
#include "pathrt.h"
int twice (int n);
int main (void) { twice (1); pathrt_dump (); count (0); pathrt_dump (); return 0; }
""", "-Wl,--build-id", "-L.", "-ltwice", "-Wl,-rpath,$ORIGIN")
    project.run("./prog", env={"PATHPROF_FILE": "out/%m"})
    files = sorted((project.folder / "out").iterdir())
    assert len(files) == 2
    assert [project.profile(file)["runs"] for file in files] == [1, 1]


@pytest.mark.parametrize("linker", ["bfd", "gold", "lld"])
@pytest.mark.parametrize("runtime", ["shared", "static"])
def test_shared_runtime(project, linker, runtime):
    """Objects with the shared runtime, and one with its own copy; the program with either."""
    need(f"ld.{linker}")
    environment = {"LD_LIBRARY_PATH": f"{BUILD}/lib", "PATHPROF_SIGNAL": "USR2"}
    shared = ["-shared-libpathrt", f"-fuse-ld={linker}"]
    for name, options in (("a", shared), ("b", [])):
        project.write(f"{name}.c", f"int call_{name} (int n) {{ return n ? n + 1 : 0; }}\n")
        project.gcc(*options, "-fPIC", "-shared", "-fplugin-arg-pathprof-array-max=0", f"{name}.c", "-o",
                    f"lib{name}.so")
    build(project, """
#include <signal.h>
#include "pathrt.h"
int call_a (int n);
int call_b (int n);
int main (void)
{
  call_a (0);
  call_b (0);
  pathrt_reset ();
  call_a (1);
  call_b (1);
  raise (SIGUSR2);
  call_a (1);
  count (0);
  if (vfork () == 0)
    _exit (0);
  _exit (0);
}
""", *shared[runtime == "static":], "-L.", "-la", "-lb", "-Wl,-rpath,$ORIGIN", env=environment)
    needed = project.run("readelf", "-d", "prog").stdout
    assert ("libpathrt.so.1" in needed) == (runtime == "shared")
    assert project.run("./prog", env=environment).stderr == ""
    functions = project.functions()
    assert (functions["call_a"], functions["call_b"], functions["count"]) == ([2], [1], [1])
    assert project.profile()["runs"] == 1


# ---- sudden ends ----

ENDS = {
    "_exit": ("_exit (0);", 0),
    "_Exit": ("_Exit (0);", 0),
    "abort": ("abort ();", -signal.SIGABRT),
    "assert": ("assert (sink == 77);", -signal.SIGABRT),
    "execl": ('execl ("/bin/true", "true", (char *) 0);', 0),
    "execle": ('execle ("/bin/true", "true", (char *) 0, environ);', 0),
    "execlp": ('execlp ("true", "true", (char *) 0);', 0),
    "execv": ('execv ("/bin/true", words);', 0),
    "execve": ('execve ("/bin/true", words, environ);', 0),
    "execvp": ('execvp ("true", words);', 0),
    "execvpe": ('execvpe ("true", words, environ);', 0),
    "fexecve": ('fexecve (open ("/bin/true", O_RDONLY), words, environ);', 0),
    "execveat": ('execveat (AT_FDCWD, "/bin/true", words, environ, 0);', 0),
}


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("end", ENDS)
def test_sudden_ends(project, end, stage):
    statement, status = ENDS[end]
    project.write("prog.c", "#define _GNU_SOURCE\n#include <assert.h>\n#include <fcntl.h>\n" + COUNT + f"""
static char *words[] = {{"true", 0}};
static __attribute__ ((noinline)) void
leave (void)
{{
  (void) words;
  {statement}
}}
int main (void)
{{
  count (0);
  count (1);
  leave ();
  return 77;
}}
""")
    for level in ("-O0", "-O2"):
        project.gcc(level, f"-fplugin-arg-pathprof-stage={stage}", "prog.c", "-o", "prog")
        done = project.run("./prog", status=status)
        assert "pathrt" not in done.stderr
        assert counts(project) == ([1, 1], 1)
        assert not leftovers(project)
        os.remove(project.folder / "prog.pathprof")


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("options", ["-O0", "-O2", "-O2 -flto", "-O2 -fno-builtin"])
def test_failing_exec(project, stage, options):
    build(project, """
int main (void)
{
  count (0);
  for (int i = 0; i < 3; i++)
    {
      execl ("/no/such", "x", (char *) 0);
      count (1);
    }
  return 0;
}
""", *options.split(), f"-fplugin-arg-pathprof-stage={stage}")
    project.run("./prog")
    assert counts(project) == ([1, 3], 1)


# What a program does after an exec that failed, and what is around that.
AFTER_FAILED_EXEC = {
    "nothing": "",
    "dump": "pathrt_dump ();",
    "dump by another thread": "pthread_create (&thread, NULL, dump, NULL); pthread_join (thread, NULL);",
    "another test": 'if (n == 2) pathrt_test_begin ("two");',
    "pause": "if (n == 2) pathrt_pause (); else pathrt_resume ();",
    "fork": "if (n == 2 && fork () == 0) { count (2); exit (0); } wait (NULL);",
    "daemon": "if (n == 1 && daemon (1, 1) == 0) exit (0);",
    "exit": "if (n == 1) exit (0);",
    "_exit": "if (n == 1) _exit (0);",
    "abort": "if (n == 1) { signal (SIGABRT, leave); abort (); }",
    "longjmp": "if (n == 1) longjmp (start, 1);",
}


@pytest.mark.parametrize("mode", ["exit", "continuous"])
@pytest.mark.parametrize("after", AFTER_FAILED_EXEC)
def test_paths_go_on_after_a_failed_exec(project, after, mode):
    """Regression 2: the paths of the open activations counted as cut short at the call, and again at their ends."""
    project.write("refuse.c", "int refuse (const char *path, ...) { (void) path; return -1; }\n")
    project.write("prog.c", COUNT + f"""
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/wait.h>
#include "pathrt.h"
#ifndef FAILING
#define FAILING execl
#endif
int refuse (const char *path, ...);
static jmp_buf start;
static pthread_t thread;
static __attribute__ ((no_instrument_function)) void leave (int signal) {{ (void) signal; exit (0); }}
static __attribute__ ((no_instrument_function)) void *dump (void *data) {{ pathrt_dump (); return data; }}
static __attribute__ ((noinline)) void deep (int n)
{{
  for (int i = 0; i < n; i++)
    {{
      count (i % 3);
      if (i % 2)
        FAILING ("/no/such", "such", (char *) 0);
      {AFTER_FAILED_EXEC[after]}
      deep (n - 1);
    }}
}}
int main (void)
{{
  (void) leave;
  (void) dump;
  (void) thread;
  if (setjmp (start) == 0)
    deep (4);
  return 0;
}}
""")
    project.run(GCC, "-c", "refuse.c", "-o", "refuse.o")
    found = []
    for failing in ("execl", "refuse"):
        project.gcc("-w", "-O0", "-pthread", f"-DFAILING={failing}", "prog.c", "refuse.o", "-o", failing)
        project.run(f"./{failing}", env={"PATHPROF_MODE": mode, "PATHPROF_TEST": "one"})
        profile = project.profile(f"{failing}.pathprof")
        found.append([[(path["id"], path["count"]) for path in function["paths"]] for function in profile["functions"]])
        tests = project.pathdump.json("tests", "--json", f"{failing}.pathprof")["tests"]
        found[-1] += [{key: value for key, value in test.items() if "microseconds" not in key} for test in tests]
    assert found[0] == found[1]


def test_profile_that_is_removed_after_a_failed_exec(project):
    """Nothing is subtracted from a file that lacks the counts; a write that failed leaves nothing to subtract."""
    build(project, """
#include <sys/stat.h>
int main (void)
{
  for (int i = 0; i < 3; i++)
    {
      if (i == 1)
        mkdir ("prog.pathprof.lock", 0700);
      execl ("/no/such", "such", (char *) 0);
      rmdir ("prog.pathprof.lock");
      if (i == 2)
        unlink ("prog.pathprof");
      count (i);
    }
  return 0;
}
""", "-O0")
    project.run("./prog")
    profile = project.pathdump.json("export", "prog.pathprof")
    (main,) = [function for function in profile["functions"] if function["name"] == "main"]
    assert sum(path["count"] for path in main["paths"]) == 2


@pytest.mark.parametrize("mode", ["exit", "continuous"])
def test_activations_that_go_on_in_another_file(project, mode):
    """The second profile has iterations of a loop whose beginning is in the first one."""
    build(project, """
#include "pathrt.h"
int main (void)
{
  for (int i = 0; i < 4; i++)
    {
      if (i == 2)
        {
          pathrt_dump ();
          pathrt_set_file ("second.pathprof");
        }
      count (i);
    }
  return 0;
}
""", "-O0")
    project.run("./prog", env={"PATHPROF_MODE": mode})
    for name in ("prog.pathprof", "second.pathprof"):
        project.pathdump("check", name)


@pytest.mark.parametrize("termination", ["exact", "basic"])
def test_signal_ends_a_loop_without_calls(project, termination):
    """The iteration that the handler of a signal interrupts for good has no path, and check accepts that."""
    project.write("prog.c", """
#include <signal.h>
#include <unistd.h>
static void leave (int signal) { (void) signal; _exit (0); }
static __attribute__ ((noinline)) int sum (int *const *cells)
{
  int all = 0;
  while (1)
    all += **cells++;
  return all;
}
int main (void)
{
  int one = 1;
  int *cells[] = { &one, &one, &one, 0 };
  signal (SIGSEGV, leave);
  return sum (cells);
}
""")
    project.gcc("-O0", "-w", f"-fplugin-arg-pathprof-termination={termination}", "prog.c", "-o", "prog")
    project.run("./prog")
    project.pathdump("check", "prog.pathprof")


def test_functions_of_the_programs_own(project):
    """A function that has only the name is no end."""
    project.write("prog.c", """
static __attribute__ ((noinline)) void _exit (int n) { if (n > 5) __builtin_puts (""); }
static __attribute__ ((noinline)) void execvpe (void) { __builtin_puts (""); }
int main (void) { _exit (1); execvpe (); return 0; }
""")
    project.gcc("-O2", "-w", "-c", "prog.c")
    assert "__pathrt_flush" not in project.run("nm", "prog.o").stdout


def test_attributes_keep_the_flush_away(project):
    build(project, """
__attribute__ ((no_instrument_function)) void leave (void) { _exit (0); }
int main (void) { leave (); }
""", "-c")
    assert "__pathrt_flush" not in project.run("nm", "prog").stdout


@pytest.mark.parametrize("stage", STAGES)
def test_ends_in_awkward_places(project, stage):
    """In handlers, beside setjmp and computed gotos, with everything verified."""
    project.write("prog.cc", """
#include <csetjmp>
#include <cstdlib>
#include <exception>
#include <unistd.h>
static volatile int sink;
static jmp_buf buffer;
struct Guard { ~Guard () { sink = 1; } };
__attribute__ ((noinline)) void handler (int n)
{
  Guard guard;
  try
    {
      if (n == 1)
        throw 1;
      execl ("/no/such", "x", (char *) 0);
    }
  catch (int)
    {
      execl ("/no/such", "x", (char *) 0);
      if (sink == 9)
        std::abort ();
      if (sink == 8)
        std::terminate ();
    }
}
__attribute__ ((noinline)) void jumper (int n)
{
  if (setjmp (buffer) == 0)
    {
      execl ("/no/such", "x", (char *) 0);
      if (n)
        longjmp (buffer, 1);
    }
  else if (sink == 7)
    _exit (1);
}
__attribute__ ((noinline)) void gotos (int n)
{
  void *labels[] = {&&one, &&two};
  goto *labels[n];
one:
  execl ("/no/such", "x", (char *) 0);
  return;
two:
  if (sink == 5)
    abort ();
}
int main ()
{
  for (int n = 0; n < 2; n++)
    {
      handler (n);
      jumper (n);
      gotos (n);
    }
  _exit (0);
}
""")
    for level in ("-O0", "-O2"):
        project.gxx(level, "-fchecking", f"-fplugin-arg-pathprof-stage={stage}", "prog.cc", "-o", "prog")
        project.run("./prog")
        assert project.functions()["_Z5gotosi"] == [1, 1, 2]  # the goto cuts
        os.remove(project.folder / "prog.pathprof")


TERMINATES = {
    "uncaught": "throw 1;",
    "noexcept": "[] () noexcept { throw 1; } ();",
    "terminate": "std::terminate ();",
}


@pytest.mark.parametrize("link", [[], ["-static"]])
@pytest.mark.parametrize("how", TERMINATES)
def test_terminate(project, how, link):
    for own in (False, True):
        build(project, f"""
#include <exception>
#include <cstdio>
static void mine () {{ std::puts ("mine"); std::fflush (stdout); _exit (3); }}
int main ()
{{
  count (0);
  if ({int(own)})
    std::set_terminate (mine);
  count (1);
  {TERMINATES[how]}
}}
""", "-w", *link, language="cc")
        done = project.run("./prog", status=3 if own else -signal.SIGABRT)
        assert done.stdout == ("mine\n" if own else "")
        assert counts(project) == ([1, 1], 1)
        os.remove(project.folder / "prog.pathprof")


# ---- children ----

CHILDREN = {
    "vfork": ("if (vfork () == 0) { count (1); _exit (0); }", [1, 1, 1], 1),
    "vfork and exec": ("""if (vfork () == 0) { count (1); execl ("/bin/true", "true", (char *) 0); _exit (1); }""",
                       [1, 1, 1], 1),
    "fork and exec": ("""if (fork () == 0) { count (1); execl ("/bin/true", "true", (char *) 0); _exit (1); }""",
                      [1, 1, 1], 2),
    "fork and _exit": ("if (fork () == 0) { count (1); _exit (0); }", [1, 1, 1], 2),
    "system": ('if (system ("true") == 0) count (1);', [1, 1, 1], 1),
    "popen": ('if (pclose (popen ("true", "r")) == 0) count (1);', [1, 1, 1], 1),
    "posix_spawn": ("""pid_t pid; char *words[] = {"true", 0};
  if (posix_spawnp (&pid, "true", 0, 0, words, environ) == 0) count (1);""", [1, 1, 1], 1),
}


@pytest.mark.parametrize("how", CHILDREN)
def test_children(project, how):
    statement, expected, runs = CHILDREN[how]
    project.write("prog.c", "#define _GNU_SOURCE\n#include <spawn.h>\n#include <stdio.h>\n"
                  "#include <sys/wait.h>\n" + COUNT + f"""
int main (void)
{{
  count (0);
  {statement}
  while (wait (NULL) > 0)
    ;
  count (2);
  return 0;
}}
""")
    project.gcc("-fplugin-arg-pathprof-stage=source", "prog.c", "-o", "prog")
    assert project.run("./prog").stderr == ""
    assert counts(project) == (expected, runs)
    assert not leftovers(project)


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("mode", ["exit", "continuous"])
@pytest.mark.parametrize("termination", ["basic", "exact"])
def test_daemon(project, termination, mode, stage):
    """The parent ends in the C library's daemon(), without its exit handlers."""
    build(project, """
int main (void)
{
  for (int i = 0; i < 6; i++)
    count (0);
  if (daemon (1, 1) != 0)
    return 9;
  for (int i = 0; i < 3; i++)
    count (1);
  return 0;
}
""", "-O1", f"-fplugin-arg-pathprof-termination={termination}", f"-fplugin-arg-pathprof-stage={stage}")
    assert project.run("./prog", env={"PATHPROF_MODE": mode}).stderr == ""
    assert counts(project) == ([3, 6], 2)
    assert not leftovers(project)


@pytest.mark.parametrize("how", ["_Fork ()", "syscall (SYS_clone, SIGCHLD, 0, 0, 0, 0)"])
def test_children_that_the_library_does_not_know(project, how):
    """The parent's counts are not written twice; what the child ran before it is noticed is lost."""
    project.write("prog.c", "#define _GNU_SOURCE\n#include <signal.h>\n#include <sys/syscall.h>\n"
                  "#include <sys/wait.h>\n" + '#include "pathrt.h"\n' + COUNT + f"""
int main (void)
{{
  count (0);
  if ({how} == 0)
    {{
      count (1);
      pathrt_dump ();
      count (1);
      _exit (0);
    }}
  wait (NULL);
  count (2);
  return 0;
}}
""")
    project.gcc("-fplugin-arg-pathprof-stage=source", "prog.c", "-o", "prog")
    done = project.run("./prog")
    assert_one_line(done.stderr, "pathrt: note: ", "process", "without fork", "not counted")
    assert counts(project) == ([1, 1, 1], 2)


def test_tree_of_forks(project):
    """Threads that fork children that fork: parents and children add up."""
    build(project, """
#include <pthread.h>
#include <sys/wait.h>
static void tree (int depth)
{
  count (0);
  for (int i = 0; depth && i < 2; i++)
    if (fork () == 0)
      {
        count (1);
        tree (depth - 1);
        exit (0);
      }
}
static void *thread (void *unused)
{
  for (int i = 0; i < 5; i++)
    {
      pid_t pid = fork ();
      if (pid == 0)
        {
          tree (2);
          while (wait (NULL) > 0)
            ;
          _exit (0);
        }
      waitpid (pid, NULL, 0);
    }
  return unused;
}
int main (void)
{
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create (&threads[i], NULL, thread, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join (threads[i], NULL);
  return 0;
}
""", "-pthread")
    project.run("./prog")
    # tree (2) is 1 + 2 + 4 processes; each of 15.
    wait_for(lambda: counts(project) == ([15 * 6, 15 * 7], 1 + 15 * 7))
    assert not leftovers(project)


# ---- the signal ----

WAITER = """
#include <stdio.h>
int main (void)
{
  char line[80];
  while (fgets (line, sizeof line, stdin))
    {
      count (0);
      puts ("counted");
      fflush (stdout);
    }
  return 5;
}
"""


@pytest.mark.parametrize("name", ["SIGUSR2", "USR2", str(int(signal.SIGUSR2))])
def test_signal_dumps_a_running_program(project, name):
    build(project, WAITER)
    program = project.start("./prog", env={"PATHPROF_SIGNAL": name})
    for times in (1, 2):
        program.stdin.write("\n")
        program.stdin.flush()
        assert program.stdout.readline() == "counted\n"
        program.send_signal(signal.SIGUSR2)
        wait_for(lambda: project.exists("prog.pathprof") and counts(project) == ([times], 1))
    program.stdin.write("\n")
    _, error = program.communicate()
    assert (program.returncode, error) == (5, "")
    assert counts(project) == ([3], 1)
    assert not leftovers(project)


@pytest.mark.parametrize("name", ["USR3", "SIGKILL", "9", "0", "-1", "1000", "12x", "SIG"])
def test_signal_that_is_none(project, name):
    build(project, "int main (void) { count (0); return 0; }\n")
    done = project.run("./prog", env={"PATHPROF_SIGNAL": name})
    assert_one_line(done.stderr, "pathrt: error: PATHPROF_SIGNAL: ", f"'{name}'")
    assert counts(project) == ([1], 1)


def test_signals_while_the_program_dumps(project):
    """Two threads that dump, and a storm of signals: nothing is lost, nothing counted twice."""
    build(project, """
#include <pthread.h>
#include <signal.h>
#include "pathrt.h"
static volatile int stop;
static void *dump (void *unused)
{
  while (!stop)
    pathrt_dump ();
  return unused;
}
int main (void)
{
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, dump, NULL);
  for (int i = 0; i < 2000; i++)
    {
      count (0);
      kill (getpid (), SIGUSR2);
    }
  stop = 1;
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  return 0;
}
""", "-pthread", "-fplugin-arg-pathprof-stage=source")
    programs = [project.start("./prog", env={"PATHPROF_SIGNAL": "USR2"}) for _ in range(3)]
    for program in programs:
        assert program.communicate(timeout=900)[1] == "" and program.returncode == 0
    assert counts(project)[1] == 3
    # The counter is plain, and taken by one thread while another counts: it may lose a count a dump.
    assert 0.9 * 6000 < counts(project)[0][0] <= 1.1 * 6000
    assert not leftovers(project)


def test_handler_of_the_program_stays(project):
    build(project, """
#include <signal.h>
#include <stdio.h>
static void mine (int n) { (void) n; puts ("mine"); }
int main (void)
{
  signal (SIGUSR2, mine);
  raise (SIGUSR2);
  return 0;
}
""")
    done = project.run("./prog", env={"PATHPROF_SIGNAL": "USR2"})
    assert (done.stdout, done.stderr) == ("mine\n", "")


def test_signal_handler_survives_the_module_that_installed_it(project):
    """The program is plain: the first object installs the handler, and is closed."""
    for name in ("a", "b"):
        project.write(f"{name}.c", f"int call_{name} (void) {{ return 0; }}\n")
        project.gcc("-fPIC", "-shared", f"{name}.c", "-o", f"{name}.so")
    project.write("prog.c", """
#include <dlfcn.h>
#include <signal.h>
int main (void)
{
  void *a = dlopen ("./a.so", RTLD_NOW | RTLD_GLOBAL), *b = dlopen ("./b.so", RTLD_NOW);
  ((int (*) (void)) dlsym (b, "call_b")) ();
  dlclose (a);
  raise (SIGUSR2);
  return b == 0;
}
""")
    project.run("gcc", "prog.c", "-o", "prog", "-ldl")
    assert project.run("./prog", env={"PATHPROF_SIGNAL": "USR2"}).stderr == ""
    assert project.functions()["call_b"] == [1]


HANDLERS = {
    "nothing": ("", 0, [1, 1], 1),
    "dump": ("pathrt_dump ();", 0, [1, 1], 1),
    "two": ("pathrt_dump (); count (0); pathrt_dump ();", 0, [1, 2], 1),
    "reset": ("pathrt_reset ();", 0, [], 1),
    "another file": ('pathrt_set_file ("other"); pathrt_dump (); pathrt_set_file (0);', 0, [], 1),
    "_exit": ("_exit (3);", 3, [1, 1], 1),
    "fork": ("if (fork () == 0) count (2); else wait (0);", 0, [1, 1, 1], 2),
    "fork and _exit": ("if (fork () == 0) { count (2); _exit (0); } wait (0);", 0, [1, 1, 1], 2),
}


@pytest.mark.parametrize("how", HANDLERS)
def test_handler_that_interrupts_the_wait_for_the_lock(project, how):
    statements, status, expected, runs = HANDLERS[how]
    project.write("prog.c", "#include <signal.h>\n#include <stdio.h>\n#include <sys/wait.h>\n"
                  '#include "pathrt.h"\n' + COUNT + f"""
static void handler (int n)
{{
  count (1);
  {statements}
  (void) n;
}}
int main (void)
{{
  count (0);
  signal (SIGUSR1, handler);
  puts ("ready");
  fflush (stdout);
  pathrt_dump ();
  return 0;
}}
""")
    project.gcc("-fplugin-arg-pathprof-stage=source", "prog.c", "-o", "prog")
    lock = open(project.folder / "prog.pathprof.lock", "w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    program = project.start("./prog")
    assert program.stdout.readline() == "ready\n"
    status_file = pathlib.Path(f"/proc/{program.pid}/stat")
    wait_for(lambda: status_file.read_text().split()[2] == "S")
    program.send_signal(signal.SIGUSR1)
    time.sleep(0.1)
    os.remove(project.folder / "prog.pathprof.lock")
    lock.close()
    assert program.communicate(timeout=900)[1] == ""
    assert program.returncode == status
    wait_for(lambda: counts(project) == (expected, runs))
    if how == "another file":
        assert counts(project, "other") == ([1, 1], 1)
    assert not leftovers(project)


# ---- pause and reset ----


def test_pause(project):
    build(project, """
#include "pathrt.h"
int main (void)
{
  count (0);
  pathrt_pause ();
  pathrt_pause ();
  count (1);
  pathrt_dump ();
  count (1);
  pathrt_resume ();
  count (2);
  count (2);
  pathrt_resume ();
  pathrt_pause ();
  count (1);
  return 0;
}
""", "-fplugin-arg-pathprof-stage=source")
    project.run("./prog")
    assert counts(project) == ([1, 2], 1)


@pytest.mark.parametrize("call", ["pathrt_reset ()", "n % 2 ? (void) pathrt_pause () : pathrt_resume ()"])
def test_forgetting_while_frames_are_open(project, call):
    """The profile passes 'pathdump check' all the same."""
    build(project, f"""
#include "pathrt.h"
static __attribute__ ((noinline)) void deep (int n)
{{
  for (int i = 0; i < n; i++)
    {{
      count (i % 3);
      if (i == n / 2)
        {call};
      if (i % 2)
        deep (n - 1);
    }}
}}
int main (void) {{ deep (5); return 0; }}
""", "-fplugin-arg-pathprof-stage=source")
    project.run("./prog")
    project.profile()


# ---- hostile surroundings ----


def the_line(done, *words):
    assert done.stdout == "output\n"
    assert done.stderr.startswith("pathrt: error: ") and done.stderr.count("\n") == 1, done.stderr
    assert all(word in done.stderr for word in words), done.stderr


def hostile(project, statements, *, status=7, before="count (0);", **options):
    """A program that does something to its surroundings, and still prints and ends as it would."""
    project.write("prog.c", "#define _GNU_SOURCE\n#include <fcntl.h>\n#include <stdio.h>\n"
                  "#include <sys/resource.h>\n#include <sys/stat.h>\n#include <errno.h>\n" + COUNT + f"""
int main (void)
{{
  {before}
  puts ("output");
  fflush (stdout);
  {statements}
  return {status};
}}
""")
    project.gcc("-w", "prog.c", "-o", "prog")
    return project.run("./prog", status=status, **options)


NO_DESCRIPTOR = """
  struct rlimit limit = {20, 20};
  setrlimit (RLIMIT_NOFILE, &limit);
  while (dup (0) >= 0)
    ;
"""


@pytest.mark.parametrize("free", [0, 1, 2, 3, 4])
def test_no_descriptor_left(project, free):
    done = hostile(project, NO_DESCRIPTOR + "".join(f"close ({fd});" for fd in range(10, 10 + free)))
    assert done.stderr == ""
    assert counts(project) == ([1], 1)
    assert not leftovers(project)


def test_no_descriptor_left_for_another_build(project):
    hostile(project, "")
    done = hostile(project, NO_DESCRIPTOR + "count (2);")
    assert re.match("pathrt: note: prog.pathprof: .*another build", done.stderr)
    assert counts(project) == ([1, 1], 1)


def test_no_descriptor_and_no_child_seen(project):
    """The helper is invisible to a program that waits for all its children."""
    done = hostile(project, NO_DESCRIPTOR + """
  signal (SIGCHLD, chld);
  pathrt_dump ();
  if (waitpid (-1, 0, 0) != -1 || errno != ECHILD)
    _exit (99);
""", before="""#define _(x)
  extern int pathrt_dump (void); extern int waitpid (int, int *, int);
  extern void (*signal (int, void (*) (int))) (int);
  void chld (int n) { _exit (98); }
  enum { SIGCHLD = 17 };
  count (0);""")
    assert done.stderr == ""
    assert counts(project) == ([1], 1)


def test_file_size_limit(project):
    done = hostile(project, "struct rlimit none = {0, 0}; setrlimit (RLIMIT_FSIZE, &none);")
    the_line(done, "prog.pathprof: cannot write (File too large)")
    assert not project.exists("prog.pathprof") and not leftovers(project)


def test_full_disk(project):
    (project.folder / "small").mkdir()
    need("unshare")
    probe = subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False)
    if os.getuid() != 0 or probe.returncode != 0:
        pytest.skip("cannot mount")
    hostile(project, "")
    script = ("mount -t tmpfs -o size=16k none small && (cat /dev/zero > small/zero 2>/dev/null; true) "
              "&& PATHPROF_FILE=small/p ./prog; status=$?; ls small >&2; exit $status")
    done = project.run("unshare", "-m", "sh", "-c", script, status=7)
    assert done.stdout == "output\n"
    assert done.stderr == "pathrt: error: small/p: cannot write (No space left on device)\nzero\n"


def as_nobody(project, *command, **options):
    """Runs a command as another user, for whom the folder is closed unless opened."""
    if os.getuid() != 0:
        pytest.skip("needs root")
    need("setpriv")
    project.folder.chmod(0o755)
    for parent in project.folder.parents[:-1]:
        if not parent.stat().st_mode & 1:
            parent.chmod(parent.stat().st_mode | 0o11)
    return project.run("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *command, **options)


def test_read_only_folder(project):
    hostile(project, "")
    os.remove(project.folder / "prog.pathprof")
    done = as_nobody(project, "./prog", status=7)
    the_line(done, "prog.pathprof: cannot lock the file (Permission denied)")


def test_changed_user(project):
    if os.getuid() != 0:
        pytest.skip("needs root")
    (project.folder / "open").mkdir()
    (project.folder / "open").chmod(0o777)
    as_nobody(project, "true")
    done = hostile(project, "setgid (65534); if (setuid (65534) != 0) return 99;")
    the_line(done, "prog.pathprof: cannot lock the file (Permission denied)")
    for _ in range(2):
        assert project.run("./prog", status=7, env={"PATHPROF_FILE": "open/p"}).stderr == ""
    assert counts(project, "open/p") == ([2], 2)


def test_setuid_program(project):
    hostile(project, "")
    os.remove(project.folder / "prog.pathprof")
    project.folder.chmod(0o777)
    if os.statvfs(project.folder).f_flag & os.ST_NOSUID:
        pytest.skip("setuid programs do not work here")
    (project.folder / "prog").chmod(0o4755)
    done = as_nobody(project, "./prog", status=7)
    assert (done.stdout, done.stderr) == ("output\n", "")
    assert not project.exists("prog.pathprof")


@pytest.mark.parametrize("closed", ["close (0);", "close (1);", "close (2);", "close (0); close (1); close (2);"])
def test_closed_descriptors(project, closed):
    assert hostile(project, closed).stderr == ""
    assert counts(project) == ([1], 1)


@pytest.mark.parametrize("opened", ["close (2); open (\"mine\", O_WRONLY | O_CREAT, 0666);",
                                    "dup2 (open (\"mine\", O_WRONLY | O_CREAT, 0666), 2);"])
def test_messages_stay_out_of_the_programs_files(project, opened):
    done = hostile(project, opened, env={"PATHPROF_FILE": "/dev/null/no"})
    assert done.stderr == ""
    assert project.read("mine") == b""


def test_removed_folder(project):
    done = hostile(project, 'mkdir ("gone", 0777); chdir ("gone"); rmdir ("../gone");')
    assert done.stderr == ""
    assert counts(project) == ([1], 1)
    script = "mkdir there && cd there && rmdir ../there && ../prog"
    done = project.run("sh", "-c", script, status=7)
    the_line(done, "No such file or directory")
    script = "mkdir later && cd later && PATHPROF_VERBOSE=1 ../remover ../later"
    build(project, '#include <stdio.h>\nint main (int c, char **v) { count (0); puts ("output"); '
          "return rmdir (v[1]); }\n", name="remover")
    done = project.run("sh", "-c", script)
    the_line(done, "remover.pathprof: cannot lock the file (No such file or directory)")
    assert not project.exists("later")


def test_chroot(project):
    if os.getuid() != 0:
        pytest.skip("needs root")
    done = hostile(project, 'mkdir ("jail", 0777); if (chroot ("jail") != 0) return 99;')
    the_line(done, "No such file or directory")
    assert os.listdir(project.folder / "jail") == []


@pytest.mark.parametrize("mask", ["0", "077", "0777"])
def test_umask(project, mask):
    assert hostile(project, f"umask ({mask});").stderr == ""
    mode = (project.folder / "prog.pathprof").stat().st_mode & 0o777
    assert mode == (0o666 & ~int(mask, 8)) | 0o600
    assert project.run("./prog", status=7).stderr == ""
    assert counts(project) == ([2], 2)


# ---- many processes ----


def storm(project, processes, runs):
    build(project, """
#include <sys/wait.h>
int main (int argc, char **argv)
{
  for (int i = 0; i < atoi (argv[1]); i++)
    if (fork () == 0)
      {
        for (int j = 0; j < atoi (argv[2]); j++)
          if (vfork () == 0)
            execl (argv[0], argv[0], "0", "0", (char *) 0);
          else
            wait (NULL);
        _exit (0);
      }
  while (wait (NULL) > 0)
    ;
  count (0);
  return argc == 0;
}
""", "-fplugin-arg-pathprof-stage=source")
    assert project.run("./prog", processes, runs).stderr == ""
    assert counts(project) == ([1 + processes * runs], 1 + processes + processes * runs)
    assert not leftovers(project)


def test_storm(project):
    storm(project, 16, 20)


@pytest.mark.skipif("PATHPROF_LONG" not in os.environ, reason="takes long; make check-long")
def test_long_storm(project):
    storm(project, 64, 200)


def test_killed_writers(project):
    """The file is valid after every kill; what the dead left goes with the next write."""
    build(project, """
#include "pathrt.h"
int main (int argc, char **argv)
{
  for (int i = 0; argc > 1 || i == 0; i++)
    {
      count (0);
      pathrt_dump ();
    }
  return argv == 0;
}
""", "-fplugin-arg-pathprof-stage=source")
    project.run("./prog")
    seconds = 0.0
    for kill in range(100):
        programs = [project.start("./prog", "forever") for _ in range(2)]
        time.sleep(0.002 + seconds)
        seconds = (seconds + 0.0037) % 0.02
        programs[kill % 2].kill()
        programs[1 - kill % 2].kill()
        for program in programs:
            program.communicate()
        if kill % 10 == 0:
            project.profile()
    project.write("prog.pathprof.999999999.tmp", "left")
    project.write("prog.pathprof.lock", "")
    (executed,), runs = counts(project)
    assert project.run("./prog").stderr == ""
    assert counts(project) == ([executed + 1], runs + 1)
    assert not leftovers(project)


def test_files_that_are_not_ours_stay(project):
    build(project, "int main (void) { count (0); return 0; }\n")
    mine = ["prog.pathprof.tmp", f"prog.pathprof.{os.getpid()}.tmp", "prog.pathprof.x.tmp",
            "other.pathprof.999999999.tmp", "prog.pathprof.99999999999999.tmp", "prog.pathprof.old"]
    for name in [*mine, "prog.pathprof.lock"]:
        project.write(name, "")
    project.run("./prog")
    assert all(project.exists(name) for name in mine)
    assert not project.exists("prog.pathprof.lock")
