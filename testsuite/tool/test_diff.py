# SPDX-License-Identifier: GPL-3.0-or-later
"""pathdump diff: two profiles, and failing against passing runs."""

import json
import math
import re

import pytest

from conftest import BUILD, branch, loop
from test_driver import project  # noqa: F401
from test_report import rows

PATHDUMP = BUILD / "bin/pathdump"

LONG = [0, 2, 3, 4, 5, 7, 3, 4, 5, 7, 3, 8, 1]


@pytest.fixture
def two(make_profile):
    """g: one path hotter, one colder; f: as it was, one path new; only A ran a, only B ran b."""
    f = loop(traces=[{"blocks": [0, 2, 3, 8, 1], "times": 3}])
    make_profile({"functions": [f, branch(counts=(4, 60)), branch("a", line=40), branch("b", line=50, counts=(0, 0))],
                  "runs": 2}, "A")
    f = loop(traces=[{"blocks": [0, 2, 3, 8, 1], "times": 3}, {"blocks": LONG}])
    make_profile([f, branch(counts=(100, 10)), branch("a", line=40, counts=(0, 0)), branch("b", line=50, counts=(0, 1))],
                 "B")


def changes(text):
    return [(row["kind"], row["function"], row["id"], row["A"], row["B"], row["change"]) for row in rows(text)]


def test_two_profiles(pathdump, two):
    out = pathdump("diff", "--lines", "A", "B").stdout
    assert changes(out) == [
        ("hotter", "g", "0", "4", "100", "+192"),
        ("colder", "g", "1", "60", "10", "-100"),
        ("gone", "a", "1", "6", "0", "-12"),
        ("gone", "a", "0", "4", "0", "-8"),
        ("new", "f", "1", "0", "1", "+8"),
        ("new", "f", "4", "0", "1", "+6"),
        ("new", "f", "3", "0", "1", "+2"),
        ("new", "b", "1", "0", "1", "+2"),
    ]
    lines = out.splitlines()
    assert lines[0] == "A: A: 2 runs, 3 functions and 5 distinct paths executed, 77 paths taken, 160 statements"
    assert lines[2].endswith("2 gone, 1 hotter, 1 colder, 1 as often")
    row = rows(out)[0]
    assert row.get("lines", row.get("decisions")) in ("a.c:30-31", "a.c:30:T")
    assert (row["A%"], row["B%"]) == (f"{100 * 8 / 160:.2f}%", f"{100 * 200 / 250:.2f}%")


def test_equal_profiles(pathdump, make_profile):
    make_profile([loop(), branch()], "A")
    assert "0 paths new in B, 0 gone, 0 hotter, 0 colder, 5 as often" in pathdump("diff", "A", "A").stdout


def test_json(pathdump, two):
    data = json.loads(pathdump("diff", "A", "B", "--json", "-n", "2").stdout)
    assert (data["a"]["runs"], data["b"]["runs"]) == (2, 1)
    assert (data["new"], data["gone"], data["hotter"], data["colder"], data["equal"]) == (4, 2, 1, 1, 1)
    assert data["more"] == 6 and data["changed_functions"] == []
    first, second = data["paths"]
    assert (first["kind"], first["change"], first["count_a"], first["count_b"]) == ("hotter", 192, 4, 100)
    assert (second["kind"], second["change"], second["start"], second["end"]) == ("colder", -100, "entry", "exit")


def test_restrictions(pathdump, two):
    out = pathdump("diff", "A", "B", "-n", "1").stdout
    assert len(rows(out)) == 1 and "... and 7 more paths (-n 0 shows all)" in out
    assert len(rows(pathdump("diff", "A", "B", "-n", "0").stdout)) == 8
    assert {row[1] for row in changes(pathdump("diff", "A", "B", "--function", "[ab]").stdout)} == {"a", "b"}
    assert len(rows(pathdump("diff", "A", "B", "--threshold", "10").stdout)) == 2


def test_changed_functions_are_not_compared(pathdump, make_profile):
    other = branch("f", line=10)
    left_out = {"name": "h", "edges": [[0, 2], [2, 1]], "line": 50, "left_out": "it calls setjmp"}
    make_profile([loop(), branch(), {**branch("s", line=70), "stage": "early"}, branch("h", line=50)], "A")
    make_profile([other, branch(), branch("s", line=70), left_out], "B")
    out = pathdump("diff", "--lines", "A", "B").stdout
    assert "0 paths new in B, 0 gone, 0 hotter, 0 colder, 2 as often" in out
    assert "3 functions changed, not compared:\n  f (a.c:10): its control flow differs; " in out
    assert "s (a.c:70): stage early in A, source in B" in out
    assert "h (a.c:50): counted in A, left out in B" in out
    reasons = {one["function"]: one["reason"] for one in json.loads(pathdump("diff", "A", "B", "--json").stdout)["changed_functions"]}
    assert reasons["f"] == "its control flow differs"


