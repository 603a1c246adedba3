# SPDX-License-Identifier: GPL-3.0-or-later
"""switch=1: a plain body beside the instrumented one, and what turns a running program on and off."""

import re
import signal
import time

import pytest

from conftest import assert_one_line, plugin, wait_for

STAGES = ("early", "late")

# work() has an outermost loop with a loop and calls inside, fib() calls itself.
PROGRAM = """\
#include <stdio.h>
#include <stdlib.h>
#include <pathrt.h>

__attribute__ ((noinline)) static int
fib (int n)
{
  return n < 2 ? n : fib (n - 1) + fib (n - 2);
}

__attribute__ ((noinline)) static int
work (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    {
      if (pathrt_switch && getenv ("FROM") && i == atoi (getenv ("FROM")))
        pathrt_switch (1);
      if (pathrt_switch && getenv ("TO") && i == atoi (getenv ("TO")))
        pathrt_switch (0);
      for (int j = 0; j < i % 4; j++)
        sum += j & 1 ? j : -j;
      sum += i % 3 ? fib (i % 5) : 1;
    }
  return sum;
}

int
main (int argc, char **argv)
{
  printf ("%d\\n", work (atoi (argv[argc - 1])));
  return 0;
}
"""


def counts(project, name):
    return {(function["name"], path["id"]): path["count"]
            for function in project.profile(name)["functions"] for path in function["paths"]}


def paths_of(project, name, function):
    return sum(count for (of, _), count in counts(project, name).items() if of == function)


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("arguments", [("mode=acyclic",), ("mode=acyclic", "array-max=0"), ("mode=kiter", "k=3"),
                                       ("mode=kiter", "numbering=paper"), ("mode=intracontext",),
                                       ("update=thread",), ("update=atomic",)], ids=" ".join)
def test_counts_are_those_of_a_program_without_a_switch(project, stage, arguments):
    project.write("prog.c", PROGRAM)
    for level in ("-O0", "-O2", "-O3"):
        for name, switch in (("without", "switch=0"), ("with", "switch=1")):
            project.gcc(level, "-g", "-fchecking=1", "prog.c", "-o", name,
                        *plugin(f"stage={stage}", switch, *arguments))
        expected = project.run("./without", "40").stdout
        assert project.run("./with", "40", env={"PATHPROF_SWITCH": "on"}).stdout == expected
        assert counts(project, "with.pathprof") == counts(project, "without.pathprof")
        assert project.run("./with", "40", env={"PATHPROF_FILE": f"off{level}.pathprof"}).stdout == expected
        assert counts(project, f"off{level}.pathprof") == {}
        for name in ("with", "without"):
            (project.folder / f"{name}.pathprof").unlink()


# The call is in an iteration whose path has begun: the next back edge asks.
@pytest.mark.parametrize("stage", STAGES)
def test_paths_that_began_while_it_was_on(project, stage):
    project.write("prog.c", PROGRAM)
    project.gcc("-O2", "-g", "prog.c", "-o", "prog", *plugin(f"stage={stage}", "switch=1"))
    project.run("./prog", "1000", env={"FROM": "100", "TO": "300"})
    blocks = {path["start"] for function in project.profile()["functions"] if function["name"] == "work"
              for path in function["paths"]}
    assert blocks == {"loop"}
    whole = project.run("./prog", "1000", env={"PATHPROF_SWITCH": "on", "PATHPROF_FILE": "whole.pathprof"})
    assert whole.stdout
    # Of 1000 iterations 200 began while it was on, from 101 to 300; i % 12 says what an iteration does.
    part, all_ = paths_of(project, "prog.pathprof", "work"), paths_of(project, "whole.pathprof", "work")
    assert 0.19 * all_ < part < 0.21 * all_
    assert paths_of(project, "prog.pathprof", "main") == 0


def test_a_program_that_stays_on_from_a_point_on(project):
    project.write("prog.c", PROGRAM)
    project.gcc("-O2", "-g", "prog.c", "-o", "prog", *plugin("stage=late", "switch=1"))
    project.run("./prog", "10", env={"FROM": "3"})
    ends = [path["end"] for function in project.profile()["functions"] if function["name"] == "work"
            for path in function["paths"]]
    assert "exit" in ends


