# SPDX-License-Identifier: GPL-3.0-or-later
"""The argument use=FILE: a program is rebuilt with the profile of an earlier build."""

import json
import pathlib
import re
import shutil

import pytest

from random_program import Program
from conftest import BIN, assert_mentions, the_error, version_of, version_suffix

HERE = pathlib.Path(__file__).resolve().parent
PROFILE = "prog.pathprof"
USE = f"--pathprof-use={PROFILE}"
VERBOSE = "-fplugin-arg-pathprof-verbose=1"
EXACT = "-fplugin-arg-pathprof-termination=exact"
DUMP = "-fdump-ipa-pathprof-blocks-details-lineno"
copies_ways = pytest.mark.skipif(int(version_of(BIN / "pathprof-gcc").split(".")[0]) < 12,
                                 reason="GCC 11 cannot prove that a branch is decided")

# One statement a line; what is marked is in a block of its own right.
LOOPS = """\
#include <setjmp.h>

static volatile int sink;
static jmp_buf env;

__attribute__ ((noinline)) int
branches (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    {
      sink = i;  // marked
      if (i % 3 == 0)
        sink = 1;  // marked
      else if (i % 5 == 0)
        {
          sink = 2;  // marked
          continue;
        }
      switch (i & 7)
        {
        case 1:
          sink = 3;  // marked
          break;
        case 2:
          sink = 4;  // marked
        case 3:
          sink = 5;  // marked
          break;
        case 6:
          sink = 6;  // marked
        }
      sink = 7;  // marked
    }
  sink = 8;  // marked
  return sum;
}

__attribute__ ((noinline)) void
jump (int n)
{
  sink = n;  // marked
  if (n > 90)
    longjmp (env, n);
  sink = 10;  // marked
}

__attribute__ ((noinline)) int
interpret (const unsigned char *p)
{
  static void *labels[] = { &&a, &&b, &&c, &&d };
  goto *labels[*p++];
a:
  sink = 11;  // marked
  goto *labels[*p++];
b:
  sink = 12;  // marked
  goto *labels[*p++];
c:
  sink = 13;  // marked
  goto *labels[*p++];
d:
  sink = 14;  // marked
  return 0;
}

void
never (int n)
{
  for (int i = 0; i < n; i++)
    sink = branches (i);  // marked
}

int
main (int argc, char **argv)
{
  static unsigned char code[200];
  volatile int i;
  (void) argv;
  if (setjmp (env) == 0)
    for (i = 0; i < 100; i++)
      {
        sink = 15;  // marked
        jump (i);
        sink = 16;  // marked
      }
  sink = 17;  // marked
  for (int j = 0; j < 199; j++)
    code[j] = (j * 7) % 3;
  code[199] = 3;
  for (int k = 0; k < 50; k++)
    {
      sink = branches (k);  // marked
      sink = interpret (code + k);  // marked
    }
  if (argc > 2)
    never (argc);  // marked
  return 0;
}
"""

EXCEPTIONS = """\
#include <stdexcept>

static volatile int sink;

struct Counted
{
  Counted () { sink = 1; }
  ~Counted () { sink = 2; }
};

__attribute__ ((noinline)) int
thrower (int n)
{
  if (n % 7 == 3)
    {
      sink = 3;  // marked
      throw std::runtime_error ("seven");
    }
  if (n % 11 == 5)
    throw n;
  sink = 4;  // marked
  return n * 2;
}

__attribute__ ((noinline)) int
catcher (int n)
{
  Counted outer;
  try
    {
      Counted inner;
      int value = thrower (n);
      sink = 5;  // marked
      if (value > 10)
        sink = 6;  // marked
      return value;
    }
  catch (int &i)
    {
      sink = i;  // marked
      return -1;
    }
  catch (std::exception &)
    {
      sink = 8;  // marked
      return -2;
    }
}

int
main ()
{
  int sum = 0;
  for (int i = 0; i < 1000; i++)
    sum += catcher (i);
  return sum != 0 ? 0 : 1;
}
"""


def marked_lines(text):
    return {number for number, line in enumerate(text.splitlines(), 1) if line.endswith("// marked")}


def build(project, *options, source="prog.c", name="prog", level="-O2", driver=None):
    """Builds a program and runs it; its profile is NAME.pathprof."""
    driver = driver or (project.gxx if source.endswith(".cc") else project.gcc)
    driver(level, "-g", *options, source, "-o", name)
    project.run(f"./{name}")


def dump_of(project):
    """The text of the pass's own dump, up to where GCC merges blocks again."""
    file, = project.folder.glob("*i.pathprof")
    text = file.read_text(errors="replace")
    file.unlink()
    return text.partition(";; pathprof: cleaning up")[0]


def rebuilt(project, *options, source="prog.c", level="-O2"):
    """Rebuilds the program as 'again', and returns the dump."""
    driver = project.gxx if source.endswith(".cc") else project.gcc
    driver(level, "-g", USE, DUMP, "-fchecking=1", *options, source, "-o", "again")
    project.run("./again")
    return dump_of(project)


