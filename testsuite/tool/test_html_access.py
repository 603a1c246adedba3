# SPDX-License-Identifier: GPL-3.0-or-later
"""The page for everybody: read aloud, by keyboard alone, in every width, on paper; axe-core says whether it can be used."""

import os

import pytest

from conftest import assert_mentions, branch, loop
from pages import axe_core
from programs import figure_4

WIDTHS = (400, 1280, 2560)
SOURCE = "".join(f"  if (value_{number} != \"text\") /* {number} */ call (first, {number});\n" for number in range(1, 100))


@pytest.fixture
def opened(chromium, pathdump, tmp_path):
    (tmp_path / "a.c").write_text(SOURCE)
    os.utime(tmp_path / "a.c", (1, 1))

    def open_page(*arguments, fragment=""):
        pathdump("html", "-o", "page.html", *arguments)
        chromium.open(tmp_path / "page.html", fragment)
        return chromium

    yield open_page
    chromium.resize()
    chromium.emulate(prefers_color_scheme="light")


def half(name="half"):
    """A branch of which one side never ran."""
    return branch(name, line=60, counts=(7, 0))


LEFT_OUT = {"name": "h", "edges": [[0, 2], [2, 1]], "line": 50, "left_out": "it calls setjmp"}


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing(opened, make_profile, width, colours):
    axe = axe_core()
    make_profile([loop(), branch(), half(), LEFT_OUT])
    browser = opened()
    browser.emulate(prefers_color_scheme=colours)
    browser.resize(width, 900)
    for fragment in ("#hot", "#functions", "#f=f&p=5", "#f=half&p=0"):
        browser.go(fragment)
        assert not (found := browser.violations(axe)), (fragment, found)
    browser.press("u")
    browser.press("?")
    assert browser.violations(axe) == []


def test_axe_finds_nothing_in_paths_through_calls(opened, make_profile):
    axe = axe_core()
    browser = opened(make_profile(figure_4()))
    browser.click("#hot tbody a", "25")
    assert browser.violations(axe) == []


# ---- headings ----


@pytest.mark.parametrize("fragment", ["#hot", "#functions", "#f=f&p=5"])
def test_every_heading_says_what_it_means(opened, make_profile, fragment):
    make_profile([loop(cycles={"1": 1000, "3": 250, "5": 750}), branch(), LEFT_OUT])
    browser = opened(fragment=fragment)
    meanings = browser.run("""return [...document.querySelectorAll('thead th')].filter((e) => e.getClientRects().length && !e.closest('.unseen'))
        .map((e) => [e.textContent, document.getElementById(e.querySelector('button').getAttribute('aria-describedby')).textContent])""")
    assert len(meanings) >= 10 and all(len(meaning) > 10 for _, meaning in meanings), meanings


def test_a_heading_is_explained_to_keyboard_and_pointer(opened, make_profile):
    make_profile([loop()])
    browser = opened(fragment="#hot")
    assert browser.number("#tip") == 0
    browser.run("document.querySelector('#hot thead th:nth-child(2) button').focus()")
    (tip,) = browser.texts("#tip")
    assert_mentions(tip, "row", "Position")
    browser.press("\ue00c")  # Escape
    assert browser.number("#tip") == 0 and browser.number("#hot tbody tr") == 3
    over = "document.querySelectorAll('#hot thead button')[4].dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))"
    browser.run("document.activeElement.blur();" + over)
    assert browser.texts("#tip")[0].startswith("Execution count of the path")
    box = browser.run("const b = document.querySelector('#tip').getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]")
    assert box[0] >= 0 and box[1] >= 0 and box[2] <= 1500 and box[3] <= 950


def test_terms_are_listed_without_pointing(opened, make_profile):
    make_profile([loop()])
    browser = opened(fragment="#hot")
    assert "in a function" in browser.texts(".intro")[0]
    browser.click(".meanings summary")
    browser.run("document.querySelector('.meanings').open = true")
    assert {"share", "stmts", "hottest line"} <= set(browser.texts(".meanings dt"))


# ---- rows ----


def test_rows_have_their_hottest_line(opened, make_profile):
    make_profile([loop(), branch()])
    browser = opened(fragment="#hot")
    cells = browser.texts("#hot tbody td.hottest")
    lines = SOURCE.splitlines()
    assert len(cells) == 5
    for cell in cells:
        number, text = cell.split(" ", 1)
        assert text == lines[int(number) - 1].strip()
    assert browser.texts("#functions td.hottest") == []  # another list is shown
    browser.go("#f=f&p=5")
    assert browser.texts(".choice tr[aria-current] td.hottest") == [cells[0]]


def test_no_column_for_lines_whose_text_is_unknown(opened, make_profile, tmp_path):
    """Sources are elsewhere, and names are what they may be."""
    make_profile([loop(file="src dir/<b>é\" & x.c"), branch(file="src dir/<b>é\" & x.c")])
    browser = opened(fragment="#hot")
    assert browser.texts("#hot thead th")[-2:] == ["to", "decisions"] and browser.texts("#hot td.hottest") == []
    assert len(browser.texts("#hot tbody tr")) == 5 and "src dir/<b>é\" & x.c" in browser.texts("main")[0]
    browser.go("#functions")
    assert browser.texts("#functions thead th")[-1] == "place"
    browser.go("#f=f&p=5")
    assert browser.texts(".choice thead th")[-2:] == ["to", "decisions"]


