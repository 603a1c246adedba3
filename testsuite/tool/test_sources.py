# SPDX-License-Identifier: GPL-3.0-or-later
"""Where sources are found, what is said of those that are not or that changed, and what is no source at all."""

import json
import os
import re
import shutil
import socket
import subprocess

import pytest

from conftest import BUILD, assert_one_line, branch
from pages import Page

ANNOTATORS = (("show",), ("report", "--lines"), ("path", "g", "0"))


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def text_of(word, lines=60):
    return "".join(f"{word} {number};\n" for number in range(1, lines))


def write(path, word="text"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text_of(word))
    os.utime(path, (1, 1))  # older than any profile
    return crc32c(path.read_bytes())


def described(folder="", checksum=0, **more):
    return {"functions": [branch(unit="../a.c", **more)],
            "sources": {"../a.c": {"folder": str(folder), "checksums": {"../a.c": checksum}}}}


# ---- where a source is ----


@pytest.mark.parametrize("command", ANNOTATORS)
def test_relative_to_the_folder_of_compilation(pathdump, make_profile, tmp_path, command):
    write(tmp_path / "tree/a.c")
    make_profile(described(tmp_path / "tree/build"))
    done = pathdump(*command)
    assert "text 31;" in done.stdout and done.stderr == ""


def test_source_prefix_maps_the_folder_too(pathdump, make_profile, tmp_path):
    write(tmp_path / "moved/a.c")
    make_profile(described("/gone/tree/build"))
    done = pathdump("show", "--source-prefix", f"/gone/tree={tmp_path}/moved")
    assert "text 31;" in done.stdout and done.stderr == ""


def test_the_last_source_prefix_that_matches_wins(pathdump, make_profile, tmp_path):
    for name in "one", "two":
        write(tmp_path / name / "a.c", name)
    make_profile([branch(unit="/old/a.c")])
    one, two = (f"/old={tmp_path}/{name}" for name in ("one", "two"))
    assert "two 31;" in pathdump("show", "--source-prefix", one, "--source-prefix", two).stdout
    assert "one 31;" in pathdump("show", "--source-prefix", two, "--source-prefix", one).stdout


def test_source_prefix_comes_before_what_else_is_there(pathdump, make_profile, tmp_path):
    checksum = write(tmp_path / "tree/a.c")
    write(tmp_path / "new/a.c", "new")
    make_profile(described(tmp_path / "tree/build", checksum))
    done = pathdump("show", "--source-prefix", f"..={tmp_path}/new")
    assert "new 31;" in done.stdout and "has changed" in done.stderr


@pytest.mark.parametrize("right", ["folder", "here"])
def test_a_checksum_tells_files_of_one_name_apart(pathdump, make_profile, tmp_path, right):
    checksums = {"folder": write(tmp_path / "tree/b/a.c", "folder"), "here": write(tmp_path / "a.c", "here")}
    make_profile({"functions": [branch()], "sources": {
        "a.c": {"folder": str(tmp_path / "tree/b"), "checksums": {"a.c": checksums[right]}}}})
    done = pathdump("show")
    assert f"{right} 31;" in done.stdout and done.stderr == ""


def test_the_folder_of_compilation_comes_before_this_one(pathdump, make_profile, tmp_path):
    write(tmp_path / "tree/b/a.c", "folder")
    write(tmp_path / "a.c", "here")
    make_profile({"functions": [branch()], "sources": {"a.c": {"folder": str(tmp_path / "tree/b")}}})
    assert "folder 31;" in pathdump("show").stdout


def test_units_with_files_of_one_name(pathdump, page, make_profile, tmp_path):
    """Two folders have a main.c each, as a recursive make compiles them."""
    write(tmp_path / "one/main.c", "one")
    write(tmp_path / "two/main.c", "two")
    functions = [branch("f", unit="one.c", file="main.c"), branch("g", unit="two.c", file="main.c")]
    make_profile({"functions": functions, "sources": {
        f"{name}.c": {"folder": str(tmp_path / name)} for name in ("one", "two")}})
    assert "one 31;" in pathdump("show", "--function", "f").stdout
    assert "two 31;" in pathdump("show", "--function", "g").stdout
    assert "two 31;" in pathdump("path", "g", "0").stdout
    made = page()
    assert [json_of(made, file)["parts"][0][1].split()[0] for file in (0, 1)] in (["one", "two"], ["two", "one"])


def json_of(made, file):
    return made.unpack("file", str(file))


