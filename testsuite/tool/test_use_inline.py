# SPDX-License-Identifier: GPL-3.0-or-later
"""rebuild=inline: calls that the profile says are made often are inlined by the limits of -O3, others are not."""

import re

import pytest

USE = "--pathprof-use=prog.pathprof"
STEPS = "-fplugin-arg-pathprof-rebuild="
LIMITS_OF_O2 = ["--param=max-inline-insns-auto=15", "--param=max-inline-insns-single=70",
                "--param=inline-heuristics-hint-percent=200", "--param=inline-min-speedup=30"]

# What is called is too large for -O2 and takes long beside what a call takes.
PROGRAM = """\
#include <stdio.h>

static volatile int sink;

static unsigned
mix (unsigned a, unsigned b)
{
  for (unsigned i = a & 31; i < 40; i++)
    {
      a ^= b << 13;
      sink = a;
      b += a * 2654435761u;
      a ^= b >> 5; b -= a << 3; a += b ^ 77; b ^= a >> 9; a -= b << 2; b += a ^ 99; a ^= b >> 11; b -= a << 7;
      a += b * 40503u; b ^= a >> 4; a -= b << 6; b += a ^ 11; a ^= b >> 13; b -= a << 1; a += b * 3266489917u;
      if (a > b)
        sink = i;
    }
  return a ^ b;
}

__attribute__ ((noinline)) unsigned
work (unsigned n)
{
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i++)
    sum += mix (sum, i);
  return sum;
}

__attribute__ ((noinline)) unsigned
rare (unsigned n)
{
  return mix (n, 3) + mix (n, 5);
}

int
main (void)
{
  printf ("%u\\n", work (100000) + rare (7));
  return 0;
}
"""


@pytest.fixture
def program(project):
    project.write("prog.c", PROGRAM)
    project.gcc("-O2", "prog.c", "-o", "prog")
    project.run("./prog")
    return project


def calls_mix(program, function):
    listing = program.run("objdump", "-d", "again").stdout
    body = re.search(rf"^[0-9a-f]+ <{function}(?:\.constprop\.\d+)?>:\n(.*?)\n\n", listing, re.MULTILINE | re.DOTALL)[1]
    return "<mix" in body


def rebuilt(program, *options, level="-O2"):
    program.gcc(level, USE, *options, "prog.c", "-o", "again")
    assert program.run("./again").stdout == program.run("./prog").stdout


@pytest.mark.parametrize("options,inlined", [([], True), ([STEPS + "inline"], True), ([STEPS + "thread,inline"], True),
                                             ([STEPS + "counts"], False), ([STEPS + "counts,thread,dispatch"], False)])
def test_hot_calls_are_inlined_by_larger_limits(program, options, inlined):
    rebuilt(program, *options)
    assert calls_mix(program, "work") == (not inlined)
    assert calls_mix(program, "rare")


def test_limits_of_the_user_hold(program):
    rebuilt(program, *LIMITS_OF_O2)
    assert calls_mix(program, "work")


def test_limits_of_the_level_hold(program):
    """Nothing is inlined by them where GCC inlines nothing, or where the program is to be small."""
    rebuilt(program, "-fno-inline")
    assert calls_mix(program, "work")
    for level in ("-O1", "-Os"):
        program.gcc(level, "prog.c", "-o", "prog")
        program.run("./prog")
        rebuilt(program, STEPS + "counts", level=level)
        by_counts = calls_mix(program, "work")
        rebuilt(program, level=level)
        assert calls_mix(program, "work") == by_counts


def test_at_link_time(program):
    """Limits go with the functions."""
    program.gcc("-O2", "-flto", "prog.c", "-o", "prog")
    program.run("./prog")
    rebuilt(program, "-flto")
    assert not calls_mix(program, "work") and calls_mix(program, "rare")
