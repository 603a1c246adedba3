# SPDX-License-Identifier: GPL-3.0-or-later
"""Regression 1: source files with the same name in different directories stay separate, as recursive make compiles them
(cd a && cc -c util.c), in every mode, command and export."""

import gzip
import json
import pathlib
import re
import sys

import pytest

from conftest import BUILD, MODES, Project, need
from test_line_invariant import REST

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
import pathprof  # noqa: E402

# Both folders have the same util.c, and a part.c of which each has its own.
UTIL = """\
static int clip (int x, int y)
{
  if (x > 2 && y > 2)
    return 1;
  return 0;
}
static inline int twice (int x)
{
  return x + x;
}
int NAME (int x, int y)
{
  return clip (x, y) + twice (0);
}
"""
PARTS = {"a": "static int part (int x)\n{\n  if (x > 1)\n    return 2;\n  return x;\n}\n",
         "b": "\nstatic int part (int x)\n{\n  while (x > 1)\n    x--;\n  return x;\n}\n"}
MAIN = """\
int a (int, int), b (int, int), pa (int), pb (int);
int main (void)
{
  return a (3, 3) + b (0, 0) + b (3, 0) + pa (0) + pb (1) - 2;
}
"""
FORMATS = ["json", "lcov", "cobertura", "sonarqube", "collapsed", "speedscope", "pprof", "callgrind", "quickfix", "annotations", "dot",
           "csv"]


def write_layout(project, root="."):
    project.write(f"{root}/main.c", MAIN)
    for folder in "ab":
        project.write(f"{root}/{folder}/util.c", UTIL)
        project.write(f"{root}/{folder}/part.c", PARTS[folder] + f"int p{folder} (int x) {{ return part (x); }}\n")


def build(project, *options, root="."):
    """Compiles as a recursive make does, in each folder."""
    write_layout(project, root)
    gcc = " ".join([str(BUILD / "bin/pathprof-gcc"), "-fno-inline", *options])
    project.run("sh", "-ec", f"cd {root}; for d in a b; do (cd $d; {gcc} -DNAME=$d -c util.c; {gcc} -c part.c); done; "
                             f"{gcc} main.c [ab]/*.o -o prog")


def by_file(functions, name):
    return {function["file"]: function for function in functions if function["name"] == name}


def counts(function):
    return sorted(path["count"] for path in function["paths"])


# ---- what is recorded, in every mode ----


@pytest.mark.parametrize("options", [[], ["-g"], ["-O2"], ["-g", "-flto"]], ids=" ".join)
def test_equal_functions_stay_two(project, options):
    build(project, "-fplugin-arg-pathprof-stage=source", *options)
    project.run("./prog")
    functions = project.profile()["functions"]
    clips, parts = by_file(functions, "clip"), by_file(functions, "part")
    assert {file: sum(counts(one)) for file, one in clips.items()} == {"a/util.c": 1, "b/util.c": 2}
    assert {file: sum(counts(one)) for file, one in parts.items()} == {"a/part.c": 1, "b/part.c": 1}
    assert [one["file"] for one in functions if one["name"] == "main"] == ["main.c"]


@pytest.mark.parametrize("mode", MODES)
def test_modes(project, mode):
    more = []
    if mode == "preferential":
        build(project, "-fplugin-arg-pathprof-stage=source")
        project.run("./prog", env={"PATHPROF_FILE": "known.pathprof"})
        more = [f"-fplugin-arg-pathprof-interesting={project.folder}/known.pathprof"]
    build(project, f"-fplugin-arg-pathprof-mode={mode}", "-fplugin-arg-pathprof-stage=source", *more)
    project.run("./prog")
    rows = project.pathdump.json("functions", "--json", "prog.pathprof")["functions"]
    assert {file: row["calls"] for file, row in by_file(rows, "clip").items()} == {"a/util.c": 1, "b/util.c": 2}
    lines = project.pathdump("export", "--format=lcov", "prog.pathprof").stdout
    assert "SF:a/util.c" in lines and "SF:b/util.c" in lines
    covered = dict(re.findall(r"SF:(.*/util\.c)\n(?:.*\n)*?DA:4,(\d+)", lines))
    assert covered == {"a/util.c": "1", "b/util.c": "0"}
    if mode == "preferential":  # each of the two has its own interesting paths
        clips = by_file(project.profile()["functions"], "clip")
        assert {file: (counts(one), one.get("residual", [])) for file, one in clips.items()} \
            == {"a/util.c": ([1], []), "b/util.c": ([1, 1], [])}


