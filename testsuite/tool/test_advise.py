# SPDX-License-Identifier: GPL-3.0-or-later
"""pathdump advise: where paths know more than edges."""
import html
import re

import pytest

from conftest import assert_mentions, need, plugin, version_suffix

SOURCE = """
#include <stdio.h>
volatile int sink;
__attribute__((noinline)) void correlated(int a, int b) {
  if (a)
    sink = 1;
  if (b)
    sink = 2;
  if (a)
    sink = 3;
}
__attribute__((noinline)) void alternating(int n) {
  for (volatile int i = 0; i < n; i++)
    if (i & 1)
      sink = 4;
    else
      sink = 5;
}
__attribute__((noinline)) void once(int n) {
  while (n--)
    sink = 6;
}
__attribute__((noinline)) void never(int n) {
  while (n-- > 500)
    sink = 7;
}
__attribute__((noinline)) void checked(int n) {
  if (n == 12345)
    sink = 8;
  sink = 9;
}
int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < 400; i++) {
    correlated((i & 1) != 0, (i & 2) != 0);
    once(1);
    never(i);
    checked(argc > 1 && i % 2 ? 12345 : i);
  }
  alternating(1000);
  return 0;
}
"""


def line_of(text):
    return SOURCE.split("\n").index(text) + 1


def profile(project, mode="acyclic", k=2):
    """Profiles SOURCE."""
    project.write("a.c", SOURCE)
    project.profiled("a.c", "-O1", "-g", *plugin(f"mode={mode}", "stage=source", *([f"k={k}"] if mode == "kipf" else [])))


def advise(project, *arguments, **options):
    """Returns the suggestions for SOURCE."""
    profile(project, **options)
    return project.pathdump.json("advise", "--json", *arguments)


def test_correlated_branches(project):
    advice = advise(project)
    functions = {function["function"]: function for function in advice["functions"]}
    assert (functions["correlated"]["executions"], functions["correlated"]["missed_by_edges"],
            functions["correlated"]["missed_by_paths"]) == (1200, 600, 400)
    assert "missed_by_pairs" not in functions["correlated"]
    (branch,) = [branch for branch in advice["branches"] if branch["function"] == "correlated"]
    assert (branch["missed_by_edges"], branch["missed_by_paths"]) == (200, 0)
    third, first = 8 + 1, 4 + 1
    assert (branch["branch"]["line"], branch["told_by"]["line"], branch["told_by"]["missed"]) == (third, first, 0)
    assert advice["loops"] == []


def pieces(advice, kind):
    return {piece["function"]: piece for piece in advice["advice"] if piece["kind"] == kind}


def test_sentences(project):
    advice = advise(project)
    decided = pieces(advice, "decided")["correlated"]
    assert_mentions(decided["text"], "line 5 `a`", "400", "50.0%", "0.0%")
    assert decided["text"].startswith("Line 9 `a`") and decided["text"].count("200 times") == 2
    assert decided["text"].index("true") < decided["text"].index("false")
    assert (decided["line"], decided["source"], decided["worth_of"]) == (9, "if (a)", "branches")
    assert decided["worth"] == pytest.approx(100 * 200 / advice["total"]["executions"])
    assert "pathprof rebuild" in decided["use"] and decided["saving"] == 800
    loops = pieces(advice, "constant-loop")
    assert "always took its back edge exactly once in 400 entries" in loops["once"]["text"]
    assert loops["once"]["line"] == line_of("  while (n--)")
    assert set(loops) == {"once"}
    one_way = pieces(advice, "one-way")
    assert one_way["checked"]["text"].endswith("`n == 12345` was always false: 400 of 400 times.")
    assert "__builtin_expect_with_probability(!!(n == 12345), 0, 1.0000)" in one_way["checked"]["use"]
    assert "correlated" not in one_way and "once" not in one_way
    assert pieces(advice, "alternates") == {}
    kinds = [piece["kind"] for piece in advice["advice"]]
    assert kinds == sorted(kinds, key=("decided", "constant-loop", "one-way").index)


