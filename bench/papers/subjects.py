# SPDX-License-Identifier: GPL-3.0-or-later
"""The programs of the experiments: most of those of bench, and the kernels of [RS]."""

from dataclasses import replace

import programs
from programs import Program, Workload

KERNELS = programs.HERE / "kernels/iterations"
PROGRAMS = programs.PROGRAMS | {file.stem: Program(file.stem, (str(file),), libraries=("-lm",)) for file in KERNELS.glob("*.c")}


def _kernel(name: str, size: int, small: int) -> Workload:
    return Workload(name, name, ("{n}",), size, small, is_kernel=True)


# The kernels that Roy and Srikant measured, written anew.
KERNEL_WORKLOADS = [_kernel("compress", 250, 5), _kernel("crc", 4000, 40), _kernel("edn", 30000, 200), _kernel("fdct", 5000, 30),
                    _kernel("fibcall", 30000, 300), _kernel("fir", 9000, 50), _kernel("jfdctint", 12000, 60),
                    _kernel("ludcmp", 9000, 60), _kernel("ndes", 20000, 100)]

# Kernels of arithmetic on arrays: filters, transforms, linear equations.
NUMERIC = {"edn", "fdct", "fir", "jfdctint", "ludcmp"}

# Of each kind of program some are enough: interpreters, those that compress, those in C++.
_LEFT_OUT = {"lua-switch", "xz", "gawk", "yaml", "zstd", "mawk", "cppcheck"}

# Where what is counted is looked at, not the time: inputs that a program is through with in seconds, and the training input of one.
_REFERENCE_SIZES = {"bzip2": 4_000_000, "bunzip2": 8_000_000, "minigzip": 6_000_000, "lz4": 6_000_000, "lua-fannkuch": 9, "lua-words": 30,
                    "lua-queens": 10, "sqlite3": 8000, "speedtest1": 12, "minisat": 270, "ninja": 3000}
_TRAINING_SIZES = {"ninja": 400}

PROGRAM_WORKLOADS = [replace(workload, small=_TRAINING_SIZES.get(workload.name, workload.small)) for workload in programs.WORKLOADS
                     if not workload.is_kernel and workload.program not in _LEFT_OUT]


def reference_size(workload: Workload) -> int:
    """The reference input ("ref"); the training input ("train") has the size where instructions are counted."""
    return _REFERENCE_SIZES.get(workload.name, workload.size)


def reduced(workload: Workload) -> Workload:
    """The same at a size where it takes no time."""
    return replace(workload, size=workload.small)
