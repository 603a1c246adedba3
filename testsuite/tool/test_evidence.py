# SPDX-License-Identifier: GPL-3.0-or-later
"""pathdump coverage --evidence: files that are the same whenever they are made, say what the reports say, and replace nothing but
what was written like them."""

import hashlib
import json
import os
import shutil
import subprocess

import pytest

from conftest import BUILD, GCC, Project, branch, loop, plugin

SOURCE = """
#include <stdlib.h>
static int is_raised(int pressure, int heat, int attended)
{
  if (pressure > 90 || (heat > 70 && !attended))
    return 1;
  return 0;
}
static int sum_of(const char *text)
{
  int sum = 0;
  while (*text) {
    if (*text == '#')
      sum++;
    text++;
  }
  return sum;
}
int main(int argc, char **argv)
{
  int n = 0;
  for (int i = 1; i + 3 < argc; i += 4)
    n += is_raised(atoi(argv[i]), atoi(argv[i + 1]), atoi(argv[i + 2])) + sum_of(argv[i + 3]);
  return n > 100;
}
"""
INPUTS = (["95", "20", "1", "a#"], ["40", "80", "0", "##", "40", "80", "1", ""])


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """A folder with the program, and a profile of each input."""
    project = Project(tmp_path_factory.mktemp("evidence"))
    project.write("alarm.c", SOURCE)
    project.compile("alarm.c", "-O1", "-g", *plugin("conditions=1", "mode=kipf", "k=auto"))
    for i, arguments in enumerate(INPUTS):
        project.run("./alarm", *arguments, env={"PATHPROF_FILE": f"{i}.pathprof"})
    return project.folder


@pytest.fixture
def profiles(program, tmp_path):
    for file in program.iterdir():
        shutil.copy2(file, tmp_path)
    return tmp_path


