# SPDX-License-Identifier: GPL-3.0-or-later
"""The drivers pathprof-gcc and pathprof-g++, the plugin's arguments, and programs built with them."""

import concurrent.futures
import os
import shutil

import pytest

from conftest import (
    BIN, BUILD, COMPILERS, GCC, PROGRAM, STATUS, assert_mentions, assert_one_line, check_f, need, plugin_compiler,
    the_error, version_of,
)

PLUGIN = BUILD / "lib/pathprof/pathprof.so"

# ---- compiling and linking ----


def test_one_word(simple):
    simple.gcc("-O2", "-g", "prog.c", "-o", "prog")
    simple.run("./prog", status=STATUS)
    check_f(simple)


def test_output_and_status_are_the_programs_own(simple):
    simple.gcc("prog.c", "-o", "prog")
    done = simple.run("./prog", status=STATUS)
    assert (done.stdout, done.stderr) == ("output\n", "")


def test_two_steps(simple):
    simple.gcc("-O2", "-c", "prog.c")
    simple.gcc("prog.o", "-o", "prog")
    simple.run("./prog", status=STATUS)
    check_f(simple)


def test_default_output_name(simple):
    simple.gcc("prog.c")
    simple.run("./a.out", status=STATUS)
    check_f(simple, "a.out.pathprof")


@pytest.mark.parametrize("options", [
    "-O0", "-O3", "-Og", "-fno-pie -no-pie", "-static", "-static-pie", "-pthread", "-pg", "--coverage",
    "-fcf-protection=full", "-fsanitize=address,undefined", "-fsanitize=thread", "-flto",
    "-flto -ffat-lto-objects", "-ffunction-sections -fdata-sections -Wl,--gc-sections",
    "-Wl,--gc-sections,-z,start-stop-gc", "-fuse-ld=gold",
    "-mcmodel=medium", "-fprofile-generate", "-Wall -Wextra -Werror", "-save-temps", "-pipe", "-g3",
    "-fstack-protector-all", "-D_FORTIFY_SOURCE=2 -O2", "-fno-plt -Wl,-z,now", "-fanalyzer",
    "-fno-toplevel-reorder", "-fopenmp", "-ftrapv", "-fnon-call-exceptions -fexceptions"])
@pytest.mark.parametrize("stage", ["source", "early", "late"])
def test_options(simple, options, stage):
    if "-fuse-ld=gold" in options:
        need("ld.gold")
    words = [*options.split(), f"-fplugin-arg-pathprof-stage={stage}"]
    simple.gcc("-O1", *words, "-c", "prog.c")
    simple.gcc("-O1", *words, "prog.o", "-o", "prog")
    done = simple.run("./prog", status=STATUS)
    assert (done.stdout, done.stderr) == ("output\n", "")
    check_f(simple)


def test_source_from_standard_input(project):
    project.gcc("-x", "c", "-", "-o", "prog", stdin=PROGRAM)
    project.run("./prog", status=STATUS)
    check_f(project)


def test_lines_need_no_debug_information(simple):
    simple.gcc("-O2", "-g0", "prog.c", "-o", "prog")
    simple.run("./prog", status=STATUS)
    f = next(f for f in simple.profile()["functions"] if f["name"] == "f")
    assert (f["file"], f["line"]) == ("prog.c", 6)
    assert {line for block in f["blocks"] for line in block["lines"]} >= {8, 9, 10}


def test_stripped_program(simple):
    simple.gcc("-O2", "-s", "prog.c", "-o", "prog")
    simple.run("strip", "--strip-all", "prog")
    simple.run("./prog", status=STATUS)
    check_f(simple)


def test_prefix_map(simple):
    simple.gcc(f"-ffile-prefix-map={simple.folder}=/mapped", simple.folder / "prog.c", "-o", "prog")
    simple.run("./prog", status=STATUS)
    assert {f["file"] for f in simple.profile()["functions"]} == {"/mapped/prog.c"}


def test_link_without_runtime(simple):
    simple.gcc("-c", "prog.c")
    done = simple.run("gcc", "prog.o", "-o", "prog", status=1)
    assert "lpathrt" in done.stderr


def test_link_with_plain_compiler_and_runtime(simple):
    simple.gcc("-c", "prog.c")
    simple.run("gcc", "prog.o", "-o", "prog", f"-L{BUILD}/lib", "-lpathrt")
    simple.run("./prog", status=STATUS)
    check_f(simple)


def test_plugin_without_driver(simple):
    compiler = plugin_compiler()
    simple.run(compiler, f"-fplugin={PLUGIN}", "prog.c", "-o", "prog", f"-L{BUILD}/lib", "-lpathrt")
    simple.run("./prog", status=STATUS)
    check_f(simple)


def test_uninstrumented_objects_mix_in(simple):
    simple.write("other.c", "int f (int n);\nint g (int n) { return f (n) + 1; }\n")
    simple.run("gcc", "-c", "other.c")
    simple.gcc("prog.c", "other.o", "-o", "prog")
    simple.run("./prog", status=STATUS)
    assert set(simple.functions()) == {"f", "main"}


