# SPDX-License-Identifier: GPL-3.0-or-later
"""pathdump coverage --changed-since: what no test took of the code that changed."""

import json
import os
import re

import pytest

from conftest import BIN, Project, assert_mentions

BEFORE = """\
int
weigh (int a, int b)
{
  int n = 0;
  if (a > 3)
    n += 1;
  if (b > 3)
    n += 2;
  return n;
}
"""
# Line 8 is new; lines 9 and 10 were 8 and 9.
AFTER = BEFORE.replace("    n += 2;\n", "    n += 2 + (a == 7 ? 10 : 0);\n  else if (b < 0)\n    n -= 1;\n")
MAIN = """\
#include <stdlib.h>
int weigh (int, int);
int
main (int argc, char **argv)
{
  return argc > 2 ? weigh (atoi (argv[1]), atoi (argv[2])) & 0 : 0;
}
"""


@pytest.fixture
def repository(tmp_path):
    """A repository with one commit, and the compiled program of an edit since."""
    project = Project(tmp_path)
    git(project, "init", "-q", ".")
    project.write("src/weigh.c", BEFORE)
    project.write("src/main.c", MAIN)
    project.write(".gitignore", "*.pathprof*\nprog\n")
    commit(project)
    return project


def git(project, *words):
    return project.run("git", "-c", "user.name=a", "-c", "user.email=a@b", *words,
                       env={"HOME": str(project.folder), "GIT_CONFIG_NOSYSTEM": "1"})


def commit(project):
    git(project, "add", "-A")
    git(project, "commit", "-q", "-m", "one")


def build(project, *options):
    project.gcc("-g", "-fplugin-arg-pathprof-stage=source", *options, "src/weigh.c", "src/main.c", "-o", "prog")


def coverage(project, *arguments, status=0):
    done = project.pathdump("coverage", "--json", *arguments, "prog.pathprof", status=status)
    return json.loads(done.stdout)


def runs(project, *pairs, file="prog.pathprof"):
    for pair in pairs:
        project.run("./prog", *pair, env={"PATHPROF_FILE": file})


def test_names_the_untested_path(repository):
    repository.write("src/weigh.c", AFTER)
    build(repository)
    runs(repository, (5, 5), (5, 0), (7, 5), (0, -1), (0, 5), (0, 0))
    changed = coverage(repository, "--changed-since", "HEAD", "--fail-under", "100", status=1)
    assert [function["name"] for function in changed["functions"]] == ["weigh"]
    weigh = changed["functions"][0]
    assert weigh["lines_never_run"] == [] and weigh["outcomes_never_taken"] == []
    # Of four ways through the changed part with each outcome of the first condition only these never ran; a path on which a
    # is at most 3 and yet 7 is one that the numbering has and no run can take.
    missing = {tuple(path["decisions"]) for path in weigh["paths_never_run"]}
    assert missing == {("5:T", "7:F", "9:T"), ("5:F", "7:T", "8:T")}
    annotate = "coverage", "--changed-since", "HEAD", "--annotate", "gitlab", "prog.pathprof"
    findings = repository.pathdump.json(*annotate)
    assert [(one["check_name"], one["location"]["lines"]["begin"]) for one in findings] == [
        ("changed-path-never-ran", 8), ("changed-path-never-ran", 10)]
    assert findings == repository.pathdump.json(*annotate, "-n", "2") and len(repository.pathdump.json(*annotate, "-n", "1")) == 1
    assert weigh["executed"] == int(weigh["num_paths"]) - 2 == changed["total"]["executed"]
    runs(repository, (5, -1))
    assert coverage(repository, "--changed-since", "HEAD", "--fail-under", "80")["total"]["executed"] == weigh["executed"] + 1
    text = repository.pathdump("coverage", "--changed-since", "HEAD", "prog.pathprof").stdout
    assert "prog: 1 function changed since HEAD, 7 of 8 paths through changed lines executed (87.50%)\n" in text
    assert re.search(r"\(from entry to exit\) was never executed: weigh\.c:5:F .*; 7:T .*; 8:T [^;]*$", text, re.M)


