# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs for boards without an operating system, which QEMU runs.

The file is tested if the build contains the plugin of such a compiler, as after make GCC='gcc arm-none-eabi-gcc'."""

import os
import re
import shutil

import pytest

from conftest import BIN, HERE as SUITE, compiler_keys, plugin

ROOT = SUITE.parents[1]
TARGET = "arm-none-eabi"
COMPILERS = [key for key in compiler_keys() if key.startswith(TARGET)]
FLAGS = ["-mcpu=cortex-m3", "-g", "-ffreestanding", "-nostdlib", "-T", "mps2-an385/board.ld"]
LIBRARIES = ["-lpathrt-freestanding", "-lgcc"]
BOARD = ["qemu-system-arm", "-M", "mps2-an385", "-nographic", "-semihosting", "-kernel"]
EXCLUDED = "exclude=tests.c,board.c"

pytestmark = pytest.mark.skipif(not COMPILERS, reason="the build has no plugin for a compiler without an operating system")


@pytest.fixture
def board(project):
    assert shutil.which(BOARD[0]), "install qemu-system-arm"
    shutil.copytree(ROOT / "examples/embedded", project.folder, dirs_exist_ok=True)

    def run(*options, sources=("scheduler.c", "valve.c", "tests.c", "mps2-an385/board.c"), status=0):
        """Compiles the program, runs it, and imports its counters. Returns what it printed."""
        project.run(BIN / f"{TARGET}-pathprof-gcc", *FLAGS, *options, *sources, *LIBRARIES, "-o", "board.elf")
        done = project.run(*BOARD, "board.elf", status=status)
        project.pathdump("import", "board.elf", "board.dump", "-o", "board.pathprof")
        project.pathdump("check", "board.pathprof")
        return done.stdout + done.stderr
    return run


@pytest.mark.parametrize("counters", ["64", "32", "bit"])
@pytest.mark.parametrize("level", ["-O0", "-Os", "-O2"])
def test_the_example(project, board, level, counters):
    """The unit tests execute the same lines, conditions and, at -O0, paths as on this machine."""
    arguments = plugin("conditions=1", "target=freestanding", f"counters={counters}", EXCLUDED)
    found = []
    board(level, *arguments)
    for part in ("board", "here"):
        if part == "here":
            project.gcc(level, "-g", "-ffreestanding", "-nostdlib", "-static", "-fno-stack-protector", *arguments, "scheduler.c", "valve.c", "tests.c",
                        "board.c", "-lpathrt-freestanding", "-o", "here.elf")
            project.run("sh", "-c", "./here.elf > here.dump")
            project.pathdump("import", "here.elf", "here.dump", "-o", "here.pathprof")
        covered = {file["file"]: (file["lines"], file["conditions"], file["branches"])
                   for file in project.pathdump.json("coverage", "--json", f"{part}.pathprof")["files"]}
        conditions = [(function["name"], function["masking"], function["conditions"], function["not_measured"])
                      for function in project.pathdump.json("coverage", "--conditions", "--json", f"{part}.pathprof")["functions"]]
        found.append((covered, conditions))
    assert found[0] == found[1] and sum(conditions[1] for conditions in found[0][1]) == 11


def test_the_page(project, board):
    """The commands of doc/embedded.md for the board."""
    page = (ROOT / "doc/embedded.md").read_text(encoding="utf-8")
    example = re.sub(r"\\\n +", "", page[page.index("    $ arm-none-eabi-pathprof-gcc"):])
    commands = re.findall(r"^    \$ (.*)", example.partition("\n\n")[0], re.MULTILINE)
    path = {"PATH": f"{BIN}:{os.environ['PATH']}"}
    *_, report = (project.run("sh", "-c", command, env=path).stdout for command in commands)
    assert len(commands) == 4 and "scheduler_tick" in report


# Work of two tasks and of the timer's interrupt handler.
WORK = """\
#include "work.h"
NOINLINE int shared (unsigned n) { if (n % 3) return n & 1; return 2; }
NOINLINE int first (unsigned n) { int sum = 0; for (unsigned i = 0; i < n % 5; i++) sum += i & 1 ? shared (n) : 3; return sum; }
NOINLINE int second (unsigned n) { if (n & 1) return shared (n); return n & 2 ? 5 : shared (n + 1); }
NOINLINE int handler (unsigned n) { if (n % 4 == 0 && n & 8) return 1; return n & 1; }
"""
WORK_H = """\
#define NOINLINE __attribute__ ((noinline, noclone))
enum { CALLS = 200000 };
int first (unsigned), second (unsigned), handler (unsigned);
"""
HERE = """\
#include <stdlib.h>
#include "work.h"
int main (int, char **v)
{
  unsigned ticks = strtoul (v[1], 0, 16);
  for (unsigned i = 0; i < CALLS; i++)
    first (i), second (i);
  for (unsigned i = 1; i <= ticks; i++)
    handler (i);
}
"""
# As in a real-time system, the timer switches between tasks, which have stacks of their own: PendSV saves the registers of one task and
# restores those of the other.
TASKS = r"""
#include <pathrt_freestanding.h>
#include "work.h"
#define NOT_COUNTED __attribute__ ((no_profile_instrument_function, noinline))
#define REGISTER(address) (*(volatile unsigned *) (address))
extern char initial_stack[], bss_begin[], bss_end[];
volatile unsigned ticks, switches, done[2];
volatile int sink;
unsigned stacks[2][256], *saved[2], current;

