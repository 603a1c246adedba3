# SPDX-License-Identifier: GPL-3.0-or-later
"""pathdump merge: weights, order, many inputs, bad inputs."""

import itertools

import pytest

from conftest import assert_one_line, branch, loop


def counts(pathdump, file):
    exported = pathdump.json("export", file)
    return exported["runs"], {
        (function["file"], function["name"], path["id"]): path["count"]
        for function in exported["functions"]
        for path in function["paths"]
    }


@pytest.fixture
def three(make_profile):
    """Three profiles that overlap in part: units, functions and paths."""
    once = {"blocks": [0, 2, 3, 8, 1]}
    return [
        make_profile([loop(), branch(unit="b.c", counts=(0, 2))], "1.pathprof"),
        make_profile([loop(traces=[once]), branch("x", unit="c.c")], "2.pathprof"),
        make_profile({"runs": 5, "functions": [branch(unit="b.c", counts=(7, 0))]}, "3.pathprof"),
    ]


def test_sums(pathdump, three, tmp_path):
    pathdump("merge", "-o", "out", *three)
    runs, merged = counts(pathdump, tmp_path / "out")
    assert runs == 7
    assert merged[("b.c", "g", "0")] == 7 and merged[("b.c", "g", "1")] == 2
    assert merged[("c.c", "x", "0")] == 4
    assert merged[("a.c", "f", "5")] == 20
    pathdump("check", "out")


def test_order_does_not_matter(pathdump, three, tmp_path):
    outputs = set()
    for order in itertools.permutations(three):
        pathdump("merge", "-o", "out", *order)
        outputs.add((tmp_path / "out").read_bytes())
    pathdump("merge", "-o", "half", *three[:2])
    pathdump("merge", "-o", "out", "half", three[2])
    outputs.add((tmp_path / "out").read_bytes())
    assert len(outputs) == 1


def test_weights(pathdump, three, tmp_path):
    pathdump("merge", "-w", "2,1,10", "-o", "out", *three)
    runs, merged = counts(pathdump, tmp_path / "out")
    assert runs == 2 + 1 + 50
    assert merged[("b.c", "g", "0")] == 70 and merged[("b.c", "g", "1")] == 4
    pathdump("merge", "-w", "2", "-w", "1", "-w", "10", "-o", "same", *three)
    assert (tmp_path / "same").read_bytes() == (tmp_path / "out").read_bytes()
    pathdump("merge", "-w", "3", "-o", "out", *three)
    assert counts(pathdump, tmp_path / "out")[1][("b.c", "g", "0")] == 21


def test_weights_are_those_of_repetition(pathdump, three, tmp_path):
    pathdump("merge", "-w", "3,1", "-o", "a", three[0], three[1])
    pathdump("merge", "-o", "b", three[0], three[1], three[0], three[0])
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_weight_of_nothing_keeps_the_notes(pathdump, three, tmp_path):
    pathdump("merge", "-w", "0", "-o", "out", three[0])
    exported = pathdump.json("export", "out")
    assert exported["runs"] == 0
    assert [f["paths"] for f in exported["functions"]] == [[], []]


def test_one_input(pathdump, three, tmp_path):
    pathdump("merge", "-o", "out", three[0])
    assert (tmp_path / "out").read_bytes() == three[0].read_bytes()
    pathdump("merge", "-w", "4", "-o", "out", three[0])
    assert counts(pathdump, tmp_path / "out")[1][("a.c", "f", "5")] == 80


def test_many_inputs(pathdump, three, tmp_path):
    pathdump("merge", "-o", "out", *(three * 33), three[2])
    runs, merged = counts(pathdump, tmp_path / "out")
    assert runs == 33 * 7 + 5
    assert merged[("b.c", "g", "0")] == 34 * 7


def test_counts_saturate(pathdump, make_profile, tmp_path):
    file = make_profile([branch(counts=(2**63, 1))])
    pathdump("merge", "-w", "3", "-o", "out", file)
    assert counts(pathdump, tmp_path / "out")[1][("a.c", "g", "0")] == str(2**64 - 1)
    assert "saturated" in pathdump("check", "out").stdout


def cycles(pathdump, file):
    exported = pathdump.json("export", file)
    return {
        (function["name"], path["id"]): path.get("cycles")
        for function in exported["functions"]
        for path in function["paths"]
    }


def test_cycles_are_added(pathdump, make_profile, tmp_path):
    files = [
        make_profile([branch(cycles={"0": 10, "1": 7}), loop(unit="b.c")], "1.pathprof"),
        make_profile([branch(cycles={"0": 2**63})], "2.pathprof"),
        make_profile([branch("x", unit="c.c", cycles={"1": 5})], "3.pathprof"),
        make_profile([branch("y", unit="d.c")], "4.pathprof"),
    ]
    outputs = set()
    for order in itertools.permutations(files):
        pathdump("merge", "-o", "out", *order)
        outputs.add((tmp_path / "out").read_bytes())
    assert len(outputs) == 1
    merged = cycles(pathdump, "out")
    assert merged["g", "0"] == str(2**63 + 10) and merged["g", "1"] == 7
    assert merged["x", "1"] == 5 and merged["y", "1"] is None and merged["f", "1"] is None
    pathdump("merge", "-w", "3,2,1", "-o", "out", *files[:3])
    merged = cycles(pathdump, "out")
    assert merged["g", "0"] == str(2**64 - 1) and merged["g", "1"] == 21 and merged["x", "1"] == 5
    pathdump("merge", "-w", "0,0,1", "-o", "out", *files[:3])
    assert cycles(pathdump, "out") == {("x", "0"): 0, ("x", "1"): 5}