def test_continuous_mode(project):
    build(project)
    project.run("./prog", env={"PATHPROF_MODE": "continuous"})
    clips = by_file(project.profile()["functions"], "clip")
    assert {file: counts(one) for file, one in clips.items()} == {"a/util.c": [1], "b/util.c": [1, 1]}


def test_shared_objects_with_files_of_one_name(project):
    """The same source in two plug-ins."""
    for folder in "ab":
        project.write(f"{folder}/init.c", "int init (int n)\n{\n  if (n > 1)\n    return 2;\n  return 1;\n}\n")
        project.run("sh", "-c", f"cd {folder} && {BUILD}/bin/pathprof-gcc -fPIC -shared init.c -o ../{folder}.so")
    project.write("prog.c", """\
#include <dlfcn.h>
int main (void)
{
  int (*a) (int) = (int (*) (int)) dlsym (dlopen ("./a.so", RTLD_NOW), "init");
  int (*b) (int) = (int (*) (int)) dlsym (dlopen ("./b.so", RTLD_NOW), "init");
  return a (1) + b (2) + b (3) - 5;
}
""")
    project.gcc("prog.c", "-o", "prog", "-ldl")
    project.run("./prog")
    inits = by_file(project.profile()["functions"], "init")
    assert {file: counts(one) for file, one in inits.items()} == {"a/init.c": [1], "b/init.c": [2]}


def test_a_header_is_one_file_under_any_name(project):
    """Units in two folders reach it as ../h.h and as sub/../../h.h."""
    project.write("h.h", "static inline int small (int n)\n{\n  if (n > 9)\n    return 0;\n  return 1;\n}\n")
    project.write("a/sub/x", "")
    project.write("a/a.c", '#include "sub/../../h.h"\nint a (int n) { return small (n); }\n')
    project.write("b/b.c", '#include "../h.h"\nint a (int);\nint main (void) { return small (1) + a (1) - 2; }\n')
    project.run("sh", "-ec", f"for d in a b; do (cd $d; {BUILD}/bin/pathprof-gcc -c $d.c); done; "
                             f"{BUILD}/bin/pathprof-gcc [ab]/*.o -o prog")
    project.run("./prog")
    small, = [one for one in project.profile()["functions"] if one["name"] == "small"]
    assert small["file"] == "../h.h" and counts(small) == [2]


def test_a_name_that_another_path_has(project):
    """One unit calls a/x.c what is a/a/x.c for another one."""
    for name, folder, value in ("a/x.c", ".", "one"), ("a/a/x.c", "a", "two"):
        project.write(name, f"int {value} (int n) {{ if (n > 1) return 2; return 1; }}\n")
        project.run("sh", "-c", f"cd {folder} && {BUILD}/bin/pathprof-gcc -c a/x.c -o {project.folder}/{value}.o")
    project.write("main.c", "int one (int), two (int);\nint main (void) { return one (1) + two (2) - 3; }\n")
    project.gcc("main.c", "one.o", "two.o", "-o", "prog")
    project.run("./prog")
    files = {one["name"]: one["file"] for one in project.profile()["functions"]}
    assert files == {"one": "x.c", "two": "a/x.c", "main": "main.c"}


# ---- commands and exports ----


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    project = Project(tmp_path_factory.mktemp("same-names"))
    build(project, "-g", "-fplugin-arg-pathprof-conditions=1")
    project.run("./prog", env={"PATHPROF_TEST": "one"})
    return project


@pytest.fixture
def pathdump(made):
    return made.pathdump


