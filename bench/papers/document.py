# SPDX-License-Identifier: GPL-3.0-or-later
"""doc/papers.md, of the tables alone.  Nothing is typed in: a figure of this machine stands in a CSV file, one of a paper in
TABLES below or beside the claims, with its place there."""

import json
from collections import Counter
from pathlib import Path

import iterations
import plots
import targets
from claims import findings
from claims.roy_srikant import TABLE3, TABLE4
from lab import geometric_mean
from subjects import PROGRAM_WORKLOADS
from tables import Table, load

TITLES = {
    "BL": "Acyclic paths [BL]",
    "RS": "Paths across iterations [RS]",
    "DD": "Sequences of paths [DD]",
    "MR": "Paths through calls [MR]",
    "PPP": "Interesting paths [PPP]",
}
NAMES = {
    "BL": "Ball and Larus, *Efficient Path Profiling*, MICRO-29, 1996",
    "RS": "Roy and Srikant, *Profiling k-Iteration Paths*, CGO 2009",
    "DD": "D'Elia and Demetrescu, *Ball-Larus Path Profiling Across Multiple Loop Iterations*, OOPSLA 2013",
    "MR": "Melski and Reps, *Interprocedural Path Profiling*, TR 1382, University of Wisconsin, 1998",
    "PPP": "Vaswani, Nori and Chilimbi, *Preferential Path Profiling*, POPL 2007",
}
# The tables of a paper: what stands above each, and the paper's own figures for the last rows, by column.
TABLES = {
    "acyclic-times": ("BL", "Table 1: processor time over that without instrumentation, medians and 95 % intervals", {
        "the paper's CINT95": {"paths over none": "1.448", "edges over none": "1.308"},
        "the paper's SPEC95": {"paths over none": "1.309", "edges over none": "1.161"}}),
    "acyclic-costs": ("BL", "Table 1: instructions over those without instrumentation, on the training inputs", {
        "the paper's CINT95": {"paths over none": "1.448", "edges over none": "1.308", "path increments": "2251 M", "edge increments a path": "1.5",
                               "hashed %": "12.2", "instructions an increment": "21.4"},
        "the paper's SPEC95": {"paths over none": "1.309", "edges over none": "1.161", "path increments": "1601 M", "edge increments a path": "1.3",
                               "hashed %": "28.4", "instructions an increment": "88.4"}}),
    "acyclic-paths": ("BL", "Table 2: paths of the reference inputs. Statements are those of GCC's GIMPLE, where the paper has instructions", {
        "the paper's CINT95": {"paths": "5088", "longest edges": "254", "longest statements": "464", "edges": "8.3", "statements": "21.4", "predicted %": "29.5",
                               "predicted longest edges": "239", "predicted edges": "5.8", "predicted statements": "14.4", "functions": "381",
                               "most paths of a function": "286", "paths a function": "12.0"},
        "the paper's SPEC95": {"paths": "2696", "longest edges": "226", "longest statements": "1344", "edges": "6.9", "statements": "88.4", "predicted %": "37.9",
                               "predicted longest edges": "183", "predicted edges": "5.1", "predicted statements": "33.6", "functions": "270",
                               "most paths of a function": "198", "paths a function": "7.7"}}),
    "acyclic-kernels": ("BL", "Paths of kernels, numeric and others", {
        "the paper's CINT95": {"kind": "integer", "paths": "5088", "edges": "8.3", "statements": "21.4"},
        "the paper's CFP95": {"kind": "numeric", "paths": "782", "edges": "5.9", "statements": "142.1"}}),
    "acyclic-training": ("BL", "Table 3: what the reference input executes of what the training input executed, too", {
        "the paper's CINT95": {"common paths": "3525", "static %": "69.6", "dynamic %": "93.7", "statements %": "91.3"}}),
    "iterations-times": ("RS", "Table 3: processor time over that of acyclic paths, medians and 95 % intervals; empty where a function has more than 60,000 paths", {}),
    "iterations-costs": ("RS", "Table 3: instructions over those of acyclic paths; empty where a function has more than 60,000 paths", {}),
    "iterations-paths": ("RS", "Table 4: static paths before cutting, of the functions with most of them in each program", {}),
    "iterations-erratum": ("RS", "Algorithm 3 on the graph of Figure 1: random traces, by the paper's one flag and by a condition for each accumulator", {}),
    "sequences-times": ("DD", "Processor time over that of acyclic paths in hash tables, medians and 95 % intervals", {}),
    "sequences-costs": ("DD", "Instructions over those of acyclic paths in hash tables", {}),
    "sequences-kernels": ("DD", "The same of the kernels, for more lengths", {}),
    "sequences-calls": ("DD", "Of the programs at -Os, where each access of a hash table is a call of the runtime, as in the papers' profilers", {}),
    "sequences-forests": ("DD", "Forests, on the training inputs: sequences are the nodes of the forest of all of them", {}),
    "sequences-memory": ("DD", "Resident memory at most, on the inputs that are timed", {}),
    "calls-times": ("MR", "Processor time over that without instrumentation, medians and 95 % intervals", {}),
    "calls-costs": ("MR", "Instructions over those without instrumentation", {}),
    "calls-numbers": ("MR", "Numbers of paths through calls, and the calls that paths are cut at; whole are direct calls that paths go through", {}),
    "interesting-times": ("PPP", "Figure 15: processor time over that without instrumentation, medians and 95 % intervals", {
        "the paper's SPEC CPU2000": {"all paths over none": "1.50", "interesting paths over none": "1.15"}}),
    "interesting-costs": ("PPP", "Figure 15: instructions over those without instrumentation", {
        "the paper's SPEC CPU2000": {"all paths over none": "1.50", "interesting paths over none": "1.15"}}),
    "interesting-calls": ("PPP", "The same at -Os, where each access of a hash table is a call of the runtime, as in the paper's profiler", {
        "the paper's SPEC CPU2000": {"all paths over none": "1.50", "interesting paths over none": "1.15"}}),
    "interesting-residual": ("PPP", "Residual paths: the reference input, with the training input's paths as the interesting ones", {}),
}
# Of these a mean says nothing.
WITHOUT_MEAN = {"iterations-paths", "iterations-erratum", "sequences-forests", "calls-numbers", "interesting-residual", "sequences-memory", "acyclic-kernels"}


