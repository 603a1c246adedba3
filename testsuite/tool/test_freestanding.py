# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs without an operating system (target=freestanding): instrumentation, runtime and imported dumps."""

import os
import pathlib
import re
import shutil
import struct

import pytest

from conftest import BIN, BUILD, MODES, assert_mentions, assert_one_line, need, plugin, the_error

ROOT = pathlib.Path(__file__).resolve().parents[2]

APP = """\
volatile int sink;

__attribute__ ((noinline)) int
classify (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    {
      if (i % 3 == 0 && n > 4)
        sum += i;
      else if (i & 1)
        sum ^= i;
      switch (i & 7)
        {
        case 1: sum++; break;
        case 5: sum += 2; break;
        default: break;
        }
    }
  return sum;
}

__attribute__ ((noinline)) int
decide (int a, int b, int c)
{
  if ((a && b) || c)
    return classify (b) + 1;
  return 0;
}

int
app (void)
{
  for (int i = 0; i < 10; i++)
    sink += classify (i * 3) + decide (i & 1, i & 2, i == 7);
  return 0;
}
"""

HOST = """\
int app (void);
int main (void) { return app (); }
"""

# Writes to standard output and exits with system calls of x86-64 or i386.
START = """\
#include <pathrt_freestanding.h>

static long
call (long number, long a, long b, long c)
{
  long result;
#ifdef __x86_64__
  __asm__ volatile ("syscall" : "=a" (result) : "0" (number), "D" (a), "S" (b), "d" (c) : "rcx", "r11", "memory");
#else
  __asm__ volatile ("int $0x80" : "=a" (result) : "0" (number), "b" (a), "c" (b), "d" (c) : "memory");
#endif
  return result;
}

__attribute__ ((used)) void
put (const void *data, size_t size)
{
#ifdef __x86_64__
  call (1, 1, (long) data, (long) size);
#else
  call (4, 1, (long) data, (long) size);
#endif
}

void
leave (void)
{
#ifdef __x86_64__
  call (60, 0, 0, 0);
#else
  call (1, 0, 0, 0);
#endif
  for (;;)
    ;
}
"""

ENTRY = """\
#include <pathrt_freestanding.h>
int app (void);
void put (const void *data, size_t size);
void leave (void);

__attribute__ ((force_align_arg_pointer)) void
_start (void)
{
  pathrt_clear ();
  app ();
  pathrt_write (put);
  leave ();
}
"""

FREESTANDING = ("-ffreestanding", "-nostdlib", "-static", "-fno-stack-protector", "-fno-pie", "-no-pie")


def freestanding(project, *arguments, options=("-O1", "-g"), name="board", app=APP, entry=ENTRY, more=()):
    """Compiles a freestanding program."""
    project.write("app.c", app)
    project.write("start.c", START)
    project.write("entry.c", entry)
    machine = [option for option in options if option == "-m32"]
    project.run("gcc", *machine, "-O1", *FREESTANDING, f"-I{BUILD}/include", "-c", "start.c")
    runtime = ["-lpathrt-freestanding"]
    if machine:
        project.run("gcc", *machine, "-Os", *FREESTANDING, f"-I{ROOT}", "-c", ROOT / "libpathrt/freestanding/freestanding.c")
        runtime = ["freestanding.o"]
    project.gcc(*plugin("target=freestanding", *arguments), *FREESTANDING, *options, "app.c", "entry.c", "start.o", *runtime,
                "-o", name, *more)
    return name


def stream_of(project, name="board"):
    """Runs the program and returns the name of the file with its output."""
    done = project.run("sh", "-c", f"./{name} > {name}.stream")
    assert done.stderr == ""
    return f"{name}.stream"


def imported(project, *dumps, name="board", options=(), output="board.pathprof"):
    done = project.pathdump("import", name, *dumps, *options, "-o", output)
    assert done.stdout == ""
    return output


def counts(project, name):
    """Returns the counts of all paths of the functions in APP, by function and path ID."""
    functions = project.functions_by_name(name)
    return {function: {path["id"]: path["count"] for path in functions[function]["paths"]} for function in ("classify", "decide")}


