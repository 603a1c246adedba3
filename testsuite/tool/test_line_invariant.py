# SPDX-License-Identifier: GPL-3.0-or-later
"""Regression 20: a line with an executed block is never 0, and a line without one is never positive, in any export.

Each program is built in some of the combinations of stage, level and mode.  The programs of the tree together cover
every combination.  PATHPROF_RANDOM_PROGRAMS=N runs N random programs instead of the fixed
sample, and tries every combination; PATHPROF_RANDOM_FIRST=SEED starts elsewhere.
"""

import concurrent.futures
import itertools
import os
import pathlib
import subprocess
import sys

import pytest

from conftest import BUILD, STAGES
from random_ends import CXX, EndsProgram, OTHERS
from random_jumps import JumpProgram

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "real"))
import gcov_lines  # noqa: E402
import line_invariant  # noqa: E402

PATHDUMP = BUILD / "bin/pathdump"
SECONDS = 300
LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os")
MODES = (("mode=acyclic", "termination=exact"), ("mode=kiter",), ("mode=kipf",), ("mode=intracontext",), ("mode=acyclic", "switch=1"))
CONFIGURATIONS = [(stage, level, arguments) for stage, level, arguments in itertools.product(STAGES, LEVELS, MODES)
                  if stage != "source" or "switch=1" not in arguments]
COUNT = int(os.environ.get("PATHPROF_RANDOM_PROGRAMS", "4"))
FIRST = int(os.environ.get("PATHPROF_RANDOM_FIRST", "1"))
STEP = 1 if "PATHPROF_RANDOM_PROGRAMS" in os.environ else 9  # between the configurations of one program
PROGRAMS = {source: status for source, status in (
    ("exceptions.cc", 0), ("jumps.c", 3), ("conditions.c", 3), ("labels.c", 0), ("setjmps.c", 0), ("cases.cc", 0),
    ("loops.c", 0), ("processes.c", 0))}


def run(folder, *command, status=0, **variables):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False,
                          stdin=subprocess.DEVNULL, errors="replace", env=os.environ | variables)
    assert status is None or done.returncode == status, f"{command}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def violations(folder, sources, configuration, program=("./prog",), status=0):
    """Builds and runs a program in a folder of its own, and returns the violations with the configuration."""
    stage, level, arguments = configuration
    folder.mkdir()
    compiler = "pathprof-g++" if any(source.suffix == ".cc" for source in sources) else "pathprof-gcc"
    run(folder, BUILD / "bin" / compiler, level, "-g", "-w", "-pthread", f"-fplugin-arg-pathprof-stage={stage}",
        *(f"-fplugin-arg-pathprof-{argument}" for argument in arguments),
        *sources, "-o", "prog")
    run(folder, *program, status=status, PATHPROF_SWITCH="on")
    if not (folder / "prog.pathprof").exists():
        return []  # the program ended by a signal, or by exec, before anything was written
    found, executed = line_invariant.violations(PATHDUMP, folder / "prog.pathprof")
    if executed == 0 and status == 0:
        found.append("no line was executed")
    return [f"{folder.name} {stage} {level} {' '.join(arguments)}: {violation}" for violation in found]


def all_violations(folder, jobs):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        futures = [pool.submit(violations, folder / f"{job[0][0].stem}{number}", *job) for number, job in enumerate(jobs)]
        return [violation for future in futures for violation in future.result()]


def chosen(number):
    return CONFIGURATIONS[number % STEP::STEP]


def test_programs_of_the_tree(tmp_path):
    jobs = [([HERE / "gcov" / source], configuration, ("./prog",), status)
            for number, (source, status) in enumerate(PROGRAMS.items()) for configuration in chosen(number)]
    for number, text in enumerate((LAST_BLOCK, IRREDUCIBLE, THREADED)):
        source = tmp_path / f"reported{number}.c"
        source.write_text(text)
        jobs += [([source], configuration) for configuration in chosen(number)]
    assert all_violations(tmp_path, jobs) == []


def test_random_programs(tmp_path):
    """Programs full of jumps, and programs that end anywhere: by exit, exceptions, longjmp, and from other threads."""
    jobs = []
    (tmp_path / "hits").write_bytes(bytes(1 << 16))
    (tmp_path / "others.cc").write_text(OTHERS)
    for seed in range(FIRST, FIRST + COUNT):
        language = "c" if seed % 2 else CXX
        suffix = ".c" if seed % 2 else ".cc"
        jumps, ends = tmp_path / f"jumps{seed}{suffix}", tmp_path / f"ends{seed}{suffix}"
        jumps.write_text(JumpProgram(seed, language).text)
        ends.write_text(EndsProgram(seed, language).text)
        for configuration in chosen(seed):
            jobs.append(([jumps], configuration))
            jobs.append(([ends] if seed % 2 else [ends, tmp_path / "others.cc"], configuration, ("./prog", "../hits")))
    assert all_violations(tmp_path, jobs) == []


# ---- the programs of the reports ----

LAST_BLOCK = """\
#include <stdio.h>
const char *name = "x";
__attribute__((noipa)) void
handle_success(int verbosity) {
  if (verbosity >= 3) {
    printf("PASS: %s\\n", name);
  }
}
int main(void) { for (int i = 0; i < 690; i++) handle_success(1); }
"""

