# SPDX-License-Identifier: GPL-3.0-or-later
"""Fortran, Ada and D from GCC's test suite, and samples of its C and C++ in other dialects and with -flto."""

import hashlib
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "torture"))
import programs as torture
import gcc_suites
from differential import Program, gnatchop
from gcc_suites import NoTests

FOLDERS = ("gfortran.dg", "gfortran.fortran-torture/execute", "gnat.dg", "gdc.test/runnable", "gdc.dg")
# How many programs of a suite: at least 100 of each language shall be applicable.
SAMPLES = {"gfortran.dg": 60, "gfortran.torture": 60, "gnat.dg": 60, "acats": 60, "gdc.test": 80, "gdc.dg": 60}
SMALL_SAMPLE = 25  # of each dialect and each option set of -flto

# Their main returns nothing, which is any status at all before C99, and in D without its runtime.
WITHOUT_STATUS = {"c89/c-torture/pr98736", "gnu89/c-torture/pr98736", "minimal2"}

C_STANDARDS = ("c89", "gnu89", "c99", "c11", "c17", "c2x")
CXX_STANDARDS = ("c++98", "c++11", "c++14", "c++17", "c++20", "c++23")
LTO = {"lto": ("-flto", "-ffat-lto-objects"), "lto-slim": ("-flto", "-fno-fat-lto-objects"), "lto=2": ("-flto=2",),
       "lto-one": ("-flto", "-flto-partition=one"), "lto-none": ("-flto", "-flto-partition=none")}


def sample(programs: list[Program], number: int) -> list[Program]:
    """Always the same ones."""
    return sorted(programs, key=lambda program: hashlib.sha256(program.name.encode()).digest())[:number]


# ---- Fortran ----

def fortran_programs(suite: str, folder: Path, pattern: str, runs_by_default: bool) -> list[Program]:
    found = []
    for file in sorted(folder.glob(pattern)):
        asked = torture.read_directives(file.read_text(errors="replace"), runs_by_default, [], 17)
        if asked.does_run:
            found.append(Program(suite, file.name, (file, *(file.parent / name for name in asked.sources)),
                                 ("-w", *asked.options), "fortran", skipped="for another target" * asked.wrong_target))
    return found


def gfortran_dg(root: Path) -> list[Program]:
    return fortran_programs("gfortran.dg", root / "gfortran.dg", "*.[fF]*", False)


def gfortran_torture(root: Path) -> list[Program]:
    return fortran_programs("gfortran.torture", root / "gfortran.fortran-torture/execute", "*.f90", True)


# ---- Ada ----

def gnat_dg(root: Path) -> list[Program]:
    found = []
    for file in sorted((root / "gnat.dg").glob("*.adb")):
        asked = torture.read_directives(file.read_text(errors="replace"), False, [], 17)
        if asked.does_run:
            options = [option for option in asked.options if option != "-largs"]
            found.append(Program("gnat.dg", file.stem, (file,), ("-gnatws", f"-I{file.parent}", *options), "ada",
                                 skipped="for another target" * asked.wrong_target))
    return found


def acats_name() -> str:
    """The folder with version 2 of the Ada conformity assessment tests, which has others beside it from GCC 16 on."""
    return "ada/acats-2" if int(gcc_suites.tested_major) >= 16 else "ada/acats"


