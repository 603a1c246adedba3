# SPDX-License-Identifier: GPL-3.0-or-later
"""pathdump tui in a pseudo-terminal, whose screen python3-pyte draws."""

import os
import re
import signal

import pytest

from conftest import assert_mentions, branch, loop
from terminal import Screen, Stream
from test_decisions import NARROW, profile_of

@pytest.fixture
def profile(make_profile, tmp_path):
    (tmp_path / "a.c").write_text("".join(f"text {number};\n" for number in range(1, 60)))
    os.utime(tmp_path / "a.c", (1, 1))
    return make_profile({"program": "wc", "functions": [
        branch("g"), loop("f"), branch("never", line=40, lines=(41, 43), counts=(0, 0))]})


def test_from_the_hot_list_to_a_function_and_back(tui, profile):
    terminal = tui(profile)
    lines = terminal.shows("Hot paths of wc, 1 run", "q quit")
    assert lines[1].split() == ["share", "count", "stmts", "id", "from", "to", "function", "decisions"]
    assert lines[2].split() == "57.14% 20 8 5 loop backedge f from a.c:13:T; 14:F; around".split() and terminal.chosen() == lines[2]
    terminal.press("enter")
    lines = terminal.shows("f (a.c:10), source; * path 5", "s source  g graph  p paths")
    assert lines[3:8] == ["          10      12   text 12;", "          40      13 * text 13;", "          30      14 * text 14;",
                          "          10      15   text 15;", "           -      16   text 16;"]
    terminal.press("g")
    lines = terminal.shows("f, control-flow graph; * path 5", "block  lines  executions")
    assert "* 3  a.c:13  40" in lines and "  5  a.c:15  10" in lines
    assert any(line.split() == ["->", "6", "20", "66.7%", "F"] for line in lines), lines
    terminal.press("p")
    lines = terminal.shows("f, paths, hottest first")
    assert [line.split()[3] for line in lines[2:5]] == ["5", "1", "3"]
    terminal.chooses("57.14%")
    terminal.press("down", "enter")
    assert "          10      15 * text 15;" in terminal.shows("source; * path 1")
    terminal.press("q")
    terminal.shows("Hot paths of wc")
    terminal.press("q")
    assert terminal.end() == 0
    assert b"\x1b[?1049h" in terminal.written and b"\x1b[?1049l" in terminal.written  # the screen before is there again


def test_functions(tui, profile):
    terminal = tui(profile)
    terminal.shows("Hot paths")
    terminal.press("tab")
    lines = terminal.shows("Functions of wc", "1 function was never executed; press 'a' to show it")
    assert [line.split()[4] for line in lines[2:4]] == ["f", "g"] and "never" not in lines[4].split()[4:]
    terminal.press("a")
    lines = terminal.shows("a executed only")
    assert lines[4].split() == ["0.00%", "0", "0", "2", "never", "a.c:40"]
    terminal.press("end", "enter")
    terminal.shows("never (a.c:40), source", "           0      41   text 41;")
    terminal.press("p")
    terminal.shows("No paths in this function were executed.")
    terminal.press("backtab")
    terminal.shows("never, control-flow graph")
    terminal.press("escape")
    terminal.shows("Functions of wc")
    terminal.chooses("never")  # where it was left
    terminal.press("backtab")
    terminal.shows("Hot paths")
    terminal.press("Q")
    assert terminal.end() == 0


def test_search(tui, profile):
    terminal = tui(profile)
    terminal.shows("Hot paths")
    terminal.press("n")
    terminal.shows("no previous search")
    terminal.press("/", "C", ":", "3", "x", "backspace")
    terminal.shows("/C:3")
    terminal.press("enter")  # in whatever case; "stmts" of the heading is none of the rows
    terminal.chooses("  g  ")
    first = terminal.chosen()
    terminal.press("n")
    terminal.until(lambda self: "  g  " in self.chosen() and self.chosen() != first)
    terminal.press("N")
    terminal.chooses(first)
    terminal.press("/", "z", "z", "enter")
    terminal.shows("not found: zz")
    assert terminal.chosen() == first
    terminal.press("/", "q", "escape")
    terminal.shows("q quit")
    terminal.press("q")
    assert terminal.end() == 0


