# SPDX-License-Identifier: GPL-3.0-or-later
"""Regression 12: several users write one profile, also in a folder such as /tmp where none can replace another's file."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import pytest

from conftest import BIN, assert_one_line
from programs import COUNTS

ALICE, BOB, ROOT = 61001, 61002, 0
SYSCTL = pathlib.Path("/proc/sys/fs/protected_regular")


class Shared:
    """A folder that is everybody's, and the program."""

    def __init__(self, project, folder, mode):
        self.project = project
        self.folder = folder
        folder.chmod(mode)
        self.build(10)

    def build(self, value):
        self.project.write("prog.c", COUNTS.replace("NUMBER", str(value)))
        self.project.gcc("-O0", "-g", "prog.c", "-o", self.folder / "prog")

    def run(self, user, *arguments, umask=0o22, mode="exit", check=True):
        done = subprocess.run(["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "./prog", *arguments],
                              cwd=self.folder, env={"PATHPROF_FILE": "p", "PATHPROF_MODE": mode}, umask=umask,
                              capture_output=True, text=True, check=False)
        assert done.returncode == 0 or not check, done.stderr
        return done.stderr

    def counts(self):
        """Runs and calls, as the tool reads them."""
        done = subprocess.run([BIN / "pathdump", "export", "p"], cwd=self.folder, capture_output=True, text=True, check=True)
        messages = [line for line in done.stderr.splitlines() if ", another build); " not in line]
        assert not any("note:" in line or "error:" in line for line in messages)
        profile = json.loads(done.stdout)
        [f] = [function for function in profile["functions"] if function["name"] == "f"]
        return profile["runs"], sum(path["count"] for path in f["paths"] if path["start"] == "entry")

    def names(self):
        return sorted(path.name for path in self.folder.iterdir() if path.name != "prog")

    def owner(self, name):
        return (self.folder / name).stat().st_uid


@pytest.fixture(name="shared")
def fixture_shared(project):
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        pytest.skip("only root can run a program as several users")
    with tempfile.TemporaryDirectory() as folder:
        yield lambda mode: Shared(project, pathlib.Path(folder), mode)


@pytest.mark.parametrize("protected", [0, 1, 2])
def test_sticky(shared, protected):
    before = SYSCTL.read_text()
    try:
        SYSCTL.write_text(f"{protected}\n")
    except OSError:
        if int(before) != protected:
            pytest.skip("fs.protected_regular cannot be set here")
    try:
        tmp = shared(0o1777)
        assert tmp.run(ALICE) == ""
        # Bob cannot replace Alice's file. The runtime prints one note.
        assert_one_line(tmp.run(BOB), "pathrt: note: p: ", "user", f"p.u{BOB}", "pathdump")
        assert tmp.run(BOB) == "" and tmp.run(ALICE) == ""
        assert tmp.counts() == (4, 40)
        # Root can, and the file stays Alice's, so that she can go on.
        assert tmp.run(ROOT) == ""
        assert tmp.owner("p") == ALICE
        assert tmp.run(ALICE) == ""
        assert tmp.counts() == (6, 60)
        assert tmp.names() == ["p", f"p.u{BOB}"]
    finally:
        SYSCTL.write_text(before)


def test_sticky_unreadable(shared):
    """Neither the profile nor a lock file that a killed process left can keep the other user from writing."""
    tmp = shared(0o1777)
    tmp.run(ALICE, umask=0o77)
    assert "the counts are in" in tmp.run(BOB, umask=0o77)
    tmp.run(BOB, umask=0o77)
    assert tmp.counts() == (3, 30)
    # A process that is killed while it holds the lock.
    if shutil.which("strace"):
        subprocess.run(["setpriv", f"--reuid={ALICE}", f"--regid={ALICE}", "--clear-groups", "strace", "-o", "/dev/null", "-e",
                        "inject=rename:signal=KILL:when=1", "./prog"], cwd=tmp.folder, env={"PATHPROF_FILE": "p"}, umask=0o77,
                       check=False)
        assert "p.lock" in tmp.names()
        assert tmp.run(BOB) == ""
        assert tmp.counts()[1] in (40, 50)


def test_sticky_continuous(shared):
    """What a killed process left is added to its user's part."""
    tmp = shared(0o1777)
    tmp.run(ALICE)
    tmp.run(BOB, "trap", mode="continuous", check=False)
    assert tmp.counts() == (2, 20)
    tmp.run(ALICE)
    assert tmp.counts() == (3, 30)
    tmp.run(BOB, mode="continuous")
    assert tmp.counts() == (4, 40)
    assert tmp.names() == ["p", f"p.u{BOB}"]


def test_sticky_other_build(shared):
    """A profile of another build, which cannot be renamed, stays, and nothing is lost."""
    tmp = shared(0o1777)
    tmp.run(ALICE)
    tmp.build(20)
    tmp.run(BOB)
    done = subprocess.run([BIN / "pathdump", "export", "p"], cwd=tmp.folder, capture_output=True, text=True, check=True)
    assert_one_line(done.stderr, f"pathdump: note: p.u{BOB}: ", "another build", "not included")
    # Once Alice runs the new build, too, it is one profile.
    tmp.run(ALICE)
    assert tmp.counts() == (2, 40)


def test_part_becomes_the_profile(shared):
    """When the other user's profile is removed, nothing stays in the part."""
    tmp = shared(0o1777)
    tmp.run(ALICE)
    tmp.run(BOB)
    (tmp.folder / "p").unlink()
    assert tmp.run(BOB) == ""
    assert tmp.names() == ["p"] and tmp.owner("p") == BOB
    assert tmp.counts() == (2, 20)


def test_forged_part(shared):
    """A part must be its user's own file."""
    tmp = shared(0o1777)
    tmp.run(ALICE)
    tmp.run(BOB)
    shutil.copy(tmp.folder / f"p.u{BOB}", tmp.folder / "p.u12")
    done = subprocess.run([BIN / "pathdump", "export", "p"], cwd=tmp.folder, capture_output=True, text=True, check=True)
    assert_one_line(done.stderr, "pathdump: note: p.u12: ", "user 12", "not included")


def test_not_sticky(shared):
    """Every user can replace the file, and does."""
    tmp = shared(0o777)
    for user in (ALICE, BOB, ROOT, ALICE):
        assert tmp.run(user) == ""
    assert tmp.counts() == (4, 40)
    assert tmp.names() == ["p"]