@pytest.mark.parametrize("mode", ("acyclic", "context"))
def test_worth_does_not_depend_on_the_selection(project, mode):
    """Regression 9: --function and --file select suggestions; shares still refer to the whole profile."""
    everything = advise_loops(project, f"mode={mode}", text=SOURCE if mode == "acyclic" else LOOPS)
    worth = {(piece["function"], piece["text"]): piece["worth"] for piece in everything["advice"]}
    selected = 0
    for name in {function for function, _ in worth}:
        for piece in project.pathdump.json("advise", "--json", "-n", "0", "--function", name)["advice"]:
            assert piece["worth"] == pytest.approx(worth[piece["function"], piece["text"]]), piece
            selected += 1
    assert selected >= len(worth) > 0


def test_branches_of_one_place(project):
    """No branch is said to follow from one with the same words, in the sentences and in the table."""
    project.write("a.c", """volatile int sink;
#define TWICE(x) do { if (x) sink = 1; if (sink == 3) sink = 2; if (x) sink = 4; } while (0)
__attribute__((noinline)) void macro(int a) {
  TWICE(a);
}
static inline __attribute__((always_inline)) void leaf(int a) {
  if (a)
    sink = 1;
}
__attribute__((noinline)) void inlined(int a) {
  leaf(a);
  sink = 2;
  leaf(a);
}
int main(void) {
  for (int i = 0; i < 100; i++) {
    macro(i & 1);
    inlined(i & 1);
  }
}
""")
    project.profiled("a.c", "-O0", "-g", *plugin("stage=early"))
    decided = pieces(project.pathdump.json("advise", "--json"), "decided")
    assert decided["macro"]["text"].startswith("Line 4#3 `a`")
    assert_mentions(decided["macro"]["text"], "line 4 `a`", "always true", "50")
    assert_mentions(decided["inlined"]["text"], "`a`", "copy", "compiler", "always true")
    assert re.search(r"  macro +a\.c:4#3 +a\.c:4 \(0\.0%\)$", project.pathdump("advise").stdout, re.MULTILINE)


def test_advice_in_the_page(project):
    """It follows the hot paths, and each suggestion is a link to the view of its function."""
    advice = advise(project)
    page = project.pathdump("html", "a.pathprof").stdout
    places = [page.index(html.escape(piece["text"])) for piece in advice["advice"][:5]]
    assert places == sorted(places) and page.index('aria-labelledby="hot-title"') < page.index("</table>") < places[0]
    links = re.findall(r'<li><a href="#f=([^"&]*)">[^<]*, in (\w+)</a>', page)
    assert len(links) == len(places) and all(key.startswith(name) for key, name in links)


def test_what_tests_never_took(project):
    profile(project)
    (project.folder / "a.pathprof").rename(project.folder / "tests.pathprof")
    project.run("./a", "field", env={"PATHPROF_FILE": "field.pathprof"})

    def told(tests, field):
        return pieces(project.pathdump.json("advise", "--json", "--tests", tests, field), "untested")

    found = told("tests.pathprof", "field.pathprof")
    assert_mentions(found["checked"]["text"], "200", "never", "tests")
    assert " a.c:" in found["checked"]["text"]
    assert found["checked"]["source"] == "if (n == 12345)"
    assert told("field.pathprof", "field.pathprof") == {}


MANY = """
#include <stdlib.h>
volatile int sink;
__attribute__((noinline)) void hot(int n) { for (int i = 0; i < n; i++) sink += i & 1 ? 3 : i; }
__attribute__((noinline)) void rare(int n) {
  if (n & 1) sink++;
  if (n & 2) sink++;
  if (n & 4) sink++;
}
int main(int argc, char **argv) {
  hot(atoi(argv[1]));
  for (int i = 0; i < atoi(argv[2]); i++) rare(i);
}
"""


def test_limit_of_untested_paths_is_said(project, pathdump):
    """Paths that the tests took, too, take no place in the list, however much their counts differ."""
    project.write("many.c", MANY)
    project.gcc("-g", "-O0", "many.c", "-o", "many")
    for name, arguments in (("tests", ("10", "1")), ("field", ("100000", "8"))):
        project.run("./many", *arguments, env={"PATHPROF_FILE": f"{name}.pathprof"})
    arguments = ("advise", "--function", "rare", "--function", "hot", "--tests", "tests.pathprof", "field.pathprof", "-n")
    some, all_ = (pathdump.json(*arguments, n, "--json") for n in (2, 0))
    assert len([one for one in all_["advice"] if one["kind"] == "untested"]) == 7
    assert all_["more"] == {"advice": 0, "functions": 0, "branches": 0, "loops": 0}
    assert some["advice"] == all_["advice"][:2] and some["more"]["advice"] == len(all_["advice"]) - 2
    assert re.search(rf"^\.\.\. and {some['more']['advice']} .*\(-n 0 .*\)$", pathdump(*arguments, 2).stdout, re.M)
    assert "... and" not in pathdump(*arguments, 0).stdout