def test_many_missing_sources_are_one_line(pathdump, make_profile):
    functions = [branch(f"g{n}", unit=f"../u{n}.c") for n in range(40)]
    make_profile({"functions": functions, "sources": {f"../u{n}.c": {"folder": "/gone/build"} for n in range(40)}})
    for command in ("show",), ("report", "--lines", "-n", "0"), ("html", "-o", "page.html"):
        assert_one_line(pathdump(*command).stderr, "pathdump: ../u0.c, compiled in /gone/build, and 39 more: source not found",
                        "--source-prefix OLD=NEW")
    assert pathdump("path", "g1", "0").stderr.startswith("pathdump: ../u1.c, compiled in /gone/build: source not found (")


# ---- what changed ----


@pytest.mark.parametrize("command", ANNOTATORS)
def test_a_changed_source_is_shown_with_a_warning(pathdump, make_profile, tmp_path, command):
    checksum = write(tmp_path / "a.c")
    make_profile({"functions": [branch()], "sources": {"a.c": {"checksums": {"a.c": checksum}}}})
    assert pathdump(*command).stderr == "" and "WARNING" not in pathdump(*command).stdout
    os.utime(tmp_path / "a.c")  # touched, but the same
    assert pathdump(*command).stderr == ""
    (tmp_path / "a.c").write_text("a new line\n" + text_of("text"))
    done = pathdump(*command)
    assert_one_line(done.stderr, "pathdump: warning: a.c has changed since", "counts", "lines")
    warning = done.stderr.removeprefix("pathdump: warning: ")
    assert done.stdout.count("WARNING: " + warning) == 1 and "text 30;" in done.stdout
    assert done.stdout.index("WARNING") < done.stdout.index("text 30;")


def test_a_page_says_that_a_source_has_changed(pathdump, make_profile, tmp_path):
    write(tmp_path / "a.c")
    make_profile({"functions": [branch()], "sources": {"a.c": {"checksums": {"a.c": 1}}}})
    assert pathdump("html", "-o", "page.html").stderr.startswith("pathdump: warning: a.c has changed since")
    made = Page((tmp_path / "page.html").read_text())
    assert "<strong>WARNING</strong>: a.c has changed since" in made.text
    assert made.unpack("file", "0")["doubt"].startswith("has changed since")


@pytest.mark.parametrize("command", ANNOTATORS)
def test_without_a_checksum_a_newer_source_is_in_doubt(pathdump, make_profile, tmp_path, command):
    make_profile([branch()])
    write(tmp_path / "a.c")
    assert pathdump(*command).stderr == ""
    then = os.stat(tmp_path / "prog.pathprof").st_mtime + 10
    os.utime(tmp_path / "a.c", (then, then))
    done = pathdump(*command)
    assert "warning: a.c is newer than the profile" in done.stderr and "WARNING: a.c is newer" in done.stdout


# ---- what is no source ----


def special(tmp_path, kind):
    name = tmp_path / kind
    if kind == "fifo":
        os.mkfifo(name)
    elif kind == "folder":
        name.mkdir()
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(os.path.relpath(name))
    elif kind == "huge":
        with open(name, "wb") as file:
            file.truncate(1 << 40)
    elif kind == "device":
        return "/dev/zero"
    return str(name)


KINDS = ["fifo", "folder", "socket", "huge", "device"]


@pytest.mark.parametrize("kind", KINDS)
def test_only_regular_files_are_sources(pathdump, make_profile, tmp_path, monkeypatch, kind):
    monkeypatch.chdir(tmp_path)
    name = special(tmp_path, kind)
    make_profile([branch(unit=name)])
    for command in *ANNOTATORS, ("html", "-o", "page.html"):
        done = pathdump(*command)
        assert done.stderr.startswith(f"pathdump: {name}: source not read: ") and done.stderr.count("\n") == 1
    assert f"Source not read: <code>{name}</code>" in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_profile_ends_at_once(pathdump, make_profile, tmp_path, monkeypatch, kind):
    monkeypatch.chdir(tmp_path)
    name = special(tmp_path, kind)
    make_profile([branch()])
    for command in ("report", name), ("check", name), ("merge", "-o", "out", name), ("diff", "prog.pathprof", name):
        done = pathdump(*command, status=None)
        assert done.returncode in (2, 3) and name in done.stderr and done.stderr.count("\n") == 1


