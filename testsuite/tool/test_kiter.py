# SPDX-License-Identifier: GPL-3.0-or-later
"""mode=kiter: how k is chosen, what reports show, and that what they add up is what acyclic profiles do."""

import collections
import os
import re
import subprocess

import pytest

from conftest import BUILD, assert_mentions

SOURCE = """\
volatile int sink;

__attribute__ ((noipa)) void
alternate (int n)
{
  for (int i = 0; i < n; i++)
    if (i % 2)
      sink = 1;
    else
      sink = 2;
  while (n-- > 0)
    sink = 3;
}

__attribute__ ((noipa)) int
nested (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      {
        if (j == 3)
          continue;
        if (j == 7)
          return sum;
        sum += i;
      }
  return sum;
}

__attribute__ ((noipa)) int
lengths (const char *text)
{
  int sum = 0;
  while (*text)
    {
      if (*text == '#')
        sum++;
      while (*text > ' ')
        text++;
      if (*text)
        text++;
    }
  return sum;
}

int
main (void)
{
  alternate (10);
  alternate (1);
  sink = nested (6);
  sink = nested (9);
  sink = lengths ("#aa bb #cc  dd");
  return 0;
}
"""
ALTERNATING_LINE, COUNTING_LINE = 6, 11
OUTER_LINE, WORDS_LINE, LETTERS_LINE = 19, 35, 39
FUNCTIONS = ("alternate", "nested", "lengths", "main")


def function_of(pathdump, profile, name):
    functions = pathdump.json("export", profile)["functions"]
    return next(function for function in functions if function["name"] == name)


def iterations(pathdump, profile, name):
    return [loop["k"] for loop in function_of(pathdump, profile, name)["loops"]]


def without_context(path):
    return tuple(path["blocks"][path.get("prefix_len", 0):])


def line_counts(function):
    """Executions of the blocks of each line; a path's context was counted with other paths."""
    lines = {block["id"]: block["lines"] for block in function["blocks"]}
    counts = collections.Counter()
    for path in function["paths"]:
        for block in without_context(path):
            counts.update({line: path["count"] for line in lines[block]})
    return counts


@pytest.mark.parametrize("numbering", ("register", "paper"))
@pytest.mark.parametrize("k", (1, 2, 3, 5))
def test_adds_up_to_acyclic(build, pathdump, k, numbering):
    build("acyclic")
    build("kiter", "mode=kiter", f"k={k}", f"numbering={numbering}")
    pathdump("check", "kiter.pathprof")
    for name in FUNCTIONS:
        function = function_of(pathdump, "kiter.pathprof", name)
        assert (function["mode"], function["k"], function["numbering"]) == ("kiter", k, numbering)
        assert line_counts(function) == line_counts(function_of(pathdump, "acyclic.pathprof", name))


def test_one_iteration_is_acyclic(build, pathdump):
    build("acyclic")
    build("kiter", "mode=kiter", "k=1")
    for name in FUNCTIONS:
        assert (function_of(pathdump, "kiter.pathprof", name)["paths"]
                == function_of(pathdump, "acyclic.pathprof", name)["paths"])


def test_outer_loops_stay_acyclic(build, pathdump):
    build("kiter", "mode=kiter", "k=4")
    assert sorted(iterations(pathdump, "kiter.pathprof", "nested")) == [1, 4]
    assert iterations(pathdump, "kiter.pathprof", "alternate") == [4, 4]


def test_limit_lowers_k_and_says_so(build, pathdump):
    stderr = build("kiter", "mode=kiter", "k=30", "paths-max=200", "verbose=1")
    function = function_of(pathdump, "kiter.pathprof", "alternate")
    assert int(function["num_paths"]) <= 200
    assert int(function["num_paths_uncut"]) > 1 << 30
    lowered = [loop["k"] for loop in function["loops"] if loop["k"] < 30]
    assert lowered
    assert re.search(rf"in 'alternate', .*\b{lowered[0]} .*30 iterations of the loop at line", stderr)
    assert "too many paths" in stderr
    pathdump("check", "kiter.pathprof")


def test_k_of_single_loops(build, pathdump, tmp_path):
    (tmp_path / "scheme").write_text(f"alternate mode=kiter loops={ALTERNATING_LINE}:3,{COUNTING_LINE}:1\nnested mode=kiter\n")
    build("some", "scheme=scheme")
    assert iterations(pathdump, "some.pathprof", "alternate") == [3, 1]
    assert sorted(iterations(pathdump, "some.pathprof", "nested")) == [1, 2]
    function = function_of(pathdump, "some.pathprof", "alternate")
    assert function["num_paths_uncut"] == function["num_paths"]  # no loop has less than what was asked
    assert function_of(pathdump, "some.pathprof", "main")["mode"] == "acyclic"


