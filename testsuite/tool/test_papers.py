# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of the experiments of the papers: a reduced run works, two runs count the same, and the figures of doc/papers.md are those of
the committed tables."""

import importlib.util
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from unittest import mock

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


def figures_of(text):
    """All figures, verdicts and names of pictures of a document, in their order."""
    return re.findall(r"(?<![\w.])\d[\d,.]*\d|(?<![\w.])\d|\*\*(?:Confirmed|Differs|Not reproducible)\*\*|papers/[\w-]+\.svg", text)


@needs_figures
def test_document_is_made_of_the_tables(tmp_path):
    """doc/papers.md has the figures and verdicts that --document-only takes from doc/papers, and each of its pictures exists."""
    committed = ROOT / "doc/papers"
    shutil.copytree(committed, tmp_path / "papers", ignore=shutil.ignore_patterns("*.svg"))
    subprocess.run([sys.executable, PAPERS / "run", BUILD, "--document-only", "--out", tmp_path / "papers"], check=True, timeout=300)
    text = (ROOT / "doc/papers.md").read_text()
    assert figures_of((tmp_path / "papers.md").read_text()) == figures_of(text)
    pictures = {file.name for file in committed.glob("*.svg")}
    assert pictures == {file.name for file in (tmp_path / "papers").glob("*.svg")}
    assert pictures == set(re.findall(r"\]\(papers/([^)]*\.svg)\)", text))
    for name in pictures:
        assert labels_of(committed / name) == labels_of(tmp_path / "papers" / name), name


def labels_of(picture):
    """The figures that a picture shows: matplotlib writes the text of each label into a comment."""
    return re.findall(r"<!-- ([^\n]*\d[^\n]*) -->", picture.read_text())


@needs_figures
def test_experiments_run_and_count_the_same_twice(tmp_path):
    first = run(tmp_path, tmp_path / "papers")
    assert {"acyclic-costs.csv", "iterations-paths.csv", "sequences-forests.csv", "calls-numbers.csv", "interesting-numbers.csv"} < set(first)
    assert not any("times" in name for name in first)
    text = (tmp_path / "papers.md").read_text()
    claims = re.findall(r"^\d+\. \[(BL|RS|DD|MR|PPP)\] .*\n\n    \*\*(Confirmed|Differs|Not reproducible)\*\* \(confirmed if .*\): .+", text, re.MULTILINE)
    assert len(claims) >= 25 and {paper for paper, _ in claims} == {"BL", "RS", "DD", "MR", "PPP"}
    for picture in re.findall(r"\]\((papers/[^)]*\.svg)\)", text):
        assert (tmp_path / picture).read_text().startswith("<?xml")
    elsewhere = tmp_path / "a cache whose name is longer"
    elsewhere.mkdir()
    again = run(elsewhere, tmp_path / "again", "--only", "acyclic,iterations,sequences,interesting")
    assert again == {name: first[name] for name in again}


@pytest.fixture
def verdicts(monkeypatch):
    """The claims, and the committed tables."""
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    monkeypatch.syspath_prepend(str(PAPERS))
    with mock.patch.dict(sys.modules):
        sys.modules.pop("programs", None)  # the tests have a module of the same name
        import claims
        from tables import load
        yield claims, {file.stem: load(ROOT / "doc/papers", file.stem) for file in (ROOT / "doc/papers").glob("*.csv")}


def test_findings_have_figures_and_reasons(verdicts):
    """Each finding has a figure, and each claim that is not confirmed has a reason."""
    claims, tables = verdicts
    counted = {name: table for name, table in tables.items() if not name.endswith(("-times", "-memory"))}
    found = claims.findings(counted)
    assert len(found) == len(claims.CLAIMS) >= 25
    for claim, finding in found:
        assert finding.measured and (finding.holds or finding.why), claim.text


def test_a_verdict_is_of_the_tables(verdicts):
    """Checks one claim by hand: the overhead of paths is twice that of edges, the same, or four times it."""
    claims, tables = verdicts
    claim = next(claim for claim in claims.CLAIMS if claim.find.__name__ == "twice_edges")
    table = tables["acyclic-costs"]
    paths, edges = (table.columns.index(f"{what} / base") for what in ("paths", "edges"))
    for cost, verdict in (("1.200", "confirmed"), ("1.100", "differs"), ("1.400", "differs")):
        rows = [[cost if place == paths else "1.100" if place == edges else cell for place, cell in enumerate(row)] for row in table.rows]
        assert claim.find({"acyclic-costs": replace(table, rows=rows)}).verdict == verdict


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
