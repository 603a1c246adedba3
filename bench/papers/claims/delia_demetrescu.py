# SPDX-License-Identifier: GPL-3.0-or-later
"""[DD].  The chapter that is at hand says what was found, without the tables of the evaluation: figures beside are missing for that reason."""

import statistics

from claims.claim import Finding, Tables, claim, measured, nothing, span
from lab import geometric_mean
from tables import Table


def _reference(tables: Tables) -> str:
    """What the reference costs with and without the cache of instrumented code."""
    parts = [f"acyclic paths in tables cost {geometric_mean(tables['sequences-costs'].numbers('hashed acyclic / base')):.2f} of the instructions of none"]
    if (table := tables.get("sequences-calls")) and table.rows:
        parts.append(f"where each access calls the runtime (-Os), {geometric_mean(table.numbers('hashed acyclic / base')):.2f}, and k = 10 "
                     f"{geometric_mean(table.numbers('k=10 / hashed acyclic')):.2f} of that")
    return ", ".join(parts)


@claim("DD", "Sequences of up to 10 paths cost about as much as acyclic paths in hash tables (competitive).", "1.25 times as much or less at k = 10, in the geometric mean",
       "sequences-costs")
def competitive(tables: Tables) -> Finding:
    table, unit = measured(tables, "sequences-times", "sequences-costs")
    values = table.numbers("k=10 / hashed acyclic")
    return Finding(f"{geometric_mean(values):.2f} of the {unit} at k = 10 ({span(values, '.2f')})", geometric_mean(values) <= 1.25, _reference(tables))


@claim("DD", "The same, where each access of the hash table is a call, as in the authors' virtual machine.", "1.25 times as much or less at k = 10, in the geometric mean",
       "sequences-calls")
def competitive_with_calls(tables: Tables) -> Finding:
    table = tables["sequences-calls"]
    values, hashed = table.numbers("k=10 / hashed acyclic"), table.numbers("hashed acyclic / base")
    added = [geometric_mean([cost * ratio for cost, ratio in zip(hashed, ratios)]) - 1 for ratios in ([1] * len(values), values)]
    return Finding(f"{geometric_mean(values):.2f} of the instructions at k = 10 ({span(values, '.2f')}), -Os", geometric_mean(values) <= 1.25,
                   f"tables add {added[0]:.2f} of the instructions of none, forests {added[1]:.2f}; -Os is the level where all accesses of both are calls; -O2, where "
                   "instrumented code itself looks first, is the claim before this one")


@claim("DD", "Sequences can even be faster than acyclic paths in hash tables, for operations are fewer and tables smaller.",
       "some program takes fewer instructions at some k from 2 on, with or without the cache of instrumented code", "sequences-costs", "sequences-calls")
def faster(tables: Tables) -> Finding:
    found = {level: _faster(tables[name]) for level, name in (("-O2", "sequences-costs"), ("-Os", "sequences-calls"))}
    return Finding("; ".join(f"{level}: {', '.join(programs) or 'none'}" for level, programs in found.items()), any(found.values()), _reference(tables))


def _faster(table: Table) -> list[str]:
    """Which programs, from k = 2 on."""
    lengths = [name for name in table.columns if name.endswith(" / hashed acyclic") and name != "k=1 / hashed acyclic"]
    return [f"{row['program']} at {name.split()[0].replace('=', ' = ')} ({float(row[name]):.2f})" for row in table.records() for name in lengths if float(row[name]) < 1]


@claim("DD", "A node or two are updated for each path whatever k is, instead of k: the cost hardly grows with k.",
       "k = 20 takes less than 1.25 times the instructions of k = 2", "sequences-costs")
def flat_in_k(tables: Tables) -> Finding:
    table = tables["sequences-costs"]
    by_k = {k: geometric_mean(table.numbers(f"k={k} / hashed acyclic")) for k in (2, 4, 10, 20)}
    grown = {row["program"]: float(row["k=20 / hashed acyclic"]) / float(row["k=2 / hashed acyclic"]) for row in table.records()}
    worst = max(grown, key=lambda name: grown[name])
    return Finding(", ".join(f"k = {k}: {value:.2f}" for k, value in by_k.items()) + " of the instructions of acyclic paths in tables", by_k[20] / by_k[2] < 1.25,
                   f"it grows most in {worst}, by {grown[worst]:.2f}")


