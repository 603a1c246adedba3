# SPDX-License-Identifier: GPL-3.0-or-later
"""pathdump record -p: a running process is switched on for a while, and what it counted meanwhile is reported."""

import contextlib
import json
import os
import pathlib
import signal
import subprocess

import pytest

from conftest import BIN, assert_mentions, assert_one_line, plugin, wait_for

# Does what its standard input says: a number of calls of step(), and letters, see main().
PROGRAM = """\
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <pathrt.h>

__attribute__ ((noinline)) int
step (int x)
{
  return x & 1 ? x * 3 : x + 1;
}

static int sum;

static void *
work (void *n)
{
  for (long i = 0; i < (long) n; i++)
    sum += step ((int) i);
  return NULL;
}

static void
mine (int signal)
{
  (void) signal;
  puts ("handled");
}

static void
child (void)
{
  if (fork ())
    {
      wait (NULL);
      return;
    }
  work ((void *) 5);
  exit (0);
}

static void
closed_module (void)
{
  void *module = dlopen ("./module.so", RTLD_NOW);
  int (*twice) (int) = (int (*) (int)) dlsym (module, "twice");
  for (int i = 0; i < 6; i++)
    sum += twice (i);
  dlclose (module);
}

static void
obey (char *word)
{
  pthread_t thread;
  sigset_t all;
  sigfillset (&all);
  switch (*word)
    {
    case 'b': sigprocmask (SIG_BLOCK, &all, NULL); break;
    case 'd': if (pathrt_dump) pathrt_dump (); break;
    case 'f': child (); break;
    case 'h': signal (SIGURG, mine); break;
    case 'm': closed_module (); break;
    case 'q': exit (7);
    case 't': pthread_create (&thread, NULL, work, (void *) 9); pthread_join (thread, NULL); break;
    case 'x': execlp ("sleep", "sleep", "100", NULL); break;
    default: work ((void *) atol (word));
    }
}

int
main (void)
{
  char word[80];
  while (puts ("ready"), fflush (stdout), scanf ("%79s", word) == 1)
    obey (word);
  return 0;
}
"""


