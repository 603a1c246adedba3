# SPDX-License-Identifier: GPL-3.0-or-later
"""Claims of [BL]. All programs here are integer programs, so the paper's figures are those of CINT95 where the paper states them."""

import statistics

from claims.claim import Finding, Tables, claim, mean, measured, near, nothing, overheads, rank_correlation, ratios, span, split
from tables import Table

LITTLE_HASHING = 2


def _hashing(tables: Tables) -> str:
    """Describes the effect of hash tables on the cost of paths compared with edges."""
    few, many = split(tables["acyclic-costs"], "hashed %", LITTLE_HASHING)
    parts = [f"paths execute {ratios(rows, 'paths / base', 'edges / base'):.3f} times the instructions of edges in the {len(rows)} programs with {what} "
             f"than {LITTLE_HASHING}% of the increments in hash tables" for rows, what in ((few, "less"), (many, "more")) if rows]
    return ", ".join(parts)


@claim("BL", "Path profiling costs about twice as much as edge profiling: 30.9% against 16.1%, CINT95 44.8% against 30.8%.",
       "the mean overhead of paths is 1.3 to 2.9 times that of edges", "acyclic-costs")
def twice_edges(tables: Tables) -> Finding:
    table, unit = measured(tables, "acyclic-times", "acyclic-costs")
    paths, edges = (statistics.fmean(overheads(table, f"{what} / base")) for what in ("paths", "edges"))
    cheaper = sum(float(row["paths / base"]) <= float(row["edges / base"]) for row in table.records())
    return Finding(f"paths {paths:.1f}%, edges {edges:.1f}% of {unit}", edges > 0 and near(paths / edges, 30.9 / 16.1),
                   f"in {cheaper} of {len(table.rows)} programs, paths cost no more than edges; {_hashing(tables)}")


@claim("BL", "Path profiling costs 30.9% on average (5.5 to 96.9%), CINT95 44.8%.", "the mean overhead is 20.6 to 46.4%", "acyclic-costs")
def thirty_one(tables: Tables) -> Finding:
    table, unit = measured(tables, "acyclic-times", "acyclic-costs")
    paths = overheads(table, "paths / base")
    costs = tables["acyclic-costs"]
    return Finding(f"{statistics.fmean(paths):.1f}% of {unit} ({span(paths, '.1f')}%)", near(statistics.fmean(paths), 30.9),
                   f"{mean(costs, 'instructions per increment'):.1f} instructions are executed per increment (CINT95: 21.4), an increment adds "
                   f"{_per_increment(costs):.1f} instructions, and {mean(costs, 'hashed %'):.1f}% of the increments are in hash tables (CINT95: 12.2%)")


def _per_increment(costs: Table) -> float:
    """Returns the additional instructions of path profiling per increment."""
    return statistics.fmean((float(row["paths / base"]) - 1) * float(row["instructions per increment"]) for row in costs.records())


@claim("BL", "In programs with little hashing, the overhead is comparable to that of edge profiling, or lower.",
       f"most programs with less than {LITTLE_HASHING}% of the increments in hash tables execute at most 1.05 times the instructions of edges", "acyclic-costs")
def little_hashing(tables: Tables) -> Finding:
    rows, _ = split(tables["acyclic-costs"], "hashed %", LITTLE_HASHING)
    if not rows:
        return nothing("no program has so few increments in hash tables")
    comparable = [row for row in rows if float(row["paths / base"]) <= 1.05 * float(row["edges / base"])]
    lower = [row for row in rows if float(row["paths / base"]) < float(row["edges / base"])]
    return Finding(f"{len(comparable)} of {len(rows)} programs; {len(lower)} of them execute fewer instructions than edges", 2 * len(comparable) > len(rows), _hashing(tables))


@claim("BL", "Hashing and the number of instructions per increment explain part of the overhead of paths.",
       "the rank correlation of the overhead is at least 0.3 with hashing and at most -0.3 with the instructions per increment", "acyclic-costs")
