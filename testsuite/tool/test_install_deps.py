# SPDX-License-Identifier: GPL-3.0-or-later
"""The packages that packaging/install-deps asks for, on a system that has none of them."""

import os
import subprocess

import pytest

from conftest import HERE

INSTALL_DEPS = HERE / "../../packaging/install-deps"

# apt-get creates the compilers, and lists the packages that it was asked for.
PROGRAMS = {
    "id": "echo 0",
    "dpkg": "echo amd64",
    "dpkg-query": "exit 1",
    "npm": "echo /nowhere",
    "apt-get": """for word do
  case $word in
    install | -*) continue ;;
    *plugin-dev* | libc6-*) ;;
    gcc-*-linux-*) target=${word#gcc-}; version=${target%%-*}
      case $version in [0-9]*) target=${target#*-} ;; *) version= ;; esac
      make_compiler "$target-gcc${version:+-$version}" ;;
    gcc | gcc-[0-9]*) make_compiler "$word"; make_compiler "x86_64-linux-gnu-$word" ;;
  esac
  echo "$word" >> "$LIST"
done""",
    "make_compiler": r"""printf '#!/bin/sh\necho 12.2.0\n' > "$BIN/$1"; chmod +x "$BIN/$1" """,
}


@pytest.fixture
def installed(tmp_path):
    """installed(GCC, GOAL...): the set of packages."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, text in PROGRAMS.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)
    for name in ("sh", "sed", "tr", "basename", "sort", "grep", "env", "cat", "chmod"):
        (folder / name).symlink_to(subprocess.run(["which", name], capture_output=True, text=True, check=True).stdout.strip())

    def run(*arguments):
        listed = tmp_path / "list"
        listed.write_text("")
        environment = {**os.environ, "PATH": str(folder), "BIN": str(folder), "LIST": str(listed)}
        subprocess.run([folder / "sh", INSTALL_DEPS, *arguments], env=environment, check=True)
        return set(listed.read_text().split())
    return run


def test_native_compiler(installed):
    packages = installed("gcc-12")
    assert {"gcc", "g++", "gcc-12", "g++-12", "gcc-12-plugin-dev", "libgmp-dev"} <= packages
    assert not any("cross" in name or "linux-gnu" in name or name == "qemu-user" for name in packages)


@pytest.mark.parametrize("target, architecture", [
    ("aarch64-linux-gnu", "arm64"),
    ("riscv64-linux-gnu", "riscv64"),
    ("arm-linux-gnueabihf", "armhf"),
    ("i686-linux-gnu", "i386"),
    ("powerpc64le-linux-gnu", "ppc64el"),
    ("mips64el-linux-gnuabi64", "mips64el"),
])
def test_cross_compiler(installed, target, architecture):
    packages = installed(f"gcc {target}-gcc-12")
    assert {f"gcc-12-{target}", f"g++-12-{target}", f"gcc-12-plugin-dev-{target}", f"libc6-dev-{architecture}-cross",
            "gcc-12-plugin-dev"} <= packages


def test_cross_compiler_without_version(installed):
    packages = installed("aarch64-linux-gnu-gcc")
    assert {"gcc-aarch64-linux-gnu", "g++-aarch64-linux-gnu", "gcc-12-plugin-dev-aarch64-linux-gnu"} <= packages


def test_native_compiler_with_its_target(installed):
    """Debian's native compiler has a name with the target, too, and is in the same package."""
    packages = installed("gcc x86_64-linux-gnu-gcc-12")
    assert not any("linux-gnu" in name or "cross" in name for name in packages)


def test_emulator_for_the_tests(installed):
    assert "qemu-user" in installed("gcc aarch64-linux-gnu-gcc-12", "check")
    assert "qemu-user" not in installed("gcc-12", "check")


@pytest.mark.parametrize("target", ["arm-none-eabi", "riscv64-unknown-elf"])
def test_compiler_without_operating_system(installed, target):
    """One package contains the compilers and the plugin headers; there is no C library for the system."""
    packages = installed(f"gcc {target}-gcc", "check")
    assert {f"gcc-{target}", "gcc-12-plugin-dev", "qemu-system-arm"} <= packages
    assert not any(target in name for name in packages - {f"gcc-{target}"}) and not any("cross" in name for name in packages)
