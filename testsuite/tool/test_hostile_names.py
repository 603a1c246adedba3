# SPDX-License-Identifier: GPL-3.0-or-later
"""Names and source text that hold control characters: no output of pathdump or the plugin has them as they are."""

import csv
import io
import json
import re
import xml.dom.minidom

import pytest

from conftest import branch, loop
from pages import Page
from programs import figure_4

EVIL = "x\x1b]0;title\x07\r\b\n" + "end_of_record\nSF:/etc/passwd\nDA:1,1\n\u202edcba\u2066\u200f\u009b31m\u2028\x7f"
SHOWN = (r"x\x1b]0;title\x07\x0d\x08\x0a" + r"end_of_record\x0aSF:/etc/passwd\x0aDA:1,1\x0a"
         r"\u202edcba\u2066\u200f\u009b31m\u2028\x7f")
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")

COMMANDS = [(), ("--lines",), ("show",), ("functions",), ("path", SHOWN, "0"), ("coverage",),
            ("coverage", "--missing"), ("stats",), ("advise",), ("diff", "prog.pathprof", "other.pathprof"),
            ("overlap", "prog.pathprof", "other.pathprof"), ("check",),
            ("coverage", "--not-in", "other.pathprof"),
            ("diff", "--pass", "prog.pathprof", "--fail", "other.pathprof")]
FORMATS = ["json", "lcov", "cobertura", "sonarqube", "collapsed", "speedscope", "callgrind", "quickfix", "annotations", "dot", "csv"]


def assert_clean(text):
    found = FORBIDDEN.search(text)
    assert not found, repr(text[max(0, found.start() - 40):found.end() + 40])


@pytest.fixture
def evil(make_profile):
    functions = [branch(EVIL, unit=EVIL + ".c"),
                 loop("f", unit="b.c", file=EVIL, sites=[{"function": EVIL, "file": EVIL + ".h", "line": 3, "parent": 0}],
                      left_out=""),
                 branch("lost", unit=EVIL + ".c", storage="none", left_out=EVIL, traces=[])]
    for name in "other.pathprof", "prog.pathprof":
        make_profile({"program": EVIL, "functions": functions}, name)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command[:2])[:20])
@pytest.mark.parametrize("json_too", [False, True], ids=["text", "json"])
def test_commands(pathdump, evil, command, json_too):
    profile = [] if command[:1] in (("diff",), ("overlap",)) else ["prog.pathprof"]
    if command[:1] == ("path",):
        profile, command = [], ("path", "prog.pathprof", *command[1:])
    if json_too and (command[:1] == ("check",) or command[:1] == ("--lines",)):
        return
    done = pathdump(*command, *profile, *(["--json"] if json_too else []), "--color", "never", status=None)
    assert done.returncode in (0, 1), done.stderr
    assert_clean(done.stdout.replace("\t", ""))
    assert_clean(done.stderr)
    assert "\nSF:" not in done.stdout and "\nend_of_record" not in done.stdout
    if json_too:
        json.loads(done.stdout)


@pytest.mark.parametrize("form", FORMATS)
def test_exports(pathdump, evil, form):
    text = pathdump("export", "--format", form, "prog.pathprof", binary=True).stdout.decode()
    assert_clean(text.replace("\r\n", "\n") if form == "csv" else text)
    if form == "lcov":
        assert text.count("\nend_of_record\n") == text.count("SF:x") == len(re.findall("^SF:", text, re.M))
        assert f"SF:{SHOWN}.c\n" in text and ",".join(["FNDA:10", SHOWN]) in text
    if form == "cobertura":
        document = xml.dom.minidom.parseString(text)
        assert SHOWN + ".c" in {node.getAttribute("filename") for node in document.getElementsByTagName("class")}
    if form in ("json", "speedscope"):
        assert SHOWN in json.dumps(json.loads(text)).replace("\\\\", "\\")
    if form == "csv":
        rows = list(csv.reader(io.StringIO(text)))
        assert SHOWN in {row[0] for row in rows} and len({len(row) for row in rows}) == 1
    if form == "dot":
        assert SHOWN.replace("\\", "\\\\") in text


def test_page(pathdump, evil, tmp_path):
    pathdump("html", "-o", "page.html", "prog.pathprof")
    text = (tmp_path / "page.html").read_text()
    assert_clean(text)
    made = Page(text)
    assert {row["function"] for row in made.rows("hot")} == {SHOWN, "f"}
    for kind, key in made.packed:
        assert_clean(json.dumps(made.unpack(kind, key), ensure_ascii=False))


def test_programs(pathdump, make_profile):
    description = figure_4()
    for function in description["functions"]:
        function["unit"] = EVIL + ".c"
    for program in description["programs"]:
        program["unit"] = EVIL + ".c"
    make_profile(description)
    for command in ((), ("--lines",), ("functions",), ("show",), ("stats",), ("coverage",), ("path", "program", "0"),
                    ("diff", "prog.pathprof", "prog.pathprof")):
        done = pathdump(*command, status=None)
        assert done.returncode in (0, 1), done.stderr
        assert_clean(done.stdout)
        assert_clean(done.stderr)


