# SPDX-License-Identifier: GPL-3.0-or-later
"""Defines the compared variants: compilers with and without instrumentation, and the pairs for ratios."""

import argparse
import re
from dataclasses import dataclass, replace
from pathlib import Path

from programs import Toolchain, profiled

LEVELS = ["O2", "O3"]
ASSEMBLER = Path(__file__).resolve().parent / "sleds/as"


@dataclass(frozen=True)
class Variant:
    name: str
    label: str
    compiler: str  # gcc, clang, or pathprof (the driver of a build tree)
    flags: tuple[str, ...] = ()
    simpler: str = ""  # variant with which a path model is compared
    through_calls: bool = False  # interprocedural paths; some calls are truncation points
    trained_by: str = ""  # built once per workload, with the profile of this variant in the directory {training} or next to the objects
    writes_profile: bool = True
    assembled: str = ""  # option of bench/sleds/as, if it replaces the assembler

    @property
    def reference(self) -> str:
        """Returns the variant of the same compiler without instrumentation; pathprof-gcc is GCC with a plugin."""
        return "clang-base" if self.compiler == "clang" else "base"

    @property
    def is_ours(self) -> bool:
        return self.compiler == "pathprof"


def _ours(name: str, label: str, *arguments: str) -> Variant:
    return Variant(name, label, "pathprof", tuple(f"-fplugin-arg-pathprof-{argument}" for argument in arguments))


def _model(name: str, label: str, simpler: str, *arguments: str) -> Variant:
    return Variant(name, label, "pathprof", tuple(f"-fplugin-arg-pathprof-{text}" for text in arguments), simpler)


def _through_calls(name: str, label: str, *arguments: str) -> Variant:
    return Variant(name, label, "pathprof", tuple(f"-fplugin-arg-pathprof-{text}" for text in arguments),
                   through_calls=True)


def _trained(name: str, label: str, simpler: str, *flags: str, by: str = "early", writes_profile: bool = False) -> Variant:
    return Variant(name, label, "pathprof", flags, simpler, trained_by=by, writes_profile=writes_profile)


