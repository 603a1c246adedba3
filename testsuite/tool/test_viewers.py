# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports that viewers of profiles, editors and reviewers read: pprof, callgrind, quickfix, annotations; and the callers that
stacks have where paths stay in functions.  Read by pprof and callgrind_annotate themselves where these are installed."""

import gzip
import json
import re

import pytest

from conftest import branch, loop, need
from programs import figure_4

# ---- descriptions ----


def chain(**more):
    """main calls f, f calls g: ten times each; g has two paths."""
    main = {
        "name": "main", "line": 3, "blocks": [{"id": 2, "stmts": 2, "lines": [4, 5]}],
        "edges": [[0, 2, "fallthru"], [2, 1, "fallthru"]], "traces": [{"blocks": [0, 2, 1], "times": 10}],
        "direct_calls": [{"block": 2, "line": 5, "callee": "f"}],
    }
    f = {
        "name": "f", "line": 13, "blocks": [{"id": 2, "stmts": 3, "lines": [14]}],
        "edges": [[0, 2, "fallthru"], [2, 1, "fallthru"]], "traces": [{"blocks": [0, 2, 1], "times": 10}],
        "direct_calls": [{"block": 2, "line": 14, "callee": "g"}],
    }
    return [main, f, branch(**more)]


def tool(project, *arguments):
    return project.pathdump(*arguments)


def exported(pathdump, form, *more, binary=False):
    return pathdump("export", f"--format={form}", *more, "prog.pathprof", binary=binary)


# ---- callers ----


def test_callers_are_known_where_calls_account_for_all_activations(pathdump, make_profile):
    make_profile(chain())
    done = exported(pathdump, "collapsed")
    assert {line.split(" ")[0].rsplit(";", 1)[0] for line in done.stdout.splitlines()} == {"main", "main;f", "main;f;g"}
    assert done.stderr == ""


def test_callers_are_unknown_where_something_else_calls(pathdump, make_profile):
    """f calls g ten times, but g ran eleven times."""
    make_profile(chain(counts=(5, 6)))
    done = exported(pathdump, "collapsed")
    assert {line.split(";")[0] for line in done.stdout.splitlines() if "a.c:30" in line} == {"g"}
    assert re.fullmatch("pathdump: note: .*stacks.* 1 function .*: g\n", done.stderr)


def test_callers_are_unknown_where_there_are_several(pathdump, make_profile):
    functions = chain(counts=(10, 10))
    functions[0]["direct_calls"].append({"block": 2, "line": 5, "callee": "g"})
    make_profile(functions)
    done = exported(pathdump, "collapsed")
    assert "main;f;g" not in done.stdout
    assert done.stderr == "pathdump: note: stacks begin at 1 function with several callers: g\n"


def test_calls_that_never_ran_do_not_count(pathdump, make_profile):
    functions = chain()
    other = branch("other", line=50, lines=(51, 52), counts=(3, 0))
    other["direct_calls"] = [{"block": 4, "line": 52, "callee": "g"}]
    make_profile([*functions, other])
    assert "main;f;g" in exported(pathdump, "collapsed").stdout


def test_static_functions_of_one_name(pathdump, make_profile):
    """Each unit's calls are of its own."""
    functions = []
    for unit in ("a.c", "b.c"):
        caller = {
            "name": "from_" + unit[0], "line": 3, "unit": unit, "file": unit, "blocks": [{"id": 2, "stmts": 1, "lines": [4]}],
            "edges": [[0, 2, "fallthru"], [2, 1, "fallthru"]], "traces": [{"blocks": [0, 2, 1], "times": 10}],
            "direct_calls": [{"block": 2, "line": 4, "callee": "g"}],
        }
        functions += [caller, branch(unit=unit, file=unit)]
    make_profile(functions)
    lines = exported(pathdump, "collapsed").stdout.splitlines()
    assert {line.split(":")[0] for line in lines if ";g " in line} == {"from_a;g (a.c);a.c", "from_b;g (b.c);b.c"}


