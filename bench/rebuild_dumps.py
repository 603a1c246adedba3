# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads GCC's dumps of a unit: block counts by line, calls, and inlining decisions.

Both dumps are written at the same pass, whether the counts come from -fprofile-use or from pathprof: -fdump-ipa-inline after the
call graph was optimised, and -fdump-tree-fixup_cfg3 after inlined bodies are in place. Functions are identified by their
assembler names, without the suffixes that GCC appends for copies and parts.
"""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Iterator

DUMPS = ("-fdump-ipa-inline", "-fdump-tree-fixup_cfg3-blocks-details-lineno")
_APPENDED = re.compile(r"\.(?:isra|part|constprop|cold|localalias|lto_priv)(?:\.\d+)?(?=\.|$)")
_SYMBOL = re.compile(r"^(\S+)/(\d+) \(.*\)(?: @0x[0-9a-f]+)?\n((?:  .*\n)+)", re.MULTILINE)
_CALL = re.compile(r"(\S+)/\d+ (?:\(speculative\) )?(\(inlined\) )?(?:\(indirect_inlining\) )?\((\d+) \(([^)]*)\)")
_BLOCK = re.compile(r"^;;   basic block \d+, loop depth \d+(?:, count (\d+) \(([^)]*)\))?")
_LINE = re.compile(r"\[([^\[\]\s]+):(\d+):\d+(?: discrim \d+)?\]")


def plain_name(name: str) -> str:
    """Returns the name of the function from which a copy or a part was made."""
    return _APPENDED.sub("", name)


@dataclass
class KnownFunction:
    """Information about a function in one build, over all its units and copies."""

    entries: int = 0  # calls of out-of-line and inlined bodies
    bodies: int = 0
    inlined: Counter = field(default_factory=Counter)  # callee → inlined calls
    calls: Counter = field(default_factory=Counter)  # callee → remaining calls


@dataclass
class Knowledge:
    """Information from all dumps of a build."""

    functions: dict[str, KnownFunction] = field(default_factory=lambda: defaultdict(KnownFunction))
    # (source file, line) → the largest count of a block with a statement of the line, and its quality
    lines: dict[tuple[str, int], int] = field(default_factory=dict)
    guessed: set[tuple[str, int]] = field(default_factory=set)


def read_dumps(folder: Path) -> Knowledge:
    """Reads the dumps of all units below the directory."""
    knowledge = Knowledge()
    for file in sorted(folder.rglob("*i.inline")):
        _read_call_graph(file.read_text(errors="replace"), knowledge)
    for file in sorted(folder.rglob("*t.fixup_cfg3")):
        _read_blocks(file.read_text(errors="replace").splitlines(), knowledge)
    return knowledge


def trusted_count(count: str | None, quality: str) -> tuple[int | None, bool]:
    """Returns a count as GCC uses it across functions, and whether the count is a guess. A local estimate in a function that was
    never executed is 0."""
    if count is None:
        return None, False
    if "globally 0" in quality:
        return 0, False
    return int(count), "guessed" in quality or "locally" in quality


def _read_call_graph(text: str, knowledge: Knowledge) -> None:
    """Reads the last symbol table of the dump, which contains the final decisions."""
    _, _, table = text.rpartition("\nSymbol table:\n")
    symbols = {match[2]: (plain_name(match[1]), match[3]) for match in _SYMBOL.finditer(table)}
    for name, about in symbols.values():
        if "Type: function definition" not in about:
            continue
        function = knowledge.functions[name]
        count = re.search(r"Function flags: count:(\d+) \(([^)]*)\)", about)
        function.entries += trusted_count(count[1], count[2])[0] or 0 if count else 0
        if "is inline copy in" not in about:
            function.bodies += 1
        _read_calls(name, about, knowledge)


def _read_calls(name: str, about: str, knowledge: Knowledge) -> None:
    callees = re.search(r"^  Calls: (.*)$", about, re.MULTILINE)
    function = knowledge.functions[name]
    for callee, is_inlined, count, quality in _CALL.findall(callees[1] if callees else ""):
        (function.inlined if is_inlined else function.calls)[plain_name(callee)] += trusted_count(count, quality)[0]


def _read_blocks(lines: list[str], knowledge: Knowledge) -> None:
    count, is_guessed = None, False
    for line in lines:
        if block := _BLOCK.match(line):
            count, is_guessed = trusted_count(block[1], block[2] or "")
        elif count is not None and not line.startswith(";;"):
            for place in places(line):
                knowledge.lines[place] = max(knowledge.lines.get(place, 0), count)
                if is_guessed and count:
                    knowledge.guessed.add(place)


def places(statement: str) -> Iterator[tuple[str, int]]:
    """Yields base names of files and lines; dumps and debug information may name directories differently."""
    for file, number in _LINE.findall(statement):
        yield Path(file).name, int(number)
