# SPDX-License-Identifier: GPL-3.0-or-later
"""What pathprof is to cost, as far as the tables of the papers' experiments tell it, and what it costs there."""

from dataclasses import dataclass
from typing import Callable

from lab import geometric_mean
from tables import Table

Tables = dict[str, Table]
KERNELS = "acyclic-kernels"


@dataclass(frozen=True)
class Target:
    """`measure` gives one value for each part of the target; it is met if each is at most the limit beside it, and, where something is asked
    for at least, `enough` says so, too."""

    what: str
    asked: str
    needs: tuple[str, ...]
    limits: tuple[float, ...]
    measure: Callable[[Tables], list[tuple[str, float]]]
    enough: Callable[[Tables], tuple[str, bool]] = lambda tables: ("", True)


def mean_and_most(values: dict[str, float]) -> list[tuple[str, float]]:
    most = max(values, key=lambda name: values[name])
    return [(f"in {len(values)} programs", geometric_mean(list(values.values()))), (f"at most, in {most}", values[most])]


def paths_over_edges(tables: Tables) -> list[tuple[str, float]]:
    table = tables["acyclic-costs"]
    return mean_and_most({row["program"]: float(row["paths over none"]) / float(row["edges over none"]) for row in table.records()})


def paths_over_none(tables: Tables) -> list[tuple[str, float]]:
    table = tables["acyclic-costs"]
    return mean_and_most(dict(zip(table.column("program"), table.numbers("paths over none"))))[:1]


def iterations(k: int) -> Callable[[Tables], list[tuple[str, float]]]:
    def measure(tables: Tables) -> list[tuple[str, float]]:
        name, kernels = f"k={k} register over acyclic", tables[KERNELS].column("program")
        found = {row["program"]: float(row[name]) for row in tables["iterations-costs"].records() if row[name] and row["program"] in kernels}
        return [(f"in {len(found)} kernels", geometric_mean(list(found.values())))]
    return measure


def sequences(name: str) -> Callable[[Tables], list[tuple[str, float]]]:
    def measure(tables: Tables) -> list[tuple[str, float]]:
        values = tables[name].numbers("k=10 over hashed acyclic")
        return [(f"in {len(values)} programs", geometric_mean(values))]
    return measure


THROUGH_CALLS = ("bzip2", "lua-queens")


def context(tables: Tables) -> list[tuple[str, float]]:
    costs = {row["program"]: float(row["context, default over none"]) for row in tables["calls-costs"].records()}
    return [(f"in {name}", costs[name]) for name in THROUGH_CALLS if name in costs]


def whole_calls(tables: Tables) -> tuple[str, bool]:
    shares = {row["program"]: float(row["whole executions %"]) for row in tables["calls-numbers"].records()
              if row["program"] in THROUGH_CALLS and (row["mode"], row["calls cut"]) == ("context", "default")}
    return f"with {' and '.join(f'{share:.1f} %' for share in shares.values())} whole", all(share >= 60 for share in shares.values())


def interesting(tables: Tables) -> list[tuple[str, float]]:
    table = tables["interesting-costs"]
    return [mean_and_most({row["program"]: float(row["interesting paths over none"]) / float(row["all paths over none"]) for row in table.records()})[1]]


TARGETS = [
    Target("acyclic paths, late, over edges", "0.95 in the mean, no program above 1.05", ("acyclic-costs",), (0.95, 1.05), paths_over_edges),
    Target("acyclic paths, late, over none", "1.05", ("acyclic-costs",), (1.05,), paths_over_none),
    *(Target(f"k = {k}, `numbering=register`, over acyclic paths, at stage source", "1.05", ("iterations-costs", KERNELS), (1.05,), iterations(k)) for k in (2, 3)),
    Target("sequences of 10 paths over acyclic paths in tables", "1.25", ("sequences-costs",), (1.25,), sequences("sequences-costs")),
    Target("paths through calls, by context, over none", "1.5 in bzip2 and in lua, with 60 % of the direct calls' executions whole", ("calls-costs", "calls-numbers"),
           (1.5, 1.5), context, whole_calls),
    Target("interesting paths over all paths, where all are interesting", "1.05", ("interesting-costs",), (1.05,), interesting),
]


def measured(target: Target, tables: Tables) -> tuple[str, bool]:
    """What the tables have, and whether the target is met."""
    found = target.measure(tables)
    text, is_enough = target.enough(tables)
    parts = [f"{value:.2f} {where}" for where, value in found] + ([text] if text else [])
    return ", ".join(parts), is_enough and len(found) == len(target.limits) and all(value <= limit for (_, value), limit in zip(found, target.limits))


def rows(tables: Tables) -> list[list[str]]:
    """What is asked for, what was measured, and whether that is enough, of the targets whose tables have rows."""
    known = [target for target in TARGETS if all(name in tables and tables[name].rows for name in target.needs)]
    found = [(target, *measured(target, tables)) for target in known]
    return [[target.what, target.asked, text, "met" if is_met else "open"] for target, text, is_met in found]
