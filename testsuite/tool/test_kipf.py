# SPDX-License-Identifier: GPL-3.0-or-later
"""mode=kipf: sequences of paths through what a process may live, and what pathdump makes of them."""

import re
import signal

import pytest

from conftest import assert_mentions, wait_for

KIPF = "-fplugin-arg-pathprof-mode=kipf"

# f takes its paths in a fixed order in each activation of n iterations; go says what else happens.
WALK = """\
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <signal.h>
#include <pthread.h>
#include "pathrt.h"

static volatile int sink;

__attribute__ ((noinline)) static void
f (int n)
{
  for (int i = 0; i < n; i++)
    if (i % 3 == 0)
      sink = 1;
    else
      sink = 2;
}

__attribute__ ((unused)) static void *
thread (void *times)
{
  for (long i = 0; i < (long) times; i++)
    f (10);
  return NULL;
}
"""


# Six threads with 20,000 calls of f each.
SIX_THREADS = """\
  pthread_t threads[6];
  for (int i = 0; i < 6; i++)
    pthread_create (&threads[i], NULL, thread, (void *) 20000);
  for (int i = 0; i < 6; i++)
    pthread_join (threads[i], NULL);"""


def build(project, body, *options):
    project.write("prog.c", WALK + "int\nmain (void)\n{\n" + body + "\n  return 0;\n}\n")
    project.gcc("-O1", "-g", "-pthread", KIPF, *options, "prog.c", "-o", "prog")


def exported(project, name="prog.pathprof"):
    functions = project.pathdump.json("export", name)["functions"]
    return {function["name"]: function for function in functions}


def nodes(function):
    found = {}
    work = [((), node) for node in function["forest"]]
    while work:
        before, node = work.pop()
        found[before + (node["path"],)] = int(node["count"])
        work += ((before + (node["path"],), child) for child in node["children"])
    return found


def times(counts, factor):
    return {gram: count * factor for gram, count in counts.items()}


@pytest.fixture(name="once")
def sequences_of_one_call(project):
    """What one f (10) counts, by k."""

    def count(k):
        build(project, "  f (10);", f"-fplugin-arg-pathprof-k={k}")
        project.run("./prog")
        counts = nodes(exported(project)["f"])
        (project.folder / "prog.pathprof").unlink()
        return counts

    return count


@pytest.mark.parametrize("k", (1, 2, 3, 10, 64))
def test_first_level_is_the_paths(project, once, k):
    counts = once(k)
    assert max(map(len, counts)) == min(k, 11)
    assert sum(count for gram, count in counts.items() if len(gram) == 1) == 11
    for n in range(1, min(k, 11) + 1):
        assert sum(count for gram, count in counts.items() if len(gram) == n) == 12 - n


@pytest.mark.parametrize("update", ("atomic", "thread"))
def test_threads_count_exactly(project, once, update):
    counts = once(5)
    build(project, SIX_THREADS, "-fplugin-arg-pathprof-k=5", f"-fplugin-arg-pathprof-update={update}")
    project.run("./prog")
    assert nodes(exported(project)["f"]) == times(counts, 120000)
    project.pathdump("check")


def test_threads_that_race_only_lose_counts(project, once):
    counts = once(5)
    build(project, SIX_THREADS, "-fplugin-arg-pathprof-k=5", "-fplugin-arg-pathprof-update=single")
    project.run("./prog")
    found = nodes(exported(project)["f"])
    assert set(found) == set(counts)
    assert all(found[gram] <= 120000 * count for gram, count in counts.items())


@pytest.mark.parametrize("mode", ("exit", "continuous"))
def test_child_of_a_fork_starts_at_zero(project, once, mode):
    counts = once(4)
    build(project, """\
  f (10);
  if (fork () == 0) {
    f (10);
    exit (0);
  }
  wait (NULL);
  f (10);""", "-fplugin-arg-pathprof-k=4")
    project.run("./prog", env={"PATHPROF_MODE": mode})
    assert nodes(exported(project)["f"]) == times(counts, 3)
    project.pathdump("check")