def copied_switches(dump):
    """How many of the blocks that the pass copied, if any, end in a switch."""
    found = re.search(r" copied blocks: \d+, copied switches: (\d+)$", dump, re.MULTILINE)
    return int(found[1]) if found else 0


def line_counts(dump):
    """Line → the counts of the blocks that have statements of it, as far as they are precise."""
    counts, count = {}, None
    for text in dump.splitlines():
        if re.match(r";; +basic block", text):
            found = re.search(r"count (\d+) \(precise[,)]", text)
            count = int(found[1]) if found else None
        for line in re.findall(r"^ *\[prog\.cc?:(\d+):\d+", text):
            counts.setdefault(int(line), set()).add(count)
    return counts


def block_counts(dump):
    """Function → block → its count as GCC prints it."""
    functions, blocks = {}, {}
    for text in dump.splitlines():
        found = re.match(r";; Function .*\((\S+), funcdef_no", text)
        if found:
            blocks = functions.setdefault(found[1], {})
        found = re.match(r";; +basic block (\d+),.* count (\d+ \([^)]*?)(?:, freq [^)]*)?\)", text)  # later versions print the frequency, too
        if found:
            blocks[int(found[1])] = found[2] + ")"
    return functions


def gcov_counts(project, source, level):
    """Line → count, by gcov."""
    suffix = version_suffix(project)
    compiler = "g++" if source.endswith(".cc") else "gcc"
    project.run(compiler + suffix, level, "-g", "--coverage", source, "-o", "plain")
    project.run("./plain")
    text = project.run("gcov" + suffix, "--json-format", "--stdout", f"plain-{source}").stdout
    return {line["line_number"]: line["count"] for file in json.loads(text)["files"] if file["file"] == source
            for line in file["lines"]}


def functions_in(project, object_file, section):
    text = project.run("objdump", "-t", object_file).stdout
    return {line.split()[-1] for line in text.splitlines() if " F " in line and section in line.split()}


# ---- counts ----


@pytest.mark.parametrize("mode", ["acyclic", "kiter", "kipf", "intracontext", "preferential"])
@pytest.mark.parametrize("level", ["-O1", "-O2", "-O3"])
@pytest.mark.parametrize("source", ["prog.c", "prog.cc"])
def test_counts_are_gcovs(project, source, level, mode):
    text = EXCEPTIONS if source.endswith(".cc") else LOOPS
    project.write(source, text)
    # Paths that longjmp leaves are counted under exact termination only, which is for acyclic paths.
    options = [EXACT] if mode == "acyclic" else []
    if mode == "preferential":  # with slots, and a table for the others
        build(project, source=source, level=level)
        (project.folder / PROFILE).rename(project.folder / "tests.pathprof")
        options = ["-fplugin-arg-pathprof-interesting=tests.pathprof@0.5", "-fplugin-arg-pathprof-array-max=16"]
    build(project, f"-fplugin-arg-pathprof-mode={mode}", *options, source=source, level=level)
    ours = line_counts(rebuilt(project, "-fplugin-arg-pathprof-rebuild=counts", source=source, level=level))
    theirs = gcov_counts(project, source, level)
    lines = marked_lines(text)
    if mode != "acyclic":
        lines -= {number for number, line in enumerate(text.splitlines(), 1) if "sink = 15;" in line or "sink = n;" in line}
    # What never ran has estimates that are known to be zero.
    assert {line: ours[line] for line in lines if theirs[line]} == {line: {theirs[line]} for line in lines if theirs[line]}
    assert sum(theirs[line] > 0 for line in lines) >= 6


def test_edges_follow_paths(project):
    """Probabilities are those of the run; the status is that of a profile that was read."""
    project.write("prog.c", LOOPS)
    build(project)
    dump = rebuilt(project)
    assert re.search(r"\[34\.7%\] +count:425 \(precise[,)]", dump)  # i % 3 == 0 in 425 of 1225 iterations
    assert "guessed local" not in dump


def test_function_that_never_ran(project):
    """GCC's estimates are kept. With -fno-profile-partial-training, they are marked as zero for the whole program."""
    project.write("prog.c", LOOPS)
    build(project)
    blocks = block_counts(rebuilt(project))["never"]
    assert all(count.endswith("(estimated locally)") for count in blocks.values())
    blocks = block_counts(rebuilt(project, "-fno-profile-partial-training"))["never"]
    assert all("globally 0" in count for count in blocks.values())
    project.gcc("-O2", "-g", USE, "-c", "prog.c")
    assert "never" in functions_in(project, "prog.o", ".text.unlikely")
    assert "branches" not in functions_in(project, "prog.o", ".text.unlikely")


def test_function_that_the_profile_does_not_have(project):
    """It may run: nothing says that it does not."""
    project.write("prog.c", LOOPS)
    build(project)
    project.write("prog.c", LOOPS + "void added (int n) { while (n--) sink = n; }\n")
    dump = rebuilt(project)
    assert "added" not in block_counts(dump)
    done = project.gcc("-O2", "-g", USE, "-c", "prog.c")
    assert done.stderr == ""
    assert "added" not in functions_in(project, "prog.o", ".text.unlikely")
    (note,) = project.notes("-O2", USE, VERBOSE)
    assert note.startswith("prog.c:100:6: note: pathprof: 'added'")
    assert_mentions(note, f"'{PROFILE}'", "'use'", "estimate")


