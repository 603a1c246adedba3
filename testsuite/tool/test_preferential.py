# SPDX-License-Identifier: GPL-3.0-or-later
"""mode=preferential: interesting paths by profile, list, lines and attribute; residual paths and who hears of them."""

import concurrent.futures
import os
import re

import pytest

from random_program import Program
from conftest import BIN, assert_mentions, plugin
from test_random_programs import build_and_check, run

TESTS = "tests.pathprof"
FIELD = "prog.pathprof"

# f has 68 paths at stage source: 64 over its branches, doubled where it comes to the loop or starts in it.
PROGRAM = """\
#include <stdlib.h>

static volatile int sink;

__attribute__ ((noinline)) int
f (int x)
{
  int r = 0;
  if (x & 1)
    r += 3;
  else
    sink = 1;
  if (x & 2)
    r *= 5;
  else
    sink = 2;
  if (x & 4)
    r += 7;
  else
    sink = 3;
  if (x & 8)
    r -= x;
  else
    sink = 4;
  for (int i = 0; i < (x & 3); i++)
    if (i & 1)
      r++;
    else
      sink = 5;
  if (x & 16)
    sink = 6;
  return r;
}

int
main (int argc, char **argv)
{
  int sum = 0;
  for (int i = 1; i < argc; i++)
    sum += f (atoi (argv[i]));
  return sum < 0;
}
"""
TESTED = ("1", "2", "3", "7", "7")
SEEN = (*TESTED, "31", "31", "16", "8")


def preferential(*arguments, interesting=TESTS):
    return plugin("mode=preferential", f"interesting={interesting}", *arguments)


def paths_of(function, kinds=("paths", "residual")):
    return {path["id"]: path["count"] for kind in kinds for path in function.get(kind, [])}


def functions_of(project, name=FIELD):
    return {function["name"]: function for function in project.profile(name)["functions"]}


def pathdump_json(project, command, *arguments):
    return project.pathdump.json(command, "--json", *arguments)


@pytest.fixture(name="tested")
def project_with_tests(project):
    """PROGRAM and, by options of the compiler, the profile of its tests."""

    def build(*options):
        project.write("prog.c", PROGRAM)
        project.gcc("-g", *options, "prog.c", "-o", "tests")
        project.run("./tests", *TESTED, env={"PATHPROF_FILE": TESTS})
        return project

    return build


def check_against_acyclic(project, options, *arguments, interesting=TESTS):
    """Counts are those of the acyclic build, by the same numbers; what the tests did not take is residual."""
    project.gcc("-g", "-fchecking=1", *options, "prog.c", "-o", "acyclic")
    project.run("./acyclic", *SEEN)
    project.gcc("-g", "-fchecking=1", *options, *preferential(*arguments, interesting=interesting), "prog.c", "-o", "prog")
    project.run("./prog", *SEEN)
    wanted, found, tests = (functions_of(project, name) for name in ("acyclic.pathprof", FIELD, TESTS))
    for name, function in found.items():
        assert paths_of(function) == paths_of(wanted[name])
        assert set(paths_of(function, ("residual",))) == set(paths_of(wanted[name])) - set(paths_of(tests[name]))
    for name in ("acyclic.pathprof", FIELD):
        (project.folder / name).unlink()
    return found


STORAGES = {
    "array": (),
    "slots": ("array-max=20",),
    "few-slots": ("array-max=2",),
    "no-slots": ("array-max=0",),
    "hash": ("array-max=2", "large-ids=hash"),
}


@pytest.mark.parametrize("stage", ("source", "early", "late"))
@pytest.mark.parametrize("level", ("-O0", "-O1", "-O2", "-O3"))
def test_counts_are_those_of_acyclic_paths(tested, level, stage):
    options = (level, *plugin(f"stage={stage}"))
    project = tested(*options)
    for arguments in STORAGES.values():
        for more in ((), ("notify=1",), ("update=atomic", "notify=1"), ("update=thread",)):
            check_against_acyclic(project, options, *arguments, *more)


