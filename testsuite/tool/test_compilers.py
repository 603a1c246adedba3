# SPDX-License-Identifier: GPL-3.0-or-later
"""Several compilers side by side: which one the drivers run, with which plugin, and what they say without one."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

from conftest import BIN, GCC, HERE, assert_mentions, assert_one_line, branch, compiler_keys

FAKE_VERSION = "99.1.0"
LANGUAGES = ("gcc", "g++", "gfortran", "gdc", "gnatmake")


def major_of(compiler):
    return subprocess.run([compiler, "-dumpversion"], capture_output=True, text=True, check=True).stdout.split(".")[0].strip()


def make_fake(folder, prefix, target=None):
    """Compilers of a version that nobody has, which print their name and their arguments.  With a target, they are cross
    compilers in the directories that Debian uses."""
    folder.mkdir(parents=True, exist_ok=True)
    library = f"{prefix}/lib/gcc-cross/{target}/99" if target else f"{prefix}/lib/gcc/target/99"
    for language in LANGUAGES:
        script = folder / (f"{target}-{language}-99" if target else f"{language}-99")
        script.write_text(f"""#!/bin/sh
case $* in
  -dumpversion) echo 99 ;;
  -dumpfullversion) echo {FAKE_VERSION} ;;
  -dumpmachine) echo {target or "target"} ;;
  -print-libgcc-file-name) echo {library}/libgcc.a ;;
  *) echo "$0"; printf '%s\\n' "$@" ;;
esac
""")
        script.chmod(0o755)
        if target:
            (folder / f"{target}-{language}").symlink_to(script)
    return folder / (f"{target}-gcc-99" if target else "gcc-99")


@pytest.fixture
def fake(tmp_path):
    return make_fake(tmp_path / "compilers", tmp_path / "usr")


def copy_of_tree(folder):
    """A build tree with the drivers and the files that they look for, none of which the fake compiler reads."""
    (folder / "bin").mkdir(parents=True)
    (folder / "lib/pathprof").mkdir(parents=True)
    shutil.copy(BIN / "pathprof-gcc", folder / "bin/pathprof-gcc")
    for language in LANGUAGES[1:]:
        (folder / f"bin/pathprof-{language}").symlink_to("pathprof-gcc")
    (folder / "lib/pathprof/pathprof.specs").touch()
    (folder / "lib/pathprof/pathprof.so").touch()
    return folder


def said_plugin(done):
    (plugin,) = set(re.findall(r"-fplugin=([^\s\"']+)", done.stdout + done.stderr))
    return plugin


def test_name_with_the_version(project):
    project.write("prog.c", "int main (void) { return 0; }\n")
    driver = BIN / f"pathprof-gcc-{major_of(GCC)}"
    project.run(driver, "prog.c", "-o", "prog", env={"PATHPROF_GCC": "no-such-compiler"})
    project.run("./prog")
    assert [f["name"] for f in project.profile()["functions"]] == ["main"]


def test_every_language_has_a_name_with_the_version():
    assert all((BIN / f"pathprof-{language}-{major_of(GCC)}").exists() for language in LANGUAGES)


def test_version_of_the_runtime_and_of_pathdump_are_one(project):
    """Whatever compiler counted, one runtime wrote the profile and one pathdump reads it."""
    majors = {key.removeprefix("gcc-") for key in compiler_keys() if key.startswith("gcc-")}
    project.write("prog.c", "int main (int argc, char **argv) { return argc > 5; }\n")
    for major in majors:
        project.run(BIN / f"pathprof-gcc-{major}", "prog.c", "-o", f"prog{major}")
        project.run(f"./prog{major}")
        assert project.pathdump.json("export", f"prog{major}.pathprof")["functions"]


def test_without_a_plugin(project, fake):
    done = project.run(BIN / "pathprof-gcc", "-c", "prog.c", env={"PATHPROF_GCC": str(fake)}, status=1)
    assert_one_line(done.stderr, "pathprof-gcc: ", "plugin", fake, f"GCC {FAKE_VERSION}", f"GCC {major_of(GCC)} ({GCC})")
    assert "make GCC=" in done.stderr


def test_compiler_that_is_not_there(project):
    done = project.run(BIN / "pathprof-g++", "-c", "prog.cc", "--pathprof-gcc=gcc-98", status=1)
    assert_one_line(done.stderr, "pathprof-g++: ", "g++-98")


@pytest.mark.parametrize("language", ["gcc", "g++", "gfortran", "gdc"])
def test_follows_the_compiler(project, fake, tmp_path, language):
    """The plugin of that version, and the compiler's companion for the language."""
    tree = copy_of_tree(tmp_path / "tree")
    (tree / "lib/pathprof/gcc-99").mkdir()
    plugin = tree / "lib/pathprof/gcc-99/pathprof.so"
    plugin.touch()
    for given, env in [([], {"PATHPROF_GCC": str(fake)}), ([f"--pathprof-gcc={fake}"], {"PATHPROF_GCC": "no-such-compiler"})]:
        done = project.run(tree / f"bin/pathprof-{language}", "-c", "prog.c", *given, env=env)
        assert done.stdout.splitlines()[0] == str(fake.with_name(f"{language}-99"))
        assert said_plugin(done) == str(plugin)
        assert "--pathprof-gcc" not in done.stdout