def test_runs_add_up_in_any_order(project, once):
    counts = once(4)
    build(project, "  f (10);", "-fplugin-arg-pathprof-k=4")
    for name in "abc":
        project.run("./prog", env={"PATHPROF_FILE": f"{name}.pathprof"})
    project.run("./prog")
    project.run("./prog")
    assert nodes(exported(project)["f"]) == times(counts, 2)
    project.pathdump("merge", "-w", "1,3,5", "-o", "x.pathprof", "a.pathprof", "b.pathprof", "c.pathprof")
    project.pathdump("merge", "-w", "5,1,3", "-o", "y.pathprof", "c.pathprof", "a.pathprof", "b.pathprof")
    assert project.read("x.pathprof") == project.read("y.pathprof")
    assert nodes(exported(project, "x.pathprof")["f"]) == times(counts, 9)


def test_dump_and_reset(project, once):
    counts = once(4)
    build(project, """\
  f (10);
  pathrt_dump ();
  f (10);
  pathrt_dump ();
  f (10);
  pathrt_reset ();
  f (10);""", "-fplugin-arg-pathprof-k=4")
    project.run("./prog")
    assert nodes(exported(project)["f"]) == times(counts, 3)


@pytest.mark.parametrize("update", ("single", "thread"))
def test_killed_in_continuous_mode(project, once, update):
    counts = once(4)
    build(project, "  thread ((void *) 5000);\n  raise (SIGKILL);", "-fplugin-arg-pathprof-k=4",
          f"-fplugin-arg-pathprof-update={update}")
    project.run("./prog", status=-9, env={"PATHPROF_MODE": "continuous"})
    assert nodes(exported(project)["f"]) == times(counts, 5000)
    project.run("./prog", status=-9, env={"PATHPROF_MODE": "continuous"})
    project.run("./prog", status=-9)
    assert nodes(exported(project)["f"]) == times(counts, 10000)


def test_pause_in_continuous_mode(project, once):
    counts = once(4)
    build(project, """\
  f (10);
  pathrt_pause ();
  f (10);
  f (30);
  pathrt_resume ();
  f (10);""", "-fplugin-arg-pathprof-k=4")
    project.run("./prog", env={"PATHPROF_MODE": "continuous"})
    found = nodes(exported(project)["f"])
    assert set(found) == set(counts)


def test_signal_handlers_count(project):
    build(project, """\
  signal (SIGUSR1, handler);
  for (int i = 0; i < 1000; i++)
    {
      raise (SIGUSR1);
      f (10);
    }""".replace("handler", "(void (*) (int)) f"), "-fplugin-arg-pathprof-k=6")
    project.run("./prog")
    project.pathdump("check")


def totals(counts):
    """Executions of the sequences of each length."""
    lengths = sorted(set(map(len, counts)))
    return [sum(count for gram, count in counts.items() if len(gram) == n) for n in lengths]


# call throws in the fifth iteration if it is to; each loops over calls and catches.
THROWING = """\
static volatile int sink;

__attribute__ ((noinline)) static void
call (int i, bool throws)
{
  if (throws && i == 4)
    throw i;
  sink = i;
}

__attribute__ ((noinline)) static void
f (int n, bool throws)
{
  for (int i = 0; i < n; i++)
    call (i, throws);
}

__attribute__ ((noinline)) static void
each (int n)
{
  for (int i = 0; i < n; i++)
    try
      {
        f (10, i % 2);
      }
    catch (int)
      {
        sink = -1;
      }
}

int
main ()
{
  for (int i = 0; i < 3; i++)
    each (6);
}
"""


@pytest.mark.parametrize("update", ("single", "thread"))
@pytest.mark.parametrize("stage", ("source", "early", "late"))
def test_exceptions_end_sequences(project, stage, update):
    """No sequence goes over the end of an activation, and a caught exception ends none."""
    project.write("prog.cc", THROWING)
    project.gxx("-O1", "-g", KIPF, "-fplugin-arg-pathprof-k=20", f"-fplugin-arg-pathprof-stage={stage}",
                f"-fplugin-arg-pathprof-update={update}", "prog.cc", "-o", "prog")
    project.run("./prog")
    project.pathdump("check")
    functions = {name: nodes(function) for name, function in exported(project).items()}
    f, each = (next(counts for name, counts in functions.items() if part in name) for part in ("1fib", "4eachi"))
    whole = max(map(len, f))
    assert whole in (10, 11)  # whether a path leaves the last iteration, or the loop's head
    # Nine activations run to their end; nine have four paths, and a fifth that the exception ended uncounted.
    assert totals(f) == [9 * (whole + 1 - n) + 9 * max(5 - n, 0) for n in range(1, whole + 1)]
    iterations = max(map(len, each))
    assert iterations in (6, 7)
    assert totals(each) == [3 * (iterations + 1 - n) for n in range(1, iterations + 1)]


