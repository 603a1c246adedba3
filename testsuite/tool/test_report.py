# SPDX-License-Identifier: GPL-3.0-or-later
"""pathdump report, functions and path: what they print of a known profile."""

import os
import pty
import re
import subprocess

import pytest

from conftest import BUILD, COLOUR_VARIABLES, assert_mentions, branch, loop, shown_on


def rows(text):
    """Cells of a table's rows, by their column."""
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.lstrip().startswith(("rank", "share")))
    titles = lines[start].split()
    cells = []
    for line in lines[start + 1 :]:
        if not line.strip() or line.startswith("..."):
            break
        cells.append(dict(zip(titles, line.split(None, len(titles) - 1))))
    return cells


@pytest.fixture
def profile(make_profile):
    return make_profile(
        {
            "program": "wc",
            "runs": 3,
            "functions": [
                loop(flags=["visible"]),
                branch(),
                {"name": "h", "edges": [[0, 2], [2, 1]], "line": 50, "left_out": "it calls setjmp"},
            ],
        }
    )


def test_ranking(pathdump, profile):
    table = rows(pathdump(profile).stdout)
    assert [(row["function"], row["count"], row["stmts"]) for row in table] == [
        ("f", "20", "8"),
        ("f", "10", "8"),
        ("f", "10", "2"),
        ("g", "6", "2"),
        ("g", "4", "2"),
    ]
    assert table[0]["decisions"] == "from a.c:13:T; 14:F; around"
    assert rows(pathdump("report", "--lines", profile).stdout)[0]["lines"] == "a.c:13-14 17-19"
    assert (table[0]["from"], table[0]["to"]) == ("loop", "backedge")
    assert (table[1]["from"], table[1]["to"]) == ("entry", "backedge")
    assert (table[2]["from"], table[2]["to"]) == ("loop", "exit")
    assert table[0]["share"] == "57.14%"
    assert table[-1]["cumul."] == "100.00%"


def test_summary(pathdump, profile):
    first, counted, ranked, second = pathdump(profile).stdout.splitlines()[:4]
    assert counted == "Counted: acyclic paths (mode=acyclic)"
    assert ranked.startswith("Ranked by executed statements (executions × statements)")
    assert_mentions(ranked, ("share", "shares"), "280")
    assert first.startswith("wc: 3 runs, 2 of 2 functions executed, 5 distinct paths ")
    assert_mentions(first, "50 times")
    assert_mentions(second, "1 function", "'pathdump functions'")


def test_report_is_the_default_and_finds_the_file(pathdump, profile):
    expected = pathdump("report", profile).stdout
    assert pathdump(profile).stdout == expected
    assert pathdump().stdout == expected
    assert pathdump("-n", "20").stdout == expected
    piped = pathdump("report", "-", stdin=profile.read_bytes(), binary=True)
    assert piped.stdout == expected.encode()


def test_file_must_be_clear(pathdump, make_profile):
    assert "missing FILE argument" in pathdump(status=2).stderr
    make_profile([loop()], "a.pathprof")
    make_profile([loop()], "b.pathprof")
    assert "a.pathprof b.pathprof" in pathdump(status=2).stderr


def test_limits(pathdump, profile):
    out = pathdump(profile, "-n", "2").stdout
    assert len(rows(out)) == 2
    assert "... and 3 more executed paths (-n 0 shows all)" in out
    out = pathdump(profile, "--threshold", "5").stdout
    assert len(rows(out)) == 3
    assert "2 more executed paths below the threshold" in out
    assert len(rows(pathdump(profile, "-n", "0").stdout)) == 5
    assert pathdump(profile, "-n", "-1", status=2).stderr.count("\n") == 1


def test_function_filter_keeps_shares_of_the_program(pathdump, profile):
    table = rows(pathdump(profile, "--function", "g*").stdout)
    assert [row["share"] for row in table] == ["4.29%", "2.86%"]
    table = rows(pathdump(profile, "--function", "g", "--function", "f", "-n", "0").stdout)
    assert len(table) == 5
    assert re.search("^No .*path", pathdump(profile, "--function", "x", status=1).stdout, re.M)


def test_json(pathdump, profile):
    report = pathdump.json(profile, "--json", "-n", "3")
    assert report["program"] == "wc" and report["more"] == 2
    assert [path["id"] for path in report["paths"]] == ["5", "1", "3"]
    assert report["paths"][0]["share"] == pytest.approx(100 * 160 / 280)


