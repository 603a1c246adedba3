# SPDX-License-Identifier: GPL-3.0-or-later
"""Claims of [DD]. The available chapter states the findings without the tables of the evaluation, so the paper's figures are missing."""

import statistics

from claims.claim import Finding, Tables, claim, measured, nothing, span
from lab import geometric_mean
from tables import Table


def _reference(tables: Tables) -> str:
    """Describes the cost of the reference with and without the cache of instrumented code."""
    parts = [f"acyclic paths in hash tables cost {geometric_mean(tables['sequences-costs'].numbers('hashed acyclic / base')):.2f} times the instructions without instrumentation"]
    if (table := tables.get("sequences-calls")) and table.rows:
        parts.append(f"if each access calls the runtime (-Os), they cost {geometric_mean(table.numbers('hashed acyclic / base')):.2f} times as many, and sequences with k = 10 cost "
                     f"{geometric_mean(table.numbers('k=10 / hashed acyclic')):.2f} times as much as acyclic paths")
    return "; ".join(parts)


@claim("DD", "Sequences of up to 10 paths cost about as much as acyclic paths in hash tables.", "the geometric mean at k = 10 is at most 1.25 times as much",
       "sequences-costs")
def competitive(tables: Tables) -> Finding:
    table, unit = measured(tables, "sequences-times", "sequences-costs")
    values = table.numbers("k=10 / hashed acyclic")
    return Finding(f"{geometric_mean(values):.2f} times the {unit} at k = 10 ({span(values, '.2f')})", geometric_mean(values) <= 1.25, _reference(tables))


@claim("DD", "Sequences of up to 10 paths cost about as much as acyclic paths if each access to the hash table is a call, as in the authors' virtual machine.", "the geometric mean at k = 10 is at most 1.25 times as much",
       "sequences-calls")
def competitive_with_calls(tables: Tables) -> Finding:
    table = tables["sequences-calls"]
    values, hashed = table.numbers("k=10 / hashed acyclic"), table.numbers("hashed acyclic / base")
    added = [geometric_mean([cost * ratio for cost, ratio in zip(hashed, ratios)]) - 1 for ratios in ([1] * len(values), values)]
    return Finding(f"{geometric_mean(values):.2f} times the instructions at k = 10 ({span(values, '.2f')}), -Os", geometric_mean(values) <= 1.25,
                   f"relative to no instrumentation, hash tables add {added[0]:.2f} times the instructions and forests {added[1]:.2f}; at -Os, all accesses to both are calls, whereas at -O2 (see the preceding claim), "
                   "instrumented code examines a cache first")


@claim("DD", "Sequences can even be faster than acyclic paths in hash tables, because there are fewer operations and smaller tables.",
       "a program executes fewer instructions at some k of at least 2, with or without the cache of instrumented code", "sequences-costs", "sequences-calls")
def faster(tables: Tables) -> Finding:
    found = {level: _faster(tables[name]) for level, name in (("-O2", "sequences-costs"), ("-Os", "sequences-calls"))}
    return Finding("; ".join(f"{level}: {', '.join(programs) or 'none'}" for level, programs in found.items()), any(found.values()), _reference(tables))


def _faster(table: Table) -> list[str]:
    """Returns the programs that execute fewer instructions, with k of at least 2."""
    lengths = [name for name in table.columns if name.endswith(" / hashed acyclic") and name != "k=1 / hashed acyclic"]
    return [f"{row['program']} at {name.split()[0].replace('=', ' = ')} ({float(row[name]):.2f})" for row in table.records() for name in lengths if float(row[name]) < 1]


@claim("DD", "One or two nodes are updated per path, whatever k is, instead of k nodes, so the cost hardly grows with k.",
       "k = 20 executes less than 1.25 times the instructions of k = 2", "sequences-costs")
def flat_in_k(tables: Tables) -> Finding:
    table = tables["sequences-costs"]
    by_k = {k: geometric_mean(table.numbers(f"k={k} / hashed acyclic")) for k in (2, 4, 10, 20)}
    grown = {row["program"]: float(row["k=20 / hashed acyclic"]) / float(row["k=2 / hashed acyclic"]) for row in table.records()}
    worst = max(grown, key=lambda name: grown[name])
    return Finding(", ".join(f"k = {k}: {value:.2f}" for k, value in by_k.items()) + " times the instructions of acyclic paths in hash tables", by_k[20] / by_k[2] < 1.25,
                   f"the growth is largest in {worst}, by a factor of {grown[worst]:.2f}")


