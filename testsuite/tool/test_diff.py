# SPDX-License-Identifier: GPL-3.0-or-later
"""pathdump diff: two profiles, and failing against passing runs."""

import json
import math
import re
import shutil
import subprocess

import pytest

from conftest import BUILD, assert_one_line, branch, loop
from test_report import rows

PATHDUMP = BUILD / "bin/pathdump"

LONG = [0, 2, 3, 4, 5, 7, 3, 4, 5, 7, 3, 8, 1]


@pytest.fixture
def two(make_profile):
    """g: one path hotter, one colder; f: as it was, one path new; only A ran a, only B ran b."""
    f = loop(traces=[{"blocks": [0, 2, 3, 8, 1], "times": 3}])
    make_profile([f, branch(counts=(4, 60)), branch("a", line=40), branch("b", line=50, counts=(0, 0))], "A")
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
    assert lines[0] == "A: A: 1 run, 3 functions and 5 distinct paths executed, 77 path executions, 160 statements"
    assert lines[2].endswith("2 gone, 1 hotter, 1 colder, 1 unchanged")
    row = rows(out)[0]
    assert row.get("lines", row.get("decisions")) in ("a.c:30-31", "a.c:30:T")
    assert (row["A%"], row["B%"]) == (f"{100 * 8 / 160:.2f}%", f"{100 * 200 / 250:.2f}%")


def test_equal_profiles(pathdump, make_profile):
    make_profile([loop(), branch()], "A")
    assert "0 paths new in B, 0 gone, 0 hotter, 0 colder, 5 unchanged" in pathdump("diff", "A", "A").stdout


def test_json(pathdump, two):
    data = pathdump.json("diff", "A", "B", "--json", "-n", "2")
    assert (data["a"]["runs"], data["b"]["runs"]) == (1, 1)
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
    assert "0 paths new in B, 0 gone, 0 hotter, 0 colder, 2 unchanged" in out
    assert re.search(r"^3 functions changed.*:\n  f \(a\.c:10\): the control flow differs; ", out, re.M)
    assert "s (a.c:70): stage early in A, source in B" in out
    assert "h (a.c:50): counted in A, left out in B" in out
    reasons = {one["function"]: one["reason"] for one in pathdump.json("diff", "A", "B", "--json")["changed_functions"]}
    assert reasons["f"] == "the control flow differs"


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


def test_copied_tree_in_which_one_file_was_compiled_again(project):
    """The static function of that file was both new and gone, although nothing in it had changed."""
    sources = {"a.c": "int g (int);\nint main (void) { return g (9) == 0; }\n",
               "b.c": "static __attribute__ ((noinline)) int h (int n) { int s = 0; for (int i = 0; i < n; i++) s += i & 1; return s; }\n"
                      "int g (int n) { return n > 5 ? h (n) : 1; }\n"}
    for name, text in sources.items():
        project.write(f"x/{name}", text)

    def build(tree, files):
        for command in (["-c", *files], ["a.o", "b.o", "-o", "p"]):
            subprocess.run([BUILD / "bin/pathprof-gcc", "-O1", "-g", *command], cwd=project.folder / tree, check=True)
        project.run(f"{tree}/p", env={"PATHPROF_FILE": f"{tree}.pathprof"})

    build("x", ["a.c", "b.c"])
    shutil.copytree(project.folder / "x", project.folder / "y")
    project.write("y/b.c", sources["b.c"].replace("n > 5", "n > 5 && n < 99"))
    build("y", ["b.c"])
    found = project.pathdump.json("diff", "--json", "x.pathprof", "y.pathprof", status=None)
    assert [path["kind"] for path in found["paths"] if path["function"] == "h"] == []


def test_huge_changes(pathdump, make_profile):
    make_profile([branch(counts=(2**63, 0))], "A")
    make_profile([branch(counts=(0, 1))], "B")
    assert rows(pathdump("diff", "A", "B").stdout)[0]["change"] == f"-{2**64}"
    assert pathdump.json("diff", "A", "B", "--json")["paths"][0]["change"] == f"-{2**64}"