def test_what_storage_is_taken(tested):
    project = tested("-O1", *plugin("stage=source"))
    found = {name: check_against_acyclic(project, ("-O1", *plugin("stage=source")), *arguments)["f"]
             for name, arguments in STORAGES.items()}
    assert {name: (f["storage"], f["slots"]) for name, f in found.items()} == {
        "array": ("array", 0), "slots": ("array", 7), "few-slots": ("array", 2), "no-slots": ("hash", 0), "hash": ("hash", 0)}
    assert all(f["num_paths"] == "68" and f["interesting_paths"] == 7 for f in found.values())


def test_threads_and_forks(project):
    project.write("prog.c", PROGRAM.replace("int\nmain", "int\nold_main") + """
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
static void *thread (void *unused) { for (int i = 0; i < 100000; i++) f (i & 31); return unused; }
int
main (int argc, char **argv)
{
  pthread_t threads[3];
  if (argc == 1)
    return f (0) + f (31) > 1000000;
  for (int i = 0; i < 3; i++)
    pthread_create (&threads[i], 0, thread, 0);
  for (int i = 0; i < 3; i++)
    pthread_join (threads[i], 0);
  if (fork () == 0)
    thread (0);
  else
    wait (0);
  return 0;
}
""")
    project.gcc("-O2", "-g", "prog.c", "-o", "tests")
    project.run("./tests", env={"PATHPROF_FILE": TESTS})
    for update in ("atomic", "thread"):
        for arguments in STORAGES.values():
            project.gcc("-O2", "-g", "-pthread", *preferential(f"update={update}", *arguments), "prog.c", "-o", "prog")
            for mode in ("exit", "continuous"):
                project.run("./prog", "1", env={"PATHPROF_MODE": mode})
                f = functions_of(project)["f"]
                assert sum(count for path in f["paths"] + f["residual"] for count in [path["count"]]
                           if path["start"] == "entry") == 400000
                assert sum(path["count"] for path in f["residual"] if path["start"] == "entry") == 400000 - 37500  # f (15) begins like f (31)
                (project.folder / FIELD).unlink()


# ---- who hears of residual paths ----

TOLD = PROGRAM.replace("int\nmain", "int\nold_main") + """
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#include "pathrt.h"
static void
told (const char *function, unsigned long long path, void *data)
{
  char text[100];
  if (write (1, text, (size_t) snprintf (text, sizeof text, "%s %s %llu\\n", (char *) data, function, path)) < 0)
    _exit (1);
}
static void *thread (void *unused) { for (int i = 0; i < 32; i++) f (i); return unused; }
int
main (int argc, char **argv)
{
  pthread_t threads[2];
  if (argc == 1)
    return f (0) + f (31) > 1000000;
  if (pathrt_on_residual)
    pathrt_on_residual (told, argv[1]);
  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], 0, thread, 0);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], 0);
  if (fork () == 0)
    thread (0);
  else
    wait (0);
  pathrt_reset ();
  thread (0);
  return 0;
}
"""


@pytest.mark.parametrize("update", ("single", "atomic", "thread"))
@pytest.mark.parametrize("stage", ("source", "early", "late"))
def test_each_residual_path_is_told_of_once(project, stage, update):
    project.write("prog.c", TOLD)
    options = ("-O2", "-g", "-pthread", *plugin(f"stage={stage}", f"update={update}"))
    project.gcc(*options, "prog.c", "-o", "tests")
    project.run("./tests", env={"PATHPROF_FILE": TESTS})
    for arguments in STORAGES.values():
        project.gcc(*options, *preferential("notify=1", *arguments), "prog.c", "-o", "prog")
        lines = project.run("./prog", "data").stdout.splitlines()
        (project.folder / FIELD).unlink()
        of_f = [line for line in lines if line.startswith("data f ")]
        assert len(of_f) == len(set(of_f))
        project.gcc(*options, *preferential(*arguments), "prog.c", "-o", "silent")
        assert project.run("./silent", "data").stdout == ""
        residual = set(paths_of(functions_of(project, "silent.pathprof")["f"], ("residual",)))
        assert {line.split()[2] for line in of_f} == residual
        (project.folder / "silent.pathprof").unlink()


