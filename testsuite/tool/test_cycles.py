# SPDX-License-Identifier: GPL-3.0-or-later
"""metric=tsc from the compiler to pathdump: counts stay what they are, cycles are never lost or counted twice.

No test knows how long anything takes.  What is interrupted takes far longer; so tests compare sums that one
interruption cannot turn around, or let the program measure again."""

import itertools
import json
import signal
import subprocess

import pytest

import test_company
import test_threads

METRIC = "-fplugin-arg-pathprof-metric=tsc"
STORAGES = ("6000", "0")

# Prints the cycles that all of it took.
PROGRAM = """\
#include <pathrt.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PLAIN __attribute__ ((noinline, no_profile_instrument_function))
static volatile unsigned sink;

static PLAIN void
spin (unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    sink += i;
}

__attribute__ ((noinline)) static void
busy (unsigned n)
{
  if (n > 100)
    spin (n);
  else
    sink += n;
}

static jmp_buf back;

__attribute__ ((noinline)) static void
jumps (int depth)
{
  if (depth == 0)
    longjmp (back, 1);
  jumps (depth - 1);
  sink++;
}

__attribute__ ((noinline)) static int
catches (void)
{
  if (setjmp (back) == 0)
    jumps (3);
  return (int) sink;
}

static PLAIN unsigned long long
clock_now (void)
{
  return __builtin_ia32_rdtsc ();
}

static void
work (int times)
{
  for (int i = 0; i < times; i++)
    {
      busy (100000);
      busy (1);
      catches ();
    }
}

static PLAIN void
act (char what, int times)
{
  if (what == 'd')
    for (int i = 0; i < 4; i++)
      {
        work (times / 4);
        pathrt_dump ();
      }
  else if (what == 'f')
    {
      work (times / 2);
      if (fork () == 0)
        {
          work (times / 2);
          exit (0);
        }
      wait (NULL);
    }
  else
    work (times);
}

PLAIN int
main (int argc, char **argv)
{
  unsigned long long before = clock_now ();
  act (argv[1][0], 40);
  printf ("%llu\\n", clock_now () - before);
  fflush (stdout);
  if (argc > 2)
    for (;;)
      pause ();
  return 0;
}
"""


def build(project, *options):
    project.write("prog.c", PROGRAM)
    project.gcc("-O1", "-g", *options, "prog.c", "-o", "prog")


def measured(project):
    """Of each function its cycles, and those of its path that takes longest."""
    functions = project.profile()["functions"]
    assert {function["metric"] for function in functions} == {"tsc"}
    cycles = {f["name"]: [int(path["cycles"]) for path in f["paths"] if path["end"] != "call"] for f in functions}
    return {name: (sum(all_of), max(all_of)) for name, all_of in cycles.items()}


def counts(project):
    """Of all functions but that which longjmp ends: what counts before a call need not be counted behind it."""
    return {f["name"]: [(path["id"], path["count"]) for path in f["paths"]]
            for f in project.profile()["functions"] if f["name"] != "jumps"}


def is_plausible(project, elapsed, share):
    """Together the functions took no longer than the program, and busy's path that spins most of it."""
    cycles = measured(project)
    total = sum(of_function for of_function, _ in cycles.values())
    spinning = cycles["busy"][1]
    return total <= elapsed and spinning > total / 2 and spinning > elapsed * share


def run_until_plausible(project, run, share=0):
    """`run` returns what the program took.  An interruption at a bad moment may spoil a run, not several."""
    for _ in range(5):
        for profile in project.folder.glob("*.pathprof"):
            profile.unlink()
        elapsed = run()
        if is_plausible(project, elapsed, share):
            return
    assert False, (elapsed, measured(project))


def elapsed_of(project, how):
    return int(project.run("./prog", how).stdout)


@pytest.mark.parametrize("termination", ["basic", "exact"])
@pytest.mark.parametrize("stage", ["source", "early", "late"])
@pytest.mark.parametrize("storage", STORAGES)
def test_sums_of_one_thread(project, storage, stage, termination):
    options = (f"-fplugin-arg-pathprof-array-max={storage}", f"-fplugin-arg-pathprof-stage={stage}",
               f"-fplugin-arg-pathprof-termination={termination}")
    build(project, METRIC, *options)
    run_until_plausible(project, lambda: elapsed_of(project, "w"), share=1 / 4)
    with_metric = counts(project)
    (project.folder / "prog.pathprof").unlink()
    build(project, *options)
    project.run("./prog", "w")
    assert counts(project) == with_metric


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("update", ["single", "atomic", "thread"])
@pytest.mark.parametrize("how", "df")
def test_dumps_and_forks_add_up(project, how, update, storage):
    build(project, METRIC, f"-fplugin-arg-pathprof-update={update}", f"-fplugin-arg-pathprof-array-max={storage}")
    run_until_plausible(project, lambda: elapsed_of(project, how))
    assert dict(counts(project)["busy"]) == {"0": 40, "1": 40}


