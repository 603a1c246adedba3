# SPDX-License-Identifier: GPL-3.0-or-later
"""pathprof record names the tests of test runners: ctest, meson test, make check, pytest, GoogleTest and Catch2."""

import pathlib
import sys

import pytest

from conftest import BIN, need

# Calls step as often as the first argument says. With a second argument, it fails.
PROGRAM = """\
#include <stdlib.h>
__attribute__ ((noinline)) int
step (void)
{
  static int n;
  return ++n;
}
int
main (int argc, char **argv)
{
  for (int i = 0; i < atoi (argv[1]); i++)
    step ();
  return argc > 2;
}
"""
CTEST = """\
cmake_minimum_required (VERSION 3.19)
project (p NONE)
enable_testing ()
add_test (NAME one COMMAND {folder}/prog 1)
add_test (NAME "odd; [x \\"y\\" $z \\\\ #" COMMAND {folder}/prog 2)
add_test (NAME environment COMMAND sh -c "test \\"$FOO,$BAR,$#,$2\\" = 'a,b;c,2,d;e' && exec {folder}/prog 3" sh "" "d;e")
set_tests_properties (environment PROPERTIES ENVIRONMENT "FOO=a;BAR=b\\\\;c")
add_test (NAME own COMMAND {folder}/prog 4)
set_tests_properties (own PROPERTIES ENVIRONMENT PATHPROF_TEST=mine)
add_test (NAME fails COMMAND {folder}/prog 5 x)
add_subdirectory (sub)
"""
SUBDIRECTORY = "add_test (NAME sub COMMAND sh -c \"test -f cmake_install.cmake && exec {folder}/prog 6\")\n"
IN_CTEST = {"one": 1, 'odd; [x "y" $z \\ #': 2, "environment": 3, "mine": 4, "fails": 5, "sub": 6}


def record(project, *command, status=0, options=(), env=None):
    return project.run(BIN / "pathprof", "record", "-o", project.folder / "all.pathprof", *options, "--", *command,
                       status=status, env=env)


def steps(project, profile="all.pathprof"):
    """Returns the number of calls of step per test."""
    report = project.pathdump.json("tests", "--json", "--which", "step:0", profile)
    return {test["name"]: test["count"] for test in report["which"]}


def runs(project):
    return {test["name"]: test["runs"] for test in project.pathdump.json("tests", "--json", "all.pathprof")["tests"]}


@pytest.fixture
def prog(project):
    project.write("prog.c", PROGRAM)
    project.gcc("prog.c", "-o", "prog")
    return project


@pytest.fixture
def in_cmake(prog):
    need("ctest")
    prog.write("CMakeLists.txt", CTEST.replace("{folder}", str(prog.folder)))
    prog.write("sub/CMakeLists.txt", SUBDIRECTORY.replace("{folder}", str(prog.folder)))
    prog.run("cmake", "-S", ".", "-B", "b")
    return prog


def test_ctest(in_cmake):
    before = sorted(path.name for path in (in_cmake.folder / "b").iterdir())
    test_file = in_cmake.read("b/CTestTestfile.cmake")
    done = record(in_cmake, "ctest", "--test-dir", "b", "-j2", "--output-junit", "../junit.xml", status=8)
    assert steps(in_cmake) == IN_CTEST and set(runs(in_cmake).values()) == {1}
    assert "83% tests passed, 1 tests failed out of 6" in done.stdout
    assert done.stderr.endswith("next: pathprof tests all.pathprof\n")
    assert "fails" in in_cmake.read("junit.xml").decode()
    assert in_cmake.read("b/Testing/Temporary/LastTestsFailed.log").decode().endswith(":fails\n")
    assert sorted(path.name for path in (in_cmake.folder / "b").iterdir()) == sorted(before + ["Testing"])
    assert in_cmake.read("b/CTestTestfile.cmake") == test_file


def test_ctest_in_the_build_directory(in_cmake):
    """The tests that failed before are known, and a report is written to the build directory."""
    in_cmake.run("ctest", "--test-dir", "b", status=8)
    done = in_cmake.run("sh", "-c", f"cd b && exec {BIN}/pathprof record -o ../all.pathprof -- ctest --rerun-failed "
                        "--output-junit junit.xml", status=8)
    assert "0% tests passed, 1 tests failed out of 1" in done.stdout
    assert set(steps(in_cmake)) == {"fails"} and b"fails" in in_cmake.read("b/junit.xml")


