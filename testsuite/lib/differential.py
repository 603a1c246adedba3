# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that must behave the same with and without the plugin: build, run, compare, remember.

A trial is one program at one level in one stage, or a comparison of its line counts with gcov's, which is
named like a stage and is for -O0 only, or the program rebuilt with its own profile.  Its outcome goes into a state file as soon as it is known,
so that a long run can be interrupted and taken up again; an outcome counts only for the very tools that it
was found with.
"""

import concurrent.futures
import functools
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "real"))
import gcov_lines

LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os")
STAGES = ("source", "early", "late")
LINES = "lines"
LINES_LEVEL = "-O0"
REBUILT = "rebuilt"  # with the profile of a run of its own, named like a stage, too
LINES_DIFFER = "lines differ from gcov's"
PLAIN = "plain"
PASSED, FAILED, NOT_APPLICABLE = "passed", "failed", "not applicable"
FAILED_WITHOUT = "failed without pathprof, too"  # in the same way, under one of OTHER_INLINING

COMPILE_SECONDS = 600
RUN_SECONDS = 60
SLOWER = 20  # how much longer than the plain program a profiled one may run
# Options that change what instrumentation changes: functions that have grown are inlined later, or not at all.
# GCC's own bugs may show under them without the plugin.
OTHER_INLINING = ("-fno-early-inlining", "-fno-inline")
NO_CORE_FILES = "ulimit -c 0; exec \"$@\""

# A program that calls one of these may end without writing its profile.
SUDDEN_ENDS = {"_exit", "_Exit", "execl", "execle", "execlp", "execv", "execve", "execvp", "quick_exit"}


@dataclass(frozen=True)
class Program:
    suite: str
    name: str
    sources: tuple[Path, ...]
    options: tuple[str, ...] = ()
    language: str = "c"  # a key of COMPILERS
    # Tried one after the other until the plain program builds and runs.
    dialects: tuple[tuple[str, ...], ...] = ((),)
    plugin_options: tuple[str, ...] = ()
    skipped: str = ""  # why the program is not for this machine
    link_options: tuple[str, ...] = ()


class BuildError(Exception):
    pass


COMPILERS = {"c": "gcc", "c++": "g++", "fortran": "gfortran", "d": "gdc", "ada": "gnatmake"}
# Debian has the other compilers of a release under names with its number, some of them under those only.
NUMBERED = {"d", "ada"}


class Toolchain:
    """The plain and the profiling compilers of a build folder."""

    def __init__(self, build: Path):
        self.build = build
        gcc = re.search(r"^PROFILED_GCC = (.*)$", (build / "Makefile").read_text(), re.MULTILINE).group(1)
        major = subprocess.run([gcc, "-dumpversion"], capture_output=True, check=True, text=True).stdout.strip().split(".")[0]
        self.major = major
        suffix = re.search(r"(-\d+)?$", gcc).group()
        self.plain = {language: name + (f"-{major}" if language in NUMBERED else suffix)
                      for language, name in COMPILERS.items()}
        self.plain["c"] = gcc
        self.profiled = {language: build / f"bin/pathprof-{name}" for language, name in COMPILERS.items()}
        self.gcov = f"gcov-{major}"
        self.pathdump = build / "bin/pathdump"
        version = subprocess.run([gcc, "-v"], capture_output=True, check=True).stderr
        self.plain_stamp = hashlib.sha256(version).hexdigest()[:16]
        ours = hashlib.sha256(version)
        for file in ("bin/pathprof-gcc", "bin/pathdump", "lib/libpathrt.a", "lib/pathprof/pathprof.so",
                     "lib/pathprof/pathprof-passes.so", "lib/pathprof/pathprof.specs"):
            ours.update((build / file).read_bytes())
        self.stamp = ours.hexdigest()[:16]
        ours.update(Path(gcov_lines.__file__).read_bytes())
        self.lines_stamp = ours.hexdigest()[:16]


class State:
    """What is known already: a JSON object a line, appended to as trials end."""

    def __init__(self, file: Path, toolchain: Toolchain):
        self.file = file
        self.toolchain = toolchain
        self.lock = threading.Lock()
        self.known: dict[tuple[str, ...], dict] = {}
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.exists():
            for line in file.read_text().splitlines():
                try:
                    record = json.loads(line)
                except ValueError:  # the run was killed in the middle of a line
                    continue
                if record["stamp"] == self.stamp(record["stage"]):
                    self.known[tuple(record["key"])] = record
        # A line that was cut short must not swallow the next one.
        self.stream = open(file, "a")
        self.stream.write("\n" if file.stat().st_size else "")

    def stamp(self, stage: str) -> str:
        return {PLAIN: self.toolchain.plain_stamp, LINES: self.toolchain.lines_stamp}.get(stage, self.toolchain.stamp)

    def add(self, program: Program, level: str, stage: str, result: str, reason: str = "", **more) -> dict:
        key = (program.suite, program.name, level, stage)
        record = {"key": key, "stage": stage, "stamp": self.stamp(stage), "result": result, "reason": reason, **more}
        with self.lock:
            self.known[key] = record
            self.stream.write(json.dumps(record) + "\n")
            self.stream.flush()
        return record

    def get(self, program: Program, level: str, stage: str) -> dict | None:
        return self.known.get((program.suite, program.name, level, stage))


@dataclass(frozen=True)
class Ran:
    status: int  # negative: killed by that signal
    output: str
    seconds: float
    timed_out: bool = False


def execute(command: list, folder: Path, seconds: float, environment: dict[str, str] | None = None) -> Ran:
    """Runs a program in its folder; standard output and standard error are kept apart as one digest each."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        before = os.times()
        process = subprocess.Popen(["/bin/sh", "-c", NO_CORE_FILES, "sh", *command], cwd=folder, stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=errors, start_new_session=True,
                                   env={**os.environ, "LC_ALL": "C", **(environment or {})})
        timed_out = False
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            timed_out = True
            status = -signal.SIGKILL
        # What the program started and left behind goes with it.
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
        parts = []
        for name, stream in [("stdout", output), ("stderr", errors)]:
            stream.seek(0)
            content = stream.read()
            digest = hashlib.sha256(content).hexdigest()[:12]
            parts.append(f"{name} {len(content)} bytes {digest} {content[:80].decode(errors='replace')!r}")
        return Ran(status, "; ".join(parts), os.times().elapsed - before.elapsed, timed_out)


