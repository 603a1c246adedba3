# SPDX-License-Identifier: GPL-3.0-or-later
"""Paths that go through calls: what the commands say of a known program."""

import json
import re

import pytest

from conftest import HERE, assert_one_line, branch
from programs import block, figure_4, power, run_of_main

GOLDEN = json.loads((HERE / "../golden/melski-reps-figure-4.json").read_text())


@pytest.fixture(params=["context", "piecewise"])
def mode(request):
    return request.param


@pytest.fixture
def profile(make_profile, mode):
    return make_profile(figure_4(mode))


def exported(pathdump, profile):
    return pathdump.json("export", "--format=json", profile)


def steps_of(path):
    """A path in words: "main 0 2 3 > pow@0 0 2 < main 6"."""
    words = []
    for step in path["steps"]:
        words.append(f"> {step['site']}" if "call" in step else f"{step['function']} {step['blocks']}")
    return words


def test_json_has_the_printed_counts(pathdump, profile, mode):
    program = exported(pathdump, profile)["program_paths"][0]
    assert {path["id"]: path["count"] for path in program["paths"]} == GOLDEN[mode]["counts"]
    assert (program["mode"], program["unit"], program["cut_sites"]) == (mode, "a.c", 0)
    assert program["num_paths"] == str(GOLDEN[mode]["num_paths"])
    assert program["bits"] == (6 if mode == "context" else 5)


def test_json_has_context_calls_and_returns(pathdump, make_profile):
    program = exported(pathdump, make_profile(figure_4()))["program_paths"][0]
    path = next(path for path in program["paths"] if path["id"] == "25")
    assert steps_of(path) == [
        "main [0]", "main [3, 4, 5]", "> 0", "pow [0]", "pow [3, 5, 1]", "main [6, 7]", "> 1", "pow [0, 2, 3, 4]",
    ]
    assert path["prefix_len"] == 4
    assert (path["start"], path["end"]) == ("loop", "backedge")


def test_json_describes_the_functions(pathdump, profile, mode):
    pow_, main_ = exported(pathdump, profile)["functions"]
    assert [(f["name"], f["mode"], f["storage"], f["paths"]) for f in (pow_, main_)] == [
        ("pow", mode, "none", []),
        ("main", mode, "none", []),
    ]
    assert (pow_["calls"], pow_["num_paths"]) == ([], "4")
    assert main_["calls"] == [
        {"site": 0, "block": 5, "ends_block": False, "callee": "pow", "kind": "whole", "line": 16},
        {"site": 1, "block": 7, "ends_block": False, "callee": "pow", "kind": "whole", "line": 19},
    ]


def test_report_shows_calls(pathdump, make_profile):
    lines = pathdump("report", make_profile(figure_4())).stdout.splitlines()
    assert lines[0] == "figure4: 1 run, 2 of 2 functions executed, 12 distinct paths executed 49 times"
    assert lines[5].split() == "1 30.00% 30.00% 9 8 18 loop backedge main main from a.c:14:T; 15:T; @16 > pow 5:T; around".split()
    assert lines[6:8] == ["          main from a.c:14:T; 15:T", "            pow a.c:5:T; around"]
    context = "          (main from a.c:14:T; 15:T)"
    third = lines.index(context, lines.index(context) + 1)
    assert lines[third - 1].split()[5] == "25"
    assert lines[third : third + 4] == [
        context,
        "            pow from a.c:5:F; left",
        "          main a.c:18:T",
        "            pow a.c:5:T; around",
    ]
    assert max(map(len, lines)) <= 180  # rows that would be alike are longer


def test_report_of_pieces_that_return(pathdump, make_profile):
    rows = pathdump.json("report", "--json", make_profile(figure_4("piecewise")))["paths"]
    trails = {row["id"]: row["lines"] for row in rows}
    assert trails["17"] == "pow a.c:5 9 < main a.c:17-19 > pow a.c:4-7"
    assert trails["16"] == "pow a.c:5-7"
    assert {row["unit"] for row in rows} == {"a.c"}
    assert sum(row["share"] for row in rows) == pytest.approx(100)


