# SPDX-License-Identifier: GPL-3.0-or-later
"""Path profiles of the Linux kernel: packaging/linux/add-to-kernel with a small imitation of a kernel tree, the selection of
files, the code that delivers the counters, and imported counters of modules. testsuite/kernel/run tests a real kernel."""

import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import struct

import pytest

from conftest import BUILD, assert_mentions, assert_one_line, plugin
from test_freestanding import FREESTANDING, counts, fails, freestanding, imported, stream_of, write

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINUX = ROOT / "packaging/linux"
ADD = LINUX / "add-to-kernel"

# Parts of Linux 6.1, with the lines next to which add-to-kernel inserts its own.
TREE = {
    "Makefile": "include-y\t\t\t:= scripts/Makefile.extrawarn\n"
                "include-$(CONFIG_GCC_PLUGINS)\t+= scripts/Makefile.gcc-plugins\n\n"
                "include $(addprefix $(srctree)/, $(include-y))\n",
    "scripts/Makefile.lib": "_c_flags = -O2\n"
                            "ifeq ($(CONFIG_GCOV_KERNEL),y)\n"
                            "_c_flags += $(CFLAGS_GCOV)\n"
                            "endif\n\n"
                            "ifeq ($(CONFIG_KASAN),y)\n"
                            "endif\n",
    "arch/Kconfig": "config OTHER\n\tbool\n\nsource \"kernel/gcov/Kconfig\"\n\nsource \"scripts/gcc-plugins/Kconfig\"\n",
    "kernel/Makefile": "obj-$(CONFIG_GCOV_KERNEL) += gcov/\nobj-$(CONFIG_KCOV) += kcov.o\n",
    "include/asm-generic/vmlinux.lds.h": "#define RO_DATA(align)\t\t\\\n"
                                         "\t. = ALIGN((align));\t\t\\\n"
                                         "\t\t*(.rodata) *(.rodata.*) *(.data.rel.ro*)\t\\\n"
                                         "\t\tSCHED_DATA\n\n"
                                         "#define ELF_DETAILS\t\t\\\n"
                                         "\t\t.comment 0 : { *(.comment) }\n",
    "arch/x86/kernel/vmlinux.lds.S": "\t.bss : {\n\t\t*(BSS_MAIN)\n\t\tBSS_DECRYPTED\n\t}\n",
    "arch/x86/boot/compressed/Makefile": "OBJCOPYFLAGS_vmlinux.bin :=  -R .comment -S\n$(obj)/vmlinux.bin: vmlinux FORCE\n",
    "scripts/mod/modpost.c": "static const char *const section_white_list[] =\n{\n\t\".comment*\",\n\tNULL\n};\n",
    "include/linux/module.h": "struct module {\n"
                              "#ifdef CONFIG_CONSTRUCTORS\n"
                              "\t/* Constructor functions. */\n"
                              "\tctor_fn_t *ctors;\n"
                              "#endif\n};\n",
    "kernel/module/main.c": "\tmod->extable = section_objs(info, \"__ex_table\",\n"
                            "\t\t\t    sizeof(*mod->extable), &mod->num_exentries);\n",
}


@pytest.fixture
def tree(project):
    for name, contents in TREE.items():
        project.write(f"linux/{name}", contents)
    return project


def add(project, *options, status=0):
    return project.run(ADD, "linux", *options, status=status)


def contents_of(project):
    """Returns the contents and the time stamps of all files of the tree."""
    folder = project.folder / "linux"
    return {str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
            for path in folder.rglob("*") if path.is_file()}


def only_contents(files):
    return {name: contents for name, (contents, _) in files.items()}


# ---- the kernel tree ----

def test_lines_are_inserted(tree):
    assert add(tree).stdout == ""
    found = {name: contents.decode() for name, contents in only_contents(contents_of(tree)).items()}
    assert {name for name in found if name not in TREE} == {
        f"kernel/pathprof/{name}" for name in ("Kconfig", "Makefile", "Makefile.flags", "Makefile.select", "edits.json", "fs.c")}
    for name, original in TREE.items():
        lines = iter(found[name].splitlines())
        assert all(line in lines for line in original.splitlines())  # in this order
        assert len(found[name]) > len(original)
    assert "PATHPROF_UNITS\t\t\t\t\t\t\\\n\t\tSCHED_DATA" in found["include/asm-generic/vmlinux.lds.h"]
    assert "*(BSS_MAIN)\n\t\tPATHPROF_COUNTERS\n\t\tBSS_DECRYPTED" in found["arch/x86/kernel/vmlinux.lds.S"]
    assert "{\n\t\".pathprof_notes\",\n\t\".comment*\"" in found["scripts/mod/modpost.c"]
    assert "endif\n\nifeq ($(CONFIG_PATHPROF_KERNEL),y)\n" in found["scripts/Makefile.lib"]