def test_wrong_use(pathdump, make_profile, tmp_path):
    make_profile([branch()], "A")
    (tmp_path / "bad").write_bytes(b"no profile")
    for arguments, words, status in [
        (["A"], "two profiles", 2),
        (["A", "A", "A"], "", 2),
        (["-", "-"], "standard input", 2),
        (["A", "--pass", "A", "--fail", "A"], "", 2),
        (["--pass", "A"], "must be given together", 2),
        (["--fail", "A"], "must be given together", 2),
        (["A", "missing"], "missing: No such file", 2),
        (["A", "bad"], "bad: offset", 3),
        (["--pass", "A", "--fail", "bad"], "bad: offset", 3),
    ]:
        error = pathdump("diff", *arguments, status=status).stderr
        assert words in error and error.count("\n") == 1, arguments


SUM = """int sum(int *values, int number) {
  int total = 0;
  for (int i = 0; i < number; i++)
    total += values[i];
  return total;
}
int main(int argc, char **argv) {
  int values[] = {1, 2, 3};
  return sum(values, 3) != 6 || argc > 9 || !argv;
}
"""
CLAMPED = SUM.replace("    total += values[i];\n", "    if (values[i] < 3)\n      total += values[i];\n    else\n      total += 3;\n")


def record(folder, text):
    folder.mkdir()
    (folder / "sum.c").write_text(text)
    subprocess.run([BUILD / "bin/pathprof-gcc", "-g", "-O0", "sum.c", "-o", "sum"], cwd=folder, check=True, timeout=900)
    subprocess.run(["./sum"], cwd=folder, check=True, timeout=900)
    return folder / "sum.pathprof"


def test_changed_functions_come_first(pathdump, tmp_path):
    """With labelled outcomes, the text of inserted lines, and a summary in words."""
    profiles = record(tmp_path / "A", SUM), record(tmp_path / "B", CLAMPED)
    out = pathdump("diff", *profiles, "--source-prefix", f"{tmp_path}/A={tmp_path}/B").stdout
    assert re.search(r"^ +new +- +- +4 +3 +true 2, false 1 +if \(values\[i\] < 3\)$", out, re.M), out
    assert re.search(r"^1 function changed; compared by lines", out, re.M)
    data = pathdump.json("diff", *profiles, "--json")
    summary = data["summary"]
    assert summary in " ".join(out.split()) and out.index("1 function changed (sum)") < out.index("1 function changed; ")
    weights = [data[side]["statements_executed"] for side in "ab"]
    assert summary.startswith(f"B executed {100 * (weights[1] / weights[0] - 1):.1f}% more statements than A. ")
    assert re.search(r"The largest change is in sum: \d+ statements in A, \d+ in B\.$", summary)
    markdown = pathdump("diff", "--markdown", *profiles).stdout
    assert "| new | - | - |  | 4 | 3 | true 2, false 1 | `if (values[i] < 3)` |" in markdown and summary in markdown


def test_source_lines_that_changed_since(pathdump, tmp_path):
    """The text of a line is not printed if it may be another one."""
    profiles = record(tmp_path / "A", SUM), record(tmp_path / "B", CLAMPED)
    (tmp_path / "B/sum.c").write_text("// moved\n" + CLAMPED)
    out = pathdump("diff", *profiles).stdout
    assert re.search(r"^ +new +- +- +4 +3 +true 2, false 1$", out, re.M) and "values" not in out


def test_summary(pathdump, make_profile):
    def summary(runs=1, **functions):
        for name, counts in functions.items():
            make_profile({"functions": [branch(counts=counts)], "runs": runs if name == "B" else 1}, name)
        return pathdump.json("diff", "A", "B", "--json")["summary"]
    assert summary(A=(5, 5), B=(5, 5)) == "A and B executed the same number of statements."
    assert summary(A=(5, 5), B=(50, 50)).startswith("B executed 10.0 times as many statements as A. ")
    assert summary(A=(5, 5), B=(5, 4)).startswith("B executed 10.0% fewer statements than A. ")
    assert summary(A=(5000, 5), B=(5001, 5)).startswith("The numbers of statements that A and B executed differ by less than 0.1%. ")
    assert summary(A=(0, 0), B=(5, 4)).startswith("Only B executed statements. ")
    assert summary(A=(5, 5), B=(10, 10), runs=2).startswith(
        "A and B executed the same number of statements per run. The counts are totals of 1 run in A and 2 runs in B; "
        "paths are compared and ranked by their counts per run.")
    assert summary(A=(5, 5), B=(5, 5), runs=2).startswith("B executed 50.0% fewer statements per run than A. ")


