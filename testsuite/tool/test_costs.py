# SPDX-License-Identifier: GPL-3.0-or-later
"""--cost: what callgrind and perf measured, joined to paths.

costs/measure made words.callgrind and words.perf from words.c."""

import json
import pathlib
import re
import shutil

import jsonschema
import pytest

from conftest import loop

ROOT = pathlib.Path(__file__).resolve().parents[2]
COSTS = pathlib.Path(__file__).resolve().parent / "costs"
LOOP = [{**loop("f"), "file": "f.c"}]


@pytest.fixture
def words(project):
    """The profile of words.c."""
    shutil.copy(COSTS / "words.c", project.folder)
    return project.folder / project.profiled("words.c", "-O1", "-g", arguments=["20"])


def report(pathdump, cost, profile):
    return pathdump.json("report", "--json", "-n", "0", f"--cost={cost}", profile)


@pytest.mark.parametrize("tool", ["callgrind", "perf"])
def test_what_is_called_counts(pathdump, words, tool):
    """The loop around mblen has half of the statements, and nearly all of the cost."""
    by_statements = pathdump.json("report", "--json", words)
    assert by_statements["paths"][0]["share"] < 60 and "cost" not in by_statements["paths"][0]
    found = report(pathdump, f"{tool}:{COSTS}/words.{tool}", words)
    first = found["paths"][0]
    assert (first["function"], first["start"], first["end"], first["calls"]) == ("characters", "loop", "backedge", first["calls"])
    assert first["share"] > 80 and first["calls"][0] == "mblen"
    cost = found["cost"]
    assert cost["tool"] == tool and cost["attributed"] >= 0.95 * cost["instrumented"] > 0
    assert abs(sum(path["cost"] for path in found["paths"]) - cost["attributed"]) <= len(found["paths"])
    assert cost["instrumented"] + sum(rest["cost"] for rest in cost["outside"]) == pytest.approx(cost["total"], abs=3)
    assert "calls mblen" in pathdump("report", "-n", "1", f"--cost={tool}:{COSTS}/words.{tool}", words).stdout
    shown = pathdump("show", f"--cost={tool}:{COSTS}/words.{tool}", words).stdout
    assert re.search("[Pp]aths .*instrumented code", shown)


def test_static_functions_with_the_same_name(project):
    """The lowest bits of the address tell to which function a sample belongs, wherever the program was loaded."""
    for name, factor in ("a", 3), ("b", 7):
        project.write(f"{name}.c", f"static __attribute__((noinline)) int work(int n)\n{{\n  int sum = 0;\n  for (int i = 0; i < n; i++)\n"
                                   f"    sum += sum / {factor} + i;\n  return sum;\n}}\nint {name}(int n) {{ return work(n); }}\n")
    project.write("main.c", "int a(int), b(int);\nint main(void) { return (a(20) + b(20)) & 0; }\n")
    project.gcc("-O1", "-g", "a.c", "b.c", "main.c", "-o", "prog")
    project.run("./prog")
    starts = sorted(int(line.split()[0], 16) for line in project.run("nm", "prog").stdout.splitlines() if line.endswith(" t work"))
    assert len(starts) == 2 and (starts[1] - starts[0]) % 4096
    base = 0x555555554000
    frames = ((base + start + offset, offset, period) for start, period in zip(starts, (10, 90)) for offset in (4, 8))
    project.write("p", "".join(f"{period} cycles:u:\n\t{address:x} work+0x{offset:x} (prog)\n\n" for address, offset, period in frames))
    found = project.pathdump.json("report", "--json", "-n", "0", "--cost=perf:p", "prog.pathprof")
    by_file = {}
    for path in found["paths"]:
        by_file[path["file"]] = by_file.get(path["file"], 0) + path["cost"]
    assert by_file["a.c"] == pytest.approx(20, abs=2) and by_file["b.c"] == pytest.approx(180, abs=2)


CALLGRIND = """\
events: Ir
fl=(1) words.c
fn=(1) words
{costs}
"""


