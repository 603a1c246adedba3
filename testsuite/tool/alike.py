# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of a report that different paths share, although each path is to have a row of its own."""

import collections
import json
import subprocess


def alike(pathdump, profile):
    """Rows, without figures and numbers, that are those of several paths."""

    def report(*options):
        return subprocess.run([pathdump, "report", *options, "-n", "0", profile], capture_output=True, text=True, check=True).stdout

    lines = report().splitlines()
    start = next(i for i, line in enumerate(lines) if line.lstrip().startswith("rank "))
    begin = lines[start].index("from")
    rows = collections.Counter()
    for line in lines[start + 1:]:
        if not line or line.startswith("..."):
            break
        if line[:begin].split() and line[:begin].split()[0].isdigit():
            rows[line[begin:]] += 1
    paths = json.loads(report("--json"))["paths"]
    assert sum(rows.values()) == len(paths) > 0
    assert all(path["decisions"] or path["lines"] for path in paths)
    return [row for row, times in rows.items() if times > 1]
