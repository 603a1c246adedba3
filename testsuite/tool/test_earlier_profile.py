# SPDX-License-Identifier: GPL-3.0-or-later
"""Arguments that name a profile of an earlier build: files that cannot be used."""

import pytest

from conftest import the_error
from test_robust import damage

PROFILE = "prog.pathprof"
PROGRAM = "int main (int argc, char **argv) { return argc > 1 ? argv[1][0] : 0; }\n"

pytestmark = pytest.mark.parametrize("argument", ["use", "weights"])


@pytest.mark.parametrize("kind, reason", [
    ("truncated", "truncated"),
    ("header only", "truncated"),
    ("bit flipped", "checksum"),
    ("newer major", "unsupported major version"),
    ("empty", "not a pathprof profile"),
    ("not a profile", "not a pathprof profile"),
])
def test_damaged(project, argument, kind, reason):
    project.write("prog.c", PROGRAM)
    project.gcc("-O2", "prog.c", "-o", "prog")
    project.run("./prog")
    (project.folder / PROFILE).write_bytes(damage(project.read(PROFILE), kind))
    error = the_error(project, f"{argument}={PROFILE}", "-O2")
    assert f"pathprof: argument '{argument}': {PROFILE}: offset " in error and reason in error


@pytest.mark.parametrize("file, reason", [("nowhere/x.pathprof", "No such file or directory"),
                                          (".", "Is a directory")])
def test_unreadable(project, argument, file, reason):
    project.write("prog.c", PROGRAM)
    assert f"pathprof: argument '{argument}': {file}: {reason}" in the_error(project, f"{argument}={file}", "-O2")


@pytest.mark.parametrize("file", ["", "-"])
def test_no_file(project, argument, file):
    project.write("prog.c", PROGRAM)
    assert f"argument '{argument}': invalid value '{file}'; expected a profile" \
        in the_error(project, f"{argument}={file}", "-O2")
