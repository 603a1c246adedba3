# SPDX-License-Identifier: GPL-3.0-or-later
"""pathdump html: the page as it is without JavaScript, what is packed in it, and in headless Chromium."""

import base64
import hashlib
import os
import pty
import re
import subprocess
import time

import pytest

from conftest import BUILD, assert_one_line, branch, loop
from pages import Page, write_source
from programs import figure_4

HOSTILE = "</script><img src=x onerror=alert(1)>\"'&\x01"
SHOWN = HOSTILE.replace("\x01", r"\x01")


@pytest.fixture
def browser(chromium):
    """Fails tests whose page complains, or asks for anything but itself."""
    chromium.driver.get("about:blank")
    chromium.emulate(prefers_color_scheme="light")
    chromium.complaints(), chromium.requests()
    yield chromium
    assert chromium.complaints() == []
    assert chromium.requests() == []


@pytest.fixture
def source(tmp_path):
    write_source(tmp_path)


# ---- without JavaScript ----


def test_hot_paths(page, pathdump, make_profile, source):
    make_profile({"program": "wc", "runs": 3, "functions": [loop(), branch()]})
    rows = page().rows("hot")
    report = pathdump.json("report", "--json")
    assert [(row["path"], row["function"]) for row in rows] == [(path["id"], path["function"]) for path in report["paths"]]
    table = pathdump("report").stdout.splitlines()
    table = table[next(i for i, line in enumerate(table) if line.startswith("rank")) + 1:]
    assert all(line.endswith(f"  {row['function']}         {row['decisions']}") for row, line in zip(rows, table))
    assert rows[0] == {"rank": "1", "share": "57.14%", "cumul.": "57.14%", "count": "20", "stmts": "8", "path": "5", "from": "loop",
                       "to": "backedge", "function": "f", "hottest line": "17 text 17;", "decisions": "from a.c:13:T; 14:F; around"}


def test_links_lead_to_details(page, make_profile, source):
    make_profile([loop(), branch(), branch("never", line=40, counts=(0, 0))])
    made = page()
    assert made.links("hot")[0] == ["#f=f", "#f=f&p=5"]
    assert [row["function"] for row in made.rows("functions")] == ["f", "g", "never"]
    assert made.links("functions") == [["#f=f"], ["#f=g"], []]
    assert made.keys("function") == ["f", "g"]


def test_every_function_has_a_row(page, pathdump, make_profile, source):
    left_out = {"name": "h", "edges": [[0, 2], [2, 1]], "line": 50, "left_out": "it calls setjmp"}
    make_profile([loop(), branch(), left_out])
    made = page()
    rows = made.rows("functions")
    assert [(row["function"], row["calls"], row["executions"], row["executed"], row["static"], row["place"]) for row in rows[:2]] == [
        ("f", "10", "40", "3", "6", "a.c:10"), ("g", "10", "10", "2", "2", "a.c:30")]
    assert [text for text, _ in made.tables["functions"][-1]] == ["h", "a.c:50", "it calls setjmp"]


def test_tables_are_accessible(page, make_profile, source):
    made = page(make_profile([loop()]))
    assert ("th", "scope", "row") in made.attributes and ("th", "scope", "col") in made.attributes
    assert "caption" in made.tags and ("html", "lang", "en") in made.attributes


def test_cycles_have_columns_where_they_are_known(page, make_profile, source):
    make_profile([loop(cycles={"1": 1000, "3": 250, "5": 750})])
    made = page()
    assert [(row["share"], row["cycles"], row["each"]) for row in made.rows("hot")[:2]] == [
        ("50.00%", "1,000", "100.0"), ("37.50%", "750", "37.5")]
    assert made.unpack("function", "f")["paths"][0]["cycles"] == 1000


def test_selected_functions_only(page, make_profile, source):
    make_profile([loop(), branch()])
    made = page("--function", "g")
    assert [row["function"] for row in made.rows("functions")] == ["g"] and made.keys("function") == ["g"]
    assert {row["function"] for row in made.rows("hot")} == {"g"}