def test_conditions(pathdump):
    rows = pathdump.json("coverage", "--conditions", "--json", "prog.pathprof")["functions"]
    executed = {file: [tuple(condition["executed"].values()) for condition in one["decision_list"][0]["conditions"]]
                for file, one in by_file(rows, "clip").items()}
    assert executed == {"a/util.c": [(1, 0), (1, 0)], "b/util.c": [(1, 1), (0, 1)]}  # how often true, false
    assert all(one["masking"] == 0 for one in by_file(rows, "clip").values())


@pytest.mark.parametrize("arguments", [["report"], ["report", "--lines"], ["functions"], ["coverage"],
                                       ["coverage", "--missing"], ["coverage", "--prime"], ["stats"], ["show"]],
                         ids=" ".join)
def test_both_are_in_what_is_printed(pathdump, arguments):
    text = pathdump(*arguments, "prog.pathprof").stdout
    assert len(re.findall(r"\bclip\b", text)) >= 2
    assert "a/util.c" in text and "b/util.c" in text


@pytest.mark.parametrize("arguments", [["functions"], ["coverage"], ["coverage", "--prime"], ["report"], ["stats"]],
                         ids=" ".join)
def test_rows_for_machines(pathdump, arguments):
    data = pathdump.json(*arguments, "--json", "prog.pathprof")
    rows = data.get("functions") or data["paths"]
    files = [row["file"] for row in rows if (row.get("name") or row.get("function")) == "clip"]
    assert sorted(set(files)) == ["a/util.c", "b/util.c"]


def test_coverage_by_file(pathdump):
    files = {one["file"]: one for one in pathdump.json("coverage", "--json", "prog.pathprof")["files"]}
    assert {"a/util.c", "b/util.c", "a/part.c", "b/part.c", "main.c"} <= set(files)
    assert files["a/util.c"] != files["b/util.c"]


def test_path(pathdump, made):
    done = made.pathdump("path", "prog.pathprof", "clip", "0", status=2)
    assert "a/util.c:clip b/util.c:clip" in done.stderr
    texts = [pathdump("path", "prog.pathprof", f"{folder}/util.c:clip", "0").stdout for folder in "ab"]
    assert texts[0] != texts[1] and "(a/util.c:1" in texts[0] + texts[1]
    assert pathdump("path", "prog.pathprof", f"{made.folder}/b/util.c:clip", "0").stdout == texts[1]


@pytest.mark.parametrize("glob, files", [("a/util.c", ["a/util.c"]), ("util.c", ["a/util.c", "b/util.c"]),
                                         ("*/b/util.c", ["b/util.c"]), ("{root}/b/*.c", ["b/part.c", "b/util.c"])])
def test_selection(pathdump, made, glob, files):
    rows = pathdump.json("functions", "--json", "--file", glob.format(root=made.folder), "prog.pathprof")
    assert sorted({row["file"] for row in rows["functions"]}) == files


def test_sources_are_those_of_each(pathdump):
    text = pathdump("show", "--file", "b/part.c", "prog.pathprof").stdout
    assert "while (x > 1)" in text and "return 2" not in text


@pytest.mark.parametrize("format", FORMATS)
def test_exports(made, pathdump, format):
    pathdump("export", f"--format={format}", "-o", f"out.{format}", "prog.pathprof")
    data = made.read(f"out.{format}")
    text = (gzip.decompress(data) if format == "pprof" else data).decode(errors="replace")
    if format != "collapsed":
        assert "a/util.c" in text and "b/util.c" in text
    if format in ("collapsed", "speedscope", "pprof"):
        assert "clip (a/util.c)" in text and "clip (b/util.c)" in text
    if format == "lcov":
        lines = dict(re.findall(r"SF:(.*)\n(?:.*\n)*?DA:4,(\d+)", text))
        assert lines["a/util.c"] == "1" and lines["b/util.c"] == "0"
        assert re.search(r"SF:a/util.c\n(?:.*\n)*?FNDA:1,clip\n", text)
        assert re.search(r"SF:b/util.c\n(?:.*\n)*?FNDA:2,clip\n", text)
    if format == "cobertura":
        assert 'filename="a/util.c"' in text and 'filename="b/util.c"' in text
    if format == "quickfix":
        assert "\na/util.c:1: " in text and "\nb/util.c:1: " in text
    if format == "annotations":
        assert re.search(r"::warning file=b/util.c,line=4", text)
        assert not re.search(r"::warning file=a/util.c,line=4,", text)


