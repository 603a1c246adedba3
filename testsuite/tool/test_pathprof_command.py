# SPDX-License-Identifier: GPL-3.0-or-later
"""pathprof, the command in front of everything: record, build, find-bug and rebuild, and pathdump's commands by that name."""

import json
import os
import re
import shutil
import signal
import subprocess
import time

import pytest

from conftest import BUILD, assert_mentions, assert_one_line

PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int classify(int n, int odd) {
  int r = 0;
  if (n % 2)
    r = 1;
  if (n > 10)
    r += 2;
  if (r == odd)
    r = -1;
  return r;
}
int main(int argc, char **argv) {
  int sum = 0, n;
  if (argc == 2 && argv[1][0] == '-')
    while (scanf("%d", &n) == 1)
      sum += classify(n, 3);
  for (int i = 1; i < argc; i++)
    sum += classify(atoi(argv[i]), 3);
  printf("%d\n", sum);
  if (argc == 2 && atoi(argv[1]) == 99)
    abort();
  if (argc == 2 && atoi(argv[1]) == 100)
    pause();
  return argc > 2 ? 3 : 0;
}
"""
MAKEFILE = """
CC = gcc
CFLAGS = -O1 -g
prog: prog.o
\t$(CC) $(CFLAGS) $^ -o $@
clean:
\trm -f prog prog.o
"""


def environment(**more):
    kept = {k: v for k, v in os.environ.items() if not k.startswith("PATHPROF_") and k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    return {**kept, "PATH": f"{BUILD}/bin:{kept['PATH']}", "LC_ALL": "C", **more}


@pytest.fixture
def pathprof(tmp_path):
    """Runs it in the test's own folder, and checks its exit status."""

    def run(*arguments, status=0, stdin=None, name="pathprof", **env):
        result = subprocess.run([BUILD / "bin" / name, *map(str, arguments)], cwd=tmp_path, env=environment(**env), input=stdin,
                                capture_output=True, text=True, timeout=900, check=False)
        assert result.returncode == status, result.stderr
        return result

    return run


@pytest.fixture
def project(tmp_path):
    (tmp_path / "prog.c").write_text(PROGRAM)
    (tmp_path / "Makefile").write_text(MAKEFILE)
    return tmp_path


@pytest.fixture
def built(project, pathprof):
    pathprof("build", "--", "make")
    return project


def runs_in(pathprof, file):
    return json.loads(pathprof("report", "--json", file).stdout)["runs"]


# -------------------------------------------------------------------------------------------------
# The names.

def test_help_by_both_names(pathprof):
    text = pathprof("--help").stdout
    assert text == pathprof().stdout == pathprof("help").stdout
    names, own = (re.findall(r"^  ([a-z]\S*)", pathprof("--help", name=name).stdout, re.M) for name in ("pathprof", "pathdump"))
    assert set(names) - set(own) == {"build", "find-bug", "rebuild"} and set(own) < set(names)
    groups = re.findall(r"^\w[^:\n]*:$", text, re.M)
    assert groups[0] == "Options:" and len(groups) == len(set(groups)) == 7
    assert all(len(line) <= 120 for line in text.splitlines() if line.startswith("  "))
    assert pathprof("--version").stdout.startswith("pathprof (pathprof) ")
    assert pathprof("help", "report").stdout.startswith("Usage: pathprof report ")
    assert pathprof("help", "record").stdout.startswith("Usage: pathprof record [OPTION]... -p PID | -- PROGRAM")


def test_commands_of_pathdump(built, pathprof):
    pathprof("record", "--", "./prog", "4")
    for command in ("report", "show", "functions", "coverage", "stats", "check"):
        assert pathprof(command).stdout == pathprof(command, name="pathdump").stdout != ""


def test_warnings_name_the_command_that_was_typed(built, pathprof):
    pathprof("record", "--", "./prog", "1")
    for name in ("pathprof", "pathdump"):
        told = subprocess.run([BUILD / "bin" / name, "report", "--function", "clasify", "prog.pathprof"], cwd=built,
                              capture_output=True, text=True, check=False).stderr
        assert told.startswith(f"{name}: --function 'clasify' matches no function")


def test_unknown_command(pathprof):
    error = pathprof("recrd", status=2).stderr
    assert error.startswith("pathprof: 'recrd' is neither a file nor a command; did you mean 'record'?")
    assert "find-bug" not in pathprof("recrd", status=2, name="pathdump").stderr


# -------------------------------------------------------------------------------------------------
# record

def test_record(built, pathprof):
    result = pathprof("record", "--", "./prog", "4")
    assert result.stdout == "0\n"
    assert result.stderr == "pathprof: 1 run counted in prog.pathprof; next: pathprof report prog.pathprof\n"
    assert runs_in(pathprof, "prog.pathprof") == 1
    assert "2 runs added to prog.pathprof" in pathprof("record", "--runs", "2", "--", "./prog", "4").stderr
    assert runs_in(pathprof, "prog.pathprof") == 3


