# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixtures and helpers that several test files use: projects, the built tools, and profiles made from descriptions."""

import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ.get("PATHPROF_BUILD", HERE / "../../build")).resolve()
GCC = os.environ.get("PATHPROF_GCC", "gcc")  # that which the build is for
PATHDUMP = os.environ.get("PATHPROF_PATHDUMP", BUILD / "bin/pathdump")  # another build of it, with sanitizers
BIN = BUILD / "bin"
COMPILERS = ("gcc-11", "gcc-12", "gcc-13", "gcc-14", "gcc-15", "gcc-16", "gcc")
COLOUR_VARIABLES = ("NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE")


# f is called 3 times: 2 positive, 1 not.
PROGRAM = """\
#include <stdio.h>

static volatile int sink;

__attribute__ ((noinline)) int
f (int n)
{
  if (n > 0)
    sink = n;
  return n;
}

int
main (void)
{
  for (int n = 0; n < 3; n++)
    f (n);
  puts ("output");
  return 7;
}
"""
STATUS = 7


@pytest.fixture
def pathdump(tmp_path):
    """Runs pathdump in the test's own directory; checks the exit status, unless any will do (None)."""

    def run(*arguments, status=0, env=None, stdin=None, binary=False):
        environment = {k: v for k, v in os.environ.items() if k not in COLOUR_VARIABLES}
        environment.update(env or {})
        result = subprocess.run(
            [PATHDUMP, *map(str, arguments)],
            cwd=tmp_path,
            env=environment,
            input=stdin,
            capture_output=True,
            text=not binary,
            timeout=900,
        )
        assert status is None or result.returncode == status, result.stderr
        return result

    return run


@pytest.fixture
def make_profile(tmp_path):
    """Writes a profile of a description: a list of functions, or with more keys a dictionary."""

    def make(description, name="prog.pathprof"):
        if isinstance(description, list):
            description = {"functions": description}
        result = subprocess.run(
            [BUILD / "testsuite/make_profile"],
            input=json.dumps(description).encode(),
            capture_output=True,
            timeout=900,
        )
        assert result.returncode == 0, result.stderr
        (tmp_path / name).write_bytes(result.stdout)
        return tmp_path / name

    return make


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    """Headless Chromium, one for all tests of a file."""
    from pages import Browser  # only these tests need Selenium

    browser = Browser(tmp_path_factory.mktemp("chromium"))
    yield browser
    browser.quit()


class Project:
    """A folder with sources, and the tools run in it."""

    def __init__(self, folder):
        self.folder = folder

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return name

    def read(self, name):
        return (self.folder / name).read_bytes()

    def exists(self, name):
        return (self.folder / name).exists()

    def run(self, *command, status=0, env=None, stdin=""):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PATHPROF_")}
        environment |= {"LC_ALL": "C", **(env or {})}
        done = subprocess.run(list(map(str, command)), cwd=self.folder, env=environment, input=stdin,
                              capture_output=True, text=True, timeout=900, check=False)
        assert status is None or done.returncode == status, f"{done.args}\n{done.stdout}{done.stderr}"
        return done

    def gcc(self, *arguments, **options):
        return self.run(BIN / "pathprof-gcc", *arguments, **options)

    def gxx(self, *arguments, **options):
        return self.run(BIN / "pathprof-g++", *arguments, **options)

    def profile(self, name="prog.pathprof"):
        self.run(BIN / "pathdump", "check", name)
        return json.loads(self.run(BIN / "pathdump", "export", name).stdout)

    def functions(self, name="prog.pathprof"):
        """Function name → counts of its executed paths, sorted; names must be unique."""
        functions = {}
        for function in self.profile(name)["functions"]:
            assert function["name"] not in functions
            functions[function["name"]] = sorted(path["count"] for path in function["paths"])
        return functions

    def notes(self, *arguments):
        """The plugin's own lines when the program is compiled."""
        done = self.gcc(*arguments, "-c", "prog.c")
        return [line for line in done.stderr.splitlines() if "pathprof:" in line]


@pytest.fixture
def project(tmp_path):
    """An empty project."""
    return Project(tmp_path)


@pytest.fixture
def simple(project):
    """A project with PROGRAM in prog.c."""
    project.write("prog.c", PROGRAM)
    return project


def check_f(project, name="prog.pathprof", times=1):
    assert project.functions(name)["f"] == [1 * times, 2 * times]


