# SPDX-License-Identifier: GPL-3.0-or-later
"""Line counts from paths under exact termination, against gcov's."""

import pathlib
import sys

import pytest

from test_driver import project, version_of  # noqa: F401

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "real"))
import gcov_lines  # noqa: E402

LINES = ("-O0", "-g", "-pthread")


def version_suffix(project):
    """Of the programs that belong to the compiler behind the driver: "-12", or "" where that is the default."""
    version = project.gcc("-dumpfullversion").stdout.strip()
    return "" if version_of("gcc") == version else f"-{version.split('.')[0]}"


@pytest.mark.parametrize("source, status", [("exceptions.cc", 0), ("jumps.c", 3)])
def test_lines_are_gcovs(project, source, status):
    language = "g++" if source.endswith(".cc") else "gcc"
    suffix = version_suffix(project)
    project.write(source, (HERE / "gcov" / source).read_text())
    driver = project.gxx if language == "g++" else project.gcc
    driver(*LINES, "-fplugin-arg-pathprof-stage=source", "-fplugin-arg-pathprof-termination=exact", source, "-o", "prog")
    ours = project.run("./prog", status=status).stdout
    project.run(language + suffix, *LINES, "--coverage", source, "-o", "plain")
    assert project.run("./plain", status=status).stdout == ours
    found = gcov_lines.compare(project.profile(), project.folder, "gcov" + suffix)
    assert [str(difference) for difference in found.differing + found.differing_unfinished] == []
    assert found.equal + found.equal_unfinished > 40