def test_excluded_functions_are_left_alone(project):
    project.write("prog.c", LOOPS)
    build(project)
    blocks = block_counts(rebuilt(project, "-fplugin-arg-pathprof-exclude=branches"))
    assert "branches" not in blocks and "interpret" in blocks


def test_frames_that_never_finish(project):
    """main's only path is never counted, but its callees ran."""
    project.write("prog.c", """\
#include <stdlib.h>
static volatile int sink;
__attribute__ ((noinline)) void work (int n) { for (int i = 0; i < n; i++) sink = i; }
__attribute__ ((noipa)) void leave (int status) { if (sink) exit (status); }
int main (void) { work (1000); leave (0); return 1; }
""")
    build(project)
    blocks = block_counts(rebuilt(project))
    assert "1000 (precise)" in blocks["work"].values()


def test_merged_profiles(project):
    """Counts add up, also of builds that cut different edges."""
    project.write("prog.c", LOOPS)
    build(project)
    build(project, "-fplugin-arg-pathprof-paths-max=23", name="cut")
    project.pathdump("merge", "-o", "both.pathprof", PROFILE, "cut.pathprof")
    once = line_counts(rebuilt(project))
    shutil.move(project.folder / "both.pathprof", project.folder / PROFILE)
    twice = line_counts(rebuilt(project))
    lines = marked_lines(LOOPS)
    number = lambda counts: next(iter(counts)) if counts != {None} else None  # noqa: E731
    assert {line: number(twice[line]) for line in lines if number(once[line])} \
        == {line: 2 * number(once[line]) for line in lines if number(once[line])}


def test_empty_profile(project):
    """A profile that has no functions of the unit: as -Wmissing-profile, which GCC has for its own, warns."""
    project.write("prog.c", LOOPS)
    build(project, "-fplugin-arg-pathprof-exclude=*")
    build(project, "-fplugin-arg-pathprof-include=branches", name="other")
    project.write("new.c", "int add (int a, int b) { while (b--) a++; return a; }\n")
    shutil.move(project.folder / "other.pathprof", project.folder / PROFILE)
    done = project.gcc("-O2", USE, "-c", "new.c")
    assert_mentions(done.stderr, "warning: pathprof: ", f"'{PROFILE}'", "'use'", "no functions", "[-Wmissing-profile]")
    assert project.gcc("-O2", USE, "-Wno-missing-profile", "-c", "new.c").stderr == ""


def test_changed_function(project):
    """It is left alone, the warning says what differs, and the others are rebuilt."""
    project.write("prog.c", LOOPS)
    build(project)
    project.write("prog.c", LOOPS.replace("      if (i % 3 == 0)\n", "      if (i % 3 == 0 && n != 44)\n"))
    done = project.gcc("-O2", "-g", USE, DUMP, "-c", "prog.c")
    warnings = [line for line in done.stderr.splitlines() if "warning" in line]
    assert len(warnings) == 1
    assert warnings[0].startswith("prog.c:7:1: warning: pathprof: 'branches'")
    assert_mentions(warnings[0], "graph", f"'{PROFILE}'", "'use'", "not used", "[-Wcoverage-mismatch]")
    assert re.search(r"\d+ blocks and \d+ edges, but \d+ blocks and \d+ edges in the profile; ", warnings[0])
    blocks = block_counts(dump_of(project))
    assert "branches" not in blocks and "jump" in blocks


@pytest.mark.parametrize("argument", ("use", "interesting"))
def test_severity_of_a_mismatch(project, argument):
    """Regression 15: -Wcoverage-mismatch is a warning, and an error only if the user asks for that."""
    given = [USE] if argument == "use" else [f"-fplugin-arg-pathprof-interesting={PROFILE}", "-fplugin-arg-pathprof-mode=preferential"]
    project.write("prog.c", LOOPS)
    build(project)
    project.write("prog.c", LOOPS.replace("      if (i % 3 == 0)\n", "      if (i % 3 == 0 && n != 44)\n"))
    for options, severity, label in (
            ([], "warning", "-Wcoverage-mismatch"), (["-Werror"], "error", "-Werror=coverage-mismatch"),
            (["-Werror", "-Wno-error=coverage-mismatch"], "warning", "-Wcoverage-mismatch"),
            (["-Wno-error=coverage-mismatch"], "warning", "-Wcoverage-mismatch"),
            (["-Werror=coverage-mismatch"], "error", "-Werror=coverage-mismatch"),
            (["-Werror", "-Wno-coverage-mismatch"], None, "")):
        done = project.gcc("-O2", "-g", *given, *options, "-c", "prog.c", status=int(severity == "error"))
        said = [line for line in done.stderr.splitlines() if "does not match the profile" in line]
        assert len(said) == bool(severity), (options, done.stderr)
        assert not said or (f" {severity}: pathprof: 'branches': " in said[0] and said[0].endswith(f"[{label}]")), (options, said)