def test_lines_that_moved(pathdump, make_profile):
    make_profile([branch(flags=["visible"]), branch("s", line=60)], "A")
    make_profile([branch(line=35, lines=(36, 38), counts=(4, 7), flags=["visible"]), branch("s", line=66)], "B")
    out = pathdump("diff", "--lines", "A", "B").stdout
    assert changes(out) == [("hotter", "g", "1", "6", "7", "+2")]
    assert rows(out)[0]["lines"] == "a.c:35 38"


def test_statics_in_folders_that_moved(pathdump, make_profile):
    make_profile([branch(unit="/one/a.c")], "A")
    make_profile([branch(unit="/two/a.c", counts=(4, 6))], "B")
    assert "2 paths new in B, 2 gone" in pathdump("diff", "A", "B").stdout
    assert "0 paths new in B, 0 gone" in pathdump("diff", "A", "B", "--source-prefix", "/one=/two").stdout


def test_huge_changes(pathdump, make_profile):
    make_profile([branch(counts=(2**63, 0))], "A")
    make_profile([branch(counts=(0, 1))], "B")
    assert rows(pathdump("diff", "A", "B").stdout)[0]["change"] == f"-{2**64}"
    assert json.loads(pathdump("diff", "A", "B", "--json").stdout)["paths"][0]["change"] == f"-{2**64}"


def test_wrong_use(pathdump, make_profile, tmp_path):
    make_profile([branch()], "A")
    (tmp_path / "bad").write_bytes(b"no profile")
    for arguments, words, status in [
        (["A"], "two profiles", 2),
        (["A", "A", "A"], "", 2),
        (["-", "-"], "standard input", 2),
        (["A", "--pass", "A", "--fail", "A"], "", 2),
        (["--pass", "A"], "failing and passing", 2),
        (["--fail", "A"], "failing and passing", 2),
        (["A", "missing"], "missing: No such file", 2),
        (["A", "bad"], "bad: offset", 3),
        (["--pass", "A", "--fail", "bad"], "bad: offset", 3),
    ]:
        error = pathdump("diff", *arguments, status=status).stderr
        assert words in error and error.count("\n") == 1, arguments


# ---- failing and passing runs ----


@pytest.fixture
def runs(make_profile):
    """Of g's paths all runs take one, failing runs the other; a loop in some of each."""
    make_profile([branch(counts=(1, 1)), loop()], "f1")
    make_profile([branch(counts=(1, 9))], "f2")
    make_profile([branch(counts=(0, 5)), loop()], "p1")
    make_profile([branch(counts=(0, 5))], "p2")
    make_profile([branch(counts=(0, 5))], "p3")
    return ["--fail", "f1", "f2", "--pass", "p1", "p2", "p3"]


def test_suspects(pathdump, runs):
    out = pathdump("diff", *runs).stdout
    assert out.startswith("2 runs failed, 3 passed\nRanked by how well")
    table = [(row["score"], row["failed"], row["passed"], row["function"], row["id"]) for row in rows(out)]
    assert table == [
        ("1.000", "2/2", "0/3", "g", "0"),
        (f"{2 / math.sqrt(2 * 5):.3f}", "2/2", "3/3", "g", "1"),
        ("0.500", "1/2", "1/3", "f", "3"),
        ("0.500", "1/2", "1/3", "f", "1"),
        ("0.500", "1/2", "1/3", "f", "5"),
    ]
    assert rows(out)[0]["decisions"] == "a.c:30:T"
    data = json.loads(pathdump("diff", *runs, "--json", "-n", "1").stdout)
    assert (data["failed"], data["passed"], data["more"]) == (2, 3, 4)
    assert data["paths"][0]["score"] == 1 and data["paths"][0]["lines"] == "a.c:30-31"


def test_suspects_restricted(pathdump, runs):
    assert "... and 3 more paths (-n 0 shows all)" in pathdump("diff", *runs, "-n", "2").stdout
    assert len(rows(pathdump("diff", *runs, "--threshold", "60").stdout)) == 2
    assert {row["function"] for row in rows(pathdump("diff", *runs, "--function", "f").stdout)} == {"f"}
    assert "No path to suspect." in pathdump("diff", *runs, "--function", "none", status=1).stdout


def test_order_of_files_does_not_matter(pathdump, runs):
    assert pathdump("diff", "--pass", "p3", "p1", "p2", "--fail", "f2", "f1").stdout == pathdump("diff", *runs).stdout