def hosted_counts(project, *arguments, options=("-O1", "-g")):
    project.write("app.c", APP)
    project.write("host.c", HOST)
    project.gcc(*plugin(*arguments), *options, "app.c", "host.c", "-o", "host")
    project.run("./host")
    return counts(project, "host.pathprof")


@pytest.fixture
def board(project):
    """A project with a freestanding program, board, that was executed; its output is in board.stream."""
    freestanding(project, "stage=source")
    stream_of(project)
    return project


# ---- counts ----

@pytest.mark.parametrize("level", ["-O0", "-O2", "-Os"])
@pytest.mark.parametrize("stage", ["source", "early", "late"])
@pytest.mark.parametrize("counters", ["64", "32", "bit"])
def test_counts_are_those_of_a_hosted_program(project, counters, stage, level):
    freestanding(project, f"stage={stage}", f"counters={counters}", options=(level, "-g"))
    found = counts(project, imported(project, stream_of(project)))
    expected = hosted_counts(project, f"stage={stage}", "termination=basic", "paths-max=100", options=(level, "-g"))
    if counters == "bit":
        expected = {name: {path: 1 for path in paths} for name, paths in expected.items()}
    assert found == expected and len(found["classify"]) > 3


@pytest.mark.parametrize("mode, counters", [("kiter", "64"), ("kiter", "32"), ("intracontext", "32"), ("intracontext", "bit")])
def test_modes(project, mode, counters):
    arguments = (f"mode={mode}", "stage=early", "paths-max=100")
    freestanding(project, *arguments, f"counters={counters}", options=("-O2", "-g"))
    found = counts(project, imported(project, stream_of(project)))
    expected = hosted_counts(project, *arguments, options=("-O2", "-g"))
    if counters == "bit":
        expected = {name: {path: 1 for path in paths} for name, paths in expected.items()}
    assert found == expected


@pytest.mark.parametrize("counters", ["64", "32", "bit"])
def test_pointers_of_32_bits(project, counters):
    freestanding(project, "stage=source", f"counters={counters}", options=("-m32", "-O1", "-g"))
    found = counts(project, imported(project, stream_of(project)))
    expected = hosted_counts(project, "stage=source", "termination=basic", "paths-max=100")
    if counters == "bit":
        expected = {name: {path: 1 for path in paths} for name, paths in expected.items()}
    assert found == expected


@pytest.mark.parametrize("more", [("-flto",), ("-Wl,--gc-sections", "-ffunction-sections", "-fdata-sections")], ids=["lto", "gc"])
def test_linker_options(project, more):
    freestanding(project, "stage=source", more=more)
    found = counts(project, imported(project, stream_of(project)))
    assert found == hosted_counts(project, "stage=source", "termination=basic", "paths-max=100")


def without_counts(found):
    """Returns a copy of a JSON value in which each number that is not 0 is 1."""
    if isinstance(found, dict):
        return {key: without_counts(value) for key, value in found.items()}
    if isinstance(found, list):
        return [without_counts(value) for value in found]
    return min(found, 1) if isinstance(found, int) else found


@pytest.mark.parametrize("counters", ["64", "32", "bit"])
def test_conditions_are_those_of_a_hosted_program(project, counters):
    freestanding(project, "conditions=1", f"counters={counters}", options=("-O2", "-g"))
    imported(project, stream_of(project))
    hosted_counts(project, "conditions=1", options=("-O2", "-g"))
    select = ("--conditions", "--json", "--function", "classify", "--function", "decide")
    found, expected = (project.pathdump.json("coverage", *select, name)["functions"] for name in ("board.pathprof", "host.pathprof"))
    if counters == "bit":
        found, expected = without_counts(found), without_counts(expected)
    assert found == expected and "decide" in str(found)


def test_atomic_counters(project):
    freestanding(project, "stage=source", "update=atomic", "counters=64")
    assert "lock" in project.run("objdump", "-d", "board").stdout
    assert counts(project, imported(project, stream_of(project))) == hosted_counts(
        project, "stage=source", "termination=basic", "paths-max=100")


