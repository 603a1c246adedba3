# SPDX-License-Identifier: GPL-3.0-or-later
"""pathprof record --cost: the cost is measured by perf or callgrind, stored next to the profile, and used by reports."""

import html
import json
import os
import pathlib
import re
import shutil
import subprocess

import jsonschema
import pytest

from conftest import BIN, assert_mentions, assert_one_line, clean_environment, loop, need

ROOT = pathlib.Path(__file__).resolve().parents[2]
# walk executes nearly all statements; fill has nearly all of the cost, in memset.
PROGRAM = """\
#include <stdlib.h>
#include <string.h>

static char block[1 << 16];
static volatile int sink;

__attribute__ ((noinline)) int
walk (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    if (i % 3)
      sum += i;
    else
      sum -= i;
  return sum;
}

__attribute__ ((noinline)) void
fill (int n)
{
  for (int i = 0; i < n; i++)
    memset (block, i, sizeof block);
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 50;
  sink = walk (n * 20);
  fill (n);
  sink = block[3];
  return argc > 2 ? 5 : 0;
}
"""
# Plays perf. $FAKE_EVENTS lists the events that it can measure. It replaces others with $FAKE_DEFAULT, if that is set. $FAKE_TEXT is the
# output of 'perf script'. Each call is logged.
FAKE_PERF = """\
#!/bin/sh
echo "perf $*" >> "$FAKE_LOG"
if [ "$1" = script ]; then
  echo "perf: a warning" >&2
  [ "$FAKE_TEXT" ] || exit 9
  exec /bin/cat "$FAKE_TEXT"
fi
[ "$1" = evlist ] && exec /bin/cat "$3"
while [ "$1" != -- ]; do
  [ "$1" = -e ] && event=$2
  [ "$1" = -o ] && output=$2
  shift
done
shift
case " $FAKE_EVENTS " in *" $event "*) ;; *) event=$FAKE_DEFAULT ;; esac
[ "$event" ] || { echo "No permission to enable the event" >&2; exit 255; }
case $output in
  *probe*) echo "$event" > "$output" ;;
  *) [ "$FAKE_NO_DATA" ] || echo "$event" > "$output" ;;
esac
exec "$@"
"""
FAKE_VALGRIND = """\
#!/bin/sh
echo "valgrind $*" >> "$FAKE_LOG"
for word; do
  case $word in
    --callgrind-out-file=*) output=${word#*=} ;;
    -*) ;;
    *) break ;;
  esac
  shift
done
[ "$FAKE_COSTS" ] && /bin/cp "$FAKE_COSTS" "$(echo "$output" | /bin/sed s/%p/1/)"
exec "$@"
"""
SAMPLES = "".join(f"    {period} cpu-clock: \n\t 12 memset+0x1 (/lib/libc.so.6)\n\t 56 fill+0x3 (prog)\n  prog.c:23\n\n" for period in (700, 200)) + \
    "    100 cpu-clock: \n\t 56 walk+0x3 (prog)\n  prog.c:12\n\n"
CALLGRIND = "events: Ir\nfl=(1) prog.c\nfn=(1) walk\n12 300\nfn=(2) fill\n23 700\n"


