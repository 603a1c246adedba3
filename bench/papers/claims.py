# SPDX-License-Identifier: GPL-3.0-or-later
"""What the papers claim, each beside what the tables say: confirmed, differs, or not reproducible.

A claim's verdict is computed from the tables.  `reason` is why it is so where it differs; one that cannot be measured here has
no figure, and its reason says why."""

import statistics
from dataclasses import dataclass
from typing import Callable

from lab import geometric_mean
from tables import Table

Tables = dict[str, Table]


@dataclass(frozen=True)
class Finding:
    """`holds`: None where nothing could be measured."""

    measured: str
    holds: bool | None


@dataclass(frozen=True)
class Claim:
    paper: str
    claim: str
    needs: tuple[str, ...]
    find: Callable[[Tables], Finding]
    reason: str = ""  # why it differs here, or cannot be reproduced

    def verdict(self, finding: Finding) -> str:
        return "not reproducible" if finding.holds is None else "confirmed" if finding.holds else "differs"


def _mean(table: Table, column: str) -> float:
    return statistics.fmean(table.numbers(column))


def _span(table: Table, column: str) -> str:
    values = table.numbers(column)
    return f"{min(values):g} to {max(values):g}"


def _overheads(table: Table, columns: tuple[str, str]) -> tuple[float, float]:
    """Of the geometric means, in per cent."""
    first, second = (100 * (geometric_mean(table.numbers(column)) - 1) for column in columns)
    return first, second


def _measured(tables: Tables, timed: str, counted: str) -> tuple[Table, str]:
    """Times where they were measured, instructions elsewhere."""
    return (tables[timed], "processor time") if timed in tables else (tables[counted], "instructions")


# ---- [BL] ----

def _twice_edges(tables: Tables) -> Finding:
    table, unit = _measured(tables, "acyclic-times", "acyclic-costs")
    paths, edges = _overheads(table, ("paths over none", "edges over none"))
    return Finding(f"paths {paths:.1f} %, edges {edges:.1f} % of {unit}", paths > 1.5 * edges)


def _thirty_one(tables: Tables) -> Finding:
    table, unit = _measured(tables, "acyclic-times", "acyclic-costs")
    paths, _ = _overheads(table, ("paths over none", "edges over none"))
    return Finding(f"{paths:.1f} % of {unit}, single programs {_span(table, 'paths over none')} of none", 20 <= paths <= 45)


def _little_hashing(tables: Tables) -> Finding:
    rows = [row for row in tables["acyclic-costs"].records() if float(row["hashed %"]) < 2]
    fewer = [row for row in rows if float(row["paths over none"]) <= float(row["edges over none"]) * 1.02]
    return Finding(f"{len(fewer)} of the {len(rows)} programs with less than 2 % in tables execute no more than 1.02 of the instructions",
                   2 * len(fewer) > len(rows))


def _edge_increments(tables: Tables) -> Finding:
    table = tables["acyclic-costs"]
    return Finding(f"{_mean(table, 'edge increments a path'):.2f} ({_span(table, 'edge increments a path')})",
                   1.0 < _mean(table, "edge increments a path") < 1.9)


def _hashed(tables: Tables) -> Finding:
    table = tables["acyclic-costs"]
    return Finding(f"{_mean(table, 'hashed %'):.1f} % ({_span(table, 'hashed %')})", _mean(table, "hashed %") > 5)


def _instructions(tables: Tables) -> Finding:
    table = tables["acyclic-costs"]
    return Finding(f"{_mean(table, 'instructions an increment'):.1f} ({_span(table, 'instructions an increment')})",
                   15 <= _mean(table, "instructions an increment") <= 34)


def _few_paths(tables: Tables) -> Finding:
    table = tables["acyclic-paths"]
    pairs = [(float(row["paths"]), float(row["potential paths"])) for row in table.records()]
    dwarfed = sum(potential > 100 * executed for executed, potential in pairs)
    return Finding(f"{_mean(table, 'paths'):.0f} ({_span(table, 'paths')}); in {dwarfed} of {len(pairs)} programs a hundredth of the potential ones or less",
                   2 * dwarfed > len(pairs))


def _predicted(tables: Tables) -> Finding:
    table = tables["acyclic-paths"]
    return Finding(f"{_mean(table, 'predicted %'):.1f} % ({_span(table, 'predicted %')})", 25 <= _mean(table, "predicted %") <= 50)


