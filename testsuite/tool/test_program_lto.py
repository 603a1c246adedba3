# SPDX-License-Identifier: GPL-3.0-or-later
"""mode=context and mode=piecewise with -flto: paths go through calls from one source file to another."""

import json
import os
import subprocess

import pytest

from conftest import BUILD, GCC, HERE

MODES = ("context", "piecewise")

POWER = """\
double
power_of (double base, long exp)
{
  double power = 1.0;
  while (exp > 0)
    {
      power *= base;
      exp--;
    }
  return power;
}
"""
MAIN = """\
#include <stdio.h>

double power_of (double base, long exp);

int
main (void)
{
  double t, result = 0.0;
  int i = 1;
  while (i <= 18)
    {
      if (i % 2 == 0)
        {
          t = power_of (i, 2);
          result += t;
        }
      if (i % 3 == 0)
        {
          t = power_of (i, 2);
          result += t;
        }
      i++;
    }
  printf ("%g\\n", result);
  return 0;
}
"""


class Project:
    def __init__(self, folder, pathdump):
        self.folder = folder
        self.pathdump = pathdump

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def gcc(self, *arguments, status=0, compiler="pathprof-gcc"):
        done = subprocess.run([BUILD / "bin" / compiler, *arguments], cwd=self.folder, capture_output=True, text=True,
                              timeout=900, env={**os.environ, "LC_ALL": "C"})
        assert done.returncode == status, done.stderr
        return done.stderr

    def run(self, name, *arguments, status=0):
        done = subprocess.run([f"./{name}", *arguments], cwd=self.folder, capture_output=True, text=True, timeout=900)
        assert done.returncode == status, done.stderr
        return done.stdout

    def exported(self, profile="a.out.pathprof"):
        self.pathdump("check", profile)
        return json.loads(self.pathdump("export", profile).stdout)

    def compare_with_plain(self, sources, *options, compiler="pathprof-gcc"):
        """Exports the profile of a program that prints what it prints without the plugin."""
        plain = "g++" if "g++" in compiler else "gcc"
        own = [option for option in options if not option.startswith("-fplugin-arg")]
        subprocess.run([plain, *own, *sources, "-o", "plain"], cwd=self.folder, check=True, timeout=900)
        self.gcc("-flto", "-fchecking=1", *options, *sources, compiler=compiler)
        assert self.run("a.out") == self.run("plain")
        return self.exported()


@pytest.fixture(name="project")
def make_project(tmp_path, pathdump):
    return Project(tmp_path, pathdump)


def mode_argument(mode):
    return f"-fplugin-arg-pathprof-mode={mode}"


def calls_of(exported, name):
    return [call for function in exported["functions"] if function["name"] == name for call in function["calls"]]


# ---- Figure 4 of Melski and Reps, in two files ----


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("mode", MODES)
def test_figure_4(project, mode, level):
    golden = json.loads((HERE / "../golden/melski-reps-figure-4.json").read_text())[mode]
    project.write("power.c", POWER)
    project.write("main.c", MAIN)
    options = ["-flto", level, "-g", "-fchecking=1", mode_argument(mode)]
    for unit in ("main", "power"):
        project.gcc(*options, "-c", f"{unit}.c")
    # The order of the objects does not matter.
    for objects in (["main.o", "power.o"], ["power.o", "main.o"]):
        project.gcc(*options, *objects)
        assert project.run("a.out") == "1959\n"
        (program,) = project.exported()["program_paths"]
        assert int(program["num_paths"]) == golden["num_paths"] and program["mode"] == mode
        assert {path["id"]: path["count"] for path in program["paths"]} == golden["counts"]
        (project.folder / "a.out.pathprof").unlink()


# ---- what units and the link command have to agree on ----


def test_mode_is_given_when_linking_too(project):
    project.write("power.c", POWER)
    project.write("main.c", MAIN)
    project.gcc("-flto", mode_argument("context"), "-c", "main.c", "power.c")
    for link in ([], [mode_argument("piecewise")]):
        refused = project.gcc("-flto", *link, "main.o", "power.o", status=1)
        assert "-fplugin-arg-pathprof-mode=context" in refused and "link command" in refused
    # What was compiled without any argument waits for nothing, and nothing stands against it.
    project.write("plain.c", POWER)
    subprocess.run([GCC, "-flto", "-c", "plain.c"], cwd=project.folder, check=True)
    project.gcc(mode_argument("context"), "main.o", "plain.o")
    project.run("a.out")
    assert [call["kind"] for call in calls_of(project.exported(), "main") if call["callee"]] == ["whole"] * 2


def test_what_is_instrumented_is_not_instrumented_again(project):
    project.write("power.c", POWER)
    project.write("main.c", MAIN)
    project.gcc("-flto", mode_argument("context"), "-c", "main.c")
    project.gcc("-flto", "-c", "power.c")
    refused = project.gcc("-flto", mode_argument("context"), "main.o", "power.o", status=1)
    assert refused.count("error: pathprof") == 1 and "compile commands" in refused


