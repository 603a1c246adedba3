# SPDX-License-Identifier: GPL-3.0-or-later
"""PATHPROF_MODE=continuous: whatever ends a process, its counts are there.

PATHPROF_LONG=1 (make check-long) runs the full storm of 500 kills, PATHPROF_KILLS=N one of another size."""

import ctypes
import os
import random
import shutil
import signal
import subprocess
import time

import pytest

from conftest import BIN, BUILD, assert_one_line

CONTINUOUS = {"PATHPROF_MODE": "continuous"}
KILLS = int(os.environ.get("PATHPROF_KILLS", 500 if "PATHPROF_LONG" in os.environ else 40))

# Publishes, in a file that it maps, how often it is going to call `step` and how often it has.
STORM = """\
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

static volatile int sink;

__attribute__ ((noinline)) int
step (int n)
{
  for (int i = 0; i < n % 7; i++)
    if (n & 1 << i)
      sink = n;
  return n % 3 ? n : -n;
}

int
main (int argc, char **argv)
{
  int fd = open (argv[1], O_RDWR);
  volatile uint64_t *published = mmap (0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  for (int i = 0; argc; i++)
    {
      published[0]++;
      step (i);
      published[1]++;
    }
}
"""

COUNTING = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

static volatile int sink;

__attribute__ ((noinline)) int
f (int n)
{
  if (n % 3 == 0)
    sink = n;
  if (n & 1)
    sink = -n;
  return n;
}