def test_ctest_with_a_dashboard(in_cmake):
    """include(CTest) writes DartConfiguration.tcl, which names the directory in which CTest runs."""
    in_cmake.write("CMakeLists.txt", in_cmake.read("CMakeLists.txt").decode().replace("enable_testing ()", "include (CTest)"))
    in_cmake.run("cmake", "b")
    before = {path.name: path.is_file() and path.read_text() for path in (in_cmake.folder / "b").iterdir()}
    assert "DartConfiguration.tcl" in before
    record(in_cmake, "ctest", "--test-dir", "b", status=8)
    assert steps(in_cmake) == IN_CTEST
    record(in_cmake, "ctest", "--test-dir", "b", "-T", "Test", "--no-compress-output", status=8)
    assert set(runs(in_cmake).values()) == {2}
    (in_build,) = (in_cmake.folder / "b").glob("Testing/*/Test.xml")
    assert "<Name>environment</Name>" in in_build.read_text()
    # The configuration runs in the build directory itself.
    record(in_cmake, "sh", "-c", "cd b && exec ctest -T Configure", status=3)
    record(in_cmake, "ctest", "--test-dir", "b", "-D", "ExperimentalConfigure", status=3)
    assert set(runs(in_cmake).values()) == {2}
    after = {path.name: path.is_file() and path.read_text() for path in (in_cmake.folder / "b").iterdir()}
    assert after == before


def test_other_uses_of_ctest(in_cmake):
    assert record(in_cmake, "ctest", "--version", status=3).stdout == in_cmake.run("ctest", "--version").stdout
    record(in_cmake, "ctest", "--test-dir", "b", "-R", "one", options=["--no-test-names"])
    assert runs_without_tests(in_cmake) == 1
    record(in_cmake, "ctest", "--test-dir", "b", "-R", "one", env={"PATHPROF_TEST": "all"})
    assert steps(in_cmake) == {"all": 1}


def runs_without_tests(project):
    project.pathdump("tests", "all.pathprof", status=3)
    return project.pathdump.json("export", "all.pathprof")["runs"]


def test_meson(prog):
    need("meson")
    prog.write("meson.build", """\
project ('p')
p = find_program ('./prog')
test ('one', p, args: ['1'])
test ('two', p, args: ['2'], suite: 'unit', env: ['FOO=1'])
test ('fails', p, args: ['3', 'x'])
add_test_setup ('slow', exe_wrapper: ['env', 'WRAPPED=1'])
""")
    prog.run("meson", "setup", "b")
    plain = prog.run("meson", "test", "-C", "b", status=1)
    done = record(prog, "meson", "test", "-C", "b", status=1)
    assert done.stdout.splitlines()[-9:-6] == plain.stdout.splitlines()[-9:-6]
    found = {name.rpartition(" / ")[2].rpartition(":")[2]: count for name, count in steps(prog).items()}
    assert found == {"one": 1, "two": 2, "fails": 3}
    for name in steps(prog):
        assert name in done.stdout
    record(prog, "meson", "test", "-C", "b", "--setup", "slow", "one")
    record(prog, "meson", "test", "-C", "b", "--wrapper", "env WRAPPED=1", "one")
    assert sorted(runs(prog).values()) == [1, 1, 3]


def test_meson_keeps_the_environment(prog):
    """The tests inherit the user's PYTHONPATH, and the user's sitecustomize is imported."""
    need("meson")
    prog.write("site/sitecustomize.py", "import os\nos.environ['CUSTOMIZED'] = '1'\n")
    prog.write("meson.build", "project ('p')\ntest ('env', find_program ('./check'))\n")
    prog.write("check", f'#!/bin/sh\ntest "$PYTHONPATH,$CUSTOMIZED" = {prog.folder}/site,1 && exec {prog.folder}/prog 1\n')
    prog.run("chmod", "+x", "check")
    prog.run("meson", "setup", "b")
    record(prog, "meson", "test", "-C", "b", env={"PYTHONPATH": str(prog.folder / "site")})
    assert list(steps(prog).values()) == [1]


