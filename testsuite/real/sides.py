# SPDX-License-Identifier: GPL-3.0-or-later
"""Real programs, compiled twice and run on the same inputs: where a compiler is, sources, flags, and commands."""

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
BENCH = HERE.parents[1] / "bench"
sys.dont_write_bytecode = True
sys.path.insert(0, str(BENCH))
from programs import LUA_SCRIPTS, PROGRAMS, SQL_SCRIPTS  # noqa: E402

EXCEPTIONS = HERE / "conditions.cc"
# By program: commands, of which {prog} is the binary; they run in the folder with inputs.
RUNS = {
    "bzip2": ["{prog} -k -c text > text.bz2", "{prog} -d -c text.bz2 > text.out", "{prog} -t text.bz2",
              "{prog} -1 -s -c small > small.bz2", "{prog} -d -s -c small.bz2 > small.out", "{prog} --no-such-option"],
    "lua": ["{prog} fannkuch.lua 6", "{prog} queens.lua 6", "{prog} words.lua 2", "{prog} -e 'print(#arg, 1 // 0.0, \"a\" .. 1)'",
            "{prog} -e 'error({{}})'"],
    "minigzip": ["{prog} < text > text.gz", "{prog} -d < text.gz > text.out", "{prog} -1 < small > small.gz",
                 "{prog} -9 -f < small > small.9", "{prog} -h < small > small.h"],
    "sqlite3": ["{prog} -batch -init /dev/null -cmd '.parameter set :n 300' :memory: < orders.sql"],
    "conditions": ["{prog}", "{prog} 3 x yy", "{prog} -1 throw"],
}
# Without lua's cache of strings by address, which lies elsewhere in the two programs.
MORE_FLAGS = {"lua": ["-DSTRCACHE_N=1", "-DSTRCACHE_M=1"]}
SMALL = "a b a b a b c\n" * 20


class Side:
    """Where a compiler is, and how commands get there."""

    def __init__(self, root, folder):
        self.root = root
        self.folder = folder  # as seen from outside
        self.inside = "/" + str(folder.relative_to(root)) if root else str(folder)

    def run(self, command, check=True):
        words = ["sh", "-c", f"cd {self.inside} && {command}"]
        if self.root:
            words = ["chroot", str(self.root), *words]
        return subprocess.run(words, check=check, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def is_cxx(name):
    return name == "conditions"


def sources_of(name, packages):
    if name == "conditions":
        return [EXCEPTIONS], []
    program = PROGRAMS[name]
    return program.files(packages), [flag.replace("{packages}", "PACKAGES") for flag in program.flags] + MORE_FLAGS.get(name, [])


def prepare(side, name, packages):
    """Copies sources and inputs; gives what stands in a compiler's command."""
    files, flags = sources_of(name, packages)
    tree = side.folder / "packages"
    for file in files:
        if file.is_relative_to(packages):
            package = file.relative_to(packages).parts[0]
            if not (tree / package).exists():
                shutil.copytree(packages / package, tree / package, symlinks=True)
        else:
            shutil.copy(file, side.folder)
    for script in [*LUA_SCRIPTS.glob("*.lua"), *SQL_SCRIPTS.glob("*.sql")]:
        shutil.copy(script, side.folder)
    if not (side.folder / "text").exists():
        (side.folder / "text").write_bytes((BENCH / "programs.py").read_bytes() * 20)
        (side.folder / "small").write_text(SMALL)
    names = [f"packages/{file.relative_to(packages)}" if file.is_relative_to(packages) else file.name for file in files]
    return names, [flag.replace("PACKAGES", "packages") for flag in flags]


def build_and_run(side, name, packages, compiler, flags, environment=""):
    """`environment`: words like NAME=VALUE, for the runs."""
    names, own = prepare(side, name, packages)
    libraries = [] if is_cxx(name) else PROGRAMS[name].libraries
    side.run(shlex.join([compiler, "-O0", "-g", "-w", *flags, *own, *names, "-o", "prog", *libraries]))
    for command in RUNS[name]:
        side.run(command.format(prog=f"{environment} ./prog"), check=False)


def check_same_compiler(own, driver, other, compiler):
    """A driver without a number in its name runs the system's own compiler, which may be another one: both would differ."""
    versions = [side.run(f"{command} -dumpfullversion").decode().strip() for side, command in ((own, driver), (other, compiler))]
    if versions[0] != versions[1]:
        sys.exit(f"{driver} is GCC {versions[0]}, {compiler} is GCC {versions[1]}: give --driver of the same (its name may end in {compiler[3:]})")


def fetch_packages():
    return Path(subprocess.run([BENCH / "fetch"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip())
