# SPDX-License-Identifier: GPL-3.0-or-later
"""pathdump html --pass --fail: the paths that tell failing runs from passing ones, and in how many runs each path was executed."""

import re

import pytest

from conftest import branch, loop
from pages import Page, axe_core, write_source
from programs import figure_4

HOSTILE = '"><img src=x onerror=alert(1)>&amp;'


def run(only_failing=False, **more):
    """One run; a failing one takes the false edge of `bad`, and executes `bad_only`."""
    functions = [branch("bad", counts=(3, 2) if only_failing else (5, 0), **more), loop(), branch("both", line=60, counts=(1, 1))]
    return functions + [branch("bad_only", line=80, lines=(81, 83), counts=(0, 4))] if only_failing else functions


def never(function):
    return {**function, "traces": []}


@pytest.fixture
def runs(make_profile, tmp_path):
    """Two failing runs and three passing ones, one of which took the bad way, too."""
    write_source(tmp_path, lines=100)
    quiet = never(branch("bad_only", line=80, lines=(81, 83)))
    for number in (1, 2):
        make_profile(run(True), f"fail{number}.pathprof")
    for number in (1, 2):
        make_profile([*run(), quiet], f"pass{number}.pathprof")
    make_profile([*run(True)[:3], quiet], "pass3.pathprof")
    return ["--fail", "fail1.pathprof", "fail2.pathprof", "--pass", "pass1.pathprof", "pass2.pathprof", "pass3.pathprof"]


@pytest.fixture
def page(pathdump, runs, tmp_path):
    def make(*arguments):
        pathdump("html", "-o", "page.html", *(arguments or runs))
        return Page((tmp_path / "page.html").read_text(encoding="utf-8"))

    return make


def test_the_list_says_what_diff_says(page, pathdump, runs):
    rows = page().rows("suspects")
    expected = pathdump.json("diff", "--json", "-n", "0", *runs)["paths"]
    assert len(rows) == len(expected) > 4
    assert [(row["score"], row["failed"], row["passed"], row["stmts"], row["path"], row["function"]) for row in rows] == [
        (f"{path['score']:.3f}", f"{path['failed']}/2", f"{path['passed']}/3", str(path["statements"]), path["id"], path["function"])
        for path in expected]
    assert (rows[0]["function"], rows[0]["failed"], rows[0]["passed"]) == ("bad_only", "2/2", "0/3")
    assert (rows[1]["function"], rows[1]["failed"], rows[1]["passed"]) == ("bad", "2/2", "1/3")


def test_each_suspect_leads_to_its_path(page):
    made = page()
    for row in made.tables["suspects"]:
        link = row[6][1]
        assert link == f"#f={row[0][0]}&p={row[6][0]}"
        assert row[6][0] in {path["id"] for path in made.unpack("function", row[0][0])["paths"]}


def test_paths_say_in_how_many_runs_they_were(page):
    made = page()
    data = made.unpack("function", "bad")
    assert data["columns"] == ["failed", "passed"]
    assert {path["id"]: (path["failed"], path["passed"], path["count"]) for path in data["paths"]} == {
        "0": ("2/2", "3/3", 3 * 2 + 5 * 2 + 3), "1": ("2/2", "1/3", 2 * 2 + 2)}
    hot = {(row["function"], row["path"]): (row["failed"], row["passed"]) for row in made.rows("hot")}
    assert hot["bad", "1"] == ("2/2", "1/3") and hot["both", "0"] == ("2/2", "3/3")
    assert re.search("<b>5</b> runs", made.text) and re.search("<b>2 runs</b> failed.{0,10}<b>3</b> passed", made.text)