def test_split_by_hand(pathdump, words, tmp_path):
    """Line 30 of words (number++) is on one block: all its cost is that of paths through it, by their counts."""
    (tmp_path / "c").write_text(CALLGRIND.format(costs="30 900"))
    found = report(pathdump, "callgrind:c", words)
    plain = {path["id"]: path for path in pathdump.json("report", "--json", "-n", "0", words)["paths"]
             if path["function"] == "words"}
    costs = {path["id"]: path["cost"] for path in found["paths"] if path["cost"]}
    counts = {number: plain[number]["count"] for number in costs}
    assert sum(counts.values()) == 240  # 20 times 12 words
    assert all("29" in plain[number]["lines"] or "30" in plain[number]["lines"] for number in costs)
    for number, cost in costs.items():
        assert cost == pytest.approx(900 * counts[number] / 240, abs=1)


@pytest.mark.parametrize("symbol, name", [("__memset_avx2_unaligned_erms", "memset"),
                                          ("_dl_runtime_resolve_xsave", "the dynamic linker")])
def test_names_of_callees(pathdump, words, tmp_path, symbol, name):
    (tmp_path / "c").write_text(CALLGRIND.format(costs=f"30 50\ncfn=(2) {symbol}\ncalls=1 0\n30 400\n\nfn=(2)\n1 400\n"))
    text = pathdump("report", "--cost=callgrind:c", words).stdout
    assert name in text and symbol not in text


@pytest.mark.parametrize("symbol", ["part.part.0.isra.0", "part.part.0.cold", "part.part.0.constprop.1'2"])
def test_clones_of_parts_are_instrumented(pathdump, make_profile, tmp_path, symbol):
    """A clone of a part was taken for a library function, and its cost for a cost of its caller."""
    profile = make_profile([{**loop(name), "file": "f.c"} for name in ("caller", "part.part.0")])
    (tmp_path / "c").write_text(f"events: Ir\nfl=(1) f.c\nfn=(1) caller\n0 10\ncfn=(2) {symbol}\ncalls=1 0\n0 90\n\nfn=(2)\n0 90\n")
    found = pathdump.json("functions", "--json", "--cost=callgrind:c", profile)
    assert {function["name"]: round(function["share"]) for function in found["functions"]} == {"caller": 10, "part.part.0": 90}


@pytest.mark.parametrize("symbol", ["_ZN1A3hotEi", "A::hot", "A::hot(int)"])
def test_functions_of_cxx(pathdump, make_profile, tmp_path, symbol):
    """perf omits the parameters of a demangled name. Such a function was taken for one without instrumentation."""
    profile = make_profile([{**loop(name), "file": "f.c"} for name in ("main", "_ZN1A3hotEi")])
    (tmp_path / "p").write_text(f"    100 cpu-clock: \n\t 56 {symbol}+0x3 (prog)\n  f.c:15\n\t 22 main+0x3 (prog)\n  f.c:14\n\n"
                                "    300 cpu-clock: \n\t 22 main+0x3 (prog)\n  f.c:14\n\n")
    found = pathdump.json("functions", "--json", "--cost=perf:p", profile)
    assert {function["name"]: round(function["share"]) for function in found["functions"]} == {"main": 75, "_ZN1A3hotEi": 25}


@pytest.mark.parametrize("line, is_told", [(0, True), (14, False)])
def test_costs_without_lines(pathdump, make_profile, tmp_path, line, is_told):
    profile = make_profile([{**loop("f"), "file": "f.c"}])
    (tmp_path / "c").write_text(f"events: Ir\nfl=(1) f.c\nfn=(1) f\n{line} 10\n")
    assert ("compiled without -g" in pathdump("report", "--cost=callgrind:c", profile).stdout) == is_told


def test_calls_of_others_are_inclusive(pathdump, words, tmp_path):
    """foreign costs 100 itself, and 300 in main that it calls back: the call costs a quarter of 400."""
    (tmp_path / "c").write_text(CALLGRIND.format(costs="30 50\ncfn=(2) foreign\ncalls=1 0\n30 400\n\nfn=(2)\n1 100\n"
                                                       "cfn=(3) main\ncalls=1 0\n+1 300\n\nfn=(3)\n42 300"))
    found = report(pathdump, "callgrind:c", words)
    sums = {}
    for path in found["paths"]:
        sums[path["function"]] = sums.get(path["function"], 0) + path["cost"]
    assert sums["words"] == pytest.approx(150, abs=2) and sums["main"] == pytest.approx(300, abs=2)
    assert found["cost"]["total"] == found["cost"]["attributed"] == 450


