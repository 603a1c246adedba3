# SPDX-License-Identifier: GPL-3.0-or-later
"""pathdump html --baseline: what has changed since an earlier profile, in the list and beside each path of a function."""


import pytest

from conftest import branch, loop
from pages import Page, axe_core, write_source
from programs import figure_4

BEFORE = [branch(counts=(4, 6)), branch("half", line=60, counts=(7, 0)), loop(), branch("removed", line=80, lines=(81, 83), counts=(0, 2))]
NOW = [branch(counts=(9, 0)), branch("half", line=60, counts=(7, 3)), loop(), branch("added", line=90, lines=(91, 93), counts=(1, 0))]


@pytest.fixture
def page(pathdump, make_profile, tmp_path):
    """Makes a page of two profiles and reads it."""
    write_source(tmp_path, lines=100)

    def make(before=BEFORE, now=NOW, *arguments):
        make_profile(before, "before.pathprof"), make_profile(now, "now.pathprof")
        pathdump("html", "-o", "page.html", "--baseline", "before.pathprof", *arguments, "now.pathprof")
        return Page((tmp_path / "page.html").read_text(encoding="utf-8"))

    return make


def test_the_list_says_what_diff_says(page, pathdump):
    rows = page().rows("changes")
    expected = pathdump.json("diff", "--json", "before.pathprof", "now.pathprof")["paths"]
    assert len(rows) == 5
    assert [(row["kind of change"], row["before"], row["count"], row["path"], row["function"]) for row in rows] == [
        (path["kind"], str(path["count_a"]), str(path["count_b"]), path["id"], path["function"]) for path in expected
    ]
    assert [row["change"] for row in rows] == [f"{path['share_b'] - path['share_a']:+.2f}" for path in expected]


def test_each_path_of_a_function_has_what_it_was_before(page):
    made = page()
    paths = {path["id"]: path for path in made.unpack("function", "g")["paths"]}
    assert {key: (path["before"], path["count"]) for key, path in paths.items()} == {"0": ("4", 9), "1": ("6", 0)}
    assert paths["0"]["change"].startswith("+") and paths["1"]["change"].startswith("-")
    unchanged = made.unpack("function", "f")["paths"]
    assert unchanged and all(path["before"] == str(path["count"]) for path in unchanged)
    by_function = {row["function"]: row for row in made.rows("hot")}
    assert by_function["added"]["before"] == "0"


def test_what_is_gone_leads_to_its_path(page):
    """In the later profile where the function ran there, too; else in the earlier one."""
    made = page()
    links = {(row[2][0], row[0][0]): row[7][1] for row in made.tables["changes"]}
    assert links["gone", "g"] == "#f=g&p=1"
    assert links["gone", "removed"] == "#f=earlier%3Aremoved&p=1"
    data = made.unpack("function", "earlier:removed")
    assert data["earlier"] and "columns" not in data
    assert [(path["id"], path["count"]) for path in data["paths"]] == [("1", 2)] and data["calls"] == 2
    assert [section["ranges"] for section in data["source"]] == [[[80, 83]]]
    assert "earlier" not in made.unpack("function", "g")


def test_functions_that_did_not_run_later_are_those_of_the_earlier_profile(page):
    quiet = {**branch("removed", line=80, lines=(81, 83)), "traces": []}
    made = page(BEFORE, [*NOW, quiet])
    links = {(row[2][0], row[0][0]): row[7][1] for row in made.tables["changes"]}
    assert links["gone", "removed"] == "#f=earlier%3Aremoved&p=1"
    assert sorted(made.keys("function")) == ["added", "earlier:removed", "f", "g", "half"]


def test_every_change_leads_somewhere(page):
    """Also where nothing at all ran later, and where paths through calls are gone."""
    for before, now in ((BEFORE, [{**function, "traces": []} for function in BEFORE]), (BEFORE, NOW),
                        (figure_4(), figure_4(traces=[])), (figure_4(traces=[]), figure_4())):
        made = page(before, now)
        rows = made.tables["changes"]
        assert rows and all(row[7][1] for row in rows)
        for row in rows:
            where = dict(part.split("=", 1) for part in row[7][1][1:].split("&"))
            kind, key = ("unit", where["u"]) if "u" in where else ("function", where["f"].replace("%3A", ":"))
            assert where["p"] in {path["id"] for path in made.unpack(kind, key)["paths"]}


