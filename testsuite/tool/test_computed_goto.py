# SPDX-License-Identifier: GPL-3.0-or-later
"""An interpreter's jumps: as many as it has operations, however its paths are counted."""

import re
import shutil

import pytest

from conftest import BIN

SOURCE = """\
#include <stdio.h>

enum { ADD, SUB, SHIFT, FLIP, LESS, DOWN, BACK, STOP };

__attribute__((noinline)) long run (const unsigned char *code, long a, long b)
{
  static void *const operations[] = { &&add, &&sub, &&shift, &&flip, &&less, &&down, &&back, &&stop };
  const unsigned char *pc = code;
  unsigned arg;
  int trap = 0;
#define NEXT do { if (trap) pc = code; arg = *pc++; goto *operations[arg & 7]; } while (0)
  NEXT;
add: a += (b & 1) ? b : arg; NEXT;
sub: a -= (a > b) ? b : 3; NEXT;
shift: if (a & 64) a >>= 1; else a <<= 1; NEXT;
flip: a ^= b; if (a < 0) a = -a; NEXT;
less: if (a < b) pc++; NEXT;
down: trap = --b == 1000000; NEXT;
back: if (b > 0) pc = code; NEXT;
stop: return a;
}

int main (void)
{
  static const unsigned char code[] = { ADD, SHIFT, FLIP, LESS, SUB, ADD, DOWN, BACK, STOP };
  printf ("%ld\\n", run (code, 5, 3000));
  return 0;
}
"""

OPERATIONS = 8
VARIANTS = [
    ["stage=early"], ["stage=late"], ["stage=source"],
    ["stage=early", "array-max=0"], ["stage=late", "array-max=0"],
    ["mode=kiter"], ["mode=kipf"], ["mode=context"], ["mode=piecewise"],
]


def arguments(variant):
    return [f"-fplugin-arg-pathprof-{argument}" for argument in variant]


def jumps(project):
    code = project.run("objdump", "-d", "--no-show-raw-insn", "program").stdout
    body = re.search(r"<run[^>]*>:\n(.*?)\n\n", code, re.S).group(1)
    return len(re.findall(r"\bjmp\s+\*", body))


@pytest.mark.skipif(not shutil.which("objdump"), reason="objdump is missing")
@pytest.mark.parametrize("lto", [[], ["-flto"]], ids=["unit", "lto"])
@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: "-".join(variant))
def test_every_operation_keeps_its_own_jump(project, variant, lto):
    project.write("run.c", SOURCE)
    project.run("gcc", "-O2", "run.c", "-o", "program")
    expected = project.run("./program").stdout
    project.run(BIN / "pathprof-gcc", "-O2", *lto, *arguments(variant), "run.c", "-o", "program")
    assert jumps(project) >= OPERATIONS
    assert project.run("./program").stdout == expected


def test_other_functions_are_compiled_as_ever(project):
    """Equal ends are merged where no computed goto is."""
    project.write("ends.c", """\
extern int sink;
#define END sink = 1; use (); sink = 2; use (); sink = 3; use (); return 9
void one (void), two (void), use (void);
int pick (int a)
{
  switch (a)
    {
    case 1: one (); END;
    case 2: two (); END;
    default: return 0;
    }
}
int sink;
""" + SOURCE)

    def pick(*command):
        project.run(*command, "-O2", "-fno-tree-tail-merge", "-S", "ends.c", "-o", "ends.s")
        text = project.read("ends.s").decode()
        return re.sub(r"\.L\d+", ".L", text[text.index("pick:"):text.index(".size\tpick")])

    assert pick(BIN / "pathprof-gcc", *arguments(["include=run"])) == pick("gcc") != pick("gcc", "-fno-crossjumping")