def test_long_lists_scroll(tui, make_profile):
    profile = make_profile([branch(f"f{i:03}", line=9 * i, lines=(9 * i + 1, 9 * i + 2), counts=(90 - i, 0)) for i in range(60)])
    terminal = tui(profile)
    terminal.shows("f000", "q quit")
    terminal.press("pagedown")
    terminal.chooses("f021")
    terminal.press("end")
    lines = terminal.chooses("f059")
    assert lines[22] == terminal.chosen() and "f039" in lines[2]
    terminal.press("j", "k", "k")
    terminal.chooses("f057")
    terminal.press("home")
    terminal.chooses("f000")
    terminal.press("right")
    terminal.until(lambda self: self.lines()[1].startswith("unt") or not self.lines()[1].startswith("share"))
    terminal.press("left")
    terminal.shows("share")


def test_decisions_continue_on_the_next_lines(tui, tmp_path):
    (tmp_path / "narrow.c").write_text(NARROW)
    profile = profile_of(tmp_path, tmp_path / "narrow.c", "acyclic", "O0")
    terminal = tui(profile, columns=80, lines=24)
    lines = terminal.shows("Hot paths", "q quit", "it->weight > 10")
    rows = [i for i, line in enumerate(lines) if re.match(r" *\d+\.\d+%", line)]
    of_second = lines[rows[1] + 1:rows[2]]
    assert len(of_second) > 2 and all(line.startswith("      ") for line in of_second), lines
    assert re.search(r"; 10:[TF] it->weight > 10; 11:[TF] it->zone > 1; ", " ".join(map(str.strip, of_second)))
    assert terminal.chosen() == lines[rows[0]]
    terminal.press("down")
    terminal.chooses(lines[rows[1]].split()[0])
    terminal.press("end")  # curses moves the lines that stay on the screen
    terminal.chooses("289  loop   exit      classify")
    lines = terminal.lines()
    assert lines[-7:] == ["      from narrow.c:21:F i < 40; left", " 0.13%      1      3  289  loop   exit      classify",
                          "      from narrow.c:6:F i < n; left", "", "", "", lines[-1]]
    assert [line for line in lines if re.match(r" *\d+\.\d+%", line)] == [
        " 1.54%      1     35  396  loop   backedge  classify", " 1.49%      1     34  400  loop   backedge  classify",
        " 0.79%      1     18    1  entry  backedge  main", " 0.22%      1      5    4  loop   exit      main", lines[-6]]
    terminal.press("q")
    assert terminal.end() == 0
    terminal = tui(profile, "--codes", columns=80, lines=24)
    text = " ".join(terminal.shows("Hot paths", "q quit", "classify"))
    assert "it->" not in text and re.search(r" 10:T 11:F 12:[TF] 13:[TF] 14:T +around calls strcmp", text)
    terminal.press("q")
    assert terminal.end() == 0


def test_the_terminal_of_these_tests():
    """It scrolls a part of the screen, repeats characters and tabs backwards, as curses may ask it to."""
    screen = Screen(16, 4)
    Stream(screen).feed(b"one\r\ntwo\r\nthree\r\nfour\x1b[1;3r\x1b[4;5H\x1b[S")
    assert screen.display == [line.ljust(16) for line in ("two", "three", "", "four")]
    Stream(screen).feed(b"!\x1b[3b\x1b[2T\x1b[Z-\x1b[1;16H\x1b[2Z+")
    assert screen.display == [line.ljust(16) for line in ("+", "", "two", "-our!!!!")]


@pytest.mark.parametrize("columns, lines", [(80, 24), (200, 60), (40, 10), (20, 5), (10, 3), (5, 2), (1, 1)])
def test_sizes(tui, profile, columns, lines):
    """Nothing is ever outside of the screen; keys work at every size."""
    terminal = tui(profile, columns=columns, lines=lines)
    terminal.until(lambda self: self.lines()[0].startswith("Hot paths"[:columns] if lines > 2 else "5"))
    terminal.press("enter", "g", "p", "s", "down", "end", "right", "q", "tab", "a", "q")
    assert terminal.end() == 0