def test_library_that_is_opened_and_closed(project, once):
    """Sequences of its functions are written when it is closed, and add up."""
    counts = once(4)
    project.write("lib.c", WALK.replace("static void\nf", "void\nf"))
    project.gcc("-O1", "-g", "-fPIC", "-shared", KIPF, "-fplugin-arg-pathprof-k=4", "lib.c", "-o", "lib.so")
    build(project, """\
  for (int i = 0; i < 3; i++)
    {
      void *library = dlopen ("./lib.so", RTLD_NOW);
      void (*in_library) (int) = (void (*) (int)) dlsym (library, "f");
      in_library (10);
      f (10);
      in_library (10);
      dlclose (library);
    }""", "-fplugin-arg-pathprof-k=4", "-ldl")
    project.run("./prog")
    project.pathdump("check")
    functions = project.pathdump.json("export", "prog.pathprof")["functions"]
    by_file = {function["file"]: nodes(function) for function in functions if function["name"] == "f"}
    assert by_file == {"prog.c": times(counts, 3), "lib.c": times(counts, 6)}


def test_signal_dumps_sequences(project, once):
    """Those of a program that runs, again and again; nothing is counted twice."""
    counts = once(4)
    build(project, """\
  char line;
  while (read (0, &line, 1) == 1)
    {
      f (10);
      if (write (1, "\\n", 1) != 1)
        return 1;
    }""", "-fplugin-arg-pathprof-k=4")
    program = project.start("./prog", env={"PATHPROF_SIGNAL": "USR2"})
    for rounds in (1, 2):
        program.stdin.write("\n")
        program.stdin.flush()
        assert program.stdout.readline() == "\n"
        program.send_signal(signal.SIGUSR2)
        wait_for(lambda times_run=rounds: project.exists("prog.pathprof")
                 and nodes(exported(project)["f"]) == times(counts, times_run))
    program.stdin.write("\n")
    _, error = program.communicate()
    assert (program.returncode, error) == (0, "")
    assert nodes(exported(project)["f"]) == times(counts, 3)
    project.pathdump("check")


RANDOM = """\
  unsigned seed = 1;
  for (int i = 0; i < 200000; i++)
    {
      seed = seed * 1664525u + 1013904223u;
      if (seed >> 31)
        sink = 3;
      if (seed >> 30 & 1)
        sink = 4;
    }"""


def test_room_is_bounded(project):
    build(project, RANDOM, "-fplugin-arg-pathprof-k=8")
    project.run("./prog", env={"PATHPROF_FOREST_MAX": "10000000"})
    whole = exported(project)["main"]
    assert not whole["forest_pruned"]
    (project.folder / "prog.pathprof").unlink()
    project.run("./prog", env={"PATHPROF_FOREST_MAX": "500"})
    pruned = exported(project)["main"]
    assert pruned["forest_pruned"]
    assert pruned["paths"] == whole["paths"]
    all_nodes, some_nodes = nodes(whole), nodes(pruned)
    for gram, count in some_nodes.items():
        assert count == all_nodes[gram] if len(gram) <= 2 else count <= all_nodes[gram]
    assert {gram for gram in all_nodes if len(gram) == 2} == {gram for gram in some_nodes if len(gram) == 2}
    report = project.pathdump("report", "--sequences").stdout
    assert_mentions(report, "truncated", "PATHPROF_FOREST_MAX")


def test_wrong_limit_is_told(project):
    build(project, "  f (10);")
    done = project.run("./prog", env={"PATHPROF_FOREST_MAX": "many"})
    assert_mentions(done.stderr, "PATHPROF_FOREST_MAX", "'many'", "number")


def test_any_number_of_paths(project):
    ifs = "\n".join(f"      if (i & {1 << bit})\n        sink = {bit};" for bit in range(20))
    build(project, f"  for (int i = 0; i < 300; i++)\n    {{\n{ifs}\n    }}", "-fplugin-arg-pathprof-k=3",
          "-fplugin-arg-pathprof-stage=source")
    project.run("./prog")
    main = exported(project)["main"]
    assert int(main["num_paths"]) > 2**20 and main["cuts"] == 0
    assert nodes(main)
    project.pathdump("check")