def test_a_profile_can_come_through_a_pipe(make_profile, tmp_path):
    make_profile([branch()])
    run = f"'{BUILD}/bin/pathdump' check <(sleep 0.2; cat prog.pathprof) && cat prog.pathprof | '{BUILD}/bin/pathdump' check -"
    done = subprocess.run(["bash", "-c", run], cwd=tmp_path, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0 and done.stdout.count("flow conserved") == 2, done.stderr


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("argument", ["scheme", "use", "weights", "interesting"])
def test_arguments_of_the_plugin_name_regular_files(project, tmp_path, monkeypatch, argument, kind):
    monkeypatch.chdir(tmp_path)
    name = special(tmp_path, kind)
    project.write("a.c", "int main (void) { return 0; }\n")
    mode = ["-fplugin-arg-pathprof-mode=preferential"] if argument == "interesting" else []
    done = project.gcc("-O2", *mode, f"-fplugin-arg-pathprof-{argument}={name}", "-c", "a.c", status=1)
    assert argument in done.stderr and name in done.stderr and "internal compiler error" not in done.stderr


# ---- what the compiler records ----

NODE = """\
#include "node.h"
int main (int argc, char **argv)
{
  int sum = 0;
  for (int i = 0; i < 10; i++)
    sum += odd (i);
  return sum != 5;
}
"""
HEADER = """\
static inline int odd (int n)
{
  if (n & 1)
    return 1;
  return 0;
}
"""


@pytest.fixture
def tree(project):
    project.write("tree/node.c", NODE)
    project.write("tree/node.h", HEADER)
    (project.folder / "tree/build").mkdir()
    return project


def pathdump_in(tree, *arguments):
    return tree.pathdump(*arguments)


def compile_out_of_tree(tree, *options, source="../node.c"):
    script = " ".join(["cd tree/build &&", str(BUILD / "bin/pathprof-gcc"), *options, source, "-o", "node"])
    tree.run("sh", "-c", script)
    tree.run("./tree/build/node", env={"PATHPROF_FILE": "node.pathprof"})


@pytest.mark.parametrize("options", [[], ["-O2"], ["-g"], ["-g", "-save-temps"], ["-fplugin-arg-pathprof-mode=context"],
                                     ["-O1", "-flto"], ["-flto", "-fplugin-arg-pathprof-mode=context"]])
def test_out_of_tree(tree, options):
    compile_out_of_tree(tree, *options)
    for command in ("show",), ("report", "--lines"):
        done = pathdump_in(tree, *command, "node.pathprof")
        assert "sum += odd (i);" in done.stdout and done.stderr == ""


@pytest.mark.parametrize("mode", ["acyclic", "context"])
@pytest.mark.parametrize("options", [[], ["-g"]])
def test_linked_in_another_folder(tree, mode, options):
    """Notes of paths through calls are made where the program is linked."""
    compiler = f"{BUILD}/bin/pathprof-gcc -flto {' '.join(options)} -fplugin-arg-pathprof-mode={mode}"
    tree.run("sh", "-c", f"cd tree/build && {compiler} -c ../node.c && mkdir -p ../../x/y/z && cd ../../x/y/z && "
                         f"{compiler} {tree.folder}/tree/build/node.o -o {tree.folder}/node")
    tree.run("./node", env={"PATHPROF_FILE": "node.pathprof"})
    done = pathdump_in(tree, "show", "node.pathprof")
    assert "sum += odd (i);" in done.stdout and done.stderr == ""


@pytest.mark.parametrize("options", [[], ["-O2"], ["-flto"]])
@pytest.mark.parametrize("changed", ["node.c", "node.h"])
def test_changes_are_noticed(tree, options, changed):
    compile_out_of_tree(tree, *options)
    file = tree.folder / "tree" / changed
    file.write_text("\n" + file.read_text())
    done = pathdump_in(tree, "show", "node.pathprof")
    assert re.fullmatch(rf"pathdump: warning: \S*{re.escape(changed)} has changed since.*\n", done.stderr), done.stderr
    assert f"{changed} has changed since" in done.stdout


def test_preprocessed_input_has_no_checksum(tree):
    """A file that is called as a source was elsewhere need not be that source."""
    for number, script in enumerate(["pathprof-gcc -g -save-temps ../node.c -o node",
                                     "gcc -g -E ../node.c | BIN/pathprof-gcc -g -x cpp-output - -o node",
                                     "gcc -g -E ../node.c | BIN/pathprof-gcc -g -x c - -o node",
                                     "gcc -g -E ../node.c -o node.i && BIN/pathprof-gcc -g node.i -o node"]):
        tree.run("sh", "-c", "cd tree/build && " + script.replace("BIN", str(BUILD / "bin"))
                 .replace("pathprof-gcc -g -save", str(BUILD / "bin") + "/pathprof-gcc -g -save"))
        profile = f"{number}.pathprof"
        tree.run("./tree/build/node", env={"PATHPROF_FILE": profile})
        (tree.folder / "tree/node.c").write_text("\n" + NODE)
        os.utime(tree.folder / "tree/node.c", (1, 1))
        done = pathdump_in(tree, "show", profile)
        assert done.stderr == "" and "sum += odd (i);" in done.stdout, script
        (tree.folder / "tree/node.c").write_text(NODE)


def test_generated_sources_that_are_gone(tree):
    tree.write("tree/gone.y", NODE)
    text = NODE.replace("int main", '#line 2 "gone.y"\nint main').replace("  int sum", '#line 4 "never.y"\n  int sum')
    tree.write("tree/parser.c", text)
    compile_out_of_tree(tree, source="../parser.c")
    (tree.folder / "tree/parser.c").unlink()
    done = pathdump_in(tree, "show", "node.pathprof")
    assert "warning" not in done.stderr and "not found" in done.stderr


def profile_of(tree, folder, *options):
    """Compiles a copy of the tree elsewhere."""
    shutil.copytree(tree.folder / "tree", tree.folder / folder / "tree")
    script = " ".join([f"cd {folder}/tree/build &&", str(BUILD / "bin/pathprof-gcc"), *options, "-c", "../node.c", "&&",
                       str(BUILD / "bin/pathprof-gcc"), "node.o", "-o", "node"])
    tree.run("sh", "-c", script)
    tree.run(f"./{folder}/tree/build/node", env={"PATHPROF_FILE": f"{folder}.pathprof"})
    return tree.read(f"{folder}/tree/build/node.o")


def merged_functions(tree):
    pathdump_in(tree, "merge", "-o", "ab", "one.pathprof", "two.pathprof")
    pathdump_in(tree, "merge", "-o", "ba", "two.pathprof", "one.pathprof")
    assert tree.read("ab") == tree.read("ba")
    assert "sum += odd (i);" in pathdump_in(tree, "show", "ab").stdout
    functions = json.loads(pathdump_in(tree, "export", "ab").stdout)["functions"]
    return sorted((function["name"], function["file"]) for function in functions)


def test_builds_in_two_folders_are_two(tree):
    for folder in "one", "two":
        profile_of(tree, folder)
    assert merged_functions(tree) == [(name, f"{folder}/tree/node.{suffix}") for name, suffix in (("main", "c"), ("odd", "h"))
                                      for folder in ("one", "two")]
    # The other build's profile is kept.
    done = tree.run("./one/tree/build/node", env={"PATHPROF_FILE": "two.pathprof"})
    assert f"(compiled in {tree.folder}/two/tree/build, this build in " in done.stderr
    assert len(list(tree.folder.glob("two.pathprof.*"))) == 1


def test_mapped_builds_in_two_folders_are_one(tree):
    for folder in "one", "two":
        profile_of(tree, folder, f"-ffile-prefix-map={tree.folder}/{folder}={tree.folder}")
    assert merged_functions(tree) == [("main", "../node.c"), ("odd", "../node.h")]
    # A program takes the profile of the other build for its own.
    tree.run("./one/tree/build/node", env={"PATHPROF_FILE": "two.pathprof"})
    assert json.loads(pathdump_in(tree, "report", "--json", "two.pathprof").stdout)["runs"] == 2


@pytest.mark.parametrize("mapping", ["-ffile-prefix-map", "-fdebug-prefix-map"])
def test_mapped_builds_in_two_folders_are_equal(tree, mapping):
    one, two = (profile_of(tree, folder, f"{mapping}={tree.folder}/{folder}/tree=/src") for folder in ("one", "two"))
    assert one == two
    done = pathdump_in(tree, "show", "--source-prefix", f"/src={tree.folder}/one/tree", "one.pathprof")
    assert "sum += odd (i);" in done.stdout and done.stderr == ""


def test_absolute_names_need_no_folder(tree):
    for folder in "one", "two":
        profile_of(tree, folder)
    name = tree.folder / "tree/node.c"
    for folder in "one", "two":
        tree.run("sh", "-c", f"cd {folder}/tree/build && {BUILD}/bin/pathprof-gcc -c {name} -o whole.o")
    assert tree.read("one/tree/build/whole.o") == tree.read("two/tree/build/whole.o")


def test_continuous_mode_knows_the_folder(tree):
    tree.write("tree/node.c", "#include <signal.h>\n" + NODE.replace("  return sum", "  raise (SIGKILL);\n  return sum"))
    tree.run("sh", "-c", f"cd tree/build && {BUILD}/bin/pathprof-gcc ../node.c -o node")
    tree.run("./tree/build/node", env={"PATHPROF_FILE": "node.pathprof", "PATHPROF_MODE": "continuous"}, status=-9)
    assert "sum += odd (i);" in pathdump_in(tree, "show", "node.pathprof").stdout
