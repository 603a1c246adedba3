# SPDX-License-Identifier: GPL-3.0-or-later
"""Regression 13: a program may define or wrap functions of the C library, and still gets its profile."""

import pathlib
import re
import signal
import subprocess

import pytest

from conftest import BUILD
from programs import COUNTS

SOURCES = pathlib.Path(__file__).resolve().parents[2]

# The functions without a reserved name that the runtime calls, with a replacement that does nothing and reports a failure.
# doc/limits.md says what a program loses that replaces each of them.  The first four are the only ones whose replacement
# has to work: GCC itself emits calls of them for any code.
COMPILER = {"memcmp", "memcpy", "memmove", "memset"}
REPLACED = {
    "at_quick_exit": "int at_quick_exit (void (*f) (void)) { return 1; }",
    "dl_iterate_phdr": "int dl_iterate_phdr (void *f, void *data) { return 0; }",
    "getauxval": "unsigned long getauxval (unsigned long type) { return 0; }",
    "pthread_atfork": "int pthread_atfork (void *a, void *b, void *c) { return 12; }",
    "dlsym": "void *dlsym (void *a, const char *b) { return 0; }",
    "pthread_attr_destroy": "int pthread_attr_destroy (void *a) { return 12; }",
    "pthread_attr_init": "int pthread_attr_init (void *a) { return 12; }",
    "pthread_attr_setstacksize": "int pthread_attr_setstacksize (void *a, unsigned long n) { return 12; }",
    "pthread_create": "int pthread_create (void *t, void *a, void *f, void *d) { return 11; }",
    "pthread_join": "int pthread_join (unsigned long t, void *r) { return 22; }",
    "pthread_key_create": "int pthread_key_create (void *k, void *f) { return 11; }",
    "pthread_key_delete": "int pthread_key_delete (unsigned k) { return 22; }",
    "pthread_setspecific": "int pthread_setspecific (unsigned k, const void *v) { return 12; }",
}

# Functions that a test may well mock, and all that an earlier version of the runtime called.
MOCKED = """
  access at_quick_exit atexit abort calloc chmod clock_gettime clone close creat dup dup2 faccessat fallocate fchmod fchown fcntl flock
  fopen fork free fstat fstatat fstatfs ftruncate getauxval getcwd getenv gethostname getpagesize getpid gettid kill lseek lstat
  madvise malloc mkdir mmap mremap munmap nanosleep open openat opendir pathconf poll ppoll pread printf
  pthread_atfork pthread_mutex_lock pthread_mutex_unlock pthread_setcancelstate pthread_sigmask pwrite raise read readdir
  readlink realloc realpath rename secure_getenv select setenv sigaction sigaddset sigemptyset sigfillset sigismember
  signal sigpending sigprocmask sigtimedwait sleep snprintf stat statfs strcat strchr strcmp strcpy strdup strerror
  strerrordesc_np strlen strncmp strncpy strnlen strrchr strspn strtol strtoull syscall sysconf time truncate uname unlink
  unlinkat usleep vfork wait4 waitpid write writev
""".split()


def undefined(file):
    """The undefined symbols of an archive or a shared object; weak ones, too."""
    dynamic = ["-D"] if file.endswith(".so.1") else []
    text = subprocess.run(["nm", *dynamic, BUILD / "lib" / file], capture_output=True, text=True, check=True).stdout
    needed, defined = set(), set()
    for line in text.splitlines():
        fields = line.split()
        if len(fields) == 2 and fields[0] in ("U", "w", "v"):
            needed.add(fields[1].split("@")[0])
        elif len(fields) == 3:
            defined.add(fields[2].split("@")[0])
    return needed - defined


@pytest.mark.parametrize("file", ["libpathrt.a", "libpathrt-module.a", "libpathrt.so.1"])
def test_symbols(file):
    """Names that begin with an underscore are reserved for the compiler and its libraries."""
    ours = re.compile("_|pathrt_|pathprof_|environ$")  # the linker prefers the variable's other name to __environ
    names = {name for name in undefined(file) if not ours.match(name)}
    assert names <= COMPILER | set(REPLACED)
    if file == "libpathrt.a":
        assert names | {"pthread_create"} == COMPILER | set(REPLACED), "no entry is left over"  # defined by the archive, too
        limits = (SOURCES / "doc/limits.md").read_text()
        assert [name for name in names if f"`{name}`" not in limits] == []


MODES = {
    "exit": ({}, ()),
    "continuous": ({"PATHPROF_MODE": "continuous"}, ()),
    "signals": ({"PATHPROF_SIGNAL": "USR1", "PATHPROF_SWITCH": "on", "PATHPROF_TEST": "t", "PATHPROF_VERBOSE": "1"},
                ("-fplugin-arg-pathprof-switch=1",)),
    "threads": ({"PATHPROF_ARRAY_MAX": "0"}, ("-fplugin-arg-pathprof-update=thread", "-fplugin-arg-pathprof-termination=exact")),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("how", ["defined", "wrapped"])
def test_mocks_that_must_not_be_called(project, mode, how):
    env, options = MODES[mode]
    project.write("prog.c", COUNTS.replace("NUMBER", "100"))
    names = sorted(set(MOCKED))
    wrap = "__wrap_" if how == "wrapped" else ""
    project.write("mocks.c", "".join(f"void {wrap}{name} (void) {{ __builtin_trap (); }}\n" for name in names))
    project.run("gcc", "-w", "-fno-builtin", "-c", "mocks.c")
    project.gcc("-O0", "-g", *options, "prog.c", "mocks.o", "-o", "prog",
                *(f"-Wl,--wrap={name}" for name in names if how == "wrapped"))
    project.run("./prog", env=env)
    project.run("./prog", env=env)
    project.run("./prog", "trap", env={"PATHPROF_MODE": "continuous", **env}, status=-signal.SIGILL)
    project.run("./prog", env={**env, "PATHPROF_MODE": "exit"})
    assert project.entries("f") == 400


@pytest.mark.parametrize("mode", MODES)
def test_replacements_that_fail(project, mode):
    """The functions that are called all the same."""
    env, options = MODES[mode]
    project.write("prog.c", COUNTS.replace("NUMBER", "100"))
    project.write("mocks.c", "\n".join(REPLACED.values()))
    project.run("gcc", "-w", "-fno-builtin", "-c", "mocks.c")
    project.gcc("-O0", "-g", *options, "prog.c", "mocks.o", "-o", "prog")
    project.run("./prog", env={**env, "PATHPROF_SWITCH": "50%/1s"})
    project.run("./prog", env=env)
    assert project.entries("f") >= 100
    assert project.profile()["runs"] == 2