def test_lines_and_outcomes(repository):
    repository.write("src/weigh.c", AFTER)
    build(repository)
    runs(repository, (5, 5))
    weigh = coverage(repository, "--changed-since", "HEAD")["functions"][0]
    assert weigh["lines_never_run"] == [{"file": "src/weigh.c", "line": line} for line in (9, 10)]
    assert [(one["place"], one["outcome"]) for one in weigh["outcomes_never_taken"]] == [("8", "T")]
    for style, start in {"github": "::warning file=src/weigh.c,line=9,", "gitlab": "[\n"}.items():
        done = repository.pathdump("coverage", "--changed-since", "HEAD", "--annotate", style, "prog.pathprof")
        assert done.stdout.startswith(start)
    findings = json.loads(done.stdout)
    # One finding per line or range of lines. Paths are not reported on a line that has another finding.
    assert [(finding["check_name"], finding["location"]["lines"]) for finding in findings] == [
        ("changed-line-never-ran", {"begin": 9, "end": 10}), ("changed-branch-never-taken", {"begin": 8, "end": 8})]
    assert findings[1]["description"] == "8:T was never taken"
    (repository.folder / "prog.pathprof").unlink()
    runs(repository, (5, 5), (5, 0), (0, -1), (7, 5))
    findings = repository.pathdump.json("coverage", "--changed-since", "HEAD", "--annotate", "gitlab", "prog.pathprof")
    assert "paths of weigh through this line were never executed, for example path" in findings[0]["description"]


def test_thresholds_of_lines_and_branches(repository):
    """The shares of the changed lines that were executed, and of the branch outcomes on them that were taken."""
    repository.write("src/weigh.c", AFTER)
    build(repository)
    runs(repository, (5, 5))
    total = coverage(repository, "--changed-since", "HEAD", "--fail-under-line", "33", "--fail-under-branch", "25")["total"]
    # Of lines 8 to 10, only line 8 was executed; lines 8 and 9 have two branch outcomes each.
    assert total["lines"] == {"covered": 1, "total": 3, "share": pytest.approx(100 / 3)}
    assert total["branches"] == {"covered": 1, "total": 4, "share": 25}
    options = "--fail-under-line", "34", "--fail-under-branch", "26"
    for more in ((), ("--json",), ("--annotate", "github")):
        done = repository.pathdump("coverage", "--changed-since", "HEAD", *options, *more, "prog.pathprof", status=1)
        assert done.stderr == ("pathdump: coverage: changed lines: 33.33% (1/3) is below the threshold of 34%\n"
                               "pathdump: coverage: branch outcomes on changed lines: 25.00% (1/4) is below the threshold of 26%\n")
    text = repository.pathdump("coverage", "--changed-since", "HEAD", "prog.pathprof").stdout
    assert "\nchanged lines: 33.33% (1/3) executed; branch outcomes on these lines: 25.00% (1/4) taken\n" in text
    git(repository, "checkout", "-q", "src/weigh.c")
    repository.write("src/weigh.c", BEFORE + "// comment\n")
    build(repository)
    (repository.folder / "prog.pathprof").unlink()
    runs(repository, (5, 5))
    assert coverage(repository, "--changed-since", "HEAD", "--fail-under-line", "100", "--fail-under-branch", "100")["total"]["lines"] == {
        "covered": 0, "total": 0, "share": 100}
    for option in ("--fail-under-function", "--fail-under-path"):
        done = repository.pathdump("coverage", "--changed-since", "HEAD", option, "1", "prog.pathprof", status=2)
        assert_mentions(done.stderr, "--changed-since", "--fail-under-line")


