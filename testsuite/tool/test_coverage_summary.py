# SPDX-License-Identifier: GPL-3.0-or-later
"""The summary that `coverage` prints: lines, branches and functions as gcov counts them, exclusion markers as gcovr and
lcov define them, the choice of files, and thresholds."""

import collections
import gzip
import json
import os
import re
import shutil

import pytest

from conftest import BIN, FLAGS_WITHOUT_LEVEL, assert_mentions, assert_one_line, version_suffix
from random_program import Program
from test_gcov import LINES, build_both

COUNT = max(1, int(os.environ.get("PATHPROF_RANDOM_PROGRAMS", "24")) // 4)
FIRST = int(os.environ.get("PATHPROF_RANDOM_FIRST", "1"))


def summary(project, *arguments, status=0, **options):
    done = project.run(BIN / "pathdump", "coverage", "--json", *arguments, "prog.pathprof", status=status, **options)
    return json.loads(done.stdout)


def files_of(project, *arguments):
    return {file["file"]: file for file in summary(project, *arguments)["files"]}


def tally(covered, total):
    return {"covered": covered, "total": total, "share": 100 * covered / total if total else 100, "justified": 0}


# ---- against gcov ----


def gcov_files(project, gcov):
    """Returns what gcov reports of each file."""
    (data,) = project.folder.glob("*.gcda")
    project.run(gcov, "--branch-probabilities", "--json-format", data.name)
    return [file for output in project.folder.glob("*.gcov.json.gz")
            for file in json.loads(gzip.decompress(output.read_bytes()))["files"]]


def gcov_totals(files):
    """Covered items and all items of each file, by criterion."""
    totals = {}
    for file in files:
        lines, branches = {}, []
        for line in file["lines"]:
            number = line["line_number"]
            lines[number] = lines.get(number, 0) + line["count"]
            branches += [branch["count"] for branch in line["branches"]]
        calls = [function["execution_count"] for function in file["functions"]]
        totals[file["file"]] = {name: (sum(count > 0 for count in counts), len(counts)) for name, counts in (
            ("lines", list(lines.values())), ("branches", branches), ("functions", calls))}
    return totals


# Executed lines to which gcov gives the count 0, because their code is in the block with the highest number.
MISSED_BY_GCOV = {"exceptions.cc": 1, "loops.c": 1}


@pytest.mark.parametrize("source, status", [("exceptions.cc", 0), ("jumps.c", 3), ("conditions.c", 3), ("labels.c", 0),
                                            ("setjmps.c", 0), ("cases.cc", 0), ("loops.c", 0)])
def test_totals_are_gcovs(project, source, status):
    gcov = build_both(project, source, LINES, (), status)
    expected = gcov_totals(gcov_files(project, gcov))[source]
    covered, total = expected["lines"]
    expected["lines"] = (covered + MISSED_BY_GCOV.get(source, 0), total)
    found = files_of(project)[source]
    assert {key: (found[key]["covered"], found[key]["total"]) for key in expected} == expected


def branches_by_line(files, source="prog.c"):
    """Returns the sorted counts of the outcomes on each line of a file, as gcov reports them."""
    found = collections.defaultdict(list)
    for file in files:
        for line in file["lines"]:
            if file["file"] == source and line["branches"]:
                found[line["line_number"]] += [branch["count"] for branch in line["branches"]]
    return {line: sorted(counts) for line, counts in found.items()}


def exported_branches(project, source="prog.c"):
    """Returns the same of the export in LCOV format."""
    found = collections.defaultdict(list)
    text = project.pathdump("export", "--format=lcov", "prog.pathprof").stdout
    record = text[text.index(f"SF:{source}\n"):].split("end_of_record")[0]
    for line, count in re.findall(r"^BRDA:(\d+),\d+,\d+,(-|\d+)$", record, re.MULTILINE):
        found[int(line)].append(0 if count == "-" else int(count))
    return {line: sorted(counts) for line, counts in found.items()}


@pytest.mark.parametrize("source, status", [("choices.cc", 0), ("exceptions.cc", 0), ("conditions.c", 3), ("cases.cc", 0),
                                            ("loops.c", 0)])
def test_branches_of_each_line_are_gcovs(project, source, status):
    gcov = build_both(project, source, LINES, (), status)
    assert exported_branches(project, source) == branches_by_line(gcov_files(project, gcov), source)


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_totals_of_random_programs(project, seed):
    options = ("-O0", "-g", "-w", *FLAGS_WITHOUT_LEVEL)
    project.write("prog.c", Program(seed).text)
    project.gcc(*options, "prog.c", "-o", "prog")
    project.run("./prog")
    suffix = version_suffix(project)
    project.run("gcc" + suffix, *options, "--coverage", "prog.c", "-o", "plain")
    project.run("./plain")
    files = gcov_files(project, "gcov" + suffix)
    expected, found = gcov_totals(files)["prog.c"], files_of(project)["prog.c"]
    theirs, ours = branches_by_line(files), exported_branches(project)
    # gcov omits the outcomes of some switch statements.
    text = (project.folder / "prog.c").read_text().splitlines()
    omitted = [line for line in ours if line not in theirs]
    assert all(text[line - 2].strip() == "switch (" for line in omitted)
    assert {line: counts for line, counts in ours.items() if line not in omitted} == theirs
    expected["branches"] = tuple(all_ + len([count for line in omitted for count in ours[line] if count or not is_covered])
                                 for all_, is_covered in zip(expected["branches"], (True, False)))
    assert {key: (found[key]["covered"], found[key]["total"]) for key in expected} == expected
    assert expected["branches"][0] > 0


# ---- exclusion markers ----

MARKED = """\
#include <stdio.h>
static int g(int x) {
  if (x > 100)  // LCOV_EXCL_BR_LINE
    return 1;   // GCOVR_EXCL_LINE
  // LCOV_EXCL_START
  if (x > 200)
    return 2;
  // LCOV_EXCL_STOP
  return 0;
}
static int h(int x) { // GCOV_EXCL_START
  return x ? 1 : 2;
} // GCOV_EXCL_STOP
int main(int argc, char **argv) {
  (void) argv;
  // GCOVR_EXCL_BR_START
  if (argc > 1)
    puts("many");
  // GCOVR_EXCL_BR_STOP
  for (int i = 0; i < 3; i++)
    if (i == 1) puts("one"); // LCOV_EXCL_BR_LINE
  return argc > 5 ? g(h(argc)) : g(1);
}
"""


def compile_and_run(project, text, *options, name="prog.c"):
    project.write(name, text)
    project.gcc("-O0", "-g", name, *options, "-o", "prog")
    project.run("./prog")


@pytest.mark.skipif(shutil.which("gcovr") is None, reason="needs gcovr")
def test_markers_as_gcovr(project):
    compile_and_run(project, MARKED)
    found = files_of(project)["prog.c"]
    project.run("gcc", "-O0", "-g", "--coverage", "prog.c", "-o", "plain")
    project.run("./plain")
    report = json.loads(project.run("gcovr", "--json-summary").stdout)["files"][0]
    for kind, name in (("lines", "line"), ("branches", "branch")):
        assert found[kind] == tally(report[f"{name}_covered"], report[f"{name}_total"])


def test_markers(project):
    compile_and_run(project, MARKED)
    found = files_of(project)["prog.c"]
    assert found["functions"] == tally(2, 2)  # without h
    assert found["excluded"]["lines"] == 5 and found["excluded"]["branches"] == 10
    text = project.run(BIN / "pathdump", "coverage", "prog.pathprof").stdout
    assert "5 lines" in text and "10 branches" in text


def test_paths_through_excluded_lines(project):
    """The paths through line 4 do not count, executed or not."""
    compile_and_run(project, """\
int f(int x, int y) {
  int r = 0;
  if (x)
    r++; // GCOVR_EXCL_LINE
  if (y)
    r += 2;
  return r;
}
int main(void) { return f(1, 1) + f(0, 0) - 3; }
""")
    paths = {function["name"]: (function["executed"], function["num_paths"])
             for function in summary(project)["functions"]}
    assert paths["f"] == (1, "2")


def test_markers_of_a_changed_source(project):
    """The lines of a source that has changed since it was compiled are not known, so its markers exclude nothing."""
    compile_and_run(project, MARKED.replace("_EXCL_", "_"))
    plain = files_of(project)["prog.c"]
    compile_and_run(project, MARKED)
    assert files_of(project)["prog.c"] != plain
    project.write("prog.c", "// new\n" + MARKED)
    done = project.run(BIN / "pathdump", "coverage", "--json", "prog.pathprof")
    (found,) = json.loads(done.stdout)["files"]
    assert found == plain and found["excluded"] == {"lines": 0, "branches": 0}
    assert re.search(r"warning: prog\.c has changed since .*, and its exclusion markers were not applied$", done.stderr, re.M)


@pytest.mark.parametrize("text, what", [("// LCOV_EXCL_START", "1.*LCOV_EXCL_START"),
                                        ("int x; // LCOV_EXCL_STOP", "1.*LCOV_EXCL_STOP"),
                                        ("// GCOVR_EXCL_START GCOVR_EXCL_START", "1.*GCOVR_EXCL_START")])
def test_markers_without_effect(project, text, what):
    compile_and_run(project, text + "\nint main(void) { return 0; }\n")
    done = project.run(BIN / "pathdump", "coverage", "--json", "prog.pathprof")
    assert re.search(rf"prog.c.*{what}", done.stderr)
    (file,) = json.loads(done.stdout)["files"]
    assert file["lines"]["total"] == 1


THROWING = """\
#include <cstdio>
struct Guard { ~Guard() { std::puts("left"); } };
static int check(int x) {
  if (x > 3)
    throw x;
  return x;
}
int main(int argc, char **) {
  Guard guard;
  int sum = 0;
  for (int i = 0; i < 6; i++)
    try {
      sum += check(i + argc - 1);
      sum += check(i / 2);  // LCOV_EXCL_EXCEPTION_BR_LINE
    } catch (int) {
      sum--;
    }
  return sum > 99;
}
"""


def test_exceptions(project):
    project.write("prog.cc", THROWING)
    project.gxx("-O0", "-g", "prog.cc", "-o", "prog")
    project.run("./prog")
    all_edges, without = files_of(project)["prog.cc"], files_of(project, "--no-exceptions")["prog.cc"]
    assert without["branches"] == tally(5, 6)  # if, for, and whether a handler catches the exception
    assert all_edges["branches"]["total"] > without["branches"]["total"]
    assert all_edges["excluded"]["branches"] == 1
    assert int(without["num_paths"]) < int(all_edges["num_paths"])
    assert without["lines"] == all_edges["lines"]
    functions = {function["demangled"]: function for function in summary(project, "--no-exceptions")["functions"]}
    assert functions["main"]["executed"] <= int(functions["main"]["num_paths"])


@pytest.mark.skipif(shutil.which("gcovr") is None, reason="needs gcovr")
def test_exceptions_as_gcovr(project):
    project.write("prog.cc", THROWING.replace("LCOV_EXCL_EXCEPTION_BR_LINE", ""))
    project.gxx("-O0", "-g", "prog.cc", "-o", "prog")
    project.run("./prog")
    project.run("g++", "-O0", "-g", "--coverage", "prog.cc", "-o", "plain")
    project.run("./plain")
    report = json.loads(project.run("gcovr", "--json-summary").stdout)["files"][0]
    found = files_of(project)["prog.cc"]["branches"]
    assert (found["covered"], found["total"]) == (report["branch_covered"], report["branch_total"])


# ---- the choice of files ----


@pytest.fixture
def tree(project):
    """A source tree with a header, built in another directory, that includes a header from outside of the tree."""
    project.write("outside/out.h", "static inline int out(int x) { return x > 0 ? x : -x; }\n")
    project.write("tree/include/in.h", "static inline int in(int x) { if (x > 9) return 1; return 0; }\n")
    project.write("tree/src/main.c", '#include "in.h"\n#include "out.h"\nint main(void) { return in(3) + out(0); }\n')
    project.run("git", "init", "-q", "tree")
    (project.folder / "tree/build").mkdir()
    return project


def in_build(project, *arguments, status=0):
    return project.run("sh", "-c", 'cd tree/build && "$@"', "sh", *arguments, status=status)


def names(project, *arguments, status=0):
    done = in_build(project, BIN / "pathdump", "coverage", "--json", *arguments, "prog.pathprof", status=status)
    return [file["file"] for file in json.loads(done.stdout)["files"]]


def test_root(tree):
    in_build(tree, BIN / "pathprof-gcc", "-O0", "-g", "-I../include", "-I../../outside", "../src/main.c", "-o", "prog")
    in_build(tree, "./prog")
    assert names(tree) == ["include/in.h", "src/main.c"]
    outside = [name for name in names(tree, "--all") if name not in ("include/in.h", "src/main.c")]
    assert len(outside) == 1 and outside[0].endswith("outside/out.h")
    assert names(tree, "--root", "..") == ["include/in.h", "src/main.c"]
    assert names(tree, "--root", "../..") == ["outside/out.h", "tree/include/in.h", "tree/src/main.c"]
    assert names(tree, "--root", "../src") == ["main.c"]
    assert names(tree, "--include", "main") == ["src/main.c"]
    assert names(tree, "--include", "include/*") == ["include/in.h"]
    assert names(tree, "--exclude", "*/in.h") == ["src/main.c"]
    assert names(tree, "--exclude", "main") == ["include/in.h"]
    done = in_build(tree, BIN / "pathdump", "coverage", "--root", "none", "prog.pathprof", status=2)
    assert_one_line(done.stderr, "pathdump: ", "none")


def test_profile_from_elsewhere(tree):
    """The sources are outside of the work tree that contains the working directory: nothing is left out."""
    in_build(tree, BIN / "pathprof-gcc", "-O0", "-g", "-I../include", "-I../../outside", "../src/main.c", "-o", "prog")
    in_build(tree, "./prog")
    tree.run("git", "init", "-q", "other")
    done = tree.run("sh", "-c", f"cd other && {BIN}/pathdump coverage --json ../tree/build/prog.pathprof")
    assert len(json.loads(done.stdout)["files"]) == 3


# ---- lists and thresholds ----

LISTED = """\
static int f(int x) {
  if (x > 3)
    return 1;
  return 0;
}
static int g(int x) {
  return x ? f(x) : 0;
}
int main(int argc, char **argv) {
  (void) argv;
  return argc > 1 ? g(argc) : f(argc);
}
"""


def test_lists(project):
    compile_and_run(project, LISTED)
    found = summary(project, "--lines", "--branches")
    assert found["missing_lines"] == [{"file": "prog.c", "line": line} for line in (3, 6, 7)]
    assert [(one["line"], one["outcome"]) for one in found["missing_branches"]] == [(2, "T"), (11, "T")]
    text = project.run(BIN / "pathdump", "coverage", "--lines", "--branches", "prog.pathprof").stdout
    assert re.search(r"^prog\.c +3-?.*, 6-7$|^prog\.c +3, 6-7$", text, re.M)
    assert re.search(r"^prog\.c:2 +T$", text, re.M) and re.search(r"^prog\.c:11 +T$", text, re.M)


@pytest.mark.parametrize("kind, share", [("line", 62.5), ("branch", 33.3), ("function", 66.6), ("path", 33.3)])
def test_thresholds(project, kind, share):
    compile_and_run(project, LISTED)
    met = project.run(BIN / "pathdump", "coverage", f"--fail-under-{kind}", share, "prog.pathprof")
    assert met.stderr == ""
    missed = project.run(BIN / "pathdump", "coverage", f"--fail-under-{kind}={share + 1}", "prog.pathprof", status=1)
    assert_one_line(missed.stderr, "pathdump: coverage: ")
    assert kind in missed.stderr or "branches" in missed.stderr


@pytest.mark.parametrize("report", [["--conditions"], ["--prime"], ["--changed-since", "HEAD"]], ids=lambda report: report[0])
@pytest.mark.parametrize("option", [["--branches"], ["--no-exceptions"], ["--fail-under-function=3"]],
                         ids=lambda option: option[0])
def test_options_of_the_summary(project, report, option):
    compile_and_run(project, LISTED)
    done = project.run(BIN / "pathdump", "coverage", *report, *option, "prog.pathprof", status=2)
    assert_one_line(done.stderr, "pathdump: coverage: ", report[0], option[0].split("=")[0].replace("-function", "-"))


def test_threshold_of_conditions(project):
    compile_and_run(project, LISTED, "-fplugin-arg-pathprof-stage=early", "-O1")
    missed = project.run(BIN / "pathdump", "coverage", "--fail-under-condition", 10, "prog.pathprof", status=1)
    assert "conditions" in missed.stderr


UNMEASURED = """static volatile char bits[16];
static int f(int a, int b) { return a && b; }
int main(void) {
  int n = CALLS;
  if (MANY) return n;
  return 0;
}
"""
MANY = " && ".join(f"(bits[{i}] || bits[{i + 1}])" for i in range(0, 16, 2))


def with_unmeasured(project, calls):
    """Runs a program in which the decision of main() has too many paths to be measured."""
    text = UNMEASURED.replace("MANY", MANY).replace("CALLS", calls)
    project.write("prog.c", "".join(line for line in text.splitlines(True) if calls != "0" or "int f" not in line))
    project.gcc("-O0", "-g", "-fplugin-arg-pathprof-paths-max=20", "prog.c", "-o", "prog")
    project.run("./prog")


THRESHOLDS = [["--fail-under-condition"], ["--conditions", "--fail-under"]]


@pytest.mark.parametrize("options", THRESHOLDS, ids=lambda options: options[0])
def test_threshold_without_measured_conditions(project, options):
    with_unmeasured(project, "0")
    missed = project.pathdump("coverage", *options, "100", "prog.pathprof", status=1)
    assert missed.stderr.splitlines() == [
        "pathdump: warning: coverage: the threshold for conditions does not include 1 decision that could not be measured; "
        "--conditions lists it", "pathdump: coverage: no conditions were measured"]
    assert "100.00%" not in project.pathdump("coverage", "--conditions", "prog.pathprof").stdout
    project.pathdump("coverage", *options, "0", "prog.pathprof")


@pytest.mark.parametrize("options", THRESHOLDS, ids=lambda options: options[0])
def test_unmeasured_decisions(project, options):
    with_unmeasured(project, "f(1, 1) + f(1, 0) + f(0, 1)")
    total = summary(project)["total"]
    assert total["conditions"] == tally(2, 2) and total["decisions_not_measured"] == 1
    text = project.pathdump("coverage", "prog.pathprof").stdout
    assert "\nnot included in conditions: 1 decision that could not be measured; --conditions lists it\n" in text
    assert "\nconditions: shown to affect their decision independently (masking MC/DC)\n" in text
    met = project.pathdump("coverage", *options, "100", "prog.pathprof")
    assert_one_line(met.stderr, "pathdump: warning: coverage: ", "1 decision that could not be measured")


@pytest.mark.parametrize("options", THRESHOLDS, ids=lambda options: options[0])
def test_messages_of_missed_conditions(project, options):
    compile_and_run(project, "int main(int argc, char **argv) {\n  return argc > 0 && argv[0] ? 0 : 1;\n}\n")
    missed = project.pathdump("coverage", *options, "60", "prog.pathprof", status=1)
    assert missed.stderr == "pathdump: coverage: conditions: 0.00% (0/2) is below the threshold of 60%\n"


def test_conditions_of_an_excluded_function(project):
    """The marker excludes the function, but not the decision on another line."""
    compile_and_run(project, "int main(int argc, char **argv) { // LCOV_EXCL_LINE\n  return argc > 0 && argv[0] ? 0 : 1;\n}\n")
    assert summary(project)["total"]["conditions"] == tally(0, 2)
    assert summary(project, "--conditions")["total"]["conditions"] == 2


def test_legend_of_the_summary(project):
    compile_and_run(project, "int main(void) {\n  return 0;\n}\n")
    assert "conditions:" not in project.pathdump("coverage", "prog.pathprof").stdout


# ---- code that was never executed ----

UNITS = {
    "main.c": "int used(int);\nint main(void) { return used(0); }\n",
    "used.c": "int used(int x) {\n  if (x)\n    return 1;\n  return 0;\n}\n",
    "unused.c": "int unused(int x) {\n  if (x)\n    return 2;\n  return 3;\n}\n",
}


@pytest.fixture
def units(project):
    """A program of two units, and an object that it does not contain."""
    for name, text in UNITS.items():
        project.write(name, text)
    project.gcc("-O0", "-g", "-c", *UNITS)
    project.gcc("main.o", "used.o", "-o", "prog")
    project.run("./prog")
    return project


def lines_by_file(project, *arguments):
    return {name: (file["lines"]["covered"], file["lines"]["total"]) for name, file in files_of(project, *arguments).items()}


WITHOUT_UNUSED = {"main.c": (1, 1), "used.c": (3, 4)}
WITH_UNUSED = {**WITHOUT_UNUSED, "unused.c": (0, 4)}


def test_objects(units):
    assert lines_by_file(units) == WITHOUT_UNUSED
    assert lines_by_file(units, "--objects", "unused.o") == WITH_UNUSED
    assert lines_by_file(units, "--objects", ".") == WITH_UNUSED
    assert lines_by_file(units, "--objects", "main.o") == WITHOUT_UNUSED
    assert summary(units, "--objects", "unused.o")["total"]["functions"] == tally(2, 3)


@pytest.mark.parametrize("options", [(), ("-fPIC", "-shared"), ("-static",), ("-no-pie",), ("-Wl,-z,now,-z,pack-relative-relocs",)],
                         ids="pie shared static no-pie relr".split())
def test_linked_files(units, options):
    units.write("other.c", "int unused(int);\nint main(void) { return unused(0); }\n")
    done = units.gcc("-O0", "-g", *options, "other.c", "unused.c", "-o", "other", status=None)
    if done.returncode:
        pytest.skip("the linker does not accept these options")
    assert lines_by_file(units, "--objects", "other") == {**WITH_UNUSED, "other.c": (0, 1)}


def test_archive(units):
    units.run("ar", "rcs", "libunits.a", "unused.o", "used.o")
    assert lines_by_file(units, "--objects", "libunits.a") == WITH_UNUSED


def test_objects_of_other_sources(units):
    """An object of a newer version of a source file would make its lines appear twice."""
    units.write("used.c", "int used(int x) {\n  return x;\n}\n")
    units.gcc("-O0", "-g", "-c", "used.c")
    done = units.run(BIN / "pathdump", "coverage", "--json", "--objects", ".", "prog.pathprof")
    assert "used.c; code that only these files contain is missing from the totals" in done.stderr and "unused.c" not in done.stderr
    assert {file["file"]: file["lines"]["total"] for file in json.loads(done.stdout)["files"]} == {
        "main.c": 1, "used.c": 4, "unused.c": 4}


def test_objects_of_another_build(units):
    """They would add the functions of the program once more, without executions. A second program from the same sources is no such build."""
    before = files_of(units, "--objects", ".")
    units.gcc("-O2", "-g", "-c", *UNITS)
    units.gcc("main.o", "used.o", "-o", "other")
    assert files_of(units, "--objects", ".")["used.c"]["branches"] == tally(1, 4)
    shutil.move(units.folder / "other", units.folder / "prog")
    done = units.run(BIN / "pathdump", "coverage", "--json", "--objects", ".", "prog.pathprof")
    assert_mentions(done.stderr, "warning", "built again", "used.c", "earlier build", "run the tests again")
    assert "unused.c" not in done.stderr
    after = {file["file"]: file for file in json.loads(done.stdout)["files"]}
    assert all(after[name] == before[name] for name in WITHOUT_UNUSED) and after["unused.c"]["branches"] == tally(0, 2)
    done = units.run(BIN / "pathdump", "coverage", "--evidence=evidence", "--objects", ".", "prog.pathprof", status=3)
    assert_mentions(done.stderr, "--evidence", "used.c was compiled again")


def test_manifest(units):
    for name in ("main.o", "used.o", "unused.o", "prog", "prog.pathprof"):
        (units.folder / name).unlink()
    units.write("Makefile", "all: prog unused.o\nprog: main.o used.o\n\t$(CC) $^ -o $@\n%.o: %.c\n\t$(CC) -O0 -g -c $<\n")
    units.run(BIN / "pathprof", "build", "--", "make")
    assert (units.folder / "pathprof.objects").read_text().split() == ["main.o", "prog", "unused.o", "used.o"]
    units.run("./prog")
    assert lines_by_file(units) == WITH_UNUSED
    assert lines_by_file(units, "--manifest", "pathprof.objects") == WITH_UNUSED
    (units.folder / "unused.o").unlink()
    (units.folder / "main.o").unlink()
    units.run(BIN / "pathprof", "build", "--", "make", "main.o")
    assert (units.folder / "pathprof.objects").read_text().split() == ["main.o", "prog", "used.o"]
    assert lines_by_file(units) == WITHOUT_UNUSED


@pytest.fixture
def built(units):
    """The program, built by `pathprof build`, which lists its files; an assembler file contains no instrumented code."""
    for name in ("main.o", "used.o", "unused.o", "prog", "prog.pathprof"):
        (units.folder / name).unlink()
    units.write("code.s", ".data\nvalue: .long 1\n")
    units.write("Makefile", "all: prog unused.o code.o\nprog: main.o used.o\n\t$(CC) $^ -o $@\n"
                            "%.o: %.c\n\t$(CC) -O0 -g -c $<\n%.o: %.s\n\t$(CC) -c $<\n")
    units.run(BIN / "pathprof", "build", "--", "make")
    units.run("./prog")
    return units


LOSSES = {"missing": lambda file: file.unlink(), "empty": lambda file: file.write_bytes(b"")}


@pytest.mark.parametrize("loss", [*LOSSES, "not instrumented"])
@pytest.mark.parametrize("options", [[], ["--manifest", "pathprof.objects"]], ids=["found", "given"])
def test_lost_objects(built, loss, options):
    done = built.run(BIN / "pathdump", "coverage", "--json", *options, "prog.pathprof")
    assert done.stderr == "" and "code.o" not in (built.folder / "pathprof.objects").read_text()
    if loss in LOSSES:
        LOSSES[loss](built.folder / "unused.o")
    else:
        built.run("gcc", "-c", "unused.c")
    done = built.run(BIN / "pathdump", "coverage", "--json", *options, "prog.pathprof")
    fault = "are missing" if loss == "missing" else "no longer contain instrumented code"
    assert_one_line(done.stderr, "pathdump: warning: pathprof.objects: ", f"{fault}: unused.o;", "build again with 'pathprof build'")
    done = built.run(BIN / "pathdump", "coverage", "--evidence=evidence", *options, "prog.pathprof", status=3)
    assert_mentions(done.stderr, "unused.o", "pathprof build")
    manifest = json.loads((built.folder / "evidence/manifest.json").read_text())
    assert [row["name"] for row in manifest["left_out"]] == ["unused.o"] and not manifest["verdict"]["passed"]
    assert "unused.o" in manifest["verdict"]["reasons"][0] and "unused.o" not in [row["file"] for row in manifest["objects"]]
    (built.folder / "unused.o").unlink(missing_ok=True)
    built.run(BIN / "pathprof", "build", "--", "make")
    assert built.run(BIN / "pathdump", "coverage", "--json", *options, "prog.pathprof").stderr == ""
    assert lines_by_file(built) == WITH_UNUSED


def test_objects_that_stay_lost(built):
    """A build that does not compile the file again does not hide that the file is no longer instrumented."""
    built.run("gcc", "-c", "unused.c")
    built.run(BIN / "pathprof", "build", "--", "make")
    assert "unused.o" in (built.folder / "pathprof.objects").read_text()
    assert "unused.o" in built.run(BIN / "pathdump", "coverage", "prog.pathprof").stderr


@pytest.mark.parametrize("damage", [lambda data: data[:700], lambda data: data[:64] + b"\xff" * 400 + data[464:]])
def test_damaged_object(units, damage):
    data = (units.folder / "unused.o").read_bytes()
    (units.folder / "bad.o").write_bytes(damage(data))
    done = units.run(BIN / "pathdump", "coverage", "--objects", "bad.o", "prog.pathprof", status=None)
    assert done.returncode in (0, 3)
    if done.returncode:
        assert_one_line(done.stderr, "pathdump: bad.o")


def test_missing_object(units):
    done = units.run(BIN / "pathdump", "coverage", "--objects", "none.o", "prog.pathprof", status=3)
    assert_one_line(done.stderr, "pathdump: none.o")


def test_objects_in_every_report(units):
    """Decisions and prime paths of code that was never executed are not covered."""
    for name in ("main.o", "used.o", "unused.o", "prog.pathprof"):
        (units.folder / name).unlink()
    units.gcc("-O0", "-g", "-fplugin-arg-pathprof-mode=kipf", "-fplugin-arg-pathprof-k=auto", "-c", *UNITS)
    units.gcc("main.o", "used.o", "-o", "prog")
    units.run("./prog")
    for option in ("--conditions", "--prime"):
        names = {function["name"] for function in summary(units, option)["functions"]}
        assert "unused" not in names
        names = {function["name"] for function in summary(units, option, "--objects", ".")["functions"]}
        assert "unused" in names


# ---- source files ----


@pytest.mark.parametrize("text", ['puts("end LCOV_EXCL_LINE");', "puts(\"\"); // XLCOV_EXCL_LINE", "puts(\"\"); // LCOV_EXCL_LINES"])
def test_markers_apply_anywhere(project, text):
    """As in lcov and gcovr, which search for the text of a marker in the line."""
    compile_and_run(project, f"#include <stdio.h>\nint main(void) {{\n  {text}\n  return 0;\n}}\n")
    assert summary(project)["total"]["excluded"]["lines"] == 1


def test_missing_sources(units):
    """Their markers cannot be applied. One warning names the files, and the evidence contains it."""
    units.write("used.c", "int used(int x) {\n  if (x) // LCOV_EXCL_LINE\n    return 1; // LCOV_EXCL_LINE\n  return 0;\n}\n")
    units.gcc("-O0", "-g", "main.c", "used.c", "-o", "prog")
    (units.folder / "prog.pathprof").unlink()
    units.run("./prog")
    assert lines_by_file(units)["used.c"] == (2, 2)
    os.rename(units.folder / "used.c", units.folder / "away.c")
    done = units.run(BIN / "pathdump", "coverage", "--evidence=evidence", "--json", "prog.pathprof")
    messages = [line for line in done.stderr.splitlines() if "files written" not in line]
    assert_one_line("\n".join(messages) + "\n", "pathdump: warning: source not found: used.c; exclusion markers and justifications", "--source-prefix")
    warnings = json.loads((units.folder / "evidence/manifest.json").read_text())["warnings"]
    assert [f"pathdump: warning: {warning}" for warning in warnings] == messages


def test_warnings_are_printed_once(project):
    """One of two units was compiled before the file was edited, so that the report reads the file for each of them."""
    text = "static int NAME(void) { // LCOV_EXCL_STOP\n  return 1; // PATHPROF_JUSTIFY()\n}\n"
    for name in ("a", "b"):
        project.write("head.h", text + f"// {name}\n")
        project.write(f"{name}.c", f'#define NAME one_{name}\n#include "head.h"\nint {name}(void) {{ return NAME(); }}\n')
        project.gcc("-O0", "-g", "-c", f"{name}.c")
    project.write("main.c", "int a(void), b(void);\nint main(void) { return a() - b(); }\n")
    project.gcc("-O0", "-g", "main.c", "a.o", "b.o", "-o", "prog")
    project.run("./prog")
    lines = project.run(BIN / "pathdump", "coverage", "prog.pathprof").stderr.splitlines()
    assert len([line for line in lines if "head.h: line" in line]) == 2 and len(set(lines)) == len(lines)