def test_removal_restores_the_tree(tree):
    before = only_contents(contents_of(tree))
    add(tree)
    tree.write("linux/kernel/pathprof/fs.o", "an object file")
    assert add(tree, "--remove").stdout == ""
    assert only_contents(contents_of(tree)) == before
    assert not tree.exists("linux/kernel/pathprof")


def test_adding_twice_changes_nothing(tree):
    add(tree)
    once = contents_of(tree)
    add(tree)
    assert contents_of(tree) == once


def test_lines_of_another_version_are_replaced(tree):
    before = only_contents(contents_of(tree))
    add(tree)
    once = only_contents(contents_of(tree))
    for name, end in (("linux/kernel/pathprof/edits.json", '\\"'), ("linux/scripts/mod/modpost.c", '"')):
        text = tree.read(name).decode()
        assert text.count(f".pathprof_notes{end}") == 1
        tree.write(name, text.replace(f".pathprof_notes{end}", f".pathprof_old{end}"))
    tree.write("linux/kernel/pathprof/fs.c", "old\n")
    add(tree)
    assert only_contents(contents_of(tree)) == once
    add(tree, "--remove")
    assert only_contents(contents_of(tree)) == before


def edits():
    loader = importlib.machinery.SourceFileLoader("add_to_kernel", str(ADD))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("add_to_kernel", loader))
    loader.exec_module(module)
    return module.EDITS


@pytest.mark.parametrize("number", range(12))
def test_missing_lines(tree, number):
    assert len(edits()) == 12
    edit = edits()[number]
    name = f"linux/{edit.file}"
    original = tree.read(name).decode()
    tree.write(name, re.sub(edit.pattern, "something else\n", original, flags=re.MULTILINE))
    before = contents_of(tree)
    error = add(tree, status=1).stderr
    assert_one_line(error, f"add-to-kernel: {name}: ", "not found", "not supported")
    assert contents_of(tree) == before
    tree.write(name, original + original)
    before = contents_of(tree)
    assert_one_line(add(tree, status=1).stderr, f"add-to-kernel: {name}: ", "2 times", "not supported")
    assert contents_of(tree) == before


@pytest.mark.parametrize("name", [name for name in TREE if name not in ("Makefile", "scripts/Makefile.lib")])
def test_missing_files(tree, name):
    (tree.folder / "linux" / name).unlink()
    before = contents_of(tree)
    assert_one_line(add(tree, status=1).stderr, f"add-to-kernel: linux/{name}: ", "No such file", "not supported")
    assert contents_of(tree) == before


def test_directory_that_is_not_a_kernel_tree(project):
    project.write("linux/README", "")
    for options in ((), ("--remove",)):
        assert_one_line(add(project, *options, status=1).stderr, "add-to-kernel: linux: ", "not the source tree")


def test_removal_without_earlier_addition(tree):
    before = contents_of(tree)
    assert_one_line(add(tree, "--remove", status=1).stderr, "add-to-kernel: linux: ", "nothing to remove")
    assert contents_of(tree) == before


@pytest.mark.parametrize("options", [(), ("--remove",)])
def test_changed_lines_are_not_removed(tree, options):
    add(tree)
    name = "linux/kernel/module/main.c"
    tree.write(name, tree.read(name).decode().replace("6 * sizeof(long)", "48"))
    before = contents_of(tree)
    assert_one_line(add(tree, *options, status=1).stderr, f"add-to-kernel: {name}: ", "inserted lines were changed")
    assert contents_of(tree) == before