# The counters are set to the second largest value before the paths are executed.
@pytest.mark.parametrize("options", [("-O0",), ("-O2",)], ids=["O0", "O2"])
def test_counters_saturate(project, options):
    entry = ENTRY.replace("  pathrt_clear ();\n", """\
  extern unsigned __start_pathprof_counters[], __stop_pathprof_counters[];
  for (unsigned *counter = __start_pathprof_counters; counter != __stop_pathprof_counters; counter++)
    *counter = 0xfffffffe;
""")
    freestanding(project, "stage=source", "counters=32", entry=entry, options=(*options, "-g"))
    done = project.pathdump("import", "board", stream_of(project), "-o", "board.pathprof")
    assert_one_line(done.stderr, "pathdump: note: ", "4294967295")
    expected = hosted_counts(project, "stage=source", "termination=basic", "paths-max=100", options=(*options, "-g"))
    found = counts(project, "board.pathprof")
    for function, paths in expected.items():
        for path, count in paths.items():
            assert found[function][path] == 0xffffffff
    assert 0xfffffffe in found["classify"].values()  # of the paths that were not executed
    assert_mentions(project.pathdump("check", "board.pathprof").stdout, "saturated")


def test_coverage_only_is_not_checked_for_flow(project):
    freestanding(project, "stage=source", "counters=bit")
    imported(project, stream_of(project))
    assert_mentions(project.pathdump("check", "board.pathprof").stdout, "classify", "counters=bit")


def test_the_example(project):
    """The commands of doc/embedded.md."""
    shutil.copytree(ROOT / "examples/embedded", project.folder, dirs_exist_ok=True)
    page = (ROOT / "doc/embedded.md").read_text()
    example = re.sub(r"\\\n +", "", page[page.index("$ cd examples/embedded"):page.index("    ...")])
    commands = re.findall(r"^    \$ (.*)", example, re.MULTILINE)
    path = {"PATH": f"{BIN}:{os.environ['PATH']}"}
    *_, report = (project.run("sh", "-c", command, env=path).stdout for command in commands)
    rows = re.findall(r"^     ?(\S.* (?:scheduler|valve)\.c:\d+)$", page, re.MULTILINE)
    assert len(rows) == 5 and set(rows) <= {row.strip() for row in report.splitlines()}


# ---- truncated paths ----

# `halt` never returns, but is not declared in this way.
TRUNCATED = """\
#include <pathrt_freestanding.h>
void put (const void *data, size_t size);
void leave (void);
volatile int sink, zero;

__attribute__ ((noinline, noclone)) int
halt (int n)
{
  if (n)                    // executed
    pathrt_write (put);     // executed
  if (n)
    leave ();
  return n;                 // executed
}

__attribute__ ((noinline)) int
middle (int a, int b)
{
  if (a && halt (b))        // executed
    sink = 1;               // not executed
  else
    sink = 2;               // executed
  sink += 3;                // executed
  return halt (a);          // executed
}

int
app (void)
{
  middle (zero, 1);
  middle (1, zero + 1);
  sink = 4;                 // not executed
  return 0;                 // not executed
}
"""


def executed_lines(project):
    """Returns the lines of app.c that are reported as executed."""
    tracefile = project.pathdump("export", "--format=lcov", "board.pathprof").stdout
    record = tracefile[tracefile.index("app.c"):].partition("end_of_record")[0]
    return {int(line) for line, count in re.findall(r"^DA:(\d+),(\d+)", record, re.MULTILINE) if count != "0"}


@pytest.mark.parametrize("level", ["-O0", "-O2", "-Os"])
@pytest.mark.parametrize("arguments", [("stage=source",), ("conditions=1",)], ids=["source", "conditions"])
@pytest.mark.parametrize("counters", ["64", "bit"])
def test_code_after_a_call_that_does_not_return_is_not_covered(project, counters, arguments, level):
    freestanding(project, *arguments, f"counters={counters}", app=TRUNCATED, options=(level, "-g"))
    imported(project, stream_of(project))
    marked = {number: text for number, text in enumerate(TRUNCATED.splitlines(), 1) if "executed" in text}
    assert executed_lines(project) & set(marked) == {
        number for number, text in marked.items() if "not executed" not in text}