def test_excluded_code(repository):
    """Changed code that markers exclude is not reported."""
    repository.write("src/weigh.c", AFTER.replace("else if (b < 0)", "else if (b < 0) // LCOV_EXCL_START").replace(
        "    n -= 1;\n", "    n -= 1;\n  // LCOV_EXCL_STOP\n"))
    build(repository)
    runs(repository, (5, 5), (7, 5), (0, 5))
    report = coverage(repository, "--changed-since", "HEAD", "--fail-under-line", "100", "--fail-under-branch", "100")
    (weigh,) = report["functions"]
    assert weigh["lines_never_run"] == weigh["outcomes_never_taken"] == [] and weigh["changed_lines"] == 1
    assert (weigh["executed"], weigh["num_paths"]) == (3, "4")
    assert report["total"]["branches"] == {"covered": 2, "total": 2, "share": 100}


def test_nothing_changed(repository):
    build(repository)
    runs(repository, (1, 1))
    changed = coverage(repository, "--changed-since", "HEAD", "--fail-under", "100")
    assert changed["functions"] == [] and changed["total"]["share"] == 100
    repository.write("README", "text\n")
    assert coverage(repository, "--changed-since", "HEAD")["functions"] == []


def test_source_that_is_not_what_was_compiled(repository):
    """What git says of a file is of no use where the profile is of another one."""
    build(repository)
    runs(repository, (1, 1))
    repository.write("src/weigh.c", "\n" + BEFORE)
    commit(repository)
    for command in (["coverage"], ["coverage", "--conditions"], ["html", "-o", "page"]):
        done = repository.pathdump(*command, "--changed-since", "HEAD", "prog.pathprof")
        assert len([line for line in done.stderr.splitlines() if "weigh.c" in line and "changed since" in line]) == 1, command


def test_renamed_untracked_and_moved(repository):
    git(repository, "mv", "src/weigh.c", "src/other.c")
    repository.write("src/other.c", AFTER)
    repository.gcc("-g", "-fplugin-arg-pathprof-stage=source", "src/other.c", "src/main.c", "-o", "prog")
    runs(repository, (5, 5))
    weigh = coverage(repository, "--changed-since", "HEAD")["functions"][0]
    assert weigh["file"] == "src/other.c" and weigh["changed_lines"] == 3  # of a renamed file only what was edited
    commit(repository)
    assert coverage(repository, "--changed-since", "HEAD")["functions"] == []
    repository.write("src/new part.c", AFTER)
    repository.gcc("-g", "-fplugin-arg-pathprof-stage=source", "src/new part.c", "src/main.c", "-o", "prog")
    (repository.folder / "prog.pathprof").unlink()
    runs(repository, (5, 5))
    weigh = coverage(repository, "--changed-since", "HEAD")["functions"][0]
    assert weigh["file"] == "src/new part.c" and weigh["changed_lines"] > 5  # all of it is new


def test_deleted_lines(repository):
    repository.write("src/weigh.c", BEFORE.replace("  if (a > 3)\n    n += 1;\n", ""))
    build(repository)
    runs(repository, (5, 0))
    weigh = coverage(repository, "--changed-since", "HEAD")["functions"][0]
    assert weigh["changed_lines"] == 1 and (weigh["executed"], weigh["num_paths"]) == (1, "2")


def test_submodule(repository, tmp_path):
    part = Project(tmp_path / "elsewhere")
    part.folder.mkdir()
    git(part, "init", "-q", ".")
    part.write("weigh.c", BEFORE)
    commit(part)
    git(repository, "rm", "-q", "src/weigh.c")
    git(repository, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(part.folder), "part")
    (tmp_path / "src").mkdir(exist_ok=True)
    git(repository, "commit", "-q", "-m", "two")
    repository.write("part/weigh.c", AFTER)
    repository.gcc("-g", "-fplugin-arg-pathprof-stage=source", "part/weigh.c", "src/main.c", "-o", "prog")
    runs(repository, (5, 5))
    weigh = coverage(repository, "--changed-since", "HEAD")["functions"][0]
    assert weigh["file"] == "part/weigh.c" and weigh["changed_lines"] == 3


