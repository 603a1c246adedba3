# SPDX-License-Identifier: GPL-3.0-or-later
"""pathdump stats and overlap: the figures of Ball and Larus 1996, section 6."""

import os
import pty
import subprocess

import pytest

from conftest import BUILD, branch, loop, shown_on
from test_missing import diamonds


def stats(pathdump, *arguments):
    return pathdump.json("stats", "--json", *arguments)


def test_stats_of_a_branch(pathdump, make_profile):
    make_profile([branch(counts=(4, 6)), branch("never", line=40, counts=(0, 0))])
    found = stats(pathdump)
    assert [f["name"] for f in found["functions"]] == ["g"] and found["programs"] == []
    g = found["functions"][0]
    # Two paths of 3 edges and 2 statements; edges say 4, which is one path, and the other up to the branch in block 2.
    assert (g["paths"], g["executions"], g["hashed"], g["paths_predicted"], g["executions_predicted"]) == (2, 10, 0, 1, 6)
    assert g["length"] == {"edges": 3, "statements": 2, "longest_edges": 3, "longest_statements": 2}
    assert g["predicted"] == {"edges": (4 * 1 + 6 * 3) / 10, "statements": (4 * 1 + 6 * 2) / 10, "longest_edges": 3,
                              "longest_statements": 2}
    assert g["edge_increments"] == 6 + 4  # a chord on either side of the branch
    assert (g["branches"], g["missed_by_edges"], g["missed_by_paths"]) == (10, 4, 4)
    assert (found["total"]["functions"], found["total"]["most_paths"]) == (1, 2)


def test_stats_of_a_loop(pathdump, make_profile):
    make_profile([loop(storage="hash"), branch()])
    found = stats(pathdump)
    f = found["functions"][0]
    assert f["name"] == "f" and f["hashed"] == f["executions"] == 40 and found["total"]["hashed"] == 40
    # The other way around the loop is the more frequent one: a path that enters it, and one that leaves, are not predicted.
    assert (f["paths"], f["paths_predicted"], f["executions_predicted"]) == (3, 1, 20)
    text = pathdump("stats").stdout
    assert "prog: 5 paths executed in 2 functions: mean 2.5 per function, maximum 3\n" in text
    assert "path counter increments        50, 80.0% in hash tables" in text


def test_stats_options(pathdump, make_profile):
    make_profile([loop(), branch()])
    assert [f["name"] for f in stats(pathdump, "--function", "g")["functions"]] == ["g"]
    assert "... and 1 more function (-n 0 shows all)\n" in pathdump("stats", "-n", "1").stdout
    make_profile([branch(counts=(0, 0))])
    assert pathdump("stats").stdout == "No path was executed.\n"


@pytest.mark.parametrize("mode", ["context", "piecewise"])
def test_stats_of_paths_through_calls(pathdump, modes_of_a_program, mode):
    found = stats(pathdump, modes_of_a_program / f"{mode}.pathprof")
    exported = pathdump.json("export", modes_of_a_program / f"{mode}.pathprof")["program_paths"]
    assert [(p["mode"], p["paths"], p["executions"]) for p in found["programs"]] == \
        [(mode, len(p["paths"]), sum(path["count"] for path in p["paths"])) for p in exported]
    assert f"{mode} paths of " in pathdump("stats", modes_of_a_program / f"{mode}.pathprof").stdout


def test_long_work_says_how_far_it_is_on_a_terminal(make_profile, tmp_path):
    make_profile([diamonds(20, f"f{i}", limit=2**62, traces=[], many={"number": 40000}) for i in range(40)])
    terminal, other_end = pty.openpty()
    done = subprocess.run([BUILD / "bin/pathdump", "stats", "-o", "out"], cwd=tmp_path, stderr=other_end, timeout=900,
                          check=True)
    os.close(other_end)
    shown = shown_on(terminal)
    assert done.returncode == 0
    assert b" of 40 functions" in shown and shown.endswith(b"\r\x1b[K")


