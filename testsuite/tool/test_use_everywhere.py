# SPDX-License-Identifier: GPL-3.0-or-later
"""The argument use=FILE where a build system puts it into all flags: at -O0, where nothing is optimised, the profile is
left unused with a note, and so CMake's own test programs compile."""

import pytest

from conftest import BIN, assert_mentions, need, the_error

PROFILE = "prog.pathprof"
USE = f"--pathprof-use={PROFILE}"
NOTE = f"note: pathprof: 'use={PROFILE}' has no effect at '-O0'"


@pytest.fixture
def profiled(simple):
    """PROGRAM with the profile of a run of it at -O2."""
    simple.gcc("-O2", "-g", "prog.c", "-o", "prog")
    simple.run("./prog", status=7)
    return simple


@pytest.mark.parametrize("options", [(), ("-O0",), ("-O2", "-O0"), ("-fplugin-arg-pathprof-stage=early",),
                                     ("-flto",), ("-fplugin-arg-pathprof-mode=kiter", "-fplugin-arg-pathprof-k=3"),
                                     ("-fplugin-arg-pathprof-rebuild=counts",),
                                     (f"-fplugin-arg-pathprof-weights={PROFILE}",),
                                     ("-fplugin-arg-pathprof-mode=preferential",
                                      f"-fplugin-arg-pathprof-interesting={PROFILE}"),
                                     ("-Werror", "-Wall", "-Wextra")])
def test_unoptimised(profiled, options):
    done = profiled.gcc(*options, USE, "-c", "prog.c")
    assert NOTE in done.stderr and done.stderr.count("\n") == 1
    # Nothing is counted: the build is the one that will not count.
    assert profiled.gcc(*options, USE, "prog.o", "-o", "plain").stderr == ""
    assert profiled.run("./plain", status=7).stdout == "output\n"
    assert not profiled.exists("plain.pathprof")


@pytest.mark.parametrize("level", ["-Og", "-O1", "-Os", "-Ofast"])
def test_optimised(profiled, level):
    profiled.gcc(level, "-g", "prog.c", "-o", "again")
    profiled.run("./again", status=7)
    done = profiled.gcc(level, "-g", "--pathprof-use=again.pathprof", "-fdump-ipa-pathprof-details", "-c", "prog.c")
    assert done.stderr == ""


# What the command line says of the unit counts, not what a function has.
def test_function_with_a_level_of_its_own(profiled):
    text = (profiled.folder / "prog.c").read_text()
    profiled.write("prog.c", text.replace("__attribute__ ((noinline))", '__attribute__ ((noinline, optimize ("O2")))'))
    assert NOTE in profiled.gcc(USE, "-c", "prog.c").stderr


@pytest.mark.parametrize("stage", ["source", "late"])
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_stage_that_was_asked_for(profiled, level, stage):
    error = the_error(profiled, f"use={PROFILE}", level, f"-fplugin-arg-pathprof-stage={stage}")
    assert_mentions(error, f"'use={PROFILE}'", "'stage=early'", f"'stage={stage}'")


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("mode", ["context", "piecewise"])
def test_mode_of_another_stage(profiled, level, mode):
    error = the_error(profiled, f"use={PROFILE}", level, f"-fplugin-arg-pathprof-mode={mode}")
    assert_mentions(error, f"'use={PROFILE}'", "'stage=early'", "'stage=source'", f"'mode={mode}'")


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("argument", ["use", "weights"])
def test_profile_that_cannot_be_read(profiled, level, argument):
    profiled.write("text", "not a profile\n")
    (profiled.folder / "damaged").write_bytes(profiled.read(PROFILE)[:60])
    for name, reason in (("nowhere", "No such file"), ("text", "not a pathprof profile"), ("damaged", "offset "), (".", "directory")):
        error = the_error(profiled, f"{argument}={name}", level, *([USE] if argument == "weights" else []))
        assert f"argument '{argument}': {name}: " in error and reason in error


# Where no function is compiled nothing is said.
@pytest.mark.parametrize("command", [("-E", "prog.c", "-o", "prog.i"), ("-fsyntax-only", "prog.c"), ("-M", "prog.c"),
                                     ("-c", "empty.s"), ("-c", "empty.S"), ("prog.o", "-o", "linked"), ("-v",)])
def test_commands_that_compile_nothing(profiled, command):
    profiled.write("empty.s", "")
    profiled.write("empty.S", "")
    profiled.gcc("-c", "prog.c")
    assert "pathprof: " not in profiled.gcc(USE, *command).stderr


@pytest.mark.parametrize("driver, name, text", [
    ("pathprof-g++", "one.cc", "int main () { return 0; }\n"),
    ("pathprof-gfortran", "one.f90", "program one\nend program one\n"),
])
def test_other_languages(profiled, driver, name, text):
    need(driver.replace("pathprof-", ""))
    profiled.write(name, text)
    assert NOTE in profiled.run(BIN / driver, USE, "-c", name).stderr
    assert "error" not in profiled.run(BIN / driver, "-O2", USE, "-c", name).stderr


CMAKE = """
cmake_minimum_required (VERSION 3.10)
project (test C CXX)
include (CheckCXXCompilerFlag)
check_cxx_compiler_flag (-Wextra HAS_WEXTRA)
if (NOT HAS_WEXTRA)
  message (FATAL_ERROR "-Wextra is not accepted")
endif ()
add_executable (prog prog.cc)
"""


@pytest.mark.parametrize("build_type", ["Release", "Debug"])
def test_cmake(project, build_type):
    need("cmake")
    project.write("CMakeLists.txt", CMAKE)
    project.write("prog.cc", "int main (int argc, char **) { return argc > 1; }\n")

    def build(folder, flags):
        options = [f"-DCMAKE_{language}_COMPILER={BIN}/pathprof-{driver}" for language, driver in (("C", "gcc"), ("CXX", "g++"))]
        options += [f"-DCMAKE_{language}_FLAGS={flags}" for language in ("C", "CXX")]
        project.run("cmake", "-S", ".", "-B", folder, *options, f"-DCMAKE_BUILD_TYPE={build_type}")
        return project.run("cmake", "--build", folder, env={"PATHPROF_FILE": str(project.folder / "stray.pathprof")})

    build("collect", "-O2" if build_type == "Debug" else "")
    project.run("collect/prog")
    profile = project.folder / PROFILE
    done = build("fast", f"--pathprof-use={profile}")
    assert ("has no effect" in done.stderr) == (build_type == "Debug")
    project.run("fast/prog", env={"PATHPROF_FILE": str(project.folder / "again.pathprof")})
    assert not project.exists("again.pathprof") and not project.exists("stray.pathprof")
