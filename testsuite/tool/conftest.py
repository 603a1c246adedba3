# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixtures and helpers that several test files use: projects, the built tools, and profiles made from descriptions."""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import time

import pytest

from pages import Page
from programs import CALLS, LOOPS_AND_CALLS

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ.get("PATHPROF_BUILD", HERE / "../../build")).resolve()
GCC = os.environ.get("PATHPROF_GCC", "gcc")  # that which the build is for
PATHDUMP = os.environ.get("PATHPROF_PATHDUMP", BUILD / "bin/pathdump")  # another build of it, with sanitizers
BIN = BUILD / "bin"
# Options that testsuite/qualification/run adds to those of the tests that compare programs with an oracle.
FLAGS = tuple(shlex.split(os.environ.get("PATHPROF_FLAGS", "")))
FLAGS_WITHOUT_LEVEL = tuple(flag for flag in FLAGS if not flag.startswith("-O"))
LEVEL = next((flag for flag in reversed(FLAGS) if flag.startswith("-O")), None)
COMPILERS = ("gcc-11", "gcc-12", "gcc-13", "gcc-14", "gcc-15", "gcc-16", "gcc")
MODES = ("acyclic", "kiter", "kipf", "intracontext", "context", "piecewise", "preferential")
STAGES = ("source", "early", "late")
UPDATES = ("single", "atomic", "thread")
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


def compiler_keys():
    """Returns the keys of the compilers that the build has plugins for: gcc-N for a native compiler, TARGET-N for others."""
    makefile = (BUILD / "Makefile").read_text(encoding="utf-8")
    return re.search(r"^PROFILED_KEYS = (.*)$", makefile, re.M)[1].split()


def plugin(*arguments):
    """Returns the options that pass the arguments to the plugin."""
    return [f"-fplugin-arg-pathprof-{argument}" for argument in arguments]


def clean_environment(env):
    """Returns the environment without variables that change what the tools do or print, and with the variables in `env`."""
    unset = {"COLUMNS", *COLOUR_VARIABLES}
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("PATHPROF_") and k not in unset}
    return {**inherited, "LC_ALL": "C", **(env or {})}


class Pathdump:
    """Runs pathdump in a directory, and checks its exit status unless `status` is None."""

    def __init__(self, folder):
        self.folder = folder

    def __call__(self, *arguments, status=0, env=None, stdin=None, binary=False):
        done = subprocess.run([PATHDUMP, *map(str, arguments)], cwd=self.folder, env=clean_environment(env),
                              input=stdin or (b"" if binary else ""), capture_output=True, text=not binary, timeout=900)
        assert status is None or done.returncode == status, f"{done.args}\n{done.stdout}{done.stderr}"
        return done

    def json(self, *arguments, **options):
        """Returns the decoded JSON output."""
        return json.loads(self(*arguments, **options).stdout)


