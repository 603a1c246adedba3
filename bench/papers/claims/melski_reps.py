# SPDX-License-Identifier: GPL-3.0-or-later
"""Claims of [MR]. The authors did not implement the technique; the report states expectations and open questions."""

from claims.claim import Finding, Tables, claim, nothing
from lab import geometric_mean

ARRAY_BITS = 24  # maximum bits of path IDs that an array can count


def _rows(tables: Tables, cut: str, mode: str = "") -> list[dict[str, str]]:
    return [row for row in tables["calls-numbers"].records() if row["excluded calls"] == cut and mode in ("", row["mode"])]


@claim("MR", "IDs of interprocedural paths through all calls need more bits than a machine word (9.1).",
       "in most programs, calls are excluded so that the IDs fit in 62 bits (mode=context)", "calls-numbers")
def wider(tables: Tables) -> Finding:
    rows = _rows(tables, "62 bits", "context")
    if not rows:
        return nothing("no program has calls")
    cut = [row for row in rows if int(row["excluded to fit"]) > 0]
    double = [row for row in _rows(tables, "124 bits", "context") if int(row["excluded to fit"]) > 0]
    return Finding(f"in {len(cut)} of {len(rows)} programs, calls are excluded so that the IDs fit", 2 * len(cut) > len(rows),
                   f"with IDs of 124 bits, calls are excluded in {len(double)}; if all calls are excluded, the IDs of a function have at most {max(int(row['bits']) for row in _rows(tables, 'all', 'context'))} bits")


@claim("MR", "There are strictly fewer piecewise paths than context paths (9.1).",
       "if no calls are excluded to fit, piecewise IDs never have more bits than context IDs, and have fewer in most programs with included calls", "calls-numbers")
def piecewise(tables: Tables) -> Finding:
    bits = {(row["program"], row["excluded calls"], row["mode"]): int(row["bits"]) for row in tables["calls-numbers"].records()
            if row["excluded calls"] in ("static", "leaf", "124 bits") and row["excluded to fit"] == "0" and float(row["included sites %"] or 0) > 0}
    pairs = [(number, bits[program, cut, "piecewise"]) for (program, cut, mode), number in bits.items() if mode == "context" and (program, cut, "piecewise") in bits]
    if not pairs:
        return nothing("all programs with included calls exclude other calls to fit")
    fewer = sum(piecewise_ < context for context, piecewise_ in pairs)
    more = sum(piecewise_ > context for context, piecewise_ in pairs)
    return Finding(f"of {len(pairs)} programs and strategies, {fewer} have fewer bits with mode=piecewise, and {more} have more", more == 0 and 2 * fewer > len(pairs),
                   f"{sum(context for context, _ in pairs)} bits in total for context and {sum(piecewise_ for _, piecewise_ in pairs)} for piecewise")


@claim("MR", "Piecewise profiles are therefore more likely to be feasible (9.1).", "at 62 bits, mode=piecewise excludes fewer calls to fit, summed over the programs", "calls-numbers")
def feasible(tables: Tables) -> Finding:
    context, pieces = (sum(int(row["excluded to fit"]) for row in _rows(tables, "62 bits", mode)) for mode in ("context", "piecewise"))
    if not context and not pieces:
        return nothing("no calls are excluded to fit")
    shares = [sum(float(row["included executions %"] or 0) for row in _rows(tables, "62 bits", mode)) / len(_rows(tables, "62 bits", mode)) for mode in ("context", "piecewise")]
    return Finding(f"context excludes {context} calls, piecewise {pieces}", pieces < context,
                   f"{shares[0]:.1f}% of direct calls' executions are included with context, {shares[1]:.1f}% with piecewise")


@claim("MR", "Only a small fraction of the observable paths is executed; whether that holds for interprocedural paths remains to be seen (9.1).",
       "each program with more than 2^20 paths at 62 bits executes less than 0.1% of them", "calls-numbers")
def few_executed(tables: Tables) -> Finding:
    large = [row for row in _rows(tables, "62 bits") if int(row["bits"]) > 20]
    if not large:
        return nothing("no program has so many paths")
    few = [row for row in large if int(row["executed paths"]) < 2 ** (int(row["bits"]) - 11)]
    most = max(int(row["executed paths"]) for row in large)
    return Finding(f"{len(few)} of {len(large)} programs and modes; at most {most} paths are executed", len(few) == len(large),
                   f"IDs have {min(int(row['bits']) for row in large)} to {max(int(row['bits']) for row in large)} bits, and the largest number of executed paths fits in {most.bit_length()} bits")


