# SPDX-License-Identifier: GPL-3.0-or-later
"""Profiles of very many executed paths: pages and advice look at the hottest of them, and add up all others without looking at each."""

import re
import resource
import subprocess

import pytest

from conftest import PATHDUMP
from pages import Page, write_source


def diamonds(number, name="wide", **more):
    """A function of so many branches one after the other, each of which goes around a block or through it."""
    blocks, edges = [], [[0, 2, "fallthru"]]
    for at in range(number):
        head = 2 + 2 * at
        blocks += [{"id": head, "stmts": 1, "lines": [10 + 2 * at]}, {"id": head + 1, "stmts": 2, "lines": [11 + 2 * at]}]
        edges += [[head, head + 1, "true"], [head, head + 2, "false"], [head + 1, head + 2, "fallthru"]]
    last = 2 + 2 * number
    blocks.append({"id": last, "stmts": 1, "lines": [10 + 2 * number]})
    return {"name": name, "line": 9, "limit": 2 ** (number + 1), "storage": "hash", "blocks": blocks,
            "edges": [*edges, [last, 1, "fallthru"]], "many": {"number": 2**number}, **more}


def every_path(number):
    """Of such a function, where the paths' counts are those of "many": executions of the block in each branch, and of all."""
    counts = [1 + path % 1000 for path in range(2**number)]
    return sum(counts), counts


def measured(folder, *arguments):
    """Seconds of processor time, and the most memory, in bytes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen([PATHDUMP, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    output, errors = process.communicate(timeout=900)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert process.returncode == 0, errors
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, output.decode()


@pytest.fixture
def wide(make_profile, tmp_path):
    write_source(tmp_path)
    return make_profile([diamonds(20)])


def test_counts_of_lines_are_those_of_all_paths(pathdump, make_profile, tmp_path):
    """Where they are added up without looking at each path, and where they are not: one path more has context."""
    make_profile([diamonds(12)])
    total, counts = every_path(12)
    pathdump("html", "-o", "page.html")
    data = Page((tmp_path / "page.html").read_text()).unpack("function", "wide")
    lines = dict(data["source"][0]["counts"])
    exported = pathdump.json("export", "--format=json")["functions"][0]
    by_block = {block: 0 for block in range(2, 27)}
    for path in exported["paths"]:
        for block in path["blocks"]:
            if block > 1:
                by_block[block] += path["count"]
    assert len(exported["paths"]) == len(counts) and by_block[2] == total
    assert lines == {8 + block: count for block, count in by_block.items()}
    assert {node["blocks"][0]: node["count"] for node in data["graph"]["nodes"] if "blocks" in node} == {
        block: count for block, count in by_block.items()}


def test_a_page_takes_seconds(wide, tmp_path):
    seconds, _ = measured(tmp_path, "html", "-o", "page.html")
    assert seconds < 12  # one look at each path took more than 12 seconds where this takes 2
    page = Page((tmp_path / "page.html").read_text())
    assert len(page.rows("hot")) == 200 and "The 200 hottest of 1,048,576 paths" in page.text
    assert re.search(r"\b200000 hottest of .*1048576 executed paths", page.text)


def test_advice_says_what_it_looked_at(wide, tmp_path, pathdump):
    text = pathdump("advise").stdout
    looked_at = pathdump.json("advise", "--json")["looked_at"]
    assert looked_at["paths"] == 200_000 and looked_at["executed_paths"] == 2**20 and 19 < looked_at["share"] < 60
    assert re.search(r"\b200000 hottest of .*1048576 executed paths\b.*\b\d+\.\d\d% of .*statements", text)


def test_no_more_is_said_than_was_seen(make_profile, pathdump):
    """How often a branch goes which way is known of all paths, also of those that were not looked at."""
    make_profile([diamonds(18, adjust={str(2**18 - 1): 10**11})])
    pieces = pathdump.json("advise", "--json", "-n", "0")["advice"]
    assert pieces and all(piece["kind"] != "constant-loop" and piece["kind"] != "exact-loop" for piece in pieces)
    for piece in pieces:
        told = re.search(r"(\d+) of (\d+)", piece["text"])
        if piece["kind"] == "one-way":  # of all executions, not of those on the hottest paths
            assert int(told[2]) == 10**11 + sum(1 + path % 1000 for path in range(2**18)) > int(told[1])
        else:
            assert re.search(r"\b200000 hottest of .*262144 executed paths", piece["text"])


def test_small_profiles_are_looked_at_as_a_whole(make_profile, pathdump):
    make_profile([diamonds(10)])
    assert pathdump.json("advise", "--json")["looked_at"] == {"paths": 1024, "executed_paths": 1024, "share": 100}
    assert "examined" not in pathdump("advise").stdout


def test_changes_of_very_many_paths(make_profile, pathdump, tmp_path):
    """Only the rows of the list are kept; what each shown path was before is looked up."""
    write_source(tmp_path)
    make_profile([diamonds(20)], "before.pathprof")
    make_profile([diamonds(20, many={"number": 2**20 - 3, "step": 1}, adjust={"77": 500})], "now.pathprof")
    make_profile([diamonds(20, many={"number": 2**19, "step": 2})], "other.pathprof")
    for later, kinds in (("now", {"gone": 3, "hotter": 1}), ("other", None)):
        seconds, _ = measured(tmp_path, "html", "-o", "page.html", "--baseline", "before.pathprof", f"{later}.pathprof")
        assert seconds < 15
        page = Page((tmp_path / "page.html").read_text())
        rows = page.rows("changes")
        expected = pathdump.json("diff", "--json", "-n", "200", "--threshold", "0", "before.pathprof", f"{later}.pathprof")["paths"]
        assert [(row["kind of change"], row["path"], row["before"].replace(",", "")) for row in rows] == [
            (path["kind"], path["id"], str(path["count_a"])) for path in expected]
        if kinds:
            assert {kind: sum(row["kind of change"] == kind for row in rows) for kind in kinds} == kinds
        else:
            assert len(rows) == 200 and "The 200 largest of " in page.text
        for path in page.unpack("function", "wide")["paths"]:
            assert int(path["before"].replace(",", "")) == 1 + int(path["id"]) % 1000


def test_tests_of_very_many_paths(make_profile, pathdump):
    make_profile([diamonds(16)], "field.pathprof")
    make_profile([diamonds(16, many={"number": 100})], "tests.pathprof")
    pieces = pathdump.json("advise", "--json", "-n", "30", "--tests", "tests.pathprof", "field.pathprof")["advice"]
    assert sum(piece["kind"] == "untested" for piece in pieces) >= 10