@pytest.fixture
def measured(make_profile):
    """Two functions with cycles, one without."""
    return make_profile(
        [
            loop(cycles={"1": 1000, "3": 250, "5": 3000}),
            branch(cycles={"1": 2**53 + 1}),
            branch("h", line=40),
        ]
    )


def test_cycles_rank_where_they_are_known(pathdump, measured):
    out = pathdump(measured).stdout
    assert re.match(rf"{2**53 + 4251} cycles\b.*[Rr]anked by cycles\b.*[Ss]hares?\b.*\bcycles", out.splitlines()[2])
    table = rows(out)
    assert [(row["function"], row["id"], row["cycles"], row["each"]) for row in table] == [
        ("g", "1", str(2**53 + 1), f"{2**53 / 6:.1f}"),
        ("f", "5", "3000", "150.0"),
        ("f", "1", "1000", "100.0"),
        ("f", "3", "250", "25.0"),
        ("h", "1", "-", "-"),
        ("g", "0", "0", "0.0"),
        ("h", "0", "-", "-"),
    ]
    assert pathdump(measured, "--sort=cycles").stdout == out
    assert len(rows(pathdump(measured, "--threshold", "0.5").stdout)) == 1


def test_statements_rank_on_request(pathdump, measured):
    out = pathdump(measured, "--sort=statements").stdout
    assert "Ranked by executed statements" in out
    table = rows(out)
    assert [(row["function"], row["id"]) for row in table[:2]] == [("f", "5"), ("f", "1")]
    assert table[0]["cycles"] == "3000"


def test_cycles_in_json(pathdump, measured):
    report = pathdump.json(measured, "--json")
    assert report["ranked_by"] == "cycles"
    paths = {(path["function"], path["id"]): path for path in report["paths"]}
    assert paths["g", "1"]["cycles"] == str(2**53 + 1)
    assert paths["f", "5"]["cycles"] == 3000 and paths["f", "5"]["cycles_per_execution"] == 150
    assert paths["g", "0"]["cycles"] == 0
    assert "cycles" not in paths["h", "0"]
    assert pathdump.json(measured, "--json", "--sort=statements")["ranked_by"] == "statements"


def test_cycles_of_one_path(pathdump, measured):
    assert "executed 20 times in 3000 cycles, 8 statements" in pathdump("path", "f", "5").stdout
    assert pathdump.json("path", "f", "5", "--json")["cycles"] == 3000
    assert "cycles" not in pathdump("path", "h", "0").stdout


def test_without_cycles(pathdump, profile):
    assert "cycles" not in pathdump(profile).stdout
    assert pathdump.json(profile, "--json")["ranked_by"] == "statements"
    error = pathdump(profile, "--sort=cycles", status=2).stderr
    assert "has no cycles" in error and error.count("\n") == 1
    assert "statements, cycles" in pathdump(profile, "--sort=time", status=2).stderr


def test_ties_are_stable(pathdump, make_profile):
    make_profile(
        [
            branch("z", line=1, counts=(5, 5)),
            branch("b", line=9, counts=(5, 5), unit="b.c"),
            branch("a", line=9, counts=(5, 5), unit="b.c"),
        ]
    )
    table = rows(pathdump().stdout)
    assert [(row["function"], row["id"]) for row in table] == [
        (name, number) for name in ("z", "a", "b") for number in ("0", "1")
    ]


def test_unfinished_activations_are_told(pathdump, make_profile):
    unfinished = {"blocks": [0, 2, 3, 4, 5, 7, 3, 4], "times": 2}
    make_profile([loop(traces=[unfinished], flags=["calls"])])
    assert "2 activations never finished" in pathdump().stdout


