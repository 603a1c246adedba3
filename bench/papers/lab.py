# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds programs in the variants of an experiment, runs them, and queries pathdump for the counts.

Builds and counts are kept in the cache directory, under a key of everything they depend on. Counts do not depend on the location
of the cache: a program and its files are copied or linked to the directory above the working directory of the run, because
programs process their own names. The addresses of objects influence paths in hash tables of addresses (in lua, for example), so
programs run without address space randomisation, and the name of the cache is not compiled into them.
"""

import hashlib
import json
import math
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import runner
from inputs import Inputs
from programs import Builder, Toolchain, Workload, profiled
from results import Estimate, estimate
from runner import Runner, in_turn
from subjects import PROGRAMS

FIXED_ADDRESSES = ["setarch", "-R"]


@dataclass(frozen=True)
class Variant:
    """A way to compile a program: by pathprof with plugin arguments, or by GCC alone (`arguments` is None)."""

    name: str
    arguments: tuple[str, ...] | None = None
    flags: tuple[str, ...] = ()


BASE = Variant("base")
ARCS = Variant("arcs", flags=("-fprofile-arcs",))


def ours(name: str, *arguments: str, flags: tuple[str, ...] = ()) -> Variant:
    return Variant(name, arguments, flags)


class Lab:
    def __init__(self, build: Path, cache: Path | None, scratch: Path, workloads: list[Workload], gcc: str, rounds: int):
        self.build = build.absolute()
        needed = sorted(set().union(*(workload.packages(PROGRAMS) for workload in workloads)))
        fetched = subprocess.run([runner.HERE / "fetch", "--only", ",".join(needed), *([cache] if cache else [])], check=True,
                                 stdout=subprocess.PIPE, text=True).stdout
        self.packages = Path(fetched.strip()).resolve()
        self.cache = self.packages.parent
        self.inputs = Inputs(self.packages, self.cache / "inputs")
        self.scratch = scratch
        self.runner = Runner(scratch, {"PATH": os.defpath})
        self.gcc = gcc
        self.rounds = rounds
        self.can_fix_addresses = subprocess.run([*FIXED_ADDRESSES, "true"], capture_output=True).returncode == 0

    # ---- building and running ----

    def toolchain(self, variant: Variant, level: str) -> Toolchain:
        flags = (f"-{level}", *variant.flags, f"-ffile-prefix-map={self.cache}=cache", f"-ffile-prefix-map={runner.HERE}=bench")
        if variant.arguments is None:
            return Toolchain(self.gcc, flags)
        return profiled(self.build, *flags, *(f"-fplugin-arg-pathprof-{argument}" for argument in variant.arguments))

    def binary(self, variant: Variant, workload: Workload, level: str) -> Path:
        builder = Builder(self.packages, self.cache / "build", self.toolchain(variant, level), self.scratch / "build")
        try:
            return builder.build(PROGRAMS[workload.program])
        except RuntimeError as error:
            raise runner.Failure(f"{variant.name} does not build {workload.program}:\n{error}") from error

    def brought(self, file: Path) -> str:
        """Copies or links the file, and returns the name by which a program refers to it."""
        near = self.scratch / file.name
        near.unlink(missing_ok=True)
        if os.access(file, os.X_OK):
            shutil.copy(file, near)
        else:
            near.symlink_to(file)
        return f"../{near.name}"

    def near_command(self, variant: Variant, workload: Workload, level: str, size: int) -> list[str]:
        """Returns a command that is valid for one run, until the files are replaced by those of another command."""
        return self.inputs.command(self.binary(variant, workload, level), workload, size, self.brought)

    def command(self, variant: Variant, workload: Workload, level: str, size: int) -> list[str]:
        return [*(FIXED_ADDRESSES if self.can_fix_addresses else []), *self.near_command(variant, workload, level, size)]

    def run_key(self, variant: Variant, workload: Workload, level: str, size: int) -> str:
        """Returns the key for the results of a run, which depends on the compiler, flags, sources and inputs."""
        key = repr((self.toolchain(variant, level).key(), PROGRAMS[workload.program], workload, size))
        return f"{workload.name}-{hashlib.sha256(key.encode()).hexdigest()[:20]}"

    def profile(self, variant: Variant, workload: Workload, size: int, level: str = "O2") -> Path:
        """Returns the profile of a run on an input of that size."""
        file = self.cache / "profiles" / f"{self.run_key(variant, workload, level, size)}.pathprof"
        if not file.exists():
            self.tell(f"{workload.name}: {variant.name}, size {size}")
            self.runner.time(self.command(variant, workload, level, size), workload)
            file.parent.mkdir(parents=True, exist_ok=True)
            part = file.with_suffix(".part")
            shutil.copy(self.runner.profiles / "profile.pathprof", part)
            part.rename(file)
        return file

    # ---- counts and costs ----

    def ask(self, command: str, *arguments) -> dict:
        """Returns the JSON output of a pathdump command."""
        done = subprocess.run([self.build / "bin/pathdump", command, *([] if command == "export" else ["--json"]), *map(str, arguments)],
                              capture_output=True, text=True)
        if done.returncode not in (0, 1):
            raise runner.Failure(f"pathdump {command}: {done.stderr}")
        return json.loads(done.stdout)

    def instructions(self, variant: Variant, workload: Workload, level: str = "O2") -> float:
        """Returns the instructions executed on the small input (valgrind), including start and writing of the profile."""
        file = self.cache / "instructions" / self.run_key(variant, workload, level, workload.small)
        if not file.exists():
            self.tell(f"{workload.name}: {variant.name}, counting instructions")
            command = self.near_command(variant, workload, level, workload.small)
            counted = self.runner.instructions(command, workload)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(str(counted))
        return float(file.read_text())

    def memory(self, variant: Variant, workload: Workload, level: str = "O2") -> float:
        """Returns the maximum resident memory on the input for measuring time, in MB."""
        with tempfile.TemporaryFile() as complaints, open(workload.stdin or os.devnull, "rb") as source:
            child = subprocess.Popen(self.command(variant, workload, level, workload.size), cwd=self.runner.profiles, stdin=source,
                                     stdout=subprocess.DEVNULL, stderr=complaints, env=self.runner.environment)
            usage = os.wait4(child.pid, 0)[2]
        return usage.ru_maxrss / 1024

    def times(self, variants: list[Variant], workload: Workload, level: str = "O2") -> dict[str, Estimate]:
        """Returns processor times relative to the first variant, as medians over the rounds; the variants run in turn."""
        by_name = {variant.name: variant for variant in variants}
        samples: dict[str, list[float]] = {name: [] for name in by_name}

        def cost(name: str) -> float:
            return self.runner.time(self.command(by_name[name], workload, level, workload.size), workload)

        for number in range(self.rounds):
            self.tell(f"{workload.name}: round {number + 1} of {self.rounds}")
            costs = in_turn(list(by_name), number, cost)
            for name, value in costs.items():
                samples[name].append(value / costs[variants[0].name])
        return {name: estimate(values) for name, values in samples.items()}

    def tell(self, text: str) -> None:
        runner.progress(text)


def geometric_mean(values: list[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan
