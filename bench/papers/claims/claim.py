# SPDX-License-Identifier: GPL-3.0-or-later
"""A claim of a paper and its evaluation: the verdict and its reason are computed from the tables each time."""

import statistics
from dataclasses import dataclass
from typing import Callable

from lab import geometric_mean
from tables import Table

Tables = dict[str, Table]
# A mean of other programs on another machine agrees with the paper's mean within this factor.
FACTOR = 1.5


@dataclass(frozen=True)
class Finding:
    """The result for a claim. `holds` is None if the tables cannot decide it."""

    measured: str
    holds: bool | None
    why: str = ""

    @property
    def verdict(self) -> str:
        return "not reproducible" if self.holds is None else "confirmed" if self.holds else "differs"


@dataclass(frozen=True)
class Claim:
    """A claim. `test` states the condition for a confirmation."""

    paper: str
    text: str
    test: str
    needs: tuple[str, ...]
    find: Callable[[Tables], Finding]


CLAIMS: list[Claim] = []


def claim(paper: str, text: str, test: str, *needs: str) -> Callable:
    """Registers a function from tables as the evaluation of a claim. `needs` are the tables it reads."""
    def add(find: Callable[[Tables], Finding]) -> Callable[[Tables], Finding]:
        CLAIMS.append(Claim(paper, text, test, needs, find))
        return find
    return add


def nothing(what: str) -> Finding:
    return Finding(what, None, "no program of these experiments can decide the claim")


def near(value: float, papers: float) -> bool:
    return papers / FACTOR <= value <= papers * FACTOR


def measured(tables: Tables, timed: str, counted: str) -> tuple[Table, str]:
    """Returns the table of processor times if it exists, otherwise that of instructions. Both have the same columns."""
    return (tables[timed], "processor time") if timed in tables else (tables[counted], "instructions")


def mean(table: Table, column: str) -> float:
    return statistics.fmean(table.numbers(column))


def span(values: list[float], digits: str = "g") -> str:
    return f"{min(values):{digits}} to {max(values):{digits}}"


def overheads(table: Table, column: str) -> list[float]:
    """Returns the overheads in percent."""
    return [100 * (ratio - 1) for ratio in table.numbers(column)]


def split(table: Table, column: str, limit: float) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    """Splits the rows into those below the limit and the other rows."""
    rows = [row for row in table.records() if row[column] != ""]
    return [row for row in rows if float(row[column]) < limit], [row for row in rows if float(row[column]) >= limit]


def ratios(rows: list[dict[str, str]], over: str, under: str) -> float:
    """Returns the geometric mean of the ratios, or 0 if there are no rows."""
    values = [float(row[over]) / float(row[under]) for row in rows]
    return geometric_mean(values) if values else 0


def rank_correlation(first: list[float], second: list[float]) -> float:
    """Returns Spearman's rank correlation; equal values are ranked in their given order."""
    if len(first) < 3 or len(set(first)) < 2 or len(set(second)) < 2:
        return 0
    return statistics.correlation(*([float(sorted(values).index(value)) for value in values] for values in (first, second)))
