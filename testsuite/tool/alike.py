# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows that different paths share, although each path is to have a row of its own: in report, show, JSON and CSV."""

import collections
import csv
import io
import json
import re
import subprocess


def repeated(rows):
    return [row for row, times in collections.Counter(rows).items() if times > 1]


def texts_of_table(lines):
    """What the rows of a table say from its column "from" on, behind figures and numbers; the first line is the heading.

    Below the rows of paths through calls their steps are listed, which are no rows.
    """
    begin = lines[0].index("from")
    rows = []
    for line in lines[1:]:
        if not line or line.startswith("..."):
            break
        if re.match(r" *(\d+|[A-Za-z]) +\d+\.\d+%", line):
            rows.append(line[begin:])
    return rows


def tables(text, first_column):
    lines = text.splitlines()
    for i, line in enumerate(lines):
        if line.lstrip().startswith(first_column) and "from" in line and line.endswith("decisions"):
            yield lines[i - 1] if i else "", texts_of_table(lines[i:])


def of_path(path):
    """Of a path in JSON what it says beside figures and numbers."""
    return json.dumps([path[key] for key in ("function", "file", "line", "start", "end", "decisions")] +
                      [path.get("unit"), path.get("lines") if not path["decisions"] else None])


def alike(pathdump, profile):
    """Rows, without figures and numbers, that are those of several paths."""

    def run(*arguments):
        return subprocess.run([pathdump, *arguments, profile], capture_output=True, text=True, check=True).stdout

    (_, rows), *_ = tables(run("report", "-n", "0"), "rank ")
    paths = json.loads(run("report", "-n", "0", "--json"))["paths"]
    assert len(rows) == len(paths) > 0
    assert all(path["decisions"] or path["lines"] for path in paths)
    found = repeated(rows) + [f"json: {row}" for row in repeated(map(of_path, paths))]
    for function, rows in tables(run("show", "-n", "52"), "share "):
        found += [f"show: {function}: {row}" for row in repeated(rows)]
    rows = list(csv.DictReader(io.StringIO(run("export", "--format=csv"))))
    assert len(rows) == len(paths)
    return found + [f"csv: {row}" for row in repeated(
        tuple(row[key] for key in ("function", "file", "line", "unit", "start", "end", "decisions")) for row in rows)]