class Recorded:
    """A project with prog, and the two names of the command."""

    def __init__(self, project):
        self.project, self.folder, self.pathdump = project, project.folder, project.pathdump
        project.write("prog.c", PROGRAM)
        project.compile("prog.c", "-O1", "-g")
        self.tools = self.folder / "tools"
        self.tools.mkdir()
        for name in ("true", "sh"):
            (self.tools / name).symlink_to(shutil.which(name))
        self.env = {"FAKE_LOG": str(self.folder / "log"), "TMPDIR": str(self.folder / "tmp")}
        (self.folder / "tmp").mkdir()

    def fake(self, name, text):
        (self.tools / name).write_text(text)
        (self.tools / name).chmod(0o755)

    def fake_perf(self, events="cycles cpu-clock", text=SAMPLES):
        self.fake("perf", FAKE_PERF)
        self.project.write("samples", text)
        self.env |= {"FAKE_EVENTS": events, "FAKE_TEXT": str(self.folder / "samples"), "PATH": str(self.tools)}

    def fake_valgrind(self, costs=CALLGRIND):
        self.fake("valgrind", FAKE_VALGRIND)
        self.project.write("costs", costs)
        self.env |= {"FAKE_COSTS": str(self.folder / "costs"), "PATH": str(self.tools)}

    def log(self):
        return (self.folder / "log").read_text().splitlines()

    def __call__(self, *arguments, status=0, env=None):
        done = subprocess.run([BIN / "pathprof", *map(str, arguments)], cwd=self.folder, env=clean_environment({**self.env, **(env or {})}),
                              capture_output=True, text=True, timeout=900)
        assert done.returncode == status, f"{done.args}\n{done.stdout}{done.stderr}"
        assert list((self.folder / "tmp").iterdir()) == []  # temporary files were removed
        return done

    def json(self, command, *arguments):
        return json.loads(self(command, "--json", *arguments).stdout)

    def stored(self, name="prog.pathprof.cost"):
        return json.loads((self.folder / name).read_text())

    def cost_by_function(self, profile="prog.pathprof"):
        return {function["name"]: function["cost"] for function in self.json("functions", "--cost", profile)["functions"]}


@pytest.fixture
def recorded(project):
    return Recorded(project)


@pytest.fixture
def measured(recorded):
    """A profile with a stored cost: 300 in walk, 700 in fill."""
    recorded.fake_valgrind()
    recorded("record", "--cost=callgrind", "--", "./prog")
    return recorded


# ---- measuring ----

def test_callgrind(recorded):
    need("valgrind")
    done = recorded("record", "--cost=callgrind", "--", "./prog")
    assert done.stdout == "" and done.stderr == (
        "pathprof: cost measured in Ir by callgrind and stored in prog.pathprof.cost\n"
        "pathprof: 1 run counted in prog.pathprof; next: pathprof report --cost prog.pathprof\n")
    by_statements, by_cost = recorded.json("report"), recorded.json("report", "--cost")
    assert by_statements["paths"][0]["function"] == "walk" and by_statements["ranked_by"] == "statements"
    assert by_cost["paths"][0]["function"] == "fill" and by_cost["paths"][0]["calls"][0] == "memset"
    assert by_cost["ranked_by"] == "Ir" and by_cost["cost"]["file"] == "prog.pathprof.cost"
    counts = recorded.project.functions()
    os.remove(recorded.folder / "prog.pathprof")
    recorded.project.run("./prog")
    assert counts == recorded.project.functions()  # measuring does not change the counts


def test_callgrind_measures_child_processes(recorded):
    need("valgrind")
    recorded("record", "--cost=callgrind", "--", "sh", "-c", "./prog; ./prog")
    once = recorded.stored()["total"]
    assert recorded.json("report", "--cost")["runs"] == 2
    first = recorded.cost_by_function()
    os.remove(recorded.folder / "prog.pathprof")
    os.remove(recorded.folder / "prog.pathprof.cost")
    recorded("record", "--cost=callgrind", "--", "./prog")
    second = recorded.cost_by_function()
    assert first["fill"] == pytest.approx(2 * second["fill"], rel=0.01) and once > recorded.stored()["total"]


def test_perf(recorded):
    need("perf")
    probe = subprocess.run(["perf", "record", "-q", "-e", "cpu-clock", "-o", recorded.folder / "probe", "--", "true"], capture_output=True, text=True)
    if probe.returncode:
        pytest.skip("perf cannot measure here: " + probe.stderr)
    recorded("record", "--cost=perf", "--runs", "2", "--", "./prog", "300000")
    found = recorded.json("report", "--cost")
    assert found["cost"]["tool"] == "perf" and found["ranked_by"] in ("cycles", "cpu-clock", "cycles:u", "cpu-clock:u")
    assert found["paths"][0]["function"] == "fill" and found["paths"][0]["share"] > 60
    assert recorded.json("report")["paths"][0]["function"] == "walk"


