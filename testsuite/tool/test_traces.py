# SPDX-License-Identifier: GPL-3.0-or-later
"""The paths are those of a block trace, whatever the optimisers did before and after and the plugin does.

A second plugin (testsuite/trace) lets each activation record its blocks, right before pathprof sees the function.
The trace is cut into paths by the definition alone: at the edges that the profile calls cut; of a loop that the
profile says has k iterations a path, every k iterations in a row are one; what runs in a loop that is collapsed
meanwhile is paths of its own.

PATHPROF_TRACED_PROGRAMS=N runs N random programs instead of the fixed sample; PATHPROF_RANDOM_FIRST=SEED
starts elsewhere.
"""

import collections
import concurrent.futures
import itertools
import json
import os
import pathlib
import subprocess

import pytest

from conftest import BUILD, FLAGS
from random_program import Program

HERE = pathlib.Path(__file__).resolve().parent
RUNTIME = (HERE / "../trace/trace_runtime.c").resolve()
COUNT = int(os.environ.get("PATHPROF_TRACED_PROGRAMS", "24"))
FIRST = int(os.environ.get("PATHPROF_RANDOM_FIRST", "1"))
BATCH = max(6, COUNT // 20)
LEVELS = ("-O1", "-O2", "-O3", "-Os")
STAGES = ("early", "late")
ALL_STAGES = ("source", *STAGES)
CONTEXT = ("-fplugin-arg-pathprof-mode=intracontext", "-fplugin-arg-trace_plugin-reducible")
CUT = {"back", "abnormal", "cut"}
# Without calls in loops, and with several kinds of storage.
VARIANTS = ((), ("-Dnoinline=unused",), ("-Dnoinline=unused", "-fplugin-arg-pathprof-array-max=8"),
            ("-Dnoinline=unused", "-fplugin-arg-pathprof-paths-max=1000"))
KIPF_VARIANTS = VARIANTS[:3]  # of any number of paths
KITER = "-fplugin-arg-pathprof-mode=kiter"
# Paths through the first lines are interesting.
PREFERENTIAL = ("-fplugin-arg-pathprof-mode=preferential", "-fplugin-arg-pathprof-interesting=*:1-50")
LOOPS = "-fplugin-arg-pathprof-loops"  # =K: of every loop; =K/2: of every other line with one
MODELS = {
    "acyclic": (),
    "kiter2": (KITER,),
    "kiter3": (KITER, "-fplugin-arg-pathprof-k=3"),
    "kiter4-paper": (KITER, "-fplugin-arg-pathprof-k=4", "-fplugin-arg-pathprof-numbering=paper"),
    "preferential": (*PREFERENTIAL, "-fplugin-arg-pathprof-array-max=12"),
    "preferential-notify": (*PREFERENTIAL, "-fplugin-arg-pathprof-array-max=100", "-fplugin-arg-pathprof-notify=1"),
    "preferential-hash": (*PREFERENTIAL, "-fplugin-arg-pathprof-array-max=5", "-fplugin-arg-pathprof-large-ids=hash"),
    "around2": (KITER, f"{LOOPS}=2"),
    "around3": (KITER, f"{LOOPS}=3/2"),
    "around3-paper": (KITER, f"{LOOPS}=3", "-fplugin-arg-pathprof-numbering=paper"),
}
# Sequences of paths, of all lengths and under each way of counting.
KIPF = tuple(("-fplugin-arg-pathprof-mode=kipf", f"-fplugin-arg-pathprof-k={k}",
              f"-fplugin-arg-pathprof-update={update}")
             for k, update in ((1, "single"), (2, "thread"), (3, "single"), (4, "atomic"), (5, "single"), (8, "single"),
                               (10, "thread"), (64, "single")))
# Programs in which every activation comes to its end.
PROGRAMS = [(HERE / "../trace" / name).resolve() for name in ("loops.c", "selects.c")]
STEADY = (HERE / "../trace/steady.c").resolve()


def executed(function):
    return [*function["paths"], *function.get("residual", [])]


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


def reachable(successors, start, without):
    seen, work = {start}, [start]
    while work:
        for after in successors[work.pop()]:
            if after != without and after not in seen:
                seen.add(after)
                work.append(after)
    return seen


def loop_blocks(edges, head):
    """Of the natural loop."""
    predecessors = collections.defaultdict(set)
    for edge in edges:
        predecessors[edge["dst"]].add(edge["src"])
    blocks = {head}
    for edge in edges:
        if edge["dst"] == head and "back" in edge["flags"] and edge["src"] != head:
            blocks |= reachable(predecessors, edge["src"], head)
    return blocks


class Splitter:
    """Cuts the traces of a function into paths: blocks, where parts of the context end, and which collapsed loops they
    pass behind how many blocks."""

    def __init__(self, function):
        self.cut = {}
        self.successors = collections.Counter()
        self.iterations = {loop["head"]: loop["k"] for loop in function["loops"] if loop["k"] > 1}
        self.rounds = set()  # back edges of these loops
        self.collapsed = {head: loop_blocks(function["edges"], head)
                          for loop in function["loops"] for head in loop.get("collapsed", ())}
        for edge in function["edges"]:
            ends = edge["src"], edge["dst"]
            self.cut[ends] = not CUT.isdisjoint(edge["flags"])
            self.successors[edge["src"]] += 1
            if "back" in edge["flags"] and edge["dst"] in self.iterations:
                self.rounds.add(ends)
        self.is_abnormal = any("abnormal" in edge["flags"] for edge in function["edges"])
        # Blocks that were made for a back edge when the trace's were numbered already.
        head_of = {made: head for made, head in self.rounds if self.successors[made] == 1}
        self.made = {(before, head_of[made]): made for before, made in self.cut if made in head_of}

        self.heads = set()
        self.repeats = set()  # edges back to heads of loops with context, from blocks that they dominate
        if function["mode"] == "intracontext":
            self.heads = {loop["head"] for loop in function["loops"]}
            self.find_repeats(function["edges"])

    def find_repeats(self, edges):
        successors = collections.defaultdict(set)
        for edge in edges:
            successors[edge["src"]].add(edge["dst"])
        for edge in edges:
            if edge["dst"] in self.heads and "back" in edge["flags"] and (
                    edge["src"] == edge["dst"] or edge["src"] not in reachable(successors, 0, edge["dst"])):
                self.repeats.add((edge["src"], edge["dst"]))

    def steps(self, blocks):
        """From block to block."""
        for before, after in zip([0, *blocks], [*blocks, 1]):
            if (before, after) not in self.cut and (before, after) in self.made:
                yield before, self.made[before, after]
                yield self.made[before, after], after
            else:
                yield before, after

    def paths(self, blocks):
        """Those of an activation; None if it did not come to its end."""
        path, contexts, passes = [0], (), []
        within, inner = (), []  # the collapsed loop that control is in, and the path there
        done, entered = [], {}
        arrivals = []  # where in the path it came to the head of the loop that spans iterations
        for before, after in self.steps(blocks):
            if (before, after) not in self.cut:
                return None if self.successors[before] else [*done, (tuple(path), contexts, tuple(passes))]
            if within and (self.cut[before, after] or after not in within):
                done.append((tuple(inner), (), ()))
                inner = []
            if after in within:
                inner.append(after)
                continue
            within = ()
            is_round = (before, after) in self.rounds
            if is_round and len(arrivals) == self.iterations[after]:
                done.append((tuple(path), contexts, tuple(passes)))
                path = path[arrivals[1]:]
                passes = [(head, behind - arrivals[1]) for head, behind in passes if behind > arrivals[1]]
                arrivals = [arrival - arrivals[1] for arrival in arrivals[1:]]
                contexts = (len(path),)
            elif self.cut[before, after] and not is_round:
                done.append((tuple(path), contexts, tuple(passes)))
                path, contexts, passes = [], (), []
            if after in self.iterations:
                arrivals = [*(arrivals if is_round else []), len(path)]
            if (before, after) in self.repeats:
                way, contexts = entered[after]
                path = list(way)
                if path:
                    contexts = (*contexts, len(path))
            elif after in self.heads:
                entered[after] = tuple(path), contexts
            if after in self.collapsed:
                passes.append((after, len(path)))
                within, inner = self.collapsed[after], [after]
            else:
                path.append(after)
        return [*done, (tuple(path), contexts, tuple(passes))]


def counted_path(path):
    """As the Splitter has it."""
    contexts = path.get("prefix_parts") or [path["prefix_len"]] if "prefix_len" in path else []
    passes = tuple((passed["head"], passed["blocks"]) for passed in path.get("passes", ()))
    return tuple(path["blocks"]), tuple(contexts), passes


def grams(paths, k):
    """Every window of at most k paths of an activation."""
    return (tuple(paths[first:first + n]) for first in range(len(paths))
            for n in range(1, min(k, len(paths) - first) + 1))


def forest_grams(function):
    """The sequences of an exported forest, with their counts."""
    names = {path["id"]: counted_path(path) for path in executed(function)}
    found = collections.Counter()
    work = [((), node) for node in function["forest"]]
    while work:
        before, node = work.pop()
        sequence = (*before, names[node["path"]])
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
        actual = collections.Counter()
        for path in executed(function):
            actual[counted_path(path)] += int(path["count"])
        if actual != wanted[name]:
            yield f"{name}: missing {wanted[name] - actual}, too many {actual - wanted[name]}"
        elif "forest" in function and forest_grams(function) != sequences[name]:
            yield f"{name}: wrong sequences of paths"
    if not compared:
        yield "nothing to compare"


def with_lines(option, source):
    """LOOPS with the lines of the source that have loops."""
    if not option.startswith(LOOPS):
        return option
    k, _, step = option[len(LOOPS) + 1:].partition("/")
    lines = [number for number, line in enumerate(source.read_text(encoding="utf-8").split("\n"), 1)
             if any(f"{word} (" in line or f"{word}(" in line for word in ("for", "while"))]
    return f"{LOOPS}=" + ",".join(f"{line}:{k}" for line in lines[::int(step or 1)])


def compare(folder, runtime, source, stage, options):
    """Failures of one program, a text each."""
    name = source.stem
    options = [with_lines(option, source) for option in options]
    run = {"cwd": folder, "check": True, "capture_output": True, "timeout": 120}
    subprocess.run([BUILD / "bin/pathprof-gcc", "-g", "-w", "-fchecking=1",
                    f"-fplugin={BUILD}/testsuite/trace_plugin.so", f"-fplugin-arg-trace_plugin-{stage}", *options,
                    f"-fplugin-arg-pathprof-stage={stage}", *FLAGS,
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


def check_seed(folder, runtime, seed, stages=STAGES, models=None):
    folder.mkdir()
    source = folder / f"seed{seed}.c"
    source.write_text(Program(seed).text)
    failures = []
    models = models or (MODELS["acyclic"], list(MODELS.values())[1 + seed % (len(MODELS) - 1)])
    for variant, (stage, model) in enumerate(itertools.product(stages, models)):
        options = (LEVELS[seed % len(LEVELS)], *VARIANTS[(seed // len(LEVELS) + variant + 1) % len(VARIANTS)], *model)
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
    options = (LEVELS[seed % len(LEVELS)], *KIPF[seed % len(KIPF)], *KIPF_VARIANTS[seed // 3 % len(KIPF_VARIANTS)])
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


def check_batch(first, tmp_path, runtime, *how):
    seeds = range(first, min(first + BATCH, FIRST + COUNT))
    folders = [tmp_path / f"seed{seed}" for seed in seeds]
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        running = [pool.submit(check_seed, folder, runtime, seed, *how) for folder, seed in zip(folders, seeds)]
        failures = [failure for result in running for failure in result.result()]
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize("first", range(FIRST, FIRST + COUNT, BATCH))
def test_random_programs(first, tmp_path, runtime):
    check_batch(first, tmp_path, runtime)


@pytest.mark.parametrize("first", range(FIRST, FIRST + COUNT, BATCH))
def test_random_programs_with_context(first, tmp_path, runtime):
    check_batch(first, tmp_path, runtime, ALL_STAGES, (CONTEXT,))


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("program", (*PROGRAMS, STEADY), ids=lambda program: program.stem)
def test_loops(program, level, stage, model, tmp_path, runtime):
    assert compare(tmp_path, runtime, program, stage, (level, *MODELS[model])) == []


@pytest.mark.parametrize("stage", ALL_STAGES)
@pytest.mark.parametrize("level", ("-O1", "-O3"))
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_loops_with_context(program, level, stage, tmp_path, runtime):
    assert compare(tmp_path, runtime, program, stage, (level, *CONTEXT)) == []