def test_nothing_is_told_where_nobody_looks(pathdump, make_profile):
    make_profile([diamonds(20, f"f{i}", limit=2**62, traces=[], many={"number": 40000}) for i in range(40)])
    assert pathdump("stats").stderr == ""


# ---- overlap ----


@pytest.fixture
def two(make_profile):
    """g: A runs both paths, B one; f: both the same; a: only A; b: only B."""
    make_profile([loop(), branch(counts=(10, 30)), branch("a", line=40), branch("b", line=50, counts=(0, 0))], "A")
    make_profile([loop(), branch(counts=(0, 60)), branch("a", line=40, counts=(0, 0)), branch("b", line=50)], "B")


def overlap(pathdump, *arguments, status=0):
    return pathdump.json("overlap", "--json", *arguments, status=status)


def test_overlap(pathdump, two):
    found = overlap(pathdump, "A", "B")
    total = found["total"]
    assert total["common_paths"] == 4 and (total["a"]["paths"], total["b"]["paths"]) == (7, 6)
    assert total["a"]["share_of_paths"] == pytest.approx(100 * 4 / 7)
    assert (total["a"]["executions"], total["a"]["common_executions"]) == (90, 70)
    assert (total["b"]["executions"], total["b"]["common_executions"]) == (110, 100)
    f = next(one for one in found["functions"] if one["function"] == "f")
    loop_statements = int(f["a"]["statements"])
    in_a, in_b = loop_statements + 2 * 50, loop_statements + 2 * 70
    assert int(total["a"]["statements"]) == in_a and int(total["b"]["common_statements"]) == loop_statements + 120
    expected = 100 * (loop_statements / in_b + min(60 / in_a, 120 / in_b))
    assert total["overlap"] == pytest.approx(expected)
    assert {one["function"]: one["common_paths"] for one in found["functions"]} == {"f": 3, "g": 1, "a": 0, "b": 0}


def test_overlap_with_itself(pathdump, two):
    total = overlap(pathdump, "A", "A")["total"]
    assert total["overlap"] == pytest.approx(100)
    assert total["a"] == total["b"] and total["a"]["share_of_statements"] == 100


def test_overlap_as_text(pathdump, two):
    text = pathdump("overlap", "A", "B", "-n", "2").stdout
    assert "A: A: 1 run\nB: B: 1 run\n" in text and "... and 2 more functions (-n 0 shows all)\n" in text
    row = next(line for line in text.splitlines() if line.startswith("common paths")).split()
    assert row[2:] == ["4", "4", "57.1%", "66.7%"]


def test_overlap_fails_under_a_threshold(pathdump, two):
    share = overlap(pathdump, "A", "B")["total"]["b"]["share_of_statements"]
    pathdump("overlap", "A", "B", "--fail-under", f"{share - 0.1}")
    pathdump("overlap", "A", "B", "--fail-under", f"{share + 0.1}", status=1)


def test_changed_functions_have_nothing_in_common(pathdump, make_profile):
    make_profile([branch()], "A")
    other = branch()
    other["edges"].append([2, 1, "fallthru"])
    make_profile([other], "B")
    found = overlap(pathdump, "A", "B")
    assert found["changed_functions"] == 1 and found["total"]["common_paths"] == 0
    assert (found["total"]["a"]["paths"], found["total"]["b"]["paths"]) == (2, 2)
    assert "1 function changed" in pathdump("overlap", "A", "B").stdout


def test_overlap_of_programs(pathdump, modes_of_a_program):
    file = modes_of_a_program / "context.pathprof"
    found = overlap(pathdump, file, file)
    assert found["total"]["overlap"] == pytest.approx(100) and found["total"]["common_paths"] > 3


def test_wrong_use(pathdump, two):
    assert "B" in pathdump("overlap", "A", status=2).stderr
    assert "only once" in pathdump("overlap", "-", "-", status=2).stderr