@claim("DD", "The degree of a node is a small constant on average.", "inner nodes have fewer than 4 children in the mean, for each k", "sequences-forests")
def degree(tables: Tables) -> Finding:
    rows = [row for row in tables["sequences-forests"].records() if row["children per inner node"]]
    if not rows:
        return nothing("no sequences")
    means = {k: statistics.fmean(float(row["children per inner node"]) for row in rows if row["k"] == k) for k in dict.fromkeys(row["k"] for row in rows)}
    largest = max(rows, key=lambda row: float(row["children per inner node"]))
    return Finding(", ".join(f"k = {k}: {value:.2f}" for k, value in means.items()) + " children", max(means.values()) < 4,
                   f"the most are {largest['children per inner node']}, in {largest['program']} at k = {largest['k']}")


@claim("DD", "Profiles are compact even for large k: the slab forest stands for all sequences.", "at k = 20 the forest of all sequences has more nodes than the "
       "slab forest in each program", "sequences-forests")
def slabs(tables: Tables) -> Finding:
    rows = [row for row in tables["sequences-forests"].records() if row["sequences per slab node"]]
    values = {k: [float(row["sequences per slab node"]) for row in rows if row["k"] == k] for k in ("2", "10", "20")}
    if not all(values.values()):
        return nothing("no sequences")
    return Finding(", ".join(f"k = {k}: {geometric_mean(found):.1f} ({span(found)})" for k, found in values.items()) + " sequences for a slab node",
                   min(values["20"]) > 1, f"at k = 2 both are nearly the same, for slabs are one path high; from there to k = 20 the slab forest grows by "
                   f"{_grown(rows, 'slab nodes'):.1f}, that of all sequences by {_grown(rows, 'sequences'):.1f}")


def _grown(rows: list[dict[str, str]], column: str) -> float:
    """From k = 2 to k = 20, geometric mean."""
    found = {(row["program"], row["k"]): float(row[column]) for row in rows}
    return geometric_mean([found[name, "20"] / found[name, "2"] for name, k in found if k == "20" and (name, "2") in found])


@claim("DD", "Numbering paths across iterations passes 60,000 paths at k = 3 on several small programs.", "at least two kernels have such a function", "iterations-paths")
def infeasible(tables: Tables) -> Finding:
    rows = tables["iterations-paths"].records()
    kernels = {row["program"] for row in tables["acyclic-kernels"].records()} if "acyclic-kernels" in tables else set()
    passed = {name: {row["program"] for row in rows if int(row["k=3"]) > 60000 and (row["program"] in kernels) == (name == "kernels")} for name in ("kernels", "programs")}
    return Finding(f"{len(passed['kernels'])} of {len(kernels)} kernels, and {len(passed['programs'])} of the {len({row['program'] for row in rows} - kernels)} programs",
                   len(passed["kernels"]) >= 2, f"the maximum paths of a function at k = 3 are {max((int(row['k=3']) for row in rows), default=0):.1e}")


@claim("DD", "Numbers of paths across iterations may overflow in practice even for small k.", "a function has more than 2^64 paths at k = 5 or less, but fewer than 2^32 acyclic ones",
       "iterations-paths")
def overflow(tables: Tables) -> Finding:
    rows = tables["iterations-paths"].records()
    passed = [row for row in rows if int(row["k=1"]) < 2**32 and int(row["k=5"]) > 2**64]
    return Finding(f"{len(passed)} of {len(rows)} functions", len(passed) > 0,
                   f"such as {passed[0]['function']} of {passed[0]['program']}: {float(passed[0]['k=1']):.1e} acyclic paths, {float(passed[0]['k=5']):.1e} at k = 5" if passed else
                   f"the most paths at k = 5 are {max((int(row['k=5']) for row in rows), default=0):.1e}")