def test_record_without_dashes(built, pathprof):
    """What follows the program is its own."""
    assert pathprof("record", "./prog", "--", "--runs", status=3).stdout == "0\n"
    assert pathprof("record", "-o", "a.pathprof", "./prog", "report").stderr.endswith("pathprof report a.pathprof\n")


def test_names_of_a_profile(built, pathprof):
    pathprof("record", "-o", "new/a.pathprof", "--", "./prog", "4")
    assert runs_in(pathprof, "new/a.pathprof") == 1
    error = pathprof("record", "--", "./prog", "4", PATHPROF_FILE="other-%e-%q{LC_ALL}.pathprof").stderr
    assert "counted in other-prog-C.pathprof;" in error
    error = pathprof("record", "--runs", "2", "-o", "%p.pathprof", "--", "./prog", "4").stderr
    assert re.fullmatch(r"pathprof: 2 runs counted; 2 profiles .*:\n"
                        r"pathprof:   (\d+\.pathprof): 1 run of prog\npathprof:   (\d+\.pathprof): 1 run of prog\n"
                        r"pathprof: next: pathprof report \1; .*'pathprof merge -o all\.pathprof \1 \2'.*\n", error)
    assert not (built / "prog.pathprof").exists()


def test_a_rebuilt_program_is_recorded(built, pathprof):
    """Regression 10: what moved to FILE.BUILDID is named, by record and by whoever reads FILE; one command adds it up."""
    pathprof("record", "--runs", "3", "-o", "c.pathprof", "--", "./prog", "4")
    (built / "prog.c").write_text(PROGRAM.replace("n > 10", "n > 10 && odd"))
    pathprof("build", "--", "make")
    error = pathprof("record", "--runs", "2", "-o", "c.pathprof", "--", "./prog", "4").stderr
    (old,) = (file.name for file in built.glob("c.pathprof.*"))
    command = f"pathprof merge -o all.pathprof c.pathprof {old}"
    assert re.search(r"^pathprof: 2 runs counted; 2 profiles .*:\n"
                     r"pathprof:   c\.pathprof: 2 runs of prog\n"
                     rf"pathprof:   {old}: 3 runs of another build of prog\b.*\bc\.pathprof\b.*\n"
                     rf"pathprof: next: pathprof report c\.pathprof; .*'{command}'.*\n\Z", error, re.M)
    for arguments in (["coverage"], ["report", "c.pathprof"], ["html", "-o", "page.html"], ["show"], ["export", "--format=lcov"]):
        assert_one_line(pathprof(*arguments).stderr, "pathprof: note: ", "c.pathprof", old, "3 runs of prog", "another build", f"'{command}'")
    pathprof(*command.split()[1:])
    assert runs_in(pathprof, "all.pathprof") == 5
    # The former program again: its first three runs stay where they are.
    (built / "prog.c").write_text(PROGRAM)
    pathprof("build", "--", "make")
    error = pathprof("record", "-o", "c.pathprof", "--", "./prog", "4").stderr
    assert "pathprof:   c.pathprof: 1 run of prog\n" in error and "2 runs of another build of prog" in error
    assert pathprof("record", "-o", "c.pathprof", "--", "./prog", "4").stderr == \
        "pathprof: 1 run added to c.pathprof; next: pathprof report c.pathprof\n"


def test_several_programs_in_one_record(project, pathprof):
    """Regression 10: programs of one name have profiles of their own, others share one, and all are named."""
    other = PROGRAM.replace("n > 10", "n > 10 && odd")
    for folder, text in (("x", PROGRAM), ("y", other), (".", other.replace("n % 2", "n % 4 == 1"))):
        (project / folder).mkdir(exist_ok=True)
        (project / folder / "prog.c").write_text(text)
    (project / "Makefile").write_text("all:\n\t$(CC) x/prog.c -o x/prog\n\t$(CC) y/prog.c -o y/prog\n\t$(CC) prog.c -o other\n")
    pathprof("build", "--", "make")
    error = pathprof("record", "-o", "c.pathprof", "--", "sh", "-c", "x/prog 4; y/prog 4; ./other 3; ./other 4").stderr
    (second,) = (file.name for file in project.glob("c.pathprof.*"))
    runs = {line.split(":")[1].strip(): line.split(":")[2].strip() for line in error.splitlines() if line.startswith("pathprof:   ")}
    assert set(runs) == {"c.pathprof", second}
    assert sum(int(text.split()[0]) for text in runs.values()) == 4
    assert runs["c.pathprof"].endswith("of other, prog") and " other" not in runs[second]
    error = pathprof("record", "-o", "d.pathprof", "--", "sh", "-c", "x/prog 4; ./other 3").stderr
    assert error == "pathprof: 2 runs counted in d.pathprof (other, prog); next: pathprof report d.pathprof\n"


