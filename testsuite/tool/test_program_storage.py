# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs of paths through calls with too many paths for a static array: they are counted in an array that the runtime
maps, or in a table; the counts are the same."""

import re
import signal

import pytest

from conftest import UPDATES, assert_mentions
from test_tables import CHILDREN

CONTEXT = "-fplugin-arg-pathprof-mode=context"
TABLE = "-fplugin-arg-pathprof-array-max=0"

# Two calls of 2^10 paths in an iteration.
PROGRAM = """\
#include <pathrt.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int sink;

static int
step (unsigned bits)
{
""" + "".join(f"  if (bits & {1 << bit})\n    sink = {bit};\n" for bit in range(10)) + """\
  return sink;
}

__attribute__ ((noinline, noclone)) static void
work (unsigned times)
{
  for (unsigned i = 0; i < times; i++)
    {
      step (i * 7 % 1000);
      step (i % 30);
    }
}
"""
PLAIN = "int main (void) { work (40000); return 0; }"
SPY = """\
#include <stdint.h>
#include <stdio.h>

static long calls;
#define SPY(name) \\
  void __real_##name (void *, uint64_t, uint64_t); \\
  void __wrap_##name (void *table, uint64_t id, uint64_t num_paths) \\
  { \\
    __atomic_fetch_add (&calls, 1, __ATOMIC_RELAXED); \\
    __real_##name (table, id, num_paths); \\
  }
SPY (__pathrt_count_mapped)
SPY (__pathrt_count_mapped_atomic)

