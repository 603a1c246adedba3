# SPDX-License-Identifier: GPL-3.0-or-later
"""mode=intracontext: how reports show context, and that what they add up is what acyclic profiles do."""

import collections

import pytest

SOURCE = """\
volatile int sink;

__attribute__ ((noipa)) void
nested (int odd, int n)
{
  if (odd)
    sink = 1;
  else
    sink = 2;
  for (int i = 0; i < n; i++)
    {
      sink = 3;
      for (int j = 0; j <= i; j++)
        sink = 4;
    }
  sink = 5;
}

__attribute__ ((noipa)) void
two_entries (int enter, int n)
{
  if (enter)
    goto middle;
top:
  sink = 6;
middle:
  sink = 7;
  if (--n > 0)
    goto top;
}

int
main (void)
{
  nested (1, 3);
  nested (0, 2);
  two_entries (0, 2);
  two_entries (1, 3);
  return 0;
}
"""


def functions_of(pathdump, profile):
    return {function["name"]: function for function in pathdump.json("export", profile)["functions"]}


def block_counts(function):
    counts = collections.Counter()
    for path in function["paths"]:
        for block in path["blocks"][path.get("prefix_len", 0):]:
            counts[block] += path["count"]
    return counts


def test_trails_show_context_in_parentheses(build, pathdump):
    build("prog", "mode=intracontext")
    lines = {row["lines"]: row for row in pathdump.json("report", "--json", "prog.pathprof")["paths"]
             if row["function"] == "nested"}
    # The first iteration of the outer loop, the inner one's second; and that in a later iteration of the outer loop.
    first = "(prog.c:4 6-7 10 12-13) 13 10"
    later = "(prog.c:4 6-7 10) (10 12-13) 13-14 13"
    assert lines[first]["count"] == 1 and lines[first]["prefix_len"] > 0 and "prefix_parts" not in lines[first]
    assert lines[later]["count"] == 3 and len(lines[later]["prefix_parts"]) == 2
    assert lines[later]["prefix_parts"][-1] == lines[later]["prefix_len"]
    table = pathdump("report", "--lines", "prog.pathprof").stdout
    assert later in table
    assert "6 :   if (odd)" in table and "14 |         sink = 4;" in table


def test_a_path_names_its_context(build, pathdump):
    build("prog", "mode=intracontext")
    function = functions_of(pathdump, "prog.pathprof")["nested"]
    path = next(path for path in function["paths"] if "prefix_parts" in path)
    shown = pathdump.json("path", "--json", "prog.pathprof", "nested", path["id"])
    assert shown["prefix_len"] == path["prefix_len"] and shown["prefix_parts"] == path["prefix_parts"]
    statements = {block["id"]: block["stmts"] for block in function["blocks"]}
    assert shown["statements"] == sum(statements[block] for block in path["blocks"][path["prefix_len"]:])
    rows = pathdump("path", "prog.pathprof", "nested", path["id"]).stdout.splitlines()
    named = [row.split()[:2] for row in rows if row.startswith("context ")]
    assert named[0] == ["context", "block"] and named.count(["context", "1"]) == path["prefix_parts"][0]
    assert len(named) - 1 == path["prefix_len"]


def test_functions_says_which_loops_have_context(build, pathdump):
    notes = build("prog", "mode=intracontext", "verbose=1")
    assert "'two_entries': paths do not include the context of the loop at block" in notes and "several blocks" in notes
    rows = {row["name"]: row for row in pathdump.json("functions", "--json", "prog.pathprof")["functions"]}
    assert rows["nested"]["loops_with_context"] == 2 and rows["nested"]["loops_without_context"] == []
    assert rows["two_entries"]["loops_with_context"] == 0 and len(rows["two_entries"]["loops_without_context"]) == 1
    assert rows["nested"]["calls"] == 2 and rows["two_entries"]["calls"] == 2
    table = pathdump("functions", "prog.pathprof").stdout
    assert "context" in table.splitlines()[0]
    assert any("nested" in row and " 2/2 " in row for row in table.splitlines())
    loops = functions_of(pathdump, "prog.pathprof")["nested"]["loops"]
    assert len(loops) == 2 and all(loop["k"] == 1 for loop in loops)


@pytest.mark.parametrize("stage", ["early", "late"])
def test_loops_with_several_entries_are_made_reducible(stage, build, pathdump):
    notes = build("prog", "mode=intracontext", "verbose=1", f"stage={stage}")
    assert "do not include the context" not in notes
    rows = {row["name"]: row for row in pathdump.json("functions", "--json", "prog.pathprof")["functions"]}
    assert rows["two_entries"]["loops_with_context"] == 1 and rows["two_entries"]["loops_without_context"] == []
    pathdump("check", "prog.pathprof")


@pytest.mark.parametrize("more", [(), ("array-max=1",), ("paths-max=14",), ("paths-max=8",)])
def test_sums_are_those_of_acyclic_paths(more, build, pathdump):
    build("acyclic", "mode=acyclic")
    notes = build("prog", "mode=intracontext", "verbose=1", *more)
    if "paths-max=14" in more:
        assert "the function would have too many paths" in notes
    pathdump("check", "prog.pathprof")
    acyclic, context = functions_of(pathdump, "acyclic.pathprof"), functions_of(pathdump, "prog.pathprof")
    assert acyclic.keys() == context.keys()
    for name, function in acyclic.items():
        assert block_counts(function) == block_counts(context[name])
        assert int(context[name]["num_paths"]) <= int(context[name]["num_paths_uncut"])
    totals = [pathdump.json("functions", "--json", f"{name}.pathprof")["functions"]
              for name in ("acyclic", "prog")]
    assert [{row["name"]: row["calls"] for row in rows} for rows in totals][0] == {
        row["name"]: row["calls"] for row in totals[1]}


def test_merging_adds_and_modes_stay_apart(build, pathdump):
    build("acyclic", "mode=acyclic")
    build("prog", "mode=intracontext")
    pathdump("merge", "-o", "twice.pathprof", "prog.pathprof", "prog.pathprof")
    once, twice = (functions_of(pathdump, name)["nested"]["paths"] for name in ("prog.pathprof", "twice.pathprof"))
    assert [{**path, "count": 2 * path["count"]} for path in once] == twice
    pathdump("merge", "-o", "both.pathprof", "prog.pathprof", "acyclic.pathprof")
    both = pathdump.json("export", "both.pathprof")["functions"]
    assert sorted(function["mode"] for function in both if function["name"] == "nested") == ["acyclic", "intracontext"]
    pathdump("check", "both.pathprof")


def test_a_profile_with_context_weighs_edges(build):
    build("prog", "mode=intracontext")
    notes = build("again", "mode=acyclic", "verbose=1", "weights=prog.pathprof")
    assert "estimate is used" not in notes
