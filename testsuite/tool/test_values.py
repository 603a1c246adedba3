# SPDX-License-Identifier: GPL-3.0-or-later
"""The argument values=1: what indirect calls call, divisors and sizes are counted beside paths, and GCC specialises
what it rebuilds for them.  The programs count their own values, too, and print what the profile must have."""

import collections
import re

import pytest

from conftest import GCC, the_error

VALUES = "-fplugin-arg-pathprof-values=1"
FORM = "-fplugin-arg-pathprof-mode="

# Each line that is marked computes a value, which tell() prints with the line.
PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef TELL
#define tell(kind, value) (printf ("%s %d %lld\n", kind, __LINE__, (long long) (value)))
#define tell_callee(name) (printf ("callee %d %s\n", __LINE__, name))
#else
#define tell(kind, value) ((void) 0)
#define tell_callee(name) ((void) 0)
#endif

typedef int function (int);
__attribute__ ((noinline)) static int twice (int x) { return 2 * x; }
__attribute__ ((noinline)) int square (int x) { return x * x; }
__attribute__ ((noinline)) int negative (int x) { return -x; }
function *const table[] = {twice, square, negative, abs};
const char *const names[] = {"twice", "square", "negative", "abs"};
char from[8192], to[8192];
volatile unsigned sink;

__attribute__ ((noinline)) void
work (int which, int size, unsigned divisor, long long_divisor, int dividend)
{
  tell_callee (names[which]); sink += table[which] (dividend);
  tell ("operand", divisor); sink += dividend / divisor;
  tell ("operand", long_divisor); sink += 1000 / long_divisor;
  tell ("operand", size); memcpy (to, from + 16, size);
  tell ("operand", size); memset (to, 1, size);
}

__attribute__ ((noinline)) void
remainders (unsigned dividend, unsigned divisor)
{
  tell ("operand", divisor); tell ("quotient", dividend / divisor > 2 ? 2 : dividend / divisor); sink += dividend % divisor;
}

