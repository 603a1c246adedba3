# SPDX-License-Identifier: GPL-3.0-or-later
"""The paths through calls are those of a block trace.

As in test_traces.py, a second plugin lets each activation record its blocks, and here its end.  Which call an activation
came from, and so which path it belongs to, follows from the order of all steps.  Of the profile only graphs, cuts and
the kinds of calls are believed; its paths, decoded, must be those that the trace has by the definition.
"""

import collections
import copy
import json
import os
import subprocess

import pytest

from conftest import BUILD, FLAGS, HERE
from random_program import Program

COUNT = int(os.environ.get("PATHPROF_TRACED_PROGRAMS", "16"))
FIRST = int(os.environ.get("PATHPROF_RANDOM_FIRST", "1"))
CUT = {"back", "abnormal", "cut"}
UNWINDING = {"eh", "abnormal"}
MODES = ("context", "piecewise")
OPTIONS = ((), ("recursion=split",), ("termination=exact",), ("termination=exact", "hybrid=leaf"), ("hybrid=all",),
           ("hybrid=leaf",), ("hybrid=static", "array-max=20"), ("update=thread", "array-max=20"),
           ("update=atomic", "hybrid=file"), ("wide=1",))
LEVELS = ("-O0", "-O1", "-O2", "-O3")


class Function:
    """What is believed of the profile."""

    def __init__(self, exported):
        self.flags = {(edge["src"], edge["dst"]): set(edge["flags"]) for edge in exported["edges"]}
        self.goes_on = {edge["src"] for edge in exported["edges"]}
        self.calls = collections.defaultdict(list)
        for call in exported["calls"]:
            self.calls[call["block"]].append(call)

    def last_call(self, block):
        """That the block ends in, or None."""
        calls = self.calls[block]
        return calls[-1] if calls and calls[-1]["ends_block"] else None

    def flags_between(self, before, after):
        """Of the edge; GCC's dispatchers of abnormal edges record nothing."""
        direct = self.flags.get((before, after))
        if direct is not None:
            return direct
        (through,) = {middle for source, middle in self.flags if source == before and (middle, after) in self.flags}
        return self.flags[before, through] | self.flags[through, after]


def is_external(call):
    return call["callee"] is None and call["reason"] != "indirect"


class Activation:
    def __init__(self, name, call, path):
        self.name = name
        self.call = call  # of the caller that control came through; None: from elsewhere
        self.path_on_entry = path
        self.block = 0
        self.next_call = 0  # in the block
        self.in_call = None

    def find_call(self, function, callee):
        """Where in the block the call is that control is at when the callee begins; None: at none of these calls."""
        calls = function.calls[self.block]
        for place in range(self.next_call, len(calls)):
            if calls[place]["callee"] == callee or calls[place].get("reason") == "indirect":
                return place
        return next((place for place in range(self.next_call, len(calls)) if is_external(calls[place])), None)


class Definition:
    """Writes down the paths of a trace, as the JSON export has them."""

    def __init__(self, functions, is_piecewise):
        self.functions = functions
        self.is_piecewise = is_piecewise
        self.counts = collections.Counter()
        self.stack = {}  # activations by their numbers, innermost last
        self.path = None  # steps, and how many are context
        self.waiting = []

    def run(self, file):
        with open(file, encoding="utf-8") as steps:
            for step in steps:
                number, what = step.split()
                if not what.isdigit():
                    self.begin(number, what)
                    continue
                while next(reversed(self.stack)) != number:
                    self.unwind()
                if what == "1":
                    self.leave(number)
                else:
                    self.arrive(self.stack[number], int(what))
        while self.stack:
            self.unwind()
        return self.counts

    def top(self):
        return next(reversed(self.stack.values())) if self.stack else None

    def record(self):
        steps, context = self.path
        self.counts[tuple((name, site, tuple(blocks)) for name, site, blocks in steps), context] += 1

    def restart(self, activation, block, site=None):
        self.path = ([], 0) if self.is_piecewise else copy.deepcopy(activation.path_on_entry)
        steps = self.path[0]
        self.path = ([*steps, (activation.name, site, [block])], len(steps))

    def pass_calls(self, activation, place=None):
        """External calls leave no trace; control comes back from those before that place."""
        calls = self.functions[activation.name].calls[activation.block]
        for call in calls[activation.next_call:place]:
            if is_external(call):
                self.record()
                self.restart(activation, activation.block, call["site"])

    def leave_block(self, activation, flags):
        last = self.functions[activation.name].last_call(activation.block)
        if last and is_external(last) and flags & UNWINDING:
            self.pass_calls(activation, -1)
            self.record()
            activation.in_call = last
        else:
            self.pass_calls(activation)

    def begin(self, number, name):
        caller = self.top()
        call = None
        if caller:
            place = caller.find_call(self.functions[caller.name], name)
            if place is not None:
                self.pass_calls(caller, place)
                call = self.functions[caller.name].calls[caller.block][place]
                caller.next_call = place + 1
            caller.in_call = call
        kind = call["kind"] if call else "summary"
        if kind == "whole":
            self.path[0].extend([("call " + name, call["site"], []), (name, None, [0])])
        else:
            if kind == "split":
                self.record()
            self.waiting.append(self.path)
            self.path = ([(name, None, [0])], 0)
        self.stack[number] = Activation(name, call, copy.deepcopy(self.path))

    def leave(self, number):
        self.pass_calls(self.stack[number])
        self.path[0][-1][2].append(1)
        callee = self.stack.pop(number)
        kind = callee.call["kind"] if callee.call else "summary"
        caller = self.top()
        if kind == "whole":
            self.path[0].append((caller.name, callee.call["site"], []))
        else:
            self.record()
            self.path = self.waiting.pop()
            if kind == "split":
                self.restart(caller, caller.block, callee.call["site"])
        if caller:
            caller.in_call = None

    def unwind(self):
        activation = self.top()
        # A call that does not come back is the last of its block; before it the path was counted.
        is_counted = activation.in_call is None or activation.in_call["kind"] == "summary"
        last = self.functions[activation.name].last_call(activation.block)
        if is_counted and last and is_external(last):
            self.pass_calls(activation, -1)
            self.record()
        elif is_counted:
            self.pass_calls(activation)
        if is_counted and activation.block not in self.functions[activation.name].goes_on:
            self.record()
        self.stack.popitem()
        if not activation.call or activation.call["kind"] != "whole":
            self.path = self.waiting.pop()

    def arrive(self, activation, block):
        flags = self.functions[activation.name].flags_between(activation.block, block)
        if activation.in_call is None:
            self.leave_block(activation, flags)
        leaves_call = activation.in_call and activation.in_call["kind"] != "summary" and flags & UNWINDING
        activation.block, activation.next_call, activation.in_call = block, 0, None
        if leaves_call:
            self.restart(activation, block)
        elif flags & CUT:
            self.record()
            self.restart(activation, block)
        else:
            self.path[0][-1][2].append(block)