def test_report_selects_by_function(pathdump, make_profile):
    profile = make_profile(figure_4("piecewise"))
    rows = pathdump.json("report", "--json", "--function", "main", profile)["paths"]
    assert "16" not in {row["id"] for row in rows} and len(rows) == 8


def test_long_paths_are_shortened(pathdump, make_profile):
    """A path with more steps than fit: all are there with --lines."""
    chain = [
        {"name": f"f{i}", "begins": i == 0, "edges": [[0, 2], [2, 1]], "line": i,
         "calls": [{"block": 2, "callee": f"f{i + 1}"}] if i < 19 else []}
        for i in range(20)
    ]
    trace = {"blocks": [0, 2, 1]}
    for i in range(18, -1, -1):
        trace = {"blocks": [0, 2, {"call": 0, **trace}, 1]}
    profile = make_profile({"functions": chain, "programs": [{"traces": [{"function": "f0", **trace}]}]})
    short = pathdump("report", profile).stdout
    assert "... 24 more steps" in short and len(short.splitlines()) < 26
    assert re.search(r"f0 .*> f1 .*\.\.\. < f1 < f0", short)
    assert len(pathdump("report", "--lines", profile).stdout.splitlines()) > 39


def test_path(pathdump, profile, mode):
    number = "25" if mode == "context" else "17"
    text = pathdump("path", profile, "a.c", number).stdout
    assert text == pathdump("path", profile, "program", number).stdout
    assert_one_line(text.splitlines(True)[0], f"path {number} of ", mode, "a.c:", "executed 3 times, 9 statements, from loop to backedge")
    assert "return" in text and "call" in text
    found = pathdump.json("path", "--json", profile, "a.c", number)
    assert (found["count"], found["statements"], found["end"]) == (3, 9, "backedge")


def test_path_names_must_be_clear(pathdump, profile):
    assert "unknown path ID '99'" in pathdump("path", profile, "a.c", "99", status=2).stderr
    assert "unknown path ID '1x'" in pathdump("path", profile, "a.c", "1x", status=2).stderr
    assert "belong to a source file" in pathdump("path", profile, "main", "1", status=2).stderr
    assert "no source file" in pathdump("path", profile, "b.c", "1", status=2).stderr


def test_functions(pathdump, make_profile):
    description = figure_4()
    description["functions"][1]["calls"][1].update(kind="summary", cut="limit")
    description["functions"][0]["begins"] = True
    profile = make_profile(description)
    text = pathdump("functions", "--calls", profile).stdout
    rows = {line.split()[-2]: line.split() for line in text.splitlines()[1:] if "context" in line and "a.c:" in line}
    assert rows["main"][9] == "1/2" and rows["pow"][9] == "0/0"
    assert rows["pow"][1] == "15" and rows["main"][1] == "1"
    assert "0 line 16    pow: whole" in text and "1 line 19    pow: limit" in text
    assert "context paths of a.c: " in text and "calls: 1 whole, 1 limit" in text
    found = pathdump.json("functions", "--json", profile)
    assert found["programs"][0]["cut_sites"] == 1
    assert [f.get("calls_whole") for f in found["functions"] if f["name"] == "main"] == [1]


def line_counts(pathdump, profile):
    found = pathdump.json("show", "--json", profile)
    return {line["line"]: line["count"] for f in found["functions"] for line in f["lines"]}


def test_lines_are_counted_once(pathdump, profile):
    """Whatever the paths, lines ran as often as they did."""
    counts = line_counts(pathdump, profile)
    assert counts == {4: 15, 5: 45, 6: 30, 7: 30, 9: 15, 13: 1, 14: 19, 15: 18, 16: 9, 17: 9, 18: 18, 19: 6, 20: 6,
                      21: 18, 23: 1}


