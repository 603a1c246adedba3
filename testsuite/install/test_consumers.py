# SPDX-License-Identifier: GPL-3.0-or-later
"""What users' build systems are given: the CMake package, pkg-config's file, manual pages, completion; installed or in the
build tree.  The environment names the folders as in test_install.py; in the build tree there is no PATHPROF_SHAREDIR."""

import json
import os
import pathlib
import shutil
import subprocess

import pytest

HERE = pathlib.Path(__file__).resolve().parent
BIN, LIB, INCLUDE, PLUGINS = (pathlib.Path(os.environ[f"PATHPROF_{name}"]).resolve()
                              for name in ("BINDIR", "LIBDIR", "INCLUDEDIR", "PLUGINDIR"))
SHARE = os.environ.get("PATHPROF_SHAREDIR")
GCC = os.environ["PATHPROF_GCC"]
PROFILE_VARIABLES = ("PATHPROF_FILE", "PATHPROF_MODE")


def run(*command, cwd, good=True, **more):
    environment = {k: v for k, v in os.environ.items() if k not in PROFILE_VARIABLES}
    done = subprocess.run(list(map(str, command)), cwd=cwd, env=environment | more, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=900, check=False)
    assert (done.returncode == 0) == good, f"{done.args}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def functions_of(profile):
    return {function["name"]: function
            for function in json.loads(run(BIN / "pathdump", "export", profile, cwd=profile.parent))["functions"]}


def configure(folder, *options, good=True):
    gxx = GCC.replace("gcc", "g++")
    return run("cmake", "-S", HERE / "consumer", "-B", folder, f"-DCMAKE_PREFIX_PATH={LIB.parent}",
               f"-DCMAKE_C_COMPILER={GCC}", f"-DCMAKE_CXX_COMPILER={gxx}", "-DCMAKE_BUILD_TYPE=Release", *options,
               cwd=folder.parent, good=good)


def build(folder):
    return run("cmake", "--build", folder, "--verbose", cwd=folder)


@pytest.mark.skipif(shutil.which("cmake") is None, reason="needs cmake")
class TestCMake:
    def test_collect_and_rebuild(self, tmp_path):
        configure(tmp_path / "collect")
        build(tmp_path / "collect")
        assert run(tmp_path / "collect/plain", cwd=tmp_path) == "21\n"
        assert list(tmp_path.glob("*.pathprof")) == []
        assert run(tmp_path / "collect/consumer", cwd=tmp_path) == "21\n"
        profile = tmp_path / "consumer.pathprof"
        run(BIN / "pathdump", "check", profile, cwd=tmp_path)
        functions = functions_of(profile)
        assert functions["main"]["stage"] == functions["sides"]["stage"] == "early"
        assert sorted(path["count"] for path in functions["sides"]["paths"]) == [3, 3, 3]

        configure(tmp_path / "fast", f"-DPROFILE={profile}")
        build(tmp_path / "fast")
        assert run(tmp_path / "fast/consumer", cwd=tmp_path / "fast") == "21\n"
        assert not (tmp_path / "fast/consumer.pathprof").exists()
        # Objects are made of the profile, too.
        assert "shapes.cc.o -c" not in build(tmp_path / "fast")
        os.utime(profile, (os.path.getmtime(tmp_path / "fast/consumer") + 2,) * 2)
        assert "shapes.cc.o -c" in build(tmp_path / "fast")

    def test_with_the_driver_as_compiler(self, tmp_path):
        run("cmake", "-S", HERE / "consumer", "-B", "b", f"-DCMAKE_PREFIX_PATH={LIB.parent}",
            f"-DCMAKE_C_COMPILER={BIN}/pathprof-gcc", f"-DCMAKE_CXX_COMPILER={BIN}/pathprof-g++", cwd=tmp_path)
        build(tmp_path / "b")
        assert run(tmp_path / "b/consumer", cwd=tmp_path) == "21\n"
        assert functions_of(tmp_path / "consumer.pathprof")["main"]["stage"] == "early"

    @pytest.mark.skipif(shutil.which("clang") is None, reason="needs clang")
    def test_another_compiler(self, tmp_path):
        text = configure(tmp_path / "b", "-DCMAKE_C_COMPILER=clang", good=False)
        assert "pathprof is for GCC" in text and "Clang" in text

    def test_wrong_use(self, tmp_path):
        for call, reason in [("pathprof_target(nothing)", "unknown target 'nothing'"),
                             ("add_executable(p main.c)\npathprof_target(p MODE)", "missing value of MODE")]:
            (tmp_path / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.16)\nproject(p C)\n"
                                                     f"find_package(pathprof 0.1 REQUIRED)\n{call}\n")
            (tmp_path / "main.c").write_text("int main (void) { return 0; }\n")
            text = run("cmake", "-S", ".", "-B", "b", f"-DCMAKE_PREFIX_PATH={LIB.parent}", f"-DCMAKE_C_COMPILER={GCC}",
                       cwd=tmp_path, good=False)
            assert reason in " ".join(text.split())


@pytest.mark.skipif(shutil.which("pkg-config") is None, reason="needs pkg-config")
def test_pkg_config(tmp_path):
    (folder,) = {file.parent for file in [*LIB.glob("pkgconfig/*.pc"), *LIB.glob("*/pkgconfig/*.pc")]}
    prefix = f"--define-variable=prefix={LIB.parent}"

    def ask(*options):
        return run("pkg-config", prefix, f"--define-variable=libdir={LIB}", f"--define-variable=includedir={INCLUDE}",
                   *options, "pathprof", cwd=tmp_path, PKG_CONFIG_PATH=str(folder)).split()

    (plugin,) = ask("--variable=plugin")
    assert pathlib.Path(plugin).name == "pathprof.so"
    run(GCC, f"-fplugin={PLUGINS}/pathprof.so", HERE / "consumer/main.c", HERE / "consumer/shapes.cc", *ask("--cflags", "--libs"),
        "-o", "prog", cwd=tmp_path)
    assert run("./prog", cwd=tmp_path) == "21\n"
    assert "main" in functions_of(tmp_path / "prog.pathprof")


@pytest.mark.skipif(SHARE is None, reason="the build tree")
def test_what_lies_in_share():
    share = pathlib.Path(SHARE)
    for page in ("man1/pathdump.1", "man1/pathdump-report.1", "man1/pathprof-g++.1", "man7/pathprof-plugin.7",
                 "man3/pathrt.3"):
        assert list((share / "man").glob(page + "*")), page
    assert (share / "bash-completion/completions/pathdump").exists()
    assert (share / "bash-completion/completions/pathprof-g++").resolve().name == "pathprof-gcc"
    assert (share / "zsh/site-functions/_pathdump").exists() or (share / "zsh/vendor-completions/_pathdump").exists()