# Without special treatment, the path in `last` would be counted before the call, because it is determined there.
DETERMINED = TRUNCATED[:TRUNCATED.index("__attribute__ ((noinline)) int")] + """\
__attribute__ ((noinline)) void
last (int a)
{
  if (a)
    sink = 1;
  else
    sink = 2;
  sink += 3;
  halt (1);
  sink = 8;                 // not executed
}

int
app (void)
{
  last (zero);
  sink = 4;                 // not executed
  return 0;
}
"""


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("stage", ["source", "early", "late"])
def test_a_path_is_not_counted_before_its_last_call(project, stage, level):
    freestanding(project, f"stage={stage}", app=DETERMINED, options=(level, "-g"))
    imported(project, stream_of(project))
    lines = executed_lines(project)
    assert not lines & {number for number, text in enumerate(DETERMINED.splitlines(), 1) if "not executed" in text}


def test_the_path_to_pathrt_write_is_counted(board):
    imported(board, "board.stream")
    functions = board.functions_by_name("board.pathprof")
    assert [path["count"] for path in functions["_start"]["paths"]] == [1]


def test_interrupt_handlers_are_instrumented(project):
    app = APP + """\
struct frame;
__attribute__ ((interrupt)) void
handler (struct frame *frame)
{
  sink = frame != 0;
}
"""
    freestanding(project, "stage=source", app=app, options=("-O1", "-g", "-mgeneral-regs-only"))
    imported(project, stream_of(project))
    assert project.functions_by_name("board.pathprof")["handler"]["storage"] == "array"


def test_functions_with_many_paths(project):
    statements = "".join(f"  if (n & {1 << i}) sink += {i};\n" for i in range(12))
    app = APP + f"__attribute__ ((noinline)) void many (int n)\n{{\n{statements}}}\n"
    freestanding(project, "stage=source", app=app.replace("return 0;\n}\n__attr", "many (77);\n  return 0;\n}\n__attr"))
    imported(project, stream_of(project))
    many = project.functions_by_name("board.pathprof")["many"]
    assert many["storage"] == "array" and int(many["num_paths"]) <= 100


# The switch is followed by a truncation point, because the function has more paths than the limit.
CHOICE = DETERMINED[:DETERMINED.index("__attribute__ ((noinline)) void")] + """\
__attribute__ ((noinline)) void
choose (int n)
{
  if (n & 1) sink++;
  if (n & 2) sink++;
  if (n & 4) sink++;
  if (n & 8) sink++;
  switch (n >> 4 & 7)
    {
    case 0: sink += 10; if (n == 1) halt (1); break;
    case 1: sink += 20; break;
    case 2: sink += 30; break;
    case 3: sink += 40; break;
    }
  if (n & 16) sink++;
  if (n & 32) sink++;
  if (n & 64) sink++;
  if (n & 128) sink++;
}

int
app (void)
{
  CALLS
  return 0;
}
"""


def untaken(project):
    """Returns the outcomes of the switch in CHOICE that are reported as untaken."""
    line = CHOICE[:CHOICE.index("switch")].count("\n") + 1
    text = project.pathdump("coverage", "--branches", "board.pathprof").stdout
    return set(re.findall(rf"app\.c:{line}\S* +(case \d|default)", text))


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("limit", [8, 20, 30, 100])
@pytest.mark.parametrize("counters", ["64", "32", "bit"])
def test_outcomes_before_truncation_points(project, counters, limit, level):
    """A lost path after the switch must not make another outcome look as if it had been taken."""
    for calls, taken in (("choose (0x15); choose (0x2f); choose (1);", "012"),
                         ("for (int i = 0; i < 256; i++) if (i != 1) choose (i & ~64 & ~16);", "02")):
        freestanding(project, "stage=source", f"counters={counters}", f"paths-max={limit}", app=CHOICE.replace("CALLS", calls),
                     options=(level, "-g"))
        imported(project, stream_of(project))
        assert untaken(project) >= {"default", *(f"case {case}" for case in "0123" if case not in taken)}


