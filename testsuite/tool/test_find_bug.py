# SPDX-License-Identifier: GPL-3.0-or-later
"""pathprof find-bug: the decision and the lines that it names, and how it classifies and repeats runs."""
import array
import fcntl
import os
import re
import select
import shutil
import signal
import subprocess
import termios

import pytest

from conftest import BUILD, assert_mentions, assert_one_line
import test_pathprof_command
from test_pathprof_command import MAKEFILE, environment

pathprof = test_pathprof_command.pathprof

SUM = r"""
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int sum = 0;
  for (int i = 1; i < argc; i++) {
    int n = atoi(argv[i]);
    if (n == 13)
      sum += 1;
    sum += n;
  }
  printf("%d\n", sum);
  fprintf(stderr, "%d arguments\n", argc);
  return argc == 1;
}
"""

# Every path of `choose` that a failing run executes was also executed by a passing run, or not by all failing runs.
TWO_WAYS = r"""
#include <stdlib.h>
volatile int sink;
void work(int n) {
  if (n > 5)
    sink = 1;
  if (n % 2)
    sink = 2;
}
int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    work(atoi(argv[i]));
  return 0;
}
"""

# `short_way` and `long_way` are executed by the same runs.  `often` is executed by all runs.
EQUAL = r"""
#include <stdlib.h>
volatile int sink;
void often(int n) {
  sink = 0;
  if (n > 10)
    sink += n;
  if (n > 20) {
    sink += n; sink *= 2; sink += n; sink *= 2; sink += n; sink *= 2; sink += n; sink *= 2; sink += n; sink *= 2;
  }
}
void rare(int n) {
  if (n > 20)
    sink = 4;
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  often(n);
  if (n > 19)
    rare(n);
  return 0;
}
"""

CRASH = r"""
#include <stdio.h>
int size(const char *text) {
  if (text[0] == 'x')
    text = 0;
  printf("size\n");
  return text[0] + text[1];
}
int main(int argc, char **argv) { return size(argv[1]) == 0; }
"""


@pytest.fixture
def build(tmp_path):
    def run(source, *arguments):
        (tmp_path / "prog.c").write_text(source)
        (tmp_path / "Makefile").write_text(MAKEFILE.replace("-O1", "-O0"))
        subprocess.run([BUILD / "bin/pathprof", "build", *arguments, "--", "make"], cwd=tmp_path, check=True, capture_output=True,
                       env=environment(), timeout=900)
        return tmp_path

    return run


def test_decision_on_several_paths(build, pathprof):
    """All failing runs take one outcome, but on different paths."""
    build(TWO_WAYS)
    result = pathprof("find-bug", "--pass", "./prog 1", "./prog 2", "./prog 3", "--fail", "./prog 6", "./prog 7")
    assert re.search(r"^Decisive outcome: 5:T [^,]*, in 2 of 2 failing runs and 0 of 3 passing runs$", result.stdout, re.M)
    assert re.search(r"^Most suspicious: path \d+ of work .* in 1 of 2 failing", result.stdout, re.M)
    assert "no path distinguishes" not in result.stderr


def test_lines_of_failing_runs(build, pathprof):
    build(TWO_WAYS)
    text = pathprof("find-bug", "--pass", "./prog 1", "./prog 2", "--fail", "./prog 6", "./prog 7").stdout
    assert "\nExecuted only in failing runs: prog.c:6 (work)\n" in text
    text = pathprof("find-bug", "--pass", "./prog", "--fail", "./prog 6", "./prog 7").stdout
    assert "\nExecuted only in failing runs: prog.c:12 (main), prog.c:4-7 9 (work)\n" in text
    text = pathprof("find-bug", "--pass", "./prog 2 2", "--fail", "./prog 2 2 2", status=1).stdout
    assert "Executed only" not in text


def size_of(pipe):
    size = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, size)
    return size[0]


