# SPDX-License-Identifier: GPL-3.0-or-later
"""Defines the programs of the experiments: most programs of bench, and the kernels of [RS]."""

from dataclasses import replace

import programs
from programs import Program, Workload

KERNELS = programs.HERE / "kernels/iterations"
PROGRAMS = programs.PROGRAMS | {file.stem: Program(file.stem, (str(file),), libraries=("-lm",)) for file in KERNELS.glob("*.c")}


def _kernel(name: str, size: int, small: int) -> Workload:
    return Workload(name, name, ("{n}",), size, small, group="kernels")


# Reimplementations of the kernels that Roy and Srikant measured.
KERNEL_WORKLOADS = [_kernel("compress", 250, 5), _kernel("crc", 4000, 40), _kernel("edn", 30000, 200), _kernel("fdct", 5000, 30),
                    _kernel("fibcall", 30000, 300), _kernel("fir", 9000, 50), _kernel("jfdctint", 12000, 60),
                    _kernel("ludcmp", 9000, 60), _kernel("ndes", 20000, 100)]

# Kernels with arithmetic on arrays: filters, transforms, linear equations.
NUMERIC = {"edn", "fdct", "fir", "jfdctint", "ludcmp"}

# A few programs of each kind suffice: interpreters, compressors, C++ programs.
_LEFT_OUT = {"lua-switch", "xz", "gawk", "yaml", "zstd", "mawk", "cppcheck"}

# Input sizes for counting instead of timing: a program processes them in seconds.
_REFERENCE_SIZES = {"bzip2": 4_000_000, "bunzip2": 8_000_000, "minigzip": 6_000_000, "lz4": 6_000_000, "lua-fannkuch": 9, "lua-words": 30,
                    "lua-queens": 10, "sqlite3": 8000, "speedtest1": 12, "minisat": 270, "ninja": 3000}
_TRAINING_SIZES = {"ninja": 400}

PROGRAM_WORKLOADS = [replace(workload, small=_TRAINING_SIZES.get(workload.name, workload.small)) for workload in programs.WORKLOADS
                     if not workload.is_kernel and workload.program not in _LEFT_OUT]


def reference_size(workload: Workload) -> int:
    """Returns the size of the reference input ("ref"). The training input ("train") has the size for counting instructions."""
    return _REFERENCE_SIZES.get(workload.name, workload.size)


def reduced(workload: Workload) -> Workload:
    """Returns the same workload at a size that takes almost no time."""
    return replace(workload, size=workload.small)
