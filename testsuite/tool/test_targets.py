# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs for other processors, which QEMU runs: their profiles equal those of the same programs on this machine.

Each target of testsuite/boards is tested for which the build contains the plugin of a cross compiler, as after
make GCC='gcc aarch64-linux-gnu-gcc-12'."""

import pathlib
import re
import shutil
import sys

import pytest

from conftest import BIN, HERE, assert_mentions, compiler_keys, plugin
from test_threads import HOT

sys.path.append(str(HERE.parent / "real"))
import gcov_lines  # noqa: E402

EMULATORS = dict(re.findall(r'pathprof,target "(.*)"\nset_board_info sim "(.*)"',
                            "".join(path.read_text() for path in (HERE.parent / "boards").glob("*.exp"))))
CROSS_KEYS = [key for key in compiler_keys() if key.rpartition("-")[0] in EMULATORS]
DOCUMENT = (HERE / "../../doc/pathprof-gcc.md").read_text(encoding="utf-8")


class Target:
    """A target with its drivers, its emulator and its cross compiler's own gcov."""

    def __init__(self, key):
        self.name, _, self.major = key.rpartition("-")
        self.processor = self.name.partition("-")[0]
        self.emulator = EMULATORS[self.name].split()

    @property
    def emulator_with_threads(self):
        """The command that runs programs with threads.  Under qemu-i386 7.2, such programs hang, also without the plugin, but
        the kernels of x86-64 machines run them."""
        if self.name != "i686-linux-gnu":
            return self.emulator
        library = "/usr/i686-linux-gnu/lib"
        return [f"{library}/ld-linux.so.2", "--library-path", library]

    def driver(self, language="gcc"):
        return BIN / f"{self.name}-pathprof-{language}-{self.major}"


@pytest.fixture(params=CROSS_KEYS or [pytest.param("", marks=pytest.mark.skip("the build has no plugin of a cross compiler"))])
def target(request):
    target = Target(request.param)
    assert shutil.which(target.emulator[0]), f"{target.emulator[0]} is not installed: install qemu-user"
    return target


# Loops, recursion, an indirect call, a switch, and exit in nested calls.
CALLS = """\
#include <stdio.h>
#include <stdlib.h>

static volatile int sink;

static int digits (unsigned n)
{
  int count = 0;
  do
    count++;
  while (n /= 10);
  return count;
}

static int collatz (unsigned n)
{
  int steps = 0;
  for (; n != 1; steps++)
    if (n % 2)
      n = 3 * n + 1;
    else
      n /= 2;
  return steps;
}

static int fibonacci (int n)
{
  return n < 2 ? n : fibonacci (n - 1) + fibonacci (n - 2);
}

static int choose (int n)
{
  switch (n % 5)
    {
    case 0: return digits (n);
    case 1: return n > 50 ? 1 : 2;
    case 2: case 3: sink = n; return 3;
    default: return n & 8 ? 4 : 5;
    }
}

static int end (int depth)
{
  if (depth == 0)
    exit (3);
  return end (depth - 1) + depth;
}

int main (int argc, char **argv)
{
  int (*volatile call[]) (unsigned) = {digits, collatz};
  int sum = 0;
  for (int i = 1; i < 100; i++)
    sum += choose (i) + call[i % 2] (i);
  printf ("%d\\n", sum + fibonacci (12));
  fflush (stdout);
  return argc > 5 ? 0 : end (6);
}
"""

THREADS = HOT[:HOT.index("int\nmain")] + """\
int
main (void)
{
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    pthread_create (&threads[i], NULL, run, (void *) 20000l);
  for (int i = 0; i < 4; i++)
    pthread_join (threads[i], NULL);
  return 0;
}
"""


def paths_of(project, name):
    """Returns a dictionary from each function to its paths with their counts."""
    return {function["name"]: {tuple(map(str, (path["id"], path["count"], path["start"], path["end"])))
                               for path in function["paths"]}
            for function in project.profile(name)["functions"]}