static void
work (int times)
{
  for (int i = 0; i < times; i++)
    f (i);
}
"""


def program(project, source, *options, name="prog"):
    project.write(f"{name}.c", source)
    project.gcc("-O1", *options, f"{name}.c", "-o", name)


def raw_files(project):
    return sorted(path.name for path in project.folder.glob("*.raw"))


def clean(project):
    """Nothing but the profile is left."""
    left = [path.name for path in project.folder.iterdir()
            if path.name.endswith((".raw", ".tmp", ".lock"))]
    assert left == []


def run(project, *arguments, status=0, env=None, silent=True):
    done = project.run("./prog", *arguments, status=status, env={**CONTINUOUS, **(env or {})})
    if silent:
        assert done.stderr == ""
    return done


STORAGES = {
    "array": (),
    "table": ("-fplugin-arg-pathprof-array-max=0",),
    "atomic": ("-fplugin-arg-pathprof-update=atomic",),
    "thread": ("-fplugin-arg-pathprof-update=thread",),
    "thread-table": ("-fplugin-arg-pathprof-update=thread", "-fplugin-arg-pathprof-array-max=0"),
    "exact": ("-fplugin-arg-pathprof-termination=exact",),
}


def storm(project, kills, env=None):
    """Kills so many processes at random moments, and more until one came to count.  Returns how many calls they began and
    ended, and how many processes were killed."""
    published = project.folder / "published"
    published.write_bytes(bytes(4096))
    chance = random.Random(kills)
    environment = {**os.environ, **CONTINUOUS, **(env or {})}
    killed, longest = 0, 0.02
    while True:
        child = subprocess.Popen(["./prog", "published"], cwd=project.folder, env=environment)
        time.sleep(chance.uniform(0, longest))
        child.kill()
        child.wait()
        killed += 1
        begun, ended = memoryview(published.read_bytes()).cast("Q")[:2]
        if killed >= kills and ended > 0:
            return begun, ended, killed
        if killed >= kills:
            longest *= 2  # other processes are busy


@pytest.mark.parametrize("storage", STORAGES)
def test_kills_at_random_moments(project, storage):
    program(project, STORM, *STORAGES[storage])
    kills = max(KILLS // len(STORAGES), 5)
    begun, ended, killed = storm(project, kills)
    before = project.entries("step")
    assert ended <= before + killed and before <= begun
    # Adopted by pathdump, or by the next run, it is the same.
    project.write("next.c", "")
    (project.folder / "published").write_bytes(bytes(4096))
    project.pathdump("merge", "-o", "merged", "prog.pathprof")
    assert project.entries("step", "merged") == before


def test_kills_while_others_adopt(project):
    """Half of the processes end and adopt what the others left."""
    program(project, STORM.replace("argc; i++", "i < 20000; i++"))
    _, _, killed = storm(project, KILLS, {"PATHPROF_FILE": "p"})
    project.run("./prog", "published", env={"PATHPROF_FILE": "p"})
    begun, ended = memoryview((project.folder / "published").read_bytes()).cast("Q")[:2]
    assert raw_files(project) == []
    assert ended <= project.entries("step", "p") + killed
    assert project.entries("step", "p") <= begun
    clean(project)


DUMPS = STORM.replace("static volatile", "#include <pathrt.h>\nstatic volatile", 1).replace(
    "published[1]++;", "published[1]++;\n      if (i % 500 == 0)\n        pathrt_dump ();")


def test_kills_while_it_dumps(project):
    """At most what was counted while the profile was being written is lost."""
    program(project, DUMPS)
    begun, _, killed = storm(project, KILLS)
    found = project.entries("step")
    assert begun - killed <= found <= begun


def test_kills_in_parallel(project):
    """Several processes at a time that count, dump, are killed or end, and adopt what others left."""
    program(project, DUMPS.replace("argc; i++", "i < 20000; i++"))
    environment = {**os.environ, **CONTINUOUS}
    chance = random.Random(1)
    workers = 6
    for worker in range(workers):
        (project.folder / f"published{worker}").write_bytes(bytes(4096))
    for _ in range(max(KILLS // workers, 5)):
        children = [subprocess.Popen(["./prog", f"published{worker}"], cwd=project.folder, env=environment,
                                     stderr=subprocess.PIPE) for worker in range(workers)]
        for child in children:
            time.sleep(chance.uniform(0, 0.01))
            child.kill()
            assert child.stderr.read() == b""
            child.stderr.close()
            child.wait()
    begun = sum(memoryview((project.folder / f"published{worker}").read_bytes()).cast("Q")[0]
                for worker in range(workers))
    found = project.entries("step")
    assert begun - workers * max(KILLS // workers, 5) <= found <= begun
    run(project, "published0")
    assert project.entries("step") == found + 20000
    clean(project)


@pytest.mark.parametrize("sanitizer", ["thread", "address", "undefined"])
def test_sanitizers(project, sanitizer):
    program(project, THREADS, "-pthread", f"-fsanitize={sanitizer}")
    run(project)
    run(project, "kill", status=-9)
    assert project.entries("f") == 960000


@pytest.mark.parametrize("has_orphan", [False, True])
@pytest.mark.parametrize("call", ["rename", "unlink", "munmap", "flock", "pwrite64", "newfstatat"])
def test_killed_at_every_system_call(project, call, has_orphan):
    """While it writes its counts, and while it adopts what another process left."""
    if not shutil.which("strace"):
        pytest.skip("no strace")
    program(project, COUNTING + "int main (int c, char **v) { work (10); if (c > 1) __builtin_trap (); return 0; }")
    for nth in range(1, 100):
        for file in project.folder.glob("prog.pathprof*"):
            file.unlink()
        if has_orphan:
            run(project, "trap", status=-signal.SIGILL)
        done = subprocess.run(["strace", "-o", "log", "-e", f"inject={call}:signal=KILL:when={nth}", "./prog"],
                              cwd=project.folder, env={**os.environ, **CONTINUOUS}, capture_output=True,
                              check=False)
        if done.returncode == 0:
            break
        found = runs = 0
        check = subprocess.run([BIN / "pathdump", "check", "prog.pathprof"], cwd=project.folder,
                               capture_output=True, check=False)
        if check.returncode != 2: # it is there
            found, runs = project.entries("f"), project.profile()["runs"]
        assert found in (10 * has_orphan, 10 * has_orphan + 10)
        assert found // 10 <= runs <= has_orphan + 1
        project.run("./prog")
        assert project.entries("f") == found + 10
        clean(project)


def test_exit_removes_the_file(project):
    program(project, COUNTING + "int main (void) { work (30); return 0; }")
    run(project)
    run(project)
    assert project.entries("f") == 60
    assert project.profile()["runs"] == 2
    clean(project)


def test_is_there_while_it_runs(project):
    program(project, COUNTING + "int main (void) { work (30); puts (\"x\"); fflush (stdout); pause (); }")
    child = subprocess.Popen(["./prog"], cwd=project.folder, env={**os.environ, **CONTINUOUS},
                             stdout=subprocess.PIPE)
    child.stdout.readline()
    [raw] = raw_files(project)
    assert raw == f"prog.pathprof.{child.pid}.raw"
    assert project.entries("f", raw) == 30
    # It is nobody's orphan.
    project.pathdump("check", "prog.pathprof", status=2)
    child.kill()
    child.wait()
    child.stdout.close()
    assert project.entries("f") == 30


def test_an_owner_that_closed_the_descriptor_is_alive(project):
    program(project, COUNTING + """
