# SPDX-License-Identifier: GPL-3.0-or-later
"""Path profiles in Python: what 'pathdump export --format=json' prints, as objects.

    import pathprof
    profile = pathprof.load("prog.pathprof")
    for path in profile.hot_paths(10):
        print(f"{path.share:6.1%} {path.function.demangled} {path.trail}")

Nothing but the standard library is needed, and pathdump for files that are not JSON yet.
"""

import json
import os
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path as FilePath

__all__ = ["Block", "Edge", "Function", "Path", "Profile", "ProgramPath", "Sequence", "load", "loads"]

ENTRY, EXIT = 0, 1


@dataclass(frozen=True)
class Block:
    id: int
    statements: int
    lines: tuple[int, ...]  # of the function's own file


@dataclass(frozen=True)
class Edge:
    src: int
    dst: int
    flags: frozenset[str]  # true, false, fallthru, eh, abnormal, back, cut


@dataclass(frozen=True)
class Path:
    """An executed path of a function."""

    function: "Function" = field(repr=False)
    id: int
    count: int
    start: str  # entry, loop, cut, handler
    end: str  # exit, backedge, cut, noreturn, call
    blocks: tuple[int, ...]
    context: int = 0  # so many blocks at the beginning ran before, on other paths
    cycles: int | None = None  # of all executions, where they were measured
    is_residual: bool = False
    decisions: tuple[str, ...] = ()  # "8:T", "around"; "(" and ")" around context

    @property
    def statements(self) -> int:
        """Of one execution, without the context."""
        return sum(self.function.block(block).statements for block in self.blocks[self.context:])

    @property
    def weight(self) -> int:
        """Executions times statements."""
        return self.count * self.statements

    @property
    def share(self) -> float:
        """Of the weight of all paths in the profile, from 0 to 1."""
        total = self.function.profile.weight
        return self.weight / total if total else 0.0

    @property
    def lines(self) -> list[int]:
        """Of the function's own file, in the order in which they run."""
        lines: list[int] = []
        for block in self.blocks[self.context:]:
            lines += [line for line in self.function.block(block).lines if not lines or lines[-1] != line]
        return lines

    @property
    def trail(self) -> str:
        """What was decided on the path, with its context and iterations, for people: "from 8:T 10:F around".  Of a profile
        whose JSON has no decisions, and where nothing was decided, the lines: "wc.c:12-14 18"."""
        if self.decisions:
            return " ".join(self.decisions)
        stretches: list[list[int]] = []
        for line in self.lines:
            if stretches and line in (stretches[-1][-1], stretches[-1][-1] + 1):
                stretches[-1].append(line)
            else:
                stretches.append([line])
        texts = (f"{one[0]}" if one[0] == one[-1] else f"{one[0]}-{one[-1]}" for one in stretches)
        return f"{self.function.file}:{' '.join(texts)}" if stretches else " ".join(map(str, self.blocks))


@dataclass(frozen=True)
class Sequence:
    """A node of a k-iteration path forest: the sequence of paths from the root to it, and how often it ran."""

    paths: tuple[int, ...]  # ids
    count: int


@dataclass(frozen=True)
class ProgramPath:
    """A path through calls.  `steps` are as in the JSON."""

    unit: str
    mode: str
    id: int
    count: int
    start: str
    end: str
    prefix_len: int
    steps: tuple[dict, ...]
    decisions: tuple[str, ...] = ()

    @property
    def trail(self) -> str:
        """What was decided on the path, for people: "( main wc.c:12:T ) main 14:F @16 > count 30:T", where what is in
        parentheses is context, and ">" goes into a call, "<" out of it.  Of JSON without decisions the functions."""
        return " ".join(self.decisions) if self.decisions else " ".join(self.functions)

    @property
    def functions(self) -> list[str]:
        """Those that the path comes to behind its context, in order."""
        return [step["function"] for step in self.steps[self.prefix_len:] if "function" in step]


