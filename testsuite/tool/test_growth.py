# SPDX-License-Identifier: GPL-3.0-or-later
"""Continuous mode with functions whose counts take more and more room in the raw file."""

import os
import pathlib

import pytest

from conftest import BUILD, GCC, assert_one_line

SOURCE = pathlib.Path(__file__).resolve().parents[2]
CONTINUOUS = {"PATHPROF_MODE": "continuous"}

# Sixteen decisions, so that each number below 2^16 takes a path of its own.
PATHS = """\
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static volatile int sink;

#define DECIDE(bit) if (n >> bit & 1) sink = bit;

__attribute__ ((noinline)) static int
f (int n)
{
  DECIDE (0) DECIDE (1) DECIDE (2) DECIDE (3) DECIDE (4) DECIDE (5) DECIDE (6) DECIDE (7)
  DECIDE (8) DECIDE (9) DECIDE (10) DECIDE (11) DECIDE (12) DECIDE (13) DECIDE (14) DECIDE (15)
  return n;
}

static void
run (int from, int to)
{
  for (int n = from; n < to; n++)
    f (n);
}
"""
KILLED = PATHS + """
int
main (int argc, char **argv)
{
  run (0, atoi (argv[1]));
  kill (argc ? getpid () : 0, SIGKILL);
}
"""
IN_A_THREAD = PATHS + """
static void *
start (void *paths)
{
  run (0, (int) (long) paths);
  kill (getpid (), SIGKILL);
  return paths;
}

int
main (int argc, char **argv)
{
  pthread_t thread;
  pthread_create (&thread, NULL, start, (void *) atol (argv[argc - 1]));
  pthread_join (thread, NULL);
}
"""
# The second half finds no room in the file; the first goes on being counted there.
AT_A_LIMIT = PATHS + """
int
main (int argc, char **argv)
{
  struct stat status;
  char name[64];
  run (0, 2000);
  sprintf (name, "prog.pathprof.%d.raw", (int) getpid ());
  stat (name, &status);
  struct rlimit limit = { status.st_size, status.st_size };
  setrlimit (RLIMIT_FSIZE, &limit);
  run (0, 60000);
  run (0, 2000);
  if (argc == 1)
    kill (getpid (), SIGKILL);
  return 0;
}
"""
SEQUENCES = """\
#include <signal.h>
#include <unistd.h>

static volatile int sink;

static int
loop (int times)
{
  unsigned random = 1;
  for (int i = 0; i < times; i++)
    {
      random = random * 1103515245 + 12345;
      if (random >> 16 & 1) sink = 1;
      if (random >> 17 & 1) sink = 2;
      if (random >> 18 & 1) sink = 3;
      if (random >> 19 & 1) sink = 4;
      if (random >> 20 & 1) sink = 5;
    }
  LIMIT
  return times;
}

int
main (void)
{
  loop (3000);
  kill (getpid (), SIGKILL);
}
"""
# Pages of 64 KB as far as the runtime can see: the kernel's rule that offsets are whole pages is enforced.
LARGE_PAGES = """\
#include <errno.h>
#include <sys/mman.h>

#include "profile/format/system.h"

enum { PAGE = 1 << 16 };

void *real_mmap (void *address, size_t size, int protection, int flags, int fd, off_t offset);

size_t
pathprof_sys_page_size (void)
{
  return PAGE;
}

void *
pathprof_sys_mmap (void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
  if (fd >= 0 && (flags & MAP_SHARED) && offset % PAGE)
    {
      errno = EINVAL;
      return MAP_FAILED;
    }
  return real_mmap (address, size, protection, flags, fd, offset);
}
"""


def build(project, source, *options, level="-O1"):
    project.write("prog.c", "#include <stdio.h>\n" + source)
    limit = [] if "-fplugin-arg-pathprof-mode=kipf" in options else ["-fplugin-arg-pathprof-paths-max=100000"]
    project.gcc(level, "-fplugin-arg-pathprof-array-max=0", *limit, *options, "prog.c", "-o", "prog")


def counts(project, name):
    return [path["count"] for path in project.functions_by_name()[name]["paths"]]