def explained(tables: Tables) -> Finding:
    table = tables["acyclic-costs"]
    cost = table.numbers("paths / base")
    hashing, distance = (rank_correlation(cost, table.numbers(name)) for name in ("hashed %", "instructions per increment"))
    return Finding(f"rank correlation with hashing {hashing:+.2f}, with the instructions per increment {distance:+.2f}", hashing >= 0.3 and distance <= -0.3,
                   "; ".join(f"{what} {'explains' if holds else 'does not explain'} the overhead" for what, holds in
                             (("hashing", hashing >= 0.3), ("the number of instructions per increment", distance <= -0.3))))


@claim("BL", "Edge profiling executes 1.3 increments per increment of path profiling (1.0 to 1.9), CINT95 1.5.", "the mean is 1.0 to 1.9", "acyclic-costs")
def edge_increments(tables: Tables) -> Finding:
    values = tables["acyclic-costs"].numbers("edge increments per path")
    return Finding(f"{statistics.fmean(values):.2f} ({span(values)})", 1 <= statistics.fmean(values) <= 1.9,
                   f"a path has {mean(tables['acyclic-paths'], 'edges'):.1f} edges here and 8.3 in CINT95" if "acyclic-paths" in tables else "")


@claim("BL", "28.4% of the increments are in hash tables, CINT95 12.2% (0.0 to 27.7%).", "the mean is 8.1 to 18.3%", "acyclic-costs")
def hashed(tables: Tables) -> Finding:
    values = tables["acyclic-costs"].numbers("hashed %")
    least = sum(value < LITTLE_HASHING for value in values)
    return Finding(f"{statistics.fmean(values):.1f}% ({span(values)}%)", near(statistics.fmean(values), 12.2),
                   f"{least} of {len(values)} programs have less than {LITTLE_HASHING}%; arrays are used for up to 6,000 paths here, and for up to 4,000 to 6,000 in the paper")


@claim("BL", "Integer programs execute 21.4 instructions per increment (15.1 to 33.2).", "the mean is 14.3 to 32.1", "acyclic-costs")
def instructions(tables: Tables) -> Finding:
    values = tables["acyclic-costs"].numbers("instructions per increment")
    return Finding(f"{statistics.fmean(values):.1f} ({span(values)})", near(statistics.fmean(values), 21.4),
                   f"{sum(value < 15.1 for value in values)} of {len(values)} programs have fewer than the paper's minimum, "
                   f"{sum(value > 33.2 for value in values)} more than its maximum")


@claim("BL", "Programs execute few paths (2,696 on average, 249 to 24,414) compared with the potential paths.",
       "most programs execute less than 1% of their potential paths", "acyclic-paths")
def few_paths(tables: Tables) -> Finding:
    table = tables["acyclic-paths"]
    dwarfed = [row for row in table.records() if int(row["potential paths"]) > 100 * int(row["paths"])]
    return Finding(f"{mean(table, 'paths'):.0f} executed paths ({span(table.numbers('paths'), '.0f')}), {span(table.numbers('potential paths'), '.1e')} potential paths; "
                   f"less than 1% in {len(dwarfed)} of {len(table.rows)} programs", 2 * len(dwarfed) > len(table.rows))


@claim("BL", "Most routines have few potential paths (fewer than 3,000).", "more than half of the executed functions have fewer than 3,000", "acyclic-paths")
def three_thousand(tables: Tables) -> Finding:
    values = tables["acyclic-paths"].numbers("functions with fewer than 3000 paths %")
    return Finding(f"{statistics.fmean(values):.1f}% of the executed functions ({span(values)}%)", statistics.fmean(values) > 50)


@claim("BL", "An edge profile predicts 37.9% of the executed paths completely, CINT95 29.5% (4.3 to 43.0%).", "the mean is 19.7 to 44.2%", "acyclic-paths")
def predicted(tables: Tables) -> Finding:
    values = tables["acyclic-paths"].numbers("predicted %")
    lengths = tables["acyclic-paths"]
    return Finding(f"{statistics.fmean(values):.1f}% ({span(values)}%)", near(statistics.fmean(values), 29.5),
                   f"an executed function has {mean(lengths, 'paths per function'):.1f} paths here and 12.0 in CINT95, and a larger share is predicted if there are fewer paths")