int
main (int argc, char **argv)
{
  unsigned seed = argc > 1 ? atoi (argv[1]) : 1;
  for (int i = 0; i < 400; i++)
    {
      seed = seed * 1103515245 + 12345;
      unsigned random = seed >> 16;
      work (random % 8 < 5 ? 0 : random % 4, random % 3 ? 24 : random % 200, random % 4 ? 10 : 1 + random % 7,
            random % 5 ? -3 : 1L << 40 << random % 20, random % 1000);
      remainders (random % 50, random % 7 ? 16 : 1 + random % 9);
    }
}
"""


def told_values(text):
    """What the program printed: counts by kind, line and value."""
    return collections.Counter(tuple(line.split()) for line in text.splitlines())


def magnitude(value):
    amount = 1 << abs(value).bit_length() - 1 if value else 1
    return amount if value >= 0 else -amount


def is_small(value):
    return -2**46 <= value < 2**46


def counted_values(profile):
    """The same of a profile.  Alignments are not told, and what large values are is not known."""
    values = collections.Counter()
    for function in profile["functions"]:
        for site in function.get("values", []):
            for value in site["values"]:
                key = value.get("callee") or value.get("value") or "about " + value["magnitude"]
                values[site["kind"], str(site["line"]), key] += value["count"]
    return values


def expected_values(text):
    expected = collections.Counter()
    for (kind, line, value), count in told_values(text).items():
        if kind == "callee" and value == "abs":
            continue  # the C library's own function does not say that it was called
        if kind != "callee" and not is_small(int(value)):
            value = f"about {magnitude(int(value))}"
        expected[kind, line, value] += count
    return expected


def without_alignments(values):
    return collections.Counter({key: count for key, count in values.items() if key[0] != "alignment"})


@pytest.fixture
def told(project):
    """Writes the program; returns what it tells with an argument."""
    (project.folder / "prog.c").write_text(PROGRAM)
    project.run(GCC, "-O2", "-DTELL", "-o", "teller", "prog.c")
    return lambda *arguments: project.run("./teller", *arguments).stdout


# ---- collecting ----


@pytest.mark.parametrize("options", [
    ["-O2", "-g"], ["-O1"], ["-O3", "-g"], ["-O2", "-fplugin-arg-pathprof-update=atomic"], ["-O2", "-fPIE", "-pie", "-pthread"],
    ["-O2", FORM + "kiter"], ["-O2", FORM + "intracontext"], ["-O2", "-fplugin-arg-pathprof-termination=exact"],
    ["-O2", "-fplugin-arg-pathprof-array-max=0"], ["-O2", "-flto"],
], ids=" ".join)
def test_values_are_those_that_the_program_computes(project, told, options):
    project.gcc(*options, VALUES, "prog.c", "-o", "prog")
    project.run("./prog", "3")
    profile = project.profile()
    assert without_alignments(counted_values(profile)) == expected_values(told("3"))


def test_alignments_are_those_of_what_is_written_to(project):
    project.write("prog.c", """
        #include <string.h>
        char bytes[8192] __attribute__ ((aligned (8192)));
        int main (int argc, char **argv)
        {
          for (int i = 0; i < 100; i++)
            memset (bytes + (i % 4 ? 24 : 0), 1, argc + i % 3);
        }""")
    project.gcc("-O2", VALUES, "prog.c", "-o", "prog")
    project.run("./prog")
    counted = counted_values(project.profile())
    assert {key[2]: count for key, count in counted.items() if key[0] == "alignment"} == {"4096": 25, "8": 75}


def test_runs_add_up(project, told):
    project.gcc("-O2", VALUES, "prog.c", "-o", "prog")
    for seed in ("1", "2"):
        project.run("./prog", seed, env={"PATHPROF_FILE": "%p.pathprof" if seed == "2" else "prog.pathprof"})
    other = next(name for name in project.folder.glob("*.pathprof") if name.name != "prog.pathprof")
    project.pathdump("merge", "-o", "sum.pathprof", "prog.pathprof", other)
    expected = expected_values(told("1")) + expected_values(told("2"))
    assert without_alignments(counted_values(project.profile("sum.pathprof"))) == expected
    project.run("./prog", "2")
    assert without_alignments(counted_values(project.profile())) == expected


def test_continuous_mode_keeps_values(project, told):
    project.gcc("-O2", VALUES, "prog.c", "-o", "prog")
    project.run("./prog", "5", env={"PATHPROF_MODE": "continuous"})
    assert without_alignments(counted_values(project.profile())) == expected_values(told("5"))


THREADS = r"""
#include <pthread.h>
#include <string.h>
typedef int function (int);
__attribute__ ((noinline)) int one (int x) { return x + 1; }
__attribute__ ((noinline)) int two (int x) { return x + 2; }
function *const table[] = {one, two};
static void *run (void *argument)
{
  char to[64], from[64] = "";
  volatile int sink = 0;
  for (int i = 0; i < 30000; i++)
    {
      sink = table[i % 3 == 0] (i);
      memcpy (to, from, i % 5);
      __asm__ volatile ("" : : "r" (to) : "memory");
    }
  return 0;
}
int main (void)
{
  pthread_t threads[8];
  for (int i = 0; i < 8; i++)
    pthread_create (threads + i, 0, run, 0);
  for (int i = 0; i < 8; i++)
    pthread_join (threads[i], 0);
}
"""


@pytest.mark.parametrize("update", ["thread", "atomic"])
def test_threads_lose_none(project, update):
    project.write("prog.c", THREADS)
    project.gcc("-O2", "-pthread", f"-fplugin-arg-pathprof-update={update}", VALUES, "prog.c", "-o", "prog")
    project.run("./prog")
    counts = {(kind, value): count for (kind, _, value), count in counted_values(project.profile()).items()}
    assert counts["callee", "one"] == 8 * 20000 and counts["callee", "two"] == 8 * 10000
    assert {counts["operand", str(size)] for size in range(5)} == {8 * 6000}


def test_many_values_take_bounded_room(project):
    """The most frequent one is among those that are kept, and the sum is right."""
    project.write("prog.c", """
        volatile unsigned sink;
        __attribute__ ((noinline)) void divide (unsigned divisor) { sink = sink / divisor; }
        int main (void)
        {
          for (unsigned i = 1; i < 300000; i++)
            divide (i % 2 ? 77 : i + 1000);
        }""")
    project.gcc("-O2", "-fno-ipa-cp", VALUES, "prog.c", "-o", "prog")
    project.run("./prog")
    values = counted_values(project.profile())
    assert sum(values.values()) == 299999 and max(values.values()) == 150000
    assert values.most_common(1)[0][0][2] == "77" and 3000 < len(values) < 4200
    assert values["operand", values.most_common(1)[0][0][1], "about 131072"] == 131072 // 2


def test_calls_of_other_code_are_not_taken_for_one(project):
    """What is called between does not say who it is, and a function that is called by name is no indirect callee."""
    project.write("prog.c", """
        #include <stdlib.h>
        __attribute__ ((noinline)) int other (int x) { return x ^ 1; }
        int (*volatile called) (int);
        volatile int sink;
        int main (void)
        {
          for (int i = 0; i < 100; i++)
            {
              called = i % 4 ? abs : other;
              sink = called (i);
              sink = other (i);
            }
        }""")
    project.gcc("-O2", VALUES, "prog.c", "-o", "prog")
    project.run("./prog")
    values = counted_values(project.profile())
    assert [count for (kind, _, name), count in values.items() if (kind, name) == ("callee", "other")] == [25]
    assert sum(count for (kind, _, _), count in values.items() if kind == "callee") == 25


def test_values_of_cxx(project):
    project.write("prog.cc", """
        struct shape { virtual int area (int x) = 0; virtual ~shape () {} };
        struct square : shape { int area (int x) override { return x * x; } };
        struct line : shape { int area (int) override { return 0; } };
        volatile int sink;
        __attribute__ ((noipa)) shape *make (int i) { if (i % 10) return new square; return new line; }
        int main ()
        {
          for (int i = 0; i < 1000; i++)
            {
              shape *s = make (i);
              sink = s->area (i);
              delete s;
            }
        }""")
    project.gxx("-O2", VALUES, "prog.cc", "-o", "prog")
    project.run("./prog")
    counts = {name: count for (kind, _, name), count in counted_values(project.profile()).items()}
    assert counts["_ZN6square4areaEi"] == 900 and counts["_ZN4line4areaEi"] == 100


def test_without_the_argument_there_are_none(project, told):
    project.gcc("-O2", "prog.c", "-o", "prog")
    project.run("./prog")
    assert not any("values" in function for function in project.profile()["functions"])


# ---- rebuilding ----

TRANSFORMED = re.compile(r"(prog\.cc?:\d+):\d+: optimized:\s+(Transformation done|.*ndirect call.*(?=direct call))")


def transformed(text):
    return sorted(match.groups() for match in TRANSFORMED.finditer(text))


@pytest.fixture
def rebuilt(project, told):
    """Trains the program; rebuilds it with some options, and returns what GCC says that it did by value."""
    project.gcc("-O2", VALUES, "prog.c", "-o", "prog")
    project.run("./prog", "3")

    def rebuild(*options):
        done = project.gcc("-O2", *options, "--pathprof-use=prog.pathprof", "-fopt-info-optimized", "prog.c", "-o", "new")
        assert "warning" not in done.stderr
        return transformed(done.stderr)

    return rebuild


def transformed_by_gcc(project):
    """What GCC does with values that it counted itself."""
    project.run(GCC, "-O2", "-fprofile-generate", "prog.c", "-o", "own")
    project.run("./own", "3")
    done = project.run(GCC, "-O2", "-fprofile-use", "-fopt-info-optimized", "prog.c", "-o", "own")
    return transformed(done.stderr)


def test_gcc_transforms_what_it_would_with_its_own_values(project, rebuilt):
    ours = rebuilt()
    assert ours == transformed_by_gcc(project)
    assert len([what for _, what in ours if what == "Transformation done"]) >= 4


def test_what_is_rebuilt_computes_the_same(project):
    project.write("prog.c", PROGRAM)
    project.run(GCC, "-O2", "-DTELL", "prog.c", "-o", "plain")
    project.gcc("-O2", "-DTELL", VALUES, "prog.c", "-o", "prog")
    project.run("./prog", "3")
    project.gcc("-O2", "-DTELL", "--pathprof-use=prog.pathprof", "prog.c", "-o", "new")
    for seed in ("3", "4"):
        assert project.run("./new", seed).stdout == project.run("./plain", seed).stdout


@pytest.mark.parametrize("off", ["-fno-vpt", "-fno-profile-values"])
def test_transformations_can_be_left_out(rebuilt, off):
    assert rebuilt(off) == []


def test_a_profile_without_values_transforms_nothing(project, told):
    project.gcc("-O2", "prog.c", "-o", "prog")
    project.run("./prog", "3")
    done = project.gcc("-O2", "--pathprof-use=prog.pathprof", "-fopt-info-optimized", "prog.c", "-o", "new")
    assert transformed(done.stderr) == []


def test_values_of_other_statements_are_not_used(project, rebuilt):
    """The graph is the same, but the divisor is a constant now."""
    text = project.read("prog.c").decode()
    project.write("prog.c", text.replace("sink += dividend / divisor;", "sink += dividend * divisor;"))
    assert not any("Transformation" in what and ":28" in where for where, what in rebuilt())


# ---- what does not go together ----


@pytest.mark.parametrize("options, words", [
    (["-fplugin-arg-pathprof-stage=late"], ["values=1", "stage=early", "stage=late"]),
    (["-fplugin-arg-pathprof-stage=source"], ["values=1", "stage=early", "stage=source"]),
    (["-fplugin-arg-pathprof-switch=1", "-fplugin-arg-pathprof-stage=early"], ["values=1", "switch=1"]),
    ([FORM + "kipf"], ["values=1", "mode=acyclic", "mode=kipf"]),
    ([FORM + "context"], ["values=1", "mode=context"]),
    (["-fplugin-arg-pathprof-values=2"], ["values", "0 or 1"]),
], ids=lambda value: " ".join(value))
def test_what_does_not_go_together(project, options, words):
    project.write("prog.c", "int main (void) { return 0; }\n")
    line = the_error(project, "values=1", "-O2", *options)
    assert all(word in line for word in words), line