@pytest.mark.parametrize("record", [None, "nonsense", "[1]", "[{\"file\": \"Makefile\"}]"])
def test_damaged_records(tree, record):
    add(tree)
    name = "linux/kernel/pathprof/edits.json"
    if record is None:
        (tree.folder / name).unlink()
    else:
        tree.write(name, record)
    before = contents_of(tree)
    assert_one_line(add(tree, "--remove", status=1).stderr, f"add-to-kernel: {name}: ", "restore the original tree")
    assert contents_of(tree) == before


# ---- selection of files ----

def is_instrumented(project, file, *settings, kbuild=""):
    """Evaluates Makefile.select for one object file, as scripts/Makefile.lib of Linux 6.1 does."""
    folder = file.rpartition("/")[0]
    project.write("Makefile", f"basetarget = $(basename $(notdir $@))\nobj := {folder}\n_c_flags = -O2\n{kbuild}"
                  + "".join(f"{setting}\n" for setting in settings)
                  + f"CFLAGS_PATHPROF := -fplugin=x.so\ninclude {LINUX}/kernel/Makefile.select\n{file}:\n\t@echo '$(_c_flags)'\n")
    done = project.run("make", "--warn-undefined-variables", "-s", file)
    words = done.stdout.split()
    assert words[0] == "-O2" and words[1:] in ([], ["-fplugin=x.so"])
    return len(words) == 2


ALL = "CONFIG_PATHPROF_KERNEL_ALL := y"


@pytest.mark.parametrize("is_expected, file, settings", [
    (False, "lib/sort.o", []),
    (True, "lib/sort.o", [ALL]),
    (True, "lib/sort.o", ["PATHPROF_PROFILE := y"]),
    (True, "lib/sort.o", ["PATHPROF_PROFILE_sort.o := y"]),
    (False, "lib/sort.o", ["PATHPROF_PROFILE_list.o := y"]),
    (False, "lib/sort.o", [ALL, "PATHPROF_PROFILE := n"]),
    (False, "lib/sort.o", [ALL, "PATHPROF_PROFILE_sort.o := n"]),
    (True, "lib/sort.o", ["PATHPROF_PROFILE := n", "PATHPROF_PROFILE_sort.o := y"]),
    (False, "lib/sort.o", ["PATHPROF_PROFILE := y", "PATHPROF_PROFILE_sort.o := n"]),
    (False, "lib/sort.o", [ALL, "GCOV_PROFILE := n"]),
    (False, "lib/sort.o", ["PATHPROF_PROFILE := y", "GCOV_PROFILE_sort.o := n"]),
    (True, "lib/sort.o", [ALL, "GCOV_PROFILE := y"]),
    (False, "lib/sort.o", ["GCOV_PROFILE := y"]),
    (True, "lib/sort.o", ["GCOV_PROFILE := n", "PATHPROF_PROFILE_sort.o := y"]),
    (False, "arch/x86/kernel/head64.o", [ALL]),
    (False, "arch/x86/kernel/head64.o", ["PATHPROF_PROFILE := y"]),
    (True, "arch/x86/kernel/head64.o", ["PATHPROF_PROFILE_head64.o := y"]),
    (True, "drivers/head64.o", [ALL]),
    (False, "kernel/bounds.s", [ALL]),
])
def test_selection(project, is_expected, file, settings):
    assert is_instrumented(project, file, *settings) == is_expected


# Linux 6.12 defines target-stem and is-kernel-object.
@pytest.mark.parametrize("is_expected, file, settings", [
    (True, "lib/sort.o", [ALL]),
    (False, "lib/vdso.o", [ALL]),
    (True, "lib/vdso.o", ["PATHPROF_PROFILE := y"]),
    (False, "lib/math/div.o", [ALL, "PATHPROF_PROFILE_math/div.o := n"]),
])
def test_selection_in_later_versions(project, is_expected, file, settings):
    kbuild = ("target-stem = $(basename $(patsubst lib/%,%,$@))\nis-kernel-object = $(if $(filter lib/sort.o lib/math/div.o,$@),y)\n")
    assert is_instrumented(project, file, *settings, kbuild=kbuild) == is_expected


def flags(project, *settings, status=0, path=None):
    project.write("Makefile", "pound := \\#\nCC := ccache gcc\n" + "".join(f"{setting}\n" for setting in settings)
                  + f"include {LINUX}/kernel/Makefile.flags\nall:\n\t@echo '$(CFLAGS_PATHPROF)'\n")
    return project.run("make", "-s", status=status, env={"PATH": path or f"{BUILD}/bin:{os.environ['PATH']}"})