@claim("BL", "Predicted paths are nearly as long as measured ones in edges (5.1 of 6.9, CINT95 5.8 of 8.3).",
       "their mean length is at least 0.6 of that of measured paths, the paper's smallest ratio", "acyclic-paths")
def predicted_edges(tables: Tables) -> Finding:
    table = tables["acyclic-paths"]
    found, whole = mean(table, "predicted edges"), mean(table, "edges")
    return Finding(f"{found:.1f} of {whole:.1f} edges, {found / whole:.2f}", found / whole >= 0.6,
                   f"programs range from {span([float(row['predicted edges']) / float(row['edges']) for row in table.records()], '.2f')}")


@claim("BL", "Predicted paths have significantly fewer instructions (33.6 of 88.4, CINT95 14.4 of 21.4).",
       "the mean number of statements is at most 0.75 of that of measured paths", "acyclic-paths")
def predicted_statements(tables: Tables) -> Finding:
    table = tables["acyclic-paths"]
    found, whole = mean(table, "predicted statements"), mean(table, "statements")
    return Finding(f"{found:.1f} of {whole:.1f} statements, {found / whole:.2f}", found / whole <= 0.75,
                   f"the paper's mean is 0.38 over all programs, because its numeric programs predict 49.0 of 142.1 instructions, and 0.67 for CINT95; programs here range from "
                   f"{span([float(row['predicted statements']) / float(row['statements']) for row in table.records()], '.2f')}")


@claim("BL", "An executed routine has 7.7 executed paths on average (2.6 to 60.0), CINT95 12.0.", "the mean is 5.1 to 18.0", "acyclic-paths")
def paths_a_function(tables: Tables) -> Finding:
    values = tables["acyclic-paths"].numbers("paths per function")
    return Finding(f"{statistics.fmean(values):.1f} ({span(values)})", 7.7 / 1.5 <= statistics.fmean(values) <= 12.0 * 1.5,
                   f"{mean(tables['acyclic-paths'], 'functions'):.0f} functions were executed on average, 381 in CINT95")


@claim("BL", "A training input finds 41.8 to 96.0% of the paths that the reference input executes (CINT95).", "each program has 41.8% or more", "acyclic-training")
def training_static(tables: Tables) -> Finding:
    rows = tables["acyclic-training"].records()
    low = [row["program"] for row in rows if float(row["static %"]) < 41.8]
    return Finding(f"{span(tables['acyclic-training'].numbers('static %'))}%", not low,
                   f"less in {', '.join(low)}, whose training input is smaller" if low else "")


@claim("BL", "The common paths account for 71.9 to 100% of the executions, and for 63.8 to 100% of the instructions.",
       "each program has at least 71.9% and 63.8%", "acyclic-training")
def training_dynamic(tables: Tables) -> Finding:
    table = tables["acyclic-training"]
    low = [row["program"] for row in table.records() if float(row["dynamic %"]) < 71.9 or float(row["statements %"]) < 63.8]
    return Finding(f"{span(table.numbers('dynamic %'))}% of the executions, {span(table.numbers('statements %'))}% of the statements", not low,
                   f"less in {', '.join(low)}" if low else "")


@claim("BL", "Numeric programs have longer paths than integer programs (CFP95 142.1 instructions, CINT95 21.4).",
       "the mean of numeric kernels is larger than that of the other kernels and that of the programs", "acyclic-kernels", "acyclic-paths")
def numeric(tables: Tables) -> Finding:
    table = tables["acyclic-kernels"]
    lengths = {kind: [float(row["statements"]) for row in table.records() if row["kind"] == kind] for kind in ("numeric", "integer")}
    if not all(lengths.values()):
        return nothing("no numeric and integer kernels to compare")
    means = {kind: statistics.fmean(values) for kind, values in lengths.items()}
    programs = mean(tables["acyclic-paths"], "statements")
    return Finding(f"numeric kernels {means['numeric']:.1f} statements, other kernels {means['integer']:.1f}, programs {programs:.1f}",
                   means["numeric"] > max(means["integer"], programs),
                   f"the longest paths are in {max((float(row['statements']), row['program']) for row in table.records())[1]}")
