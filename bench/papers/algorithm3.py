# SPDX-License-Identifier: GPL-3.0-or-later
"""Interprets the instrumented program of [RS] Algorithm 3 on the graph of Figure 1, with the paper's single flag and with one
condition per accumulator, and compares the counts with the windows that the definition yields for a trace.

The loop consists of blocks 2 to 5. A window begins when control enters from outside, or at the loop header. It is counted at the
k-th back edge, or at the function's exit if it leaves the loop. Edges have a weight for each iteration of a window (val). Windows
that begin at the header cannot leave before iteration k, so the numbers of such paths are subtracted (cval).
"""

import itertools
import random
from collections import Counter

HEAD, LATCH, EXIT = 2, 5, 6
LOOP = (2, 3, 4, 5)
# In numbering order. The successors of the latch are the header (back edge) and the exit of the loop.
SUCCESSORS = {2: (3, 4), 3: (5,), 4: (5, 6), 5: (2, 6)}
BACKWARDS = (5, 3, 4, 2)

Edge = tuple[int, int]
Path = tuple[str, ...]


class Weights:
    """val and cval of Algorithm 1, per edge and iteration. The weights of the surrogate edges for back edges have been pushed onto the
    edges at the loop header and the latch."""

    def __init__(self, k: int):
        self.k = k
        self.val: dict[tuple[Edge, int], int] = {}
        self.cval: dict[tuple[Edge, int], int] = {}
        paths: dict[tuple[int, int], int] = {}
        invalid: dict[tuple[int, int], int] = {}
        for iteration in range(k, 0, -1):
            for block in BACKWARDS:
                self.number(block, iteration, paths, invalid)
        self.from_outside = paths[HEAD, 1]
        self.total = 2 * paths[HEAD, 1] - invalid.get((HEAD, 1), 0)
        for to in SUCCESSORS[HEAD]:
            self.val[(HEAD, to), 1] += self.from_outside
        ends = self.val.pop(((LATCH, HEAD), k))
        for source in (3, 4):
            self.val[(source, LATCH), k] += ends
        self.val[(LATCH, EXIT), k] -= ends

    def number(self, block: int, iteration: int, paths: dict, invalid: dict) -> None:
        """Numbers a block. In the last iteration, the back edge ends the window and comes last."""
        is_last = iteration == self.k
        order = (EXIT, HEAD) if block == LATCH and is_last else SUCCESSORS[block]
        paths[block, iteration] = invalid[block, iteration] = 0
        for to in order:
            self.val[(block, to), iteration] = paths[block, iteration]
            self.cval[(block, to), iteration] = invalid[block, iteration]
            if to == EXIT:
                paths[block, iteration] += 1
                invalid[block, iteration] += 0 if is_last else 1
            elif (block, to) == (LATCH, HEAD):
                paths[block, iteration] += 1 if is_last else paths[HEAD, iteration + 1]
                invalid[block, iteration] += 0 if is_last else invalid[HEAD, iteration + 1]
            else:
                paths[block, iteration] += paths[to, iteration]
                invalid[block, iteration] += invalid[to, iteration]

    def of(self, edge: Edge, iteration: int, is_compensated: bool) -> int:
        weight = self.val.get((edge, iteration), 0)
        return weight - self.cval[edge, iteration] if is_compensated and iteration < self.k else weight


def instrumented(weights: Weights, edges: list[Edge], condition_of_each: bool) -> Counter:
    """Counts an activation with these edges, starting at the header. The flag is true from the (k-1)-th back edge on."""
    k = weights.k
    c = [-weights.from_outside] + [0] * (k - 1)
    counts: Counter = Counter()
    iteration = num_back = 0
    for edge in edges:
        for j in range(k):
            is_compensated = j < num_back if condition_of_each else num_back >= k - 1
            if (edge, j + 1) in weights.val:
                c[j] += weights.of(edge, j + 1, is_compensated)
        if edge == (LATCH, HEAD):
            if num_back >= k - 1:
                counts[c[iteration]] += 1
            c = [0, *c[:-1]]
            iteration = min(iteration + 1, k - 1)
            num_back += 1
    counts[c[iteration]] += 1
    return counts


def windows(k: int, edges: list[Edge]) -> list[tuple[bool, list[list[Edge]]]]:
    """Yields windows by definition: whether the window begins at the header, and the edges of each iteration."""
    bodies: list[list[Edge]] = [[]]
    for edge in edges:
        bodies[-1].append(edge)
        if edge == (LATCH, HEAD):
            bodies.append([])
    last = len(bodies) - 1
    found = [(first > 0, bodies[first:first + k]) for first in range(len(bodies)) if first + k <= last]
    longest = max(0, last - k + 1)
    return found + [(longest > 0, bodies[longest:])]


def number_of(weights: Weights, at_head: bool, iterations: list[list[Edge]]) -> int:
    """Returns the number of a window by equation (1)."""
    number = 0 if at_head else -weights.from_outside
    for iteration, body in enumerate(iterations, 1):
        number += sum(weights.of(edge, iteration, at_head) for edge in body if (edge, iteration) in weights.val)
    return number


AROUND = ([(2, 3), (3, 5), (5, 2)], [(2, 4), (4, 5), (5, 2)])
OUT = ([(2, 3), (3, 5), (5, 6)], [(2, 4), (4, 5), (5, 6)], [(2, 4), (4, 6)])


def numbers(k: int) -> list[int]:
    """Returns the numbers of all possible windows in increasing order: 0, 1, 2 and so on if the numbering is perfect."""
    weights = Weights(k)
    around = [[list(bodies) for bodies in itertools.product(AROUND, repeat=length)] for length in range(k + 1)]
    full = around[k] + [[*bodies, out] for bodies in around[k - 1] for out in OUT]
    short = [[*bodies, out] for length in range(k - 1) for bodies in around[length] for out in OUT]
    return sorted([number_of(weights, at_head, window) for at_head in (False, True) for window in full] +
                  [number_of(weights, False, window) for window in short])


def random_trace(source: random.Random, most: int) -> list[Edge]:
    """Returns a trace from the header to the exit of the loop. As in real loops, the exit is rare."""
    edges, block = [], HEAD
    for _ in range(most):
        stays = [to for to in SUCCESSORS[block] if to != EXIT]
        to = source.choice(stays) if source.random() < 0.9 else SUCCESSORS[block][-1]
        edges.append((block, to))
        if to == EXIT:
            return edges
        block = to
    return edges + {2: [(2, 4), (4, 6)], 3: [(3, 5), (5, 6)], 4: [(4, 6)], 5: [(5, 6)]}[block]


def shown(edges: list[Edge]) -> str:
    return "-".join(["1", str(HEAD), *(str(to) for _, to in edges)])


def compare(k: int, traces: int) -> tuple[int, int, int, str]:
    """Returns the number of traces, the numbers of traces miscounted with one flag and with one condition per accumulator, and the
    shortest trace that is miscounted with the flag."""
    source, weights = random.Random(1), Weights(k)
    wrong = {False: 0, True: 0}
    shortest: list[Edge] = []
    for _ in range(traces):
        edges = random_trace(source, 40)
        right = Counter(number_of(weights, at_head, iterations) for at_head, iterations in windows(k, edges))
        for condition_of_each in wrong:
            if instrumented(weights, edges, condition_of_each) != right:
                wrong[condition_of_each] += 1
                if not condition_of_each and (not shortest or len(edges) < len(shortest)):
                    shortest = edges
    return traces, wrong[False], wrong[True], shown(shortest) if shortest else ""