AUTOMAKE = {
    "configure.ac": """\
AC_INIT([p], [1])
AC_CONFIG_AUX_DIR([aux])
AC_REQUIRE_AUX_FILE([tap-driver.sh])
AM_INIT_AUTOMAKE([foreign])
AC_PROG_AWK
AC_CONFIG_FILES([Makefile sub/Makefile serial/Makefile])
AC_OUTPUT
""",
    "Makefile.am": """\
SUBDIRS = sub . serial
AM_TESTS_ENVIRONMENT = FOO=1
TESTS_ENVIRONMENT = BAR='x y'
TESTS = a.test d/b.test
TEST_EXTENSIONS = .test
""",
    "sub/Makefile.am": """\
AM_TESTS_ENVIRONMENT = . $(srcdir)/variables; BAR='x y'; export BAR;
TESTS_ENVIRONMENT = nice
TESTS = a.test fails.test
XFAIL_TESTS = fails.test
TEST_EXTENSIONS = .test
TEST_LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/aux/tap-driver.sh
""",
    "sub/variables": "FOO=1; export FOO\n",
    "serial/Makefile.am": "AUTOMAKE_OPTIONS = serial-tests\nTESTS = s.test\nTESTS_ENVIRONMENT = FOO=1 BAR='x y'\n",
}
IN_AUTOMAKE = {"a.test": 1, "d/b.test": 2, "sub/a.test": 3, "sub/fails.test": 4, "serial/s.test": 5}


def test_automake(prog):
    need("autoreconf")
    need("automake")
    for name, text in AUTOMAKE.items():
        prog.write(name, text)
    for name, count in IN_AUTOMAKE.items():
        result = "not ok" if "fails" in name else "ok"
        prog.write(name, f"#!/bin/sh\ntest \"$FOO,$BAR\" = '1,x y' || exit 99\n{prog.folder}/prog {count}\n"
                   f"echo 1..1\necho {result} 1\n")
        (prog.folder / name).chmod(0o755)
    prog.run("autoreconf", "-fi")
    prog.run("sh", "-c", "mkdir b && cd b && ../configure -q")
    plain = prog.run("make", "-C", "b", "check", "-j2")
    done = record(prog, "make", "-C", "b", "check", "-j2")
    assert steps(prog) == IN_AUTOMAKE and set(runs(prog).values()) == {1}
    assert sorted(line for line in done.stdout.splitlines() if "PASS" in line or "FAIL" in line) == sorted(
        line for line in plain.stdout.splitlines() if "PASS" in line or "FAIL" in line)
    record(prog, "make", "-C", "b", "check", "TESTS=a.test", "SUBDIRS=.", "TESTS_ENVIRONMENT=BAR='x y' USER=1")
    assert runs(prog)["a.test"] == 2


PYTEST = """\
import ctypes, os, subprocess
import pytest

@pytest.mark.parametrize("count", [1, 2])
def test_program(count):
    subprocess.run(["./prog", str(count)], check=True)

def test_library():
    library = ctypes.CDLL("./libstep.so")
    for _ in range(3):
        library.step()
    assert "PYTEST_ADDOPTS" not in os.environ and os.environ.get("PYTHONPATH") == "user"

class TestGroup:
    def test_library_again(self):
        for _ in range(4):
            ctypes.CDLL("./libstep.so").step()

def test_fails():
    subprocess.run(["./prog", "5", "x"], check=True)
"""
IN_PYTEST = {"test_program[1]": 1, "test_program[2]": 2, "test_library": 3, "TestGroup::test_library_again": 4, "test_fails": 5}