def profile_on(target, project, source, *options, status=0, emulator=None):
    """Returns the paths that a run on the target counts, and those of a run on this machine."""
    project.run(target.driver(), *options, source, "-o", "cross")
    project.gcc(*options, source, "-o", "native")
    printed = project.run(*(emulator or target.emulator), "./cross", status=status,
                          env={"PATHPROF_FILE": "cross.pathprof"}).stdout
    assert project.run("./native", status=status).stdout == printed
    found = paths_of(project, "cross.pathprof"), paths_of(project, "native.pathprof")
    assert found[0] and found[1]
    return found


CONFIGURATIONS = [
    ("-O2", "stage=source", "termination=exact"),
    ("-O0", "stage=early", "array-max=0", "termination=exact"),
    ("-O2", "mode=kipf", "k=3", "stage=source"),
    ("-O1", "mode=kiter", "k=2", "stage=source", "update=atomic"),
    ("-Os", "mode=context", "stage=source"),
]


@pytest.mark.parametrize("options", CONFIGURATIONS, ids=" ".join)
def test_counts_are_those_of_this_machine(target, project, options):
    project.write("prog.c", CALLS)
    level, *arguments = options
    cross, native = profile_on(target, project, "prog.c", level, "-g", *plugin(*arguments), status=3)
    assert cross == native


def test_static_program_with_tables(target, project):
    project.write("prog.c", CALLS)
    cross, native = profile_on(target, project, "prog.c", "-O1", "-static", *plugin("stage=source", "array-max=0"), status=3)
    assert cross == native


@pytest.mark.parametrize("arguments", [(), ("update=atomic",), ("mode=kipf", "update=atomic")], ids=" ".join)
def test_threads(target, project, arguments):
    project.write("prog.c", THREADS)
    cross, native = profile_on(target, project, "prog.c", "-O2", "-pthread", *plugin("stage=source", *arguments),
                               emulator=target.emulator_with_threads)
    assert cross == native
    assert sum(int(count) for _, count, start, _ in cross["hot"]) == 80000


RETURNS = CALLS.replace("exit (3)", "return 3")
STATUS = 3 + 6 + 5 + 4 + 3 + 2 + 1


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("arguments", [(), ("array-max=0", "update=atomic")], ids=" ".join)
def test_late(target, project, level, arguments):
    """All variables of the plugin are in the program, also where GCC addresses variables relative to section anchors."""
    project.write("prog.c", RETURNS)
    cross, native = profile_on(target, project, "prog.c", level, "-g", *plugin("stage=late", *arguments), status=STATUS)
    assert level != "-O0" or cross == native
    for paths in (cross, native):
        assert sum(int(count) for _, count, start, _ in paths["main"] if start == "entry") == 1


@pytest.mark.parametrize("source, status", [("jumps.c", 3), ("exceptions.cc", 0)])
def test_lines_are_those_of_the_target_s_gcov(target, project, source, status):
    project.write(source, (HERE / "gcov" / source).read_text())
    language = "g++" if source.endswith(".cc") else "gcc"
    project.run(target.driver(language), "-O0", "-g", "-w", *plugin("stage=source", "termination=exact"), source, "-o", "prog")
    printed = project.run(*target.emulator_with_threads, "./prog", status=status,
                          env={"PATHPROF_FILE": "prog.pathprof"}).stdout
    project.run(f"{target.name}-{language}-{target.major}", "-O0", "-g", "-w", "--coverage", source, "-o", "plain")
    assert project.run(*target.emulator_with_threads, "./plain", status=status).stdout == printed
    tracefile = project.pathdump("export", "--format=lcov", "--all", "prog.pathprof").stdout
    found = gcov_lines.compare(project.profile(), tracefile, project.folder, f"{target.name}-gcov-{target.major}")
    assert [str(difference) for difference in found.differing + found.differing_unfinished] == []
    assert found.equal + found.equal_unfinished > 20


