# SPDX-License-Identifier: GPL-3.0-or-later
"""pathdump show: the source with line counts and paths; its counts against gcov's."""

import json
import os
import random
import re

import pytest

from conftest import BUILD, HERE, branch, loop, version_suffix
from random_program import Program
from test_gcov import gcov_lines

PATHDUMP = BUILD / "bin/pathdump"


def write_source(folder, name="a.c", lines=60):
    (folder / name).write_text("".join(f"text {number};\n" for number in range(1, lines)))
    os.utime(folder / name, (1, 1))  # a newer one than the profile is in doubt


@pytest.fixture
def source(tmp_path):
    write_source(tmp_path)


def listed(text, function):
    """Line number → (count, marks, source) in the listing of a function."""
    block = next(part for part in text.split("\n\n") if part.startswith(f"{function} ("))
    return listed_lines(text[text.index(block) + len(block):])


def listed_lines(text):
    lines = {}
    for line in text.lstrip("\n").splitlines():
        found = re.fullmatch(r" *(\d+|-)  +(\d+)(?:  ([A-Za-z. ]*?))?(?:  (text .*))?", line)
        if line == "":
            break
        if found:
            lines[int(found[2])] = (found[1], found[3] or "", found[4] or "")
    return lines


def test_listing(pathdump, make_profile, source):
    make_profile({"program": "wc", "runs": 3, "functions": [loop()]})
    assert pathdump("show").stdout == """\
wc: 3 runs
Counted: acyclic paths (mode=acyclic)
Ranked by executed statements (executions × statements); shares are relative to the total of 260
In each path's column, a letter marks a line on the path, and a dot marks any other line with code.

f (a.c:10): 100.00% of all statements, called 10 times, 3 of 6 paths executed
    share  count  stmts  id  from   to        decisions
A  61.54%     20      8   5  loop   backedge  from a.c:13:T; 14:F; around
B  30.77%     10      8   1  entry  backedge  a.c:13:T; 14:T; around
C   7.69%     10      2   3  loop   exit      from a.c:13:F; left

count  line  ABC
   10    11  .B.  text 11;
   10    12  .B.  text 12;
   40    13  ABC  text 13;
   30    14  AB.  text 14;
   10    15  .B.  text 15;
    -    16       text 16;
   20    17  A..  text 17;
   20    18  A..  text 18;
   30    19  AB.  text 19;
    -    20       text 20;
   10    21  ..C  text 21;

T is true, F is false

Statements are not time; 'pathprof record --cost -- PROG' measures the cost
"""


def test_functions_come_by_what_they_cost(pathdump, make_profile, source):
    left_out = {"name": "h", "edges": [[0, 2], [2, 1]], "line": 50, "left_out": "it calls setjmp"}
    make_profile([branch(), loop(), branch("never", line=40, lines=(41, 43), counts=(0, 0)), left_out])
    short = pathdump("show").stdout
    assert heads_of(short) == ["f", "g", "h"] and "\n1 function not executed (--all shows it)\n" in short
    assert heads_of(pathdump("show", "--function=never").stdout) == ["never"]  # was asked for
    assert "--all has no effect with --json" in pathdump("show", "--all", "--json", status=2).stderr
    assert [f["name"] for f in pathdump.json("show", "--json")["functions"]] == ["f", "g", "never"]
    out = pathdump("show", "--all").stdout
    heads = re.findall(r"^\S+ \(a\.c:\d+\):.*$", out, re.MULTILINE)
    assert heads_of(out) == ["f", "g", "never", "h"]
    assert heads[2].endswith("never executed") and heads[3].endswith("left out: it calls setjmp")
    assert "   0    40  text 40;\n    0    41  text 41;\n    -    42  text 42;\n    0    43  text 43;\n" in out


def heads_of(text):
    return re.findall(r"^(\S+) \(a\.c:\d+\):", text, re.MULTILINE)


def test_order_of_functions(pathdump, make_profile, source):
    """g is called more often, but f costs more; a has its name."""
    make_profile([branch("g", counts=(50, 0)), loop("f"), branch("a", line=40, lines=(41, 43), counts=(1, 0))])
    for key, order in (("share", "fga"), ("statements", "fga"), ("count", "gfa"), ("name", "afg")):
        assert "".join(heads_of(pathdump("show", "--sort", key).stdout)) == order, key
    assert "Ranked by executions; shares are relative to all" in pathdump("show", "--sort=count").stdout
    found = pathdump.json("show", "--sort=name", "--json")
    assert found["sorted_by"] == "name" and [f["name"] for f in found["functions"]] == ["a", "f", "g"]
    assert re.search("no cycles; .*metric=tsc", pathdump("show", "--sort=cycles", status=2).stderr)
    assert re.search("--sort=cost .*--cost=", pathdump("show", "--sort=cost", status=2).stderr)
    assert "accepted: share, statements, cycles, cost, count, name" in pathdump("show", "--sort=x", status=2).stderr