def test_different_numbers_of_runs(pathdump, make_profile):
    """Two runs that do the same as one run are no change, although their counts differ."""
    make_profile({"functions": [branch(counts=(60, 10)), branch("c", line=40, counts=(400, 0))], "runs": 2}, "A")
    make_profile({"functions": [branch(counts=(30, 20)), branch("c", line=40, counts=(230, 0))], "runs": 1}, "B")
    out = pathdump("diff", "A", "B").stdout
    assert changes(out) == [("hotter", "c", "0", "400", "230", "+60.0"), ("hotter", "g", "1", "10", "20", "+30.0")]
    assert "0 paths new in B, 0 gone, 2 hotter, 0 colder, 1 unchanged" in out
    assert "\nRanked by the change in executed statements (executions × statements) per run; " in out
    assert [path["change"] for path in pathdump.json("diff", "A", "B", "--json")["paths"]] == [60, 30]
    assert [path["change"] for path in pathdump.json("diff", "B", "A", "--json")["paths"]] == [-60, -30]
    assert "per run" not in pathdump("diff", "A", "A").stdout


def test_different_numbers_of_runs_of_changed_functions(pathdump, tmp_path):
    profiles = record(tmp_path / "A", SUM), record(tmp_path / "B", CLAMPED)
    before = pathdump.json("diff", "--json", *profiles)["changed_functions"]
    (tmp_path / "twice").mkdir()
    pathdump("merge", "-o", tmp_path / "twice/sum.pathprof", profiles[0], profiles[0])
    after = pathdump.json("diff", "--json", tmp_path / "twice/sum.pathprof", profiles[1])["changed_functions"]
    kinds = [[(line["kind"], line["line_a"], line["line_b"]) for line in function["lines"]] for function in (*before, *after)]
    assert len(kinds) == 2 and kinds[0] == kinds[1] and "colder" in {kind for kind, *_ in kinds[0]}


def test_small_changes_are_counted(pathdump, make_profile):
    """New and gone paths are listed, however rarely they were executed."""
    make_profile([branch(counts=(100000, 0)), branch("b", line=50, counts=(5, 5)), branch("c", line=60, counts=(1, 0))], "A")
    make_profile([branch(counts=(150000, 0)), branch("b", line=50, counts=(6, 4)), branch("c", line=60, counts=(0, 1))], "B")
    out = pathdump("diff", "A", "B").stdout
    assert {row["kind"] for row in rows(out)} == {"hotter", "new", "gone"} and len(rows(out)) == 3
    assert "1 path new in B, 1 gone, 2 hotter, 1 colder, 0 unchanged" in out
    assert "\n... and 2 smaller changes below 0.01% of the statements (--threshold 0 includes them)\n" in out
    data = pathdump.json("diff", "A", "B", "--json")
    assert (len(data["paths"]), data["more"], data["below_threshold"]) == (3, 0, 2)
    assert len(rows(pathdump("diff", "A", "B", "--threshold", "0").stdout)) == 5
    assert len(rows(pathdump("diff", "A", "B", "--threshold", "0.01").stdout)) == 1
    assert "2 smaller changes below 0.01%" in pathdump("diff", "A", "B", "--markdown").stdout


# ---- failing and passing runs ----


@pytest.fixture
def runs(make_profile):
    """Of g's paths all runs take one, failing runs the other; a loop in some of each.  Longer paths of the loop come first."""
    make_profile([branch(counts=(1, 1)), loop()], "f1")
    make_profile([branch(counts=(1, 9))], "f2")
    make_profile([branch(counts=(0, 5)), loop()], "p1")
    make_profile([branch(counts=(0, 5))], "p2")
    make_profile([branch(counts=(0, 5))], "p3")
    return ["--fail", "f1", "f2", "--pass", "p1", "p2", "p3"]


