# SPDX-License-Identifier: GPL-3.0-or-later
"""Defines cost targets that the tables of the papers' experiments cover, and the measured costs."""

from dataclasses import dataclass
from typing import Callable

from lab import geometric_mean
from tables import Table

Tables = dict[str, Table]
KERNELS = "acyclic-kernels"


@dataclass(frozen=True)
class Target:
    """A target. `measure` returns one value per part; the target is met if no value exceeds its limit. For targets that also require
    a minimum, `enough` must confirm it, too."""

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
    return mean_and_most({row["program"]: float(row["paths / base"]) / float(row["edges / base"]) for row in table.records()})


def paths_over_none(tables: Tables) -> list[tuple[str, float]]:
    table = tables["acyclic-costs"]
    return mean_and_most(dict(zip(table.column("program"), table.numbers("paths / base"))))[:1]


def iterations(k: int) -> Callable[[Tables], list[tuple[str, float]]]:
    def measure(tables: Tables) -> list[tuple[str, float]]:
        name, kernels = f"k={k} register / acyclic", tables[KERNELS].column("program")
        found = {row["program"]: float(row[name]) for row in tables["iterations-costs"].records() if row[name] and row["program"] in kernels}
        return [(f"in {len(found)} kernels", geometric_mean(list(found.values())))]
    return measure


def sequences(name: str) -> Callable[[Tables], list[tuple[str, float]]]:
    def measure(tables: Tables) -> list[tuple[str, float]]:
        values = tables[name].numbers("k=10 / hashed acyclic")
        return [(f"in {len(values)} programs", geometric_mean(values))]
    return measure


THROUGH_CALLS = ("bzip2", "lua-queens")


def context(tables: Tables) -> list[tuple[str, float]]:
    costs = {row["program"]: float(row["context, default / base"]) for row in tables["calls-costs"].records()}
    return [(f"in {name}", costs[name]) for name in THROUGH_CALLS if name in costs]


def whole_calls(tables: Tables) -> tuple[str, bool]:
    shares = {row["program"]: float(row["included executions %"]) for row in tables["calls-numbers"].records()
              if row["program"] in THROUGH_CALLS and (row["mode"], row["excluded calls"]) == ("context", "default")}
    return f"with {' and '.join(f'{share:.1f}%' for share in shares.values())} of direct calls' executions included", all(share >= 60 for share in shares.values())


def interesting(tables: Tables) -> list[tuple[str, float]]:
    table = tables["interesting-costs"]
    return [mean_and_most({row["program"]: float(row["interesting paths / base"]) / float(row["all paths / base"]) for row in table.records()})[1]]


TARGETS = [
    Target("acyclic paths at stage late, relative to edges", "mean 0.95, no program above 1.05", ("acyclic-costs",), (0.95, 1.05), paths_over_edges),
    Target("acyclic paths at stage late, relative to no instrumentation", "1.05", ("acyclic-costs",), (1.05,), paths_over_none),
    *(Target(f"k = {k}, `numbering=register`, stage source, relative to acyclic paths", "1.05", ("iterations-costs", KERNELS), (1.05,), iterations(k)) for k in (2, 3)),
    Target("sequences of 10 paths, relative to acyclic paths in hash tables", "1.25", ("sequences-costs",), (1.25,), sequences("sequences-costs")),
    Target("interprocedural paths, mode=context, relative to no instrumentation", "1.5 in bzip2 and in lua, with 60% of direct calls' executions included", ("calls-costs", "calls-numbers"),
           (1.5, 1.5), context, whole_calls),
    Target("interesting paths relative to all paths, if all paths are interesting", "1.05", ("interesting-costs",), (1.05,), interesting),
]


def measured(target: Target, tables: Tables) -> tuple[str, bool]:
    """Returns the measured values, and whether the target is met."""
    found = target.measure(tables)
    text, is_enough = target.enough(tables)
    parts = [f"{value:.2f} {where}" for where, value in found] + ([text] if text else [])
    return ", ".join(parts), is_enough and len(found) == len(target.limits) and all(value <= limit for (_, value), limit in zip(found, target.limits))


def rows(tables: Tables) -> list[list[str]]:
    """Returns the requirement, the measurement and the state of each target whose tables have rows."""
    known = [target for target in TARGETS if all(name in tables and tables[name].rows for name in target.needs)]
    found = [(target, *measured(target, tables)) for target in known]
    return [[target.what, target.asked, text, "met" if is_met else "open"] for target, text, is_met in found]
