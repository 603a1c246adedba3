# SPDX-License-Identifier: GPL-3.0-or-later
"""pathdump check: profiles that a program could have written pass, others do not."""

import random

import pytest

from conftest import branch, loop

FINISHED = {"blocks": [0, 2, 3, 4, 5, 7, 3, 4, 6, 7, 3, 4, 6, 7, 3, 8, 1], "times": 10}
STOPPED = {"blocks": [0, 2, 3, 4, 5, 7, 3, 4, 6], "times": 3}


def test_good(pathdump, make_profile):
    make_profile([loop(), branch()])
    expected = "prog.pathprof: 2 functions, 5 paths, flow conserved at every block\n"
    assert pathdump("check", "prog.pathprof").stdout == expected


# Paths of `loop`: 1 entry to back edge, 3 loop to exit, 5 loop to back edge by 6.
@pytest.mark.parametrize(
    "adjust, message",
    [
        ({"3": 1}, "block 3 (a.c:13): the number of paths that start here (31) exceeds the number of paths that can lead here (30)"),
        ({"3": -1}, "block 7 (a.c:19): the number of paths that end here (30) exceeds the number of paths that follow (29)"),
        ({"1": -4}, "block 3 (a.c:13): the number of paths that start here (30) exceeds the number of paths that can lead here (26)"),
        ({"1": 4}, "block 7 (a.c:19): the number of paths that end here (34) exceeds the number of paths that follow (30)"),
    ],
)
def test_tampered(pathdump, make_profile, adjust, message):
    make_profile([branch(), loop(adjust=adjust)])
    out = pathdump("check", status=1).stdout
    assert out.count("\n") == 1
    assert out.startswith("prog.pathprof: f: ") and message in out


def test_cycles_of_what_never_ran(pathdump, make_profile):
    """A dump may lie between the two sums of a path; nothing else may have cycles."""
    make_profile([branch(counts=(4, 0), cycles={"0": 9, "1": 5})])
    assert "note: g: 1 path with cycles but no count" in pathdump("check").stdout
    make_profile([branch(cycles={"2": 5})])
    error = pathdump("check", status=3).stderr
    assert "out of bounds" in error and error.count("\n") == 1


def test_loop_that_nothing_leads_to(pathdump, make_profile):
    make_profile([loop(traces=[{"blocks": [0, 2, 3, 8, 1]}], adjust={"5": 7})])
    assert "no executed path leads here" in pathdump("check", status=1).stdout


def test_unfinished_activations(pathdump, make_profile):
    make_profile([loop(traces=[FINISHED, STOPPED], flags=["calls"])])
    assert "; 3 activations never finished" in pathdump("check").stdout
    make_profile([loop(traces=[FINISHED, STOPPED])])
    assert "contains no calls" in pathdump("check", status=1).stdout


def test_frames_open_at_a_fork(pathdump, make_profile):
    description = {"functions": [loop(flags=["calls"], adjust={"3": 2})]}
    make_profile(description)
    pathdump("check", status=1)
    make_profile({**description, "runs": 2, "forks": 1})
    assert "note: f: block 3 (a.c:13): 2 " in pathdump("check").stdout


def test_counts_that_were_reset(pathdump, make_profile):
    """In functions without calls too: another thread or a signal handler may reset."""
    for change in ({"adjust": {"3": 2}}, {"traces": [FINISHED, STOPPED]}):
        description = {"functions": [loop(**change)]}
        make_profile(description)
        pathdump("check", status=1)
        make_profile({**description, "resets": 1})
        pathdump("check")


def test_abnormal_edges_say_nothing(pathdump, make_profile):
    """3 may leave abnormally to 4: that end is not counted, the start at 4 is."""
    function = {
        "name": "f",
        "edges": [[0, 2], [2, 3], [3, 5], [3, 4, "abnormal"], [4, 5], [5, 1]],
        "traces": [{"blocks": [0, 2, 3, 4, 5, 1], "times": 6}, {"blocks": [0, 2, 3, 5, 1]}],
    }
    make_profile([function])
    pathdump("check")


def test_flow_is_looked_for_not_guessed(pathdump, make_profile):
    """Two blocks end paths, and only one of them can reach both starts: greed fails."""
    function = {
        "name": "f",
        "edges": [[0, 2], [2, 4], [2, 5], [6, 1], [7, 1]]
        + [[4, 6, "cut"], [4, 7, "cut"], [5, 6, "cut"]],
        "traces": [
            {"blocks": [0, 2, 4, 7, 1], "times": 5},
            {"blocks": [0, 2, 5, 6, 1], "times": 5},
        ],
    }
    make_profile([function])
    pathdump("check")
    # Five more go to 7 than 4 can have sent, five fewer to 6: the sums agree, the flow does not.
    make_profile([{**function, "adjust": {"0": -5, "1": 5}}])
    assert "paths that start here" in pathdump("check", status=1).stdout


def test_several_files(pathdump, make_profile, tmp_path):
    make_profile([loop()], "a.pathprof")
    make_profile([loop(adjust={"3": 1})], "b.pathprof")
    (tmp_path / "c.pathprof").write_text("nothing")
    result = pathdump("check", "a.pathprof", "b.pathprof", status=1)
    files = [line.split(":")[0] for line in result.stdout.splitlines()]
    assert files == ["a.pathprof", "b.pathprof"]
    result = pathdump("check", "c.pathprof", "a.pathprof", "b.pathprof", status=3)
    assert len(result.stdout.splitlines()) == 2
    assert result.stderr.startswith("pathdump: c.pathprof: offset 0: ")


def random_graph(rng):
    """Edges of a random graph: some blocks have no successors, some edges are abnormal."""
    size = rng.randint(3, 14)
    edges = {(0, 2): "fallthru"}
    for block in range(2, size):
        for _ in range(rng.choice((0, 1, 1, 2, 2, 3))):
            target = rng.choice([1, *range(2, size)])
            edges[block, target] = "abnormal" if target > 1 and rng.random() < 0.08 else "true"
    return edges


def random_walk(edges, rng, steps):
    """Blocks of an activation, and whether it finished."""
    walk = [0]
    for _ in range(steps):
        after = sorted(dst for src, dst in edges if src == walk[-1])
        if not after:
            return walk, True
        walk.append(rng.choice(after))
    return walk, False


def random_function(name, rng, may_stop):
    edges = random_graph(rng)
    traces = []
    for _ in range(rng.randint(1, 8)):
        walk, finished = random_walk(edges, rng, rng.randint(10, 80))
        if finished or may_stop:
            traces.append({"blocks": walk, "times": rng.randint(1, 9)})
    return {
        "name": name,
        "flags": ["calls"] if may_stop else [],
        "limit": rng.choice((20, 60000)),
        "edges": [[*edge, kind] for edge, kind in sorted(edges.items())],
        "traces": traces,
    }


@pytest.mark.parametrize("may_stop", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_random_programs_pass(pathdump, make_profile, seed, may_stop):
    rng = random.Random(seed)
    for _ in range(6):
        make_profile([random_function(f"f{i}", rng, may_stop) for i in range(25)])
        checked = pathdump("check").stdout
        assert may_stop or "never finished" not in checked
        pathdump("export")
        pathdump("-n", "0")