@pytest.mark.parametrize("prefix", ["tree", "usr"])
def test_where_gcc_has_its_own(project, fake, tmp_path, prefix):
    """Below the driver's own prefix, however the whole was moved, and in the compiler's own folder."""
    tree = copy_of_tree(tmp_path / "tree")
    folder = tmp_path / prefix / "lib/gcc/target/99/plugin"
    folder.mkdir(parents=True)
    (folder / "pathprof.so").touch()
    assert said_plugin(project.run(tree / "bin/pathprof-gcc", "-c", "prog.c", env={"PATHPROF_GCC": str(fake)})) == \
        str(folder / "pathprof.so")


@pytest.mark.parametrize("version", ["", "-99"])
@pytest.mark.parametrize("language", ["gcc", "g++"])
def test_cross_compiler_in_the_name(project, tmp_path, language, version):
    """A driver whose name begins with a target runs the cross compiler, with the plugin and the runtime for the target."""
    target = "fake-linux-gnu"
    folder = make_fake(tmp_path / "compilers", tmp_path / "usr", target).parent
    tree = copy_of_tree(tmp_path / "tree")
    (tree / f"lib/pathprof/{target}-99").mkdir()
    plugin = tree / f"lib/pathprof/{target}-99/pathprof.so"
    plugin.touch()
    driver = tree / f"bin/{target}-pathprof-{language}{version}"
    driver.symlink_to("pathprof-gcc")
    # A compiler for another target in the variable does not count.
    done = project.run(driver, "-c", "prog.c", env={"PATH": f"{folder}:{os.environ['PATH']}", "PATHPROF_GCC": GCC})
    words = done.stdout.splitlines()
    assert pathlib.Path(words[0]).name == f"{target}-{language}{version}"
    assert said_plugin(done) == str(plugin)
    assert words[-2:] == [f"-L{tree}/lib/pathprof/{target}", f"-L{tree}/lib/pathprof"]


def test_cross_plugin_in_gcc_s_own_folder(project, tmp_path):
    """Debian's cross compilers have their plugins below lib/gcc-cross."""
    target = "fake-linux-gnu"
    gcc = make_fake(tmp_path / "compilers", tmp_path / "usr", target)
    tree = copy_of_tree(tmp_path / "tree")
    folder = tree / f"lib/gcc-cross/{target}/99/plugin"
    folder.mkdir(parents=True)
    (folder / "pathprof.so").touch()
    assert said_plugin(project.run(tree / "bin/pathprof-gcc", "-c", "prog.c", env={"PATHPROF_GCC": str(gcc)})) == \
        str(folder / "pathprof.so")