def test_evidence(made, pathdump):
    pathdump("coverage", "--evidence", "evidence", "prog.pathprof")
    index = json.loads(made.read("evidence/manifest.json"))
    clips = by_file(index["functions"], "clip")
    assert set(clips) == {"a/util.c", "b/util.c"}
    assert len({one["evidence"] for one in clips.values()}) == 2


def test_tests(made, pathdump):
    """Which test took the path of the other folder's function?"""
    made.run("./prog", env={"PATHPROF_TEST": "one", "PATHPROF_FILE": "tests.pathprof"})
    clips = by_file(made.profile("tests.pathprof")["functions"], "clip")
    ids = {file: {path["id"] for path in one["paths"]} for file, one in clips.items()}
    assert not ids["a/util.c"] & ids["b/util.c"]
    for file, own in ids.items():
        for path in ids["a/util.c"] | ids["b/util.c"]:
            text = pathdump("tests", "--which", f"{file}:clip:{path}", "tests.pathprof").stdout
            assert bool(re.search(r"\bone\b", text)) == (path in own)


def test_comparisons(made, pathdump):
    """The same layout, in which other paths ran in b only."""
    made.run("sh", "-ec", f"sed 's/b (0, 0)/b (5, 5)/' main.c >other.c; "
                          f"{BUILD}/bin/pathprof-gcc -fno-inline -g -fplugin-arg-pathprof-conditions=1 other.c [ab]/*.o -o other")
    made.run("./other", env={"PATHPROF_FILE": "other.pathprof"}, status=None)
    diff = pathdump.json("diff", "--json", "-n", "0", "prog.pathprof", "other.pathprof")
    assert {(one["kind"], one["file"]) for one in diff["paths"] if one["function"] == "clip"} \
        == {("new", "b/util.c"), ("gone", "b/util.c")}
    overlap = pathdump.json("overlap", "--json", "-n", "0", "prog.pathprof", "other.pathprof")
    assert {one["file"]: one["common_paths"] for one in overlap["functions"] if one["function"] == "clip"} \
        == {"a/util.c": 1, "b/util.c": 1}
    text = pathdump("coverage", "--not-in", "prog.pathprof", "other.pathprof").stdout
    found = text[text.index("not executed in the reference"):]
    assert re.search(r"clip +b/util\.c:3:T", found) and "a/util.c" not in found


def test_merge_and_check(made, pathdump):
    pathdump("merge", "-o", "sum.pathprof", "prog.pathprof", "prog.pathprof")
    clips = by_file(made.profile("sum.pathprof")["functions"], "clip")
    assert {file: counts(one) for file, one in clips.items()} == {"a/util.c": [2], "b/util.c": [2, 2]}


def test_page(made, pathdump):
    pathdump("html", "-o", "page.html", "prog.pathprof")
    text = made.read("page.html").decode()
    assert "a/util.c" in text and "b/util.c" in text


def test_advice(made, pathdump):
    pathdump("merge", "--weight", "1000", "-o", "more.pathprof", "prog.pathprof")
    text = pathdump("advise", "more.pathprof").stdout
    assert re.search(r"a/util.c:3, in clip.*\n.*\n.*`x > 2` was always true: 1000 of 1000", text)
    assert re.search(r"b/util.c:3, in clip.*\n.*\n.*`y > 2` was always false: 1000 of 1000", text)


def test_python(made):
    profile = pathprof.load(made.folder / "prog.pathprof", BUILD / "bin/pathdump")
    clips = {one.file: sorted(path.count for path in one.paths) for one in profile.functions if one.name == "clip"}
    assert clips == {"a/util.c": [1], "b/util.c": [1, 1]}
    with pytest.raises(KeyError, match="2 functions are called clip"):
        profile.function("clip")