def elapsed_of_killed(project):
    for raw in project.folder.glob("*.raw"):
        raw.unlink()
    process = subprocess.Popen(["./prog", "w", "wait"], cwd=project.folder, stdout=subprocess.PIPE, text=True,
                               env={"PATHPROF_MODE": "continuous"})
    elapsed = int(process.stdout.readline())
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return elapsed


def test_runs_add_up(project):
    build(project, METRIC)
    run_until_plausible(project, lambda: sum(elapsed_of(project, "w") for _ in range(3)), share=1 / 4)
    assert project.profile()["runs"] == 3


@pytest.mark.parametrize("storage", STORAGES)
def test_killed_in_continuous_mode(project, storage):
    build(project, METRIC, f"-fplugin-arg-pathprof-array-max={storage}")
    run_until_plausible(project, lambda: elapsed_of_killed(project), share=1 / 4)
    project.run("./prog", "w")  # takes over what the killed one left
    assert dict(counts(project)["busy"]) == {"0": 80, "1": 80}
    assert not list(project.folder.glob("*.raw"))


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("update", test_threads.EXACT)
def test_threads_count_exactly(project, update, storage):
    times = 20000
    project.write("prog.c", test_threads.HOT)
    project.gcc("-O2", "-pthread", METRIC, *test_threads.options(update), f"-fplugin-arg-pathprof-array-max={storage}",
                "prog.c", "-o", "prog")
    project.run("./prog", times)
    assert project.functions()["hot"] == [2 * times, 2 * times, 4 * times]
    # What measuring is said to have cost may be all of it where other processes are busy.
    done = project.pathdump("functions", "--json", "prog.pathprof")
    run = next(f for f in json.loads(done.stdout)["functions"] if f["name"] == "run")
    assert int(run["cycles"]) + int(run["measuring_cycles"]) > 0


def test_raised_arrays(project):
    build(project, METRIC, "-fplugin-arg-pathprof-array-max=0")
    raised = {"PATHPROF_ARRAY_MAX": "6000"}
    run_until_plausible(project, lambda: int(project.run("./prog", "w", env=raised).stdout), share=1 / 4)
    assert dict(counts(project)["busy"]) == {"0": 40, "1": 40}


def test_scheme_chooses_functions(project):
    project.write("scheme", "busy metric=tsc\n")
    build(project, "-fplugin-arg-pathprof-scheme=scheme")
    project.run("./prog", "w")
    metrics = {f["name"]: f["metric"] for f in project.profile()["functions"]}
    assert metrics.pop("busy") == "tsc" and set(metrics.values()) == {"none"}
    report = project.pathdump.json("--json")
    assert report["ranked_by"] == "cycles" and report["paths"][0]["function"] == "busy"


@pytest.mark.parametrize("company", test_company.COMPANIES)
def test_beside_other_options(project, company):
    options, environment = test_company.COMPANIES[company]
    project.write("prog.c", test_company.COUNTED_C + test_company.COUNTED_MAIN + test_company.HOOKS)
    project.gcc(METRIC, "-fplugin-arg-pathprof-stage=source", *options.split(), "prog.c", "-o", "prog")
    done = project.run("./prog", env=environment)
    assert (done.stdout, done.stderr) == (test_company.OUTPUT, "")
    assert test_company.counts_of(project) == test_company.COUNTS


@pytest.mark.parametrize("sanitizer, update", itertools.product(["thread", "address,undefined"], ["atomic", "thread"]))
def test_sanitizers_see_nothing(project, sanitizer, update):
    project.write("prog.c", test_threads.HOT)
    project.gcc("-O1", "-pthread", METRIC, f"-fsanitize={sanitizer}", f"-fplugin-arg-pathprof-update={update}",
                "prog.c", "-o", "prog")
    assert project.run("./prog", 20000).stderr == ""


@pytest.mark.parametrize("how", ["w", "killed"])
@pytest.mark.parametrize("storage", STORAGES)
def test_profile_says_what_measuring_cost(project, how, storage):
    """Each execution of a path costs the same within a run, so that functions pay by how often their paths ran."""
    build(project, METRIC, f"-fplugin-arg-pathprof-array-max={storage}")
    elapsed_of_killed(project) if how == "killed" else elapsed_of(project, how)
    profile = next(project.folder.glob("*.raw")) if how == "killed" else "prog.pathprof"
    found = project.pathdump.json("functions", "--json", profile)
    each = {function["name"]: function["measuring_cycles"] / function["executions"] for function in found["functions"]
            if function["name"] in ("busy", "work")}  # the others have empty paths, or such that never end
    assert len(each) == 2
    assert min(each.values()) > 0 and max(each.values()) - min(each.values()) <= 1
    assert found["measuring_cycles"] == sum(function["measuring_cycles"] for function in found["functions"])
