# SPDX-License-Identifier: GPL-3.0-or-later
"""What it costs a program to start, and to write its profile, where most of its functions do not run."""

import re
import shutil

import pytest


def instructions(project, program):
    done = project.run("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", f"./{program}")
    return int(re.search(r"Collected : (\d+)", done.stderr).group(1))


@pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind counts the instructions")
def test_functions_that_do_not_run_cost_little(project):
    """Of the processor's work, as instructions; a merge with the profile of the run before reads its notes, too."""
    few, many = 200, 2200
    for number in (few, many):
        body = "if (n > 3) n += n & 1 ? 5 : 7; if (n & 4) n *= 3; return n;"
        project.write(f"prog{number}.c", "".join(f"int f{i} (int n) {{ {body} }}\n" for i in range(number)) +
                      "int main (int argc, char **argv) { return argv[0] ? 0 : f0 (argc); }\n")
        project.gcc("-O1", f"prog{number}.c", "-o", f"prog{number}")
    first = {number: instructions(project, f"prog{number}") for number in (few, many)}
    again = {number: instructions(project, f"prog{number}") for number in (few, many)}
    # 444 and 486 with GCC 12; 190 more for each walk over the notes.
    assert (first[many] - first[few]) / (many - few) < 600
    assert (again[many] - again[few]) / (many - few) < 650