@pytest.mark.parametrize("tool, events, event", [("auto", "cycles cpu-clock", "cycles"), ("auto", "cpu-clock", "cpu-clock"),
                                                 ("perf", "cycles cpu-clock", "cycles"), ("perf", "cpu-clock", "cpu-clock"),
                                                 ("cycles", "cycles cpu-clock", "cycles")])
def test_event_that_perf_measures(recorded, tool, events, event):
    """The clock replaces the cycle counter of machines without one; callgrind is not used although it is there."""
    recorded.fake_perf(events)
    recorded.fake_valgrind()
    recorded.env["FAKE_DEFAULT"] = "cpu-clock"
    done = recorded("record", f"--cost={tool}", "--runs", "2", "--warm", "1", "--", "./prog", "9")
    runs = [line for line in recorded.log() if line.endswith(" -- ./prog 9")]
    assert len(runs) == 2 and all(f" -e {event} " in line and "--call-graph dwarf" in line for line in runs)
    assert not any(line.startswith("valgrind") for line in recorded.log())
    assert "cost measured in cpu-clock by perf" in done.stderr and "a warning" not in done.stderr
    assert_mentions(done.stderr, "record: only 6 samples in", "uncertain", "--runs N", "--cost=callgrind")
    assert recorded.json("report", "--cost")["runs"] == 2
    assert recorded.cost_by_function() == {"fill": 1800, "walk": 200, "main": 0}  # two runs


@pytest.mark.parametrize("has_perf", [False, True])
def test_callgrind_replaces_perf(recorded, has_perf):
    if has_perf:
        recorded.fake_perf(events="")
    recorded.fake_valgrind()
    recorded("record", "--cost", "--", "./prog")
    (run,) = [line for line in recorded.log() if line.startswith("valgrind")]
    assert_mentions(run, "--tool=callgrind", "--trace-children=yes")
    assert recorded.cost_by_function() == {"fill": 700, "walk": 300, "main": 0}


@pytest.mark.parametrize("tool, has_perf, expected", [
    ("auto", False, "record: --cost: perf is not installed, and valgrind is not installed; install perf (linux-perf) or valgrind"),
    ("auto", True, "record: --cost: perf cannot measure cpu-clock (No permission to enable the event), and valgrind is not installed"),
    ("perf", False, "record: --cost=perf: perf is not installed; use --cost=callgrind"),
    ("cycles", True, "record: --cost=cycles: perf cannot measure cycles (No permission to enable the event); use --cost=perf or --cost=callgrind"),
    ("cycles", None, "record: --cost=cycles: perf cannot measure cycles (cpu-clock is measured instead); use --cost=perf or --cost=callgrind"),
    ("callgrind", True, "record: --cost=callgrind: valgrind is not installed; install it or use --cost=perf"),
])
def test_tools_that_cannot_be_used(recorded, tool, has_perf, expected):
    recorded.env["PATH"] = str(recorded.tools)
    if has_perf is not False:
        recorded.fake_perf(events="")
        recorded.env["FAKE_DEFAULT"] = "" if has_perf else "cpu-clock"
    error = recorded("record", f"--cost={tool}", "--", "./prog", status=2).stderr
    assert_one_line(error, "pathprof: " + expected)
    assert not recorded.project.exists("prog.pathprof")  # the program did not run


@pytest.mark.parametrize("change, expected", [
    ({"FAKE_NO_DATA": "1"}, "perf wrote no data"),
    ({"FAKE_TEXT": ""}, "'perf script' failed with exit status 9: perf: a warning"),
    ({"FAKE_TEXT": "/dev/null"}, "too short for perf to take samples; use --runs N or --cost=callgrind"),
])
def test_runs_that_perf_does_not_measure(recorded, change, expected):
    """The counts are kept, and the cost is not stored."""
    recorded.fake_perf()
    error = recorded("record", "--cost=perf", "--", "./prog", status=3, env=change).stderr
    assert "pathprof: record: no cost was stored: " in error and expected in error
    assert "1 run counted in prog.pathprof; next: pathprof report prog.pathprof" in error
    assert not recorded.project.exists("prog.pathprof.cost")


