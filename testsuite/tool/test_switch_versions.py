# SPDX-License-Identifier: GPL-3.0-or-later
"""switch=1: instrumented versions of functions, which are functions of their own."""

import re

import pytest

from conftest import plugin, plugin_compiler

# Arguments in registers, in memory, of any number; results in memory; calls of itself and of each other, at the end too;
# exceptions through and out of a version; functions that several units may have; what the library calls.
PROGRAM = """\
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#define NOINLINE __attribute__ ((noinline))
struct big { long x[12]; };
inline NOINLINE int order (int a, int b) { if (a < b) return -1; return a > b; }
template <class T> NOINLINE T larger (T a, T b) { return a < b ? b : a; }
static NOINLINE int
some (int n, ...)
{
  va_list list;
  va_start (list, n);
  int a = va_arg (list, int);
  double d = va_arg (list, double);
  long b = n > 2 ? va_arg (list, long) : 0;
  va_end (list);
  return a + (int) d + (int) b;
}
static NOINLINE big
make (int a)
{
  big b = {};
  b.x[3] = a;
  if (a & 1)
    b.x[4] = 7;
  return b;
}
static NOINLINE long use (big b, int i) { if (b.x[i] > 3) return b.x[i]; return 1; }
static NOINLINE int
thrower (int i)
{
  std::string s = "abc";
  if (i % 7 == 3)
    throw std::runtime_error (s + std::to_string (i));
  return i + (int) s.size ();
}
static NOINLINE int fib (int n) { return n < 2 ? n : fib (n - 1) + fib (n - 2); }
static NOINLINE int odd (int n);
static NOINLINE int even (int n) { return n == 0 ? 1 : odd (n - 1); }
static NOINLINE int odd (int n) { return n == 0 ? 0 : even (n - 1); }
static NOINLINE double real (double a, float b) { if (a > b) return a * b; return a - b; }
static int compare (const void *a, const void *b) { return order (*(const int *) a, *(const int *) b); }
struct base { virtual int g (int a) { return a > 2 ? a : 2; } virtual ~base () {} };
struct derived : base { int g (int a) override { return a > 5 ? a * 2 : base::g (a); } };
int
main (int argc, char **)
{
  long sum = 0;
  base *v = argc > 5 ? new base : new derived;
  for (int i = 0; i < 1000; i++)
    {
      sum += order (i, 500) + larger (i, 400) + (long) larger ((double) i, 3.5) + some (2 + i % 2, i, 2.5, 9L);
      sum += use (make (i), 3 + i % 2) + v->g (i) + (long) real (i, 3.25f);
      try { sum += thrower (i); } catch (const std::exception &e) { sum += e.what ()[3]; }
    }
  sum += fib (15) + even (100001);
  int x[64];
  for (int i = 0; i < 64; i++)
    x[i] = i * 37 % 64;
  qsort (x, 64, sizeof *x, compare);
  printf ("%ld\\n", sum + x[5]);
  delete v;
}
"""

OPTIONS = ["", "-fcf-protection=full", "-fpatchable-function-entry=8,4", "-masm=intel", "-fPIC", "-mcmodel=large",
           "-fno-toplevel-reorder", "-flto", "-pg", "-fstack-protector-all -fno-omit-frame-pointer", "-O3 -fnon-call-exceptions"]


def counts(project, name):
    """By the blocks of the path.  Its number may be another one: a copy has no edges to handlers that nothing throws to."""
    return {(function["name"], tuple(path["blocks"])): path["count"]
            for function in project.profile(name)["functions"] for path in function["paths"]}


@pytest.mark.parametrize("options", OPTIONS)
def test_counts_are_those_of_a_program_without_a_switch(project, options):
    project.write("prog.cc", PROGRAM)
    for name, switch in (("without", "switch=0"), ("with", "switch=1")):
        project.gxx("-O2", "-g", "-fchecking=1", *options.split(), "prog.cc", "-o", name, *plugin("stage=late", switch))
    expected = project.run("./without").stdout
    assert project.run("./with", env={"PATHPROF_SWITCH": "on"}).stdout == expected
    assert counts(project, "with.pathprof") == counts(project, "without.pathprof")
    project.pathdump("check", "with.pathprof")
    for switch in ("off", "50%/1ms"):
        assert project.run("./with", env={"PATHPROF_SWITCH": switch, "PATHPROF_FILE": "other.pathprof"}).stdout == expected


