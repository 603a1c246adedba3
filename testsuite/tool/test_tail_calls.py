# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls in tail position stay jumps where nothing must be done behind them, and their paths are counted."""

import subprocess

import pytest

from conftest import GCC
from test_driver import project  # noqa: F401

DEPTH = 3_000_000  # far more than a stack holds
RECURSION = """\
#include <stdio.h>
static long odd (long n);
static __attribute__ ((noinline)) long
even (long n)
{
  if (n == 0)
    return 1;
  return odd (n - 1);
}
static __attribute__ ((noinline)) long
odd (long n)
{
  if (n == 0)
    return 0;
  return even (n - 1);
}
int
main (void)
{
  printf ("%%ld\\n", even (%d));
  return 0;
}
""" % DEPTH
# Several calls share one return; one has its value changed, which is no tail call.
SHARED = """\
static __attribute__ ((noinline)) int leaf (int n) { __asm__ volatile (""); return n; }
static __attribute__ ((noinline)) int other (int n) { __asm__ volatile (""); return n + 1; }
static __attribute__ ((noinline)) void nothing (int n) { __asm__ volatile (""); }
static __attribute__ ((noinline)) int
choose (int n)
{
  int result;
  if (n % 3 == 0)
    result = leaf (n);
  else if (n % 3 == 1)
    result = other (n);
  else
    result = leaf (n) + 1;
  return result;
}
static __attribute__ ((noinline)) void
perhaps (int n)
{
  if (n % 2)
    nothing (n);
}
int
main (void)
{
  for (int n = 0; n < 10; n++)
    {
      choose (n);
      perhaps (n);
    }
  return 0;
}
"""
# An object's life ends ahead of a return that calls share, or that one call shares with another way there.
CLOBBERS = """\
struct pair { int a, b; };
int log_[20], at;
__attribute__ ((noinline)) struct pair *create (struct pair *p) { log_[at++ % 20] = p->a; return p->b ? p : 0; }
__attribute__ ((noinline)) void complain (int n) { log_[at++ % 20] = n; }
static __attribute__ ((noinline)) void
setup (int n)
{
  struct pair p = { n, n % 3 };
  if (create (&p) == 0)
    complain (n);
}
static __attribute__ ((noinline)) void
either (int n)
{
  struct pair p = { n, n % 2 };
  if (create (&p) == 0)
    complain (n);
  else
    complain (-n);
}
__attribute__ ((noinline)) void first (int n) { setup (n); log_[0]++; }
__attribute__ ((noinline)) void second (int n) { setup (n + 1); log_[1]++; }
__attribute__ ((noinline)) void third (int n) { setup (n + 2); log_[2]++; }
int
main (void)
{
  for (int n = 0; n < 12; n++)
    {
      first (n);
      second (n);
      third (n);
      either (n);
    }
  return 0;
}
"""
DISPATCH = """\
#include <stdio.h>
struct vm { const unsigned char *at; long sum; long left; };
typedef long handler (struct vm *);
static handler add, subtract, again;
static handler *const table[] = { add, subtract, again };
#define NEXT __attribute__ ((musttail)) return table[*vm->at] (vm)
static __attribute__ ((noinline)) long add (struct vm *vm) { vm->sum += 3; vm->at++; NEXT; }
static __attribute__ ((noinline)) long subtract (struct vm *vm) { vm->sum -= 1; vm->at++; NEXT; }
static __attribute__ ((noinline)) long
again (struct vm *vm)
{
  if (vm->left-- == 0)
    return vm->sum;
  vm->at -= 2;
  NEXT;
}
int
main (void)
{
  static const unsigned char code[] = { 0, 1, 2 };
  struct vm vm = { code, 0, 1000000 };
  printf ("%ld\\n", table[code[0]] (&vm));
  return 0;
}
"""


def arguments(**settings):
    return [f"-fplugin-arg-pathprof-{key}={value}" for key, value in settings.items()]