int main (int argc, char **argv)
{
  for (int fd = 3; fd < 1024; fd++)
    close (fd);
  work (30);
  if (argc > 1)
    {
      unsetenv ("PATHPROF_MODE");
      system (argv[1]);
      work (30);
      if (argc > 2)
        kill (getpid (), SIGKILL);
    }
  return 0;
}""", "-fplugin-arg-pathprof-array-max=0")
    run(project, "./prog")
    assert project.entries("f") == 30 * 3
    run(project, "./prog", "kill", status=-9)
    assert project.entries("f") == 30 * 6


def test_crash(project):
    program(project, COUNTING + "int main (void) { work (30); __builtin_trap (); }")
    run(project, status=-signal.SIGILL)
    assert project.entries("f") == 30


@pytest.mark.parametrize("storage", STORAGES)
def test_fork(project, storage):
    program(project, COUNTING + """
int main (int argc, char **argv)
{
  work (10);
  for (int i = 0; i < 3; i++)
    if (fork () == 0)
      {
        work (100);
        if (fork () == 0)
          {
            work (1000);
            kill (getpid (), SIGKILL);
          }
        wait (0);
        return 0;
      }
  work (10);
  while (wait (0) > 0)
    ;
  kill (getpid (), SIGKILL);
}""", *STORAGES[storage])
    run(project, status=-9)
    assert project.entries("f") == 20 + 300 + 3000
    project.run("./prog", "x", status=-9)
    assert raw_files(project) == []
    assert project.entries("f") == 20 + 300 + 3000 + 300


THREADS = COUNTING.replace("#include <stdio.h>", "#include <pthread.h>\n#include <stdio.h>").replace(
    "static volatile", "static _Thread_local volatile") + """
static void *
count (void *times)
{
  work ((long) times);
  return 0;
}

int main (int argc, char **argv)
{
  for (int round = 0; round < 3; round++)
    {
      pthread_t threads[8];
      for (int i = 0; i < 8; i++)
        pthread_create (&threads[i], 0, count, (void *) 20000L);
      for (int i = 0; i < 8; i++)
        pthread_join (threads[i], 0);
    }
  if (argc > 1)
    kill (getpid (), SIGKILL);
}
"""


@pytest.mark.parametrize("raised", [None, "100"])
@pytest.mark.parametrize("storage", ["atomic", "thread", "thread-table"])
def test_threads(project, storage, raised):
    program(project, THREADS, "-pthread", *STORAGES[storage])
    env = {"PATHPROF_ARRAY_MAX": raised} if raised else None
    run(project, env=env)
    assert project.entries("f") == 480000
    run(project, "kill", status=-9, env=env)
    assert project.entries("f") == 960000
    project.run("./prog", env=env)
    assert project.entries("f") == 1440000
    clean(project)


LIBRARY = """\
__attribute__ ((noinline)) int
g (int n)
{
  return n > 5 ? n : -n;
}
"""
OPENER = COUNTING + """
#include <dlfcn.h>

int main (int argc, char **argv)
{
  work (10);
  for (int round = 0; round < 3; round++)
    {
      void *library = dlopen ("./lib.so", RTLD_NOW);
      int (*g) (int) = (int (*) (int)) dlsym (library, "g");
      for (int i = 0; i < 10; i++)
        g (i);
      if (argc > 1 && round == 1)
        kill (getpid (), SIGKILL);
      dlclose (library);
      work (10);
    }
  return 0;
}
"""


@pytest.mark.parametrize("file", ["prog.pathprof", "%m"])
def test_shared_objects(project, file):
    project.write("lib.c", LIBRARY)
    project.gcc("-O1", "-shared", "-fPIC", "lib.c", "-o", "lib.so")
    program(project, OPENER, "-ldl")
    run(project, "kill", status=-9, env={"PATHPROF_FILE": file})
    if file == "%m":
        assert len(raw_files(project)) == 2
        run(project, env={"PATHPROF_FILE": file})
        clean(project)
        return
    assert project.entries("f") == 20 and project.entries("g") == 20
    assert project.profile()["runs"] == 1
    run(project)
    assert project.entries("f") == 60 and project.entries("g") == 50
    assert project.profile()["runs"] == 2
    clean(project)


def test_patterns_and_set_file(project):
    program(project, COUNTING.replace("#include <stdio.h>", "#include <pathrt.h>\n#include <stdio.h>") + """