def test_runs_that_callgrind_does_not_measure(recorded):
    recorded.fake_valgrind()
    error = recorded("record", "--cost=callgrind", "--", "./prog", status=3, env={"FAKE_COSTS": ""}).stderr
    assert "no cost was stored: callgrind wrote no costs" in error
    error = recorded("record", "--cost=callgrind", "--", "./prog", status=3,
                     env={"FAKE_COSTS": recorded.folder / recorded.project.write("other", "events: Ir\nfn=(1) other\n1 5\n")}).stderr
    assert "no cost was stored: callgrind measured no cost in instrumented functions" in error


def test_status_of_the_program(recorded):
    """It is that of the program, also if no cost could be stored; a missing program is reported as without --cost."""
    recorded.fake_perf()
    recorded("record", "--cost=perf", "--", "./prog", "3", "x", status=5)
    recorded("record", "--cost=perf", "--", "./prog", "3", "x", status=5, env={"FAKE_TEXT": "/dev/null"})
    for program in ("./nothing", "nothing", "prog"):
        with_cost = recorded("record", "--cost=perf", "--", program, status=2).stderr
        assert with_cost == recorded("record", "--", program, status=2).stderr


@pytest.mark.parametrize("arguments", [("--cost", "./prog", "--cost", "perf"), ("--cost=perf", "--", "./prog", "--cost", "perf"),
                                       ("--cost", "perf", "./prog", "--cost", "perf"), ("--cost", "--", "./prog", "--cost", "perf")], ids=" ".join)
def test_value_of_the_option_is_optional(recorded, arguments):
    """The arguments of the program remain its own."""
    recorded.fake_perf()
    recorded("record", *arguments, status=5)
    assert recorded.log()[-2].endswith(" -- ./prog --cost perf")
    assert recorded.stored()["total"] == 1000


def test_what_record_refuses(recorded):
    assert "accepted: perf, callgrind, cycles, auto" in recorded("record", "--cost=time", "--", "./prog", status=2).stderr
    error = recorded("record", "-p", "1", "--cost", status=2).stderr
    assert "--cost applies only to a program that record starts" in error


# ---- the file ----

def test_costs_are_added(measured):
    measured("record", "--cost", "--", "./prog")
    assert measured.cost_by_function() == {"fill": 1400, "walk": 600, "main": 0}
    measured("record", "--", "./prog")  # a run that is not measured
    assert measured.json("report", "--cost")["runs"] == 3
    assert measured.cost_by_function() == {"fill": 1400, "walk": 600, "main": 0}


def test_cost_in_another_unit_is_replaced(measured):
    measured.fake_perf()
    error = measured("record", "--cost=perf", "--", "./prog").stderr
    assert "stored in prog.pathprof.cost, in place of the cost in another unit\n" in error
    assert measured.cost_by_function() == {"fill": 900, "walk": 100, "main": 0}


def test_file_is_reproducible(measured):
    first = measured.project.read("prog.pathprof.cost")
    os.remove(measured.folder / "prog.pathprof.cost")
    measured("record", "--cost", "--", "./prog")
    assert measured.project.read("prog.pathprof.cost") == first
    assert {path.name for path in measured.folder.glob("prog.pathprof*")} <= {"prog.pathprof", "prog.pathprof.cost", "prog.pathprof.lock"}


def test_pattern_and_renamed_profile(measured):
    measured("record", "--cost", "-o", "%e-%q{NAME}.pathprof", "--", "./prog", env={"NAME": "x"})
    assert measured.cost_by_function("prog-x.pathprof")["fill"] == 700
    for suffix in ("", ".cost"):
        (measured.folder / f"prog-x.pathprof{suffix}").rename(measured.folder / f"new.pathprof{suffix}")
    assert measured.cost_by_function("new.pathprof")["fill"] == 700