def exported_paths(program):
    counts = collections.Counter()
    for path in program["paths"]:
        steps = tuple(("call " + step["call"], step["site"], ()) if "call" in step else
                      (step["function"], step.get("site"), tuple(step["blocks"])) for step in path["steps"])
        assert (steps, path["prefix_len"]) not in counts
        counts[steps, path["prefix_len"]] = int(path["count"])
    return counts


def failures(folder, runtime, source, level, mode, options=(), more=(), least=0):
    """What the profile of the program, with at least so many paths, says that its trace does not, and the other way
    round."""
    run = {"cwd": folder, "check": True, "capture_output": True, "timeout": 300}
    compiler = BUILD / ("bin/pathprof-g++" if source.suffix == ".cc" else "bin/pathprof-gcc")
    arguments = [f"-fplugin-arg-pathprof-{argument}" for argument in (f"mode={mode}", *options)]
    when = "link" if "-flto" in more else "source"
    subprocess.run([compiler, "-g", "-w", "-fchecking=1", level, *more, f"-fplugin={BUILD}/testsuite/trace_plugin.so",
                    f"-fplugin-arg-trace_plugin-{when}", "-fplugin-arg-trace_plugin-exits", *arguments, *FLAGS,
                    source, runtime, "-o", "program"], **run)
    trace = folder / "trace"
    subprocess.run(["./program"], **run, env={**os.environ, "TRACE_FILE": str(trace)})
    subprocess.run([BUILD / "bin/pathdump", "check", "program.pathprof"], **run)
    exported = json.loads(subprocess.run([BUILD / "bin/pathdump", "export", "program.pathprof"], **run).stdout)
    functions = {function["name"]: Function(function) for function in exported["functions"]}
    wanted = Definition(functions, mode == "piecewise").run(trace)
    (program,) = exported["program_paths"]
    assert int(program["num_paths"]) > least
    actual = exported_paths(program)
    for file in folder.iterdir():
        if file != source:
            file.unlink()
    return f"missing {wanted - actual}, too many {actual - wanted}" if actual != wanted else ""


@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("program", ("calls.c", "selects.c", "throws.cc"))
def test_programs(program, mode, options, tmp_path, runtime):
    level = LEVELS[(OPTIONS.index(options) + MODES.index(mode)) % len(LEVELS)]
    assert failures(tmp_path, runtime, (HERE / "../trace" / program).resolve(), level, mode, options) == ""


@pytest.mark.parametrize("more", ((), ("-flto",)), ids=" ".join)
@pytest.mark.parametrize("update", ("single", "atomic", "thread"))
@pytest.mark.parametrize("mode", MODES)
def test_wide_numbers(mode, update, more, tmp_path, runtime):
    level = LEVELS[("single", "atomic", "thread").index(update) + MODES.index(mode)]
    options = ("wide=1", f"update={update}")
    assert failures(tmp_path, runtime, (HERE / "../trace/tower.cc").resolve(), level, mode, options, more, 1 << 64) == ""


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_random_programs(seed, tmp_path, runtime):
    source = tmp_path / f"seed{seed}.c"
    source.write_text(Program(seed).text)
    options = OPTIONS[seed // 2 % len(OPTIONS)]
    assert failures(tmp_path, runtime, source, LEVELS[seed % len(LEVELS)], MODES[seed % 2], options) == ""


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("program", ("calls.c", "throws.cc"))
def test_programs_that_are_instrumented_when_linked(program, mode, level, tmp_path, runtime):
    source = (HERE / "../trace" / program).resolve()
    assert failures(tmp_path, runtime, source, level, mode, more=("-flto",)) == ""


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT // 2))
def test_random_programs_that_are_instrumented_when_linked(seed, tmp_path, runtime):
    source = tmp_path / f"seed{seed}.c"
    source.write_text(Program(seed).text)
    options = OPTIONS[seed // 2 % len(OPTIONS)]
    assert failures(tmp_path, runtime, source, LEVELS[seed // 2 % len(LEVELS)], MODES[seed % 2], options, ("-flto",)) == ""