int main (int argc, char **argv)
{
  work (10);
  pathrt_set_file ("second");
  work (5);
  if (argc > 1)
    kill (getpid (), SIGKILL);
}""")
    run(project, env={"PATHPROF_FILE": "deep/%p-%e"})
    run(project, "kill", status=-9, env={"PATHPROF_FILE": "deep/%p-%e"})
    assert len(list(project.folder.glob("second.*.raw"))) == 1
    assert list((project.folder / "deep").iterdir()) == []
    assert project.entries("f", "second") == 30
    assert project.profile("second")["runs"] == 2


def test_reset_and_pause(project):
    program(project, COUNTING.replace("#include <stdio.h>", "#include <pathrt.h>\n#include <stdio.h>") + """
int main (int argc, char **argv)
{
  work (1000);
  pathrt_reset ();
  work (1);
  pathrt_pause ();
  work (1000);
  switch (atoi (argv[1]))
    {
    case 0: break;
    case 1: kill (getpid (), SIGKILL);
    case 2: pathrt_dump (); work (1000); kill (getpid (), SIGKILL);
    case 3: pathrt_resume (); work (10); kill (getpid (), SIGKILL);
    case 4: pathrt_dump (); work (1000); pathrt_resume (); work (10); break;
    case 5: if (fork () == 0) { work (1000); pathrt_resume (); work (7); kill (getpid (), SIGKILL); } wait (0);
    }
}""", "-fplugin-arg-pathprof-array-max=2")
    for how, expected, status in ((0, 1, 0), (1, 1, -9), (2, 1, -9), (3, 11, -9), (4, 11, 0), (5, 8, 0)):
        run(project, how, status=status)
        assert project.entries("f") == expected, how
        for file in project.folder.glob("prog.pathprof*"):
            file.unlink()


def test_exec(project):
    program(project, COUNTING + """
int main (int argc, char **argv)
{
  work (10);
  if (argc > 1)
    execv (argv[0], argv + 1);
  return 0;
}""")
    run(project, "./prog", "./prog")
    assert project.entries("f") == 30
    project.run("./prog")
    assert project.entries("f") == 40
    clean(project)


def test_vfork_child_shares(project):
    program(project, COUNTING + """
int main (void)
{
  work (10);
  if (vfork () == 0)
    {
      work (5);
      _exit (0);
    }
  wait (0);
  work (1);
  kill (getpid (), SIGKILL);
}""")
    run(project, status=-9)
    assert project.entries("f") == 16


EXACT = """\
#include <stdlib.h>
#include <signal.h>
#include <unistd.h>

__attribute__ ((noinline)) void
leave (int how)
{
  if (how)
    exit (0);
  kill (getpid (), SIGKILL);
}

__attribute__ ((noinline)) int
f (int how)
{
  leave (how);
  return how;
}

