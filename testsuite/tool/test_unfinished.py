# SPDX-License-Identifier: GPL-3.0-or-later
"""Regression 2: activations that never finish are counted exactly by default, or every command says that they are not."""

import json
import re
import signal

import pytest

# Ends by exit in a callee: `return r;` never runs, and main never returns.
EXIT = """\
#include <stdlib.h>
static void die (void) { exit (3); }
int parse (int c)
{
  int r = 0;
  if (c > 1 && c < 10)
    r = 1;
  else
    die ();
  return r;
}
int main (int argc, char **argv) { (void) argv; return parse (argc); }
"""
# `exit` is called by a function that is not instrumented, so that no path ends there.
HIDDEN_EXIT = """\
#include <stdlib.h>
void (*volatile leave) (int) = exit;
int main (void)
{
  leave (3);
  return 0;
}
"""
# An exception ends `inner`, which has no handler.
EXCEPTION = """\
#include <locale>
int inner (const char *name)
{
  std::locale named (name);
  return named == std::locale::classic ();
}
int main ()
{
  try
    {
      return inner ("no such locale");
    }
  catch (...)
    {
    }
  return 3;
}
"""
RETURN = """\
int twice (int x) { return 2 * x; }
int main (void) { return twice (1) + 1; }
"""

EXACT_OPTION = "-fplugin-arg-pathprof-termination=exact"
LINES = re.compile(r"^DA:(\d+),(\d+)$", re.MULTILINE)


def build(project, text, *options, source="prog.c"):
    project.write(source, text)
    compiler = project.gcc if source.endswith(".c") else project.gxx
    compiler("-g", *options, source, "-o", "prog")
    project.run("./prog", status=3)


def lines_of(project):
    return {int(line): int(count) for line, count in
            LINES.findall(project.pathdump("export", "--format=lcov", "prog.pathprof").stdout)}


@pytest.mark.parametrize("options", [
    ["-O0"], ["-O0", "-Wall"], ["-O2", "-fplugin-arg-pathprof-stage=source"],
    ["-O2", "-fplugin-arg-pathprof-conditions=1"]], ids=" ".join)
def test_coverage_is_exact_by_default(project, options):
    # A call that GCC may turn into a jump stays a jump, and its path is counted before the call.
    build(project, EXIT, "-fno-optimize-sibling-calls", *options)
    lines = lines_of(project)
    assert (lines[10], lines[9], lines[12], lines[2]) == (0, 1, 1, 1)
    functions = project.functions_by_name()
    assert {function["termination"] for function in functions.values()} == {"exact"}
    assert [path["end"] for path in functions["main"]["paths"]] == ["call"]
    for command in ("report", "coverage", "functions", "show"):
        assert project.pathdump(command, "prog.pathprof").stderr == ""


@pytest.mark.parametrize("options, termination", [
    ("-O0 -fplugin-arg-pathprof-termination=basic", "basic"),
    ("-O2", "basic"),
    ("-O2 -fplugin-arg-pathprof-stage=late", "basic"),
    ("-O0 -fplugin-arg-pathprof-metric=tsc", "exact"),
    ("-O0 -fplugin-arg-pathprof-mode=context -fplugin-arg-pathprof-recursion=split", "exact"),
    ("-O2 -fplugin-arg-pathprof-mode=piecewise -fplugin-arg-pathprof-conditions=1", "exact"),
    # With exact termination, paths would not step over calls.
    ("-O0 -fplugin-arg-pathprof-mode=context", "basic"),
    ("-O0 -fplugin-arg-pathprof-mode=context -fplugin-arg-pathprof-recursion=summary", "basic"),
    # These modes cannot count truncated paths.
    ("-O0 -fplugin-arg-pathprof-mode=kiter", "basic"),
    ("-O0 -fplugin-arg-pathprof-mode=kipf", "basic"),
    ("-O0 -fplugin-arg-pathprof-mode=intracontext", "basic"),
    ("-O0 -fplugin-arg-pathprof-scheme=scheme", "basic"),
])
def test_default_of_termination(project, options, termination):
    project.write("scheme", "* termination=basic\n")
    build(project, EXIT, *options.split())
    assert {function["termination"] for function in project.profile()["functions"]} == {termination}


def test_scheme_keeps_the_default_of_other_functions(project):
    project.write("scheme", "parse mode=kiter\n")
    build(project, EXIT, "-O0", "-fplugin-arg-pathprof-scheme=scheme")
    functions = {function["name"]: function["termination"] for function in project.profile()["functions"]}
    assert functions == {"parse": "basic", "main": "exact", "die": "exact"}


# Neither `main` nor `between` finishes; `never` is not executed.
ABORT = """\
#include <signal.h>
#include <stdlib.h>
volatile int sink;
__attribute__ ((noinline)) int work (int c) { if (c > 9) return 3; raise (END); sink++; abort (); }
__attribute__ ((noinline)) int never (int c) { return c + sink; }
#ifdef BETWEEN
__attribute__ ((noinline)) int between (int c) { int r = work (c); sink++; return r; }
#else
#define between work
#endif
int main (int argc, char **argv) { (void) argv; if (argc > 9) sink = never (argc); return between (argc) + sink; }
"""


