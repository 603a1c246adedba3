# SPDX-License-Identifier: GPL-3.0-or-later
"""Where 'make install' puts files, from the build tree: below the prefix and nowhere else, and 'make uninstall' takes away
what is there of it.  testsuite/install uses what is installed."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

from conftest import BUILD, GCC, HERE

PROGRAM = "int main (void) { return 0; }\n"
# The folders of a build are those of its 'make', not of the one that runs these tests.
ENVIRONMENT = {name: value for name, value in os.environ.items()
               if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "DESTDIR") and not name.startswith("PATHPROF_")}

pytestmark = pytest.mark.skipif(not (BUILD / "Makefile").exists(), reason="needs the Makefile of the build tree")


def run(*command, cwd, env=None):
    done = subprocess.run(list(map(str, command)), cwd=cwd, env=ENVIRONMENT | (env or {}), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, f"{done.args}\n{done.stdout}{done.stderr}"
    return done.stdout


def make(goal, **variables):
    run("make", goal, *(f"{name}={value}" for name, value in variables.items()), cwd=BUILD)


def plugin_folder():
    return pathlib.Path(run(GCC, "-print-file-name=plugin", cwd=BUILD).strip()).resolve()


def prefix_of_compiler():
    match = re.fullmatch(r"(.*)/lib[^/]*/gcc/.*", str(plugin_folder()))
    if not match:
        pytest.skip("the compiler's folders are of no known form")
    return pathlib.Path(match.group(1) or "/")


def files_below(folder):
    return {path.relative_to(folder): path.lstat().st_mtime_ns for path in folder.rglob("*") if not path.is_dir()}


def check_driver(bin_folder, tmp_path):
    """It compiles with the plugin that is installed, not with one that the compiler has or that the build tree holds."""
    (tmp_path / "prog.c").write_text(PROGRAM)
    said = subprocess.run([bin_folder / "pathprof-gcc", "-###", "prog.c"], cwd=tmp_path, capture_output=True, text=True,
                          check=True, env=ENVIRONMENT).stderr
    (plugin,) = set(re.findall(r"-fplugin=([^ \"']*)", said))
    run(bin_folder / "pathprof-gcc", "prog.c", "-o", "prog", cwd=tmp_path)
    run("./prog", cwd=tmp_path)
    run(bin_folder / "pathdump", "check", "prog.pathprof", cwd=tmp_path)
    return pathlib.Path(plugin)


def test_everything_below_the_prefix(tmp_path):
    prefix, before = tmp_path / "prefix", files_below(plugin_folder())
    make("install", prefix=prefix)
    assert files_below(plugin_folder()) == before
    plugins = prefix / plugin_folder().relative_to(prefix_of_compiler())
    assert {path.name for path in plugins.iterdir()} == {"pathprof.so", "pathprof-passes.so"}
    assert check_driver(prefix / "bin", tmp_path) == plugins / "pathprof.so"
    done = run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", HERE.parent / "install", "-k",
               "TestCMake or pkg_config or without_driver or moves", cwd=tmp_path,
               env={"PATHPROF_BINDIR": str(prefix / "bin"), "PATHPROF_LIBDIR": str(prefix / "lib"),
                    "PATHPROF_INCLUDEDIR": str(prefix / "include"), "PATHPROF_PLUGINDIR": str(plugins),
                    "PATHPROF_SHAREDIR": str(prefix / "share"), "PATHPROF_GCC": GCC, "PATHPROF_BUILD": str(BUILD),
                    "PYTHONDONTWRITEBYTECODE": "1"})
    assert re.search(r"^\d+ passed", done, re.M), done


def test_uninstall(tmp_path):
    prefix = tmp_path / "prefix"
    (prefix / "bin").mkdir(parents=True)
    (prefix / "bin/other").write_text("another program\n")
    make("install", prefix=prefix)
    make("uninstall", prefix=prefix)
    assert set(files_below(prefix)) == {pathlib.Path("bin/other")}
    left = [path for path in prefix.rglob("*") if path.is_dir() and ("pathprof" in path.name or path.name in ("plugin", "gcc"))]
    assert left == []


# Staged for the compiler's own prefix the plugin lies where that compiler looks.
def test_prefix_of_the_compiler(tmp_path):
    stage, before = tmp_path / "stage", files_below(plugin_folder())
    make("install", prefix=prefix_of_compiler(), DESTDIR=stage)
    assert files_below(plugin_folder()) == before
    staged = stage / plugin_folder().relative_to("/")
    assert {path.name for path in staged.iterdir()} == {"pathprof.so", "pathprof-passes.so"}
    staged_bin = stage / prefix_of_compiler().relative_to("/") / "bin"
    assert check_driver(staged_bin, tmp_path) == staged / "pathprof.so"
    make("uninstall", prefix=prefix_of_compiler(), DESTDIR=stage)
    assert files_below(stage) == {}


@pytest.mark.parametrize("folder", ["prefix/lib/plugin", "elsewhere/plugins"])
def test_plugindir(tmp_path, folder):
    prefix, plugins = tmp_path / "prefix", tmp_path / folder
    make("install", prefix=prefix, plugindir=plugins)
    assert list(prefix.rglob("pathprof*.so")) in ([], [plugins / "pathprof.so", plugins / "pathprof-passes.so"],
                                                  [plugins / "pathprof-passes.so", plugins / "pathprof.so"])
    assert check_driver(prefix / "bin", tmp_path) == plugins / "pathprof.so"
    make("uninstall", prefix=prefix, plugindir=plugins)
    assert files_below(prefix) == files_below(plugins) == {}


def test_libdir(tmp_path):
    prefix = tmp_path / "prefix"
    make("install", prefix=prefix, libdir=prefix / "lib64")
    assert check_driver(prefix / "bin", tmp_path).is_relative_to(prefix)