# ---- what is packed ----


def lines_of(made, data):
    """Line → (count, text) in the first section of a function's source."""
    section = data["source"][0]
    texts = {}
    for first, text in made.unpack("file", section["file"])["parts"]:
        texts |= dict(enumerate(text.split("\n"), first))
    counts = dict(section["counts"])
    return {line: (counts.get(line), texts.get(line)) for first, last in section["ranges"] for line in range(first, last + 1)}


def test_details_of_a_function(page, make_profile, source):
    made = page(make_profile([loop()]))
    data = made.unpack("function", "f")
    assert [(path["id"], path["count"], path["statements"], path["start"], path["end"]) for path in data["paths"]] == [
        ("5", 20, 8, "loop", "backedge"), ("1", 10, 8, "entry", "backedge"), ("3", 10, 2, "loop", "exit")]
    assert lines_of(made, data)[17] == (20, "text 17;") and lines_of(made, data)[16] == (None, "text 16;")
    assert min(lines_of(made, data)) == 10  # the function's own line
    assert data["paths"][0]["lines"] == [[0, 13, 14], [0, 17, 19]]


def test_graph_has_the_edges_counts(page, make_profile, source):
    graph = page(make_profile([loop()])).unpack("function", "f")["graph"]

    def name(number):
        node = graph["nodes"][number]
        return node.get("kind") or tuple(node["blocks"])

    counts = {(name(edge["from"]), name(edge["to"])): edge["count"] for edge in graph["edges"]}
    assert counts == {("entry", (2,)): 10, ((2,), (3,)): 10, ((3,), (4,)): 30, ((3,), (8,)): 10, ((4,), (5,)): 10,
                      ((4,), (6,)): 20, ((5,), (7,)): 10, ((6,), (7,)): 20, ((7,), (3,)): 30, ((8,), "exit"): 10}
    assert {name(i): node["count"] for i, node in enumerate(graph["nodes"])}[(3,)] == 40
    assert all(len(edge["points"]) >= 10 for edge in graph["edges"])
    for node in graph["nodes"]:
        x, y, width, height = node["box"]
        assert 0 <= x - width / 2 - 1 + 2 and x + width / 2 <= graph["width"] + 1 and y + height / 2 <= graph["height"] + 1


def test_paths_are_drawn_on_the_graph(page, make_profile, source):
    data = page(make_profile([loop()])).unpack("function", "f")
    graph, path = data["graph"], data["paths"][0]
    blocks = [block for node in path["nodes"] for block in graph["nodes"][node].get("blocks", [])]
    assert blocks == [3, 4, 6, 7]
    walked = [(graph["edges"][edge]["from"], graph["edges"][edge]["to"]) for edge in path["edges"]]
    assert walked == list(zip(path["nodes"], path["nodes"][1:]))
    over = graph["edges"][path["over"]]
    assert over["from"] == path["nodes"][-1] and over["to"] == path["nodes"][0] and "back" in over["flags"]


def test_chains_of_blocks_are_one_node(page, make_profile):
    chain = {"name": "c", "edges": [[0, 2], [2, 3], [3, 4, "true"], [3, 5, "false"], [4, 6], [6, 1], [5, 1]],
             "traces": [{"blocks": [0, 2, 3, 4, 6, 1], "times": 5}]}
    data = page(make_profile([chain])).unpack("function", "c")
    assert [node.get("kind") or node["blocks"] for node in data["graph"]["nodes"]] == ["entry", [2, 3], [4, 6], "exit", "stub"]
    assert [node.get("kind") or node["blocks"] for node in data["unfolded"]["nodes"]] == ["entry", [2, 3], [4, 6], [5], "exit"]
    path = data["paths"][0]
    assert len(path["nodes"]) == len(path["unfolded"]["nodes"]) == 4 and len(path["edges"]) == len(path["unfolded"]["edges"]) == 3


