# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs with several modules: each process is one run, and a run is never divided between the profiles of two builds."""

import os
import signal

import pytest

from conftest import BIN, assert_one_line

LIBRARY = """\
static volatile int sink;
int twice (int n) { return n > 1 ? 2 * n : n; }
"""
PROGRAM = """\
#include <signal.h>
#include <stdlib.h>
int twice (int n);
int main (int argc, char **argv)
{
  int sum = twice (argc);
  if (argc > 1 && argv[1][0] == 'k')
    raise (SIGKILL);
  return sum < 0;
}
"""
# Changes the control-flow graph, as a real change would.
CHANGE = "static int changed (int n) { return n > 2; }\nint (*use_changed%d) (int) = changed;\n"
MAP = "{ global: twice; thrice; local: *; };\n"
# Options that hide all symbols of the runtime in a shared library.
HIDING = {"version-script": "-Wl,--version-script=lib.map", "exclude-libs": "-Wl,--exclude-libs,ALL", "visible": ""}


def build_library(project, change=0, hiding="version-script", name="twice", text=LIBRARY):
    project.write("lib.map", MAP)
    project.write(f"{name}.c", text + (CHANGE % change * bool(change)))
    options = [option for option in [HIDING[hiding]] if option]
    # The old file may still be mapped.
    (project.folder / f"lib{name}.so").unlink(missing_ok=True)
    project.gcc("-fPIC", "-shared", *options, f"{name}.c", "-o", f"lib{name}.so")


def build_program(project, change=0, name="prog", text=PROGRAM, compiler=None):
    project.write(f"{name}.c", text + (CHANGE % change * bool(change)))
    (project.folder / name).unlink(missing_ok=True)
    (compiler or project.gcc)(f"{name}.c", "-L.", "-ltwice", "-ldl", "-Wl,-rpath,$ORIGIN", "-o", name)


def runs(project, name="all.pathprof"):
    return project.profile(name)["runs"]


def calls(project, function, name="all.pathprof"):
    """Fails if the profile contains two builds of the function."""
    return project.entries(function, name)


def runs_of_tests(project):
    return {test["name"]: test["runs"] for test in project.pathdump.json("tests", "--json", "all.pathprof")["tests"]}


def kept(project, name="all.pathprof"):
    return sorted(file for file in os.listdir(project.folder)
                  if file.startswith(name + ".") and not file.endswith((".lock", ".raw")))


ENVIRONMENT = {mode: {"PATHPROF_FILE": "all.pathprof", "PATHPROF_MODE": mode} for mode in ("exit", "continuous")}


@pytest.mark.parametrize("mode", ["exit", "continuous"])
@pytest.mark.parametrize("hiding", HIDING)
def test_hidden_runtime(project, hiding, mode):
    build_library(project, hiding=hiding)
    build_program(project)
    project.run("./prog", env={"PATHPROF_TEST": "one", **ENVIRONMENT[mode]})
    assert runs(project) == 1
    assert calls(project, "twice") == calls(project, "main") == 1
    assert runs_of_tests(project) == {"one": 1}
    assert not [file for file in os.listdir(project.folder) if file.endswith(".raw")]


DESTRUCTOR = LIBRARY + """\
static int late (int n) { return n > 1 ? 3 : 4; }
__attribute__ ((destructor)) void count_late (void) { sink = late (twice (2)); }
"""


@pytest.mark.parametrize("mode", ["exit", "continuous"])
@pytest.mark.parametrize("hiding", ["version-script", "visible"])
def test_counts_after_the_end_of_the_program(project, hiding, mode):
    """The destructor runs after the program has written the counts of all modules."""
    build_library(project, hiding=hiding, text=DESTRUCTOR)
    build_program(project)
    project.run("./prog", env={"PATHPROF_TEST": "one", **ENVIRONMENT[mode]})
    assert runs(project) == 1
    assert runs_of_tests(project) == {"one": 1}
    assert (calls(project, "twice"), calls(project, "late"), calls(project, "main")) == (2, 1, 1)