VARIANTS = {
    variant.name: variant
    for variant in [
        Variant("base", "GCC", "gcc"),
        Variant("arcs", "GCC `-fprofile-arcs`", "gcc", ("-fprofile-arcs",)),
        Variant("generate", "GCC `-fprofile-generate`", "gcc", ("-fprofile-generate",)),
        # Available from GCC 14 (conditions) and GCC 15 (paths) on; reports coverage without counts.
        Variant("condition-coverage", "GCC `-fcondition-coverage`", "gcc", ("-fcondition-coverage",)),
        Variant("path-coverage", "GCC `-fpath-coverage`", "gcc", ("-fpath-coverage",)),
        # Arguments for coverage of conditions and of prime paths.
        _ours("conditions", "`conditions=1`", "conditions=1"),
        _ours("prime", "`mode=kipf,k=auto,stage=source`", "mode=kipf", "k=auto", "stage=source"),
        Variant("clang-base", "clang", "clang"),
        Variant("clang-instr", "clang `-fprofile-instr-generate`", "clang", ("-fprofile-instr-generate",)),
        Variant("clang-generate", "clang `-fprofile-generate`", "clang", ("-fprofile-generate",)),
        _ours("source", "`stage=source`", "stage=source"),
        _ours("source-basic", "`stage=source,termination=basic`", "stage=source", "termination=basic"),
        _ours("early", "`stage=early`", "stage=early"),
        _ours("late", "`stage=late`", "stage=late"),
        _ours("exact", "`termination=exact`", "termination=exact"),
        _ours("late-exact", "`stage=late,termination=exact`", "stage=late", "termination=exact"),
        _ours("atomic", "`update=atomic`", "update=atomic"),
        _ours("thread", "`update=thread`", "update=thread"),
        _ours("single", "`update=single`", "update=single"),
        # Switched off, as at start.
        _ours("switch", "`switch=1`, off", "switch=1"),
        # Designs that were not implemented: a switch check before each function, and code patched at run time, there or at switch points.
        Variant("entry-tests", "a test before each function", "gcc", assembled="--entries=test"),
        Variant("entry-sleds", "a nop before each function", "gcc", assembled="--entries=sled"),
        replace(_ours("switch-sleds", "`switch=1` with nops instead of tests", "switch=1"), assembled="--switched=sled", writes_profile=False),
        _ours("hash", "`array-max=0`", "array-max=0"),
        _ours("values", "`values=1`", "values=1"),
        # Counters are always in arrays, to exclude the cost of hash tables.
        _model("kiter2", "`mode=kiter`, k = 2", "early", "mode=kiter", "array-max=60000"),
        _model("kiter3", "`mode=kiter`, k = 3", "early", "mode=kiter", "k=3", "array-max=60000"),
        _ours("intracontext", "`mode=intracontext`", "mode=intracontext"),
        _model("kipf4", "`mode=kipf,k=4`", "hash", "mode=kipf", "k=4"),
        _model("kipf10", "`mode=kipf,k=10`", "hash", "mode=kipf", "k=10"),
        _through_calls("context", "`mode=context`", "mode=context", "termination=basic"),
        _through_calls("piecewise", "`mode=piecewise`", "mode=piecewise", "termination=basic"),
        _through_calls("no-calls", "`mode=context,hybrid=all`", "mode=context", "hybrid=all", "termination=basic"),
        Variant("profile-use", "GCC `-fprofile-use`", "gcc", ("-fprofile-use", "-Werror=missing-profile"),
                trained_by="generate", writes_profile=False),
        # Excludes value profiles, which pathprof collects only with values=1.
        Variant("profile-use-edges", "`-fprofile-use -fno-profile-values`", "gcc",
                ("-fprofile-use", "-fno-profile-values", "-fno-vpt", "-Werror=missing-profile"), "profile-use",
                trained_by="generate", writes_profile=False),
        _trained("use", "`--pathprof-use`", "profile-use", "--pathprof-use={training}/profile.pathprof"),
        _trained("use-values", "`--pathprof-use`, with values", "profile-use", "--pathprof-use={training}/profile.pathprof",
                 by="values"),
        _trained("use-thread", "`rebuild=counts,thread`", "profile-use", "--pathprof-use={training}/profile.pathprof",
                 "-fplugin-arg-pathprof-rebuild=counts,thread"),
        _trained("preferential", "`mode=preferential`", "early", "-fplugin-arg-pathprof-mode=preferential",
                 "-fplugin-arg-pathprof-interesting={training}/profile.pathprof", writes_profile=True),
        # All paths are in hash tables or forests, to compare the cost of sequences with that of counts.
        _model("kipf10-hash", "`mode=kipf,k=10,array-max=0`", "hash", "mode=kipf", "k=10", "array-max=0"),
    ]
}
# Default measurements: the stages, and other compilers and arguments compared with the default stage.
STAGES = ["base", "arcs", "source", "early", "late"]
OTHERS = ["base", "arcs", "generate", "clang-base", "clang-instr", "clang-generate", "early", "exact", "atomic", "thread"]
COVERAGE = {"condition-coverage", "path-coverage", "conditions", "prime"}
LEFT_OUT = "left-out"
# Message about each function that is not covered: a warning of GCC, or a note of pathprof with verbose=1.
LEFT_OUT_SAID = re.compile(r"\[-Wcoverage-too-many-(?:conditions|paths)\]|note: pathprof: .* is left out: ")


def kind_of(names: list[str]) -> str:
    """Returns the kind of table in doc/performance.md for these variants."""
    chosen = [VARIANTS[name] for name in names]
    if COVERAGE & set(names):
        return "coverage"
    if any(variant.trained_by for variant in chosen):
        return "rebuilds"
    if any(variant.through_calls for variant in chosen):
        return "calls"
    if any(variant.simpler for variant in chosen):
        return "models"
    return "others" if set(names) - set(STAGES) else "time"