def ladder(number, executed=True):
    """A function of `number` branches, one after the other, each of which may leave; with its trace."""
    edges = [[0, 2]]
    for i in range(2, number + 2):
        edges += [[i, i + 1, "true"], [i, number + 3, "false"]]
    edges += [[number + 2, 1], [number + 3, 1]]
    last = number + 2 if executed else 12
    blocks = [0, *range(2, last + 1), *([] if executed else [number + 3]), 1]
    return {"name": "l", "edges": edges, "traces": [{"blocks": blocks, "times": 5}], "limit": 100000}


def test_of_a_large_graph_what_ran_is_drawn(page, make_profile):
    graph = page(make_profile([ladder(300, executed=False)])).unpack("function", "l")["graph"]
    assert graph["extent"] == "executed" and len(graph["nodes"]) < 30
    stubs = [node for node in graph["nodes"] if node.get("kind") == "stub"]
    assert len(stubs) == 11 and all(stub["count"] == 0 for stub in stubs)


def test_edges_that_span_too_much_are_left_out(page, make_profile):
    function = ladder(150)
    function["traces"] += [{"blocks": [0, *range(2, i), 153, 1], "times": 1} for i in range(3, 150)]
    assert page(make_profile([function])).unpack("function", "l")["graph"] == {"extent": "none", "blocks": 154}
    function["traces"] = function["traces"][:2]
    graph = page(make_profile([function])).unpack("function", "l")["graph"]
    assert graph["extent"] == "executed" and [node.get("kind") for node in graph["nodes"]].count("stub") > 140


def test_a_graph_that_is_too_large_is_left_out(page, make_profile):
    start = time.monotonic()
    data = page(make_profile([ladder(3000)])).unpack("function", "l")
    assert data["graph"] == {"extent": "none", "blocks": 3004} and "nodes" not in data["paths"][0]
    assert time.monotonic() - start < 20


def test_text_of_a_file_is_there_once(page, make_profile, source):
    made = page(make_profile([loop(), branch()]))
    assert made.keys("file") == ["0"]
    parts = made.unpack("file", 0)
    assert parts["name"] == "a.c"
    assert [(first, text.count("\n") + 1) for first, text in parts["parts"]] == [(10, 12), (30, 4)]


def test_inlined_code_has_its_own_section(page, make_profile, tmp_path):
    write_source(tmp_path), write_source(tmp_path, "util.h")
    function = branch("f")
    function["sites"] = [{"function": "_Z3maxii", "file": "a.c", "line": 31}]
    function["blocks"][1]["lines"].append({"file": "util.h", "line": 7, "site": 1})
    sections = page(make_profile([function])).unpack("function", "f")["source"]
    assert [section.get("of") for section in sections] == [None, "max(int, int)"]
    assert sections[1]["counts"] == [[7, 4]]


def test_numbers_of_detailed_functions(page, make_profile):
    functions = [branch(f"f{i:02}", counts=(2**(60 - i), 0)) for i in range(50)]
    make_profile(functions)
    assert len(page("-n", "7").keys("function")) == 7
    assert len(page("--top", "0").keys("function")) == 40  # so many always
    assert len(page("--top", "100").keys("function")) == 50
    assert len(page("--top", "100", "-n", "0").keys("function")) == 50
    assert len(page("-n", "7").tables["functions"]) == 50


def test_functions_of_one_name(page, make_profile):
    made = page(make_profile([branch(unit="a.c"), branch(unit="b.c", counts=(1, 1))]))
    assert made.keys("function") == ["g@0", "g@1"]
    assert made.links("functions") == [["#f=g%400"], ["#f=g%401"]]


# ---- every model ----

PROGRAM = """\
static volatile int sink;

__attribute__ ((noinline)) static int
inner (int n)
{
  if (n % 3)
    return n;
  return sink;
}

__attribute__ ((noinline)) int
work (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    if (i % 2)
      sum += inner (i);
    else
      sink = i;
  return sum;
}

int
main (void)
{
  for (int i = 0; i < 20; i++)
    work (i);
  return 0;
}
"""