def test_terminal(made, tui):
    terminal = tui(made.folder / "prog.pathprof", columns=160)
    terminal.shows("a/util.c", "b/util.c")
    terminal.press("q")
    assert terminal.end() == 0


def test_changed_lines(project):
    """The line that changed is one of b/util.c."""
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    write_layout(project)
    project.run(*git, "init", "-q", ".")
    project.run(*git, "add", ".")
    project.run(*git, "commit", "-q", "-m", "one")
    build(project)
    project.write("b/util.c", UTIL.replace("return 1;", "return 3;"))
    gcc = f"{BUILD}/bin/pathprof-gcc -fno-inline"
    project.run("sh", "-ec", f"cd b; {gcc} -DNAME=b -c util.c; cd ..; {gcc} main.c [ab]/*.o -o prog")
    project.run("./prog")
    changed = project.pathdump("coverage", "--json", "--changed-since", "HEAD", "prog.pathprof").stdout
    assert [(one["name"], one["file"]) for one in json.loads(changed)["functions"]] == [("clip", "b/util.c")]


def test_use(project):
    """A rebuild gives the clip of each folder its own counts."""
    build(project, "-O2")
    project.run("./prog")
    gcc = f"{BUILD}/bin/pathprof-gcc -O2 -fno-inline -fdump-ipa-pathprof-blocks-details"
    for folder, count, is_true in ("a", 1, 1), ("b", 2, 0):
        use = f"-fplugin-arg-pathprof-use={project.folder}/prog.pathprof"
        dump = project.run("sh", "-ec", f"cd {folder}; {gcc} {use} -DNAME={folder} -c util.c; cat *.pathprof").stdout
        dump = dump[dump.index("basic block 2,"):dump.index("basic block 4,")]  # of clip, which is the first one
        # The count of a block that was not executed is guessed.
        counts = re.findall(r"basic block ([23]), .* count (\d+) \((\w+)", dump)
        assert {(block, int(number) * (kind == "precise")) for block, number, kind in counts} == {("2", count), ("3", is_true)}


def test_prefix_map(project):
    """Builds in two trees are one program with -ffile-prefix-map, and two without it."""
    for root in "one", "two":
        build(project, f"-ffile-prefix-map={project.folder}/{root}=/src", root=root)
        project.run(f"./{root}/prog", env={"PATHPROF_FILE": f"{root}.pathprof"})
    project.pathdump("merge", "-o", "sum", "one.pathprof", "two.pathprof")
    clips = by_file(project.profile("sum")["functions"], "clip")
    assert {file: counts(one) for file, one in clips.items()} == {"a/util.c": [2], "b/util.c": [2, 2]}


def test_two_trees_side_by_side(project):
    for root in "one", "two":
        build(project, root=root)
        project.run(f"./{root}/prog", env={"PATHPROF_FILE": f"{root}.pathprof"})
    project.pathdump("merge", "-o", "sum", "one.pathprof", "two.pathprof")
    clips = by_file(project.profile("sum")["functions"], "clip")
    assert {file: counts(one) for file, one in clips.items()} \
        == {f"{root}/{file}": n for root in ("one", "two") for file, n in (("a/util.c", [1]), ("b/util.c", [1, 1]))}
    # Comparisons find the counterparts all the same.
    diff = project.pathdump.json("diff", "--json", "one.pathprof", "two.pathprof")
    assert diff["paths"] == [] and diff["equal"] > 5


# ---- arguments of the plugin ----


def test_globs_match_paths(project):
    build(project, f"-fplugin-arg-pathprof-exclude={project.folder}/b/*")
    project.run("./prog")
    assert set(by_file(project.profile()["functions"], "clip")) == {"util.c"}


# ---- functions of one file with one name ----

HEADER = """\
#ifdef VARIANT
static int
helper (int x)
{ if (x > 3) return 1; return 0; }
#else
static int helper (int x)
{ if (x > 3) return 2; return 0; }
#endif
"""


