# SPDX-License-Identifier: GPL-3.0-or-later
"""[MR].  The technique had not been built: the report says what is to be expected, and what remains to be seen."""

from claims.claim import Finding, Tables, claim, nothing
from lab import geometric_mean

ARRAY_BITS = 24  # of numbers that an array can count


def _rows(tables: Tables, cut: str, mode: str = "") -> list[dict[str, str]]:
    return [row for row in tables["calls-numbers"].records() if row["excluded calls"] == cut and mode in ("", row["mode"])]


@claim("MR", "Numbers of paths through all calls need more bits than a machine word (9.1).",
       "in most programs calls are excluded to fit in 62 bits, by context", "calls-numbers")
def wider(tables: Tables) -> Finding:
    rows = _rows(tables, "62 bits", "context")
    if not rows:
        return nothing("no program has calls")
    cut = [row for row in rows if int(row["excluded to fit"]) > 0]
    double = [row for row in _rows(tables, "124 bits", "context") if int(row["excluded to fit"]) > 0]
    return Finding(f"{len(cut)} of {len(rows)} programs cut calls to fit", 2 * len(cut) > len(rows),
                   f"with numbers of 124 bits {len(double)} still do; with all calls cut a function's own paths have {max(int(row['bits']) for row in _rows(tables, 'all', 'context'))} bits at most")


@claim("MR", "There are strictly fewer piecewise paths than paths with context (9.1).",
       "where neither is excluded to fit, piecewise numbers never have more bits, and in most programs fewer where calls are whole", "calls-numbers")
def piecewise(tables: Tables) -> Finding:
    bits = {(row["program"], row["excluded calls"], row["mode"]): int(row["bits"]) for row in tables["calls-numbers"].records()
            if row["excluded calls"] in ("static", "leaf", "124 bits") and row["excluded to fit"] == "0" and float(row["included sites %"] or 0) > 0}
    pairs = [(number, bits[program, cut, "piecewise"]) for (program, cut, mode), number in bits.items() if mode == "context" and (program, cut, "piecewise") in bits]
    if not pairs:
        return nothing("all numbers with whole calls are excluded to fit")
    fewer = sum(piecewise_ < context for context, piecewise_ in pairs)
    more = sum(piecewise_ > context for context, piecewise_ in pairs)
    return Finding(f"of {len(pairs)} programs and strategies {fewer} have fewer bits piecewise, {more} more", more == 0 and 2 * fewer > len(pairs),
                   f"{sum(context for context, _ in pairs)} bits together by context, {sum(piecewise_ for _, piecewise_ in pairs)} piecewise")


@claim("MR", "So piecewise profiles are more likely to be feasible (9.1).", "at 62 bits they cut fewer calls to fit, summed over the programs", "calls-numbers")
def feasible(tables: Tables) -> Finding:
    context, pieces = (sum(int(row["excluded to fit"]) for row in _rows(tables, "62 bits", mode)) for mode in ("context", "piecewise"))
    if not context and not pieces:
        return nothing("nothing is excluded to fit")
    shares = [sum(float(row["included executions %"] or 0) for row in _rows(tables, "62 bits", mode)) / len(_rows(tables, "62 bits", mode)) for mode in ("context", "piecewise")]
    return Finding(f"context cuts {context} calls, piecewise {pieces}", pieces < context,
                   f"of direct calls' executions stay whole {shares[0]:.1f} % by context, {shares[1]:.1f} % piecewise")


@claim("MR", "Of the observable paths only a small fraction is executed; whether that holds through calls remains to be seen (9.1).",
       "in each program with more than 2^20 paths at 62 bits not a thousandth runs", "calls-numbers")
def few_executed(tables: Tables) -> Finding:
    large = [row for row in _rows(tables, "62 bits") if int(row["bits"]) > 20]
    if not large:
        return nothing("no program has so many paths")
    few = [row for row in large if int(row["executed paths"]) < 2 ** (int(row["bits"]) - 11)]
    most = max(int(row["executed paths"]) for row in large)
    return Finding(f"so it is in {len(few)} of {len(large)} programs and modes; {most} paths run at most", len(few) == len(large),
                   f"numbers have {min(int(row['bits']) for row in large)} to {max(int(row['bits']) for row in large)} bits, and the most paths that run fit in {most.bit_length()}")