@pytest.mark.parametrize("mode", ["exit", "continuous"])
@pytest.mark.parametrize("rebuilt", ["library", "program", "both"])
def test_rebuilt(project, rebuilt, mode):
    """The first run of the new build starts a new profile, with all modules of the process."""
    for change in (0, 1):
        if change == 0 or rebuilt != "program":
            build_library(project, change)
        if change == 0 or rebuilt != "library":
            build_program(project, change)
            build_program(project, change, "other")
        done = [project.run(f"./{name}", env=ENVIRONMENT[mode]) for name in ("prog", "other", "prog")]
    assert_one_line(done[0].stderr, "pathrt: note: all.pathprof: profile of another build of ", "kept as all.pathprof.")
    assert done[1].stderr == done[2].stderr == ""
    (old,) = kept(project)
    for name in ("all.pathprof", old):
        assert (runs(project, name), calls(project, "twice", name)) == (3, 3)
        assert sorted(f["name"] for f in project.profile(name)["functions"]).count("main") == 2


PLAIN = """\
#include <dlfcn.h>
int main (int argc, char **argv)
{
  int sum = 0;
  void *opened[2];
  const char *const files[] = {"./libtwice.so", "./libthrice.so"}, *const names[] = {"twice", "thrice"};
  (void) argv;
  for (int i = 0; i < 2; i++)
    {
      opened[i] = dlopen (files[i], RTLD_NOW | RTLD_LOCAL);
      if (!opened[i])
        return 99;
      sum += ((int (*) (int)) dlsym (opened[i], names[i])) (argc);
    }
  if (argc > 1)
    dlclose (opened[0]);
  return sum < 0;
}
"""
THRICE = "int thrice (int n) { return n > 1 ? 3 * n : n; }\n"


@pytest.mark.parametrize("mode", ["exit", "continuous"])
@pytest.mark.parametrize("closes", [False, True])
def test_plugins(project, closes, mode):
    """A program that is not instrumented opens two libraries, neither of which sees the other's symbols."""
    arguments = ["one"] * closes
    project.write("prog.c", PLAIN)
    project.run("gcc", "prog.c", "-ldl", "-o", "prog")
    for change in (0, 1):
        build_library(project, hiding="visible")
        build_library(project, change, "visible", "thrice", THRICE)
        for _ in range(2):
            project.run("./prog", *arguments, env=ENVIRONMENT[mode])
    (old,) = kept(project)
    for name in ("all.pathprof", old):
        assert (runs(project, name), calls(project, "twice", name), calls(project, "thrice", name)) == (2, 2, 2)


def test_plugins_in_turn(project):
    """The last module frees the state that the modules share; the next one starts anew."""
    text = PLAIN.replace("opened[i] = dlopen", "if (i)\n        dlclose (opened[0]);\n      opened[i] = dlopen")
    project.write("prog.c", text)
    project.run("gcc", "prog.c", "-ldl", "-o", "prog")
    build_library(project, hiding="visible")
    build_library(project, 0, "visible", "thrice", THRICE)
    project.run("./prog", env=ENVIRONMENT["exit"])
    assert (calls(project, "twice"), calls(project, "thrice")) == (1, 1)


def kill(project, *command):
    project.run(*command, "kill", status=-signal.SIGKILL, env=ENVIRONMENT["continuous"])


@pytest.mark.parametrize("mode", ["exit", "continuous"])
def test_killed_run_of_a_new_build(project, mode):
    """The raw files of a process are added together."""
    build_library(project)
    build_program(project)
    project.run("./prog", env=ENVIRONMENT["exit"])
    build_library(project, 1)
    kill(project, "./prog")
    # The profile is still that of the old build, and includes no part of the new run.
    shown = project.pathdump("export", "--format=json", "all.pathprof")
    assert shown.stderr.count("comes from another build; not included") == 2
    assert runs(project) == calls(project, "main") == calls(project, "twice") == 1
    project.run("./prog", env=ENVIRONMENT[mode])
    (old,) = kept(project)
    assert (runs(project, old), calls(project, "twice", old), calls(project, "main", old)) == (1, 1, 1)
    assert (runs(project), calls(project, "twice")) == (2, 2)
    assert_one_line(project.pathdump("functions", "all.pathprof").stderr.splitlines()[-1] + "\n",
                    "pathdump: warning: all.pathprof: 1 process was killed")