static int semihost (int operation, const void *arguments)
{
  register int r0 __asm__ ("r0") = operation;
  register const void *r1 __asm__ ("r1") = arguments;
  __asm__ volatile ("bkpt 0xab" : "+r" (r0) : "r" (r1) : "memory");
  return r0;
}
static int file;
NOT_COUNTED static void put (const void *data, size_t size)
{
  const void *arguments[] = {(void *) file, data, (void *) size};
  semihost (5, arguments);
}
NOT_COUNTED static void print (unsigned n)
{
  char text[10];
  for (int i = 0; i < 8; i++)
    text[i] = "0123456789abcdef"[n >> (28 - 4 * i) & 15];
  text[8] = ' ';
  text[9] = 0;
  semihost (4, text);
}
NOT_COUNTED static void finish (void)
{
  const void *arguments[] = {"board.dump", (void *) 5, (void *) 10};
  unsigned status[] = {0x20026, 0};
  __asm__ volatile ("cpsid i");
  print (ticks);
  print (switches);
  file = semihost (1, arguments);
  pathrt_write (put);
  semihost (2, &file);
  semihost (0x20, status);
}
NOT_COUNTED void task (unsigned number)
{
  for (unsigned i = 0; i < CALLS; i++)
    sink = number ? second (i) : first (i);
  done[number] = 1;
  for (;;)
    if (number == 0 && done[1])
      finish ();
}
NOT_COUNTED void systick (void)
{
  sink = handler (++ticks);
  if (ticks % 3 == 0)
    REGISTER (0xe000ed04) = 1u << 28; /* requests PendSV */
}
NOT_COUNTED unsigned *other_stack (unsigned *stack)
{
  switches++;
  saved[current] = stack;
  current ^= 1;
  return saved[current];
}
__attribute__ ((naked, no_profile_instrument_function)) void pendsv (void)
{
  __asm__ ("mrs r0, psp\n stmdb r0!, {r4-r11}\n push {r4, lr}\n bl other_stack\n pop {r4, lr}\n ldmia r0!, {r4-r11}\n msr psp, r0\n bx lr");
}
NOT_COUNTED void reset (void)
{
  for (char *at = bss_begin; at < bss_end;)
    *at++ = 0;
  pathrt_clear ();
  unsigned *frame = stacks[1] + 256 - 16; /* r4-r11, r0-r3, r12, lr, pc, xpsr */
  frame[8] = 1;
  frame[14] = (unsigned) task;
  frame[15] = 1u << 24;
  saved[1] = frame;
  REGISTER (0xe000ed20) = 0xffu << 16;  /* PendSV has the lowest priority */
  REGISTER (0xe000e014) = 2000;         /* SysTick: reload, current, control */
  REGISTER (0xe000e018) = 0;
  REGISTER (0xe000e010) = 7;
  __asm__ volatile ("msr psp, %0\n movs r0, #2\n msr control, r0\n isb\n movs r0, #0\n b task" :: "r" (stacks[0] + 256) : "r0");
}
__attribute__ ((section (".vectors"), used)) static const void *const vectors[16] = {
  initial_stack, reset, [14] = pendsv, [15] = systick
};
"""


@pytest.mark.parametrize("counters", ["64", "32", "bit"])
def test_interrupts_and_tasks(project, board, counters):
    """Each function that only one task or only the interrupt handler executes has the counts of the same calls on this machine. Counts of
    a function that both tasks execute can be lost, but never added."""
    for name, text in (("work.h", WORK_H), ("work.c", WORK), ("tasks.c", TASKS), ("here.c", HERE)):
        project.write(name, text)
    printed = board("-O1", "-fno-stack-protector", *plugin("stage=source", f"counters={counters}", "exclude=tasks.c"), sources=("tasks.c", "work.c"))
    ticks, switches = re.match("([0-9a-f]{8}) ([0-9a-f]{8}) ", printed).groups()
    assert int(ticks, 16) > 100 and int(switches, 16) > 30
    project.gcc("-O1", "-g", *plugin("stage=source"), "here.c", "work.c", "-o", "here")
    project.run("./here", ticks)

    def counts(profile):
        return {function["name"]: {path["id"]: path["count"] for path in function["paths"]}
                for function in project.pathdump.json("export", "--format=json", profile)["functions"] if function["file"].endswith("work.c")}
    here, there = counts("here.pathprof"), counts("board.pathprof")
    assert set(there) == {"first", "second", "handler", "shared"}
    if counters == "bit":
        assert {name: set(paths) for name, paths in there.items()} == {name: set(paths) for name, paths in here.items()}
        return
    for name in ("first", "second", "handler"):
        assert there[name] == here[name]
    assert set(there["shared"]) == set(here["shared"])
    assert all(0.9 * here["shared"][path] <= count <= here["shared"][path] for path, count in there["shared"].items())
