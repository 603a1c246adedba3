# SPDX-License-Identifier: GPL-3.0-or-later
"""Stores the measurements of an experiment in named tables, kept as CSV files. All output of the document comes from them."""

import csv
from dataclasses import dataclass, field
from pathlib import Path

from results import Estimate


@dataclass
class Table:
    name: str
    columns: list[str]
    rows: list[list] = field(default_factory=list)

    def add(self, *row) -> None:
        if len(row) != len(self.columns):
            raise ValueError(f"{self.name}: {len(row)} cells for {len(self.columns)} columns")
        self.rows.append(list(row))

    def column(self, name: str) -> list[str]:
        place = self.columns.index(name)
        return [row[place] for row in self.rows]

    def numbers(self, name: str) -> list[float]:
        """Returns the nonempty cells of a column. A cell is empty if nothing could be measured."""
        return [float(cell) for cell in self.column(name) if cell != ""]

    def records(self) -> list[dict[str, str]]:
        return [dict(zip(self.columns, row)) for row in self.rows]

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / f"{self.name}.csv", "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(self.columns)
            writer.writerows(self.rows)


def load(folder: Path, name: str) -> Table:
    with open(folder / f"{name}.csv", newline="") as file:
        columns, *rows = csv.reader(file)
    return Table(name, columns, rows)


def with_intervals(columns: list[str]) -> list[str]:
    """Returns three columns for each column: the median and its 95% interval."""
    return [name for column in columns for name in (column, f"{column}, low", f"{column}, high")]


def interval(found: Estimate) -> list[str]:
    return [rounded(value) for value in (found.value, found.low, found.high)]


def rounded(value: float, digits: int = 3) -> str:
    return f"{value:.{digits}f}"


def quotient(over: float, under: float, digits: int = 3) -> str:
    """Returns an empty string if the divisor is zero."""
    return rounded(over / under, digits) if under else ""


def percent(part: float, whole: float) -> str:
    return quotient(100 * part, whole, 1)
