# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows say what their paths call that is not counted: functions of libraries, but none that the compiler writes itself."""

import csv
import io
import json
import pathlib
import re
import subprocess

import pytest

from conftest import BUILD, branch

ROOT = pathlib.Path(__file__).resolve().parents[2]
JSONFMT = ROOT / "examples/json/jsonfmt.c"
BUILDS = [("O0", "source"), ("O2", "source"), ("O2", "early"), ("O2", "late"), ("O3", "early")]
# What a later pass may make of a call that source and early name, by the name that is in the object then.
BECOMES = {"atoi": {"strtol"}, "printf": {"puts", "putchar"}, "fprintf": {"fwrite", "fputc", "fputs"}, "fputs": {"fwrite", "fputc"},
           "sprintf": {"strcpy", "stpcpy"}, "strcat": {"strlen"}, "strncpy": {"memcpy"}, "calloc": {"malloc"},
           "memcpy": {"memmove"}, "strchr": {"strlen"}, "strcpy": {"stpcpy"}}

CALLS = """\
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char room[100];
__attribute__ ((noinline, noclone)) static int own (int x) { return x * 3; }
__attribute__ ((noinline, noclone, no_profile_instrument_function)) static int plain (int x) { return x * 5; }

__attribute__ ((noinline, noclone)) int library (const char *text, size_t size)
{
  if (size > 90)
    return 0;
  memcpy (room, text, size);
  return strcmp (room, text) + (int) strlen (text);
}

__attribute__ ((noinline, noclone)) int code (const long *from, unsigned x)
{
  long to[2];
  __builtin_memcpy (to, from, sizeof to);
  return own (__builtin_popcount (x) + (int) __builtin_labs (to[0]) + (int) __builtin_fabs (to[1]) + __builtin_ctz (x | 1)
              + (__builtin_expect (x > 3, 1) ? __builtin_bswap32 (x) : 1) + (int) __builtin_strlen ("four"));
}

int main (int argc, char **argv)
{
  long numbers[2] = { argc, -argc };
  int sum = library (argv[0], 5) + library (argv[0], 99) + code (numbers, (unsigned) argc) + plain (argc);
  volatile char *memory = malloc ((size_t) argc * 100);
  memory[argc] = (char) sum;
  free ((void *) memory);
  return sum == -1;
}
"""


@pytest.fixture
def compiled(tmp_path):
    """The paths of a program's report, and the symbols that its object needs from elsewhere."""

    def compile_and_run(source, level, stage, *arguments):
        subprocess.run([BUILD / "bin/pathprof-gcc", "-g", "-w", "-std=gnu17", f"-{level}", f"-fplugin-arg-pathprof-stage={stage}",
                        "-I", source.parent, "-c", "-o", tmp_path / "prog.o", source], check=True)
        subprocess.run([BUILD / "bin/pathprof-gcc", "-o", tmp_path / "prog", tmp_path / "prog.o", "-lm"], check=True)
        subprocess.run([tmp_path / "prog", *arguments], cwd=tmp_path, check=False, stdout=subprocess.DEVNULL, timeout=120)
        printed = subprocess.run(["nm", "--undefined-only", "--format=posix", tmp_path / "prog.o"], capture_output=True,
                                 text=True, check=True).stdout
        report = subprocess.run([BUILD / "bin/pathdump", "report", "--json", "-n", "0", tmp_path / "prog.pathprof"],
                                capture_output=True, text=True, check=True).stdout
        return json.loads(report)["paths"], {line.split()[0].split("@")[0] for line in printed.splitlines()}

    return compile_and_run


@pytest.mark.parametrize("level, stage", BUILDS)
def test_what_is_called(compiled, tmp_path, level, stage):
    source = tmp_path / "calls.c"
    source.write_text(CALLS)
    paths, _ = compiled(source, level, stage)
    calls = {name: sorted(sorted(path.get("calls", [])) for path in paths if path["function"] == name)
             for name in ("library", "code", "main")}
    assert calls["library"] == [[], ["memcpy", "strcmp", "strlen"]]
    assert calls["code"] == [[]] * len(calls["code"]) != []
    assert calls["main"] == [["free", "malloc", "plain"]]
    report = subprocess.run([BUILD / "bin/pathdump", "report", tmp_path / "prog.pathprof"], capture_output=True, text=True, check=True)
    assert len(re.findall(r" calls memcpy, strcmp, strlen$", report.stdout, re.M)) == 1
    shown = subprocess.run([BUILD / "bin/pathdump", "show", tmp_path / "prog.pathprof"], capture_output=True, text=True, check=True)
    assert len(re.findall(r" calls memcpy, strcmp, strlen$", shown.stdout, re.M)) == 1


@pytest.mark.parametrize("level, stage", BUILDS)
def test_what_is_named_is_called_in_the_object(compiled, level, stage):
    named = 0
    for source, *arguments in ((JSONFMT, JSONFMT.parent / "sample.json"), (ROOT / "bench/kernels/qsort.c", "1"), (ROOT / "bench/kernels/trees.c", "1"),
                               (ROOT / "bench/kernels/strsearch.c", "1")):
        paths, undefined = compiled(source, level, stage, *arguments)
        for name in {name for path in paths for name in path.get("calls", [])}:
            named += 1
            assert name in undefined or BECOMES.get(name, set()) & undefined, (source.name, name)
    assert named >= 4