SPIN = """\
static volatile unsigned sink;

__attribute__ ((noinline)) static void
spin (unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < 10000; j++)
      sink += j;
}

int
main (void)
{
  spin (1000);
  return 0;
}
"""


def test_clock(target, project):
    project.write("prog.c", SPIN)
    options = ["-O1", *plugin("metric=tsc"), "prog.c", "-o", "prog"]
    if target.processor == "arm":
        assert_mentions(project.run(target.driver(), *options, status=1).stderr, "metric=tsc", "not supported")
        return
    project.run(target.driver(), *options)
    project.run(*target.emulator, "./prog")
    cycles = {name: sum(path["cycles"] for path in function["paths"])
              for name, function in project.functions_by_name().items()}
    assert cycles["spin"] > 100 and cycles["spin"] > cycles["main"]


def test_wide_numbers(target, project):
    """Path IDs of 124 bits need integers of 128 bits."""
    project.write("prog.c", CALLS)
    options = ["-O1", *plugin("mode=context", "wide=1", "stage=source")]
    if target.processor in ("i686", "arm"):
        assert_mentions(project.run(target.driver(), *options, "-c", "prog.c", status=1).stderr, "wide=1", "not supported")
        return
    cross, native = profile_on(target, project, "prog.c", *options, status=3)
    assert cross == native


# Instructions by which a load precedes all later loads.
ACQUIRE = {"aarch64": r"\tldapr|\tldar", "riscv64": r"\tfence\tr,rw|\tfence\tiorw", "arm": r"\tdmb", "powerpc64le": r"\tisync|\tlwsync"}


def test_loads_of_forests_are_ordered(target, project):
    """The successor in a node is read after its key."""
    project.write("prog.c", CALLS)
    project.run(target.driver(), "-O2", *plugin("mode=kipf", "stage=source"), "-S", "prog.c")
    assert bool(re.search(ACQUIRE.get(target.processor, "no match"), project.read("prog.s").decode())) == \
        (target.processor in ACQUIRE)


def test_switch(target, project):
    """Profiling on demand, with and without code that is duplicated."""
    project.write("prog.c", CALLS)
    for stage in ("early", "late"):
        project.run(target.driver(), "-O2", *plugin(f"stage={stage}", "switch=1"), "prog.c", "-o", "prog")
        project.run(*target.emulator, "./prog", status=3, env={"PATHPROF_SWITCH": "on", "PATHPROF_FILE": f"{stage}.pathprof"})
        assert project.entries("main", f"{stage}.pathprof") == 1


def test_rebuild(target, project):
    """A profile of the target's program rebuilds the program, whose output stays the same."""
    project.write("prog.c", CALLS)
    project.run(target.driver(), "-O2", "prog.c", "-o", "prog")
    printed = project.run(*target.emulator, "./prog", status=3).stdout
    done = project.run(target.driver(), "-O2", "--pathprof-use=prog.pathprof", "prog.c", "-o", "rebuilt")
    assert done.stderr == ""
    assert project.run(*target.emulator, "./rebuilt", status=3).stdout == printed


def test_shared_runtime(target, project):
    project.write("prog.c", CALLS)
    library = BIN.parent / "lib/pathprof" / target.name
    project.run(target.driver(), "-O2", "-shared-libpathrt", "prog.c", "-o", "prog", f"-Wl,-rpath,{library}")
    project.run(*target.emulator, "./prog", status=3)
    assert project.entries("main") == 1


def test_killed_in_continuous_mode(target, project):
    project.write("prog.c", CALLS.replace("exit (3)", "__builtin_trap ()"))
    project.run(target.driver(), "-O1", *plugin("stage=source", "array-max=8"), "prog.c", "-o", "prog")
    project.run(*target.emulator, "./prog", status=None, env={"PATHPROF_MODE": "continuous"})
    assert project.entries("fibonacci") > 100


