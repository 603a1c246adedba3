# SPDX-License-Identifier: GPL-3.0-or-later
"""Claims of [RS]. The paper's profilers with registers and with arrays do not optimise the placement of increments; here, both do."""

from claims.claim import Finding, Tables, claim, measured, nothing, span
from lab import geometric_mean
from tables import Table

# Table 3: slowdown of the programs for k = 2 and 3. None: no profile.
TABLE3 = {"compress": (1.14, 3.92), "crc": (1.12, 1.20), "edn": (1.56, 1.87), "fdct": (1.06, 1.10), "fibcall": (1.09, 1.19), "fir": (1.57, 1.75),
          "jfdctint": (1.00, 1.10), "ludcmp": (1.21, 4.47), "ndes": (6.12, None)}
# Table 4: static paths for k = 1 to 5; × if more than 60,000.
TABLE4 = [("compress", "compress", "713", "5887", "44063", "×", "×"), ("compress", "cl_hash", "10", "16", "24", "34", "46"),
          ("compress", "writebytes", "27", "84", "255", "768", "2307"), ("compress", "output", "416", "1328", "4064", "12272", "36896"),
          ("ndes", "des", "568", "5318", "35800", "×", "×"), ("ndes", "ks", "276", "466", "710", "1008", "1360"),
          ("ndes", "cyfun", "429", "14294", "×", "×", "×")]
ARRAYS, TOO_MANY = 6000, 60000
# The paper's maximum costs without hash tables, for each k.
MOST = {2: 1.57, 3: 1.87}


def _kernels(table: Table) -> list[dict[str, str]]:
    return [row for row in table.records() if row["program"] in TABLE3]


def _most_paths(tables: Tables, program: str, k: int) -> int:
    """Returns the maximum number of paths of a function of the program, or 0 if no function depends on k."""
    return max((int(row[f"k={k}"]) for row in tables["iterations-paths"].records() if row["program"] == program), default=0)


def _in_arrays(tables: Tables, k: int) -> Finding:
    table, unit = measured(tables, "iterations-times", "iterations-costs")
    name = f"k={k} paper / acyclic"
    rows = [row for row in _kernels(table) if row[name] and _most_paths(tables, row["program"], k) <= ARRAYS]
    if not rows:
        return nothing("no kernel has so few paths")
    values = [float(row[name]) for row in rows]
    above = [row["program"] for row in rows if float(row[name]) > MOST[k]]
    register = geometric_mean([float(row[f"k={k} register / acyclic"]) for row in rows])
    return Finding(f"{geometric_mean(values):.2f} times the {unit} ({span(values, '.2f')}) in {len(rows)} kernels", not above,
                   (f"more expensive in {', '.join(above)}: acyclic paths of such small loops are counted in registers here, for which k accumulators leave "
                    f"no room; " if above else "") + f"with one register, the same paths cost {register:.2f} times as much as acyclic paths")


@claim("RS", "2-iteration paths cost 1.00 to 1.57 times as much as acyclic paths if both are in arrays.", "no such kernel costs more than 1.57",
       "iterations-costs", "iterations-paths")
def two_iterations(tables: Tables) -> Finding:
    return _in_arrays(tables, 2)


@claim("RS", "3-iteration paths cost 1.10 to 1.87 times as much as acyclic paths if both are in arrays.", "no such kernel costs more than 1.87",
       "iterations-costs", "iterations-paths")
def three_iterations(tables: Tables) -> Finding:
    return _in_arrays(tables, 3)


@claim("RS", "Much higher costs (3.92 to 6.12) are caused by hash tables.",
       "kernels with a function of more than 6,000 paths at k = 3 cost more on average than the others", "iterations-costs", "iterations-paths")
def tables_cost(tables: Tables) -> Finding:
    name = "k=3 paper / acyclic"
    rows = [row for row in tables["iterations-costs"].records() if row[name]]
    groups = {is_hashed: [float(row[name]) for row in rows if (_most_paths(tables, row["program"], 3) > ARRAYS) == is_hashed] for is_hashed in (True, False)}
    if not all(groups.values()):
        return nothing("no programs with and without hash tables at k = 3 to compare")
    hashed, others = (geometric_mean(groups[is_hashed]) for is_hashed in (True, False))
    dearest = max(rows, key=lambda row: float(row[name]))
    return Finding(f"{len(groups[True])} programs in hash tables {hashed:.2f}, {len(groups[False])} in arrays {others:.2f} times the instructions of acyclic paths",
                   hashed > others, f"the most expensive is {dearest['program']} ({float(dearest[name]):.2f}), whose functions have at most "
                   f"{_most_paths(tables, dearest['program'], 3) or 'no more'} paths at k = 3")


