# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes doc/papers.md from the tables. No figure is typed in: figures of this machine are in CSV files, and figures of a paper are
in TABLES below or with the claims, with their positions in the paper."""

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
    "RS": "k-iteration paths [RS]",
    "DD": "Sequences of paths [DD]",
    "MR": "Interprocedural paths [MR]",
    "PPP": "Interesting paths [PPP]",
}
NAMES = {
    "BL": "Ball and Larus, *Efficient Path Profiling*, MICRO-29, 1996",
    "RS": "Roy and Srikant, *Profiling k-Iteration Paths*, CGO 2009",
    "DD": "D'Elia and Demetrescu, *Ball-Larus Path Profiling Across Multiple Loop Iterations*, OOPSLA 2013",
    "MR": "Melski and Reps, *Interprocedural Path Profiling*, TR 1382, University of Wisconsin, 1998",
    "PPP": "Vaswani, Nori and Chilimbi, *Preferential Path Profiling*, POPL 2007",
}
# The tables of each paper, with their titles, and the paper's own figures for the last rows, by column.
TABLES = {
    "acyclic-times": ("BL", "Table 1: processor time relative to no instrumentation, medians and 95% intervals", {
        "the paper's CINT95": {"paths / base": "1.448", "edges / base": "1.308"},
        "the paper's SPEC95": {"paths / base": "1.309", "edges / base": "1.161"}}),
    "acyclic-costs": ("BL", "Table 1: instructions relative to no instrumentation, on the training inputs", {
        "the paper's CINT95": {"paths / base": "1.448", "edges / base": "1.308", "path increments": "2251 M", "edge increments per path": "1.5",
                               "hashed %": "12.2", "instructions per increment": "21.4"},
        "the paper's SPEC95": {"paths / base": "1.309", "edges / base": "1.161", "path increments": "1601 M", "edge increments per path": "1.3",
                               "hashed %": "28.4", "instructions per increment": "88.4"}}),
    "acyclic-paths": ("BL", "Table 2: paths of the reference inputs. Statements are GIMPLE statements; the paper counts instructions", {
        "the paper's CINT95": {"paths": "5088", "longest edges": "254", "longest statements": "464", "edges": "8.3", "statements": "21.4", "predicted %": "29.5",
                               "predicted longest edges": "239", "predicted edges": "5.8", "predicted statements": "14.4", "functions": "381",
                               "maximum paths of a function": "286", "paths per function": "12.0"},
        "the paper's SPEC95": {"paths": "2696", "longest edges": "226", "longest statements": "1344", "edges": "6.9", "statements": "88.4", "predicted %": "37.9",
                               "predicted longest edges": "183", "predicted edges": "5.1", "predicted statements": "33.6", "functions": "270",
                               "maximum paths of a function": "198", "paths per function": "7.7"}}),
    "acyclic-kernels": ("BL", "Paths of numeric and other kernels", {
        "the paper's CINT95": {"kind": "integer", "paths": "5088", "edges": "8.3", "statements": "21.4"},
        "the paper's CFP95": {"kind": "numeric", "paths": "782", "edges": "5.9", "statements": "142.1"}}),
    "acyclic-training": ("BL", "Table 3: share of the reference input's paths that the training input also executed", {
        "the paper's CINT95": {"common paths": "3525", "static %": "69.6", "dynamic %": "93.7", "statements %": "91.3"}}),
    "iterations-times": ("RS", "Table 3: processor time relative to acyclic paths, medians and 95% intervals; empty if a function has more than 60,000 paths", {}),
    "iterations-costs": ("RS", "Table 3: instructions relative to acyclic paths; empty if a function has more than 60,000 paths", {}),
    "iterations-paths": ("RS", "Table 4: static paths before truncation, for the functions with the most paths in each program", {}),
    "iterations-erratum": ("RS", "Algorithm 3 on the graph of Figure 1: random traces, with the paper's single flag and with one condition per accumulator", {}),
    "sequences-times": ("DD", "Processor time relative to acyclic paths in hash tables, medians and 95% intervals", {}),
    "sequences-costs": ("DD", "Instructions relative to acyclic paths in hash tables", {}),
    "sequences-kernels": ("DD", "Instructions of the kernels relative to acyclic paths in hash tables, for more lengths", {}),
    "sequences-calls": ("DD", "Instructions at -Os, where each access to a hash table is a call to the runtime, as in the papers' profilers", {}),
    "sequences-forests": ("DD", "Forests on the training inputs; the column *sequences* is the number of nodes in a forest of all sequences", {}),
    "sequences-memory": ("DD", "Maximum resident memory, on the inputs for measuring time", {}),
    "calls-times": ("MR", "Processor time relative to no instrumentation, medians and 95% intervals", {}),
    "calls-costs": ("MR", "Instructions relative to no instrumentation", {}),
    "calls-numbers": ("MR", "Interprocedural path IDs and excluded calls; included calls are direct calls that paths go through", {}),
    "interesting-times": ("PPP", "Figure 15: processor time relative to no instrumentation, medians and 95% intervals", {
        "the paper's SPEC CPU2000": {"all paths / base": "1.50", "interesting paths / base": "1.15"}}),
    "interesting-costs": ("PPP", "Figure 15: instructions relative to no instrumentation", {
        "the paper's SPEC CPU2000": {"all paths / base": "1.50", "interesting paths / base": "1.15"}}),
    "interesting-calls": ("PPP", "Instructions at -Os, where each access to a hash table is a call to the runtime, as in the paper's profiler", {
        "the paper's SPEC CPU2000": {"all paths / base": "1.50", "interesting paths / base": "1.15"}}),
    "interesting-residual": ("PPP", "Residual paths of the reference input; the paths of the training input are the interesting paths", {}),
}
# Tables for which a mean is meaningless.
WITHOUT_MEAN = {"iterations-paths", "iterations-erratum", "sequences-forests", "calls-numbers", "interesting-residual", "sequences-memory", "acyclic-kernels"}


def markdown(columns: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(columns) + " |", "|---|" + "---:|" * (len(columns) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def mean_row(table: Table) -> list[str]:
    """Returns geometric means of ratios and arithmetic means of everything else."""
    cells = []
    for name in table.columns[1:]:
        values = table.numbers(name)
        is_ratio = " over " in name
        mean = None if not values else geometric_mean(values) if is_ratio else sum(values) / len(values)
        cells.append("" if mean is None else f"{mean:.3f}" if is_ratio else f"{mean:.1f}" if mean < 1000 else short(f"{mean:.0f}"))
    return ["**mean**", *cells]


def joined(columns: list[str], row: list[str]) -> list[str]:
    """Combines a value and its interval in one cell."""
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
    note = "times and memory vary between runs" if is_timed(table.name) else "identical in each run"
    return f"### {title}\n\n[`{table.name}.csv`](papers/{table.name}.csv), {note}\n\n{markdown(columns, rows)}\n"


def is_timed(name: str) -> bool:
    """Returns true if another run does not reproduce the figures of the table byte by byte."""
    return name.endswith(("-times", "-memory"))


def short(number: str) -> str:
    """Writes large numbers of paths as powers of ten."""
    return f"{float(number):.1e}" if number.isdigit() and len(number) > 9 else number


def delta_section(table: Table) -> str:
    """Returns the section for Figure 16, with one line per range of the number of interesting paths in a function."""
    bands = [(1, 1), (2, 4), (5, 9), (10, 29), (30, 99), (100, 300), (301, 10**9)]
    rows = []
    for low, high in bands:
        deltas = [float(row["delta"]) for row in table.records() if low <= int(row["interesting paths"]) <= high]
        if deltas:
            name = f"{low}" if low == high else f"{low} and more" if high == 10**9 else f"{low}–{high}"
            rows.append([name, str(len(deltas)), f"{sum(deltas) / len(deltas):.3f}", f"{max(deltas):.3f}",
                         f"{100 * sum(delta <= 1.25 for delta in deltas) / len(deltas):.1f}"])
    return ("### Figure 16: size of the interval divided by the number of interesting paths\n\n[`interesting-numbers.csv`](papers/interesting-numbers.csv), identical in each run\n\n" +
            markdown(["interesting paths", "functions", "mean delta", "largest", "at 1.25 or less, %"], rows) + "\n")


# ---- the document ----

def of_run(found: dict) -> str:
    return f"{found['machine']}, {found['compiler']}, commit {found['commit']}"


def claims_section(tables: dict[str, Table]) -> str:
    found = findings(tables)
    counted = Counter(finding.verdict for _, finding in found)
    parts = ["## The claims", "", f"{len(found)} claims: " + ", ".join(f"{counted[verdict]} {verdict}" for verdict in ("confirmed", "differs", "not reproducible")) + ".",
             "Verdicts, figures and reasons are computed from the tables below. The condition for a confirmation follows each verdict: a mean within a factor of",
             "1.5 of the paper's mean, no program outside a range, or the direction of a comparison.", ""]
    for number, (claim, finding) in enumerate(found, 1):
        why = f" Why: {finding.why}." if finding.why else ""
        parts += [f"{number}. [{claim.paper}] {claim.text}\n", f"    **{finding.verdict.capitalize()}** (confirmed if {claim.test}): {finding.measured}.{why}\n"]
    return "\n".join(parts) + "\n"


def beyond_section(tables: dict[str, Table]) -> str:
    """Returns results that are not in the papers, from the same tables."""
    parts = ["## Beyond the papers", ""]
    if (table := tables.get("iterations-costs")) and table.rows:
        rows = [row for row in table.records() if row["k=3 paper / acyclic"] and row["k=3 register / acyclic"]]
        costs = {name: geometric_mean([float(row[f"k=3 {name} / acyclic"]) for row in rows]) for name in ("paper", "register")}
        parts.append(f"- With one register instead of k accumulators (`numbering=register`), the same k-iteration paths cost, at k = 3, {costs['register']:.2f} times the "
                     f"instructions of acyclic paths; with the paper's numbering, they cost {costs['paper']:.2f} times as many.")
    if (table := tables.get("calls-costs")) and table.rows:
        costs = {mode: geometric_mean(table.numbers(f"{mode}, default / base")) for mode in ("context", "piecewise")}
        parts.append(f"- Interprocedural paths, which [MR] describes but did not implement, cost {costs['context']:.2f} (context) and {costs['piecewise']:.2f} (piecewise) times the instructions "
                     "without instrumentation, for whole programs.")
    return "\n".join(parts) + "\n"


def targets_section(tables: dict[str, Table]) -> str:
    return ("## Targets\n\nMaximum costs in instructions, as far as these tables cover them; [limits.md](limits.md#cost) also lists the targets that are not met. Targets for\n"
            "processor time, threads, sizes and rebuilt programs are measured by `make bench` ([performance.md](performance.md)).\n\n" +
            markdown(["target", "at most", "measured", "state"], targets.rows(tables)) + "\n")


# The table of each experiment with one row per program, and the programs of the experiment (None: all).
WHOLE = {"acyclic-costs": None, "iterations-costs": iterations.PROGRAMS, "sequences-costs": None, "calls-costs": None, "interesting-costs": None}


def not_measured(tables: dict[str, Table]) -> list[str]:
    """Lists the programs that `make papers` would also have measured, by experiment."""
    lacks: dict[str, list[str]] = {}
    for name, programs in WHOLE.items():
        if table := tables.get(name):
            left = [workload.name for workload in PROGRAM_WORKLOADS if programs is None or workload.name in programs if workload.name not in table.column("program")]
            lacks.setdefault(", ".join(left), []).append(f"[{TABLES[name][0]}]")
    gaps = [f"those of {' and '.join(papers)} lack {left}" for left, papers in lacks.items() if left]
    return [f"The tables are incomplete: {'; '.join(gaps)}.", ""] if gaps else ["The tables are complete: each experiment ran on all of its programs.", ""]


def introduction(run: dict, tables: dict[str, Table]) -> list[str]:
    lines = ["# The papers' tables on a current machine", "",
             "`make papers` (`bench/papers/run`) generates this document from the tables in `papers/`, which contain all figures except the papers' own. Instruction counts (valgrind)",
             "and numbers of paths, bits and nodes are identical in each run. They come first, because times depend on the load of the machine.", ""]
    if counted := run.get("counted"):
        lines += [f"Counted: {of_run(counted)}.", ""]
    if timed := run.get("timed"):
        lines += [f"Timed: {of_run(timed)}; {timed['rounds']} rounds, load {timed['load']} at the end. Each round measures the processor time of all variants in turn. Ratios are medians of the ratios",
                  "within rounds, with 95% bootstrap intervals. A load above 1 means that the machine also did other work, so intervals are wide, and differences within them are not significant.", ""]
    else:
        lines += ["Times were not measured; the tables contain only counts.", ""]
    lines += [f"- [{paper}] {name}" for paper, name in NAMES.items()]
    return lines + ["",
        "The programs are bzip2 (compression and decompression), lua with three scripts, minigzip of zlib, sqlite's shell and its speedtest1, lz4, the parser generator lemon, and minisat and ninja",
        "in C++, from Debian's source packages; [RS] is measured on kernels like those of the paper, reimplemented (`bench/kernels/iterations`), and on four of the programs.",
        "Programs are compiled with -O2 unless stated otherwise. Each program has a small input (the training input, for counting instructions), a reference input, and an input for measuring time",
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