def test_resize(tui, profile):
    terminal = tui(profile)
    terminal.shows("Hot paths")
    terminal.press("enter")
    terminal.shows("text 21;", "Q quit")
    terminal.press("end")
    terminal.chooses("text 21;")
    terminal.resize(50, 8)
    lines = terminal.until(lambda self: "s source" in self.lines()[7] and "text 21" in self.lines()[6])
    assert "text 21;" in terminal.chosen() and lines[0].startswith("f (a.c:10), source")
    terminal.resize(120, 40)
    terminal.until(lambda self: "Q quit" in self.lines()[39] and "text 11" in self.lines()[2])
    terminal.press("Q")
    assert terminal.end() == 0


def colours_of(terminal):
    return {cell.fg for row in terminal.screen.buffer.values() for cell in row.values()} - {"default"}


def test_colours(tui, profile):
    for arguments, env, some in (((), {}, True), ((), {"NO_COLOR": "1"}, False), (("--color=never",), {}, False),
                                 (("--color=always",), {"NO_COLOR": "1"}, True), ((), {"TERM": "vt100"}, False)):
        terminal = tui(profile, *arguments, **env)
        terminal.shows("Hot paths", "q quit")
        assert bool(colours_of(terminal)) == some, (arguments, env)
        terminal.press("enter")
        terminal.shows("* text 13;")
        terminal.press("Q")
        assert terminal.end() == 0


def test_names(tui, make_profile):
    long = "_Z1fNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
    profile = make_profile([branch(long), branch("_Z1gv", line=50, lines=(51, 52))])
    terminal = tui(profile, "--function", "f(std::string)")
    lines = terminal.shows("f(std::string)", "q quit")
    assert "g()" not in "\n".join(lines)
    terminal.press("q")
    assert terminal.end() == 0
    tui(profile, "--full-names", columns=200).shows("f(std::__cxx11::basic_string<")


def test_hostile_text(tui, make_profile, tmp_path):
    """Names and source cannot move the cursor, and wide characters stay whole."""
    (tmp_path / "a.c").write_bytes(b"\x1b[2J\x07evil\n" * 29 + "\t日本語 ü\n".encode() * 9)
    os.utime(tmp_path / "a.c", (1, 1))
    terminal = tui(make_profile([branch("na\x1b[2Jme")]))
    terminal.shows("na\\x1b[2Jme", "q quit")
    terminal.press("enter")
    assert any("日 本 語" in line or "日本語 ü" in line for line in terminal.shows("source; * path"))


def test_no_terminal(pathdump, profile):
    result = pathdump("tui", profile, status=2)
    assert result.stdout == "" and result.stderr.count("\n") == 1
    assert result.stderr.startswith("pathdump: tui: standard input or output is not a terminal") and "pathdump show" in result.stderr


def test_terminal_that_is_not_known(tui, profile):
    for term in ("nonesuch", ""):
        terminal = tui(profile, TERM=term)
        assert terminal.end() == 2
        assert_mentions(terminal.written.decode(), "tui", f"'{term}'", "TERM")


def test_bad_input(tui, profile, tmp_path):
    (tmp_path / "bad.pathprof").write_bytes(profile.read_bytes()[:-9])
    for arguments, status, text in ((["bad.pathprof"], 3, "bad.pathprof"), (["nonesuch"], 2, "nonesuch"), (["-"], 2, "standard input"),
                                    ([profile, "-o", "x"], 2, "option '-o'")):
        terminal = tui(*arguments)
        assert terminal.end() == status
        assert text.encode() in terminal.written and b"\x1b[?1049h" not in terminal.written


def test_nothing_to_show(tui, make_profile, profile):
    terminal = tui(profile, "--function=nonesuch")
    terminal.shows("No path was executed.")
    terminal.press("enter")
    terminal.shows("no function to open in this row")
    terminal.press("tab")
    terminal.shows("No function to show.")
    terminal.press("q")
    assert terminal.end() == 1 and b"matches no function" in terminal.written
    idle = tui(make_profile([branch(counts=(0, 0))], "idle.pathprof"))
    idle.shows("No path was executed.")


def test_terminal_that_goes_away(tui, profile):
    terminal = tui(profile)
    terminal.shows("Hot paths")
    terminal.process.send_signal(signal.SIGTERM)
    assert terminal.end() != 0 and b"\x1b[?1049l" in terminal.written
