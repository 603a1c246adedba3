# SPDX-License-Identifier: GPL-3.0-or-later
"""doc/papers.md and its plots, of the tables alone.  Nothing is typed in: a figure of this machine stands in a CSV file, one of a paper in
PAPER below, with its place there."""

import json
import shutil
import subprocess
from collections import Counter
from pathlib import Path

from claims import findings
from lab import Lab, geometric_mean
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
# The tables of a paper: what stands above each, and the paper's own figures for the last row, by column.
TABLES = {
    "acyclic-times": ("BL", "Table 1, processor time over that without instrumentation, with 95 % intervals", {
        "paths over none": "1.309", "edges over none": "1.161"}),
    "acyclic-costs": ("BL", "Table 1, instructions on small inputs", {
        "edge increments a path": "1.3", "hashed %": "28.4", "instructions an increment": "88.4"}),
    "acyclic-paths": ("BL", "Table 2, paths of the reference inputs; statements are GIMPLE's, the paper's are instructions", {
        "paths": "2696", "longest edges": "226", "longest statements": "1344", "edges": "6.9", "statements": "88.4", "predicted %": "37.9",
        "predicted longest edges": "183", "predicted edges": "5.1", "predicted statements": "33.6", "functions": "270",
        "most paths of a function": "198", "paths a function": "7.7"}),
    "acyclic-training": ("BL", "Table 3, what the reference input executed of what the training input had", {
        "common paths": "2061", "static %": "80.9", "dynamic %": "96.5", "statements %": "94.5"}),
    "iterations-times": ("RS", "Table 3, processor time over that of acyclic paths", {}),
    "iterations-costs": ("RS", "Table 3, instructions over those of acyclic paths; empty where a function has too many paths", {}),
    "iterations-paths": ("RS", "Table 4, static paths", {}),
    "iterations-erratum": ("RS", "Algorithm 3 on the graph of Figure 1", {}),
    "sequences-times": ("DD", "Processor time over that of acyclic paths in hash tables", {}),
    "sequences-costs": ("DD", "Instructions over those of acyclic paths in hash tables", {}),
    "sequences-forests": ("DD", "Forests, on small inputs", {}),
    "sequences-memory": ("DD", "Resident memory at most", {}),
    "calls-times": ("MR", "Processor time over that without instrumentation", {}),
    "calls-costs": ("MR", "Instructions over those without instrumentation", {}),
    "calls-numbers": ("MR", "Numbers of paths through calls, and calls that paths are cut at", {}),
    "interesting-times": ("PPP", "Figure 15, processor time over that without instrumentation", {"all paths": "1.50", "interesting paths": "1.15"}),
    "interesting-costs": ("PPP", "Figure 15, instructions over those without instrumentation", {}),
    "interesting-residual": ("PPP", "Residual paths: the reference input, with the training input's paths as the interesting ones", {}),
}
MEANS = {"acyclic-times", "acyclic-costs", "acyclic-paths", "acyclic-training", "iterations-times", "iterations-costs", "sequences-times", "sequences-costs", "calls-times",
         "calls-costs", "interesting-times", "interesting-costs"}
# The paper's Table 3 and Table 4, of its own programs of these names.
RS_TABLE3 = {"compress": ("1.14", "3.92"), "crc": ("1.12", "1.20"), "edn": ("1.56", "1.87"), "fdct": ("1.06", "1.10"), "fibcall": ("1.09", "1.19"),
             "fir": ("1.57", "1.75"), "jfdctint": ("1.00", "1.10"), "ludcmp": ("1.21", "4.47"), "ndes": ("6.12", "-")}