def write_program_with_library(project):
    """prog, which calls twice() of libtwice.so beside it, both instrumented; lib.c is the library's source."""
    project.write("lib.c", "int twice (int n) { return n > 1 ? 2 * n : n; }\n")
    project.write("prog.c", """
int twice (int n);
int main (void) { return twice (1) + twice (2) + twice (3) - 11; }
""")
    project.gcc("-fPIC", "-shared", "lib.c", "-o", "libtwice.so")
    project.gcc("prog.c", "-L.", "-ltwice", "-Wl,-rpath,$ORIGIN", "-o", "prog")


def test_shared_library(project):
    write_program_with_library(project)
    project.run("./prog")
    assert project.functions() == {"main": [1], "twice": [1, 2]}


def test_shared_library_that_is_not_instrumented_takes_its_place(project):
    """The linker saw the instrumented library, and must not have relied on the runtime in it."""
    write_program_with_library(project)
    project.run("gcc", "-fPIC", "-shared", "lib.c", "-o", "libtwice.so")
    project.run("./prog")
    assert project.functions() == {"main": [1]}
    project.gcc("-fPIC", "-shared", "lib.c", "-o", "libtwice.so")
    (project.folder / "prog.pathprof").unlink()
    project.run("./prog")
    project.run("./prog")
    assert project.functions() == {"main": [2], "twice": [2, 4]}
    assert project.profile()["runs"] == 2


def test_shared_library_opened_at_run_time(project):
    project.write("lib.c", "int twice (int n) { return n > 1 ? 2 * n : n; }\n")
    project.write("prog.c", """
#include <dlfcn.h>
int main (void)
{
  void *library = dlopen ("./libtwice.so", RTLD_NOW);
  int (*twice) (int) = (int (*) (int)) dlsym (library, "twice");
  int sum = twice (1) + twice (2) + twice (3);
  dlclose (library);
  return sum - 11;
}
""")
    project.gcc("-fPIC", "-shared", "lib.c", "-o", "libtwice.so")
    project.gcc("prog.c", "-o", "prog", "-ldl")
    project.run("./prog")
    assert project.functions() == {"main": [1], "twice": [1, 2]}


def test_static_library(simple):
    simple.write("lib.c", "int g (int n) { return n + 1; }\n")
    simple.write("user.c", "int g (int n);\nint main (void) { return g (-1); }\n")
    simple.gcc("-c", "lib.c")
    simple.run("ar", "rcs", "libg.a", "lib.o")
    simple.gcc("user.c", "-L.", "-lg", "-o", "prog")
    simple.run("./prog")
    assert simple.functions() == {"main": [1], "g": [1]}


# ---- what an object says of its functions ----


@pytest.mark.parametrize("options", [[], ["-flto", "-O2"]])
def test_static_functions_of_one_name(project, options):
    for unit, calls in (("a", 1), ("b", 2)):
        project.write(f"{unit}.c", f"""
static __attribute__ ((noinline)) int
helper (int n)
{{
  return n {'+ 1' if unit == 'a' else '> 5 ? 1 : 2'};
}}

int
{unit} (void)
{{
  return {' + '.join(['helper (1)'] * calls)};
}}
""")
    project.write("prog.c", "int a (void), b (void);\nint main (void) { return a () + b () > 100; }\n")
    # Stage source, so that equal calls stay two.
    project.gcc("-fplugin-arg-pathprof-stage=source", *options, "a.c", "b.c", "prog.c", "-o", "prog")
    project.run("./prog")
    helpers = [f for f in project.profile()["functions"] if f["name"] == "helper"]
    assert sorted((f["file"], sum(p["count"] for p in f["paths"])) for f in helpers) \
        == [("a.c", 1), ("b.c", 2)]


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_template_in_two_units(project, level):
    project.write("above.h", """
template <typename T> __attribute__ ((noinline)) bool above (T n)
{
  if (n > 2)
    return true;
  return false;
}
""")
    for unit, calls in (("a", "above (1) + above (3)"), ("b", "above (4) + above (5)")):
        project.write(f"{unit}.cc", f'#include "above.h"\nint {unit} () {{ return {calls}; }}\n')
    project.write("prog.cc", "int a (), b ();\nint main () { return a () + b () - 3; }\n")
    project.gxx(level, "a.cc", "b.cc", "prog.cc", "-o", "prog")
    project.run("./prog")
    assert project.functions()["_Z5aboveIiEbT_"] == [1, 3]
    names = [f["demangled"] for f in project.profile()["functions"]]
    assert "bool above<int>(int)" in names
    assert "executed" in project.pathdump("path", "prog.pathprof", "above<int>", "0").stdout