def first_error(text: str) -> str:
    """The line of a compiler's output that says what is wrong."""
    lines = text.strip().splitlines() or ["no output"]
    for word in ("internal compiler error", "error: ", "undefined reference", "Error: "):
        for index, line in enumerate(lines):
            if word in line:
                # The IL verifiers print the reason first, and then stop with a crash.
                return " | ".join(dict.fromkeys(lines[max(index - 3, 0):index + 1]))[-600:]
    return lines[-1][:600]


@functools.cache
def gnatchop() -> str:
    """The newest one that is installed; some releases of Debian have it under names with the compiler's number only."""
    found = [name for folder in os.get_exec_path() if os.path.isdir(folder) for name in os.listdir(folder)
             if re.fullmatch(r"gnatchop(-\d+)?", name)]
    if not found:
        raise FileNotFoundError("gnatchop is not installed: install gnat")
    return max(found, key=lambda name: int(name.partition("-")[2] or 0))


def chopped(source: Path, folder: Path) -> str:
    """The file of an Ada program's main unit.  GNAT wants a file a unit; tests with several units in a file
    are chopped."""
    if source.suffix == ".adb":
        return str(source)
    done = subprocess.run([gnatchop(), "-c", "-w", "-q", source], cwd=folder, capture_output=True, text=True)
    for name in (f"{source.stem}m.adb", f"{source.stem}.adb"):
        if (folder / name).exists():
            return name
    raise BuildError(f"gnatchop finds no main unit: {done.stderr}")


def ada_options(options: list[str]) -> list[str]:
    """gnatmake knows the parts of --coverage only."""
    return [part for option in options
            for part in (("-fprofile-arcs", "-ftest-coverage") if option == "--coverage" else (option,))]


