# SPDX-License-Identifier: GPL-3.0-or-later
"""pathdump tui in a pseudo-terminal, whose screen python3-pyte draws."""

import fcntl
import os
import pathlib
import pty
import select
import signal
import struct
import subprocess
import termios

import pyte

from conftest import COLOUR_VARIABLES, PATHDUMP

WAIT = float(os.environ.get("PATHPROF_TEST_WAIT", 300))  # seconds, until nothing more is to be expected
KEYS = {"up": "\x1bOA", "down": "\x1bOB", "right": "\x1bOC", "left": "\x1bOD", "home": "\x1bOH", "end": "\x1bOF", "pagedown": "\x1b[6~",
        "pageup": "\x1b[5~", "enter": "\r", "tab": "\t", "backtab": "\x1b[Z", "escape": "\x1b", "backspace": "\x7f"}


class Screen(pyte.Screen):
    """A screen that also executes those sequences of the terminal description that pyte ignores."""

    drawn = " "  # the last character

    def draw(self, data):
        super().draw(data)
        self.drawn = data[-1:] or self.drawn

    def repeat(self, count=None):
        self.draw(self.drawn * (count or 1))

    def scroll_up(self, count=None):
        self._from_the_top(self.delete_lines, count)

    def scroll_down(self, count=None):
        self._from_the_top(self.insert_lines, count)

    def _from_the_top(self, change, count):
        """Changes the lines from the first one of the scrolling region on; the cursor stays where it is."""
        x, y = self.cursor.x, self.cursor.y
        self.cursor.y = self.margins.top if self.margins else 0
        change(count)
        self.cursor.x, self.cursor.y = x, y

    def tab_back(self, count=None):
        for _ in range(count or 1):
            self.cursor.x = max((stop for stop in self.tabstops if stop < self.cursor.x), default=0)


class Stream(pyte.ByteStream):
    csi = {**pyte.ByteStream.csi, "b": "repeat", "S": "scroll_up", "T": "scroll_down", "Z": "tab_back"}
    events = pyte.ByteStream.events | set(csi.values())


class Terminal:
    """A program on a terminal, and what is to be seen there."""

    def __init__(self, folder, arguments, columns, lines, env):
        self.screen = Screen(columns, lines)
        self.stream = Stream(self.screen)
        self.written = b""
        self.master, slave = pty.openpty()
        self.set_size(columns, lines)
        environment = {k: v for k, v in os.environ.items() if k not in (*COLOUR_VARIABLES, "LINES", "COLUMNS")}
        environment.update({"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}, **env)
        self.process = subprocess.Popen([PATHDUMP, "tui", *map(str, arguments)], cwd=folder, env=environment, stdin=slave,
                                        stdout=slave, stderr=slave, start_new_session=True)
        os.close(slave)

    def set_size(self, columns, lines):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def resize(self, columns, lines):
        self.set_size(columns, lines)
        self.screen.resize(lines, columns)
        self.process.send_signal(signal.SIGWINCH)

    def read(self, seconds):
        """False: nothing came."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            chunk = os.read(self.master, 65536)
        except OSError:  # the program has ended
            return False
        self.written += chunk
        self.stream.feed(chunk)
        return bool(chunk)

    def press(self, *keys):
        for key in keys:
            os.write(self.master, KEYS.get(key, key).encode())

    def lines(self):
        return [line.rstrip() for line in self.screen.display]

    def sleeps(self):
        """The program waits for something, a key say: what it had to draw it has written."""
        return pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()[0] in "SZ"

    def until(self, condition):
        """Waits until the screen is so and all of it is drawn, for a terminal hands it over in pieces; gives its lines."""
        while True:
            while not condition(self):
                assert self.read(WAIT), "\n".join(self.lines())
            while self.read(0.05) or not self.sleeps():
                pass
            if condition(self):
                return self.lines()

    def shows(self, *texts):
        return self.until(lambda self: all(text in "\n".join(self.lines()) for text in texts))

    def chosen(self):
        """The first line of the row that is shown in reverse; empty while the screen is drawn anew."""
        rows = [y for y in range(self.screen.lines) if self.screen.buffer[y][0].reverse]
        return self.screen.display[rows[0]].rstrip() if rows and rows == list(range(rows[0], rows[-1] + 1)) else ""

    def chooses(self, text):
        return self.until(lambda self: text in self.chosen())

    def end(self):
        while self.read(WAIT):
            pass
        return self.process.wait(WAIT)
