# SPDX-License-Identifier: GPL-3.0-or-later
"""The jobs of doc/ci.md: their commands run in a project, and the files that they write are what the services accept."""

import json
import pathlib
import re
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest
import yaml

from conftest import BIN
from test_changed import git

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "doc/ci.md"
MAKEFILE = """\
CFLAGS = -O2
all: prog unused.o
prog: main.o sign.o
\t$(CC) $^ -o $@
%.o: %.c
\t$(CC) $(CFLAGS) -c $<
check: all
\tPATHPROF_TEST=positive ./prog 1
\tPATHPROF_TEST=negative ./prog -3
\techo '<testsuite><testcase name="positive"/><testcase name="negative"/></testsuite>' > junit.xml
"""
SIGN = """\
int sign(int x)
{
  if (x > 0 || x == -100)
    return 1;
  return x < 0 ? -1 : 0;
}
"""
MAIN = """\
#include <stdlib.h>
int sign(int);
int main(int argc, char **argv)
{
  return sign(atoi(argv[argc - 1])) > 1;
}
"""


def jobs():
    """The steps of each page, by the name of the service."""
    github, gitlab = (yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", DOCUMENT.read_text(), re.S))
    return {"github": [step["run"] for step in github["jobs"]["coverage"]["steps"] if step.get("run", "git").startswith("pathprof")],
            "gitlab": gitlab["coverage"]["script"], "regex": gitlab["coverage"]["coverage"],
            "reports": gitlab["coverage"]["artifacts"]["reports"], "paths": gitlab["coverage"]["artifacts"]["paths"]}


@pytest.fixture
def repository(project):
    git(project, "init", "-q", ".")
    for name, text in (("Makefile", MAKEFILE), ("sign.c", SIGN), ("main.c", MAIN), ("unused.c", "int unused(void) { return 1; }\n"),
                       (".gitignore", "*.o\nprog\n*.pathprof*\npathprof.objects\n")):
        project.write(name, text)
    git(project, "add", "-A")
    git(project, "commit", "-q", "-m", "one")
    git(project, "branch", "origin/main")
    project.write("sign.c", SIGN.replace("x < 0 ? -1 : 0", "x < 0 ? -2 + 1 : 0"))
    git(project, "commit", "-q", "-a", "-m", "two")
    return project


def run(project, command):
    environment = {"GITHUB_BASE_REF": "main", "GITHUB_STEP_SUMMARY": "summary.md", "CI_MERGE_REQUEST_DIFF_BASE_SHA": "HEAD~1",
                   "PATH": f"{BIN}:/usr/bin:/bin"}
    return project.run("sh", "-ec", command, env=environment, status=None)


def test_github(repository):
    *steps, threshold = jobs()["github"]
    output = ""
    for step in steps:
        done = run(repository, step)
        assert done.returncode == 0, (step, done.stderr)
        output += done.stdout
    annotations = re.findall(r"^::warning file=([^,]+),line=(\d+),endLine=(\d+),title=[^:]+::.+$", output, re.M)
    assert ("sign.c", "5", "5") in annotations
    assert "unused.c" in repository.read("summary.md").decode() and repository.exists("evidence/index.html")
    assert "SF:unused.c\n" in repository.read("coverage.info").decode()
    assert run(repository, threshold).returncode == 1  # 2 of 4 conditions
    run(repository, "./prog 0; PATHPROF_FILE=tests.pathprof ./prog 0; PATHPROF_FILE=tests.pathprof ./prog -100")
    assert run(repository, re.sub("line 80", "line 70", threshold)).returncode == 0


def test_gitlab(repository):
    job = jobs()
    *steps, threshold = job["gitlab"]
    for step in steps:
        done = run(repository, step)
        assert done.returncode == 0, (step, done.stderr)
    report = ElementTree.fromstring(repository.read(job["reports"]["coverage_report"]["path"]).split(b"\n", 2)[2])
    assert {one.get("filename") for one in report.iter("class")} == {"main.c", "sign.c", "unused.c"}
    evidence, = job["paths"]
    manifest = json.loads(repository.read(f"{evidence}/manifest.json"))
    assert {one["name"]: one["result"] for one in manifest["tests"]} == {"positive": "passed", "negative": "passed"}
    assert repository.exists(job["reports"]["junit"]) and manifest["verdict"]["passed"]
    for finding in json.loads(repository.read(job["reports"]["codequality"])):
        assert set(finding) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert finding["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert finding["location"]["path"] == "sign.c" and finding["location"]["lines"]["begin"] > 0
    output = run(repository, threshold).stdout
    matches = re.findall(job["regex"].strip("/"), output, re.M)
    lines = repository.pathdump.json("coverage", "--json", "tests.pathprof")["total"]["lines"]
    assert matches == [f"{lines['share']:.2f}"]


def test_thresholds_of_the_change(repository):
    """The page names the options that require the coverage of the lines of a change."""
    *steps, _ = jobs()["gitlab"]
    for step in steps[:2]:
        assert run(repository, step).returncode == 0
    changed, = [step for step in steps if "--changed-since" in step]
    options = re.findall(r"`(--fail-under-(?:line|branch) 80)`", DOCUMENT.read_text())
    assert len(options) == 2
    def statuses():
        return [run(repository, changed.replace("--annotate", f"{option} --annotate")).returncode for option in options]

    assert statuses() == [0, 1]  # x < 0 was never false
    run(repository, "PATHPROF_FILE=tests.pathprof ./prog 0")
    assert statuses() == [0, 0]
    repository.write("unused.c", "int unused(void) { return 2; }\n")
    for step in steps[:2]:
        assert run(repository, step).returncode == 0
    assert statuses() == [1, 0]


def test_files_for_services(repository):
    for step in jobs()["gitlab"][:2]:
        assert run(repository, step).returncode == 0
    commands = re.findall(r"\| `(pathprof export [^`]*)` \|", DOCUMENT.read_text())
    assert len(commands) > 4
    for command in commands:
        done = run(repository, command)
        (name,) = re.findall("-o ([^ ]+)", command)
        assert done.returncode == 0 and b"unused.c" in repository.read(name), command
        repository.folder.joinpath(name).unlink()


def test_pages_are_yaml():
    assert subprocess.run(["grep", "-c", "```yaml", DOCUMENT], capture_output=True, text=True, check=True).stdout.strip() == "2"
    assert all(command.startswith("pathprof ") for service in ("github", "gitlab") for command in jobs()[service])