@pytest.fixture
def pathdump(tmp_path):
    """Runs pathdump in the test's own directory."""
    return Pathdump(tmp_path)


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
        self.pathdump = Pathdump(folder)

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
        done = subprocess.run(list(map(str, command)), cwd=self.folder, env=clean_environment(env), input=stdin,
                              capture_output=True, text=True, timeout=900, check=False)
        assert status is None or done.returncode == status, f"{done.args}\n{done.stdout}{done.stderr}"
        return done

    def start(self, *command, env=None):
        """Starts a program and returns its process."""
        return subprocess.Popen(list(map(str, command)), cwd=self.folder, env=clean_environment(env), stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def gcc(self, *arguments, **options):
        return self.run(BIN / "pathprof-gcc", *arguments, **options)

    def gxx(self, *arguments, **options):
        return self.run(BIN / "pathprof-g++", *arguments, **options)

    def profile(self, name="prog.pathprof"):
        self.pathdump("check", name)
        return self.pathdump.json("export", name)

    def compile(self, source, *options):
        """Compiles and links a program, and returns its name: the name of the source without the suffix."""
        name = source.rpartition(".")[0]
        driver = self.gxx if source.endswith(".cc") else self.gcc
        driver(*options, source, "-o", name)
        return name

    def profiled(self, source, *options, arguments=()):
        """Compiles a program, runs it, and returns the name of the profile of this run."""
        name = self.compile(source, *options)
        (self.folder / f"{name}.pathprof").unlink(missing_ok=True)
        self.run(f"./{name}", *arguments)
        return f"{name}.pathprof"

    def functions_by_name(self, name="prog.pathprof"):
        """Returns a dictionary from the name of each function to the function. The names must be unique."""
        functions = self.profile(name)["functions"]
        by_name = {function["name"]: function for function in functions}
        assert len(by_name) == len(functions)
        return by_name

    def functions(self, name="prog.pathprof"):
        """Returns a dictionary from the name of each function to the sorted counts of its executed paths."""
        return {function: sorted(path["count"] for path in found["paths"])
                for function, found in self.functions_by_name(name).items()}

    def entries(self, function, name="prog.pathprof"):
        """Returns how many of the function's counted paths start at its entry."""
        (found,) = [one for one in self.profile(name)["functions"] if one["name"] == function]
        return sum(path["count"] for path in found["paths"] if path["start"] == "entry")

    def notes(self, *arguments):
        """The plugin's own lines when the program is compiled."""
        done = self.gcc(*arguments, "-c", "prog.c")
        return [line for line in done.stderr.splitlines() if "pathprof:" in line]


@pytest.fixture
def project(tmp_path):
    """An empty project."""
    return Project(tmp_path)


@pytest.fixture
def page(pathdump, tmp_path):
    """Makes an HTML page and reads it."""

    def make(*arguments, name="page.html"):
        done = pathdump("html", "-o", name, *arguments)
        assert done.stdout == "" and all("source not found" in line for line in done.stderr.splitlines()), done.stderr
        return Page((tmp_path / name).read_text(encoding="utf-8"))

    return make


@pytest.fixture
def tui(tmp_path):
    """Runs pathdump tui in pseudo-terminals."""
    pytest.importorskip("pyte", reason="needs python3-pyte")
    from terminal import Terminal

    terminals = []

    def start(*arguments, columns=80, lines=24, **env):
        terminals.append(Terminal(tmp_path, arguments, columns, lines, env))
        return terminals[-1]

    yield start
    for terminal in terminals:
        if terminal.process.poll() is None:
            terminal.process.kill()
            terminal.process.wait()
        os.close(terminal.master)


@pytest.fixture(scope="session")
def runtime(tmp_path_factory):
    """Returns the object file of the trace plugin's runtime."""
    file = tmp_path_factory.mktemp("trace") / "runtime.o"
    subprocess.run(["cc", "-O1", "-c", HERE.parent / "trace/trace_runtime.c", "-o", file], check=True)
    return file


@pytest.fixture
def profiled(project):
    """Profiles LOOPS_AND_CALLS in a mode, and returns the project."""
    def profile(mode="acyclic", *arguments):
        project.write("prog.cc", LOOPS_AND_CALLS)
        if mode == "preferential":
            profile("acyclic")
            (project.folder / "prog.pathprof").rename(project.folder / "tests.pathprof")
            arguments = (*arguments, "interesting=tests.pathprof")
        project.profiled("prog.cc", "-O0", "-g", *plugin(f"mode={mode}", "stage=source", *arguments))
        return project

    return profile


@pytest.fixture(scope="session")
def modes_of_a_program(tmp_path_factory):
    """Returns a directory with the profiles of one program in three modes."""
    project = Project(tmp_path_factory.mktemp("modes"))
    project.write("calls.cc", CALLS)
    for mode in ("acyclic", "context", "piecewise"):
        project.compile("calls.cc", "-O1", "-g", *plugin(f"mode={mode}", "stage=source"))
        project.run("./calls", env={"PATHPROF_FILE": f"{mode}.pathprof"})
    return project.folder


@pytest.fixture
def build(project, request):
    """Builds SOURCE of the test's module at stage source, runs the program, and returns the compiler's messages.

    The name of the program is also the name of its profile. The program does not run if `status` is not 0."""
    project.write("prog.c", request.module.SOURCE)

    def build(name, *arguments, status=0):
        done = project.gcc("-O1", "-g", *plugin("stage=source", *arguments), "prog.c", "-o", name, status=status)
        if status == 0:
            project.run(f"./{name}")
        return done.stderr

    return build


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


def version_suffix(project):
    """Returns the suffix of the programs that belong to the compiler behind the driver: "-12", or "" for the default compiler."""
    version = project.gcc("-dumpfullversion").stdout.strip()
    return "" if version_of("gcc") == version else f"-{version.split('.')[0]}"


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


def wait_for(condition, seconds=900):
    """Waits until the condition is true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


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
