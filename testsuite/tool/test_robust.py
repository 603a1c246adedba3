# SPDX-License-Identifier: GPL-3.0-or-later
"""Bad data, wrong use, and output files."""

import itertools
import os
import stat
from random import Random

import pytest

from conftest import HERE, branch, loop

READERS = ["report", "show", "functions", "export", "check"]
OTHERS = ["path", "diff", "merge"]


def damage(data, kind):
    if kind == "truncated":
        return data[: len(data) // 2]
    if kind == "header only":
        return data[:20]
    if kind == "bit flipped":
        return data[:-5] + bytes([data[-5] ^ 4]) + data[-4:]
    if kind == "newer major":
        return data[:8] + b"\2\0" + data[10:]
    if kind == "too long":
        return data + b"x"
    return {"empty": b"", "not a profile": b"\x7fELF and so on"}[kind]


@pytest.mark.parametrize("command", READERS)
@pytest.mark.parametrize(
    "kind, reason",
    [
        ("truncated", "truncated"),
        ("header only", "truncated"),
        ("bit flipped", "checksum"),
        ("newer major", "unsupported major version"),
        ("too long", "too long"),
        ("empty", "not a pathprof profile"),
        ("not a profile", "not a pathprof profile"),
    ],
)
def test_bad_data(pathdump, make_profile, tmp_path, command, kind, reason):
    file = make_profile([loop()])
    file.write_bytes(damage(file.read_bytes(), kind))
    error = pathdump(command, "prog.pathprof", "-o", "out", status=3).stderr
    assert error.count("\n") == 1
    assert error.startswith("pathdump: prog.pathprof: offset ")
    assert reason in error
    if command != "check":
        assert not (tmp_path / "out").exists()


def test_every_flipped_bit_is_noticed(pathdump, make_profile):
    file = make_profile([branch()])
    data = file.read_bytes()
    for at in range(0, len(data), 3):
        changed = bytearray(data)
        changed[at] ^= 1 << (at % 8)
        file.write_bytes(changed)
        assert pathdump("check", file, status=3).stderr.count("\n") == 1


SEEDS = HERE.parent / "fuzz/corpus"


def is_refused_or_read(pathdump, command, file):
    """Bad data is one line and exit status 3; 1 is for what is readable and wrong.  No other way out."""
    result = pathdump(command, file, status=None)
    assert result.returncode in (0, 1, 3), (command, result.returncode, result.stderr[-2000:])
    assert result.returncode != 3 or result.stderr.count("\n") == 1, result.stderr[-2000:]
    return result.returncode


def test_every_length(pathdump, make_profile):
    file = make_profile([branch()])
    data = file.read_bytes()
    commands = itertools.cycle(READERS)
    for size in range(len(data)):
        file.write_bytes(data[:size])
        assert is_refused_or_read(pathdump, next(commands), file) == 3


@pytest.mark.parametrize("seed", ["kipf.pathprof", "context.pathprof", "preferential.pathprof", "kiter.pathprof"])
def test_flipped_bits_of_seeds(pathdump, tmp_path, seed):
    data = (SEEDS / seed).read_bytes()
    commands = itertools.cycle(READERS)
    for bit in range(0, 8 * len(data), 8 * len(data) // 40):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        (tmp_path / "p").write_bytes(changed)
        assert is_refused_or_read(pathdump, next(commands), tmp_path / "p") == 3


@pytest.mark.parametrize("seed", sorted(file.name for file in SEEDS.glob("*.raw")))
def test_damaged_raw_files(pathdump, tmp_path, seed):
    """Of their counts no checksum knows: what can be read is."""
    data = (SEEDS / seed).read_bytes()
    commands = itertools.cycle(READERS)
    random = Random(seed)
    for _ in range(12):
        changed = bytearray(data[: random.randrange(len(data))] if random.random() < 0.3 else data)
        for _ in range(4):
            if changed:
                changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
        (tmp_path / "p.raw").write_bytes(changed)
        is_refused_or_read(pathdump, next(commands), tmp_path / "p.raw")


@pytest.mark.parametrize("seed", sorted(file.name for file in SEEDS.glob("*.pathprof")))
def test_every_command_takes_the_seeds(pathdump, seed):
    for command in READERS + ["coverage", "advise"]:
        is_refused_or_read(pathdump, command, SEEDS / seed)


def test_missing_file(pathdump):
    error = pathdump("no.pathprof", status=2).stderr
    assert error == "pathdump: no.pathprof: No such file or directory\n"


def test_unknown_command(pathdump):
    error = pathdump("reprot", status=2).stderr
    assert "'reprot'" in error and error.count("\n") == 1
    for command in READERS + OTHERS:
        assert command in error


def test_unknown_option(pathdump):
    for command in READERS + OTHERS:
        error = pathdump(command, "--bogus", status=2).stderr
        assert error.startswith(f"pathdump: {command}: ") and error.count("\n") == 1


def test_help_and_version(pathdump):
    version = pathdump("--version").stdout
    assert version.startswith("pathdump (pathprof) ") and version.endswith("\n")
    general = pathdump("--help").stdout
    assert general.startswith("Usage: pathdump ")
    for command in READERS + OTHERS:
        assert command in general
        text = pathdump(command, "--help").stdout
        assert text.startswith(f"Usage: pathdump {command} ")
        assert pathdump("help", command).stdout == text


# ---- -o ----


def test_output_file(pathdump, make_profile, tmp_path):
    make_profile([loop()])
    for command in READERS:
        expected = pathdump(command).stdout
        assert pathdump(command, "-o", "out.txt").stdout == ""
        assert (tmp_path / "out.txt").read_text() == expected
        assert pathdump(command, "-o", "-").stdout == expected


def test_output_keeps_modes_and_links(pathdump, make_profile, tmp_path):
    make_profile([loop()])
    old = os.umask(0o027)
    try:
        pathdump("-o", "new")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640
    (tmp_path / "target").write_text("old")
    (tmp_path / "target").chmod(0o604)
    (tmp_path / "link").symlink_to("target")
    pathdump("-o", "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text().startswith("prog: ")
    assert stat.S_IMODE((tmp_path / "target").stat().st_mode) == 0o604
    assert not [p for p in tmp_path.iterdir() if p.name.startswith(("target.", "link.", "new."))]


@pytest.mark.parametrize("where", ["missing/out", "folder"])
def test_output_that_cannot_be_written(pathdump, make_profile, tmp_path, where):
    make_profile([loop()])
    (tmp_path / "folder").mkdir()
    for command in READERS:
        error = pathdump(command, "-o", where, status=2).stderr
        assert error.startswith(f"pathdump: {where}: cannot write: ") and error.count("\n") == 1
    error = pathdump("merge", "-o", where, "prog.pathprof", status=2).stderr
    assert "cannot write" in error


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_full_disk(pathdump, make_profile):
    make_profile([loop()])
    for command in READERS:
        assert "No space left" in pathdump(command, "-o", "/dev/full", status=2).stderr


def test_device_without_an_end(pathdump):
    assert "magic" in pathdump("check", "/dev/zero", status=3).stderr


def test_standard_input_without_an_end(pathdump, make_profile):
    data = make_profile([loop()]).read_bytes()
    assert "too long" in pathdump("check", "-", status=3, stdin=data + bytes(1 << 20), binary=True) \
        .stderr.decode()


def test_a_command_can_be_a_file_name(pathdump, make_profile, tmp_path):
    make_profile([loop()])
    before = (tmp_path / "prog.pathprof").read_bytes()
    pathdump("-o", "check", "prog.pathprof")
    assert (tmp_path / "prog.pathprof").read_bytes() == before
    assert "distinct paths" in (tmp_path / "check").read_text()
    assert "flow conserved" in pathdump("--color", "never", "check", "prog.pathprof").stdout