@pytest.fixture(scope="module")
def variants(tmp_path_factory):
    """Two units include a header with alternatives, of which only the first one runs."""
    project = Project(tmp_path_factory.mktemp("variants"))
    project.write("h.h", HEADER)
    project.write("a.c", '#define VARIANT\n#include "h.h"\nint fa (int x) { return helper (x); }\n')
    project.write("b.c", '#include "h.h"\nint fa (int);\nint fb (int x) { return helper (x); }\n'
                         "int main (int c, char **v) { (void) v; if (c > 3) return fb (c); return fa (c); }\n")
    project.gcc("-g", "a.c", "b.c", "-o", "prog")
    project.run("./prog")
    return project


def exported(project, format):
    return project.pathdump("export", f"--format={format}", "prog.pathprof").stdout


def test_alternatives_are_two_functions(variants):
    """Regression 6: the one that never ran is not hidden by the other one, whose graph is the same."""
    helpers = [one for one in variants.profile()["functions"] if one["name"] == "helper"]
    assert sorted((one["line"], counts(one)) for one in helpers) == [(3, [1]), (6, [])]


def test_lcov_knows_both(variants):
    """Regression 6."""
    text = exported(variants, "lcov")
    record = text[text.index("SF:h.h"):]
    record = record[:record.index("end_of_record")]
    assert "FN:3,4,helper:3\nFN:6,7,helper:6\nFNDA:1,helper:3\nFNDA:0,helper:6\nFNF:2\nFNH:1\n" in record
    variants.write("out.info", variants.pathdump("export", "--format=lcov", "--style=lcov1", "prog.pathprof").stdout)
    if need("lcov"):
        done = variants.run("lcov", "--summary", "out.info")
        assert re.search(r"functions\.*: 60.0% \(3 of 5 functions\)", done.stdout + done.stderr)
    if need("genhtml"):
        variants.run("genhtml", "-o", "pages", "out.info")
        page = variants.read("pages/" + ("h.h.func.html" if variants.exists("pages/h.h.func.html") else
                                         next(str(p.relative_to(variants.folder / "pages")) for p in
                                              (variants.folder / "pages").rglob("h.h.func.html")))).decode()
        assert "helper:3" in page and "helper:6" in page


def test_other_exports_know_both(variants):
    """Regression 6."""
    cobertura = exported(variants, "cobertura")
    hits = re.findall(r'<method name="(helper:\d)".*?hits="(\d)"', cobertura, re.DOTALL)
    assert sorted(hits) == [("helper:3", "1"), ("helper:6", "0")]
    assert re.search(r"fn=\(\d+\) helper:3\n", exported(variants, "callgrind"))
    assert "helper:3" in exported(variants, "collapsed")
    assert "The function helper:6 was never executed" in exported(variants, "annotations")


# ---- functions that begin on one line ----

ALTERNATIVES = """\
static __attribute__ ((noinline)) int helper (int x)
{
#ifdef VARIANT
  return x + 1;
#else
  return x + 2;
#endif
}
"""
HARNESS = """\
#include <locale.h>
static void run_tests (void);
int main (void)
{
  setlocale (LC_ALL, "");
  run_tests ();
  return 0;
}
"""


def lines_of(text, source):
    """The records of a source file's lines in LCOV's format."""
    record = text[text.index(f"SF:{source}\n"):]
    return re.findall(r"^DA:(\d+,\d+)$", record[:record.index("end_of_record")], re.MULTILINE)


@pytest.fixture(scope="module")
def alternatives(tmp_path_factory):
    """Two units compile different lines of one function, whose graph is the same."""
    project = Project(tmp_path_factory.mktemp("alternatives"))
    project.write("h.h", ALTERNATIVES)
    project.write("u.c", '#define VARIANT\n#include "h.h"\nint g (int);\n'
                         "int main (int c, char **v) { (void) v; return helper (1) + (c > 1 ? g (1) : 0) - 2; }\n")
    project.write("v.c", '#include "h.h"\nint g (int x) { return helper (x); }\n')
    project.gcc("-O0", "-g", "u.c", "v.c", "-o", "prog")
    project.run("./prog")
    return project