def test_check(pathdump, make_profile, mode):
    good = make_profile(figure_4(mode))
    assert "flow conserved" in pathdump("check", good).stdout
    # A path that goes on behind a call that none came to.
    bad = make_profile(figure_4(mode, adjust={"28" if mode == "context" else "19": 5}))
    assert "paths" in pathdump("check", bad, status=1).stdout


def test_exceptions_start_paths_at_handlers(pathdump, make_profile, mode):
    """The call's block is left over an exception edge: a path begins at the handler and none ends."""
    thrower = {"name": "g", "edges": [[0, 2], [2, 3, "true"], [2, 4, "false"], [4, 1]], "line": 1,
               "blocks": [block(2, 1, 2), block(3, 1, 3), block(4, 1, 4)]}
    catcher = {"name": "f", "begins": True, "line": 10,
               "edges": [[0, 2], [2, 3, "fallthru"], [2, 4, "eh"], [3, 1], [4, 1]],
               "blocks": [block(2, 1, 11), block(3, 1, 12), block(4, 1, 13)],
               "calls": [{"block": 2, "callee": "g", "ends_block": True, "line": 11, "num_lines": 1}]}
    normal = {"function": "f", "times": 3, "blocks": [0, 2, {"call": 0, "blocks": [0, 2, 4, 1]}, 3, 1]}
    thrown = {"function": "f", "times": 2, "blocks": [0, 2, {"call": 0, "blocks": [0, 2, 3], "throws": True}, 4, 1]}
    profile = make_profile({"functions": [thrower, catcher], "programs": [{"mode": mode, "traces": [normal, thrown]}]})
    counts = line_counts(pathdump, profile)
    assert (counts[12], counts[13]) == (3, 2)
    assert (counts[3], counts[4]) == (2, 3)
    assert "handler" in pathdump("report", profile).stdout
    pathdump("check", profile)


def test_collapsed(pathdump, make_profile):
    lines = pathdump("export", "--format=collapsed", make_profile(figure_4())).stdout.splitlines()
    assert "main;pow;main a.c:14-16 > pow a.c:4-7 [path 18] 72" in lines
    assert "main;main a.c:13-15 18 21 [path 16] 5" in lines
    assert sum(int(line.rsplit(" ", 1)[1]) for line in lines) == 240


def test_collapsed_functions(pathdump, make_profile):
    lines = pathdump("export", "--format=collapsed", make_profile([branch()])).stdout.splitlines()
    assert [line.split(";")[0] for line in lines] == ["g", "g"]