def test_number_of_paths(pathdump, make_profile, source):
    make_profile([loop()])
    assert listed(pathdump("show", "-n", "1").stdout, "f")[15] == ("10", ".", "text 15;")
    for number in (0, 53):
        error = pathdump("show", "-n", number, status=2).stderr
        assert "1 and 52" in error and error.count("\n") == 1
        assert len(pathdump.json("show", "-n", number, "--json")["functions"][0]["paths"]) == 3


def more_paths(text):
    return re.findall(r"^\.\.\. and (.*)$", text, re.MULTILINE)


def test_number_of_omitted_paths(pathdump, make_profile, source):
    inlined = branch("caller", line=40, lines=(41, 43), counts=(50, 0))
    inlined["sites"] = [{"function": "g", "file": "a.c", "line": 41}]
    inlined["blocks"][1]["lines"].append({"line": 33, "site": 1})
    make_profile([branch(), inlined, loop()])
    option = "(-n N marks up to N paths per function; the maximum is 52)"
    assert more_paths(pathdump("show").stdout) == []
    assert more_paths(pathdump("show", "-n", "1").stdout) == [f"4 more rows of executed paths in these functions {option}"]
    assert more_paths(pathdump("show", "-n", "1", "--function=g").stdout) == [f"2 more rows of executed paths in this function {option}"]
    assert more_paths(pathdump("show", "-n", "2", "--function=f").stdout) == [f"1 more row of executed paths in this function {option}"]
    assert more_paths(pathdump("show", "--threshold=30", "--function=f").stdout) == [
        "2 more rows of executed paths in this function (--threshold 0 includes them)"]
    assert more_paths(pathdump("show", "--threshold=10", "-n", "1", "--function=f").stdout) == [
        "2 more rows of executed paths in this function (use a larger -n and --threshold 0 to show more)"]


def test_unreadable_source(pathdump, make_profile, tmp_path):
    make_profile([branch(unit="/old/a.c")])
    shown = pathdump("show")
    assert listed(shown.stdout, "g") == {30: ("10", "AB", ""), 31: ("4", ".B", ""), 33: ("6", "A.", "")}
    assert shown.stderr.count("\n") == 1
    assert "/old/a.c" in shown.stderr and "--source-prefix" in shown.stderr
    (tmp_path / "new").mkdir()
    write_source(tmp_path / "new")
    shown = pathdump("show", "--source-prefix", "/old=new")
    assert shown.stderr == "" and "g (new/a.c:30)" in shown.stdout
    assert listed(shown.stdout, "g")[33] == ("6", "A.", "text 33;")


def test_source_shorter_than_the_profile_says(pathdump, make_profile, tmp_path):
    write_source(tmp_path, lines=32)
    make_profile([branch()])
    lines = listed(pathdump("show").stdout, "g")
    assert lines[31] == ("4", ".B", "text 31;") and lines[33] == ("6", "A.", "")


INLINED = {
    "name": "f",
    "line": 10,
    "edges": [[0, 2], [2, 3, "true"], [2, 4, "false"], [3, 1], [4, 1]],
    "sites": [{"function": "_Z3maxii", "file": "a.c", "line": 12}],
    "blocks": [
        {"id": 2, "stmts": 1, "lines": [11]},
        {"id": 3, "stmts": 2, "lines": [12, {"file": "inc/util.h", "line": 7, "site": 1}]},
        {"id": 4, "stmts": 1, "lines": [{"file": "table.inc", "line": 3}]},
    ],
    "traces": [{"blocks": [0, 2, 3, 1], "times": 7}, {"blocks": [0, 2, 4, 1], "times": 2}],
}


def test_inlined_code_stays_in_its_file(pathdump, make_profile, tmp_path):
    (tmp_path / "inc").mkdir()
    for name in ("a.c", "inc/util.h", "table.inc"):
        write_source(tmp_path, name)
    make_profile([INLINED])
    out = pathdump("show").stdout
    assert "max(int, int) (inc/util.h:7): inlined into f\n" in out
    assert listed(out, "max(int, int)") == {7: ("7", "A", "text 7;")}
    assert listed(out, "f") == {11: ("9", "AB", "text 11;"), 12: ("7", "A.", "text 12;"), 3: ("2", ".B", "text 3;")}
    assert "\nin table.inc\n" in out
    # The path that goes through an inlined function belongs to the one around it.
    table = next(line for line in out.splitlines() if line.endswith(":T") and " f " in line)
    assert table.startswith("A")


