# SPDX-License-Identifier: GPL-3.0-or-later
"""Justifications of uncovered code: in comments and in a file, what they apply to, and when they are faulty."""

import json
import re

import pytest

from test_coverage_summary import MARKED, compile_and_run, summary

PRICE = """\
#include <stdio.h>
#include <stdlib.h>
static int price (int weight, int is_express, int zone)
{
  int cents = 400;
  if (weight < 0) {        // PATHPROF_JUSTIFY_START(checked (twice) by the caller)
    puts ("negative");
    exit (1);
  }                        // PATHPROF_JUSTIFY_STOP
  if (weight > 10)
    cents += 300;
  if (is_express && zone > 2)
    cents *= 2;
  for (int i = 0; i < zone; i++)
    if (i == 7) cents++;   /* PATHPROF_JUSTIFY(there are only four zones) */
  return cents;
}
int never (int x) { return x ? 1 : 2; }
int main (int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    printf ("%d\\n", price (atoi (argv[i]), 0, 2));
  return 0;
}
"""


@pytest.fixture
def price(project):
    project.write("prog.c", PRICE)
    project.gcc("-O0", "-g", "-fplugin-arg-pathprof-conditions=1", "prog.c", "-o", "prog")
    project.run("./prog", "5")
    return project


def justify(project, code, *arguments, status=0):
    return project.pathdump("justify", code, "--reason", "a reason", "--author", "A. Nonymous", *arguments, "prog.pathprof",
                            status=status)


def entries(project):
    return json.loads(project.read("pathprof-justifications.json"))["justifications"]


def justified(project, *arguments, status=0, criterion=None):
    """The justified items of each criterion, and the justifications by place."""
    found = summary(project, *arguments, status=status)
    total = {name: (found["total"][name] or {}).get("justified", 0) for name in ("lines", "branches", "functions", "conditions")}
    return {**total, "paths": found["total"]["justified"]}, {one["place"]: one for one in found["justifications"]}


def test_comments_do_not_count_as_covered(price):
    total, by_place = justified(price)
    assert set(by_place) == {"prog.c:6-9", "prog.c:15"}
    assert by_place["prog.c:6-9"]["reason"] == "checked (twice) by the caller"
    assert (total["lines"], total["branches"], total["functions"], total["conditions"]) == (2, 2, 0, 2)
    plain = PRICE.replace("PATHPROF_JUSTIFY", "OTHER")
    before = summary(price)["total"]
    price.write("prog.c", plain)
    price.gcc("-O0", "-g", "-fplugin-arg-pathprof-conditions=1", "prog.c", "-o", "prog")
    (price.folder / "prog.pathprof").unlink()
    price.run("./prog", "5")
    after = summary(price)["total"]
    for criterion in ("lines", "branches", "functions", "conditions"):
        assert {**before[criterion], "justified": 0} == after[criterion]
    text = price.pathdump("coverage", "prog.pathprof").stdout
    assert "ustified" not in text


def unexecuted_by_definition(project, function, lines):
    """The number of unexecuted paths that go through a block with a justified line that was not executed, or that take an
    outcome that was not taken of a branch on a justified line: by enumeration of all paths."""
    (data,) = (one for one in project.profile()["functions"] if one["name"] == function)
    count = int(data["num_paths"])
    paths = [project.pathdump.json("path", "--json", "prog.pathprof", function, str(number)) for number in range(count)]
    executed = [path for path in paths if path["count"]]
    blocks = {block["id"] for path in executed for block in path["blocks"]}

    def edges(path):
        numbers = [block["id"] for block in path["blocks"]]
        return set(zip(numbers, numbers[1:]))

    taken = set().union(*(edges(path) for path in executed))
    # Back edges are between the end of a path and the start of another.
    successors = {}
    for path in paths:
        for source, target in edges(path):
            successors.setdefault(source, set()).add(target)

    def numbers(block):
        return block["lines"]

    def is_justified(path):
        for i, block in enumerate(path["blocks"]):
            if block["id"] not in blocks and set(numbers(block)) & lines:
                return True
            if i + 1 < len(path["blocks"]) and numbers(block) and numbers(block)[-1] in lines and block["id"] in blocks:
                if (block["id"], path["blocks"][i + 1]["id"]) not in taken and len(successors[block["id"]]) > 1:
                    return True
        return False

    return sum(is_justified(path) for path in paths if not path["count"])