def _predicted_edges(tables: Tables) -> Finding:
    table = tables["acyclic-paths"]
    shares = [_mean(table, f"predicted {what}") / _mean(table, what) for what in ("edges", "statements")]
    return Finding(f"{100 * shares[0]:.0f} % of a path's edges, {100 * shares[1]:.0f} % of its statements", shares[0] > 0.6)


def _predicted_statements(tables: Tables) -> Finding:
    table = tables["acyclic-paths"]
    measured, predicted = _mean(table, "statements"), _mean(table, "predicted statements")
    return Finding(f"{predicted:.1f} of {measured:.1f} statements", predicted < measured / 2)


def _paths_a_function(tables: Tables) -> Finding:
    table = tables["acyclic-paths"]
    return Finding(f"{_mean(table, 'paths a function'):.1f} ({_span(table, 'paths a function')})", 2 <= _mean(table, "paths a function") <= 60)


def _three_thousand(tables: Tables) -> Finding:
    table = tables["acyclic-paths"]
    share = _mean(table, "functions of fewer than 3000 paths %")
    return Finding(f"{share:.1f} % of the executed functions", share > 50)


def _training(tables: Tables) -> Finding:
    table = tables["acyclic-training"]
    return Finding(f"{_span(table, 'static %')} % of the paths, {_span(table, 'dynamic %')} % of the executions",
                   min(table.numbers("dynamic %")) > 70)


# ---- [RS] ----

def _iterations(k: int, numbering: str, limit: float, tables: Tables) -> Finding:
    table, unit = _measured(tables, "iterations-times", "iterations-costs")
    name = f"k={k} {numbering}" + ("" if table.timed or "iterations-times" in tables else " over acyclic")
    values = table.numbers(name)
    return Finding(f"{geometric_mean(values):.2f} of the {unit}, {min(values):.2f} to {max(values):.2f}", statistics.median(values) <= limit)


def _tables_cost(tables: Tables) -> Finding:
    """Programs that pay most, and whether a function of theirs passes the threshold of arrays."""
    costs, paths = tables["iterations-costs"], tables["iterations-paths"].records()
    ranked = sorted((row for row in costs.records() if row["k=3 paper over acyclic"]), key=lambda row: -float(row["k=3 paper over acyclic"]))[:3]
    hashed = [row["program"] for row in ranked
              if any(found["program"] == row["program"] and 6000 < int(found["k=3"]) for found in paths)]
    return Finding(f"of the three dearest at k = 3 ({', '.join(row['program'] for row in ranked)}) {len(hashed)} have a function of more than 6,000 paths",
                   len(hashed) >= 2)


def _growth(tables: Tables) -> Finding:
    rows = tables["iterations-paths"].records()
    passed = [row for row in rows if int(row["k=1"]) <= 60000 < int(row["k=5"])]
    return Finding(f"{len(passed)} of {len(rows)} functions pass 60,000 by k = 5", len(passed) > 0)


def _figure1(tables: Tables) -> Finding:
    table = tables["iterations-erratum"]
    return Finding(f"of the graph of Figure 1 {', '.join(table.column('paths'))} paths for k = 1 to 5",
                   all(cell == "perfect" for cell in table.column("numbering")))


def _flag(tables: Tables) -> Finding:
    table = tables["iterations-erratum"]
    wrong = dict(zip(table.column("k"), table.numbers("wrong with one flag")))
    return Finding(", ".join(f"k = {k}: {number:.0f} of {table.column('traces')[0]} traces" for k, number in wrong.items()) + " are counted wrongly",
                   not any(wrong.values()))


def _one_register(tables: Tables) -> Finding:
    table = tables["iterations-costs"]
    rows = [row for row in table.records() if row["k=3 paper over acyclic"] and row["k=3 register over acyclic"]]
    paper, register = (geometric_mean([float(row[f"k=3 {name} over acyclic"]) for row in rows]) for name in ("paper", "register"))
    return Finding(f"k accumulators {paper:.2f}, one register {register:.2f} of the instructions of acyclic paths at k = 3", paper > register)


# ---- [DD] ----

def _competitive(tables: Tables) -> Finding:
    table, unit = _measured(tables, "sequences-times", "sequences-costs")
    name = "k=10" if "sequences-times" in tables else "k=10 over hashed acyclic"
    values = table.numbers(name)
    return Finding(f"{geometric_mean(values):.2f} of the {unit} at k = 10 ({min(values):.2f} to {max(values):.2f})", geometric_mean(values) <= 1.1)