def test_report_shows_one_window_of_a_run(project):
    build(project, "  for (int i = 0; i < 1000; i++)\n    f (31);", "-fplugin-arg-pathprof-k=6",
          "-fplugin-arg-pathprof-stage=source")
    project.run("./prog")
    listed = project.pathdump.json("report", "--sequences", "--json", "--function", "f")["sequences"]
    first = listed[0]
    assert (first["length"], first["period"]) == (6, 3)
    assert first["share"] < 100
    of_three = [sequence for sequence in listed if sequence["period"] == 3]
    assert len(of_three) == 1
    text = project.pathdump("report", "--sequences", "--function", "f").stdout
    assert "repeated 2 times" in text and "loop → backedge: from prog.c:" in text


def test_report_counts_functions_with_sequences(project):
    """Functions whose loops never ran have none."""
    body = "(int n) { for (int i = 0; i < n; i++) sink += i & 1 ? 2 : i; }\n"
    project.write("prog.c", f"volatile int sink;\nvoid ran {body}void never {body}int main (int argc, char **argv)\n"
                            "{\n  ran (10);\n  if (argc > 5)\n    never (10);\n  return argv == 0;\n}\n")
    project.gcc("-O0", "-g", KIPF, "-fplugin-arg-pathprof-stage=source", "prog.c", "-o", "prog")
    project.run("./prog")
    assert re.match("prog: 1 run, sequences of .* in 1 function,", project.pathdump("report", "--sequences").stdout)
    assert project.pathdump.json("report", "--sequences", "--json")["functions_with_sequences"] == 1


def slab_forest(stream, k):
    """Of one activation the nodes of the k-slab forest that are counted or lead to one that is, by the labels from their root, and those with
    children.  A label counts in the lower slab, and in the upper one as long as there is no lower."""
    found, upper, lower = set(), None, None
    for at, label in enumerate(stream):
        if at % (k - 1) == 0:
            upper, lower = (label,), upper
        else:
            upper = upper + (label,)
        lower = lower and lower + (label,)
        counted = lower or upper
        found |= {counted[:length] for length in range(1, len(counted) + 1)}
    return found, {node[:-1] for node in found if len(node) > 1}


def test_stats_say_how_large_forests_are(project, once):
    """With k beyond its length the longest sequence of one activation is all of it."""
    stream = max(once(64), key=len)
    build(project, "  f (10);", "-fplugin-arg-pathprof-k=4")
    project.run("./prog")
    sequences = {stream[start:end] for start in range(11) for end in range(start + 1, min(start + 4, 11) + 1)}
    slabs, inner = slab_forest(stream, 4)
    (f,) = project.pathdump.json("stats", "--json", "--function", "f")["functions"]
    assert f["forest"] == {"slab_nodes": len(slabs), "inner_slab_nodes": len(inner), "sequences": len(sequences)}
    (line,) = re.findall(r"^sequences of .*", project.pathdump("stats", "--function", "f").stdout, re.M)
    assert re.findall(r"[\d.]+", line) == [str(len(sequences)), str(len(slabs)), f"{len(slabs) / len(inner):.2f}"]


def test_other_commands_read_the_paths(project):
    build(project, "  for (int i = 0; i < 10; i++)\n    f (10);", "-fplugin-arg-pathprof-k=4")
    project.run("./prog")
    assert "110" in project.pathdump("functions", "--function", "f").stdout
    assert "f" in project.pathdump("report").stdout
    ids = [path["id"] for path in exported(project)["f"]["paths"]]
    project.pathdump("path", "f", ids[0])


def test_acyclic_profiles_have_no_sequences(project):
    project.write("prog.c", "int main (void) { return 0; }\n")
    project.gcc("-g", "prog.c", "-o", "prog")
    project.run("./prog")
    assert "mode=kipf" in project.pathdump("report", "--sequences", status=2).stderr


def test_damaged_forests_are_refused(project):
    build(project, "  f (10);", "-fplugin-arg-pathprof-k=4")
    project.run("./prog")
    whole = project.read("prog.pathprof")
    for at in range(0, len(whole), 7):
        (project.folder / "x.pathprof").write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1:])
        done = project.pathdump("report", "--sequences", "x.pathprof", status=3)
        assert done.stderr.startswith("pathdump: x.pathprof: ")