def test_paths_through_calls(page, make_profile):
    make_profile(figure_4(runs=2), "fail.pathprof"), make_profile(figure_4(), "pass.pathprof")
    made = page("--fail", "fail.pathprof", "--pass", "pass.pathprof")
    rows = made.rows("suspects")
    assert rows and {(row["failed"], row["passed"]) for row in rows} == {("1/1", "1/1")}
    listed = {path["id"] for path in made.unpack("unit", 0)["paths"]}
    assert [row[6][1] for row in made.tables["suspects"]] == [f"#u=0&p={row['path']}" for row in rows]
    assert {row["path"] for row in rows} <= listed


def test_runs_of_several_builds(page, make_profile):
    other = run(True)
    other[0]["edges"] = other[0]["edges"][:-1] + [[4, 3, "fallthru"]]
    other[0]["traces"] = [{"blocks": [0, 2, 4, 3, 1], "times": 5}]
    make_profile({"functions": run(), "build": 1}, "pass.pathprof"), make_profile({"functions": other, "build": 2}, "fail.pathprof")
    made = page("--fail", "fail.pathprof", "--pass", "pass.pathprof")
    (row,) = [row for row in made.tables["suspects"] if row[0][0] == "bad"]
    assert row[6][1].startswith("#f=bad%40") and (row[2][0], row[3][0], row[4][0]) == ("1.000", "1/1", "0/1")
    assert len([key for key in made.keys("function") if key.startswith("bad@")]) == 2


def test_runs_that_took_no_path(page, make_profile):
    make_profile([never(branch())], "empty.pathprof"), make_profile([branch()], "pass.pathprof")
    made = page("--fail", "empty.pathprof", "--pass", "pass.pathprof")
    assert made.rows("suspects") == [] and "No suspicious paths" in made.text and len(made.rows("hot")) == 2
    made = page("--fail", "empty.pathprof", "--pass", "empty.pathprof")
    assert made.rows("suspects") == made.rows("hot") == []


def test_names_are_no_markup(page, make_profile):
    make_profile(run(True, file=f"{HOSTILE}.c"), f"fail{HOSTILE.replace('/', '')}.pathprof")
    functions = [{**function, "name": function["name"] + HOSTILE} for function in run(True)]
    make_profile({"program": HOSTILE, "functions": functions}, "fail.pathprof"), make_profile(run(), "pass.pathprof")
    made = page("--fail", "fail.pathprof", "--pass", "pass.pathprof")
    assert "img" not in made.tags and any(HOSTILE in row["function"] for row in made.rows("suspects"))


@pytest.mark.parametrize("arguments, words", [
    (["--fail", "fail1.pathprof"], "must be given together"),
    (["--pass", "pass1.pathprof"], "must be given together"),
    (["--fail", "fail1.pathprof", "--baseline", "pass1.pathprof", "--pass", "pass1.pathprof"], "cannot be combined with a profile"),
    (["--fail", "-", "--pass", "pass1.pathprof"], "standard input ('-')"),
    (["--fail", "missing.pathprof", "--pass", "pass1.pathprof"], "missing.pathprof"),
])
def test_wrong_use(pathdump, runs, arguments, words):
    done = pathdump("html", "-o", "page.html", *arguments, status=2)
    (line,) = done.stderr.splitlines()
    assert words in line


def test_the_page_opens_with_the_suspects(chromium, page, tmp_path):
    page()
    chromium.open(tmp_path / "page.html")
    assert chromium.run("return [...document.querySelectorAll('.list')].filter((e) => !e.hidden).map((e) => e.id)") == ["suspects"]
    chromium.click("#suspects thead button", "passed")
    chromium.click("#suspects tbody a", "1")
    assert {"failed", "passed"} <= set(chromium.texts(".choice thead button"))
    chromium.press("\ue00c")
    assert chromium.run("return document.querySelector('#suspects').hidden") is False


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1280, 2560])
def test_axe_finds_nothing(chromium, page, tmp_path, width, colours):
    axe = axe_core()
    page()
    chromium.open(tmp_path / "page.html")
    chromium.check_access(axe, width, colours, ("#suspects", "#hot", "#f=bad&p=1"))
