# SPDX-License-Identifier: GPL-3.0-or-later
"""Manual pages: every command and option has its place, none is made up, and man accepts them."""

import os
import re
import shutil
import subprocess

import pytest

from conftest import BUILD, HERE

SOURCE = HERE.parents[1]
PAGES = BUILD / "man"


def text_of(*arguments, program="pathdump"):
    return subprocess.run([BUILD / "bin" / program, *arguments], capture_output=True, text=True, check=True,
                          timeout=900).stdout


def commands(program="pathdump"):
    """Each program's own: pathprof has those of pathdump, too."""
    names = re.findall(r"^  ([a-z]\S*)", text_of("--help", program=program), re.M)
    others = commands() if program != "pathdump" else []
    return [name for name in names if name not in others]


PROGRAMS = ["pathdump", "pathprof"]
ALL_COMMANDS = [(program, command) for program in PROGRAMS for command in commands(program)]


def options_of(command, program="pathdump"):
    found = re.findall(r"^  (-\S+)", text_of("help", command, program=program), re.M)
    return {name for names in found for name in names.split(",")}


def rendered(page):
    result = subprocess.run(["man", "-P", "cat", "-l", page], capture_output=True, text=True, timeout=900, check=True,
                            env={"MANWIDTH": "200", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"})
    assert result.stderr == ""
    return re.sub(r".\x08", "", result.stdout)


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_command_has_a_section(program):
    """In doc/PROGRAM.md, for the page is made of it, and in the table there."""
    document = (SOURCE / f"doc/{program}.md").read_text()
    headings = re.findall(r"^## (.*)", document, re.M)
    table = re.findall(r"^\| \[`([\w-]+)`\]\(#[\w-]+\)", document, re.M)
    for command in commands(program):
        assert command in headings and command in table, command
    assert set(table) <= {*commands(program), "record"}  # which both pages have, each with what belongs there


def test_plugin_arguments():
    """The plugin, the help of `pathprof build` and the manual know the same keys and values."""
    section = re.search(r"^Plugin arguments.*?:\n(.*?)\n\n", text_of("help", "build", program="pathprof"), re.M | re.S).group(1)
    offered = {key: values for key, values in re.findall(r"^  (\S+) +[^:]*: (.*?)(?: \[.*\])?$", section, re.M)}

    def expected(argument):
        error = subprocess.run([BUILD / "bin/pathprof-gcc", f"-fplugin-arg-pathprof-{argument}", "-fsyntax-only", "-x", "c", "/dev/null"],
                               capture_output=True, text=True, check=False, timeout=900, env=os.environ | {"LC_ALL": "C"}).stderr
        return re.search(r"; expected (?:one of )?(.*)", error).group(1)
    assert set(expected("?=").split(", ")) == set(offered)
    for key, values in offered.items():
        if key != "scheme":  # names a file, and the error is about the file
            assert expected(f"{key}=") == values
    table = (SOURCE / "doc/pathprof-plugin.md").read_text().split("## Modes")[0]
    rows = [re.findall(r"`([\w-]+)`", row) for row in re.findall(r"^\| (`.*?) \|", table, re.M)]
    assert sorted(key for keys in rows for key in keys) == sorted(offered)


@pytest.mark.skipif(shutil.which("man") is None, reason="needs man")
@pytest.mark.parametrize("program, command", ALL_COMMANDS)
def test_options_of_a_page(program, command):
    """All options of the program, and no others: neither in the list nor in the text."""
    text = rendered(PAGES / f"{program}-{command}.1")
    listed = re.search(r"^OPTIONS\n(.*?)^EXIT STATUS", text, re.M | re.S).group(1)
    indentation = re.match(" +", listed).group()  # seven columns, five from groff 1.24 on
    names = {name for line in re.findall(rf"^{indentation}(-.*)", listed, re.M) for name in re.findall(r"--?[\w-]+", line)}
    assert names == options_of(command)
    everywhere = {name for _, other in ALL_COMMANDS for name in options_of(other)} | {"--pathprof-use"}  # the driver's
    assert set(re.findall(r"(?<![\w-])--[a-z][\w-]*", text)) <= everywhere
    synopsis = re.search(r"^SYNOPSIS\n(.*?)^DESCRIPTION", text, re.M | re.S).group(1)
    assert f"{program} {command}" in synopsis
    assert set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", synopsis)) <= options_of(command)


@pytest.mark.skipif(shutil.which("mandoc") is None, reason="needs mandoc")
def test_pages_are_accepted():
    pages = sorted(PAGES.glob("*.[1-9]"))
    assert {"pathdump.1", "pathprof.1", "pathprof-gcc.1", "pathprof-g++.1", "pathprof-plugin.7", "pathprof-environment.7",
            "pathrt.3"} <= {page.name for page in pages}
    for page in pages:
        if page.read_text().startswith(".so "):
            assert (PAGES / page.read_text().split("/")[1].strip()).exists()
            continue
        found = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", page], capture_output=True, text=True,
                               timeout=900, check=False).stdout.splitlines()
        assert [line for line in found if "missing date" not in line] == []
        assert re.search(r"^NAME\n +\S.* - ", rendered(page), re.M), page


def test_the_header_is_described():
    """Each function of pathrt.h, and each variable that the runtime reads."""
    header = (SOURCE / "libpathrt/pathrt.h").read_text()
    page = (PAGES / "pathrt.3").read_text()
    for function in re.findall(r"^PATHRT_API .*?(\w+)\(", header, re.M):
        assert page.count(function) >= 2, function
    variables = set(re.findall(r'getenv *\("(PATHPROF_\w+)"\)|"(PATHPROF_\w+)"',
                               (SOURCE / "libpathrt/process/environment.c").read_text()))
    names = {name for pair in variables for name in pair if name}
    environment = (PAGES / "pathprof-environment.7").read_text()
    assert names and all(name in environment for name in names)


def test_arguments_of_the_plugin():
    error = subprocess.run([BUILD / "bin/pathprof-gcc", "-fplugin-arg-pathprof-?=", "-fsyntax-only", "-xc", "/dev/null"],
                           capture_output=True, text=True, timeout=900, check=False, env={"PATH": "/usr/bin:/bin",
                                                                                         "LC_ALL": "C"}).stderr
    accepted = re.search(r"expected one of (.*)", error).group(1).split(", ")
    document = (SOURCE / "doc/pathprof-plugin.md").read_text()
    table = re.search(r"^\| key .*?\n\n", document, re.M | re.S).group(0)
    rows = re.findall(r"^\| (`.*?) \|", table, re.M)
    assert sorted(name for row in rows for name in re.findall(r"`([\w-]+)`", row)) == sorted(accepted)


DOCUMENTS = sorted([SOURCE / "README.md", SOURCE / "packaging/README.md", *(SOURCE / "doc").rglob("*.md")])
FOLDERS = "core|profile|plugin|libpathrt|pathdump|testsuite|driver|packaging|bench|examples|python"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: str(document.relative_to(SOURCE)))
def test_links_and_files_of_a_document(document):
    """What a page links to is there, its sections too; so is each file that it names by its path."""
    text = re.sub(r"^```.*?^```$", "", document.read_text(), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        file, _, section = target.partition("#")
        page = document.parent / file if file else document
        assert page.exists(), target
        if section:
            titles = re.findall(r"^#+ (.*)", page.read_text(), re.M)
            assert section in {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}, target
    for file in re.findall(rf"`((?:{FOLDERS})/[\w./-]+\.(?:cc|c|h|py|js|in|exp|inc))`", text):
        assert (SOURCE / file).exists(), file