def test_functions_with_more_paths_than_truncation_points_can_prevent(project):
    """No function is left out, whatever paths-max is."""
    cases = "".join(f"    case {i}: sink += {i}; break;\n" for i in range(300))
    app = f"volatile int sink;\nint app (void)\n{{\n  switch (sink)\n    {{\n{cases}    }}\n  return 0;\n}}\n"
    freestanding(project, "stage=source", app=app)
    imported(project, stream_of(project))
    function = project.functions_by_name("board.pathprof")["app"]
    assert function["storage"] == "array" and int(function["num_paths"]) > 300
    assert [path["count"] for path in function["paths"]] == [1]


def test_reports_of_coverage_only(project):
    freestanding(project, "counters=bit")
    imported(project, stream_of(project))
    assert "a count is 1 if the path was executed, however often (counters=bit)" in project.pathdump("report", "board.pathprof").stdout


# ---- the program ----

def test_notes_are_not_loaded(board):
    sections = board.run("readelf", "-SW", "board").stdout
    (notes,) = re.findall(r" \.pathprof_notes +PROGBITS +0+ \w+ \w+ \w+ +(\w*) ", sections)
    assert "A" not in notes
    (records,) = re.findall(r" pathprof_freestanding +PROGBITS +\w+ \w+ (\w+) \w+ +(\w+) ", sections)
    assert int(records[0], 16) == 2 * 48 and "W" not in records[1]
    assert not re.search(r" U .*__pathr", board.run("nm", "-u", "board").stdout)


def test_the_runtime_is_small(project):
    size = project.run("size", "-A", BUILD / "lib/pathprof/libpathrt-freestanding.a").stdout
    sizes = {name: int(number) for name, number in re.findall(r"^(\.\S+) +(\d+)", size, re.MULTILINE)}
    assert sum(n for name, n in sizes.items() if name.startswith(".text")) <= 200
    assert sum(n for name, n in sizes.items() if name.startswith((".data", ".bss"))) == 0


# The runtime reads the counters as words.
@pytest.mark.parametrize("stage", ["source", "early", "late"])
def test_unused_counters_fill_the_last_word(project, stage):
    for paths in range(1, 5):
        tests = "".join(f"if (n == {7 * i * i}) {{ sink = n; return; }} " for i in range(1, paths))
        project.write("app.c", f"volatile int sink; void f (int n) {{ {tests}}}\nvoid g (void) {{}}")
        project.gcc(*plugin("target=freestanding", "counters=bit", f"stage={stage}"), "-O1", "-c", "app.c")
        sections = project.run("readelf", "-SW", "app.o").stdout
        (size,) = re.findall(r" pathprof_counters +NOBITS +\w+ \w+ (\w+) ", sections)
        assert int(size, 16) == (paths + 1 + 3) // 4 * 4


def test_counters_of_one_byte_and_four_bytes(project):
    def size(counters):
        freestanding(project, "stage=source", f"counters={counters}")
        return int(re.search(r"(\d+) bytes", project.pathdump("import", "board").stdout)[1])

    assert size("64") == 2 * size("32") and size("64") <= 8 * size("bit") <= size("64") + 2 * 8 * 3


# ---- rejected arguments ----

@pytest.mark.parametrize("argument", [*(f"mode={mode}" for mode in MODES if mode not in ("acyclic", "kiter", "intracontext")),
                                      "update=thread", "termination=exact", "metric=tsc", "switch=1", "values=1", "array-max=10"])
def test_arguments_that_need_the_runtime(simple, argument):
    error = the_error(simple, argument, *plugin("target=freestanding", *["interesting=annotated"] * ("pref" in argument)))
    assert_mentions(error, f"'{argument}'", "freestanding", "use")


