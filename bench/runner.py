# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds and runs workloads and measures their costs."""

import argparse
import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Callable, Iterable, Mapping, TypeVar

from emulator import Emulator
from inputs import Inputs
from programs import PROGRAMS, WORKLOADS, Builder, Toolchain, Workload
from results import Series
from variants import VARIANTS, toolchain

HERE = Path(__file__).resolve().parent
Measured = TypeVar("Measured")
TIMES_IN_OUTPUT = re.compile(rb"\d+\.\d+s")


class Failure(Exception):
    """An error that is reported to the user without a traceback."""


def selected(globs: str) -> list[Workload]:
    named = globs.split(",")
    found = [workload for workload in WORKLOADS if workload.name in named or
             not workload.only_named and any(fnmatch.fnmatch(workload.name, glob) or workload.group == glob for glob in named)]
    if not found:
        raise Failure(f"no workload matches {globs}; expected: {', '.join(workload.name for workload in WORKLOADS)}")
    return found


def fetch(workloads: list[Workload], cache: Path | None) -> Path:
    """Returns the directory of the packages, after fetching the packages for the workloads."""
    return fetch_packages(set().union(*(workload.packages() for workload in workloads)), cache)


def fetch_packages(names: Iterable[str], cache: Path | None) -> Path:
    command = [HERE / "fetch", "--only", ",".join(sorted(names)), *([cache] if cache else [])]
    return Path(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip())


def in_turn(variants: list[str], number: int, cost: Callable[[str], Measured]) -> dict[str, Measured]:
    """Measures one round: forwards if the number is even, backwards if it is odd."""
    order = variants if number % 2 == 0 else variants[::-1]
    costs = {variant: cost(variant) for variant in order}
    return {variant: costs[variant] for variant in variants}


def processor_time(command: list, expected_status: int = 0, **more) -> float:
    """Returns the seconds (user and system) of a command and its children. Output on stderr is a failure."""
    with tempfile.TemporaryFile() as complaints:
        child = subprocess.Popen(command, stderr=complaints, **more)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        complaints.seek(0)
        told = complaints.read().decode(errors="replace")
    if child.returncode != expected_status or told:
        raise Failure(f"{' '.join(map(str, command))}: exit status {child.returncode}\n{told}")
    return usage.ru_utime + usage.ru_stime


class Runner:
    """Runs programs in a directory below `scratch`, where they write their profiles. The inherited environment has little effect
    on the cost; for exact measurements, it is always the same. Programs for another target run under its emulator."""

    def __init__(self, scratch: Path, inherited: Mapping[str, str] = os.environ, target: str | None = None):
        self.profiles = scratch / "profiles"
        self.target = target
        self.emulator = Emulator(target, scratch) if target else None
        self.environment = dict(inherited) | {
            "GCOV_PREFIX": ".",
            "GCOV_PREFIX_STRIP": "99",
            "LLVM_PROFILE_FILE": "profile.profraw",
            "PATHPROF_FILE": "profile.pathprof",
            "LC_ALL": "C",
        }

    def run(self, command: list[str], workload: Workload, stdout) -> float:
        """Returns the seconds of processor time."""
        shutil.rmtree(self.profiles, ignore_errors=True)
        self.profiles.mkdir()
        with open(workload.stdin or os.devnull, "rb") as source:
            return processor_time(command, workload.status, stdin=source, stdout=stdout, cwd=self.profiles,
                                  env=self.environment)

    def has_profile(self) -> bool:
        return any(file.stat().st_size for file in self.profiles.rglob("*") if file.is_file())

    def time(self, command: list[str], workload: Workload) -> float:
        return self.run(command, workload, subprocess.DEVNULL)

    def output(self, command: list[str], workload: Workload) -> bytes:
        with tempfile.TemporaryFile() as file:
            self.run([*(self.emulator.command if self.emulator else []), *command], workload, file)
            file.seek(0)
            return TIMES_IN_OUTPUT.sub(b"", file.read())

    def instructions(self, command: list[str], workload: Workload) -> float:
        """Returns the executed user-space instructions, measured with the fastest exact tool of valgrind, or by the emulator."""
        if self.emulator:
            self.run([*self.emulator.counting(), *command], workload, subprocess.DEVNULL)
            return self.emulator.count()
        counts = self.profiles.with_name("instructions")
        counter = ["valgrind", "-q", "--log-file=/dev/null", "--tool=cachegrind", "--cache-sim=no",
                   f"--cachegrind-out-file=../{counts.name}"]
        self.run([*counter, *command], workload, subprocess.DEVNULL)
        return float(re.search(r"^summary: (\d+)", counts.read_text(), re.MULTILINE).group(1))


