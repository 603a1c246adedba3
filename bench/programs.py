# SPDX-License-Identifier: GPL-3.0-or-later
"""Defines the measured programs, how they are built, and how they are run. inputs.py creates their inputs."""

import functools
import hashlib
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
KERNELS = HERE / "kernels"
JS_SCRIPTS = HERE / "js"
AWK_SCRIPTS = HERE / "awk"
LUA_SCRIPTS = HERE / "lua"
SQL_SCRIPTS = HERE / "sql"
YAML = HERE / "yaml"
# Packages that provide the contents of inputs.
INPUT_PACKAGES = {"input": "sqlite3", "packed": "sqlite3", "packed-xz": "sqlite3", "grammar": "sqlite3", "checked": "cppcheck"}
CPLUSPLUS = (".cc", ".cpp")


@dataclass(frozen=True)
class Program:
    """A program. Its sources are globs below the directory of the fetched packages, or absolute."""

    name: str
    sources: tuple[str, ...]
    without: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()

    def files(self, packages: Path) -> list[Path]:
        found = []
        for pattern in self.sources:
            absolute = os.path.isabs(pattern)
            found += [Path(pattern)] if absolute else sorted(packages.glob(pattern))
        return [file for file in found if file.name not in self.without]

    def flags_digest(self) -> str:
        """Distinguishes objects built from the same sources with different flags."""
        return hashlib.sha256(repr(self.flags).encode()).hexdigest()[:8]

    def packages(self) -> set[str]:
        """Returns the directories of the fetched packages."""
        return {pattern.split("/")[0] for pattern in self.sources if not os.path.isabs(pattern)}


@dataclass(frozen=True)
class Workload:
    """A run of a program. The instrumentation was tuned with the tuning set and the kernels. Single programs of the check set are not
    looked at to make them faster, so its figures show what other programs cost. In arguments, {n} is the size, and another name in braces is
    the file of inputs.py with that size. A path stands for the file's name; `stdin` is the standard input."""

    name: str
    program: str
    arguments: tuple[str | Path, ...]
    size: int
    small: int  # size for counting instructions
    stdin: str | None = None
    group: str = "check"  # "check", "tuning" or "kernels"
    status: int = 0  # expected exit status
    only_named: bool = False  # measured only if its name is given

    @property
    def is_kernel(self) -> bool:
        return self.group == "kernels"

    def packages(self, programs: dict[str, Program] | None = None) -> set[str]:
        """Returns the packages for the program, from `programs` or PROGRAMS, and for its input."""
        read = {package for name, package in INPUT_PACKAGES.items() if any(f"{{{name}}}" in str(argument) for argument in self.arguments)}
        return (programs or PROGRAMS)[self.program].packages() | read


_SQLITE_FLAGS = ("-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION",
                 "-I{packages}/sqlite3/amalgamation")

# The parts of liblzma that write and read .xz and .lzma. The tables are compiled in, not generated.
_XZ_FOLDERS = [f"src/liblzma/{name}" for name in "api check common delta lz lzma rangecoder simple".split()] + ["src/common", "configured"]
_XZ_GENERATORS = ("crc32_small.c", "crc64_small.c", "crc32_tablegen.c", "crc64_tablegen.c", "fastpos_tablegen.c", "price_tablegen.c")

_NINJA_SOURCES = """build build_log clean clparser debug_flags depfile_parser deps_log disk_interface dyndep dyndep_parser edit_distance
  eval_env graph graphviz json lexer line_printer manifest_parser metrics missing_deps ninja parser state status string_piece_util
  subprocess-posix util version"""

# The programs flac and xmllint with the parts of their libraries that they use.
_FLAC_SOURCES = ("flac/src/flac/*.c", "flac/src/libFLAC/*.c", "flac/src/share/getopt/*.c", "flac/src/share/grabbag/*.c",
                 "flac/src/share/replaygain_analysis/*.c", "flac/src/share/replaygain_synthesis/*.c", "flac/src/share/utf8/iconvert.c", "flac/src/share/utf8/utf8.c")
_FLAC_WITHOUT = ("iffscan.c", "ogg_decoder_aspect.c", "ogg_encoder_aspect.c", "ogg_helper.c", "ogg_mapping.c")
_XMLLINT_SOURCES = """SAX SAX2 HTMLparser HTMLtree buf c14n catalog chvalid debugXML dict encoding entities error globals hash list
  parser parserInternals pattern relaxng schematron threads tree uri valid xinclude xlink xmlIO xmllint xmlmemory xmlmodule xmlreader
  xmlregexp xmlsave xmlschemas xmlschemastypes xmlstring xmlunicode xmlwriter xpath xpointer legacy"""

