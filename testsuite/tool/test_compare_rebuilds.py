# SPDX-License-Identifier: GPL-3.0-or-later
"""bench/compare-rebuilds names what two rebuilds of a program differ in."""

import importlib.machinery
import importlib.util
import re
import subprocess
import sys
from unittest import mock

import pytest

from conftest import BUILD, HERE

BENCH = HERE.parents[1] / "bench"
# What `rare` costs each time is known; GCC's own profile and ours agree on how often it is called.
SOURCE = """\
volatile int sink;
__attribute__ ((noinline)) void rare (int n) { sink = n; }
static int often (int n) { return n % 7 ? n * 3 : n + sink; }
int main (void)
{
  int sum = 0;
  for (int i = 0; i < 1000; i++)
    {
      sum += often (i);
      if (i % 100 == 0)
        rare (sum);
    }
  return sum & 1;
}
"""
MAKE = "$CC $CFLAGS -c main.c && $CC $LDFLAGS main.o -o main && echo \"$CFLAGS\" >>"
# As GCC writes its symbol table; a copy that was inlined, a part that never ran.
TABLE = """\
Symbol table:

late/1 (late) @0x7f0000000000
  Type: function definition analyzed
  Function flags: count:1 (precise)
  Calls: old/2 (1 (precise),1.00 per call)

Symbol table:

_Z3hotv.part.0/9 (hot.part) @0x7f0000000010
  Type: function definition analyzed
  Function flags: count:1073741824 (estimated locally, globally 0) body local split_part unlikely_executed
  Calls: puts/4 (1073741824 (estimated locally, globally 0),1.00 per call) (can throw external)
_Z3hotv.isra.0/8 (hot.isra) @0x7f0000000020
  Type: function definition analyzed
  Function _Z3hotv.isra.0/8 is inline copy in main/3
  Function flags: count:40 (adjusted) body local hot
  Calls: leaf/5 (inlined) (40 (adjusted),1.00 per call) puts/4 (7 (precise),0.17 per call) (can throw external)
main/3 (main) @0x7f0000000030
  Type: function definition analyzed
  Function flags: count:1 (precise) body
  Calls: _Z3hotv.isra.0/8 (inlined) (40 (adjusted),40.00 per call)
puts/4 (puts) @0x7f0000000040
  Type: function
"""
BLOCKS = """\
;;   basic block 2, loop depth 0, count 3 (precise)
  [dir/a.c:4:3] x = 1;
;;    succ:       3 [always]  count:3 (precise) (FALLTHRU,EXECUTABLE) dir/a.c:9:1
;;   basic block 3, loop depth 1, count 40 (guessed local)
  [dir/a.c:4:3 discrim 2] y = [dir/a.c:5:3] f ();
;;   basic block 4, loop depth 1, count 50 (estimated locally, globally 0)
  [dir/a.c:6:3] z = 1;
"""


@pytest.fixture
def dumps(monkeypatch):
    monkeypatch.syspath_prepend(BENCH)
    import rebuild_dumps
    return rebuild_dumps


def compare(*arguments):
    return subprocess.run([BENCH / "compare-rebuilds", BUILD, *arguments], capture_output=True, text=True, timeout=900)


def test_builds_and_compares_a_given_program(tmp_path):
    (tmp_path / "prog").mkdir()
    (tmp_path / "prog/main.c").write_text(SOURCE)
    flags = tmp_path / "flags"
    done = compare("--folder", tmp_path / "prog", "--make", f"{MAKE} {flags}", "--run", "./main", "--level", "O2")
    assert done.returncode == 0, done.stderr
    costs = re.match(r"prog, -O2: instructions (\d+) with -fprofile-use, (\d+) with --pathprof-use: ([\d.]+)\n", done.stdout)
    assert abs(int(costs[2]) / int(costs[1]) - float(costs[3])) < 1e-4
    # It was built four times, and the sources are left as they were.
    trained, used, ours, rebuilt = flags.read_text().splitlines()
    assert "-fprofile-generate" in trained and "-fprofile-use" in used and "--pathprof-use=" in rebuilt
    assert "profile" not in ours and [file.name for file in (tmp_path / "prog").iterdir()] == ["main.c"]
    # Both knew the same of each line, so that nothing is listed.
    number, total = re.search(r"lines whose counts differ by more than 2%: (\d+) of (\d+)\n", done.stdout).groups()
    assert int(number) == 0 and int(total) >= 5