def test_streams(pathdump, three, tmp_path):
    pathdump("merge", "-o", "out", three[0], three[1])
    result = pathdump(
        "merge", "-o", "-", "-", three[1], stdin=three[0].read_bytes(), binary=True
    )
    assert result.stdout == (tmp_path / "out").read_bytes()
    assert "only once" in pathdump("merge", "-o", "x", "-", "-", status=2).stderr


def test_output_may_be_an_input(pathdump, three, tmp_path):
    before = counts(pathdump, three[0])[1]
    pathdump("merge", "-o", three[0], three[0], three[0])
    assert counts(pathdump, three[0])[1] == {key: 2 * n for key, n in before.items()}


def test_wrong_use(pathdump, three, tmp_path):
    assert "--output is required" in pathdump("merge", three[0], status=2).stderr
    error = pathdump("merge", "-w", "1,2", "-o", "out", *three, status=2).stderr
    assert "2 weights " in error and "3 files" in error
    for weight in ("-1", "x", "1e3"):
        error = pathdump("merge", "-w", weight, "-o", "out", *three, status=2).stderr
        assert_one_line(error, "pathdump: merge: ", f"'{weight}'", "non-negative integer")
    assert "is too large" in pathdump("merge", "-w", str(2**64), "-o", "out", *three, status=2).stderr
    assert "'0.5'" in pathdump("merge", "-w", "0.5", "-o", "out", *three, status=2).stderr
    assert not (tmp_path / "out").exists()


def test_bad_input_writes_nothing(pathdump, three, tmp_path):
    bad = tmp_path / "bad.pathprof"
    bad.write_bytes(three[0].read_bytes()[:-3])
    (tmp_path / "out").write_text("kept")
    error = pathdump("merge", "-o", "out", three[1], bad, status=3).stderr
    assert error.startswith(f"pathdump: {bad}: offset ") and error.count("\n") == 1
    assert (tmp_path / "out").read_text() == "kept"
    assert sorted(p.name for p in tmp_path.iterdir() if p.name.startswith("out")) == ["out"]


def test_warns_of_threads(pathdump, make_profile, tmp_path):
    """As every other command does, of what is in the sum."""
    racing = {"functions": [loop(flags=["calls", "visible", "single"])], "threaded": 1}
    file, other = make_profile(racing), make_profile([branch(unit="b.c")], "other.pathprof")
    expected = pathdump("report", file).stderr
    assert_one_line(expected, f"pathdump: warning: {file}: ", "threads", "function", "update=single")
    assert pathdump("merge", "-o", "sum", file, other).stderr == expected.replace(str(file), "sum")
    assert pathdump("merge", "-o", "sum", other, other).stderr == ""


def built(compiler, build=1, **changes):
    """A description of a program that this version of GCC compiled."""
    return {"build": build, "functions": [branch(**changes)], "sources": {"a.c": {"compiler": compiler}}}


def test_builds_by_two_compilers_are_refused(pathdump, make_profile, tmp_path):
    """Wherever they stand among many: both versions are named, and nothing is written."""
    old = make_profile(built("12.2.0"), "old.pathprof")
    new = make_profile(built("14.2.0", build=2, name="h"), "new.pathprof")
    done = pathdump("merge", "-o", "out", *[old.name] * 9, new.name, *[old.name] * 9, status=3)
    assert_one_line(done.stderr, "pathdump: new.pathprof: ", "prog", "GCC 14.2.0", "GCC 12.2.0", "old.pathprof", "'pathdump diff'")
    assert not (tmp_path / "out").exists()


def test_what_two_compilers_compile_alike_is_one_build(pathdump, make_profile, tmp_path):
    files = [make_profile(built(version), f"{version}.pathprof") for version in ("12.2.0", "14.2.0")]
    pathdump("merge", "-o", "out", *files)
    pathdump("merge", "-o", "same", *reversed(files))
    assert (tmp_path / "out").read_bytes() == (tmp_path / "same").read_bytes()
    exported = pathdump.json("export", "out")
    assert len(exported["functions"]) == 1 and exported["compilers"] == ["14.2.0"]


def test_builds_by_one_compiler_are_merged(pathdump, make_profile):
    """So are those that do not say who made them."""
    for compiler in ("12.2.0", ""):
        files = [make_profile(built(compiler), "1.pathprof"), make_profile(built("12.2.0", build=2, name="h"), "2.pathprof")]
        done = pathdump("merge", "-o", "out", *files)
        assert_one_line(done.stderr, "pathdump: note: out", "several builds of prog", "function", "differs")
        assert pathdump.json("export", "out")["compilers"] == ["12.2.0"]
