# SPDX-License-Identifier: GPL-3.0-or-later
"""Line counts from paths under exact termination, against gcov's."""

import pathlib
import sys

import pytest

from conftest import BIN, GCC, version_of, version_suffix, wait_for

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "real"))
import gcov_lines  # noqa: E402

LINES = ("-O0", "-g", "-pthread")


# By what a source's name ends in: the plain compiler and ours.
COMPILERS = {".c": ("gcc", "pathprof-gcc"), ".cc": ("g++", "pathprof-g++"), ".f": ("gfortran", "pathprof-gfortran")}


def build_both(project, source, options, arguments, status=0):
    """Runs the program with both kinds of instrumentation; gcov's name."""
    plain, ours = COMPILERS[pathlib.Path(source).suffix]
    suffix = version_suffix(project)
    project.write(source, (HERE / "gcov" / source).read_text())
    project.run(BIN / ours, *options, "-w", *(f"-fplugin-arg-pathprof-{argument}" for argument in arguments), source,
                "-o", "prog")
    printed = project.run("./prog", status=status).stdout
    project.run(plain + suffix, *options, "-w", "--coverage", source, "-o", "plain")
    assert project.run("./plain", status=status).stdout == printed
    return "gcov" + suffix


def tracefile(project):
    return project.pathdump("export", "--format=lcov", "--all", "prog.pathprof").stdout


def assert_lines_are_gcovs(project, source, options, status):
    """gcov counts after always_inline functions were inlined, as stage early does; newer C++ libraries contain such functions."""
    for stage in ("source", "early"):
        for file in (*project.folder.glob("*.gcda"), *project.folder.glob("*.pathprof")):
            file.unlink()
        gcov = build_both(project, source, options, (f"stage={stage}", "termination=exact"), status)
        found = gcov_lines.compare(project.profile(), tracefile(project), project.folder, gcov)
        differing = found.differing + found.differing_unfinished
        if not differing or not found.always_inlined:
            break
    assert [str(difference) for difference in differing] == []
    assert found.equal + found.equal_unfinished > 20


@pytest.mark.parametrize("source, status", [("exceptions.cc", 0), ("jumps.c", 3), ("conditions.c", 3), ("labels.c", 0), ("setjmps.c", 0),
                                            ("cases.cc", 0), ("gotos.f", 0), ("choices.cc", 0)])
def test_lines_are_gcovs(project, source, status):
    assert_lines_are_gcovs(project, source, LINES, status)


@pytest.mark.parametrize("warnings", [(), ("-Wall",), ("-Wformat-truncation",)], ids=lambda warnings: "".join(warnings) or "none")
@pytest.mark.parametrize("source, status", [("loops.c", 0), ("jumps.c", 3), ("exceptions.cc", 0), ("cases.cc", 0)])
def test_lines_with_printf_warnings(project, source, status, warnings):
    """Regression 22: at -O0 GCC's printf warnings give loops blocks before gcov's counters are inserted."""
    assert_lines_are_gcovs(project, source, (*LINES, *warnings), status)


def test_function_that_begins_with_a_loop(project):
    """Regression 22: with -Wall, the function's line counts calls and not iterations, as with gcov; GCC 11 makes no difference."""
    project.write("prog.c", """\
static int left = 11;
static int f (void) {
  do
    left--;
  while (left % 4);
  return left;
}
int main (void) { f (); f (); return f () != 0; }
""")
    counts = {}
    for warnings in ("-w", "-Wall"):
        project.gcc("-O0", "-g", warnings, "-fplugin-arg-pathprof-stage=source", "prog.c", "-o", "prog")
        (project.folder / "prog.pathprof").unlink(missing_ok=True)
        project.run("./prog")
        counts[warnings] = counts_of_lines(project)
    has_preheader = int(version_of(GCC).split(".")[0]) >= 12
    assert counts["-w"][2] > 3 and counts["-Wall"][2] == (3 if has_preheader else counts["-w"][2])
    assert {line: count for line, count in counts["-Wall"].items() if line != 2} == \
        {line: count for line, count in counts["-w"].items() if line != 2}


# gcov's notes of optimised code have the positions of what only debug information keeps.  Whether gcov sees that
# setjmp returns again depends on the graph: at -O0 it never does.
@pytest.mark.parametrize("source, options", [
    ("labels.c", ("-O0", "-g")), ("setjmps.c", ("-O0", "-g")), ("cases.cc", ("-O0", "-g")),
    ("labels.c", ("-O2",)), ("cases.cc", ("-O2",)), ("processes.c", ("-O2",))])
def test_lines_behind_early_optimisations(project, source, options):
    gcov = build_both(project, source, options, ("stage=early", "termination=exact"))
    ours = gcov_lines.read_tracefile(tracefile(project))
    misread = gcov_lines.misread_by_gcov(project.profile())
    lines = {place: count for place, count in gcov_lines.read_gcov(gcov, project.folder).lines.items()
             if pathlib.Path(place[0]).name == source and place not in misread}
    assert {place: ours.get(place) for place in lines} == lines
    assert len(lines) > 15


