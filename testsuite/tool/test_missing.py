# SPDX-License-Identifier: GPL-3.0-or-later
"""pathdump coverage --missing: paths that never ran, nearest first."""


from conftest import branch, loop
from test_report import rows


def diamonds(number, name="wide", **more):
    """A function with branches one behind the other: 2 to the number paths.  Those with all branches true ran."""
    blocks = [{"id": block, "stmts": 1, "lines": [100 + block]} for block in range(2, 3 * number + 3)]
    edges = [[0, 2, "fallthru"]]
    for top in range(2, 3 * number + 2, 3):
        edges += [[top, top + 1, "true"], [top, top + 2, "false"], [top + 1, top + 3, "fallthru"],
                  [top + 2, top + 3, "fallthru"]]
    edges.append([3 * number + 2, 1, "fallthru"])
    true = [block for block in range(2, 3 * number + 3) if block % 3 != 1]
    return {"name": name, "line": 100, "blocks": blocks, "edges": edges,
            "traces": [{"blocks": [0, *true, 1], "times": 5}], **more}


def missing(pathdump, *arguments):
    return pathdump.json("coverage", "--missing", "--json", *arguments)["missing"]


def test_nearest_first(pathdump, make_profile):
    make_profile([loop(), branch(counts=(4, 0)), branch("never", line=40, counts=(0, 0))])
    found = missing(pathdump)
    assert (found["num_paths"], found["functions_never_run"], found["unfinished"]) == ("4", 1, [])
    # f: the way into the loop and on to line 17, which no entry took; g: its other branch.
    by_function = {}
    for path in found["paths"]:
        by_function.setdefault(path["function"], []).append(path)
    assert set(by_function) == {"f", "g"} and len(found["paths"]) == 4
    other = by_function["g"][0]
    assert (other["distance"], other["id"], other["start"], other["end"], other["count"]) == (1, "1", "entry", "exit", 0)
    assert other["nearest"]["id"] == "0" and other["nearest"]["count"] == 4
    assert other["nearest"]["differences"] == [{"block": 2, "lines": [30], "taken": ["false"], "nearest_taken": ["true"]}]
    assert [path["distance"] for path in found["paths"]] == sorted(path["distance"] for path in found["paths"])
    executed = {(f["name"], path["id"]) for f in pathdump.json("export")["functions"] for path in f["paths"]}
    assert not executed & {(path["function"], path["id"]) for path in found["paths"]}


def test_text(pathdump, make_profile):
    make_profile([branch(counts=(4, 0)), branch("never", line=40, counts=(0, 0))])
    text = pathdump("coverage", "--missing").stdout
    (summary,) = [line for line in text.splitlines() if line.startswith("1 unexecuted path ")]
    assert "1 function " in summary
    assert "nearest: 0, executed 4 times: a.c:30:T\n      1 branch differs: 30:F, T in the other path\n" in text
    assert rows(text.split(summary + "\n\n")[1].replace("differs in", "differs"))[0]["differs"] == "1"


def test_many_paths(pathdump, make_profile):
    make_profile([diamonds(60, limit=2**62)])
    found = missing(pathdump, "-n", "100")
    assert found["num_paths"] == str(2**60 - 1)
    assert [path["distance"] for path in found["paths"]] == [1] * 60 + [2] * 40
    assert len({path["id"] for path in found["paths"]}) == 100
    assert all(len(path["nearest"]["differences"]) == path["distance"] for path in found["paths"])
    text = pathdump("coverage", "--missing", "-n", "2").stdout
    assert "... and 1152921504606846973 more (use -n N to show N)\n" in text


def test_functions_with_the_same_distance_are_ordered_by_count(pathdump, make_profile):
    make_profile([branch("a", counts=(3, 0)), branch("b", line=50, counts=(0, 9)), diamonds(2, "c")])
    assert [(path["function"], path["distance"]) for path in missing(pathdump)["paths"]] == [
        ("b", 1), ("c", 1), ("c", 1), ("a", 1), ("c", 2)]
    assert [path["function"] for path in missing(pathdump, "--function", "c", "-n", "1")["paths"]] == ["c"]


def test_nothing_is_missing(pathdump, make_profile):
    make_profile([branch()])
    assert missing(pathdump)["paths"] == []
    assert pathdump("coverage", "--missing").stdout.splitlines()[-1].startswith("0 unexecuted paths ")


def test_no_number_is_all(pathdump, make_profile):
    make_profile([branch()])
    message = pathdump("coverage", "--missing", "-n", "0", status=2).stderr
    assert "--missing" in message and "-n 0" in message and message.count("\n") == 1
