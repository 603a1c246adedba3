# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that restrict their own system calls: nothing that the runtime does may end them."""

import os
import re

import pytest

from conftest import BUILD, GCC

# After `restricted` the process may read, write and end; what else it calls has the filter's ACTION.
RESTRICT = """\
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <pathrt.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile int sink;

__attribute__ ((noipa)) static int
f (int n)
{
  if (n & 1)
    sink = n;
  if (n & 2)
    sink = -n;
  for (int bit = 2; bit < 14; bit++)
    if (n >> bit & 1)
      sink += bit;
  return n;
}

static void
work (int times)
{
  for (int n = 0; n < times; n++)
    f (n);
}

#define ALLOW(call) BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static void
restricted (void)
{
  static struct sock_filter filter[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    ALLOW (read), ALLOW (write), ALLOW (exit), ALLOW (exit_group), ALLOW (rt_sigreturn),
    BPF_STMT (BPF_RET | BPF_K, ACTION)
  };
  static struct sock_fprog program = { sizeof filter / sizeof *filter, filter };
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || INSTALL)
    _exit (99);
}
"""
INSTALL = {
    "prctl": "prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)",
    "prctl by a variable": "prctl (sink ? sink : PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)",
    "syscall": "syscall (SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program)",
}
ACTIONS = {"kill": "SECCOMP_RET_KILL_PROCESS", "error": "SECCOMP_RET_ERRNO | EPERM"}
MAIN = """
int
main (void)
{
  work (40);
  sink = 0;
  restricted ();
  work (400);
  return 5;
}
"""


def build(project, main, *options, install="prctl", action="kill"):
    text = RESTRICT.replace("INSTALL", INSTALL[install]).replace("ACTION", ACTIONS[action])
    project.write("prog.c", text + main)
    project.gcc("prog.c", *options, "-o", "prog")


def executions(project, name="f"):
    """How often the function was entered, and how many processes ran and how many could not write at their end."""
    return project.entries(name), project.profile()["runs"]


LINE = r"pathrt: note: the program is about to restrict its system calls; .*\bprog\.pathprof\.\d+\.raw\b.*\n"


@pytest.mark.parametrize("mode", ["exit", "continuous"])
@pytest.mark.parametrize("install", INSTALL)
@pytest.mark.parametrize("action", ACTIONS)
def test_status_and_counts_stay(project, action, install, mode):
    build(project, MAIN, "-O1", install=install, action=action)
    done = project.run("./prog", status=5, env={"PATHPROF_MODE": mode})
    assert re.fullmatch(LINE, done.stderr)
    assert executions(project) == (440, 1)
    # Another run adds what the first one left.
    project.run("./prog", status=5, env={"PATHPROF_MODE": mode})
    assert executions(project) == (880, 2)


@pytest.mark.parametrize("stage", ["source", "early", "late"])
@pytest.mark.parametrize("options", [
    ("-fplugin-arg-pathprof-array-max=0",),
    ("-fplugin-arg-pathprof-array-max=0", "-fplugin-arg-pathprof-update=thread"),
    ("-fplugin-arg-pathprof-update=atomic",),
    ("-fplugin-arg-pathprof-termination=exact",),
    ("-fplugin-arg-pathprof-mode=kipf", "-fplugin-arg-pathprof-k=3"),
    ("-fplugin-arg-pathprof-mode=kiter", "-fplugin-arg-pathprof-array-max=0"),
], ids=" ".join)
def test_ways_of_counting(project, stage, options):
    build(project, MAIN, "-O2", f"-fplugin-arg-pathprof-stage={stage}", *options)
    project.run("./prog", status=5)
    assert executions(project) == (440, 1)


def test_more_paths_than_there_is_room_for(project):
    """What has no room is lost; the program goes on."""
    build(project, MAIN.replace("work (400)", "work (16000)"), "-O1", "-fplugin-arg-pathprof-array-max=0")
    project.run("./prog", status=5)
    assert executions(project) == (16040, 1)


def test_paused_and_asked_for_a_dump(project):
    build(project, """
int
main (void)
{
  work (40);
  pathrt_pause ();
  work (7);
  restricted ();
  work (7);
  return pathrt_dump () == -1 && pathrt_pause () == -1 ? 5 : 6;
}
""")
    project.run("./prog", status=5)
    assert executions(project) == (40, 1)


def test_ends_by_exit(project):
    build(project, MAIN.replace("return 5", "_exit (5)"))
    project.run("./prog", status=5)
    assert executions(project) == (440, 1)


def test_nowhere_to_count(project):
    """Without a raw file what follows is lost, and one line says so."""
    build(project, MAIN)
    done = project.run("./prog", status=5, env={"PATHPROF_FILE": "/proc/no/such/p"})
    assert len(done.stderr.splitlines()) <= 2 and "/proc/no/such/p" in done.stderr


def test_other_calls_restrict_nothing(project):
    build(project, """
int
main (void)
{
  work (40);
  prctl (PR_SET_NAME, "name", 0, 0, 0);
  prctl (PR_GET_SECCOMP + sink, 0, 0, 0, 0);
  syscall (SYS_getpid);
  return 5;
}
""")
    assert project.run("./prog", status=5).stderr == ""
    assert executions(project) == (40, 1)
    assert sorted(os.listdir(project.folder)) == ["prog", "prog.c", "prog.pathprof"]


@pytest.mark.parametrize("call", ["SYS_exit_group, 5", "SYS_execve, \"/bin/false\", 0, 0"])
def test_ends_by_number(project, call):
    build(project, "int main (void) { work (40); syscall (%s); return 6; }" % call)
    project.run("./prog", status=5 if "exit" in call else 1)
    assert executions(project)[0] == 40


def test_filter_of_a_library(project):
    """Nothing told the runtime: where calls only fail, one line says what is lost."""
    text = RESTRICT.replace("INSTALL", INSTALL["prctl"]).replace("ACTION", ACTIONS["error"])
    project.write("library.c", text + "void confine (void) { restricted (); }\n")
    project.run(GCC, "-shared", "-fPIC", f"-I{BUILD}/include", "library.c", "-o", "libconfine.so")
    project.write("prog.c", RESTRICT.split("#define ALLOW")[0] +
                  "void confine (void);\nint main (void) { work (40); confine (); return 5; }\n")
    project.gcc("prog.c", "-L.", "-lconfine", "-Wl,-rpath,$ORIGIN", "-o", "prog")
    done = project.run("./prog", status=5)
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("pathrt: error: ")