def test_severity_of_a_profile_of_other_units(project):
    """Regression 15: -Wmissing-profile stays a warning with -Wno-error=missing-profile."""
    project.write("prog.c", LOOPS)
    build(project)
    project.write("other.c", "int other (int x) { return x > 3 ? 4 : x; }\n")
    for options, severity in ((["-Werror"], "error"), (["-Werror", "-Wno-error=missing-profile"], "warning")):
        done = project.gcc("-O2", "-g", USE, *options, "-c", "other.c", status=int(severity == "error"))
        assert f"{severity}: pathprof: the profile" in done.stderr and "missing-profile]" in done.stderr


def test_changed_edge(project):
    text = """\
static volatile int sink;
__attribute__ ((noinline)) void
f (int n)
{
  switch (n)
    {
    case 1: sink = 1; %s
    case 2: sink = 2; %s
    default: sink = 3;
    }
  sink = 4;
}
int main (void) { f (1); return 0; }
"""
    project.write("prog.c", text % ("break;", ""))
    build(project)
    project.write("prog.c", text % ("", "break;"))
    warnings = [line for line in project.notes("-O2", "-g", USE) if "warning" in line]
    assert len(warnings) == 1
    assert re.search(r"'f': .*graph .*edge \d+ .*block \d+ to block \d+, but from block \d+ to block \d+ ", warnings[0])


def test_moved_lines_do_not_matter(project):
    project.write("prog.c", LOOPS)
    build(project)
    project.write("prog.c", "\n\n" + LOOPS)
    assert project.notes("-O2", "-g", USE, VERBOSE) == []


def test_changed_comdat_function(project):
    """The linker may have kept the body of a unit where it looks different: no news, unless one asks."""
    text = """\
static volatile int sink;
inline __attribute__ ((noinline)) void f (int n) { %s if (n > 3) sink = n; }
int main () { f (2); return 0; }
"""
    project.write("prog.cc", text % "")
    build(project, source="prog.cc")
    project.write("prog.cc", text % "while (n & 1) sink = n--;")
    assert project.gxx("-O2", "-g", USE, "-c", "prog.cc").stderr == ""
    assert "note: pathprof: '_Z1fi': control-flow graph does not match" in project.gxx("-O2", "-g", USE, VERBOSE, "-c", "prog.cc").stderr


# ---- copies along paths ----

PHASES = """\
#include <stdio.h>

static volatile int sink;

__attribute__ ((noinline)) unsigned
process (const unsigned char *p, int n)
{
  unsigned a = 1, b = 2, c = 3, d = 4;
  for (int i = 0; i < n; i++)
    {
      unsigned byte = p[i];
      int kind;
      if (byte < 100)
        kind = 0;
      else if (byte < 200)
        kind = 1;
      else
        kind = 2;
      sink = i;  // marked
      a += byte; b ^= a >> 3; c += b << 2; d ^= c; a = a << 5 | a >> 27; b += d; c ^= a >> 7; d += c << 1;
      a ^= d; b += a << 3; c ^= b >> 2; d += c; a += b << 7; b ^= c; c += d << 9; d ^= a >> 11;
      switch (kind)
        {
        case 0:
          sink = 1;  // marked
          break;
        case 1:
          sink = 2;  // marked
          break;
        default:
          sink = 3;  // marked
        }
      sink = 4;  // marked
      a += c; b ^= d >> 4; c += a << 6; d ^= b; a ^= c >> 9; b += d << 3; c ^= a; d += b >> 5;
      if (kind == 1)
        sink = 5;  // marked
      sink = 6;  // marked
      if (a == 17 && p[i] == 3)
        break;
    }
  return a ^ b ^ c ^ d;
}

int
main (void)
{
  static unsigned char data[4096];
  for (int i = 0; i < 4096; i++)
    data[i] = (unsigned) i * 2654435761u >> 24;
  unsigned sum = 0;
  for (int i = 0; i < 10; i++)
    sum += process (data, 4096);
  printf ("%u\\n", sum);
  return 0;
}
"""


def line_sums(dump):
    """Line → how often it runs: the counts of all blocks that have a statement of it."""
    sums, count, seen = {}, 0, set()
    for text in dump.splitlines():
        found = re.match(r";; +basic block \d+,.*count (\d+) \(", text)
        if found:
            count, seen = int(found[1]), set()
        for line in re.findall(r"^ *\[prog\.cc?:(\d+):\d+[^]]*\] sink", text):
            if line not in seen:
                sums[int(line)] = sums.get(int(line), 0) + count
            seen.add(line)
    return sums