# ---- what is interesting ----


def interesting_of(project, interesting, *arguments):
    """Which of the paths that ran are not residual."""
    project.gcc("-O1", "-g", *preferential("stage=source", *arguments, interesting=interesting), "prog.c", "-o", "prog")
    project.run("./prog", *SEEN)
    functions = functions_of(project)
    (project.folder / FIELD).unlink()
    return {name: set(paths_of(function, ("paths",))) for name, function in functions.items()}


def test_lists(tested):
    project = tested("-O1", *plugin("stage=source"))
    ran = set(paths_of(functions_of(project, TESTS)["f"]))
    project.write("list", "# of f\nf 0-3 " + " ".join(sorted(ran)) + "\n\nprog.c:main 0\nelse.c:f 0-67\n")
    assert interesting_of(project, "list")["f"] >= ran
    assert interesting_of(project, "list")["main"] == {"0"}
    project.write("few", "f 5")
    assert interesting_of(project, "few") == {"f": {"5"}, "main": set()}
    assert interesting_of(project, f"few,{TESTS}")["f"] == ran | {"5"}


def test_comments_behind_numbers(tested):
    project = tested("-O1", *plugin("stage=source"))
    project.write("list", "f 5 # the slow way\nmain 0 #\n")
    assert interesting_of(project, "list") == {"f": {"5"}, "main": {"0"}}


def test_profile_of_another_program_is_warned_of(tested):
    project = tested("-O1", *plugin("stage=source"))
    project.write("new.c", "int add (int a, int b) { while (b--) a++; return a; }\n")
    done = project.gcc("-O1", "-c", *preferential("stage=source", interesting=TESTS), "new.c")
    assert_mentions(done.stderr, "warning: pathprof: ", f"'{TESTS}'", "'interesting'", "no functions", "[-Wmissing-profile]")
    assert project.gcc("-O1", "-c", *preferential("stage=source", interesting=TESTS), "prog.c").stderr == ""


def test_numbers_that_no_path_has_are_warned_of(tested):
    project = tested("-O1", *plugin("stage=source"))
    project.write("list", "f 60-90\n")
    done = project.gcc("-O1", "-c", *preferential("stage=source", interesting="list"), "prog.c")
    assert_mentions(done.stderr, "list:1: 'f'", " 90", "less than 68")


def test_hot_paths(tested):
    project = tested("-O1", *plugin("stage=source"))
    everything, some, few = (interesting_of(project, f"{TESTS}@{share}") for share in ("1", "0.5", ".01"))
    assert everything == interesting_of(project, TESTS)
    assert sum(map(len, few.values())) == 1
    assert all(few[name] <= some[name] < everything[name] for name in ("f",))


def test_lines(tested):
    project = tested("-O1", *plugin("stage=source"))
    line = PROGRAM.split("\n").index("    sink = 6;") + 1
    with_lines = interesting_of(project, f"prog.c:{line}")["f"]
    for path in functions_of_run(project)["residual"]:
        assert line not in path["walked"]
    assert with_lines and with_lines == {path["id"] for path in functions_of_run(project)["paths"]}
    assert interesting_of(project, f"other.c:{line}")["f"] == set()
    assert interesting_of(project, f"*.c:{line}-{line}")["f"] == with_lines


