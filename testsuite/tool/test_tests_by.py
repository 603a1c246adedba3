# SPDX-License-Identifier: GPL-3.0-or-later
"""pathdump tests --by: what each test covers by conditions and prime paths, against coverage of a profile of each alone."""

import itertools
import random

import pytest

from test_tests import run

PROGRAM = """\
#include <stdlib.h>
static int __attribute__ ((noinline))
decide (int v)
{
  int n = 0;
  if ((v & 1 && (v & 2 || v & 4)) || (v & 8 && !(v & 16)))
    n++;
  for (int i = 0; i < (v & 3) && n < 9; i++)
    {
      if (i & 1)
        n += 3;
      while (n % 4)
        n++;
    }
  return n;
}
int
main (int argc, char **argv)
{
  int sum = 0;
  for (int i = 1; i < argc; i++)
    sum += decide (atoi (argv[i]));
  return sum < 0;
}
"""
SETTINGS = {"conditions": ["conditions=1"], "prime": ["mode=kipf", "k=auto", "stage=source"], "both": ["conditions=1", "mode=kipf", "k=auto"]}


@pytest.fixture
def tested(project, request):
    """A program whose tests ran with random arguments, into one profile and into one for each test."""
    settings = getattr(request, "param", "both")
    project.write("prog.c", PROGRAM)
    project.gcc("-O0", "-g", *(f"-fplugin-arg-pathprof-{setting}" for setting in SETTINGS[settings]), "prog.c", "-o", "prog")
    rng = random.Random(settings)
    names = [f"t{number:02}" for number in range(12)]
    for name in names:
        values = [rng.randrange(32) for _ in range(rng.randint(0, 3))]
        run(project, name, *values)
        run(project, None, *values, file=f"{name}.alone")
    project.names = names
    return project


def dumped(project, *arguments):
    return project.pathdump.json(*arguments)


def effects(project, *profiles):
    """Of the sum of profiles: function, place, condition, value; with && and || the value has one outcome."""
    project.pathdump("merge", "-o", "sum.merged", *profiles)
    report = dumped(project, "coverage", "--conditions", "--json", "sum.merged")
    return {(function["name"], decision["place"], i, value)
            for function in report["functions"] for decision in function["decision_list"] if decision["measured"]
            for i, condition in enumerate(decision["conditions"]) for value in ("true", "false")
            if condition["shows_effect"][value]}, report["total"]


def prime_paths(project, *profiles):
    project.pathdump("merge", "-o", "sum.merged", *profiles)
    report = dumped(project, "coverage", "--prime", "--json", "sum.merged")
    return {(function["name"], tuple(path["blocks"])): path["count"]
            for function in report["functions"] for path in function["paths"]}


def check(project, by, covered):
    """Compares all of a report with the sets that single profiles have.  Gives the selected tests."""
    report = dumped(project, "tests", f"--by={by}", "--select", "--unique", "-n", "0", "--json", "prog.pathprof")
    assert report["by"] == by and report["paths"] == len(set.union(*covered.values())) > 5
    rows = {row["name"]: row for row in report["tests"]}
    for name, own in covered.items():
        others = set().union(*(items for other, items in covered.items() if other != name))
        assert (rows[name]["paths"], rows[name]["only_here"]) == (len(own), len(own - others)), name
    assert len(report["unique"]) == sum(row["only_here"] for row in rows.values())
    chosen = [row["name"] for row in report["select"]["tests"]]
    assert set().union(*(covered[name] for name in chosen)) == set().union(*covered.values())
    fewest = next(number for number in itertools.count(1)
                  if any(set().union(*(covered[name] for name in names)) == set().union(*covered.values())
                         for names in itertools.combinations(covered, number)))
    assert report["select"]["least_tests"] <= fewest <= len(chosen)
    return chosen, report


@pytest.mark.parametrize("tested", ["conditions", "both"], indirect=True)
def test_by_conditions(tested):
    covered = {name: effects(tested, f"{name}.alone")[0] for name in tested.names}
    chosen, report = check(tested, "conditions", covered)
    # What is kept has MC/DC where all tests together have it.
    _, kept = effects(tested, *(f"{name}.alone" for name in chosen))
    _, everything = effects(tested, *(f"{name}.alone" for name in tested.names))
    assert (kept["masking"], kept["effects"]) == (everything["masking"], everything["effects"])
    assert all(row["condition"] and row["place"] and isinstance(row["value"], bool) for row in report["unique"])


@pytest.mark.parametrize("tested", ["prime", "both"], indirect=True)
def test_by_prime_paths(tested):
    counts = {name: prime_paths(tested, f"{name}.alone") for name in tested.names}
    _, report = check(tested, "prime", {name: set(own) for name, own in counts.items()})
    for row in report["unique"]:
        assert row["count"] == counts[row["test"]][row["function"], tuple(row["blocks"])]


