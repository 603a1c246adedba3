# SPDX-License-Identifier: GPL-3.0-or-later
"""Generates programs with one large function, or many functions, to find superlinear compile time."""

from dataclasses import dataclass
from pathlib import Path
from typing import Callable

PARAMETER = "const int *p"


@dataclass(frozen=True)
class Shape:
    """A kind of program. `text` returns the source with `number` parts."""

    name: str
    number: int
    text: Callable[[int], str]
    suffix: str = ".c"

    def write(self, folder: Path, factor: int) -> Path:
        """Writes the source with `factor` times the number of parts."""
        file = folder / f"{self.name}-{factor}{self.suffix}"
        file.write_text(self.text(self.number * factor))
        return file


def _function(*statements: str, before: str = "") -> str:
    body = "\n".join(f"  {statement}" for statement in statements)
    return f"{before}int f ({PARAMETER}, int k)\n{{\n  int x = 0;\n{body}\n  return x;\n}}\n"


def _branches(number: int) -> str:
    return _function(*(f"if (p[{i % 64}] > {i % 17}) x += {i}; else x ^= {i % 1000};" for i in range(number)))


def _loops(number: int) -> str:
    return _function(*(f"for (int i = 0; i < p[{i % 64}]; i++) x += i ^ {i};" for i in range(number)))


def _cases(number: int) -> str:
    return _function("switch (k) {", *(f"case {3 * i}: x += p[{i % 64}] * {i}; break;" for i in range(number)), "}")


def _conditions(number: int) -> str:
    joined = "".join(f"{' && ' if i % 3 else ' || '}p[{i % 64}] > {i}" for i in range(number))
    return _function(f"if ({joined[4:]}) x = 1;")


def _nested(number: int) -> str:
    return _function(*(f"if (p[{i % 64}] > {i % 17}) {{ x += {i};" for i in range(number)), "}" * number)


def _functions(number: int) -> str:
    return "".join(f"int f{i} (int x)\n{{\n  if (x > {i})\n    return x * {i};\n  return x + 1;\n}}\n" for i in range(number))


def _calls(number: int) -> str:
    return _function(*(f"g (p[{i % 64}], {i});" for i in range(number)), before="void g (int, int);\n")


def _destructors(number: int) -> str:
    declarations = "struct S { S (int); ~S (); };\nvoid g (int, int);\n"
    return _function(*(f"{{ S s (p[{i % 64}]); g (p[{i % 64}], {i}); }}" for i in range(number)), before=declarations)


SHAPES = [
    Shape("branches", 2500, _branches),
    Shape("loops", 1000, _loops),
    Shape("cases", 5000, _cases),
    Shape("conditions", 1000, _conditions),
    Shape("nested", 250, _nested),
    Shape("functions", 1250, _functions),
    Shape("calls", 5000, _calls),
    Shape("destructors", 1250, _destructors, ".cc"),
]