@claim("MR", "So counters go into a hash table rather than an array (9.1).", "at 62 bits most programs have more than 2^24 numbers, too many for an array", "calls-numbers")
def hash_table(tables: Tables) -> Finding:
    rows = _rows(tables, "62 bits", "context")
    many = [row for row in rows if int(row["bits"]) > ARRAY_BITS]
    arrays = [row for row in _rows(tables, "default", "context") if int(row["bits"]) <= ARRAY_BITS]
    return Finding(f"{len(many)} of {len(rows)} programs", 2 * len(many) > len(rows),
                   f"cut at a few more calls, {len(arrays)} of them have so few that an array counts them, with "
                   f"{_mean(arrays, 'included executions %'):.1f} % of the direct calls' executions whole" if arrays else "")


def _mean(rows: list[dict[str, str]], column: str) -> float:
    return sum(float(row[column] or 0) for row in rows) / len(rows)


@claim("MR", "Cutting calls by a strategy (into static functions, into leaves) decreases the number of paths and is more practical (8).",
       "with the strategy fewer programs cut calls to fit than without one, at 62 bits", "calls-numbers")
def hybrids(tables: Tables) -> Finding:
    cut = {name: sum(int(row["excluded to fit"]) > 0 for row in _rows(tables, name, "context")) for name in ("62 bits", "static", "leaf")}
    return Finding(f"{cut['62 bits']} programs without, {cut['static']} with static, {cut['leaf']} with leaves only cut calls to fit (context)",
                   max(cut["static"], cut["leaf"]) < cut["62 bits"],
                   ", ".join(f"{name}: {_mean(_rows(tables, name, 'context'), 'included executions %'):.1f} % of direct calls' executions whole" for name in cut))


@claim("MR", "With all calls cut the technique is an intraprocedural one (8).", "no call is whole, and it costs no more than paths through calls in most programs",
       "calls-numbers", "calls-costs")
def degenerate(tables: Tables) -> Finding:
    whole = [row for row in _rows(tables, "all") if float(row["included sites %"] or 0) > 0]
    rows = tables["calls-costs"].records()
    cheaper = [row for row in rows if float(row["context, all / base"]) <= float(row["context, 62 bits / base"])]
    through, cut = (geometric_mean([float(row[f"context, {name} / base"]) for row in rows]) for name in ("62 bits", "all"))
    return Finding(f"{len(whole)} programs have whole calls; {len(cheaper)} of {len(rows)} cost less with all excluded calls", not whole and 2 * len(cheaper) > len(rows),
                   f"by context {cut:.2f} of the instructions of none with all excluded calls, {through:.2f} with as many whole as 62 bits hold")


@claim("MR", "The fewer bits the more feasible: a profile of fewer paths costs less (9.1).",
       "in both modes as many calls as 62 bits hold cost more than as many as an array can count the paths of, by geometric mean", "calls-costs", "calls-numbers")
def expensive(tables: Tables) -> Finding:
    table = tables["calls-costs"]
    bits = {cut: sum(int(row["bits"]) for row in _rows(tables, cut)) / len(_rows(tables, cut)) for cut in ("62 bits", "default")}
    arrays = [row for row in _rows(tables, "default") if int(row["bits"]) <= ARRAY_BITS]
    found = {(mode, cut): geometric_mean(table.numbers(f"{mode}, {cut} / base")) for mode in ("context", "piecewise") for cut in ("62 bits", "default")}
    return Finding("; ".join(f"{mode} {found[mode, '62 bits']:.2f} in 62 bits, {found[mode, 'default']:.2f} by default" for mode in ("context", "piecewise")),
                   all(found[mode, "62 bits"] > found[mode, "default"] for mode in ("context", "piecewise")),
                   f"numbers have {bits['62 bits']:.1f} bits in the mean and are counted in tables; {bits['default']:.1f} by default, where arrays count "
                   f"{len(arrays)} of {len(_rows(tables, 'default'))} programs and modes")
