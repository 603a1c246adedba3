# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports for other tools: LCOV, Cobertura, Graphviz and CSV, read by those tools; the schema of the JSON."""

import csv
import gzip
import io
import json
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import jsonschema
import pytest

from conftest import MODES, branch, loop, need, version_suffix
from programs import LOOPS_AND_CALLS
from test_gcov import LINES, build_both

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.append(str(HERE.parent / "real"))
import gcov_lines  # noqa: E402

SCHEMA = json.loads((ROOT / "doc/pathprof.schema.json").read_text())
HOSTILE = 'a"b\\n<c>&\'d,e'


def export(project, form, *arguments):
    return project.pathdump("export", f"--format={form}", *arguments, "prog.pathprof").stdout


# ---- LCOV ----


# Texts of lines that are executed although gcov reports 0.
FALSE_ZEROS_OF_GCOV = {"exceptions.cc": "std::thread thread("}


@pytest.mark.parametrize("source, status, mode", [
    (source, status, mode)
    for source, status in (("exceptions.cc", 0), ("jumps.c", 3), ("noreturn.cc", 5), ("forks.c", 6),
                           ("processes.c", 0), ("prog.cc", 0))
    for mode in ("acyclic", "context", "piecewise")])
def test_lcov_lines_are_gcovs(project, source, status, mode):
    language = "g++" if source.endswith(".cc") else "gcc"
    suffix = version_suffix(project)
    project.write(source, LOOPS_AND_CALLS if source == "prog.cc" else (HERE / "gcov" / source).read_text())
    options = ("-O0", "-g", "-pthread")
    driver = project.gxx if language == "g++" else project.gcc
    driver(*options, "-fplugin-arg-pathprof-stage=source", "-fplugin-arg-pathprof-termination=exact",
           f"-fplugin-arg-pathprof-mode={mode}", source, "-o", "prog")
    project.run("./prog", status=status)
    project.run(language + suffix, *options, "--coverage", source, "-o", "plain")
    project.run("./plain", status=status)
    ours = gcov_lines.read_tracefile(export(project, "lcov"))
    gcov = gcov_lines.read_gcov("gcov" + suffix, project.folder).lines
    # gcov has no lines of headers that only templates and inline functions of the library lie in, unless they are there.
    ours, gcov = ({place: count for place, count in lines.items() if place[0] == source} for lines in (ours, gcov))
    # gcov reports that the thread is never created, because it takes the last block of main for the exit.
    for number, line in enumerate((project.folder / source).read_text().splitlines(), 1):
        place = source, number
        if FALSE_ZEROS_OF_GCOV.get(source, "\0") not in line:
            continue
        assert gcov[place] == 0 and ours[place] > 0
        del gcov[place], ours[place]
    assert ours == gcov
    assert len(ours) > 15


ARGUMENTS = """\
#include <stdlib.h>

static int stop (int n, ...)
{
  if (n == 1)
    exit (0);
  return n;
}

static inline __attribute__ ((always_inline)) int pass_on (int n, ...)
{
  return stop (n, __builtin_va_arg_pack ());
}

int main (int argc, char **argv)
{
  int sum = pass_on (0, 1);
  sum += pass_on (argc, 2);
  return sum;
}
"""


def test_lines_where_arguments_are_passed_on(project):
    """Of such a call paths cannot take more arguments."""
    project.write("prog.c", ARGUMENTS)
    lines = []
    for mode in ("acyclic", "context", "piecewise"):
        project.gcc("-O0", "-g", "-fplugin-arg-pathprof-stage=source", "-fplugin-arg-pathprof-termination=exact",
                    f"-fplugin-arg-pathprof-mode={mode}", "prog.c", "-o", "prog")
        (project.folder / "prog.pathprof").unlink(missing_ok=True)
        project.run("./prog")
        lines.append(gcov_lines.read_tracefile(export(project, "lcov")))
    assert lines[0] == lines[1] == lines[2] and lines[0]["prog.c", 5] == 2