def test_suspects(pathdump, runs):
    out = pathdump("diff", *runs).stdout
    assert out.startswith("2 runs failed, 3 passed\nRanked by suspiciousness")
    table = [(row["score"], row["failed"], row["passed"], row["function"], row["id"]) for row in rows(out)]
    assert table == [
        ("1.000", "2/2", "0/3", "g", "0"),
        (f"{2 / math.sqrt(2 * 5):.3f}", "2/2", "3/3", "g", "1"),
        ("0.500", "1/2", "1/3", "f", "1"),
        ("0.500", "1/2", "1/3", "f", "5"),
        ("0.500", "1/2", "1/3", "f", "3"),
    ]
    assert rows(out)[0]["decisions"] == "a.c:30:T"
    data = pathdump.json("diff", *runs, "--json", "-n", "1")
    assert (data["failed"], data["passed"], data["more"]) == (2, 3, 4)
    assert data["paths"][0]["score"] == 1 and data["paths"][0]["lines"] == "a.c:30-31"


def test_equal_scores(pathdump, make_profile):
    """A path of one failing run and no passing run comes before a path of all runs, which has the same score."""
    for name, counts in (("f1", (1, 1)), ("f2", (0, 1)), ("p1", (0, 1)), ("p2", (0, 1))):
        make_profile([branch(counts=counts)], name)
    out = pathdump("diff", "--fail", "f1", "f2", "--pass", "p1", "p2").stdout
    assert [(row["score"], row["failed"], row["passed"]) for row in rows(out)] == [("0.707", "1/2", "0/2"), ("0.707", "2/2", "2/2")]


def test_suspects_restricted(pathdump, runs):
    assert "... and 3 more paths (-n 0 shows all)" in pathdump("diff", *runs, "-n", "2").stdout
    assert len(rows(pathdump("diff", *runs, "--threshold", "60").stdout)) == 2
    assert {row["function"] for row in rows(pathdump("diff", *runs, "--function", "f").stdout)} == {"f"}
    assert "No suspicious path" in pathdump("diff", *runs, "--function", "none", status=1).stdout


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
    done = project.pathdump("diff", "--json", "--pass", *runs["--pass"], "--fail", *runs["--fail"])
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
    done = project.pathdump("diff", "--pass", "0.pathprof", "--fail", "1.pathprof")
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
    table = rows(project.pathdump("diff", "--lines", "A", "B", "--function", "main").stdout)
    assert [(row["kind"], row["to"], row["lines"]) for row in table] == [
        ("gone", "exit", "prog.c:10 12 14"), ("new", "call", "prog.c:10 12-13")]
    suspect = rows(project.pathdump("diff", "--lines", "--pass", "A", "--fail", "B", "--function", "main").stdout)[0]
    assert (suspect["score"], suspect["to"], suspect["lines"]) == ("1.000", "call", "prog.c:10 12-13")


# ---- functions that an edit changed ----


def edited(name="f"):
    """loop() after an edit: three lines were added above it, and in it a test before the branch that sometimes leaves."""
    more = loop(name)
    more["line"] = 13
    more["blocks"] = [{"id": 2, "stmts": 2, "lines": [14, 15]}, {"id": 3, "stmts": 1, "lines": [16]},
                      {"id": 9, "stmts": 2, "lines": [17, 17]}, {"id": 4, "stmts": 1, "lines": [18]},
                      {"id": 5, "stmts": 3, "lines": [19]}, {"id": 6, "stmts": 5, "lines": [21, 22]},
                      {"id": 7, "stmts": 1, "lines": [23]}, {"id": 8, "stmts": 1, "lines": [25]}]
    more["edges"] = [[0, 2, "fallthru"], [2, 3, "fallthru"], [3, 9, "true"], [3, 8, "false"], [4, 5, "true"], [4, 6, "false"],
                     [5, 7, "fallthru"], [6, 7, "fallthru"], [7, 3, "fallthru"], [8, 1, "fallthru"],
                     [9, 4, "true"], [9, 8, "false"]]
    once = [0, 2, 3, 9, 4, 5, 7, 3, 9, 4, 5, 7, 3, 9, 8, 1]
    more["traces"] = [{"blocks": once, "times": 10}]
    return more


def changed(pathdump, make_profile, *more):
    make_profile([loop("f"), branch()], "a.pathprof")
    make_profile([edited(), branch()], "b.pathprof")
    return pathdump("diff", "a.pathprof", "b.pathprof", *more).stdout


