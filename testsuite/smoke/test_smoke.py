# SPDX-License-Identifier: GPL-3.0-or-later
"""A few seconds of plugin, runtime, tool and drivers together, in the build tree that PATHPROF_BUILD names."""

import json
import os
import pathlib
import subprocess

import pytest

BUILD = pathlib.Path(os.environ["PATHPROF_BUILD"]).resolve()
SEED = pathlib.Path(__file__).resolve().parent.parent / "fuzz/seed.c"


def run(*command, cwd, **more):
    done = subprocess.run(list(map(str, command)), cwd=cwd, env=os.environ | more, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, f"{done.args}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.mark.parametrize("arguments", ["", "termination=exact", "mode=kiter", "mode=kipf k=3", "mode=intracontext",
                                       "mode=context", "mode=piecewise", "array-max=1"])
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_modes(tmp_path, arguments, level):
    options = [f"-fplugin-arg-pathprof-{argument}" for argument in arguments.split()]
    run(BUILD / "bin/pathprof-gcc", level, "-g", *options, SEED, "-o", "prog", cwd=tmp_path)
    run("./prog", cwd=tmp_path, PATHPROF_FILE="prog.pathprof")
    for command in ("check", "report", "functions"):
        run(BUILD / "bin/pathdump", command, "prog.pathprof", cwd=tmp_path)
    assert json.loads(run(BUILD / "bin/pathdump", "export", "prog.pathprof", cwd=tmp_path))["runs"] == 1


def test_rebuild(tmp_path):
    run(BUILD / "bin/pathprof-gcc", "-O2", SEED, "-o", "prog", cwd=tmp_path)
    run("./prog", cwd=tmp_path, PATHPROF_FILE="prog.pathprof")
    run(BUILD / "bin/pathprof-gcc", "-O2", "--pathprof-use=prog.pathprof", SEED, "-o", "fast", cwd=tmp_path)
    run("./fast", cwd=tmp_path)