@pytest.mark.parametrize("argument, more, named", [
    ("counters=32", [], ["target=freestanding"]),
    ("counters=bit", ["target=hosted"], ["target=freestanding"]),
    ("counters=16", ["target=freestanding"], ["64", "32", "bit"]),
    ("target=board", [], ["hosted", "freestanding"]),
    ("update=atomic", ["target=freestanding"], ["counters=64"]),
    ("update=atomic", ["target=freestanding", "counters=bit"], ["counters=64"]),
    ("counters=bit", ["target=freestanding", "mode=kiter"], ["mode=kiter", "counters=32"]),
])
def test_wrong_combinations(simple, argument, more, named):
    assert_mentions(the_error(simple, argument, *plugin(*more)), *named)


@pytest.mark.parametrize("line", ["f update=thread", "f mode=kipf", "* array-max=3"])
def test_wrong_scheme_file(simple, line):
    simple.write("scheme", line + "\n")
    assert_mentions(the_error(simple, "target=freestanding", *plugin("scheme=scheme")), "scheme:1", line.split()[1], "freestanding")


# ---- dumps ----

def symbol(project, name, program="board"):
    return int(re.search(rf"^(\w+) \w {name}$", project.run("nm", program).stdout, re.MULTILINE)[1], 16)


def stream(project, name="board"):
    """Returns the records and the counters in the stream of a program."""
    data = project.read(f"{name}.stream")
    assert data[:8] == b"\x89PATHFS\n"
    size = symbol(project, "__stop_pathprof_freestanding", name) - symbol(project, "__start_pathprof_freestanding", name)
    return data[8:8 + size], data[8 + size:-4]


def address_of_counters(project):
    return int(re.search(r"0x(\w+)", project.pathdump("import", "board").stdout)[1], 16)


def write(project, name, data):
    (project.folder / name).write_bytes(data)
    return name


def test_noise_around_streams(board):
    data = board.read("board.stream")
    write(board, "log", b"boot\r\n" + data + b"second run\r\n" + data + b"done\r\n")
    once = counts(board, imported(board, "board.stream"))
    twice = {name: {path: 2 * count for path, count in paths.items()} for name, paths in once.items()}
    assert counts(board, imported(board, "log")) == twice
    assert counts(board, imported(board, "board.stream", "board.stream")) == twice
    assert board.profile("board.pathprof")["runs"] == 2


