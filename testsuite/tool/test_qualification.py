# SPDX-License-Identifier: GPL-3.0-or-later
"""The qualification kit: its command, its tables, and the faults that it plants."""

import json
import re
import subprocess
import sys

import pytest

from conftest import BIN, BUILD, GCC, HERE, assert_one_line

KIT = HERE.parent / "qualification"


def qualify(*arguments, status=0):
    done = subprocess.run([sys.executable, KIT / "run", BUILD, "--gcc", GCC, "--programs", "1", *map(str, arguments)], check=False,
                          capture_output=True, text=True, timeout=900)
    assert done.returncode == status, done.stdout + done.stderr
    return done


def cases(*names):
    return [word for name in names for word in ("--case", name)]


def report_of(folder):
    """Returns the report in JSON and in text."""
    (data,), (text,) = folder.glob("*.json"), folder.glob("*.txt")
    assert re.fullmatch(r"qualification-\d{8}T\d{6}Z", data.stem) and text.stem == data.stem
    return json.loads(data.read_text()), text.read_text()


def test_report(tmp_path):
    qualify("--report", tmp_path, "--flags", "-O1 -fno-inline", "--seed", "5", *cases("VC-1", "VC-2", "VC-9"))
    report, text = report_of(tmp_path)
    assert report["verdict"] == "incomplete" and report["flags"] == "-O1 -fno-inline"
    assert (report["seed"], report["programs"]) == (5, 1)
    assert {case["case"]: case["flags"] for case in report["cases"]} == {
        "VC-1": "", "VC-2": "-fno-inline", "VC-9": "-O1 -fno-inline"}
    assert all(case["verdict"] == "passed" and case["passed"] for case in report["cases"])
    verdicts = {row["requirement"]: row["verdict"] for row in report["requirements"]}
    assert verdicts["TOR-1"] == verdicts["TOR-6"] == "passed" and verdicts["TOR-8"] == "not run"
    assert set(report["tool"]["files"]) == {"pathdump", "pathprof", "pathprof-gcc", "pathprof-g++", "plugin", "runtime"}
    for word in (report["tool"]["files"]["plugin"]["sha256"], report["compiler"]["version"], report["compiler"]["target"],
                 report["host"]["name"], report["date"], "-O1 -fno-inline"):
        assert word in text


def test_tool_with_a_fault(tmp_path):
    """The kit tests the tool that --tool names: here, one whose exit status is always 0."""
    tool = tmp_path / "bin"
    tool.mkdir()
    for program in BIN.iterdir():
        (tool / program.name).symlink_to(program)
    for name in ("pathdump", "pathprof"):
        (tool / name).unlink()
        (tool / name).write_text(f'#!/bin/sh\n"{BIN / name}" "$@" || true\n')
        (tool / name).chmod(0o755)
    done = qualify("--report", tmp_path / "report", "--tool", tool, "--stop", *cases("VC-21", "VC-23"), status=1)
    assert "verdict: failed" in done.stdout
    report, text = report_of(tmp_path / "report")
    assert report["verdict"] == "failed" and [case["case"] for case in report["cases"]] == ["VC-21"]
    assert report["cases"][0]["failed"] and report["cases"][0]["messages"]
    assert next(row for row in report["requirements"] if row["requirement"] == "TOR-15")["verdict"] == "failed"
    assert "test_thresholds" in text


@pytest.mark.parametrize("arguments, words", [
    (["--report", KIT / "report"], ["--report", "source tree"]),
    (["--report", "/nowhere", "--case", "VC-99"], ["--case", "VC-99"]),
    (["--report", "/nowhere", "--programs", "0"], ["--programs", "0"]),
    (["--report", "/nowhere", "--flags", "-fno-such-option"], ["--flags", "-fno-such-option"]),
    (["--report", "/nowhere", "--tool", KIT], ["qualification", "pathdump", "--tool"]),
    (["--report", "/nowhere", "--gcc", "no-such-gcc"], ["--gcc", "no-such-gcc"]),
])
def test_wrong_use(arguments, words):
    done = qualify(*arguments, status=2)
    assert_one_line(done.stderr, "qualification: ", *words)


def test_tables_are_current():
    """Every requirement has a case, and every entry of doc/limits.md that can make a result wrong was examined."""
    subprocess.run([sys.executable, KIT / "tables.py", "--check"], check=True)


def test_faults_apply():
    subprocess.run([sys.executable, KIT / "mutate", "--check"], check=True)


def test_cases_name_tests():
    sys.path.append(str(KIT))
    from cases import CASES
    for case in CASES:
        for test in case.tests:
            file, _, name = test.partition("::")
            text = (HERE / f"{file}.py").read_text()
            assert re.search(rf"^def {name or 'test_'}", text, re.MULTILINE), test