def markdown(columns: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(columns) + " |", "|---|" + "---:|" * (len(columns) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def mean_row(table: Table) -> list[str]:
    """Geometric of ratios, arithmetic of everything else."""
    cells = []
    for name in table.columns[1:]:
        values = table.numbers(name)
        is_ratio = " over " in name or table.timed or any(word in name for word in ("low", "high"))
        mean = geometric_mean(values) if is_ratio and values and min(values) > 0 else sum(values) / len(values) if values else None
        cells.append("" if mean is None else f"{mean:.3f}" if is_ratio else f"{mean:.0f}" if mean >= 1000 else f"{mean:.1f}")
    return ["**mean**", *cells]


def with_intervals(table: Table) -> Table:
    """A value and its interval in one cell."""
    kept = [name for name in table.columns if not name.endswith(("low", "high"))]
    shown = Table(table.name, kept, timed=True)
    for row in table.records():
        cells = [row["program"]]
        for place, name in enumerate(table.columns):
            if name not in kept or name == "program":
                continue
            has_interval = place + 2 < len(table.columns) and table.columns[place + 1].endswith("low")
            cells.append(f"{row[name]} ({row[table.columns[place + 1]]}–{row[table.columns[place + 2]]})" if has_interval else row[name])
        shown.rows.append(cells)
    return shown


def section(table: Table) -> str:
    _, title, paper = TABLES[table.name]
    rows = [list(map(str, row)) for row in table.rows]
    columns = table.columns
    extra = []
    if table.name in MEANS:
        extra.append(mean_row(table))
    if table.name in ("iterations-times", "iterations-costs"):
        columns = [*columns, "paper, k=2", "paper, k=3"]
        rows = [[*row, *RS_TABLE3.get(row[0], ("", ""))] for row in rows]
        extra = [[*row, "", ""] for row in extra]
    if paper:
        extra.append(["*the paper's*", *(paper.get(name, "") for name in columns[1:])])
    if any(name.endswith("low") for name in columns):
        whole = Table(table.name, columns, rows + extra, timed=True)
        shown = with_intervals(whole)
        columns, rows, extra = shown.columns, [[cell.replace(" (–)", "") for cell in row] for row in shown.rows], []
    note = "times, which a second run does not repeat" if "times" in table.name or "memory" in table.name else "the same in each run"
    return f"### {title}\n\n`papers/{table.name}.csv`, {note}\n\n{markdown(columns, rows + extra)}\n"


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
    return ("### Figure 16, size of the interval over the number of interesting paths\n\n`papers/interesting-numbers.csv`, the same in each run\n\n" +
            markdown(["interesting paths", "functions", "mean delta", "largest", "at 1.25 or less, %"], rows) + "\n")


# ---- plots ----

def bars(file: Path, labels: list[str], groups: dict[str, list[float]], ylabel: str) -> None:
    """Side by side, with a line at 1."""
    import matplotlib
    matplotlib.use("svg")
    from matplotlib import pyplot
    with pyplot.rc_context({"svg.hashsalt": "pathprof", "font.size": 8}):
        figure, axes = pyplot.subplots(figsize=(7.2, 2.6))
        width = 0.8 / len(groups)
        for place, (name, values) in enumerate(groups.items()):
            axes.bar([at + place * width for at in range(len(labels))], values, width, label=name)
        axes.axhline(1, color="black", linewidth=0.6)
        axes.set_xticks([at + 0.4 - width / 2 for at in range(len(labels))], labels, rotation=40, ha="right")
        axes.set_ylabel(ylabel)
        axes.legend(frameon=False)
        figure.tight_layout()
        figure.savefig(file, metadata={"Date": None})
        pyplot.close(figure)


def lines(file: Path, xs: list[int], curves: dict[str, list[float]], xlabel: str, ylabel: str, is_log: bool = False) -> None:
    import matplotlib
    matplotlib.use("svg")
    from matplotlib import pyplot
    with pyplot.rc_context({"svg.hashsalt": "pathprof", "font.size": 8}):
        figure, axes = pyplot.subplots(figsize=(7.2, 2.6))
        for name, values in curves.items():
            axes.plot(xs[:len(values)], values, marker="o", markersize=3, label=name)
        if is_log:
            axes.set_yscale("log")
        axes.set_xlabel(xlabel)
        axes.set_ylabel(ylabel)
        axes.legend(frameon=False, ncol=2, fontsize=7)
        figure.tight_layout()
        figure.savefig(file, metadata={"Date": None})
        pyplot.close(figure)


def plots(folder: Path, tables: dict[str, Table]) -> dict[str, tuple[str, str]]:
    """By paper: the picture's name and what it shows."""
    made = {}
    if table := tables.get("acyclic-times") or tables.get("acyclic-costs"):
        unit = "processor time" if table.timed or table.name.endswith("times") else "instructions"
        bars(folder / "acyclic.svg", table.column("program"), {"paths": table.numbers("paths over none"), "edges": table.numbers("edges over none")},
             f"{unit} over none")
        made["BL"] = ("acyclic.svg", f"Paths and edges, {unit} over none")
    if table := tables.get("iterations-paths"):
        ks = [name for name in table.columns if name.startswith("k=")]
        rows = sorted(table.records(), key=lambda row: -int(row[ks[-1]]))[:10]
        lines(folder / "iterations.svg", list(range(1, len(ks) + 1)), {f"{row['program']}: {row['function']}": [int(row[k]) for k in ks] for row in rows},
              "k", "static paths", is_log=True)
        made["RS"] = ("iterations.svg", "Static paths across k iterations, the functions with most")
    if table := tables.get("sequences-costs"):
        names = [name for name in table.columns if name.startswith("k=")]
        lines(folder / "sequences.svg", [int(name.split()[0][2:]) for name in names],
              {row["program"]: [float(row[name]) for name in names] for row in table.records()}, "k", "instructions over hashed acyclic")
        made["DD"] = ("sequences.svg", "Sequences of up to k paths, instructions over those of acyclic paths in hash tables")
    if table := tables.get("calls-costs"):
        bars(folder / "calls.svg", table.column("program"), {name.removesuffix(" over none"): table.numbers(name) for name in table.columns[1:]},
             "instructions over none")
        made["MR"] = ("calls.svg", "Paths through calls, instructions over none")
    if table := tables.get("interesting-costs"):
        bars(folder / "interesting.svg", table.column("program"),
             {"all paths": table.numbers("all paths over none"), "interesting paths": table.numbers("interesting paths over none")}, "instructions over none")
        made["PPP"] = ("interesting.svg", "All and interesting paths, instructions over none")
    return made


# ---- the document ----

def describe(folder: Path, lab: Lab) -> None:
    """Machine, compiler and commit of the run, beside its tables."""
    import runner
    commit = None
    if shutil.which("git"):
        commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True,
                                check=False).stdout.strip()
    version = subprocess.run([lab.gcc, "--version"], check=True, capture_output=True, text=True).stdout.splitlines()[0]
    made = {"machine": runner.machine(), "compiler": version, "commit": commit or "unknown", "rounds": lab.rounds}
    (folder / "run.json").write_text(json.dumps(made, indent=1) + "\n")


def claims_section(tables: dict[str, Table]) -> str:
    found = findings(tables)
    counted = Counter(claim.verdict(finding) for claim, finding in found)
    lines_ = ["## The claims", "", f"{len(found)} claims: " + ", ".join(f"{number} {verdict}" for verdict, number in sorted(counted.items())) + ".", ""]
    for number, (claim, finding) in enumerate(found, 1):
        verdict = claim.verdict(finding)
        why = f" {claim.reason}" if claim.reason and verdict != "confirmed" else ""
        lines_.append(f"{number}. [{claim.paper}] {claim.claim} **{verdict.capitalize()}**: {finding.measured}.{why}")
    return "\n".join(lines_) + "\n"


def write(folder: Path) -> None:
    tables = {file.stem: load(folder, file.stem) for file in sorted(folder.glob("*.csv"))}
    run = json.loads((folder / "run.json").read_text())
    pictures = plots(folder, tables)
    parts = ["# The papers' tables, on today's machine", "",
             "Made by `make papers` (`bench/papers/run`) of the tables in `papers/`; nothing here is typed in but the papers' own figures. Instructions are",
             "valgrind's and, like numbers of paths, of bits and of nodes, the same in each run; times are processor time, medians over rounds in which",
             f"all variants run in turn. Machine: {run['machine']}; compiler: {run['compiler']}; commit: {run['commit']}; {run['rounds']} rounds where there are times.",
             "Tables of times are of the last run that had them.", "",
             *(f"- [{paper}] {name}" for paper, name in NAMES.items()), "",
             "The programs are bzip2 both ways, lua with three scripts, minigzip of zlib, sqlite's shell and its speedtest1, lz4, the parser generator lemon, and minisat and ninja in",
             "C++, from Debian's source packages; [RS] is measured on kernels of the kind that it had, written anew (`bench/kernels/iterations`). -O2 throughout.", "",
             claims_section(tables)]
    for paper, title in TITLES.items():
        parts.append(f"## {title}\n")
        if paper in pictures:
            name, text = pictures[paper]
            parts.append(f"![{text}]({folder.name}/{name})\n")
        parts += [section(tables[name]) for name in TABLES if TABLES[name][0] == paper and name in tables]
        if paper == "PPP" and "interesting-numbers" in tables:
            parts.append(delta_section(tables["interesting-numbers"]))
    folder.with_suffix(".md").write_text("\n".join(parts))
