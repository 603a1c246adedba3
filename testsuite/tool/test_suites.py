# SPDX-License-Identifier: GPL-3.0-or-later
"""How tests are chosen, and how the long suites judge a program that fails with the plugin."""

import os
import select
import signal
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest

from conftest import BUILD

TESTSUITE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTSUITE / "lib"))
from differential import FAILED, FAILED_WITHOUT, PASSED, Comparer, Program, State, Toolchain
from gcc_suites import Table
from run_suites import selections

PROGRAM = """
int main (void)
{
#if defined WRONG
  return 1;
#elif defined __NO_INLINE__
  return 3;
#endif
  return 0;
}
"""


@pytest.fixture
def outcome(tmp_path):
    """outcome(OPTIONS…): the record of the program whose profiled build alone gets those options."""
    def find(*options):
        source = tmp_path / "prog.c"
        source.write_text(PROGRAM)
        toolchain = Toolchain(BUILD)
        program = Program("suite", "prog", (source,), plugin_options=options)
        comparer = Comparer(toolchain, State(tmp_path / "state.jsonl", toolchain), tmp_path, keep=False)
        return program, comparer.compare(program, "-O2", ["late"])
    return find


def test_passes(outcome):
    _, [record] = outcome()
    assert record["result"] == PASSED


def test_fails_with_the_plugin_only(outcome):
    _, [record] = outcome("-DWRONG")
    assert record["result"] == FAILED and "ends with status 1, not 0" in record["reason"]


def test_fails_without_the_plugin_too(outcome):
    """Such a program is neither among those that passed nor among those that failed."""
    program, [record] = outcome("-fno-inline")
    assert record["result"] == FAILED_WITHOUT
    assert record["reason"].startswith("ends with status 3, not 0;")
    assert record["reason"].endswith("; without pathprof it does so under -fno-inline")
    table = Table()
    table.add(program, "-O2", [record])
    assert (table.passed, table.failed) == (0, 0)
    assert "| suite | -O2 | late | 1 | 1 | 0 | 1 | 0 |" in table.text(("suite",))


def test_tests_are_chosen():
    """What stands behind a suite's test belongs to it; a bare name behind an option is no suite."""
    text = "unit:check_core 'random graphs' dg:switch.c while tool:test_report.py -k unit smoke"
    assert [(one.suite, one.words) for one in selections(text)] == [
        ("unit", ["check_core", "random graphs"]), ("dg", ["switch.c", "while"]), ("tool", ["test_report.py", "-k", "unit"]),
        ("smoke", [])]
    assert [one.suite for one in selections("quick")][:3] == ["unit", "smoke", "dg"]
    with pytest.raises(SystemExit, match="unknown suite 'nosuch'"):
        selections("nosuch")


def loaded(script):
    """A Python program whose name has no ending, as a module; nothing is left beside it."""
    loader = SourceFileLoader(script.name, str(script))
    module = module_from_spec(spec_from_loader(script.name, loader))
    exec(loader.source_to_code(script.read_bytes(), str(script)), vars(module))
    return module


@pytest.fixture
def distributions():
    """testsuite/distributions/run as a module."""
    return loaded(TESTSUITE / "distributions/run")


def test_suites_of_other_compilers_are_goals_of_make(distributions):
    """A suite, single tests, a goal, and a part of a long suite; without a compiler as the README has it."""
    command = distributions.command_of
    assert command("dg", "gcc-14", True).endswith("make GCC=gcc-14 BUILD=build-gcc-14 deps check TESTS=dg")
    assert command("tool:test_gcov.py", "gcc-14", True).endswith(" deps check TESTS=tool:test_gcov.py")
    assert command("check-csmith", "gcc-14", True).endswith(" deps check-csmith")
    assert " deps check-torture TORTURE_FLAGS=" in command("rebuilt", "gcc-14", True)
    assert command("check", None, True) == "make deps check"
    assert command("dg", None, True) == "make deps check TESTS=dg"
    assert command("csmith", None, True).startswith("make deps check-csmith CSMITH_FLAGS=")


