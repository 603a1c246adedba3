# SPDX-License-Identifier: GPL-3.0-or-later
"""Regression 4: the raw file of a process that may be alive is never adopted, on any file system."""

import shutil
import struct
import subprocess

import pytest

from conftest import BIN, assert_one_line

# The program closes all descriptors that it did not open, tells that it is ready and waits until its input ends or has a
# line.  HOW is a letter: how its life goes on.
PROGRAM = """\
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__ ((noinline)) int
odd (int x)
{
  if (x & 1)
    return 1;
  return 0;
}

static void
work (void)
{
  volatile int s = 0;
  for (int i = 0; i < 1000; i++)
    s += odd (i);
}

static void
wait_for_line (void)
{
  char c;
  close_range (3, ~0U, 0); /* the runtime may have opened its file again */
  write (1, "ready\\n", 6);
  read (0, &c, 1);
}

static void *
outlive (void *main_thread)
{
  pthread_join (*(pthread_t *) main_thread, 0);
  wait_for_line ();
  work ();
  exit (0);
}

static int (*volatile run) (const char *, char *const *) = execv; /* a call through a pointer writes no counts */

int
main (int argc, char **argv)
{
  static pthread_t self, other;
  if (argc == 1)
    return 0;
  switch (argv[1][0])
    {
    case 'l': /* lives */
      wait_for_line ();
      work ();
      break;
    case 'm': /* counts before and after */
      work ();
      wait_for_line ();
      work ();
      break;
    case 'k': /* is killed */
      work ();
      kill (getpid (), SIGKILL);
    case 'x': /* becomes another program */
      work ();
      run ("/bin/sh", (char *[]){ "sh", "-c", "echo ready; read x", 0 });
      _exit (1);
    case 'z': /* its child is killed and is a zombie */
      if (fork () == 0)
        {
          work ();
          kill (getpid (), SIGKILL);
        }
      {
        siginfo_t info;
        waitid (P_ALL, 0, &info, WEXITED | WNOWAIT);
      }
      wait_for_line ();
      break;
    case 't': /* its main thread ends first */
      self = pthread_self ();
      pthread_create (&other, 0, outlive, &self);
      pthread_exit (0);
    case 'f': /* its child lives longer */
      if (fork () != 0)
        kill (getpid (), SIGKILL);
      wait_for_line ();
      work ();
    }
  return 0;
}
"""

# Makes the call that asks for a lease fail, as on a file system that has none.
NO_LEASES = """\
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <errno.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int
main (int argc, char **argv)
{
  struct sock_filter filter[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 0, 3),
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, args[1])),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, F_SETLEASE, 0, 1),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
  };
  struct sock_fprog program = { sizeof filter / sizeof *filter, filter };
  prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (argc < 2 || prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
    return 1;
  execv (argv[1], argv + 1);
  return 1;
}
"""

# overlayfs forgets the lock when the last descriptor is closed, although the file is mapped; the others do not.
OVERLAY = ("mkdir lo; mount -t tmpfs none lo; mkdir lo/lo lo/up lo/wk; "
           "mount -t overlay none -o lowerdir=lo/lo,upperdir=lo/up,workdir=lo/wk m")
MOUNTS = {
    "tmpfs": "mount -t tmpfs none m",
    "overlayfs": OVERLAY,
    "ext4": "truncate -s 8M disk; mkfs.ext4 -q disk; mount -o loop disk m",
    "without leases": OVERLAY,
}
CANNOT_MOUNT = 77

# Starts a process and waits until it is ready; lets it go on; lets it end.
SHELL = """\
start () { mkfifo $D/in $D/out; $RUN "$@" <$D/in >$D/out & exec 7>$D/in; read ready <$D/out; }
go_on () { echo >&7; exec 7>&-; wait; rm $D/in $D/out; }
export PATHPROF_MODE=continuous PATHPROF_FILE=d.pathprof
cd m
"""


@pytest.fixture(name="built")
def fixture_built(project):
    project.write("d.c", PROGRAM)
    project.gcc("-O0", "-g", "-pthread", "d.c", "-o", "d")
    project.write("no_leases.c", NO_LEASES)
    subprocess.run(["gcc", "no_leases.c", "-o", "no_leases"], cwd=project.folder, check=True)
    return project


def inside(project, kind, script, namespaces=()):
    """Runs a script in a folder of that file system.  The files that it leaves there are copied to `after`."""
    for folder in ("m", "lo", "after"):
        shutil.rmtree(project.folder / folder, ignore_errors=True)
    (project.folder / "m").mkdir()
    (project.folder / "after").mkdir()
    run = f"{project.folder}/no_leases" if kind == "without leases" else "env"
    whole = (f"D={project.folder} RUN={run} PATHDUMP={BIN}/pathdump\n({MOUNTS[kind]}) 2>/dev/null || exit {CANNOT_MOUNT}\n"
             + SHELL + script + "\ncp * ../after 2>/dev/null || true\n")
    done = subprocess.run(["unshare", "-rm", *namespaces, "sh", "-c", whole], cwd=project.folder, capture_output=True,
                          text=True, check=False, timeout=120)
    if done.returncode == CANNOT_MOUNT or "unshare failed" in done.stderr:
        if kind == "ext4":  # a loop device needs root outside of a user namespace, too
            done = subprocess.run(["unshare", "-m", *namespaces, "sh", "-c", whole], cwd=project.folder,
                                  capture_output=True, text=True, check=False, timeout=120)
        if done.returncode == CANNOT_MOUNT or "unshare failed" in done.stderr:
            pytest.skip(f"{kind} cannot be mounted here: {done.stderr}")
    assert done.returncode == 0, done.stderr
    return done


