# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs told apart by test: PATHPROF_TEST, pathrt_test_begin, and pathdump tests."""

import itertools
import re
import struct

import pytest

from conftest import assert_one_line, branch
from test_life import COUNT

PROGRAM = """\
#include <stdlib.h>
__attribute__ ((noinline)) static int
count (int a, int b)
{
  int n = 0;
  for (int i = 0; i < a; i++)
    {
      if (i & 1)
        n += 3;
      if (b)
        n += i;
    }
  return n;
}
int
main (int argc, char **argv)
{
  int sum = 0;
  for (int i = 1; i + 1 < argc; i += 2)
    sum += count (atoi (argv[i]), atoi (argv[i + 1]));
  return sum < 0;
}
"""


class Cursor:
    def __init__(self, data):
        self.data, self.at = data, 0

    def varint(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def string(self):
        size = self.varint()
        self.at += size
        return self.data[self.at - size:self.at]

    def sums(self):
        """What a section that is laid out as the counts has of a unit."""
        functions, index = {}, -1
        for _ in range(self.varint()):
            index += 1 + self.varint()
            paths, path = {}, -1
            for _ in range(self.varint()):
                path += 1 + self.varint()
                paths[path] = self.varint()
            functions[index] = paths
        return functions

    def forests(self):
        functions, index = {}, -1
        for _ in range(self.varint()):
            index += 1 + self.varint()
            flags, number, nodes = self.varint(), self.varint(), []
            for _ in range(number):
                nodes.append((self.varint(), self.varint(), self.varint()))
            functions[index] = (flags, nodes)
        return functions


def sections(data):
    number = struct.unpack_from("<I", data, 12)[0]
    found = {}
    for i in range(number):
        kind, _, offset, length = struct.unpack_from("<IIQQ", data, 32 + 24 * i)
        found[kind] = data[offset:offset + length]
    return found


def counted(data):
    """Unit → function → path → count, and the same of forests, of a whole profile."""
    parts = sections(data)
    units = Cursor(parts[2]).varint()
    counts, forests = Cursor(parts[3]), Cursor(parts.get(5, b"\0" * units))
    return ({unit: sums for unit in range(units) if (sums := counts.sums())},
            {unit: trees for unit in range(units) if (trees := forests.forests())})


def of_tests(data):
    """Name → runs, counts and forests of the tests in a profile."""
    cursor, found = Cursor(sections(data).get(7, b"\0")), {}
    for _ in range(cursor.varint()):
        name, runs = cursor.string().decode(), cursor.varint()
        cursor.varint()
        cursor.varint()
        lists = []
        for read in (Cursor.sums, Cursor.forests):
            units, unit = Cursor(cursor.string()), -1
            lists.append({})
            for _ in range(units.varint() if units.data else 0):
                unit += 1 + units.varint()
                lists[-1][unit] = read(units)
            assert units.at == len(units.data)
        found[name] = (runs, *lists)
    assert cursor.at == len(cursor.data)
    return found


def run(project, test, *arguments, file="prog.pathprof", program="./prog", status=0, **environment):
    project.run(program, *arguments, status=status,
                env={"PATHPROF_FILE": file, **({"PATHPROF_TEST": test} if test else {}), **environment})


def listed_tests(project, *arguments, status=0):
    return project.pathdump.json("tests", "--json", *arguments, status=status)


MODES = {
    "acyclic": [], "late": ["stage=late"], "table": ["array-max=1"], "exact": ["stage=source", "termination=exact"],
    "cycles": ["metric=tsc"], "kiter": ["mode=kiter", "k=3"], "kipf": ["mode=kipf", "k=4"],
    "intracontext": ["mode=intracontext"], "context": ["mode=context"], "piecewise": ["mode=piecewise"],
    "wide": ["mode=context", "wide=1"], "thread": ["update=thread"],
}
INPUTS = {"none": [], "short": [1, 0], "long": [9, 0, 3, 1], "all": [1, 0, 9, 0, 3, 1, 2, 2]}


@pytest.mark.parametrize("mode", MODES)
def test_apart_is_what_single_runs_say(project, mode):
    """A profile of many tests has of each what a profile of its own has, and their sum besides."""
    project.write("prog.c", PROGRAM)
    level = "-O0" if mode == "wide" else "-O1"
    project.gcc(level, *(f"-fplugin-arg-pathprof-{setting}" for setting in MODES[mode]), "prog.c", "-o", "prog")
    runs = list(INPUTS) + ["long", "none"]
    for test in runs:
        run(project, test, *INPUTS[test])
        run(project, None, *INPUTS[test], file=f"{test}.alone")
        run(project, None, *INPUTS[test], file="sum")
    found = of_tests(project.read("prog.pathprof"))
    assert list(found) == sorted(INPUTS)
    for test in INPUTS:
        assert found[test] == (runs.count(test), *counted(project.read(f"{test}.alone"))), test
    assert counted(project.read("prog.pathprof")) == counted(project.read("sum"))
    project.pathdump("check", "prog.pathprof")
    listed = {test["name"]: test for test in listed_tests(project)["tests"]}
    alone = listed_tests(project, *(f"{test}.alone" for test in INPUTS))["tests"]
    assert [test["paths"] for test in alone] == [listed[name]["paths"] for name in sorted(INPUTS)]


def test_merging_in_any_order(project):
    project.write("prog.c", PROGRAM)
    project.gcc("-O1", "prog.c", "-o", "prog")
    for i, test in enumerate(["a", "b", "a"]):
        run(project, test, i, 1, file=f"{i}")
    results = set()
    for order in itertools.permutations("012"):
        project.pathdump("merge", "-o", "out", *order)
        results.add(project.read("out"))
    project.pathdump("merge", "-o", "half", "1", "2")
    project.pathdump("merge", "-o", "out", "0", "half")
    results.add(project.read("out"))
    assert len(results) == 1
    assert {name: test[0] for name, test in of_tests(project.read("out")).items()} == {"a": 2, "b": 1}
    project.pathdump("merge", "-w", "0,1,2", "-o", "out", *"012")
    weighted = of_tests(project.read("out"))
    assert weighted["a"][0] == 2 and weighted["b"][1:] == of_tests(project.read("1"))["b"][1:]


WITHIN = """\
#include <pathrt.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
""" + COUNT + """\
int
main (int argc, char **argv)
{
  BODY
  return 0;
}
"""


def within(project, body, test=None, options=(), status=0, **environment):
    """Test → runs, and counts of count's paths (by which argument it had)."""
    project.write("prog.c", WITHIN.replace("BODY", body))
    project.gcc("-fplugin-arg-pathprof-stage=source", *options, "prog.c", "-o", "prog")
    run(project, test, status=status, **environment)
    file = environment.get("PATHPROF_FILE", "prog.pathprof")
    names = [f["name"] for f in project.pathdump.json("export", file)["functions"]]
    place = sorted(names).index("count")
    return {name: (runs, units.get(0, {}).get(place, {})) for name, (runs, units, _) in of_tests(project.read(file)).items()}


def number_of(project, which):
    """The number of the path of count with this argument."""
    (project.folder / "number").unlink(missing_ok=True)
    within(project, f"count ({which});", "n", PATHPROF_FILE="number")
    return list(next(iter(of_tests(project.read("number")).values()))[1][0][0])[0]


def test_tests_in_one_process(project):
    zero, one, two = (number_of(project, which) for which in range(3))
    found = within(project, """
  count (2);
  pathrt_test_begin ("first"); count (0); pathrt_test_end ();
  count (2);
  pathrt_test_begin ("second"); count (1); count (1);
  pathrt_test_begin ("first"); count (1); pathrt_test_begin (0); count (2);
""")
    assert found == {"first": (2, {zero: 1, one: 1}), "second": (1, {one: 2})}
    assert counted(project.read("prog.pathprof"))[0][0][0] == {zero: 1, one: 3, two: 3}
    (project.folder / "prog.pathprof").unlink()
    found = within(project, 'count (0); pathrt_test_begin ("in"); count (1); pathrt_test_end (); count (2);', "out")
    assert found == {"out": (1, {zero: 1, two: 1}), "in": (1, {one: 1})}


def test_many_tests_in_one_process(project):
    """They are kept in memory like a binary counter's digits: any number comes out whole."""
    zero, one = number_of(project, 0), number_of(project, 1)
    for number in (1, 2, 3, 7, 8, 21):
        (project.folder / "prog.pathprof").unlink(missing_ok=True)
        found = within(project, f"""
  char name[20];
  for (int i = 0; i < {number}; i++)
    {{
      sprintf (name, "%d", i);
      pathrt_test_begin (name);
      for (int k = 0; k < i; k++)
        count (0);
      if (i == 4)
        pathrt_dump ();
      count (1);
    }}
""")
        assert found == {str(i): (1, {zero: i, one: 1} if i else {one: 1}) for i in range(number)}


CHANGES = {
    "dump": ("count (0); pathrt_dump (); count (0);", {"t": (1, [2, 0, 0])}),
    "reset": ("count (0); pathrt_reset (); count (1);", {"t": (1, [0, 1, 0])}),
    "reset of another": ('pathrt_test_begin ("a"); count (0); pathrt_test_end (); count (1); pathrt_reset (); count (2);',
                         {"t": (0, [0, 0, 1])}),
    "pause": ("count (0); pathrt_pause (); count (1); pathrt_resume (); count (2);", {"t": (1, [1, 0, 1])}),
    "begun in a pause": ('count (0); pathrt_pause (); count (1); pathrt_test_begin ("a"); count (1); '
                         "pathrt_resume (); count (2);", {"a": (1, [0, 0, 1]), "t": (1, [1, 0, 0])}),
    "fork": ("count (0); if (fork () == 0) count (1); else wait (0);", {"t": (2, [1, 1, 0])}),
    "fork in a test": ('pathrt_test_begin ("a"); count (0); if (fork () == 0) count (1); else wait (0); '
                       "pathrt_test_end (); count (2);", {"a": (2, [1, 1, 0]), "t": (2, [0, 0, 2])}),
    "exec": ("count (argc); if (argc == 1) execl (argv[0], argv[0], \"again\", (char *) 0);", {"t": (2, [0, 1, 1])}),
    "vfork": ('if (vfork () == 0) { pathrt_test_begin ("a"); _exit (0); } count (0);', {"t": (1, [1, 0, 0])}),
    "nothing": ('pathrt_test_begin ("a"); pathrt_test_end ();', {"a": (1, [0, 0, 0]), "t": (1, [0, 0, 0])}),
}


@pytest.mark.parametrize("mode", ["exit", "continuous"])
@pytest.mark.parametrize("change", CHANGES)
def test_what_programs_do(project, change, mode):
    body, expected = CHANGES[change]
    numbers = [number_of(project, which) for which in range(3)]
    found = within(project, body, "t", PATHPROF_MODE=mode)
    if change == "reset of another" and mode == "continuous":  # it was written before
        expected = {"a": (1, [1, 0, 0]), "t": (1, [0, 0, 1])}
    counts = {name: (runs, [paths.get(number, 0) for number in numbers]) for name, (runs, paths) in found.items()}
    assert counts == expected


def test_killed_in_a_test(project):
    """What a process that was killed left is told apart, too."""
    zero, one = number_of(project, 0), number_of(project, 1)
    project.write("prog.c", WITHIN.replace("BODY", 'count (argc - 1); if (argc > 2) pathrt_test_begin ("in"); '
                                                   "count (1); kill (getpid (), SIGKILL);"))
    project.gcc("-fplugin-arg-pathprof-stage=source", "prog.c", "-o", "prog")
    for arguments in ([], ["x", "x"]):
        run(project, "t", *arguments, status=-9, PATHPROF_MODE="continuous")
    project.pathdump("merge", "-o", "whole", "prog.pathprof")
    found = {name: (runs, counts[0][0]) for name, (runs, counts, _) in of_tests(project.read("whole")).items()}  # of count
    two = number_of(project, 2)
    assert found == {"t": (2, {zero: 1, one: 1, two: 1}), "in": (1, {one: 1})}


def test_shared_objects(project):
    project.write("part.c", PROGRAM.replace("static int\ncount", "int\ncount").split("int\nmain")[0])
    project.write("prog.c", "#include <pathrt.h>\nint count (int, int);\nint main (void)\n"
                            '{ pathrt_test_begin ("a"); count (2, 1); pathrt_test_begin ("b"); return count (1, 0) < 0; }')
    project.gcc("-shared", "-fPIC", "part.c", "-o", "libpart.so")
    project.gcc("prog.c", "./libpart.so", "-o", "prog")
    run(project, None)
    listed = {test["name"]: test for test in listed_tests(project)["tests"]}
    assert [listed[name]["runs"] for name in "ab"] == [1, 1]
    assert listed["a"]["paths"] == 3 and listed["b"]["paths"] == 3  # count's, and in b that of main


def test_names_that_are_too_long(project):
    project.write("prog.c", PROGRAM)
    project.gcc("prog.c", "-o", "prog")
    done = project.run("./prog", env={"PATHPROF_TEST": "x" * 1024})
    assert_one_line(done.stderr, "pathrt: error: PATHPROF_TEST: ", "name", "1023 bytes")
    assert of_tests(project.read("prog.pathprof")) == {}
    run(project, "x" * 1023, "1", "1")
    assert list(of_tests(project.read("prog.pathprof"))) == ["x" * 1023]


@pytest.fixture
def five(project):
    """Five tests of which two keep all paths, and one adds nothing to any other."""
    project.write("prog.c", PROGRAM)
    project.gcc("-fplugin-arg-pathprof-stage=source", "prog.c", "-o", "prog")
    for test, arguments in {"even": [1, 0], "odd": [3, 0], "both": [3, 1], "again": [1, 0], "none": []}.items():
        run(project, test, *arguments)
    return project


def test_table(five):
    table = listed_tests(five)
    assert [test["name"] for test in table["tests"]] == ["again", "both", "even", "none", "odd"]
    assert all(test["runs"] == 1 and test["processor_microseconds"] > 0 for test in table["tests"])
    own = {test["name"]: test["only_here"] for test in table["tests"]}
    assert own["again"] == own["even"] == 0 and own["both"] > 0 and own["none"] > 0
    text = five.pathdump("tests", "prog.pathprof").stdout.splitlines()
    assert text[0] == f"prog: 5 tests, {table['paths']} distinct paths of 2 functions"
    unique = listed_tests(five, "--unique")["unique"]
    assert len(unique) == sum(own.values())
    assert {path["test"] for path in unique} == {name for name, number in own.items() if number}


def test_select_rank_redundant(five):
    table = listed_tests(five, "--select")
    chosen = [test["name"] for test in table["select"]["tests"]]
    assert sorted(chosen) == ["both", "none", "odd"] and table["select"]["least_tests"] == 3
    assert sum(test["adds"] for test in table["select"]["tests"]) == table["paths"]
    ranked = listed_tests(five, "--rank")["rank"]["tests"]
    assert [test["adds"] for test in ranked] == sorted((test["adds"] for test in ranked), reverse=True)
    assert sum(test["adds"] for test in ranked) == table["paths"]
    redundant = listed_tests(five, "--redundant")["redundant"]
    assert redundant == [{"name": "again", "goes_together": True}, {"name": "even", "goes_together": True}]
    text = five.pathdump("tests", "--select", "prog.pathprof").stdout
    assert re.search(rf"^3 of 5 tests .*\b{table['paths']} paths\b", text, re.M)


def test_selected_and_redundant(five):
    """With --select, exactly the tests that are not selected are redundant."""
    table = listed_tests(five, "--select", "--redundant")
    assert table["select"] == listed_tests(five, "--select")["select"]
    chosen = {test["name"] for test in table["select"]["tests"]}
    assert {test["name"] for test in table["redundant"]} == {test["name"] for test in table["tests"]} - chosen
    assert all(test["goes_together"] for test in table["redundant"])
    text = five.pathdump("tests", "--select", "--redundant", "prog.pathprof").stdout
    selected, _, redundant = text.partition("\n2 tests are redundant; the selected tests cover all their paths\n")
    assert {line.split()[0] for line in redundant.splitlines()[2:]} == {"again", "even"} and "both" in selected
    run(five, "again", 3, 1, 1, 0, file="alone.pathprof")
    assert five.pathdump("tests", "--select", "--redundant", "alone.pathprof").stdout.endswith("\nNo test is redundant\n")


def test_which(five):
    unique = listed_tests(five, "--unique")["unique"]
    for path in unique:
        found = listed_tests(five, "--which", f"{path['function']}:{path['id']}")["which"]
        assert found == [{"name": path["test"], "count": path["count"]}]
    alone = {name: of_tests(five.read("prog.pathprof"))[name][1][0][0] for name in ("again", "both", "even", "odd")}
    for path in range(4):
        found = {test["name"]: test["count"] for test in listed_tests(five, "--which", f"count:{path}")["which"]}
        assert found == {name: counts[path] for name, counts in alone.items() if path in counts}


def test_budget(five):
    times = {test["name"]: test["processor_microseconds"] for test in listed_tests(five)["tests"]}
    everything = listed_tests(five, "--budget", f"{sum(times.values()) / 1000 + 1}ms")["select"]
    assert sum(test["adds"] for test in everything["tests"]) == everything["most_paths"] == listed_tests(five)["paths"]
    budget = max(times.values()) + min(times.values())
    some = listed_tests(five, "--select", "--budget", f"{budget / 1e6:.6f}s")["select"]
    assert sum(times[test["name"]] for test in some["tests"]) <= budget
    assert sum(test["adds"] for test in some["tests"]) <= some["most_paths"]
    assert listed_tests(five, "--budget", "0")["select"]["tests"] == []


def test_selected_functions(five):
    assert listed_tests(five, "--function", "main")["paths"] < listed_tests(five)["paths"]
    five.pathdump("tests", "--function", "nothing", "prog.pathprof", status=1)


def test_files_are_tests(project, make_profile, pathdump):
    make_profile([branch(counts=(1, 0))], "first.pathprof")
    make_profile([branch(counts=(0, 2)), branch("x", unit="c.c")], "second.pathprof")
    table = pathdump.json("tests", "--json", "--unique", "first.pathprof", "second.pathprof")
    assert [(test["name"], test["paths"], test["only_here"]) for test in table["tests"]] == [
        ("first", 1, 1), ("second", 3, 3)]
    error = pathdump("tests", "--budget", "1s", "first.pathprof", "second.pathprof", status=3).stderr
    assert_one_line(error, "pathdump: tests: --budget", "time", "'first'", "PATHPROF_TEST")


def test_wrong_use(five, make_profile, pathdump):
    make_profile([branch()], "plain.pathprof")
    assert_one_line(pathdump("tests", "plain.pathprof", status=3).stderr, "pathdump: plain.pathprof: ", "tests", "PATHPROF_TEST=NAME")
    for arguments, *named in (
            (("--select", "--rank"), "--select", "--rank", "--redundant", "--which", "--budget"),
            (("--select", "--redundant", "--budget", "1s"), "--select", "--redundant", "--budget"),
            (("--rank", "--budget", "1s"), "--rank", "--budget"),
            (("--budget", "soon"), "--budget", "'soon'", "90s", "2h"),
            (("-n", "3"), "-n", "--unique"),
            (("--which", "count"), "'count'", "FUNC:PATH"),
            (("--which", "count:99"), "'99'", "path", "count", "0 to"),
            (("--which", "cuont:0"), "'cuont'", "did you mean")):
        done = pathdump("tests", *arguments, "prog.pathprof", status=2)
        assert_one_line(done.stderr, "pathdump: ", *named)
        assert done.stdout == ""


@pytest.mark.parametrize("mode", ["exit", "continuous"])
def test_run_of_a_test_that_closes_objects(project, mode):
    """An object that is closed writes alone: the run must not count again with the other modules, or with the next object."""
    project.write("part.c", "int part (int x) { return x > 1 ? 3 : x; }\n")
    project.write("prog.c", """
#include <dlfcn.h>
int main (void)
{
  int sum = 0;
  for (int i = 0; i < 3; i++)
    {
      void *object = dlopen ("./part.so", RTLD_NOW);
      int (*part) (int) = (int (*) (int)) dlsym (object, "part");
      sum += part (i);
      dlclose (object);
    }
  return sum != 4;
}
""")
    project.gcc("-O1", "-shared", "-fPIC", "part.c", "-o", "part.so")
    project.gcc("-O1", "prog.c", "-o", "prog", "-ldl")
    for runs in (1, 2):
        project.run("./prog", env={"PATHPROF_TEST": "one", "PATHPROF_MODE": mode})
        (test,) = project.pathdump.json("tests", "--json", "prog.pathprof")["tests"]
        assert (test["name"], test["runs"]) == ("one", runs)


def test_requirements(project):
    """Tags in the names of tests, the tests of each, and the sums of the counts of their paths."""
    project.write("prog.c", PROGRAM)
    project.gcc("-O1", "prog.c", "-o", "prog")
    runs = {"REQ-12 opens": (2, 0), "REQ-12, SAFE2-7: closes": (3, 1), "other (xREQ-12, REQ-12a)": (4, 0),
            "test1-REQ-5": (2, 0), "file.REQ-5-empty": (2, 0), "SYS-REQ-7.REQ-8.1": (2, 0), "x-REQ-9-1 REQ-9x": (2, 0)}
    for name, arguments in runs.items():
        project.run("./prog", *arguments, env={"PATHPROF_TEST": name})
    text = project.pathdump("tests", "--requirements", "prog.pathprof").stdout
    assert re.search(r"^5 requirements in the names of the tests$", text, re.M)
    assert re.search(r"^REQ-12 +2 +\d+  REQ-12 opens\n +REQ-12, SAFE2-7: closes\nREQ-5 ", text, re.M)
    assert re.search(r"^SAFE2-7 +1 +\d+  REQ-12, SAFE2-7: closes\n", text, re.M)
    assert "2 tests without a requirement\n" in text
    report = project.pathdump.json("tests", "--requirements", "--json", "prog.pathprof")
    matrix = {row["requirement"]: row for row in report["requirements"]}
    assert {tag: row["tests"] for tag, row in matrix.items()} == {
        "REQ-12": ["REQ-12 opens", "REQ-12, SAFE2-7: closes"], "SAFE2-7": ["REQ-12, SAFE2-7: closes"],
        "REQ-5": ["file.REQ-5-empty", "test1-REQ-5"], "SYS-REQ-7": ["SYS-REQ-7.REQ-8.1"], "REQ-8.1": ["SYS-REQ-7.REQ-8.1"]}
    for row in matrix.values():
        for item in row["items"]:
            which = project.pathdump.json("tests", "--json", "--which", f"{item['function']}:{item['id']}", "prog.pathprof")["which"]
            assert sum(one["count"] for one in which if one["name"] in row["tests"]) == item["count"] > 0
    assert_one_line(project.pathdump("tests", "--requirements", "--rank", "prog.pathprof", status=2).stderr, "pathdump: tests: use only one")
