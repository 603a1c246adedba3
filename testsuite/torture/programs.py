# SPDX-License-Identifier: GPL-3.0-or-later
"""GCC's own run-time tests: where they are, and what their comments (DejaGnu directives) ask for.

Nothing of GCC is copied into this tree: the tests come from Debian's package gcc-N-source, of the version that is
tested, and are unpacked into a cache folder.

The directives are read as far as they change how a program is built.  Whether a program is of use on this
machine its plain build and run decide, so most dg-require-… need no answer here.
"""

import fnmatch
import os
import re
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))
from differential import Program
import gcc_suites
from gcc_suites import NoTests

CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "pathprof-torture"
FOLDERS = ("gcc.c-torture/execute", "g++.dg/torture", "g++.dg/eh", "g++.dg/coroutines")
INCLUDED = ("gcc.dg/tg-tests.h", "gcc.dg/tree-ssa/pr91680.c")

TRIPLET = "x86_64-pc-linux-gnu"
# What a condition in a directive may ask of this machine; any other keyword is taken as false.
KEYWORDS = {"lp64", "fpic", "alloca", "signal", "int32plus", "label_values", "native", "gld", "c99_runtime", "int128",
            "pthread", "lto", "trampolines", "indirect_jumps", "named_sections", "sse_runtime", "mmap", "double64plus"}


def unpack(kind: str = "", names: tuple[str, ...] = (*FOLDERS, *INCLUDED)) -> Path:
    """The folder of the test suite in the cache, unpacked when it is not there yet; each kind has its own."""
    package = f"gcc-{gcc_suites.tested_major}"
    archives = sorted(Path("/usr/src", package).glob(f"{package}*.tar.xz"))
    if not archives:
        raise NoTests(f"GCC's tests are missing: install the Debian package {package}-source (or run 'make deps check-torture')")
    release = re.match(r"gcc-[\d.]*\d", archives[-1].name).group()
    folder = CACHE / f"{release}{kind}"
    if not folder.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        partial = CACHE / f"{release}{kind}.{os.getpid()}"
        partial.mkdir()
        wanted = [f"{release}/gcc/testsuite/{name}" for name in names]
        subprocess.run(["tar", "-xJf", archives[-1], "-C", partial, "--strip-components=3", *wanted], check=True)
        try:
            partial.rename(folder)
        except OSError:  # another run was faster
            subprocess.run(["rm", "-rf", partial], check=True)
    return folder


# ---- directives ----

def words(text: str) -> list:
    """A Tcl list, nested where there are braces: words and lists."""
    stack: list[list] = [[]]
    for quoted, brace, word in re.findall(r'"((?:[^"\\]|\\.)*)"|([{}])|([^\s{}"]+)', text):
        if brace == "{":
            stack.append([])
        elif brace == "}":
            if len(stack) == 1:
                break
            inner = stack.pop()
            stack[-1].append(inner)
        else:
            stack[-1].append(word or quoted)
    while len(stack) > 1:
        inner = stack.pop()
        stack[-1].append(inner)
    return stack[0]


def directives(text: str) -> list[list]:
    found = []
    for line in text.splitlines():
        start = re.search(r"\{\s*dg-[a-z-]+", line)
        if start:
            found.append(words(line[start.start():])[0])
    return found


def holds(condition, standard: int) -> bool:
    """Whether a condition holds here: a target triplet's pattern, a keyword, !, && and ||."""
    if isinstance(condition, str):
        dialect = re.fullmatch(r"c\+\+(\d\d)(_down|_only)?", condition)
        if dialect:
            year = int(dialect.group(1))
            here, there = (value if value < 90 else value - 100 for value in (standard, year))
            return {"_down": here <= there, "_only": here == there, None: here >= there}[dialect.group(2)]
        if "-" in condition or "*" in condition:
            return fnmatch.fnmatch(TRIPLET, condition)
        return condition in KEYWORDS
    if condition and condition[0] == "!":
        return not holds(condition[1:], standard)
    for operator, combine in [("||", any), ("&&", all)]:
        if operator in condition:
            parts, part = [], []
            for word in [*condition, operator]:
                if word == operator:
                    parts.append(part)
                    part = []
                else:
                    part.append(word)
            return combine(holds(part, standard) for part in parts)
    return any(holds(word, standard) for word in condition)


def target_holds(arguments: list, standard: int) -> bool:
    """Of a trailing { target CONDITION… }."""
    selector = arguments[-1] if arguments and isinstance(arguments[-1], list) else []
    if "target" not in selector:
        return True
    after = selector[selector.index("target") + 1:]
    if "xfail" in after:
        after = after[:after.index("xfail")]
    return holds(after, standard)


def option_words(argument) -> list[str]:
    return list(argument) if isinstance(argument, list) else argument.split()


@dataclass
class Directives:
    """What the comments of one program ask for, in one dialect of its language."""

    does_run: bool
    options: list[str]
    sources: list[str]
    skip_rules: list[list]
    wrong_target: bool