@pytest.mark.parametrize("mode", ["acyclic", "kiter", "kipf", "intracontext"])
@pytest.mark.parametrize("stage", ["source", "early", "late"])
def test_constant_stack(project, stage, mode):
    project.write("prog.c", RECURSION)
    project.gcc("-O2", "-g", *arguments(stage=stage, mode=mode), "prog.c", "-o", "prog")
    assert project.run("sh", "-c", "ulimit -s 1024; ./prog").stdout == "1\n"
    functions = project.functions()
    for name in ("even", "odd"):
        counts = [n for count in functions[name] for n in (count if isinstance(count, list) else [count])]
        assert sum(map(int, counts)) in (DEPTH // 2, DEPTH // 2 + 1)


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2", "-O3"])
@pytest.mark.parametrize("stage", ["source", "early"])
@pytest.mark.parametrize("termination", ["basic", "exact"])
def test_shared_returns(project, level, stage, termination):
    """The same paths, as often, whether a call is counted before it or behind it."""
    project.write("prog.c", SHARED)
    project.gcc(level, "-g", *arguments(stage=stage, termination=termination), "prog.c", "-o", "prog")
    project.run("./prog")
    functions = project.functions()
    assert functions["choose"] == [3, 3, 4] and functions["perhaps"] == [5, 5]


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2", "-O3"])
@pytest.mark.parametrize("stage", ["source", "early"])
def test_ends_of_objects(project, level, stage):
    project.write("prog.c", CLOBBERS)
    project.gcc(level, "-g", "-fchecking=1", *arguments(stage=stage), "prog.c", "-o", "prog")
    project.run("./prog")
    functions = project.functions()
    assert functions["either"] == [6, 6] and sum(functions["complain"]) == 24


def has_musttail(folder):
    (folder / "try.c").write_text("int f (int n); int g (int n) { __attribute__ ((musttail)) return f (n); }\n")
    return subprocess.run([GCC, "-O0", "-Werror", "-c", "try.c", "-o", "try.o"], cwd=folder, capture_output=True,
                          check=False).returncode == 0


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2"])
@pytest.mark.parametrize("stage", ["source", "early", "late"])
def test_musttail(project, level, stage):
    """An interpreter whose operations call each other, from GCC 15 on."""
    if not has_musttail(project.folder):
        pytest.skip("the compiler has no musttail")
    project.write("prog.c", DISPATCH)
    project.gcc(level, "-g", *arguments(stage=stage), "prog.c", "-o", "prog")
    assert project.run("sh", "-c", "ulimit -s 1024; ./prog").stdout == "2000002\n"
    assert project.functions()["add"] == [1000001]


# GCC chooses calls to be jumps that do not become any: memcpy is a few instructions here, and the other call has more
# arguments on the stack than its caller.  Other ways through the function share the return behind them.
NO_JUMPS = """\
#include <string.h>
volatile int sink;
char a[100], b[100];
__attribute__((noinline)) int x(int n) { sink = n; return n; }
__attribute__((noinline)) int g(int a,int b,int c,int d,int e,int f,int h,int i) { return sink + a+b+c+d+e+f+h+i; }
__attribute__((noinline,cold)) void f(int n, char *p, long m) {
  if(n & 1) { x(1); if(n & 4) x(5); }
  if(n & 2) { if(m < 50) memcpy(a, p, m); }
  else sink = 9;
}
__attribute__((noinline,cold)) int k(int n) {
  if(n & 1) { x(1); if(n & 4) x(5); }
  if(n & 2) return g(n, 1, 2, 3, 4, 5, 6, 7);
  if(n & 8) sink = 4;
  return 5;
}
int main(int c, char **v) {
  for(int i = 0; i < 64; i++) { f(i, b, c + i); sink = k(i); }
  return 0;
}
"""


@pytest.mark.parametrize("arguments", [["stage=late"], ["stage=late", "array-max=0"], ["switch=1", "array-max=0"], ["array-max=0"]])
def test_calls_that_do_not_become_jumps(project, arguments):
    project.write("prog.c", NO_JUMPS)
    found = []
    for options in ["-O2"], ["-Os"], ["-O2", "-fno-optimize-sibling-calls"]:
        project.gcc(*options, *(f"-fplugin-arg-pathprof-{argument}" for argument in arguments), "prog.c", "-o", "prog")
        (project.folder / "prog.pathprof").unlink(missing_ok=True)
        project.run("./prog", env={"PATHPROF_SWITCH": "on"})
        functions = {function["name"]: function for function in project.profile()["functions"]}
        found.append([sorted(path["count"] for path in functions[name]["paths"]) for name in "fk"])
    assert found[0] == found[1] == found[2]
    assert [sum(counts) for counts in found[0]] == [64, 64]
