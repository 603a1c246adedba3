# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages of pathdump about a wrong file, name or order: one line that names the object and the remedy, with the exit status that
the design fixes. The tests assert these, not the wording. Regression 18 among others."""

import json
import os
import re
import resource
import subprocess

import pytest

from conftest import GCC, PATHDUMP, assert_mentions, branch, loop
from programs import figure_4

ONE_FILE = ["report", "show", "functions", "coverage", "stats", "residual", "advise", "export", "html", "check"]
KIPF = {"mode": "kipf", "k": 2}


def operands(command, file):
    return {"diff": [file, "good.pathprof"], "overlap": [file, "good.pathprof"], "merge": ["-o", "out", file],
            "path": [file, "f", 0], "html": ["-o", "out", file]}.get(command, [file])


def the_line(done):
    line = without_note_on_stacks(done)
    assert line.startswith("pathdump: ") and line.count("\n") == 1, done.stderr
    return line


def without_note_on_stacks(done):
    """Removes the note about functions without a known caller, which these profiles consist of."""
    return "".join(line for line in done.stderr.splitlines(True) if not re.match("pathdump: note: .*stacks", line))


# ---- values of options ----

@pytest.mark.parametrize("words", [["coverage", "--evidence", ""], ["coverage", "--evidence="], ["coverage", "--changed-since", ""],
                                   ["html", "-o", ""], ["html", "--output="], ["report", "--function", ""], ["report", ""]])
def test_empty_values(pathdump, make_profile, tmp_path, words):
    """A variable that is not set must not make an option be forgotten."""
    make_profile([branch()])
    done = pathdump(*words, "prog.pathprof", status=2)
    assert_mentions(the_line(done), words[0], "empty", {"-o": "--output", "": "FILE"}.get(words[1], words[1].rstrip("=")))
    assert done.stdout == ""
    assert [path.name for path in tmp_path.iterdir()] == ["prog.pathprof"]


@pytest.mark.parametrize("value", ["nan", "inf", "-1", "100.5", "abc", "1e1000", "50%"])
@pytest.mark.parametrize("words", [["coverage", "--fail-under"], ["report", "--threshold"], ["html", "--top"]])
def test_percentages(pathdump, make_profile, words, value):
    make_profile([branch()])
    assert_mentions(the_line(pathdump(*words, value, "prog.pathprof", status=2)), words[1], f"'{value}'", "0", "100")


# ---- other files ----

PROGRAM = b"\x7fELF\2\1\1" + bytes(9) + b"\3\0" + bytes(50)
OBJECT = b"\x7fELF\2\1\1" + bytes(9) + b"\1\0" + bytes(50)
OTHERS = {  # for each name, the content and the words that name what the file is and what to do
    "program": (PROGRAM, "pathprof-gcc", "program.pathprof"),
    "object": (OBJECT, "object"),
    "core": (OBJECT[:16] + b"\4\0" + OBJECT[18:], "core dump"),
    "library": (b"!<arch>\n" + bytes(20), "static library"),
    "empty": (b"", "empty"),
    "a.gcda": (b"adcg*21B" + bytes(20), "gcov", "data"),
    "a.gcno": (b"oncg*21B" + bytes(20), "gcov", "notes"),
    "perf.data": (b"PERFILE2" + bytes(20), "perf"),
    "prog.gz": (b"\x1f\x8b\x08" + bytes(20), "compressed", "'zcat FILE | pathdump report -'"),
    "a.c": (b"int main (void)\n{\n  return 0;\n}\n", "text", "*.pathprof"),
}


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("command", [*ONE_FILE, "path", "diff", "overlap", "merge"])
def test_other_files(pathdump, make_profile, tmp_path, command, name):
    make_profile([loop()], "good.pathprof")
    content, *words = OTHERS[name]
    (tmp_path / name).write_bytes(content)
    line = the_line(pathdump(command, *operands(command, name), status=3))
    assert line.startswith(f"pathdump: {name}: offset 0: not a pathprof profile")
    _, explanation = line.split("not a pathprof profile")
    assert_mentions(explanation, *words)
    assert ("magic" in line) == (name != "empty")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("arguments, status, what", [
    (["./" + "x" * 300], 2, "File name too long"),
    (["./circle"], 2, "Too many levels of symbolic links"),
    (["prog.pathprof", "-o", "x" * 300], 2, "File name too long"),
    (["merge", "-o", "circle/out", "prog.pathprof"], 2, "cannot write"),
    (["show", "prog.pathprof", "--source-prefix", "a.c=./circle"], 0, "source not found"),
])
def test_names_that_lead_nowhere(pathdump, make_profile, tmp_path, arguments, status, what):
    make_profile([loop()])
    (tmp_path / "circle").symlink_to("back")
    (tmp_path / "back").symlink_to("circle")
    assert what in the_line(pathdump(*arguments, status=status))


@pytest.mark.skipif(len(os.sched_getaffinity(0)) == 1, reason="work is shared among processors")
def test_threads_that_cannot_begin(make_profile, tmp_path):
    """A system call that fails is reported in one line: here the creation of threads whose stacks are too large."""
    files = [make_profile([loop()], f"{i}.pathprof") for i in range(8)]
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    if hard != resource.RLIM_INFINITY:
        pytest.skip("stacks are limited")
    done = subprocess.run([PATHDUMP, "merge", "-o", "out", *files], cwd=tmp_path, capture_output=True, text=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK, (1 << 47, hard)))
    assert done.returncode == 3, done.stderr
    assert_mentions(the_line(done), "Resource temporarily unavailable")
    assert not (tmp_path / "out").exists()


def test_program_whose_profile_is_there(pathdump, make_profile, tmp_path):
    (tmp_path / "prog").write_bytes(PROGRAM)
    make_profile([loop()])
    assert_mentions(the_line(pathdump("prog", status=3)), "program", "prog.pathprof")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/tool").write_bytes(PROGRAM)
    make_profile([loop()], "folder/tool.pathprof")
    assert_mentions(the_line(pathdump("folder/tool", status=3)), "folder/tool.pathprof")
    # The profile is in the working directory, where the program was executed.
    (tmp_path / "folder/tool.pathprof").rename(tmp_path / "tool.pathprof")
    assert_mentions(the_line(pathdump("folder/tool", status=3)).replace("folder/tool:", ""), "tool.pathprof")


def test_real_program(pathdump, project, tmp_path):
    project.write("prog.c", "int main (void) { return 0; }\n")
    subprocess.run([GCC, "-c", "prog.c"], cwd=tmp_path, check=True)
    subprocess.run([GCC, "prog.o", "-o", "prog"], cwd=tmp_path, check=True)
    assert_mentions(the_line(pathdump("prog", status=3)), "program", "pathprof-gcc")
    assert_mentions(the_line(pathdump("prog.o", status=3)), "object")


def test_exported_json(pathdump, make_profile, tmp_path):
    make_profile([loop()])
    pathdump("export", "-o", "out.json")
    assert_mentions(the_line(pathdump("report", "out.json", status=3)), "out.json", "exported")


def test_folders(pathdump, make_profile, tmp_path):
    (tmp_path / "folder").mkdir()
    line = the_line(pathdump("report", "folder", status=2))
    assert line.startswith("pathdump: folder: Is a directory; ") and "*.pathprof" in line
    make_profile([loop()], "folder/prog.pathprof")
    line = the_line(pathdump("folder", status=2))
    assert line.startswith("pathdump: folder: Is a directory; ")
    assert_mentions(line, "folder/prog.pathprof")


@pytest.mark.parametrize("argument", ["use", "weights"])
def test_the_plugin_says_the_same(project, argument):
    project.write("prog.c", "int main (void) { return 0; }\n")
    project.gcc("-O2", "prog.c", "-o", "prog")
    done = project.gcc("-O2", f"-fplugin-arg-pathprof-{argument}=prog", "-c", "prog.c", status=1)
    error, = [line for line in done.stderr.splitlines() if "error: " in line]
    assert_mentions(error, f"'{argument}'", "prog: offset 0: not a pathprof profile", "program")


# ---- order ----


@pytest.mark.parametrize("words, right", [
    (["prog.pathprof", "show"], "show prog.pathprof"),
    (["prog.pathprof", "show", "-n", 3], "show prog.pathprof -n 3"),
    (["prog.pathprof", "-n", 3, "functions", "--json"], "functions prog.pathprof -n 3 --json"),
    (["missing.pathprof", "check"], "check missing.pathprof"),
])
def test_command_behind_the_file(pathdump, make_profile, words, right):
    make_profile([loop()])
    assert the_line(pathdump(*words, status=2)).endswith(f"'pathdump {right}'\n")


def test_a_profile_that_is_called_like_a_command(pathdump, make_profile):
    make_profile([loop()], "show")
    assert "f" in pathdump("report", "show").stdout and "f" in pathdump("show", "show").stdout


def test_command_that_is_spelt_otherwise(pathdump):
    line = the_line(pathdump("repot", status=2))
    assert_mentions(line, "'repot'", "did you mean 'report'?", "commands: ")


@pytest.mark.parametrize("words, named", [
    (["report", "--functoin", "f", "prog.pathprof"], ["report", "option", "'--functoin'", "did you mean '--function'?", "'pathdump report --help'"]),
    (["export", "--formt=json"], ["export", "option", ("'--formt=json'", "'--formt'"), "did you mean '--format'?"]),
    (["path", "-n", 3], ["path", "option", "'-n'", "'pathdump path --help'"]),
    (["show", "prog.pathprof", "other"], ["show", "'other'", "operand", "'pathdump show --help'"]),
    (["html", "-n", "x", "-o", "out"], ["html", "--number", "'x'", "number"]),
    (["report", "prg.pathprof"], ["prg.pathprof: No such file or directory; did you mean 'prog.pathprof'?"]),
    (["report", "folder/prog.pathprof"], ["folder/prog.pathprof: No such file or directory"]),
])
def test_words_that_are_spelt_otherwise(pathdump, make_profile, words, named):
    make_profile([loop()])
    line = the_line(pathdump(*words, status=2))
    assert line.startswith(f"pathdump: {named[0]}")
    assert_mentions(line, *named)


PATH_ID = ("number", "path ID", "ID")


@pytest.mark.parametrize("words, named", [
    ([], ["function", PATH_ID, "pathdump path [FILE] FUNC ID"]),
    (["prog.pathprof"], ["function", PATH_ID, "missing"]),
    (["prog.pathprof", "f"], [PATH_ID, "missing", "pathdump path [FILE] FUNC ID", "'pathdump report prog.pathprof --function \"f\"'"]),
    (["f"], [PATH_ID, "missing", "pathdump path [FILE] FUNC ID", "'pathdump report --function \"f\"'"]),
    (["5"], ["function", "missing"]),
    (["prog.pathprof", 5], ["function", "missing"]),
    (["prog.pathprof", 5, "f"], [PATH_ID, ("last", "after")]),
    ([5, "f"], [PATH_ID, ("last", "after")]),
    (["f", "prog.pathprof", 5], ["profile", "pathdump path prog.pathprof f 5"]),
    (["prog.pathprof", "f", 5, 6], ["function", PATH_ID]),
])
def test_operands_of_path(pathdump, make_profile, words, named):
    make_profile([loop()])
    line = the_line(pathdump("path", *words, status=2))
    assert line.startswith("pathdump: path: ")
    assert_mentions(line, *named)


def test_the_numbers_are_listed_as_it_is_said(pathdump, make_profile):
    make_profile([loop(), branch()])
    shown = pathdump.json("report", "prog.pathprof", "--function", "f", "--json")
    for path in shown["paths"]:
        assert path["function"] == "f"
        pathdump("path", "prog.pathprof", "f", path["id"])


# ---- names that match nothing ----

FILTERED = [["report"], ["report", "--json"], ["show"], ["show", "--json"], ["functions"], ["functions", "--json"],
            ["coverage"], ["coverage", "--json"], ["stats"], ["stats", "--json"], ["advise"], ["advise", "--json"],
            *(["export", f"--format={name}"] for name in ("json", "lcov", "cobertura", "sonarqube", "collapsed", "speedscope", "callgrind", "quickfix",
    "annotations", "dot", "csv")),
            ["html", "-o", "page.html"], ["check"], ["diff", "prog.pathprof"], ["diff", "--json", "prog.pathprof"],
            ["overlap", "prog.pathprof"], ["overlap", "--json", "prog.pathprof"],
            ["diff", "--pass", "prog.pathprof", "--fail"]]


@pytest.mark.parametrize("command", FILTERED, ids="-".join)
def test_filters_that_match_nothing(pathdump, make_profile, tmp_path, command):
    (tmp_path / "a.c").write_text("text;\n" * 60)
    make_profile([loop("loop"), branch("other"), branch("third")])
    what = "prog.pathprof"
    for option, wanted, remedy in (("--function", "lop", "did you mean 'loop'?"), ("--function", "zzz*", "'pathdump functions'"),
                                   ("--file", "b.c", "did you mean 'a.c'?")):
        done = pathdump(*command, "prog.pathprof", option, wanted, status=1)
        assert the_line(done).startswith(f"pathdump: {option} '{wanted}'")
        assert_mentions(done.stderr, what, remedy)
        if "--json" in command or command[-1] in ("--format=json", "--format=speedscope"):
            json.loads(done.stdout)
    # One name matches, the other does not.
    done = pathdump(*command, "prog.pathprof", "--function", "loop", "--function", "thirt", status=1)
    assert the_line(done).startswith("pathdump: --function 'thirt'")
    # Both match.
    done = pathdump(*command, "prog.pathprof", "--function", "loop", "--file", "a.c")
    assert without_note_on_stacks(done) == ""


@pytest.mark.parametrize("command", ["report", "show", "functions", "export", "html"])
def test_filters_that_match_nothing_together(pathdump, make_profile, tmp_path, command):
    make_profile([loop("one"), branch("two", unit="b.c")])
    done = pathdump(command, "-o", "out", "--function", "one", "--file", "b.c", status=1)
    assert_mentions(the_line(done), "function", "prog.pathprof", "both", "--function", "--file")


def test_of_several_profiles_one_has_the_name(pathdump, make_profile):
    make_profile([loop("one")], "a.pathprof")
    make_profile([loop("two")], "b.pathprof")
    for name in ("one", "two"):
        assert pathdump("diff", "a.pathprof", "b.pathprof", "--function", name).stderr == ""
        assert pathdump("check", "a.pathprof", "b.pathprof", "--function", name).stderr == ""
    line = the_line(pathdump("check", "a.pathprof", "b.pathprof", "--function", "three", status=1))
    assert line.startswith("pathdump: --function 'three'") and "profiles" in line


def test_a_worse_status_stays(pathdump, make_profile, tmp_path):
    make_profile([loop()])
    (tmp_path / "bad").write_bytes(b"bad")
    done = pathdump("check", "prog.pathprof", "bad", "--function", "g", status=3)
    assert "--function 'g'" in done.stderr


def test_functions_that_were_inlined(pathdump, make_profile):
    caller = branch("caller", sites=[{"function": "helper", "file": "a.h", "line": 31, "parent": 0}])
    caller["blocks"][1]["lines"] = [{"file": "a.h", "line": 5, "site": 1}]
    make_profile([caller])
    line = the_line(pathdump("report", "--function", "helper", status=1))
    assert line.startswith("pathdump: --function 'helper'")
    assert_mentions(line, "prog.pathprof", "inlined", "'pathdump show'")
    for command in (["show"], ["show", "--json"]):
        assert "--function" not in pathdump(*command, "--function", "helper", "--file", "a.h").stderr
        done = pathdump(*command, "--function", "helper", "--file", "a.c", status=1)
        assert_mentions(the_line(done), "prog.pathprof", "both", "--function", "--file")
    # Lines of a header in functions of another file.
    assert "--file 'a.h'" in pathdump("report", "--file", "a.h", status=1).stderr
    for name in ("lcov", "cobertura"):
        assert "a.h" in pathdump("export", f"--format={name}", "--file", "a.h").stdout


def test_nearest_names_of_cplusplus(pathdump, make_profile):
    make_profile([loop("_ZN5space4walkEi"), branch("_ZN5space4waitEv")])
    line = the_line(pathdump("report", "--function", "walk", status=1))
    assert "did you mean 'space::walk'?" in line
    assert pathdump("report", "--function", "space::walk").stderr == ""
    assert "did you mean 'space::walk'?" in the_line(pathdump("path", "wlak", 0, status=2))


# ---- options without an effect ----


@pytest.mark.parametrize("words, named", [
    (["report", "--json", "--lines"], ["report: --lines"]),
    (["report", "--sequences", "--sort", "statements"], ["report: --sort"]),
    (["report", "--sequences"], ["mode=kipf"]),
    (["report", "--sort", "cycles"], ["metric=tsc"]),
    (["functions", "--calls"], ["functions: --calls", "prog.pathprof"]),
    (["coverage", "-n", 3], ["coverage: -n", "--missing", "--not-in"]),
])
def test_options_without_an_effect(pathdump, make_profile, words, named):
    make_profile([loop()])
    assert_mentions(the_line(pathdump(*words, "prog.pathprof", status=2)), *named)


def test_number_of_functions_in_json(pathdump, make_profile):
    make_profile([loop(f"f{i}") for i in range(25)])
    for words, number in (([], 25), (["-n", 3], 3), (["-n", 0], 25)):
        assert len(pathdump.json("stats", "--json", *words)["functions"]) == number


def test_missing_paths_through_calls(pathdump, make_profile):
    make_profile(figure_4("context"))
    assert_mentions(the_line(pathdump("coverage", "--missing", status=2)), "--missing")
    assert pathdump("functions", "--calls").stderr == ""