class Comparer:
    run_seconds = RUN_SECONDS

    def __init__(self, toolchain: Toolchain, state: State, scratch: Path, keep: bool):
        self.toolchain = toolchain
        self.state = state
        self.scratch = scratch
        self.keep = keep

    # ---- building and running ----

    def build(self, compilers: dict, program: Program, options: list[str], folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        link = ["-lm", *program.link_options, *(option for option in options if option == "--coverage")]
        compiler = str(compilers[program.language])
        if program.language == "ada":
            main = chopped(program.sources[0], folder)
            command = [compiler, "-f", *ada_options(options), main, "-o", "program", "-largs", *link]
        else:
            command = [compiler, *options, *map(str, program.sources), "-o", "program", *link]
        (folder / "command").write_text(" ".join(command) + "\n")
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace",
                                  stdin=subprocess.DEVNULL, timeout=COMPILE_SECONDS)
        except subprocess.TimeoutExpired:
            raise BuildError(f"the compiler did not end in {COMPILE_SECONDS} s") from None
        (folder / "compiler-output").write_text(done.stdout + done.stderr)
        if done.returncode != 0:
            raise BuildError(first_error(done.stderr))
        if "internal compiler error" in done.stderr:
            raise BuildError(first_error(done.stderr))

    def run(self, folder: Path, seconds: float) -> Ran:
        return execute(["./program"], folder, seconds, {"PATHPROF_FILE": str(folder / "program.pathprof")})

    # ---- the plain program ----

    def plain_once(self, program: Program, level: str, dialect: tuple[str, ...], folder: Path) -> Ran:
        self.build(self.toolchain.plain, program, [*level.split(), *program.options, *dialect], folder)
        return self.run(folder, self.run_seconds)

    def plain(self, program: Program, level: str, folder: Path) -> dict:
        """Builds and runs without the plugin: decides whether the program is of use here."""
        reason = ""
        for dialect in program.dialects:
            try:
                ran = self.plain_once(program, level, dialect, folder)
            except BuildError as error:
                reason = reason or f"does not build: {error}"
                continue
            if ran.status == 0:
                return self.state.add(program, level, PLAIN, PASSED, status=ran.status, output=ran.output,
                                      seconds=round(ran.seconds, 3), dialect=dialect)
            reason = "does not end in time" if ran.timed_out else f"ends with status {ran.status}"
        return self.state.add(program, level, PLAIN, NOT_APPLICABLE, reason)

    # ---- the profiled program ----

    def profiled(self, program: Program, level: str, stage: str, plain: dict, folder: Path) -> tuple[str, str]:
        """(result, reason)"""
        options = [*level.split(), *program.options, *plain["dialect"], *program.plugin_options,
                   f"-fplugin-arg-pathprof-stage={stage}"]
        try:
            self.build(self.toolchain.profiled, program, [*options, "-fchecking=1"], folder)
        except BuildError as error:
            if not self.fails_checking_anyway(program, level, plain["dialect"], folder.with_name("checked")):
                return FAILED, f"does not build: {error}"
            try:
                self.build(self.toolchain.profiled, program, options, folder)
            except BuildError as without:
                return FAILED, f"does not build: {without}"
        ran = self.run(folder, max(self.run_seconds, SLOWER * plain["seconds"]))
        if not ran.timed_out and ran.status == plain["status"] and ran.output == plain["output"]:
            return self.check_profile(folder)
        result, reason = self.explain_run(program, level, plain, ran, folder)
        if result == FAILED:
            option = self.fails_under(program, level, plain["dialect"], ran, folder)
            if option:
                return FAILED_WITHOUT, f"{reason}; without pathprof it does so under {option}"
        return result, reason

    def explain_run(self, program: Program, level: str, plain: dict, ran: Ran, folder: Path) -> tuple[str, str]:
        if ran.timed_out:
            return FAILED, "does not end in time"
        if ran.status != plain["status"]:
            return FAILED, f"ends with status {ran.status}, not {plain['status']}; {ran.output}"
        return self.explain_output(program, level, plain, ran, folder.with_name("again"))

    def fails_under(self, program: Program, level: str, dialect: list[str], wrong: Ran, folder: Path) -> str:
        """The option under which the plain program ends in the same wrong way, if there is one."""
        for option in OTHER_INLINING:
            other = folder.with_name(f"{folder.name}{option}")
            try:
                ran = self.plain_once(program, level, (*dialect, option), other)
            except BuildError:
                continue
            if (ran.timed_out, ran.status, ran.output) == (wrong.timed_out, wrong.status, wrong.output):
                return option
        return ""

    def fails_checking_anyway(self, program: Program, level: str, dialect: list[str], folder: Path) -> bool:
        """GCC's own bugs show under -fchecking without the plugin."""
        try:
            self.build(self.toolchain.plain, program,
                       [*level.split(), *program.options, *dialect, "-fchecking=1"], folder)
        except BuildError:
            return True
        return False

    def explain_output(self, program: Program, level: str, plain: dict, ran: Ran, folder: Path) -> tuple[str, str]:
        """Addresses and times in the output differ between two runs of the plain program too."""
        again = self.plain_once(program, level, tuple(plain["dialect"]), folder)
        if again.output != plain["output"] or self.run(folder, self.run_seconds).output != again.output:
            return NOT_APPLICABLE, "prints something else in each run"
        return FAILED, f"prints {ran.output}, not {plain['output']}"

    def check_profile(self, folder: Path) -> tuple[str, str]:
        profile = folder / "program.pathprof"
        if not profile.exists():
            symbols = subprocess.run(["nm", "-D", "--undefined-only", "program"], cwd=folder, capture_output=True, text=True)
            names = {line.split()[-1].split("@")[0] for line in symbols.stdout.splitlines() if line.strip()}
            sudden = sorted(names & SUDDEN_ENDS)
            return (PASSED, f"no profile: calls {sudden[0]}") if sudden else (FAILED, "writes no profile")
        done = subprocess.run([self.toolchain.pathdump, "check", profile.name], cwd=folder, capture_output=True, text=True,
                              timeout=RUN_SECONDS)
        if done.returncode != 0:
            lines = (done.stdout + done.stderr).strip().splitlines()
            return FAILED, f"pathdump check: status {done.returncode}: {' | '.join(lines[:4])[:500]}"
        return PASSED, ""

    # ---- line counts ----

    def lines(self, program: Program, level: str, plain: dict, folder: Path) -> tuple[str, str]:
        """Compares the line counts that follow from paths with gcov's: (result, reason)"""
        if level != LINES_LEVEL:
            return NOT_APPLICABLE, f"lines are compared at {LINES_LEVEL}"
        stems = [source.stem for source in program.sources]
        if len(set(stems)) < len(stems):
            return NOT_APPLICABLE, "gcov would write one file for two sources of one name"
        # A test may ask for another level.
        options = ["-g", *program.options, *plain["dialect"], level]
        # Both in a folder of one name, for GNAT names the file that it generates by its whole path.
        ours, theirs = folder / "here", folder / "gcov"
        self.build(self.toolchain.plain, program, [*options, "--coverage"], ours)
        if self.run(ours, self.run_seconds).status != plain["status"] or not any(ours.glob("*.gcda")):
            return NOT_APPLICABLE, "ends otherwise, or without writing anything, under gcov"
        ours.rename(theirs)
        result, reason = self.lines_of_stage("source", program, options, plain, ours, theirs)
        if result == FAILED and reason.startswith(LINES_DIFFER):
            # gcov counts after functions that must always be inlined have been, which is where early is.
            shutil.rmtree(ours)
            again, _ = self.lines_of_stage("early", program, options, plain, ours, theirs)
            if again == PASSED:
                return PASSED, "with stage=early, which is after inlining as gcov is"
        return result, reason

    def lines_of_stage(self, stage: str, program: Program, options: list[str], plain: dict, ours: Path,
                       theirs: Path) -> tuple[str, str]:
        self.build(self.toolchain.profiled, program, [*options, *program.plugin_options,
                   f"-fplugin-arg-pathprof-stage={stage}", "-fplugin-arg-pathprof-termination=exact"], ours)
        ran = self.run(ours, max(self.run_seconds, SLOWER * plain["seconds"]))
        if ran.timed_out or ran.status != plain["status"]:
            return FAILED, f"ends with status {ran.status}, not {plain['status']}; {ran.output}"
        result, reason = self.check_profile(ours)
        if result == FAILED or reason:
            return result, reason
        export, tracefile = (subprocess.run([self.toolchain.pathdump, "export", *options, "program.pathprof"], cwd=ours,
                                            capture_output=True, check=True, timeout=RUN_SECONDS, text=True).stdout
                             for options in (["--format=json"], ["--format=lcov", *gcov_lines.ALL_FILES]))
        found = gcov_lines.compare(json.loads(export), tracefile, theirs, self.toolchain.gcov)
        differing = found.differing + found.differing_unfinished
        if differing:
            return FAILED, f"{LINES_DIFFER}, {len(differing)} of them: {'; '.join(map(str, differing[:3]))}"[:600]
        return PASSED, f"{found.equal + found.equal_unfinished} lines"

    # ---- the rebuilt program ----

    def rebuilt(self, program: Program, level: str, plain: dict, folder: Path) -> tuple[str, str]:
        """Rebuilds the program with the profile that a run of it wrote: (result, reason)"""
        result, reason = self.profiled(program, level, "early", plain, folder)
        if result != PASSED or reason:
            return result, reason
        # Blocks and limits of the profiling build are in the profile.
        options = [*level.split(), *program.options, *plain["dialect"], "-fplugin-arg-pathprof-stage=early",
                   "-fplugin-arg-pathprof-use=program.pathprof", "-fplugin-arg-pathprof-rebuild=counts,thread,dispatch,inline"]
        try:
            self.build(self.toolchain.profiled, program, [*options, "-fchecking=1"], folder)
        except BuildError as error:
            if not self.fails_checking_anyway(program, level, plain["dialect"], folder.with_name("checked")):
                return FAILED, f"does not rebuild: {error}"
            self.build(self.toolchain.profiled, program, options, folder)
        complaints = [line for line in (folder / "compiler-output").read_text().splitlines() if "pathprof:" in line]
        if complaints:
            return FAILED, f"rebuilding: {complaints[0][:400]}"
        ran = self.run(folder, max(self.run_seconds, SLOWER * plain["seconds"]))
        if not ran.timed_out and ran.status == plain["status"] and ran.output == plain["output"]:
            return PASSED, ""
        return self.explain_run(program, level, plain, ran, folder)

    # ---- a program at a level ----

    def compare(self, program: Program, level: str, stages: list[str]) -> list[dict]:
        """The records of one program at one level, those known already included."""
        open_stages = [stage for stage in stages if not self.state.get(program, level, stage)]
        if program.skipped:
            for stage in open_stages:
                self.state.add(program, level, stage, NOT_APPLICABLE, program.skipped)
        elif open_stages:
            folder = Path(tempfile.mkdtemp(prefix=f"{program.name.replace('/', '-')}{level}-", dir=self.scratch))
            try:
                self.compare_open(program, level, open_stages, folder)
            finally:
                if not self.keep:
                    shutil.rmtree(folder, ignore_errors=True)
        return [self.state.get(program, level, stage) for stage in stages]

    def compare_open(self, program: Program, level: str, stages: list[str], folder: Path) -> None:
        plain = self.state.get(program, level, PLAIN) or self.plain(program, level, folder / PLAIN)
        for stage in stages:
            result, reason = plain["result"], plain["reason"]
            if result == PASSED:
                other = {LINES: self.lines, REBUILT: self.rebuilt}
                trial = other.get(stage) or functools.partial(self.profiled, stage=stage)
                try:
                    result, reason = trial(program, level, plain=plain, folder=folder / stage)
                except (OSError, subprocess.SubprocessError, BuildError) as error:
                    result, reason = FAILED, f"{type(error).__name__}: {error}"
            self.state.add(program, level, stage, result, reason)


def compare_all(comparer: Comparer, trials: list[tuple[Program, str, list[str]]], jobs: int, report) -> None:
    """Runs the trials, several at a time, and calls report(program, level, records) for each, in order."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running = [pool.submit(comparer.compare, *trial) for trial in trials]
        try:
            for (program, level, _), trial in zip(trials, running):
                report(program, level, trial.result())
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