def test_copies_and_body_are_one_listing(pathdump, make_profile, source):
    inlined = branch("caller", line=40, lines=(41, 43), counts=(50, 0))
    inlined["sites"] = [{"function": "g", "file": "a.c", "line": 41}]
    inlined["blocks"][1]["lines"].append({"line": 33, "site": 1})
    make_profile([branch(), inlined])
    out = pathdump("show").stdout
    assert listed(out, "g")[33][:2] == ("56", "AB.")
    assert "g (a.c:30): 16.67% of all statements, called 10 times, 2 of 2 paths executed, inlined into caller" in out
    data = pathdump.json("show", "--json", "--function", "g")["functions"]
    assert [function["name"] for function in data] == ["g"]
    assert data[0]["inlined_into"] == ["caller"]
    assert [path["function"] for path in data[0]["paths"]] == ["caller", "g", "g"]


def test_restrictions(pathdump, make_profile):
    make_profile([INLINED, branch(unit="b/b.c"), loop("big", unit="c.c")])

    def names(*options):
        data = pathdump.json("show", "--json", *options)["functions"]
        return {(function["name"], line.get("file", function["file"])) for function in data for line in function["lines"]}

    everything = {("f", "a.c"), ("f", "table.inc"), ("_Z3maxii", "inc/util.h"), ("g", "b/b.c"), ("big", "c.c")}
    assert names() == everything
    assert names("--file", "*.inc") == {("f", "table.inc")}
    assert names("--file", "b.c", "--file", "inc/*") == {("g", "b/b.c"), ("_Z3maxii", "inc/util.h")}
    assert names("--function", "max", "--function", "g") == {("_Z3maxii", "inc/util.h"), ("g", "b/b.c")}
    assert names("--threshold", "20") == {("big", "c.c")}
    assert "No function to show." in pathdump("show", "--function", "nothing", status=1).stdout
    assert pathdump("show", "--threshold", "101", status=2).stderr.count("\n") == 1


def test_json(pathdump, make_profile):
    make_profile({"program": "wc", "runs": 3, "functions": [loop()]})
    data = pathdump.json("show", "--json")
    assert (data["program"], data["runs"], data["ranked_by"]) == ("wc", 3, "statements")
    function = data["functions"][0]
    assert (function["calls"], function["executions"], function["share"]) == (10, 40, 100)
    assert [(path["rank"], path["id"], path["count"]) for path in function["paths"]] == [(1, "5", 20), (2, "1", 10), (3, "3", 10)]
    assert function["lines"][2] == {"line": 13, "count": 40, "paths": [1, 2, 3]}
    assert function["lines"][4] == {"line": 15, "count": 10, "paths": [2]}


def test_cycles_rank_where_they_are_known(pathdump, make_profile):
    make_profile([loop(cycles={"1": 1000, "3": 250, "5": 750})])
    out = pathdump("show").stdout
    assert "100.00% of all cycles" in out
    assert [line.split()[:5] for line in out.splitlines() if line[:3] in ("A  ", "B  ")] == [
        ["A", "50.00%", "10", "1000", "100.0"], ["B", "37.50%", "20", "750", "37.5"]]


def test_colours_are_not_needed(pathdump, make_profile, source):
    make_profile([loop()])
    plain = pathdump("show").stdout
    coloured = pathdump("show", "--color=always").stdout
    assert "\x1b[" in coloured and "\x1b[" not in plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_tabs_and_long_gaps(pathdump, make_profile, tmp_path):
    (tmp_path / "a.c").write_text("\n" * 29 + "a\tb\r\n" + "\n" * 70)
    make_profile([branch(lines=(31, 90))])
    out = pathdump("show").stdout
    assert "   10    30  AB  a       b\n" in out
    assert "        ...\n    6    90  A.\n" in out and len(out.splitlines()) < 21


def test_output_to_a_file(pathdump, make_profile, tmp_path):
    make_profile([loop()])
    assert pathdump("show", "-o", "out").stdout == ""
    assert (tmp_path / "out").read_text() == pathdump("show").stdout


# ---- programs ----

PROGRAM = """\
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static int sum;

static int odd (int n) { return n % 2; }

static int
one_line (int n)
{
  int i; for (i = 0; i < n; i++) sum += odd (i) ? i : 1;
  for (i = 0; i < n; i++) { for (int j = 0; j < i; j++) sum++; if (sum > 100) break; }
  while (n > 0) n--; do n++; while (n < 3 && sum);
  return n;
}

static int
choose (int n)
{
  switch (n)
    {
    case 0: case 1: sum++; break;
    case 2:
      sum += 2;
      /* fall through */
    case 3:
      sum += 3;
      break;
    default:
      goto out;
    }
  if (n & 1 || sum > 50) return 1; else if (n == 2) return 2;
again:
  if (sum++ < 20) goto again;
out:
  return 0;
}

static int
never (int n)
{
  return n > 3 ? n : 0;
}

int
main (int argc, char **argv)
{
  for (int n = 0; n < 6; n++)
    printf ("%d %d %d\\n", one_line (n), choose (n),
            choose (n + 1));
  if (argc > 5)
    never (argc);
  puts ("done");
  return 0;
}
"""


