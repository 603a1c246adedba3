# SPDX-License-Identifier: GPL-3.0-or-later
"""Size of the runtime in a small program, which contains only the parts of the runtime that it uses."""

import pytest

from conftest import GCC, plugin

PROGRAM = """\
#include <stdio.h>

int
main (int argc, char **argv)
{
  int sum = 0;
  for (int i = 0; i < argc; i++)
    sum += argv[i][0] == 'x' ? 1 : 2;
  printf ("%d\\n", sum);
  return 0;
}
"""

# Symbol of each optional part, and the arguments with which a program needs the part.
PARTS = {
    "tables": ("pathrt_table_add", plugin("array-max=0")),
    "forests": ("__pathrt_emit", plugin("mode=kipf")),
    "activations": ("pathrt_next_frames", plugin("termination=exact")),
    "cycles": ("pathrt_stretch_of", plugin("metric=tsc")),
    "residual paths": ("__pathrt_first", plugin("mode=preferential", "interesting=paths", "notify=1")),
}


def sizes(project, name):
    """Returns the sizes of code with constants, of initialized data and of zeroed data, in bytes."""
    return [int(number) for number in project.run("size", "-B", name).stdout.splitlines()[1].split()[:3]]


def symbols(project, name):
    return {line.split()[-1] for line in project.run("nm", name).stdout.splitlines()}


def test_the_runtime_is_small(project):
    """The limits include some reserve; the current sizes are in doc/performance.md."""
    project.write("prog.c", PROGRAM)
    project.run(GCC, "-O2", "prog.c", "-o", "plain")
    project.gcc("-O2", "prog.c", "-o", "prog")
    (text, data, zeroed), (plain_text, plain_data, plain_zeroed) = sizes(project, "prog"), sizes(project, "plain")
    assert text + data - plain_text - plain_data < 100_000
    assert zeroed - plain_zeroed < 24_000


@pytest.mark.parametrize("shared", [(), ("-shared-libpathrt",)], ids=["static", "shared"])
@pytest.mark.parametrize("part", PARTS)
def test_only_used_parts_are_linked(project, part, shared):
    symbol, arguments = PARTS[part]
    project.write("prog.c", PROGRAM)
    project.write("paths", "main: 0\n")
    project.gcc("-O2", "prog.c", "-o", "without", *shared)
    project.gcc("-O2", "prog.c", "-o", "with", *arguments, *shared)
    assert symbol in symbols(project, "with")
    assert not {symbol for symbol, _ in PARTS.values()} & symbols(project, "without")
