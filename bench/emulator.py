# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs programs for other processors under QEMU and counts their instructions."""

import re
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
BOARDS = HERE.parent / "testsuite/boards"


def emulators() -> dict[str, list[str]]:
    """Returns the command of the emulator for each target of testsuite/boards."""
    text = "".join(file.read_text(encoding="utf-8") for file in sorted(BOARDS.glob("*.exp")))
    return {target: command.split() for target, command in
            re.findall(r'^set_board_info pathprof,target "(.*)"\nset_board_info sim "(.*)"$', text, re.MULTILINE)}


class Emulator:
    """An emulator with a plugin that counts instructions. The plugin is compiled in the directory `scratch`."""

    def __init__(self, target: str, scratch: Path):
        self.command = emulators()[target]
        self.plugin = scratch / "count_instructions.so"
        self.counts = scratch / "instructions"
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", self.plugin, HERE / "count_instructions.c"], check=True)

    def counting(self) -> list[str]:
        """Returns the command that runs a program and writes the number of its instructions."""
        return [*self.command, "-plugin", f"{self.plugin},out={self.counts}"]

    def count(self) -> float:
        """Returns the number of instructions of the last run."""
        return float(self.counts.read_text(encoding="ascii"))