def gcov_counts(project, *arguments, source, status=0):
    """Line → count."""
    suffix = version_suffix(project)
    project.run("gcc" + suffix, *arguments, "--coverage", source, "-o", "plain")
    project.run("./plain", status=status)
    text = project.run("gcov" + suffix, "--json-format", "--stdout", f"plain-{source.split('.')[0]}.gcda").stdout
    return {line["line_number"]: line["count"] for line in json.loads(text)["files"][0]["lines"]}


def shown_counts(project, profile="prog.pathprof"):
    """Line → count, of functions that have their lines for themselves."""
    counts = {}
    for function in project.pathdump.json("show", profile, "--json")["functions"]:
        for line in function["lines"]:
            if "file" not in line:
                counts[line["line"]] = counts.get(line["line"], 0) + line["count"]
    return counts


@pytest.mark.parametrize("termination", ["basic", "exact"])
def test_counts_are_gcovs(project, termination):
    project.write("prog.c", PROGRAM)
    project.gcc("-O0", "-g", "-fplugin-arg-pathprof-stage=source", f"-fplugin-arg-pathprof-termination={termination}",
                "prog.c", "-o", "prog")
    project.run("./prog")
    counts = shown_counts(project)
    assert counts == gcov_counts(project, "-O0", "-g", source="prog.c")
    assert len(counts) == 30


def test_counts_are_gcovs_where_functions_do_not_return(project):
    project.write("jumps.c", (HERE / "gcov/jumps.c").read_text())
    flags = ("-O0", "-g", "-pthread")
    project.gcc(*flags, "-fplugin-arg-pathprof-stage=source", "-fplugin-arg-pathprof-termination=exact", "jumps.c",
                "-o", "prog")
    project.run("./prog", status=3)
    assert shown_counts(project) == gcov_counts(project, *flags, source="jumps.c", status=3)


@pytest.mark.parametrize("stage", ["source", "early", "late"])
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_every_stage_and_level(project, level, stage):
    """What is certain at all of them: how often calls that stay calls were made, and that marks lie on counted lines."""
    program = PROGRAM.replace("static int\nchoose", "__attribute__ ((noipa)) int\nchoose")
    project.write("prog.c", program)
    project.gcc(level, "-g", f"-fplugin-arg-pathprof-stage={stage}", "prog.c", "-o", "prog")
    project.run("./prog")
    functions = {f["name"]: f for f in project.pathdump.json("show", "--json")["functions"]}
    choose = functions["choose"]
    assert choose["calls"] == 12
    switch = program.splitlines().index("  switch (n)") + 1
    assert {line["line"]: line["count"] for line in choose["lines"]}[switch] == 12
    assert choose["paths"] and all(line["count"] for line in choose["lines"] if line["paths"])
    text = project.pathdump("show", "prog.pathprof").stdout
    assert re.search(rf"^ +12 +{switch}  [A-E.]+    switch \(n\)$", text, re.MULTILINE)


def on_fewer_lines(text, seed):
    """The same program with lines joined at random, so that loops and branches share them."""
    draw = random.Random(seed)
    joined = ""
    for line in text.splitlines():
        alone = line.startswith("#") or "//" in line
        joined += "\n" + line if alone or joined.rpartition("\n")[2].startswith("#") or draw.random() < 0.3 else " " + line
    return joined + "\n"


@pytest.mark.parametrize("seed", range(1, 7))
def test_counts_of_random_programs(project, seed):
    """Against the same rule, written independently, on the exported graph."""
    text = Program(seed).text
    for name, source in (("whole", text), ("joined", on_fewer_lines(text, seed))):
        project.write("prog.c", source)
        project.gcc("-O0", "-g", "-w", "-fplugin-arg-pathprof-stage=source", "prog.c", "-o", name)
        project.run(f"./{name}")
        functions = [gcov_lines.read_function(data) for data in project.profile(f"{name}.pathprof")["functions"]]
        # A line is never 0 if one of its blocks was executed, as gcov's rule has it on a few joined lines.
        expected = {place[1]: line.count or line.listed for place, line in gcov_lines.line_counts(functions).items()
                    if len(line.functions) == 1}
        counts = shown_counts(project, f"{name}.pathprof")
        assert {line: counts[line] for line in expected} == expected, name
        assert len(expected) > 15