def test_plugin_of_the_installed_driver(project):
    found = flags(project, "need-compiler := 1", 'CONFIG_PATHPROF_ARGUMENTS="conditions=1 paths-max=500"').stdout.split()
    assert found[0] == f"-fplugin={BUILD}/lib/pathprof/pathprof.so"
    assert found[1:] == plugin("target=freestanding", "stage=source", "counters=64", "update=atomic", "conditions=1", "paths-max=500")


def test_named_plugin(project):
    project.write("own.so", "")
    found = flags(project, "need-compiler := 1", "PATHPROF_PLUGIN := own.so", 'CONFIG_PATHPROF_ARGUMENTS=""').stdout.split()
    assert found == ["-fplugin=own.so", *plugin("target=freestanding", "stage=source", "counters=64", "update=atomic")]


def test_missing_plugin(project):
    path = os.pathsep.join(("/usr/bin", "/bin"))
    for settings, named in (([], "install pathprof"), (["PATHPROF_PLUGIN := missing.so"], "'missing.so'")):
        error = flags(project, "need-compiler := 1", "PATHPROF_GCC := missing-gcc", *settings, status=2, path=path).stderr
        (line,) = (line for line in error.splitlines() if "***" in line)
        assert_mentions(line, "CONFIG_PATHPROF_KERNEL", "gcc", named, "PATHPROF_PLUGIN=FILE")
    assert flags(project, path=path).stdout == "\n"  # for example in 'make clean'


# ---- the code that delivers the counters, in a program that imitates a kernel ----

KNOWN = """\
int kind (int n);
int
kind (int n)
{
  if (n % 3 == 0 && n > 10)
    return 1;
  if (n & 1)
    return 2;
  return 3;
}
"""

REPEAT = """
void repeat (void (*callback) (void));
void
repeat (void (*callback) (void))
{
  for (int i = 0; i < 5; i++)
    if (i == 2)
      callback ();
}
"""

# fs.c includes these headers of Linux; imitation.h replaces them.
HEADERS = re.findall(r"#include <(linux/\S+)>", (LINUX / "kernel/fs.c").read_text(encoding="utf-8"))


def module(project, *arguments, name="known", source=KNOWN, options=("-O1", "-g")):
    """Compiles a module and returns the names of its object file, and of a file like those that the kernel's build makes."""
    project.write(f"{name}.c", source)
    project.write("modinfo.s", f'.section .modinfo,"a"\n.asciz "license=GPL"\n.asciz "name={name}"\n')
    project.gcc(*plugin("target=freestanding", "stage=source", *arguments), *FREESTANDING[:5], *options, "-c", f"{name}.c")
    project.run("as", "modinfo.s", "-o", "modinfo.o")
    project.run("ld", "-r", f"{name}.o", "modinfo.o", "-o", f"{name}.ko")
    return f"{name}.o", f"{name}.ko"


def imitation(project, *arguments):
    """Compiles the imitated kernel. The records of its module are in a section of their own."""
    from test_freestanding import APP  # the function app()
    for header in HEADERS:
        project.write(f"headers/{header}", "")
    project.write("app.c", APP + REPEAT)
    project.gcc(*plugin("target=freestanding", "stage=source", *arguments), "-fno-pie", "-O1", "-g", "-c", "app.c")
    object_file, _ = module(project, *arguments)
    project.run("objcopy", "--rename-section", "pathprof_freestanding=module_units", object_file, "inner.o")
    project.run("gcc", "-no-pie", "-fno-pie", "-O1", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror", "-Iheaders", f"-I{ROOT}",
                ROOT / "testsuite/kernel/imitation.c", "app.o", "inner.o", "-o", "board")


def kinds(project, *dumps):
    found = project.functions_by_name(imported(project, *dumps))
    return sorted(path["count"] for path in found["kind"]["paths"])


def expected_of_kind(numbers, counters="64"):
    paths = [(n % 3 == 0, n % 3 == 0 and n > 10) if n % 3 == 0 and n > 10 else (n % 3 == 0, False, n & 1) for n in numbers]
    return sorted(1 if counters == "bit" else paths.count(path) for path in set(paths))


