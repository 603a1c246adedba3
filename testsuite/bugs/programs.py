# SPDX-License-Identifier: GPL-3.0-or-later
"""Defines the example programs in which bugs are planted, and generates random inputs for them."""
import dataclasses
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@dataclasses.dataclass(frozen=True)
class Program:
    """A program. `make_input` writes a random input to a file and returns the arguments of one run."""
    name: str
    folder: str
    sources: tuple[str, ...]
    make_input: Callable
    headers: tuple[str, ...] = ()

    def read(self, name):
        return (EXAMPLES / self.folder / name).read_text(encoding="utf-8")


def _json_number(random):
    digits = str(random.choice([0, random.randrange(10), random.randrange(1000)]))
    fraction = f".{random.randrange(100)}" if random.random() < 0.4 else ""
    exponent = random.choice("eE") + random.choice(["", "+", "-"]) + str(random.randrange(20)) if random.random() < 0.25 else ""
    return random.choice(["", "", "-"]) + digits + fraction + exponent


def _json_text(random, depth=0):
    kind = random.randrange(7 if depth < 3 else 4)
    if kind == 0:
        text = random.choice(["plain", "", "caf\u00e9", 'a "quoted" \\ one', "\n\t", "\U0001f600", "\u20ac 5", "\ud7ff", "~ {}[]:,"])
        return json.dumps(text, ensure_ascii=random.random() < 0.5)
    if kind == 1:
        return random.choice(["true", "false", "null"])
    if kind in (2, 3):
        return _json_number(random)
    space = random.choice(["", " ", "\n\t"])
    values = [_json_text(random, depth + 1) for _ in range(random.randrange(4))]
    if kind in (4, 5):
        return "[" + ("," + space).join(values) + space + "]"
    return "{" + space + ",".join(f'"k{i}"{space}: {value}' for i, value in enumerate(values)) + "}"


def _json_input(random, file):
    text = _json_text(random)
    if random.random() < 0.2:  # a syntax error
        at = random.randrange(len(text))
        text = text[:at] + random.choice(["]", "x", "\\", "00", ",", ""]) + text[at + 1:]
    file.write_text(text, encoding="utf-8")
    return random.choice([["--compact"], ["--indent", str(random.randrange(1, 5))], [], []]) + [file.name]


class _Script:
    """A random script for tinybc whose loops end."""

    def __init__(self, random):
        self.random, self.names, self.functions = random, ["a", "b"], []

    def expression(self, depth=0):
        random = self.random
        kind = random.randrange(9 if depth < 3 else 4)
        if kind < 2:
            return str(random.choice([0, 1, 2, random.randrange(10), random.randrange(1000)]))
        if kind < 4:
            return random.choice(self.names)
        if kind == 4:
            return f"({self.expression(depth + 1)})"
        if kind == 5:
            return random.choice(["-", "not "]) + self.expression(depth + 1)
        if kind == 6 and self.functions:
            return f"{random.choice(self.functions)}({self.expression(depth + 1)}, {self.expression(depth + 1)})"
        operator = random.choice(["+", "-", "*", "+", "-", "<", "<=", ">", ">=", "==", "!=", "and", "or", "/", "%"])
        right = str(random.randrange(1, 20)) if operator in "/%" else self.expression(depth + 1)
        return f"{self.expression(depth + 1)} {operator} {right}"

    def statements(self, number, depth):
        return "".join("  " * depth + self.statement(depth) + "\n" for _ in range(number))

    def block(self, depth):
        known = len(self.names)
        text = "{\n" + self.statements(self.random.randrange(1, 3), depth + 1) + "  " * depth + "}"
        del self.names[known:]
        return text

    def statement(self, depth):
        random = self.random
        kind = random.randrange(8 if depth < 2 else 4)
        if kind == 0:
            return f"print {self.expression()}, {self.expression()};"
        if kind == 1:
            return f"{random.choice(self.names[:2])} = {self.expression()};"
        if kind == 2:
            value = self.expression()
            self.names.append(f"v{len(self.names)}")
            return f"let {self.names[-1]} = {value};"
        if kind in (3, 4):
            return f"print {self.expression()};  # value"
        if kind == 5:
            return f"if {self.expression()} {self.block(depth)}"
        if kind == 6:
            return f"if {self.expression()} {self.block(depth)} else {self.block(depth)}"
        name = f"i{len(self.names)}"
        self.names.append(name)
        body = self.block(depth)
        return f"let {name} = {random.randrange(5)}; while {name} > 0 {{ {name} = {name} - 1; {body} }}"


def _script_input(random, file):
    script = _Script(random)
    text = "let a = 3;\nlet b = 5;\n"
    for name in random.sample(["f", "g"], random.randrange(3)):
        script.names = ["a", "b", "x", "y"]
        text += f"fn {name}(x, y) {{\n{script.statements(random.randrange(2), 1)}  return {script.expression()};\n}}\n"
        script.functions.append(name)
    script.names = ["a", "b"]
    text += script.statements(random.randrange(2, 6), 0)
    if random.random() < 0.15:
        text = text.replace(random.choice([";", "{", "a"]), random.choice(["", "(", "zz", "9"]), 1)
    file.write_text(text, encoding="utf-8")
    return [file.name]


def _bytes(random):
    size = random.choice([0, 1, 5, random.randrange(300), random.randrange(4000), random.randrange(20000)])
    kind = random.randrange(4)
    if kind == 0:
        return random.randbytes(size)
    if kind == 1:
        return bytes([random.randrange(256)]) * size
    words = [random.randbytes(random.randrange(1, 9)).hex().encode() for _ in range(random.randrange(2, 60))]
    text = b" ".join(random.choices(words, k=size // 8 + 1))[:size]
    return text if kind == 2 else text * random.randrange(1, 20)


def _archive_input(random, file):
    data = _bytes(random)
    file.write_bytes(data)
    if random.random() < 0.4:
        return ["-c", file.name]
    packed = subprocess.run([file.parent / "original", "-c", file], capture_output=True, check=True).stdout
    if random.random() < 0.25:  # damaged
        at = random.randrange(len(packed))
        packed = packed[:at] + bytes([packed[at] ^ 1 << random.randrange(8)]) + packed[at + random.randrange(2):]
    file.write_bytes(packed)
    return ["-d", file.name]


def _image_input(random, file):
    width, height = random.randrange(1, 40), random.randrange(1, 40)
    if random.random() < 0.2:
        return ["generate", f"{width}x{height}"]
    largest = random.choice([1, 15, 255, 255, 1000])
    size = 2 if largest > 255 else 1
    comment = random.choice(["", "", "# a comment\n"])
    pixels = b"".join(random.randrange(largest + 1).to_bytes(size, "big") for _ in range(width * height))
    file.write_bytes(f"P5\n{comment}{width} {height}\n{largest}\n".encode() + pixels[:random.choice([-1, None, None, None, None])])
    name = random.choice(["blur", "sharpen", "edges", "median", f"threshold={random.randrange(largest + 1)}"])
    return [name, *random.choice([[], ["--radius", "1"], ["--radius", "2"]]), file.name]


PROGRAMS = (
    Program("jsonfmt", "json", ("jsonfmt.c",), _json_input),
    Program("tinybc", "bytecode", ("tinybc.c", "compile.c"), _script_input, ("tinybc.h",)),
    Program("lzhuff", "compress", ("lzhuff.c", "encode.c"), _archive_input, ("lzhuff.h",)),
    Program("pgmfilter", "image", ("pgmfilter.c",), _image_input),
)