int main (int argc, char **argv) { return f (argc > 1); }
"""


def test_exact_termination(project):
    """Open paths are counted at exit, and are what a kill loses."""
    program(project, EXACT, "-fplugin-arg-pathprof-termination=exact", "-fno-inline")
    run(project, "exit")
    assert project.entries("f") == 1
    run(project, status=-9)
    assert project.entries("f") == 1


def test_another_build(project):
    program(project, COUNTING + "int main (void) { work (10); kill (getpid (), SIGKILL); }")
    run(project, status=-9)
    program(project, COUNTING + "int main (int c, char **v) { work (20); if (c > 1) kill (getpid (), SIGKILL); }")
    run(project, "kill", status=-9)
    project.run("./prog")
    assert raw_files(project) == []
    assert project.entries("f") == 40
    kept = [path.name for path in project.folder.glob("prog.pathprof.*")]
    assert len(kept) == 1
    assert project.entries("f", kept[0]) == 10


def test_another_builds_orphan_is_named(project):
    program(project, COUNTING + "int main (void) { work (10); kill (getpid (), SIGKILL); }")
    run(project, status=-9)
    [raw] = raw_files(project)
    shutil.move(project.folder / raw, project.folder / "aside")
    program(project, COUNTING + "int main (void) { work (20); return 0; }")
    run(project)
    shutil.move(project.folder / "aside", project.folder / raw)
    assert "another build" in project.pathdump("report", "prog.pathprof").stderr
    assert project.entries("f") == 20
    assert raw_files(project) == [raw]


def test_damaged_files_stay(project):
    program(project, COUNTING + "int main (int c, char **v) { work (10); if (c > 1) kill (getpid (), SIGKILL); }")
    run(project, "kill", status=-9)
    [raw] = raw_files(project)
    path = project.folder / raw
    whole = path.read_bytes()
    for damaged in (whole[:100], whole[:5000], whole[:20] + b"\xff" * 40 + whole[60:],
                    whole[:360] + b"\xff" * 8 + whole[368:], b"\x89PATHRX\n" + whole[8:]):
        path.write_bytes(damaged)
        error = project.run("./prog").stderr
        assert error.startswith(f"pathrt: error: {raw}: offset ") and error.endswith("; left unchanged\n")
        assert error.count("\n") == 1
        assert path.read_bytes() == damaged
        note = project.pathdump("report", "prog.pathprof").stderr
        assert note.startswith(f"pathdump: note: {raw}: ") and note.count("\n") == 1
        project.pathdump("check", raw, status=3)
    path.write_bytes(bytes(4096))
    assert project.run("./prog").stderr == ""
    assert raw_files(project) == []


def test_what_is_written_already_is_not_added_again(project):
    """A process that was killed between renaming the profile and removing its file."""
    program(project, COUNTING + "int main (int c, char **v) { work (10); if (c > 1) kill (getpid (), SIGKILL); }")
    run(project, "kill", status=-9)
    [raw] = raw_files(project)
    path = project.folder / raw
    whole = bytearray(path.read_bytes())
    temporary = project.folder / "prog.pathprof.1.tmp"
    temporary.write_text("")
    name = temporary.name.encode()
    whole[88:96] = temporary.stat().st_ino.to_bytes(8, "little")
    whole[96:96 + len(name)] = name
    path.write_bytes(whole)
    assert project.entries("f") == 10  # the temporary was not renamed
    temporary.rename(project.folder / "other")
    project.pathdump("check", "prog.pathprof", status=2)
    project.run("./prog")
    assert project.entries("f") == 10
    clean(project)


@pytest.mark.parametrize("links", [("-static",), ("-static-pie",), ("-fuse-ld=gold",), ("-fuse-ld=lld",),
                                   ("-fuse-ld=lld", "-Wl,--gc-sections"), ("-Wl,--gc-sections",),
                                   ("-no-pie", "-fno-pie"), ("-flto",), ("-shared-libpathrt", f"-Wl,-rpath,{BUILD}/lib"), ("-flto", "-O2", "-fuse-ld=gold")])
def test_linkers(project, links):
    if any("gold" in link or "lld" in link for link in links):
        linker = next(link for link in links if link.startswith("-fuse-ld=")).split("=")[1]
        if not shutil.which(f"ld.{linker}"):
            pytest.skip(f"no ld.{linker}")
    source = COUNTING + "int big[5000]; int main (void) { work (10); big[7]++; kill (getpid (), SIGKILL); }"
    program(project, source, *links)
    run(project, status=-9)
    assert project.entries("f") == 10


def test_partial_links(project):
    project.write("a.c", COUNTING.replace("static void\nwork", "void\nwork"))
    project.write("b.c", "void work (int); int main (void) { work (10); __builtin_trap (); }")
    project.gcc("-O1", "-c", "a.c")
    project.gcc("-O1", "-c", "b.c")
    project.gcc("-r", "a.o", "b.o", "-o", "both.o")
    project.gcc("both.o", "-o", "prog")
    run(project, status=-signal.SIGILL)
    assert project.entries("f") == 10


def test_without_the_runtime_at_the_end(project):
    """Counters behind the runtime's are not on pages of their own."""
    project.write("lib.c", LIBRARY)
    project.gcc("-O1", "-c", "lib.c")
    program(project, COUNTING + "int g (int); int main (void) { work (10); return g (0); }",
            "-Wl,--whole-archive", "-lpathrt", "-Wl,--no-whole-archive", "lib.o")
    done = run(project, silent=False)
    assert done.stderr == ("pathrt: error: PATHPROF_MODE=continuous requires a program that was linked by pathprof-gcc; "
                           "the counts are written at exit instead\n")
    assert project.entries("f") == 10


