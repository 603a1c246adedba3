# SPDX-License-Identifier: GPL-3.0-or-later
"""The argument weights=FILE: an earlier profile says which edges are hot."""

import re

import pytest

from random_program import Program
from conftest import assert_mentions, the_error
from test_random_programs import build_and_check

PROFILE = "prog.pathprof"
WEIGHTS = f"-fplugin-arg-pathprof-weights={PROFILE}"
VERBOSE = "-fplugin-arg-pathprof-verbose=1"

# Every branch is said to be taken, and never is.
SKEWED = """\
static volatile int sink;

__attribute__ ((noinline)) void
f (int n)
{
%s}

int
main (void)
{
  for (int n = 0; n < 1000; n++)
    f (n);
  return 0;
}
"""


def skewed(branches):
    return SKEWED % "".join(f"  if (__builtin_expect (n == {1000 + branch}, 1)) sink = {branch};\n"
                            f"  else sink = -{branch};\n" for branch in range(branches))


def build(project, *options, name="prog"):
    """Builds prog.c and runs it; its profile is NAME.pathprof."""
    project.gcc("-O2", "-g", *options, "prog.c", "-o", name)
    project.run(f"./{name}")


def function(project, name, profile=PROFILE):
    return next(f for f in project.profile(profile)["functions"] if f["name"] == name)


def dumped_operations(project, name, *options):
    """The operations on each edge of a function, by source and destination."""
    project.gcc("-O2", "-g", "-c", *options, "-fplugin-arg-pathprof-dump=tree-pathprof", "prog.c", "-o", "dump.o")
    dump, = (path.read_text() for path in project.folder.glob("*.pathprof") if path.name != PROFILE)
    part = dump.partition(f";; pathprof {name}:")[2].partition(";; Function")[0]
    return {(int(src), int(dst)): [op for op in ops.split("; ") if op]
            for src, dst, ops in re.findall(r"^;;   edge (\d+) -> (\d+) \[.*?\] *(.*)$", part, re.MULTILINE)}


def hot_operations(function, operations):
    """Those on the path that ran most often."""
    blocks = max(function["paths"], key=lambda path: path["count"])["blocks"]
    return [op for edge in zip(blocks, blocks[1:]) for op in operations[edge]]


# What a path cannot do without: it sets the register once and counts once; or, if it is determined by one edge, as
# copied blocks make it at late, it counts only.
@pytest.mark.parametrize("stage, needed", [("source", 2), ("early", 2), ("late", 1)])
def test_hot_edges_are_in_the_tree(project, stage, needed):
    stage = f"-fplugin-arg-pathprof-stage={stage}"
    project.write("prog.c", skewed(5))
    build(project, stage)
    f = function(project, "f")
    assert [path["count"] for path in f["paths"]] == [1000]
    assert len(hot_operations(f, dumped_operations(project, "f", stage, WEIGHTS))) == needed
    assert len(hot_operations(f, dumped_operations(project, "f", stage))) > needed


def test_hot_path_is_not_cut(project):
    limit = "-fplugin-arg-pathprof-paths-max=200"
    project.write("prog.c", skewed(12))
    build(project, limit)
    guessed = function(project, "f")
    assert guessed["cuts"] > 0 and len(guessed["paths"]) > 1
    build(project, limit, WEIGHTS, name="again")
    measured = function(project, "f", "again.pathprof")
    assert measured["cuts"] > 0 and int(measured["num_paths"]) <= 200
    assert [(path["start"], path["end"], path["count"]) for path in measured["paths"]] == [("entry", "exit", 1000)]


def test_numbers_depend_on_weights_only_through_cuts(project):
    project.write("prog.c", skewed(5))
    build(project)
    build(project, WEIGHTS, name="again")
    assert project.profile("again.pathprof")["functions"] == project.profile()["functions"]


def test_same_object_every_time(project):
    project.write("prog.c", skewed(12))
    build(project)
    objects = []
    for _ in range(2):
        project.gcc("-O2", WEIGHTS, "-fplugin-arg-pathprof-paths-max=100", "-c", "prog.c")
        objects.append(project.read("prog.o"))
    assert objects[0] == objects[1]


def test_function_that_never_ran(project):
    project.write("prog.c", skewed(5) + "\nvoid g (int n) { while (n--) if (n & 1) sink = n; else sink = -n; }\n")
    build(project)
    assert function(project, "g")["paths"] == []
    assert dumped_operations(project, "g", WEIGHTS) == dumped_operations(project, "g")
    assert project.notes("-O2", WEIGHTS, VERBOSE) == []


def test_static_functions_of_one_name(project):
    """Each is weighed by its own counts."""
    for unit, argument in (("a", 0), ("b", 3)):
        project.write(f"{unit}.c", f"""\
static volatile int sink;

static __attribute__ ((noinline)) void
helper (int n)
{{
  if (n & 1)
    sink = 1;
  else
    sink = 2;
  if (n & 2)
    sink = 3;
  else
    sink = 4;
}}

void {unit} (void) {{ helper ({argument}); }}
""")
    project.write("main.c", "void a (void), b (void);\n"
                            "int main (void) { for (int n = 0; n < 100; n++) { a (); b (); } }\n")
    project.gcc("-O2", "a.c", "b.c", "main.c", "-o", "prog")
    project.run("./prog")

    def dump(unit, *options):
        project.gcc("-O2", "-c", *options, "-fdump-tree-pathprof", f"{unit}.c")
        text = next(project.folder.glob(f"{unit}.c.*.pathprof")).read_text()
        return re.findall(r"^;;   edge .*", text.partition(";; pathprof helper")[2], re.MULTILINE)

    assert dump("a") == dump("b")
    assert dump("a", WEIGHTS) != dump("b", WEIGHTS)