@pytest.mark.parametrize("stage", ["source", "early", "late"])
def test_callers_of_a_program(project, stage):
    """In whatever stage: of code that was inlined, the call is where the function itself calls."""
    project.write("prog.c", """\
#include <stdlib.h>
__attribute__ ((noinline)) static int leaf (int i) { return i % 3 ? i : 2 * i; }
static inline __attribute__ ((always_inline)) int between (int i) { return leaf (i) + 1; }
__attribute__ ((noinline)) static int work (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += between (i);
  return sum;
}
static int by_pointer (const void *a, const void *b) { return *(const int *) a - *(const int *) b; }
int main (void)
{
  int numbers[] = {3, 1, 2};
  qsort (numbers, 3, sizeof *numbers, by_pointer);
  return work (9 + numbers[0]) == 1;
}
""")
    project.gcc("-O1", "-g", f"-fplugin-arg-pathprof-stage={stage}", "prog.c", "-o", "prog")
    project.run("./prog")
    done = tool(project, "export", "--format=collapsed", "prog.pathprof")
    stacks = {line.split(" ")[0].rsplit(";", 1)[0] for line in done.stdout.splitlines()}
    between = ";between" if stage == "source" else ""  # where it is a function yet
    assert {"main", "main;work", f"main;work{between};leaf", "by_pointer"} <= stacks
    assert re.fullmatch("pathdump: note: .*stacks.* 1 function .*: by_pointer\n", done.stderr)
    text = tool(project, "export", "--format=callgrind", "prog.pathprof").stdout
    assert re.search(rf"calls=10 2\n{3 if between else 8} ", text)


# ---- pprof ----


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        shift += 7
        at += 1
        if byte < 128:
            return value, at


def fields(data):
    """(number, value) of a protocol buffer: integers and byte strings."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        value, at = varint(data, at)
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
        else:
            assert key & 7 == 0
        yield key >> 3, value


def numbers(data):
    at = 0
    while at < len(data):
        value, at = varint(data, at)
        yield value


def pprof(data):
    """[(functions outermost first, values by type, labels)], and everything else by field."""
    top = {}
    for number, value in fields(gzip.decompress(data)):
        top.setdefault(number, []).append(value)
    strings = [value.decode() for value in top[6]]
    types = [strings[dict(fields(one))[1]] for one in top[1]]
    functions = {dict(fields(one))[1]: strings[dict(fields(one))[2]] for one in top[5]}
    places = {}
    for one in top[4]:
        parts = list(fields(one))
        lines = [dict(fields(value)) for number, value in parts if number == 4]
        places[dict(parts)[1]] = [(functions[line[1]], line[2]) for line in reversed(lines)]
    samples = []
    for one in top[2]:
        parts = list(fields(one))
        ids = [i for number, value in parts if number == 1 for i in numbers(value)]
        values = [i for number, value in parts if number == 2 for i in numbers(value)]
        labels = [dict(fields(value)) for number, value in parts if number == 3]
        samples.append(([place for i in reversed(ids) for place in places[i]], dict(zip(types, values)),
                        {strings[label[1]]: strings[label[2]] for label in labels}))
    return samples, {"strings": strings, "comments": [strings[i] for i in top.get(13, [])], "default": strings[top[14][0]]}


def test_pprof(pathdump, make_profile):
    make_profile(chain())
    samples, rest = pprof(exported(pathdump, "pprof", binary=True).stdout)
    assert rest["strings"][0] == "" and rest["default"] == "statements" and rest["comments"] == []
    assert sum(values["statements"] for _, values, _ in samples) == 10 * 2 + 10 * 3 + 10 * 2
    assert sum(values["paths"] for _, values, _ in samples) == 30
    assert ([("main", 5), ("f", 14), ("g", 31)], {"paths": 0, "statements": 4},
            {"path": "g 0", "lines": "a.c:30-31", "mode": "acyclic"}) in samples


def test_pprof_says_where_stacks_begin(pathdump, make_profile):
    make_profile(chain(counts=(5, 6)))
    _, rest = pprof(exported(pathdump, "pprof", binary=True).stdout)
    assert len(rest["comments"]) == 1 and re.fullmatch(".*stacks.* 1 function .*: g", rest["comments"][0])


def test_pprof_of_paths_through_calls(pathdump, make_profile):
    """Each step of a path is on the stack that is open there: all statements, in the functions that ran them."""
    make_profile(figure_4())
    samples, _ = pprof(exported(pathdump, "pprof", binary=True).stdout)
    rows = json.loads(exported(pathdump, "json").stdout)["program_paths"][0]["paths"]
    assert sum(values["paths"] for _, values, _ in samples) == sum(path["count"] for path in rows)
    assert sum(values["statements"] for _, values, _ in samples) == 240
    assert {tuple(name for name, _ in stack) for stack, _, _ in samples} == {("main",), ("main", "pow")}
    assert {stack[0][1] for stack, _, _ in samples if len(stack) == 2} <= {16, 19}


def test_pprof_has_inlined_functions(pathdump, make_profile):
    inlined = branch("caller", line=40, lines=(41, 43), counts=(50, 0))
    inlined["sites"] = [{"function": "g", "file": "inc/util.h", "line": 41}]
    inlined["blocks"][1]["lines"] = [{"file": "inc/util.h", "line": 33, "site": 1}]
    make_profile([inlined])
    samples, _ = pprof(exported(pathdump, "pprof", binary=True).stdout)
    assert [("caller", 41), ("g", 33)] in [stack for stack, _, _ in samples]


def test_pprof_is_deterministic_and_not_for_terminals(pathdump, make_profile):
    make_profile([loop()])
    assert exported(pathdump, "pprof", binary=True).stdout == exported(pathdump, "pprof", binary=True).stdout


@pytest.fixture(name="gawk_like")
def program_with_a_hot_loop(project):
    project.write("prog.c", """\