@copies_ways
@pytest.mark.parametrize("mode", ["acyclic", "kiter", "kipf", "intracontext"])
@pytest.mark.parametrize("level", ["-O2", "-O3"])
def test_counts_of_copies(project, level, mode):
    """All paths are replayed: what a line's blocks and their copies ran together is what gcov counts."""
    project.write("prog.c", PHASES)
    build(project, f"-fplugin-arg-pathprof-mode={mode}", level=level)
    dump = rebuilt(project, "-fplugin-arg-pathprof-rebuild=thread", level=level)
    assert re.search(r"^;; pathprof process: copied blocks: [1-9]\d*, copied switches: 0$", dump, re.MULTILINE)
    theirs = gcov_counts(project, "prog.c", level)
    sums = line_sums(dump)
    assert {line: sums[line] for line in marked_lines(PHASES)} == {line: theirs[line] for line in marked_lines(PHASES)}
    output = project.run("./prog").stdout
    assert project.run("./again").stdout == output


@copies_ways
def test_copies_only_where_they_are_asked_for_and_pay(project):
    project.write("prog.c", PHASES)
    build(project)
    assert "copied blocks: " in rebuilt(project)
    assert "copied blocks: " not in rebuilt(project, "-fplugin-arg-pathprof-rebuild=counts")
    # A cold program, one that is to be small, and one without anything to fold.
    (project.folder / PROFILE).unlink()
    build(project, "-Os")
    assert "copied blocks: " not in rebuilt(project, "-Os")
    (project.folder / PROFILE).unlink()
    project.write("prog.c", LOOPS)
    build(project)
    assert "copied blocks: " not in rebuilt(project)


MACHINE = """\
#include <stdio.h>

static volatile int sink;

enum op { LOAD, ADD, XOR, SHIFT, CALL, DEC, LOOP, NOT, HALT };

__attribute__ ((noinline)) unsigned
run (const unsigned char *code, unsigned n)
{
  unsigned a = 1, c = 3, pc = 0;
  for (;;)
    {
      switch (code[pc++])
        {
        case LOAD:
          sink = 1;  // marked
          a = c + code[pc++];
          break;
        case ADD:
          sink = 2;  // marked
          a += c;
          if (a & 4)
            {
              sink = 3;  // marked
              c++;
            }
          break;
        case XOR:
          sink = 4;  // marked
          c ^= a;
          continue;
        case SHIFT:
          sink = 5;  // marked
          c = c << 3 | c >> 29;
          break;
        case CALL:
          sink = 6;  // marked
          for (int i = 0; i < 3; i++)
            sink = 7;  // marked
          break;
        case DEC:
          sink = 8;  // marked
          n--;
          break;
        case LOOP:
          sink = 9;  // marked
          pc = n ? 0 : pc;
          break;
        case NOT:
          sink = 10;  // marked
          a = ~a;
          break;
        default:
          sink = 11;  // marked
          return a ^ c;
        }
      if (a == 12345)
        sink = 12;
    }
}

int
main (void)
{
  static const unsigned char code[]
    = { LOAD, 5, ADD, XOR, SHIFT, LOAD, 9, ADD, XOR, CALL, SHIFT, LOAD, 2, ADD, XOR, SHIFT, DEC, LOOP, NOT, HALT };
  printf ("%u\\n", run (code, 1000) + run (code, 700));
  return 0;
}
"""

DISPATCH = "-fplugin-arg-pathprof-rebuild=dispatch"
KIPF = "-fplugin-arg-pathprof-mode=kipf"


FLAT_MACHINE = MACHINE.replace("for (int i = 0; i < 3; i++)\n            ", "")  # its loop has none inside


@pytest.mark.parametrize("mode, k, text", [("kipf", 2, MACHINE), ("kipf", 3, MACHINE), ("kipf", 5, MACHINE),
                                           ("kiter", 2, FLAT_MACHINE), ("kiter", 3, FLAT_MACHINE)])
@pytest.mark.parametrize("level", ["-O1", "-O2", "-O3"])
def test_counts_of_copied_dispatch(project, level, mode, k, text):
    """Sequences and paths across iterations say in which copy of the loop's head a path starts."""
    assert FLAT_MACHINE != MACHINE
    project.write("prog.c", text)
    build(project, f"-fplugin-arg-pathprof-mode={mode}", f"-fplugin-arg-pathprof-k={k}", level=level)
    dump = rebuilt(project, DISPATCH, level=level)
    assert 3 <= copied_switches(dump) <= 9
    theirs = gcov_counts(project, "prog.c", level)
    sums = line_sums(dump)
    assert {line: sums[line] for line in marked_lines(text)} == {line: theirs[line] for line in marked_lines(text)}
    output = project.run("./prog").stdout
    assert project.run("./again").stdout == output