def lines(project, profile):
    """Returns the counts of the executed lines, from the tracefile of a profile."""
    text = project.pathdump("export", "--format=lcov", profile).stdout
    found = [line[3:].split(",") for line in text.splitlines() if line.startswith("DA:")]
    return {int(line): int(count) for line, count in found if int(count)}


@pytest.mark.parametrize("tested", SETTINGS, indirect=True)
def test_by_lines(tested):
    counts = {name: lines(tested, f"{name}.alone") for name in tested.names}
    _, report = check(tested, "lines", {name: set(own) for name, own in counts.items()})
    for row in report["unique"]:
        assert (row["file"], row["count"]) == ("prog.c", counts[row["test"]][row["line"]])
    for line in set().union(*counts.values()):
        found = dumped(tested, "tests", "--which", f"prog.c:{line}", "--json", "prog.pathprof")
        assert found["by"] == "lines"
        assert {row["name"]: row["count"] for row in found["which"]} == {
            name: own[line] for name, own in counts.items() if line in own}
    alone = dumped(tested, "tests", "--by=lines", "--json", *(f"{name}.alone" for name in tested.names))
    assert [row["paths"] for row in alone["tests"]] == [len(counts[name]) for name in tested.names]


def test_lines_of_selected_code(tested):
    """The lines of a header are selected by its name, although its code is inlined into functions of other files."""
    tested.write("part.h", "static inline __attribute__ ((always_inline)) int part (int x)\n{\n  return x > 1 ? 3 : x;\n}\n")
    tested.write("more.c", """
#include "part.h"
int never (int x) { return x; }
int main (int argc, char **argv) {
  return part (argc) > 9;
}
""")
    tested.gcc("-O1", "-g", "more.c", "-o", "more")
    run(tested, "a", program="./more", file="more.pathprof")
    unique = dumped(tested, "tests", "--by=lines", "--file", "part.h", "--unique", "--json", "more.pathprof")["unique"]
    assert {row["file"] for row in unique} == {"part.h"}
    said = tested.pathdump("tests", "--which", "more.c:3", "more.pathprof").stdout
    assert "0 tests execute more.c:3\n" in said
    for operand, words in (("more.c:2", "no code"), ("more.c:x", "invalid line number 'x'"), ("other.c:1", "no source file 'other.c'"),
                           ("other.part.0:1", "no function 'other.part.0'")):
        assert words in tested.pathdump("tests", "--which", operand, "more.pathprof", status=2).stderr


def test_text(tested):
    said = {by: tested.pathdump("tests", f"--by={by}", "--unique", "prog.pathprof").stdout
            for by in ("conditions", "prime", "paths", "lines")}
    assert " lines of 1 file\n" in said["lines"] and "that only one test executed" in said["lines"]
    assert "effects of 2 functions" in said["conditions"] and "  decide    prog.c:" in said["conditions"]
    assert "that only one test showed" in said["conditions"] and "An effect is a value" in said["conditions"]
    assert "prime paths of 2 functions" in said["prime"] and "kind  blocks" in said["prime"]
    assert said["paths"] == tested.pathdump("tests", "--unique", "prog.pathprof").stdout
    for arguments, words in ((["--rank", "--by=conditions"], "effects that no better test covers"),
                             (["--redundant", "--by=conditions"], "without an effect of"),
                             (["--redundant", "--by=prime"], "without a prime path of"),
                             (["--select", "--by=prime"], "prime paths")):
        assert words in tested.pathdump("tests", *arguments, "prog.pathprof").stdout


@pytest.mark.parametrize("tested", ["prime"], indirect=True)
def test_selected_functions_and_elsewhere(tested):
    """Executions outside of tests are those of paths, whatever tests are compared by."""
    run(tested, None, 5, 6)
    for by in ("paths", "prime"):
        report = dumped(tested, "tests", f"--by={by}", "--json", "--function", "decide", "prog.pathprof")
        assert report["executions_elsewhere"] > 0
        assert report["paths"] < dumped(tested, "tests", f"--by={by}", "--json", "prog.pathprof")["paths"]


def test_wrong_use(project, tested):
    def fails(*arguments):
        (line,) = project.pathdump("tests", *arguments, status=2).stderr.splitlines()
        return line

    assert "--which names a path" in fails("--by=prime", "--which", "decide:0", "prog.pathprof")
    assert "paths, conditions" in fails("--by=branches", "prog.pathprof")
    project.gcc("-O1", "-fplugin-arg-pathprof-mode=kiter", "prog.c", "-o", "other")
    run(project, "a", 1, program="./other", file="other.pathprof")
    assert "conditions=1" in fails("--by=conditions", "other.pathprof")
    assert "mode=kipf,k=auto" in fails("--by=prime", "other.pathprof")
