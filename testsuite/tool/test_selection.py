# SPDX-License-Identifier: GPL-3.0-or-later
"""--function and --file: the same selection in every command that has them."""


import pytest

from conftest import branch, loop

COMMANDS = (
    ["report"], ["report", "--json", "-n", "0"], ["functions"], ["coverage"], ["coverage", "--json"],
    ["coverage", "--missing"], ["diff", "prog.pathprof", "prog.pathprof", "--json"],
    ["diff", "--pass", "prog.pathprof", "--fail", "prog.pathprof"], ["overlap", "prog.pathprof", "prog.pathprof"], ["stats"],
    ["advise"], ["check"], ["show"], *(["export", "--format", name] for name in
    ("json", "lcov", "cobertura", "sonarqube", "collapsed", "speedscope", "callgrind", "quickfix", "dot", "csv")))  # fmt: skip


@pytest.fixture
def profile(make_profile):
    make_profile([branch(unit="src/b.c"), loop("big", unit="src/c.c"), loop("main", unit="lib/b.c")])


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_file_stands_for_its_functions(pathdump, profile, command):
    # Code's time stamp aside, which Cobertura has.
    def out(*selection):
        lines = pathdump(*command, *selection).stdout.splitlines()
        return [line for line in lines if "timestamp" not in line]

    assert out("--file", "c.c") == out("--function", "big") != out("--function", "g")
    assert out("--file", "b.c") == out("--function", "g", "--function", "main")
    assert out("--file", "src/*") == out("--function", "g", "--function", "big")
    assert out("--file", "src/*", "--function", "main", "--function", "big") == out("--function", "big")
    assert out("--file", "new/*", "--source-prefix", "lib=new") == out("--function", "main", "--source-prefix", "lib=new")


@pytest.mark.parametrize("command, rows", (("report", "paths"), ("functions", "functions"), ("show", "functions")))
def test_shares_refer_to_the_whole_profile(pathdump, profile, command, rows):
    """Regression 9: a row has the same share whichever functions are selected."""
    def shares(*selection):
        found = pathdump.json(command, "--json", *selection)[rows]
        return {(row.get("function", row.get("name")), row.get("id")): row["share"] for row in found}

    everything = shares()
    for name in ("g", "big", "main"):
        some = shares("--function", name)
        assert some and some == {key: everything[key] for key in some}
        assert name == "big" or max(some.values()) < 99


def test_lines_of_a_file_in_coverage(pathdump, make_profile):
    """Tracefiles have the lines of the selected files, also those of code that was inlined elsewhere."""
    inlined = branch("caller", line=40, lines=(41, 43), counts=(50, 0))
    inlined["sites"] = [{"function": "g", "file": "inc/util.h", "line": 41}]
    inlined["blocks"][1]["lines"].append({"file": "inc/util.h", "line": 33, "site": 1})
    make_profile([branch(unit="b.c"), inlined])
    lines = pathdump("export", "--format=lcov", "--file", "*.h").stdout.splitlines()
    assert [line for line in lines if line.startswith(("SF:", "DA:", "FN:"))] == ["SF:inc/util.h", "DA:33,50"]
