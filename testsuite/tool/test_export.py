# SPDX-License-Identifier: GPL-3.0-or-later
"""pathdump export --format=json: the schema, version 1."""

import re

import pytest

from conftest import BUILD, Project, branch, loop

KEYS = (
    "name demangled file line mode k numbering stage termination artificial optimised metric num_paths num_paths_uncut storage cuts "
    "checksum loops blocks edges branches paths"
).split()


@pytest.fixture
def exported(pathdump, make_profile):
    make_profile(
        {
            "program": "prog",
            "runs": 3,
            "functions": [
                loop(),
                branch("_Z1gi", storage="hash", stage="early"),
                {"name": "h", "edges": [[0, 2], [2, 1]], "left_out": "why"},
            ],
        }
    )
    return pathdump.json("export", "--format=json")


def test_top_level(exported):
    assert exported["format"] == "pathprof-json"
    assert exported["version"] == 1
    assert (exported["program"], exported["runs"]) == ("prog", 3)
    assert exported["program_paths"] == []
    assert exported["left_out"] == [{"name": "h", "reason": "why"}]
    assert [f["name"] for f in exported["functions"]] == ["f", "_Z1gi"]


def test_functions(exported):
    f, g = exported["functions"]
    assert list(f) == KEYS
    assert (f["mode"], f["k"], f["numbering"], f["stage"]) == ("acyclic", 1, "register", "source")
    assert (f["num_paths"], f["num_paths_uncut"], f["cuts"]) == ("6", "6", 0)
    assert (f["storage"], g["storage"], g["stage"]) == ("array", "hash", "early")
    assert (f["line"], f["file"], f["loops"]) == (10, "a.c", [])
    assert g["demangled"] == "g(int)"
    assert int(f["checksum"], 16) >= 0


def test_blocks_and_edges(exported):
    f = exported["functions"][0]
    assert [block["id"] for block in f["blocks"]] == list(range(9))
    assert f["blocks"][6] == {"id": 6, "stmts": 5, "lines": [17, 18]}
    assert f["edges"][0] == {"src": 0, "dst": 2, "flags": ["fallthru"]}
    back = [edge for edge in f["edges"] if "back" in edge["flags"]]
    assert back == [{"src": 7, "dst": 3, "flags": ["fallthru", "back"]}]


def test_paths(exported):
    f = exported["functions"][0]
    assert f["paths"] == [
        {"id": "1", "count": 10, "start": "entry", "end": "backedge", "blocks": [0, 2, 3, 4, 5, 7],
         "decisions": ["13:T", "14:T", "around"]},
        {"id": "3", "count": 10, "start": "loop", "end": "exit", "blocks": [3, 8, 1],
         "decisions": ["from 13", "13:F left"]},
        {"id": "5", "count": 20, "start": "loop", "end": "backedge", "blocks": [3, 4, 6, 7],
         "decisions": ["from 13", "13:T", "14:F", "around"]},
    ]


def test_block_counts_are_those_of_the_trace(exported):
    f = exported["functions"][0]
    counts = dict.fromkeys(range(9), 0)
    for path in f["paths"]:
        for block in path["blocks"]:
            counts[block] += path["count"]
    assert counts == {0: 10, 1: 10, 2: 10, 3: 40, 4: 30, 5: 10, 6: 20, 7: 30, 8: 10}


def test_kinds_of_starts_and_ends(pathdump, make_profile):
    function = {
        "name": "f",
        "flags": ["calls"],
        # 5 receives an abnormal edge from 3; 4 does not return.
        "edges": [[0, 2], [2, 3], [2, 4], [3, 6], [3, 5, "abnormal"], [5, 6], [6, 1]],
        "traces": [
            {"blocks": [0, 2, 4]},
            {"blocks": [0, 2, 3, 5, 6, 1]},
            {"blocks": [0, 2, 3, 6, 1]},
        ],
    }
    make_profile([function])
    paths = pathdump.json("export")["functions"][0]["paths"]
    kinds = {(path["start"], path["end"]) for path in paths}
    assert kinds == {("entry", "noreturn"), ("handler", "exit"), ("entry", "exit")}


def test_gaps_are_left_out(pathdump, make_profile):
    make_profile([{"name": "f", "edges": [[0, 7], [7, 1]], "traces": [{"blocks": [0, 7, 1]}]}])
    f = pathdump.json("export")["functions"][0]
    assert [block["id"] for block in f["blocks"]] == [0, 1, 7]


def test_large_counts_are_strings(pathdump, make_profile):
    limit = 2**53
    make_profile([branch(counts=(limit, 0)), branch("h", line=40, counts=(limit + 1, 0))])
    g, h = pathdump.json("export")["functions"]
    assert g["paths"][0]["count"] == limit
    assert h["paths"][0]["count"] == str(limit + 1)


def test_cycles(pathdump, make_profile):
    make_profile([branch(cycles={"0": 2**53 + 1}), branch("h", line=40)])
    g, h = pathdump.json("export")["functions"]
    assert (g["metric"], h["metric"]) == ("tsc", "none")
    assert [path["cycles"] for path in g["paths"]] == [str(2**53 + 1), 0]
    assert not any("cycles" in path for path in h["paths"])


def test_filter_and_names_that_are_not_text(pathdump, make_profile):
    make_profile([branch('say "\u00e4"'), branch("other", line=40)])
    exported = pathdump.json("export", "--function", "say*")
    assert [f["name"] for f in exported["functions"]] == ['say "\u00e4"']


def test_unknown_format(pathdump, make_profile):
    make_profile([branch()])
    error = pathdump("export", "--format=yaml", status=2).stderr
    assert "yaml" in error and "accepted: json" in error and error.count("\n") == 1


def test_inlined_function_ran(tmp_path):
    """A function whose calls were all inlined did run, although its own body did not."""
    project = Project(tmp_path)
    project.write("prog.c", """
int tiny (int x)
{
  if (x > 3)
    return 1;
  return 0;
}
int idle (int x)
{
  return x + 1;
}
int main (int argc, char **argv)
{
  int sum = 0;
  for (int i = 0; i < 9; i++)
    sum += tiny (i + argc);
  return sum != 6;
}
""")
    project.gcc("-O2", "-g", "prog.c", "-o", "prog")
    project.run("./prog")
    command = BUILD / "bin/pathdump", "export", "--format=annotations", "--style=github", "prog.pathprof"
    text = project.run(*command).stdout
    assert re.search("tiny .*only where .*inlined", text) and "The function tiny" not in text
    assert "The function idle " in text
    assert "2 functions have no executed path" in project.pathdump("coverage", "--missing", "prog.pathprof").stdout