def test_earlier_profile(repository):
    """A constant has changed, not the graph: what the tests of the revision took counts."""
    build(repository)
    runs(repository, (0, 0), (0, 5), (5, 0), file="old.pathprof")
    repository.write("src/weigh.c", BEFORE.replace("n += 2", "n += 3").replace("int n = 0", "int n = 1"))
    build(repository)
    runs(repository, (5, 5))
    assert coverage(repository, "--changed-since", "HEAD")["total"]["executed"] == 1
    assert coverage(repository, "--changed-since", "HEAD", "--earlier", "old.pathprof")["total"]["share"] == 100
    repository.write("src/weigh.c", AFTER)
    build(repository)
    (repository.folder / "prog.pathprof").unlink()
    runs(repository, (5, 5))
    assert coverage(repository, "--changed-since", "HEAD", "--earlier", "old.pathprof")["total"]["executed"] == 1


DECISIONS = """\
int
is_raised (int hot, int open, int forced)
{
  return (hot && open) || forced;
}
int
is_kept (int a, int b)
{
  return a && b;
}
int
main (int argc, char **argv)
{
  return argc > 2 ? (is_raised (argv[1][0] == '1', argv[1][1] == '1', argv[1][2] == '1')
                     | is_kept (argv[2][0] == '1', argv[2][1] == '1')) & 0 : 0;
}
"""


def test_conditions_that_changed(tmp_path):
    """Only the decision on a changed line counts, for the exit status, too; an earlier profile's vectors count where the graph is the same."""
    project = Project(tmp_path)
    git(project, "init", "-q", ".")
    project.write(".gitignore", "*.pathprof*\nprog\n")
    project.write("prog.c", DECISIONS.replace("|| forced", "|| open"))
    commit(project)

    def build_and_run(file, *arguments):
        project.gcc("-O0", "-g", "-fplugin-arg-pathprof-conditions=1", "prog.c", "-o", "prog")
        project.run("./prog", *arguments, env={"PATHPROF_FILE": file})

    def report(*arguments, status=0):
        return coverage(project, "--conditions", *arguments, status=status)

    build_and_run("old.pathprof", "000", "00")
    project.write("prog.c", DECISIONS)
    build_and_run("prog.pathprof", "110", "11")
    assert len(report()["functions"]) == 3 and report()["total"]["conditions"] == 6
    changed = report("--changed-since", "HEAD", "--fail-under", "1", status=1)
    assert [function["name"] for function in changed["functions"]] == ["is_raised"]
    assert changed["since"] == "HEAD" and changed["total"]["conditions"] == 3 and changed["total"]["masking"] == 0
    assert report("--changed-since", "HEAD", "--earlier", "old.pathprof")["total"]["masking"] == 1
    done = project.pathdump("coverage", "--conditions", "--changed-since", "HEAD", "--annotate", "github", "prog.pathprof")
    lines = done.stdout.splitlines()
    assert len(lines) == 1 and "file=prog.c,line=4" in lines[0]
    assert_mentions(lines[0], "condition 1 of 3 (hot)", "condition 3 of 3", "Not shown", "F-F gives F")
    quality = project.pathdump.json("coverage", "--conditions", "--changed-since", "HEAD", "--annotate", "gitlab", "prog.pathprof")
    assert {finding["check_name"] for finding in quality} == {"changed-condition-not-shown"} and len(quality) == 1
    commit(project)
    assert report("--changed-since", "HEAD", "--fail-under", "100")["functions"] == []
    text = project.pathdump("coverage", "--conditions", "--changed-since", "HEAD~1", "prog.pathprof").stdout
    assert "1 decision changed since HEAD~1" in text and "is_kept" not in text


