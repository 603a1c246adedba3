# SPDX-License-Identifier: GPL-3.0-or-later
"""The experiments of the papers run, in a reduced form, and their document is made of what they measured; what the figures are is nothing for
a test, but that two runs count the same is."""

import importlib.util
import re
import shutil
import subprocess
import sys

import pytest

from conftest import BUILD, HERE

ROOT = HERE.parents[1]
PAPERS = ROOT / "bench/papers"

needs_figures = pytest.mark.skipif(not importlib.util.find_spec("matplotlib") or not shutil.which("valgrind"),
                                   reason="needs python3-matplotlib and valgrind")


def run(folder, out, *arguments):
    done = subprocess.run([sys.executable, PAPERS / "run", BUILD, "--reduced", "--cache", folder, "--out", out, *arguments],
                          capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stderr
    return {file.name: file.read_text() for file in out.glob("*.csv")}


@needs_figures
def test_experiments_run_and_count_the_same_twice(tmp_path):
    first = run(tmp_path, tmp_path / "papers")
    assert {"acyclic-costs.csv", "iterations-paths.csv", "sequences-forests.csv", "calls-numbers.csv", "interesting-numbers.csv"} < set(first)
    assert not any("times" in name for name in first)
    text = (tmp_path / "papers.md").read_text()
    claims = re.findall(r"^\d+\. \[(BL|RS|DD|MR|PPP)\] .* \*\*(Confirmed|Differs|Not reproducible)\*\*: ", text, re.MULTILINE)
    assert len(claims) >= 25 and {paper for paper, _ in claims} == {"BL", "RS", "DD", "MR", "PPP"}
    for picture in re.findall(r"\]\((papers/[^)]*\.svg)\)", text):
        assert (tmp_path / picture).read_text().startswith("<?xml")
    shutil.rmtree(tmp_path / "profiles")
    again = run(tmp_path, tmp_path / "again", "--only", "iterations,sequences,interesting")
    assert again == {name: first[name] for name in again}


@pytest.fixture
def algorithm3(monkeypatch):
    monkeypatch.syspath_prepend(str(PAPERS))
    import algorithm3
    return algorithm3


def test_numbering_across_iterations_is_perfect(algorithm3):
    """[RS] Figure 1, with the numbers of paths of testsuite/golden."""
    for k, total in enumerate([10, 23, 49, 101, 205], 1):
        assert algorithm3.numbers(k) == list(range(total))


def test_one_flag_is_right_up_to_two_iterations(algorithm3):
    for k in (1, 2, 3, 4):
        tried, by_flag, by_conditions, trace = algorithm3.compare(k, 200)
        assert tried == 200 and by_conditions == 0
        assert (by_flag > 0) == (k >= 3) == (trace != "")