class Function:
    """A function with its graph and executed paths.  `data` is its object in the JSON."""

    def __init__(self, profile: "Profile", data: dict):
        self.profile = profile
        self.data = data
        self.name: str = data["name"]
        self.demangled: str = data["demangled"]
        self.file: str = data["file"]
        self.line: int = data["line"]
        self.mode: str = data["mode"]
        self.k: int = data["k"]
        self.stage: str = data["stage"]
        self.num_paths = int(data["num_paths"])
        self.blocks = [Block(block["id"], block["stmts"], tuple(block["lines"])) for block in data["blocks"]]
        self.edges = [Edge(edge["src"], edge["dst"], frozenset(edge["flags"])) for edge in data["edges"]]
        self._blocks = {block.id: block for block in self.blocks}
        self.paths = [self._path(path, False) for path in data["paths"]]
        self.paths += [self._path(path, True) for path in data.get("residual", ())]

    def _path(self, data: dict, is_residual: bool) -> Path:
        cycles = data.get("cycles")
        return Path(self, int(data["id"]), int(data["count"]), data["start"], data["end"], tuple(data["blocks"]),
                    data.get("prefix_len", 0), None if cycles is None else int(cycles), is_residual,
                    tuple(data.get("decisions", ())))

    def __repr__(self) -> str:
        return f"<Function {self.demangled} ({self.file}:{self.line}), {len(self.paths)} of {self.num_paths} paths>"

    def block(self, number: int) -> Block:
        return self._blocks[number]

    def path(self, number: int) -> Path:
        """The executed path with this number; KeyError if it did not run."""
        for path in self.paths:
            if path.id == number:
                return path
        raise KeyError(number)

    @property
    def calls(self) -> int:
        """Activations: paths that begin at the entry, without context."""
        return sum(path.count for path in self.paths if path.start == "entry" and path.context == 0)

    @property
    def weight(self) -> int:
        return sum(path.weight for path in self.paths)

    def block_counts(self) -> Counter:
        """How often each block ran."""
        counts: Counter = Counter()
        for path in self.paths:
            for block in path.blocks[path.context:]:
                counts[block] += path.count
        return counts

    def sequences(self) -> list[Sequence]:
        """Of mode=kipf: every node of the forest, a parent before its children."""
        found: list[Sequence] = []
        open_nodes = [((), node) for node in reversed(self.data.get("forest", ()))]
        while open_nodes:
            before, node = open_nodes.pop()
            paths = (*before, int(node["path"]))
            found.append(Sequence(paths, int(node["count"])))
            open_nodes += [(paths, child) for child in reversed(node.get("children", ()))]
        return found


class Profile:
    """A whole profile.  `data` is the JSON."""

    def __init__(self, data: dict):
        if data.get("format") != "pathprof-json" or data.get("version") != 1:
            raise ValueError("not a profile as 'pathdump export --format=json' prints it, version 1")
        self.data = data
        self.program: str = data["program"]
        self.runs = int(data["runs"])
        self.functions = [Function(self, function) for function in data["functions"]]
        self.left_out: dict[str, str] = {one["name"]: one["reason"] for one in data["left_out"]}
        self.program_paths = [self._program_path(program, path) for program in data["program_paths"]
                              for path in program["paths"]]
        self.weight = 0
        self.weight = sum(function.weight for function in self.functions)

    @staticmethod
    def _program_path(program: dict, path: dict) -> ProgramPath:
        return ProgramPath(program["unit"], program["mode"], int(path["id"]), int(path["count"]), path["start"],
                           path["end"], path["prefix_len"], tuple(path["steps"]), tuple(path.get("decisions", ())))

    def __repr__(self) -> str:
        return f"<Profile of {self.program}: {self.runs} runs, {len(self.functions)} functions>"

    def function(self, name: str) -> Function:
        """By assembler or demangled name; KeyError if there is none, or several."""
        found = [one for one in self.functions if name in (one.name, one.demangled)]
        if len(found) != 1:
            raise KeyError(f"{len(found)} functions are called {name}")
        return found[0]

    def hot_paths(self, number: int | None = None) -> list[Path]:
        """By executions times statements, the hottest first."""
        paths = [path for function in self.functions for path in function.paths if path.count]
        paths.sort(key=lambda path: (-path.weight, -path.count))
        return paths[:number]


def loads(text: str | bytes) -> Profile:
    """A profile from the text of the JSON."""
    return Profile(json.loads(text))


def load(file: str | os.PathLike, pathdump: str = "pathdump") -> Profile:
    """A profile from a file: JSON, or what a program wrote, which `pathdump` exports."""
    content = FilePath(file).read_bytes()
    if not content.lstrip().startswith(b"{"):
        done = subprocess.run([pathdump, "export", "--format=json", os.fspath(file)], capture_output=True, check=False)
        if done.returncode != 0:
            raise ValueError(done.stderr.decode(errors="replace").strip())
        content = done.stdout
    return loads(content)