def records(text, kind):
    return [line[len(kind) + 1:] for line in text.splitlines() if line.startswith(kind + ":")]


def test_lcov_records(pathdump, make_profile):
    make_profile([loop(), branch(lines=(31, 33), counts=(4, 0)), branch("h", line=40, lines=(41, 43), counts=(0, 0))])
    text = pathdump("export", "--format=lcov").stdout
    assert records(text, "SF") == ["a.c"]
    assert records(text, "FN") == ["10,21,f", "30,33,g", "40,43,h"]
    assert records(pathdump("export", "--format=lcov", "--style=lcov1").stdout, "FN") == ["10,f", "30,g", "40,h"]
    assert records(text, "FNDA") == ["10,f", "4,g", "0,h"]
    assert (records(text, "FNF"), records(text, "FNH")) == (["3"], ["2"])
    assert records(text, "BRDA") == ["13,0,0,30", "13,0,1,10", "14,0,0,10", "14,0,1,20", "30,0,0,4", "30,0,1,0", "40,0,0,-",
                                     "40,0,1,-"]
    assert (records(text, "BRF"), records(text, "BRH")) == (["8"], ["5"])
    lines = dict(tuple(map(int, record.split(","))) for record in records(text, "DA"))
    assert (lines[11], lines[13], lines[15], lines[17], lines[31], lines[33], lines[43]) == (10, 40, 10, 20, 4, 0, 0)
    assert records(text, "LF") == [str(len(lines))]
    assert records(text, "LH") == [str(sum(count > 0 for count in lines.values()))]


DECISIONS = """\
#include <stdio.h>
template <typename T> static int both (T a, T b) { return a > 0 && b > 0; }
static int mixed (int a, int b, int c)
{
  int n = (a && b) + (b && c) + (a || b || c);
  if (a
      || (b, c))
    n++;
  return n;
}
int main ()
{
  return both (1, 1) + both (0L, 1L) + both (1, 0) + mixed (1, 1, 0) + mixed (0, 0, 0) == 0;
}
"""