MODELS = {
    "acyclic": [], "kiter": ["mode=kiter", "k=3"], "kipf": ["mode=kipf", "k=4"], "intracontext": ["mode=intracontext"],
    "context": ["mode=context"], "piecewise": ["mode=piecewise"], "tsc": ["metric=tsc"], "exact": ["termination=exact"],
    "preferential": ["mode=preferential", "interesting=ids"],
}


def build(project, model, level="-O0"):
    project.write("prog.c", PROGRAM)
    project.write("ids", "work 0\n")
    project.gcc(level, "-g", *(f"-fplugin-arg-pathprof-{argument}" for argument in MODELS[model]), "prog.c", "-o", "prog")
    project.run("./prog")


def check_path(graph, path):
    for number in path["edges"]:
        edge = graph["edges"][number]
        assert {edge["from"], edge["to"]} <= set(path["nodes"])
        assert int(edge["count"]) > 0
    assert path["trail"] and path["lines"]


@pytest.mark.parametrize("model", MODELS)
def test_models(page, project, model):
    build(project, model)
    made = page()
    detailed = {key: made.unpack("function", key) for key in made.keys("function")}
    assert set(detailed) == {"main", "work", "inner"}
    for data in detailed.values():
        assert data["paths"], data["key"]
        for path in data["paths"]:
            check_path(data["graph"], path)
    assert dict(lines_of(made, detailed["inner"]))[6] == (90, "  if (n % 3)")
    assert all(made.links("hot"))


def test_iterations(page, project):
    build(project, "kiter")
    data = page().unpack("function", "work")
    path = next(path for path in data["paths"] if len(path.get("parts", [])) == 3)
    assert [edge for part in path["parts"] for edge in part["edges"]] == path["edges"]
    backs = [edge for edge in path["edges"] if "back" in data["graph"]["edges"][edge]["flags"]]
    assert len(backs) == 2


def test_context_of_loops(page, project):
    build(project, "intracontext")
    data = page().unpack("function", "work")
    path = next(path for path in data["paths"] if path.get("context"))
    assert path["parts"][0]["context"] and path["trail"].startswith("(")
    assert any(len(stretch) == 4 for stretch in path["lines"])


def test_sequences(page, pathdump, project):
    build(project, "kipf")
    made = page()
    report = pathdump.json("report", "--sequences", "--json", "-n", "0")["sequences"]
    rows = made.rows("sequences")
    assert [row["count"].replace(",", "") for row in rows] == [str(sequence["count"]) for sequence in report][:len(rows)]
    data = made.unpack("function", "work")
    listed = {path["id"] for path in data["paths"]}
    for sequence in data["sequences"]:
        assert {path for path, times in sequence["steps"]} <= listed
    assert made.links("sequences")[0][1].startswith("#f=work&q=1")


def test_residual_paths(page, project):
    build(project, "preferential")
    made = page()
    assert "residual" in "".join(row["function"] for row in made.rows("hot"))
    assert any(path.get("residual") for path in made.unpack("function", "work")["paths"])


@pytest.mark.parametrize("mode", ["context", "piecewise"])
def test_paths_through_calls(page, make_profile, mode):
    made = page(make_profile(figure_4(mode)))
    unit = made.unpack("unit", 0)
    listed = {link for links in made.links("hot") for link in links if link.startswith("#u=")}
    assert listed == {f"#u=0&p={path['id']}" for path in unit["paths"]}
    path = next(path for path in unit["paths"] if len({step["function"] for step in path["steps"]}) == 2)
    call = next(step for step in path["steps"] if step["way"] == "call")
    assert call["name"] == "pow" and call["depth"] == 1
    graph = made.unpack("function", call["function"])["graph"]
    assert all(edge < len(graph["edges"]) for edge in call["edges"]) and call["nodes"]
    own = made.unpack("function", "pow")["paths"]
    assert own and all(path["unit"] == 0 for path in own)


# ---- hostile and missing input ----


