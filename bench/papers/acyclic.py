# SPDX-License-Identifier: GPL-3.0-or-later
"""[BL]: the cost of acyclic paths compared with edges (Table 1), their properties (Table 2), and the share of them that a training
run finds (Table 3). Paths are those of stage=late, because [BL] instruments optimised code."""

from lab import ARCS, BASE, Lab, ours
from subjects import NUMERIC, reference_size
from tables import Table, interval, percent, quotient, rounded, with_intervals

PATHS = ours("late", "stage=late")


def table1(lab: Lab, workloads: list) -> Table:
    """Measures costs on the small input."""
    table = Table("acyclic-costs", ["program", "paths / base", "edges / base", "path increments", "edge increments per path",
                                    "hashed %", "instructions per increment"])
    for workload in workloads:
        base, paths, edges = (lab.instructions(variant, workload) for variant in (BASE, PATHS, ARCS))
        total = lab.ask("stats", lab.profile(PATHS, workload, workload.small))["total"]
        table.add(workload.name, quotient(paths, base), quotient(edges, base), total["executions"],
                  quotient(total["edge_increments"], total["executions"], 2), percent(total["hashed"], total["executions"]),
                  quotient(base, total["executions"], 1))
    return table


def table1_times(lab: Lab, workloads: list) -> Table:
    table = Table("acyclic-times", ["program", *with_intervals(["paths / base", "edges / base"])])
    for workload in workloads:
        found = lab.times([BASE, PATHS, ARCS], workload)
        table.add(workload.name, *interval(found[PATHS.name]), *interval(found[ARCS.name]))
    return table


def table2(lab: Lab, workloads: list) -> Table:
    """Computes path lengths weighted by executions, in GIMPLE statements. Potential paths are counted before truncation."""
    table = Table("acyclic-paths", ["program", "paths", "potential paths", "longest edges", "longest statements", "edges", "statements",
                                    "predicted %", "predicted longest edges", "predicted edges", "predicted statements", "functions",
                                    "functions with fewer than 3000 paths %", "maximum paths of a function", "paths per function"])
    for workload in workloads:
        profile = lab.profile(PATHS, workload, reference_size(workload))
        total = lab.ask("stats", profile)["total"]
        potential = [int(function["num_paths_uncut"]) for function in lab.ask("functions", profile)["functions"]]
        length, predicted = total["length"], total["predicted"]
        table.add(workload.name, total["paths"], sum(potential), length["longest_edges"], length["longest_statements"],
                  rounded(length["edges"], 1), rounded(length["statements"], 1), percent(total["paths_predicted"], total["paths"]),
                  predicted["longest_edges"], rounded(predicted["edges"], 1), rounded(predicted["statements"], 1), total["functions"],
                  percent(sum(number < 3000 for number in potential), len(potential)), total["most_paths"],
                  quotient(total["paths"], total["functions"], 1))
    return table


def kinds(lab: Lab, kernels: list) -> Table:
    """Computes the lengths of paths in numeric and other kernels, on the small input."""
    table = Table("acyclic-kernels", ["program", "kind", "paths", "edges", "statements"])
    for workload in kernels:
        total = lab.ask("stats", lab.profile(PATHS, workload, workload.small))["total"]
        table.add(workload.name, "numeric" if workload.name in NUMERIC else "integer", total["paths"], rounded(total["length"]["edges"], 1),
                  rounded(total["length"]["statements"], 1))
    return table


def table3(lab: Lab, workloads: list) -> Table:
    """Computes the shares of the reference input's paths and executions that the training input also executed."""
    table = Table("acyclic-training", ["program", "common paths", "static %", "dynamic %", "statements %"])
    for workload in workloads:
        trained, reference = (lab.profile(PATHS, workload, size) for size in (workload.small, reference_size(workload)))
        total = lab.ask("overlap", trained, reference)["total"]
        shares = total["b"]
        table.add(workload.name, total["common_paths"], rounded(shares["share_of_paths"], 1), rounded(shares["share_of_executions"], 1),
                  rounded(shares["share_of_statements"], 1))
    return table


def counted(lab: Lab, programs: list, kernels: list) -> list[Table]:
    return [table1(lab, programs), table2(lab, programs), kinds(lab, kernels), table3(lab, programs)]


def timed(lab: Lab, programs: list, kernels: list) -> list[Table]:
    return [table1_times(lab, programs)]