class Server:
    """The program; `do` waits until it has done what it is told."""

    def __init__(self, project, **environment):
        self.process = subprocess.Popen(["./prog"], cwd=project.folder, env={**os.environ, **environment}, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.pid = str(self.process.pid)
        assert self.process.stdout.readline() == "ready\n"

    def tell(self, word):
        self.process.stdin.write(f"{word}\n")
        self.process.stdin.flush()

    def do(self, *words):
        for word in words:
            self.tell(word)
            assert self.process.stdout.readline() == "ready\n"

    def recording(self):
        """The inode of the file in memory, None: it is not recorded."""
        return recording_of(self.pid)

    def stop(self, status=0):
        """What it wrote to standard error."""
        output, errors = self.process.communicate(timeout=900)
        assert self.process.returncode == status, errors
        assert output == ""
        return errors


def recording_of(pid):
    """The inode of the file in memory that a process has open for a recording, or None."""
    for link in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # closed since
            if os.readlink(link) == "/memfd:pathprof-recording (deleted)":
                return link.stat().st_ino
    return None


class Recorder:
    """pathdump record in the background, until `end`."""

    def __init__(self, project, server, *arguments):
        before = server.recording()
        self.process = subprocess.Popen([BIN / "pathdump", "record", "-p", server.pid, "-o", "rec.pathprof", *arguments],
                                        cwd=project.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        # The program opens the file first: what ends it from here on ends a recording.
        wait_for(lambda: self.process.poll() is not None or recording_of(self.process.pid) not in (None, before))

    def wait(self, status=0):
        output, errors = self.process.communicate(timeout=900)
        assert self.process.returncode == status, errors
        return output, errors

    def end(self):
        self.process.send_signal(signal.SIGINT)
        return self.wait()


def build(project, *arguments, switch="switch=1"):
    project.write("prog.c", PROGRAM)
    project.gcc("-O2", "-g", "-pthread", "prog.c", "-o", "prog", *plugin(switch, *arguments))


def calls(project, name, function="step"):
    return sum(path["count"] for found in project.profile(name)["functions"] if found["name"] == function
               for path in found["paths"])


def report(project, name):
    return project.pathdump.json("report", "--json", name)


def record(project, *arguments, status=0):
    return project.pathdump("record", *arguments, status=status)


# ---- what is recorded ----

@pytest.mark.parametrize("mode", ["exit", "continuous"])
@pytest.mark.parametrize("switch", ["off", "on"])
@pytest.mark.parametrize("arguments", [("update=single",), ("update=thread",), ("update=atomic", "array-max=0")],
                         ids=" ".join)
def test_what_was_counted_meanwhile(project, arguments, switch, mode):
    """Dumps in between make no difference, and the program's own profile has each path once."""
    build(project, *arguments)
    server = Server(project, PATHPROF_SWITCH=switch, PATHPROF_MODE=mode)
    server.do("100", "d", "20")
    for name, number in (("one", 37), ("two", 41)):
        recorder = Recorder(project, server)
        server.do(str(number - 9), "d", "t")
        recorder.end()
        (project.folder / "rec.pathprof").rename(project.folder / f"{name}.pathprof")
        server.do("11")
        assert calls(project, f"{name}.pathprof") == number
        project.pathdump("check", f"{name}.pathprof")
    server.process.stdin.close()
    server.process.stdin = None
    assert server.stop() == ""
    assert calls(project, "prog.pathprof") == (220 if switch == "on" else 78)
    assert report(project, "prog.pathprof")["runs"] == 1


def test_the_report(project):
    build(project)
    server = Server(project)
    recorder = Recorder(project, server)
    server.do("1000")
    output, errors = recorder.end()
    assert "step" in output and "switched on for " in output
    assert errors.startswith(f"pathdump: process {server.pid} (prog) recorded for ")
    assert errors.endswith(" s in rec.pathprof\n")
    done = record(project, "-p", server.pid, "--seconds", "0.3", "--json")
    assert json.loads(done.stdout)["switched_on_us"] >= 300000
    assert done.stderr.endswith(" s in prog.recorded.pathprof\n") and project.exists("prog.recorded.pathprof")
    assert project.run(BIN / "pathprof", "record", "-p", server.pid, "--seconds", "0.1").stdout.startswith("prog: 1 run")
    assert server.recording() is None
    server.tell("q")
    server.stop(7)


def test_by_name(project):
    build(project)
    name = f"named{os.getpid()}"
    (project.folder / "prog").rename(project.folder / name)
    (project.folder / "prog").symlink_to(name)
    servers = [Server(project, PATHPROF_FILE="%p.pathprof") for _ in range(2)]
    done = record(project, "--name", name, "--seconds", "0.1", "-o", "rec.pathprof")
    assert f"2 processes ({name}) recorded for" in done.stderr
    assert report(project, "rec.pathprof")["runs"] == 2
    for server in servers:
        server.tell("q")
        server.stop(7)


def test_a_chosen_signal(project):
    build(project)
    server = Server(project, PATHPROF_SWITCH_SIGNAL="USR1")
    server.do("h")
    recorder = Recorder(project, server)
    server.do("30")
    recorder.end()
    assert calls(project, "rec.pathprof") == 30
    server.tell("q")
    server.stop(7)


def test_modules_that_are_closed(project):
    project.write("module.c", "int twice (int x) { return x % 3 ? x * 2 : 1; }\n")
    project.gcc("-O2", "-fPIC", "-shared", "module.c", "-o", "module.so", *plugin("switch=1"))
    build(project)
    server = Server(project)
    recorder = Recorder(project, server)
    server.do("4", "m", "m")
    recorder.end()
    assert (calls(project, "rec.pathprof", "twice"), calls(project, "rec.pathprof")) == (12, 4)
    server.tell("q")
    server.stop(7)


# ---- processes that fork, end, and become others ----

def test_children_are_not_recorded(project):
    build(project)
    server = Server(project)
    recorder = Recorder(project, server)
    server.do("4", "f", "4")
    recorder.end()
    assert calls(project, "rec.pathprof") == 8
    server.tell("q")
    server.stop(7)
    assert calls(project, "prog.pathprof") == 8


@pytest.mark.parametrize("word", ["q", "x"])
def test_one_that_ends_or_becomes_another(project, word):
    build(project)
    server = Server(project)
    recorder = Recorder(project, server)
    server.do("12")
    server.tell(word)
    recorder.wait()
    assert calls(project, "rec.pathprof") == calls(project, "prog.pathprof") == 12
    if word == "x":
        assert server.process.poll() is None
        server.process.kill()
    server.stop(7 if word == "q" else -signal.SIGKILL)


def test_one_that_is_killed(project):
    build(project)
    server = Server(project)
    recorder = Recorder(project, server)
    server.process.kill()
    _, errors = recorder.wait(3)
    assert_mentions(errors.splitlines()[-1], server.pid, "killed")
    assert not project.exists("rec.pathprof")
    server.stop(-signal.SIGKILL)


def test_after_one_that_was_killed_itself(project):
    build(project)
    server = Server(project)
    recorder = Recorder(project, server)
    error = record(project, "-p", server.pid, status=3).stderr
    assert_one_line(error, f"pathdump: record: process {server.pid} (prog)", "recorded", "another")
    server.do("5")
    recorder.process.kill()
    recorder.wait(-signal.SIGKILL)
    assert server.recording() is not None
    recorder = Recorder(project, server)
    server.do("6")
    recorder.end()
    assert calls(project, "rec.pathprof") == 6
    server.tell("q")
    server.stop(7)
    assert calls(project, "prog.pathprof") == 11


# ---- what cannot be recorded, and gets no signal ----

def refused(project, server, status=3):
    error = record(project, "-p", server.pid, status=status).stderr
    assert error.startswith(f"pathdump: record: process {server.pid} (prog): ") and error.count("\n") == 1
    server.do("1")
    server.tell("q")
    assert server.stop(7) == ""
    return error


def test_without_switch(project):
    build(project, switch="switch=0")
    assert "was built without switch=1" in refused(project, Server(project))


def test_off(project):
    build(project)
    assert "PATHPROF_MODE=off" in refused(project, Server(project, PATHPROF_MODE="off"))


def test_not_instrumented(project):
    project.write("prog.c", PROGRAM)
    project.run("gcc", "-O2", "-pthread", "-I", BIN.parent / "include", "prog.c", "-o", "prog")
    assert_mentions(refused(project, Server(project)), "prog", "not instrumented", "build")


def test_a_signal_that_is_in_use(project):
    build(project)
    server = Server(project, PATHPROF_SIGNAL="URG")
    assert "set PATHPROF_SWITCH_SIGNAL to another signal" in refused(project, server)


def test_a_signal_that_is_blocked(project):
    build(project)
    server = Server(project)
    server.do("b")
    assert "signal 23" in refused(project, server)


def test_another_user(project):
    if os.getuid() != 0:
        pytest.skip("only root can be another user")
    build(project)
    server = Server(project)
    done = subprocess.run([BIN / "pathdump", "record", "-p", server.pid], cwd="/", user="nobody", capture_output=True,
                          text=True, check=False)
    if "Permission denied" in done.stderr and not done.stderr.startswith("pathdump"):
        pytest.skip("others cannot run pathdump where it was built")
    assert done.returncode == 3 and "no permission to signal" in done.stderr
    server.tell("q")
    server.stop(7)


@pytest.mark.parametrize("arguments, named", [
    (["-p", "4194304"], ["process", "4194304"]),
    (["-p", "0"], [("-p", "--pid"), "process"]),
    (["-p", "one"], ["--pid", "'one'", "number", "'pathdump record --help'"]),
    (["-p", "1", "--name", "x"], ["-p", "--name"]),
    (["--name", "no-program-of-this-name"], ["process", "'no-program-of-this-name'"]),
    (["-p", "1", "--seconds", "0"], ["--seconds", "number", "0"]),
    (["-p", "1", "--runs", "2"], ["--runs", "program"]),
    (["-p", "1", "--", "true"], ["process"]),
    (["--seconds", "3", "--", "true"], ["--seconds", "process"]),
])
def test_wrong_use(project, arguments, named):
    assert_one_line(record(project, *arguments, status=2).stderr, "pathdump: record: ", *named)