def test_line_without_loop_is_told(build, tmp_path):
    (tmp_path / "scheme").write_text(f"* mode=kiter loops=4:3,{ALTERNATING_LINE}:2\n")
    stderr = build("some", "scheme=scheme")
    assert "prog.c:4:1: warning: pathprof: argument 'loops': " in stderr
    assert_mentions(stderr, "'alternate'", "no loop", "line 4")
    assert stderr.count("warning") == 1


@pytest.mark.parametrize("value", ("", "3", "3:", ":2", "3:0", "3:65", "a:2", "3:2,4", "3:2,"))
def test_malformed_loops_are_refused(build, value):
    assert "LINE:K" in build("none", "mode=kiter", f"loops={value}", status=1)


# Entered twice, left after 11 rounds: that is 6.5 iterations each time.
def test_weights_lower_k(build, pathdump):
    build("acyclic")
    build("weighed", "mode=kiter", "k=20", "weights=acyclic.pathprof")
    assert max(iterations(pathdump, "weighed.pathprof", "alternate")) == 7
    assert max(iterations(pathdump, "weighed.pathprof", "nested")) < 20


@pytest.mark.parametrize("other, modes", (("termination=exact", "'mode=acyclic', 'mode=context' and 'mode=piecewise'"),
                                          ("metric=tsc", "'mode=acyclic'")))
@pytest.mark.parametrize("mode", ("kiter", "kipf", "intracontext"))
def test_what_does_not_go_together(build, tmp_path, mode, other, modes):
    named = f"'{other}'", modes, f"'mode={mode}'"
    assert_mentions(build("none", f"mode={mode}", other, status=1), *named)
    (tmp_path / "scheme").write_text(f"nested mode={mode}\n")
    assert_mentions(build("none", other, "scheme=scheme", status=1), *named)


def test_reports_show_what_is_context(build, pathdump):
    build("kiter", "mode=kiter")
    report = pathdump("report", "kiter.pathprof").stdout
    for first, second in "TF", "FT":
        assert re.search(rf"\(from prog\.c:6:T [^;]*; 7:{first} [^;]*; around\) 6:T [^;]*; 7:{second} [^;]*; around\n", report)
    rows = pathdump.json("report", "--json", "kiter.pathprof")["paths"]
    assert any("prefix_len" in row for row in rows)
    for row in rows:
        if row["start"] == "entry":
            assert "prefix_len" not in row


def test_merging_adds(build, pathdump):
    build("a", "mode=kiter")
    pathdump("merge", "-o", "sum.pathprof", "a.pathprof", "a.pathprof")
    once = function_of(pathdump, "a.pathprof", "alternate")["paths"]
    assert [{**path, "count": 2 * path["count"]} for path in once] == function_of(
        pathdump, "sum.pathprof", "alternate")["paths"]


def test_other_k_is_another_function(build, pathdump):
    build("a", "mode=kiter")
    build("b", "mode=kiter", "k=3")
    rows = pathdump.json("diff", "--json", "a.pathprof", "b.pathprof")
    assert not [row for row in rows["paths"] if row["function"] == "alternate"]


def collapsed_in(pathdump, profile, name):
    """By head of the loop around them: its k, and the heads of those collapsed in it."""
    return {loop["head"]: (loop["k"], loop["collapsed"])
            for loop in function_of(pathdump, profile, name)["loops"] if "collapsed" in loop}


@pytest.mark.parametrize("numbering", ("register", "paper"))
@pytest.mark.parametrize("k", (2, 3))
def test_loop_around_others_adds_up_to_acyclic(build, pathdump, k, numbering):
    build("acyclic")
    build("around", "mode=kiter", f"loops={OUTER_LINE}:{k},{WORDS_LINE}:{k}", f"numbering={numbering}")
    assert "note" not in pathdump("check", "around.pathprof").stdout
    for name in FUNCTIONS:
        function = function_of(pathdump, "around.pathprof", name)
        collapsed = list(collapsed_in(pathdump, "around.pathprof", name).values())
        assert [loop[0] for loop in collapsed] == ([k] if name in ("nested", "lengths") else [])
        assert line_counts(function) == line_counts(function_of(pathdump, "acyclic.pathprof", name))
    rows = pathdump.json("functions", "--json", "around.pathprof")["functions"]
    assert {row["name"] for row in rows if "loops_collapsed" in row} == {"nested", "lengths"}


