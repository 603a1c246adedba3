# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of `coverage --html`: totals per directory, marks of lines, branches and conditions, paths, justified code."""

import html
import re

import pytest

from conftest import branch, loop
from pages import axe_core
from test_coverage_summary import summary
from test_justifications import PRICE, justify


@pytest.fixture
def price(project):
    project.write("src/prog.c", PRICE)
    project.write("src/deep/more.c", "int more (int x) { return x; } // LCOV_EXCL_LINE\nint other (int x)\n{ return x; }\n")
    project.gcc("-O0", "-g", "-fplugin-arg-pathprof-conditions=1", "src/prog.c", "src/deep/more.c", "-o", "prog")
    project.run("./prog", "5")
    return project


def pages(project, *arguments, status=0):
    project.pathdump("coverage", "--html", "pages", *arguments, "prog.pathprof", status=status)
    return {path.name: path.read_text() for path in (project.folder / "pages").glob("*.html")}


def text_of(cell):
    return html.unescape(re.sub("<[^>]*>", "", cell))


def rows_of(page):
    """The cells of each source line."""
    rows = re.findall(r'<tr id="L(\d+)">(.*?)</tr>', page, re.S)
    return {int(line): re.findall(r"(<td.*?</td>)", cells, re.S) for line, cells in rows}


def test_index_has_totals_of_directories(price):
    index = pages(price)["index.html"]
    names = re.findall(r'<tr (?:class="folder" )?data-name="([^"]*)"', index)
    assert names == ["src/", "src/deep/", "src/deep/more.c", "src/prog.c"]
    files = {file["file"]: file for file in summary(price)["files"]}
    for name in ("src/", "src/deep/", "src/deep/more.c", "src/prog.c"):
        row = re.search(rf'<tr [^>]*data-name="{name}">(.*?)</tr>', index, re.S)[1]
        for criterion in ("lines", "branches", "functions"):
            below = [file[criterion] for file in files.values() if file["file"] == name or
                     (name.endswith("/") and file["file"].startswith(name))]
            covered, total = (sum(one[key] for one in below) for key in ("covered", "total"))
            assert not total or f"{covered}/{total}<" in row, (name, criterion)
    for link in re.findall(r'href="([^"]*\.html)"', index):
        assert (price.folder / "pages" / link).exists()


def test_start_page_is_named(price):
    done = price.pathdump("coverage", "--html", "pages/", "prog.pathprof")
    assert done.stderr == "pathdump: 6 files written to pages/; next: open pages/index.html\n"
    assert len([path for path in (price.folder / "pages").rglob("*") if path.is_file()]) == 6


def test_marks_of_lines(price):
    justify(price, "never")
    page = pages(price)["src_prog.c.html"]
    rows = rows_of(page)
    source = PRICE.splitlines()
    assert set(rows) == set(range(1, len(source) + 1))
    assert [text_of(rows[line][3]) for line in sorted(rows)] == source
    report = summary(price, "--lines")
    missing = {one["line"] for one in report["missing_lines"] if one["file"] == "src/prog.c"}
    style = {line: re.search('class="([^"]*)"', rows[line][3])[1] for line in rows}
    justified = {line for line, word in style.items() if word == "justified"}
    assert {line for line, word in style.items() if word == "missed"} == missing - justified
    assert justified >= {6, 7, 8, 15, 18}
    assert all(text_of(rows[line][2]) == "0" for line in missing)
    assert 'title="checked (twice) by the caller"' in rows[7][3] and 'title="a reason"' in rows[18][3]
    # Line 12: is_express was false, zone > 2 was not evaluated.
    assert text_of(rows[12][1]).split() == ["[-+][##]", "T-F-", "T-F-"] or text_of(rows[12][1]).startswith("[-+][##]")
    assert style[12] == "partly" and style[5] == "run"
    excluded = rows_of(pages(price)["src_deep_more.c.html"])
    assert 'class="excluded"' in excluded[1][3] and 'class="missed"' in excluded[3][3]


def test_paths_one_click_further(price):
    page = pages(price)["src_prog.c.html"]
    functions = dict(re.findall(r"<summary>(\w+) (.*?)</details>", page, re.S))
    exported = {one["name"]: one for one in price.profile()["functions"]}
    assert set(functions) == {"price", "never", "main"}
    for name, text in functions.items():
        rows = re.findall(r'<tr><td class="number">(\d+)</td><td class="number">(\d+)</td>', text)
        assert {number: int(count) for count, number in rows} == {path["id"]: path["count"] for path in exported[name]["paths"]}
        assert f"{len(rows)} of {exported[name]['num_paths']} paths executed" in text


