# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of the layering of the sources (doc/hacking.md): which folder may include which, no circular includes, and decisions on the
mode or the version of GCC that only one folder may make."""

import collections
import os
import pathlib
import re
import subprocess

import pytest

TREE = pathlib.Path(__file__).resolve().parents[2]

# Each folder may include headers of its own and of these folders.
KNOWS = {"core": (), "profile": ("core",), "plugin": ("core", "profile"), "pathdump": ("core", "profile"), "libpathrt": ("profile",)}
# Subfolders in their order: each may include headers of the preceding ones. Subfolders of one entry may not include each other.
ORDER = {
    "core": ("graph", "numbering", "plan", "models", "interprocedural", "analysis"),
    "profile": ("format", "model"),
    "plugin": ("gcc", "options", "cfg", "emit", "interprocedural", "rebuild", "entry"),
    "libpathrt": ("freestanding", "process", "memory", "storage", "snapshot", "file", "continuous", ""),
    "pathdump": ("ui", "describe", "model", "cost coverage", "html export import tui workflow", "commands"),
}


def sources():
    return {path.relative_to(TREE).as_posix(): path.read_text()
            for folder in KNOWS for path in sorted((TREE / folder).rglob("*")) if path.suffix in (".c", ".cc", ".h")}


SOURCES = sources()


def includes(name):
    return [include for include in re.findall(r'^#include "([^"]+)"', SOURCES[name], re.MULTILINE) if include in SOURCES]


def place(name):
    """Returns the folder of a source, the rank of its subfolder and the subfolder's name."""
    folder, *rest = name.split("/")
    sub = rest[0] if len(rest) > 1 else ""
    (rank,) = [i for i, entry in enumerate(ORDER[folder]) if sub in (entry.split() or [""])]
    return folder, rank, sub


def wrong_includes(name):
    folder, rank, sub = place(name)
    for include in includes(name):
        other, other_rank, other_sub = place(include)
        if other == folder:
            allowed = other_rank < rank or other_sub == sub
        else:
            allowed = other in KNOWS[folder] and not (other == "profile" and folder == "libpathrt" and other_sub != "format")
        if not allowed or (sub == "format" and (folder, sub) != (other, other_sub)):
            yield f"{name} includes {include}"


def test_sources_are_found():
    assert len(SOURCES) > 300 and len(includes("core/models/models.cc")) > 0


def test_folders_include_only_lower_ones():
    assert [line for name in SOURCES for line in wrong_includes(name)] == []


def test_sources_include_the_header_of_fmt_join():
    """Since fmt 11, fmt/format.h does not declare fmt::join."""
    assert [name for name, text in SOURCES.items() if "fmt::join" in text and "#include <fmt/ranges.h>" not in text] == []


def test_no_file_is_in_a_circle():
    """A header and its source count as one file."""
    def unit(name):
        return name.rsplit(".", 1)[0]

    known = collections.defaultdict(set)
    for name in SOURCES:
        known[unit(name)] |= {unit(include) for include in includes(name)} - {unit(name)}
    # Repeatedly removes the files that include no remaining file; the rest is in a circle or includes a file that is.
    while True:
        done = {name for name, others in known.items() if not others & known.keys()}
        if not done:
            break
        for name in done:
            del known[name]
    assert sorted(known) == []


def test_files_say_what_they_do():
    """Each file opens with a comment, unless its header does."""
    silent = []
    for name, text in SOURCES.items():
        header = re.sub(r"\.cc?$", ".h", name)
        lines = [line for line in text.splitlines() if "SPDX-License-Identifier" not in line]
        if not lines[0].startswith(("//", "/*", " *")) and header not in SOURCES:
            silent.append(name)
    assert silent == []


@pytest.mark.parametrize("pattern, where", [
    (r"[!=]= *Mode::|case Mode::|Mode::\w+ *[!=]=", r"core/models/|profile/model/\w*notes\.cc"),
    (r"GCCPLUGIN_VERSION", r"plugin/gcc/compat\.h"),
], ids=["models", "versions of GCC"])
def test_decisions_of_one_folder(pattern, where):
    assert [name for name, text in SOURCES.items() if re.search(pattern, text) and not re.match(where, name)] == []


def test_configure_keeps_the_folder_core(tmp_path):
    """Regression 18: configure removes core dumps after every test, and the build tree has a folder of that name."""
    (function,) = re.findall(r"^rm \(\) \{\n.*?^\}\n", (TREE / "configure.ac").read_text(), re.MULTILINE | re.DOTALL)
    (tmp_path / "core").mkdir()
    (tmp_path / "conftest.o").touch()
    done = subprocess.run(["sh", "-c", function + "rm -f core conftest.o && rm -f core"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stderr == "" and [path.name for path in tmp_path.iterdir()] == ["core"]


def test_a_missing_package_of_tests_is_not_complained_of(tmp_path):
    """Regression 18: make asks for Check at every target, whether or not tests are to be built."""
    lines = [line for line in (TREE / "testsuite/Makefile.inc").read_text().splitlines() if re.match("ask_check|CHECK_", line)]
    (tmp_path / "Makefile").write_text("\n".join(lines) + "\nall:\n\t@echo '$(CHECK_CFLAGS)$(CHECK_LIBS)'\n")
    (tmp_path / "pkg-config").write_text("#!/bin/sh\necho Package check was not found >&2\nexit 1\n")
    (tmp_path / "pkg-config").chmod(0o755)
    # The flags of a make that runs this suite name its job server, which this make cannot reach and would complain of.
    environment = {name: value for name, value in os.environ.items() if name != "MAKEFLAGS"}
    environment["PATH"] = f"{tmp_path}:{environment['PATH']}"
    done = subprocess.run(["make", "-s"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert len(lines) == 3 and (done.stdout, done.stderr) == ("\n", "")