class Level:
    """The builders of all variants at one optimisation level."""

    def __init__(self, level: str, options: argparse.Namespace, packages: Path, runner: Runner):
        self.runner = runner
        self.packages = packages
        self.inputs = Inputs(packages, packages.parent / "inputs")
        self.variants = options.variants
        self.train = options.train
        self.pathdump = options.build / "bin/pathdump"
        trainers = [VARIANTS[name].trained_by for name in self.variants if VARIANTS[name].trained_by]
        toolchains = {name: toolchain(name, level, options, runner.target) for name in [*self.variants, *trainers]}
        self.builders = {name: Builder(packages, packages.parent / "build", toolchains[name]) for name in toolchains}
        self.binaries: dict[tuple[str, str], Path] = {}

    def binary(self, variant: str, workload: Workload) -> Path:
        """Returns the binary, which is built on the first request."""
        program = PROGRAMS[workload.program]
        is_trained = bool(VARIANTS[variant].trained_by)
        key = (variant, workload.name if is_trained else program.name)
        if key not in self.binaries:
            try:
                builder = self.trained_builder(variant, workload) if is_trained else self.builders[variant]
                self.binaries[key] = builder.build(program)
            except RuntimeError as error:
                raise Failure(f"variant {variant} does not build {program.name}:\n{error}") from error
        return self.binaries[key]

    def trained_builder(self, variant: str, workload: Workload) -> Builder:
        """Returns a builder that uses the profile of a run of the same workload."""
        folder = self.training(VARIANTS[variant].trained_by, workload)
        plain = self.builders[variant]
        flags = tuple(flag.format(training=folder) for flag in plain.toolchain.flags)
        written = tuple(sorted(file for file in folder.iterdir() if file.is_file()))
        chain = Toolchain(plain.toolchain.compiler, flags, (*plain.toolchain.depends, *written))
        builder = Builder(self.packages, plain.folder.parent, chain)
        # GCC searches for an object's profile next to the object.
        builder.folder.mkdir(parents=True, exist_ok=True)
        for file in written:
            if file.suffix == ".gcda":
                shutil.copy(file, builder.folder)
        return builder

    def training(self, variant: str, workload: Workload) -> Path:
        """Returns the directory with the output of a training run, which is executed once."""
        size = workload.small if self.train == "small" else workload.size
        folder = self.packages.parent / "training" / f"{self.builders[variant].folder.name}-{workload.name}-{size}"
        if not folder.exists():
            progress(f"{workload.name}: training, {variant}")
            self.runner.time(self.command(variant, workload, size), workload)
            folder.parent.mkdir(parents=True, exist_ok=True)
            part = folder.with_name(folder.name + ".part")
            shutil.rmtree(part, ignore_errors=True)
            shutil.copytree(self.runner.profiles, part)
            part.rename(folder)
        return folder

    def command(self, variant: str, workload: Workload, size: int) -> list[str]:
        return self.inputs.command(self.binary(variant, workload), workload, size)

    def time(self, variant: str, workload: Workload) -> float:
        return self.runner.time(self.command(variant, workload, workload.size), workload)

    def instructions(self, variant: str, workload: Workload) -> float:
        return self.runner.instructions(self.command(variant, workload, workload.small), workload)

    def check_runs(self, workload: Workload) -> None:
        """Checks that all variants produce the same output, and that instrumented variants write a profile."""
        first, *others = self.variants
        expected = self.output(first, workload)
        for variant in others:
            if self.output(variant, workload) != expected:
                raise Failure(f"{workload.name}: the output of {variant} differs from that of {first}")

    def output(self, variant: str, workload: Workload) -> bytes:
        output = self.runner.output(self.command(variant, workload, workload.small), workload)
        if VARIANTS[variant].flags and VARIANTS[variant].writes_profile and not self.runner.has_profile():
            raise Failure(f"{workload.name}: {variant} wrote no profile")
        return output

    def whole_calls(self, workload: Workload) -> dict[str, list[float]]:
        """Returns, per variant, the percentages of direct call sites and calls that paths go through."""
        return {variant: self.shares(variant, workload) for variant in self.variants if VARIANTS[variant].through_calls}

    def shares(self, variant: str, workload: Workload) -> list[float]:
        self.output(variant, workload)
        listed = subprocess.run([self.pathdump, "functions", "--json", self.runner.profiles / "profile.pathprof"],
                                check=True, capture_output=True, text=True).stdout
        programs = json.loads(listed)["programs"]
        return [round(100 * sum(program["whole_" + kind] for program in programs) /
                      max(1, sum(program[kind] for program in programs)), 2)
                for kind in ("direct_sites", "direct_executions")]

    def series(self, command: str) -> Series:
        """Returns an empty series with a description of the measurement."""
        compilers = dict.fromkeys(self.builders[name].toolchain.version() for name in self.variants
                                  if not VARIANTS[name].is_ours)
        builds = {name: self.builders[name].folder.name for name in self.variants}
        return Series(command, machine(), list(compilers), builds)


def machine() -> str:
    found = re.search(r"^model name\s*: (.*)", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return f"{os.cpu_count()} × {found.group(1) if found else 'unknown processor'}"


def progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