COMMANDS = (["report"], ["show"], ["functions"], ["html", "-o", "page.html"], ["export", "--format=csv"], ["tui"])


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_profiles_without_a_cost(recorded, make_profile, command):
    make_profile([{**loop("f"), "file": "f.c"}])
    for arguments in (["--cost", "prog.pathprof"], ["prog.pathprof", "--cost"], ["--cost=auto", "prog.pathprof"]):
        error = recorded(*command, *arguments, status=2).stderr
        assert error == f"pathprof: {command[0]}: --cost: no cost is stored with prog.pathprof; " \
            "measure it with 'pathprof record --cost -- PROG'\n"


def test_cost_of_another_build(measured):
    """It is refused; a new measurement leaves it with the profile of its build."""
    (measured.folder / "prog.c").write_text(PROGRAM.replace("i % 3", "i % 5 && n"))
    measured.project.compile("prog.c", "-O1", "-g")
    measured("record", "--", "./prog")
    error = measured("report", "--cost", "prog.pathprof", status=3).stderr.splitlines()[-1]  # after the note about the other profile
    assert error == "pathprof: prog.pathprof.cost does not match prog.pathprof: another build of prog was measured; " \
        "measure this build with 'pathprof record --cost -- PROG'"
    (older,) = [path for path in measured.folder.glob("prog.pathprof.*") if path.suffix not in (".cost", ".lock")]
    measured("record", "--cost", "--", "./prog")
    assert measured.cost_by_function()["fill"] == 700
    assert measured.cost_by_function(older.name)["fill"] == 700
    # A cost that another measurement left there is not overwritten.
    kept = (measured.folder / f"{older.name}.cost").read_bytes()
    shutil.copy(measured.folder / f"{older.name}.cost", measured.folder / "prog.pathprof.cost")
    measured("record", "--cost", "--", "./prog")
    assert (measured.folder / f"{older.name}.cost").read_bytes() == kept


def test_cost_of_another_program(measured, make_profile):
    make_profile({"program": "other", "modules": [{"name": "other"}], "functions": [{**loop("f"), "file": "f.c"}]}, "other.pathprof")
    shutil.copy(measured.folder / "prog.pathprof.cost", measured.folder / "other.pathprof.cost")
    assert_one_line(measured("report", "--cost", "other.pathprof", status=3).stderr,
                    "pathprof: other.pathprof.cost does not match other.pathprof: another program was measured (prog); measure")


@pytest.mark.parametrize("change, expected", [
    (lambda text: "", "parse error"),
    (lambda text: text[:-20], "parse error"),
    (lambda text: "[]", "type"),
    (lambda text: text.replace("pathprof-cost", "x"), "the format is not 'pathprof-cost'"),
    (lambda text: text.replace('"version":1', '"version":2'), "unknown version; expected 1"),
    (lambda text: text.replace('"tool"', '"took"'), "tool"),
    (lambda text: text.replace('"cost":700.0', '"cost":-1'), "negative cost"),
    (lambda text: text.replace('"cost":700.0', '"cost":"x"'), "type"),
    (lambda text: text.replace('[["fill","prog.c",23]]', "[]"), "cost without a position"),
    (lambda text: text.replace('"key":"', '"key":"x'), "invalid key"),
])
def test_invalid_files(measured, change, expected):
    file = measured.folder / "prog.pathprof.cost"
    text = file.read_text()
    assert change(text) != text
    file.write_text(change(text))
    error = measured("report", "--cost", "prog.pathprof", status=3).stderr
    assert_one_line(error, "pathprof: prog.pathprof.cost: not a stored cost: ")
    assert expected in error
    assert error.endswith("; measure it again with 'pathprof record --cost -- PROG'\n")
    measured("report", "prog.pathprof")
    measured("record", "--cost", "--", "./prog")  # replaces the file
    assert measured.cost_by_function()["fill"] == 700


def test_directory_instead_of_a_file(recorded):
    recorded.fake_valgrind()
    (recorded.folder / "prog.pathprof.cost").mkdir()
    error = recorded("record", "--cost", "--", "./prog", status=3).stderr
    assert "no cost was stored: " in error and "prog.pathprof.cost" in error
    assert_one_line(recorded("report", "--cost", "prog.pathprof", status=3).stderr, "pathprof: prog.pathprof.cost: ")