def test_several_profiles_for_a_command_that_reads_one(built, pathprof):
    """Regression 18: the command that merges them is named."""
    for name in ("a", "b"):
        pathprof("record", "-o", f"{name}.pathprof", "--", "./prog", "4")
    for command in ("coverage", "report", "show", "html", "functions", "advise", "stats"):
        assert_one_line(pathprof(command, "a.pathprof", "b.pathprof", status=2).stderr, f"pathprof: {command}: ", "one profile",
                        "pathprof merge -o all.pathprof a.pathprof b.pathprof")
    assert_mentions(pathprof("coverage", "a.pathprof", "x", status=2).stderr, "'x'", "operand")


def test_a_folder_with_a_percent_sign(built, pathprof, tmp_path):
    folder = tmp_path / "5%p [x]"
    folder.mkdir()
    done = subprocess.run([BUILD / "bin/pathprof", "record", "--", "../prog", "4"], cwd=folder, env=environment(),
                          capture_output=True, text=True, timeout=900, check=True)
    assert "counted in prog.pathprof;" in done.stderr and (folder / "prog.pathprof").exists()


def test_warm_runs_are_not_counted(built, pathprof):
    assert pathprof("record", "--warm", "2", "--", "./prog", "4").stdout == "0\n" * 3
    assert runs_in(pathprof, "prog.pathprof") == 1


def test_input_and_status_are_passed_on(built, pathprof):
    assert pathprof("record", "--", "./prog", "-", stdin="1 2 12").stdout == "3\n"
    assert pathprof("record", "--", "./prog", "4", "5", status=3).stdout == "1\n"


def test_a_crash_keeps_its_profile(built, pathprof):
    error = pathprof("record", "--", "./prog", "99", status=-signal.SIGABRT).stderr
    assert "counted in prog.pathprof" in error
    assert "classify" in pathprof("report", "prog.pathprof").stdout


