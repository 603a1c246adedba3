# SPDX-License-Identifier: GPL-3.0-or-later
"""What others may put where the runtime reads and writes: nothing there may block a program, or have it read for ever."""

import fcntl
import os
import resource
import signal
import socket
import struct
import subprocess
import time

import pytest

from conftest import STATUS, assert_mentions, assert_one_line, check_f

MODES = ["exit", "continuous"]


@pytest.fixture
def prog(simple):
    simple.gcc("-O1", "prog.c", "-o", "prog")
    return simple


def put(project, kind, name):
    path = project.folder / name
    if kind == "FIFO":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "socket":
        socket.socket(socket.AF_UNIX).bind(os.path.relpath(path))
    elif kind == "link to a FIFO":
        os.mkfifo(project.folder / "fifo")
        path.symlink_to("fifo")
    elif kind == "device":
        os.mknod(path, 0o666 | 0o020000, os.makedev(1, 5))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", ["FIFO", "folder", "socket", "link to a FIFO", "device"])
@pytest.mark.parametrize("name", ["prog.pathprof", "prog.pathprof.lock"])
def test_no_regular_file(prog, monkeypatch, name, kind, mode):
    monkeypatch.chdir(prog.folder)
    put(prog, kind, name)
    done = prog.run("./prog", status=STATUS, env={"PATHPROF_MODE": mode})
    assert done.stdout == "output\n"
    assert_one_line(done.stderr, f"pathrt: error: {name}: ", "not a regular file")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", ["FIFO", "folder", "device"])
def test_what_looks_like_something_left(prog, monkeypatch, kind, mode):
    """Raw files and temporaries of dead processes are looked for, and what has their names is left alone."""
    monkeypatch.chdir(prog.folder)
    for name in ("prog.pathprof.999999.raw", "prog.pathprof.999999.tmp"):
        put(prog, kind, name)
    prog.run("./prog", status=STATUS, env={"PATHPROF_MODE": mode})
    check_f(prog)
    assert prog.exists("prog.pathprof.999999.raw")


def test_somebody_has_a_lease(prog):
    """Opening a file that somebody has a lease on may take until that is broken."""
    prog.run("./prog", status=STATUS)
    with open(prog.folder / "prog.pathprof", "r+b") as file:
        fcntl.fcntl(file, fcntl.F_SETSIG, signal.SIGURG)  # ignored by default; only the main thread may set a handler
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
        done = prog.run("./prog", status=STATUS)
    assert_one_line(done.stderr, "pathrt: error: prog.pathprof: ", "cannot read", "Resource temporarily unavailable")
    check_f(prog)


def test_a_signal_ends_the_wait_for_the_lock(prog):
    """Whoever holds the lock for ever holds up the end of the program; signals still reach it."""
    with open(prog.folder / "prog.pathprof.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        child = subprocess.Popen(["./prog"], cwd=prog.folder, stdout=subprocess.DEVNULL)
        while not is_waiting_for_a_lock(child.pid):
            assert child.poll() is None
            time.sleep(0.01)
        child.terminate()
        assert child.wait() == -signal.SIGTERM


def is_waiting_for_a_lock(pid):
    with open("/proc/locks", encoding="ascii") as locks:
        return any("->" in line and f" {pid} " in line for line in locks)


def test_without_descriptors_the_wait_for_the_lock_ends(project):
    """The runtime then works in a helper process, where no signal is let through."""
    project.write("prog.c", """
#include <fcntl.h>
int
main (void)
{
  while (open ("/dev/null", O_RDONLY) >= 0)
    ;
  return 5;
}
""")
    project.gcc("-O1", "prog.c", "-o", "prog")
    with open(project.folder / "prog.pathprof.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = project.run("./prog", status=5)
    assert done.stderr == "pathrt: error: prog.pathprof: cannot lock the file (Resource temporarily unavailable)\n"


def test_nobody_reads_what_the_program_says(prog):
    """A message that nobody takes is dropped: signals are held back while it is written."""
    (prog.folder / "prog.pathprof").mkdir()
    reader, writer = os.pipe()
    fcntl.fcntl(writer, fcntl.F_SETFL, os.O_NONBLOCK)
    try:
        while True:
            os.write(writer, bytes(1 << 12))
    except BlockingIOError:
        pass
    fcntl.fcntl(writer, fcntl.F_SETFL, 0)
    child = subprocess.Popen(["./prog"], cwd=prog.folder, stdout=subprocess.DEVNULL, stderr=writer)
    assert child.wait(timeout=600) == STATUS
    os.close(reader)
    os.close(writer)


def limited():
    """A program that reads a file of gigabytes whole does not get the memory for it."""
    resource.setrlimit(resource.RLIMIT_AS, (1 << 28, 1 << 28))


@pytest.mark.parametrize("name", ["prog.pathprof", "prog.pathprof.999999.raw"])
@pytest.mark.parametrize("start", [b"", b"something else", b"\x89PATHPF\n"])
def test_a_large_file_that_is_no_profile(prog, name, start):
    path = prog.folder / name
    with open(path, "wb") as file:
        file.write(start + bytes(40))
        file.truncate(4 << 30)
    done = subprocess.run(["./prog"], cwd=prog.folder, capture_output=True, text=True, timeout=600, check=False,
                          preexec_fn=limited)
    assert done.returncode == STATUS
    if name.endswith("raw"):
        check_f(prog)
        return
    [line] = done.stderr.splitlines()
    assert line.startswith("pathrt: error: prog.pathprof: offset ")
    assert os.stat(path).st_size == 4 << 30
    check_f(prog, line.split()[-1])


def test_a_large_file_with_a_profile_in_front(prog):
    """What is said of the length is true of the file."""
    prog.run("./prog", status=STATUS)
    size = os.stat(prog.folder / "prog.pathprof").st_size
    os.truncate(prog.folder / "prog.pathprof", 4 << 30)
    done = subprocess.run(["./prog"], cwd=prog.folder, capture_output=True, text=True, timeout=600, check=False,
                          preexec_fn=limited)
    assert done.returncode == STATUS
    assert_mentions(done.stderr, f"offset {size}", "too long")


def test_a_profile_that_says_that_it_is_longer(prog):
    prog.run("./prog", status=STATUS)
    data = bytearray(prog.read("prog.pathprof"))
    data[16:24] = struct.pack("<Q", 1 << 40)
    (prog.folder / "prog.pathprof").write_bytes(data)
    assert_mentions(prog.run("./prog", status=STATUS).stderr, "prog.pathprof", "truncated")
