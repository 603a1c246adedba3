#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Merges profiles of several builds with Dask, into one sum per build: dask_merge.py BUILD [PROFILES].

A scheduler and workers run on this machine. One of the workers is killed after it has finished part of the work.
Dask repeats that part on other workers. Because the order and the number of attempts do not change the bytes of a merge,
nothing is counted twice or lost. Finally, the sums are compared with those of "pathdump merge".
"""

import logging
import os
import signal
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any, Dict, List

import dask
from distributed import Client, LocalCluster, as_completed

HERE = Path(__file__).resolve().parent
LEVELS = ("-O1", "-O2", "-O3")  # one build per level
WORKERS = 3
FILES = 100  # files that one worker merges at once
WAYS = 8  # partial sums that are merged at once


def merge_files(pathdump: str, files: List[str]) -> bytes:
    """Returns the sum of profiles that every worker can read."""
    return subprocess.run([pathdump, "merge", "-o", "-", *files], stdout=subprocess.PIPE, check=True).stdout


def merge_sums(pathdump: str, sums: List[bytes]) -> bytes:
    """Returns the sum of profiles that are passed as values."""
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, str(number)) for number in range(len(sums))]
        for name, profile in zip(files, sums):
            Path(name).write_bytes(profile)
        return merge_files(pathdump, files)


def tree(client: Any, pathdump: str, parts: List[Any]) -> Any:
    """Returns a future for the sum of all parts. Parts are merged in a tree, so that no worker needs all of them."""
    while len(parts) > 1:
        parts = [client.submit(merge_sums, pathdump, parts[i:i + WAYS]) for i in range(0, len(parts), WAYS)]
    return parts[0]


def kill_one(client: Any, parts: List[Any]) -> str:
    """Kills a worker that holds the sum of a part, while other workers are still running."""
    done = next(iter(as_completed(parts)))
    worker = client.who_has([done])[done.key][0]
    left = sum(not part.done() for part in parts)
    os.kill(client.run(os.getpid, workers=[worker])[worker], signal.SIGKILL)
    return f"a worker was killed while {left} of {len(parts)} parts were unfinished"


def collect(build: Path, folder: Path, number: int) -> Dict[str, List[str]]:
    """Simulates machines by runs with separate profiles. Returns the profiles by the build that wrote them."""
    for level in LEVELS:
        subprocess.run([build / "bin/pathprof-gcc", level, "-g", HERE.parent / "json/jsonfmt.c", "-o", folder / f"jsonfmt{level}"],
                       check=True)
    for machine in range(number):
        text = "[" + ",".join(str(machine * i) for i in range(machine % 30)) + "]"
        subprocess.run([folder / f"jsonfmt{LEVELS[machine % len(LEVELS)]}"], input=text.encode(), stdout=subprocess.DEVNULL,
                       check=True, env={"PATHPROF_FILE": str(folder / f"{machine:05}.%m.pathprof")})
    files = defaultdict(list)
    for name in sorted(folder.glob("*.pathprof")):
        files[name.suffixes[-2]].append(str(name))
    return files


def main(build: Path, number: int) -> int:
    pathdump = str(build / "bin/pathdump")
    with tempfile.TemporaryDirectory() as temporary:
        files = collect(build, Path(temporary), number)
        print(f"{sum(map(len, files.values()))} profiles of {len(files)} builds")
        dask.config.set({"distributed.admin.log-format": "", "distributed.comm.timeouts.connect": "30s"})
        with LocalCluster(n_workers=WORKERS, threads_per_worker=1, processes=True, dashboard_address=None,
                          local_directory=temporary, silence_logs=logging.CRITICAL) as cluster, Client(cluster) as client:
            parts = {key: [client.submit(merge_files, pathdump, names[i:i + FILES]) for i in range(0, len(names), FILES)]
                     for key, names in files.items()}
            sums = {key: tree(client, pathdump, futures) for key, futures in parts.items()}
            print(kill_one(client, [part for futures in parts.values() for part in futures]))
            merged = client.gather(sums)
        expected = {key: merge_files(pathdump, names) for key, names in files.items()}
    same = sum(merged[key] == expected[key] for key in files)
    print(f"{same} of {len(files)} sums are identical to the output of pathdump merge")
    return int(same != len(files))


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) == 3 else 10000))