__attribute__ ((noinline)) static int hot (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i % 7 ? i : -i;
  return sum;
}
__attribute__ ((noinline)) static int cold (int n) { return n + 1; }
int main (void) { return hot (10000) + cold (1) == 1; }
""")

    def profile(*arguments):
        project.gcc("-O1", "-g", *arguments, "prog.c", "-o", "prog")
        project.run("./prog")
        return project

    return profile


@pytest.mark.parametrize("mode", ["acyclic", "kiter", "context", "piecewise"])
def test_pprof_itself_reads_it(gawk_like, mode):
    need("go")
    project = gawk_like(f"-fplugin-arg-pathprof-mode={mode}")
    tool(project, "export", "--format=pprof", "-o", "prog.pb.gz", "prog.pathprof")
    home = {"HOME": str(project.folder)}
    top = project.run("go", "tool", "pprof", "-top", "prog.pb.gz", env=home).stdout
    rows = [line.split() for line in top.splitlines() if re.match(r" +\d+ .*%.*%.*%", line)]
    assert rows[0][-1] == "hot" and {row[-1] for row in rows} >= {"hot", "main"}
    assert "main" in rows[[row[-1] for row in rows].index("main")] and "100%" in next(row for row in rows if row[-1] == "main")
    raw = project.run("go", "tool", "pprof", "-raw", "prog.pb.gz", env=home).stdout
    assert "paths/count statements/count[dflt]" in raw and "lines:[" in raw and "path:[" in raw
    listed = project.run("go", "tool", "pprof", "-list=hot", "prog.pb.gz", env=home).stdout
    assert re.search(r"\d+.* sum \+= i % 7", listed)
    tags = project.run("go", "tool", "pprof", "-tags", "prog.pb.gz", env=home).stdout
    assert "hot " in tags


# ---- callgrind ----


def test_callgrind(pathdump, make_profile):
    make_profile(chain())
    text = exported(pathdump, "callgrind").stdout
    assert "events: Stmts Paths\n" in text and "summary: 70 30\n" in text
    # f is called in line 5 of main: its own 30 statements, and the 20 of g, in 20 paths.
    assert re.search(r"fn=\(\d\) main\n4 10 10\n5 10 0\ncfl=\(1\)\ncfn=\(\d\) f\ncalls=10 13\n5 50 20\n", text)


def test_callgrind_of_paths_through_calls(pathdump, make_profile):
    """Calls are counted where paths go through them; a call's cost is what ran on paths that come out of it."""
    make_profile(figure_4())
    text = exported(pathdump, "callgrind").stdout
    calls = {int(line): int(count) for count, line in re.findall(r"calls=(\d+) 3\n(\d+) ", text)}
    assert calls == {16: 9, 19: 6}
    assert "summary: 240 " in text


def test_callgrind_counts_recursion_once(pathdump, make_profile):
    functions = chain()
    functions[2]["direct_calls"] = [{"block": 3, "line": 31, "callee": "g"}]
    make_profile(functions)
    text = exported(pathdump, "callgrind").stdout
    inclusive = [int(line.split()[1]) for line in re.findall(r"calls=.*\n(.*)", text)]
    assert max(inclusive) <= 70