@pytest.mark.parametrize("command", ["pytest-3", "python", "xdist"])
def test_pytest(prog, command):
    if command == "xdist":
        pytest.importorskip("xdist", reason="needs python3-pytest-xdist")
    words = [need("pytest-3")] if command == "pytest-3" else [sys.executable, "-m", "pytest"]
    prog.write("step.c", PROGRAM.partition("int\nmain")[0])
    prog.gcc("-shared", "-fPIC", "step.c", "-o", "libstep.so")
    prog.write("test_it.py", PYTEST)
    done = record(prog, *words, "-p", "no:cacheprovider", *(["-n2"] if command == "xdist" else []), "test_it.py", status=1,
                  env={"PYTHONPATH": "user"})
    assert "1 failed, 4 passed" in done.stdout
    found = {}
    for test, count in all_steps(prog).items():
        assert test.startswith("test_it.py::")
        found[test.partition("::")[2]] = count
    assert found == IN_PYTEST
    # The process of pytest is a run of each test after the library was loaded.
    assert {count for name, count in runs(prog).items() if not name.endswith("fails")} == {1}


def all_steps(project):
    """Returns the number of calls of step per test, in the program and in the library."""
    sums = {}
    for file in ("prog.c", "step.c"):
        report = project.pathdump.json("tests", "--json", "--which", f"{file}:step:0", "all.pathprof")
        for test in report["which"]:
            sums[test["name"]] = sums.get(test["name"], 0) + test["count"]
    return sums


LIBRARY = "int step (int n) { return n > 0 ? n : 0; }\n"
APPLICATION = "int step (int); int main () { return step (0); }\n"
GOOGLETEST = """\
#include <gtest/gtest.h>
int step (int);
TEST (Group, positive) { EXPECT_EQ (step (1), 1); EXPECT_EQ (step (2), 2); }
class Values : public testing::TestWithParam<int> {};
TEST_P (Values, negative) { EXPECT_EQ (step (GetParam ()), 0); }
INSTANTIATE_TEST_SUITE_P (All, Values, testing::Values (-1, 0));
"""
CATCH2 = """\
#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#else
#include <catch2/catch.hpp>
#endif
int step (int);
TEST_CASE ("positive, twice", "[tag]") { SECTION ("a") { REQUIRE (step (1) == 1); } SECTION ("b") { REQUIRE (step (2) == 2); } }
TEST_CASE ("negative") { REQUIRE (step (-1) == 0); }
"""
FRAMEWORKS = {"googletest": (GOOGLETEST, {"Group.positive": 2, "All/Values.negative/0": 1, "All/Values.negative/1": 1}),
              "catch2": (CATCH2, {"positive, twice": 2, "negative": 1})}


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_framework(project, framework):
    """The header can be included in all files: a program without tests is not affected."""
    source, expected = FRAMEWORKS[framework]
    include = pathlib.Path("/usr/include", {"googletest": "gtest/gtest.h", "catch2": "catch2"}[framework])
    if not include.exists():
        pytest.skip(f"{framework} is not installed")
    for name, text in {"step.cc": LIBRARY, "tests.cc": source, "app.cc": APPLICATION,
                       "main.cc": "#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n"}.items():
        project.write(name, text)
    header = ["-include", f"pathrt_{framework}.h"]
    libraries = ["-lgtest", "-lgtest_main"]
    if framework == "catch2":
        libraries = ["-lCatch2Main", "-lCatch2"]
        if (include / "catch.hpp").exists():
            # Catch2 itself is not instrumented, which would take long.
            project.run("g++", f"-I{BIN.parent}/include", *header, "-c", "main.cc", "-o", "main.o")
            libraries = ["main.o"]
    project.gxx("-Wall", "-Wextra", "-Werror", *header, "app.cc", "step.cc", "-o", "app")
    project.run("g++", f"-I{BIN.parent}/include", *header, "-Wall", "-Werror", "-c", "tests.cc", "-o", "tests.o")
    project.gxx(*header, "step.cc", "tests.o", *libraries, "-o", "tests")
    project.run("./app")
    project.run("./tests")
    found = project.pathdump.json("tests", "--json", "--by=lines", "--which", "step.cc:1", "tests.pathprof")["which"]
    assert {test["name"]: test["count"] for test in found} == expected
    (project.folder / "tests.pathprof").unlink()
    project.run("./tests", env={"PATHPROF_TEST": "mine"})
    assert [test["name"] for test in project.pathdump.json("tests", "--json", "tests.pathprof")["tests"]] == ["mine"]
