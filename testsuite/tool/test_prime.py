# SPDX-License-Identifier: GPL-3.0-or-later
"""Prime paths: pathdump coverage --prime, and k=auto, which chooses sequences long enough for them.

Counts are compared with block traces of real runs (testsuite/trace): all prime paths are found by the definition, and
their occurrences by looking at every position.
"""

import collections
import itertools
import json
import os
import re
import subprocess

import pytest

from conftest import BIN, BUILD, FLAGS, assert_mentions, branch, loop
from random_program import Program
from test_traces import PROGRAMS, activations

AUTO = ("-fplugin-arg-pathprof-mode=kipf", "-fplugin-arg-pathprof-k=auto")
MOST = 3000  # simple paths of a function that are looked at one by one


def prime(pathdump, *arguments, status=0):
    return pathdump.json("coverage", "--prime", "--json", *arguments, status=status)


def defined_prime_paths(function):
    """All of them by the definition; None: too many."""
    successors, alone = collections.defaultdict(set), set()
    for edge in function["edges"]:
        if "abnormal" in edge["flags"]:
            continue
        if edge["src"] == 0 or edge["dst"] == 1:
            alone.add(edge["dst"] if edge["src"] == 0 else edge["src"])
        else:
            successors[edge["src"]].add(edge["dst"])
    reached, work = set(), [0]
    while work:
        block = work.pop()
        if block not in reached:
            reached.add(block)
            work += [edge["dst"] for edge in function["edges"] if edge["src"] == block]
    simple, work = set(), [(block,) for block in sorted(reached - {0, 1})]
    while work:
        path = work.pop()
        simple.add(path)
        if len(simple) > MOST:
            return None
        if len(path) == 1 or path[0] != path[-1]:
            work += [(*path, after) for after in sorted(successors[path[-1]])
                     if after == path[0] or after not in path]
    parts = {part for path in simple if len(path) > 1 for part in (path[1:], path[:-1])}
    return {path for path in simple - parts if len(path) > 1 or path[0] in alone}


def occurrences(paths, blocks):
    by_start = collections.defaultdict(list)
    for path in paths:
        by_start[path[0]].append(path)
    counts = collections.Counter()
    for at, block in enumerate(blocks):
        for path in by_start[block]:
            if tuple(blocks[at:at + len(path)]) == path:
                counts[path] += 1
    return counts


def differences(profile, trace, folder):
    """What coverage --prime says otherwise than the trace; and how many functions and prime paths were compared."""
    run = {"cwd": folder, "check": True, "capture_output": True, "timeout": 900}
    exported = json.loads(subprocess.run([BIN / "pathdump", "export", profile], **run).stdout)
    covered = json.loads(subprocess.run([BIN / "pathdump", "coverage", "--prime", "--json", profile], **run).stdout)
    rows = {row["name"]: row for row in covered["functions"]}
    defined = {function["name"]: defined_prime_paths(function) for function in exported["functions"]}
    edges = {function["name"]: {(edge["src"], edge["dst"]) for edge in function["edges"]}
             for function in exported["functions"]}
    ran = collections.defaultdict(collections.Counter)
    for name, blocks in activations(trace):
        if name in edges and not set(itertools.pairwise(blocks)) <= edges[name]:
            defined[name] = None  # a block is not in the trace: nothing can be placed in one that calls setjmp
        if defined.get(name):
            ran[name].update(occurrences(defined[name], [block for block in blocks if block > 1]))
    failures, compared = [], collections.Counter()
    for name, paths in defined.items():
        if paths is None:
            continue
        row = rows[name]
        counted = {tuple(path["blocks"]): path["count"] for path in row["paths"]}
        if counted != dict(ran[name]):
            other = {path: (counted.get(path), count) for path, count in ran[name].items() if counted.get(path) != count}
            failures.append(f"{name}: {other}, and of none of the trace {counted.keys() - ran[name].keys()}")
        if (row["num_paths"], row["not_measured"], row["exact"]) != (str(len(paths)), "0", True):
            failures.append(f"{name}: {row['num_paths']} paths, {row['not_measured']} not measured, not {len(paths)}")
        compared["functions"] += 1
        compared["longer"] += row["k"] > 2
        compared["ran"] += len(counted)
    return failures, compared


def compare(folder, runtime, source, level, stage):
    run = {"cwd": folder, "check": True, "capture_output": True, "timeout": 900}
    subprocess.run([BIN / "pathprof-gcc", level, "-g", "-w", "-fchecking=1",
                    f"-fplugin={BUILD}/testsuite/trace_plugin.so", f"-fplugin-arg-trace_plugin-{stage}", *AUTO,
                    f"-fplugin-arg-pathprof-stage={stage}", *FLAGS, source, runtime, "-lm", "-o", "prog"], **run)
    subprocess.run(["./prog"], **run, env={**os.environ, "TRACE_FILE": str(folder / "trace")})
    return differences("prog.pathprof", folder / "trace", folder)


@pytest.mark.parametrize("stage", ("source", "early", "late"))
@pytest.mark.parametrize("level", ("-O1", "-O3"))
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_traced_programs(program, level, stage, tmp_path, runtime):
    failures, compared = compare(tmp_path, runtime, program, level, stage)
    assert not failures
    assert compared["functions"] > 2 and compared["ran"] > 10


