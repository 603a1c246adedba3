# SPDX-License-Identifier: GPL-3.0-or-later
"""How tests are chosen, and how the long suites judge a program that fails with the plugin."""

import sys
from pathlib import Path

import pytest

from conftest import BUILD

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))
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