def test_chains_and_periods(pathdump, words, tmp_path):
    (tmp_path / "p").write_text("a 1 2.5: 300 cycles:u:\n\t  12 deep+0x1 (libc.so)\n\t 34 mblen+0x2 (libc.so)\n"
                                "\t 56 characters+0x3 (words)\n  words.c:13\n\n"
                                "a 1 2.6: 100 cycles:u:\n\t 12 deep+0x1 (libc.so)\n\n"
                                "a 1 2.7: 100 cycles:u:\n\t 12 pathrt_dump+0x1 (words)\n")
    found = report(pathdump, "perf:p", words)
    assert found["ranked_by"] == "cycles:u" and found["paths"][0]["calls"] == ["mblen"]
    assert (found["cost"]["total"], found["cost"]["attributed"]) == (500, 300)
    assert sorted(rest["cost"] for rest in found["cost"]["outside"]) == [100, 100]


def test_addresses(pathdump, words, tmp_path):
    """Without lines in the text, the binary's own say where a symbol's beginning is."""
    (tmp_path / "p").write_text(f"  1139 words+0x0 ({tmp_path}/words)\n  1139 characters+0x0 ({tmp_path}/words)\n")
    found = report(pathdump, "perf:p", words)
    assert found["cost"]["attributed"] == 2 and not found["cost"]["not_attributed"]
    (tmp_path / "p").write_text("  1139 words+0x0 (/nowhere/words)\n")
    error = pathdump("report", "--cost=perf:p", words, status=3).stderr
    assert error.count("\n") == 1 and "/nowhere/words" in error


@pytest.mark.parametrize("cost, text, status, expected", [
    ("callgrind:c", None, 3, "c: cannot be read"),
    ("callgrind:c", "rubbish\n", 3, "c:1: 'rubbish'"),
    ("callgrind:c", "", 3, "missing 'events:' line"),
    ("callgrind:c", "events: Ir\nfn=(7)\n1 1\n", 3, "c:2: (7) has not been defined"),
    ("callgrind:c", "events: Ir\nfn=(1) f\nx 1\n", 3, "c:3: 'x' is not a position"),
    ("callgrind:c", "events: Ir\nfn=(1) f\n1 -3\n", 3, "c:3: '-3' is not a cost"),
    ("callgrind:c", "events: Ir\nfn=(1) f\ncalls=1 0\n", 3, "missing costs after"),
    ("perf:c", "PERFILE2\n", 3, "perf.data is not text"),
    ("perf:c", "hello world\n", 3, "c:1: 'hello world'"),
    ("perf:c", "", 3, "missing samples"),
    ("tsc", None, 2, "has no cycles"),
    ("time", None, 2, "accepted: callgrind:FILE, perf:FILE, tsc"),
])
def test_bad_input_gets_one_line(pathdump, make_profile, tmp_path, cost, text, status, expected):
    if text is not None:
        (tmp_path / "c").write_text(text)
    error = pathdump("report", f"--cost={cost}", make_profile(LOOP), status=status).stderr
    assert error.count("\n") == 1 and expected in error


PERF_COMMANDS = "'PATHPROF_MODE=off perf record --call-graph dwarf PROGRAM' and then " \
    "'perf script --no-inline --no-demangle -F ip,sym,symoff,dso > FILE'"
CALLGRIND_COMMAND = "'PATHPROF_MODE=off valgrind --tool=callgrind --callgrind-out-file=FILE PROGRAM'"


