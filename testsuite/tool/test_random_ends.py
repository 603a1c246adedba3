# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact termination: line counts of random programs that end everywhere must be what the programs counted themselves.

PATHPROF_RANDOM_PROGRAMS=N runs N programs instead of the fixed sample, PATHPROF_RANDOM_FIRST=SEED starts elsewhere.
"""

import concurrent.futures
import os
import random
import re
import subprocess

import pytest

from conftest import BUILD, FLAGS, STAGES, UPDATES
from random_ends import C, CXX, OTHERS, EndsProgram

COUNT = int(os.environ.get("PATHPROF_RANDOM_PROGRAMS", "24"))
FIRST = int(os.environ.get("PATHPROF_RANDOM_FIRST", "1"))
BATCH = max(6, COUNT // 20)
SECONDS = 300
LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os")
KINDS = ((), (), ("-no-pie", "-fno-pie"), ("-fPIC",), ("-fomit-frame-pointer",), ("-fno-omit-frame-pointer",),
         ("-fcf-protection=full",), ("-fstack-protector-all",), ("-static",), ("-fno-early-inlining",), ("-fno-early-inlining",))


def run(folder, *command, status=0):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False,
                          stdin=subprocess.DEVNULL)
    assert done.returncode == status, f"{command}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def line_counts(tracefile):
    return {int(line): int(count) for line, count in re.findall(r"^DA:(\d+),(\d+)", tracefile, re.MULTILINE)}


def failures_of(folder, seed):
    """What is wrong with one program; the folder with it stays only then."""
    folder.mkdir()
    chosen = random.Random(seed)
    language = C if seed % 2 else CXX
    source, compiler = ("prog.c", "pathprof-gcc") if language == C else ("prog.cc", "pathprof-g++")
    options = [chosen.choice(LEVELS), *chosen.choice(KINDS), *FLAGS]
    arguments = [f"stage={chosen.choice(STAGES)}", f"update={chosen.choice(UPDATES)}", "termination=exact"]
    if chosen.random() < 0.3:
        arguments.append("array-max=0")
    program = EndsProgram(seed, language)
    (folder / source).write_text(program.text)
    (folder / "hits").write_bytes(bytes(1 << 16))
    sources = [source]
    if language == CXX:
        (folder / "others.cc").write_text(OTHERS)
        run(folder, "g++", "-O1", "-c", "others.cc", "-o", "others.o")
        sources.append("others.o")
    run(folder, BUILD / "bin" / compiler, "-g", "-w", "-pthread", *options,
        *(f"-fplugin-arg-pathprof-{argument}" for argument in arguments), *sources, "-o", "prog")
    run(folder, "./prog", "hits")
    run(folder, BUILD / "bin/pathdump", "check", "prog.pathprof")
    ours = line_counts(run(folder, BUILD / "bin/pathdump", "export", "--format=lcov", "prog.pathprof"))
    hits = memoryview((folder / "hits").read_bytes()).cast("Q")
    assert sum(hits) > 0
    failures = [f"seed {seed} {language} {' '.join(options + arguments)}: line {line} ran {hits[counter]} times, not "
                f"{ours.get(line)}" for line, counter in program.lines.items() if ours.get(line, 0) != hits[counter]]
    for file in folder.iterdir():
        if not failures:
            file.unlink()
    if not failures:
        folder.rmdir()
    return failures


BATCHES = [range(first, min(first + BATCH, FIRST + COUNT)) for first in range(FIRST, FIRST + COUNT, BATCH)]


@pytest.mark.parametrize("seeds", BATCHES, ids=lambda seeds: str(seeds[0]))
def test_random_ends(seeds, tmp_path):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(failures_of, [tmp_path / f"seed{seed}" for seed in seeds], seeds)
        failures = [failure for result in results for failure in result]
    assert not failures, f"sources in {tmp_path}\n" + "\n".join(failures)
