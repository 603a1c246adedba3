# SPDX-License-Identifier: GPL-3.0-or-later
"""The Debian packages of the build tree that PATHPROF_BUILD names: built, unpacked below a root, and used there by the
tests of the installed files."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ["PATHPROF_BUILD"]).resolve()
GCC = os.environ["PATHPROF_GCC"]

pytestmark = pytest.mark.skipif(not (shutil.which("dh") and shutil.which("dpkg-buildpackage")), reason="needs debhelper")


def run(*command, **more):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MAKE") and k != "PATHPROF_FILE"}
    done = subprocess.run(list(map(str, command)), env=environment | more, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, f"{done.args}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def major():
    return run(GCC, "-dumpversion").split(".")[0].strip()


@pytest.fixture(scope="module")
def packages(tmp_path_factory, major):
    """Package → file."""
    out = tmp_path_factory.mktemp("deb")
    run(SOURCE / "packaging/build-deb", out, major, "--tree", BUILD, DEB_BUILD_OPTIONS="noautodbgsym")
    return {file.name.split("_")[0]: file for file in out.glob("*.deb")}


@pytest.fixture(scope="module")
def root(tmp_path_factory, packages):
    folder = tmp_path_factory.mktemp("root")
    for file in packages.values():
        run("dpkg", "-x", file, folder)
    return folder


def test_packages_need_their_compiler(packages, major):
    plugin = f"pathprof-plugin-{major}"
    assert set(packages) == {"pathprof", plugin, "libpathrt1", "python3-pathprof"}
    version = run("dpkg-query", "-W", "-f=${Version}", f"gcc-{major}")
    assert f"gcc-{major} (= {version})" in run("dpkg-deb", "-f", packages[plugin], "Depends")
    depends = run("dpkg-deb", "-f", packages["pathprof"], "Depends")
    assert f"{plugin} (= 0" in depends
    assert re.search(r"libpathrt1 \(= 0", depends) and "libgmp10" in depends
    needed = run("dpkg-deb", "-f", packages["libpathrt1"], "Depends")
    assert [word.split()[0] for word in needed.split(", ")] == ["libc6"]


def test_python_finds_the_module(root):
    found = run(sys.executable, "-c", "import pathprof; print(pathprof.__file__)",
                PYTHONPATH=str(root / "usr/lib/python3/dist-packages"))
    assert found.startswith(str(root))


@pytest.mark.skipif(shutil.which("lintian") is None, reason="needs lintian")
def test_lintian(packages):
    found = run("lintian", "--fail-on", "none", "--allow-root", "--suppress-tags", "initial-upload-closes-no-bugs",
                *packages.values())
    assert [line for line in found.splitlines() if line[:2] in ("E:", "W:")] == []


def test_used(root, major):
    """The compiler finds plugins by their short names in its own folder only, so there is none here."""
    (plugins,) = root.glob(f"usr/lib/gcc/*/{major}/plugin")
    found = run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", SOURCE / "testsuite/install",
                PATHPROF_BINDIR=str(root / "usr/bin"), PATHPROF_LIBDIR=str(root / "usr/lib"),
                PATHPROF_INCLUDEDIR=str(root / "usr/include"), PATHPROF_PLUGINDIR=str(plugins),
                PATHPROF_SHAREDIR=str(root / "usr/share"), PATHPROF_GCC=GCC, PYTHONDONTWRITEBYTECODE="1")
    assert re.search(r"^\d+ passed", found, re.M), found
