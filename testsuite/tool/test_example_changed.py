# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/changed: a change all of whose lines and branches are tested, and one path of which is not."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

from conftest import BUILD, PATHDUMP

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples/changed"


@pytest.fixture
def repository(tmp_path):
    if not shutil.which("git"):
        pytest.skip("git is not installed")
    subprocess.run([EXAMPLE / "make-history", tmp_path / "example"], check=True, timeout=60)
    return tmp_path / "example"


def ci(repository, script=EXAMPLE / "ci"):
    path = os.pathsep.join([str(pathlib.Path(PATHDUMP).parent), str(BUILD / "bin"), os.environ["PATH"]])
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PATHPROF_")}
    return subprocess.run(["sh", script], cwd=repository, env={**environment, "PATH": path}, capture_output=True, text=True, timeout=300)


def test_fails_for_the_one_path(repository):
    done = ci(repository)
    assert done.returncode == 1
    assert done.stderr == "pathdump: coverage: paths through changed code: 75.00% (3/4) is below the threshold of 100%\n"
    # Two conditions can be taken in four ways, and three tests take three.  Nothing else is to be said.
    assert "3 of 4 paths through changed lines" in done.stdout and "2/2" in done.stdout
    (row,) = [line for line in done.stdout.splitlines() if "never" in line]
    assert re.search(r"\(from entry to exit\) was never executed: instalment\.c:9:T [^;]+; 11:T [^;]+$", row)


def test_the_path_is_the_fault(repository):
    ci(repository)
    assert subprocess.run([repository / "instalment", "300", "1"], capture_output=True, timeout=60).returncode < 0


def test_passes_when_it_is_tested_and_mended(repository):
    source = (repository / "instalment.c").read_text()
    (repository / "instalment.c").write_text(source.replace("    number = 1;\n", "    return cents;\n"))
    with (repository / "tests").open("a") as tests:
        tests.write("check both 300 1 300\n")
    done = ci(repository)
    assert done.returncode == 0 and "100.00%" in done.stdout, done.stdout + done.stderr


def test_what_was_there_before_needs_no_test(repository):
    """The first commit alone: nothing changed, nothing fails."""
    subprocess.run(["git", "checkout", "-q", "HEAD~1"], cwd=repository, check=True, timeout=60)
    script = repository.parent / "ci"
    script.write_text((EXAMPLE / "ci").read_text().replace("HEAD~1", "HEAD"))
    done = ci(repository, script)
    assert done.returncode == 0, done.stdout + done.stderr