@pytest.mark.parametrize("seed", range(1, 10))
def test_random_programs(seed, tmp_path, runtime):
    source = tmp_path / "prog.c"
    source.write_text(Program(seed).text)
    failures, compared = compare(tmp_path, runtime, source, ("-O1", "-O2", "-O3")[seed % 3],
                                 ("source", "early", "late")[seed // 3 % 3])
    assert not failures
    assert compared["functions"] > 0


NESTED = """\
int main (int argc, char **argv)
{
  int sum = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++)
        sum += argc > 1 && (i ^ j ^ k) & 1;
  return sum > 100;
}

int straight (int a)
{
  return a > 2 ? a : -a;
}
"""


def test_k_is_chosen_for_each_function(project):
    project.write("prog.c", NESTED)
    project.gcc("-g", *AUTO, "-fplugin-arg-pathprof-stage=source", "prog.c", "-o", "prog")
    project.run("./prog")
    exported = project.pathdump.json("export")
    assert {function["name"]: function["k"] for function in exported["functions"]} == {"main": 4, "straight": 1}


def test_k_of_a_scheme(project):
    project.write("prog.c", NESTED)
    project.write("scheme", "main mode=kipf k=auto\nstraight k=7 mode=kipf\n")
    project.gcc("-g", "-fplugin-arg-pathprof-scheme=scheme", "prog.c", "-o", "prog")
    project.run("./prog")
    exported = project.pathdump.json("export")
    assert {function["name"]: function["k"] for function in exported["functions"]} == {"main": 4, "straight": 7}


@pytest.mark.parametrize("mode", ("acyclic", "kiter"))
def test_k_auto_is_for_sequences(mode, project):
    project.write("prog.c", NESTED)
    failed = project.gcc("-g", f"-fplugin-arg-pathprof-mode={mode}", "-fplugin-arg-pathprof-k=auto", "-c", "prog.c",
                         status=1)
    assert_mentions(failed.stderr, "'k=auto'", "'mode=kipf'", f"'mode={mode}'")


# Sequences of two paths show no prime path over two back edges, and acyclic profiles none over one and more.
@pytest.mark.parametrize("options, k", ((("-fplugin-arg-pathprof-mode=kipf",), 2), ((), 1)))
def test_short_sequences(options, k, project):
    project.write("prog.c", NESTED)
    project.gcc("-g", *options, "-fplugin-arg-pathprof-stage=source", "prog.c", "-o", "prog")
    project.run("./prog")
    short = project.pathdump.json("coverage", "--prime", "--json")
    project.run("rm", "prog.pathprof")
    project.gcc("-g", *AUTO, "-fplugin-arg-pathprof-stage=source", "prog.c", "-o", "prog")
    project.run("./prog")
    whole = project.pathdump.json("coverage", "--prime", "--json")
    of_short, of_whole = ({row["name"]: row for row in one["functions"]}["main"] for one in (short, whole))
    assert (of_short["k"], of_whole["k"]) == (k, 4)
    assert of_short["num_paths"] == of_whole["num_paths"]
    assert of_whole["not_measured"] == "0" and 0 < int(of_short["not_measured"]) < int(of_short["num_paths"])
    counts = {tuple(path["blocks"]): path["count"] for path in of_whole["paths"]}
    assert all(counts[tuple(path["blocks"])] == path["count"] for path in of_short["paths"])
    assert 0 < len(of_short["paths"]) < len(of_whole["paths"])


def test_acyclic_profile(pathdump, make_profile):
    make_profile([branch(counts=(4, 0)), branch("never", line=40, counts=(0, 0))])
    found = prime(pathdump, "--missing")
    ran = found["functions"][0]
    assert (ran["name"], ran["executed"], ran["num_paths"], ran["exact"]) == ("g", 1, "2", True)
    assert [(path["blocks"], path["count"], path["cycle"]) for path in ran["paths"]] == [([2, 3], 4, False)]
    missing = found["missing"]
    assert (missing["num_paths"], missing["functions_never_run"], missing["exact"]) == ("1", 1, True)
    other, = missing["paths"]
    assert (other["function"], other["blocks"], other["distance"]) == ("g", [2, 4], 1)
    assert other["nearest"]["blocks"] == [2, 3] and other["nearest"]["count"] == 4
    assert other["nearest"]["differences"] == [{"block": 2, "lines": [30], "taken": ["false"],
                                                "nearest_taken": ["true"]}]
    assert found["total"] == {"executed": 1, "num_paths": "4", "not_measured": "0", "exact": True, "share": 25.0}


def test_text(pathdump, make_profile):
    make_profile([branch(counts=(4, 0)), loop()])
    text = pathdump("coverage", "--prime", "--missing").stdout
    assert re.search("^Not measured.* prime paths .*longer sequences", text, re.M)
    assert "nearest: path, executed 4 times: a.c:30:T\n      1 branch differs: 30:F, T in the other path\n" in text
    shown = pathdump("coverage", "--prime", "-n", "1").stdout
    assert re.search(r"more prime paths? \(-n 0 shows all\)\n", shown) and "--missing lists" in shown


# With 40 branches one behind the other there are 2^40; in a loop they cannot be counted.
def test_too_many(pathdump, make_profile):
    blocks = [{"id": block, "stmts": 1, "lines": [block]} for block in range(2, 124)]
    edges = [[0, 2, "fallthru"]]
    for top in range(2, 122, 3):
        edges += [[top, top + 1, "true"], [top, top + 2, "false"], [top + 1, top + 3, "fallthru"],
                  [top + 2, top + 3, "fallthru"]]
    trace = {"blocks": [0, *(block for block in range(2, 123) if block % 3 != 1), 1], "times": 5}
    wide = {"name": "wide", "line": 1, "blocks": blocks[:121], "edges": [*edges, [122, 1, "fallthru"]],
            "traces": [trace], "limit": 2**62}
    make_profile([wide])
    found = prime(pathdump)["total"]
    assert (found["num_paths"], found["exact"], found["executed"]) == (str(2**40), True, 1)
    around = {**wide, "edges": [*edges, [122, 2, "true"], [122, 1, "false"]]}
    make_profile([around])
    found = prime(pathdump, "--missing", "-n", "3")
    assert not found["total"]["exact"] and int(found["total"]["num_paths"]) > 1000
    assert "≥" in pathdump("coverage", "--prime").stdout
    pathdump("coverage", "--prime", "--fail-under", "50", status=1)


def test_statuses(pathdump, make_profile):
    make_profile([branch(counts=(4, 0))])
    pathdump("coverage", "--prime", "--fail-under", "50")
    missed = pathdump("coverage", "--prime", "--fail-under", "51", status=1)
    assert "pathdump: coverage: prime paths: 50.00% (1/2) is below the threshold of 51%\n" in missed.stderr
    assert "--not-in" in pathdump("coverage", "--prime", "--not-in", "prog.pathprof", status=2).stderr
    assert "--missing" in pathdump("coverage", "--prime", "--missing", "-n", "0", status=2).stderr


def test_other_modes(project):
    project.write("prog.c", NESTED)
    project.gcc("-g", "-fplugin-arg-pathprof-mode=kiter", "prog.c", "-o", "prog")
    project.run("./prog")
    failed = project.pathdump("coverage", "--prime", status=2).stderr
    assert "no counts of acyclic paths" in failed and "mode=kipf,k=auto" in failed


# Each decision of walk() is the next letter of the argument: T is true; any other letter, and the end, is false.
WALK = """\
static const char *letter;

static int is_next (void)
{
  return *letter && *letter++ == 'T';
}

static int walk (void)
{
  int sum = 0;
  while (is_next ()) {
    if (is_next ())
      sum++;
    else
      sum--;
  }
  return sum;
}

int main (int argc, char **argv)
{
  for (int i = 1; i < argc; i++) {
    letter = argv[i];
    walk ();
  }
  return 0;
}
"""


@pytest.mark.parametrize("executed, needed, does, does_not", [
    ("TT", "after the nearest path, go around the loop at line 11 once more and take 11:T again", "TTTT", "TFTT"),
    ("TT", "after line 15, go around the loop at line 11 and take 11:T 12:T", "TFTT", "TTTF"),
    ("TTTF", "in the first iteration of the loop at line 11, take 11:T 12:F", "TF", "TTTFTF"),
    ("TT", "before the first iteration of the loop at line 11, take 11:F left", "F", "TFTT"),
])
def test_what_is_needed(project, executed, needed, does, does_not):
    """An input that does what the sentence says executes the prime path, and another one does not."""
    project.write("prog.c", WALK)
    project.gcc("-O0", "-g", *AUTO, "prog.c", "-o", "prog")
    project.run("./prog", executed)
    command = ("coverage", "--prime", "--missing", "-n", "100", "--function", "walk")
    rows = [row for row in project.pathdump.json(*command, "--json")["missing"]["paths"] if row.get("needed") == needed]
    assert rows and all(row["distance"] == 0 and row["nearest"]["differences"] == [] for row in rows)
    assert f"      needed: {needed}\n" in project.pathdump(*command, "--codes").stdout
    shown = re.sub(r"(\d+:[TF]) (?=\d)", r"\1; ", needed).replace(" left", "; left")
    shown = re.sub(r"(\d+:[TF])", r"\1 is_next ()", shown)
    assert f"      needed: {shown}\n" in project.pathdump(*command).stdout
    for argument, is_executed in ((does_not, False), (does, True)):
        project.run("./prog", argument)
        (function,) = [one for one in project.pathdump.json(*command, "--json")["functions"] if one["name"] == "walk"]
        counts = {tuple(path["blocks"]) for path in function["paths"]}
        assert all((tuple(row["blocks"]) in counts) == is_executed for row in rows)


def test_needed_is_only_where_no_branch_differs(pathdump, make_profile):
    make_profile([branch(counts=(4, 0))])
    (row,) = prime(pathdump, "--missing")["missing"]["paths"]
    assert row["distance"] == 1 and "needed" not in row