@pytest.mark.parametrize("counters", ["64", "32", "bit"])
def test_counters_of_a_kernel_and_a_module(project, counters):
    imitation(project, f"counters={counters}")
    done = project.run("./board", "app", "load", "kind=40", "save=loaded", "unload", "save=unloaded", "zero", "load", "kind=5",
                       "unload", "app", "save=twice", "reset", "save=reset")
    assert done.stdout == "0\n" * 4 and done.stderr == ""
    assert kinds(project, "loaded", "known.ko") == expected_of_kind(range(40), counters)
    found = counts(project, imported(project, "loaded", "known.ko"))
    freestanding(project, "stage=source", f"counters={counters}", name="other")
    assert found == counts(project, imported(project, stream_of(project, "other"), name="other"))
    assert project.read("loaded").partition(b"\x89PATHFM\n")[2] == project.read("unloaded").partition(b"\x89PATHFM\n")[2]
    assert kinds(project, "twice", "known.ko") == expected_of_kind([*range(40), *range(5)], counters)
    assert project.read("twice").count(b"\x89PATHFM\n") == 1
    assert not re.search(b"\x89PATHFM\n", project.read("reset"))
    assert counts(project, imported(project, "reset", "known.ko")) == {"classify": {}, "decide": {}}


def test_reset_while_functions_are_active(project):
    """The loop of repeat() starts paths after the reset, but its first path was counted before the reset."""
    imitation(project)
    project.run("./board", "reset-in-loop", "save=raw")
    assert project.functions(imported(project, "raw"))["repeat"] == [1, 1, 2]
    write(project, "raw", project.read("raw").replace(b"\x89PATHFR\n", b""))
    done = project.pathdump("check", imported(project, "raw"), status=1)
    assert_mentions(done.stdout, "repeat", "paths that start here")


def test_counters_of_several_dumps(project):
    imitation(project)
    project.run("./board", "load", "kind=40", "save=raw")
    assert kinds(project, "raw", "known.ko", "raw") == [2 * count for count in expected_of_kind(range(40))]
    assert project.profile("board.pathprof")["runs"] == 2


def test_saturated_counters_of_an_unloaded_module(project):
    imitation(project, "counters=32")
    project.run("./board", "load", "fill", "unload", "zero", "load", "kind=5", "unload", "save=raw")
    done = project.pathdump("import", "board", "raw", "known.ko", "-o", "board.pathprof")
    assert "largest value" in done.stderr
    (kind,) = [function for function in project.profile("board.pathprof")["functions"] if function["name"] == "kind"]
    assert {path["count"] for path in kind["paths"]} == {2 ** 32 - 1}


def test_memory_is_exhausted(project):
    imitation(project)
    done = project.run("./board", "allocations=0", "save=raw", "load", "allocations=1", "load", "unload", "allocations=9", "save=raw")
    assert done.stdout == "-12\n0\n"
    assert done.stderr == ("pathprof: out of memory; module known is not counted\n"
                           "pathprof: out of memory; the counters of module known are lost\n")
    assert b"known" not in project.read("raw")


# ---- import of modules ----

@pytest.fixture
def loaded(project):
    """A project with the imitated kernel, board, its module, known.ko, and counters of both in the file raw."""
    imitation(project)
    project.run("./board", "app", "load", "kind=40", "save=raw")
    return project


def test_module_that_is_not_given(loaded):
    done = loaded.pathdump("import", "board", "raw", "raw", "-o", "board.pathprof")
    lines = done.stderr.splitlines()
    assert len(lines) == 2
    for line in lines:
        assert_one_line(line + "\n", "pathdump: warning: raw: offset ", "module known", "not imported", ".ko")
    assert "kind" not in loaded.functions_by_name("board.pathprof")


def test_module_that_was_not_loaded(loaded):
    loaded.run("./board", "app", "save=raw")
    names = [function["name"] for function in loaded.profile(imported(loaded, "raw", "known.ko"))["functions"]]
    assert "kind" in names


def test_stripped_module(loaded):
    """The kernel's build calls strip in this way with INSTALL_MOD_STRIP=1."""
    expected = kinds(loaded, "raw", "known.ko")
    loaded.run("strip", "--strip-debug", "known.ko")
    assert kinds(loaded, "raw", "known.ko") == expected == expected_of_kind(range(40))


