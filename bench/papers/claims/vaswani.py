# SPDX-License-Identifier: GPL-3.0-or-later
"""Claims of [PPP]. The paper's Figures 15 and 16 are plots, so it states no figures for individual programs and functions."""

import statistics

from claims.claim import Finding, Tables, claim, measured, near, nothing, overheads, ratios, span, split
from lab import geometric_mean

HASHED = "hashed % of all paths"


def _with_calls(tables: Tables) -> str:
    if not (table := tables.get("interesting-calls")) or not table.rows:
        return ""
    everything, interesting = (statistics.fmean(overheads(table, f"{name} / base")) for name in ("all paths", "interesting paths"))
    return f"; if each access to a hash table is a call (-Os), the overhead is {everything:.1f}% for all paths and {interesting:.1f}% for interesting paths"


def _shares(tables: Tables) -> str:
    table = tables["interesting-costs"]
    return f"{statistics.fmean(table.numbers(HASHED)):.1f}% of the increments of all paths are in hash tables ({span(table.numbers(HASHED))}%)"


@claim("PPP", "Counting all paths costs 50% on average, up to 132%.", "the mean overhead is 33.3 to 75%", "interesting-costs")
def all_paths(tables: Tables) -> Finding:
    table, unit = measured(tables, "interesting-times", "interesting-costs")
    values = overheads(table, "all paths / base")
    return Finding(f"{statistics.fmean(values):.1f}% of {unit}, up to {max(values):.1f}%", near(statistics.fmean(values), 50), _shares(tables) + _with_calls(tables))


@claim("PPP", "Counting interesting paths costs 15% on average, up to 26%.", "the mean overhead is at most 22.5%, and that of each program at most 39%", "interesting-costs")
def interesting_paths(tables: Tables) -> Finding:
    table, unit = measured(tables, "interesting-times", "interesting-costs")
    values = overheads(table, "interesting paths / base")
    worst = max(table.records(), key=lambda row: float(row["interesting paths / base"]))["program"]
    return Finding(f"{statistics.fmean(values):.1f}% of {unit}, up to {max(values):.1f}%", statistics.fmean(values) <= 22.5 and max(values) <= 39,
                   f"the most expensive program is {worst}{_with_calls(tables)}")


@claim("PPP", "The overhead of interesting paths is thus a third of that of all paths.", "the mean overhead is at most half of that of all paths", "interesting-costs")
def a_third(tables: Tables) -> Finding:
    table, unit = measured(tables, "interesting-times", "interesting-costs")
    everything, interesting = (statistics.fmean(overheads(table, f"{name} / base")) for name in ("all paths", "interesting paths"))
    return Finding(f"{interesting:.1f}% compared with {everything:.1f}% of {unit}", interesting <= everything / 2, _shares(tables) + _with_calls(tables))


@claim("PPP", "Interesting paths are cheaper because expensive hash operations are avoided.", "programs with at least 5% of the increments in hash tables execute fewer instructions, and save more than the others",
       "interesting-costs")
def without_tables(tables: Tables) -> Finding:
    few, many = split(tables["interesting-costs"], HASHED, 5)
    if not many or not few:
        return nothing("no programs with and without 5% of the increments in hash tables to compare")
    gains = [ratios(rows, "interesting paths / base", "all paths / base") for rows in (many, few)]
    return Finding(f"interesting paths execute {gains[0]:.3f} times the instructions of all paths in the {len(many)} programs with at least 5% in hash tables, and {gains[1]:.3f} times in the others",
                   gains[0] < min(1, gains[1]), (_shares(tables) + _with_calls(tables)))


@claim("PPP", "A second register and the range check of the number add no cost.", "programs with less than 1% in hash tables execute at most 1.02 times the instructions of all paths",
       "interesting-costs")
def two_registers(tables: Tables) -> Finding:
    few, _ = split(tables["interesting-costs"], HASHED, 1)
    if not few:
        return nothing("no program without hash tables")
    ratio = ratios(few, "interesting paths / base", "all paths / base")
    worst = max(few, key=lambda row: float(row["interesting paths / base"]) / float(row["all paths / base"]))
    return Finding(f"{ratio:.3f} times the instructions in {len(few)} programs", ratio <= 1.02,
                   f"the maximum is in {worst['program']}, {float(worst['interesting paths / base']) / float(worst['all paths / base']):.3f}" +
                   (": mode=acyclic keeps the counters of small loops in registers, and mode=preferential does not" if ratio > 1.02 else ""))


@claim("PPP", "delta is close to 1 for a vast majority of the procedures.", "delta is at most 1.25 in 80% of the functions", "interesting-numbers")
def delta(tables: Tables) -> Finding:
    values = tables["interesting-numbers"].numbers("delta")
    if not values:
        return nothing("no function with interesting paths")
    near_one = sum(value <= 1.25 for value in values)
    return Finding(f"{100 * near_one / len(values):.1f}% of {len(values)} functions have at most 1.25", near_one >= 0.8 * len(values),
                   f"{sum(value == 1 for value in values)} functions have exactly 1")


@claim("PPP", "delta grows in procedures with 100 to 300 interesting paths.", "their mean delta is larger than that of functions with fewer interesting paths", "interesting-numbers")
def delta_grows(tables: Tables) -> Finding:
    few, many = split(tables["interesting-numbers"], "interesting paths", 100)
    if not many or not few:
        return nothing("no function has so many interesting paths")
    means = [statistics.fmean(float(row["delta"]) for row in rows) for rows in (many, few)]
    return Finding(f"{means[0]:.2f} in {len(many)} functions with at least 100 interesting paths, {means[1]:.2f} in the {len(few)} others", means[0] > means[1])


@claim("PPP", "A very small number of procedures have a delta of more than 10.", "less than 1% of the functions have a delta of more than 10", "interesting-numbers")
def large_delta(tables: Tables) -> Finding:
    values = tables["interesting-numbers"].numbers("delta")
    if not values:
        return nothing("no function with interesting paths")
    large = sum(value > 10 for value in values)
    return Finding(f"{large} of {len(values)} functions; the maximum is {max(values):g}", large < 0.01 * len(values))


@claim("PPP", "Compact numbers allow arrays to replace hash tables.", "in most functions with more than 4,000 paths, the interval has at most 4,000 numbers",
       "interesting-numbers")
def arrays(tables: Tables) -> Finding:
    _, large = split(tables["interesting-numbers"], "potential paths", 4001)
    if not large:
        return nothing("no function has so many paths")
    small = [row for row in large if int(row["interval"]) <= 4000]
    return Finding(f"{len(small)} of {len(large)} functions", 2 * len(small) > len(large), f"the largest interval is {max(int(row['interval']) for row in large)}")


@claim("PPP", "Residual profiling finds paths that testing did not execute.", "in at least one program, the reference input executes paths that the training input does not",
       "interesting-residual")
def residual(tables: Tables) -> Finding:
    table = tables["interesting-residual"]
    found = [row for row in table.records() if int(row["residual paths"]) > 0]
    return Finding(f"{len(found)} of {len(table.rows)} programs, with {span(table.numbers('residual executions %'))}% of the executions", len(found) > 0,
                   f"{sum(table.numbers('residual paths')):.0f} residual paths, compared with {sum(table.numbers('interesting paths')):.0f} interesting paths")