@pytest.mark.parametrize("mode", ["kiter", "kipf", "intracontext", "context", "piecewise", "preferential"])
@pytest.mark.parametrize("source", ["labels.c", "cases.cc", "gotos.f", "processes.c"])
def test_lines_in_every_mode(project, source, mode):
    """Labels that ordinary edges and computed gotos lead to, and those ahead of loops, run on whatever paths; what ran
    before a fork ran in the parent alone."""
    arguments = ["stage=source", f"mode={mode}"]
    if mode == "preferential":
        build_both(project, source, LINES, ("stage=source", "mode=acyclic"))
        (project.folder / "prog.pathprof").rename(project.folder / "tests.pathprof")
        for data in project.folder.glob("*.gcda"):
            data.unlink()
        arguments += ["interesting=tests.pathprof"]
    gcov = build_both(project, source, LINES, arguments)
    misread = gcov_lines.misread_by_gcov(project.profile())
    lines = {place: count for place, count in gcov_lines.read_gcov(gcov, project.folder).lines.items()
             if pathlib.Path(place[0]).name == source and place not in misread}
    ours = gcov_lines.read_tracefile(tracefile(project))
    assert {place: ours.get(place) for place in lines} == lines
    assert len(lines) > 20


def test_every_way_to_a_label_counts(project):
    """Control that falls through to the target of a computed goto executes the label's line."""
    project.write("prog.c", """\
int
main (int argc, char **argv)
{
  static void *const targets[] = { &&A, &&B };
  int s = 0;
  if (argc > 1)
    goto *targets[argc % 2];
A:;
  s++;
B: s += argc;
  return s != 2;
}
""")
    for termination in ("basic", "exact"):
        project.gcc(*LINES, "-fplugin-arg-pathprof-stage=source", f"-fplugin-arg-pathprof-termination={termination}",
                    "prog.c", "-o", "prog")
        (project.folder / "prog.pathprof").unlink(missing_ok=True)
        project.run("./prog")
        counts = {line: count for (_, line), count in gcov_lines.read_tracefile(tracefile(project)).items()}
        assert (counts[8], counts[9], counts[10], counts[7]) == (1, 1, 1, 0)


def test_both_returns_of_a_builtin_setjmp_count(project):
    """The receiver of __builtin_longjmp goes on at the test: that line has run twice."""
    gcov = build_both(project, "setjmps.c", LINES, ("stage=source", "termination=exact"))
    test = (HERE / "gcov" / "setjmps.c").read_text().splitlines().index("  if (__builtin_setjmp (small))") + 1
    for counts in (gcov_lines.read_tracefile(tracefile(project)), gcov_lines.read_gcov(gcov, project.folder).lines):
        assert {line: count for (_, line), count in counts.items()}[test] == 5


def test_the_judge_reads_pathdumps_own_counts(project):
    """Paths may be right and the lines that pathdump makes of them wrong."""
    gcov = build_both(project, "setjmps.c", LINES, ("stage=source", "termination=exact"))
    good = tracefile(project)
    line = next(line for line in good.splitlines() if line.startswith("DA:") and line.endswith(",5"))
    bad = good.replace(f"{line}\n", f"{line[:-1]}4\n")
    found = gcov_lines.compare(project.profile(), bad, project.folder, gcov)
    wrong = [str(difference) for difference in found.differing + found.differing_unfinished]
    assert len(wrong) == 1 and "4 by pathdump, 5 by gcov" in wrong[0]


@pytest.mark.parametrize("termination", ["basic", "exact"])
@pytest.mark.parametrize("how", ["fork ()", "daemon (1, 1)"])
def test_path_ends_at_a_fork(project, how, termination):
    """What lies before the call counts in the parent alone, what lies behind it in whoever goes on."""
    project.write("prog.c", f"""\
#include <unistd.h>
int
main (int argc, char **argv)
{{
  int s = 0, end[2];
  char c;
  if (pipe (end) != 0)
    return 1;
  if (argc == 1)
    s++;
  int pid = {how};
  close (end[1]);
  if (pid > 0)
    read (end[0], &c, 1);
  return 0;
}}
""")
    project.gcc(*LINES, "-fplugin-arg-pathprof-stage=source", f"-fplugin-arg-pathprof-termination={termination}",
                "prog.c", "-o", "prog")
    project.run("./prog")
    processes = 2 if how == "fork ()" else 1
    wait_for(lambda: (project.folder / "prog.pathprof").exists() and counts_of_lines(project).get(12) == processes)
    counts = counts_of_lines(project)
    assert (counts[7], counts[10], counts[12]) == (1, 1, processes)


def counts_of_lines(project):
    return {line: count for (_, line), count in gcov_lines.read_tracefile(tracefile(project)).items()}