def test_shared_objects_with_functions_of_one_name(project):
    project.write("a.c", "int init (int n) { if (n > 1) return 2; return 1; }\n")
    project.write("b.c", "\nint init (int n) { if (n > 3) return 4; return 3; }\n")
    project.write("c.c", "int init (int n) { while (n > 1) n--; return n; }\n")
    project.write("prog.c", """
#include <dlfcn.h>
int main (void)
{
  int sum = 0;
  for (int library = 0; library < 2; library++)
    {
      int (*init) (int) = (int (*) (int)) dlsym (dlopen (library ? "./b.so" : "./a.so", RTLD_NOW), "init");
      for (int n = 0; n < 3 + library; n++)
        sum += init (n);
    }
  return dlopen ("./c.so", RTLD_NOW) == 0;
}
""")
    for name in ("a", "b", "c"):
        project.gcc("-fPIC", "-shared", f"{name}.c", "-o", f"{name}.so")
    project.gcc("prog.c", "-o", "prog", "-ldl")
    project.run("./prog")
    inits = [f for f in project.profile()["functions"] if f["name"] == "init"]
    assert sorted((f["file"], sorted(p["count"] for p in f["paths"])) for f in inits) \
        == [("a.c", [1, 2]), ("b.c", [4]), ("c.c", [])]


def test_unexecuted_functions_are_listed(project):
    project.write("prog.c", "void never (void) {}\nint main (void) { return 0; }\n")
    project.gcc("prog.c", "-o", "prog")
    project.run("./prog")
    assert project.functions() == {"main": [1], "never": []}


# ---- the driver passes through ----


def test_version(project):
    done = project.gcc("--version")
    assert "Free Software Foundation" in done.stdout and done.stderr == ""
    assert project.gcc("-dumpfullversion").stdout.strip() == version_of(plugin_compiler())


def test_preprocess_only(simple):
    done = simple.gcc("-E", "prog.c")
    assert "main (void)" in done.stdout and done.stderr == ""


def test_compile_to_assembler(simple):
    simple.gcc("-S", "prog.c")
    assert b"pathprof_units" in simple.read("prog.s")
    simple.gcc("prog.s", "-o", "prog")
    simple.run("./prog", status=STATUS)
    check_f(simple)


def test_dependencies(simple):
    simple.write("header.h", "")
    simple.write("user.c", '#include "header.h"\n')
    assert simple.gcc("-MM", "user.c").stdout == "user.o: user.c header.h\n"
    simple.gcc("-MMD", "-c", "user.c")
    assert simple.read("user.d") == b"user.o: user.c header.h\n"


def test_response_file(simple):
    simple.write("options", "-O2 prog.c -o prog")
    simple.gcc("@options")
    simple.run("./prog", status=STATUS)
    check_f(simple)


def test_arguments_with_spaces(simple):
    simple.write("with space.c", PROGRAM.replace('"output"', "TEXT"))
    simple.gcc('-DTEXT="two words"', "with space.c", "-o", "the program")
    assert simple.run("./the program", status=STATUS).stdout == "two words\n"
    check_f(simple, "the program.pathprof")


def test_errors_are_the_compilers_own(project):
    project.write("prog.c", "int main (void) { return undeclared; }\n")
    done = project.gcc("-c", "prog.c", status=1)
    assert "undeclared" in done.stderr and "pathprof" not in done.stderr
    assert not project.exists("prog.o")


def test_link_to_the_driver(simple):
    (simple.folder / "bin").mkdir()
    (simple.folder / "bin/my-gcc").symlink_to(BIN / "pathprof-gcc")
    simple.run("bin/my-gcc", "prog.c", "-o", "prog")
    simple.run("./prog", status=STATUS)
    check_f(simple)


def test_driver_in_the_path(simple):
    environment = {"PATH": f"{BIN}:{os.environ['PATH']}"}
    simple.run("sh", "-c", "pathprof-gcc prog.c -o prog", env=environment)
    simple.run("./prog", status=STATUS)
    check_f(simple)


def test_cplusplus_driver(project):
    project.write("prog.cc", """
#include <iostream>
int main () { std::cout << "C++\\n"; }
""")
    project.gxx("prog.cc", "-o", "prog")
    assert project.run("./prog").stdout == "C++\n"
    assert project.functions()["main"] == [1]


def test_make(simple):
    simple.write("twice.c", "int twice (int n) { return 2 * n; }\n")
    simple.write("user.c", "int twice (int n);\nint main (void) { return twice (0); }\n")
    simple.write("Makefile", "prog: user.o twice.o\n\t$(CC) $(LDFLAGS) -o $@ $^\n")
    simple.run("make", f"CC={BIN}/pathprof-gcc", "CFLAGS=-O2 -Wall -Werror", env={"MAKEFLAGS": ""})
    simple.run("./prog")
    assert simple.functions() == {"main": [1], "twice": [1]}


