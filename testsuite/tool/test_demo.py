# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of examples/demo, which the README shows first."""

import re
import subprocess

from conftest import BUILD, HERE


def test_demo():
    """The demo profiles an example on this project's own sources and explains the report."""
    done = subprocess.run([HERE.parents[1] / "examples/demo", BUILD], capture_output=True, text=True, timeout=900, check=True)
    assert done.stderr == ""
    (first,) = re.findall(r"^ +1 +\d+\.\d+% .*$", done.stdout, re.M)
    assert "loop" in first and "backedge" in first, done.stdout
    # The input consists of the sources of every folder.
    content = (BUILD / "demo/input").read_bytes()
    for folder in ("core", "libpathrt", "pathdump", "plugin", "profile"):
        source = max((HERE.parents[1] / folder).rglob("*.c*"), key=lambda file: file.stat().st_size)
        assert source.read_bytes() in content, source
    for command in re.findall(r"^  (pathdump .*?)(?:  .*)?$", done.stdout, re.M):
        name = command.split()[1]
        subprocess.run([BUILD / "bin/pathdump", name, "--help"], capture_output=True, check=True)