def functions_of_run(project):
    """f with the lines of each path; what prog is built of stays."""
    project.run("./prog", *SEEN)
    f = functions_of(project)["f"]
    lines = {block["id"]: block["lines"] for block in f["blocks"]}
    for kind in ("paths", "residual"):
        for path in f[kind]:
            path["walked"] = {line for block in path["blocks"] for line in lines[block]}
    (project.folder / FIELD).unlink()
    return f


def test_attributes_of_functions_and_labels(project):
    project.write("prog.c", PROGRAM.replace("    sink = 6;", "  {\n  here: __attribute__ ((pathprof_interesting));\n    sink = 6;\n  }")
                  .replace("int\nmain", "__attribute__ ((pathprof_interesting)) int\nmain"))
    found = interesting_of(project, "annotated")
    assert found["main"] and found["f"]
    line = project.read("prog.c").decode().split("\n").index("    sink = 6;") + 1
    f = functions_of_run(project)
    assert all(line in path["walked"] for path in f["paths"])
    assert not any(line in path["walked"] for path in f["residual"])


def test_attribute_elsewhere(project):
    project.write("prog.c", "int x __attribute__ ((pathprof_interesting));\nint main (void) { return x; }\n")
    done = project.gcc("-c", "prog.c")
    assert_mentions(done.stderr, "attribute", "functions and labels")


def test_what_preferential_profiles_found_can_be_interesting(tested):
    project = tested("-O1", *plugin("stage=source"))
    project.gcc("-O1", "-g", *preferential("stage=source", "array-max=3"), "prog.c", "-o", "prog")
    project.run("./prog", *SEEN, env={"PATHPROF_FILE": "first.pathprof"})
    ran = {name: set(paths_of(function)) for name, function in functions_of(project, "first.pathprof").items()}
    assert interesting_of(project, "first.pathprof", "array-max=3") == ran


def test_cuts_are_those_of_the_profile(project):
    branches = "".join(f"  if (n & {1 << bit}) sink++; else sink--;\n" for bit in range(12))
    project.write("prog.c", "static volatile int sink;\n__attribute__ ((noinline)) void\nf (int n)\n{\n" + branches
                  + "}\nint\nmain (int c, char **v)\n{\n  for (int n = 0; n < (c > 1 ? 4000 : 40); n++) f (n * 7);\n"
                    "  return v == 0;\n}\n")
    project.gcc("-O2", "-g", *plugin("paths-max=100"), "prog.c", "-o", "tests")
    project.run("./tests", env={"PATHPROF_FILE": TESTS})
    project.gcc("-O2", "-g", *preferential("array-max=10"), "prog.c", "-o", "prog")
    project.run("./prog")
    tests, field = (functions_of(project, name)["f"] for name in (TESTS, FIELD))
    assert (field["num_paths"], field["cuts"], field["edges"]) == (tests["num_paths"], tests["cuts"], tests["edges"])
    assert field["cuts"] > 0 and field["residual"] == [] and paths_of(field) == paths_of(tests)


def test_a_function_that_changed_is_residual(tested):
    project = tested("-O1", *plugin("stage=source"))
    project.write("prog.c", PROGRAM.replace("    sink = 6;\n", "    sink = 6;\n  if (x & 32)\n    sink = 7;\n"))
    done = project.gcc("-O1", "-g", *preferential("stage=source", "array-max=10"), "prog.c", "-o", "prog")
    warning, = [line for line in done.stderr.splitlines() if "warning" in line]
    assert_mentions(warning, "'f'", "graph", "'tests.pathprof'", "'interesting'")
    assert re.search(r"\d+ blocks and \d+ edges, but \d+ blocks and \d+ edges in the profile; ", warning)
    project.run("./prog", *SEEN)
    functions = functions_of(project)
    assert functions["f"]["paths"] == [] and functions["f"]["residual"]
    assert functions["main"]["paths"] and functions["main"]["residual"] == []