def test_cmake(simple):
    need("cmake")
    simple.write("CMakeLists.txt", """
cmake_minimum_required (VERSION 3.10)
project (test C CXX)
add_library (twice SHARED twice.cc)
add_executable (prog prog.c)
target_link_libraries (prog twice)
""")
    simple.write("twice.cc", 'extern "C" int twice (int n) { return 2 * n; }\n')
    simple.write("prog.c", "int twice (int n);\nint main (void) { return twice (0); }\n")
    simple.run("cmake", "-S", ".", "-B", "out", f"-DCMAKE_C_COMPILER={BIN}/pathprof-gcc",
               f"-DCMAKE_CXX_COMPILER={BIN}/pathprof-g++", "-DCMAKE_BUILD_TYPE=Release")
    simple.run("cmake", "--build", "out")
    simple.run("out/prog")
    assert simple.functions() == {"main": [1], "twice": [1]}


def test_cmake_finds_link_time_optimisation(simple):
    """Projects ask whether it works, and leave it out silently where the compiler's own archiver is not found."""
    need("cmake")
    simple.write("CMakeLists.txt", """
cmake_minimum_required (VERSION 3.10)
project (test C CXX)
include (CheckIPOSupported)
check_ipo_supported (RESULT works OUTPUT why LANGUAGES C CXX)
message (STATUS "optimised when linked: ${works} ${why}")
set (CMAKE_INTERPROCEDURAL_OPTIMIZATION TRUE)
add_library (twice STATIC twice.cc)
add_executable (prog prog.c)
target_link_libraries (prog twice)
""")
    simple.write("twice.cc", 'extern "C" int twice (int n) { return 2 * n; }\n')
    simple.write("prog.c", "int twice (int n);\nint main (void) { return twice (0); }\n")
    told = simple.run("cmake", "-S", ".", "-B", "out", f"-DCMAKE_C_COMPILER={BIN}/pathprof-gcc",
                      f"-DCMAKE_CXX_COMPILER={BIN}/pathprof-g++", "-DCMAKE_BUILD_TYPE=Release").stdout
    assert "optimised when linked: YES" in told, told
    simple.run("cmake", "--build", "out")
    simple.run("out/prog")
    assert simple.functions() == {"main": [1], "twice": [1]}


def test_tools_for_archives_are_the_compilers_own(simple):
    major = version_of(BIN / "pathprof-gcc").split(".")[0]
    for tool in ("gcc-ar", "gcc-nm", "gcc-ranlib"):
        expected = simple.run(GCC.replace("gcc", tool), "--version").stdout
        assert simple.run(BIN / f"pathprof-{tool}", "--version", env={"PATHPROF_GCC": GCC}).stdout == expected
        assert simple.run(BIN / f"pathprof-{tool}-{major}", "--version").stdout == expected
    done = simple.run(BIN / "pathprof-gcc-ar", "--version", status=1, env={"PATHPROF_GCC": "gcc-none"})
    assert_one_line(done.stderr, "pathprof-gcc-ar: ", "gcc-ar-none")


def test_what_the_driver_refuses(simple):
    done = simple.run(BIN / "pathprof-gcc", "prog.c", status=1, env={"PATHPROF_GCC": "/usr/bin/clang-14"})
    assert_one_line(done.stderr, "pathprof-gcc: /usr/bin/clang-14", "not GCC", "PATHPROF_GCC", "--pathprof-gcc")
    done = simple.run(BIN / "pathprof-gcc", "--pathprof-use", "a.pathprof", "prog.c", status=1)
    assert_one_line(done.stderr, "pathprof-gcc: --pathprof-use", "--pathprof-use=FILE")


def test_ccache(simple):
    need("ccache")
    environment = {"CCACHE_DIR": str(simple.folder / "cache")}
    objects = []
    for _ in range(2):
        simple.run("ccache", BIN / "pathprof-gcc", "-O2", "-c", "prog.c", env=environment)
        objects.append(simple.read("prog.o"))
        (simple.folder / "prog.o").unlink()
    assert objects[0] == objects[1]
    statistics = simple.run("ccache", "--print-stats", env=environment).stdout
    hits = dict(line.split("\t") for line in statistics.splitlines())
    assert int(hits["direct_cache_hit"]) == 1


def test_ccache_looks_into_a_profile(project):
    """An object comes out of the cache as long as the profile holds the same, and no longer; whatever the file's time."""
    need("ccache")
    environment = {"CCACHE_DIR": str(project.folder / "cache")}
    project.write("prog.c", """\
int work (int n) { int sum = 0; for (int i = 0; i < n; i++) sum += i % 3 ? i : -i; return sum; }
int main (int argc, char **argv) { (void) argv; return work (argc * 100) == 1; }
""")
    project.gcc("-O2", "prog.c", "-o", "prog")

    def misses_and_hits():
        project.run("ccache", "-z", env=environment)
        project.run("ccache", BIN / "pathprof-gcc", "-O2", "-fprofile-use=prog.pathprof", "-c", "prog.c", env=environment)
        counts = dict(line.split("\t") for line in project.run("ccache", "--print-stats", env=environment).stdout.splitlines())
        return int(counts["cache_miss"]), int(counts["direct_cache_hit"]) + int(counts["preprocessed_cache_hit"])

    project.run("./prog")
    first = project.read("prog.pathprof")
    assert misses_and_hits() == (1, 0)
    plain = project.read("prog.o")
    assert misses_and_hits() == (0, 1)
    os.utime(project.folder / "prog.pathprof", (1, 1))
    assert misses_and_hits() == (0, 1)
    project.run("./prog", "more", "words")
    assert project.read("prog.pathprof") != first
    assert misses_and_hits() == (1, 0)
    (project.folder / "prog.pathprof").write_bytes(first)
    assert misses_and_hits() == (0, 1)
    assert project.read("prog.o") == plain