# ---- the graph ----


def test_what_never_ran_is_folded(opened, make_profile):
    make_profile([half()])
    browser = opened(fragment="#f=half&p=0")
    folded = browser.number("svg .node:not(.stub)")
    assert browser.number("svg .node.stub") == 1
    on = browser.texts("svg .node.on .head")
    browser.press("u")
    assert browser.number("svg .node:not(.stub)") == folded + 1 and browser.number("svg .node.never:not(.stub)") == 1
    assert browser.texts("svg .node.on .head") == on
    browser.click(".fold")
    assert browser.number("svg .node:not(.stub)") == folded


def test_fit_path(opened, make_profile):
    make_profile([loop()])
    browser = opened(fragment="#f=f&p=5")
    seen = """
        const room = document.querySelector('.canvas').getBoundingClientRect();
        return [...document.querySelectorAll('svg .node.on')].map((e) => e.getBoundingClientRect())
          .every((b) => b.left >= room.left && b.right <= room.right && b.top >= room.top && b.bottom <= room.bottom)"""
    assert browser.run(seen)  # the graph opens on the path
    for _ in range(12):
        browser.press("+")
    assert not browser.run(seen)
    browser.click(".zoom button", "Fit path")
    assert browser.run(seen)
    browser.press("0")
    browser.press("1")
    assert browser.run(seen)


# ---- by keyboard ----


def test_boxes_and_lines_by_keyboard(opened, make_profile):
    make_profile([loop()])
    browser = opened(fragment="#f=f&p=5")
    browser.run("document.querySelector('.canvas').focus()")
    browser.press("\ue015")  # down
    focused = browser.run("return document.activeElement.querySelector('title').textContent")
    assert focused.startswith("block 3") and browser.number("tr.lit") == 0
    browser.press("\ue007")  # Enter
    assert browser.texts("tr.lit th") == ["13"] and browser.number("svg .node.lit") == 1
    browser.run("document.querySelector('.source').focus()")
    browser.press("\ue015")
    assert browser.texts("tr.lit th") == ["14"]
    assert browser.texts("svg .node.lit .head") == ["14"]


def test_everything_can_be_reached_with_tab(opened, make_profile):
    make_profile([loop(), branch()])
    browser = opened(fragment="#f=f&p=5")
    reached = set()
    for _ in range(60):
        browser.press("\ue004")
        reached.add(browser.run("const e = document.activeElement; return e.className || e.id || e.textContent"))
    assert {"search", "theme", "help", "canvas", "source"} <= reached


# ---- widths, and paper ----

OVERLAPS = """
const seen = [...document.querySelectorAll(arguments[0])].filter((e) => e.getClientRects().length && e.textContent.trim());
const boxes = seen.map((e) => {
  const range = document.createRange();
  range.selectNodeContents(e);
  const text = range.getBoundingClientRect(), own = e.getBoundingClientRect();
  return { e, left: Math.max(text.left, own.left), right: Math.min(text.right, own.right),
           top: Math.max(text.top, own.top), bottom: Math.min(text.bottom, own.bottom) };
});
const pairs = [];
for (let i = 0; i < boxes.length; i++)
  for (let j = i + 1; j < boxes.length; j++) {
    const a = boxes[i], b = boxes[j];
    if (a.e.contains(b.e) || b.e.contains(a.e)) continue;
    if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
      pairs.push([a.e.textContent.slice(0, 30), b.e.textContent.slice(0, 30)]);
  }
return pairs;
"""


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("fragment, texts", [
    ("#hot", ".top a, .top button, .top label, .summary, .intro, .meanings summary, #hot th, #hot td"),
    ("#functions", ".top a, .top button, .top label, .summary, #functions .more, #functions th, #functions td"),
    ("#f=a_function_with_a_long_name&p=5", ".top a, .top button, .heading h2, .heading .place, .facts div, .choice th, .choice td, figcaption > *"),
    ("#f=a_function_with_a_long_name&p=5", ".node text")])
def test_no_text_lies_on_another(opened, make_profile, width, fragment, texts):
    make_profile({"program": "a-program-with-a-rather-long-name", "functions": [loop("a_function_with_a_long_name"), branch(), half(), LEFT_OUT]})
    browser = opened()
    browser.resize(width, 900)
    browser.go(fragment)
    assert browser.number(texts) > 5
    assert browser.run(OVERLAPS, texts) == []
    assert browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def test_paper(opened, make_profile):
    make_profile([loop(), branch()])
    browser = opened(fragment="#hot")
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert browser.number("#hot tbody tr") == 5 and browser.number("#functions tbody tr") == 2
        assert browser.number("button") == browser.number("thead button") and browser.number(".top nav") == 0
        browser.go("#f=f&p=5")
        assert browser.number(".source tbody tr") > 5 and browser.number("svg .node.on") == 4 and browser.number(".zoom") == 0
        cut = "return [...document.querySelectorAll('.choice, .source, .canvas')].filter((e) => e.scrollHeight > e.clientHeight + 1).length"
        assert browser.run(cut) == 0
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