def take_all_signals():
    """As on a terminal, although tests that run under nohup ignore SIGHUP."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_signals(built, tmp_path, number):
    """Those that ask for an end reach the program; however it ends, so does record, and the profile is there."""
    with subprocess.Popen([BUILD / "bin/pathprof", "record", "--", "./prog", "100"], cwd=tmp_path, env=environment(),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=take_all_signals) as process:
        # What it counts in is called after it.
        while not (counting := list(tmp_path.glob("prog.pathprof.*.raw"))) and process.poll() is None:
            time.sleep(0.05)
        if number == signal.SIGKILL:
            os.kill(int(counting[0].name.split(".")[2]), number)
        else:
            process.send_signal(number)
        error = process.communicate(timeout=900)[1]
    assert process.returncode == -number
    assert "counted in prog.pathprof" in error


def test_a_program_that_is_not_instrumented(project, pathprof):
    subprocess.run(["gcc", "prog.c", "-o", "plain"], cwd=project, check=True, timeout=900)
    for program, status in (("./plain", 3), ("false", 1)):
        error = pathprof("record", "--", program, status=status).stderr
        assert_one_line(error, "pathprof: record: ", "no profile", program, "not instrumented", "'pathprof build -- make'")


def test_an_instrumented_program_that_cannot_write(built, pathprof):
    (built / "prog.pathprof").mkdir()
    error = pathprof("record", "--", "./prog", "4", status=3).stderr
    assert_mentions(error, "./prog", "instrumented", "no profile", "'pathrt:'")
    error = pathprof("record", "--", "./prog", "4", "5", status=3).stderr
    assert_mentions(error, "./prog", "instrumented", "no profile", "exit status 3")


@pytest.mark.parametrize("arguments, env, named", [
    (["record"], {}, ["missing", "pathprof record -- PROGRAM ARGUMENT..."]),
    (["record", "--"], {}, ["program", "missing"]),
    (["record", "--", "./nothing"], {}, ["./nothing: No such file or directory"]),
    (["record", "--", "prog.sh"], {}, ["prog.sh: No such file or directory; did you mean ./prog.sh?"]),
    (["record", "--runs", "0", "--", "true"], {}, ["--runs", "0"]),
    (["record", "mode=kiter", "--", "true"], {}, ["'mode=kiter'", "argument", "'pathprof build'"]),
    (["record", "--rums", "2", "--", "true"], {}, ["option", "'--rums'", "did you mean '--runs'?"]),
    (["record", "--", "true"], {"PATHPROF_MODE": "off"}, ["PATHPROF_MODE=off"]),
    (["build"], {}, ["missing", "pathprof build [KEY=VALUE...] -- make"]),
    (["build", "--mode=kiter", "--", "make"], {}, ["option", "'--mode=kiter'", "mode=kiter"]),
    (["build", "mode=foo", "--", "make"], {}, ["'mode'", "'foo'", "acyclic, kiter"]),
    (["build", "include=a b", "--", "make"], {}, ["'include=a b'", "space", "quote"]),
    (["find-bug", "--pass", "true"], {}, ["--fail"]),
    (["find-bug", "--stdin", "--pass", "a", "--fail", "b"], {}, ["--stdin", "program"]),
    (["find-bug", "--clean", "true", "--pass", "a", "--fail", "b"], {}, ["--clean", "--build"]),
    (["rebuild", "--train", "true"], {}, ["command", "missing"]),
    (["rebuild", "--", "make"], {}, ["missing", "--train"]),
    (["rebuild", "switch=1", "--train", "true", "--", "make"], {}, ["switch=1", "late", "stage=early", "early"]),
    (["rebuild", "stage=late", "--train", "true", "--", "make"], {}, ["stage=late", "early"]),
    (["rebuild", "conditions=1", "--train", "true", "--", "make"], {}, ["conditions=1", "source"]),
    (["rebuild", "--train", "true", "--clean", "true", "--", "cmake", "--build", "b"], {}, ["CMake"]),
    (["rebuild", "stage=source", "mode=context", "--train", "true", "--", "make"], {}, ["mode=context", "source"]),
    (["rebuild", "--train", "true", "--", "ninja"], {}, ["--clean"]),
])
def test_wrong_use(project, pathprof, arguments, env, named):
    (project / "prog.sh").write_text("#!/bin/sh\n")
    (project / "prog.sh").chmod(0o755)
    assert_one_line(pathprof(*arguments, status=2, **env).stderr, f"pathprof: {arguments[0]}: ", *named)


# -------------------------------------------------------------------------------------------------
# build

def test_build_says_what_it_did(project, pathprof):
    error = pathprof("build", "mode=kiter", "k=3", "--", "make").stderr.splitlines()
    assert error[0].startswith("pathprof: CC='pathprof-gcc -fplugin-arg-pathprof-mode=kiter -fplugin-arg-pathprof-k=3' "
                               "CXX='pathprof-g++ -fplugin-arg-pathprof-mode=kiter")
    assert_mentions(error[0], "environment", "MAKEFLAGS")
    assert error[1:] == ["pathprof: instrumented: prog; next: pathprof record -- ./prog"]
    pathprof("record", "--", "./prog", "4")
    assert "mode=kiter" in pathprof("report").stdout
    error = pathprof("build", "--", "make").stderr
    assert "note: no program was linked;" in error and "'make clean' first" in error


def test_what_a_build_says_is_next_can_be_typed(project, pathprof):
    (project / "configure").write_text("#!/bin/sh\necho checking\n")
    (project / "configure").chmod(0o755)
    assert pathprof("build", "mode=kiter", "--", "./configure").stderr.endswith(
        "pathprof: configured; next: pathprof build mode=kiter -- make\n")
    (project / "Makefile").write_text("it.so.1: prog.c\n\t$(CC) -shared -fPIC $< -o it.so.1\n")
    assert "pathprof: instrumented: it.so.1; next: pathprof record -- PROGRAM" in pathprof("build", "--", "make").stderr
    (project / "Makefile").write_text("all:\n\t$(CC) -shared -fPIC prog.c -o a.so\n\t$(CC) prog.c -o 'it is'\n")
    assert pathprof("build", "--", "make").stderr.endswith(
        "pathprof: instrumented: a.so it is; next: pathprof record -- './it is'\n")
    assert pathprof("record", "--", "./it is", "4").stderr.endswith("next: pathprof report 'it is.pathprof'\n")


def test_a_build_in_another_folder(project, pathprof, tmp_path_factory):
    """Regression 18: programs are found wherever they were linked, and trial programs are none."""
    folder = tmp_path_factory.mktemp("elsewhere")
    (project / "Makefile").write_text(
        f"all:\n\t$(CC) prog.c -o conftest && ./conftest 4\n\tmkdir -p meson-private && $(CC) prog.c -o meson-private/sanity.exe\n"
        f"\t$(CC) -c prog.c -o {folder}/prog.o\n\tcd {folder} && $(CC) prog.o -oprog && $(CC) prog.o -o gone && rm gone\n")
    error = pathprof("build", "--", "make").stderr
    assert error.endswith(f"pathprof: instrumented: {folder}/prog; next: pathprof record -- {folder}/prog\n")
    assert "1 run counted in prog.pathprof" in pathprof("record", "--", f"{folder}/prog", "4").stderr


def test_programs_of_libtool(project, pathprof):
    """Regression 18: the script that runs a program with its libraries is named, not the program in .libs."""
    (project / "Makefile").write_text("all:\n\tmkdir -p .libs\n\t$(CC) prog.c -o .libs/prog\n"
                                      "\tprintf '#!/bin/sh\\nexec ./.libs/prog \"$$@\"\\n' >prog; chmod +x prog\n")
    assert pathprof("build", "--", "make").stderr.endswith("instrumented: .libs/prog; next: pathprof record -- ./prog\n")


def test_meson(project, pathprof, tmp_path_factory):
    """Regression 18: after 'meson setup' the next step is to build, and then to record what was built."""
    if not shutil.which("meson"):
        pytest.skip("meson is not installed")
    (project / "meson.build").write_text("project('p', 'c')\nexecutable('prog', 'prog.c')\n")
    folder = tmp_path_factory.mktemp("meson")
    assert pathprof("build", "--", "meson", "setup", folder).stderr.endswith(
        f"pathprof: configured; next: pathprof build -- meson compile -C {folder}\n")
    assert pathprof("build", "--", "meson", "compile", "-C", folder).stderr.endswith(
        f"pathprof: instrumented: {folder}/prog; next: pathprof record -- {folder}/prog\n")


def test_switched_programs(project, pathprof):
    """Regression 17: record turns the switch on unless the user has set it, and a build says how to record."""
    line = pathprof("build", "switch=1", "--", "make").stderr.splitlines()[-1]
    assert line.startswith("pathprof: instrumented: prog; next: ")
    assert_mentions(line, "pathprof record -p PID", "pathprof record -- ./prog", "switch=1")
    pathprof("record", "--", "./prog", "4")
    report = pathprof("report").stdout
    assert "classify" in report and "switched on for" in report
    pathprof("record", "-o", "off.pathprof", "--", "./prog", "4", PATHPROF_SWITCH="off")
    result = pathprof("report", "--json", "off.pathprof")
    assert json.loads(result.stdout)["paths"] == []
    assert re.search("warning: off.pathprof: .*never switched on", result.stderr)
    found = pathprof("find-bug", "--pass", "4", "--fail", "13", "--", "./prog")
    assert "in 1 of 1 failing runs" in found.stdout


def test_other_programs_are_not_switched(built, pathprof):
    """Regression 17: nothing is said of a switch that the program does not have."""
    pathprof("record", "--", "./prog", "4")
    assert "switched on" not in pathprof("report").stdout
    assert json.loads(pathprof("report", "--json").stdout)["switched_on_us"] == 0


def test_a_build_that_names_its_compiler(project, pathprof):
    (project / "Makefile").write_text("prog: prog.c\n\tgcc $< -o $@\n")
    error = pathprof("build", "--", "make").stderr
    assert "pathprof: note: not instrumented: prog;" in error and "pathprof record" not in error


def test_a_build_that_fails(project, pathprof):
    (project / "prog.c").write_text("int main(void) { return x; }\n")
    error = pathprof("build", "--", "make", status=2).stderr
    assert error.endswith("pathprof: build: 'make' failed: exit status 2\n")


def test_what_a_build_runs_is_not_counted(project, pathprof):
    """As configure runs its tests."""
    (project / "Makefile").write_text(MAKEFILE.replace("-o $@\n", "-o $@\n\t./prog 4\n", 1))
    pathprof("build", "--", "make")
    assert list(project.glob("*.pathprof")) == []


def test_a_driver_that_is_not_in_the_path(project, pathprof):
    error = pathprof("build", "--", "make", PATH="/usr/bin:/bin").stderr
    assert f"CC={BUILD}/bin/pathprof-gcc " in error and "instrumented: prog;" in error


@pytest.mark.skipif(shutil.which("cmake") is None, reason="needs cmake")
def test_cmake(project, pathprof):
    (project / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.10)\nproject(p C)\nadd_executable(tool prog.c)\n")
    subprocess.run(["cmake", "-B", "plain", "-DCMAKE_C_COMPILER=gcc"], cwd=project, check=True, capture_output=True, timeout=900)
    for arguments in (["-B", "plain"], ["--build", "plain"], ["-Bplain"]):
        error = pathprof("build", "--", "cmake", *arguments, status=2).stderr
        assert_one_line(error, "pathprof: build: plain/CMakeCache.txt", "configure", "new")
    told = pathprof("build", "mode=kiter", "--", "cmake", "-B", "counting").stderr
    assert told.endswith("pathprof: configured; next: pathprof build mode=kiter -- cmake --build counting\n")
    assert "instrumented" not in told
    assert "instrumented: counting/tool;" in pathprof("build", "mode=kiter", "--", "cmake", "--build", "counting").stderr
    pathprof("record", "--", "counting/tool", "4")
    assert "mode=kiter" in pathprof("report", "tool.pathprof").stdout
    for settings in ([], ["mode=kipf", "k=4"]):  # CMake would go on with the arguments that it was configured with
        error = pathprof("build", *settings, "--", "cmake", "--build", "counting", status=2).stderr
        assert_one_line(error, "pathprof: build: counting/CMakeCache.txt", "-fplugin-arg-pathprof-mode=kiter'")
    runs = ("--pass", "true", "--fail", "true")
    error = pathprof("find-bug", "--build", "cmake --build counting", "--clean", "true", *runs, status=2).stderr
    assert_one_line(error.splitlines(True)[-1], "pathprof: find-bug: counting/CMakeCache.txt")


# -------------------------------------------------------------------------------------------------
# find-bug

TIES = """#include <stdlib.h>
static __attribute__((noinline)) int is_ten(int number) {
  if (number == 10)
    return 1;
  return 0;
}
static __attribute__((noinline)) int twice(int number) { return 2 * number; }
int main(int argc, char **argv) {
  int number = atoi(argv[argc - 1]);
  return is_ten(twice(number) - number);
}
"""


def test_find_bug_with_inputs(built, pathprof):
    result = pathprof("find-bug", "-n", "2", "--pass", "1", "2", "12", "--fail", "13", "15", "--", "./prog")
    text = result.stdout
    assert text.startswith("2 runs failed, 3 passed; compared: ")
    assert re.search(r"^Most suspicious: path \d+ of classify \(prog.c:5\), in 2 of 2 failing .*\b0 of 3 passing", text, re.M)
    assert re.search(r"^The decision: .* (9|11):T .*, F in the other path", text, re.M)
    assert "\n        10 |     r += 2;\n" in text
    assert re.search(r"^   1  1.000     2/2     0/3 .*classify", text, re.M)
    assert result.stderr == "" and list(built.glob("*.pathprof")) == []


def test_find_bug_with_equal_scores(project, pathprof):
    """Runs differ only in a path of few failing runs, so the path with the best score was executed by all runs."""
    (project / "prog.c").write_text(TIES)
    pathprof("build", "--", "make")
    runs = ("--pass", "1", "2", "--fail", "3", "4", "5", "6", "7", "8", "9", "10", "--", "./prog")
    text = pathprof("find-bug", *runs, status=1).stdout
    assert re.search(r"^All runs executed the most suspicious path: .* in 8 of 8 failing runs and 2 of 2 passing runs$", text, re.M)
    assert re.search(r"^1 other path has the same score$", text, re.M)
    assert "same paths" not in text
    assert re.search(r"^ +4 .* 1/8 +0/2 ", text, re.M), text


def test_find_bug_into_a_file(built, pathprof):
    """What is printed is all there, the ranking, too."""
    runs = ("--pass", "1", "2", "12", "--fail", "13", "15", "--", "./prog")
    printed = pathprof("find-bug", "-n", "0", *runs).stdout
    assert printed.count("classify") > 2
    assert pathprof("find-bug", "-n", "0", "-o", "found", *runs).stdout == ""
    assert (built / "found").read_text() == printed


def test_find_bug_with_commands(built, pathprof):
    """A crash loses no counts."""
    text = pathprof("find-bug", "--pass", "./prog 2", "./prog 3", "--fail", "./prog 99", "--keep", "kept").stdout
    assert re.search("path .*in 1 of 1 failing .*0 of 2 passing", text)
    assert (built / "kept/0/pass-1/prog.pathprof").exists() and (built / "kept/0/pass-2/output").read_text() == "1\n"
    error = pathprof("find-bug", "--pass", "./prog 2", "--fail", "./prog 99", "--keep", "kept", status=2).stderr
    assert_one_line(error, "pathprof: ", "kept", "not empty")


def test_find_bug_with_standard_input(built, pathprof):
    for name, numbers in {"good": "1 2 12", "bad": "2 13"}.items():
        (built / name).write_text(numbers)
    text = pathprof("find-bug", "--stdin", "--pass", "good", "--fail", "bad", "--", "./prog", "-").stdout
    assert "of classify" in text
    error = pathprof("find-bug", "--stdin", "--pass", "good", "--fail", "missing", "--", "./prog", "-", status=2).stderr
    assert error == "pathprof: find-bug: missing: No such file or directory\n"


def test_a_missing_input_among_files_is_said(built, pathprof):
    (built / "2").touch()
    result = pathprof("find-bug", "--pass", "2", "--fail", "13", "--", "./prog")
    assert_one_line(result.stderr, "pathprof: note: ", "'13'", "file")


def test_an_input_on_both_sides_is_said(built, pathprof):
    result = pathprof("find-bug", "--pass", "2", "13", "--fail", "13", "--", "./prog", status=1)
    assert re.search("note: '13' .*passing.*failing", result.stderr)


def test_where_an_input_goes(built, pathprof):
    pathprof("find-bug", "--keep", "kept", "--pass", "1", "--fail", "13", "--", "./prog", "{}", "2", "{}")
    assert (built / "kept/0/pass-1/output").read_text() == "2\n"


def test_commands_without_quotes(built, pathprof):
    error = pathprof("find-bug", "--pass", "./prog", "2", "--fail", "./prog 99", status=2).stderr
    assert_mentions(error, "'2'", "shell", "quote")


def test_find_bug_in_what_is_not_instrumented(built, pathprof):
    error = pathprof("find-bug", "--pass", "true", "--fail", "false", status=3).stderr
    assert_mentions(error, "'true'", "no profile", "not instrumented")
    (built / "other").write_bytes((built / "prog").read_bytes())
    (built / "other").chmod(0o755)
    both = "./prog {} && ./other {}"
    runs = ["--pass", both.replace("{}", "2"), "--fail", both.replace("{}", "13")]
    error = pathprof("find-bug", *runs, status=2).stderr
    assert_mentions(error, "several programs", "--program", "other, prog")
    assert "of classify" in pathprof("find-bug", "--program", "other", *runs).stdout


ALTERNATES = r"""
#include <stdlib.h>
volatile int done;
int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (atoi(argv[i]) > 0)
      done += 1;
    else
      done += 2;
  return 0;
}
"""
PASSING, FAILING = ["./prog 1 0 1 0 1 0", "./prog 0 1 0 1 0 1"], ["./prog 1 0 1 0 0 1", "./prog 0 1 0 0 1 0"]


def test_longer_paths(project, pathprof):
    """Two zeros in a row: no acyclic path tells that, one over two iterations does."""
    (project / "prog.c").write_text(ALTERNATES)
    pathprof("build", "--", "make")
    error = pathprof("find-bug", "--pass", *PASSING, "--fail", *FAILING, status=1).stderr
    assert_mentions(error, "no path", "--build 'make'", "longer paths")
    result = pathprof("find-bug", "--build", "make", "--pass", *PASSING, "--fail", *FAILING)
    assert re.search("no path .*mode=kiter k=2", result.stderr)
    assert "compared: mode=kiter k=2\n" in result.stdout and re.search("in 2 of 2 failing .*0 of 2 passing", result.stdout)


def test_find_bug_builds_first(project, pathprof):
    subprocess.run(["make"], cwd=project, check=True, timeout=900, env=environment(), capture_output=True)
    result = pathprof("find-bug", "--build", "make", "--pass", "./prog 1", "--fail", "./prog 13")
    assert "'./prog 1' wrote no profile; building the program first" in result.stderr and "of classify" in result.stdout


@pytest.mark.parametrize("runs", (["--pass", "./prog 1", "--fail", "./prog 13"], ["--pass", "1", "--fail", "13", "--", "./prog"]))
def test_find_bug_builds_a_program_that_is_not_there(project, pathprof, runs):
    """Regression 16: the program is built before it is looked for."""
    result = pathprof("find-bug", "--build", "make", *runs)
    assert "building the program first" in result.stderr and "of classify" in result.stdout
    error = pathprof("find-bug", "--build", "make", "--pass", "./prg 1", "--fail", "./prg 2", status=2).stderr
    assert "the shell cannot run './prg 1'" in error


def test_find_bug_understands_quotes_in_the_build_command(project, pathprof):
    result = pathprof("find-bug", "--build", "make CFLAGS='-O2 -g'", "--pass", "./prog 1", "--fail", "./prog 13")
    assert "1 run failed, 1 passed" in result.stdout


def test_find_bug_reports_a_missing_clean_command_before_it_runs_anything(project, pathprof):
    runs = ["--pass", "touch ran; ./prog 1", "--fail", "touch ran; ./prog 13"]
    error = pathprof("find-bug", "--build", "make; make", *runs, status=2).stderr
    assert_one_line(error, "pathprof: find-bug: ", "--clean")
    assert not (project / "ran").exists()


def test_runs_that_do_the_same(built, pathprof):
    assert "no path " in pathprof("find-bug", "--pass", "./prog 1", "--fail", "./prog 1", status=1).stderr


# -------------------------------------------------------------------------------------------------
# rebuild

def test_rebuild(project, pathprof):
    result = pathprof("rebuild", "--train", "./prog 4", "--train", "./prog 5", "--rounds", "2", "--", "make")
    assert "pathprof: building with CC=" in result.stderr and "pathprof: training: ./prog 5" in result.stderr
    assert "--pathprof-use=" in result.stderr
    assert re.match(r"CPU time: [\d.]+ s without profile, [\d.]+ s with profile \(medians of 2 rounds\)\n"
                    r"Ratio with/without profile: [\d.]+ \(median\); a conclusion requires --rounds 6 or more\n", result.stdout)
    assert result.stdout.endswith("prog.pathprof and left in place: prog\n")
    assert runs_in(pathprof, "prog.pathprof") == 2
    assert b"__pathrt_registry" not in (project / "prog").read_bytes()
    assert [file.name for file in project.iterdir() if "pathprof-new" in file.name] == []


def test_runs_read_the_same_input(project, pathprof):
    (project / "copy.c").write_text("#include <stdio.h>\nint main (void) { int n = 0; while (getchar () != EOF) n++; return n != 3; }\n")
    subprocess.run([BUILD / "bin/pathprof-gcc", "copy.c", "-o", "copy"], cwd=project, check=True)
    (project / "input").write_text("abc")
    command = [BUILD / "bin/pathprof", "record", "--warm", "1", "--runs", "3", "--", "./copy"]
    with open(project / "input", encoding="utf-8") as file:
        done = subprocess.run(command, stdin=file, cwd=project, capture_output=True, text=True, check=True)
    assert "3 runs" in done.stderr and "note" not in done.stderr
    done = subprocess.run(command, input="abc", cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "standard input is a pipe" in done.stderr


def test_rebuild_draws_no_conclusion_from_short_runs(project, pathprof):
    result = pathprof("rebuild", "--train", "./prog 4", "--rounds", "6", "--", "make")
    assert re.search(r"\(median; 95% confidence interval [\d.]+ to [\d.]+\)\n", result.stdout)
    assert "too short for a conclusion" in result.stdout and not re.search("faster|slower|difference", result.stdout)


def test_rebuild_without_comparison(project, pathprof):
    result = pathprof("rebuild", "mode=kiter", "--train", "./prog 4", "--rounds", "0", "-o", "k.pathprof", "--", "make")
    assert "CPU time" not in result.stdout
    assert "mode=kiter" in pathprof("report", "k.pathprof").stdout


def test_rebuild_in_another_folder(project, pathprof, tmp_path_factory):
    """Regression 18: programs that are linked outside of the working directory are rebuilt, too."""
    folder = tmp_path_factory.mktemp("elsewhere")
    (project / "Makefile").write_text(f"{folder}/prog: prog.c\n\t$(CC) -O2 -g prog.c -o $@\nclean:\n\trm -f {folder}/prog\n")
    result = pathprof("rebuild", "--train", f"{folder}/prog 4", "--rounds", "1", "--", "make")
    assert "CPU time: " in result.stdout and result.stdout.endswith(f"prog.pathprof and left in place: {folder}/prog\n")
    assert b"__pathrt_registry" not in (folder / "prog").read_bytes()
    (project / "Makefile").write_text(f"all:\n\ttest -f {folder}/prog || $(CC) -O2 -g prog.c -o {folder}/prog\n"
                                      f"\trm -f {folder}/prog.pathprof\n")
    (folder / "prog").unlink()
    error = pathprof("rebuild", "--train", f"{folder}/prog 4", "--clean", "true", "--", "make", status=2).stderr
    assert_one_line(error.splitlines(True)[-1], "pathprof: rebuild: ", "did not link a program", "'make'")


def test_rebuild_keeps_a_profile_that_was_there(project, pathprof):
    pathprof("build", "mode=kiter", "--", "make")
    pathprof("record", "--", "./prog", "4")
    result = pathprof("rebuild", "--train", "./prog 4", "--rounds", "0", "--", "make")
    (line,) = [line for line in result.stderr.splitlines() if "~1~" in line]
    assert_mentions(line, f"{project}/prog.pathprof", f"{project}/prog.pathprof.~1~")
    assert "mode=acyclic" in pathprof("report", "prog.pathprof").stdout
    pathprof("rebuild", "mode=kipf", "--train", "./prog 4", "--rounds", "0", "--", "make")
    for name, mode in (("prog.pathprof.~1~", "kiter"), ("prog.pathprof.~2~", "acyclic"), ("prog.pathprof", "kipf")):
        assert f"mode={mode}" in pathprof("report", name).stdout
    (project / "prog.pathprof.77.raw").write_bytes(b"")
    error = pathprof("rebuild", "--train", "./prog 4", "--rounds", "0", "--", "make", status=2).stderr
    assert_mentions(error, "rebuild", f"{project}/prog.pathprof.77.raw", f"{project}/prog.pathprof")
    assert "mode=kipf" in pathprof("report", "prog.pathprof").stdout


def test_rebuild_in_a_folder_with_a_blank_in_its_name(project, pathprof):
    """CC cannot carry the profile's name."""
    folder = project / "a b"
    folder.mkdir()
    for name in ("prog.c", "Makefile"):
        (project / name).rename(folder / name)
    result = subprocess.run([BUILD / "bin/pathprof", "rebuild", "--train", "./prog 4", "--rounds", "0", "--", "make"], cwd=folder,
                            env=environment(), capture_output=True, text=True, timeout=900, check=True)
    assert result.stdout == f"Built with {folder}/prog.pathprof and left in place: prog\n"
    assert (folder / "prog.pathprof").is_file() and not (folder / "prog.pathprof").is_symlink()