# ---- merging ----

def test_merge_adds_costs(measured):
    measured("record", "--cost", "-o", "b.pathprof", "--", "./prog", "9")
    for order in (["prog.pathprof", "b.pathprof"], ["b.pathprof", "prog.pathprof"]):
        assert measured("merge", "-w", "3,2" if order[0] == "prog.pathprof" else "2,3", "-o", "all.pathprof", *order).stderr == ""
        assert measured.cost_by_function("all.pathprof") == {"fill": 3500, "walk": 1500, "main": 0}
    both = measured.project.read("all.pathprof.cost")
    measured("merge", "-w", "3,2", "-o", "prog.pathprof", "prog.pathprof", "b.pathprof")  # the output is also an input
    assert measured.project.read("prog.pathprof.cost") == both


def test_merge_of_costs_that_do_not_add_up(measured):
    measured.fake_perf()
    measured("record", "--cost=perf", "-o", "p.pathprof", "--", "./prog", "9")
    measured("record", "-o", "n.pathprof", "--", "./prog", "9")
    shutil.copy(measured.folder / "prog.pathprof.cost", measured.folder / "all.pathprof.cost")
    for other, reason in (("p.pathprof", "prog.pathprof was measured in Ir by callgrind, but p.pathprof in cpu-clock by perf"),
                          ("n.pathprof", "n.pathprof has no stored cost")):
        error = measured("merge", "-o", "all.pathprof", "prog.pathprof", other).stderr
        assert error == f"pathprof: note: no cost is stored with all.pathprof: {reason}\n"
        assert not measured.project.exists("all.pathprof.cost")
    assert measured("merge", "-o", "all.pathprof", "n.pathprof", "n.pathprof").stderr == ""


# ---- reports ----

def test_rankings(measured):
    (measured.folder / "page.html").unlink(missing_ok=True)
    assert measured.json("functions", "--cost")["functions"][0]["name"] == "fill"
    assert measured.json("functions")["functions"][0]["name"] == "walk"
    assert measured.json("functions", "--cost", "--sort=cost", "prog.pathprof")["functions"][0]["share"] == 70
    shown = measured("show", "--cost", "prog.pathprof").stdout
    assert shown.index("fill (prog.c") < shown.index("walk (prog.c") and "70.00% of all Ir" in shown
    rows = measured("export", "--format=csv", "--cost", "prog.pathprof").stdout.splitlines()
    assert sum(int(row.rsplit(",", 1)[1]) for row in rows[1:]) == 1000
    data = json.loads(measured("export", "--cost", "prog.pathprof").stdout)
    jsonschema.validate(data, json.loads((ROOT / "doc/pathprof.schema.json").read_text()))
    assert data["cost"]["attributed"] == 1000
    text = measured("report", "--cost", "prog.pathprof").stdout
    assert "Ranked by Ir, measured by callgrind (prog.pathprof.cost); shares are relative to the total cost" in text
    # The command can follow the option.
    assert measured("--cost", "functions", "prog.pathprof").stdout == measured("functions", "--cost", "prog.pathprof").stdout


def test_page(measured):
    measured("html", "-o", "page.html", "--cost", "prog.pathprof")
    page = (measured.folder / "page.html").read_text()
    assert "Ranked by Ir, measured by callgrind" in page and "Measured cost of the paths in the row" in page
    measured("html", "-o", "plain.html", "prog.pathprof")
    first = {name: re.search(r"<section id=\"hot\".*?>(fill|walk)<", (measured.folder / f"{name}.html").read_text(), re.S).group(1)
             for name in ("page", "plain")}
    assert first == {"page": "fill", "plain": "walk"}
    error = measured("html", "-o", "page.html", "--cost", "--pass", "prog.pathprof", "--fail", "prog.pathprof", status=2).stderr
    assert "--pass and --fail cannot be combined with a profile, --baseline or --cost" in error