def test_gccs_own_profiles_stay_gccs(simple):
    simple.run("gcc", "-O2", "-fprofile-generate", "prog.c", "-o", "plain")
    simple.run("./plain", status=None)
    simple.gcc("-O2", "-fprofile-use=.", "-c", "prog.c")
    done = simple.gcc("-O2", "-fprofile-use=none.pathprof", "-c", "prog.c", status=1)
    assert "pathprof: argument 'use': none.pathprof" in done.stderr


@pytest.mark.parametrize("source", ["prog.c", "prog.cc"])
def test_dependencies_have_the_profile(project, source):
    """So that make compiles again when it changes; the main file stays first."""
    project.write(source, "int main (void) { return 0; }\n")
    project.write("scheme", "* mode=acyclic\n")
    driver = project.gxx if source.endswith(".cc") else project.gcc
    driver("-O2", source, "-o", "prog")
    project.run("./prog")
    for argument, file in (("--pathprof-use=prog.pathprof", "prog.pathprof"),
                           ("-fplugin-arg-pathprof-weights=prog.pathprof", "prog.pathprof"),
                           ("-fplugin-arg-pathprof-scheme=scheme", "scheme")):
        driver("-O2", "-MMD", "-MP", "-fplugin-arg-pathprof-stage=early", argument, "-c", source)
        assert (project.folder / "prog.d").read_text().split("\n")[0] == f"prog.o: {source} {file}"
    driver("-O2", "-MMD", "-c", source)
    assert (project.folder / "prog.d").read_text() == f"prog.o: {source}\n"


# ---- the plugin's arguments ----


@pytest.mark.parametrize("argument, accepted", [
    ("stage=middle", ["source", "early", "late"]),
    ("stage=", ["source", "early", "late"]),
    ("stage", ["source", "early", "late"]),
    ("mode=random", ["acyclic", "kiter", "kipf", "intracontext"]),
    ("overflow=cutt", ["cut", "skip"]),
    ("paths-max=0", ["1"]),
    ("paths-max=-1", ["1"]),
    ("paths-max=1e3", ["1"]),
    ("paths-max=99999999999999999999", ["4611686018427387903"]),
    ("array-max=many", ["0", "1000000000"]),
    ("verbose=2", ["0", "1"]),
    ("include=", ["globs"]),
    ("exclude=a,,b", ["globs"]),
    ("update=fast", ["single", "atomic", "thread"]),
    ("termination=kind", ["basic", "exact"]),
    ("metric=cycles", ["none", "tsc"]),
])
def test_wrong_argument(simple, argument, accepted):
    key, _, value = argument.partition("=")
    error = the_error(simple, argument)
    assert f"'{key}'" in error and f"'{value}'" in error
    assert all(word in error for word in accepted)


def test_scheme_file(simple):
    simple.write("scheme", "# comment\n\n  f  array-max=0  update=atomic\nprog.c termination=exact\nma*n array-max=0\n"
                           "main array-max=6000\n")
    simple.gcc("-O1", "-fplugin-arg-pathprof-scheme=scheme", "prog.c", "-o", "prog")
    simple.run("./prog", status=STATUS)
    functions = simple.functions_by_name()
    assert (functions["f"]["storage"], functions["main"]["storage"]) == ("hash", "array")
    assert {function["termination"] for function in functions.values()} == {"exact"}


@pytest.mark.parametrize("line, named", [
    ("f stage=early", ["'stage'", "function", "array-max"]),
    ("f colour=red", ["'colour'", "function", "array-max"]),
    ("f weights=prog.pathprof", ["'weights'", "function", "array-max"]),
    ("f", ["'f'", "KEY=VALUE"]),
    ("f metric=time", ["'metric'", "'time'", "none or tsc"]),
    ("f update", ["'update'", "''", "single, atomic or thread"]),
    ("f array-max=x", ["'array-max'", "'x'", "number"]),
])
def test_wrong_scheme_file(simple, line, named):
    simple.write("scheme", f"# first\n{line}\n")
    assert_mentions(the_error(simple, "scheme=scheme"), "scheme:2", *named)


def test_unreadable_scheme_file(simple):
    error = the_error(simple, "scheme=nowhere/scheme")
    assert "'nowhere/scheme'" in error and "No such file" in error