def test_scheme(tested):
    project = tested("-O1", *plugin("stage=source"))
    project.write("scheme", "main mode=acyclic\n")
    project.gcc("-O1", "-g", *preferential("stage=source", "scheme=scheme"), "prog.c", "-o", "prog")
    project.run("./prog", *SEEN)
    assert {name: f["mode"] for name, f in functions_of(project).items()} == {"main": "acyclic", "f": "preferential"}


# ---- wrong input ----

ACCEPTED = "PROFILE, PROFILE@SHARE"


def refusal(project, *options):
    done = project.run(BIN / "pathprof-gcc", "-O1", "-c", *options, "prog.c", status=1)
    return re.sub("[‘’]", "'", done.stderr)


@pytest.mark.parametrize("value, named", [
    ("missing", ["missing: No such file or directory"]),
    (".", [".: Is a directory"]),
    ("prog.c", ["prog.c:3: 'volatile'"]),
    ("text", ["text:1: 'f'"]),
    ("empty", ["empty:"]),
    ("prog.c@0.5", ["prog.c", "profile", "share"]),
    ("prog.c:0", ["'prog.c:0'"]),
    ("prog.c:9-3", ["'prog.c:9-3'"]),
    ("x@0", ["'x@0'"]),
    ("x@1.1", ["'x@1.1'"]),
    ("x,,y", ["'x,,y'"]),
    ("-", ["'-'"]),
    ("damaged", ["damaged: offset"]),
])
def test_wrong_values(tested, value, named):
    project = tested("-O1")
    project.write("text", "f\n")
    (project.folder / "damaged").write_bytes(project.read(TESTS)[:100])
    project.write("empty", "# nothing\n")
    told = refusal(project, *preferential(interesting=value))
    assert_mentions(told, "argument 'interesting'", *named)
    assert ACCEPTED in told


def test_wrong_combinations(tested):
    project = tested("-O1", *plugin("stage=source"))
    assert_mentions(refusal(project, *plugin("mode=preferential")), "'mode=preferential'", "'interesting'")
    for argument in (f"interesting={TESTS}", "large-ids=hash", "notify=1"):
        assert_mentions(refusal(project, *plugin(argument)), f"'{argument}'", "'mode=preferential'", "'mode=acyclic'")
    for argument in ("termination=exact", "metric=tsc"):
        assert_mentions(refusal(project, *preferential("stage=source", argument)), f"'{argument}'", "'mode=acyclic'", "'mode=preferential'")
    assert_mentions(refusal(project, *preferential("stage=early")), TESTS, "'source'", "'early'")


def test_profiles_with_other_paths(project):
    project.write("prog.c", PROGRAM)
    project.gcc("-O1", "-g", *plugin("mode=kiter"), "prog.c", "-o", "tests")
    project.run("./tests", *TESTED, env={"PATHPROF_FILE": TESTS})
    assert_mentions(refusal(project, *preferential()), "'mode=kiter'", "'mode=preferential'", "acyclic paths")


# ---- pathdump ----


@pytest.fixture(name="field")
def project_with_field(tested):
    project = tested("-O1", *plugin("stage=source"))
    project.gcc("-O1", "-g", *preferential("stage=source", "array-max=20"), "prog.c", "-o", "prog")
    project.run("./prog", *SEEN)
    return project


def test_residual(field):
    found = pathdump_json(field, "residual", FIELD)
    f = functions_of(field)["f"]
    assert {path["id"]: path["count"] for path in found["residual"]} == paths_of(f, ("residual",))
    assert found["residual_paths"] == len(f["residual"]) and found["interesting_paths"] == 10
    tests = paths_of(functions_of(field, TESTS)["f"])
    blocks = {path["id"]: path["blocks"] for path in f["residual"] + functions_of(field, TESTS)["f"]["paths"]}
    for path in found["residual"]:
        nearest = path["nearest"]
        assert nearest["count_then"] == tests[nearest["id"]]
        assert path["id"] not in tests and nearest["differences"]
        for difference in nearest["differences"]:
            assert difference["taken"] != difference["nearest_taken"]
            assert (difference["block"] in blocks[nearest["id"]]) == (difference["nearest_taken"] is not None)
    assert sum(path["share"] for path in found["tested"]) < 100
    assert abs(sum(path["share_then"] for path in found["tested"]) - 100) < 0.01