_LUA_FLAGS = ("-std=gnu99", "-DLUA_COMPAT_5_3", "-DLUA_USE_POSIX", "-Dluai_makeseed(L)=1")

PROGRAMS = {
    program.name: program
    for program in [
        Program("bzip2", tuple(f"bzip2/{name}.c" for name in (
            "blocksort", "huffman", "crctable", "randtable", "compress", "decompress", "bzlib", "bzip2")),
            flags=("-D_FILE_OFFSET_BITS=64",)),
        Program("lua", ("lua5.4/src/*.c",), without=("luac.c",), flags=_LUA_FLAGS, libraries=("-lm",)),
        # The interpreter uses a switch instead of computed gotos.
        Program("lua-switch", ("lua5.4/src/*.c",), without=("luac.c",), flags=(*_LUA_FLAGS, "-DLUA_USE_JUMPTABLE=0"),
                libraries=("-lm",)),
        Program("minigzip", ("zlib/*.c", "zlib/test/minigzip.c"),
                flags=("-DHAVE_UNISTD_H", "-D_LARGEFILE64_SOURCE=1", "-I{packages}/zlib")),
        Program("sqlite3", ("sqlite3/amalgamation/sqlite3.c", "sqlite3/amalgamation/shell.c"),
                flags=_SQLITE_FLAGS, libraries=("-lm",)),
        Program("speedtest1", ("sqlite3/amalgamation/sqlite3.c", "sqlite3/test/speedtest1.c"),
                flags=_SQLITE_FLAGS, libraries=("-lm",)),
        # Without POSIX and C11, lz4 measures time in ticks. With seconds and nanoseconds, the carry would be a random branch.
        Program("lz4", (*(f"lz4/lib/{name}.c" for name in ("lz4", "lz4hc", "lz4frame", "xxhash")),
                        *(f"lz4/programs/{name}.c" for name in ("lz4cli", "lz4io", "bench", "datagen"))),
                flags=("-std=gnu99", "-U__unix__", "-U__unix", "-DXXH_NAMESPACE=LZ4_", "-I{packages}/lz4/lib")),
        # The code predates C++11, which parses its "…"PRIu64 as a literal suffix.
        Program("minisat", ("minisat2/minisat/core/Solver.cc", "minisat2/minisat/simp/*.cc",
                            "minisat2/minisat/utils/*.cc"),
                flags=("-std=gnu++98", "-D__STDC_LIMIT_MACROS", "-D__STDC_FORMAT_MACROS", "-I{packages}/minisat2"),
                libraries=("-lz",)),
        Program("xz", ("xz-utils/src/liblzma/*/*.c", "xz-utils/src/xz/*.c", "xz-utils/src/common/*.c"), without=_XZ_GENERATORS,
                flags=("-pthread", "-DHAVE_CONFIG_H", "-DTUKLIB_SYMBOL_PREFIX=lzma_", "-DLOCALEDIR=\"/\"",
                       *(f"-I{{packages}}/xz-utils/{folder}" for folder in _XZ_FOLDERS)), libraries=("-pthread",)),
        Program("gawk", ("gawk/*.c", "gawk/support/*.c", "gawk/support/malloc/*.c"), without=("pma.c", "regcomp.c", "regexec.c", "regex_internal.c", "dynarray-skeleton.c"),
                flags=("-DHAVE_CONFIG_H", "-DGAWK", "-DDEFPATH=\"/\"", "-DDEFLIBPATH=\"/\"", "-DSHLIBEXT=\"so\"", "-DLOCALEDIR=\"/\"",
                       "-I{packages}/gawk", "-I{packages}/gawk/support", "-I{packages}/gawk/configured"), libraries=("-lm",)),
        Program("zstd", (*(f"libzstd/lib/{folder}/*.c" for folder in ("common", "compress", "decompress", "dictBuilder")),
                         "libzstd/programs/*.c"),
                flags=("-DZSTD_DISABLE_ASM", "-DXXH_NAMESPACE=ZSTD_", "-DZSTD_LEGACY_SUPPORT=0", "-I{packages}/libzstd/lib")),
        Program("mawk", ("mawk/*.c", "mawk/configured/scancode.c"), without=("makescan.c", "fpe_check.c", "regexp_system.c", "trace.c", *(f"rexp{part}.c" for part in ("", "0", "1", "2", "3", "4", "db"))),
                flags=("-DHAVE_CONFIG_H", "-I{packages}/mawk", "-I{packages}/mawk/configured"), libraries=("-lm",)),
        # A parser generator of 5,000 lines in one file.
        Program("lemon", ("sqlite3/tool/lemon.c",)),
        Program("ninja", tuple(f"ninja-build/src/{name}.cc" for name in _NINJA_SOURCES.split()),
                flags=("-DUSE_PPOLL",), libraries=("-lpthread",)),
        # A C++ checker of 90,000 lines.
        Program("cppcheck", ("cppcheck/lib/*.cpp", "cppcheck/cli/*.cpp", "cppcheck/externals/*/*.cpp"),
                flags=("-std=gnu++14", "-DNDEBUG", "-DFILESDIR=\"{packages}/cppcheck\"", "-I{packages}/cppcheck/lib",
                       *(f"-I{{packages}}/cppcheck/externals{folder}" for folder in ("", "/simplecpp", "/tinyxml2", "/picojson")))),
        Program("yaml", ("yaml-cpp/src/*.cpp", str(YAML / "orders.cc")), flags=("-std=gnu++17", "-I{packages}/yaml-cpp/include")),
        Program("mujs", ("mujs/one.c", "mujs/main.c"), libraries=("-lm",)),
        Program("cmark", ("cmark/src/*.c",), flags=("-I{packages}/cmark/configured",)),
        Program("zopfli", ("zopfli/src/zopfli/*.c",), libraries=("-lm",)),
        Program("flac", _FLAC_SOURCES, without=_FLAC_WITHOUT,
                flags=("-DHAVE_CONFIG_H", "-DNDEBUG", "-DFLAC__NO_DLL", "-I{packages}/flac/configured", "-I{packages}/flac/include",
                       "-I{packages}/flac/src/libFLAC/include"), libraries=("-lm",)),
        Program("xmllint", tuple(f"libxml2/{name}.c" for name in _XMLLINT_SOURCES.split()),
                flags=("-I{packages}/libxml2/configured", "-I{packages}/libxml2/configured/include", "-I{packages}/libxml2/include"),
                libraries=("-lm",)),
        *(Program(file.stem, (str(file),)) for file in sorted(KERNELS.glob("*.c"))),
    ]
}