def test_killed_run_of_an_old_build(project):
    """The program has not changed, but the library has: the killed run belongs to the profile of the old build."""
    build_library(project)
    build_program(project)
    kill(project, "./prog")
    raw = [file for file in os.listdir(project.folder) if file.endswith(".raw")]
    assert len(raw) == 2
    for file in raw:
        (project.folder / file).rename(project.folder / f"saved-{file}")
    build_library(project, 1)
    project.run("./prog", env=ENVIRONMENT["exit"])
    for file in raw:
        (project.folder / f"saved-{file}").rename(project.folder / file)
    project.run("./prog", env=ENVIRONMENT["exit"])
    assert (runs(project), calls(project, "twice"), calls(project, "main")) == (2, 2, 2)
    (old,) = kept(project)
    assert calls(project, "twice", old) == 1


def test_unrelated_process_leaves_a_killed_run(project):
    """A process of neither build cannot tell which of the two is newer."""
    build_library(project)
    build_program(project)
    project.write("third.c", "int third (int n) { return n > 1; }\nint main (int n, char **v) { (void) v; return third (n); }\n")
    project.gcc("third.c", "-o", "third")
    project.run("./prog", env=ENVIRONMENT["exit"])
    build_library(project, 1)
    kill(project, "./prog")
    project.run("./third", env=ENVIRONMENT["exit"])
    assert kept(project) == []
    project.run("./prog", env=ENVIRONMENT["exit"])
    assert (runs(project), calls(project, "twice")) == (2, 2)


def test_kept_profiles_contain_one_build_of_each_module(project):
    """Two kept profiles share the build of the library, but not that of the program."""
    for program, library in ((1, 1), (2, 1), (2, 2), (1, 1), (1, 2)):
        build_library(project, library)
        build_program(project, program)
        project.run("./prog", env=ENVIRONMENT["exit"])
    everything = [*kept(project), "all.pathprof"]
    for name in everything:
        assert calls(project, "main", name) == calls(project, "twice", name) == runs(project, name)
    assert sum(runs(project, name) for name in everything) == 5


def test_module_that_is_closed_before_the_end(project):
    """The counts of the closed library are written first; the profile then already is that of the new build."""
    build_library(project)
    build_library(project, 0, "version-script", "thrice", THRICE)
    text = PROGRAM.replace("int main (", "#include <dlfcn.h>\nint main (").replace(
        "  return sum", '  void *library = dlopen ("./libthrice.so", RTLD_NOW);\n'
        '  sum += ((int (*) (int)) dlsym (library, "thrice")) (2);\n  dlclose (library);\n  return sum')
    for change in (0, 1):
        build_library(project, change)
        build_program(project, text=text)
        project.run("./prog", env=ENVIRONMENT["exit"])
    (old,) = kept(project)
    for name in ("all.pathprof", old):
        assert (runs(project, name), calls(project, "thrice", name), calls(project, "twice", name)) == (1, 1, 1)


# ---- record ----


def record(project, *command, status=0):
    return project.run(BIN / "pathprof", "record", "-o", "all.pathprof", "--", *command, status=status).stderr


def test_record_prints_the_number_of_runs_that_were_added(project):
    build_library(project, text=DESTRUCTOR)
    build_program(project)
    assert record(project, "./prog").startswith("pathprof: 1 run counted in all.pathprof (")
    assert record(project, "sh", "-c", "./prog; ./prog; ./prog").startswith("pathprof: 3 runs added to all.pathprof (")
    assert "pathprof: 2 runs added to all.pathprof (" in record(project, "sh", "-c", "./prog kill; ./prog")
    assert runs(project) == 6


def test_record_with_a_rebuilt_library(project):
    """A program that does not use the library runs first, and cannot detect that the profile is from another build."""
    project.write("third.c", "int third (int n) { return n > 1; }\nint main (int n, char **v) { (void) v; return third (n); }\n")
    project.gcc("third.c", "-o", "third")
    for change in (0, 1):
        build_library(project, change)
        build_program(project)
        error = record(project, "sh", "-c", "./third; ./prog; ./prog")
    (old,) = kept(project)
    assert error.splitlines()[-5:-1] == [
        "pathprof: 3 runs counted; 2 profiles were written:",
        "pathprof:   all.pathprof: 2 runs of libtwice.so, prog",
        f"pathprof:   {old}: 3 runs of another build of libtwice.so, moved from all.pathprof, and 1 run that preceded the first "
        "run of the new build",
        "pathprof: note: all.pathprof does not include 1 run of this command, made before the first run of the rebuilt "
        "libtwice.so; run the command again"]
    assert record(project, "sh", "-c", "./third; ./prog; ./prog").startswith("pathprof: 3 runs added to all.pathprof (")
    assert runs(project) == 5
