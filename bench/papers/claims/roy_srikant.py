# SPDX-License-Identifier: GPL-3.0-or-later
"""[RS].  The paper's two registers-and-arrays profilers have no placement of increments; here both have it."""

from claims.claim import Finding, Tables, claim, measured, nothing, span
from lab import geometric_mean
from tables import Table

# Table 3: slowdown for k = 2 and 3, of programs of these names.  None: no profile.
TABLE3 = {"compress": (1.14, 3.92), "crc": (1.12, 1.20), "edn": (1.56, 1.87), "fdct": (1.06, 1.10), "fibcall": (1.09, 1.19), "fir": (1.57, 1.75),
          "jfdctint": (1.00, 1.10), "ludcmp": (1.21, 4.47), "ndes": (6.12, None)}
# Table 4: static paths for k = 1 to 5; none above 60,000.
TABLE4 = [("compress", "compress", "713", "5887", "44063", "×", "×"), ("compress", "cl_hash", "10", "16", "24", "34", "46"),
          ("compress", "writebytes", "27", "84", "255", "768", "2307"), ("compress", "output", "416", "1328", "4064", "12272", "36896"),
          ("ndes", "des", "568", "5318", "35800", "×", "×"), ("ndes", "ks", "276", "466", "710", "1008", "1360"),
          ("ndes", "cyfun", "429", "14294", "×", "×", "×")]
ARRAYS, TOO_MANY = 6000, 60000
# What the paper says of costs without tables: the most, for each k.
MOST = {2: 1.57, 3: 1.87}


def _kernels(table: Table) -> list[dict[str, str]]:
    return [row for row in table.records() if row["program"] in TABLE3]


def _most_paths(tables: Tables, program: str, k: int) -> int:
    """Of a function of the program; 0 where k makes no difference to any."""
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
    return Finding(f"{geometric_mean(values):.2f} of the {unit} ({span(values, '.2f')}) in {len(rows)} kernels", not above,
                   (f"dearer in {', '.join(above)}: acyclic paths of such small loops are counted in registers here, which k accumulators in turn leave "
                    f"no room for; " if above else "") + f"in one register the same paths cost {register:.2f}")


@claim("RS", "Paths across two iterations cost 1.00 to 1.57 of acyclic ones where both are in arrays.", "no such kernel costs more than 1.57",
       "iterations-costs", "iterations-paths")
def two_iterations(tables: Tables) -> Finding:
    return _in_arrays(tables, 2)


@claim("RS", "Paths across three iterations cost 1.10 to 1.87 of acyclic ones where both are in arrays.", "no such kernel costs more than 1.87",
       "iterations-costs", "iterations-paths")
def three_iterations(tables: Tables) -> Finding:
    return _in_arrays(tables, 3)


@claim("RS", "What is much dearer (3.92 to 6.12) is so because counters moved to hash tables.",
       "kernels with a function of more than 6,000 paths at k = 3 cost more in the mean than the others", "iterations-costs", "iterations-paths")
def tables_cost(tables: Tables) -> Finding:
    name = "k=3 paper / acyclic"
    rows = [row for row in tables["iterations-costs"].records() if row[name]]
    groups = {is_hashed: [float(row[name]) for row in rows if (_most_paths(tables, row["program"], 3) > ARRAYS) == is_hashed] for is_hashed in (True, False)}
    if not all(groups.values()):
        return nothing("no program that needs tables at k = 3, and is counted there, and one that does not")
    hashed, others = (geometric_mean(groups[is_hashed]) for is_hashed in (True, False))
    dearest = max(rows, key=lambda row: float(row[name]))
    return Finding(f"{len(groups[True])} programs in tables {hashed:.2f}, {len(groups[False])} in arrays {others:.2f} of the instructions of acyclic paths",
                   hashed > others, f"the dearest is {dearest['program']} ({float(dearest[name]):.2f}), whose functions have "
                   f"{_most_paths(tables, dearest['program'], 3) or 'no more'} paths at k = 3 at most")


@claim("RS", "The computational cost does not increase significantly from acyclic to k-iteration profiling for most programs.",
       "at k = 2 more than half of all programs and kernels cost less than 1.25", "iterations-costs")