@pytest.mark.parametrize("mode", ["kipf", "kiter"])
def test_every_way_gets_a_dispatch_of_its_own(project, mode):
    """Nobody is left who could reach the original of what they share."""
    project.write("prog.c", """\
#include <stdio.h>
static volatile int sink;
__attribute__ ((noinline)) unsigned
run (const unsigned char *code, unsigned n)
{
  unsigned a = 1, pc = 0;
  for (;;)
    {
      switch (code[pc++])
        {
        case 0:
          sink = 1;  // marked
          a += 3;
          break;
        case 1:
          sink = 2;  // marked
          a ^= n;
          break;
        case 2:
          sink = 3;  // marked
          a *= 5;
          if (--n == 0)
            return a;
          pc = 0;
          break;
        default:
          return 0;
        }
      sink = 4;  // marked
      if (a == 12345)
        sink = 12;
    }
}
int
main (void)
{
  static const unsigned char code[] = { 0, 1, 2, 9 };
  printf ("%u\\n", run (code, 100000));
  return 0;
}
""")
    build(project, f"-fplugin-arg-pathprof-mode={mode}")
    dump = rebuilt(project, DISPATCH)
    assert copied_switches(dump) == 3
    theirs, sums = gcov_counts(project, "prog.c", "-O2"), line_sums(dump)
    marked = marked_lines((project.folder / "prog.c").read_text())
    assert {line: sums[line] for line in marked} == {line: theirs[line] for line in marked}
    assert project.run("./again").stdout == project.run("./prog").stdout


KITER = "-fplugin-arg-pathprof-mode=kiter"
COLLAPSED = f"-fplugin-arg-pathprof-loops={MACHINE[:MACHINE.index('switch')].count(chr(10)) + 1}:2"


@pytest.mark.parametrize("arguments", [(), (KITER,), (KITER, COLLAPSED)])
def test_dispatch_needs_sequences(project, arguments):
    """Paths do not span the iterations of a loop around another, or where they do not tell those of the one inside."""
    project.write("prog.c", MACHINE)
    build(project, *arguments)
    assert copied_switches(rebuilt(project, DISPATCH)) == 0


def test_dispatch_only_where_much_can_be_foreseen(project):
    """What follows which is random here."""
    project.write("prog.c", MACHINE.replace("static const unsigned char code[]\n", "static unsigned char code[2000]\n").replace(
        "  printf", "  unsigned seed = 1;\n  for (int i = 0; i < 1900; i++)\n"
        "    code[i] = (seed = seed * 1103515245 + 12345) >> 16 & 3;\n"
        "  code[1900] = code[1901] = NOT; code[1902] = DEC; code[1903] = LOOP; code[1904] = HALT;\n  printf"))
    build(project, KIPF)
    assert copied_switches(rebuilt(project, DISPATCH)) == 0


# Each of four operations is followed by the next one, or by any: by one that is drawn, after the first two and the last
# two so often of 16 times.
PARTLY_RANDOM = FLAT_MACHINE.replace("static const unsigned char code[]\n", "static unsigned char code[2000]\n").replace(
    "  printf", "  unsigned seed = 1;\n  static const unsigned char ops[] = { ADD, XOR, SHIFT, NOT };\n"
    "  for (int i = 0, last = 0; i < 1900; i++)\n    {\n      seed = seed * 1103515245 + 12345;\n"
    "      last = (seed >> 16 & 15) < (last < 2 ? FIRST : LAST) ? seed >> 24 & 3 : (last + 1) % 4;\n      code[i] = ops[last];\n    }\n"
    "  code[1900] = DEC; code[1901] = LOOP; code[1902] = HALT;\n  printf")


@pytest.mark.parametrize("mode", ["kipf", "kiter"])
@pytest.mark.parametrize("first, last, by_itself, if_named", [(2, 2, True, True), (2, 16, False, True), (16, 16, False, False)])
def test_dispatch_by_itself(project, mode, first, last, by_itself, if_named):
    """Where most can be foreseen dispatches are copied without being asked for, and verbose=1 says what would come of it."""
    project.write("prog.c", PARTLY_RANDOM.replace("FIRST", str(first)).replace("LAST", str(last)))
    build(project, f"-fplugin-arg-pathprof-mode={mode}")
    for arguments, is_copied in [((), by_itself), ((DISPATCH,), if_named), (("-fplugin-arg-pathprof-rebuild=counts,thread",), False)]:
        assert (copied_switches(rebuilt(project, *arguments)) > 0) == is_copied, arguments
        assert project.run("./again").stdout == project.run("./prog").stdout
    said = project.gcc("-O2", USE, "-fplugin-arg-pathprof-verbose=1", "prog.c", "-o", "again").stderr
    found = re.search(r"'run': .*size (\d+)\b.*?(\d+)% of (\d+)\b[^:]*: (.*)", said)
    size, share, number, outcome = found.groups()
    assert int(size) > 0 and (int(share) >= 60, int(share) >= 30) == (by_itself, if_named) and int(number) > 1_000_000
    assert outcome.startswith("copied") == by_itself
    if not by_itself:
        assert_mentions(outcome, "60%", "rebuild=counts,thread,dispatch,inline", "30%")


@pytest.mark.parametrize("mode", ["acyclic", "kiter", "kipf"])
def test_other_inputs(project, mode):
    """Trained on one input and run on others."""
    text = MACHINE.replace("main (void)", "main (int argc, char **argv)").replace(
        "  printf", "  unsigned char other[] = { LOAD, 3, CALL, NOT, ADD, NOT, XOR, DEC, XOR, LOOP, HALT };\n"
        "  (void) argv;\n  printf").replace("run (code, 700)", "run (argc > 1 ? other : code, 300)")
    project.write("prog.c", text)
    build(project, f"-fplugin-arg-pathprof-mode={mode}")
    rebuilt(project, "-fplugin-arg-pathprof-rebuild=counts,thread,dispatch,inline")
    assert project.run("./again", "x").stdout == project.run("./prog", "x").stdout