def test_for_how_long_it_was_on(project):
    project.write("prog.c", PROGRAM)
    project.gcc("-O2", "-g", "prog.c", "-o", "prog", *plugin("stage=late", "switch=1"))
    for name, switch in (("on", "on"), ("off", "off")):
        project.run("./prog", "1000", env={"PATHPROF_SWITCH": switch, "PATHPROF_FILE": f"{name}.pathprof"})

    def time_in(name):
        return project.pathdump.json("report", "--json", name)["switched_on_us"]

    time = time_in("on.pathprof")
    assert time > 0 and time_in("off.pathprof") == 0
    project.pathdump("merge", "-o", "both.pathprof", "-w", "3", "on.pathprof", "off.pathprof")
    assert time_in("both.pathprof") == 3 * time
    assert "switched on for " in project.pathdump("report", "on.pathprof").stdout
    assert "switched on" not in project.pathdump("report", "off.pathprof").stdout


EXCEPTIONS = """\
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

static int
f (int i)
{
  std::vector<std::string> words;
  for (int k = 0; k < i % 7; k++)
    words.push_back (std::to_string (k));
  if (i % 3 == 0)
    throw std::runtime_error ("three");
  if (i % 5 == 0)
    throw i;
  return static_cast<int> (words.size ());
}

int
main ()
{
  int sum = 0;
  for (int i = 0; i < 50; i++)
    try
      {
        sum += f (i);
      }
    catch (const std::exception &)
      {
        sum += 2;
      }
    catch (int n)
      {
        sum += n;
      }
  std::printf ("%d\\n", sum);
}
"""


def test_exceptions_stay_in_their_body(project):
    project.write("prog.cc", EXCEPTIONS)
    for level in ("-O0", "-O2"):
        for name, switch in (("without", "switch=0"), ("with", "switch=1")):
            project.gxx(level, "-g", "-fchecking=1", "prog.cc", "-o", name, *plugin("stage=late", switch))
            done = project.run(f"./{name}", env={"PATHPROF_SWITCH": "on", "PATHPROF_FILE": f"{name}{level}.pathprof"})
            assert done.stdout == "242\n"
        assert counts(project, f"with{level}.pathprof") == counts(project, f"without{level}.pathprof")


# ---- at random moments ----

STORM = """\
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <pathrt.h>

static int is_over;
static long done;

__attribute__ ((noinline)) static int
step (int x)
{
  int r = x & 1 ? 3 : 5;
  return x & 2 ? r * x : r + x;
}

static void *
run (void *sum)
{
  long calls = 0;
  for (; !__atomic_load_n (&is_over, __ATOMIC_RELAXED); calls++)
    {
      *(long *) sum += step ((int) calls);
      __atomic_fetch_add (&done, 1, __ATOMIC_RELAXED);
    }
  return (void *) calls;
}

/* More than the eight that may have begun already.  */
static void
wait_for_calls (void)
{
  long wanted = __atomic_load_n (&done, __ATOMIC_RELAXED) + 100;
  while (__atomic_load_n (&done, __ATOMIC_RELAXED) < wanted)
    ;
}

int
main (int argc, char **argv)
{
  pthread_t threads[8];
  long sums[8] = {0}, all = 0;
  for (int i = 0; i < 8; i++)
    pthread_create (&threads[i], NULL, run, &sums[i]);
  wait_for_calls ();
  for (int i = 0; i < atoi (argv[argc - 1]); i++)
    pathrt_switch (i & 1 || rand () & 1);
  pathrt_switch (1);
  wait_for_calls ();
  __atomic_store_n (&is_over, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < 8; i++)
    {
      void *calls;
      pthread_join (threads[i], &calls);
      all += (long) calls;
    }
  printf ("%ld\\n", all);
  return 0;
}
"""