@pytest.mark.parametrize("tool, text, expected", (
    ("perf", "      words  471  12.3456:  250000 cpu-clock:ppp:   7ff8aa60 mblen+0x8 (/usr/lib/libc.so.6)\n"
             "      words  471  12.3457:  250000 cpu-clock:ppp:   55d1c000 characters+0x3e (/usr/bin/words)\n", "missing call chains"),
    ("perf", "words  471 [001] 12.3456:  cycles:u:  55d1c000 characters (/usr/bin/words)\n", "missing call chains"),
    ("perf", "words  471  12.3456:  250000 cycles:u:\n\t55d1c0 characters (/usr/bin/words)\n\n", "missing function offsets"),
    ("perf", "  12 nothing+0x4 (/usr/bin/other)\n", "no cost"),
    ("callgrind", "events: Ir\nfl=(1) other.c\nfn=(1) other\n3 100\n", "no cost"),
    ("callgrind", "events: Ir\n", "missing costs"),
))
@pytest.mark.parametrize("command", (["report"], ["show"], ["export", "--format=csv"]), ids=" ".join)
def test_costs_of_no_path(pathdump, words, tmp_path, tool, text, expected, command):
    """Regression 11: a file that says nothing about the paths is refused, with the commands that make a better one."""
    (tmp_path / "c").write_text(text)
    error = pathdump(*command, f"--cost={tool}:c", words, status=3).stderr
    assert error.count("\n") == 1 and expected in error
    assert (PERF_COMMANDS if tool == "perf" else CALLGRIND_COMMAND) in error


def test_interrupts_are_not_calls(pathdump, words, tmp_path):
    """Regression 11: an interrupt's cost is outside of the program; a page fault's is that of its line."""
    def sample(*kernel):
        return "".join(f"\tffff12 {name}+0x1 ([kernel.kallsyms])\n" for name in kernel) + \
            "\t 56 characters+0x3 (words)\n  words.c:13\n\n"

    (tmp_path / "p").write_text(
        "".join(f"a 1 2.5: 100 cycles:\n{stack}" for stack in (
            sample("tick_sched_timer", "sysvec_apic_timer_interrupt", "asm_sysvec_apic_timer_interrupt"),
            sample("handle_irq", "asm_common_interrupt"), sample("gic_handle_irq", "el0t_64_irq_handler", "el0t_64_irq"),
            sample("handle_mm_fault", "exc_page_fault", "asm_exc_page_fault"),
            sample("vfs_write", "do_syscall_64", "entry_SYSCALL_64_after_hwframe"))))
    found = report(pathdump, "perf:p", words)
    assert found["cost"]["outside"] == [{"reason": "in interrupts", "cost": 300}]
    assert found["cost"]["attributed"] == 200
    assert found["paths"][0]["calls"] == ["entry_SYSCALL_64_after_hwframe"]


def test_csv_has_a_column(pathdump, words):
    rows = pathdump("export", "--format=csv", f"--cost=callgrind:{COSTS}/words.callgrind", words).stdout.splitlines()
    found = report(pathdump, f"callgrind:{COSTS}/words.callgrind", words)
    assert rows[0].endswith(",lines,decisions,cost")
    assert sorted(int(row.rsplit(",", 1)[1]) for row in rows[1:]) == sorted(path["cost"] for path in found["paths"])
    error = pathdump("export", "--format=lcov", f"--cost=callgrind:{COSTS}/words.callgrind", words, status=2).stderr
    assert "--format=csv or --format=json" in error


def test_json_has_costs(pathdump, words):
    cost = f"--cost=callgrind:{COSTS}/words.callgrind"
    data = pathdump.json("export", "--format=json", cost, words)
    found = report(pathdump, cost.partition("=")[2], words)
    jsonschema.validate(data, json.loads((ROOT / "doc/pathprof.schema.json").read_text()))
    assert data["cost"] == found["cost"]
    assert sorted(path["cost"] for function in data["functions"] for path in function["paths"]) == \
        sorted(path["cost"] for path in found["paths"])
    plain = pathdump.json("export", "--format=json", words)
    assert "cost" not in plain and "cost" not in plain["functions"][0]["paths"][0]


def test_options_that_do_not_go_together(pathdump, make_profile):
    error = pathdump("report", "--cost=tsc", "--sort=statements", make_profile([{**loop("f", cycles={"1": 1000, "3": 250, "5": 750}), "file": "f.c"}]), status=2).stderr
    assert "--cost" in error and "--sort" in error