def test_table_of_other_compilers(distributions, tmp_path):
    """Rows go from the newest compiler to the oldest; the README's commands have their time, and come first."""
    results = distributions.Results(tmp_path / "results.jsonl")
    results.add(release="trixie", gcc="14.2.0", suite="rebuilt", status=0, commit="abcdef1", seconds=9, passed=40, failed=0)
    results.add(release="sid", gcc="16.2.0", suite="rebuilt", status=1, commit="abcdef2", seconds=8, passed=39, failed=1)
    results.add(release="sid", gcc="9.3.0", suite="demo", status=0, commit="abcdef2+", seconds=70)
    table = distributions.Results(tmp_path / "results.jsonl").table()
    assert table.splitlines() == [
        "| Debian | GCC | `make deps demo` | `rebuilt` |",
        "|---|---|---|---|",
        "| sid | 16.2.0 |  | 39 passed, 1 failed (abcdef2) |",
        "| trixie | 14.2.0 |  | 40 passed, 0 failed (abcdef1) |",
        "| sid | 9.3.0 | works, 70 s (abcdef2+) |  |"]


def test_results_of_other_machines_are_kept(distributions, tmp_path):
    """What this machine knows replaces what is kept of the same release, compiler and suite, and nothing else."""
    kept = tmp_path / "kept.jsonl"
    other = distributions.Results(kept)
    other.add(release="sid", gcc="16.2.0", suite="dg", status=1, commit="abcdef1", seconds=8, passed=39, failed=1)
    other.add(release="sid", gcc="15.3.0", suite="dg", status=0, commit="abcdef1", seconds=8, passed=38, failed=0)
    own = distributions.Results(tmp_path / "results.jsonl")
    own.add(release="sid", gcc="16.2.0", suite="dg", status=0, commit="abcdef2", seconds=8, passed=41, failed=0)
    own.keep(kept)
    rows = ["| sid | 16.2.0 | 41 passed, 0 failed (abcdef2) |", "| sid | 15.3.0 | 38 passed, 0 failed (abcdef1) |"]
    assert own.table().splitlines()[2:] == rows == distributions.Results(kept).table().splitlines()[2:]
    before = kept.read_text()
    own.keep(kept)
    assert kept.read_text() == before and len(before.splitlines()) == 2


def read_until_closed(pipe):
    text = b""
    while True:
        assert select.select([pipe], [], [], 300)[0], "a process is left that has the pipe"
        part = os.read(pipe, 100)
        if not part:
            return text
        text += part


@pytest.mark.parametrize("while_it_starts", [False, True])
def test_builds_end_with_what_started_them(distributions, tmp_path, monkeypatch, while_it_starts):
    """A terminated run leaves no processes: the last one that has the pipe is gone."""
    start = subprocess.Popen

    def start_and_be_terminated(*arguments, **options):
        process = start(*arguments, **options)
        os.kill(os.getpid(), signal.SIGTERM)
        return process

    if while_it_starts:
        monkeypatch.setattr(subprocess, "Popen", start_and_be_terminated)
    ends_last, started = os.pipe()
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGTERM, distributions.end_by_exception)
        status = 0
        try:
            distributions.run_logged(["sh", "-c", f"echo started > /proc/self/fd/{started}; sleep 1000 & wait"],
                                     tmp_path / "log", pass_fds=(started,))
        except SystemExit as ended:
            status = ended.code
        finally:
            os._exit(status)
    os.close(started)
    if not while_it_starts:
        assert os.read(ends_last, 100) == b"started\n"
        os.kill(child, signal.SIGTERM)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 128 + signal.SIGTERM
    assert read_until_closed(ends_last) in ((b"", b"started\n") if while_it_starts else (b"",))


def test_sources_are_those_of_the_release():
    """Unstable calls itself by the name of the next release."""
    fetch = loaded(TESTSUITE.parent / "bench/fetch")
    stable = 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nVERSION_CODENAME=trixie\n'
    unstable = 'PRETTY_NAME="Debian GNU/Linux forky/sid"\nVERSION_CODENAME=forky\n'
    assert [fetch.codename(text) for text in (stable, unstable)] == ["trixie", "sid"]
    line = "deb http://mirror/debian {} main\n"
    assert fetch.lines_as_source(line.format("sid"), "sid") == "deb-src http://mirror/debian sid main\n"
    assert fetch.lines_as_source(line.format("unstable"), "sid") and not fetch.lines_as_source(line.format("sid"), "trixie")