def test_unknown_argument(simple):
    error = the_error(simple, "colour=red")
    assert "unknown" in error and "'colour'" in error
    assert {"mode", "stage", "array-max", "paths-max", "overflow", "include", "exclude",
            "verbose"} <= set(error.replace(",", "").split())


def test_one_error_for_two_wrong_arguments(simple):
    assert "'stage'" in the_error(simple, "stage=x", "-fplugin-arg-pathprof-mode=y")


@pytest.mark.parametrize("argument", ["paths-max=1", "paths-max=4611686018427387903", "array-max=0",
                                      "array-max=1000000000", "mode=acyclic", "overflow=skip",
                                      "stage=early", "verbose=0"])
def test_accepted_values(simple, argument):
    done = simple.gcc(f"-fplugin-arg-pathprof-{argument}", "-c", "prog.c")
    assert done.stderr == ""


@pytest.mark.parametrize("stage", ["source", "early", "late"])
def test_modules(project, stage):
    """Inline functions of a module's interface are counted where they are imported, too."""
    project.write("shapes.cc", """\
export module shapes;
export int area (int w, int h) { return w < 0 ? 0 : w * h; }
export inline int sign (int a) { if (a < 0) return -1; return a > 0; }
""")
    project.write("prog.cc", """\
import shapes;
int main (int argc, char **)
{
  int sum = 0;
  for (int i = -2; i < 5; i++)
    sum += area (i, argc) + sign (i);
  return sum != 12;
}
""")
    project.gxx("-std=c++20", "-fmodules-ts", "-O2", f"-fplugin-arg-pathprof-stage={stage}", "shapes.cc", "prog.cc", "-o", "prog")
    project.run("./prog")
    (area,) = [counts for name, counts in project.functions().items() if name.endswith("4areaii")]
    assert area == [2, 5]
    lcov = project.pathdump("export", "--format=lcov", "prog.pathprof").stdout
    # The first call's value is known, and GCC 11 leaves nothing of its line behind at the late stage.
    assert "DA:3,7" in lcov or (stage == "late" and "DA:3,6" in lcov)


def test_another_compiler(simple):
    version = version_of(plugin_compiler())
    others = [c for c in COMPILERS if shutil.which(c) and version_of(c) != version]
    if not others:
        pytest.skip("no other GCC is installed")
    for other in others:
        done = simple.run(other, f"-fplugin={PLUGIN}", "-c", "prog.c", status=1)
        assert version in done.stderr and version_of(other) in done.stderr
        assert "version" in done.stderr and "internal compiler error" not in done.stderr


def test_32_bit_target(simple):
    done = simple.gcc("-m32", "-S", "-x", "c", "-", stdin="int f (void) { return 0; }\n", status=1)
    assert "64-bit" in done.stderr


CHAIN = "static volatile int sink;\nint f (int n)\n{\n" + "".join(
    f"  if (n & {1 << bit}) sink = {bit};\n" for bit in range(10)) + "  return n;\n}\n" \
    "int main (void) { return f (0); }\n"


def test_verbose_names_what_is_cut(project):
    project.write("prog.c", CHAIN)
    notes = project.notes("-fplugin-arg-pathprof-paths-max=100", "-fplugin-arg-pathprof-verbose=1")
    assert len(notes) == 1
    assert notes[0].startswith("prog.c:2:5: note: pathprof: 'f' has 1024 paths; truncation points: ")


def test_verbose_names_what_is_left_out(project):
    project.write("prog.c", CHAIN)
    notes = project.notes("-fplugin-arg-pathprof-paths-max=100", "-fplugin-arg-pathprof-overflow=skip",
                          "-fplugin-arg-pathprof-verbose=1")
    assert len(notes) == 1
    assert notes[0].startswith("prog.c:2:5: note: pathprof: 'f' is left out: 1024 paths")


def test_silent_by_default(project):
    project.write("prog.c", CHAIN)
    assert project.notes("-fplugin-arg-pathprof-paths-max=100") == []
    assert project.notes("-fplugin-arg-pathprof-verbose=1") == []


SEVERAL = {
    "one.c": "int one_a (void) { return 0; }\nint one_b (void) { return 0; }\n",
    "sub/two.c": "int two_a (void) { return 0; }\n",
    "main.c": "int one_a (void), one_b (void), two_a (void);\n"
              "int main (void) { return one_a () + one_b () + two_a (); }\n",
}


@pytest.mark.parametrize("arguments, functions", [
    (["include=one_*"], {"one_a", "one_b"}),
    (["include=one_a,two_a"], {"one_a", "two_a"}),
    (["exclude=one_*"], {"two_a", "main"}),
    (["include=*_a", "exclude=two*"], {"one_a"}),
    (["include=one.c"], {"one_a", "one_b"}),
    (["exclude=sub/*"], {"one_a", "one_b", "main"}),
    (["exclude=two.c,main"], {"one_a", "one_b"}),
    (["include=one_a", "include=main"], {"one_a", "main"}),
])
def test_include_and_exclude(project, arguments, functions):
    for name, text in SEVERAL.items():
        project.write(name, text)
    project.gcc(*(f"-fplugin-arg-pathprof-{a}" for a in arguments), *SEVERAL, "-o", "prog")
    project.run("./prog")
    assert set(project.functions()) == functions