# ---- examples ----


EXAMPLES = HERE.parents[1] / "examples/rebuild"


def test_example_of_make(project):
    output = project.folder / "out"
    command = ("make", "-s", "-C", EXAMPLES, f"O={output}", f"PATHPROF={BIN}/")
    project.run(*command)
    project.run(*command, "train")
    for program in ("records", "machine"):
        plain = project.run(output / f"{program}.counting", "7", env={"PATHPROF_MODE": "off"}).stdout
        assert project.run(output / program, "7").stdout == plain


def test_example_of_cmake(project):
    if not shutil.which("cmake"):
        pytest.skip("cmake is not installed")
    collect, fast = project.folder / "collect", project.folder / "fast"
    configure = ("cmake", "-S", EXAMPLES, f"-DCMAKE_PREFIX_PATH={BIN.parent}", "-DCMAKE_BUILD_TYPE=Release",
                 f"-DCMAKE_C_COMPILER=gcc{version_suffix(project)}", "-B")
    project.run(*configure, collect)
    project.run("cmake", "--build", collect)
    project.run("cmake", "--build", collect, "--target", "train")
    project.run(*configure, fast, f"-DPROFILE={collect}/records.pathprof")
    project.run("cmake", "--build", fast)
    assert project.run(fast / "records", "7").stdout == project.run(collect / "records", "7").stdout


# ---- options ----


def tree_dumps(project, *options):
    """Which of these passes ran."""
    passes = ("tracer", "ldist", "unswitch", "pcom")
    project.gcc("-O2", USE, *(f"-fdump-tree-{name}" for name in passes), *options, "-c", "prog.c")
    files = list(project.folder.glob("prog.c.*"))
    names = {file.name.rsplit(".", 1)[1] for file in files if file.stat().st_size}
    for file in files:
        file.unlink()
    return names & set(passes)


def test_options_that_profile_use_implies(project):
    project.write("prog.c", LOOPS)
    build(project)
    assert tree_dumps(project) == {"tracer", "ldist", "unswitch", "pcom"}
    # What the user says counts.
    assert tree_dumps(project, "-fno-tracer", "-fno-unswitch-loops") == {"ldist", "pcom"}
    assert tree_dumps(project, "-fno-branch-probabilities", "-fno-tracer") == {"ldist", "unswitch", "pcom"}


def test_functions_with_options_of_their_own(project):
    text = LOOPS.replace("__attribute__ ((noinline)) int\nbranches",
                         "__attribute__ ((noinline, optimize (\"O3\"))) int\nbranches")
    text = text.replace("__attribute__ ((noinline)) void\njump",
                        "__attribute__ ((noinline, optimize (\"O0\"))) void\njump")
    project.write("prog.c", text)
    build(project)
    assert project.notes("-O2", "-g", USE) == []
    rebuilt(project)


@pytest.mark.parametrize("options", [("-fprofile-partial-training",), ("-fno-profile-partial-training",),
                                     ("-fno-guess-branch-probability",),
                                     ("-freorder-blocks-and-partition",), ("-fsanitize=address,undefined",),
                                     ("-fno-tree-loop-optimize",), ("-Os",), ("-fpic",),
                                     ("--coverage",), ("-fprofile-arcs", "-fno-early-inlining"),
                                     ("-fwrapv", "-fno-ivopts", "-fno-branch-probabilities")])
def test_other_options(project, options):
    project.write("prog.c", LOOPS)
    build(project, *options)
    rebuilt(project, *options)


def test_threads(project):
    project.write("prog.c", """\
#include <pthread.h>
static volatile int sink;
__attribute__ ((noinline)) void *run (void *p)
{
  for (int i = 0; i < 1000; i++)
    sink = i;
  return p;
}
int main (void)
{
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    pthread_create (&threads[i], 0, run, 0);
  for (int i = 0; i < 4; i++)
    pthread_join (threads[i], 0);
  return 0;
}
""")
    build(project, "-pthread")
    assert line_counts(rebuilt(project, "-pthread"))[5] >= {4000}


@pytest.mark.parametrize("partition", ["balanced", "none", "one"])
def test_link_time_optimisation(project, partition):
    project.write("prog.c", LOOPS)
    project.write("other.c", "int other (int n) { int s = 0; while (n--) s += n & 3; return s; }\n")
    flags = ("-O2", "-flto", f"-flto-partition={partition}")
    project.gcc(*flags, "prog.c", "other.c", "-o", "prog")
    project.run("./prog")
    project.gcc(*flags, USE, "-c", "prog.c")
    project.gcc(*flags, USE, "-c", "other.c")
    # With and without the arguments where the program is linked.
    for more in ([USE], []):
        project.gcc(*flags, *more, "prog.o", "other.o", "-o", "again")
        project.run("./again")