def test_changed_functions_are_compared_by_lines(pathdump, make_profile):
    (one,) = json.loads(changed(pathdump, make_profile, "--json"))["changed_functions"]
    assert one["reason"] == "the control flow differs"
    lines = {(line["line_a"], line["line_b"]): line for line in one["lines"]}
    # The condition of the loop: four times in each of ten calls, and now three times; where it leads.
    assert lines[13, 16] == {"kind": "colder", "line_a": 13, "count_a": 40, "branches_a": [[30, 10]],
                             "line_b": 16, "count_b": 30, "branches_b": [[30, 0]]}
    # The new test.
    assert lines[None, 17]["kind"] == "new" and lines[None, 17]["branches_b"] == [[20, 10]]
    # The branch, whose ways changed.
    assert lines[14, 18]["branches_a"] == [[10, 20]] and lines[14, 18]["branches_b"] == [[20, 0]]
    # What was executed as often is not listed.
    assert (11, 14) not in lines and (21, 25) not in lines


def test_changed_functions_in_text(pathdump, make_profile):
    text = changed(pathdump, make_profile)
    assert re.search(r"^1 function changed.*:\n  f \(a\.c:13\): the control flow differs; ", text, re.M)
    assert re.search(r"^ +colder +13 +40 +true 30, false 10 +16 +30 +true 30, false 0$", text, re.M)
    assert re.search(r"^ +new +- +- +17 +30 +true 20, false 10$", text, re.M)
    short = changed(pathdump, make_profile, "-n", "2")
    assert re.search(r"^    \.\.\. and \d+ more lines \(-n 0 shows all\)$", short, re.M)


def test_changed_functions_that_one_side_left_out(pathdump, make_profile):
    make_profile([loop("f"), branch()], "a.pathprof")
    make_profile([loop("f", left_out="too complex", traces=[]), branch()], "b.pathprof")
    text = pathdump("diff", "a.pathprof", "b.pathprof").stdout
    assert "counted in A, left out in B" in text and "; not compared\n" in text


def test_lines_of_a_rebuilt_program(project):
    """The function's graph has one more branch; its other lines are recognised, though they have moved."""
    source = """\
int work (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    {
      if (i % 3 == 0)
        sum += i;
      else
        sum -= i;
    }
  return sum;
}
int main (int argc, char **argv) { (void) argv; return work (10 + argc) == 1; }
"""
    for name, text in (("a", source), ("b", source.replace("  int sum", "  if (n > 1000)\n    return 0;\n  int sum"))):
        project.write("prog.c", text)
        project.gcc("-O1", "-g", "-fplugin-arg-pathprof-stage=source", "prog.c", "-o", "prog")
        project.run("./prog", *(["more"] if name == "b" else []), env={"PATHPROF_FILE": f"{name}.pathprof"})
    (one,) = project.pathdump.json("diff", "--json", "a.pathprof", "b.pathprof")["changed_functions"]
    lines = {(line["line_a"], line["line_b"]): (line["count_a"], line["count_b"]) for line in one["lines"]}
    assert lines[None, 3] == (0, 1)
    assert lines[6, 8] == (11, 12) and lines[9, 11] == (7, 8)
    assert (7, 9) not in lines


def test_a_case_added_to_a_switch(project):
    """Groups of the same shape are paired by their counts: only the switch and the new group differ."""
    groups = "".join(f"    case {n}:\n      r = {n + 1};\n      break;\n" for n in (1, 2, 3))
    source = ("int work (int x)\n{\n  int r = 0;\n  switch (x)\n    {\n" + groups + "    }\n  return r;\n}\n"
              "int main (void)\n{\n  int s = 0;\n  for (int i = 0; i < 60; i++)\n    s += work (i % 6 > 3 ? 3 : i % 6);\n"
              "  return s == 0;\n}\n")
    for name, text in (("a", source), ("b", source.replace("    }\n  return r;", "    case 4:\n      r = 7;\n      break;\n    }\n  return r;"))):
        project.write("prog.c", text)
        project.gcc("-O0", "-g", "prog.c", "-o", "prog")
        project.run("./prog", env={"PATHPROF_FILE": f"{name}.pathprof"})
    (one,) = project.pathdump.json("diff", "--json", "a.pathprof", "b.pathprof")["changed_functions"]
    assert [(line["line_a"], line["line_b"]) for line in one["lines"]] == [(4, None), (None, 4), (None, 15), (None, 16), (None, 17)]