def test_limit_of_tables_is_said(project):
    found = advise(project, "-n", "1")
    text = project.pathdump("advise", "-n", "1").stdout
    for noun, key in (("function", "functions"), ("row", "branches")):
        more = found["more"][key]
        assert more > 0 and f"... and {more} more {noun}{'s' * (more > 1)} (-n 0 shows all)\n" in text, key


def test_page_says_how_much_more_advice_there_is(project):
    advice = advise(project)
    noted = re.search(rf"first 5 of {len(advice['advice'])}\b.*pathdump advise", project.pathdump("html", "a.pathprof").stdout)
    assert (noted is not None) == (len(advice["advice"]) > 5)


LOOPS = """
volatile int sink;
static __attribute__((noinline)) int way(int x, int y) {
  if (x & 1)
    return x + sink;
  return y > 100 ? sink : y;
}
__attribute__((noinline)) void machine(const unsigned char *code, int n) {
  for (volatile int i = 0; i < n; i++)
    switch (code[i % 4]) {
    case 10: sink = 1; break;
    case 11: sink = 2; break;
    case 12: sink += 3; break;
    case 13: sink -= 4; break;
    }
}
__attribute__((noinline)) void three(volatile int n) {
  while (n--)
    sink = 6;
}
__attribute__((noinline)) void any(volatile int n) {
  while (n--)
    sink = 7;
}
int main(void) {
  static const unsigned char code[4] = {10, 13, 11, 12};
  for (int i = 0; i < 300; i++) {
    three(3);
    any(i % 4);
    sink = way(3, i);
    sink = way(2 * i, i);
  }
  machine(code, 2000);
  return 0;
}
"""


ONE_CALL = """\
static volatile int sink;
__attribute__((noinline)) int rare(int x) { if (x == 77) return sink; return x; }
int main(void) { for (int i = 0; i < 1000; i++) sink = rare(i); return 0; }
"""

NEARLY = """\
static volatile int sink;
__attribute__((noinline)) void f(int i) {
  if (i & 1)
    sink = 1;
  if ((i & 1) & (i != 5))
    sink = 2;
}
int main(void) { for (int i = 0; i < 100000; i++) f(i); return 0; }
"""


def advise_loops(project, *arguments, text=LOOPS):
    project.write("b.c", text)
    return project.pathdump.json("advise", "--json", "-n", "0", project.profiled("b.c", "-O1", "-g", *plugin(*arguments, "stage=source")))


@pytest.mark.parametrize("arguments", (["mode=kipf"], ["mode=kiter"]))
def test_next_case(project, arguments):
    found = pieces(advise_loops(project, *arguments), "next-case")
    assert set(found) == {"machine"}
    text = found["machine"]["text"]
    assert re.search(r"case 13\b.*case 10\b.*100\.0%|case 11\b.*case 13\b.*100\.0%", text)
    assert text.endswith(" 0.0%.") and found["machine"]["worth_of"] == "branches"


def test_loops_that_are_always_as_long(project):
    loops = pieces(advise_loops(project, "mode=kiter", "k=6"), "exact-loop")
    assert set(loops) == {"three"}
    assert_mentions(loops["three"]["text"], "exactly 3", "300")


def test_calls_that_take_one_way(project):
    calls = pieces(advise_loops(project, "mode=context"), "steady-call")
    assert set(calls) == {"main"}
    assert calls["main"]["source"] == "sink = way(3, i);"
    assert_mentions(calls["main"]["text"], "way", "300 of 300 calls", "b.c:4:T")
    assert pieces(advise_loops(project, "mode=acyclic"), "steady-call") == {}
    assert pieces(advise_loops(project, "mode=context", text=ONE_CALL), "steady-call") == {}