@pytest.mark.parametrize("mode", ["acyclic", "context"])
def test_callgrind_annotate_reads_it(gawk_like, mode):
    need("callgrind_annotate")
    project = gawk_like(f"-fplugin-arg-pathprof-mode={mode}")
    tool(project, "export", "--format=callgrind", "-o", "callgrind.out.1", "prog.pathprof")
    shown = project.run("callgrind_annotate", "--auto=yes", "--inclusive=yes", "callgrind.out.1").stdout
    total = next(line for line in shown.splitlines() if "PROGRAM TOTALS" in line)
    main = next(line for line in shown.splitlines() if line.endswith(":main"))
    assert main.split()[0] == total.split()[0]
    assert re.search(r"\d+.* sum \+= i % 7", shown)
    alone = project.run("callgrind_annotate", "--auto=no", "callgrind.out.1").stdout
    first = next(line for line in alone.splitlines() if re.search(r"prog\.c:\w+", line))
    assert first.split(":")[-1].split()[0] == "hot"


# ---- quickfix ----


def test_quickfix(pathdump, make_profile):
    make_profile(chain())
    lines = exported(pathdump, "quickfix").stdout.splitlines()
    assert lines[0] == "a.c:14: 42.86% 10 x 3 statements: f [path 0] a.c:14"
    assert all(re.match(r"[^:]+:\d+: ", line) for line in lines) and len(lines) == 4


# ---- annotations ----


def uncovered():
    """g took one way of two, h never ran."""
    never = branch("h", line=50, lines=(51, 53), counts=(0, 0))
    never["traces"] = []
    return [branch(counts=(4, 0)), never]


def test_annotations_for_github(pathdump, make_profile):
    make_profile(uncovered())
    assert exported(pathdump, "annotations").stdout.splitlines() == [
        "::warning file=a.c,line=33,endLine=33,title=pathprof lines-never-ran::Line 33 was never executed",
        "::warning file=a.c,line=50,endLine=53,title=pathprof function-never-ran::The function h was never executed",
        "::warning file=a.c,line=30,endLine=30,title=pathprof branch-never-taken::30:F was never taken",
    ]
    assert exported(pathdump, "annotations", "--style=github").stdout == exported(pathdump, "annotations").stdout


def test_annotations_escape_what_ends_a_property(pathdump, make_profile):
    functions = uncovered()
    for function in functions:
        function["file"] = "a,b:c%d.c"
    make_profile(functions)
    assert "::warning file=a%2Cb%3Ac%25d.c,line=33," in exported(pathdump, "annotations").stdout


def test_annotations_for_gitlab(pathdump, make_profile):
    make_profile(uncovered())
    found = json.loads(exported(pathdump, "annotations", "--style=gitlab").stdout)
    assert [one["check_name"] for one in found] == ["lines-never-ran", "function-never-ran", "branch-never-taken"]
    assert found[1]["location"] == {"path": "a.c", "lines": {"begin": 50, "end": 53}}
    assert all(one["severity"] == "info" and one["description"] for one in found)
    assert len({one["fingerprint"] for one in found}) == 3
    # Lines that were added above do not make a finding another one.
    moved = [branch(line=130, lines=(131, 133), counts=(4, 0)), {**uncovered()[1]}]
    make_profile(moved)
    again = json.loads(exported(pathdump, "annotations", "--style=gitlab").stdout)
    assert {one["fingerprint"] for one in again} == {one["fingerprint"] for one in found}


def test_annotations_are_of_selected_functions(pathdump, make_profile):
    make_profile(uncovered())
    lines = exported(pathdump, "annotations", "--function", "h").stdout.splitlines()
    assert len(lines) == 1 and "function-never-ran" in lines[0]
    assert exported(pathdump, "annotations", "--file", "a.c").stdout.count("\n") == 3


@pytest.mark.parametrize("style, form", [("gitlab", "annotations"), ("lcov1", "lcov")])
def test_style_goes_with_its_format(pathdump, make_profile, style, form):
    make_profile(uncovered())
    done = pathdump("export", f"--style={style}", "prog.pathprof", status=2)
    assert done.stderr == f"pathdump: export: --style={style} requires --format={form}\n"