def markdown(columns: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(columns) + " |", "|---|" + "---:|" * (len(columns) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def mean_row(table: Table) -> list[str]:
    """Geometric of ratios, arithmetic of everything else."""
    cells = []
    for name in table.columns[1:]:
        values = table.numbers(name)
        is_ratio = " over " in name
        mean = None if not values else geometric_mean(values) if is_ratio else sum(values) / len(values)
        cells.append("" if mean is None else f"{mean:.3f}" if is_ratio else f"{mean:.1f}" if mean < 1000 else short(f"{mean:.0f}"))
    return ["**mean**", *cells]


def joined(columns: list[str], row: list[str]) -> list[str]:
    """A value and its interval in one cell."""
    cells = dict(zip(columns, row))
    kept = [name for name in columns if not name.endswith((", low", ", high"))]
    return [f"{cells[name]} ({cells[f'{name}, low']}–{cells[f'{name}, high']})" if cells.get(f"{name}, low") else cells[name] for name in kept]


def section(table: Table) -> str:
    _, title, papers = TABLES[table.name]
    rows = [list(map(str, row)) for row in table.rows]
    columns = table.columns
    if table.name not in WITHOUT_MEAN:
        rows.append(mean_row(table))
    for whose, figures in papers.items():
        rows.append([f"*{whose}*", *(figures.get(name, "") for name in columns[1:])])
    rows = [joined(columns, row) for row in rows]
    columns = [name for name in columns if not name.endswith((", low", ", high"))]
    if table.name in ("iterations-times", "iterations-costs"):
        columns = [*columns, "the paper's k=2", "the paper's k=3"]
        rows = [[*row, *("" if cell is None else f"{cell:.2f}" for cell in TABLE3.get(row[0], (None, None)))] for row in rows]
    if table.name == "iterations-paths":
        rows += [[f"*the paper's {program}*", function, *numbers] for program, function, *numbers in TABLE4]
    rows = [[row[0], *map(short, row[1:])] for row in rows]
    note = "times and memory: a second run gives others" if is_timed(table.name) else "the same in each run"
    return f"### {title}\n\n[`{table.name}.csv`](papers/{table.name}.csv), {note}\n\n{markdown(columns, rows)}\n"


def is_timed(name: str) -> bool:
    """Another run does not repeat its figures; those of other tables it does, byte by byte."""
    return name.endswith(("-times", "-memory"))


def short(number: str) -> str:
    """Large numbers of paths by their power of ten."""
    return f"{float(number):.1e}" if number.isdigit() and len(number) > 9 else number


def delta_section(table: Table) -> str:
    """Figure 16: one line a band of how many interesting paths a function has."""
    bands = [(1, 1), (2, 4), (5, 9), (10, 29), (30, 99), (100, 300), (301, 10**9)]
    rows = []
    for low, high in bands:
        deltas = [float(row["delta"]) for row in table.records() if low <= int(row["interesting paths"]) <= high]
        if deltas:
            name = f"{low}" if low == high else f"{low} and more" if high == 10**9 else f"{low}–{high}"
            rows.append([name, str(len(deltas)), f"{sum(deltas) / len(deltas):.3f}", f"{max(deltas):.3f}",
                         f"{100 * sum(delta <= 1.25 for delta in deltas) / len(deltas):.1f}"])
    return ("### Figure 16, size of the interval over the number of interesting paths\n\n[`interesting-numbers.csv`](papers/interesting-numbers.csv), the same in each run\n\n" +
            markdown(["interesting paths", "functions", "mean delta", "largest", "at 1.25 or less, %"], rows) + "\n")


# ---- the document ----

def of_run(found: dict) -> str:
    return f"{found['machine']}, {found['compiler']}, commit {found['commit']}"


def claims_section(tables: dict[str, Table]) -> str:
    found = findings(tables)
    counted = Counter(finding.verdict for _, finding in found)
    parts = ["## The claims", "", f"{len(found)} claims: " + ", ".join(f"{counted[verdict]} {verdict}" for verdict in ("confirmed", "differs", "not reproducible")) + ".",
             "Verdicts, figures and reasons are computed from the tables below. Behind each verdict stands what confirms the claim here: a mean within a factor of",
             "1.5 of the paper's, no program outside of a range, or the direction of a comparison.", ""]
    for number, (claim, finding) in enumerate(found, 1):
        why = f" Why: {finding.why}." if finding.why else ""
        parts += [f"{number}. [{claim.paper}] {claim.text}\n", f"    **{finding.verdict.capitalize()}** (confirmed if {claim.test}): {finding.measured}.{why}\n"]
    return "\n".join(parts) + "\n"


def beyond_section(tables: dict[str, Table]) -> str:
    """What the papers do not have, from the same tables."""
    parts = ["## Beyond the papers", ""]
    if (table := tables.get("iterations-costs")) and table.rows:
        rows = [row for row in table.records() if row["k=3 paper over acyclic"] and row["k=3 register over acyclic"]]
        costs = {name: geometric_mean([float(row[f"k=3 {name} over acyclic"]) for row in rows]) for name in ("paper", "register")}
        parts.append(f"- One register in place of k accumulators (`numbering=register`) names the same paths across iterations: at k = 3 it costs {costs['register']:.2f} of the "
                     f"instructions of acyclic paths, the paper's numbering {costs['paper']:.2f}.")
    if (table := tables.get("calls-costs")) and table.rows:
        costs = {mode: geometric_mean(table.numbers(f"{mode}, default over none")) for mode in ("context", "piecewise")}
        parts.append(f"- Paths through calls, which [MR] describes and had not built, cost {costs['context']:.2f} (context) and {costs['piecewise']:.2f} (piecewise) of the instructions "
                     "of none, for whole programs.")
    return "\n".join(parts) + "\n"


def targets_section(tables: dict[str, Table]) -> str:
    return ("## Targets\n\nWhat pathprof is to cost at most, as far as these tables tell it, in instructions; what is open is in [limits.md](limits.md#cost), too. Targets of\n"
            "processor time, of threads, of sizes and of rebuilt programs are measured by `make bench` ([performance.md](performance.md)).\n\n" +
            markdown(["what", "at most", "measured", "state"], targets.rows(tables)) + "\n")


# The table of each experiment that has a row for each of its programs, and which programs it takes; none: all.
WHOLE = {"acyclic-costs": None, "iterations-costs": iterations.PROGRAMS, "sequences-costs": None, "calls-costs": None, "interesting-costs": None}


def not_measured(tables: dict[str, Table]) -> list[str]:
    """What `make papers` would have measured besides, by experiment and program."""
    lacks: dict[str, list[str]] = {}
    for name, programs in WHOLE.items():
        if table := tables.get(name):
            left = [workload.name for workload in PROGRAM_WORKLOADS if programs is None or workload.name in programs if workload.name not in table.column("program")]
            lacks.setdefault(", ".join(left), []).append(f"[{TABLES[name][0]}]")
    gaps = [f"those of {' and '.join(papers)} lack {left}" for left, papers in lacks.items() if left]
    return [f"The tables are not whole: {'; '.join(gaps)}.", ""] if gaps else ["The tables are whole: each experiment ran on all of its programs.", ""]


def introduction(run: dict, tables: dict[str, Table]) -> list[str]:
    lines = ["# The papers' tables, on today's machine", "",
             "Made by `make papers` (`bench/papers/run`) of the tables in `papers/`: every figure but the papers' own is from there. Instructions are valgrind's and, like numbers",
             "of paths, of bits and of nodes, the same in each run; they stand first, as times depend on what else the machine does.", ""]
    if counted := run.get("counted"):
        lines += [f"Counted: {of_run(counted)}.", ""]
    if timed := run.get("timed"):
        lines += [f"Timed: {of_run(timed)}; {timed['rounds']} rounds, load {timed['load']} at the end. Processor time, in each round of all variants in turn; ratios are medians of the rounds'",
                  "ratios with 95 % bootstrap intervals. Other work ran on the machine where the load is above 1: intervals are wide, and what lies within them is no difference.", ""]
    else:
        lines += ["Times are not measured here: the tables are of what can be counted.", ""]
    lines += [f"- [{paper}] {name}" for paper, name in NAMES.items()]
    return lines + ["",
        "The programs are bzip2 both ways, lua with three scripts, minigzip of zlib, sqlite's shell and its speedtest1, lz4, the parser generator lemon, and minisat and ninja",
        "in C++, from Debian's source packages; [RS] is measured on kernels of the kind that it had, written anew (`bench/kernels/iterations`), and on four of the programs.",
        "-O2 where nothing else is said. Each program has a small input (the training input, where instructions are counted), a reference input, and one that is timed",
        "(`bench/papers/subjects.py`).", "", *not_measured(tables)]


def write(folder: Path) -> None:
    tables = {file.stem: load(folder, file.stem) for file in sorted(folder.glob("*.csv"))}
    pictures = plots.draw(folder, tables)
    parts = introduction(json.loads((folder / "run.json").read_text()), tables) + [claims_section(tables), targets_section(tables), beyond_section(tables)]
    for paper, title in TITLES.items():
        parts.append(f"## {title}\n")
        parts += [f"![{text}]({folder.name}/{name})\n" for name, text in pictures[paper]]
        parts += [section(tables[name]) for name in TABLES if TABLES[name][0] == paper and name in tables and tables[name].rows]
        if paper == "PPP" and "interesting-numbers" in tables:
            parts.append(delta_section(tables["interesting-numbers"]))
    folder.with_suffix(".md").write_text("\n".join(parts))
