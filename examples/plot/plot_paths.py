#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plots how a program's executed statements are distributed over its paths: plot_paths.py PROFILE IMAGE [PATHDUMP].

The plot shows the cumulative share of all executed statements in the hottest paths, and in the hottest functions.
"""

import sys
from itertools import accumulate
from pathlib import Path

try:
    import pathprof
except ModuleNotFoundError:  # in the source tree
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))
    import pathprof

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def cumulative(weights, total):
    return [100 * sum_so_far / total for sum_so_far in accumulate(sorted(weights, reverse=True))]


def main(profile_name, image, pathdump="pathdump"):
    profile = pathprof.load(profile_name, pathdump)
    if profile.weight == 0:
        sys.exit(f"{profile_name}: no path of a function was executed")
    paths = cumulative((path.weight for path in profile.hot_paths()), profile.weight)
    functions = cumulative((function.weight for function in profile.functions if function.weight), profile.weight)
    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    axes.step(range(1, len(paths) + 1), paths, where="post", label=f"{len(paths)} executed paths")
    axes.step(range(1, len(functions) + 1), functions, where="post", linestyle="--", label=f"{len(functions)} functions")
    axes.set(xscale="log", ylim=(0, 101), xlabel="number of hottest paths or functions", ylabel="% of executed statements",
             title=f"{profile.program}: distribution of executed statements")
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right")
    figure.savefig(image)
    hottest = profile.hot_paths(1)[0]
    half = next(i for i, share in enumerate(paths, 1) if share >= 50)
    print(f"{half} of {len(paths)} paths contain half of all executed statements; the hottest path contains {hottest.share:.1%}: "
          f"{hottest.function.demangled} {hottest.trail}")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