def version_of(compiler):
    return subprocess.run([compiler, "-dumpfullversion"], capture_output=True, text=True,
                          check=True).stdout.strip()


def need(program):
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed")
    return program


def the_error(project, argument, *more):
    """The one line that a wrong argument gives."""
    done = project.gcc(f"-fplugin-arg-pathprof-{argument}", *more, "-c", "prog.c", status=1)
    assert "error: " in done.stderr and done.stderr.count("\n") == 1, done.stderr
    assert not project.exists("prog.o")
    return done.stderr


def plugin_compiler():
    """The compiler that the plugin was built for."""
    version = subprocess.run([BIN / "pathprof-gcc", "-dumpfullversion"], capture_output=True, text=True,
                             check=True).stdout.strip()
    return next(c for c in COMPILERS if shutil.which(c) and version_of(c) == version)


def assert_mentions(text, *words):
    """Asserts that the text contains each word: a name, number, option or remedy, whatever the sentence around it is.

    Of several words in a tuple, one is enough. GCC's curved quotation marks count as straight ones.
    """
    text = text.translate(str.maketrans("\u2018\u2019", "''"))
    for word in words:
        choices = word if isinstance(word, tuple) else (word,)
        assert any(pattern_of_word(choice).search(text) for choice in choices), f"no {word!r} in {text!r}"


def pattern_of_word(word):
    """Returns a pattern that matches the word, but not as a part of a longer word or number."""
    word = str(word)
    return re.compile(("(?<!\\w)" if word[:1].isalnum() else "") + re.escape(word) + ("(?!\\w)" if word[-1:].isalnum() else ""))


def assert_one_line(text, start, *words):
    """Asserts that the text is one line that begins with `start` and contains each word."""
    assert text.startswith(start) and text.count("\n") == 1 and text.endswith("\n"), text
    assert_mentions(text, *words)


def shown_on(terminal):
    """What a terminal showed whose other end is closed."""
    shown = b""
    try:
        while chunk := os.read(terminal, 4096):
            shown += chunk
    except OSError:
        pass
    os.close(terminal)
    return shown


def loop(name="f", traces=None, **more):
    """A function that loops over a branch: 0 → 2 → 3 (head) → 4 → 5 or 6 → 7 → 3, 3 → 8 → 1.

    Paths: entry to exit 0–; start and end kinds are entry or loop, exit or backedge.
    """
    once = [0, 2, 3, 4, 5, 7, 3, 4, 6, 7, 3, 4, 6, 7, 3, 8, 1]
    return {
        "name": name,
        "line": 10,
        "blocks": [
            {"id": 2, "stmts": 2, "lines": [11, 12]},
            {"id": 3, "stmts": 1, "lines": [13]},
            {"id": 4, "stmts": 1, "lines": [14]},
            {"id": 5, "stmts": 3, "lines": [15]},
            {"id": 6, "stmts": 5, "lines": [17, 18]},
            {"id": 7, "stmts": 1, "lines": [19]},
            {"id": 8, "stmts": 1, "lines": [21]},
        ],
        "edges": [
            [0, 2, "fallthru"],
            [2, 3, "fallthru"],
            [3, 4, "true"],
            [3, 8, "false"],
            [4, 5, "true"],
            [4, 6, "false"],
            [5, 7, "fallthru"],
            [6, 7, "fallthru"],
            [7, 3, "fallthru"],
            [8, 1, "fallthru"],
        ],
        "traces": [{"blocks": once, "times": 10}] if traces is None else traces,
        **more,
    }


def branch(name="g", line=30, lines=(31, 33), counts=(4, 6), **more):
    """A function with two paths: block 2, then 3 or 4."""
    return {
        "name": name,
        "line": line,
        "blocks": [
            {"id": 2, "stmts": 1, "lines": [line]},
            {"id": 3, "stmts": 1, "lines": [lines[0]]},
            {"id": 4, "stmts": 1, "lines": [lines[1]]},
        ],
        "edges": [
            [0, 2, "fallthru"],
            [2, 3, "true"],
            [2, 4, "false"],
            [3, 1, "fallthru"],
            [4, 1, "fallthru"],
        ],
        "traces": [
            {"blocks": [0, 2, block, 1], "times": times}
            for block, times in zip((3, 4), counts)
            if times
        ],
        **more,
    }
