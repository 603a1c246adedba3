# SPDX-License-Identifier: GPL-3.0-or-later
"""Flow graphs and path bits in gcov's files (.gcno, .gcda), and prime paths of a graph by their definition."""

import struct
from dataclasses import dataclass, field
from pathlib import Path

ENTRY, EXIT = 0, 1
ARC_FAKE = 2
TAG_FUNCTION, TAG_ARCS = 0x01000000, 0x01430000
TAG_PATHS = 0x01A10000 + (9 << 17)  # counters of -fpath-coverage


@dataclass
class GccFunction:
    name: str
    file: str
    succs: dict = field(default_factory=dict)  # by block: a list, parallel edges apart; no EXIT, no fake edges
    path_bits: int = 0  # bit n: the n-th prime path, in lexicographic order, was covered
    has_paths: bool = False


class _Words:
    def __init__(self, data):
        self.data, self.at = data, 0

    def word(self):
        self.at += 4
        return struct.unpack_from("<I", self.data, self.at - 4)[0]

    def string(self):
        length = self.word()
        self.at += length
        return self.data[self.at - length:self.at].split(b"\0")[0].decode()

    def more(self):
        return self.at + 8 <= len(self.data)


def read_graphs(gcno):
    """By ident."""
    words = _Words(Path(gcno).read_bytes())
    for _ in range(4):  # magic, version, stamp, checksum
        words.word()
    words.string()
    words.word()
    functions, last = {}, None
    while words.more():
        tag, length = words.word(), words.word()
        end = words.at + length
        if tag == TAG_FUNCTION:
            ident = words.word()
            words.word(), words.word()
            name = words.string()
            words.word()
            last = functions[ident] = GccFunction(name, words.string())
        elif tag == TAG_ARCS:
            block = words.word()
            while words.at < end:
                target, flags = words.word(), words.word()
                last.succs.setdefault(block, [])
                if target != EXIT and not flags & ARC_FAKE:
                    last.succs[block].append(target)
                    last.succs.setdefault(target, [])
        words.at = end
    return functions


def read_path_bits(gcda, functions):
    words = _Words(Path(gcda).read_bytes())
    for _ in range(4):
        words.word()
    last = None
    while words.more():
        tag, length = words.word(), struct.unpack("<i", struct.pack("<I", words.word()))[0]
        if tag == TAG_FUNCTION:
            last = functions.get(words.word()) if length else None
            words.at += max(length - 4, 0)
            continue
        if tag == TAG_PATHS and last:
            last.has_paths = True
            if length > 0:  # negative: all are zero, and left out
                last.path_bits = int.from_bytes(words.data[words.at:words.at + length], "little")
        words.at += max(length, 0)


def prime_paths(succs, limit):
    """In lexicographic order; None if more than `limit` simple paths would be looked at.  `succs`: by block, a list."""
    succs = {block: sorted(set(targets)) for block, targets in succs.items()}
    preds = {block: set() for block in succs}
    for block, targets in succs.items():
        for target in targets:
            preds[target].add(block)
    found, effort = [], 0
    for first in sorted(succs):
        path, on_path, rest = [first], {first}, [iter(succs[first])]
        ends = [True]  # by place: whether the path cannot go on from there
        while path:
            effort += 1
            if effort > limit:
                return None
            target = next(rest[-1], None)
            if target is None:
                if ends[-1] and preds[first] <= on_path and not first in succs[path[-1]]:
                    found.append(tuple(path))
                on_path.discard(path.pop())
                rest.pop(), ends.pop()
            elif target == first:
                found.append((*path, first))
            elif target not in on_path:
                ends[-1] = False
                path.append(target), on_path.add(target), rest.append(iter(succs[target])), ends.append(True)
    return sorted(found)


def gcc_prime_paths(function, limit):
    """As GCC takes them: its ENTRY is a block, which is left out only of what was found."""
    found = prime_paths(function.succs, limit)
    return None if found is None else [path[1:] if path[0] == ENTRY else path for path in found if path != (ENTRY,)]