@claim("RS", "The computational cost does not increase significantly from acyclic to k-iteration profiling for most programs.",
       "at k = 2, more than half of all programs and kernels cost less than 1.25 times as much as acyclic paths", "iterations-costs")
def realistic(tables: Tables) -> Finding:
    table, unit = measured(tables, "iterations-times", "iterations-costs")
    values = table.numbers("k=2 paper / acyclic")
    if not values:
        return nothing("no program is counted at k = 2")
    less = sum(value < 1.25 for value in values)
    register = table.numbers("k=2 register / acyclic")
    return Finding(f"{less} of {len(values)} cost less than 1.25 times the {unit} ({span(values, '.2f')})", 2 * less > len(values),
                   f"with one register, {sum(value < 1.25 for value in register)} of {len(register)} do")


@claim("RS", "The number of static paths grows exponentially in k, to O(n^k) for n acyclic paths.", "most functions grow by the same factor or more with each increment of k "
       "from k = 2 on, and none exceeds n^k", "iterations-paths")
def growth(tables: Tables) -> Finding:
    rows = {(row["program"], row["function"]): [int(row[f"k={k}"]) for k in range(1, 6)] for row in tables["iterations-paths"].records()}
    if not rows:
        return nothing("no function with several paths in a loop")
    above = [f"{function} of {program}" for (program, function), counts in rows.items() if any(number > counts[0] ** k for k, number in enumerate(counts, 1))]
    steady = sum(counts[4] / counts[3] >= 0.9 * counts[3] / counts[2] for counts in rows.values())
    slow = sum(counts[4] / counts[3] < 1.5 for counts in rows.values())
    return Finding(f"{steady} of {len(rows)} functions grow as fast at k = 5 as at k = 4; functions above n^k: {len(above)}", 2 * steady > len(rows) and not above,
                   (f"n^k is too small for {', '.join(above[:3])}{' and others' if len(above) > 3 else ''}: acyclic paths of successive loops add up, whereas a k-iteration path "
                    "goes through all of these loops, so the numbers multiply, and the bound holds for a single loop; " if above else "") +
                   f"{slow} functions grow by less than half from k = 4 to 5, because their loops have a single path")


@claim("RS", "Functions with fewer than 1,000 acyclic paths exceed 60,000 paths at k = 3 to 5.", "at least one does", "iterations-paths")
def too_many(tables: Tables) -> Finding:
    rows = tables["iterations-paths"].records()
    passed = [row for row in rows if int(row["k=1"]) < 1000 and int(row["k=5"]) > TOO_MANY]
    examples = ", ".join(f"{row['function']} of {row['program']} ({row['k=1']}, {int(row['k=5']):.1e})" for row in passed[:3])
    return Finding(f"{len(passed)} of {len(rows)} functions", len(passed) > 0, f"such as {examples}" if passed else
                   f"the maximum number of paths of a function with fewer than 1,000 acyclic paths is {max((int(row['k=5']) for row in rows if int(row['k=1']) < 1000), default=0)}")


@claim("RS", "The numbering is perfect: path IDs start at 0 and each is used once (10 acyclic and 23 2-iteration paths of Figure 1).",
       "the numbering is perfect at k = 1 to 5, with these numbers of paths", "iterations-erratum")
def perfect(tables: Tables) -> Finding:
    table = tables["iterations-erratum"]
    return Finding(f"the graph of Figure 1 has {', '.join(table.column('paths'))} paths for k = 1 to 5; numberings: {', '.join(sorted(set(table.column('numbering'))))}",
                   all(cell == "perfect" for cell in table.column("numbering")) and table.column("paths")[:2] == ["10", "23"])


@claim("RS", "One flag decides when weights are compensated (Algorithm 3).", "no trace is miscounted", "iterations-erratum")
def flag(tables: Tables) -> Finding:
    table = tables["iterations-erratum"]
    wrong = [row for row in table.records() if row["wrong with one flag"] != "0"]
    own = sum(table.numbers("wrong with one condition per accumulator"))
    return Finding(", ".join(f"k = {row['k']}: {row['wrong with one flag']} of {row['traces']}" for row in table.records()) + " random traces are miscounted",
                   not wrong, f"the shortest is {wrong[0]['miscounted trace']} at k = {wrong[0]['k']}, where a window that begins at the loop header before the flag is true "
                   f"also needs compensated weights; with one condition per accumulator, {own:.0f} traces are miscounted" if wrong else "")
