# SPDX-License-Identifier: GPL-3.0-or-later
"""What GCC makes of loops whose paths are counted in registers, or where control leaves them: as without counting, by what
it says of its own optimisations."""

import re

import pytest

from conftest import BIN, GCC

SOURCE = """\
enum { SIZE = 64 };
double a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];
int total;

void product (void)
{
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++)
      {
        double sum = 0;
        for (int k = 0; k < SIZE; k++)
          sum += a[i][k] * b[k][j]; /* product */
        c[i][j] = sum;
      }
}

void scale (float *__restrict to, const float *__restrict from, int n)
{
  for (int i = 0; i < n; i++) /* scale */
    to[i] = from[i] * 3;
}

int positive (const int *from, int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++) /* positive */
    if (from[i] > 0)
      sum += from[i];
  return sum;
}

void accumulate (const short *from, int n)
{
  for (int i = 0; i < n; i++)
    total += from[i] ^ i;
}

int small (const int *from)
{
  int sum = 0;
  for (int i = 0; i < 3; i++) /* small */
    sum ^= from[i] << i;
  return sum;
}
"""


def told(project, compiler, level, *options):
    """What the compiler says, without columns."""
    project.write("loops.c", SOURCE)
    done = project.run(compiler, level, "-c", "-fopt-info-optimized", *options, "loops.c")
    return re.sub(r":(\d+):\d+:", r":\1:", done.stderr)


def vectorised(text):
    return set(re.findall(r"loops.c:(\d+): optimized: loop vectorized", text))


def line_of(comment):
    return str(SOURCE.split(f"/* {comment} */")[0].count("\n") + 1)


def pathprof(project, level, stage, *options):
    return told(project, BIN / "pathprof-gcc", level, f"-fplugin-arg-pathprof-stage={stage}", *options)


def test_a_nest_of_known_rounds_is_vectorised_as_it_is(project):
    plain = vectorised(told(project, GCC, "-O2", "-ftree-vectorize"))  # which GCC 11 only does when told to
    assert plain
    assert vectorised(pathprof(project, "-O2", "early", "-ftree-vectorize")) == plain


@pytest.mark.parametrize("loop", ("scale", "positive"))
def test_peeled_loops_are_vectorised(project, loop):
    assert line_of(loop) in vectorised(told(project, GCC, "-O3"))
    assert line_of(loop) in vectorised(pathprof(project, "-O3", "early"))


def test_stores_are_moved_out(project):
    pathprof(project, "-O2", "early", "-fdump-tree-lim2-details")
    (dump,) = project.folder.glob("loops.c.*.lim2")
    assert "Executing store motion of total" in dump.read_text()


def test_small_loops_are_unrolled(project):
    assert re.search(rf"loops.c:{line_of('small')}: optimized: .*unrolled", pathprof(project, "-O3", "early"))


SHORT_AND_LONG = """\
int around (const signed char *from, int x)
{
  int sum = 0;
  for (int dy = -1; dy <= 1; dy++) /* rows */
    for (int dx = -1; dx <= 1; dx++) /* columns */
      if (dy || dx)
        sum += from[x + 64 * dy + dx];
  return sum;
}

static int called (int x)
{
  int sum = 0;
  for (int i = 2; i < x; i++)
    sum ^= x % i;
  return sum;
}

int calling (const int *from, int x)
{
  int sum = 0;
  for (int i = 0; i < 8; i++) /* calling */
    if (from[i] > x)
      sum += called (from[i]);
  return sum;
}

int large (const int *from, int x)
{
  int sum = 0;
  for (int i = 0; i < 40; i++) /* large */
    if (from[i] > x)
      sum += from[i] ^ x;
  return sum;
}
"""


@pytest.mark.parametrize("k", (2, 3))
def test_short_loops_whose_iterations_paths_span_are_unrolled(project, k):
    """Not long ones, nor those that call what may be inlined, nor where code is to be small."""
    project.write("loops.c", SHORT_AND_LONG)

    def unrolled(level):
        text = project.run(BIN / "pathprof-gcc", level, "-c", "-fopt-info-optimized", "-fplugin-arg-pathprof-mode=kiter",
                           f"-fplugin-arg-pathprof-k={k}", "loops.c").stderr
        lines = set(re.findall(r"loops.c:(\d+):\d+: optimized: loop with \d+ iterations completely unrolled", text))
        return {SHORT_AND_LONG.splitlines()[int(line) - 1].split()[-2] for line in lines}

    assert unrolled("-O2") == {"rows", "columns"}
    assert not unrolled("-Os")


@pytest.mark.parametrize("level", ("-O2", "-O3"))
def test_late_rounds_are_known_of_pointers(project, level):
    """By then what goes up is addresses."""
    pathprof(project, level, "late", "-fdump-tree-pathprof-details")
    (dump,) = project.folder.glob("loops.c.*.pathprof")
    product = dump.read_text().split(";; pathprof product:")[1].split(";; Function")[0]
    edges = [line for line in product.splitlines() if line.startswith(";;   edge") and "back" in line]
    assert edges and all(line.endswith("]  ") for line in edges)  # nothing is done on them