def test_steps_of_gone_paths_through_calls_have_source_and_graph(page):
    made = page(figure_4(), figure_4(traces=[]))
    steps = [step for path in made.unpack("unit", "earlier:0")["paths"] for step in path["steps"]]
    assert steps and all(step["function"].startswith("earlier:") and step["function"] in made.keys("function") for step in steps)


def test_an_earlier_function_is_shown(chromium, page, tmp_path):
    page()
    chromium.open(tmp_path / "page.html", "#f=earlier%3Aremoved&p=1")
    assert chromium.texts(".heading .tag") == ["of the earlier profile"]
    assert chromium.texts(".choice tr[aria-current] th") == ["1"] and chromium.number("svg .node.on") > 0
    page(figure_4(), figure_4(traces=[]))
    chromium.open(tmp_path / "page.html")
    chromium.click("#changes tbody a", page(figure_4(), figure_4(traces=[])).rows("changes")[0]["path"])
    assert chromium.texts(".heading .tag") == ["of the earlier profile"] and chromium.number("svg .node.on") > 0


def test_a_path_that_is_gone_leads_to_what_never_ran(page):
    details = page().unpack("function", "g")
    stubs = [at for at, node in enumerate(details["graph"]["nodes"]) if node.get("kind") == "stub"]
    gone = next(path for path in details["paths"] if path["id"] == "1")
    assert len(stubs) == 1 and [node for node in details["graph"]["nodes"] if node["count"] == 0] == [details["graph"]["nodes"][stubs[0]]]
    assert any(details["graph"]["edges"][edge]["to"] == stubs[0] for edge in gone["edges"])
    assert len(gone["unfolded"]["nodes"]) == 4


def test_functions_that_changed_are_named_and_not_compared(page):
    changed = branch("half", line=60, counts=(7, 3))
    changed["edges"] = changed["edges"][:-1] + [[4, 3, "fallthru"]]
    changed["traces"] = [{"blocks": [0, 2, 4, 3, 1], "times": 5}]
    made = page(BEFORE, [changed, loop()])
    assert "<li><b>half</b>: the control flow differs" in made.text
    assert {path["before"] for path in made.unpack("function", "half")["paths"]} == {"-"}


def test_equal_profiles_have_no_changes(page):
    made = page(BEFORE, BEFORE)
    assert made.rows("changes") == [] and "No execution counts changed." in made.text


def test_paths_through_calls_are_compared(page):
    made = page(figure_4(), figure_4())
    assert "No execution counts changed." in made.text
    assert {row["change"] for row in made.rows("hot")} == {"+0.00"}
    made = page(figure_4(), figure_4(runs=3))
    rows = made.rows("changes")
    assert rows and all(int(row["count"]) == 3 * int(row["before"]) and row["kind of change"] == "hotter" for row in rows)
    listed = {path["id"] for path in made.unpack("unit", 0)["paths"]}
    assert [row[7][1] for row in made.tables["changes"]] == [f"#u=0&p={row['path']}" for row in rows]
    assert {row["path"] for row in rows} <= listed


def test_two_profiles_from_standard_input_are_refused(pathdump):
    done = pathdump("html", "-o", "page.html", "--baseline", "-", "-", status=2)
    assert "can be read only once" in done.stderr


def test_the_page_opens_with_the_changes(chromium, page, tmp_path):
    page()
    chromium.open(tmp_path / "page.html")
    assert chromium.run("return [...document.querySelectorAll('.list')].filter((e) => !e.hidden).map((e) => e.id)") == ["changes"]
    chromium.click("#changes tbody a", "1")
    assert "before" in chromium.texts(".choice thead button") and "change" in chromium.texts(".choice thead button")
    chromium.press("\ue00c")
    assert chromium.run("return document.querySelector('#changes').hidden") is False


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1280, 2560])
def test_axe_finds_nothing(chromium, page, tmp_path, width, colours):
    axe = axe_core()
    page()
    chromium.open(tmp_path / "page.html")
    chromium.check_access(axe, width, colours, ("#changes", "#hot", "#f=g&p=1", "#f=earlier%3Aremoved&p=1"))
