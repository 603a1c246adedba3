# SPDX-License-Identifier: GPL-3.0-or-later
"""Generates the input files of the measured programs once, from text in the packages or at random."""

import bz2
import lzma
import math
import random
import shutil
import struct
import wave
from pathlib import Path
from typing import Callable

from programs import Workload

_CLAUSES_PER_VARIABLE = 4.2  # just below 4.27, where random formulas are hardest; still satisfiable


class Inputs:
    """Input files below `folder`. `packages` is the directory of the fetched packages."""

    def __init__(self, packages: Path, folder: Path):
        self.packages = packages
        self.folder = folder

    def kept(self, name: str, make: Callable[[Path], object]) -> Path:
        """Returns the file or directory of this name, and creates it if it does not exist."""
        file = self.folder / name
        if not file.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            part = self.folder / (name + ".part")
            make(part)
            part.rename(file)
        return file

    def plain(self, size: int) -> Path:
        """Returns a file with `size` bytes of C source."""
        def make(file: Path) -> None:
            text = (self.packages / "sqlite3/amalgamation/sqlite3.c").read_bytes()
            file.write_bytes((text * (size // len(text) + 1))[:size])
        return self.kept(f"text-{size}", make)

    def packed(self, size: int) -> Path:
        return self.kept(f"text-{size}.bz2", lambda file: file.write_bytes(bz2.compress(self.plain(size).read_bytes())))

    def packed_by_xz(self, size: int) -> Path:
        return self.kept(f"text-{size}.xz", lambda file: file.write_bytes(lzma.compress(self.plain(size).read_bytes())))

    def formula(self, size: int) -> Path:
        """Returns a formula for a SAT solver: clauses of three literals over `size` variables."""
        def make(file: Path) -> None:
            source = random.Random(1)
            clauses = [[variable * source.choice((1, -1)) for variable in source.sample(range(1, size + 1), 3)]
                       for _ in range(int(_CLAUSES_PER_VARIABLE * size))]
            lines = [f"p cnf {size} {len(clauses)}", *(" ".join(map(str, clause)) + " 0" for clause in clauses)]
            file.write_text("\n".join(lines) + "\n")
        return self.kept(f"formula-{size}", make)

    def orders(self, size: int) -> Path:
        """Returns `size` YAML documents in several styles. One in 40 is malformed, and about as many have an invalid number."""
        def make(file: Path) -> None:
            source = random.Random(1)
            file.write_text("".join(_order(source, number) + "...\n" for number in range(size)))
        return self.kept(f"orders-{size}", make)

    def markdown(self, size: int) -> Path:
        """Returns about `size` bytes of text with headings, lists, quotations, links, emphasis and code."""
        def make(file: Path) -> None:
            source = random.Random(1)
            file.write_text("".join(_block(source) for _ in range(size // 200)))
        return self.kept(f"text-{size}.md", make)

    def xml(self, size: int) -> Path:
        """Returns a document with `size` orders."""
        def make(file: Path) -> None:
            source = random.Random(1)
            file.write_text("<orders>\n" + "".join(_xml_order(source, number) for number in range(size)) + "</orders>\n")
        return self.kept(f"orders-{size}.xml", make)

    def signal(self, size: int) -> Path:
        """Returns `size` bytes of stereo sound: tones with overtones that begin and fade, and noise."""
        def make(file: Path) -> None:
            source = random.Random(1)
            with wave.open(str(file), "wb") as sound:
                sound.setparams((2, 2, 44100, 0, "NONE", ""))
                sound.writeframes(b"".join(_tone(source, min(4410, size // 4 - start)) for start in range(0, size // 4, 4410)))
        return self.kept(f"sound-{size}.wav", make)

    def grammar(self, size: int) -> Path:
        return self.packages / "sqlite3" / ("ext/fts5/fts5parse.y" if size == 1 else "src/parse.y")

    def manifest(self, size: int) -> Path:
        """Returns a ninja build of `size` objects from one source, a library per sixteen objects, and a program."""
        def make(file: Path) -> None:
            lines = ["flags = -O2 -g\nsource = /dev/null", "rule cc\n  command = cc $flags -c $in -o $out\n  description = CC $out",
                     "rule ar\n  command = ar cr $out $in", "rule ld\n  command = cc $in -o $out"]
            lines += [f"build obj/{number % 50}/{number}.o: cc $source" for number in range(size)]
            groups = [range(start, min(start + 16, size)) for start in range(0, size, 16)]
            lines += [f"build lib/{number}.a: ar {' '.join(f'obj/{each % 50}/{each}.o' for each in group)}"
                      for number, group in enumerate(groups)]
            lines += [f"build prog: ld {' '.join(f'lib/{number}.a' for number in range(len(groups)))}", "default prog"]
            file.write_text("\n".join(lines) + "\n")
        return self.kept(f"manifest-{size}.ninja", make)

    def checked(self, size: int) -> Path:
        """Returns a directory with the `size` smallest C++ source files of cppcheck."""
        def make(folder: Path) -> None:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            for file in sorted((self.packages / "cppcheck/lib").glob("*.cpp"), key=lambda file: file.stat().st_size)[:size]:
                shutil.copy(file, folder)
        return self.kept(f"checked-{size}", make)

    def makers(self) -> dict[str, Callable[[int], Path]]:
        """Maps the names in braces in arguments to functions that create the file of a given size."""
        return {"input": self.plain, "packed": self.packed, "packed-xz": self.packed_by_xz, "formula": self.formula,
                "orders": self.orders, "markdown": self.markdown, "xml": self.xml, "signal": self.signal, "grammar": self.grammar, "manifest": self.manifest, "checked": self.checked,
                "template": lambda _: self.packages / "sqlite3/tool/lempar.c"}

    def command(self, binary: Path, workload: Workload, size: int, name_of: Callable[[Path], str] = str) -> list[str]:
        """Returns the command line. `name_of` returns the name under which the program and its files are called."""
        values = {"n": str(size)}
        for name, make in self.makers().items():
            if any(f"{{{name}}}" in str(argument) for argument in workload.arguments):
                values[name] = name_of(make(size))
        return [name_of(binary), *(name_of(argument) if isinstance(argument, Path) else argument.format(**values)
                                   for argument in workload.arguments)]


def _order(source: random.Random, number: int) -> str:
    town = source.choice(("Aachen", "Bern", "Como", "Delft", "Evora", "\"Frankfurt (Oder)\"", "'Graz'"))
    lines = [(source.choice(("screw", "nut", "bolt")), source.randrange(1, 100), source.randrange(5, 5000)) for _ in range(source.randrange(1, 8))]
    items = "".join(f"  - {{article: {article}, pieces: {pieces}, cents: {cents}}}\n" if source.random() < 0.5 else
                    f"  - article: {article}\n    pieces: {pieces}\n    cents: {'free' if source.random() < 0.0125 else cents}  # each\n"
                    for article, pieces, cents in lines)
    note = "note: |\n  Leave it\n  at the door.\n" if source.random() < 0.3 else ""
    end = "seen: [yes, {\n" if number % 40 == 39 else "seen: [yes, no]\n"
    return f"---\nnumber: {number}\ncustomer:\n  name: Customer {source.randrange(1000)}\n  town: {town}\nlines:\n{items}{note}{end}"


def _words(source: random.Random, number: int) -> str:
    word = lambda: "".join(source.choice(("ba", "co", "di", "fe", "gu", "ha", "ji", "ko", "lu", "me")) for _ in range(source.randrange(1, 4)))
    forms = ("{}",) * 12 + ("*{}*", "**{}**", "`{}`", "[{}](https://example.org/{})", "{} &amp;", "{}\\*", "<{}>")
    return " ".join(source.choice(forms).replace("{}", word()) for _ in range(number))


def _block(source: random.Random) -> str:
    kind = source.randrange(8)
    if kind == 0:
        return f"{'#' * source.randrange(1, 5)} {_words(source, 4)}\n\n"
    if kind == 1:
        return "".join(f"{'  ' * source.randrange(3)}- {_words(source, 6)}\n" for _ in range(4)) + "\n"
    if kind == 2:
        return f"> {_words(source, 12)}\n> {_words(source, 12)}\n\n"
    if kind == 3:
        return f"```c\n{_words(source, 20)}\n```\n\n"
    return f"{_words(source, 15)}\n{_words(source, 15)}\n\n"


def _xml_order(source: random.Random, number: int) -> str:
    lines = "".join(f'    <line article="{source.choice(("screw", "nut", "bolt"))}" cents="{source.randrange(5, 5000)}">'
                    f'{_words(source, 3).replace("<", "&lt;").replace("&amp;", "&#38;")}</line>\n' for _ in range(source.randrange(1, 8)))
    note = "    <!-- at the door --><note><![CDATA[<b>]]></note>\n" if source.random() < 0.3 else ""
    return f'  <order number="{number}">\n{lines}{note}  </order>\n'


def _tone(source: random.Random, length: int) -> bytes:
    pitch, volume = 2 * math.pi * source.choice((220, 262, 330, 392, 440)) / 44100, source.randrange(500, 9000)
    samples = []
    for i in range(length):
        value = volume * math.exp(-i / 3000) * (math.sin(pitch * i) + math.sin(2.01 * pitch * i) / 3)
        samples += [int(value + source.gauss(0, 40)), int(value / 2 + source.gauss(0, 40))]
    return struct.pack(f"<{len(samples)}h", *samples)