def test_conditions_of_a_rebuilt_program(project):
    """Where an edit turns a condition around the graph is the same, and an edge means something else."""
    for name, condition in (("a", "x > 2"), ("b", "x <= 2"), ("c", "x > 3")):
        project.write("prog.c", f"__attribute__ ((noipa)) int f (int x) {{ if ({condition}) return 5; return x * 3; }}\n"
                      "int main (int argc, char **argv) { (void) argv; return f (argc + 2) == 77; }\n")
        project.gcc("-O2", "-g", "prog.c", "-o", "prog")
        project.run("./prog", env={"PATHPROF_FILE": f"{name}.pathprof"})
    diff = (BUILD / "bin/pathdump", "diff")
    (one,) = json.loads(project.run(*diff, "--json", "a.pathprof", "b.pathprof").stdout)["changed_functions"]
    assert (one["function"], one["reason"]) == ("f", "the conditions differ")
    shown = project.run(*diff, "a.pathprof", "c.pathprof").stdout
    assert "prog.c:1:T" in shown and "x > 3" in shown
    for form in ([], ["--markdown"], ["--json"]):
        done = project.run(*diff, *form, "a.pathprof", "c.pathprof")
        assert re.search("^pathdump: warning: A: prog.c .*changed since", done.stderr, re.M) and "warning: B" not in done.stderr


def test_profiles_of_two_programs(pathdump, make_profile):
    make_profile([loop("f"), branch("g")], "a.pathprof")
    make_profile([loop("h")], "b.pathprof")
    def warns():
        for command in ("diff", "overlap"):
            assert_one_line(pathdump(command, "a.pathprof", "b.pathprof").stderr, "pathdump: warning: ", "a.pathprof", "b.pathprof",
                            "functions", "in common")
    warns()
    assert pathdump("diff", "a.pathprof", "a.pathprof").stderr == ""
    make_profile([loop("f"), branch("g", counts=(0, 0))], "a.pathprof")  # one that did not run
    warns()
    assert pathdump("diff", "--function", "f", "a.pathprof", "b.pathprof").stderr == ""


def test_run_of_another_program(pathdump, make_profile):
    make_profile([loop("f"), branch("g", counts=(0, 0))], "a.pathprof")
    make_profile([loop("h")], "b.pathprof")
    make_profile([branch("g")], "c.pathprof")
    done = pathdump("diff", "--fail", "a.pathprof", "--pass", "b.pathprof", "c.pathprof")
    assert_one_line(done.stderr, "pathdump: warning: b.pathprof", "functions", "program")
    assert pathdump("diff", "--fail", "a.pathprof", "--pass", "c.pathprof").stderr == ""


# ---- Markdown ----


def test_markdown(pathdump, make_profile):
    text = changed(pathdump, make_profile, "--markdown")
    assert text.startswith("### pathprof: changed paths\n\n- A: `a.pathprof`, 1 run, ")
    assert "\n`f` (`a.c:13`): the control flow differs; " in text
    assert "| colder | 13 | 40 | true 30, false 10 | 16 | 30 | true 30, false 0 |  |\n" in text
    make_profile([branch(counts=(4, 7))], "b.pathprof")
    make_profile([branch()], "a.pathprof")
    text = pathdump("diff", "--markdown", "a.pathprof", "b.pathprof").stdout
    assert "| hotter | 6 | 60.00 | 7 | 63.64 | `g` | `a.c:30:F` |\n" in text
    assert "| colder" not in text and "| new" not in text  # what is as it was is not there
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {line.count("|") for line in rows} == {8}


def test_markdown_names_are_no_markup(pathdump, make_profile):
    make_profile([branch("operator|`x", counts=(4, 0))], "a.pathprof")
    make_profile([branch("operator|`x", counts=(4, 7))], "b.pathprof")
    text = pathdump("diff", "--markdown", "a.pathprof", "b.pathprof").stdout
    assert "| ``operator\\|`x`` |" in text


def test_markdown_goes_with_two_profiles(pathdump, make_profile):
    make_profile([branch()], "a.pathprof")
    for more in (["--json", "a.pathprof", "a.pathprof"], ["--pass", "a.pathprof", "--fail", "a.pathprof"]):
        done = pathdump("diff", "--markdown", *more, status=2)
        assert_one_line(done.stderr, "pathdump: diff: --markdown ", "two profiles", "--json")