JUMP_BEHIND_CALL = """\
__attribute__((noipa)) void stop(int n) { asm volatile("" : : "r"(n)); }
__attribute__((noipa)) void f(const char *text, int length)
{
  for (int i = 0; i < length; i++) {
    if (text[i] == 'Z') {
      stop(i);
      break;
    }
  }
}
int main(void) { for (int i = 0; i < 5; i++) f("abZ", i); return 0; }
"""

# The part of a function that GCC splits off.
REST = """\
  for (int i = 0; i < n; i++)
    {
      if (i % 3 == 0) put ("a");
      else if (i % 3 == 1) put ("b");
      else put ("c");
      sink += i * n;
      if (sink > 1000000) { put ("large"); sink = 0; }
    }
  put ("end");
}
"""
SPLIT = """\
volatile int sink;
static __attribute__ ((noinline)) void put (const char *s) { sink += s[0]; }
void
write_image (int n)
{
  if (n == 0)
    return;
""" + REST + """\
void
write_rows (int n)
{ if (n == 0)
    return;
""" + REST + """\
void (*volatile pointers[]) (int) = { write_image, write_rows };
int
main (int argc, char **argv)
{
  for (int i = 0; i < 10; i++)
    pointers[i % 2] (i % 5 + argc);
  if (argc > 1)
    {
      write_image (argc);
      write_rows (argc);
    }
  return 0;
}
"""

IRREDUCIBLE = """\
static unsigned s = 1; volatile unsigned long c[9];
static inline unsigned rnd (void) { s = s * 1103515245u + 12345u; return (s >> 16) & 0x7fff; }
__attribute__((noipa)) int f (int x)
{
 switch (rnd () % 3) { case 0: goto L6; }
L5:
 c[1]++;
L6:
 switch (rnd () % 6) { case 0: goto L5; }
 return x + 1;
}
int main (void) { for (int i = 0; i < 30; i++) f (i); __builtin_printf ("%lu\\n", c[1]); }
"""

THREADED = """\
unsigned d; volatile unsigned long c[6]; unsigned seed = 1;
__attribute__((noipa)) int g(int x) { d = x < 0; return x; }
__attribute__((noipa)) int f(int x)
{
  if (d < 6)
    x += g(x);
  c[1]++;
  c[2]++;
  if (d < 6)
    x += g(x);
  c[3]++;
  c[4]++;
  return x;
}
int main(void) { for (int i = 0; i < 8; i++) f(i); return 0; }
"""


def counts_of(project, text, level, *arguments):
    project.write("prog.c", text)
    project.gcc(level, "-g", *(f"-fplugin-arg-pathprof-{argument}" for argument in arguments), "prog.c", "-o", "prog")
    (project.folder / "prog.pathprof").unlink(missing_ok=True)
    printed = project.run("./prog", env={"PATHPROF_SWITCH": "on"}).stdout
    assert line_invariant.violations(PATHDUMP, project.folder / "prog.pathprof")[0] == []
    tracefile = project.pathdump("export", "--format=lcov", "prog.pathprof").stdout
    return {line: count for (_, line), count in gcov_lines.read_tracefile(tracefile).items()}, printed


def test_ordinary_code_in_the_last_block(project):
    """Regression 19: in optimised code any block may be the last one, and its lines have counts."""
    counts, _ = counts_of(project, LAST_BLOCK, "-O2")
    assert counts[8] == 690 and counts[6] == 0


def test_copy_in_the_last_block(project):
    """Regression 19: a copy that makes a loop reducible counts on the lines of its original."""
    counts, printed = counts_of(project, IRREDUCIBLE, "-O2", "mode=intracontext")
    assert counts[7] == int(printed)


@pytest.mark.parametrize("arguments", [(), ("termination=exact",)], ids=["basic", "exact"])
def test_jump_behind_a_call_in_tail_position(project, arguments):
    """Regression 19: the line of a jump is not missing if the call before it has a return of its own."""
    counts, _ = counts_of(project, JUMP_BEHIND_CALL, "-O2", *arguments)
    assert counts[6] == counts[7] == 2


def test_entry_of_a_part(project):
    """Regression 23: a function that goes on in its part was called once."""
    counts, _ = counts_of(project, SPLIT, "-O2")
    split = [function["name"] for function in project.profile()["functions"] if ".part." in function["name"]]
    assert len(split) == 2, "GCC did not split both functions"
    assert {line: counts[line] for line in (4, 6, 16, 19, 20, 30)} == dict.fromkeys((4, 6, 16, 19, 20, 30), 5)


@pytest.mark.parametrize("arguments", [("stage=late",), ("switch=1",), ("stage=early",)])
def test_copies_of_threaded_jumps(project, arguments):
    """Regression 20: the copy of a line that was executed ends on a later line, and the copy that owns the line was not
    executed."""
    counts, _ = counts_of(project, THREADED, "-O2", *arguments)
    assert {line: counts[line] for line in (7, 8, 11, 12)} == dict.fromkeys((7, 8, 11, 12), 8)