def test_limited_file_size(project):
    program(project, COUNTING + "int main (void) { work (10); return 0; }")
    done = project.run("sh", "-c", "ulimit -f 8; exec ./prog", env=CONTINUOUS)
    assert "cannot reserve the space (File too large); the counts are written at exit instead" in done.stderr
    assert done.stderr.count("\n") == 1
    assert project.entries("f") == 10
    clean(project)


def test_limit_while_running(project):
    """There is room for the section, but not for all the slots."""
    functions = "".join(f"__attribute__ ((noinline)) int f{i} (int n) {{ return n % 3 ? n : -n; }}\n"
                        for i in range(500))
    calls = "".join(f"f{i} (n);" for i in range(500))
    program(project, COUNTING + functions + f"int main (int n, char **v) {{ work (10); {calls} return 0; }}",
            "-fplugin-arg-pathprof-array-max=0", "-fno-inline", "-O0")
    size = 4096 + os.stat(project.folder / "prog").st_size
    run(project)
    project.run("mv", "prog.pathprof", "whole")
    for blocks in range(200, 24000, 50):
        done = project.run("sh", "-c", f"ulimit -f {blocks}; exec ./prog", env=CONTINUOUS)
        assert done.stderr.count("\n") <= 1
        if "cannot grow" in done.stderr:
            break
    else:
        pytest.fail(f"no limit was hit; {size}")
    for file in list(project.folder.glob("prog.pathprof*"))[1:]:
        file.unlink()
    assert project.entries("f499", "whole") == 1
    clean(project)


def mounted(folder, size):
    libc = ctypes.CDLL(None, use_errno=True)
    return libc.mount(b"none", str(folder).encode(), b"tmpfs", 0, f"size={size}".encode()) == 0


def test_full_disk(project):
    program(project, COUNTING + """
static char zeros[1 << 20];

int main (int argc, char **argv)
{
  FILE *fill = fopen ("disk/fill", "w");
  while (fwrite (zeros, 1, sizeof zeros, fill) == sizeof zeros && !fflush (fill))
    ;
  work (10);
  fclose (fill);
  if (argc > 1)
    remove ("disk/fill");
  return 0;
}""")
    disk = project.folder / "disk"
    disk.mkdir()
    if not mounted(disk, "400k"):
        pytest.skip("cannot mount a small disk")
    try:
        run(project, "remove", env={"PATHPROF_FILE": "disk/p"})
        assert project.entries("f", "disk/p") == 10
        # What cannot be written stays in the raw file.
        done = run(project, env={"PATHPROF_FILE": "disk/p"}, silent=False)
        assert done.stderr == "pathrt: error: disk/p: cannot write (No space left on device)\n"
        assert project.entries("f", "disk/p") == 20
        (disk / "fill").unlink()
        run(project, "remove", env={"PATHPROF_FILE": "disk/p"})
        assert project.entries("f", "disk/p") == 30
        (disk / "fill").write_bytes(bytes(392 << 10))
        done = run(project, env={"PATHPROF_FILE": "disk/p"}, silent=False)
        assert "the counts are written at exit instead" in done.stderr
    finally:
        subprocess.run(["umount", disk], check=True)


def test_unwritable_folder(project):
    program(project, COUNTING + "int main (void) { work (10); return 0; }")
    done = run(project, env={"PATHPROF_FILE": "/proc/no/such/p"}, silent=False)
    assert_one_line(done.stderr, "pathrt: error: /proc/no/such/p: ", "raw file", "No such file or directory", "at exit instead")


def test_the_pid_may_be_taken(project):
    program(project, COUNTING + """
int main (void)
{
  char name[64];
  sprintf (name, "prog.pathprof.%d.raw", (int) getpid ());
  puts (name);
  execlp ("./next", "./next", (char *) 0);
}""")
    program(project, COUNTING + "int main (void) { work (10); kill (getpid (), SIGKILL); }", name="next")
    project.write("start", "#!/bin/sh\necho x > next.pathprof.$$.raw\nexec ./next\n")
    os.chmod(project.folder / "start", 0o755)
    project.run("./start", env=CONTINUOUS, status=-9)
    assert sum("-2.raw" in name for name in raw_files(project)) == 1
    assert project.entries("f", "next.pathprof") == 10
