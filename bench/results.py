# SPDX-License-Identifier: GPL-3.0-or-later
"""Stores measurements in a file and computes ratios from them."""

import json
import math
import os
import random
import re
import statistics
from dataclasses import dataclass, field
from pathlib import Path

from programs import WORKLOADS
from variants import Ratio, ratios_to_arcs, ratios_to_base, ratios_to_simpler

Costs = dict[str, list[float]]  # variant → its cost in each round
SETS_BY_NAME = {"check": "check set", "tuning": "tuning set", "kernels": "kernels"}
SETS = list(SETS_BY_NAME.values())


@dataclass(frozen=True)
class Estimate:
    value: float
    low: float
    high: float

    def __str__(self) -> str:
        interval = f" [{self.low:.3f}, {self.high:.3f}]" if self.low < self.high else ""
        return f"{self.value:.3f}{interval}"


def estimate(samples: list[float], resamples: int = 2000) -> Estimate:
    """Returns the median and its 95% bootstrap interval."""
    if len(samples) == 1:
        return Estimate(samples[0], samples[0], samples[0])
    source = random.Random(1)
    medians = sorted(statistics.median(source.choices(samples, k=len(samples))) for _ in range(resamples))
    return Estimate(statistics.median(samples), medians[int(0.025 * resamples)], medians[int(0.975 * resamples)])


def quotients(costs: Costs, ratio: Ratio) -> list[float]:
    return [over / under for over, under in zip(costs[ratio.over], costs[ratio.under])]


def differences(costs: Costs, ratio: Ratio) -> list[float]:
    return [over - under for over, under in zip(costs[ratio.over], costs[ratio.under])]


@dataclass
class Series:
    """Costs of subjects, measured in one way at one level. `builds` identifies the compilers, their options and the files they
    depend on."""

    command: str
    machine: str
    compilers: list[str]
    builds: dict[str, str]
    costs: dict[str, Costs] = field(default_factory=dict)
    # For interprocedural models, by subject and variant: share of direct calls that are not truncation points, as a
    # percentage of sites and of executions.
    whole_calls: dict[str, dict[str, list[float]]] = field(default_factory=dict)

    def variants(self) -> list[str]:
        return list(self.builds)

    def add(self, subject: str, costs: dict[str, float]) -> None:
        lists = self.costs.setdefault(subject, {variant: [] for variant in costs})
        for variant, cost in costs.items():
            lists[variant].append(round(cost, 6))

    def rounds(self) -> int:
        return max((len(values) for costs in self.costs.values() for values in costs.values()), default=0)

    def row(self, subject: str, ratio: Ratio) -> Estimate:
        return estimate(quotients(self.costs[subject], ratio))

    def geomean(self, subjects: list[str], ratio: Ratio) -> Estimate:
        """Returns the geometric mean of each round's ratios, estimated over the rounds."""
        per_round = zip(*(quotients(self.costs[subject], ratio) for subject in subjects))
        return estimate([math.exp(statistics.fmean(map(math.log, together))) for together in per_round])

    def groups(self) -> dict[str, list[str]]:
        """Returns the measured subjects of each set of programs. Subjects that are no workloads, such as generated programs, are in
        the check set."""
        set_of = {workload.name: workload.group for workload in WORKLOADS}
        groups: dict[str, list[str]] = {name: [] for name in SETS}
        for name in self.costs:
            groups[SETS_BY_NAME[set_of.get(name, "check")]].append(name)
        return {name: subjects for name, subjects in groups.items() if subjects}

    def spread(self, subject: str) -> str:
        """Returns half the interquartile range of base, in percent of its median."""
        times = self.costs.get(subject, {}).get("base", [])
        if len(times) < 2:
            return ""
        low, middle, high = statistics.quantiles(times, n=4)
        return f"±{50 * (high - low) / middle:.1f}%"

    def table(self, ratios: list[Ratio]) -> dict[str, list[Estimate]]:
        """Returns rows of estimates, with one column per ratio. The geometric mean and the worst subject of each set follow its
        subjects."""
        rows = {}
        for title, names in self.groups().items():
            rows |= {name: [self.row(name, ratio) for ratio in ratios] for name in names}
            rows[f"geomean, {title}"] = [self.geomean(names, ratio) for ratio in ratios]
            if len(names) > 1:
                rows[f"worst, {title}"] = [max((self.row(name, ratio) for name in names), key=lambda each: each.value) for ratio in ratios]
        return rows


Results = dict[str, dict[str, Series]]  # kind of cost → level


def load(file: Path) -> Results:
    return {kind: {level: Series(**series) for level, series in levels.items()}
            for kind, levels in json.loads(file.read_text()).items()}


def save(results: Results, file: Path) -> None:
    """Writes a subject's costs of a variant on one line. A reader never sees a partial file."""
    text = json.dumps({kind: {level: vars(series) for level, series in levels.items()}
                       for kind, levels in results.items()}, indent=1, ensure_ascii=False)
    part = file.with_name(file.name + ".part")
    part.write_text(_lists_on_a_line(text) + "\n")
    os.replace(part, file)


def _lists_on_a_line(text: str) -> str:
    return re.sub(r"\[\n\s*([^\[\]{}]*?)\n\s*\]", lambda found: "[" + re.sub(r"\n\s*", " ", found[1]) + "]", text)


def print_columns(title: str, heads: list[str], rows: dict[str, list]) -> None:
    print(f"{title:24}" + "".join(f"{head:>23}" for head in heads))
    for name, cells in rows.items():
        print(f"{name:24}" + "".join(f"{str(cell):>23}" for cell in cells))
    print()


def print_ratios(title: str, series: Series) -> None:
    """Prints ratios to the compiler without instrumentation, to GCC's edge counters, and of path models to simpler models."""
    variants = series.variants()
    for under, ratios in [("base", ratios_to_base(variants)), ("arcs", ratios_to_arcs(variants)),
                          ("simpler", ratios_to_simpler(variants))]:
        if ratios:
            print_columns(f"{title} ÷ {under}", [ratio.over for ratio in ratios], series.table(ratios))


def print_whole_calls(series: Series) -> None:
    """Prints the shares of sites and of executions."""
    if not series.whole_calls:
        return
    heads = list(next(iter(series.whole_calls.values())))
    print_columns("whole direct calls, %", heads,
                  {subject: [f"{sites:.1f} / {executions:.1f}" for sites, executions in shares.values()]
                   for subject, shares in series.whole_calls.items()})


def update(results: Results, newer: Results) -> None:
    """Replaces old measurements by new ones of the same kind and level."""
    for kind, levels in newer.items():
        results.setdefault(kind, {}).update(levels)