static __attribute__ ((destructor)) void
tell (void)
{
  printf ("%ld\\n", calls);
}
"""


THREADS = """
static void *thread (void *unused) { work (40000); return unused; }
int main (void)
{
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    pthread_create (&threads[i], 0, thread, 0);
  for (int i = 0; i < 4; i++)
    pthread_join (threads[i], 0);
  return 0;
}"""


def build(project, main, *options, program=PROGRAM):
    project.write("prog.c", program + main)
    project.gcc("-O2", "-pthread", CONTEXT, *options, "prog.c", "-o", "prog")


def calls_of(exported, name):
    return [call for function in exported["functions"] if function["name"] == name for call in function["calls"]]


def run(project, most=1 << 24, **how):
    """Runs the program; the counts of its paths, of which there can be so many, by their numbers."""
    project.run("./prog", **how)
    exported = project.profile()
    (program,) = exported["program_paths"]
    assert 1 << 20 < int(program["num_paths"]) < most
    assert all(call["kind"] == "whole" for call in calls_of(exported, "work"))
    for file in project.folder.glob("prog.pathprof*"):
        file.unlink()
    return {path["id"]: path["count"] for path in program["paths"]}


def updating(update):
    return f"-fplugin-arg-pathprof-update={update}"


@pytest.mark.parametrize("update", UPDATES)
def test_calls_of_the_runtime(project, update):
    """One, which maps the array."""
    build(project, PLAIN, TABLE, updating(update))
    expected = run(project)
    assert len(expected) > 2500
    project.write("spy.c", SPY)
    project.run("cc", "-c", "spy.c")
    wrapped = "__pathrt_count_mapped,--wrap=__pathrt_count_mapped_atomic"
    build(project, PLAIN, updating(update), "spy.o", f"-Wl,--wrap={wrapped}", "-fchecking=1")
    assert project.run("./prog").stdout == "1\n"
    assert run(project) == {path: 2 * count for path, count in expected.items()}


def test_no_array_in_continuous_mode(project):
    """There it would have to be reserved on the disk."""
    build(project, PLAIN.replace("return 0", "system (\"cat /dev/null *.raw | wc -c\")"), updating("single"))
    size = int(project.run("./prog", env={"PATHPROF_MODE": "continuous"}).stdout)
    assert 0 < size < 8 << 20


@pytest.mark.parametrize("mode", ["exit", "continuous"])
@pytest.mark.parametrize("update, main", [("thread", THREADS), ("atomic", THREADS)] +
                         [(update, CHILDREN) for update in UPDATES])
def test_counts_are_those_of_a_table(project, mode, update, main):
    counts = []
    for options in ((TABLE,), ()):
        build(project, main, updating(update), *options)
        counts.append(run(project, env={"PATHPROF_MODE": mode}))
    assert counts[0] == counts[1]


def test_killed_in_continuous_mode(project):
    counts = []
    for options in ((TABLE,), ()):
        build(project, PLAIN.replace("return 0", "kill (getpid (), SIGKILL)"), updating("single"), *options)
        counts.append(run(project, env={"PATHPROF_MODE": "continuous"}, status=-signal.SIGKILL))
    assert counts[0] == counts[1]


# Eight calls in an iteration.
WIDE_PROGRAM = PROGRAM.replace("step (i % 30);", "".join(f"step (i * {factor} % 1000);" for factor in range(1, 8)))
WIDE = "-fplugin-arg-pathprof-wide=1"


def run_wide(project, **how):
    counts = run(project, 1 << 124, **how)
    assert max(int(number) for number in counts) >= 1 << 64
    return counts


@pytest.mark.parametrize("main", (THREADS, CHILDREN))
def test_numbers_of_two_digits(project, main):
    """Nothing is lost: each way of counting has the same."""
    counts = []
    for update in ("atomic", "thread") if main == THREADS else UPDATES:
        build(project, main, updating(update), WIDE, program=WIDE_PROGRAM)
        counts += [run_wide(project, env={"PATHPROF_MODE": mode}) for mode in ("exit", "continuous")]
    assert all(one == counts[0] for one in counts)
    assert sum(counts[0].values()) > 40000


def test_numbers_of_two_digits_need_no_room_for_sequences(project):
    build(project, PLAIN, WIDE, program=WIDE_PROGRAM)
    expected = run_wide(project)
    assert run_wide(project, env={"PATHPROF_FOREST_MAX": "0"}) == expected


def test_numbers_of_two_digits_in_a_merge(project):
    build(project, PLAIN, WIDE, program=WIDE_PROGRAM)
    expected = run_wide(project)
    for name in ("a", "b"):
        project.run("./prog", env={"PATHPROF_FILE": f"{name}.pathprof"})
    project.pathdump("merge", "-w", "3", "-o", "prog.pathprof", "a.pathprof", "b.pathprof")
    (program,) = project.profile()["program_paths"]
    assert {path["id"]: path["count"] for path in program["paths"]} == {path: 6 * count for path, count in expected.items()}
    number = max(expected, key=int)
    assert_mentions(project.pathdump("path", "prog.pathprof", "prog.c", number).stdout.splitlines()[0],
                    f"path {number}", "prog.c", f"executed {6 * expected[number]} times")
    project.pathdump("html", "-o", "page.html", "prog.pathprof")
    linked = set(re.findall(r"[;&]p=(\d+)", (project.folder / "page.html").read_text()))
    assert linked <= set(expected) and any(int(path) >= 1 << 64 for path in linked)


def test_numbers_of_two_digits_killed_in_continuous_mode(project):
    build(project, PLAIN.replace("return 0", "kill (getpid (), SIGKILL)"), WIDE, program=WIDE_PROGRAM)
    killed = run_wide(project, env={"PATHPROF_MODE": "continuous"}, status=-signal.SIGKILL)
    build(project, PLAIN, WIDE, program=WIDE_PROGRAM)
    whole = run_wide(project)
    assert sum(whole.values()) - sum(killed.values()) in (1, 2)  # of open activations


def test_many_units_link(project):
    """Arrays of 128 MB each would not fit in what static data may have."""
    for unit in range(20):
        project.write(f"unit{unit}.c", PROGRAM + f"void run{unit} (void) {{ work (100); }}")
    calls = "".join(f"void run{unit} (void); run{unit} ();" for unit in range(20))
    project.write("main.c", f"int main (void) {{ {calls} return 0; }}")
    project.gcc("-O1", CONTEXT, "main.c", *(f"unit{unit}.c" for unit in range(20)), "-o", "prog")
    project.run("./prog")
    assert len(project.profile()["program_paths"]) == 21