def _kernel(name: str, size: int, small: int) -> Workload:
    return Workload(name, name, ("{n}",), size, small, group="kernels")


def _lua(script: str, size: int, small: int, program: str = "lua") -> Workload:
    return Workload(f"{program}-{script}", program, (LUA_SCRIPTS / f"{script}.lua", "{n}"), size, small, group="tuning")


WORKLOADS = [
    Workload("bzip2", "bzip2", ("-c", "{input}"), 12_000_000, 300_000, group="tuning"),
    Workload("bunzip2", "bzip2", ("-dc", "{packed}"), 20_000_000, 600_000, group="tuning"),
    _lua("fannkuch", 10, 7),
    _lua("words", 120, 6),
    _lua("queens", 12, 9),
    _lua("queens", 12, 9, "lua-switch"),
    Workload("minigzip", "minigzip", ("-c", "{input}"), 16_000_000, 800_000, group="tuning"),
    Workload("sqlite3", "sqlite3", ("-batch", "-init", "/dev/null", "-cmd", ".parameter set :n {n}", ":memory:"),
             40000, 1500, stdin=str(SQL_SCRIPTS / "orders.sql"), group="tuning"),
    Workload("speedtest1", "speedtest1", ("--memdb", "--size", "{n}"), 40, 4, group="tuning"),
    # Without --quiet, lz4 reads the clock and prints its progress.
    Workload("lz4", "lz4", ("-12", "--quiet", "-c", "{input}"), 16_000_000, 800_000, group="tuning"),
    Workload("minisat", "minisat", ("-verb=0", "{formula}", "/dev/stdout"), 290, 250, status=10, group="tuning"),
    Workload("xz", "xz", ("-6", "-T1", "-c", "{input}"), 5_000_000, 300_000),
    Workload("unxz", "xz", ("-dc", "{packed-xz}"), 60_000_000, 3_000_000),
    Workload("gawk", "gawk", ("-f", AWK_SCRIPTS / "words.awk", "{input}"), 6_000_000, 300_000),
    Workload("yaml", "yaml", ("{orders}",), 25_000, 1_000),
    Workload("zstd", "zstd", ("-9", "-q", "-c", "{input}"), 40_000_000, 1_000_000),
    Workload("mawk", "mawk", ("-f", AWK_SCRIPTS / "loops.awk", "{n}"), 200_000, 20_000),
    Workload("mujs", "mujs", (JS_SCRIPTS / "words.js", "{n}"), 200, 5),
    Workload("cmark", "cmark", ("{markdown}",), 60_000_000, 400_000),
    Workload("zopfli", "zopfli", ("-c", "{input}"), 1_000_000, 20_000),
    Workload("flac", "flac", ("--totally-silent", "-8", "-c", "{signal}"), 40_000_000, 400_000),
    Workload("xmllint", "xmllint", ("--noout", "--xpath", "count(//line[@cents > 2500])", "{xml}"), 400_000, 4_000),
    # The grammars of sqlite: 1 is full-text search, 2 is SQL. The run is too short for measuring time.
    Workload("lemon", "lemon", ("-q", "-T{template}", "-d.", "{grammar}"), 2, 1, only_named=True),
    Workload("ninja", "ninja", ("-n", "--quiet", "-f", "{manifest}"), 150_000, 4000),
    Workload("cppcheck", "cppcheck", ("-q", "--enable=all", "--output-file=/dev/stdout", "{checked}"), 20, 4, only_named=True),  # takes minutes to build
    _kernel("hash", 360, 20),
    _kernel("life", 4000, 200),
    _kernel("matmul", 1400, 70),
    _kernel("qsort", 90, 5),
    _kernel("sieve", 240, 12),
    _kernel("state", 12000, 600),
    _kernel("strsearch", 65, 4),
    _kernel("trees", 900, 40),
]