def counts(project):
    """Runs, and executions of `odd`."""
    return project.profile("after/d.pathprof")["runs"], project.entries("odd", "after/d.pathprof")


def left(project):
    return sorted(path.name for path in (project.folder / "after").iterdir() if path.name.endswith(".raw"))


@pytest.mark.parametrize("kind", MOUNTS)
def test_life_and_death(built, kind):
    """A short process that runs meanwhile adopts what dead processes left, and that only."""
    # Alive: two runs, none of them lost, and the reader sees the short one.
    for how, expected in (("l", (2, 1000)), ("t", (2, 1000)), ("f", (3, 1000))):
        done = inside(built, kind, f"""
start ../d {how}
$RUN ../d
$RUN $PATHDUMP export --format=json d.pathprof >/dev/null
if [ {how} = f ]; then echo >&7; exec 7>&-; while ls *.raw 2>/dev/null; do sleep .05; done; wait
else go_on; fi >/dev/null
""")
        assert ".raw" not in done.stderr, (kind, how)
        assert counts(built) == expected, (kind, how)
        assert left(built) == [], (kind, how)
    # Dead: adopted at once, although in two of the cases there is a process of that number.
    for how, script, expected in (("k", "$RUN ../d k || true; $RUN ../d", (2, 1000)),
                                  ("x", "start ../d x; $RUN ../d; ls *.raw && exit 1; go_on", (2, 1000)),
                                  ("z", "start ../d z; $RUN ../d; ls *.raw | wc -l; go_on", (3, 1000))):
        done = inside(built, kind, script)
        assert counts(built) == expected, (kind, how)
        assert left(built) == [], (kind, how)
        if how == "z":
            assert done.stdout == "1\n", "the child's file is gone, the parent's is not"


@pytest.mark.parametrize("kind", MOUNTS)
def test_other_namespace(built, kind):
    """Two containers that share a folder: without reliable leases, nobody adopts, and the user learns how to."""
    reliable = kind in ("tmpfs", "ext4")
    done = inside(built, kind, """
unshare -pf --mount-proc sh -c "$RUN ../d k; true" # number 1 cannot be killed
$RUN ../d
ls *.raw | wc -l
$RUN $PATHDUMP export --format=json d.pathprof >/dev/null
""")
    if reliable:
        assert done.stdout == "0\n" and counts(built) == (2, 1000)
        return
    assert done.stdout == "1\n"
    [raw] = left(built)
    command = f"pathdump merge -o d.pathprof d.pathprof {raw} && rm {raw}"
    assert_one_line(done.stderr.splitlines(True)[-1], f"pathdump: note: {raw}: ", "not included", "process", "container", f"'{command}'")
    subprocess.run(f"PATH={BIN}:$PATH; {command}", shell=True, cwd=built.folder / "after", check=True, capture_output=True)
    assert counts(built) == (2, 1000)


def test_identity(built):
    """Each part of the identity matters: offset in the raw file, and its size."""
    parts = {"pid": 2960, "start time": 2968, "PID namespace": 2976, "time namespace": 2984, "boot": 2992, "boot, end": 3000}
    built.run("./d", "k", status=-9, env={"PATHPROF_MODE": "continuous", "PATHPROF_FILE": "p"})
    [raw] = built.folder.glob("p.*.raw")
    whole = raw.read_bytes()
    for part, offset in parts.items():
        # The shell process takes the place of the dead one: its number and its start time are alive.
        script = f"""
cp {raw} d.pathprof.$$.raw
python3 - $$ d.pathprof.$$.raw {offset} <<'END'
import os, struct, sys
stat = open(f"/proc/{{sys.argv[1]}}/stat").read().rsplit(")", 1)[1].split()
data = bytearray(open(sys.argv[2], "rb").read())
data[2960:2984] = struct.pack("<3Q", int(sys.argv[1]), int(stat[19]), os.stat("/proc/self/ns/pid").st_ino)
data[{offset}] ^= 1
open(sys.argv[2], "wb").write(data)
END
exec 8<>d.pathprof.$$.raw
$RUN ../d
ls *.raw | wc -l
"""
        done = inside(built, "without leases", script)
        assert done.stdout in ("0\n", "1\n")
        # A process of another start time is not the owner; a shell does not map the file.
        is_adopted = part in ("pid", "start time")
        assert done.stdout == ("0\n" if is_adopted else "1\n"), part
        assert counts(built) == (2, 1000) or not is_adopted, part
    assert struct.unpack_from("<H", whole, 8) == (8,)


def test_a_file_that_was_removed(built):
    """The writer keeps its counts although its raw file has lost its name."""
    inside(built, "overlayfs", "start ../d m; rm *.raw; $RUN ../d; go_on")
    assert counts(built) == (2, 2000)
    assert left(built) == []


@pytest.mark.parametrize("options", [(), ("-fplugin-arg-pathprof-array-max=0",), ("-fplugin-arg-pathprof-mode=kipf",),
                                     ("-fplugin-arg-pathprof-update=thread",)])
def test_taken_for_dead(built, options):
    """A process whose file another process has added, although it was alive, adds the rest, and only that."""
    built.gcc("-O0", "-g", "-pthread", *options, "d.c", "-o", "d")
    inside(built, "overlayfs", """
start ../d m
python3 - *.raw <<'END'
import sys
with open(sys.argv[1], "r+b") as file:
    file.seek(2968)
    start = file.read(1)[0]
    file.seek(2968)
    file.write(bytes([start ^ 1]))
END
$RUN ../d
ls *.raw 2>/dev/null && exit 1
$PATHDUMP export d.pathprof >../adopted.json
go_on
""")
    assert '"runs": 2' in (built.folder / "adopted.json").read_text()
    assert counts(built) == (2, 2000)
    assert left(built) == []