def _faster_somewhere(tables: Tables) -> Finding:
    table = tables["sequences-costs"]
    faster = [row["program"] for row in table.records() if float(row["k=4 over hashed acyclic"]) < 1]
    return Finding(f"fewer instructions in {len(faster)} of {len(table.rows)} programs at k = 4", len(faster) > 0)


def _flat_in_k(tables: Tables) -> Finding:
    table = tables["sequences-costs"]
    first, last = (geometric_mean(table.numbers(f"k={k} over hashed acyclic")) for k in (4, 20))
    return Finding(f"k = 20 takes {last / first:.2f} of the instructions of k = 4", last / first < 1.25)


def _degree(tables: Tables) -> Finding:
    table = tables["sequences-forests"]
    values = [float(row["children of an inner node"]) for row in table.records() if row["k"] == "10" and row["children of an inner node"]]
    return Finding(f"{statistics.fmean(values):.2f} children at k = 10 ({min(values):g} to {max(values):g})", statistics.fmean(values) < 4)


def _slabs(tables: Tables) -> Finding:
    table = tables["sequences-forests"]
    rows = [row for row in table.records() if row["k"] == "20" and row["sequences a slab node"]]
    values = [float(row["sequences a slab node"]) for row in rows]
    return Finding(f"at k = 20 the full forest has {geometric_mean(values):.1f} times as many nodes ({min(values):g} to {max(values):g})",
                   geometric_mean(values) > 1)


def _infeasible(tables: Tables) -> Finding:
    rows = tables["iterations-paths"].records()
    programs = {row["program"] for row in rows if int(row["k=3"]) > 60000}
    everyone = {row["program"] for row in rows}
    return Finding(f"{len(programs)} of {len(everyone)} programs have a function of more than 60,000 paths at k = 3", len(programs) > 0)


# ---- [MR] ----

def _wider(tables: Tables) -> Finding:
    rows = tables["calls-numbers"].records()
    bits = {(row["program"], row["mode"]): int(row["bits"]) for row in rows if row["hybrid"] == "all"}
    cut = [row for row in rows if row["hybrid"] == "auto" and row["mode"] == "context" and int(row["cut call sites"]) > 0]
    everyone = [row for row in rows if row["hybrid"] == "auto" and row["mode"] == "context"]
    return Finding(f"{len(cut)} of {len(everyone)} programs cut calls to fit in a register; with all calls cut at most {max(bits.values())} bits", len(cut) > 0)


def _context_needs_more(tables: Tables) -> Finding:
    """At equal width the mode that needs fewer bits cuts fewer calls."""
    rows = {(row["program"], row["mode"]): row for row in tables["calls-numbers"].records() if row["hybrid"] == "auto"}
    names = sorted({name for name, _ in rows})
    cuts = [(int(rows[name, "context"]["cut call sites"]), int(rows[name, "piecewise"]["cut call sites"])) for name in names]
    context, piecewise = (sum(column) for column in zip(*cuts))
    return Finding(f"context cuts {context} calls, piecewise {piecewise}", context >= piecewise)


def _few_executed(tables: Tables) -> Finding:
    rows = [row for row in tables["calls-numbers"].records() if row["hybrid"] == "auto" and row["mode"] == "context"]
    fraction = [row for row in rows if int(row["bits"]) > 20 and int(row["executed paths"]) < 2 ** (int(row["bits"]) - 10)]
    large = [row for row in rows if int(row["bits"]) > 20]
    return Finding(f"in {len(fraction)} of {len(large)} programs with more than 2^20 paths not a thousandth ran", bool(large) and len(fraction) == len(large))


def _hybrid(tables: Tables) -> Finding:
    rows = [row for row in tables["calls-numbers"].records() if row["hybrid"] == "auto" and row["whole executions %"]]
    shares = {mode: statistics.fmean(float(row["whole executions %"]) for row in rows if row["mode"] == mode) for mode in ("context", "piecewise")}
    return Finding(f"of direct calls' executions stay whole {shares['context']:.1f} % (context), {shares['piecewise']:.1f} % (piecewise)",
                   min(shares.values()) > 50)


def _constant_factor(tables: Tables) -> Finding:
    table = tables["calls-costs"]
    auto, cut = (geometric_mean(table.numbers(f"context {hybrid} over none")) for hybrid in ("auto", "all"))
    return Finding(f"{auto:.2f} of the instructions of none, with all calls cut {cut:.2f}", auto < 3 * cut)


