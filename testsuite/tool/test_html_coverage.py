# SPDX-License-Identifier: GPL-3.0-or-later
"""Coverage in the pages of pathdump html: truth tables, prime paths on the graph, tests of a path, changed lines."""

import shutil

import pytest

from conftest import Project, branch, loop, plugin
from pages import Page, axe_core

SOURCE = """\
#include <stdlib.h>

static int __attribute__((noinline)) score(const char *text, int pressure, int heat, int attended)
{
  int sum = 0;
  if (pressure > 90 || (heat > 70 && !attended))
    sum = 100;
  while (*text) {
    if (*text == '#')
      sum++;
    while (*text > ' ')
      text++;
    if (*text)
      text++;
  }
  return sum;
}

int main(int argc, char **argv)
{
  int sum = 0;
  for (int i = 1; i + 3 < argc; i += 4)
    sum += score(argv[i], atoi(argv[i + 1]), atoi(argv[i + 2]), atoi(argv[i + 3]));
  return sum > 10000;
}
"""
TESTS = {"pressure": ["a #b", "95", "20", "1"], "calm": ["words", "40", "20", "0"], "again": ["words", "40", "20", "0"]}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A profile of three tests; a git repository with one line changed since the first commit, where git is installed."""
    project = Project(tmp_path_factory.mktemp("built"))
    project.write("score.c", SOURCE.replace("    sum = 100;\n", "    sum = 10;\n"))
    if shutil.which("git"):
        for arguments in (["init", "-q"], ["add", "score.c"], ["commit", "-q", "-m", "x"]):
            project.run("git", "-c", "user.name=x", "-c", "user.email=x@x.invalid", *arguments)
    project.write("score.c", SOURCE)
    project.compile("score.c", "-O1", "-g", *plugin("conditions=1", "mode=kipf", "k=auto"))
    for test, arguments in TESTS.items():
        project.run("./score", *arguments, env={"PATHPROF_TEST": test})
    return project.folder


@pytest.fixture
def folder(built, tmp_path):
    shutil.copytree(built, tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.fixture
def opened(chromium, pathdump, folder):
    def open_page(*arguments, fragment="#f=score"):
        pathdump("html", "-o", "page.html", *arguments, "score.pathprof")
        chromium.open(folder / "page.html", fragment)
        return chromium

    yield open_page
    assert chromium.complaints() == []
    chromium.resize()
    chromium.emulate(prefers_color_scheme="light")


def data_of(folder, pathdump, *arguments):
    pathdump("html", "-o", "page.html", *arguments, "score.pathprof")
    return Page((folder / "page.html").read_text(encoding="utf-8")).unpack("function", "score")


# ---- what is packed ----


def test_decisions_are_those_of_coverage(folder, pathdump):
    report = pathdump.json("coverage", "--conditions", "--json", "score.pathprof")
    (function,) = [row for row in report["functions"] if row["name"] == "score"]
    decisions = data_of(folder, pathdump)["decisions"]
    assert len(decisions) == len(function["decision_list"]) == 5
    for shown, said in zip(decisions, function["decision_list"]):
        assert (shown["line"], shown["place"]) == (said["line"], said["place"])
        assert [c["text"] for c in shown["conditions"]] == [c["text"] for c in said["conditions"]]
        assert [(c["true"], c["false"]) for c in shown["conditions"]] == \
            [(c["executed"]["true"], c["executed"]["false"]) for c in said["conditions"]]
        executed = [vector for vector in shown["vectors"] if "missing" not in vector]
        assert [(v["values"], v["outcome"], v["count"]) for v in executed] == \
            [(v["values"], v["outcome"], v["count"]) for v in said["vectors"]]
        for number, condition in enumerate(said["conditions"], 1):
            assert sorted(i for i, v in enumerate(executed) if number in v["shows"]) == sorted(condition["masking"] or [])
            wanted = {v["values"] for v in shown["vectors"] if "missing" in v and number in v["shows"]}
            assert wanted == {v["values"] for v in condition["missing"]} - {v["values"] for v in executed}


def test_prime_paths_are_those_of_coverage(folder, pathdump):
    report = pathdump.json("coverage", "--prime", "--json", "score.pathprof")
    (function,) = [row for row in report["functions"] if row["name"] == "score"]
    data = data_of(folder, pathdump)
    assert data["prime"]["executed"] == function["executed"] and data["prime"]["all"] == function["num_paths"]
    ran = [path for path in data["prime"]["paths"] if path["count"]]
    assert [(path["count"], path["kind"] == "cycle", path["blocks"]) for path in ran] == \
        [(path["count"], path["cycle"], len(set(path["blocks"]))) for path in function["paths"]]
    missing = data["prime"]["paths"][len(ran):]
    assert len(missing) == min(20, int(function["num_paths"]) - function["executed"]) > 0


def test_drawn_prime_path_is_a_walk(folder, pathdump):
    """Each edge drawn begins where the one before ends, in the folded graph or in the unfolded one."""
    data = data_of(folder, pathdump)
    for path in data["prime"]["paths"]:
        graph, drawn = (data["unfolded"], path["unfolded"]) if "unfolded" in data else (data["graph"], path)
        edges = [graph["edges"][edge] for edge in drawn["edges"]]
        assert all(a["to"] == b["from"] for a, b in zip(edges, edges[1:])), path
        assert {end for edge in edges for end in (edge["from"], edge["to"])} <= set(drawn["nodes"])
        if path["count"]:
            assert all(edge["count"] for edge in edges), path


def test_tests_of_paths(folder, pathdump):
    data = data_of(folder, pathdump)
    assert data["num_tests"] == 3
    for path in data["paths"]:
        which = pathdump.json("tests", "--json", "--which", f"score:{path['id']}", "score.pathprof")["which"]
        assert path["tests"] == [[row["name"], row["count"]] for row in which] and path["num_tests"] == len(which) > 0


def test_nothing_where_nothing_is_known(pathdump, make_profile, tmp_path):
    make_profile([loop(), branch()])
    pathdump("html", "-o", "page.html")
    data = Page((tmp_path / "page.html").read_text()).unpack("function", "f")
    assert not {"decisions", "prime", "num_tests"} & set(data) and "tests" not in data["paths"][0]


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
def test_changed_lines(folder, pathdump):
    data = data_of(folder, pathdump, "--changed-since", "HEAD")
    assert [section.get("changed") for section in data["source"]] == [[7]]
    assert "changed" not in data_of(folder, pathdump)["source"][0]
    (line,) = pathdump("html", "-o", "x.html", "--changed-since", "nothing", "score.pathprof", status=2).stderr.splitlines()
    assert "nothing" in line and not (folder / "x.html").exists()


def test_deterministic(folder, pathdump):
    pages = []
    for name in ("a.html", "b.html"):
        pathdump("html", "-o", name, "score.pathprof")
        pages.append((folder / name).read_bytes())
    assert pages[0] == pages[1]


# ---- in the browser ----


def test_truth_table(opened):
    browser = opened()

    # It stands below its line, is open where something of several conditions is missing, and closes and opens by keyboard.
    assert browser.run("""return document.querySelector('.decision').previousElementSibling.dataset.line.split(':')[1]""") == "6"
    is_open = "return document.querySelector('.decision details').open"
    for was_open in (True, False):
        assert browser.run(is_open) is was_open
        browser.run("document.querySelector('.decision summary').focus()")
        browser.press("\ue007")  # Enter
    assert browser.run(is_open)
    cells = browser.run("""return [...document.querySelector('.truth').rows].map((row) => [...row.cells].map((c) =>
        [...c.querySelectorAll('.unseen')].map((e) => e.textContent).join('') || c.textContent))""")
    assert cells[0] == ["vector", "count", "pressure > 90", "heat > 70", "!attended", "outcome"]
    assert cells[1] == ["1", "2", "false", "false", "not evaluated", "false"]
    assert cells[2] == ["2", "1", "true", "not evaluated", "not evaluated", "true"]
    assert cells[3] == ["3", "missing", "false", "true", "false", "false"]
    assert cells[4] == ["4", "missing", "false", "true", "true", "true"]
    assert cells[5] == ["shown by", "1 and 2", "missing: 4", "missing: 3 and 4", ""]
    assert browser.texts(".decision summary") == ["Decision 6.6: 1 of 3 conditions shown independent"]  # others are of one condition
    marked = browser.run("""return [...document.querySelectorAll('.truth td.pair')].map((c) => [c.parentNode.rowIndex, c.cellIndex])""")
    assert [1, 2] in marked and [2, 2] in marked


def test_select_a_prime_path(opened):
    browser = opened()
    rows = browser.run("return [...document.querySelectorAll('tr[data-prime]')].map((row) => [row.cells[0].textContent, row.cells[1].textContent])")
    assert rows[0][0].isdigit() and rows[-1][0] == "missing" and {kind for _, kind in rows} == {"path", "cycle"}
    first = browser.run("return document.querySelector('tr[data-prime] a').hash")
    assert first == "#f=score&r=1"
    lit = []
    for number in (1, len(rows) // 2, len(rows)):
        browser.go(f"#f=score&r={number}")
        assert browser.run("return document.querySelector('tr[aria-current]').dataset.prime") == str(number)
        lit.append(browser.run("return [...document.querySelectorAll('.edge.on')].map((e) => e.querySelector('path').getAttribute('d')).join()"))
        assert browser.number(".node.on") > 0
    assert len(set(lit)) == 3
    # Keys go on from one to the next; Escape leads back.
    browser.go("#f=score&r=1")
    browser.press("j")
    assert browser.run("return location.hash") == "#f=score&r=2"
    browser.press("\ue00c")
    assert browser.run("return location.hash") == "#hot"


def test_tests_are_listed(opened):
    browser = opened(fragment="#f=score&p=0")
    count = browser.run("return document.querySelector('tr[data-path=\"0\"]') && 1")
    if not count:
        browser.click(".choice tr[data-path] a")
    (title,) = browser.texts(".steps-of h3")
    assert title.startswith("Tests that execute path") and title.endswith("of 3")
    assert {text.split(" ×")[0] for text in browser.texts(".tests li")} <= set(TESTS)


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
def test_changed_lines_are_marked(opened):
    browser = opened("--changed-since", "HEAD")
    assert browser.texts(".source tr.changed th") == ["changed 7"]
    browser.go("#hot")
    assert any("have changed since HEAD" in text for text in browser.texts(".note"))


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("width", (400, 1280, 2560))
def test_axe_finds_nothing(opened, width, colours):
    axe = axe_core()
    browser = opened(*(["--changed-since", "HEAD"] if shutil.which("git") else []))
    browser.emulate(prefers_color_scheme=colours)
    browser.resize(width, 900)
    browser.run("document.querySelectorAll('.decision details').forEach((e) => { e.open = true; })")
    assert not (found := browser.violations(axe)), found
    for fragment in ("#f=score&r=1", "#f=score&r=12"):
        browser.go(fragment)
        assert not (found := browser.violations(axe)), (fragment, found)
    assert browser.run("return document.documentElement.scrollWidth") <= width