def test_inlined_and_foreign_lines(pathdump, make_profile):
    function = {
        "name": "f",
        "edges": [[0, 2], [2, 1]],
        "sites": [{"function": "_Z3maxii", "file": "a.c", "line": 12}],
        "blocks": [
            {
                "id": 2,
                "stmts": 4,
                "lines": [
                    11,
                    {"file": "inc/util.h", "line": 7, "site": 1},
                    {"file": "inc/util.h", "line": 8, "site": 1},
                    {"file": "table.inc", "line": 3},
                    12,
                ],
            }
        ],
        "traces": [{"blocks": [0, 2, 1]}],
    }
    make_profile([function])
    assert "a.c:11 max@util.h:7-8 table.inc:3 12" in pathdump().stdout
    assert "_Z3maxii@util.h:7-8" in pathdump("--no-demangle").stdout
    block = pathdump.json("export")["functions"][0]["blocks"][2]
    assert block["lines"] == [11, 12]
    assert block["inlined"][0] == {"file": "inc/util.h", "line": 7, "function": "max(int, int)"}
    assert block["inlined"][2] == {"file": "table.inc", "line": 3, "function": "f"}


@pytest.mark.parametrize(
    "assembler_name, shown",
    [
        ("_ZNSt6vectorIiSaIiEE9push_backEOi", "push_back"),
        ("_ZNSt6vectorIiSaIiEEixEm", "operator[]"),
        ("_ZNKSt10unique_ptrIiE3getEv", "get"),
        ("_ZNKSt10unique_ptrIiEptEv", "operator->"),
        ("_ZSt3maxIiERKT_S2_S2_", "max"),
        ("_ZStlsIcERSoS0_T_", "operator<<"),
        ("_ZZ4mainENKUlvE_clEv", "operator()"),
        ("plain_c", "plain_c"),
    ],
)
def test_short_names_of_inlined_functions(pathdump, make_profile, assembler_name, shown):
    function = {
        "name": "f",
        "edges": [[0, 2], [2, 1]],
        "sites": [{"function": assembler_name, "file": "a.c", "line": 12}],
        "blocks": [{"id": 2, "stmts": 1, "lines": [{"line": 3, "site": 1}]}],
        "traces": [{"blocks": [0, 2, 1]}],
    }
    make_profile([function])
    assert f"  {shown}@a.c:3\n" in pathdump().stdout


def test_without_lines_blocks_are_shown(pathdump, make_profile):
    make_profile([{"name": "f", "edges": [[0, 2], [2, 1]], "traces": [{"blocks": [0, 2, 1]}]}])
    assert "blocks 0 2 1" in pathdump().stdout


def test_source_lines_and_prefix(pathdump, make_profile, tmp_path):
    make_profile([branch(unit="/old/a.c")])
    (tmp_path / "new").mkdir()
    (tmp_path / "new/a.c").write_text("".join(f"line {i};\n" for i in range(1, 40)))
    os.utime(tmp_path / "new/a.c", (1, 1))
    result = pathdump("--lines")
    assert "source not found" in result.stderr and "line 30;" not in result.stdout
    result = pathdump("--lines", "--source-prefix", "/old=new")
    assert result.stderr == ""
    assert "        30 | line 30;\n        33 | line 33;\n" in result.stdout
    assert "(new/a.c:30)" in pathdump("path", "g", "0", "--source-prefix", "/old=new").stdout
    exported = pathdump.json("export", "--source-prefix", "/old/=")
    assert exported["functions"][0]["file"] == "a.c"
    assert "OLD=NEW" in pathdump("--source-prefix", "/old", status=2).stderr


def test_demangling(pathdump, make_profile):
    make_profile([branch("_ZN2ns1gEi"), branch("i", unit="b.c")])
    table = rows(pathdump("functions", "--sort", "name").stdout)
    assert [row["function"] for row in table] == ["i", "ns::g(int)"]
    assert "_ZN2ns1gEi" in pathdump("--no-demangle").stdout
    for glob in ("_ZN2ns*", "ns::g", "ns::g(int)", "ns::*"):
        assert len(rows(pathdump("--function", glob).stdout)) == 2


# ---- colours and terminals ----


def test_colours(pathdump, profile):
    def coloured(*arguments, **env):
        return "\x1b[" in pathdump(profile, *arguments, env=env).stdout

    assert not coloured()
    assert coloured("--color=always")
    assert coloured("--color=always", NO_COLOR="1")
    assert coloured(CLICOLOR_FORCE="1")
    assert not coloured(CLICOLOR_FORCE="0")
    assert not coloured(CLICOLOR_FORCE="1", NO_COLOR="1")
    assert not coloured("--color=never", CLICOLOR_FORCE="1")
    assert "auto, always, never" in pathdump(profile, "--color=maybe", status=2).stderr