def place_of(cost: str, level: str, names: list[str], sets: set[str]) -> tuple[str, str]:
    """Returns the kind and level under which results are kept. `sets` contains the sets of the measured programs. All costs of coverage
    have the same kind, and so do all costs of the check set."""
    kind = kind_of(names)
    if kind != "rebuilds" and sets == {"check"}:
        return "check", f"{level}, {cost}"
    if kind == "coverage":
        return kind, f"{level}, {cost}"
    return kind if cost == "time" else cost, level


@dataclass(frozen=True)
class Ratio:
    over: str
    under: str

    def __str__(self) -> str:
        return f"{self.over}÷{self.under}"


def ratios_to_base(variants: list[str]) -> list[Ratio]:
    """Returns the ratios of instrumented variants to the same compiler without instrumentation."""
    return [Ratio(name, VARIANTS[name].reference) for name in variants
            if VARIANTS[name].reference in variants and name != VARIANTS[name].reference]


def ratios_to_arcs(variants: list[str]) -> list[Ratio]:
    """Returns the ratios of pathprof variants to GCC's edge counters."""
    return [Ratio(name, "arcs") for name in variants if VARIANTS[name].is_ours and "arcs" in variants]


def ratios_to_simpler(variants: list[str]) -> list[Ratio]:
    """Returns the ratios of path models to simpler models, and of rebuilt programs to GCC's own rebuilds."""
    return [Ratio(name, VARIANTS[name].simpler) for name in variants if VARIANTS[name].simpler in variants]


def toolchain(name: str, level: str, options: argparse.Namespace, target: str | None = None) -> Toolchain:
    """Returns the toolchain of a variant. `options` contains the build directory and the names of the compilers. If `target` is not
    None, the compilers must be cross compilers for this target."""
    variant = VARIANTS[name]
    flags = (f"-{level}", *variant.flags)
    chain = profiled(options.build.absolute(), *flags, target=target) if variant.is_ours else Toolchain(getattr(options, variant.compiler), flags)
    if variant.assembled:
        chain = replace(chain, flags=(*chain.flags, f"-B{ASSEMBLER.parent}/", f"-Wa,{variant.assembled}"),
                        depends=(*chain.depends, ASSEMBLER))
    return chain


def _known(text: str, known: list[str], what: str) -> list[str]:
    names = text.split(",")
    unknown = [name for name in names if name not in known]
    if unknown:
        raise argparse.ArgumentTypeError(f"unknown {what}: {', '.join(unknown)}; expected: {', '.join(known)}")
    return names


def selection(options: argparse.Namespace) -> list[str]:
    """Returns the command-line options that select the measurements."""
    return [f"--variants {','.join(options.variants)}", *([] if options.programs == "*" else [f"--programs '{options.programs}'"]),
            *([] if options.train == "same" else [f"--train {options.train}"])]


def add_options(parser: argparse.ArgumentParser, groups: list[list[str]]) -> None:
    """Adds the options shared by bench and cost. Without --variants, `groups` are measured one after the other."""
    parser.add_argument("build", type=Path, help="build directory of pathprof")
    parser.add_argument("--level", type=lambda text: _known(text, ["O0", *LEVELS], "levels"), default=LEVELS, metavar="LIST",
                        help=f"default: {','.join(LEVELS)}")
    parser.add_argument("--variants", type=lambda text: _known(text, list(VARIANTS), "variants"),
                        metavar="LIST", help=f"of {', '.join(VARIANTS)}; default: {' and '.join(map(','.join, groups))}")
    parser.add_argument("--programs", default="*", metavar="GLOBS", help="workloads, or sets of them (check, tuning, kernels), separated by commas")
    parser.add_argument("--train", choices=["same", "small"], default="same",
                        help="training input of rebuilt programs: the input for measuring time, or the input for counting instructions; default: %(default)s")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the measurements to FILE, for bench/report")
    parser.add_argument("--gcc", default="gcc", help="compiler for variants without the plugin")
    parser.add_argument("--clang", default="clang", help="compiler for clang's variants")
    parser.add_argument("--cache", type=Path, help="directory of packages and builds, see bench/fetch")