def test_paths_by_enumeration(price):
    total, _ = justified(price)
    assert total["paths"] == unexecuted_by_definition(price, "price", {6, 7, 8, 9, 15}) > 4


def test_function(price):
    justify(price, "never", "--ticket", "T-1")
    (entry,) = entries(price)
    assert entry["function"] == "never" and entry["ticket"] == "T-1" and re.fullmatch("[0-9a-f]{16}", entry["hash"])
    _, by_place = justified(price)
    one = by_place["never"]
    assert (one["lines"], one["branches"], one["functions"], one["conditions"], one["fault"]) == (1, 2, 1, 1, None)
    # Comments and blanks may change.
    for text, fault in ((PRICE.replace("int never (int x) {", "int  never(int x)  { /* here */"), None),
                        (PRICE.replace("? 1 : 2", "? 1 : 3"), "has changed since it was justified")):
        price.write("prog.c", text)
        price.gcc("-O0", "-g", "-fplugin-arg-pathprof-conditions=1", "prog.c", "-o", "prog")
        (price.folder / "prog.pathprof").unlink()
        price.run("./prog", "5")
        _, by_place = justified(price, status=1 if fault else 0)
        assert (fault or "") in (by_place["never"]["fault"] or "") and bool(by_place["never"]["fault"]) == bool(fault)
        assert bool(by_place["never"]["lines"]) != bool(fault)


def test_decision(price):
    justify(price, "prog.c:12")
    (entry,) = entries(price)
    assert entry["function"] == "price" and entry["conditions"] == ["is_express", "zone > 2"]
    _, by_place = justified(price)
    (one,) = (one for place, one in by_place.items() if place == f"price, decision {entry['decision']}")
    assert (one["lines"], one["branches"], one["conditions"], one["fault"]) == (0, 3, 2, None)


def decisions_of(project, number):
    text = project.pathdump("path", "--codes", "prog.pathprof", "price", number).stdout
    return re.search("^Decisions: (.*)$", text, re.M)[1]


def test_path(price):
    missing = summary(price, "--missing")["missing"]["paths"]
    path = next(one for one in missing if one["function"] == "price" and not any("6:T" in word for word in one["decisions"]))
    before, _ = justified(price)
    justify(price, f"price:{path['id']}")
    after, by_place = justified(price)
    assert after["paths"] == before["paths"] + by_place[f"price, path {path['id']}"]["paths"]
    assert by_place[f"price, path {path['id']}"]["paths"] <= 1
    executed = next(path["id"] for function in price.profile()["functions"] if function["name"] == "price"
                    for path in function["paths"])
    done = justify(price, f"price:{executed}", status=2)
    assert done.stderr == f"pathdump: justify: price, path {executed}: the path was executed\n"
    # The justified path is executed later.
    edited = json.loads(price.read("pathprof-justifications.json"))
    edited["justifications"][0].update({"path": executed, "decisions": decisions_of(price, executed)})
    price.write("pathprof-justifications.json", json.dumps(edited))
    _, by_place = justified(price, status=1)
    assert by_place[f"price, path {executed}"]["fault"] == "the path was executed"