def read_directives(text: str, runs_by_default: bool, default_options: list[str], standard: int) -> Directives:
    result = Directives(runs_by_default, list(default_options), [], [], False)
    options, more = list(default_options), []
    for keyword, *arguments in directives(text):
        if keyword == "dg-do" and arguments:
            result.does_run = arguments[0] == "run"
            result.wrong_target = not target_holds(arguments, standard)
        elif keyword == "dg-options" and arguments and target_holds(arguments, standard):
            options = option_words(arguments[0])
        elif keyword == "dg-additional-options" and arguments and target_holds(arguments, standard):
            more += option_words(arguments[0])
        elif keyword == "dg-additional-sources" and arguments and target_holds(arguments, standard):
            result.sources += option_words(arguments[0])
        elif keyword == "dg-skip-if":
            result.skip_rules.append(arguments[1:])
    result.options = options + more
    return result


def is_skipped(rules: list[list], level: str, options: list[str], standard: int) -> bool:
    """dg-skip-if "reason" { targets } { options that must be there } { options that must not }"""
    def given(patterns) -> bool:
        patterns = option_words(patterns)
        return any(fnmatch.fnmatch(option, pattern) for option in (level, *options) for pattern in patterns)

    for condition, *lists in rules:
        include, exclude = (lists + ["*", ""])[:2] if len(lists) < 2 else lists[:2]
        if len(lists) == 1:
            include, exclude = lists[0], ""
        if holds(condition, standard) and given(include or "*") and not given(exclude):
            return True
    return False


# ---- suites ----

@dataclass(frozen=True)
class Suite:
    name: str
    folder: str
    pattern: str
    options: tuple[str, ...]  # ahead of the directives'
    default_options: tuple[str, ...] = ()  # in place of which dg-options comes
    runs_by_default: bool = False
    left_out: str = ""  # pattern of files that are parts of other tests


SUITES = (
    Suite("c-torture", "gcc.c-torture/execute", "*.c", (), ("-w",), True),
    Suite("c-torture/ieee", "gcc.c-torture/execute/ieee", "*.c", ("-w", "-fno-inline"), (), True),
    Suite("c-torture/builtins", "gcc.c-torture/execute/builtins", "*.c",
          ("-w", "-fno-tree-dse", "-fno-tree-loop-distribute-patterns", "-fno-tracer", "-fno-ipa-ra",
           "-fno-inline-functions"), (), True, "*-lib.c"),
    Suite("g++.torture", "g++.dg/torture", "*.C", ("-w",)),
    Suite("g++.torture/stackalign", "g++.dg/torture/stackalign", "*.C",
          ("-w", "-mstackrealign", "-mpreferred-stack-boundary=5")),
    Suite("g++.eh", "g++.dg/eh", "*.C", ("-w",)),
    Suite("g++.coroutines", "g++.dg/coroutines/torture", "*.C", ("-w", "-fcoroutines")),
)

# GCC may leave out a new and a delete that belong together; this program counts on them.
EXTRA_OPTIONS = {"g++.eh/new1": ("-fno-allocation-dce",)}

# The newest dialect first; an older one where the program does not build in that.
CXX_STANDARDS = (17, 14, 98)


def cxx_standards(suite: Suite, options: list[str]) -> tuple[int, ...]:
    for option in options:
        found = re.fullmatch(r"-std=(?:c|gnu)\+\+(..)", option)
        if found:
            return ({"0x": 11, "1y": 14, "1z": 17, "2a": 20}.get(found.group(1)) or int(found.group(1)),)
    return (17,) if suite.name == "g++.coroutines" else CXX_STANDARDS


def read_program(suite: Suite, file: Path) -> Program | None:
    """The program of a test, or None where the test is not one to run."""
    text = file.read_text(errors="replace")
    is_cxx = file.suffix == ".C"
    asked = read_directives(text, suite.runs_by_default, list(suite.default_options), 17)
    standards = cxx_standards(suite, asked.options) if is_cxx else (17,)
    fitting = [standard for standard in standards
               if not read_directives(text, suite.runs_by_default, [], standard).wrong_target]
    if not asked.does_run:
        return None
    options = (*suite.options, *asked.options, *EXTRA_OPTIONS.get(f"{suite.name}/{file.stem}", ()))
    sources = [file, *(file.parent / name for name in asked.sources)]
    if suite.name == "c-torture/builtins":
        sources += [file.with_name(f"{file.stem}-lib.c"), file.parent / "lib/main.c"]
    dialects: tuple[tuple[str, ...], ...] = ((),)
    if is_cxx and not any(option.startswith("-std=") for option in options):
        dialects = tuple((f"-std=gnu++{standard}",) for standard in fitting)
    return Program(suite.name, file.stem, tuple(sources), options, "c++" if is_cxx else "c", dialects,
                   skipped="" if fitting else "for another target")


def at_level(program: Program, level: str) -> Program:
    """The program as its dg-skip-if lines leave it at this level."""
    if program.skipped:
        return program
    rules = read_directives(program.sources[0].read_text(errors="replace"), True, [], 17).skip_rules
    if is_skipped(rules, level, list(program.options), 17):
        return replace(program, skipped="dg-skip-if")
    return program


def all_programs(suites: list[str]) -> list[Program]:
    root = unpack()
    programs = []
    for suite in SUITES:
        if suite.name in suites:
            for file in sorted((root / suite.folder).glob(suite.pattern)):
                if not (suite.left_out and file.match(suite.left_out)):
                    program = read_program(suite, file)
                    if program:
                        programs.append(program)
    return programs
