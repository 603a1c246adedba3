# SPDX-License-Identifier: GPL-3.0-or-later
"""Descriptions of profiles whose paths go through calls (see make_profile.cc)."""


def block(number, stmts, *lines):
    return {"id": number, "stmts": stmts, "lines": list(lines)}


def power():
    """double pow(double base, long exp) { double power = 1.0; while (exp > 0) … }"""
    return {
        "name": "pow",
        "line": 3,
        "edges": [[0, 2], [2, 3], [3, 4, "true"], [3, 5, "false"], [4, 3], [5, 1]],
        "blocks": [block(2, 1, 4), block(3, 1, 5), block(4, 2, 6, 7), block(5, 1, 9)],
    }


def main():
    """main of Melski and Reps 1998, Figure 4: calls pow from two places in a loop of 18 iterations."""
    return {
        "name": "main",
        "line": 12,
        "flags": ["visible"],
        "begins": True,
        "edges": [
            [0, 2], [2, 3], [3, 4, "true"], [3, 9, "false"], [4, 5, "true"], [4, 6, "false"], [5, 6],
            [6, 7, "true"], [6, 8, "false"], [7, 8], [8, 3], [9, 1],
        ],
        "blocks": [
            block(2, 1, 13), block(3, 1, 14), block(4, 1, 15), block(5, 2, 16, 17), block(6, 1, 18),
            block(7, 2, 19, 20), block(8, 1, 21), block(9, 1, 23),
        ],
        "calls": [
            {"block": 5, "callee": "pow", "line": 16, "num_lines": 1},
            {"block": 7, "callee": "pow", "line": 19, "num_lines": 1},
        ],
    }


def run_of_main(times=1, iterations=18):
    def called(site):
        return {"call": site, "blocks": [0, 2, 3, 4, 3, 4, 3, 5, 1]}

    blocks = [0, 2, 3]
    for i in range(1, iterations + 1):
        blocks += [4, 5, called(0), 6] if i % 2 == 0 else [4, 6]
        blocks += [7, called(1), 8, 3] if i % 3 == 0 else [8, 3]
    return {"function": "main", "times": times, "blocks": blocks + [9, 1]}


def figure_4(mode="context", runs=1, **more):
    return {
        "program": "figure4",
        "functions": [power(), main()],
        "programs": [{"unit": "a.c", "mode": mode, "traces": [run_of_main(runs)], **more}],
    }