# ---- [PPP] ----

def _preferential(tables: Tables) -> Finding:
    table, unit = _measured(tables, "interesting-times", "interesting-costs")
    names = ("all paths", "interesting paths") if "interesting-times" in tables else ("all paths over none", "interesting paths over none")
    everything, interesting = _overheads(table, names)
    return Finding(f"all paths {everything:.1f} %, interesting ones {interesting:.1f} % of {unit}", interesting < 0.5 * everything)


def _delta(tables: Tables) -> Finding:
    values = tables["interesting-numbers"].numbers("delta")
    near = sum(value <= 1.25 for value in values)
    return Finding(f"{100 * near / len(values):.1f} % of {len(values)} functions at 1.25 or less, {max(values):g} at most", near > 0.8 * len(values))


def _delta_grows(tables: Tables) -> Finding:
    rows = tables["interesting-numbers"].records()
    few = [float(row["delta"]) for row in rows if int(row["interesting paths"]) < 100]
    many = [float(row["delta"]) for row in rows if int(row["interesting paths"]) >= 100]
    if not many or not few:
        return Finding("no function has so many interesting paths", None)
    return Finding(f"{statistics.fmean(many):.2f} in functions of 100 paths and more, {statistics.fmean(few):.2f} in others",
                   statistics.fmean(many) > statistics.fmean(few))


def _without_tables(tables: Tables) -> Finding:
    rows = [row for row in tables["interesting-costs"].records() if float(row["hashed % of all paths"]) >= 5]
    won = [row["program"] for row in rows if float(row["interesting paths over none"]) < float(row["all paths over none"])]
    if not rows:
        return Finding("no program has 5 % of its paths in tables", None)
    return Finding(f"fewer instructions in {len(won)} of {len(rows)} programs with 5 % and more in tables", 2 * len(won) > len(rows))


def _two_registers(tables: Tables) -> Finding:
    rows = [row for row in tables["interesting-costs"].records() if float(row["hashed % of all paths"]) < 1]
    ratios = [float(row["interesting paths over none"]) / float(row["all paths over none"]) for row in rows]
    if not ratios:
        return Finding("no program without tables", None)
    return Finding(f"{geometric_mean(ratios):.3f} of the instructions of all paths where these need no tables", geometric_mean(ratios) < 1.02)


def _residual(tables: Tables) -> Finding:
    table = tables["interesting-residual"]
    found = [row for row in table.records() if int(row["residual paths"]) > 0]
    return Finding(f"in {len(found)} of {len(table.rows)} programs a second input shows paths that the first did not take, "
                   f"{_span(table, 'residual executions %')} % of the executions", len(found) > 0)