def test_partitions_are_refused(project):
    project.write("main.c", "int main (void) { return 0; }\n")
    options = ["-flto", mode_argument("context")]
    for partition in ("balanced", "one"):
        refused = project.gcc(*options, f"-flto-partition={partition}", "main.c", status=1)
        assert "-flto-partition=none" in refused and refused.count("error: pathprof") == 1
    project.write("options", " ".join(options))
    project.gcc("@options", "main.c")
    project.run("a.out")
    assert project.exported()["program_paths"]


def test_program_has_its_own_name(project):
    """In place of the source file's, wherever that stands."""
    project.write("power.c", POWER)
    project.write("main.c", MAIN)
    project.gcc("-flto", "-O2", mode_argument("context"), "main.c", "power.c", "-o", "prog")
    project.run("prog")

    def told(*command):
        return json.loads(project.pathdump(*command, "--json", "prog.pathprof").stdout)

    assert {path["unit"] for path in told("report")["paths"]} == {"prog"}
    assert [program["unit"] for program in told("functions")["programs"]] == ["prog"]
    assert [program["unit"] for program in told("stats")["programs"]] == ["prog"]
    assert [program["unit"] for program in told("coverage")["programs"]] == ["prog"]


def test_fat_objects_count_only_in_programs_linked_with_flto(project):
    project.write("power.c", POWER)
    project.write("main.c", MAIN)
    options = ["-flto", "-ffat-lto-objects", mode_argument("context")]
    project.gcc(*options, "-c", "main.c", "power.c")
    project.gcc(*options, "main.o", "power.o")
    project.run("a.out")
    assert project.exported()["program_paths"]
    project.gcc("-fno-lto", mode_argument("context"), "main.o", "power.o", "-o", "without")
    project.run("without")
    assert not (project.folder / "without.pathprof").exists()


# ---- which calls are whole ----

STATIC = """\
static __attribute__ ((noinline)) int
helper (int n)
{{
  return n > {limit} ? n - 1 : n + 1;
}}

int
{unit} (int n)
{{
  return helper (n) + {callee};
}}
"""


def write_helpers(project):
    project.write("a.c", "int b (int);\n" + STATIC.format(limit=3, unit="a", callee="b (n)"))
    project.write("b.c", STATIC.format(limit=5, unit="b", callee="n"))
    project.write("main.c", """\
#include <stdio.h>
int a (int), b (int);
int main (void) { for (int i = 0; i < 8; i++) printf ("%d %d\\n", a (i), b (i)); return 0; }
""")
    return ["a.c", "b.c", "main.c"]


def test_static_functions_of_one_name(project):
    exported = project.compare_with_plain(write_helpers(project), "-g", mode_argument("context"))
    helpers = [function for function in exported["functions"] if function["name"].split(".")[0] == "helper"]
    assert sorted(function["file"] for function in helpers) == ["a.c", "b.c"]
    assert len({call["callee"] for call in calls_of(exported, "a") + calls_of(exported, "b")
                if call["callee"].split(".")[0] == "helper"}) == 2
    steps = [[step["call"].split(".")[0] for step in path["steps"] if "call" in step]
             for path in exported["program_paths"][0]["paths"]]
    assert any(calls[-4:] == ["a", "helper", "b", "helper"] for calls in steps)


@pytest.mark.parametrize("hybrid, whole", [
    ("auto", {"a", "b", "helper"}), ("all", set()), ("file", {"helper"}), ("static", {"helper"}), ("leaf", {"helper"})])
def test_hybrid(project, hybrid, whole):
    sources = write_helpers(project)
    exported = project.compare_with_plain(sources, "-O2", "-fno-inline", mode_argument("context"),
                                          f"-fplugin-arg-pathprof-hybrid={hybrid}")
    assert {call["callee"].split(".")[0] for function in exported["functions"] for call in function["calls"]
            if call["kind"] == "whole"} == whole


# ---- languages ----

