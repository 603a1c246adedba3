# SPDX-License-Identifier: GPL-3.0-or-later
"""The argument use=FILE and code that training did not execute: it is optimised as without a profile and is separated
from executed code, unless it is known to be cold."""

import re

import pytest

from test_use import DUMP, USE, block_counts, functions_in

OLD = "-fno-profile-partial-training"
HOT = "-fprofile-partial-training"

# Training executes `work` with kind 0. Without a profile, GCC vectorises the loops at -O3.
PROGRAM = """\
#include <stdlib.h>

static volatile int sink;

void
scale (float *a, const float *b, int n)
{
  for (int i = 0; i < n; i++)
    a[i] += b[i] * 2;
}

__attribute__ ((cold)) void
scale_cold (float *a, const float *b, int n)
{
  for (int i = 0; i < n; i++)
    a[i] += b[i] * 2;
}

__attribute__ ((noipa)) void
die (const char *text)
{
  sink = *text;
  abort ();
}

__attribute__ ((noipa)) int
work (float *a, const float *b, int n, int kind)
{
  for (int i = 0; i < n; i++)
    sink = i;
  switch (kind)
    {
    case 1:
      for (int i = 0; i < n; i++)
        a[i] += b[i] * 3;  // untrained
      break;
    case 2:
      scale (a, b, n);
      break;
    case 3:
      sink = n / 10;  // untrained
      break;
    case 4:
      sink = n / 11;  // cold
      die ("four");
    case 5:
      sink = n / 12;  // cold
      exit (5);
    }
  return sink;
}

int
main (int argc, char **argv)
{
  static float a[100], b[100];
  for (int i = 0; i < 1000; i++)
    work (a, b, 100, argc - 1);
  if (argc > 7)
    scale (a, b, 3);
  if (argc > 8)
    scale_cold (a, b, 3);
  return 0;
}
"""


@pytest.fixture(params=["-O2", "-O3"])
def level(request):
    return request.param


@pytest.fixture
def program(project, level):
    """PROGRAM with a profile of kind 0, and the object files of a plain build and of a rebuild."""
    project.write("prog.c", PROGRAM)
    project.gcc(level, "-g", "prog.c", "-o", "prog")
    project.run("./prog")
    project.gcc(level, "-g", "-fplugin-arg-pathprof-include=nothing", "prog.c", "-c", "-o", "plain.o")
    project.gcc(level, "-g", USE, "-c", "prog.c", "-o", "again.o")
    return project


def instructions(project, object_file, function):
    """Returns the instructions of a function without addresses, targets of jumps and alignment."""
    listing = project.run("objdump", "-d", "--no-show-raw-insn", object_file).stdout
    body = re.search(rf"^[0-9a-f]+ <{re.escape(function)}>:\n(.*?)(?:\n\n|\Z)", listing, re.MULTILINE | re.DOTALL)[1]
    found = [re.sub(r"\s+", " ", line.split("\t", 1)[1]).strip() for line in body.splitlines()]
    found = [re.sub(r"^(j\w+|call) .*| # .*", r"\1", text) for text in found]
    # GCC emits `dec` instead of `sub` in functions in the section for unlikely code.
    found = [re.sub(r"^(sub|add) \$0x1,(%\w+)$", lambda m: {"sub": "dec", "add": "inc"}[m[1]] + " " + m[2], text) for text in found]
    return [text for text in found if not re.match(r"(data16 )*(cs )?nop|xchg %ax,%ax", text)]


def has_vectors(text):
    return any(re.match(r"(mul|add)ps ", line) for line in text)


def dump(project, level, *options):
    """Returns the text of the pass's dump."""
    project.gcc(level, "-g", USE, DUMP, "-fchecking=1", *options, "-c", "prog.c", "-o", "dumped.o")
    file, = project.folder.glob("*i.pathprof")
    text = file.read_text(errors="replace")
    file.unlink()
    return text.partition(";; pathprof: cleaning up")[0]


def counts_by_line(text, mark):
    """Returns the counts of the blocks with statements of the marked lines."""
    lines = [number for number, line in enumerate(PROGRAM.splitlines(), 1) if line.endswith(f"// {mark}")]
    blocks = re.split(r"^;; +basic block ", text, flags=re.MULTILINE)
    found = {line: [re.search(r"count (\d+ \([^),]*)", block)[1] for block in blocks[1:] if f"prog.c:{line}:" in block]
             for line in lines}
    assert all(found.values())
    return {count for counts in found.values() for count in counts}


def test_function_is_compiled_as_without_profile(program):
    assert instructions(program, "again.o", "scale") == instructions(program, "plain.o", "scale")


def test_callers_of_untrained_functions(project, level):
    """A function that calls only untrained functions is compiled as without a profile, too."""
    project.write("prog.c", PROGRAM.replace("int\nmain (", """void
scale_twice (float *a, const float *b, int n)
{
  while (n-- > 1)
    {
      sink = n / 10;
      scale (a, b, n);
    }
}

int
main (""").replace("scale (a, b, 3)", "scale_twice (a, b, 3)").replace("void\nscale (", "__attribute__ ((noinline)) void\nscale ("))
    project.gcc(level, "-g", "prog.c", "-o", "prog")
    project.run("./prog")
    project.gcc(level, "-g", "-fplugin-arg-pathprof-include=nothing", "prog.c", "-c", "-o", "plain.o")
    project.gcc(level, "-g", USE, "-c", "prog.c", "-o", "again.o")
    assert instructions(project, "again.o", "scale_twice") == instructions(project, "plain.o", "scale_twice")


