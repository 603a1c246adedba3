# SPDX-License-Identifier: GPL-3.0-or-later
"""pathdump advise: where paths know more than edges."""
import html
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from conftest import assert_mentions

BUILD = Path(os.environ["PATHPROF_BUILD"]).resolve()

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


def advise(folder, *arguments, mode="acyclic", k=2):
    (folder / "a.c").write_text(SOURCE)
    given = [f"-fplugin-arg-pathprof-{argument}" for argument in (f"mode={mode}", "stage=source")]
    given += [f"-fplugin-arg-pathprof-k={k}"] if mode == "kipf" else []
    subprocess.run([BUILD / "bin/pathprof-gcc", "-O1", "-g", "a.c", "-o", "a", *given], cwd=folder, check=True, timeout=900)
    subprocess.run(["./a"], cwd=folder, check=True, timeout=900)
    return subprocess.run([BUILD / "bin/pathdump", "advise", *arguments], cwd=folder, check=True, capture_output=True,
                          text=True).stdout


def test_correlated_branches(tmp_path):
    advice = json.loads(advise(tmp_path, "--json"))
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


def test_sentences(tmp_path):
    advice = json.loads(advise(tmp_path, "--json"))
    decided = pieces(advice, "decided")["correlated"]
    assert_mentions(decided["text"], "line 5 `a`", "400", "50.0 %", "0.0 %")
    assert decided["text"].startswith("Line 9 `a`") and decided["text"].count("200") == 2
    assert decided["text"].index("true") < decided["text"].index("false")
    assert (decided["line"], decided["source"], decided["worth_of"]) == (9, "if (a)", "branches")
    assert decided["worth"] == pytest.approx(100 * 200 / advice["total"]["executions"])
    assert "--pathprof-use" in decided["use"]
    loops = pieces(advice, "constant-loop")
    assert "always takes its back edge exactly once in 400 entries" in loops["once"]["text"]
    assert "never takes its back edge in 400 entries" in loops["never"]["text"]
    assert loops["once"]["line"] == line_of("  while (n--)")
    assert set(loops) == {"once", "never"}
    one_way = pieces(advice, "one-way")
    assert one_way["checked"]["text"].endswith("`n == 12345` is always false: 400 of 400 times.")
    assert "__builtin_expect_with_probability(!!(n == 12345), 0, 1.0000)" in one_way["checked"]["use"]
    assert "correlated" not in one_way and "once" not in one_way
    assert pieces(advice, "alternates") == {}
    ranks = [(piece["kind"] in ("constant-loop", "one-way"), -piece["worth"]) for piece in advice["advice"]]
    assert ranks == sorted(ranks) and not ranks[0][0] and ranks[-1][0]


@pytest.mark.parametrize("mode", ("acyclic", "context"))
def test_worth_does_not_depend_on_the_selection(tmp_path, mode):
    """Regression 9: --function and --file select suggestions; shares still refer to the whole profile."""
    everything = advise_loops(tmp_path, f"mode={mode}", text=SOURCE if mode == "acyclic" else LOOPS)
    worth = {(piece["function"], piece["text"]): piece["worth"] for piece in everything["advice"]}
    selected = 0
    for name in {function for function, _ in worth}:
        done = subprocess.run([BUILD / "bin/pathdump", "advise", "--json", "-n", "0", "--function", name], cwd=tmp_path,
                              check=True, capture_output=True, text=True)
        for piece in json.loads(done.stdout)["advice"]:
            assert piece["worth"] == pytest.approx(worth[piece["function"], piece["text"]]), piece
            selected += 1
    assert selected >= len(worth) > 0


