# SPDX-License-Identifier: GPL-3.0-or-later
"""The programs of the experiments: those of bench, a parser generator, a second program in C++, and the kernels of [RS]."""

from dataclasses import replace
from pathlib import Path
from typing import Callable

import programs
from programs import Inputs, Program, Workload

KERNELS = programs.HERE / "kernels/iterations"
_NINJA_SOURCES = """build build_log clean clparser debug_flags depfile_parser deps_log disk_interface dyndep dyndep_parser edit_distance
  eval_env graph graphviz json lexer line_printer manifest_parser metrics missing_deps ninja parser state status string_piece_util
  subprocess-posix util version"""

PROGRAMS = programs.PROGRAMS | {
    program.name: program
    for program in [
        # Reads a grammar and writes a parser: a compiler of 5,000 lines in one file.
        Program("lemon", ("sqlite3/tool/lemon.c",)),
        Program("ninja", tuple(f"ninja-build/src/{name}.cc" for name in _NINJA_SOURCES.split()),
                flags=("-DUSE_PPOLL",), libraries=("-lpthread",)),
        *(Program(file.stem, (str(file),), libraries=("-lm",)) for file in sorted(KERNELS.glob("*.c"))),
    ]
}


def _kernel(name: str, size: int, small: int) -> Workload:
    return Workload(name, name, ("{n}",), size, small, is_kernel=True)


# The kernels that Roy and Srikant measured, written anew.
KERNEL_WORKLOADS = [_kernel("compress", 250, 5), _kernel("crc", 4000, 40), _kernel("edn", 30000, 200), _kernel("fdct", 5000, 30),
                    _kernel("fibcall", 30000, 300), _kernel("fir", 9000, 50), _kernel("jfdctint", 12000, 60),
                    _kernel("ludcmp", 9000, 60), _kernel("ndes", 20000, 100)]

# Kernels of arithmetic on arrays: filters, transforms, linear equations.
NUMERIC = {"edn", "fdct", "fir", "jfdctint", "ludcmp"}

# One lua is enough: how it dispatches is no matter to the papers.  So are one interpreter, three programs that compress, and two in C++.
_NOT_HERE = {"lua-switch", "xz", "gawk", "yaml"}

PROGRAM_WORKLOADS = [
    *(workload for workload in programs.WORKLOADS if not workload.is_kernel and workload.program not in _NOT_HERE),
    # The grammars of sqlite: 1 of its full text search, 2 of SQL.
    Workload("lemon", "lemon", ("-q", "-T{template}", "-d.", "{grammar}"), 2, 1),
    Workload("ninja", "ninja", ("-n", "--quiet", "-f", "{manifest}"), 6000, 400),
]

# Where what is counted is looked at, not the time: inputs that a program is through with in seconds.
_REFERENCE_SIZES = {"bzip2": 4_000_000, "bunzip2": 8_000_000, "minigzip": 6_000_000, "lz4": 6_000_000, "lua-fannkuch": 9, "lua-words": 30,
                    "lua-queens": 10, "sqlite3": 8000, "speedtest1": 12, "minisat": 270, "ninja": 3000}


def reference_size(workload: Workload) -> int:
    """The reference input ("ref"); the training input ("train") has the size where instructions are counted."""
    return _REFERENCE_SIZES.get(workload.name, workload.size)


class PaperInputs(Inputs):
    """Grammars and build files, beside what bench has."""

    def __init__(self, packages_folder: Path, folder: Path):
        super().__init__(packages_folder, folder)
        self.packages = packages_folder

    def makers(self) -> dict[str, Callable[[int], Path]]:
        return super().makers() | {"grammar": self.grammar, "manifest": self.manifest,
                                   "template": lambda _: self.packages / "sqlite3/tool/lempar.c"}

    def grammar(self, size: int) -> Path:
        return self.packages / "sqlite3" / ("ext/fts5/fts5parse.y" if size == 1 else "src/parse.y")

    def manifest(self, size: int) -> Path:
        """A build of so many steps: objects of one source that is always there, a library of each sixteen, and a program of all."""
        file = self.folder / f"manifest-{size}.ninja"
        if not file.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            lines = ["flags = -O2 -g\nsource = /dev/null", "rule cc\n  command = cc $flags -c $in -o $out\n  description = CC $out",
                     "rule ar\n  command = ar cr $out $in", "rule ld\n  command = cc $in -o $out"]
            lines += [f"build obj/{number % 50}/{number}.o: cc $source" for number in range(size)]
            groups = [range(start, min(start + 16, size)) for start in range(0, size, 16)]
            lines += [f"build lib/{number}.a: ar {' '.join(f'obj/{each % 50}/{each}.o' for each in group)}"
                      for number, group in enumerate(groups)]
            lines += [f"build prog: ld {' '.join(f'lib/{number}.a' for number in range(len(groups)))}", "default prog"]
            file.write_text("\n".join(lines) + "\n")
        return file


def reduced(workload: Workload) -> Workload:
    """The same at a size where it takes no time."""
    return replace(workload, size=workload.small)
