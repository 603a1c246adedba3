# SPDX-License-Identifier: GPL-3.0-or-later
"""The paths are those of a block trace, whatever the optimisers did before and after and the plugin does.

A second plugin (testsuite/trace) lets each activation record its blocks, right before pathprof sees the function.
The trace is cut into paths by the definition alone: at the edges that the profile calls cut.

PATHPROF_TRACED_PROGRAMS=N runs N random programs instead of the fixed sample; PATHPROF_RANDOM_FIRST=SEED
starts elsewhere.
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess

import pytest

from conftest import BUILD
from random_program import Program

HERE = pathlib.Path(__file__).resolve().parent
RUNTIME = (HERE / "../trace/trace_runtime.c").resolve()
COUNT = int(os.environ.get("PATHPROF_TRACED_PROGRAMS", "24"))
FIRST = int(os.environ.get("PATHPROF_RANDOM_FIRST", "1"))
BATCH = max(6, COUNT // 20)
LEVELS = ("-O1", "-O2", "-O3", "-Os")
STAGES = ("early", "late")
CUT = {"back", "abnormal", "cut"}
# Without calls in loops, and with several kinds of storage.
VARIANTS = ((), ("-Dnoinline=unused",), ("-Dnoinline=unused", "-fplugin-arg-pathprof-array-max=8"),
            ("-Dnoinline=unused", "-fplugin-arg-pathprof-paths-max=1000"))
# Sequences of paths, of all lengths and under each way of counting.
KIPF = tuple(("-fplugin-arg-pathprof-mode=kipf", f"-fplugin-arg-pathprof-k={k}",
              f"-fplugin-arg-pathprof-update={update}")
             for k, update in ((1, "single"), (2, "thread"), (3, "single"), (4, "atomic"), (5, "single"), (8, "single"),
                               (10, "thread"), (64, "single")))
PROGRAMS = sorted(set((HERE / "../trace").resolve().glob("*.c")) - {RUNTIME})


@pytest.fixture(scope="session", name="runtime")
def build_runtime(tmp_path_factory):
    runtime = tmp_path_factory.mktemp("trace") / "runtime.o"
    subprocess.run(["cc", "-O1", "-c", RUNTIME, "-o", runtime], check=True)
    return runtime


def activations(file):
    """Function and blocks of each activation."""
    functions, blocks = {}, collections.defaultdict(list)
    with open(file, encoding="utf-8") as steps:
        for step in steps:
            activation, what = step.split()
            if what.isdigit():
                blocks[activation].append(int(what))
            else:
                functions[activation] = what
    return ((name, blocks[activation]) for activation, name in functions.items())


class Splitter:
    """Cuts the traces of a function into paths."""

    def __init__(self, function):
        self.cut = {}
        self.successors = collections.Counter()
        for edge in function["edges"]:
            self.cut[edge["src"], edge["dst"]] = not CUT.isdisjoint(edge["flags"])
            self.successors[edge["src"]] += 1
        self.is_abnormal = any("abnormal" in edge["flags"] for edge in function["edges"])

    def paths(self, blocks):
        """None if the activation did not come to its end."""
        path = [0]
        for before, after in zip([0, *blocks], [*blocks, 1]):
            if (before, after) not in self.cut:
                return None if self.successors[before] else [*self.done, tuple(path)]
            if before == 0:
                self.done = []
            if self.cut[before, after]:
                self.done.append(tuple(path))
                path = []
            path.append(after)
        return [*self.done, tuple(path)]


def grams(paths, k):
    """Every window of at most k paths of an activation."""
    return (tuple(paths[first:first + n]) for first in range(len(paths))
            for n in range(1, min(k, len(paths) - first) + 1))


def forest_grams(function):
    """The sequences of an exported forest, with their counts."""
    blocks = {path["id"]: tuple(path["blocks"]) for path in function["paths"]}
    found = collections.Counter()
    work = [((), node) for node in function["forest"]]
    while work:
        before, node = work.pop()
        sequence = (*before, blocks[node["path"]])
        assert sequence not in found
        found[sequence] = int(node["count"])
        work += ((sequence, child) for child in node["children"])
    return found


def trace_failures(functions, file):
    """What the profile says that the trace does not, and the other way round."""
    sequences = collections.defaultdict(collections.Counter)
    splitters = {name: Splitter(function) for name, function in functions.items()}
    wanted = collections.defaultdict(collections.Counter)
    unfinished = set()
    for name, blocks in activations(file):
        if name in splitters:
            paths = splitters[name].paths(blocks)
            if paths is None:
                unfinished.add(name)
            else:
                wanted[name].update(paths)
                if "forest" in functions[name]:
                    sequences[name].update(grams(paths, functions[name]["k"]))
    compared = 0
    for name, function in functions.items():
        if name in unfinished or splitters[name].is_abnormal:
            continue
        compared += 1
        actual = collections.Counter({tuple(path["blocks"]): int(path["count"]) for path in function["paths"]})
        if actual != wanted[name]:
            yield f"{name}: missing {wanted[name] - actual}, too many {actual - wanted[name]}"
        elif "forest" in function and forest_grams(function) != sequences[name]:
            yield f"{name}: wrong sequences of paths"
    if not compared:
        yield "nothing to compare"


def compare(folder, runtime, source, stage, options):
    """Failures of one program, a text each."""
    name = source.stem
    run = {"cwd": folder, "check": True, "capture_output": True, "timeout": 120}
    subprocess.run([BUILD / "bin/pathprof-gcc", *options, "-g", "-w", "-fchecking=1",
                    f"-fplugin={BUILD}/testsuite/trace_plugin.so", f"-fplugin-arg-trace_plugin-{stage}",
                    f"-fplugin-arg-pathprof-stage={stage}",
                    source, runtime, "-lm", "-o", name], **run)
    file = folder / "trace"
    subprocess.run([f"./{name}"], **run, env={**os.environ, "TRACE_FILE": str(file)})
    profile = f"{name}.pathprof"
    subprocess.run([BUILD / "bin/pathdump", "check", profile], **run)
    exported = subprocess.run([BUILD / "bin/pathdump", "export", profile], **run).stdout
    functions = {function["name"]: function for function in json.loads(exported)["functions"]}
    failures = [f"{source.name} {stage} {' '.join(options)}: {text}" for text in trace_failures(functions, file)]
    for written in (file, folder / name, folder / profile):
        written.unlink()
    return failures


def check_seed(folder, runtime, seed):
    folder.mkdir()
    source = folder / f"seed{seed}.c"
    source.write_text(Program(seed).text)
    failures = []
    for variant, stage in enumerate(STAGES):
        options = (LEVELS[seed % len(LEVELS)], *VARIANTS[(seed // len(LEVELS) + 2 * variant + 1) % len(VARIANTS)])
        try:
            failures += compare(folder, runtime, source, stage, options)
        except subprocess.CalledProcessError as error:
            failures.append(f"seed {seed} {stage} {options}: {error}\n{error.stderr.decode(errors='replace')}")
    return failures


def check_sequences_of_seed(folder, runtime, seed):
    folder.mkdir()
    source = folder / f"seed{seed}.c"
    source.write_text(Program(seed).text)
    stage = ("source", *STAGES)[seed % 3]
    options = (LEVELS[seed % len(LEVELS)], *KIPF[seed % len(KIPF)], *VARIANTS[seed // 3 % len(VARIANTS)])
    try:
        return compare(folder, runtime, source, stage, options)
    except subprocess.CalledProcessError as error:
        return [f"seed {seed} {stage} {options}: {error}\n{error.stderr.decode(errors='replace')}"]


@pytest.mark.parametrize("first", range(FIRST, FIRST + COUNT, BATCH))
def test_sequences_of_random_programs(first, tmp_path, runtime):
    seeds = range(first, min(first + BATCH, FIRST + COUNT))
    folders = [tmp_path / f"seed{seed}" for seed in seeds]
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(check_sequences_of_seed, folders, [runtime] * len(seeds), seeds)
        failures = [failure for result in results for failure in result]
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize("stage", ("source", *STAGES))
@pytest.mark.parametrize("options", KIPF, ids=lambda options: " ".join(o.split("-")[-1] for o in options[1:]))
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_sequences(program, options, stage, tmp_path, runtime):
    level = LEVELS[KIPF.index(options) % len(LEVELS)]
    assert compare(tmp_path, runtime, program, stage, (level, *options)) == []


@pytest.mark.parametrize("first", range(FIRST, FIRST + COUNT, BATCH))
def test_random_programs(first, tmp_path, runtime):
    seeds = range(first, min(first + BATCH, FIRST + COUNT))
    folders = [tmp_path / f"seed{seed}" for seed in seeds]
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(check_seed, folders, [runtime] * len(seeds), seeds)
        failures = [failure for result in results for failure in result]
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_loops(program, level, stage, tmp_path, runtime):
    assert compare(tmp_path, runtime, program, stage, (level,)) == []