def test_units_that_are_linked_have_one_count_of_a_function(project):
    """GCC adds up what they know of it: 30 calls from one unit and 4 from another are 34, not twice as many."""
    project.write("f.h", "static volatile int sink;\ninline __attribute__ ((noinline)) void f (int n) { if (n > 3) sink = n; }\n")
    project.write("one.cc", """#include "f.h"
void two ();
int main () { for (int i = 0; i < 30; i++) f (i); two (); return 0; }
""")
    project.write("two.cc", '#include "f.h"\nvoid two () { for (int i = 0; i < 4; i++) f (i); }\n')
    project.gxx("-O2", "one.cc", "two.cc", "-o", "prog")
    project.run("./prog")
    told = {}
    for name in ("one.cc", "two.cc"):
        assert "another unit" not in project.gxx("-O2", USE, VERBOSE, "-c", name).stderr
        told[name] = project.gxx("-O2", "-flto", USE, VERBOSE, "-c", name).stderr
    assert [re.search("note: pathprof: '_Z1fi': .*another unit .*'prog.pathprof'", text) is None for text in told.values()].count(False) == 1
    project.gxx("-O2", "-flto", "-fdump-ipa-inline", "one.o", "two.o", "-o", "again")
    (dump,) = project.folder.glob("*wpa*i.inline")
    table = dump.read_text().rpartition("Symbol table:")[2]
    assert re.search(r"^_Z1fi/\d+ .*(?:\n  .*)*?\n  Function flags: count:(\d+) \(precise\)", table, re.MULTILINE)[1] == "34"


def test_same_object_every_time(project):
    project.write("prog.c", LOOPS)
    build(project)
    objects = []
    for _ in range(2):
        project.gcc("-O2", USE, "-c", "prog.c")
        objects.append(project.read("prog.o"))
    assert objects[0] == objects[1]


def test_rebuilt_program_writes_no_profile(project):
    project.write("prog.c", LOOPS)
    build(project)
    rebuilt(project)
    assert not project.exists("again.pathprof")


def test_two_builds_may_have_the_same_arguments(project):
    """What says how a profile is collected has no effect where one is used."""
    project.write("prog.c", LOOPS)
    options = ("-fplugin-arg-pathprof-mode=kiter", "-fplugin-arg-pathprof-k=3", "-fplugin-arg-pathprof-array-max=4")
    build(project, *options)
    assert project.notes("-O2", "-g", USE, *options) == []


# ---- arguments ----


@pytest.mark.parametrize("collected", ["source", "late"])
def test_profile_of_another_stage(project, collected):
    project.write("prog.c", LOOPS)
    build(project, f"-fplugin-arg-pathprof-stage={collected}")
    error = the_error(project, f"use={PROFILE}", "-O2")
    assert_mentions(error, "argument 'use'", PROFILE, f"stage '{collected}'", "stage 'early'", "'stage=early'")


@pytest.mark.parametrize("steps", ["counts", "thread", "dispatch", "inline", "counts,thread", "inline,dispatch,thread,counts"])
def test_steps(project, steps):
    project.write("prog.c", LOOPS)
    build(project)
    rebuilt(project, f"-fplugin-arg-pathprof-rebuild={steps}")


@pytest.mark.parametrize("steps", ["", "count", "counts,", "counts,threads", ","])
def test_wrong_steps(project, steps):
    project.write("prog.c", LOOPS)
    assert f"argument 'rebuild': invalid value '{steps}'; expected counts, thread, dispatch or inline" \
        in the_error(project, f"rebuild={steps}", "-O2")


def test_steps_without_profile(project):
    project.write("prog.c", LOOPS)
    assert "argument 'rebuild' requires 'use=FILE'" in the_error(project, "rebuild=counts", "-O2")


def test_not_with_gccs_own_profile(project):
    project.write("prog.c", LOOPS)
    build(project)
    error = the_error(project, f"use={PROFILE}", "-O2", "-fprofile-use")
    assert_mentions(error, f"'use={PROFILE}'", "'-fprofile-use'")


def test_profile_is_read_only_where_functions_are_rebuilt(project):
    project.write("prog.c", LOOPS)
    project.gcc("-E", USE, "prog.c", "-o", "prog.i")


# ---- programs stay what they are ----


def test_random_programs(project):
    for seed in range(1, 7):
        program = Program(seed)
        project.write("prog.c", program.text)
        for level in ("-O1", "-O2", "-O3"):
            for mode in ("acyclic", "kiter", "kipf"):
                options = (level, "-g", "-fchecking=1")
                project.gcc(*options, f"-fplugin-arg-pathprof-mode={mode}", "prog.c", "-o", "prog")
                assert project.run("./prog").stdout == program.output
                project.gcc(*options, USE, "-fplugin-arg-pathprof-rebuild=counts,thread,dispatch,inline", "prog.c", "-o", "again")
                assert project.run("./again").stdout == program.output
                (project.folder / PROFILE).unlink()
