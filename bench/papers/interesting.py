# SPDX-License-Identifier: GPL-3.0-or-later
"""[PPP]: the cost of counting interesting paths compared with all paths (Figure 15), the compactness of their numbers (Figure 16),
and the residual paths of a second input.

As in the paper, the interesting paths are those of a run on the measured input. Functions with more than 4,000 paths are counted
in hash tables, which is the threshold of [BL]'s profiler."""

from lab import BASE, Lab, ours
from subjects import reference_size
from tables import Table, interval, percent, quotient, rounded, with_intervals

THRESHOLD = "array-max=4000"
ALL_PATHS = ours("all paths", THRESHOLD)


def preferential(lab: Lab, workload, size: int, level: str = "O2"):
    """Returns the variant whose interesting paths are those of a run on an input of that size."""
    return ours("interesting paths", "mode=preferential", f"interesting={lab.profile(ALL_PATHS, workload, size, level)}", THRESHOLD)


def figure15(lab: Lab, workloads: list) -> Table:
    table = Table("interesting-costs", ["program", "all paths / base", "interesting paths / base", "hashed % of all paths"])
    for workload in workloads:
        base = lab.instructions(BASE, workload)
        total = lab.ask("stats", lab.profile(ALL_PATHS, workload, workload.small))["total"]
        table.add(workload.name, quotient(lab.instructions(ALL_PATHS, workload), base),
                  quotient(lab.instructions(preferential(lab, workload, workload.small), workload), base),
                  percent(total["hashed"], total["executions"]))
    return table


def figure15_without_cache(lab: Lab, workloads: list) -> Table:
    """Measures at -Os, where each access to a table is a call to the runtime, as in the papers' profilers."""
    table = Table("interesting-calls", ["program", "all paths / base", "interesting paths / base", "hashed % of all paths"])
    for workload in workloads:
        variants = (BASE, ALL_PATHS, preferential(lab, workload, workload.small, "Os"))
        base, all_paths, interesting = (lab.instructions(variant, workload, "Os") for variant in variants)
        total = lab.ask("stats", lab.profile(ALL_PATHS, workload, workload.small, "Os"))["total"]
        table.add(workload.name, quotient(all_paths, base), quotient(interesting, base), percent(total["hashed"], total["executions"]))
    return table


def figure15_times(lab: Lab, workloads: list) -> Table:
    names = ("all paths", "interesting paths")
    table = Table("interesting-times", ["program", *with_intervals([f"{name} / base" for name in names])])
    for workload in workloads:
        found = lab.times([BASE, ALL_PATHS, preferential(lab, workload, workload.size)], workload)
        table.add(workload.name, *(cell for name in names for cell in interval(found[name])))
    return table


def figure16(lab: Lab, workloads: list) -> Table:
    """Computes delta, the size of the number interval divided by the number of interesting paths, for each executed function."""
    table = Table("interesting-numbers", ["program", "function", "potential paths", "interesting paths", "interval", "delta"])
    for workload in workloads:
        size = reference_size(workload)
        profile = lab.profile(preferential(lab, workload, size), workload, workload.small)
        for function in sorted(lab.ask("functions", profile)["functions"], key=lambda function: function["name"]):
            if function.get("interesting_paths") and function["delta"] is not None:
                table.add(workload.name, function["name"], function["num_paths"], function["interesting_paths"],
                          round(function["delta"] * function["interesting_paths"]), rounded(function["delta"]))
    return table


def residual(lab: Lab, workloads: list) -> Table:
    """Counts paths of the reference input that the training input did not execute."""
    table = Table("interesting-residual", ["program", "interesting paths", "residual paths", "executions", "residual executions %"])
    for workload in workloads:
        variant = preferential(lab, workload, workload.small)
        found = lab.ask("residual", lab.profile(variant, workload, reference_size(workload)))
        table.add(workload.name, found["interesting_paths"], found["residual_paths"], found["executions"],
                  percent(found["residual_executions"], found["executions"]))
    return table


def counted(lab: Lab, programs: list, kernels: list) -> list[Table]:
    return [figure15(lab, programs), figure15_without_cache(lab, programs), figure16(lab, programs), residual(lab, programs)]


def timed(lab: Lab, programs: list, kernels: list) -> list[Table]:
    return [figure15_times(lab, programs)]