def test_residual_text(field):
    text = field.pathdump("residual", FIELD).stdout
    assert re.search(r"prog: 2 functions with interesting paths: 10 of 10 interesting paths .*\d+ residual paths", text)
    line = PROGRAM.split("\n").index("  if (x & 8)") + 1
    assert f"1 branch differs: {line}:T x & 8, F in the other path" in text
    assert '"then" is the profile' in text
    assert len(field.pathdump("residual", "-n", "1", FIELD).stdout) < len(text)
    done = field.pathdump("residual", TESTS, status=2)
    assert "no function has interesting paths" in done.stderr


def test_functions(field):
    f, = [row for row in pathdump_json(field, "functions", FIELD)["functions"] if row["name"] == "f"]
    assert (f["interesting_paths"], f["slots"], f["delta"]) == (7, 7, 1)
    assert f["residual_paths"] == len(functions_of(field)["f"]["residual"])
    assert "delta" in field.pathdump("functions", FIELD).stdout
    assert "delta" not in field.pathdump("functions", TESTS).stdout


def test_other_commands(field):
    f = functions_of(field)["f"]
    for kind, word in (("paths", "interesting path"), ("residual", "residual path")):
        assert word in field.pathdump("path", FIELD, "f", f[kind][0]["id"]).stdout
    coverage = pathdump_json(field, "coverage", FIELD)
    assert coverage["total"]["executed"] == len(f["paths"]) + len(f["residual"]) + 3
    assert "prog.c" in field.pathdump("show", FIELD).stdout
    found = pathdump_json(field, "diff", TESTS, FIELD, "-n", "0")
    assert {change["id"] for change in found["paths"] if change["kind"] == "new"} == {p["id"] for p in f["residual"]}
    field.pathdump("merge", "-o", "twice.pathprof", FIELD, FIELD)
    twice = functions_of(field, "twice.pathprof")["f"]
    assert paths_of(twice) == {number: 2 * count for number, count in paths_of(f).items()}


# ---- random programs ----

COUNT = int(os.environ.get("PATHPROF_RANDOM_PROGRAMS", "24"))
CONFIGURATIONS = (("-O0", "source"), ("-O2", "source"), ("-O2", "early"), ("-O3", "late"))
VARIANTS = (("interesting=*:1-60", "array-max=40"), ("interesting=*:1-60", "array-max=3", "notify=1"),
            ("interesting=*:1-9999", "array-max=10", "update=thread"), ("interesting=*:20-40", "array-max=5", "large-ids=hash"),
            ("interesting=*:1-60", "array-max=3", "large-ids=hash", "notify=1"))


def check_seed(folder, seed):
    folder.mkdir()
    program = Program(seed)
    (folder / "prog.c").write_text(program.text)
    failures = []
    for number, (level, stage) in enumerate(CONFIGURATIONS):
        # What a profile of the same program says is interesting, or lines.
        if (seed + number) % 5 == 0:
            failures += build_and_check(folder, program, level, stage, program_name="tests")
            arguments = ("interesting=tests.pathprof", "array-max=4")
        else:
            arguments = VARIANTS[(seed + number) % len(VARIANTS)]
        failures += [f"seed {seed} {level} {stage} {arguments}: {text}" for text in
                     build_and_check(folder, program, level, stage, "mode=preferential", *arguments)]
        run(folder, "rm", "-f", "tests.pathprof")
    return failures


def test_random_programs(tmp_path):
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(check_seed, [tmp_path / f"seed{seed}" for seed in range(COUNT)], range(COUNT))
        assert not [failure for result in results for failure in result]