def test_hostile_and_equal_names(pathdump, make_profile, tmp_path):
    functions = []
    for i, name in enumerate(("index", "a/b.c", "a_b.c", "../up.c", '<b>"&.c', "/abs/x.c")):
        functions.append({**branch(f"f{i}", line=10 * i + 1, lines=(10 * i + 2, 10 * i + 3)), "file": name})
    make_profile(functions)
    pathdump("coverage", "--html", "pages", "--all", "prog.pathprof")
    written = {path.name for path in (tmp_path / "pages").iterdir()}
    assert len([name for name in written if name.endswith(".html")]) == 7
    index = (tmp_path / "pages/index.html").read_text()
    assert "<b>" not in index and "&lt;b&gt;" in index
    assert {html.unescape(link) for link in re.findall(r'href="([^"]*\.html)"', index)} == {
        name for name in written if name.endswith(".html") and name != "index.html"}


def test_many_files(pathdump, make_profile, tmp_path):
    make_profile([{**loop(f"f{i}"), "file": f"d{i % 7}/e{i % 31}/s{i}.c"} for i in range(3000)])
    pathdump("coverage", "--html", "pages", "prog.pathprof")
    assert len(list((tmp_path / "pages").glob("*.html"))) == 3001
    assert (tmp_path / "pages/index.html").read_text().count("<tr data-name=") == 3000


def test_index_of_many_files_in_a_browser(pathdump, make_profile, tmp_path, chromium):
    """Directories are folded with mouse and keyboard, and the files that a search finds have their full names."""
    make_profile([{**loop(f"f{i}"), "file": f"d{i % 7}/e{i % 31}/s{i}.c"} for i in range(900)])
    pathdump("coverage", "--html", "pages", "prog.pathprof")
    chromium.open(tmp_path / "pages/index.html")
    assert chromium.texts("tr[data-name] a") == []
    assert not (found := chromium.violations(axe_core())), found
    chromium.click("button", "e0/")
    files = {f"s{i}.c" for i in range(0, 900, 31)}
    in_first = {f"s{i}.c" for i in range(0, 900, 31 * 7)}
    assert set(chromium.texts("tr[data-name] a")) == in_first and in_first < files
    chromium.run("document.querySelector('button').focus()")
    chromium.press(" ")
    assert chromium.texts("tr[data-name] a") == []
    assert chromium.run("return document.querySelector('button').getAttribute('aria-expanded')") == "false"
    chromium.run("document.querySelector('input').focus()")
    chromium.press("E3/S3")
    assert set(chromium.texts("tr[data-name] a")) == {f"d{i % 7}/e3/s{i}.c" for i in range(900) if i % 31 == 3 and str(i).startswith("3")}


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("width", (400, 1280, 2560))
def test_axe_finds_nothing(price, chromium, width, colours):
    axe = axe_core()
    pages(price)
    for page in ("index.html", "src_prog.c.html"):
        with chromium.seen_at(width, colours):
            chromium.open(price.folder / "pages" / page)
            chromium.run("document.querySelectorAll('details').forEach((e) => { e.open = true; })")
            assert not (found := chromium.violations(axe)), (page, found)


def test_keeps_other_files(price):
    price.write("pages/own.txt", "mine")
    done = price.pathdump("coverage", "--html", "pages", "prog.pathprof", status=2)
    assert re.fullmatch(r"pathdump: coverage: --html: .*own.txt was not written by pathdump, .*\n", done.stderr)
    assert price.read("pages/own.txt") == b"mine" and not price.exists("pages/index.html")


def test_keeps_a_directory_of_others(price):
    """A directory with correct checksums that another program wrote, and one of the other option."""
    price.write("release/a.tar", "archive")
    price.run("sh", "-c", "cd release && sha256sum a.tar > SHA256SUMS")
    price.pathdump("coverage", "--evidence", "signed", "prog.pathprof")
    price.pathdump("coverage", "--html", "pages", "prog.pathprof")
    for option, folder in (("--html", "release"), ("--evidence", "release"), ("--html", "signed"), ("--evidence", "pages")):
        done = price.pathdump("coverage", option, folder, "prog.pathprof", status=2)
        assert re.fullmatch(rf"pathdump: coverage: {option}: .*{folder} was not written by {option}, .*\n", done.stderr)
    assert price.read("release/a.tar") == b"archive" and price.exists("signed/manifest.json") and price.exists("pages/style.css")
    done = price.pathdump("coverage", "--html", "same", "--evidence", "./same/", "prog.pathprof", status=2)
    assert "name the same directory" in done.stderr and not price.exists("same")


def test_wrong_combinations(price):
    for option in ("--prime", "--conditions"):
        done = price.pathdump("coverage", "--html", "pages", option, "prog.pathprof", status=2)
        assert "--html shows the summary" in done.stderr
