# SPDX-License-Identifier: GPL-3.0-or-later
"""The pager: when there is one, which it is, what it gets, and that the exit status is pathdump's."""

import fcntl
import os
import pty
import struct
import subprocess
import termios

import pytest

from conftest import COLOUR_VARIABLES, PATHDUMP, branch, shown_on

MARK = "sed s/^/PAGED:/"


@pytest.fixture
def on_terminal(tmp_path):
    """Runs pathdump with a terminal of so many lines as standard output and error; gives what it shows, and the status."""

    def run(*arguments, lines=24, columns=80, **env):
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        unset = {*COLOUR_VARIABLES, "PAGER", "PATHPROF_PAGER", "LESS"}
        environment = {k: v for k, v in os.environ.items() if k not in unset}
        environment.update({"TERM": "xterm", "NO_COLOR": "1"}, **env)
        with subprocess.Popen([PATHDUMP, *map(str, arguments)], cwd=tmp_path, env=environment, stdin=slave, stdout=slave,
                              stderr=slave) as process:
            os.close(slave)
            shown = shown_on(master).decode().replace("\r\n", "\n")
        return shown, process.returncode

    return run


@pytest.fixture
def profile(make_profile):
    return make_profile([branch(f"f{i}", line=10 * i, lines=(10 * i + 1, 10 * i + 2)) for i in range(40)])


def test_variables(on_terminal, pathdump, profile):
    plain = pathdump("report", profile, env={"PATHPROF_PAGER": MARK}).stdout  # no terminal
    assert "PAGED" not in plain
    for env in ({"PATHPROF_PAGER": MARK}, {"PAGER": MARK}, {"PATHPROF_PAGER": MARK, "PAGER": "false"}):
        shown, status = on_terminal("report", profile, **env)
        assert all(line.startswith("PAGED:") for line in shown.splitlines()) and status == 0, env
    for env in ({"PATHPROF_PAGER": ""}, {"PAGER": "cat"}, {"PATHPROF_PAGER": "cat", "PAGER": MARK}):
        shown, status = on_terminal("report", profile, **env)
        assert shown.startswith("prog: 1 run") and "PAGED" not in shown and status == 0, env


def test_what_has_no_pager(on_terminal, profile, tmp_path):
    for arguments in (("report", "--json"), ("report", "--no-pager"), ("report", "-o", "out"), ("check",), ("--help",),
                      ("export", "--format=csv")):
        rest = [] if arguments == ("--help",) else [profile]
        shown, status = on_terminal(*arguments, *rest, PATHPROF_PAGER=MARK)
        assert "PAGED" not in shown and status == 0, arguments
    assert (tmp_path / "out").read_text().startswith("prog: 1 run")


@pytest.fixture
def less(tmp_path):
    """A program in front of less, which says with which LESS it was called."""
    script = tmp_path / "bin/less"
    script.parent.mkdir()
    script.write_text("#!/bin/sh\necho \"LESS=$LESS\"\nexec cat\n")
    script.chmod(0o755)
    return {"PATH": f"{script.parent}:{os.environ['PATH']}"}


def test_less_only_where_text_does_not_fit(on_terminal, profile, less):
    shown, status = on_terminal("report", profile, **less)
    assert shown.startswith("LESS=FRX\nprog: 1 run") and status == 0
    assert on_terminal("report", profile, LESS="R", **less)[0].startswith("LESS=R\n")
    assert on_terminal("report", profile, lines=100, **less)[0].startswith("prog: 1 run")
    assert on_terminal("report", "-n", "3", profile, **less)[0].startswith("prog: 1 run")


def test_pager_that_cannot_be_run(on_terminal, profile):
    shown, status = on_terminal("report", profile, PATHPROF_PAGER="nonesuch -x")
    first, rest = shown.split("\n", 1)
    assert first.startswith("pathdump: PATHPROF_PAGER: cannot run the pager 'nonesuch -x'; ")
    assert rest.startswith("prog: 1 run") and status == 0


def test_exit_status_is_kept(on_terminal, profile):
    """Also of a pager that is left early, or fails."""
    for pager in (MARK, "head -n 1", "true", "false"):
        assert on_terminal("report", profile, PATHPROF_PAGER=pager)[1] == 0, pager
        assert on_terminal("report", "-n", "0", profile, "--function", "nonesuch", PATHPROF_PAGER=pager)[1] == 1, pager
    assert on_terminal("report", "-n", "x", profile, PATHPROF_PAGER=MARK)[1] == 2
    (profile.parent / "bad.pathprof").write_text("text")
    assert on_terminal("report", "bad.pathprof", PATHPROF_PAGER=MARK)[1] == 3


def test_warnings_go_the_same_way(on_terminal, profile):
    shown, status = on_terminal("show", profile, PATHPROF_PAGER=MARK)
    assert "\nPAGED:pathdump: " in shown and "\npathdump: " not in shown
    assert status == 0


def test_long_names_that_differ_at_their_end_widen_their_own_rows_only(on_terminal, make_profile):
    alike = [f"a_very_long_name_of_a_function_that_goes_on_and_on_to_the_{end}" for end in ("left", "right")]
    other = "another_name_that_is_too_long_for_its_column_by_far"
    profile = make_profile([branch(name, line=10 * i + 10) for i, name in enumerate([*alike, other, "short"])])
    shown, _ = on_terminal("report", "-n", "0", profile, columns=200, PATHPROF_PAGER="")
    assert all(name in shown for name in alike) and other not in shown and other[:37] + "..." in shown
    starts = {line.index(".c:") for line in shown.splitlines() if " short " in line or other[:20] in line}
    assert len(starts) == 1, shown