@claim("MR", "Counters are therefore stored in a hash table rather than in an array (9.1).", "at 62 bits, most programs have more than 2^24 path IDs, too many for an array", "calls-numbers")
def hash_table(tables: Tables) -> Finding:
    rows = _rows(tables, "62 bits", "context")
    many = [row for row in rows if int(row["bits"]) > ARRAY_BITS]
    arrays = [row for row in _rows(tables, "default", "context") if int(row["bits"]) <= ARRAY_BITS]
    return Finding(f"{len(many)} of {len(rows)} programs", 2 * len(many) > len(rows),
                   f"if a few more calls are excluded, an array can count the paths of {len(arrays)} of them, with "
                   f"{_mean(arrays, 'included executions %'):.1f}% of direct calls' executions included" if arrays else "")


def _mean(rows: list[dict[str, str]], column: str) -> float:
    return sum(float(row[column] or 0) for row in rows) / len(rows)


@claim("MR", "Including only some calls (to static functions, to leaf functions) decreases the number of paths and is more practical (8).",
       "at 62 bits, fewer programs exclude calls to fit with such a strategy than without", "calls-numbers")
def hybrids(tables: Tables) -> Finding:
    cut = {name: sum(int(row["excluded to fit"]) > 0 for row in _rows(tables, name, "context")) for name in ("62 bits", "static", "leaf")}
    return Finding(f"programs that exclude calls to fit (context): {cut['62 bits']} without a strategy, {cut['static']} with static, {cut['leaf']} with leaf",
                   max(cut["static"], cut["leaf"]) < cut["62 bits"],
                   ", ".join(f"{name}: {_mean(_rows(tables, name, 'context'), 'included executions %'):.1f}% of direct calls' executions included" for name in cut))


@claim("MR", "If all calls are excluded, the technique is intraprocedural (8).", "no call is included, and in most programs the technique costs no more than interprocedural paths",
       "calls-numbers", "calls-costs")
def degenerate(tables: Tables) -> Finding:
    whole = [row for row in _rows(tables, "all") if float(row["included sites %"] or 0) > 0]
    rows = tables["calls-costs"].records()
    cheaper = [row for row in rows if float(row["context, all / base"]) <= float(row["context, 62 bits / base"])]
    through, cut = (geometric_mean([float(row[f"context, {name} / base"]) for row in rows]) for name in ("62 bits", "all"))
    return Finding(f"{len(whole)} programs have included calls; {len(cheaper)} of {len(rows)} cost less if all calls are excluded", not whole and 2 * len(cheaper) > len(rows),
                   f"with mode=context, {cut:.2f} times the instructions without instrumentation if all calls are excluded, {through:.2f} times with as many included calls as 62 bits allow")


@claim("MR", "A profile with fewer bits, and thus fewer paths, is more feasible and costs less (9.1).",
       "in both modes, the geometric mean of the cost is higher with as many included calls as 62 bits allow than with as many as an array allows", "calls-costs", "calls-numbers")
def expensive(tables: Tables) -> Finding:
    table = tables["calls-costs"]
    bits = {cut: sum(int(row["bits"]) for row in _rows(tables, cut)) / len(_rows(tables, cut)) for cut in ("62 bits", "default")}
    arrays = [row for row in _rows(tables, "default") if int(row["bits"]) <= ARRAY_BITS]
    found = {(mode, cut): geometric_mean(table.numbers(f"{mode}, {cut} / base")) for mode in ("context", "piecewise") for cut in ("62 bits", "default")}
    return Finding("; ".join(f"{mode} {found[mode, '62 bits']:.2f} with 62 bits, {found[mode, 'default']:.2f} by default" for mode in ("context", "piecewise")),
                   all(found[mode, "62 bits"] > found[mode, "default"] for mode in ("context", "piecewise")),
                   f"on average, IDs have {bits['62 bits']:.1f} bits and are counted in hash tables; by default, they have {bits['default']:.1f} bits, and arrays count the paths of "
                   f"{len(arrays)} of {len(_rows(tables, 'default'))} programs and modes")