def test_modules_are_recorded(loaded):
    module(loaded, name="other", source="int other (int n);\nint other (int n) { return n > 2; }\n")
    imported(loaded, "raw", "known.ko", "other.ko")
    loaded.pathdump("coverage", "board.pathprof", "--all", "--root", "/", "--evidence", "evidence")
    evidence = json.loads(loaded.read("evidence/manifest.json"))
    assert [one["name"] for one in evidence["modules"]] == ["board", "known.ko", "other.ko"]


def test_wrong_modules(loaded):
    module(loaded, source=KNOWN.replace("n > 10", "n > 11"))
    assert_mentions(fails(loaded, "board", "raw", "known.ko"), "raw", "another build", "known.ko")
    assert_mentions(fails(loaded, "board", "raw", "known.ko", "known.ko"), "known.ko", "same kernel module")
    assert_mentions(fails(loaded, "board", "raw", "known.o"), "known.o", "not a kernel module")
    assert_mentions(fails(loaded, "board", "known.ko", status=2), "missing dump")
    loaded.run("gcc", "-c", "-x", "c", "/dev/null", "-o", "empty.o")
    loaded.run("ld", "-r", "empty.o", "modinfo.o", "-o", "empty.ko")
    assert_mentions(fails(loaded, "board", "raw", "empty.ko"), "empty.ko", "target=freestanding")
    loaded.run("objcopy", "--rename-section=.pathprof_notes=.other", "known.ko", "bare.ko")
    assert_mentions(fails(loaded, "board", "raw", "bare.ko"), "bare.ko", ".pathprof_notes")
    memory = write(loaded, "memory", b"\0" * 8)
    assert_mentions(fails(loaded, "board", memory, "known.ko"), "memory", "kernel modules")


def test_damaged_modules(loaded):
    data = loaded.read("known.ko")
    relocations = loaded.run("readelf", "-SW", "known.ko").stdout
    at = int(re.search(r" \.relapathprof_freestanding +RELA +\w+ (\w+) ", relocations)[1], 16)
    for position, value in ((at, 0x1001), (at, 4), (at + 8, 10), (at + 12, 0x7fffffff), (at + 16, 0x7fffffff)):
        damaged = bytearray(data)
        damaged[position:position + 4] = struct.pack("<I", value)
        assert_mentions(fails(loaded, "board", "raw", write(loaded, "damaged.ko", damaged)), "damaged.ko", "damaged", "compile")


def test_damaged_streams_of_modules(loaded):
    data = loaded.read("raw")
    start = data.index(b"\x89PATHFM\n")
    for at in range(start + 72, len(data), 3):
        damaged = bytearray(data)
        damaged[at] ^= 16
        error = fails(loaded, "board", write(loaded, "damaged", damaged), "known.ko")
        assert_mentions(error, "damaged", f"offset {start}", "another build" if "another" in error else "checksum")
    for size in (start + 80, len(data) - 1):
        assert_mentions(fails(loaded, "board", write(loaded, "part", data[:size]), "known.ko"), "part", f"offset {start}")
    write(loaded, "log", data[:-20] + data)
    done = loaded.pathdump("import", "board", "log", "known.ko", "-o", "board.pathprof")
    assert_one_line(done.stderr, f"pathdump: warning: log: offset {start}", "interrupted")


def test_kernel_at_another_address(loaded):
    """With CONFIG_RANDOMIZE_BASE, the addresses in the records of the kernel differ from those in its ELF file."""
    expected = counts(loaded, imported(loaded, "raw", "known.ko"))
    data = loaded.read("raw")
    size = 48
    words = list(struct.unpack("<6Q", data[8:8 + size]))
    words[2] += 0x1c000000
    words[4] += 0xffffffff9c000000
    stream = data[8 + size:data.index(b"\x89PATHFM\n") - 4]
    moved = struct.pack("<6Q", *(word % 2 ** 64 for word in words)) + stream
    value = 0x811c9dc5
    for byte in moved:
        value = (value ^ byte) * 0x01000193 % 2 ** 32
    write(loaded, "moved", data[:8] + moved + struct.pack("<I", value))
    assert counts(loaded, imported(loaded, "moved")) == expected