FIRST_ROUND = """\
static volatile int sink;
__attribute__((noinline)) void f(int n) {
  if (n & 1)
    sink = 1;
  else
    sink = 2;
  for (int i = 0; i < n; i++)
    sink = 3;
}
int main(void) { for (int i = 0; i < 3000; i++) f(i % 3 + 1); return 0; }
"""


def test_first_test_of_a_loop(project):
    """It has the same outcome after both outcomes of the earlier branch, which therefore decides nothing."""
    assert "decided" not in {piece["kind"] for piece in advise_loops(project, "mode=acyclic", text=FIRST_ROUND)["advice"]}


# For each kind that states a saving: a program, and the edit that the suggestion describes.
EDITS = {
    "decided": ("mode=acyclic", """\
volatile int sink;
void other(void);
__attribute__((noipa)) void f(volatile int *a) {
  if (*a)
    sink = 1;
  other();
  if (*a)
    sink = 3;
}
__attribute__((noipa)) void other(void) { sink = 2; }
int main(void) { for (volatile int i = 0; i < 20000; i++) { int a = i & 1; f(&a); } return 0; }
""", "  if (*a)\n    sink = 1;\n  other();\n  if (*a)\n    sink = 3;\n",
                "  if (*a) {\n    sink = 1;\n    other();\n    sink = 3;\n  } else\n    other();\n"),
    "exact-loop": ("mode=kiter", """\
volatile int sink;
__attribute__((noipa)) void f(int n) {
  for (int i = 0; i < n; i++)
    sink = 6;
}
int main(void) { for (volatile int i = 0; i < 20000; i++) f(3); return 0; }
""", "i < n;", "i < 3;"),
    "constant-loop": ("mode=acyclic", """\
volatile int sink;
__attribute__((noipa)) void f(int n) {
  while (n--)
    sink = 6;
}
int main(void) { for (volatile int i = 0; i < 20000; i++) f(1); return 0; }
""", "  while (n--)\n", "  (void)n;\n"),
}


