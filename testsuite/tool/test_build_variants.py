# SPDX-License-Identifier: GPL-3.0-or-later
"""Coverage of a source that a build compiles several times: with other macros, into other objects, and for other programs."""

import json
import shutil

import pytest

from conftest import BIN, version_suffix

# With -DB, f has another branch, and g is the same. unused.o and copy.o contain the same code.
SOURCE = """\
int g(int x) {
  return x > 2 ? 1 : 2;
}
int f(int x) {
#ifdef B
  if (x > 5 && x < 9)
    return 7;
  x++;
#endif
  if (x > 3)
    x--;
  return x;
}
"""
SHARED = """\
int shared(int x) {
  if (x > 2 || x < -2)
    return 1;
  return 0;
}
"""
MAIN = """\
int f(int), g(int), shared(int);
int main(int argc, char **argv) {
  (void) argv;
  return (argc < 3 ? f(argc) + g(argc) : 0) + shared(argc) == 99;
}
"""
UNUSED = """\
int unused(int x) {
  if (x)
    return 1;
  return 2;
}
"""
MAKEFILE = """\
all: a b unused.o copy.o
a: main.o a.o shared.o
\t$(CC) $^ -o $@
b: main.o b.o shared.o
\t$(CC) $^ -o $@
a.o: s.c
\t$(CC) -O0 -g -c $< -o $@
b.o: s.c
\t$(CC) -O0 -g -DB -c $< -o $@
unused.o copy.o: unused.c
\t$(CC) -O0 -g -c $< -o $@
main.o shared.o: %.o: %.c
\t$(CC) -O0 -g -c $<
"""
SOURCES = {"s.c": SOURCE, "shared.c": SHARED, "main.c": MAIN, "unused.c": UNUSED, "Makefile": MAKEFILE}


def write(project, folder):
    for name, text in SOURCES.items():
        project.write(f"{folder}/{name}", text)


def measured(project, commands):
    """Covered and all lines and branch outcomes per file, by pathprof."""
    write(project, "ours")
    script = "cd ours && pathprof build conditions=1 -- make && pathprof record -o all.pathprof -- sh -c \"$0\""
    project.run("sh", "-ec", script, commands, env={"PATH": f"{BIN}:/usr/bin:/bin"})
    done = project.run("sh", "-c", f"cd ours && exec {BIN}/pathdump coverage --json all.pathprof")
    report = json.loads(done.stdout)
    return report, {file["file"].rpartition("/")[2]: {kind: (file[kind]["covered"], file[kind]["total"]) for kind in ("lines", "branches")}
                    for file in report["files"]}


def expected(project, commands):
    """The same from gcov's results for each object. Functions with the same code are added up."""
    write(project, "plain")
    suffix = version_suffix(project)
    project.run("sh", "-ec", f"cd plain && make CC='gcc{suffix} --coverage' && ({commands})")
    lines, branches = {}, {}
    for notes in sorted((project.folder / "plain").glob("*.gcno")):
        done = project.run("sh", "-c", f"cd plain && exec gcov{suffix} -b --json-format --stdout {notes.name}")
        (file,) = json.loads(done.stdout)["files"]
        functions = {}
        for line in file["lines"]:
            place = file["file"], line["line_number"]
            lines[place] = lines.get(place, 0) + line["count"]
            functions.setdefault(line["function_name"], []).append((line["line_number"], [one["count"] for one in line["branches"]]))
        for name, code in functions.items():
            key = file["file"], name, tuple((line, len(counts)) for line, counts in code)
            counts = [count for _, here in code for count in here]
            branches[key] = [a + b for a, b in zip(branches.get(key, [0] * len(counts)), counts)]
    result = {}
    for (name, _), count in lines.items():
        covered, total = result.setdefault(name, {"lines": (0, 0), "branches": (0, 0)})["lines"]
        result[name]["lines"] = covered + (count > 0), total + 1
    for (name, *_), counts in branches.items():
        covered, total = result[name]["branches"]
        result[name]["branches"] = covered + sum(count > 0 for count in counts), total + len(counts)
    return result


@pytest.mark.skipif(shutil.which("gcov") is None, reason="needs gcov")
@pytest.mark.parametrize("commands", ["./a", "./a x; ./b x x", "./a; ./b x; ./b 1 2 3"],
                         ids=["a program that was not run", "a function that was not called", "both"])