def test_function_is_apart_from_executed_functions(program):
    unlikely = functions_in(program, "again.o", ".text.unlikely")
    assert {"scale", "scale_cold", "die"} <= unlikely and not {"work", "main"} & unlikely
    assert "scale" not in functions_in(program, "plain.o", ".text.unlikely")


def test_cold_attribute(program, level):
    """A function that is declared cold is optimised for size as before."""
    assert not has_vectors(instructions(program, "again.o", "scale_cold"))
    assert all("globally 0" in count for count in block_counts(dump(program, level))["scale_cold"].values())


def test_blocks_in_executed_functions_are_optimised_for_speed(program, level):
    """The division is a multiplication and at -O3 the loop is vectorised, outside of the executed part of the function.

    At -O2, the loop is not vectorised, because this is not worth its size without a profile."""
    executed, cold = (instructions(program, "again.o", name) for name in ("work", "work.cold"))
    assert any("idiv" in line for line in instructions_with(program, level, OLD))
    division = [line for line in cold if re.match(r"i?mul ", line)]
    assert len(division) >= 1
    assert has_vectors(cold) == (level == "-O3") and not has_vectors(executed)
    assert sum("idiv" in line for line in executed + cold) == 2  # before exit and die


def instructions_with(project, level, *options):
    project.gcc(level, "-g", USE, *options, "-c", "prog.c", "-o", "other.o")
    return instructions(project, "other.o", "work") + instructions(project, "other.o", "work.cold")


def test_counts_of_blocks(program, level):
    """Blocks of untrained code have guessed counts above the threshold for hot blocks, unless they cannot return."""
    text = dump(program, level)
    counts = counts_by_line(text, "untrained")
    assert all(re.match(r"[1-9]\d* \(guessed", count) for count in counts)
    assert counts_by_line(text, "cold") == {"0 (precise"}


def test_counts_of_executed_code_do_not_change(program, level):
    new, old = (block_counts(dump(program, level, *options)) for options in ((), (OLD,)))
    assert set(old) == set(new)
    for function in new:
        executed = {block: count for block, count in old[function].items() if re.match(r"[1-9]\d* \(precise", count)}
        assert executed.items() <= new[function].items()
    assert sum(count == "100000 (precise)" for count in new["work"].values()) >= 1


def test_option_of_the_user(program, level):
    """-fno-profile-partial-training optimises untrained code for size. The other form of the option is the default."""
    assert all("globally 0" in count for count in block_counts(dump(program, level, OLD))["scale"].values())
    assert counts_by_line(dump(program, level, OLD), "untrained") == {"0 (precise"}
    assert not has_vectors(instructions_with(program, level, OLD))
    program.gcc(level, "-g", USE, HOT, "-c", "prog.c", "-o", "named.o")
    for function in ("scale", "work", "work.cold"):
        assert instructions(program, "named.o", function) == instructions(program, "again.o", function)


def test_option_of_a_function(project, level):
    project.write("prog.c", PROGRAM.replace("void\nscale (", '__attribute__ ((optimize ("no-profile-partial-training"))) void\nscale ('))
    project.gcc(level, "-g", "prog.c", "-o", "prog")
    project.run("./prog")
    counts = block_counts(dump(project, level))
    assert all("globally 0" in count for count in counts["scale"].values())
    assert any("guessed" in count for count in counts["work"].values())


def test_named_section(project, level):
    project.write("prog.c", PROGRAM.replace("void\nscale (", '__attribute__ ((section (".mine"))) void\nscale ('))
    project.gcc(level, "-g", "prog.c", "-o", "prog")
    project.run("./prog")
    project.gcc(level, "-g", USE, "-c", "prog.c", "-o", "again.o")
    assert "scale" in functions_in(project, "again.o", ".mine")


@pytest.mark.parametrize("kind", range(1, 6))
def test_untrained_input(program, level, kind):
    program.gcc(level, "-g", USE, "-fchecking=1", "prog.c", "-o", "again")
    status = {4: -6, 5: 5}.get(kind, 0)
    program.run("./again", *"x" * kind, status=status)


@pytest.mark.parametrize("at_link", [[USE], []])
def test_link_time_optimisation(program, level, at_link):
    """Untrained code is optimised for speed. If the linker's compiler loads the plugin, the code is also apart."""
    program.gcc(level, "-g", "-flto", USE, "-c", "prog.c", "-o", "lto.o")
    program.gcc(level, "-g", "-flto", *at_link, "-r", "-flinker-output=nolto-rel", "-nostdlib", "lto.o", "-o", "linked.o")
    assert instructions(program, "linked.o", "scale") == instructions(program, "plain.o", "scale")
    assert ("scale" in functions_in(program, "linked.o", ".text.unlikely")) == bool(at_link)