CLAIMS = [
    Claim("BL", "Path profiling costs about twice as much as edge profiling (30.9 % against 16.1 %).", ("acyclic-costs",), _twice_edges,
          "Counters of small loops are kept in registers, and a compiler's edge counters are memory increments; the paper's tool edited binaries."),
    Claim("BL", "Path profiling costs 31 % on average (5.5 to 96.9 %).", ("acyclic-costs",), _thirty_one,
          "Wide processors hide what an increment adds, the counters are placed by the compiler, and tables have an inline cache."),
    Claim("BL", "Programs with little hashing cost no more than edge profiling.", ("acyclic-costs",), _little_hashing),
    Claim("BL", "Edge profiling makes 1.3 increments for one of path profiling (1.0 to 1.9).", ("acyclic-costs",), _edge_increments),
    Claim("BL", "28.4 % of the increments are made in hash tables (CINT95 12.2 %).", ("acyclic-costs",), _hashed,
          "Arrays go up to 6,000 paths on any graph, and optimised C functions of these programs seldom have more."),
    Claim("BL", "Of the integer programs 21.4 instructions lie between two increments (15.1 to 33.2).", ("acyclic-costs",), _instructions),
    Claim("BL", "Programs execute few paths (2,696 on average), dwarfed by the potential ones.", ("acyclic-paths",), _few_paths),
    Claim("BL", "An edge profile predicts 37.9 % of the executed paths entirely (4.3 to 57.1 %).", ("acyclic-paths",), _predicted),
    Claim("BL", "Predicted paths are nearly as long as measured ones in edges (5.1 of 6.9).", ("acyclic-paths",), _predicted_edges),
    Claim("BL", "Predicted paths have significantly fewer instructions (33.6 of 88.4).", ("acyclic-paths",), _predicted_statements,
          "The paper's mean is that of Fortran programs with blocks of a hundred instructions: the integer programs have 14.4 of 21.4."),
    Claim("BL", "An executed routine has 7.7 executed paths on average (2.6 to 60.0).", ("acyclic-paths",), _paths_a_function),
    Claim("BL", "Most routines have fewer than 3,000 potential paths.", ("acyclic-paths",), _three_thousand),
    Claim("BL", "A training input finds 41.8 to 98.2 % of the paths, which are 71.9 to 100 % of the executions.", ("acyclic-training",), _training),
    Claim("RS", "Paths across two iterations cost little more than acyclic ones (1.00 to 1.57 without tables).", ("iterations-costs",),
          lambda tables: _iterations(2, "paper", 1.57, tables)),
    Claim("RS", "Paths across three iterations cost 1.10 to 1.87 of acyclic ones without tables.", ("iterations-costs",),
          lambda tables: _iterations(3, "paper", 1.87, tables)),
    Claim("RS", "What is much dearer (3.92 to 6.12) is so because of hash tables.", ("iterations-costs", "iterations-paths"), _tables_cost,
          "Tables have an inline cache; what costs most is k accumulators in a loop of a few instructions."),
    Claim("RS", "The number of paths grows so fast that functions pass 60,000 at k = 3 to 5.", ("iterations-paths",), _growth),
    Claim("RS", "The numbering is perfect: numbers from 0 on, each used once.", ("iterations-erratum",), _figure1),
    Claim("RS", "One flag tells when weights are compensated (Algorithm 3).", ("iterations-erratum",), _flag,
          "From k = 3 on windows that begin at the head before the flag is true need compensated weights, too; an accumulator needs a condition of its own."),
    Claim("RS", "(Not in the paper.) One register does what k accumulators do, for less.", ("iterations-costs",), _one_register),
    Claim("DD", "Sequences of up to 10 paths cost about as much as acyclic paths in hash tables.", ("sequences-costs",), _competitive,
          "The reference became cheaper: a table here has an inline cache of 256 paths, which a forest cannot have, since what a path leads to changes with each."),
    Claim("DD", "Sequences can even be faster than acyclic paths in hash tables.", ("sequences-costs",), _faster_somewhere,
          "For the same reason."),
    Claim("DD", "The cost hardly grows with k.", ("sequences-costs",), _flat_in_k),
    Claim("DD", "The degree of a node is a small constant on average.", ("sequences-forests",), _degree),
    Claim("DD", "A k-slab forest is smaller than the forest of all sequences.", ("sequences-forests",), _slabs),
    Claim("DD", "Numbering paths across iterations passes 60,000 paths at k = 3 on several small programs.", ("iterations-paths",), _infeasible),
    Claim("MR", "Numbers of paths through calls may be too wide for a machine word.", ("calls-numbers",), _wider),
    Claim("MR", "Piecewise paths need fewer bits than paths with context.", ("calls-numbers",), _context_needs_more),
    Claim("MR", "Only a few of the potential paths are executed, so that a hash table is to count them.", ("calls-numbers",), _few_executed),
    Claim("MR", "Hybrids that cut some calls keep the others whole.", ("calls-numbers",), _hybrid),
    Claim("MR", "Paths through calls cost a constant factor of paths within functions.", ("calls-costs",), _constant_factor),
    Claim("PPP", "Counting interesting paths costs 15 % where all paths cost 50 %.", ("interesting-costs",), _preferential,
          "The difference is that of tables and arrays; here few executions are in tables, and these have an inline cache."),
    Claim("PPP", "Where all paths need tables, interesting ones are cheaper.", ("interesting-costs",), _without_tables),
    Claim("PPP", "A second register and checks of the number add nothing.", ("interesting-costs",), _two_registers,
          "In tight loops they do: small loops' counters are not kept in registers in this mode."),
    Claim("PPP", "delta is close to 1 for a vast majority of the procedures.", ("interesting-numbers",), _delta),
    Claim("PPP", "delta grows in procedures with 100 to 300 interesting paths.", ("interesting-numbers",), _delta_grows),
    Claim("PPP", "Residual profiling finds paths that testing did not.", ("interesting-residual",), _residual),
]


def findings(tables: Tables) -> list[tuple[Claim, Finding]]:
    """Of the claims whose tables are there."""
    return [(claim, claim.find(tables)) for claim in CLAIMS if all(name in tables for name in claim.needs)]