def test_a_training_run_that_fails(project, pathprof):
    error = pathprof("rebuild", "--train", "./prog 4 5", "--", "make", status=1).stderr
    assert "pathprof: rebuild: './prog 4 5' failed: exit status 3" in error
    error = pathprof("rebuild", "--train", "true", "--", "make", status=2).stderr
    assert_mentions(error, "training runs", "no profile")


def test_a_measured_run_that_fails(project, pathprof):
    error = pathprof("rebuild", "--train", "./prog 4", "--measure", "./prog 4 5", "--", "make", status=1).stderr
    assert "'./prog 4 5' failed: exit status 3" in error


def test_a_rebuild_that_cannot_clean(project, pathprof):
    error = pathprof("rebuild", "--clean", "true", "--train", "./prog 4", "--", "make", status=2).stderr
    assert_mentions(error, "did not link a program", "'make'", "'sh -c true'", "--clean")


def test_a_rebuild_without_a_goal_that_cleans(project, pathprof):
    error = pathprof("rebuild", "--clean", "make sweep", "--train", "./prog 4", "--", "make", status=1).stderr
    assert "make sweep' failed" in error and "--clean" in error.splitlines()[-1]


def test_a_build_that_fails_in_rebuild(project, pathprof):
    (project / "prog.c").write_text("int main(void) { return x; }\n")
    error = pathprof("rebuild", "--train", "./prog", "--", "make", status=1).stderr
    assert "'x' undeclared" in error and "pathprof: rebuild: 'make' failed: exit status 2, with CC=pathprof-gcc" in error