def test_sort(pathdump, make_profile):
    """g's paths are executed more often, but f's cost more; a has its name."""
    profile = make_profile([branch("g", counts=(70, 50)), loop("f"), branch("a", line=40, lines=(41, 43), counts=(1, 0))])

    def order(*arguments):
        return "".join(row["function"] for row in rows(pathdump("report", profile, *arguments).stdout))

    assert order() == order("--sort=share") == order("--sort=statements") == "fggffa"
    assert order("--sort=count") == "ggfffa" and order("--sort=count", "-n", "1") == "g"
    assert order("--sort=name") == "afffgg" and order("--sort=name", "-n", "3") == "fgg"  # of the hottest
    found = pathdump.json("report", profile, "--sort=count", "--json")
    assert [path["count"] for path in found["paths"]] == [70, 50, 20, 10, 10, 1]
    assert found["sorted_by"] == "count" and found["ranked_by"] == "statements"
    assert re.search(r"sorted by name\b.*[Ss]hares?\b", pathdump("report", profile, "--sort=name").stdout)
    assert order("--sort=count", "--threshold=17") == "ggf"  # shares of statements still
    for key in ("cost", "cycles", "x"):
        text = pathdump("report", profile, "--sort", key, status=2).stderr
        assert text.count("\n") == 1 and key in text


def on_terminal(tmp_path, *arguments, columns=80, **env):
    master, slave = pty.openpty()
    environment = {k: v for k, v in os.environ.items() if k not in COLOUR_VARIABLES}
    environment.update({"TERM": "xterm"}, **env)
    subprocess.run(["stty", "cols", str(columns)], stdin=slave, check=True)
    command = [BUILD / "bin/pathdump", *arguments]
    subprocess.run(command, cwd=tmp_path, env=environment, stdout=slave, check=True)
    os.close(slave)
    return shown_on(master).decode()


def test_terminal(pathdump, make_profile, tmp_path):
    long_trail = [{"id": 2, "stmts": 1, "lines": list(range(1, 200, 2))}]
    function = {"name": "f", "edges": [[0, 2], [2, 1]], "blocks": long_trail}
    make_profile([{**function, "traces": [{"blocks": [0, 2, 1]}]}])
    assert "\x1b[" in on_terminal(tmp_path)
    plain = on_terminal(tmp_path, NO_COLOR="1")
    assert "\x1b[" not in plain
    assert max(map(len, plain.splitlines())) <= 80
    cut = on_terminal(tmp_path, "--lines", NO_COLOR="1")
    assert max(map(len, cut.splitlines())) <= 80 and "..." in cut
    codes = on_terminal(tmp_path, "--codes", NO_COLOR="1")
    assert max(map(len, codes.splitlines())) <= 80
    assert "..." not in pathdump().stdout + plain + codes
    # Too narrow for the columns before the trail.
    lines = on_terminal(tmp_path, columns=60, NO_COLOR="1").splitlines()
    assert [line[:12] for line in lines if "a.c:" in line] == ["      a.c:1 "]


# ---- functions ----


def test_functions(pathdump, profile):
    out = pathdump("functions", profile).stdout
    table = rows(out)
    assert [(row["function"], row["calls"], row["executions"]) for row in table] == [
        ("f", "10", "40"),
        ("g", "10", "10"),
    ]
    assert "h (a.c:50): it calls setjmp" in out


def test_functions_json(pathdump, profile):
    listing = pathdump.json("functions", profile, "--json")
    assert listing["left_out"] == [{"name": "h", "reason": "it calls setjmp"}]
    assert listing["functions"][0]["num_paths"] == "6"
    assert listing["functions"][0]["executed_paths"] == 3


def test_sort_keys(pathdump, make_profile):
    make_profile(
        [
            loop("b", traces=[{"blocks": [0, 2, 3, 8, 1], "times": 3}]),
            branch("a", counts=(50, 0), line=3),
            branch("c", counts=(1, 1), line=2),
        ]
    )

    def order(key):
        return "".join(r["function"] for r in rows(pathdump("functions", "--sort", key).stdout))

    assert order("name") == "abc"
    assert order("calls") == "abc"
    assert order("executed") == "cab"
    assert order("static") == "bca"
    assert order("hot") == "abc"
    error = pathdump("functions", "--sort", "size", status=2).stderr
    assert "name, calls, executed, static, hot" in error