def test_variants_as_gcov(project, commands):
    report, found = measured(project, commands)
    assert found == expected(project, commands)
    assert found["unused.c"]["lines"] == (0, 4) and found["s.c"]["lines"][0] < found["s.c"]["lines"][1]
    rows = {(function["name"], function["num_paths"]) for function in report["functions"]}
    assert {name for name, _ in rows} == {"f", "g", "main", "shared", "unused"}
    assert len(rows) == len(report["functions"]) == 6  # f twice
    by_name = {file["file"]: file for file in report["files"]}
    assert by_name["s.c"]["functions"] == {"covered": 2, "total": 2, "share": 100, "justified": 0}
    assert by_name["s.c"]["conditions"]["total"] == 1 + 1 + 3  # g, f and f with -DB
    assert by_name["shared.c"]["conditions"]["total"] == 2 and by_name["unused.c"]["conditions"]["total"] == 1


INLINE = """\
inline int f(int x) {
#ifdef B
  if (x > 5)
    return 7;
#endif
  return x CONDITION;
}
"""


def test_weak_variants(project):
    """The linker keeps one variant of a weak function. Another one is left out, unless it has lines of its own."""
    project.write("h.h", INLINE)
    project.write("a.cc", '#define CONDITION\n#include "h.h"\nint b(int);\nint main(int n, char **) { return f(n) + b(n) - 2; }\n')
    project.write("b.cc", '#define CONDITION ? 1 : 2\n#include "h.h"\nint b(int x) { return f(x); }\n')
    for options, total, variants in (((), 1, 1), (("-DB",), 3, 2)):
        project.gxx("-O0", "-g", "-c", "a.cc")
        project.gxx("-O0", "-g", "-c", *options, "b.cc")
        project.gxx("a.o", "b.o", "-o", "prog")
        (project.folder / "prog.pathprof").unlink(missing_ok=True)
        project.run("./prog")
        report = project.pathdump.json("coverage", "--json", "prog.pathprof")
        (header,) = [file for file in report["files"] if file["file"] == "h.h"]
        assert (header["lines"]["covered"], header["lines"]["total"]) == (2, 1 + total)
        assert len([one for one in report["functions"] if one["demangled"].startswith("f(")]) == variants


LIMIT = """\
#include "limit.h"
int sink;
int f(int x) {
  if (x > LIMIT)
    sink = 1;
  return sink;
}
int main(int argc, char **argv) {
  (void) argv;
  return f(argc) == 99;
}
"""


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("is_in_header", [False, True], ids=["option", "header"])
def test_builds_that_differ_in_a_constant(project, level, is_in_header):
    """The graphs and lines of the builds are equal. An outcome of one build and the other outcome of the other build do not cover the branch."""
    project.write("prog.c", LIMIT)
    for limit, arguments in ((1, ["x"]), (9, [])):
        project.write("limit.h", f"#define LIMIT {limit}\n" if is_in_header else "\n")
        project.gcc(level, "-g", "-fplugin-arg-pathprof-stage=source", *([] if is_in_header else [f"-DLIMIT={limit}"]), "prog.c", "-o", "prog")
        messages = project.run("./prog", *arguments).stderr
    assert "another build of prog (function 'f' in prog.c has different statements)" in messages
    (earlier,) = project.folder.glob("prog.pathprof.*")
    project.pathdump("merge", "-o", "all.pathprof", "prog.pathprof", earlier.name)
    for profile, branches in (("prog.pathprof", (1, 2)), (earlier.name, (1, 2)), ("all.pathprof", (2, 4))):
        report = project.pathdump.json("coverage", "--json", "--function", "f", profile)
        assert (report["total"]["branches"]["covered"], report["total"]["branches"]["total"]) == branches
        assert report["total"]["lines"]["share"] == 100 or profile == "prog.pathprof"


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_builds_that_differ_in_nothing_that_is_executed(project, level):
    """Comments, unused declarations, debug information and the directory do not matter: the counts of all builds are added."""
    project.write("prog.cc", '#include <cassert>\n#include <string>\n#include "limit.h"\nstruct s { std::string t; int n; };\n'
                             'static int f(const s &p) { assert(p.n < 100); static int calls; calls++; '
                             'auto g = [&](int x) { return x + p.n; };\n return g(calls) > LIMIT ? 1 : int(p.t.size()); }\n'
                             'int main(int argc, char **argv) { s p{argv[0], argc}; return f(p) == 99; }\n')
    profile = project.folder / "all.pathprof"
    for number, (text, options) in enumerate((("", ["-g"]), ("// a comment\n", ["-g"]), ("extern int unused; struct other { int a; };\n", ["-g"]),
                                              ("", ["-g3", "-DUNUSED=3"]), ("", ["-g", "-frandom-seed=9"]))):
        project.write("limit.h", f"{text}#define LIMIT 1\n")
        project.gxx(level, *options, "-fplugin-arg-pathprof-stage=source", "prog.cc", "-o", "prog")
        assert "another build" not in project.run("./prog", env={"PATHPROF_FILE": str(profile)}).stderr
        assert project.pathdump.json("export", "--format=json", profile)["runs"] == number + 1