def test_names_never_become_markup(page, make_profile, tmp_path):
    (tmp_path / "a.c").write_text(f"x {HOSTILE}\n" * 60)
    function = branch(HOSTILE, unit=HOSTILE + ".c", file="a.c")
    made = page(make_profile({"program": HOSTILE, "functions": [function]}))
    assert "img" not in made.tags and len(made.scripts) == 1
    assert not [attribute for attribute in made.attributes if attribute[1].startswith("on")]
    shown = made.rows("hot")[0]["function"]
    assert shown == SHOWN
    assert made.unpack("function", made.keys("function")[0])["assembler"] == SHOWN
    assert made.text.count("<script") == len(made.packed) + 1


def test_text_that_is_no_utf8(page, make_profile, tmp_path):
    (tmp_path / "a.c").write_bytes(b"caf\xe9\n" * 60)
    made = page(make_profile([branch()]))
    assert lines_of(made, made.unpack("function", "g"))[31][1] == r"caf\xe9"


def test_braces_in_names_are_no_placeholders(page, make_profile):
    made = page(make_profile({"program": "{{script}}", "functions": [branch("{{hot}}")]}))
    assert len(made.scripts) == 1 and made.rows("hot")[0]["function"] == "{{hot}}"


def test_missing_source(page, pathdump, make_profile, tmp_path):
    make_profile([branch(unit="/old/a.c")])
    done = pathdump("html", "-o", "page.html")
    assert_one_line(done.stderr, "pathdump: /old/a.c: source not found", "--source-prefix OLD=NEW")
    assert "Source not found: <code>/old/a.c</code>" in (tmp_path / "page.html").read_text()
    (tmp_path / "new").mkdir()
    write_source(tmp_path / "new")
    made = page("--source-prefix", "/old=new")
    assert lines_of(made, made.unpack("function", "g"))[31] == (4, "text 31;")


def test_nothing_was_executed(page, make_profile):
    made = page(make_profile([branch(counts=(0, 0))]))
    assert "No path was executed." in made.text and made.packed == {}


def test_wrong_use(pathdump, make_profile, tmp_path):
    profile = make_profile([branch()])
    for arguments in (("--top", "101"), ("--top", "x"), ("-n", "-1"), ("-n", "x")):
        assert pathdump("html", "-o", "page.html", *arguments, profile, status=2).stderr.count("\n") == 1
    (tmp_path / "bad").write_bytes(profile.read_bytes()[:-3])
    assert pathdump("html", "-o", "page.html", "bad", status=3).stderr.count("\n") == 1
    assert not (tmp_path / "page.html").exists()


def test_not_on_a_terminal(make_profile):
    profile = make_profile([branch()])
    terminal, other_end = pty.openpty()
    done = subprocess.run([BUILD / "bin/pathdump", "html", profile], stdout=other_end, stderr=subprocess.PIPE, text=True, timeout=900)
    os.close(terminal), os.close(other_end)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "-o FILE" in done.stderr


# ---- the file ----


def test_same_bytes(page, pathdump, make_profile, source, tmp_path):
    make_profile([loop(), branch()])
    page(), page(name="other.html")
    first = (tmp_path / "page.html").read_bytes()
    assert first == (tmp_path / "other.html").read_bytes() == pathdump("html", binary=True).stdout


def test_policy_lets_only_the_pages_own_script_run(page, make_profile, source):
    made = page(make_profile([loop()]))

    def allowed(text):
        return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"

    assert "default-src 'none'" in made.policy and "unsafe" not in made.policy
    assert f"script-src {allowed(made.scripts[0])};" in made.policy
    assert f"style-src {allowed(made.styles[0])};" in made.policy
    assert not [attribute for attribute in made.attributes if attribute[1] in ("src", "style")]
    assert not [value for tag, name, value in made.attributes if name == "href" and not value.startswith("#")]
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", made.text)


def many_functions(number):
    return [loop(f"function_{i:04}", unit=f"folder/file_{i % 40}.c", line=10 + i) for i in range(number)]


def test_size(page, make_profile):
    made = page(make_profile(many_functions(1500)))
    assert len(made.tables["functions"]) == 1500 and len(made.keys("function")) == 500
    assert len(made.text) < 4_000_000