def test_speedscope(pathdump, profile):
    found = pathdump.json("export", "--format=speedscope", profile)
    assert found["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    sampled = found["profiles"][0]
    assert sampled["type"] == "sampled" and len(sampled["samples"]) == len(sampled["weights"])
    assert sum(sampled["weights"]) == sampled["endValue"] == 240
    frames = found["shared"]["frames"]
    assert {frames[sample[0]]["name"] for sample in sampled["samples"]} <= {"main", "pow"}


def test_diff_and_merge(pathdump, make_profile, mode, tmp_path):
    a = make_profile(figure_4(mode), "a.pathprof")
    short = figure_4(mode)
    short["programs"][0]["traces"] = [run_of_main(2, iterations=2)]
    b = make_profile(short, "b.pathprof")
    found = pathdump.json("diff", "--json", b, a, "-n", "0")
    assert found["changed_functions"] == [] and found["new"] > 0
    assert {path["kind"] for path in found["paths"]} <= {"new", "gone", "hotter", "colder"}
    assert all(path["unit"] == "a.c" for path in found["paths"])
    assert "new" in pathdump("diff", b, a).stdout
    pathdump("merge", "-o", "sum.pathprof", a, b)
    both = {path["id"]: path["count"] for path in exported(pathdump, tmp_path / "sum.pathprof")["program_paths"][0]["paths"]}
    alone = [exported(pathdump, one)["program_paths"][0]["paths"] for one in (a, b)]
    sums = {}
    for paths in alone:
        for path in paths:
            sums[path["id"]] = sums.get(path["id"], 0) + path["count"]
    assert both == sums


def test_diff_of_changed_programs(pathdump, make_profile, mode):
    a = make_profile(figure_4(mode), "a.pathprof")
    changed = figure_4(mode)
    changed["functions"][1]["calls"][1].update(kind="summary", cut="limit")
    changed["functions"][0]["begins"] = True
    b = make_profile(changed, "b.pathprof")
    found = pathdump.json("diff", "--json", a, b)
    assert found["paths"] == [] and found["changed_functions"][0]["unit"] == "a.c"
    assert "1 program changed" in pathdump("diff", a, b).stdout or "changed" in pathdump("diff", a, b).stdout


def test_suspects(pathdump, make_profile, mode):
    """Only the failing run calls pow a second time on its way."""
    passing = figure_4(mode)
    passing["programs"][0]["traces"] = [run_of_main(1, iterations=2)]
    good, bad = make_profile(passing, "good.pathprof"), make_profile(figure_4(mode), "bad.pathprof")
    found = pathdump.json("diff", "--json", "-n", "0", "--pass", good, "--fail", bad)
    scores = {path["id"]: path["score"] for path in found["paths"]}
    taken = {path["id"] for path in exported(pathdump, good)["program_paths"][0]["paths"]}
    assert set(scores) == set(GOLDEN[mode]["counts"])
    assert all((score == 1) == (number not in taken) for number, score in scores.items())
    assert "main a.c:" in pathdump("diff", "--pass", good, "--fail", bad).stdout


def test_coverage(pathdump, make_profile, mode):
    description = figure_4(mode)
    description["functions"].append(branch(unit="b.c", file="b.c"))
    profile = make_profile(description)
    found = pathdump.json("coverage", "--json", profile)
    golden = GOLDEN[mode]
    assert (found["programs"][0]["executed"], found["programs"][0]["num_paths"]) == (
        len(golden["counts"]), str(golden["num_paths"]))
    assert found["functions"][0]["executed"] == 2
    assert {one["file"] for one in found["files"]} == {"a.c", "b.c"}
    assert found["total"]["executed"] == len(golden["counts"]) + 2
    assert "total" in pathdump("coverage", profile).stdout
    pathdump("coverage", "--fail-under", "99", profile, status=1)
    pathdump("coverage", "--fail-under", "20", profile)


def test_paths_that_are_not_in_the_reference(pathdump, make_profile, mode):
    short = figure_4(mode)
    short["programs"][0]["traces"] = [run_of_main(2, iterations=2)]
    reference, profile = make_profile(short, "ref.pathprof"), make_profile(figure_4(mode), "a.pathprof")
    found = pathdump.json("coverage", "--json", "--not-in", reference, profile, "-n", "0")["oddballs"]
    taken = {path["id"] for path in exported(pathdump, reference)["program_paths"][0]["paths"]}
    assert {path["id"] for path in found["paths"]} == set(GOLDEN[mode]["counts"]) - taken
    assert found["found"] == len(found["paths"])
    text = pathdump("coverage", "--not-in", reference, profile).stdout
    assert re.search(rf"^{found['found']} paths .*reference", text, re.M)
    same = pathdump("coverage", "--oddball", profile, profile).stdout  # the option's alias
    assert re.search("^0 paths .*reference", same, re.M)


def test_lines_are_those_of_acyclic_paths(pathdump, modes_of_a_program, mode):
    """With recursion, indirect calls and exceptions."""
    counts = line_counts(pathdump, modes_of_a_program / f"{mode}.pathprof")
    assert counts == line_counts(pathdump, modes_of_a_program / "acyclic.pathprof")
    assert counts[11] > counts[12] > 0


def test_commands_on_a_real_program(pathdump, modes_of_a_program, mode):
    profile = modes_of_a_program / f"{mode}.pathprof"
    pathdump("check", profile)
    for row in pathdump.json("report", "--json", "-n", "0", profile)["paths"]:
        found = pathdump.json("path", "--json", profile, "calls.cc", row["id"])
        assert [found[key] for key in ("count", "statements", "lines")] == [
            row[key] for key in ("count", "statements", "lines")]
    reasons = {site.get("reason") for function in pathdump.json("functions", "--json", profile)["functions"]
               for site in function["call_sites"]}
    assert {None, "recursive", "indirect"} <= reasons
    assert re.match("0 paths .*reference", pathdump("coverage", "--not-in", profile, profile).stdout.splitlines()[-1])


STEPPED_OVER = {"block": 2, "kind": "summary", "cut": "indirect", "line": 12, "num_lines": 2}
ENDS_PATHS = {"block": 2, "kind": "split", "cut": "indirect", "line": 12, "num_lines": 2}


def caller(name, callee, *behind, before=()):
    """A function that calls another one whole, with other calls ahead of it and behind it."""
    whole = {"block": 2, "callee": callee, "line": 11, "num_lines": 1}
    return {"name": name, "begins": True, "flags": ["calls"], "line": 10, "edges": [[0, 2], [2, 1]],
            "blocks": [block(2, 3, 11, 12)], "calls": [*before, whole, *behind]}


def stopped(call=0):
    """An activation that calls pow, and is never heard of again."""
    return {"call": call, "blocks": [0, 2, 3, 4, 3, 4, 3, 5, 1]}


def test_paths_lost_behind_a_call(pathdump, make_profile, mode):
    """The last path of a whole callee goes on in its caller: it is in no count if a call there that paths step over
    is left by an exception or a jump.  The callee itself makes no calls."""
    last = {"function": "f", "blocks": [0, 2, stopped()]}

    def check(functions, trace, **options):
        profile = make_profile({"functions": functions, "programs": [{"mode": mode, "traces": [trace]}]})
        return pathdump("check", profile, **options).stdout

    assert "never finished" in check([power(), caller("f", "pow", STEPPED_OVER)], last)
    # The call that may not return stands behind the call of the caller.
    outer = {"function": "g", "blocks": [0, 2, {"call": 0, "blocks": [0, 2, stopped(), 1]}]}
    assert "never finished" in check([power(), caller("f", "pow"), caller("g", "f", STEPPED_OVER)], outer)
    # It is in another whole callee, behind the first.
    inside = {"block": 2, "callee": "h", "line": 12, "num_lines": 2}
    both = {"function": "f", "blocks": [0, 2, stopped(), {"call": 1, "blocks": [0, 2]}]}
    thrower = {"name": "h", "flags": ["calls"], "line": 30, "edges": [[0, 2], [2, 1]], "blocks": [block(2, 1, 31)],
               "calls": [{"block": 2, "kind": "summary", "cut": "indirect", "line": 31, "num_lines": 1}]}
    assert "never finished" in check([power(), caller("f", "pow", inside), thrower], both)


def test_lost_paths_are_missed(pathdump, make_profile, mode):
    """Where nothing behind the call can keep its path from being counted, the path was lost from the profile."""
    def check(functions, trace):
        profile = make_profile({"functions": functions, "programs": [{"mode": mode, "traces": [trace]}]})
        return pathdump("check", profile, status=1).stdout

    last = {"function": "f", "blocks": [0, 2, stopped()]}
    assert "pow: block 4" in check([power(), caller("f", "pow")], last)
    assert "contains no calls" in check([power(), caller("f", "pow")], last)
    ahead = {**STEPPED_OVER, "line": 11, "num_lines": 0}
    after_it = {"function": "f", "blocks": [0, 2, stopped(1)]}
    assert "contains no calls" in check([power(), caller("f", "pow", before=[ahead])], after_it)
    # A path ends at a call that is split, before that can be left.
    assert "contains no calls" in check([power(), caller("f", "pow", ENDS_PATHS)], last)
