# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the pictures of doc/papers.md from the tables. The output is deterministic for one version of matplotlib."""

from pathlib import Path

from claims.claim import Tables, measured
from tables import Table

STYLE = {"svg.hashsalt": "pathprof", "font.size": 8}
MARKERS = "os^Dv<>Pp*Xhd"


def _axes(width: float = 7.2, height: float = 2.8):
    import matplotlib
    matplotlib.use("svg")
    from matplotlib import pyplot
    return pyplot.subplots(figsize=(width, height))


def _save(figure, file: Path) -> None:
    from matplotlib import pyplot
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})
    pyplot.close(figure)


def bars(file: Path, table: Table, groups: dict[str, str], ylabel: str) -> None:
    """Draws a bar per program, starting at 1, the ratio of a program without any overhead. `groups` maps labels to columns."""
    figure, axes = _axes(max(7.2, 0.075 * len(table.rows) * len(groups)))
    width = 0.8 / len(groups)
    for place, (label, column) in enumerate(groups.items()):
        values = table.numbers(column)
        axes.bar([at + place * width for at in range(len(values))], [value - 1 for value in values], width, bottom=1, label=label)
    axes.axhline(1, color="black", linewidth=0.6)
    axes.set_xticks([at + 0.4 - width / 2 for at in range(len(table.rows))], table.column("program"), rotation=40, ha="right")
    axes.set_ylabel(ylabel)
    axes.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncol=len(groups))
    _save(figure, file)


def lines(file: Path, xs: list[int], curves: dict[str, list[float]], labels: tuple[str, str], is_log: bool = False) -> None:
    from matplotlib import pyplot
    figure, axes = _axes(7.2, 3.2)
    axes.set_prop_cycle(color=pyplot.get_cmap("tab20" if len(curves) > 10 else "tab10").colors)
    for (name, values), marker in zip(curves.items(), MARKERS):
        axes.plot(xs, values, marker=marker, markersize=3, linewidth=1, label=name)
    if is_log:
        axes.set_yscale("log")
    axes.set_xticks(xs)
    axes.set_xlabel(labels[0])
    axes.set_ylabel(labels[1])
    axes.legend(frameon=False, fontsize=7, loc="center left", bbox_to_anchor=(1, 0.5))
    _save(figure, file)


def dots(file: Path, points: list[tuple[float, float]], labels: tuple[str, str]) -> None:
    figure, axes = _axes()
    axes.scatter(*zip(*points), s=8, alpha=0.5)
    axes.set_xscale("log")
    axes.axhline(1, color="black", linewidth=0.6)
    axes.set_xlabel(labels[0])
    axes.set_ylabel(labels[1])
    _save(figure, file)


def _acyclic(folder: Path, tables: Tables) -> tuple[str, str]:
    table, unit = measured(tables, "acyclic-times", "acyclic-costs")
    bars(folder / "acyclic.svg", table, {"paths": "paths / base", "edges": "edges / base"}, f"{unit} / base")
    return "acyclic.svg", f"Table 1: {unit} of paths and edges relative to no instrumentation"


def _iterations(folder: Path, tables: Tables) -> tuple[str, str]:
    table = tables["iterations-paths"]
    ks = [name for name in table.columns if name.startswith("k=")]
    rows = sorted(table.records(), key=lambda row: -int(row[ks[-1]]))[:10]
    lines(folder / "iterations.svg", [int(name[2:]) for name in ks], {f"{row['program']}: {row['function']}": [int(row[k]) for k in ks] for row in rows},
          ("k", "static paths"), is_log=True)
    return "iterations.svg", "Table 4: static k-iteration paths of the functions with the most paths"


def _sequences(folder: Path, tables: Tables) -> tuple[str, str]:
    table = tables["sequences-costs"]
    names = [name for name in table.columns if name.startswith("k=")]
    lines(folder / "sequences.svg", [int(name.split()[0][2:]) for name in names],
          {row["program"]: [float(row[name]) for name in names] for row in table.records()}, ("k", "instructions relative to\nacyclic paths in tables"))
    return "sequences.svg", "Instructions of sequences of up to k paths relative to acyclic paths in hash tables"


def _forests(folder: Path, tables: Tables) -> tuple[str, str]:
    rows = [row for row in tables["sequences-forests"].records() if row["sequences per slab node"]]
    ks = sorted({int(row["k"]) for row in rows})
    by_program = {name: [float(row["sequences per slab node"]) for row in rows if row["program"] == name] for name in dict.fromkeys(row["program"] for row in rows)}
    lines(folder / "forests.svg", ks, {name: values for name, values in by_program.items() if len(values) == len(ks)},
          ("k", "nodes of the forest of all\nsequences per slab node"))
    return "forests.svg", "Nodes of the forest of all sequences of up to k paths, per node of the slab forest"


def _calls(folder: Path, tables: Tables) -> tuple[str, str]:
    table, unit = measured(tables, "calls-times", "calls-costs")
    columns = [name for name in table.columns[1:] if not name.endswith((", low", ", high"))]
    bars(folder / "calls.svg", table, {name.removesuffix(" / base"): name for name in columns}, f"{unit} / base")
    return "calls.svg", f"{unit.capitalize()} of interprocedural paths relative to no instrumentation, by excluded calls"


def _interesting(folder: Path, tables: Tables) -> tuple[str, str]:
    table, unit = measured(tables, "interesting-times", "interesting-costs")
    bars(folder / "interesting.svg", table, {"all paths": "all paths / base", "interesting paths": "interesting paths / base"}, f"{unit} / base")
    return "interesting.svg", f"Figure 15: {unit} of all paths and of interesting paths relative to no instrumentation"


def _delta(folder: Path, tables: Tables) -> tuple[str, str]:
    rows = tables["interesting-numbers"].records()
    dots(folder / "delta.svg", [(int(row["interesting paths"]), float(row["delta"])) for row in rows], ("interesting paths of a function", "delta"))
    return "delta.svg", "Figure 16: size of the interval divided by the number of interesting paths, one dot per function"


# The tables that a picture needs and the function that draws it, by paper.
_PICTURES = {
    "BL": [("acyclic-costs", _acyclic)],
    "RS": [("iterations-paths", _iterations)],
    "DD": [("sequences-costs", _sequences), ("sequences-forests", _forests)],
    "MR": [("calls-costs", _calls)],
    "PPP": [("interesting-costs", _interesting), ("interesting-numbers", _delta)],
}


def draw(folder: Path, tables: Tables) -> dict[str, list[tuple[str, str]]]:
    """Draws the pictures, and returns their names and captions by paper."""
    from matplotlib import pyplot
    with pyplot.rc_context(STYLE):
        return {paper: [make(folder, tables) for needed, make in pictures if needed in tables and tables[needed].rows]
                for paper, pictures in _PICTURES.items()}