def test_names_lines_and_functions_that_differ(tmp_path):
    """GCC's run is another one than ours: the function that only one of them called comes first, with its counts."""
    (tmp_path / "prog").mkdir()
    (tmp_path / "prog/main.c").write_text(SOURCE.replace("int main (void)", "int main (int argc, char **argv)").replace(
        "i % 100 == 0", "i % (argv[0][0] == '.' && PATHS ? 2 : 100) == 0 && argc").replace(
        "int sum", "sink = 0; int sum"))
    make = MAKE.replace("$CFLAGS -c", "$CFLAGS -DPATHS=$(echo $CC | grep -c pathprof-) -c")
    done = compare("--folder", tmp_path / "prog", "--make", f"{make} /dev/null", "--run", "./main", "--top", "2")
    assert done.returncode == 0, done.stderr
    named = re.findall(r"^ +([+-]\d+)  (\w+): \d+, \d+$", done.stdout, re.MULTILINE)
    assert {name for _, name in named} == {"main", "rare"} and all(int(difference) > 0 for difference, _ in named)
    assert "entered: 10, 500" in done.stdout
    assert re.search(r"^      main\.c:2: 10, 500$", done.stdout, re.MULTILINE)


def test_reads_what_was_decided_from_the_last_symbol_table(dumps, tmp_path):
    (tmp_path / "a.c.085i.inline").write_text(TABLE)
    functions = dumps.read_dumps(tmp_path).functions
    assert set(functions) == {"_Z3hotv", "main"}
    hot = functions["_Z3hotv"]
    assert (hot.entries, hot.bodies) == (40, 1)
    assert hot.inlined == {"leaf": 40} and hot.calls == {"puts": 7}
    assert functions["main"].inlined == {"_Z3hotv": 40}


def test_reads_counts_of_lines(dumps, tmp_path):
    (tmp_path / "a.c.094t.fixup_cfg3").write_text(BLOCKS)
    knowledge = dumps.read_dumps(tmp_path)
    assert knowledge.lines == {("a.c", 4): 40, ("a.c", 5): 40, ("a.c", 6): 0}
    assert knowledge.guessed == {("a.c", 4), ("a.c", 5)}


def test_reads_callgrind_without_callees(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(BENCH)
    loader = importlib.machinery.SourceFileLoader("compare_rebuilds", str(BENCH / "compare-rebuilds"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("compare_rebuilds", loader))
    with mock.patch.dict(sys.modules, {"compare_rebuilds": module}):
        sys.modules.pop("programs", None)  # these tests have a module of this name, too
        loader.exec_module(module)
    file = tmp_path / "counts"
    file.write_text("events: Ir\nsummary: 40\n\nfl=/src/a.c\nfn=f.isra.0\n3 10\nfi=/src/b.h\n7 5\nfe=/src/a.c\n"
                    "cfn=g\ncalls=2 9\n4 20\n4 2\n\nfl=/src/a.c\nfn=g\n9 20\n\ntotals: 40\n")
    functions, lines = module.read_callgrind(file)
    assert functions == {"f": 17, "g": 20}
    assert lines == {("a.c", 3): 10, ("b.h", 7): 5, ("a.c", 4): 2, ("a.c", 9): 20}


@pytest.mark.parametrize("arguments, message", [
    ((), "--programs or --folder"),
    (("--programs", "doom"), "no workload matches doom; expected: bzip2"),
    (("--folder", "nowhere"), "--folder: missing --make or --run"),
    (("--folder", "nowhere", "--make", "m", "--run", "r"), "--folder: nowhere is not a directory"),
])
def test_says_what_is_wrong(arguments, message):
    done = compare(*arguments)
    assert done.returncode != 0 and message in done.stderr


def test_a_command_that_fails_is_named(tmp_path):
    done = compare("--folder", tmp_path, "--make", "echo no compiler; exit 3", "--run", "true")
    assert done.returncode == 1
    assert done.stderr == "compare-rebuilds: echo no compiler; exit 3: exit status 3\nno compiler\n\n"
