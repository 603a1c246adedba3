# SPDX-License-Identifier: GPL-3.0-or-later
"""A program whose paths go through calls, and descriptions of profiles with such paths (see make_profile.cc)."""


def block(number, stmts, *lines):
    return {"id": number, "stmts": stmts, "lines": list(lines)}


def power():
    """double pow(double base, long exp) { double power = 1.0; while (exp > 0) … }"""
    return {
        "name": "pow",
        "line": 3,
        "edges": [[0, 2], [2, 3], [3, 4, "true"], [3, 5, "false"], [4, 3], [5, 1]],
        "blocks": [block(2, 1, 4), block(3, 1, 5), block(4, 2, 6, 7), block(5, 1, 9)],
    }


def main():
    """main of Melski and Reps 1998, Figure 4: calls pow from two places in a loop of 18 iterations."""
    return {
        "name": "main",
        "line": 12,
        "flags": ["visible"],
        "begins": True,
        "edges": [
            [0, 2], [2, 3], [3, 4, "true"], [3, 9, "false"], [4, 5, "true"], [4, 6, "false"], [5, 6],
            [6, 7, "true"], [6, 8, "false"], [7, 8], [8, 3], [9, 1],
        ],
        "blocks": [
            block(2, 1, 13), block(3, 1, 14), block(4, 1, 15), block(5, 2, 16, 17), block(6, 1, 18),
            block(7, 2, 19, 20), block(8, 1, 21), block(9, 1, 23),
        ],
        "calls": [
            {"block": 5, "callee": "pow", "line": 16, "num_lines": 1},
            {"block": 7, "callee": "pow", "line": 19, "num_lines": 1},
        ],
    }


def run_of_main(times=1, iterations=18):
    def called(site):
        return {"call": site, "blocks": [0, 2, 3, 4, 3, 4, 3, 5, 1]}

    blocks = [0, 2, 3]
    for i in range(1, iterations + 1):
        blocks += [4, 5, called(0), 6] if i % 2 == 0 else [4, 6]
        blocks += [7, called(1), 8, 3] if i % 3 == 0 else [8, 3]
    return {"function": "main", "times": times, "blocks": blocks + [9, 1]}


def figure_4(mode="context", runs=1, **more):
    return {
        "program": "figure4",
        "functions": [power(), main()],
        "programs": [{"unit": "a.c", "mode": mode, "traces": [run_of_main(runs)], **more}],
    }


# A program with recursion, indirect calls and exceptions.
CALLS = """\
#include <stdio.h>
struct odd { int n; };
static volatile int sink;
static void leaf (int n)
{
  for (int i = 0; i < n; i++)
    sink = sink + i;
}
static int checked (int n)
{
  if (n % 3 == 0)
    throw odd {n};
  leaf (n % 4);
  return n;
}
static int caught (int n)
{
  try
    {
      return checked (n);
    }
  catch (odd &)
    {
      leaf (2);
    }
  return -1;
}
static int depth (int n)
{
  return n ? depth (n - 1) + caught (n) : 0;
}
int main ()
{
  int (*const pointers[]) (int) = {caught, depth};
  int sum = 0;
  for (int i = 0; i < 12; i++)
    {
      sum += pointers[i % 2] (i % 5);
      if (i & 1)
        leaf (i);
    }
  printf ("%d\\n", sum);
  return 0;
}
"""

# Loops in loops, a switch, recursion, a template with two instances that begin on one line, a function that never runs.
LOOPS_AND_CALLS = """\
#include <cstdio>
template <typename T> static T clamp (T x, T most)
{
  if (x > most)
    return most;
  return x;
}
static int kind (int i)
{
  switch (i % 5)
    {
    case 0: return 3;
    case 1: return 1;
    case 2: return 4;
    default: return i % 2 ? 1 : 5;
    }
}
static int depth (int n) { return n <= 0 ? 0 : 1 + depth (n - 2); }
int never (int i) { return i > 3 ? depth (i) : 3; }
int main ()
{
  int sum = 0;
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < i; j++)
      {
        if ((i + j) % 3 == 0)
          sum += kind (j);
        else
          sum += clamp (i, 7) + int (clamp (2.5, double (j)));
      }
  std::printf ("%d %d\\n", sum, depth (9));
  return 0;
}
"""

# Calls f NUMBER times; a program with an argument ends with a trap.
COUNTS = """\
__attribute__ ((noinline)) int
f (int n)
{
  if (n & 1)
    return -n;
  return n;
}

int
main (int argc, char **argv)
{
  volatile int s = 0;
  for (int i = 0; i < NUMBER; i++)
    s += f (i);
  if (argc > 1)
    __builtin_trap ();
  return 0;
}
"""