PROGRAM_C = {
    "lib.c": """\
#include <stdarg.h>
#include "all.h"

struct big { long words[6]; };
static long calls;

int sum (int n, ...)
{
  va_list rest;
  int result = 0;
  va_start (rest, n);
  for (int i = 0; i < n; i++)
    {
      int next = va_arg (rest, int);
      result += next > 2 ? next : 1;
    }
  va_end (rest);
  return result;
}

int odd (int n) { return n == 0 ? 0 : even (n - 1); }

static int twice (int n) { calls++; return n > 4 ? 2 * n : n; }
static int thrice (int n) { calls++; return n & 1 ? 3 * n : n; }
int (*pick (int n)) (int) { return n % 3 == 0 ? twice : n % 3 == 1 ? thrice : even; }

struct big spread (struct big in, int n)
{
  for (int i = 0; i < 6; i++)
    in.words[i] += i < n ? i : -i;
  return in;
}

__attribute__ ((const, noinline)) int steps (int n)
{
  int result = 0;
  while (n > 1)
    {
      n = n & 1 ? 3 * n + 1 : n / 2;
      result++;
    }
  return result;
}

int later (int n);
extern int alias (int n) __attribute__ ((alias ("later")));
int later (int n) { return n > 2 ? n : -n; }

long jump (jmp_buf to, int n)
{
  if (n > 3)
    longjmp (to, n);
  return calls;
}
""",
    "all.h": """\
#include <setjmp.h>
struct big;
int sum (int n, ...), odd (int n), even (int n), steps (int n), alias (int n);
int (*pick (int n)) (int);
long jump (jmp_buf to, int n);
""",
    "main.c": """\
#include <stdio.h>
#include <stdlib.h>
#include "all.h"

struct big { long words[6]; };
struct big spread (struct big in, int n);

int even (int n) { return n == 0 ? 1 : odd (n - 1); }

static int compare (const void *a, const void *b) { return *(const int *) a - *(const int *) b; }

int main (void)
{
  int values[] = { 5, 3, 8, 1 };
  qsort (values, 4, sizeof *values, compare);
  struct big big = { { 0 } };
  volatile int round;
  jmp_buf back;
  for (round = 0; round < 6; round++)
    {
      big = spread (big, round);
      printf ("%d %d %d %d %ld\\n", sum (3, round, 2, 4), even (round), pick (round) (round), steps (round + 2),
              big.words[3] + alias (round));
      if (setjmp (back) == 0)
        printf ("%ld\\n", jump (back, round));
      else
        puts ("jumped");
    }
  printf ("%d\\n", values[0]);
  return 0;
}
""",
}

PROGRAM_CC = {
    "all.h": """\
#include <string>
#include <stdexcept>

struct Base
{
  virtual ~Base () {}
  virtual int value (int n) const { return n > 1 ? n : 0; }
};
struct Other { virtual ~Other () {} virtual int other (int) const { return 1; } };
struct Both : Other, Base { int value (int n) const override; int other (int n) const override; };

template <typename T> T larger (T a, T b) { if (a < b) return b; return a; }

struct Guard { ~Guard (); };
int parse (const std::string &text);
int use (const Base &base, const Other &other, int n);
""",
    "lib.cc": """\
#include "all.h"
#include <cstdio>

int Both::value (int n) const { return larger (n, 3); }
int Both::other (int n) const { if (n == 4) throw std::runtime_error ("four"); return n; }
Guard::~Guard () { std::printf ("left\\n"); }

int parse (const std::string &text)
{
  Guard guard;
  if (text.empty ())
    throw std::invalid_argument ("empty");
  return text[0] == '-' ? -parse (text.substr (1)) : std::stoi (text);
}

int use (const Base &base, const Other &other, int n)
{
  try { return base.value (n) + other.other (n); }
  catch (const std::logic_error &) { return -1; }
}
""",
    "main.cc": """\
#include "all.h"
#include <iostream>

static Both both;
static Base base;

int main ()
{
  for (const char *text : { "1", "-2", "", "--3", "4" })
    try { std::cout << larger (parse (text), 0) << ' ' << use (n_th (text), both, larger (parse (text), 2)) << '\\n'; }
    catch (const std::invalid_argument &e) { std::cout << e.what () << '\\n'; }
    catch (const std::runtime_error &e) { std::cout << e.what () << " thrown\\n"; }
}
""".replace("n_th (text)", "text[0] == '-' ? static_cast<const Base &> (both) : base"),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_c(project, mode, level):
    for name, text in PROGRAM_C.items():
        project.write(name, text)
    exported = project.compare_with_plain(["lib.c", "main.c"], level, "-g", mode_argument(mode))
    kinds = {(call["callee"], call["kind"]) for call in calls_of(exported, "main")}
    assert {("sum", "whole"), ("spread", "whole"), ("steps", "whole"), ("later", "whole"), (None, "summary")} <= kinds
    if level == "-O0":
        # Of two functions that call each other, one call is recursive.
        recursive = calls_of(exported, "odd") + calls_of(exported, "even")
        assert sorted(call["kind"] for call in recursive) == ["summary", "whole"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_cxx(project, mode, level):
    for name, text in PROGRAM_CC.items():
        project.write(name, text)
    exported = project.compare_with_plain(["lib.cc", "main.cc"], level, "-g", mode_argument(mode),
                                          compiler="pathprof-g++")
    assert any(call["callee"] == "_Z5parseRKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
               and call["kind"] == "whole" for call in calls_of(exported, "main"))