def instructions(project, file):
    """By plain function; without addresses and what fills room."""
    text = project.run("objdump", "-d", "--no-show-raw-insn", "-j", ".text", file).stdout
    found = {}
    for name, body in re.findall(r"^[0-9a-f]+ <(.*)>:\n((?:.+\n)+)", text, re.M):
        if name.endswith(".counted.0"):
            continue
        lines = [re.sub(r"\b[0-9a-f]+ <.*>|#.*", "", line.split("\t", 1)[1]).strip() for line in body.splitlines()]
        found[name] = [line for line in lines if not re.match(r"nop|xchg +%ax,%ax|cs nop|data16", line)]
    return found


@pytest.mark.parametrize("level", ["-O1", "-O2", "-O3"])
def test_a_plain_version_is_the_code_of_a_program_without_pathprof(project, level):
    """Two instructions are before it; registers are saved where they were, and callers know what it changes."""
    project.write("prog.c", """\
#define NOINLINE __attribute__ ((noinline))
int other (int, int);
static NOINLINE int leaf (int a, int b) { if (a > b) return a - b; return b * 3; }
static NOINLINE int twice (int a, int b) { int c = leaf (a, b); return c + leaf (b, a) + a; }
int
seldom (int a, int b)
{
  if (a < 0)
    return 1;
  int c = other (a, b), d = other (b, c);
  return c * d + other (a + c, b - d);
}
int sum (const int *x, int n) { int s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }
int all (int a, int b) { return twice (a, b) + seldom (a, b) + twice (b, a); }
""")
    project.gcc(level, "-c", "prog.c", "-o", "with.o", *plugin("switch=1"))
    project.run(plugin_compiler(), level, "-c", "prog.c", "-o", "without.o")
    expected, found = instructions(project, "without.o"), instructions(project, "with.o")
    assert expected.keys() == found.keys() and {"seldom", "sum", "all"} <= expected.keys()
    for name, body in found.items():
        assert [line.split()[0] for line in body[:2]] == ["cmpb", "jne"]
        assert body[2:] == expected[name], name


def test_a_computed_goto_is_counted_from_the_entry_on(project):
    project.write("prog.c", """\
#include <stdio.h>
__attribute__ ((noinline)) static int
run (const char *code)
{
  void *to[] = {&&stop, &&up, &&down};
  int value = 0;
  goto *to[*code++ - '0'];
up:
  value++;
  goto *to[*code++ - '0'];
down:
  value--;
  goto *to[*code++ - '0'];
stop:
  return value;
}
int main (int argc, char **argv) { printf ("%d\\n", run (argv[1])); return 0; }
""")
    project.gcc("-O2", "prog.c", "-o", "prog", *plugin("stage=late", "switch=1"))
    assert project.run("./prog", "1121120", env={"PATHPROF_SWITCH": "on"}).stdout == "2\n"
    (run,) = [function for function in project.profile()["functions"] if function["name"] == "run"]
    assert sum(path["count"] for path in run["paths"]) == 8  # to each of seven places, and out
    assert project.run("./prog", "1121120", env={"PATHPROF_FILE": "off.pathprof"}).stdout == "2\n"
    assert counts(project, "off.pathprof") == {}


def test_functions_without_instructions(project):
    project.write("prog.cc", """\
const int &nothing (const int &) { }
int never (int) { __builtin_unreachable (); }
int main () { return 0; }
""")
    for level in ("-O1", "-O2"):
        for option in ("-w", "-fcf-protection"):
            project.gxx(level, option, "-w", "prog.cc", "-o", "prog", *plugin("switch=1"))


def test_warnings_come_once(project):
    project.write("prog.c", """\
void old (int) __attribute__ ((warning ("do not call")));
__attribute__ ((noinline)) int f (int k) { volatile char room[100]; room[k & 7] = k; if (k > 2) old (room[0]); return k; }
""")
    done = project.gcc("-O2", "-Wframe-larger-than=20", "-c", "prog.c", *plugin("switch=1"))
    assert done.stderr.count("do not call") == 1 and done.stderr.count("frame size") == 1
    assert "counted" not in done.stderr


def test_main_with_setjmp(project):
    project.write("prog.c", """\
#include <setjmp.h>
#include <stdio.h>
static jmp_buf env;
int main (void) { volatile int n = 0; if (setjmp (env)) n++; if (n < 3) longjmp (env, 1); printf ("%d\\n", n); return 0; }
""")
    project.gcc("-O2", "prog.c", "-o", "prog", *plugin("switch=1"))
    assert project.run("./prog", env={"PATHPROF_SWITCH": "on"}).stdout == "3\n"
    assert sum(counts(project, "prog.pathprof").values()) > 3