def test_everything_excluded(simple):
    simple.gcc("-fplugin-arg-pathprof-exclude=*", "prog.c", "-o", "prog")
    assert simple.run("./prog", status=STATUS).stdout == "output\n"
    assert not simple.exists("prog.pathprof")


def test_include_a_cplusplus_name(project):
    project.write("prog.cc", """
namespace space { int f () { return 0; } int g () { return 0; } }
int main () { return space::f () + space::g (); }
""")
    project.gxx("-fplugin-arg-pathprof-include=space::f*", "prog.cc", "-o", "prog")
    project.run("./prog")
    assert set(project.functions()) == {"_ZN5space1fEv"}


@pytest.mark.parametrize("dump", ["-fdump-ipa-pathprof", "-fdump-tree-pathprof"])
def test_dump(simple, dump):
    simple.gcc(dump, "-O2", "-c", "prog.c")
    dumps = [file for file in simple.folder.iterdir() if file.name.endswith(".pathprof")]
    assert len(dumps) == 1 and "f" in dumps[0].read_text()


def test_choices_in_the_dump(project):
    project.write("prog.c", "int f (int x, int y) { int r = x; if (x & y) r = y + 3; return r; }\n")
    project.gcc("-fdump-tree-pathprof", "-O2", "-c", "prog.c")
    dump = next(file for file in project.folder.iterdir() if file.name.endswith(".pathprof"))
    assert "before branch of" in dump.read_text() and "cond ?" in dump.read_text()


def test_dump_into_a_named_file(simple):
    simple.gcc("-fdump-ipa-pathprof=the-dump", "-c", "prog.c")
    assert simple.exists("the-dump")


# ---- the profile of a run ----


def test_two_runs_merge(simple):
    simple.gcc("prog.c", "-o", "prog")
    for _ in range(2):
        simple.run("./prog", status=STATUS)
    assert simple.profile()["runs"] == 2
    check_f(simple, times=2)


def test_runs_at_the_same_time_merge(simple):
    simple.gcc("prog.c", "-o", "prog")
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for future in [pool.submit(simple.run, "./prog", status=STATUS) for _ in range(40)]:
            future.result()
    assert simple.profile()["runs"] == 40
    check_f(simple, times=40)


def test_rebuilt_but_unchanged_program_merges(simple):
    for _ in range(2):
        simple.gcc("prog.c", "-o", "prog")
        simple.run("./prog", status=STATUS)
    check_f(simple, times=2)


def test_changed_program_keeps_the_old_profile(simple):
    simple.gcc("prog.c", "-o", "prog")
    simple.run("./prog", status=STATUS)
    old = simple.read("prog.pathprof")
    simple.write("prog.c", PROGRAM.replace("sink = n;", "sink = n > 1 ? n : 0;"))
    simple.gcc("prog.c", "-o", "prog")
    done = simple.run("./prog", status=STATUS)
    assert done.stdout == "output\n"
    assert done.stderr.count("\n") == 1 and "prog.pathprof" in done.stderr, done.stderr
    others = [file for file in simple.folder.iterdir()
              if file.name.startswith("prog.pathprof.") and not file.name.endswith(".lock")]
    assert len(others) == 1 and others[0].read_bytes() == old
    assert others[0].name in done.stderr
    assert simple.profile()["runs"] == 1
    assert simple.functions()["f"] == [1, 1, 1]


def test_no_left_over_files(simple):
    simple.gcc("prog.c", "-o", "prog")
    before = set(os.listdir(simple.folder))
    simple.run("./prog", status=STATUS)
    created = set(os.listdir(simple.folder)) - before
    assert created - {"prog.pathprof.lock"} == {"prog.pathprof"}


@pytest.mark.parametrize("pattern, file", [
    ("other", "other"),
    ("%e.data", "prog.data"),
    ("out/of/%e/here", "out/of/prog/here"),
    ("%q{NAME}-%%", "value-%"),
    ("%t/temporary", "tmp/temporary"),
])
def test_file_patterns(simple, pattern, file):
    (simple.folder / "tmp").mkdir()
    simple.gcc("prog.c", "-o", "prog")
    simple.run("./prog", status=STATUS, env={"PATHPROF_FILE": pattern, "NAME": "value",
                                             "TMPDIR": str(simple.folder / "tmp")})
    check_f(simple, file)
    assert not simple.exists("prog.pathprof")


def test_file_pattern_with_process_number(simple):
    simple.gcc("prog.c", "-o", "prog")
    for _ in range(2):
        simple.run("./prog", status=STATUS, env={"PATHPROF_FILE": "profiles/%p-%h"})
    files = [file for file in (simple.folder / "profiles").iterdir() if file.suffix != ".lock"]
    assert len(files) == 2
    for file in files:
        process, _, host = file.name.partition("-")
        assert process.isdigit() and host == os.uname().nodename
        check_f(simple, file)