def test_what_is_covered_is_a_fault(price):
    justify(price, "never")
    justify(price, "prog.c:12")
    price.write("prog.c", PRICE.replace("return 0;", "return never (argc) - 1;").replace("0, 2)", "i & 1, i & 3)"))
    price.gcc("-O0", "-g", "-fplugin-arg-pathprof-conditions=1", "prog.c", "-o", "prog")
    (price.folder / "prog.pathprof").unlink()
    price.run("./prog", "5", "6", "7")
    done = price.pathdump("coverage", "prog.pathprof", status=1)
    assert "pathdump: coverage: justification of never: the function was executed; correct or remove it\n" in done.stderr
    assert "FAULT: the function was executed" in done.stdout
    assert "decision 3: all conditions of the decision are covered" in done.stderr


@pytest.mark.parametrize("text, message", [
    ("int x; // NOT_PATHPROF_JUSTIFY(why)\nconst char *s = \"PATHPROF_JUSTIFY(why)\";\n", None),
    ("int x; // PATHPROF_JUSTIFY\n", "line 1: PATHPROF_JUSTIFY without a reason"),
    ("int x; // PATHPROF_JUSTIFY()\n", "line 1: PATHPROF_JUSTIFY without a reason"),
    ("// PATHPROF_JUSTIFY_STOP\n", "line 1: PATHPROF_JUSTIFY_STOP without a start"),
    ("// PATHPROF_JUSTIFY_START(why)\n", "line 1: PATHPROF_JUSTIFY_START without a stop"),
    ("// PATHPROF_JUSTIFY_START(why)\n// PATHPROF_JUSTIFY_START(why)\n", "in a region that starts on line 1"),
])
def test_markers_without_effect(project, text, message):
    compile_and_run(project, text + MARKED)
    done = project.pathdump("coverage", "prog.pathprof")
    assert (message in done.stderr) if message else not done.stderr


def test_comment_without_code(project):
    compile_and_run(project, "// PATHPROF_JUSTIFY(nothing here)\n" + MARKED)
    done = project.pathdump("coverage", "prog.pathprof", status=1)
    assert "justification of prog.c:1: there is no code on the line" in done.stderr
    assert not project.pathdump("coverage", "--function", "main", "prog.pathprof").stderr


def test_thresholds(price):
    line = summary(price)["total"]["lines"]
    below = 100 * (line["covered"] + line["justified"]) / line["total"]
    price.pathdump("coverage", "--fail-under-line", str(below), "prog.pathprof", status=1)
    price.pathdump("coverage", "--fail-under-line", str(below), "--accept-justified", "prog.pathprof")
    done = price.pathdump("coverage", "--fail-under-line", "100", "--accept-justified", "prog.pathprof", status=1)
    assert f"({line['covered']} covered and {line['justified']} justified, of {line['total']}) is below" in done.stderr


@pytest.mark.parametrize("text, message", [
    ("{", "is not valid JSON"),
    ("[]", 'is not a list of justifications (format "pathprof-justifications", version 1)'),
    ('{"format": "pathprof-justifications", "version": 1, "justifications": [{"function": "f"}]}', "entry 1: 'hash' is missing"),
    ('{"format": "pathprof-justifications", "version": 1, "justifications": [{"functions": "f"}]}', "unknown key 'functions'"),
])
def test_bad_files(price, text, message):
    price.write("own.json", text)
    done = price.pathdump("coverage", "--justifications", "own.json", "prog.pathprof", status=3)
    assert done.stderr.startswith("pathdump: own.json: ") and message in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize("code, message", [("nothing", "no function 'nothing'"), ("price:99999", "unknown path ID"),
                                           ("prog.c:1", "no measured decision begins on prog.c:1"),
                                           ("price#99", "price has 5 measured decisions"), ("main", "the function was executed")])
def test_unknown_code(price, code, message):
    done = justify(price, code, status=2)
    assert message in done.stderr and done.stderr.count("\n") == 1
    assert not price.exists("pathprof-justifications.json")


def builds(project, text, *options, arguments=("5",)):
    project.write("prog.c", text)
    project.gcc("-O0", "-g", "-fplugin-arg-pathprof-conditions=1", *options, "prog.c", "-o", "prog")
    (project.folder / "prog.pathprof").unlink(missing_ok=True)
    project.run("./prog", *arguments)