def test_alternatives_on_one_line_are_two_functions(alternatives):
    """Regression 6: the counts of one alternative are not those of the other one's lines."""
    helpers = [counts(one) for one in alternatives.profile()["functions"] if one["name"] == "helper"]
    assert sorted(helpers) == [[], [1]]
    assert lines_of(exported(alternatives, "lcov"), "h.h") == ["1,1", "4,1", "6,0"]


def test_alternatives_on_one_line_are_compared_with_themselves(alternatives):
    """Regression 6."""
    pathdump = BUILD / "bin/pathdump"
    alternatives.run("./prog", "x", "y", env={"PATHPROF_FILE": "other.pathprof"}, status=3)
    out = alternatives.run(pathdump, "diff", "--json", "prog.pathprof", "other.pathprof").stdout
    changed = [path for path in json.loads(out)["paths"] if path["function"] == "helper"]
    assert [(path["kind"], path["count_a"], path["count_b"]) for path in changed] == [("new", 0, 1)]
    alternatives.run(pathdump, "merge", "-o", "both.pathprof", "prog.pathprof", "other.pathprof")
    assert lines_of(alternatives.run(pathdump, "export", "--format=lcov", "both.pathprof").stdout, "h.h") == ["1,3", "4,2", "6,1"]


def test_functions_with_different_inlined_code(project):
    """Regression 6: each program of a test suite inlines its own function into the `main` of a common header."""
    project.write("util.h", HARNESS)
    for name, space in (("a", ""), ("b", "\n")):
        project.write(f"{name}.c", '#include "util.h"\nint volatile x;\n__attribute__ ((noinline)) static void test (void) { x = 1; }\n'
                                   f"{space}static void run_tests (void) {{ test (); }}\n")
        project.gcc("-O2", "-g", f"{name}.c", "-o", name)
        project.run(f"./{name}")
    project.pathdump("merge", "-o", "all.pathprof", "a.pathprof", "b.pathprof")
    lcov = project.pathdump("export", "--format=lcov", "all.pathprof").stdout
    assert lines_of(lcov, "a.c") == ["3,1", "4,1"] and lines_of(lcov, "b.c") == ["3,1", "5,1"]
    assert lines_of(lcov, "util.h") == ["3,2", "5,2"]


# ---- parts and clones ----

SPLIT = """\
volatile int sink;
static void __attribute__ ((noinline)) put (const char *s) { sink += s[0]; }
void
write_image (int n)
{
  if (n == 0)
    return;
""" + REST + """\
static int __attribute__ ((noinline))
scaled (int n, int factor)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i * factor % 7 ? factor : sink;
  return sum;
}
int
main (int argc, char **argv)
{
  int sum = 0;
  for (int i = 0; i < 135; i++)
    write_image (i % 5 + argc);
  for (int i = 0; i < 20; i++)
    sum += scaled (i, 3);
  return sum == 12345;
}
"""


@pytest.mark.parametrize("stage", ["early", "late"])
def test_parts_belong_to_their_function(project, stage):
    """Regression 23: a function whose part ran was called."""
    project.write("prog.c", SPLIT)
    project.gcc("-O2", "-g", f"-fplugin-arg-pathprof-stage={stage}", "prog.c", "-o", "prog")
    project.run("./prog")
    bodies = {one["name"]: one for one in project.profile()["functions"]}
    assert any(name.startswith("write_image.part.") for name in bodies), "GCC did not split the function"
    assert all(one.get("part_of", name) == name.split(".")[0] for name, one in bodies.items())
    text = exported(project, "lcov")
    assert sorted(re.findall(r"FNDA:(.*)", text)) == ["1,main", "135,write_image", "20,scaled", mark_of_put(text)]
    rows = project.pathdump.json("functions", "--json", "prog.pathprof")["functions"]
    assert {row["name"]: row["calls"] for row in rows}["write_image"] == 135
    page = project.pathdump.json("show", "--json", "prog.pathprof")
    assert [one["calls"] for one in page["functions"] if one["name"] == "write_image"] == [135]
    selected = project.pathdump("functions", "--json", "--function", "write_image", "prog.pathprof")
    assert len(json.loads(selected.stdout)["functions"]) == 2


def mark_of_put(text):
    return re.search(r"FNDA:(\d+,put)", text)[1]
