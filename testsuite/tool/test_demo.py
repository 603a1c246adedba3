# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo, which is the first of the README's two commands."""

import re
import subprocess

from conftest import BUILD, HERE


def test_demo():
    """It profiles an example on this project's own sources, and says what the report shows."""
    done = subprocess.run([HERE.parents[1] / "examples/demo", BUILD], capture_output=True, text=True, timeout=900, check=True)
    assert done.stderr == ""
    (first,) = re.findall(r"^ +1 +\d+\.\d+% .*$", done.stdout, re.M)
    assert "loop" in first and "backedge" in first, done.stdout
    # All of the sources, wherever they are: about two megabytes.
    assert (BUILD / "demo/input").stat().st_size > 1_000_000
    for command in re.findall(r"^  (pathdump .*?)(?:  .*)?$", done.stdout, re.M):
        name = command.split()[1]
        subprocess.run([BUILD / "bin/pathdump", name, "--help"], capture_output=True, check=True)