@pytest.mark.parametrize("is_ignored", [False, True], ids=["", "ignored"])
@pytest.mark.parametrize("part", ["result", "ranking"])
def test_pipe_that_is_closed_early(build, pathprof, part, is_ignored):
    """As in `pathprof find-bug ... | head -1`: no message, and SIGPIPE ends the command, which removes its temporary files."""
    folder = build(TWO_WAYS)
    (folder / "tmp").mkdir()
    words = ["find-bug", "--pass", "./prog 1", "./prog 2", "--fail", "./prog 6", "./prog 7"]
    text = pathprof(*words).stdout
    first = text[:text.rindex("2 runs failed, 2 passed\nRanked")].encode()
    reader, writer = os.pipe()
    size = fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    if part == "ranking":  # the pipe is full when the ranking is due
        os.write(writer, b" " * (size - len(first)))
    else:
        os.close(reader)
    with subprocess.Popen([BUILD / "bin/pathprof", *words], cwd=folder, env=environment(TMPDIR=folder / "tmp"), stdout=writer,
                          stderr=subprocess.PIPE, restore_signals=not is_ignored) as process:
        if part == "ranking":
            while size_of(reader) < size:
                assert not select.select([process.stderr], [], [], 0.05)[0], process.stderr.read()
            os.close(reader)
        os.close(writer)
        assert process.stderr.read() == b""
    assert process.returncode == -signal.SIGPIPE and not list((folder / "tmp").iterdir())


def test_order_of_equal_scores(build, pathprof):
    """The function that fewer passing runs executed precedes a longer path of another function.  All ties are listed."""
    build(EQUAL)
    text = pathprof("find-bug", "-n", "1", "--pass", "./prog 1", "./prog 11", "./prog 20", "--fail", "./prog 30").stdout
    assert re.search(r"^Most suspicious: path \d+ of rare .*\n1 other path has the same score\nOnly one run failed; ", text, re.M)
    assert re.findall(r"^ +\d+  1\.000 .*?(rare|often)", text, re.M) == ["rare", "often"]
    text = pathprof("find-bug", "--pass", "./prog 1", "./prog 11", "--fail", "./prog 30", "./prog 31").stdout
    assert "Only one run" not in text


def test_expected_output(build, pathprof):
    folder = build(SUM)
    for name, number, expected in (("a", 1, 1), ("b", 2, 2), ("c", 13, 13), ("d", 13, 13)):
        (folder / f"{name}.in").write_text(f"{number}\n")
        (folder / f"{name}.out").write_text(f"{expected}\n")
    command = ("--", "sh", "-c", "./prog $(cat {})")
    result = pathprof("find-bug", "--runs", "a.in", "b.in", "c.in", "d.in", "--output-differs", "{.}.out", *command)
    assert result.stderr == "pathprof: 2 of 4 runs failed: c.in, d.in\n"
    assert re.search(r"Decisive outcome: 8:T [^,]*, in 2 of 2 failing runs and 0 of 2 passing runs", result.stdout)
    (folder / "sums").mkdir()
    for name in "ac":
        shutil.copy(folder / f"{name}.out", folder / f"sums/{name}.in")
    result = pathprof("find-bug", "--runs", folder / "a.in", folder / "c.in", "--output-differs", "sums/{/}", *command)
    assert "1 of 2 runs failed" in result.stderr
    for inputs, end in ((("a.in", "b.in"), "passed; add inputs for which the program fails"),
                        (("c.in", "d.in"), "failed; add inputs for which the program passes")):
        error = pathprof("find-bug", "--runs", *inputs, "--output-differs", "{.}.out", *command, status=2).stderr
        assert_one_line(error, f"pathprof: find-bug: all 2 runs {end}")
    error = pathprof("find-bug", "--runs", "a.in", "--output-differs", "{.}.missing", *command, status=2).stderr
    assert_mentions(error, "--output-differs", "a.missing", "No such file")