def test_profile_of_exact_termination(project):
    """Paths that were cut short count too."""
    project.write("prog.c", """\
#include <setjmp.h>

static jmp_buf back;
static volatile int sink;

__attribute__ ((noipa)) void
leave (void)
{
  if (sink)
    longjmp (back, 1);
}

__attribute__ ((noinline)) void
f (int n)
{
  if (__builtin_expect (n != 1, 0))
    sink = 1;
  else
    sink = 2;
  if (__builtin_expect (n != 2, 0))
    sink = 3;
  else
    sink = 4;
  if (__builtin_expect (n != 3, 0))
    sink = 5;
  else
    sink = 6;
  leave ();
  sink = n;
}

int
main (void)
{
  for (volatile int n = 10; n < 110; n++)
    if (!setjmp (back))
      f (n);
  return 0;
}
""")
    exact = "-fplugin-arg-pathprof-termination=exact"
    build(project, exact)
    f = function(project, "f")
    assert [(path["end"], path["count"]) for path in f["paths"]] == [("call", 100)]
    assert len(hot_operations(f, dumped_operations(project, "f", WEIGHTS))) \
        < len(hot_operations(f, dumped_operations(project, "f")))
    build(project, exact, WEIGHTS, name="again")
    assert project.profile("again.pathprof")["functions"] == project.profile()["functions"]


# ---- what the profile does not know ----


def test_verbose_names_what_is_not_in_the_profile(project):
    project.write("prog.c", skewed(2))
    build(project)
    project.write("prog.c", skewed(3) + "void g (void) { }\n")
    assert project.notes("-O2", WEIGHTS) == []
    notes = sorted(project.notes("-O2", WEIGHTS, VERBOSE))
    assert [re.match(r"prog.c:\d+:\d+: note: pathprof: '(\w)'", note)[1] for note in notes] == ["g", "f"]
    for note in notes:
        assert_mentions(note, f"'{PROFILE}'", "'weights'", "estimate")
    assert "graph" not in notes[0] and "graph" in notes[1]


def test_verbose_names_what_the_profile_leaves_out(project):
    project.write("prog.c", skewed(12))
    build(project, "-fplugin-arg-pathprof-paths-max=100", "-fplugin-arg-pathprof-overflow=skip")
    notes = project.notes("-O2", WEIGHTS, VERBOSE)
    assert len(notes) == 1
    assert_mentions(notes[0], "'f'", "left out", f"'{PROFILE}'")


def test_profile_of_another_program_is_warned_of(project):
    project.write("prog.c", skewed(2))
    build(project)
    project.write("new.c", "int add (int a, int b) { while (b--) a++; return a; }\n")
    done = project.gcc("-O2", WEIGHTS, "-c", "new.c")
    assert_mentions(done.stderr, "warning: pathprof: ", f"'{PROFILE}'", "'weights'", "no functions", "[-Wmissing-profile]")
    assert project.gcc("-O2", WEIGHTS, "-Wno-missing-profile", "-c", "new.c").stderr == ""
    assert project.gcc("-O2", WEIGHTS, "-c", "prog.c").stderr == ""


def test_changed_line_numbers_do_not_matter(project):
    project.write("prog.c", skewed(5))
    build(project)
    project.write("prog.c", "\n\n" + skewed(5))
    assert project.notes("-O2", WEIGHTS, VERBOSE) == []


# ---- files that cannot be used ----


@pytest.mark.parametrize("collected, used", [("source", "early"), ("early", "source")])
def test_another_stage(project, collected, used):
    project.write("prog.c", skewed(2))
    build(project, f"-fplugin-arg-pathprof-stage={collected}")
    # The stage counts as it is when all arguments are known.
    error = the_error(project, f"weights={PROFILE}", "-O2", f"-fplugin-arg-pathprof-stage={used}")
    assert_mentions(error, "argument 'weights'", PROFILE, f"stage '{collected}'", f"stage '{used}'")


def test_profile_is_read_only_where_functions_are_planned(project):
    project.write("prog.c", skewed(2))
    build(project)
    project.gcc("-E", WEIGHTS, "prog.c", "-o", "prog.i")
    project.gcc("-O2", "-flto", WEIGHTS, "-c", "prog.c")
    project.gcc("-flto", WEIGHTS, "prog.o", "-o", "linked")
    project.run("./linked")
    assert function(project, "f", "linked.pathprof")["paths"] == function(project, "f")["paths"]


# ---- counts stay right ----


def test_random_programs_with_weights(project):
    cuts = 0
    for seed in range(1, 7):
        program = Program(seed)
        project.write("prog.c", program.text)
        for level, stage in (("-O0", "source"), ("-O3", "late"), ("-O2", "early")):
            assert build_and_check(project.folder, program, level, stage, program_name=level[1:]) == []
            weights = f"weights={level[1:]}.pathprof"
            assert build_and_check(project.folder, program, level, stage, weights, program_name="weighed") == []
        # Where paths are cut, lines and calls are counted right.
        assert build_and_check(project.folder, program, "-O2", "early", weights, "paths-max=200",
                               program_name="cut") == []
        cuts += sum(f["cuts"] for f in project.profile("cut.pathprof")["functions"])
        for file in project.folder.glob("*.pathprof"):
            file.unlink()
    assert cuts > 0