def test_tui(measured, tui):
    screen = tui("--cost", "prog.pathprof", columns=120)
    assert screen.shows("fill", "walk")
    lines = screen.lines()
    assert "the cost of all paths (Ir)" in lines[0]
    assert next(line for line in lines[1:] if "fill" in line or "walk" in line).split()[6] == "fill"


def test_differences(measured):
    """The counts are equal, costs differ; a change of the cost makes a path hotter."""
    measured.fake_valgrind(CALLGRIND.replace("23 700", "23 400").replace("12 300", "12 350"))
    measured("record", "--cost=callgrind", "-o", "b.pathprof", "--", "./prog")
    plain = measured.json("diff", "prog.pathprof", "b.pathprof")
    assert plain["paths"] == [] and "cost" not in plain["a"] and plain["a"]["statements_executed"] > 0
    found = measured.json("diff", "--cost", "prog.pathprof", "b.pathprof")
    changes = {}
    for path in found["paths"]:
        changes.setdefault((path["function"], path["kind"]), []).append(path["change"])
    assert {key: sum(values) for key, values in changes.items()} == {("fill", "colder"): -300, ("walk", "hotter"): pytest.approx(50, abs=2)}
    assert found["a"]["cost"]["attributed"] == 1000 and found["b"]["cost"]["attributed"] == 750
    text = measured("diff", "--cost", "prog.pathprof", "b.pathprof").stdout
    assert_mentions(text, "1000 Ir", "750 Ir", "Ranked by the change in cost (Ir, measured by callgrind)", "shares of the cost of all paths in A or B")
    assert "1000 Ir" in measured("diff", "--cost", "--markdown", "prog.pathprof", "b.pathprof").stdout


def test_differences_that_are_refused(measured):
    measured.fake_perf()
    measured("record", "--cost=perf", "-o", "b.pathprof", "--", "./prog")
    error = measured("diff", "--cost", "prog.pathprof", "b.pathprof", status=2).stderr
    assert "diff: --cost: A was measured in Ir by callgrind, but B in cpu-clock by perf; measure both with the same tool" in error
    assert "takes no value" in measured("diff", "--cost=tsc", "prog.pathprof", "b.pathprof", status=2).stderr
    assert "requires two profiles" in measured("diff", "--cost", "--pass", "b.pathprof", "--fail", "prog.pathprof", status=2).stderr


# ---- the sentence about statements ----

MEASURE = "Statements are not time; 'pathprof record --cost -- PROG' measures the cost"


@pytest.mark.parametrize("command", ["report", "show", "functions"])
def test_statements_are_not_time(measured, command):
    stored = f"Statements are not time; 'pathprof {command} --cost' ranks by the cost stored with the profile"
    assert measured(command, "prog.pathprof").stdout.splitlines()[-1] == stored
    assert "Statements are not" not in measured(command, "--cost", "prog.pathprof").stdout
    assert "Statements are not" not in measured(command, "--json", "prog.pathprof").stdout
    os.remove(measured.folder / "prog.pathprof.cost")
    text = measured(command, "prog.pathprof").stdout
    assert text.splitlines()[-1] == MEASURE and text.count("are not time") == 1


def test_statements_are_not_time_in_a_page(measured):
    for name, expected in (("a", "'pathprof html --cost' ranks by the cost stored with the profile"), ("b", "'pathprof record --cost -- PROG' measures the cost")):
        measured("html", "-o", "page.html", "prog.pathprof")
        assert f"Statements are not time; {expected}." in html.unescape((measured.folder / "page.html").read_text())
        if name == "a":
            os.remove(measured.folder / "prog.pathprof.cost")


@pytest.mark.parametrize("command", ["report", "show", "functions"])
def test_cycles_are_time(pathdump, make_profile, command):
    profile = make_profile([{**loop("f", cycles={"1": 1000, "3": 250, "5": 750}), "file": "f.c"}])
    assert "Statements are not" not in pathdump(command, profile).stdout
    assert "Statements are not" in pathdump(command, "--sort=statements", profile).stdout