def files_of(folder):
    """Their bytes by name."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def evidence(pathdump, profile, folder, *options, status=0):
    result = pathdump("coverage", "--evidence", folder, *options, profile, status=status)
    return result, files_of(folder) if folder.is_dir() else None


def test_two_runs_are_alike(profiles, pathdump, tmp_path):
    _, one = evidence(pathdump, "0.pathprof", tmp_path / "one")
    _, two = evidence(pathdump, "0.pathprof", tmp_path / "two")
    assert one == two and {"manifest.json", "SHA256SUMS", "functions/alarm.c/is_raised.json"} <= set(one)


def test_order_of_merged_profiles(profiles, pathdump, tmp_path):
    pathdump("merge", "-o", "a.pathprof", "0.pathprof", "1.pathprof")
    pathdump("merge", "-o", "b.pathprof", "1.pathprof", "0.pathprof")
    assert evidence(pathdump, "a.pathprof", tmp_path / "a")[1] == evidence(pathdump, "b.pathprof", tmp_path / "b")[1]


def test_name_and_date_of_the_profile_do_not_matter(profiles, pathdump, tmp_path):
    _, one = evidence(pathdump, "0.pathprof", tmp_path / "one")
    os.rename(tmp_path / "0.pathprof", tmp_path / "other.pathprof")
    os.utime(tmp_path / "other.pathprof", (10**9, 10**9))
    assert evidence(pathdump, "other.pathprof", tmp_path / "two")[1] == one


def test_checksums(profiles, pathdump, tmp_path):
    evidence(pathdump, "0.pathprof", tmp_path / "out")
    subprocess.run(["sha256sum", "--quiet", "-c", "SHA256SUMS"], cwd=tmp_path / "out", check=True)
    listed = {line.split("  ", 1)[1] for line in (tmp_path / "out/SHA256SUMS").read_text().splitlines()}
    assert listed == set(files_of(tmp_path / "out")) - {"SHA256SUMS"}
    manifest = json.loads((tmp_path / "out/manifest.json").read_text())
    profile = (tmp_path / "0.pathprof").read_bytes()
    assert manifest["profile"] == {"bytes": len(profile), "sha256": hashlib.sha256(profile).hexdigest()}
    (source,) = [row for row in manifest["sources"] if row["file"] == "alarm.c"]
    assert source["sha256"] == hashlib.sha256(SOURCE.encode()).hexdigest() and source["state"] == "as compiled"
    compiler = subprocess.run([GCC, "-dumpfullversion"], capture_output=True, text=True, check=True).stdout.strip()
    assert len(manifest["compilers"]) == 1 and manifest["compilers"][0].startswith(compiler)
    assert manifest["version"] in pathdump("--version").stdout


@pytest.fixture
def moved(program, profiles):
    """The source is not in the folder of compilation any more."""
    os.rename(program / "alarm.c", program / "alarm.away")
    yield profiles
    os.rename(program / "alarm.away", program / "alarm.c")


def test_sources_that_are_not_as_compiled(moved, pathdump, tmp_path):
    (tmp_path / "alarm.c").write_text(SOURCE + "\n")
    done, files = evidence(pathdump, "0.pathprof", tmp_path / "out", status=3)
    assert done.stderr.splitlines()[1] == "pathdump: coverage: --evidence: alarm.c has changed since it was compiled"
    verdict = json.loads(files["manifest.json"])["verdict"]
    assert verdict == {"passed": False, "reasons": ["alarm.c has changed since it was compiled"]}
    (source,) = json.loads(files["manifest.json"])["sources"]
    assert source["sha256"] is None and source["state"] == "has changed since it was compiled" and source["crc32c"]
    os.remove(tmp_path / "alarm.c")
    _, files = evidence(pathdump, "0.pathprof", tmp_path / "gone")
    (source,) = json.loads(files["manifest.json"])["sources"]
    assert source["sha256"] is None and source["state"] == "not found" and source["crc32c"]


def test_says_what_the_reports_say(profiles, pathdump, tmp_path):
    pathdump("merge", "-o", "sum.pathprof", "0.pathprof", "1.pathprof")
    _, files = evidence(pathdump, "sum.pathprof", tmp_path / "out")
    manifest = json.loads(files["manifest.json"])
    rows = {row["name"]: row for row in manifest["functions"]}
    functions = {name: json.loads(files[row["evidence"]]) for name, row in rows.items()}
    assert set(functions) == {"is_raised", "main", "sum_of"}
    by_name = {}
    for criterion in ("--conditions", "--prime"):
        report = pathdump.json("coverage", criterion, "--json", "sum.pathprof")
        by_name[criterion] = {row["name"]: row for row in report["functions"]}
    exported = {row["name"]: row for row in pathdump.json("export", "sum.pathprof")["functions"]}
    for name, own in functions.items():
        conditions, prime, export = by_name["--conditions"][name], by_name["--prime"][name], exported[name]
        assert own["decisions"] == conditions["decision_list"]
        assert own["criteria"]["conditions"]["masking"] == conditions["masking"]
        assert sorted(map(str, own["prime_paths"])) == sorted(map(str, prime["paths"]))
        assert own["criteria"]["prime_paths"] == {"executed": prime["executed"], "all": prime["num_paths"],
                                                  "not_measured": prime["not_measured"], "exact": prime["exact"]}
        assert own["graph"] == export["checksum"] and len(own["edges"]) == len(export["edges"])
        assert [(path["id"], path["count"], path["blocks"]) for path in own["paths"]] == \
            [(path["id"], path["count"], path["blocks"]) for path in export["paths"]]
        assert own["criteria"] == {key: rows[name][key] for key in own["criteria"]}
        # Flow is conserved, and what is counted as executed is what has a count.
        counts = {block["id"]: block["count"] for block in own["blocks"]}
        for block, count in counts.items():
            for end, there in (("src", 1), ("dst", 0)):
                if block != there:
                    assert count == sum(edge["count"] for edge in own["edges"] if edge[end] == block), (name, block)
        assert own["criteria"]["blocks"] == {"executed": sum(count > 0 for block, count in counts.items() if block > 1),
                                             "all": len(counts) - 2}
    # The vectors of the two inputs, by hand.
    (decision,) = functions["is_raised"]["decisions"]
    assert {(v["values"], v["outcome"]): v["count"] for v in decision["vectors"]} == \
        {("T--", True): 1, ("FTT", True): 1, ("FTF", False): 1}
    # The inner branch went both ways, so did the condition of the loop.
    assert functions["sum_of"]["criteria"]["outcomes"] == {"executed": 4, "all": 4}


def test_has_no_date_and_no_folder(profiles, pathdump, tmp_path):
    _, files = evidence(pathdump, "0.pathprof", tmp_path / "out")
    for name, text in files.items():
        assert str(tmp_path).encode() not in text, name


def test_a_fact_a_line(profiles, pathdump, tmp_path):
    """A test more changes lines of counts, and no others."""
    _, before = evidence(pathdump, "0.pathprof", tmp_path / "before")
    pathdump("merge", "-o", "twice.pathprof", "0.pathprof", "0.pathprof")
    _, after = evidence(pathdump, "twice.pathprof", tmp_path / "after")
    name = "functions/alarm.c/is_raised.json"
    old, new = (files[name].decode().splitlines() for files in (before, after))
    assert len(old) == len(new) > 20
    changed = [(a, b) for a, b in zip(old, new) if a != b]
    assert changed and all('"count":' in a and '"count":' in b for a, b in changed)


def test_replaces_its_own(profiles, pathdump, tmp_path):
    out = tmp_path / "out"
    _, one = evidence(pathdump, "0.pathprof", out)
    _, two = evidence(pathdump, "1.pathprof", out, "--function", "main")
    assert one != two and "functions/alarm.c/is_raised.json" not in two
    assert evidence(pathdump, "0.pathprof", out)[1] == one
    assert [path for path in os.listdir(tmp_path) if path.startswith(".")] == []


def test_empty_and_new_folders(profiles, pathdump, tmp_path):
    (tmp_path / "empty").mkdir()
    _, one = evidence(pathdump, "0.pathprof", tmp_path / "empty")
    (tmp_path / "a").mkdir()
    pathdump("coverage", "--evidence", "a/b/", "0.pathprof")
    assert files_of(tmp_path / "a/b") == one
    assert (tmp_path / "a/b").stat().st_mode & 0o777 == 0o777 & ~os.umask(os.umask(0o022))


@pytest.mark.parametrize("kind", ["foreign", "changed", "nested", "link", "no sums", "empty folder", "gone"])
def test_refuses_what_is_not_its_own(profiles, pathdump, tmp_path, kind):
    out = tmp_path / "out"
    evidence(pathdump, "0.pathprof", out)
    named = "out/functions/alarm.c/main.json"
    if kind == "foreign":
        named = "out/notes.txt"
        (tmp_path / named).write_text("mine")
    elif kind == "changed":
        (tmp_path / named).write_text("signed")
    elif kind == "nested":
        named = "out/reviews/a.txt"
        (out / "reviews").mkdir()
        (tmp_path / named).write_text("mine")
    elif kind == "empty folder":
        named = "out/reviews"
        (tmp_path / named).mkdir()
    elif kind == "gone":
        named = "out/manifest.json"
        os.remove(tmp_path / named)
    elif kind == "link":
        os.rename(tmp_path / named, tmp_path / "main.json")
        os.symlink(tmp_path / "main.json", tmp_path / named)
    else:
        named = "out/"
        os.remove(out / "SHA256SUMS")
    before = files_of(out)
    result, after = evidence(pathdump, "0.pathprof", out, status=2)
    assert after == before and result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert named in line and "not overwritten" in line and "specify another directory" in line


@pytest.mark.parametrize("where, words", [("file", "is not a directory"), (".", "working directory"), ("no/where", "cannot be")])
def test_refuses_what_is_no_folder(profiles, pathdump, tmp_path, where, words):
    (tmp_path / "file").write_text("mine")
    result = pathdump("coverage", "--evidence", where, "0.pathprof", status=2)
    (line,) = result.stderr.splitlines()
    assert words in line and (tmp_path / "file").read_text() == "mine"


def test_wrong_use_writes_nothing(profiles, pathdump, tmp_path):
    for options in (["--conditions", "--missing", "0.pathprof"], ["--changed-since", "HEAD", "0.pathprof"], ["-"]):
        pathdump("coverage", "--evidence", "out", *options, status=2, stdin="")
        assert not (tmp_path / "out").exists(), options


def test_threshold_and_report(profiles, pathdump, tmp_path):
    result, files = evidence(pathdump, "0.pathprof", tmp_path / "out", "--conditions", "--fail-under", "99", status=1)
    assert "MC/DC" in result.stdout and files
    result, files = evidence(pathdump, "0.pathprof", tmp_path / "json", "--prime", "--json")
    assert json.loads(result.stdout)["criterion"] == "prime" and files


ALL_PATHS = """
static int both(int a, int b) { if (a && b) return 1; return 0; }
static int one(void) { return 1; }
static int steps(int x) { int r = 0; if (x > 1) r++; if (x > 2) r++; if (x > 3) r++; return r; }
int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1)
    both(1, 0);
  return both(1, 1) + both(0, 1) + one() + steps(0) + steps(4) - 5;
}
"""


@pytest.mark.parametrize("options, name", [
    (["--conditions", "--fail-under"], "conditions"), (["--fail-under-condition"], "conditions"), (["--fail-under"], "paths"),
    (["--prime", "--fail-under"], "prime_paths"), (["--fail-under-line"], "lines")])
def test_verdict_is_the_exit_status(project, tmp_path, options, name):
    """For each criterion, at a threshold that is just met and at one that is just missed."""
    project.write("prog.c", ALL_PATHS)
    project.gcc("-O0", "-g", *plugin("mode=kipf", "k=auto"), "prog.c", "-o", "prog")
    project.run("./prog")
    report = project.pathdump.json("coverage", "--json", *[option for option in options if not option.startswith("--fail")],
                                   "prog.pathprof")["total"]
    share = {"conditions": report.get("share"), "prime_paths": report.get("share"), "paths": report.get("share"),
             "lines": report.get("lines", {}).get("share") if name == "lines" else None}[name]
    if options == ["--fail-under-condition"]:
        share = report["conditions"]["share"]
    assert 0 < share < 100
    for least, status in ((share - 0.5, 0), (share + 0.5, 1)):
        done, files = evidence(project.pathdump, "prog.pathprof", tmp_path / f"out{status}", *options, f"{least}", status=status)
        manifest = json.loads(files["manifest.json"])
        assert manifest["verdict"]["passed"] == (status == 0) and len(manifest["verdict"]["reasons"]) == status
        assert {key for key, value in manifest["thresholds"].items() if value} == {name}
        assert manifest["thresholds"][name] == pytest.approx(least)
        assert ("Verdict: passed" if status == 0 else "Verdict: failed") in files["index.html"].decode()
        messages = [line for line in done.stderr.splitlines() if "files written" not in line]
        assert [f"pathdump: coverage: {reason}" for reason in manifest["verdict"]["reasons"]] == messages


def test_verdict_of_an_empty_selection(profiles, pathdump, tmp_path):
    manifest, _ = manifest_of(pathdump, "0.pathprof", tmp_path / "out", "--function", "none", status=1)
    (reason,) = manifest["verdict"]["reasons"]
    assert "--function 'none' matches no function" in reason and not manifest["verdict"]["passed"]


def test_verdict_of_invalid_justifications(project, tmp_path):
    """The report on conditions does not use justifications, but the evidence does."""
    project.write("prog.c", "int main(int argc, char **argv) {\n  if (argc > 1 && argv[1]) return 1;\n"
                            "  return 0; // PATHPROF_JUSTIFY(covered)\n}\n")
    project.gcc("-O0", "-g", "prog.c", "-o", "prog")
    project.run("./prog")
    done, files = evidence(project.pathdump, "prog.pathprof", tmp_path / "out", "--conditions", status=1)
    (reason,) = json.loads(files["manifest.json"])["verdict"]["reasons"]
    assert "all code that it justifies is covered" in reason and reason in done.stderr


@pytest.mark.parametrize("options", [["--conditions"], ["--prime"], ["--missing"], ["--not-in", "none.pathprof"]])
def test_no_evidence_without_a_report(project, tmp_path, options):
    project.write("prog.c", "int main(int argc, char **argv) { (void)argv; return argc > 1; }\n")
    project.gcc("-O1", "-g", *plugin("mode=context"), "prog.c", "-o", "prog")
    project.run("./prog")
    project.pathdump("coverage", "--evidence", tmp_path / "out", *options, "prog.pathprof", status=None)
    assert not (tmp_path / "out").exists()


def test_names_that_are_no_file_names(make_profile, pathdump, tmp_path):
    """Functions of one name in files of one name, names of thousands of characters, and such that lead elsewhere."""
    names = ["../../up", "..", ".hidden", "a/b", "x" * 3000, "x" * 3001, "line\nbreak"]
    description = [loop(name, file=file) for name in names for file in ("a.c", "/etc/a.c", "../a.c")]
    description += [loop("same", file="a.c"), branch("same", line=10, file="a.c")]
    make_profile(description)
    _, files = evidence(pathdump, "prog.pathprof", tmp_path / "deep/out" if (tmp_path / "deep").mkdir() is None else None)
    assert len(files) == len(description) + 3
    assert os.listdir(tmp_path / "deep") == ["out"]
    assert {"functions/a.c/same.json", "functions/a.c/same.2.json"} <= set(files)
    assert all(len(part) < 200 for name in files for part in name.split("/"))
    manifest = json.loads(files["manifest.json"])
    assert sorted(row["evidence"] for row in manifest["functions"]) == sorted(set(files) - {"manifest.json", "index.html", "SHA256SUMS"})


def test_paths_through_calls(project, tmp_path, pathdump):
    project.write("calls.c", """