@pytest.mark.parametrize("update", ["single", "atomic", "thread"])
@pytest.mark.parametrize("paths", [4500, 20000])
def test_many_paths_survive_a_kill(project, update, paths):
    """Areas of the file begin at whole pages, however much room was asked for."""
    build(project, IN_A_THREAD if update == "thread" else KILLED, f"-fplugin-arg-pathprof-update={update}", "-pthread")
    done = project.run("./prog", paths, status=-9, env=CONTINUOUS)
    assert done.stderr == ""
    assert counts(project, "f") == [1] * paths


@pytest.mark.parametrize("k", [2, 4])
def test_many_sequences_survive_a_kill(project, k):
    build(project, SEQUENCES.replace("LIMIT", ""), "-fplugin-arg-pathprof-mode=kipf", f"-fplugin-arg-pathprof-k={k}")
    done = project.run("./prog", status=-9, env=CONTINUOUS)
    assert done.stderr == ""
    assert sum(counts(project, "loop")) == 3001


@pytest.mark.parametrize("end", ["kill", "exit"])
def test_a_failed_growth_costs_nothing_that_was_counted(project, end):
    build(project, AT_A_LIMIT)
    done = project.run("./prog", *[["more"], []][end == "kill"], status=-9 if end == "kill" else 0, env=CONTINUOUS)
    assert_one_line(done.stderr, "pathrt: ", "cannot grow", "File too large", "at exit")
    found = sorted(counts(project, "f"), reverse=True)
    assert found[:2000] == [3] * 2000
    assert end == "kill" or found[2000:] == [1] * 58000


@pytest.mark.parametrize("end", ["kill", "exit"])
def test_a_failed_growth_costs_no_sequences(project, end):
    limit = """
  if (times == 3000)
    {
      struct stat status;
      char name[64];
      sprintf (name, "prog.pathprof.%d.raw", (int) getpid ());
      stat (name, &status);
      struct rlimit limit = { status.st_size, status.st_size };
      setrlimit (RLIMIT_FSIZE, &limit);
    }
"""
    source = "#include <sys/resource.h>\n#include <sys/stat.h>\n" + SEQUENCES.replace("LIMIT", limit)
    source = source.replace("  loop (3000);\n", "  loop (3000);\n  loop (200000);\n")
    if end == "exit":
        source = source.replace("kill (getpid (), SIGKILL)", "return 0")
    build(project, source, "-fplugin-arg-pathprof-mode=kipf", "-fplugin-arg-pathprof-k=4")
    done = project.run("./prog", status=-9 if end == "kill" else 0, env=CONTINUOUS)
    assert done.stderr.count("cannot grow (File too large)") == 1
    found = sum(counts(project, "loop"))
    assert found >= 3000 if end == "kill" else found == 3001 + 200001


def test_large_pages(project):
    """The runtime as it is where pages may have 64 KB; what the kernel refuses there is refused here."""
    project.write("pages.c", LARGE_PAGES)
    compile_ = (GCC, "-O1", "-std=gnu11", f"-I{SOURCE}", "-fvisibility=hidden", "-c")
    project.run(*compile_, "-DPATHRT_LARGEST_PAGE=65536", SOURCE / "libpathrt/continuous/create.c", "-o", "create.o")
    project.run(*compile_, "-Dpathprof_sys_mmap=real_mmap", "-Dpathprof_sys_page_size=real_page_size",
                SOURCE / "profile/format/system.c", "-o", "system.o")
    project.run(*compile_, "pages.c", "-o", "pages.o")
    # In the place of the library's own, and at the end as that is.
    os.makedirs(project.folder / "lib", exist_ok=True)
    project.run("cp", BUILD / "lib/libpathrt.a", "lib/libpathrt.a")
    members = project.run("ar", "t", "lib/libpathrt.a").stdout.split()
    for name in ("create", "system"):
        old = next(member for member in members if member.endswith(f"-{name}.o"))
        os.rename(project.folder / f"{name}.o", project.folder / old)
        project.run("ar", "r", "lib/libpathrt.a", old)
    project.run("ar", "r", "lib/libpathrt.a", "pages.o")
    build(project, KILLED, "-Llib")
    done = project.run("./prog", 20000, status=-9, env=CONTINUOUS)
    assert done.stderr == ""
    assert counts(project, "f") == [1] * 20000