@claim("DD", "The average degree of a node is a small constant.", "for each k, inner nodes have fewer than 4 children on average", "sequences-forests")
def degree(tables: Tables) -> Finding:
    rows = [row for row in tables["sequences-forests"].records() if row["children per inner node"]]
    if not rows:
        return nothing("no sequences")
    means = {k: statistics.fmean(float(row["children per inner node"]) for row in rows if row["k"] == k) for k in dict.fromkeys(row["k"] for row in rows)}
    largest = max(rows, key=lambda row: float(row["children per inner node"]))
    return Finding(", ".join(f"k = {k}: {value:.2f}" for k, value in means.items()) + " children", max(means.values()) < 4,
                   f"the maximum is {largest['children per inner node']}, in {largest['program']} at k = {largest['k']}")


@claim("DD", "Profiles are compact even for large k, because the slab forest represents all sequences.", "at k = 20 the forest of all sequences has more nodes than the "
       "slab forest in each program", "sequences-forests")
def slabs(tables: Tables) -> Finding:
    rows = [row for row in tables["sequences-forests"].records() if row["sequences per slab node"]]
    values = {k: [float(row["sequences per slab node"]) for row in rows if row["k"] == k] for k in ("2", "10", "20")}
    if not all(values.values()):
        return nothing("no sequences")
    return Finding(", ".join(f"k = {k}: {geometric_mean(found):.1f} ({span(found)})" for k, found in values.items()) + " sequences per slab node",
                   min(values["20"]) > 1, f"at k = 2, both forests have nearly the same size, because slabs have height one; from k = 2 to 20, the slab forest grows by a factor of "
                   f"{_grown(rows, 'slab nodes'):.1f}, the forest of all sequences by {_grown(rows, 'sequences'):.1f}")


def _grown(rows: list[dict[str, str]], column: str) -> float:
    """Returns the geometric mean of the growth from k = 2 to k = 20."""
    found = {(row["program"], row["k"]): float(row[column]) for row in rows}
    return geometric_mean([found[name, "20"] / found[name, "2"] for name, k in found if k == "20" and (name, "2") in found])


@claim("DD", "At k = 3, several small programs have more than 60,000 k-iteration paths.", "at least two kernels have such a function", "iterations-paths")
def infeasible(tables: Tables) -> Finding:
    rows = tables["iterations-paths"].records()
    kernels = {row["program"] for row in tables["acyclic-kernels"].records()} if "acyclic-kernels" in tables else set()
    passed = {name: {row["program"] for row in rows if int(row["k=3"]) > 60000 and (row["program"] in kernels) == (name == "kernels")} for name in ("kernels", "programs")}
    return Finding(f"{len(passed['kernels'])} of {len(kernels)} kernels, and {len(passed['programs'])} of the {len({row['program'] for row in rows} - kernels)} programs",
                   len(passed["kernels"]) >= 2, f"the maximum number of paths of a function at k = 3 is {max((int(row['k=3']) for row in rows), default=0):.1e}")


@claim("DD", "The numbers of k-iteration paths may overflow in practice even for small k.", "a function has more than 2^64 paths at k = 5 or less, but fewer than 2^32 acyclic paths",
       "iterations-paths")
def overflow(tables: Tables) -> Finding:
    rows = tables["iterations-paths"].records()
    passed = [row for row in rows if int(row["k=1"]) < 2**32 and int(row["k=5"]) > 2**64]
    return Finding(f"{len(passed)} of {len(rows)} functions", len(passed) > 0,
                   f"such as {passed[0]['function']} of {passed[0]['program']}: {float(passed[0]['k=1']):.1e} acyclic paths, {float(passed[0]['k=5']):.1e} at k = 5" if passed else
                   f"the maximum number of paths at k = 5 is {max((int(row['k=5']) for row in rows), default=0):.1e}")