def test_profile_from_elsewhere(repository):
    repository.write("src/weigh.c", AFTER)
    build(repository, f"-ffile-prefix-map={repository.folder}=/build/tree")
    runs(repository, (5, 5))
    assert len(coverage(repository, "--changed-since", "HEAD")["functions"]) == 1  # by the end of the name
    assert len(coverage(repository, "--changed-since", "HEAD", "--source-prefix",
                        f"/build/tree={repository.folder}")["functions"]) == 1


LINES = """\
#define LIMIT 5
#define IS_LARGE(x) \\
  ((x) > LIMIT)
#define UNUSED 1
int call (int a,
          int b) { return a > b; }
/* A comment
   of two lines.  */
struct pair {
  int x;
};
int weigh (int a, int b)
{
  struct pair p = {
    3 };
  int r = call (a,
                b + 7);
  if (a > 0 &&
      call (a,
            b * 2))
    r++;
  for (int i = 0;
       i < (b < 9 ?
            b : 9); i++)
    r += p.x;
  r += IS_LARGE (a);

  return r ==
         5;
}
"""


# What is changed to what, and lines whose code has changed then; None: the line that is told to have none.
@pytest.mark.parametrize("old, new, lines", [
    ("b + 7", "b + 8", [16]), ("b * 2", "b * 3", [18, 19]), ("         5;", "         6;", [28]), ("b : 9", "b : 8", [23]),
    ("LIMIT 5", "LIMIT 6", [26]), ("(x) > LIMIT", "(x) >= LIMIT", [26]), ("    3 }", "    4 }", [14]), ("UNUSED 1", "UNUSED 2", None),
    ("int x;", "int x, y;", None), ("of two lines", "of three lines", []), ("\n\n", "\n", [26]), ("return r", "return  r", [28])])
def test_lines_without_code(repository, old, new, lines):
    """They stand for the statement that they are part of, and what defines a macro for those that use it."""
    assert LINES.count(old) == 1
    repository.write("src/weigh.c", LINES)
    commit(repository)
    repository.write("src/weigh.c", LINES.replace(old, new))
    build(repository, "-O0")
    runs(repository, ("5", "6"))
    report = coverage(repository, "--changed-since", "HEAD", "-n", "0")
    without = [entry["line"] for entry in report["lines_without_code"]]
    first = LINES[:LINES.index(old)].count("\n") + 1
    assert without == ([first] if lines is None else [])
    functions = {function["name"]: function["changed_lines"] for function in report["functions"]}
    if not lines:
        assert functions == {}
    else:
        assert functions == {"weigh": len(lines)}
    text = repository.pathdump("coverage", "--changed-since", "HEAD", "prog.pathprof").stdout
    assert (f"Changed lines without code: src/weigh.c:{first}\n" in text) == (lines is None)


NEIGHBOURS = """\
#define FAST 1
#include "limits.h"
#define \\
  MOST \\
  5
int weigh (int a, int b)
{
  int r = a;
  if (a > 1)
    r += 1;
  r += 2;
  r = r
      +
      b;
  /* Below stands what may go.  */

  r += MOST;
#undef OTHER
#if 0
  r += 5;
#endif
  return r;
}
int last;
"""


# What is changed to what, and whether that is told as lines without code instead of changing the function.
@pytest.mark.parametrize("old, new, is_told", [
    ("    r += 1;\n  r += 2;\n", "    {\n    r += 1;\n  r += 2;\n    }\n", False), ("      +\n", "      -\n", False), ("\n\n  r += MOST;\n", "\n\n", False),
    ("{\n  int r = a;\n  if (a > 1)\n    r += 1;\n", "{\n  int r = a;\n", False), ("#if 0", "#if 1", False), ("#undef OTHER\n", "#undef OTHER\n#undef FAST\n", False),
    ("  5\n", "  6\n", False), ("MOST \\\n  5", "MOST \\\n  (5)", False), ("FAST 1", "FAST 2", True), ('"limits.h"', '"weigh.h"', True), ("int last;\n", "", None)])
