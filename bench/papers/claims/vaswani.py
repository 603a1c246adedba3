# SPDX-License-Identifier: GPL-3.0-or-later
"""[PPP].  The paper's Figures 15 and 16 are pictures: of single programs and functions it has no figures that could stand beside."""

import statistics

from claims.claim import Finding, Tables, claim, measured, near, nothing, overheads, ratios, span, split
from lab import geometric_mean

HASHED = "hashed % of all paths"


def _with_calls(tables: Tables) -> str:
    if not (table := tables.get("interesting-calls")) or not table.rows:
        return ""
    everything, interesting = (statistics.fmean(overheads(table, f"{name} / base")) for name in ("all paths", "interesting paths"))
    return f"; where each access of a table is a call (-Os), all paths cost {everything:.1f} %, interesting ones {interesting:.1f} %"


def _shares(tables: Tables) -> str:
    table = tables["interesting-costs"]
    return f"{statistics.fmean(table.numbers(HASHED)):.1f} % of the increments of all paths are in tables ({span(table.numbers(HASHED))} %)"


@claim("PPP", "Counting all paths costs 50 % on average, up to 132 %.", "the mean overhead is 33.3 to 75 %", "interesting-costs")
def all_paths(tables: Tables) -> Finding:
    table, unit = measured(tables, "interesting-times", "interesting-costs")
    values = overheads(table, "all paths / base")
    return Finding(f"{statistics.fmean(values):.1f} % of {unit}, up to {max(values):.1f} %", near(statistics.fmean(values), 50), _shares(tables) + _with_calls(tables))


@claim("PPP", "Counting interesting paths costs 15 % on average, up to 26 %.", "the mean overhead is 22.5 % or less, and no program's above 39 %", "interesting-costs")
def interesting_paths(tables: Tables) -> Finding:
    table, unit = measured(tables, "interesting-times", "interesting-costs")
    values = overheads(table, "interesting paths / base")
    worst = max(table.records(), key=lambda row: float(row["interesting paths / base"]))["program"]
    return Finding(f"{statistics.fmean(values):.1f} % of {unit}, up to {max(values):.1f} %", statistics.fmean(values) <= 22.5 and max(values) <= 39,
                   f"the dearest is {worst}{_with_calls(tables)}")


@claim("PPP", "So interesting paths cost a third of what all paths cost.", "half of the mean overhead of all paths, or less", "interesting-costs")
def a_third(tables: Tables) -> Finding:
    table, unit = measured(tables, "interesting-times", "interesting-costs")
    everything, interesting = (statistics.fmean(overheads(table, f"{name} / base")) for name in ("all paths", "interesting paths"))
    return Finding(f"{interesting:.1f} % against {everything:.1f} % of {unit}", interesting <= everything / 2, _shares(tables) + _with_calls(tables))


@claim("PPP", "They are cheaper because expensive hash operations are avoided.", "programs with 5 % of the increments and more in tables gain more than the others, and gain at all",
       "interesting-costs")
def without_tables(tables: Tables) -> Finding:
    few, many = split(tables["interesting-costs"], HASHED, 5)
    if not many or not few:
        return nothing("no programs with 5 % of the increments in tables and without to compare")
    gains = [ratios(rows, "interesting paths / base", "all paths / base") for rows in (many, few)]
    return Finding(f"interesting paths take {gains[0]:.3f} of the instructions of all paths in the {len(many)} programs with 5 % and more in tables, {gains[1]:.3f} in the others",
                   gains[0] < min(1, gains[1]), (_shares(tables) + _with_calls(tables)))


@claim("PPP", "A second register, and checks of the number, add nothing.", "programs with less than 1 % in tables take 1.02 of the instructions of all paths or less",
       "interesting-costs")
def two_registers(tables: Tables) -> Finding:
    few, _ = split(tables["interesting-costs"], HASHED, 1)
    if not few:
        return nothing("no program without tables")
    ratio = ratios(few, "interesting paths / base", "all paths / base")
    worst = max(few, key=lambda row: float(row["interesting paths / base"]) / float(row["all paths / base"]))
    return Finding(f"{ratio:.3f} of them in {len(few)} programs", ratio <= 1.02,
                   f"most in {worst['program']}, {float(worst['interesting paths / base']) / float(worst['all paths / base']):.3f}" +
                   (": counters of small loops are kept in registers where all paths are counted, and not in this mode" if ratio > 1.02 else ""))


@claim("PPP", "delta is close to 1 for a vast majority of the procedures.", "1.25 or less in 80 % of the functions", "interesting-numbers")
def delta(tables: Tables) -> Finding:
    values = tables["interesting-numbers"].numbers("delta")
    if not values:
        return nothing("no function with interesting paths")
    near_one = sum(value <= 1.25 for value in values)
    return Finding(f"{100 * near_one / len(values):.1f} % of {len(values)} functions at 1.25 or less", near_one >= 0.8 * len(values),
                   f"{sum(value == 1 for value in values)} at exactly 1")


@claim("PPP", "delta grows in procedures with 100 to 300 interesting paths.", "their mean is larger than that of functions with fewer", "interesting-numbers")
def delta_grows(tables: Tables) -> Finding:
    few, many = split(tables["interesting-numbers"], "interesting paths", 100)
    if not many or not few:
        return nothing("no function has so many interesting paths")
    means = [statistics.fmean(float(row["delta"]) for row in rows) for rows in (many, few)]
    return Finding(f"{means[0]:.2f} in {len(many)} functions of 100 paths and more, {means[1]:.2f} in the {len(few)} others", means[0] > means[1])


@claim("PPP", "A very small number of procedures have a delta of more than 10.", "less than 1 % of the functions", "interesting-numbers")
def large_delta(tables: Tables) -> Finding:
    values = tables["interesting-numbers"].numbers("delta")
    if not values:
        return nothing("no function with interesting paths")
    large = sum(value > 10 for value in values)
    return Finding(f"{large} of {len(values)} functions, {max(values):g} at most", large < 0.01 * len(values))


@claim("PPP", "Compact numbers let an array count what a table would count otherwise.", "in most functions of more than 4,000 paths the interval has 4,000 numbers or fewer",
       "interesting-numbers")
def arrays(tables: Tables) -> Finding:
    _, large = split(tables["interesting-numbers"], "potential paths", 4001)
    if not large:
        return nothing("no function has so many paths")
    small = [row for row in large if int(row["interval"]) <= 4000]
    return Finding(f"{len(small)} of {len(large)} functions", 2 * len(small) > len(large), f"the largest interval is {max(int(row['interval']) for row in large)}")


@claim("PPP", "Residual profiling finds paths that testing did not.", "in at least one program the reference input takes paths that the training input does not",
       "interesting-residual")
def residual(tables: Tables) -> Finding:
    table = tables["interesting-residual"]
    found = [row for row in table.records() if int(row["residual paths"]) > 0]
    return Finding(f"so it is in {len(found)} of {len(table.rows)} programs, with {span(table.numbers('residual executions %'))} % of the executions", len(found) > 0,
                   f"{sum(table.numbers('residual paths')):.0f} paths beside {sum(table.numbers('interesting paths')):.0f} interesting ones")