def test_expected_output_of_a_crash(build, pathprof):
    """A run that a signal terminates fails, whatever it prints."""
    folder = build(CRASH)
    (folder / "a.out").write_text("size\n")
    (folder / "x.out").touch()
    result = pathprof("find-bug", "--runs", "a", "x", "--output-differs", "{}.out", "--", "./prog", status=1)
    assert "pathprof: 1 of 2 runs failed: x\n" in result.stderr


@pytest.mark.parametrize("options, words", [
    (("--runs", "a"), ("--runs", "--output-differs", "together")),
    (("--output-differs", "a"), ("--runs", "--output-differs", "together")),
    (("--runs", "a", "--output-differs", "a", "--pass", "b"), ("--runs", "--pass", "--fail")),
    (("--split", "--pass", "a", "--fail", "b"), ("--split", "program"))])
def test_options_that_do_not_fit(pathprof, options, words):
    error = pathprof("find-bug", *options, status=2).stderr
    assert_one_line(error, "pathprof: find-bug: ", *words)


def test_inputs_of_several_words(build, pathprof):
    build(SUM)
    runs = ("--pass", "3 0", "4 5", "--fail", "3 13", "13 1")
    result = pathprof("find-bug", "--split", "--keep", "kept", *runs, "--", "./prog")
    assert "Decisive outcome: 8:T " in result.stdout and "note" not in result.stderr
    codes = pathprof("find-bug", "--codes", "--split", *runs, "--", "./prog").stdout
    assert "Decisive outcome: 8:T, in 2 of 2 failing" in codes and "Conditions: T is true" in codes
    assert "prog.c:9 " in pathprof("find-bug", "--split", *runs, "--", "./prog", "{}").stdout
    result = pathprof("find-bug", "--pass", "3 0", "4 5", "--fail", "4 13", "5 13", "--", "./prog", "{}", status=1)
    assert_mentions(result.stderr, "note: '3 0' was passed", "one argument", "--split")
    assert "--split" not in pathprof("find-bug", "--pass", "./prog 3 0", "--fail", "./prog 3 0", status=1).stderr


def test_original_build_is_restored(build, pathprof):
    """The program counts the same paths as before, and longer paths were compared."""
    folder = build(SUM, "mode=kiter", "k=2")
    runs = ("--pass", "./prog 3 4", "--fail", "./prog 4 13")
    result = pathprof("find-bug", "--longer", *runs)
    assert_mentions(result.stderr, "building with mode=kiter k=2 to compare longer paths",
                    "building again with the original settings mode=kiter k=2")
    pathprof("record", "-o", "again.pathprof", "--", "./prog", "1")
    assert "k=2" in pathprof("report", "again.pathprof").stdout
    build(SUM)
    assert "building again with the default arguments" in pathprof("find-bug", "--longer", *runs).stderr
    pathprof("record", "-o", "default.pathprof", "--", "./prog", "1")
    assert "mode=acyclic" in pathprof("report", "default.pathprof").stdout
    assert "building" not in pathprof("find-bug", *runs).stderr
    assert not list(folder.glob("prog.pathprof"))


@pytest.mark.skipif(shutil.which("gdb") is None, reason="needs gdb")
def test_last_paths_of_a_crash(build, pathprof):
    build(CRASH)
    for runs in (("--pass", "./prog a", "--fail", "./prog xy"), ("--pass", "a", "--fail", "xy", "--", "./prog")):
        result = pathprof("find-bug", *runs, status=1)  # the failing run finished no path
        assert re.search(r"passed; compared: .*\nLast paths of '.*xy' \((exit status 139|signal 11 .*)\), innermost first:\n"
                         r"  path \d+ of size \(prog.c:3\): prog.c:4:T [^;]*; stopped at 6\n  path \d+ of main ", result.stdout), result
    build(CRASH, "stage=late")
    result = pathprof("find-bug", "--pass", "./prog a", "--fail", "./prog xy")
    assert_mentions(result.stderr, "last paths", "unknown", "termination=exact")