@pytest.mark.parametrize("stage", STAGES)
def test_thrown_while_threads_run(project, stage):
    project.write("prog.c", STORM)
    project.gcc("-O2", "-g", "-pthread", "prog.c", "-o", "prog", *plugin(f"stage={stage}", "switch=1"))
    all_ = int(project.run("./prog", "10000").stdout)
    assert 0 < paths_of(project, "prog.pathprof", "step") < all_
    # The path of an iteration calls step() where it is.
    assert paths_of(project, "prog.pathprof", "run") <= all_ + 8


def test_thrown_while_threads_run_under_tsan(project):
    project.write("prog.c", STORM)
    project.gcc("-O1", "-g", "-pthread", "-fsanitize=thread", "prog.c", "-o", "prog",
                *plugin("stage=late", "switch=1", "update=thread"))
    assert "WARNING" not in project.run("./prog", "1000").stderr


# ---- the environment ----

WAITS = """\
#include <stdio.h>
#include <unistd.h>

__attribute__ ((noinline)) int
step (int x)
{
  return x & 1 ? x * 3 : x + 1;
}

int
main (void)
{
  unsigned sum = 0;
  puts ("ready");
  fflush (stdout);
  for (int i = 0; access ("stop", F_OK) != 0; i++)
    {
      sum += (unsigned) step (i);
      usleep (100);
    }
  return sum == 1;
}
"""


def stop(project, program):
    (project.folder / "stop").touch()
    output, errors = program.communicate(timeout=900)
    assert program.returncode == 0, errors
    return errors


def has_counted(project, program):
    """Returns true if a dump contains counts of `step`."""
    program.send_signal(signal.SIGUSR2)
    time.sleep(0.1)
    return project.exists("prog.pathprof") and paths_of(project, "prog.pathprof", "step") > 0


def test_a_signal_switches(project):
    project.write("prog.c", WAITS)
    project.gcc("-O2", "-g", "prog.c", "-o", "prog", *plugin("stage=late", "switch=1"))
    program = project.start("./prog", env={"PATHPROF_SWITCH_SIGNAL": "USR1", "PATHPROF_SIGNAL": "USR2"})
    program.stdout.readline()

    assert not has_counted(project, program)
    program.send_signal(signal.SIGUSR1)
    wait_for(lambda: has_counted(project, program))
    assert stop(project, program) == ""


def test_a_share_of_the_time(project):
    project.write("prog.c", WAITS)
    project.gcc("-O2", "-g", "prog.c", "-o", "prog", *plugin("stage=late", "switch=1", "update=atomic"))
    program = project.start("./prog", env={"PATHPROF_SWITCH": "50%/20ms", "PATHPROF_SIGNAL": "USR2"})
    program.stdout.readline()

    wait_for(lambda: has_counted(project, program))
    assert stop(project, program) == ""


MODULES = """\
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

int
main (void)
{
  void *module = dlopen ("./module.so", RTLD_NOW);
  int (*work) (int) = (int (*) (int)) dlsym (module, "work");
  int sum = 0;
  pid_t child = fork ();
  for (int i = 0; i < 500; i++)
    {
      sum += work (i);
      usleep (100);
    }
  int status = 0;
  if (child)
    waitpid (child, &status, 0);
  dlclose (module);
  usleep (50000);
  return status != 0 || sum == 1;
}
"""


# The module that is closed may have the timer; the child of a fork has a timer of its own.
@pytest.mark.parametrize("switch", ["on", "50%/10ms"])
def test_modules_and_forks(project, switch):
    project.write("prog.c", MODULES)
    project.write("module.c", "int work (int x) { return x % 3 == 0 ? 1 : x; }\n")
    project.gcc("-O2", "-fPIC", "-shared", "module.c", "-o", "module.so", *plugin("switch=1", "update=atomic"))
    project.gcc("-O2", "prog.c", "-o", "prog", *plugin("switch=1", "update=atomic"))
    (project.folder / "plain").mkdir()
    for program in ("prog", "plain/prog"):
        if program != "prog":
            project.run("gcc", "-O2", "prog.c", "-o", program)
        name = f"{program}.pathprof"
        project.run(f"./{program}", env={"PATHPROF_SWITCH": switch, "PATHPROF_FILE": name})
        counted = paths_of(project, name, "work")
        assert counted == 1000 if switch == "on" else 0 < counted < 1000