def test_native_plugin_is_not_for_a_cross_compiler(project, tmp_path):
    """Not even if the versions are the same."""
    gcc = make_fake(tmp_path / "compilers", tmp_path / "usr", "fake-linux-gnu")
    for script in gcc.parent.iterdir():
        if not script.is_symlink():
            script.write_text(script.read_text().replace("/99/", f"/{major_of(GCC)}/").replace("echo 99", f"echo {major_of(GCC)}"))
    tree = copy_of_tree(tmp_path / "tree")
    done = project.run(tree / "bin/pathprof-gcc", "-c", "prog.c", env={"PATHPROF_GCC": str(gcc)}, status=1)
    assert_one_line(done.stderr, "pathprof-gcc: ", "no plugin", gcc)


def test_configure_names_the_package_of_a_cross_compiler(project, tmp_path):
    gcc = make_fake(tmp_path / "compilers", tmp_path / "usr", "fake-linux-gnu")
    done = project.run(HERE.parents[1] / "configure", f"--with-gcc={GCC} {gcc}", status=1)
    assert_mentions(done.stderr, "gcc-plugin.h of", gcc, "gcc-99-plugin-dev-fake-linux-gnu")


def test_configure_accepts_one_compiler_per_target_and_version(project):
    done = project.run(HERE.parents[1] / "configure", f"--with-gcc={GCC} {shutil.which(GCC)}", status=1)
    assert_mentions(done.stderr, "another compiler of version", major_of(GCC), "--with-gcc")


def test_gnatmake_calls_the_same_compiler(project, fake, tmp_path):
    tree = copy_of_tree(tmp_path / "tree")
    done = project.run(tree / "bin/pathprof-gnatmake", "main.adb", env={"PATHPROF_GCC": str(fake)})
    assert done.stdout.splitlines()[0] == str(fake.with_name("gnatmake-99"))
    assert f"--GCC={tree}/bin/pathprof-gcc" in done.stdout


VERSION = subprocess.run([GCC, "-dumpfullversion"], capture_output=True, text=True, check=True).stdout.strip()
PROGRAM = "int main (int argc, char **argv) { return argc > 5; }\n"


def test_profiles_name_their_compiler(project):
    project.write("prog.c", PROGRAM)
    for flags in ([], ["-flto"], ["-g0"]):
        project.run(BIN / "pathprof-gcc", *flags, "prog.c", "-o", "prog")
        project.run("./prog", env={"PATHPROF_FILE": "prog.pathprof"})
        assert project.pathdump.json("export", "prog.pathprof")["compilers"] == [VERSION]
        (project.folder / "prog.pathprof").unlink()


def test_profile_of_another_compilers_build(project, make_profile):
    """It is kept beside that of this build."""
    project.write("prog.c", PROGRAM)
    project.run(BIN / "pathprof-gcc", "prog.c", "-o", "prog")
    make_profile({"functions": [branch("main", unit="prog.c")], "sources": {"prog.c": {"compiler": "9.1.0"}}}, "prog.pathprof")
    done = project.run("./prog")
    assert_mentions(done.stderr, "another build of prog", "GCC 9.1.0", f"GCC {VERSION}")
    assert "kept as prog.pathprof." in done.stderr


def test_rebuild_with_another_compilers_profile(project, make_profile):
    """Function by function: what has the same graph is used, of the rest a warning names both compilers."""
    project.write("prog.c", """int f (int a) { return a > 3 ? a * 7 : a / 3; }
int main (int argc, char **argv) { return argc > 5 && f (argc); }
""")
    project.run(BIN / "pathprof-gcc", "-O0", "prog.c", "-o", "prog")
    project.run("./prog")
    changed = {"functions": [branch("main", unit="prog.c", file="prog.c", stage="early")], "sources": {"prog.c": {"compiler": "9.1.0"}}}
    make_profile(changed, "other.pathprof")
    done = project.run(BIN / "pathprof-gcc", "-O2", "--pathprof-use=other.pathprof", "-c", "prog.c")
    assert_mentions(done.stderr, "'main'", "graph", "GCC 9.1.0", f"GCC {VERSION}", "not used")