# An escaped quote must not end a quotation.  Passing inputs have escapes and they have quotes: every line and
# every branch of the loop is taken by runs that are right, only not on one way through it.
WORDS = r"""
#include <stdio.h>

static int
words (const char *p)
{
  int count = 0, in_word = 0, quoted = 0, escaped = 0, letters = 0;
  for (; *p; p++)
    {
      int was_escaped = escaped;
      escaped = 0;
      if (was_escaped)
        letters++;
      if (*p == '"')
        quoted = !quoted;
      else if (*p == '\\' && !was_escaped)
        escaped = 1;
      else
        letters++;
      if (*p == ' ' && !quoted)
        in_word = 0;
      else if (!in_word)
        {
          in_word = 1;
          count++;
        }
    }
  return letters < 0 ? -1 : count;
}

int
main (int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    printf ("%d\n", words (argv[i]));
  return argc > 1 ? 0 : 2;
}
"""
INPUTS = ["", "a", "a b", "a  b c", '"a b" c', 'x "y z" "u v"', r"a\b c", r"a\\b c", r'"a\b c" d', r"\ a", '""', '"a" b', r"\\",
          r'a \" b', r'"a \" b" c', r'x "\"y z"', r'\" \" b', r'a\"b "c d"', r'\"', r'"\" a" b c']


def right_count(text):
    count, in_word, quoted, escaped = 0, False, False, False
    for c in text:
        was_escaped, escaped = escaped, False
        if c == '"' and not was_escaped:
            quoted = not quoted
        elif c == "\\" and not was_escaped:
            escaped = True
        in_word, begins = not (c == " " and not quoted), not in_word
        count += in_word and begins
    return count


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_seeded_bug(project, level):
    project.write("words.c", WORDS)
    project.gcc(level, "-g", "words.c", "-o", "words")
    runs = {"--fail": [], "--pass": []}
    for number, text in enumerate(INPUTS):
        file = f"{number}.pathprof"
        out = project.run("./words", text, env={"PATHPROF_FILE": file}).stdout
        runs["--pass" if int(out) == right_count(text) else "--fail"].append(file)
    assert len(runs["--fail"]) >= 3 and len(runs["--pass"]) >= 10
    done = project.run(PATHDUMP, "diff", "--json", "--pass", *runs["--pass"], "--fail", *runs["--fail"])
    top = json.loads(done.stdout)["paths"][:3]
    lines = WORDS.splitlines()
    escaped = next(i for i, line in enumerate(lines) if "if (was_escaped)" in line) + 2  # what runs if it was
    toggle = next(i for i, line in enumerate(lines) if "quoted = !quoted" in line) + 1

    def passes(path, line):
        spans = re.findall(r"(\d+)(?:-(\d+))?", path["lines"].replace("words.c:", " "))
        return any(int(first) <= line <= int(last or first) for first, last in spans)

    assert any(passes(path, escaped) and passes(path, toggle) for path in top), json.dumps(top, indent=1)


def test_several_builds_are_told(project):
    for number, limit in enumerate((1, 2)):
        project.write("prog.c", f"int main (int n, char **v) {{ return n > {limit} ? 1 : 0; }}\n")
        project.gcc("-O0", "-g", "-Wl,--build-id", "prog.c", "-o", "prog")
        project.run("./prog", env={"PATHPROF_FILE": f"{number}.pathprof"})
    done = project.run(PATHDUMP, "diff", "--pass", "0.pathprof", "--fail", "1.pathprof")
    assert "several builds of prog" in done.stderr and done.stderr.count("\n") == 1


def test_paths_cut_short(project):
    """A path that ended at a call is one of its own."""
    project.write("prog.c", """\
#include <stdlib.h>

static void
stop (int status)
{
  exit (status);
}

int
main (int argc, char **argv)
{
  if (argc > 1)
    stop (0);
  return 0;
}
""")
    project.gcc("-O0", "-g", "-fplugin-arg-pathprof-termination=exact", "prog.c", "-o", "prog")
    project.run("./prog", env={"PATHPROF_FILE": "A"})
    project.run("./prog", "x", env={"PATHPROF_FILE": "B"})
    table = rows(project.run(PATHDUMP, "diff", "--lines", "A", "B", "--function", "main").stdout)
    assert [(row["kind"], row["to"], row["lines"]) for row in table] == [
        ("gone", "exit", "prog.c:10 12 14"), ("new", "call", "prog.c:10 12-13")]
    suspect = rows(project.run(PATHDUMP, "diff", "--lines", "--pass", "A", "--fail", "B", "--function", "main").stdout)[0]
    assert (suspect["score"], suspect["to"], suspect["lines"]) == ("1.000", "call", "prog.c:10 12-13")