def test_mcdc_records(project):
    project.write("prog.cc", DECISIONS)
    project.gxx("-O0", "-g", "-fplugin-arg-pathprof-conditions=1", "prog.cc", "-o", "prog")
    project.run("./prog")
    text = export(project, "lcov")
    records = re.findall(r"^MCDC:(\d+),(\d+),([tf]),(\d+),(\d+),(.+)$", text, re.M)
    # Instances of a template are one; line 5 has two decisions of one size, so all of the line are one group.
    assert {("2", "2"), ("5", "7"), ("6", "2")} <= {(line, size) for line, size, *_ in records}
    assert len({(line, size) for line, size, *_ in records}) == len({line for line, *_ in records})
    both = [record[2:] for record in records if record[0] == "2"]
    assert both == [("t", "1", "0", "a > 0"), ("f", "1", "0", "a > 0"), ("t", "1", "1", "b > 0"), ("f", "1", "1", "b > 0")]
    assert [record[4] for record in records if record[0] == "5"] == [str(i // 2) for i in range(14)]
    totals = dict(re.findall(r"^(MC[FH]):(\d+)$", text, re.M))
    assert int(totals["MCF"]) == len(records) and int(totals["MCH"]) == sum(record[3] == "1" for record in records)
    # What `coverage --conditions` says of each decision.
    report = project.pathdump.json("coverage", "--conditions", "--json", "prog.pathprof")
    mixed = next(function for function in report["functions"] if function["demangled"].startswith("mixed"))
    told = [(value[0], int(condition["shows_effect"][value])) for decision in mixed["decision_list"] if decision["line"] == 5
            for condition in decision["conditions"] for value in ("true", "false")]
    assert [(sense, int(taken)) for line, _, sense, taken, _, _ in records if line == "5"] == told
    xml = ElementTree.fromstring(export(project, "cobertura").split("\n", 2)[2])
    conditions = [condition for lines in xml.iterfind(".//class/lines") for line in lines if line.get("number") == "2" for condition in line.iter("condition")
                  if condition.get("type") == "mcdc"]
    assert [condition.get("coverage") for condition in conditions] == ["100%", "100%"]
    assert len(list(xml.iter("condition"))) == len({(id(line), condition.get("number")) for line in xml.iter("line")
                                                    for condition in line.iter("condition")})


def lcov_version(project):
    return int(re.search(r"version (\d+)", project.run("lcov", "--version").stdout)[1])


@pytest.mark.parametrize("options", [(), ("--mcdc-coverage",)])
def test_lcov_reads_mcdc(project, options):
    """Those before 2 leave the records alone."""
    need("lcov")
    if options and lcov_version(project) < 2:
        pytest.skip("lcov 2 knows MC/DC")
    project.write("prog.cc", DECISIONS)
    project.gxx("-O0", "-g", "-fplugin-arg-pathprof-conditions=1", "prog.cc", "-o", "prog")
    project.run("./prog")
    text = export(project, "lcov")
    (project.folder / "cov.info").write_text(text)
    summary = project.run("lcov", *options, "--summary", "cov.info")
    if options:
        totals = dict(re.findall(r"^(MC[FH]):(\d+)$", text, re.M))
        assert f"({totals['MCH']} of {totals['MCF']} condition" in summary.stdout + summary.stderr
    assert "lines" in summary.stdout + summary.stderr


def test_genhtml_reads_lcov(profiled):
    need("genhtml")
    project = profiled()
    old = lcov_version(project) < 2
    for style in ("lcov1", "lcov2") if old else ("lcov2",):
        project.write("cov.info", project.pathdump("export", "--format=lcov", f"--style={style}", "prog.pathprof").stdout)
        done = project.run("genhtml", "--branch-coverage", "cov.info", "-o", "html")
        assert re.search(r"lines\.+: 9\d", done.stdout) and re.search(r"branches\.+: ", done.stdout)
        # LCOV 2 prints a warning for languages in which it cannot determine the ends of functions.
        assert not re.search(r"WARNING(?!: \(unsupported\))", done.stderr), done.stderr
        assert (project.folder / "html/index.html").exists()
        if style == "lcov1" or not old:
            assert "1 of " not in project.run("lcov", "--summary", "cov.info").stderr


def test_last_lines_of_functions(project):
    """The last line with code, which is the line of the closing brace at the latest."""
    gcov = build_both(project, "exceptions.cc", LINES, (), 0)
    (data,) = project.folder.glob("*.gcda")
    project.run(gcov, "--json-format", data.name)
    text = export(project, "lcov")
    (name,) = (name for name in records(text, "SF") if name == "exceptions.cc")
    last = {int(first): int(end) for first, end, _ in (record.split(",", 2) for record in records(text, "FN"))}
    for output in project.folder.glob("*.gcov.json.gz"):
        for file in json.loads(gzip.decompress(output.read_bytes()))["files"]:
            if file["file"] != name:
                continue
            for function in file["functions"]:
                first, end = function["start_line"], function["end_line"]
                code = [line["line_number"] for line in file["lines"] if first <= line["line_number"] <= end]
                assert max(line for line in code if line < end or first == end) <= last.pop(first) <= end
    assert not last


# ---- Cobertura ----


@pytest.mark.parametrize("mode", MODES)
def test_cobertura_is_valid(profiled, mode):
    need("xmllint")
    project = profiled(mode)
    (project.folder / "cov.xml").write_text(export(project, "cobertura"))
    project.run("xmllint", "--noout", "--relaxng", HERE / "cobertura.rng", "cov.xml")
    root = ElementTree.parse(project.folder / "cov.xml").getroot()
    classes = {node.get("filename"): node for node in root.iter("class")}
    lines = {int(line.get("number")): line for line in classes["prog.cc"].find("lines")}
    methods = {int(line.get("number")): line for line in classes["prog.cc"].iterfind("methods/method/lines/line")}
    assert set(methods) == set(lines)  # nothing on a line is outside of functions
    lcov = {line: count for (file, line), count in gcov_lines.read_tracefile(export(project, "lcov")).items()
            if file == "prog.cc"}
    assert {number: int(line.get("hits")) for number, line in lines.items()} == lcov
    switch, never = (LOOPS_AND_CALLS[:LOOPS_AND_CALLS.index(text)].count("\n") + 1 for text in ("switch", "int never"))
    assert lines[switch].get("condition-coverage") == "100% (4/4)"
    assert lines[never].get("condition-coverage") == "0% (0/2)"
    assert int(root.get("lines-valid")) == sum(len(node.find("lines")) for node in classes.values())


# ---- SonarQube ----


@pytest.mark.parametrize("mode", MODES)
def test_sonarqube_is_valid(profiled, mode):
    need("xmllint")
    project = profiled(mode)
    project.write("sonar.xml", export(project, "sonarqube"))
    project.run("xmllint", "--noout", "--relaxng", HERE / "sonarqube.rng", "sonar.xml")
    files = ElementTree.parse(project.folder / "sonar.xml").getroot().findall("file")
    found = {(file.get("path"), int(line.get("lineNumber"))): line for file in files for line in file}
    assert {place: line.get("covered") == "true" for place, line in found.items()} == {
        place: count > 0 for place, count in gcov_lines.read_tracefile(export(project, "lcov")).items()}
    switch = LOOPS_AND_CALLS[:LOOPS_AND_CALLS.index("switch")].count("\n") + 1
    line = found["prog.cc", switch]
    assert (line.get("branchesToCover"), line.get("coveredBranches")) == ("4", "4")


# ---- Graphviz ----


@pytest.mark.parametrize("mode", MODES)
def test_dot_reads_dot(profiled, mode):
    need("dot")
    project = profiled(mode)
    text = export(project, "dot", "--function", "kind")
    done = subprocess.run(["dot", "-Tplain"], input=text, capture_output=True, text=True, timeout=900, check=True)
    assert done.stderr == ""
    function = next(f for f in json.loads(export(project, "json"))["functions"] if f["demangled"].startswith("kind"))
    rows = [row.split() for row in done.stdout.splitlines()]
    assert sorted((int(row[1]), int(row[2])) for row in rows if row[0] == "edge") == \
        sorted((edge["src"], edge["dst"]) for edge in function["edges"])
    assert sum(row[0] == "node" for row in rows) == len(function["blocks"])


def test_dot_counts(pathdump, make_profile):
    make_profile([branch(counts=(4, 6))])
    text = pathdump("export", "--format=dot").stdout
    assert '2 -> 3 [label="T\\n4"];' in text and '2 -> 4 [label="F\\n6"];' in text
    assert '3 [label="block 3\\na.c:31\\n4"' in text and "called 10 times" in text


def test_hostile_names(pathdump, make_profile):
    need("dot")
    need("xmllint")
    make_profile([branch(HOSTILE, file=HOSTILE)])
    dot = pathdump("export", "--format=dot").stdout
    drawn = subprocess.run(["dot", "-Tdot_json"], input=dot, capture_output=True, text=True, timeout=900, check=True)
    assert json.loads(drawn.stdout)["name"] == HOSTILE.replace("\\", "\\\\")  # Graphviz keeps both in a graph's name
    root = ElementTree.fromstring(pathdump("export", "--format=cobertura").stdout)
    assert [node.get("name") for node in root.iter("method")] == [HOSTILE]
    row = list(csv.DictReader(io.StringIO(pathdump("export", "--format=csv").stdout, newline="")))[0]
    assert (row["function"], row["file"]) == (HOSTILE, HOSTILE)


def test_rates_are_rounded_down(pathdump, make_profile):
    """A rate of 1 means complete coverage, even if only one of many lines was not executed."""
    many = branch(counts=(4, 0))
    many["blocks"][1]["lines"] = list(range(100, 30105))
    make_profile([many])
    root = ElementTree.fromstring(pathdump("export", "--format=cobertura").stdout)
    assert (root.get("line-rate"), root.get("branch-rate")) == ("0.9999", "0.5000")
    make_profile([branch(counts=(4, 1))])
    root = ElementTree.fromstring(pathdump("export", "--format=cobertura").stdout)
    assert (root.get("line-rate"), root.get("branch-rate")) == ("1.0000", "1.0000")


# ---- CSV ----


@pytest.mark.parametrize("mode", MODES)
def test_csv_has_the_jsons_paths(profiled, mode):
    project = profiled(mode)
    rows = list(csv.DictReader(io.StringIO(export(project, "csv"))))
    data = json.loads(export(project, "json"))
    wanted = {(f["name"], path["id"], str(path["count"]), path["start"], path["end"])
              for f in data["functions"] for path in f["paths"] + f.get("residual", [])}
    wanted |= {(path["id"], str(path["count"]), path["start"], path["end"])
               for program in data["program_paths"] for path in program["paths"]}
    found = {tuple(row[key] for key in ("function", "id", "count", "start", "end")[1 if row["unit"] else 0:]) for row in rows}
    assert found == wanted and len(rows) == len(wanted)
    assert {row["mode"] for row in rows} == {mode}


@pytest.mark.parametrize("mode", ["context", "piecewise"])
def test_selected_paths_through_calls(profiled, mode):
    project = profiled(mode)

    def ids(*selection):
        (program,) = json.loads(export(project, "json", *selection))["program_paths"]
        rows = csv.DictReader(io.StringIO(export(project, "csv", *selection)))
        found = {path["id"] for path in program["paths"]}
        assert found == {row["id"] for row in rows}
        return found

    assert set() < ids("--function", "_ZL4kindi") < ids("--function", "_ZL4kindi", "--function", "main") <= ids()
    assert ids("--function", "_ZL5depthi") < ids()
    nothing = project.pathdump("export", "--format=json", "--function", "nothing", "prog.pathprof", status=1)
    assert json.loads(nothing.stdout)["program_paths"][0]["paths"] == [] and "matches no function" in nothing.stderr


def test_csv_cycles_and_kinds(profiled):
    project = profiled("acyclic", "metric=tsc")
    rows = list(csv.DictReader(io.StringIO(export(project, "csv"))))
    assert all(row["cycles"].isdigit() and row["kind"] == "path" for row in rows)


# ---- JSON ----


@pytest.mark.parametrize("mode", MODES)
def test_json_follows_its_schema(profiled, mode):
    project = profiled(mode, *(["metric=tsc"] if mode == "acyclic" else []))
    data = json.loads(export(project, "json"))
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    jsonschema.validate(data, SCHEMA)
    assert undescribed(data, SCHEMA) == set()


def undescribed(value, schema):
    """Members of a document that the schema does not describe."""
    schema = resolve(schema)
    if isinstance(value, list):
        return set().union(*(undescribed(item, schema.get("items", {})) for item in value))
    if not isinstance(value, dict):
        return set()
    properties = dict(schema.get("properties", {}))
    for alternative in schema.get("oneOf", []):
        properties |= resolve(alternative).get("properties", {})
    unknown = set(value) - set(properties)
    return unknown.union(*(undescribed(member, properties[name]) for name, member in value.items() if name in properties))


def resolve(schema):
    return SCHEMA["definitions"][schema["$ref"].rsplit("/", 1)[1]] if "$ref" in schema else schema


def test_unknown_format(pathdump, make_profile):
    make_profile([branch()])
    message = pathdump("export", "--format=html", status=2).stderr
    assert all(word in message for word in ("json", "lcov", "cobertura", "sonarqube", "collapsed", "speedscope", "pprof", "callgrind",
                                        "quickfix", "annotations", "dot", "csv"))