@pytest.mark.parametrize("where", ["command", "environment"])
def test_build(target, project, where):
    """pathprof build uses the drivers for the target of CC."""
    project.write("prog.c", CALLS)
    project.write("Makefile", "prog: prog.c\n\t$(CC) -O1 prog.c -o prog\n")
    gcc = f"CC={target.name}-gcc-{target.major}"
    words, env = ([gcc], {}) if where == "command" else ([], dict([gcc.split("=")]))
    done = project.run(BIN / "pathprof", "build", "stage=source", "--", "make", *words, env=env)
    assert "instrumented: prog;" in done.stderr and f"{target.name}-pathprof-gcc-{target.major}" in done.stderr
    project.run(*target.emulator, "./prog", status=3)
    assert project.entries("main") == 1


def test_record(target, project):
    """pathprof record runs the emulator like any other program."""
    project.write("prog.c", CALLS)
    project.run(target.driver(), "-O1", *plugin("stage=source"), "prog.c", "-o", "prog")
    done = project.run(BIN / "pathprof", "record", "--", *target.emulator, "./prog", status=3)
    assert "1 run counted in prog.pathprof" in done.stderr
    assert project.entries("main") == 1


def block_of_document(title):
    """Returns the indented block after the paragraph that begins with the title."""
    found = re.search(rf"^\*\*{title}\.\*\*.*?\n\n((?:    [^\n]*\n|\n)+)", DOCUMENT, re.M | re.S)
    return "".join(line[4:] + "\n" for line in found[1].splitlines())


def for_target(target, text):
    """Returns the document's example for AArch64, changed for another target."""
    replaced = text.replace("aarch64-linux-gnu", target.name).replace("qemu-aarch64", target.emulator[0])
    return replaced.replace("aarch64", target.processor)


@pytest.mark.skipif(not shutil.which("cmake"), reason="needs cmake")
def test_cmake_toolchain_file_of_the_document(target, project):
    project.write("toolchain.cmake", for_target(target, block_of_document("CMake toolchain file")))
    project.write("prog.c", CALLS)
    project.write("CMakeLists.txt", """cmake_minimum_required (VERSION 3.18)
project (prog C)
enable_testing ()
add_library (part STATIC part.c)
add_executable (prog prog.c)
target_link_libraries (prog part)
add_test (NAME prog COMMAND prog)
set_tests_properties (prog PROPERTIES WILL_FAIL TRUE)
""")
    project.write("part.c", "int part (int n) { return n > 3; }\n")
    path = {"PATH": f"{BIN}:/usr/local/bin:/usr/bin:/bin"}
    project.run("cmake", "-B", "build", "-DCMAKE_TOOLCHAIN_FILE=toolchain.cmake", env=path)
    project.run("cmake", "--build", "build", env=path)
    project.run("ctest", "--test-dir", "build", env=path)
    assert project.entries("main", "build/prog.pathprof") == 1


@pytest.mark.skipif(not shutil.which("meson"), reason="needs meson")
def test_meson_cross_file_of_the_document(target, project):
    project.write("cross.ini", for_target(target, block_of_document("Meson cross file")))
    project.write("prog.c", CALLS)
    project.write("meson.build", """project ('prog', 'c')
test ('prog', executable ('prog', 'prog.c'), should_fail: true)
""")
    path = {"PATH": f"{BIN}:/usr/local/bin:/usr/bin:/bin"}
    project.run("meson", "setup", "--cross-file", "cross.ini", "build", env=path)
    project.run("meson", "test", "-C", "build", env=path)
    assert project.entries("main", "build/prog.pathprof") == 1


@pytest.mark.skipif(not shutil.which("runtest"), reason="needs dejagnu")
def test_board(target, project):
    """runtest --target_board runs the programs of testsuite/pathprof.dg on the target."""
    board = pathlib.Path(target.emulator[0]).name
    done = project.run("runtest", "--tool", "pathprof", "--srcdir", HERE.parent, f"--target_board={board}", "dg.exp=if_else.c",
                       env={"DEJAGNU": str(HERE.parent / "site.exp"), "PATHPROF_BUILD": str(BIN.parent)})
    assert re.search(r"# of expected passes\s+15\b", done.stdout), done.stdout