@pytest.mark.parametrize("options, end, executed", [
    ("-O0", "0", "2 of 3"), ("-O0 -fplugin-arg-pathprof-termination=basic", "0", "2 of 3"), ("-O2", "0", "2 of 3"),
    ("-O0 -DBETWEEN", "0", "3 of 4"), ("-O2 -DBETWEEN", "0", "at least 2 of 4"),
    ("-O0 -fplugin-arg-pathprof-mode=context -DBETWEEN", "0", "3 of 4"),
    ("-O0 -fplugin-arg-pathprof-termination=basic -DBETWEEN", "0", "at least 2 of 4"),
    ("-O0", "SIGKILL", "at least 0 of 3"), ("-O2", "SIGKILL", "at least 1 of 3")])
def test_number_of_executed_functions(project, options, end, executed):
    project.write("prog.c", ABORT)
    project.gcc("-g", *options.split(), f"-DEND={end}", "prog.c", "-o", "prog")
    if end == "SIGKILL":
        project.run("./prog", status=-signal.SIGKILL, env={"PATHPROF_MODE": "continuous"})
    else:
        project.run("./prog", status=-signal.SIGABRT)
    assert f"prog: 1 run, {executed} functions executed, " in project.pathdump("report", "prog.pathprof").stdout
    number = int(executed.split(" of ")[0].split()[-1])
    assert json.loads(project.pathdump("report", "--json", "prog.pathprof").stdout)["functions_executed"] == number
    project.pathdump("html", "prog.pathprof", "-o", "prog.html")
    least = "at least " * executed.startswith("at least")
    assert f"{least}<b>{number}</b> of {executed[-1]} functions executed" in (project.folder / "prog.html").read_text()


COMMANDS = (["report"], ["show"], ["functions"], ["coverage"], ["coverage", "--missing"], ["coverage", "--prime"],
            ["coverage", "--evidence=evidence"], ["html", "-o", "page.html"], ["tests"],
            *(["export", f"--format={name}"] for name in
              ("json", "lcov", "cobertura", "sonarqube", "annotations", "csv", "collapsed", "callgrind", "speedscope", "quickfix")))
SAYS = (r"at least [23] activations never finished", "termination=basic", re.escape(EXACT_OPTION))  # versions of GCC differ in tail calls


def check_says(text, names, what):
    for part in (*SAYS, *map(re.escape, names)):
        assert re.search(part, text), (what, part, text)


@pytest.mark.parametrize("options", ["-O2 -fno-inline", "-O2 -fno-inline -fplugin-arg-pathprof-stage=late",
                                     "-O0 -fplugin-arg-pathprof-mode=kipf"])
def test_every_command_says_so(project, options):
    project.write("prog.c", EXIT)
    project.gcc("-g", *options.split(), "prog.c", "-o", "prog")
    project.run("./prog", status=3, env={"PATHPROF_TEST": "one"})
    names = ("die (1)", "main", "parse")
    for command in COMMANDS:
        done = project.pathdump(*command, "prog.pathprof")
        check_says(done.stderr, names, command)
        if command[0] == "report":
            assert re.search(SAYS[0], done.stdout)
        if command[0] == "export" and command[1].split("=")[1] in ("json", "lcov", "cobertura", "sonarqube", "annotations"):
            check_says(done.stdout, names, command)
    check_says((project.folder / "page.html").read_text(), names, "html")
    check_says("".join(file.read_text() for file in (project.folder / "evidence").glob("*.json")), names, "evidence")


@pytest.mark.parametrize("options, source, text, says", [
    ("-O2", "prog.c", HIDDEN_EXIT, "at least 1 activation never finished"),
    ("-O2 -fno-inline", "prog.cc", EXCEPTION, "exceptions propagated"),
], ids=["exit", "exception"])
def test_evidence(project, options, source, text, says):
    build(project, text, *options.split(), source=source)
    warning = project.pathdump("coverage", "prog.pathprof").stderr
    assert says in warning and EXACT_OPTION in warning


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_silence_where_all_finish(project, level):
    build(project, RETURN, level)
    assert project.pathdump("coverage", "prog.pathprof").stderr == ""
    assert project.pathdump.json("export", "prog.pathprof")["warnings"] == []


# `main` calls `f`, and a signal ends the process before `main` returns.
KILLED = """\
#include <signal.h>
static volatile int sink;
static void f (int n) { sink = n; }
int main (int argc, char **argv)
{
  (void) argv;
  f (argc);
  raise (SIGKILL);
  return 0;
}
"""


@pytest.mark.parametrize("options, basic", [("-O0", False), ("-O0 -fplugin-arg-pathprof-termination=basic", True)])
def test_every_command_says_how_many_processes_were_killed(project, options, basic):
    project.write("prog.c", KILLED)
    project.gcc("-g", *options.split(), "prog.c", "-o", "prog")
    for _ in range(3):
        project.run("./prog", status=-9, env={"PATHPROF_TEST": "one", "PATHPROF_MODE": "continuous"})
    says = "3 processes were killed"
    for command in COMMANDS:
        done = project.pathdump(*command, "prog.pathprof")
        warnings = [line for line in done.stderr.splitlines() if "warning: " in line]
        assert [says in warning for warning in warnings] == [True, False][: 1 + basic], (command, done.stderr)
        assert ("termination=basic (main)" in done.stderr) == basic, (command, done.stderr)
        if command[0] == "export" and command[1].split("=")[1] in ("json", "lcov", "cobertura", "sonarqube", "annotations"):
            assert says in done.stdout, command
    assert says in (project.folder / "page.html").read_text()
    evidence = project.folder / "evidence"
    assert says in (evidence / "manifest.json").read_text() and says in (evidence / "index.html").read_text()