def test_branches_of_one_place(tmp_path):
    """No branch is said to follow from one with the same words, in the sentences and in the table."""
    (tmp_path / "a.c").write_text("""volatile int sink;
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
    subprocess.run([BUILD / "bin/pathprof-gcc", "-O0", "-g", "-fplugin-arg-pathprof-stage=early", "a.c", "-o", "a"],
                   cwd=tmp_path, check=True, timeout=900)
    subprocess.run(["./a"], cwd=tmp_path, check=True, timeout=900)
    run = [BUILD / "bin/pathdump", "advise"]
    done = subprocess.run([*run, "--json"], cwd=tmp_path, check=True, capture_output=True, text=True)
    decided = pieces(json.loads(done.stdout), "decided")
    assert decided["macro"]["text"].startswith("Line 4#3 `a`")
    assert_mentions(decided["macro"]["text"], "line 4 `a`", "always true", "50")
    assert_mentions(decided["inlined"]["text"], "`a`", "copy", "compiler", "always true")
    done = subprocess.run(run, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert re.search(r"  macro +a\.c:4#3 +a\.c:4 \(0\.0%\)$", done.stdout, re.MULTILINE)


def test_page_begins_with_advice(tmp_path):
    advice = json.loads(advise(tmp_path, "--json"))
    subprocess.run([BUILD / "bin/pathdump", "html", "-o", "page.html", "a.pathprof"], cwd=tmp_path, check=True, timeout=900)
    page = (tmp_path / "page.html").read_text()
    places = [page.index(html.escape(piece["text"])) for piece in advice["advice"][:5]]
    assert places == sorted(places) and places[-1] < page.index("<table")


def test_what_tests_never_took(tmp_path):
    advise(tmp_path)
    (tmp_path / "a.pathprof").rename(tmp_path / "tests.pathprof")
    subprocess.run(["./a", "field"], cwd=tmp_path, check=True, timeout=900)
    (tmp_path / "a.pathprof").rename(tmp_path / "field.pathprof")

    def told(tests, field):
        text = subprocess.run([BUILD / "bin/pathdump", "advise", "--json", "--tests", tests, field], cwd=tmp_path,
                              check=True, capture_output=True, text=True).stdout
        return pieces(json.loads(text), "untested")
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


def test_limit_of_untested_paths_is_said(tmp_path, pathdump):
    """Paths that the tests took, too, take no place in the list, however much their counts differ."""
    (tmp_path / "many.c").write_text(MANY)
    subprocess.run([BUILD / "bin/pathprof-gcc", "-g", "-O0", "many.c", "-o", "many"], cwd=tmp_path, check=True)
    for name, arguments in (("tests", ("10", "1")), ("field", ("100000", "8"))):
        subprocess.run(["./many", *arguments], cwd=tmp_path, check=True,
                       env={**os.environ, "PATHPROF_FILE": str(tmp_path / f"{name}.pathprof")})
    arguments = ("advise", "--function", "rare", "--function", "hot", "--tests", "tests.pathprof", "field.pathprof", "-n")
    some, all_ = (json.loads(pathdump(*arguments, n, "--json").stdout) for n in (2, 0))
    assert len([one for one in all_["advice"] if one["kind"] == "untested"]) == 7
    assert all_["more"] == {"advice": 0, "functions": 0, "branches": 0, "loops": 0}
    assert some["advice"] == all_["advice"][:2] and some["more"]["advice"] == len(all_["advice"]) - 2
    assert re.search(rf"^\.\.\. and {some['more']['advice']} .*\(-n 0 .*\)$", pathdump(*arguments, 2).stdout, re.M)
    assert "... and" not in pathdump(*arguments, 0).stdout


def test_limit_of_tables_is_said(tmp_path):
    found = json.loads(advise(tmp_path, "--json", "-n", "1"))
    text = advise(tmp_path, "-n", "1")
    for noun, key in (("function", "functions"), ("row", "branches")):
        more = found["more"][key]
        assert more > 0 and f"... and {more} more {noun}{'s' * (more > 1)} (-n 0 shows all)\n" in text, key


def test_page_says_how_much_more_advice_there_is(tmp_path):
    advice = json.loads(advise(tmp_path, "--json"))
    subprocess.run([BUILD / "bin/pathdump", "html", "-o", "page.html", "a.pathprof"], cwd=tmp_path, check=True, timeout=900)
    noted = re.search(rf"first 5 of {len(advice['advice'])}\b.*pathdump advise", (tmp_path / "page.html").read_text())
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


def advise_loops(folder, *arguments, text=LOOPS):
    (folder / "b.c").write_text(text)
    given = [f"-fplugin-arg-pathprof-{argument}" for argument in (*arguments, "stage=source")]
    subprocess.run([BUILD / "bin/pathprof-gcc", "-O1", "-g", "b.c", "-o", "b", *given], cwd=folder, check=True, timeout=900)
    subprocess.run(["./b"], cwd=folder, check=True, timeout=900)
    return json.loads(subprocess.run([BUILD / "bin/pathdump", "advise", "--json", "-n", "0"], cwd=folder, check=True,
                                     capture_output=True, text=True).stdout)


@pytest.mark.parametrize("arguments", (["mode=kipf"], ["mode=kiter"]))
def test_next_case(tmp_path, arguments):
    found = pieces(advise_loops(tmp_path, *arguments), "next-case")
    assert set(found) == {"machine"}
    text = found["machine"]["text"]
    assert re.search(r"case 13\b.*case 10\b.*100\.0 %|case 11\b.*case 13\b.*100\.0 %", text)
    assert text.endswith(" 0.0 %.") and found["machine"]["worth_of"] == "branches"


def test_loops_that_are_always_as_long(tmp_path):
    loops = pieces(advise_loops(tmp_path, "mode=kiter", "k=6"), "exact-loop")
    assert set(loops) == {"three"}
    assert_mentions(loops["three"]["text"], "exactly 3", "300")


def test_calls_that_take_one_way(tmp_path):
    calls = pieces(advise_loops(tmp_path, "mode=context"), "steady-call")
    assert set(calls) == {"main"}
    assert calls["main"]["source"] == "sink = way(3, i);"
    assert_mentions(calls["main"]["text"], "way", "300 of 300 calls", "b.c:4:T")
    assert pieces(advise_loops(tmp_path, "mode=acyclic"), "steady-call") == {}
    assert pieces(advise_loops(tmp_path, "mode=context", text=ONE_CALL), "steady-call") == {}


def test_what_is_nearly_always_so(tmp_path):
    """It is not said to be all of it, nor that the test could be where the other one is."""
    (piece,) = pieces(advise_loops(tmp_path, "mode=acyclic", text=NEARLY), "decided").values()
    assert_mentions(piece["text"], "true", "all but 1 of 50000")
    assert "always true" not in piece["text"]
    assert "rebuild" in piece["use"] and "move" not in piece["use"]


@pytest.mark.parametrize("k", (2, 4))
def test_alternating_loop(k, tmp_path):
    advice = json.loads(advise(tmp_path, "--json", mode="kipf", k=k))
    (function,) = [function for function in advice["functions"] if function["function"] == "alternating"]
    assert function["missed_by_edges"] >= 500 and function["missed_by_pairs"] <= 3
    assert function["missed_by_paths"] >= 498
    (loop,) = [loop for loop in advice["loops"] if loop["function"] == "alternating"]
    assert loop["missed"] >= 498 and loop["missed_after_one"] == 0
    assert loop["rounds"] >= 997


def test_text(tmp_path):
    text = advise(tmp_path, mode="kipf")
    assert re.match(r".+\n\n1\. ", text)
    assert_mentions(text, f"loop at line {line_of('    if (i & 1)') - 1} `i < n`")
    tables = [line for line in text.splitlines() if line.startswith(("Branches", "Loops"))]
    assert [line.split()[0] for line in tables] == ["Branches", "Loops"]
    assert f"a.c:{line_of('  if (b)') + 2} " in text


def test_nothing_to_say(tmp_path):
    (tmp_path / "b.c").write_text("int main(void) { return 0; }\n")
    subprocess.run([BUILD / "bin/pathprof-gcc", "-O1", "b.c", "-o", "b"], cwd=tmp_path, check=True)
    subprocess.run(["./b"], cwd=tmp_path, check=True)
    text = subprocess.run([BUILD / "bin/pathdump", "advise"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert text.count("\n") == 1 and text.startswith("No ") and "branch" in text


def test_nothing_to_advise(tmp_path):
    (tmp_path / "c.c").write_text("int main(int argc, char **argv) { (void)argv; return argc > 1 ? 3 : 0; }\n")
    subprocess.run([BUILD / "bin/pathprof-gcc", "-O0", "-g", "c.c", "-o", "c"], cwd=tmp_path, check=True)
    subprocess.run(["./c"], cwd=tmp_path, check=True)
    text = subprocess.run([BUILD / "bin/pathdump", "advise"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert text.splitlines()[0].startswith("No") and "\n1. " not in text


def test_what_is_worth_nothing_is_not_advised(tmp_path):
    """It would be said to be worth 0.00 %."""
    source = SOURCE.replace("alternating(1000);", "alternating(4000000);").replace("i < 400", "i < 40")
    for text, kinds in ((SOURCE, {"decided", "constant-loop", "one-way"}), (source, set())):
        (tmp_path / "d.c").write_text(text)
        subprocess.run([BUILD / "bin/pathprof-gcc", "-O1", "-g", "d.c", "-o", "d"], cwd=tmp_path, check=True)
        subprocess.run(["./d"], cwd=tmp_path, check=True)
        pieces_found = json.loads(subprocess.run([BUILD / "bin/pathdump", "advise", "--json", "d.pathprof"], cwd=tmp_path, check=True,
                                                 capture_output=True, text=True).stdout)["advice"]
        (tmp_path / "d.pathprof").unlink()
        assert {piece["kind"] for piece in pieces_found} & {"decided", "constant-loop", "one-way"} == kinds