def test_neighbours(repository, old, new, is_told):
    """Brackets, directives, operators and what was deleted change what stands beside them."""
    assert NEIGHBOURS.count(old) == 1
    for name in ("weigh.h", "limits.h"):
        repository.write(f"src/{name}", "")
    repository.write("src/weigh.c", NEIGHBOURS)
    repository.write(".gitattributes", "*.c -diff\n")
    commit(repository)
    repository.write("src/weigh.c", NEIGHBOURS.replace(old, new))
    build(repository, "-O0")
    runs(repository, ("5", "6"))
    report = coverage(repository, "--changed-since", "HEAD")
    assert [function["name"] for function in report["functions"]] == (["weigh"] if is_told is False else [])
    assert bool(report["lines_without_code"]) == (is_told is True)


def test_changed_headers(repository):
    repository.write("src/weigh.h", "enum { MOST = 4 };\n")
    repository.write("src/weigh.c", '#include "weigh.h"\n' + BEFORE.replace("a > 3", "a > MOST"))
    commit(repository)
    repository.write("src/weigh.h", "enum { MOST = 5 };\n")
    build(repository, "-O0")
    runs(repository, ("5", "6"))
    assert coverage(repository, "--changed-since", "HEAD")["lines_without_code"] == [{"file": "src/weigh.h", "line": 1}]


def test_long_sources(repository):
    """Reading them takes no more than a little for each line."""
    long = "/*\n" + "A comment.\n" * 50000 + "*/\n" + "\n" * 50000 + "#define M 1\n" * 20000 + "int f (void);\n" * 20000
    repository.write("src/weigh.c", long + BEFORE)
    commit(repository)
    repository.write("src/weigh.c", long + BEFORE.replace("return n;", "return n\n  ;\n"))
    build(repository, "-O0")
    runs(repository, ("5", "6"))
    report = json.loads(repository.run("timeout", "20", BIN / "pathdump", "coverage", "--json", "--changed-since", "HEAD", "prog.pathprof").stdout)
    assert [function["name"] for function in report["functions"]] == ["weigh"]


def test_files_that_the_profile_does_not_know(repository):
    build(repository)
    runs(repository, ("5", "6"))
    repository.write("src/weigh.c", AFTER)
    repository.write("src/other.c", "int other;\n")
    repository.write("doc.txt", "text\n")
    commit(repository)
    done = repository.pathdump("coverage", "--changed-since", "HEAD~1", "prog.pathprof")
    assert_mentions(done.stderr, "prog.pathprof", "changed since HEAD~1")
    assert done.stderr.endswith(": src/other.c\n")
    done = repository.pathdump("coverage", "--conditions", "--changed-since", "HEAD~1", "prog.pathprof")
    assert "src/other.c\n" in done.stderr


def test_wrong_use(repository, pathdump):
    build(repository)
    runs(repository, (1, 1))

    def error(*arguments, status=2):
        text = repository.pathdump("coverage", *arguments, "prog.pathprof", status=status).stderr
        assert text.count("\n") == 1
        return text.strip()

    for revision in ("nonsense", "-x"):
        assert_mentions(error("--changed-since", revision), "--changed-since", os.path.realpath(repository.folder), f"'{revision}'")
    for arguments, *words in (
            (["--annotate", "github"], "--annotate", "--changed-since"),
            (["--conditions", "--earlier", "prog.pathprof"], "--earlier", "--changed-since"),
            (["--conditions", "--changed-since", "HEAD", "--annotate", "github", "--json"], "--annotate", "--json"),
            (["--conditions", "--changed-since", "HEAD", "--annotate", "github", "--vectors"], "--vectors"),
            (["--changed-since", "HEAD", "--missing"], "--changed-since", "--missing")):
        message = error(*arguments)
        assert message.startswith("pathdump: coverage: ")
        assert_mentions(message, *words)
    (repository.folder / ".git").rename(repository.folder / "git")
    assert_mentions(error("--changed-since", "HEAD"), "--changed-since", "working directory", "not a git repository")