def test_source_text(pathdump, make_profile, tmp_path):
    lines = [f"line {n}\n" for n in range(1, 60)]
    lines[29] = "\tint \x1b[31mred\x1b[0m = 1; /* \u202e \u2066 \x9b \x07 caf\u00e9 */\r\n"
    (tmp_path / "a.c").write_bytes("".join(lines).encode() + b"latin \xe9\n")
    make_profile([branch()])
    shown = r"int \x1b[31mred\x1b[0m = 1; /* \u202e \u2066 \u009b \x07 café */"
    for command in ("show",), ("--lines",), ("path", "g", "0"):
        out = pathdump(*command, binary=True).stdout.decode()
        assert shown in out
        assert_clean(out)
    assert f"| \t{shown}\n" in pathdump("--lines").stdout  # tabs stay
    pathdump("html", "-o", "page.html")
    made = Page((tmp_path / "page.html").read_text())
    assert shown in made.unpack("file", "0")["parts"][0][1]


def test_messages(pathdump, make_profile, tmp_path):
    evil = "x\x1b[2J\u202e\x07\n.pathprof"
    make_profile([branch()], evil)
    make_profile([branch()])
    for command in (("check", evil), ("report", evil), ("show", evil), ("overlap", evil, evil), ("diff", evil, evil)):
        done = pathdump(*command)
        assert_clean(done.stdout)
        assert_clean(done.stderr)
    (tmp_path / evil).write_bytes(b"nothing")
    for command in (("check", evil), ("missing" + evil,), ("report", "--sort", evil), ("path", evil, evil), ("path", evil, "1"),
                    ("path", "g", evil), ("show", "-n", evil), ("merge", "-o", "/missing/" + evil, "prog.pathprof"),
                    ("--" + evil,), (evil[1:],), ("export", "--format", evil), ("show", "--source-prefix", evil)):
        done = pathdump(*command, status=None)
        assert done.returncode in (2, 3) and done.stderr.count("\n") == 1, (command, done.stderr)
        assert_clean(done.stderr)
    (tmp_path / evil).unlink()
    (tmp_path / (evil + ".123.raw")).write_bytes(b"damaged raw file")
    make_profile([branch()], evil)
    done = pathdump("check", evil)
    assert_clean(done.stderr)
    assert "not included" in done.stderr


PROGRAM = """\
#line 3 "e\\033[31m\\nend_of_record\\nSF:/etc/passwd\\n\u202e.c"
int f (int n) __asm__ ("f.evil.\u202e");
__attribute__ ((noinline)) int f (int n)
{
  if (n > 1)
    return 2;
  return 1;
}
int main (int argc, char **argv)
{
  return f (argc) - 1;
}
"""


def test_compiled_names(project):
    project.write("prog.c", PROGRAM)
    project.gcc("-O1", "-c", "prog.c")
    project.gcc("prog.o", "-o", "prog")
    project.run("./prog")
    for command in (("report",), ("show",), ("export", "--format", "lcov"), ("export", "--format", "cobertura"), ("functions",)):
        done = project.pathdump(*command, "prog.pathprof")
        assert_clean(done.stdout)
        assert_clean(done.stderr)
        assert r"passwd\x0a\u202e.c" in done.stdout
    assert r"f.evil.\u202e" in project.pathdump("functions", "prog.pathprof").stdout


def test_messages_of_the_plugin(project):
    project.write("prog.c", 'int f (void) __asm__ ("f\u202e");\nint f (void) { return 0; }\n')
    evil = "x\x1b[2J\u202e"
    project.write(evil + ".scheme", evil + " mode=" + evil + "\n")
    project.write(evil + ".list", "f " + evil + "\n")
    for arguments in ((f"scheme={evil}",), (f"scheme={evil}.scheme",), (f"use={evil}",), (f"weights={evil}",), (f"mode={evil}",),
                      (f"{evil}=1",), ("mode=preferential", f"interesting={evil}.list"), ("mode=preferential", f"interesting={evil}"),
                      ("mode=preferential", f"interesting={evil}.list@0.5")):
        done = project.gcc("-O1", *(f"-fplugin-arg-pathprof-{argument}" for argument in arguments), "-c", "prog.c", status=1)
        messages = "\n".join(line for line in done.stderr.splitlines() if "pathprof: " in line and "error:" in line)
        assert messages and r"x\x1b[2J" in messages
        assert_clean(messages)
    assert_clean(project.gcc("-O1", "-fplugin-arg-pathprof-verbose=1", "-fplugin-arg-pathprof-overflow=skip",
                             "-fplugin-arg-pathprof-paths-max=1", "-c", "prog.c").stderr)


def test_messages_of_the_runtime(project):
    project.write("prog.c", "int main (void) { return 0; }\n")
    project.gcc("prog.c", "-o", "prog")
    line = project.run("./prog", env={"PATHPROF_FILE": f"/proc/no/such/{EVIL}"}).stderr
    assert line.startswith("pathrt: error: /proc/no/such/x?]0;title????end_of_record?SF:/etc/passwd?DA:1,1??dcba???31m??: ")
    assert_clean(line)
