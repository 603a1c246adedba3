# SPDX-License-Identifier: GPL-3.0-or-later
"""Random programs: the profile must name the paths that the source's definition gives, no more, no less.

At stages early and late, where the graph is no longer the source's, lines and calls must be counted right.

PATHPROF_RANDOM_PROGRAMS=N runs N programs instead of the fixed sample; PATHPROF_RANDOM_FIRST=SEED starts
elsewhere.
"""

import collections
import concurrent.futures
import json
import os
import subprocess

import pytest

from conftest import BUILD, FLAGS
from random_program import Program

COUNT = int(os.environ.get("PATHPROF_RANDOM_PROGRAMS", "60"))
FIRST = int(os.environ.get("PATHPROF_RANDOM_FIRST", "1"))
BATCH = max(10, COUNT // 20)
CONFIGURATIONS = (("-O0", "source"), ("-O2", "source"), ("-O2", "early"), ("-O2", "late"))
ENUMERATION_LIMIT = 5000
NO_LIMIT = str(2**62 - 1)
CUT = {"back", "abnormal", "cut"}


class Graph:
    """A function's graph as the JSON has it, and its paths by exhaustive search."""

    def __init__(self, function):
        self.successors = collections.defaultdict(list)
        self.starts = set()
        self.ends = set()
        blocks = {block["id"] for block in function["blocks"]}
        for edge in function["edges"]:
            if CUT.isdisjoint(edge["flags"]):
                self.successors[edge["src"]].append(edge["dst"])
            else:
                self.starts.add(edge["dst"])
                self.ends.add(edge["src"])
        sources = {edge["src"] for edge in function["edges"]}
        self.ends |= blocks - sources - {1}

    def count_paths(self):
        """The number of paths, or None where there are more than ENUMERATION_LIMIT."""
        count = 0
        open_blocks = [0, *self.starts]
        while open_blocks:
            block = open_blocks.pop()
            count += (block == 1) + (block in self.ends)
            open_blocks += self.successors[block]
            if count > ENUMERATION_LIMIT:
                return None
        return count

    def is_path(self, blocks, start):
        starts_well = blocks[0] == 0 if start == "entry" else blocks[0] in self.starts
        ends_well = blocks[-1] == 1 or blocks[-1] in self.ends
        return starts_well and ends_well and all(
            after in self.successors[before] for before, after in zip(blocks, blocks[1:]))


def executed(function):
    """Interesting and residual paths, under mode=preferential."""
    return [*function["paths"], *function.get("residual", [])]


def numbering_failures(function):
    """What is wrong with the numbers of a function's paths, looking only at its graph."""
    graph = Graph(function)
    count = graph.count_paths()
    if count is not None and int(function["num_paths"]) != count:
        yield f"num_paths is {function['num_paths']}, but there are {count} paths"
    ids = [int(path["id"]) for path in executed(function)]
    if len(set(ids)) != len(ids) or max(ids) >= int(function["num_paths"]):
        yield f"ids not unique or not below {function['num_paths']}: {ids}"
    walks = {(path["start"], *path["blocks"]) for path in executed(function)}
    if len(walks) != len(ids):
        yield "two ids for one path"
    for path in executed(function):
        if not graph.is_path(path["blocks"], path["start"]):
            yield f"path {path['id']} does not follow the edges"


def observed_paths(function, lines):
    """The executed paths as (start, observed lines, end)."""
    lines_of = {block["id"]: [line for line in block["lines"] if line in lines]
                for block in function["blocks"]}
    paths = collections.Counter()
    for path in executed(function):
        observed = tuple(line for block in path["blocks"] for line in lines_of[block])
        paths[path["start"], observed, path["end"]] += int(path["count"])
    return paths


def some(paths):
    return dict(list(paths.items())[:3])


def path_failures(program, functions):
    """At stage source the executed paths are those of the definition."""
    for name, wanted in program.paths.items():
        actual = observed_paths(functions[name], program.observed)
        if actual != wanted:
            yield f"{name}: missing {some(wanted - actual)}, too many {some(actual - wanted)}"


def count_failures(program, functions):
    """Later the graph is another one: calls and executions of marked statements stay the same."""
    counts = collections.Counter()
    for function in functions.values():
        for (_, lines, _), count in observed_paths(function, program.marks).items():
            counts.update({line: count * lines.count(line) for line in set(lines)})
    wanted = program.mark_counts()
    if counts != wanted:
        yield f"missing lines {some(wanted - counts)}, too many {some(counts - wanted)}"
    for name in program.paths:
        # At late a clone may have taken the function's place.
        clones = [function for clone, function in functions.items() if clone.split(".")[0] == name]
        calls = sum(path["count"] for function in clones for path in executed(function) if path["start"] == "entry")
        if calls != program.calls(name):
            yield f"{name}: {calls} calls, wanted {program.calls(name)}"


def profile_failures(program, profile, stage):
    functions = {function["name"]: function for function in profile["functions"]}
    yield from (path_failures if stage == "source" else count_failures)(program, functions)
    for name, function in functions.items():
        if executed(function):
            for failure in numbering_failures(function):
                yield f"{name}: {failure}"


def run(folder, *command):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=900, check=True,
                          stdin=subprocess.DEVNULL).stdout


def build_and_check(folder, program, level, stage, *arguments, program_name=None):
    """What is wrong with a build of prog.c; the arguments are further ones of the plugin."""
    program_name = program_name or f"prog{level}-{stage}"
    arguments = (f"stage={stage}", f"paths-max={NO_LIMIT}", *arguments)
    run(folder, BUILD / "bin/pathprof-gcc", level, "-g", "-w",
        *(f"-fplugin-arg-pathprof-{argument}" for argument in arguments), *FLAGS, "prog.c", "-o", program_name)
    output = run(folder, f"./{program_name}")
    if output != program.output:
        return [f"prints {output!r}, wanted {program.output!r}"]
    profile = f"{program_name}.pathprof"
    run(folder, BUILD / "bin/pathdump", "check", profile)
    exported = run(folder, BUILD / "bin/pathdump", "export", profile)
    return list(profile_failures(program, json.loads(exported), stage))


def check_seed(folder, seed):
    """What is wrong with one program; its source is left in the folder only then."""
    folder.mkdir()
    program = Program(seed)
    (folder / "prog.c").write_text(program.text)
    failures = []
    for level, stage in CONFIGURATIONS:
        what = f"seed {seed} {level} {stage}"
        try:
            failures += [f"{what}: {text}" for text in build_and_check(folder, program, level, stage)]
        except subprocess.CalledProcessError as error:
            failures.append(f"{what}: {error}\n{error.stdout}{error.stderr}")
    for file in folder.iterdir():
        if not failures or file.suffix != ".c":
            file.unlink()
    if not failures:
        folder.rmdir()
    return failures


@pytest.mark.parametrize("first", range(FIRST, FIRST + COUNT, BATCH))
def test_random_programs(first, tmp_path):
    seeds = range(first, min(first + BATCH, FIRST + COUNT))
    folders = [tmp_path / f"seed{seed}" for seed in seeds]
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        failures = [failure for result in pool.map(check_seed, folders, seeds) for failure in result]
    assert not failures, f"sources in {tmp_path}\n" + "\n".join(failures)