# ---- in Chromium ----


@pytest.fixture
def opened(browser, pathdump, tmp_path):
    def open_page(*arguments, fragment=""):
        pathdump("html", "-o", "page.html", *arguments)
        browser.open(tmp_path / "page.html", fragment)
        return browser

    return open_page


def test_a_click_on_a_path_draws_it(opened, make_profile, source):
    make_profile([loop(), branch()])
    browser = opened()
    assert browser.number("#hot tbody tr") == 5 and browser.number("#functions tbody tr") == 0
    browser.click("#hot tbody a", "5")
    assert browser.run("return location.hash") == "#f=f&p=5"
    assert browser.number("#hot tbody tr") == 0
    assert browser.texts(".heading h2") == ["f"]
    assert browser.texts("svg .node.on .head") == ["13", "14", "17-18", "19"]
    assert browser.number("svg .edge.on") == 3 and browser.number("svg .edge.over") == 1
    assert browser.texts(".source tr.on th") == ["13", "14", "17", "18", "19"]
    assert browser.texts("tr[aria-current] th") == ["5"]
    browser.click(".choice tbody a", "3")
    assert browser.texts(".source tr.on th") == ["13", "21"]
    assert browser.number("svg .edge.on") == 2


def test_source_has_counts_and_columns_of_paths(opened, make_profile, source):
    make_profile([loop()])
    browser = opened(fragment="#f=f")
    rows = browser.run("""return [...document.querySelectorAll('.source tbody tr')].map((row) =>
        [...row.cells].map((cell) => cell.textContent))""")
    assert ["40", "13", "ABC", "text 13;"] in rows and ["20", "17", "A··", "text 17;"] in rows and ["", "16", "", "text 16;"] in rows


def test_addresses_and_history(opened, make_profile, source):
    make_profile([loop(), branch()])
    browser = opened(fragment="#f=g&p=1")
    assert browser.texts(".heading h2") == ["g"] and browser.texts("tr[aria-current] th") == ["1"]
    browser.go("#functions")
    assert browser.number("#functions tbody tr") == 2 and browser.number("#view") == 0
    browser.driver.back()
    browser.settle()
    assert browser.texts(".heading h2") == ["g"]
    browser.go("#f=unknown")
    assert "no details of unknown" in browser.texts("#view")[0]


def test_search(opened, make_profile, source):
    make_profile([loop(), branch(), branch("other", unit="folder/b.c")])
    browser = opened(fragment="#functions")
    browser.press("/")
    browser.press("b.c")
    assert browser.texts("#functions tbody tr:not([hidden]) th") == ["other"]
    browser.press("\ue007")  # Enter leaves the search, too
    assert browser.texts(".heading h2") == ["other"]
    assert browser.run(FOCUS) == "view"
    browser.press("\ue00c")  # Escape leaves the view
    assert browser.number("#hot tbody tr") == 2  # what is searched for is still there
    browser.press("/")
    browser.press("\ue00c")  # and the search
    assert browser.run(FOCUS) == ""
    assert browser.number("#hot tbody tr") == 7


FOCUS = "return document.activeElement.id"


# What is typed in the view of a function leads to the list of functions; keys of the page are "h", "t" and "f", too.
@pytest.mark.parametrize("fragment", ["#f=f&p=5", "#f=f", "#f=unknown", "#hot", "#functions"])
def test_search_from_everywhere(opened, make_profile, source, fragment):
    make_profile([loop(), branch("path"), branch("other")])
    browser = opened(fragment=fragment)
    theme = browser.texts("#theme")
    browser.press("/")
    for typed in ("p", "pa", "pat", "path"):
        browser.press(typed[-1])
        assert (browser.run(FOCUS), browser.run("return document.querySelector('#search').value")) == ("search", typed)
    assert browser.texts("#theme") == theme
    shown = "functions" if "=" in fragment else fragment[1:]
    assert set(browser.texts(f"#{shown} tbody tr:not([hidden]) th")) == {"path"}
    if "=" in fragment:
        browser.driver.back()
        browser.settle()
        assert browser.number("#view") == 1 and browser.run("return location.hash") == fragment