def test_huge_numbers_of_paths(pathdump, make_profile):
    huge = "12345678901234567890123456789012345"
    make_profile([branch(num_paths_uncut=huge)])
    assert "1.2e+34" in pathdump("functions").stdout
    listing = pathdump.json("functions", "--json")
    assert listing["functions"][0]["num_paths_uncut"] == huge
    assert pathdump.json("export")["functions"][0]["num_paths_uncut"] == huge


def test_cut_functions(pathdump, make_profile):
    make_profile([{**branch_ladder(20), "limit": 100}])
    row = rows(pathdump("functions").stdout)[0]
    assert row["uncut"] == str(2**20)
    assert int(row["static"]) <= 100 and int(row["cuts"]) > 0
    pathdump("check")


def branch_ladder(length):
    """A function of `length` branches in a row, run once along each side."""
    edges, left, right = [[0, 2]], [0], [0]
    for i in range(length):
        top = 2 + 3 * i
        edges += [[top, top + 1, "true"], [top, top + 2, "false"]]
        edges += [[top + 1, top + 3], [top + 2, top + 3]]
        left += [top, top + 1]
        right += [top, top + 2]
    last = 2 + 3 * length
    edges.append([last, 1])
    return {
        "name": "ladder",
        "edges": edges,
        "traces": [{"blocks": left + [last, 1]}, {"blocks": right + [last, 1]}],
    }


# ---- path ----


def test_path(pathdump, profile):
    out = pathdump("path", profile, "f", "5").stdout.splitlines()
    assert out[0] == "path 5 of f (a.c:10): executed 20 times, 8 statements, from loop to backedge"
    assert out[1] == "Counted: acyclic paths (mode=acyclic)"
    assert out[2] == "Decisions: from a.c:13:T; 14:F; around"
    assert out[-2:] == ["", "T is true, F is false"]
    assert [line.split() for line in out[5:-2]] == [
        ["3", "1", "13:T", "a.c:13"],
        ["4", "1", "14:F", "a.c:14"],
        ["6", "5", "fallthru", "a.c:17-18"],
        ["7", "1", "backedge", "a.c:19"],
    ]
    assert pathdump("path", "f", "5").stdout.splitlines() == out


def test_path_json(pathdump, profile):
    path = pathdump.json("path", profile, "f", "1", "--json")
    assert (path["count"], path["statements"], path["start"], path["end"]) == (
        10,
        8,
        "entry",
        "backedge",
    )
    assert [block["id"] for block in path["blocks"]] == [0, 2, 3, 4, 5, 7]
    assert path["blocks"][2]["taken"] == ["true"]


def test_path_that_never_ran(pathdump, profile):
    assert "executed 0 times" in pathdump("path", profile, "f", "0").stdout


def test_path_wrong_use(pathdump, profile):
    assert "the path IDs of f are 0 to 5" in pathdump("path", profile, "f", "6", status=2).stderr
    assert "the path IDs of f are 0 to 5" in pathdump("path", profile, "f", "x", status=2).stderr
    assert "no function 'q'" in pathdump("path", profile, "q", "0", status=2).stderr
    assert "it calls setjmp" in pathdump("path", profile, "h", "0", status=2).stderr
    assert "FUNC" in pathdump("path", "f", status=2).stderr


def test_ambiguous_functions(pathdump, make_profile):
    make_profile([branch("s", unit="x/a.c"), branch("s", unit="b.c", counts=(1, 0))])
    error = pathdump("path", "s", "0", status=2).stderr
    assert "b.c:s x/a.c:s" in error and error.count("\n") == 1
    assert "executed 4 times" in pathdump("path", "a.c:s", "0").stdout
    assert "executed 1 time," in pathdump("path", "b.c:s", "0").stdout


def test_functions_of_one_file_and_name(pathdump, make_profile):
    make_profile([branch("s", unit="a.c", file="i.h"), loop("s", unit="b.c", file="i.h")])
    error = pathdump("path", "s", "0", status=2).stderr
    choice = error.split()[-1]
    assert choice.startswith("i.h:s@")
    pathdump("path", choice, "0")
    pathdump("path", choice.split(":")[1], "0")
