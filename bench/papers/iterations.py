# SPDX-License-Identifier: GPL-3.0-or-later
"""[RS]: the cost of k-iteration paths compared with acyclic paths (Table 3), their number (Table 4), with both numberings, and the
effect of the flag in Algorithm 3 from k = 3 on.

The thresholds are those of the paper: arrays up to 6,000 paths, tables up to 60,000, and no profile of a function above that. The
stage is source, because [RS] instruments C."""

import algorithm3
from lab import BASE, Lab, ours
from tables import Table, interval, quotient, with_intervals

THRESHOLDS = ("stage=source", "array-max=6000", "paths-max=60000", "overflow=skip")
ACYCLIC = ours("acyclic", *THRESHOLDS)
# Includes every function, whatever its number of paths, and uses the requested k for each loop.
UNLIMITED = ("stage=source", "array-max=0", f"paths-max={2**62 - 1}")
LARGEST_K = 5
TOO_MANY = 60000
# Programs in addition to the kernels.
PROGRAMS = ("bzip2", "minigzip", "lua-queens", "speedtest1")


def by_numbering(k: int, numbering: str):
    return ours(f"k={k} {numbering}", "mode=kiter", f"k={k}", f"numbering={numbering}", *THRESHOLDS)


VARIANTS = [by_numbering(k, numbering) for k in (2, 3) for numbering in ("register", "paper")]


def left_out(lab: Lab, variant, workload) -> int:
    """Returns the number of functions without a profile because they have too many paths."""
    return len(lab.ask("export", "--format=json", lab.profile(variant, workload, workload.small)).get("left_out", []))


def comparable(lab: Lab, workload) -> list:
    """Returns the variants that profile the same functions as acyclic profiling."""
    without = left_out(lab, ACYCLIC, workload)
    return [variant for variant in VARIANTS if left_out(lab, variant, workload) == without]


def table3(lab: Lab, workloads: list) -> Table:
    """Measures instructions; cells are empty if a function has too many paths."""
    table = Table("iterations-costs", ["program", "acyclic / base", *(f"{variant.name} / acyclic" for variant in VARIANTS)])
    for workload in workloads:
        base, acyclic = lab.instructions(BASE, workload), lab.instructions(ACYCLIC, workload)
        variants = comparable(lab, workload)
        table.add(workload.name, quotient(acyclic, base),
                  *(quotient(lab.instructions(variant, workload), acyclic) if variant in variants else "" for variant in VARIANTS))
    return table


def table3_times(lab: Lab, workloads: list) -> Table:
    table = Table("iterations-times", ["program", *with_intervals([f"{variant.name} / acyclic" for variant in VARIANTS])])
    for workload in workloads:
        variants = comparable(lab, workload)
        found = lab.times([ACYCLIC, *variants], workload)
        table.add(workload.name, *(cell for variant in VARIANTS for cell in
                                   (interval(found[variant.name]) if variant in variants else ["", "", ""])))
    return table


def table4(lab: Lab, workloads: list) -> Table:
    """Returns the number of paths before truncation, which may not fit into 64 bits, for the executed functions with the most paths
    in each program whose innermost loops have more than one path."""
    table = Table("iterations-paths", ["program", "function", *(f"k={k}" for k in range(1, LARGEST_K + 1))])
    for workload in workloads:
        counts: dict[str, list[str]] = {}
        for k in range(1, LARGEST_K + 1):
            variant = ours(f"k={k}", *(["mode=kiter", f"k={k}"] if k > 1 else []), *UNLIMITED)
            for function in lab.ask("functions", lab.profile(variant, workload, workload.small))["functions"]:
                counts.setdefault(function["name"], []).append(function["num_paths_uncut"])
        grown = {name: numbers for name, numbers in counts.items() if len(numbers) == LARGEST_K and numbers[0] != numbers[-1]}
        for name, numbers in sorted(grown.items(), key=lambda item: (-int(item[1][0]), item[0]))[:4]:
            table.add(workload.name, name, *numbers)
    return table


def erratum() -> Table:
    """Examines the graph of Figure 1: the number of paths, whether they are numbered densely from 0, and traces that Algorithm 3
    counts differently from the definition."""
    table = Table("iterations-erratum", ["k", "paths", "numbering", "traces", "wrong with one flag", "wrong with one condition per accumulator", "miscounted trace"])
    for k in range(1, LARGEST_K + 1):
        numbers = algorithm3.numbers(k)
        is_perfect = numbers == list(range(len(numbers)))
        table.add(k, len(numbers), "perfect" if is_perfect else "not perfect", *algorithm3.compare(k, traces=300))
    return table


def measured(programs: list, kernels: list) -> list:
    return kernels + [workload for workload in programs if workload.name in PROGRAMS]


def counted(lab: Lab, programs: list, kernels: list) -> list[Table]:
    chosen = measured(programs, kernels)
    return [table3(lab, chosen), table4(lab, chosen), erratum()]


def timed(lab: Lab, programs: list, kernels: list) -> list[Table]:
    return [table3_times(lab, measured(programs, kernels))]