# Chapters of the language; the others are about representation and the library.
ACATS_CHAPTERS = ("c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "cb", "cc")


def acats_support(folder: Path) -> Path:
    """The packages that the programs use, chopped into a file a unit, and without the time of day, which would
    make their output differ."""
    chopped = folder / "chopped"
    if not chopped.exists():
        partial = folder / f"chopped.{id(folder)}"
        partial.mkdir()
        sources = sorted(file for file in (folder / "support").iterdir() if file.suffix in (".a", ".ada"))
        for source in sources:
            subprocess.run([gnatchop(), "-q", "-w", source, partial], capture_output=True)
        report = partial / "report.adb"
        text, changed = re.subn(r'& " " & TIME_STAMP\)', ")", report.read_text())
        if not changed:
            raise NoTests("the ACATS package Report is not as expected")
        report.write_text(text)
        partial.rename(chopped)
    return chopped


def acats(root: Path) -> list[Program]:
    folder = root / acats_name()
    support = acats_support(folder)
    # Programs that need a flag; GCC 16 has none that needs -gnato.
    lists = {flag: file.read_text().split() if (file := folder / f"{name}.lst").exists() else []
             for name, flag in [("elabd", "-gnatE"), ("overflow", "-gnato"), ("stackcheck", "-fstack-check"),
                                ("floatstore", "-ffloat-store"), ("norun", "")]}
    found = []
    for chapter in ACATS_CHAPTERS:
        files = sorted(file for file in (folder / "tests" / chapter).iterdir() if file.suffix in (".a", ".ada"))
        names = [file.name[:7] for file in files]
        for file, name in zip(files, names):
            if names.count(name) == 1 and name not in lists[""]:  # of one file
                flags = tuple(flag for flag, members in lists.items() if flag and name in members)
                found.append(Program("acats", name, (file,), ("-gnat95", "-gnatws", f"-I{support}", *flags), "ada"))
    return found


# ---- D ----

# gdc's names for what the tests ask of the D compiler that they were written for; any other is left out, as in
# GCC's gdc-utils.exp.
D_OPTIONS = {"-betterC": "-fno-druntime", "-boundscheck=off": "-fbounds-check=off", "-noboundscheck": "-fbounds-check=off",
             "-boundscheck=safeonly": "-fbounds-check=safeonly", "-checkaction=context": "-fcheckaction=context",
             "-dip1000": "-fpreview=dip1000", "-dip1008": "-fpreview=dip1008", "-dip25": "-fpreview=dip25",
             "-debug": "-fdebug", "-main": "-fmain", "-release": "-frelease", "-unittest": "-funittest", "-g": "-g",
             "-allinst": "-fall-instantiations"}


def d_option(option: str) -> list[str]:
    if option in D_OPTIONS:
        return [D_OPTIONS[option]]
    found = re.match(r"-(debug|version|preview|revert|transition)=(\w+)", option)
    if found:
        value = found[2].lower() if found[1] not in ("debug", "version") else found[2]
        return [f"-f{found[1]}={value}"]
    return [option] if option.startswith(("-I", "-J")) else []


def gdc_test(root: Path) -> list[Program]:
    folder = root / "gdc.test/runnable"
    found = []
    for file in sorted(folder.glob("*.d")):
        text = file.read_text(errors="replace")

        def asked(key: str) -> list[str]:
            return " ".join(re.findall(rf"^.*\b{key}\s*:\s*(.*)$", text, re.MULTILINE)).replace("*/", "").split()

        sources = [folder / name for name in asked("EXTRA_SOURCES") + asked("COMPILED_IMPORTS")]
        options = [gdc for option in asked("REQUIRED_ARGS") for gdc in d_option(option)]
        found.append(Program("gdc.test", file.stem, (file, *sources), ("-w", f"-I{folder}", f"-J{folder}", *options), "d"))
    return found


def gdc_dg(root: Path) -> list[Program]:
    found = []
    for file in sorted([*(root / "gdc.dg").glob("*.d"), *(root / "gdc.dg/torture").glob("*.d")]):
        asked = torture.read_directives(file.read_text(errors="replace"), False, [], 17)
        if asked.does_run:
            sources = [file.parent / name for name in asked.sources]
            found.append(Program("gdc.dg", file.stem, (file, *sources), ("-w", f"-I{file.parent}", *asked.options), "d",
                                 skipped="for another target" * asked.wrong_target))
    return found


# ---- C and C++ ----

def with_options(suite: str, original: str, sets: dict[str, tuple[str, ...]], number: int | None) -> list[Program]:
    """A sample of one of GCC's C or C++ suites, or all of it (None), with each set of options."""
    chosen = [program for program in torture.all_programs([original]) if not program.skipped]
    if number is not None:
        chosen = sample(chosen, number)
    return [replace(program, suite=suite, name=f"{name}/{original}/{program.name}",
                    options=(*(option for option in program.options if not option.startswith("-std=")), *options),
                    dialects=((),) if "-std" in options[0] else program.dialects)
            for name, options in sets.items() for program in chosen]


def dialects(everything: bool) -> list[Program]:
    number = None if everything else SMALL_SAMPLE
    return (with_options("dialects", "c-torture", {name: (f"-std={name}",) for name in C_STANDARDS}, number)
            + with_options("dialects", "g++.torture", {name: (f"-std={name}",) for name in CXX_STANDARDS}, number))


def lto(everything: bool) -> list[Program]:
    number = None if everything else SMALL_SAMPLE // 3
    return [replace(program, link_options=LTO[program.name.split("/")[0]])
            for original in ("c-torture", "g++.torture", "g++.eh")
            for program in with_options("lto", original, LTO, number)]


OF_LANGUAGES = {"gfortran.dg": gfortran_dg, "gfortran.torture": gfortran_torture, "gnat.dg": gnat_dg, "acats": acats,
                "gdc.test": gdc_test, "gdc.dg": gdc_dg}
WITH_OPTIONS = {"dialects": dialects, "lto": lto}
SUITES = (*OF_LANGUAGES, *WITH_OPTIONS)


def all_programs(suites: list[str], everything: bool = False) -> list[Program]:
    """The programs of these suites: samples, or everything, in which those of a list are found with each version of GCC."""
    root = torture.unpack("-languages", (*FOLDERS, acats_name()))
    found = []
    for name in suites:
        programs = OF_LANGUAGES[name](root) if name in OF_LANGUAGES else WITH_OPTIONS[name](everything)
        programs = [program for program in programs if program.name not in WITHOUT_STATUS]
        found += programs if everything or name not in SAMPLES else sample(programs, SAMPLES[name])
    return found


def at_level(program: Program, level: str) -> Program:
    """The program as its dg-skip-if lines leave it at this level."""
    return program if program.language in ("ada", "d") else torture.at_level(program, level)
