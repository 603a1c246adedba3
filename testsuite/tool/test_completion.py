# SPDX-License-Identifier: GPL-3.0-or-later
"""Completion: what bash offers for beginnings of command lines; that zsh can load its functions."""

import re
import shlex
import shutil
import subprocess

import pytest

from conftest import BUILD, HERE
from test_manual import commands, options_of

FOLDER = HERE.parents[1] / "packaging/completion"
# Readline breaks words at these.
BREAKS = " \t\n\"'><=;|&(:"


def complete(tmp_path, line, function, breaks=BREAKS):
    """The replies for a line that ends at the cursor, as readline would put them."""
    words = re.findall(r"[^\s=]+|=", line) + ([""] if line.endswith((" ", "=")) else [])
    program, script = line.split()[0], function.removeprefix("_").replace("_", "-")
    array = " ".join(shlex.quote(word) for word in words)
    code = f"""
        shopt -s extglob
        COMP_WORDBREAKS={shlex.quote(breaks)}
        source {FOLDER}/bash/{script}
        COMP_WORDS=({array}) COMP_CWORD={len(words) - 1} COMP_LINE={shlex.quote(line)} COMP_POINT={len(line)}
        {function} {program} {shlex.quote(words[-1])} ''
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    result = subprocess.run(["bash", "--norc", "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=900,
                            env={"PATH": f"{BUILD}/bin:/usr/bin:/bin"}, check=True)
    assert result.stderr == ""
    return set(result.stdout.split())


@pytest.fixture
def pathdump_line(tmp_path):
    for name in ("prog.pathprof", "prog.7.raw", "other.c"):
        (tmp_path / name).touch()
    (tmp_path / "folder").mkdir()
    return lambda line, **more: complete(tmp_path, f"pathdump {line}", "_pathdump", **more)


@pytest.fixture
def driver_line(tmp_path):
    for name in ("prog.pathprof", "prog.c"):
        (tmp_path / name).touch()
    return lambda line, **more: complete(tmp_path, f"pathprof-gcc {line}", "_pathprof_gcc", **more)


def test_commands(pathdump_line):
    files = {"prog.pathprof", "prog.7.raw", "folder/"}
    assert pathdump_line("") == {*commands(), "help", *files}
    assert pathdump_line("e") == {"export"}
    assert pathdump_line("help ") == set(commands())
    assert pathdump_line("report ") == files
    assert pathdump_line("--json sh") == {"show"}


@pytest.mark.parametrize("command", commands())
def test_options(pathdump_line, command):
    assert pathdump_line(f"{command} -") == options_of(command)
    assert pathdump_line(f"{command} --col") == {"--color"}


def test_options_before_the_command(pathdump_line):
    assert pathdump_line("--") == {name for name in options_of("report") if name.startswith("--")}


def test_profiles_of_tests(pathdump_line):
    assert pathdump_line("advise --tests ") == pathdump_line("advise --tests=") == {"prog.pathprof", "prog.7.raw", "folder/"}


def test_accepted_words(pathdump_line):
    assert pathdump_line("report --color=") == {"auto", "always", "never"}
    assert pathdump_line("report --color=al") == {"always"}
    assert pathdump_line("--color=n") == {"never"}
    assert {"json", "collapsed", "speedscope", "pprof", "annotations"} <= pathdump_line("export --format=")
    assert pathdump_line("export --format coll") == {"collapsed"}
    assert pathdump_line("functions --sort ca") == {"calls"}
    assert pathdump_line("report --sort=", breaks=" ") == {f"--sort={key}" for key in ("share", "statements", "cycles", "cost", "count", "name")}
    assert pathdump_line("report -o oth") == {"other.c"}
    assert pathdump_line("report --cost=") == {"callgrind:", "perf:", "tsc"}
    assert pathdump_line("report --cost ") == {"callgrind:", "perf:", "tsc", "prog.pathprof", "prog.7.raw", "folder/"}
    assert pathdump_line("record --cost=c") == pathdump_line("record --cost c") == {"callgrind", "cycles"}


def test_pathprof(tmp_path):
    """Its own commands besides, and behind "--" a program."""
    (tmp_path / "prog").touch(mode=0o755)

    def offered(line):
        return complete(tmp_path, f"pathprof {line}", "_pathdump")
    assert offered("") >= {*commands(), *commands("pathprof")}
    assert offered("find") == {"find-bug"}
    for command in commands("pathprof"):
        assert offered(f"{command} -") == options_of(command, "pathprof")
    assert "pathprof-gcc" in offered("record -- pathprof-g")
    assert offered("record -- ./p") == {"./prog"}
    assert offered("record -- prog pr") == {"prog"}


def test_arguments_of_the_plugin(driver_line):
    assert driver_line("-fplugin-arg-pathprof-num") == {"-fplugin-arg-pathprof-numbering="}
    assert {"-fplugin-arg-pathprof-mode=", "-fplugin-arg-pathprof-k="} <= driver_line("-O2 -fplugin-arg-pathprof-")
    assert driver_line("-fplugin-arg-pathprof-mode=k") == {"kiter", "kipf"}
    assert driver_line("-fplugin-arg-pathprof-mode=kit", breaks=" ") == {"-fplugin-arg-pathprof-mode=kiter"}
    assert driver_line("-fplugin-arg-pathprof-rebuild=counts,th") == {"counts,thread"}
    assert driver_line("-fplugin-arg-pathprof-use=prog.p") == {"prog.pathprof"}
    assert driver_line("--pathprof-use=") == {"prog.pathprof"}
    assert driver_line("-shared-l") >= {"-shared-libpathrt"}


@pytest.mark.skipif(shutil.which("zsh") is None, reason="needs zsh")
@pytest.mark.parametrize("name", ["_pathdump", "_pathprof-gcc"])
def test_zsh_takes_the_functions(name):
    file = FOLDER / "zsh" / name
    assert file.read_text().startswith("#compdef ")
    subprocess.run(["zsh", "-n", file], check=True, timeout=900)
    code = f"fpath=({file.parent} $fpath); autoload -U compinit; compinit -D -u; echo $_comps[{name[1:]}]; autoload +X {name}"
    result = subprocess.run(["zsh", "-f", "-c", code], capture_output=True, text=True, check=True, timeout=900)
    assert result.stdout.strip() == name and result.stderr == ""