def test_windows_go_on_over_collapsed_loops(build, pathdump):
    """Words that begin with '#' and others: in which order, however long they are."""
    build("around", "mode=kiter", f"loops={WORDS_LINE}:2")
    function = function_of(pathdump, "around.pathprof", "lengths")
    marked = {block["id"] for block in function["blocks"] if WORDS_LINE + 3 in block["lines"]}
    pairs = collections.Counter()
    for path in function["paths"]:
        if path.get("prefix_len"):
            parts = path["blocks"][:path["prefix_len"]], without_context(path)
            pairs[tuple(not marked.isdisjoint(part) for part in parts)] += path["count"]
    # "#aa", "bb", "#cc", "", "dd"; the first two came from the entry, and after the last the loop is left.
    assert pairs == {(False, True): 1, (True, False): 1, (False, False): 2}


def test_reports_show_what_is_collapsed(build, pathdump):
    stderr = build("around", "mode=kiter", f"loops={WORDS_LINE}:2", "verbose=1")
    assert re.search(f"in 'lengths', .*line {LETTERS_LINE} is collapsed .*line {WORDS_LINE}", stderr)
    assert "end at the back edges" not in stderr
    report = pathdump("report", "--function", "lengths", "around.pathprof").stdout
    assert f"{{{LETTERS_LINE}}}" in report
    rows = pathdump.json("report", "--json", "--function", "lengths", "around.pathprof")["paths"]
    passing = next(row for row in rows if "passes" in row)
    shown = pathdump("path", "around.pathprof", "lengths", passing["id"]).stdout
    assert "collapsed loop" in shown
    assert "lengths" in pathdump("show", "around.pathprof").stdout


def test_limit_lowers_k_of_loops_around_others(build, pathdump):
    stderr = build("around", "mode=kiter", f"loops={WORDS_LINE}:40", "paths-max=400", "verbose=1")
    function = function_of(pathdump, "around.pathprof", "lengths")
    assert int(function["num_paths"]) <= 400
    (k, _), = collapsed_in(pathdump, "around.pathprof", "lengths").values()
    assert 1 < k < 40
    assert re.search(rf"in 'lengths', .*\b{k} .*40 iterations of the loop at line {WORDS_LINE}", stderr)
    pathdump("check", "around.pathprof")


def test_loop_that_holds_what_cannot_be_collapsed_is_told(tmp_path):
    (tmp_path / "jump.c").write_text("""\
extern int next (void);
int
jump (int n)
{
  for (int i = 0; i < n; i++)
    {
      if (next ())
        goto middle;
    begin:
      next ();
    middle:
      if (next ())
        goto begin;
    }
  return n;
}
""")
    compiled = subprocess.run([BUILD / "bin/pathprof-gcc", "-O1", "-c", "-fplugin-arg-pathprof-mode=kiter",
                               "-fplugin-arg-pathprof-loops=5:2", "jump.c"], cwd=tmp_path, check=True,
                              capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    (note,) = [line for line in compiled.stderr.splitlines() if "in 'jump', " in line]
    assert_mentions(note, "loop", "line 5", "cannot")


LONG_LOOP = """\
int values[8];

int
sum (void)
{
  int s = 0;
  for (int i = 0; i < 65538; i++)
    s += values[i & 7];
  return s;
}
"""


def test_trip_counts_of_more_than_16_bits_are_not_truncated(tmp_path):
    """GCC has 16 bits for how often a loop is to be unrolled.  Truncated, a long loop would be one that its author wants
    to be unrolled three times, and no more."""
    (tmp_path / "prog.c").write_text(LONG_LOOP)
    subprocess.run([BUILD / "bin/pathprof-gcc", "-O2", "-fplugin-arg-pathprof-stage=early",
                    "-fplugin-arg-pathprof-mode=kiter", "--param", "max-completely-peel-times=100000",
                    "--param", "max-completely-peeled-insns=2000000", "-fdump-tree-cunroll-details=cunroll.txt",
                    "-c", "prog.c"], cwd=tmp_path, check=True)
    dump = (tmp_path / "cunroll.txt").read_text()
    assert "Not unrolling loop" in dump
    assert "user didn't want it unrolled" not in dump
