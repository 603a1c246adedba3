#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares prime paths with those of GCC: gcc_prime_paths.py GCOV.json... PRIME.json

Of the same sources, built by the same GCC (15 or newer) at -O0 and run with the same inputs:

    gcc -O0 -g --coverage -fpath-coverage ..., then gcov --prime-paths --json-format --stdout *.gcda > GCOV.json
    pathprof-gcc -O0 -g -fplugin-arg-pathprof-mode=kipf -fplugin-arg-pathprof-k=auto -fplugin-arg-pathprof-stage=source ...,
    then pathdump coverage --prime --json > PRIME.json

For each function in both: the number of prime paths and how many were covered.  Functions above GCC's limit, of which it
says nothing, are counted apart.  The status is 1 if any function differs.
"""

import json
import os
import sys


def gcov_functions(files):
    """By file and name: total and covered, None above the limit."""
    functions = {}
    for name in files:
        with open(name, encoding="utf-8") as lines:
            for line in lines:
                for file in json.loads(line)["files"]:
                    for function in file["functions"]:
                        key = os.path.basename(file["file"]), function["name"]
                        total = function.get("total_prime_paths", 0)
                        functions[key] = (total, function["covered_prime_paths"]) if total else None
    return functions


def pathprof_functions(file):
    with open(file, encoding="utf-8") as text:
        return {(os.path.basename(row["file"]), row["name"]): row for row in json.load(text)["functions"]}


def main():
    *gcov_files, own = sys.argv[1:]
    if not gcov_files:
        sys.exit(__doc__)
    theirs, ours = gcov_functions(gcov_files), pathprof_functions(own)
    both = sorted(theirs.keys() & ours.keys())
    equal = different = above = 0
    sums = [0, 0]
    for key in both:
        row = ours[key]
        if theirs[key] is None:
            above += 1
            print(f"{key[0]} {key[1]}: above GCC's limit; {row['executed']} of {'' if row['exact'] else 'at least '}"
                  f"{row['num_paths']} prime paths ran")
            continue
        total, covered = theirs[key]
        sums[0] += covered
        sums[1] += row["executed"]
        if (str(total), covered) == (row["num_paths"], row["executed"]) and row["exact"]:
            equal += 1
        else:
            different += 1
            print(f"{key[0]} {key[1]}: GCC {covered} of {total}, pathprof {row['executed']} of "
                  f"{'' if row['exact'] else 'at least '}{row['num_paths']}")
    print(f"{len(both)} functions in both: {equal} equal, {different} different, {above} above GCC's limit; "
          f"covered in those that are not above: GCC {sums[0]}, pathprof {sums[1]}; "
          f"only GCC has {len(theirs.keys() - ours.keys())}, only pathprof {len(ours.keys() - theirs.keys())}")
    return different > 0


if __name__ == "__main__":
    sys.exit(main())