def instructions(project, source):
    project.write("edited.c", source)
    project.run("gcc" + version_suffix(project), "-O2", "edited.c", "-o", "edited")
    done = project.run("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "./edited")
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


@pytest.mark.parametrize("kind", EDITS)
def test_saving(project, kind):
    """The edit that a suggestion describes saves instructions, in the order of what the suggestion states."""
    need("valgrind")
    mode, source, old, new = EDITS[kind]
    project.write("b.c", source)
    found = project.pathdump.json("advise", "--json", project.profiled("b.c", "-O2", "-g", *plugin(mode, *["k=6"] * (kind == "exact-loop"))))
    stated = pieces(found, kind)["f"]["saving"]
    edited = source.replace(old, new)
    assert edited != source
    saved = instructions(project, source) - instructions(project, edited)
    assert stated / 3 <= saved <= 3 * stated, (saved, stated)


def test_what_is_nearly_always_so(project):
    """It is not said to be all of it, nor that the test could be where the other one is."""
    (piece,) = pieces(advise_loops(project, "mode=acyclic", text=NEARLY), "decided").values()
    assert_mentions(piece["text"], "true", "all but 1 of 50000")
    assert "always true" not in piece["text"]
    assert piece["saving"] == 2 * 50000


@pytest.mark.parametrize("k", (2, 4))
def test_alternating_loop(k, project):
    advice = advise(project, mode="kipf", k=k)
    (function,) = [function for function in advice["functions"] if function["function"] == "alternating"]
    assert function["missed_by_edges"] >= 500 and function["missed_by_pairs"] <= 3
    assert function["missed_by_paths"] >= 498
    (loop,) = [loop for loop in advice["loops"] if loop["function"] == "alternating"]
    assert loop["missed"] >= 498 and loop["missed_after_one"] == 0
    assert loop["rounds"] >= 997


def test_outcomes_that_the_source_states(project):
    """A suggestion to state an outcome is omitted if likely() or unlikely() states it, but not if it states the other one."""
    tests = {"unlikely (x > 9)": False, "unlikely (x < 9)": True, "likely (x < 8)": False, "likely (x > 8)": True,
             "__builtin_expect (x > 7, 0)": False, "__builtin_expect (x > 7, 1)": True}
    project.write("b.c", "#define likely(x) __builtin_expect (!!(x), 1)\n#define unlikely(x) __builtin_expect (!!(x), 0)\n"
                  "volatile int sink;\n" + "".join(
                      f"__attribute__ ((noinline)) void f{i} (int x) {{ if ({test}) sink = 1; sink = 2; }}\n" for i, test in enumerate(tests))
                  + "int main (void) { for (int i = 0; i < 400; i++) { "
                  + " ".join(f"f{i} (i % 5);" for i in range(len(tests))) + " } return 0; }\n")
    project.profiled("b.c", "-O1", "-g", *plugin("stage=source"))
    found = pieces(project.pathdump.json("advise", "--json", "-n", "0"), "one-way")
    assert {test: f"f{i}" in found for i, test in enumerate(tests)} == tests


def test_outcomes_on_one_line_are_told_apart_by_their_blocks(project):
    project.write("b.c", "#define MIN(a, b) ((a) > (b) ? (b) : (a))\nint g[100];\n"
                  "__attribute__ ((noinline)) int f (int i, int n) {\n  int s = 0;\n  for (int k = 0; k < i; k++)\n"
                  "    s += g[MIN (k, n - 1)];\n  return s; }\nint main (int argc, char **argv) { return f (50, 7 + argc) + !argv; }\n")
    text = project.pathdump("report", project.profiled("b.c", "-O2", "-g", *plugin("stage=early"))).stdout
    assert re.search(r"6:to block \d", text) and "to 6 to" not in text


def test_text(project):
    profile(project, mode="kipf")
    text = project.pathdump("advise").stdout
    assert re.match(r".+\n\n.+\n\n1\. ", text)
    assert text.count("Tests whose outcome followed from an earlier test in all or most executions. ") == 1
    assert_mentions(text, f"loop at line {line_of('    if (i & 1)') - 1} `i < n`")
    tables = [line for line in text.splitlines() if line.startswith(("Branches that", "Loops in which each"))]
    assert [line.split()[0] for line in tables] == ["Branches", "Loops"]
    assert f"a.c:{line_of('  if (b)') + 2} " in text


def test_nothing_to_say(project):
    project.write("b.c", "int main(void) { return 0; }\n")
    text = project.pathdump("advise", project.profiled("b.c", "-O1")).stdout
    assert text.count("\n") == 1 and text.startswith("No ") and "branch" in text


def test_nothing_to_advise(project):
    project.write("c.c", "int main(int argc, char **argv) { (void)argv; return argc > 1 ? 3 : 0; }\n")
    text = project.pathdump("advise", project.profiled("c.c", "-O0", "-g")).stdout
    assert text.splitlines()[0].startswith("No") and "\n1. " not in text


def test_small_suggestions_are_omitted(project):
    """Not in silence: a line states their number and the option that includes them."""
    source = SOURCE.replace("alternating(1000);", "alternating(4000000);").replace("i < 400", "i < 40")
    some = {"decided", "constant-loop", "one-way"}
    for text, kinds in ((SOURCE, some), (source, set())):
        project.write("d.c", text)
        profiled = project.profiled("d.c", "-O1", "-g")
        found = project.pathdump.json("advise", "--json", profiled)
        assert {piece["kind"] for piece in found["advice"]} & some == kinds
        everything = project.pathdump.json("advise", "--json", "--threshold=0", "-n0", profiled)
        assert len(everything["advice"]) == found["below_threshold"] + len(found["advice"]) and everything["below_threshold"] == 0
        assert (found["below_threshold"] > 0) == (not kinds)
    assert found["advice"] == []
    line = ("... and 2 smaller suggestions: less than 0.01% of the program, or fewer than 3 executions "
            "(--threshold 0 includes them)\n")
    assert project.pathdump("advise", profiled).stdout.startswith(f"No suggestions above the threshold\n\n{line}\n")
    assert "smaller" not in project.pathdump("advise", "--threshold=0", profiled).stdout


def test_few_executions_are_no_evidence(project):
    project.write("e.c", SOURCE.replace("i < 400", "i < 2"))
    profiled = project.profiled("e.c", "-O1", "-g")
    assert "decided" not in {piece["kind"] for piece in project.pathdump.json("advise", "--json", profiled)["advice"]}
    assert "decided" in {piece["kind"] for piece in project.pathdump.json("advise", "--json", "--threshold=0", profiled)["advice"]}