def test_interrupted_stream(board):
    data = board.read("board.stream")
    once = counts(board, imported(board, "board.stream"))
    for size in (8, 20, len(data) // 2):
        write(board, "log", data[:size] + b"reset" + data)
        done = board.pathdump("import", "board", "log", "-o", "board.pathprof")
        assert_one_line(done.stderr, "pathdump: warning: log: offset 0", "interrupted")
        assert counts(board, "board.pathprof") == once and board.profile("board.pathprof")["runs"] == 1


@pytest.mark.parametrize("kind", ["memory", "address", "symbol", "ihex", "srec", "records"])
def test_memory_dumps(board, kind):
    once = counts(board, imported(board, "board.stream"))
    records, counters = stream(board)
    address, options = address_of_counters(board), ()
    dump = write(board, "memory", counters)
    if kind == "address":
        dump, options = write(board, "memory", b"?" * 24 + counters + b"?"), ("--address", hex(address - 24))
    elif kind == "symbol":
        at = symbol(board, "sink")
        assert at < address
        dump, options = write(board, "memory", bytes(address - at) + counters), ("--address", "sink")
    elif kind in ("ihex", "srec"):
        board.run("objcopy", "-I", "binary", "-O", kind, f"--change-addresses={address}", "memory", "text")
        dump = "text"
    elif kind == "records":
        at = symbol(board, "__start_pathprof_freestanding")
        dump = write(board, "memory", records + bytes(address - at - len(records)) + counters)
        options = ("--address", str(at))
    assert counts(board, imported(board, dump, options=options)) == once


def test_memory_dump_of_a_debugger(board):
    once = counts(board, imported(board, "board.stream"))
    start, end = re.findall(r"0x\w+", board.pathdump("import", "board").stdout)
    for command, name in (("binary", "memory.bin"), ("ihex", "memory.hex"), ("srec", "memory.srec")):
        board.run(need("gdb"), "-batch", "-ex", "break leave", "-ex", "run > /dev/null",
                  "-ex", f"dump {command} memory {name} {start} {end}", "./board")
        assert counts(board, imported(board, name)) == once


def fails(project, *arguments, status=3):
    done = project.pathdump("import", *arguments, "-o", "out.pathprof", status=status)
    assert done.stdout == "" and not project.exists("out.pathprof")
    assert done.stderr.startswith("pathdump: ") and done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def test_other_program_and_other_build(board):
    freestanding(board, "stage=source", name="build", app=APP.replace("n > 4", "n > 5 || n == 1"))
    assert_mentions(fails(board, "build", "board.stream"), "board.stream", "another build", "build")
    freestanding(board, "stage=early", name="other", app="int app (void) { return 1; }\n")
    assert_mentions(fails(board, "other", "board.stream"), "another program")
    records, counters = stream(board)
    at = symbol(board, "__start_pathprof_freestanding")
    memory = bytearray(records + bytes(address_of_counters(board) - at - len(records)) + counters)
    memory[8] ^= 1
    write(board, "memory", memory)
    assert_mentions(fails(board, "board", "memory", "--address", hex(at)), "memory", "another build")


def test_truncated_streams(board):
    data = board.read("board.stream")
    for size in (8, 9, 20, len(data) // 2, len(data) - 4, len(data) - 1):
        assert_mentions(fails(board, "board", write(board, "part", data[:size])), "part", size, len(data))


def test_damaged_streams(board):
    data = board.read("board.stream")
    records, counters = stream(board)
    for at in range(8, len(data), 7):
        damaged = bytearray(data)
        damaged[at] ^= 16
        error = fails(board, "board", write(board, "damaged", damaged))
        assert_mentions(error, "damaged", "another build" if at < 8 + len(records) else "checksum")


@pytest.mark.parametrize("change", [lambda data: data.replace(b"\n", b"\r\n"), lambda data: bytes(byte & 127 for byte in data)],
                         ids=["newlines", "seven bits"])
def test_stream_transferred_as_text(board, change):
    assert_mentions(fails(board, "board", write(board, "text", change(board.read("board.stream")))), "text", "binary")


def test_incomplete_memory_dumps(board):
    counters = stream(board)[1]
    address = address_of_counters(board)
    error = fails(board, "board", write(board, "memory", counters[:-1]))
    assert_mentions(error, f"{len(counters) - 1} bytes", f"{len(counters)} bytes", hex(address), "--address")
    assert_mentions(fails(board, "board", write(board, "memory", b"")), "memory")
    for start, data in ((address + 1, counters), (address, counters[:-1]), (0, counters)):
        error = fails(board, "board", write(board, "memory", data), "--address", str(start))
        assert_mentions(error, "memory", hex(address))
    assert_mentions(fails(board, "board", "memory", "--address", "nonsense", status=2), "nonsense", "0x20000000")


def hex_dump(project, kind):
    write(project, "memory", stream(project)[1])
    project.run("objcopy", "-I", "binary", "-O", kind, f"--change-addresses={address_of_counters(project)}", "memory", "text")
    return project.read("text").decode().splitlines()


@pytest.mark.parametrize("kind", ["ihex", "srec"])
def test_damaged_text_dumps(board, kind):
    lines = hex_dump(board, kind)
    data = next(i for i, line in enumerate(lines) if len(line) > 30)
    line = lines[data]

    def error(text, *named):
        changed = [*lines[:data], text, *lines[data + 1:]]
        assert_mentions(fails(board, "board", write(board, "text", "\n".join(changed).encode())), f"text:{data + 1}", *named)

    error(line[:-1] + ("1" if line[-1] == "0" else "0"), "checksum")
    error(line[:-2], "length")
    error(line[:-1], "incomplete")
    error(line.replace(line[10], "g"), "hexadecimal")
    without_end = "\n".join(lines[:-1]).encode()
    assert_mentions(fails(board, "board", write(board, "text", without_end)), "text", "end record")
    twice = "\n".join(lines + lines).encode()
    assert_mentions(fails(board, "board", write(board, "text", twice)), "text", "end record", "own file")
    repeated = "\n".join([*lines[:data + 1], *lines[data:]]).encode()
    assert_mentions(fails(board, "board", write(board, "text", repeated)), f"text:{data + 2}", "address twice")
    with_gap = "\n".join([*lines[:data], *lines[data + 1:]]).encode()
    assert_mentions(fails(board, "board", write(board, "text", with_gap)), "text", "all counters")


def test_wrong_programs(board):
    board.gcc("-O1", "app.c", board.write("host.c", HOST), "-o", "host", "-no-pie")
    assert_mentions(fails(board, "host", "board.stream"), "host", "target=freestanding")
    board.gcc(*plugin("target=freestanding"), "-O1", "-c", "app.c")
    assert_mentions(fails(board, "app.o", "board.stream"), "app.o", "linked program")
    board.gcc("-O1", "app.c", "host.c", "-o", "pie", "-pie")
    assert_mentions(fails(board, "pie", "board.stream"), "pie", "-no-pie")
    assert_mentions(fails(board, "app.c", "board.stream"), "app.c", "ELF")
    assert_mentions(fails(board, "missing", "board.stream"), "missing", "No such file")
    assert_mentions(fails(board, "board", "missing"), "missing", "No such file")
    board.run("objcopy", "--remove-section=.pathprof_notes", "board", "bare")
    assert_mentions(fails(board, "bare", "board.stream"), "bare", ".pathprof_notes")
    board.run("strip", "board", "-o", "stripped")
    imported(board, "board.stream", name="stripped")


def test_damaged_programs(board):
    sections = board.run("readelf", "-SW", "board").stdout
    data = board.read("board")
    for section, named in (("pathprof_freestanding", "version"), (r"\.pathprof_notes", "notes")):
        offset = int(re.search(rf" {section} +PROGBITS +\w+ (\w+) ", sections)[1], 16)
        damaged = bytearray(data)
        damaged[offset + (1 if named == "version" else 50)] ^= 64
        assert_mentions(fails(board, write(board, "damaged", damaged), "board.stream"), "damaged", named)


def test_addresses_are_for_copies_of_memory(board):
    for dump in ("board.stream", *(write(board, kind, "\n".join(hex_dump(board, kind)).encode()) for kind in ("ihex", "srec"))):
        assert_mentions(fails(board, "board", dump, "--address", "0x1000", status=2), dump, "--address")


def test_output_requires_a_dump(board):
    assert_mentions(fails(board, "board", status=2), "import", "dump")


def test_output_is_required(board):
    done = board.pathdump("import", "board", "board.stream", status=2)
    assert_one_line(done.stderr, "pathdump: import: ", "--output")


# A source file that is compiled into two objects gives two copies of one unit.
def test_copies_of_a_unit(project):
    freestanding(project, "stage=source")
    app = "#include \"copy.h\"\nint app (void) { return first () + second (); }\n"
    project.write("copy.h", "int first (void);\nint second (void);\nint shared (int n);\n")
    project.write("copy.c", "static int twice (int n) { return n > 2 ? 2 * n : n; }\n"
                            "__attribute__ ((visibility (\"hidden\"))) int NAME (void) { return twice (3); }\n")
    for name in ("first", "second"):
        project.gcc(*plugin("target=freestanding", "stage=source", "include=twice"), *FREESTANDING, "-O1", "-g", "-c", "copy.c",
                    f"-DNAME={name}", "-o", f"{name}.o")
    freestanding(project, "stage=source", app=app, more=("first.o", "second.o"))
    imported(project, stream_of(project))
    functions = [one for one in project.profile("board.pathprof")["functions"] if one["name"] == "twice"]
    assert sum(path["count"] for one in functions for path in one["paths"]) == 2


def test_words_of_the_stream(board):
    """The layout that doc/format.md describes."""
    data, (records, counters) = board.read("board.stream"), stream(board)
    words = struct.unpack(f"<{len(records) // 8}Q", records)
    assert [word for word in words[::6]] == [0x50460104] * 2
    assert sum(words[5::6]) == len(counters)
    value = 0x811c9dc5
    for byte in records + counters:
        value = (value ^ byte) * 0x01000193 % 2 ** 32
    assert struct.unpack("<I", data[-4:]) == (value,)