@functools.cache
def content_digest(file: Path, _changed: int) -> bytes:
    """Returns a digest of the file. The file is read only once per change, because the plugin and the libraries are large."""
    return hashlib.sha256(file.read_bytes()).digest()


@dataclass(frozen=True)
class Toolchain:
    """A compiler with flags. The contents of the files `depends` affect its output."""

    compiler: str
    flags: tuple[str, ...]
    depends: tuple[Path, ...] = ()

    def version(self) -> str:
        """Returns the first line of the compiler's --version output."""
        done = subprocess.run([self.compiler, "--version"], check=True, capture_output=True, text=True)
        return done.stdout.splitlines()[0]

    def for_language(self, *files: Path) -> str:
        """Returns the compiler of the same family for the files, such as g++-12 for gcc-12."""
        if all(file.suffix not in CPLUSPLUS for file in files):
            return self.compiler
        folder, name = os.path.split(self.compiler)
        return os.path.join(folder, name.replace("clang", "clang++").replace("gcc", "g++"))

    def key(self) -> str:
        digest = hashlib.sha256(repr((self.compiler, self.flags, self.version())).encode())
        for file in self.depends:
            digest.update(content_digest(file, file.stat().st_mtime_ns))
        return digest.hexdigest()[:16]


class Builder:
    """Builds programs with one toolchain; programs share objects. Existing objects are reused: the name of the directory
    identifies the toolchain, and the packages do not change. `link` becomes a link to the directory. The compilers use the name of
    the link, because GCC writes it into objects compiled with -fprofile-arcs."""

    def __init__(self, packages: Path, folder: Path, toolchain: Toolchain, link: Path | None = None):
        self.packages = packages
        self.toolchain = toolchain
        self.folder = folder / toolchain.key()
        self.link = link

    def build(self, program: Program) -> Path:
        files = program.files(self.packages)
        if not files:
            raise FileNotFoundError(f"{program.name}: no sources below {self.packages}; run bench/fetch")
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.link:
            self.link.unlink(missing_ok=True)
            self.link.symlink_to(self.folder)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            objects = list(pool.map(lambda file: self.compile(file, program), files))
        binary = self.folder / program.name
        if not is_newer(binary, objects):
            compiler = self.toolchain.for_language(*files)
            self._run([compiler, *self.toolchain.flags, "-o", binary, *objects, *program.libraries])
        return binary

    def compile(self, file: Path, program: Program) -> Path:
        package = file.relative_to(self.packages).parts[0] if file.is_relative_to(self.packages) else "kernel"
        target = self.folder / f"{package}-{file.stem}-{program.flags_digest()}.o"
        if not is_newer(target, [file]):
            self._run(self.compile_command(file, program, target))
        return target

    def compile_command(self, file: Path, program: Program, target: Path) -> list:
        """Returns the command, which must run in the target's directory. With an absolute name, GCC would give the profiles of
        static functions different names in each directory, and would not find them."""
        flags = [flag.format(packages=self.packages) for flag in program.flags]
        if file.suffix in CPLUSPLUS:  # functions that the linker took from other objects have no profile
            flags.append("-Wno-missing-profile")
        return [self.toolchain.for_language(file), *self.toolchain.flags, *flags, "-c", file, "-o", target.name]

    def _run(self, command: list) -> None:
        environment = os.environ | {"PWD": str(self.link or self.folder)}
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, env=environment)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stderr}")


def is_newer(target: Path, sources: list[Path]) -> bool:
    return target.exists() and all(target.stat().st_mtime > file.stat().st_mtime for file in sources)


def profiled(build: Path, *flags: str, target: str | None = None) -> Toolchain:
    """Returns the toolchain of a build tree's pathprof-gcc, or of its cross compiler for the target."""
    depends = [file for file in sorted((build / "lib").rglob("*")) if file.is_file()]
    return Toolchain(str(build / "bin" / f"{target + '-' if target else ''}pathprof-gcc"), flags, tuple(depends))