def test_steps_keep_the_focus(opened, make_profile, source):
    make_profile([loop(), branch()])
    browser = opened(fragment="#f=f&p=5")
    browser.run("document.querySelector('.choice tbody tr:nth-child(2) a').focus()")
    browser.press("\ue007")
    assert browser.run("return document.activeElement.textContent") == browser.texts("tr[aria-current] th")[0]
    browser.press("n")
    assert browser.run(FOCUS) == "view"


WIDTHS = (400, 800, 1400)
COVERED = """
const covered = [];
for (const element of document.querySelectorAll(arguments[0])) {
  if (!element.getClientRects().length) continue;
  element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  const box = element.getBoundingClientRect(), x = Math.max(box.left, 0) + 6, y = box.top + box.height / 2;
  const seen = document.elementFromPoint(x, y);
  if (!seen || !(element.contains(seen) || seen.contains(element))) covered.push([element.textContent.slice(0, 40), x, y, seen && seen.outerHTML.slice(0, 80)]);
}
return covered;
"""


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("fragment", ["#hot", "#functions", "#f=f0&p=5"])
def test_nothing_covers_what_is_shown(opened, make_profile, tmp_path, width, fragment):
    write_source(tmp_path, lines=100)
    make_profile([loop(f"f{i}") for i in range(30)])
    browser = opened()
    browser.resize(width, 700)
    try:
        browser.go(fragment)
        rows = ".choice tbody td:nth-child(2)" if "=" in fragment else "tbody td:first-child"
        browser.run("scrollTo(0, 0)")
        assert browser.run(COVERED, f"{rows}, .source tbody th, .top a, .top button, .top input") == []
        # From below, as Shift and Tab go.
        browser.run("scrollTo(0, document.documentElement.scrollHeight)")
        assert browser.run(COVERED.replace("document.querySelectorAll(arguments[0])",
                                           "[...document.querySelectorAll(arguments[0])].reverse()"), f"{rows} ") == []
        assert browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
        if "=" in fragment and width > 900:  # the view has the window's size, and its panes scroll
            assert browser.run("return document.documentElement.scrollHeight - innerHeight") <= 0
    finally:
        browser.resize()


def test_sorting(opened, make_profile, source):
    make_profile([loop(), branch(counts=(40, 60)), branch("h", counts=(1, 0))])
    browser = opened(fragment="#functions")

    def order(title):
        browser.click("#functions thead button", title)
        head = browser.run("return [...document.querySelectorAll('#functions [aria-sort]')].map((e) => [e.textContent, e.ariaSort])")
        return browser.texts("#functions tbody th"), head

    assert order("calls") == (["g", "f", "h"], [["calls", "descending"]])
    assert order("calls") == (["h", "f", "g"], [["calls", "ascending"]])
    assert order("function") == (["f", "g", "h"], [["function", "ascending"]])


def test_keys(opened, make_profile, source):
    make_profile([loop(), branch()])
    browser = opened(fragment="#f=f&p=5")
    browser.press("j")
    assert browser.run("return location.hash") == "#f=f&p=1"
    browser.press("k")
    browser.press("n")
    assert browser.texts(".heading h2") == ["g"]
    width = "return document.querySelector('.canvas svg').getBoundingClientRect().width"
    before = browser.run(width)
    browser.press("+")
    assert browser.run(width) > before
    browser.press("?")
    assert browser.number("#keys dt") > 5
    browser.press("\ue00c")
    browser.press("h")
    assert browser.number("#hot tbody tr") == 5