def test_wrong_arguments(compiled, tmp_path):
    """A function that has the name of one of GCC's, and other arguments, is called."""
    source = tmp_path / "wrong.c"
    # From GCC 14 on such a call is an error without this, and in C23, where () means no arguments, anyway.
    source.write_text('#pragma GCC diagnostic ignored "-Wint-conversion"\n'
                      "extern double sqrt (); extern void *memcpy (); extern int ffs ();\n"
                      "int main (int argc, char **argv)\n{\n  return argc > 9 ? (int) sqrt () + ffs (argv) + (memcpy (argv) == 0) : 0;\n}\n")
    paths, undefined = compiled(source, "O2", "early")
    assert len(paths) == 1 and {"sqrt", "memcpy", "ffs"} <= undefined


# ---- what is counted ----


def calls_of(pathdump, functions):
    data = pathdump.json("report", "--json")
    return {path["function"]: path.get("calls", []) for path in data["paths"]}


def calling(name, *callees, **more):
    return branch(name, counts=(1, 0), direct_calls=[{"block": 2, "line": 30, "callee": callee} for callee in callees], **more)


def test_functions_of_the_profile_are_counted(pathdump, make_profile):
    make_profile([calling("f", "g", "h", "strlen", "left"), branch("g", flags=["visible"], unit="b.c"), branch("h", unit="c.c"),
                  {"name": "left", "edges": [[0, 2], [2, 1]], "left_out": "it calls setjmp"}])
    assert calls_of(pathdump, "f")["f"] == ["h", "strlen", "left"]  # the function h of c.c is its own


def test_static_functions_of_a_header_are_one(pathdump, make_profile):
    def caller(name, unit):
        return calling(name, "inline", unit=unit, sites=[{"function": "x", "file": "all.h", "line": 3, "parent": 0}])

    make_profile([caller("f", "a.c"), caller("g", "b.c"), branch("inline", unit="a.c", file="all.h")])
    assert calls_of(pathdump, "f") == {"f": [], "g": [], "inline": []}


def test_constructors_have_two_names(pathdump, make_profile):
    make_profile([calling("f", "_ZN1AC1Ev", "_ZN1BC1Ev", "_ZN1AD1Ev"), branch("_ZN1AC2Ev", flags=["visible"], unit="b.c"),
                  branch("_ZN1AD2Ev", flags=["visible"], unit="b.c")])
    assert calls_of(pathdump, "f")["f"] == ["B::B()"]


def test_rows_name_the_first_three(pathdump, make_profile):
    make_profile([calling("f", "malloc", "strlen", "malloc", "memchr", "free", "abort")])
    assert " calls malloc, strlen, memchr, ...\n" in pathdump("report").stdout
    assert calls_of(pathdump, "f")["f"] == ["malloc", "strlen", "memchr", "free", "abort"]


def test_only_blocks_on_the_path(pathdump, make_profile):
    make_profile([branch("f", counts=(2, 3), direct_calls=[{"block": 3, "line": 31, "callee": "puts"}])])
    rows = [line for line in pathdump("report").stdout.splitlines() if line.rstrip().endswith(" calls puts")]
    assert len(rows) == 1 and ":T" in rows[0]


def test_pages_say_it_too(pathdump, make_profile, tmp_path):
    make_profile([calling("f", "malloc")])
    pathdump("html", "-o", "page.html")
    assert re.search(r'class="trail"><div>[^<]* calls malloc</div>', (tmp_path / "page.html").read_text())


# ---- wherever rows are ----


def test_csv_has_all_of_them(pathdump, make_profile):
    make_profile([calling("f", "malloc", "strlen", "_ZN1AC1Ev", "memchr"), branch("g")])
    rows = list(csv.DictReader(io.StringIO(pathdump("export", "--format=csv").stdout, newline="")))
    assert [(row["function"], row["calls"]) for row in rows] == [("f", "malloc; strlen; A::A(); memchr"), ("g", ""), ("g", "")]


def test_changes_have_them(pathdump, make_profile, tmp_path):
    """Each row in the words of the side that its number is of."""
    make_profile([calling("f", "malloc", "g"), branch("g", counts=(5, 0))], "a.pathprof")
    make_profile([{**calling("f", "free", "g"), "traces": [{"blocks": [0, 2, 3, 1], "times": 9}]}, branch("g", counts=(7, 0))], "b.pathprof")
    paths = pathdump.json("diff", "--json", "a.pathprof", "b.pathprof")["paths"]
    assert {path["function"]: path.get("calls") for path in paths} == {"f": ["free"], "g": None}
    rows = [line for line in pathdump("diff", "a.pathprof", "b.pathprof").stdout.splitlines() if " calls " in line]
    assert len(rows) == 1 and rows[0].rstrip().endswith(" calls free")
    pathdump("html", "-o", "page.html", "--baseline", "a.pathprof", "b.pathprof")
    assert re.search(r'class="trail"><div>[^<]* calls free</div>', (tmp_path / "page.html").read_text())


def test_suspects_have_them(pathdump, make_profile):
    """What is counted is what the run counts that the path is of."""
    make_profile([calling("f", "malloc", "helper"), {**branch("helper", line=90), "traces": []}], "fail.pathprof")
    make_profile([branch("other")], "pass.pathprof")
    arguments = ["--fail", "fail.pathprof", "--pass", "pass.pathprof"]
    (path,) = pathdump.json("diff", "--json", *arguments)["paths"]
    assert path["calls"] == ["malloc"]
    (row,) = [line for line in pathdump("diff", *arguments).stdout.splitlines() if " calls " in line]
    assert row.rstrip().endswith(" calls malloc")