@pytest.mark.parametrize("value", ["maybe", "1%", "1%/10", "0%/10s", "101%/1s", "1/10s", "1%/0s", "1%/10sec"])
def test_a_wrong_value_is_off(project, value):
    project.write("prog.c", PROGRAM)
    project.gcc("-O2", "prog.c", "-o", "prog", *plugin("stage=late", "switch=1"))
    done = project.run("./prog", "5", env={"PATHPROF_SWITCH": value})
    assert_one_line(done.stderr, "pathrt: error: PATHPROF_SWITCH: ", f"'{value}'")
    assert counts(project, "prog.pathprof") == {}


def test_the_default_stage_is_late(project):
    project.write("prog.c", PROGRAM)
    for level in ("-O0", "-O2"):
        project.gcc(level, "prog.c", "-o", "prog", *plugin("switch=1"))
        project.run("./prog", "5", env={"PATHPROF_FILE": f"at{level}.pathprof"})
        assert {function["stage"] for function in project.profile(f"at{level}.pathprof")["functions"]} == {"late"}


# ---- what does not go ----

@pytest.mark.parametrize("arguments, refused", [
    (("stage=source",), "stage=source"),
    (("termination=exact",), "termination=exact"),
    (("metric=tsc",), "metric=tsc"),
    (("mode=kipf",), "mode=kipf"),
])
def test_refused(project, arguments, refused):
    project.write("prog.c", PROGRAM)
    done = project.gcc("-O2", "-c", "prog.c", *plugin("switch=1", *arguments), status=1)
    error = next(line for line in done.stderr.splitlines() if "error" in line)
    assert "switch=1" in error and refused in error


def test_what_cannot_be_copied_is_listed(project):
    project.write("prog.c", """\
int
main (int argc, char **argv)
{
  static void *const to[] = {&&one, &&two};
  goto *to[argc > 1];
one:
  return 0;
two:
  return argv[1][0];
}
""")
    project.gcc("-O2", "prog.c", "-o", "prog", *plugin("stage=late", "switch=1"))
    project.run("./prog", env={"PATHPROF_SWITCH": "on"})
    (left_out,) = project.profile()["left_out"]
    assert left_out["name"] == "main" and re.search("uninstrumented body.*address", left_out["reason"])


# Iterations of the outer loop share blocks with those that had an inner loop; a switch statement leads to these blocks.
SHORT_ITERATIONS = """\
#include <stdio.h>
int utf;
__attribute__ ((noinline)) static const char *
find (const char *p, const char *end, int kind)
{
  switch (kind)
    {
    case 1:
      if (p < end)
        return p;
    case 3:
      while (p < end)
        {
          int n = 0, c = *p++;
          if (utf)
            {
              n = c & 3;
              while (n-- > 0 && p < end)
                c |= *p++;
            }
          switch (c)
            {
            case 10:
            case 13:
              return p;
            }
        }
    }
  return 0;
}

int
main (void)
{
  static const char text[] = "some text\\nof several lines";
  for (utf = 0; utf < 2; utf++)
    for (int kind = 0; kind < 4; kind++)
      printf ("%d\\n", find (text, text + sizeof text, kind) != 0);
  return 0;
}
"""


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2", "-O3"])
@pytest.mark.parametrize("mode", ["acyclic", "kiter", "intracontext"])
def test_switch_statement_behind_a_loop(project, mode, level):
    """Regression 21: copies of blocks keep the labels that switch statements refer to."""
    project.write("prog.c", SHORT_ITERATIONS)
    project.gcc(level, "-w", "-fchecking=1", *plugin("stage=early", "switch=1", f"mode={mode}"), "prog.c", "-o", "prog")
    for setting in "off", "on":
        assert project.run("./prog", env={"PATHPROF_SWITCH": setting}).stdout.split() == list("01010100")
    counts = [int(path["count"]) for function in project.profile()["functions"] if function["name"] == "main"
              for path in function["paths"] if path["end"] == "exit"]
    assert counts == [1]