def test_light_and_dark(opened, make_profile, source):
    make_profile([loop()])
    browser = opened(fragment="#f=f&p=5")
    ground = "return getComputedStyle(document.body).backgroundColor"
    assert browser.run(ground) == "rgb(255, 255, 255)"
    browser.emulate(prefers_color_scheme="dark")
    dark = browser.run(ground)
    assert dark != "rgb(255, 255, 255)"
    browser.press("t")
    assert (browser.texts("#theme"), browser.run(ground)) == (["Theme: light"], "rgb(255, 255, 255)")
    browser.press("t")
    browser.emulate(prefers_color_scheme="light")
    assert (browser.texts("#theme"), browser.run(ground)) == (["Theme: dark"], dark)
    browser.press("t")
    assert browser.texts("#theme") == ["Theme: auto"]


def test_hostile_names_in_chromium(opened, make_profile, tmp_path):
    (tmp_path / "a.c").write_text(f"x {HOSTILE}\n" * 60)
    make_profile({"program": HOSTILE, "functions": [branch(HOSTILE, unit=HOSTILE + ".c", file="a.c"), loop("b&p=1#")]})
    browser = opened()
    browser.click("#hot tbody th a", "b&p=1#")
    assert browser.texts(".heading h2") == ["b&p=1#"]
    browser.click("#functions tbody tr:last-child th a")
    assert browser.texts(".heading h2") == [SHOWN]
    assert f"x {SHOWN}" in browser.texts(".source .code") and browser.run("return document.images.length") == 0


def test_iterations_in_chromium(opened, project):
    build(project, "kiter")
    data = Page(project.pathdump("html").stdout).unpack("function", "work")
    path = next(path for path in data["paths"] if len(path.get("parts", [])) == 3)
    browser = opened(fragment=f"#f=work&p={path['id']}")
    names = browser.texts(".steps-of li b")
    assert len(names) == 3 and names[-1].startswith("iteration ")
    passed = browser.number("svg .edge.on, svg .edge.past")
    browser.click(".steps-of li a b", names[-1])
    assert browser.run("return location.hash").endswith("&i=3") and 0 < browser.number("svg .edge.on") < passed


def test_sequences_in_chromium(opened, project):
    build(project, "kipf")
    browser = opened(fragment="#sequences")
    browser.click("#sequences tbody .steps a")
    assert browser.texts(".heading h2") == ["work"]
    steps = browser.texts(".steps-of li b")
    assert steps and browser.texts("tr[aria-current] th a")[-1:]
    browser.press("j")
    assert browser.number(".steps-of li[aria-current]") == 1


def test_steps_through_calls_in_chromium(opened, make_profile, tmp_path):
    write_source(tmp_path)
    profile = make_profile(figure_4())
    browser = opened(profile)
    browser.click("#hot tbody a", "25")
    assert browser.texts(".calls li b")[0] == "main" and "pow" in browser.texts(".calls li b")
    assert browser.number("svg .edge.on") > 0
    shown = browser.texts(".canvas svg")
    browser.click(".calls li:first-child a b")
    assert browser.texts(".canvas svg") != shown and browser.number("svg .edge.past") > 0
    browser.go("#f=pow")
    assert browser.number(".choice tbody tr") > 1
    browser.click(".choice tbody a")
    assert browser.run("return location.hash").startswith("#u=0&p=")


def test_a_browser_that_cannot_unpack_says_so(opened, make_profile, source):
    make_profile([loop()])
    browser = opened()
    browser.run("delete window.DecompressionStream")
    browser.go("#f=f")
    assert "DecompressionStream" in browser.texts("#view")[0]
    browser.go("#hot")
    assert browser.number("#hot tbody tr") == 3


def test_a_graph_that_was_left_out_is_explained(opened, make_profile):
    make_profile([ladder(3000)])
    browser = opened(fragment="#f=l")
    assert "3,004 blocks" in browser.texts(".graph")[0] and browser.number(".choice tbody tr") == 1


def test_opens_with_little_of_a_large_profile(opened, browser, make_profile):
    """What a page takes to open is what it has to draw: of a function a row, its source and its graph when it is looked at."""
    elements = []
    for number in (300, 1500):
        opened(make_profile(many_functions(number)))
        elements.append(browser.run("return document.querySelectorAll('*').length"))
    assert elements[1] - elements[0] < 20 * (1500 - 300)