def realistic(tables: Tables) -> Finding:
    table, unit = measured(tables, "iterations-times", "iterations-costs")
    values = table.numbers("k=2 paper / acyclic")
    if not values:
        return nothing("no program is counted at k = 2")
    less = sum(value < 1.25 for value in values)
    register = table.numbers("k=2 register / acyclic")
    return Finding(f"{less} of {len(values)} cost less than 1.25 of the {unit} ({span(values, '.2f')})", 2 * less > len(values),
                   f"with one register {sum(value < 1.25 for value in register)} of {len(register)} do")


@claim("RS", "The number of static paths grows exponentially in k, for n acyclic paths to O(n^k).", "most functions grow by the same factor or more with each k "
       "from k = 2 on, and none passes n^k", "iterations-paths")
def growth(tables: Tables) -> Finding:
    rows = {(row["program"], row["function"]): [int(row[f"k={k}"]) for k in range(1, 6)] for row in tables["iterations-paths"].records()}
    if not rows:
        return nothing("no function with several paths in a loop")
    above = [f"{function} of {program}" for (program, function), counts in rows.items() if any(number > counts[0] ** k for k, number in enumerate(counts, 1))]
    steady = sum(counts[4] / counts[3] >= 0.9 * counts[3] / counts[2] for counts in rows.values())
    slow = sum(counts[4] / counts[3] < 1.5 for counts in rows.values())
    return Finding(f"{steady} of {len(rows)} functions grow as fast at k = 5 as at k = 4, {len(above)} pass n^k", 2 * steady > len(rows) and not above,
                   (f"n^k is too little for {', '.join(above[:3])}{' and others' if len(above) > 3 else ''}: acyclic paths around loops that follow each other add up, while a path across "
                    "iterations goes through one loop after the other, and their numbers multiply; the bound is that of one loop; " if above else "") +
                   f"{slow} functions grow by less than half from k = 4 to 5: their loops have one way around")


@claim("RS", "Functions pass 60,000 paths at k = 3 to 5 that have fewer than 1,000 acyclic ones.", "at least one does", "iterations-paths")
def too_many(tables: Tables) -> Finding:
    rows = tables["iterations-paths"].records()
    passed = [row for row in rows if int(row["k=1"]) < 1000 and int(row["k=5"]) > TOO_MANY]
    examples = ", ".join(f"{row['function']} of {row['program']} ({row['k=1']}, {int(row['k=5']):.1e})" for row in passed[:3])
    return Finding(f"{len(passed)} of {len(rows)} functions", len(passed) > 0, f"such as {examples}" if passed else
                   f"the maximum paths of a function with fewer than 1,000 are {max((int(row['k=5']) for row in rows if int(row['k=1']) < 1000), default=0)}")


@claim("RS", "The numbering is perfect: numbers from 0 on, each used once (10 acyclic paths and 23 across two iterations of Figure 1).",
       "so it is at k = 1 to 5, with these numbers of paths", "iterations-erratum")
def perfect(tables: Tables) -> Finding:
    table = tables["iterations-erratum"]
    return Finding(f"of the graph of Figure 1 {', '.join(table.column('paths'))} paths for k = 1 to 5, numberings {', '.join(sorted(set(table.column('numbering'))))}",
                   all(cell == "perfect" for cell in table.column("numbering")) and table.column("paths")[:2] == ["10", "23"])


@claim("RS", "One flag tells when weights are compensated (Algorithm 3).", "no trace is counted wrongly", "iterations-erratum")
def flag(tables: Tables) -> Finding:
    table = tables["iterations-erratum"]
    wrong = [row for row in table.records() if row["wrong with one flag"] != "0"]
    own = sum(table.numbers("wrong with one condition per accumulator"))
    return Finding(", ".join(f"k = {row['k']}: {row['wrong with one flag']} of {row['traces']}" for row in table.records()) + " random traces are counted wrongly",
                   not wrong, f"the shortest is {wrong[0]['miscounted trace']} at k = {wrong[0]['k']}, where a window that begins at the head before the flag is true "
                   f"needs compensated weights, too; with a condition of each accumulator's own {own:.0f} traces are counted wrongly" if wrong else "")
