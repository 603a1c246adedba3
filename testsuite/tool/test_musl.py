# SPDX-License-Identifier: GPL-3.0-or-later
"""Regression 14: the runtime works with musl, statically and dynamically linked."""

import pathlib
import shutil
import signal

import pytest

from conftest import BUILD

PROGRAM = """\
#include <pathrt.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__ ((noinline)) int
f (int n)
{
  if (n & 1)
    return -n;
  return n;
}

static void *
work (void *data)
{
  volatile int s = 0;
  for (int i = 0; i < 1000; i++)
    s += f (i);
  return data;
}

int
main (int argc, char **argv)
{
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    pthread_create (&threads[i], 0, work, 0);
  for (int i = 0; i < 4; i++)
    pthread_join (threads[i], 0);
  if (fork () == 0)
    {
      work (0);
      exit (0);
    }
  wait (0);
  if (pathrt_dump && pathrt_dump ())
    return 2;
  if (argc > 1)
    kill (getpid (), SIGKILL);
  return 3;
}
"""


def counts(project):
    profile = project.profile()
    [f] = [function for function in profile["functions"] if function["name"] == "f"]
    return profile["runs"], sum(path["count"] for path in f["paths"])  # a child is a run of its own


@pytest.mark.parametrize("link", ["dynamic", "static"])
def test_musl(project, link):
    if not shutil.which("musl-gcc"):
        pytest.skip("no musl-gcc (Debian's musl-tools)")
    options = ["-static"] if link == "static" else []
    project.write("prog.c", PROGRAM)
    project.gcc("--pathprof-gcc=musl-gcc", "-O1", "-g", "-pthread", *options, "prog.c", "-o", "prog")
    needed = project.run("readelf", "-d", "-l", "prog").stdout
    assert ("ld-musl" in needed) == (link == "dynamic") and "libc.so.6" not in needed
    project.run("./prog", status=3)
    assert counts(project) == (2 * 1, 5000)
    project.run("./prog", status=3, env={"PATHPROF_MODE": "continuous"})
    assert counts(project) == (2 * 2, 10000)
    project.run("./prog", "kill", status=-signal.SIGKILL, env={"PATHPROF_MODE": "continuous"})
    assert counts(project) == (2 * 3, 15000)
    # The next process adds what was left, and messages have the texts of glibc.
    done = project.run("./prog", status=2, env={"PATHPROF_FILE": "/proc/none/p"})
    assert "No such file or directory" in done.stderr
    project.run("./prog", status=3)
    assert counts(project) == (2 * 4, 20000)


def test_musl_by_hand(project):
    """Without the driver: -fplugin and -lpathrt."""
    if not shutil.which("musl-gcc"):
        pytest.skip("no musl-gcc (Debian's musl-tools)")
    project.write("prog.c", PROGRAM)
    project.run("musl-gcc", "-O1", "-g", "-pthread", f"-fplugin={BUILD}/lib/pathprof/pathprof.so",
                "-fplugin-arg-pathprof-update=thread", f"-idirafter{BUILD}/include", "prog.c", f"-L{BUILD}/lib", "-lpathrt",
                "-o", "prog")
    project.run("./prog", status=3)
    assert counts(project) == (2 * 1, 5000)


def test_musl_shared_object(project):
    """Each module has the runtime; the driver also takes musl's specs."""
    specs = pathlib.Path("/usr/lib/x86_64-linux-musl/musl-gcc.specs")
    if not specs.exists():
        pytest.skip("no musl-gcc (Debian's musl-tools)")
    project.write("lib.c", "int g (int n) { return n > 1 ? 2 : 3; }\n")
    project.write("prog.c", "int g (int); int main (int c, char **v) { return g (c) != 3; }\n")
    project.gcc("-specs", specs, "-O0", "-g", "-fPIC", "-shared", "lib.c", "-o", "liblib.so")
    project.gcc("-specs", specs, "-O0", "-g", "prog.c", "-L.", "-llib", "-Wl,-rpath,.", "-o", "prog")
    project.run("./prog")
    profile = project.profile()
    assert profile["runs"] == 1
    assert {f["name"]: sum(path["count"] for path in f["paths"]) for f in profile["functions"]} == {"g": 1, "main": 1}
