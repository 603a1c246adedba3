# SPDX-License-Identifier: GPL-3.0-or-later
"""[DD]: sequences of up to k paths in slab forests, compared with acyclic paths in hash tables, for k = 1 to 20."""

from lab import BASE, Lab, ours
from tables import Table, interval, quotient, rounded, with_intervals

HASHED = ours("hashed", "array-max=0")
LENGTHS = (1, 2, 4, 10, 20)
TIMED = (2, 4, 10, 20)
# Lengths for kernels, which run only briefly.
ALL_LENGTHS = (1, 2, 3, 4, 5, 8, 10, 15, 20)


def forest(k: int):
    return ours(f"k={k}", "mode=kipf", f"k={k}", "array-max=0")


def costs(lab: Lab, workloads: list, name: str, lengths: tuple[int, ...]) -> Table:
    table = Table(name, ["program", "hashed acyclic / base", *(f"k={k} / hashed acyclic" for k in lengths)])
    for workload in workloads:
        base, hashed = lab.instructions(BASE, workload), lab.instructions(HASHED, workload)
        table.add(workload.name, quotient(hashed, base), *(quotient(lab.instructions(forest(k), workload), hashed) for k in lengths))
    return table


def costs_without_cache(lab: Lab, workloads: list) -> Table:
    """Measures at -Os, where each access to a table is a call to the runtime, as in the papers' profilers."""
    ks = (2, 10, 20)
    table = Table("sequences-calls", ["program", "hashed acyclic / base", *(f"k={k} / hashed acyclic" for k in ks)])
    for workload in workloads:
        base, hashed, *forests_ = (lab.instructions(variant, workload, "Os") for variant in (BASE, HASHED, *map(forest, ks)))
        table.add(workload.name, quotient(hashed, base), *(quotient(counted, hashed) for counted in forests_))
    return table


def times(lab: Lab, workloads: list) -> Table:
    table = Table("sequences-times", ["program", *with_intervals([f"k={k} / hashed acyclic" for k in TIMED])])
    for workload in workloads:
        found = lab.times([HASHED, *map(forest, TIMED)], workload)
        table.add(workload.name, *(cell for k in TIMED for cell in interval(found[f"k={k}"])))
    return table


def forests(lab: Lab, workloads: list) -> Table:
    """Describes the forests on the small input."""
    table = Table("sequences-forests", ["program", "k", "paths in sequences", "slab nodes", "sequences", "sequences per slab node",
                                        "children per inner node"])
    for workload in workloads:
        for k in LENGTHS[1:]:
            total = lab.ask("stats", lab.profile(forest(k), workload, workload.small))["total"]
            found = total.get("forest", {"slab_nodes": 0, "inner_slab_nodes": 0, "sequences": 0})
            table.add(workload.name, k, total["hashed"], found["slab_nodes"], found["sequences"],
                      quotient(found["sequences"], found["slab_nodes"], 2), quotient(found["slab_nodes"], found["inner_slab_nodes"], 2))
    return table


def memory(lab: Lab, workloads: list) -> Table:
    table = Table("sequences-memory", ["program", "base, MB", "hashed acyclic, MB", *(f"k={k}, MB" for k in TIMED)])
    for workload in workloads:
        table.add(workload.name, *(rounded(lab.memory(variant, workload), 1) for variant in (BASE, HASHED, *map(forest, TIMED))))
    return table


def counted(lab: Lab, programs: list, kernels: list) -> list[Table]:
    return [costs(lab, programs, "sequences-costs", LENGTHS), costs(lab, kernels, "sequences-kernels", ALL_LENGTHS), costs_without_cache(lab, programs),
            forests(lab, programs)]


def timed(lab: Lab, programs: list, kernels: list) -> list[Table]:
    return [times(lab, programs), memory(lab, programs)]