def test_fork(project):
    project.write("prog.c", """
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int sink;
static void f (int in_child) { if (in_child) sink = 1; else sink = 2; }
int main (void)
{
  f (0);
  if (fork () == 0)
    {
      f (1);
      exit (0);
    }
  wait (NULL);
  return 0;
}
""")
    project.gcc("-fplugin-arg-pathprof-stage=source", "prog.c", "-o", "prog")
    project.run("./prog")
    assert project.functions()["f"] == [1, 1]


def test_first_constructor_and_last_destructor(project):
    project.write("prog.c", """
static volatile int sink;
__attribute__ ((constructor (101))) static void first (void) { if (sink == 0) sink = 1; }
__attribute__ ((destructor (101))) static void last (void) { if (sink == 1) sink = 2; }
int main (void) { return 0; }
""")
    project.gcc("prog.c", "-o", "prog")
    project.run("./prog")
    assert project.functions() == {"first": [1], "last": [1], "main": [1]}


def test_quick_exit(project):
    project.write("prog.c", "#include <stdlib.h>\nint main (void) { quick_exit (0); }\n")
    project.gcc("prog.c", "-o", "prog")
    project.run("./prog")
    assert project.functions()["main"] == [1]


def test_unwritable_file(simple):
    simple.gcc("prog.c", "-o", "prog")
    done = simple.run("./prog", status=STATUS, env={"PATHPROF_FILE": "/dev/null/no"})
    assert done.stdout == "output\n"
    assert done.stderr.startswith("pathrt: error: /dev/null/no: ") and done.stderr.count("\n") == 1


# Not even root can make files there.
@pytest.mark.skipif(not os.path.isdir("/sys/kernel"), reason="needs a file system that nobody can write to")
@pytest.mark.parametrize("mode", ["exit", "continuous"])
def test_read_only_folder(simple, mode):
    simple.gcc("prog.c", "-o", "prog")
    done = simple.run("./prog", status=STATUS, env={"PATHPROF_FILE": "/sys/kernel/p.pathprof", "PATHPROF_MODE": mode})
    assert done.stdout == "output\n"
    assert done.stderr.startswith("pathrt: error: /sys/kernel/p.pathprof: ") and done.stderr.count("\n") == 1
    assert done.stderr.endswith("; set PATHPROF_FILE to a writable file\n")


def test_switched_off(simple):
    simple.gcc("prog.c", "-o", "prog")
    done = simple.run("./prog", status=STATUS, env={"PATHPROF_MODE": "off"})
    assert done.stderr == "" and not simple.exists("prog.pathprof")


def test_damaged_profile_is_not_overwritten(simple):
    simple.gcc("prog.c", "-o", "prog")
    simple.write("prog.pathprof", "this is somebody's file\n")
    done = simple.run("./prog", status=STATUS)
    assert done.stderr.count("\n") == 1
    kept = [file for file in simple.folder.iterdir()
            if file.is_file() and file.read_bytes() == b"this is somebody's file\n"]
    assert len(kept) == 1


# ---- determinism ----


@pytest.mark.parametrize("options", [["-O0"], ["-O2", "-g"], ["-O2", "-flto", "-ffat-lto-objects"]])
def test_same_object_every_time(simple, options):
    if "-flto" in options:
        options = [*options, "-frandom-seed=1"]
    objects = []
    for _ in range(3):
        simple.gcc(*options, "-c", "prog.c")
        objects.append(simple.read("prog.o"))
    assert objects[0] == objects[1] == objects[2]


def test_object_names_the_mapped_folder_only(project):
    objects = []
    for folder in ("here", "there"):
        project.write(f"{folder}/prog.c", PROGRAM)
        project.run("sh", "-c", f"cd {folder} && {BIN}/pathprof-gcc -O2 -ffile-prefix-map={project.folder}/{folder}=/src -c prog.c")
        objects.append(project.read(f"{folder}/prog.o"))
    assert objects[0] == objects[1]


def test_same_profile_every_time(simple):
    simple.gcc("-fplugin-arg-pathprof-array-max=1", "prog.c", "-o", "prog")
    for name in ("one", "two"):
        simple.run("./prog", status=STATUS, env={"PATHPROF_FILE": name})
    assert simple.read("one") == simple.read("two")


@pytest.mark.parametrize("option", ["-flto", "-ffat-lto-objects", "-flto-partition=none"])
def test_late_is_given_when_linking_too(simple, option):
    options = ["-O2", "-flto", option]
    late = "-fplugin-arg-pathprof-stage=late"
    simple.gcc(*options, late, "-c", "prog.c")
    refused = simple.gcc(*options, "prog.o", "-o", "prog", status=1)
    assert "stage=late" in refused.stderr and "link command" in refused.stderr
    simple.gcc(*options, late, "prog.o", "-o", "prog")
    simple.run("./prog", status=7)
    assert simple.functions("prog.pathprof")
