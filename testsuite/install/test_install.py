# SPDX-License-Identifier: GPL-3.0-or-later
"""The installed files, as a user meets them.  Run by 'make installcheck', which names the folders:
PATHPROF_BINDIR, PATHPROF_LIBDIR, PATHPROF_INCLUDEDIR, PATHPROF_PLUGINDIR (with DESTDIR), PATHPROF_GCC, and
PATHPROF_BUILD, the build tree, which nothing installed may need."""

import json
import os
import pathlib
import shutil
import subprocess

import pytest

BIN, LIB, INCLUDE, PLUGINS, BUILD = (
    pathlib.Path(os.environ[f"PATHPROF_{name}"]).resolve()
    for name in ("BINDIR", "LIBDIR", "INCLUDEDIR", "PLUGINDIR", "BUILD"))
GCC = os.environ["PATHPROF_GCC"]

# f is called 3 times: 2 positive, 1 not.  Without the runtime the weak function is absent.
PROGRAM = """\
#include <pathrt.h>
#include <stdio.h>

static volatile int sink;

__attribute__ ((noinline)) int
f (int n)
{
  if (n > 0)
    sink = n;
  return n;
}

int
main (void)
{
  for (int n = 0; n < 3; n++)
    f (n);
  if (pathrt_dump)
    pathrt_dump ();
  puts ("output");
  return 0;
}
"""


@pytest.fixture
def run(tmp_path):
    """Runs a command in the test's own folder, where prog.c is."""
    (tmp_path / "prog.c").write_text(PROGRAM)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PATHPROF_")}

    def run_command(*command, env=None):
        done = subprocess.run(list(map(str, command)), cwd=tmp_path, env=environment | (env or {}),
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=900,
                              check=False)
        assert done.returncode == 0, f"{done.args}\n{done.stdout}{done.stderr}"
        return done.stdout

    return run_command


def check_profile(run):
    assert run("./prog") == "output\n"
    run(BIN / "pathdump", "check", "prog.pathprof")
    profile = json.loads(run(BIN / "pathdump", "export", "--format=json", "prog.pathprof"))
    f = next(f for f in profile["functions"] if f["demangled"] in ("f", "f(int)"))
    assert sorted(path["count"] for path in f["paths"]) == [1, 2]
    assert "prog.c" in run(BIN / "pathdump", "prog.pathprof")


@pytest.mark.parametrize("options", ["-O0", "-O2 -g", "-O2 -flto", "-static"])
@pytest.mark.parametrize("stage", ["source", "early"])
def test_driver(run, options, stage):
    words = [BIN / "pathprof-gcc", *options.split(), f"-fplugin-arg-pathprof-stage={stage}"]
    run(*words, "-c", "prog.c")
    run(*words, "prog.o", "-o", "prog")
    check_profile(run)


def test_driver_in_the_path(run):
    run("sh", "-c", "pathprof-g++ -x c++ prog.c -o prog", env={"PATH": f"{BIN}:{os.environ['PATH']}"})
    check_profile(run)


def test_shared_library(run, tmp_path):
    (tmp_path / "lib.c").write_text("int one (void) { return 1; }\n")
    run(BIN / "pathprof-gcc", "-fPIC", "-shared", "lib.c", "-o", "libone.so")
    run(BIN / "pathprof-gcc", "prog.c", "-L.", "-Wl,--no-as-needed", "-lone", "-Wl,-rpath,$ORIGIN",
        "-o", "prog")
    check_profile(run)


def test_plugin_without_driver(run):
    run(GCC, f"-fplugin={PLUGINS}/pathprof.so", "-fplugin-arg-pathprof-stage=source", f"-I{INCLUDE}",
        "prog.c", "-o", "prog", f"-L{LIB}", "-lpathrt")
    check_profile(run)


def test_plugin_by_its_short_name(run):
    where = subprocess.run([GCC, "-print-file-name=plugin"], capture_output=True, text=True, check=True)
    if pathlib.Path(where.stdout.strip()).resolve() != PLUGINS:
        pytest.skip("the plugin is not installed where GCC looks for it")
    run(GCC, "-fplugin=pathprof", "-fplugin-arg-pathprof-stage=source", f"-I{INCLUDE}", "prog.c",
        "-o", "prog", f"-L{LIB}", "-lpathrt")
    check_profile(run)


def test_header_without_profiler(run):
    run(GCC, f"-I{INCLUDE}", "prog.c", "-o", "prog")
    assert run("./prog") == "output\n"


def test_drivers_are_links():
    for name in ("pathprof-g++", "pathprof-gfortran", "pathprof-gdc", "pathprof-gnatmake"):
        assert (BIN / name).readlink() == pathlib.Path("pathprof-gcc")


def test_nothing_names_the_build_tree():
    files = [BIN / "pathprof-gcc", BIN / "pathdump", LIB / "pathprof/pathprof.specs"]
    for file in files:
        assert f"{BUILD}/lib" not in file.read_text(encoding="latin-1"), file


def test_installed_tree_moves(run, tmp_path):
    """Driver and runtime are found relative to the driver."""
    if not (PLUGINS / "pathprof.so").is_relative_to(BIN.parent) or BIN.parent == pathlib.Path("/usr"):
        pytest.skip("the plugin is not installed below the prefix")
    moved = tmp_path / "moved"
    for folder in (BIN, LIB, INCLUDE, PLUGINS):
        shutil.copytree(folder, moved / folder.relative_to(BIN.parent), symlinks=True, dirs_exist_ok=True)
    run(moved / "bin/pathprof-gcc", "prog.c", "-o", "prog")
    check_profile(run)