def test_function_that_shares_its_lines(project):
    """Only the code of the justified function, and not that of another function on the same lines."""
    text = """#define DEF(name) int name (int x) { if (x > 3) return 1; return x == 5 ? 2 : 3; }
DEF (run) DEF (dead)
int main (int argc, char **argv) { return run (argc) == 9; }
"""
    builds(project, text)
    justify(project, "dead")
    found = summary(project)["total"]
    _, by_place = justified(project)
    one = by_place["dead"]
    assert (one["lines"], one["functions"], one["branches"], one["conditions"]) == (0, 1, 4, 2)
    dead = next(row for row in summary(project)["functions"] if row["name"] == "dead")
    assert dead["justified"] == int(dead["num_paths"]) and found["justified"] == dead["justified"]


@pytest.mark.parametrize("before, after", [
    ("return a++ + b;", "return a + ++b;"), ("int\ndead (", "long\ndead ("), ("/* one */", "/* one */ b++;"),
    ('"a b"', '"ab"'), ("#define LIMIT(x) x\n", "#define LIMIT (x) x\n")])
def test_changes_of_the_text(project, before, after):
    text = """int
dead (int a, int b)
{
#define LIMIT(x) x
  const char *text = "a b"; /* one */
  if (text[1] == 'c')
    return 0;
  return a++ + b;
}
int main (void) { return 0; }
"""
    builds(project, text)
    justify(project, "dead")
    assert not justified(project)[1]["dead"]["fault"]
    changed = text.replace(before, after)
    assert changed != text
    builds(project, changed.replace("#define LIMIT (x) x", "#define LIMIT (x) x"))
    assert justified(project, status=1)[1]["dead"]["fault"] == "the function has changed since it was justified"


def test_source_that_is_not_as_compiled(price):
    justify(price, "never")
    price.write("prog.c", PRICE + "// a comment\n")
    _, by_place = justified(price, status=1)
    assert {one["fault"] for one in by_place.values()} == {"the source file has changed since it was compiled"}
    done = price.pathdump("coverage", "prog.pathprof", status=1)
    assert "prog.c has changed since it was compiled" in done.stderr
    done = justify(price, "prog.c:12", status=2)
    assert "has changed since it was compiled" in done.stderr


@pytest.mark.parametrize("arguments", [("mode=kipf",), ("termination=basic",), ("mode=kiter",)])
def test_functions_that_did_not_return(project, arguments):
    text = """#include <stdlib.h>
static void deep (void) { exit (0); }
static void stop (void) { deep (); }
int main (void) { stop (); return 1; }
"""
    builds(project, text, *(f"-fplugin-arg-pathprof-{argument}" for argument in arguments))
    for name in ("stop", "main"):
        assert "execut" in justify(project, name, status=2).stderr


def test_decisions_on_one_line(project):
    """They are named by their numbers."""
    text = "#define BOTH(x) if (x > 1) x++; if (x > 2) x--;\nint f (int x)\n{\n  BOTH (x)\n  return x;\n}\nint main (void) { return 0; }\n"
    builds(project, text)
    done = justify(project, "prog.c:4", status=2)
    assert "'f#1' (BOTH (x): x > 1); 'f#2' (BOTH (x): x > 2)" in done.stderr
    justify(project, "f#2")
    assert entries(project)[0]["conditions"] == ["BOTH (x): x > 2"]
    assert justified(project)[1]["f, decision 2"]["conditions"] == 1


def test_faulty_comment_does_not_prevent_an_entry(project):
    """The name of the function is the beginning of the name of the file, and thus of the comment's place."""
    builds(project, "// PATHPROF_JUSTIFY(no code)\nint prog (void) { return 1; }\nint main (void) { return 0; }\n")
    justify(project, "prog")
    assert [entry["function"] for entry in entries(project)] == ["prog"]