static int __attribute__((noinline)) half(int n) { if (n % 2) return n; return n / 2; }
int main(int argc, char **argv) { (void)argv; return half(argc) + half(argc + 1) < 0; }
""")
    project.profiled("calls.c", "-O1", "-g", *plugin("mode=context"))
    _, files = evidence(pathdump, "calls.pathprof", tmp_path / "out")
    program = json.loads(files["programs/calls.c.json"])
    exported = pathdump.json("export", "calls.pathprof")["program_paths"][0]["paths"]
    assert [(path["id"], path["count"]) for path in program["paths"]] == [(path["id"], path["count"]) for path in exported]
    half = json.loads(files["functions/calls.c/half.json"])
    assert half["criteria"]["prime_paths"] is None and half["criteria"]["outcomes"] == {"executed": 2, "all": 2}


# ---- tools, builds, objects, tests and verdict ----


def manifest_of(pathdump, profile, folder, *options, status=0):
    _, files = evidence(pathdump, profile, folder, *options, status=status)
    return json.loads(files["manifest.json"]), files


def test_builds_and_tools(profiles, pathdump, tmp_path):
    manifest, _ = manifest_of(pathdump, "0.pathprof", tmp_path / "out")
    (build,) = manifest["builds"]
    assert build["units"] == ["alarm.c"] and {"-O1", "-g", "-fplugin-arg-pathprof-conditions=1"} <= set(build["options"])
    machine = subprocess.run([GCC, "-dumpmachine"], capture_output=True, text=True, check=True).stdout.strip()
    assert build["target"] == machine and not any("/" in option for option in build["options"])
    assert manifest["tools"][0] == {"file": "pathdump", "sha256": hashlib.sha256((BUILD / "bin/pathdump").read_bytes()).hexdigest()}
    assert any(tool["file"].endswith("pathprof.so") for tool in manifest["tools"])


def test_page_without_scripts(profiles, pathdump, tmp_path):
    manifest, files = manifest_of(pathdump, "0.pathprof", tmp_path / "out", "--fail-under-line", "100", status=1)
    page = files["index.html"].decode()
    assert "Verdict: failed" in page and "<script" not in page and not manifest["verdict"]["passed"]
    (reason,) = manifest["verdict"]["reasons"]
    assert "is below the threshold of 100%" in reason and reason in page
    for row in manifest["functions"]:
        assert f'href="{row["evidence"]}"' in page
    manifest, files = manifest_of(pathdump, "0.pathprof", tmp_path / "good", "--fail-under-line", "10")
    assert manifest["verdict"] == {"passed": True, "reasons": []} and manifest["thresholds"]["lines"] == 10
    assert "Verdict: passed" in files["index.html"].decode()


def test_summary_is_that_of_coverage(profiles, pathdump, tmp_path):
    manifest, _ = manifest_of(pathdump, "0.pathprof", tmp_path / "out")
    report = pathdump.json("coverage", "--json", "0.pathprof")
    for row, other in zip(manifest["summary"], [*report["files"], report["total"]]):
        assert all(row[key] == other[key] for key in ("lines", "branches", "functions", "conditions", "excluded"))


def test_expected_objects(project):
    """Code that no program contains is in the evidence; an object of another version of a source is not, and fails."""
    project.write("main.c", "int main(void) { return 0; }\n")
    project.write("unused.c", "int unused(int x) { return x ? 1 : 2; }\n")
    for source in ("main.c", "unused.c"):
        project.gcc("-O0", "-g", "-c", source)
    project.gcc("main.o", "-o", "prog")
    project.run("./prog")
    manifest, _ = manifest_of(project.pathdump, "prog.pathprof", project.folder / "out", "--objects", "main.o", "--objects", "unused.o")
    assert [row["file"] for row in manifest["objects"]] == ["main.o", "unused.o"]
    assert manifest["objects"][1]["sha256"] == hashlib.sha256(project.read("unused.o")).hexdigest()
    assert {row["name"] for row in manifest["functions"]} == {"main", "unused"}
    project.write("main.c", "int main(void) { return 0; } // changed\n")
    project.gcc("-O0", "-g", "-c", "main.c")
    done, files = evidence(project.pathdump, "prog.pathprof", project.folder / "other", "--objects", "main.o", status=3)
    assert any("main.c differs between" in reason and "is missing from the totals" in reason
               for reason in json.loads(files["manifest.json"])["verdict"]["reasons"])


def test_program_with_expected_objects(project):
    """The evidence names the program also if object files are given. main.c contains neither branches nor conditions."""
    project.write("main.c", "int main(void) { return 0; }\n")
    project.gcc("-O0", "-g", "-c", "main.c")
    project.gcc("main.o", "-o", "prog")
    project.run("./prog")
    manifest, files = manifest_of(project.pathdump, "prog.pathprof", project.folder / "out", "--objects", "main.o")
    page = files["index.html"].decode()
    assert manifest["program"] == "prog" and "<h1>Coverage evidence of prog</h1>" in page
    assert "<td>main.c</td><td>1/1</td><td>none</td><td>1/1</td><td>none measured</td>" in page and "0/0" not in page


JUNIT = """<?xml version="1.0"?>
<testsuites><testsuite name="all">
<testcase name="opens (REQ-1)" classname="alarm"/>
<testcase name="REQ-1/REQ-22 closes"><failure message="wrong"/></testcase>
<testcase name="skipped"><skipped/></testcase>
</testsuite></testsuites>
"""


def test_requirements_and_results(program, pathdump, tmp_path):
    project = Project(tmp_path)
    shutil.copy2(program / "alarm", tmp_path)
    shutil.copy2(program / "alarm.c", tmp_path)
    for name, arguments in zip(("opens (REQ-1)", "REQ-1/REQ-22 closes", "other"), (*INPUTS, INPUTS[0])):
        project.run("./alarm", *arguments, env={"PATHPROF_TEST": name})
    project.write("junit.xml", JUNIT)
    done, files = evidence(pathdump, "alarm.pathprof", tmp_path / "out", "--test-results", "junit.xml", status=1)
    manifest = json.loads(files["manifest.json"])
    assert done.stderr == (f"pathdump: 6 files written to {tmp_path}/out; next: open {tmp_path}/out/index.html\n"
                           "pathdump: coverage: --evidence: the test REQ-1/REQ-22 closes failed\n")
    assert (tmp_path / "out/index.html").exists()
    assert manifest["verdict"] == {"passed": False, "reasons": ["the test REQ-1/REQ-22 closes failed"]}
    assert {(row["place"], row["reason"]) for row in manifest["not_measured"]} == {
        ("other", "not in the files"), ("skipped", "was not recorded separately")}
    assert {test["name"]: test["result"] for test in manifest["tests"]} == {
        "opens (REQ-1)": "passed", "REQ-1/REQ-22 closes": "failed", "other": None}
    matrix = {row["requirement"]: row for row in manifest["requirements"]}
    assert set(matrix) == {"REQ-1", "REQ-22"}
    assert matrix["REQ-1"]["tests"] == ["REQ-1/REQ-22 closes", "opens (REQ-1)"]
    assert matrix["REQ-22"]["tests"] == ["REQ-1/REQ-22 closes"]
    table = pathdump.json("tests", "--json", "--which", f"main:{matrix['REQ-22']['paths']['main'][0]}", "alarm.pathprof")
    assert "REQ-1/REQ-22 closes" in json.dumps(table)
    assert "REQ-22" in files["index.html"].decode()
    for text, fault in (("<a/>", "not a JUnit file"), (None, "cannot be read")):
        if text:
            project.write("bad.xml", text)
        else:
            (tmp_path / "bad.xml").unlink()
        done = pathdump("coverage", "--evidence", tmp_path / "bad", "--test-results", "bad.xml", "alarm.pathprof", status=3)
        assert f"pathdump: bad.xml: {fault}" in done.stderr and not (tmp_path / "bad").exists()


def test_what_is_not_measured(project):
    project.write("prog.c", "int main(int argc, char **argv) { int x = argc > 3 && argv[1]; return x && (argc & argc > 7); }\n")
    project.gcc("-O2", "-g", "-fplugin-arg-pathprof-conditions=1", "prog.c", "-o", "prog")
    project.run("./prog")
    manifest, _ = manifest_of(project.pathdump, "prog.pathprof", project.folder / "out")
    unmeasured = [decision for function in project.pathdump.json("coverage", "--conditions", "--json", "prog.pathprof")["functions"]
                  for decision in function["decision_list"] if not decision.get("vectors")]
    assert len([row for row in manifest["not_measured"] if row["what"].startswith("decision")]) == len(unmeasured)
