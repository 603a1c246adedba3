# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that change what GCC makes of a program, beside the plugin: counts stay what they are."""

import subprocess

import pytest

from conftest import BIN, UPDATES, need

TERMINATIONS = ("basic", "exact")

COUNTED_C = """\
#include <stdio.h>

__attribute__ ((noinline)) int
f (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    if (i % 2)
      sum += i;
    else
      sum -= i;
  return sum;
}
"""
COUNTED_MAIN = """
int
main (void)
{
  int sum = 0;
  for (int n = 0; n < 4; n++)
    sum += (n + 1) * f (n);
  printf ("%d\\n", sum);
  return 0;
}
"""
# f is called with 0, 1, 2, 3: entry straight to the exit 1, entry to the first turn's end (even) 3, back edge
# and odd turn 2, back edge and even turn 1, back edge and exit 3.
COUNTS = [1, 1, 2, 3, 3]
OUTPUT = "-1\n"

CXX_MAIN = """\
#include <cstdio>
extern "C" int f (int n);

struct Guard { ~Guard () { f (0); } };

__attribute__ ((noinline)) int
g (int n)
{
  Guard guard;
  if (n == 2)
    throw n;
  return f (n);
}

int
main ()
{
  int sum = 0;
  for (int n = 1; n < 4; n++)
    try { sum += n * g (n); } catch (int) { sum += f (2); }
  std::printf ("%d\\n", sum);
}
"""
# The calls with 1, 2 and 3, and three more with 0.
CXX_COUNTS = [1, 2, 3, 3, 3]

# Options of the compiler and the linker; the environment of the program.
COMPANIES = {
    "address": ("-fsanitize=address", {}),
    "undefined": ("-fsanitize=undefined", {}),
    "thread": ("-fsanitize=thread", {}),
    "coverage": ("--coverage", {}),
    "gprof": ("-pg", {}),
    "cet": ("-fcf-protection=full", {}),
    "stack protector": ("-fstack-protector-strong -D_FORTIFY_SOURCE=2 -O1", {}),
    "traps throw": ("-fnon-call-exceptions -fexceptions", {}),
    "openmp": ("-fopenmp", {}),
    "avx2": ("-mavx2 -O3", {}),
    "pic": ("-fPIC", {}),
    "pie": ("-fPIE -pie", {}),
    "no pie": ("-fno-pie -no-pie", {}),
    "static": ("-static", {}),
    "static pie": ("-static-pie -fPIE", {}),
    "lto": ("-O2 -flto", {}),
    "whole program": ("-O2 -flto -fwhole-program", {}),
    "large model": ("-mcmodel=medium", {}),
    "sections": ("-ffunction-sections -fdata-sections -Wl,--gc-sections", {}),
    "split stack": ("-fsplit-stack", {}),
    "hooks": ("-finstrument-functions -DHOOKS", {}),
}


def plugin(termination, update, stage="source"):
    return (f"-fplugin-arg-pathprof-stage={stage}", f"-fplugin-arg-pathprof-termination={termination}",
            f"-fplugin-arg-pathprof-update={update}")


HOOKS = """
#ifdef HOOKS
__attribute__ ((no_instrument_function)) void __cyg_profile_func_enter (void *f, void *site) { (void) f; (void) site; }
__attribute__ ((no_instrument_function)) void __cyg_profile_func_exit (void *f, void *site) { (void) f; (void) site; }
#endif
"""


def counts_of(project, function="f"):
    found = [f for f in project.profile()["functions"] if f["name"] == function]
    return sorted(path["count"] for f in found for path in f["paths"])


def run_in_company(project, company, arguments):
    options, environment = COMPANIES[company]
    project.write("prog.c", COUNTED_C + COUNTED_MAIN + HOOKS)
    project.gcc(*arguments, *options.split(), "prog.c", "-o", "prog")
    done = project.run("./prog", env=environment)
    assert (done.stdout, done.stderr) == (OUTPUT, "")


@pytest.mark.parametrize("termination", TERMINATIONS)
@pytest.mark.parametrize("update", UPDATES)
@pytest.mark.parametrize("company", COMPANIES)
def test_company(project, company, update, termination):
    run_in_company(project, company, plugin(termination, update))
    assert counts_of(project) == COUNTS


@pytest.mark.parametrize("termination", TERMINATIONS)
@pytest.mark.parametrize("update", UPDATES)
@pytest.mark.parametrize("company", COMPANIES)
def test_company_at_late(project, company, update, termination):
    """The optimised graph has other paths; how often f and its copies are entered stays."""
    run_in_company(project, company, plugin(termination, update, "late"))
    project.pathdump("check", "prog.pathprof")
    entries = [path["count"] for f in project.profile()["functions"] if f["name"].split(".")[0] == "f"
               for path in f["paths"] if path["start"] == "entry"]
    assert sum(entries) == 4


@pytest.mark.parametrize("termination", TERMINATIONS)
@pytest.mark.parametrize("options", ["-O0", "-O2 -flto", "-fsanitize=address,undefined", "-fnon-call-exceptions -O1"])
def test_c_and_cxx_in_one_program(project, options, termination):
    project.write("part.c", COUNTED_C)
    project.write("prog.cc", CXX_MAIN)
    arguments = (*plugin(termination, "single"), *options.split())
    project.gcc(*arguments, "-fexceptions", "-c", "part.c")
    project.gxx(*arguments, "prog.cc", "part.o", "-o", "prog")
    assert project.run("./prog").stdout == "-2\n"
    assert counts_of(project) == CXX_COUNTS


@pytest.mark.parametrize("termination", TERMINATIONS)
@pytest.mark.parametrize("update", UPDATES)
def test_shared_object_and_relocatable(project, update, termination):
    project.write("part.c", COUNTED_C)
    project.write("main.c", "#include <stdio.h>\nint f (int n);\n" + COUNTED_MAIN)
    arguments = plugin(termination, update)
    project.gcc(*arguments, "-fPIC", "-c", "part.c")
    project.gcc("-r", "part.o", "-nostdlib", "-o", "all.o")
    project.gcc(*arguments, "-shared", "all.o", "-o", "libpart.so")
    project.gcc(*arguments, "main.c", "libpart.so", "-Wl,-rpath,$ORIGIN", "-o", "prog")
    assert project.run("./prog").stdout == OUTPUT
    assert counts_of(project) == COUNTS


@pytest.mark.parametrize("update", ("atomic", "thread"))
@pytest.mark.parametrize("termination", TERMINATIONS)
def test_openmp_threads(project, update, termination):
    project.write("prog.c", COUNTED_C + """
int
main (void)
{
  int sum = 0;
#pragma omp parallel for reduction(+:sum) num_threads(4)
  for (int n = 0; n < 400; n++)
    sum += n % 4 * f (n % 4);
  printf ("%d\\n", sum);
  return 0;
}
""")
    project.gcc(*plugin(termination, update), "-fopenmp", "prog.c", "-o", "prog")
    assert project.run("./prog").stdout == "-100\n"
    assert counts_of(project) == [100 * count for count in COUNTS]


COROUTINE = """\
#include <coroutine>
#include <cstdio>

struct Task
{
  struct promise_type
  {
    int value;
    Task get_return_object () { return {std::coroutine_handle<promise_type>::from_promise (*this)}; }
    std::suspend_always initial_suspend () { return {}; }
    std::suspend_always final_suspend () noexcept { return {}; }
    std::suspend_always yield_value (int v) { value = v; return {}; }
    void return_void () {}
    void unhandled_exception () {}
  };
  std::coroutine_handle<promise_type> handle;
};

static volatile int odd, even;
extern "C" __attribute__ ((noinline)) void
f (int n)
{
  if (n % 2)
    odd++;
  else
    even++;
}

Task
numbers (int n)
{
  for (int i = 0; i < n; i++)
    {
      f (i);
      co_yield i;
    }
}

int
main ()
{
  Task task = numbers (5);
  while (!task.handle.done ())
    task.handle.resume ();
  task.handle.destroy ();
  std::printf ("%d %d\\n", odd, even);
}
"""


@pytest.mark.parametrize("termination", TERMINATIONS)
@pytest.mark.parametrize("update", UPDATES)
def test_coroutines(project, update, termination):
    project.write("prog.cc", COROUTINE)
    project.gxx("-std=c++20", *plugin(termination, update), "prog.cc", "-o", "prog")
    assert project.run("./prog").stdout == "2 3\n"
    assert counts_of(project) == [2, 3]


@pytest.mark.parametrize("termination", TERMINATIONS)
@pytest.mark.parametrize("update", UPDATES)
def test_ccache(project, update, termination):
    need("ccache")
    project.write("prog.c", COUNTED_C + COUNTED_MAIN)
    environment = {"CCACHE_DIR": str(project.folder / "cache")}
    for expected in (0, 1):
        project.run("ccache", BIN / "pathprof-gcc", *plugin(termination, update), "-c", "prog.c", env=environment)
        hits = dict(line.split("\t") for line in
                    project.run("ccache", "--print-stats", env=environment).stdout.splitlines())
        assert int(hits["direct_cache_hit"]) == expected
    project.gcc("prog.o", "-o", "prog")
    project.run("./prog")
    assert counts_of(project) == COUNTS


# ---- other languages ----


def need_compiler(driver):
    if subprocess.run([BIN / driver, "--version"], capture_output=True, check=False).returncode == 127:
        pytest.skip(f"the compiler behind {driver} is not installed")


def test_d(project):
    need_compiler("pathprof-gdc")
    project.write("prog.d", """
extern (C) int f (int n) { int sum = 0; for (int i = 0; i < n; i++) if (i % 2) sum += i; else sum -= i; return sum; }
int main () { int sum = 0; for (int n = 0; n < 4; n++) sum += n * f (n); return sum == -1 ? 0 : 1; }
""")
    project.run(BIN / "pathprof-gdc", *plugin("exact", "single"), "prog.d", "-o", "prog")
    project.run("./prog")
    assert counts_of(project) == COUNTS


def test_ada(project):
    need_compiler("pathprof-gnatmake")
    project.write("prog.adb", """
procedure Prog is
   function F (N : Integer) return Integer is
      Sum : Integer := 0;
      I : Integer := 0;
   begin
      while I < N loop
         if (I / 2) * 2 /= I then Sum := Sum + I; else Sum := Sum - I; end if;
         I := I + 1;
      end loop;
      return Sum;
   end F;
   Total : Integer := 0;
begin
   for N in 0 .. 3 loop
      Total := Total + N * F (N);
   end loop;
   if Total /= -1 then raise Program_Error; end if;
end Prog;
""")
    project.run(BIN / "pathprof-gnatmake", "-q", "-gnatp", *plugin("exact", "single"), "prog.adb", "-o", "prog")
    project.run("./prog")
    found = [f for f in project.profile()["functions"] if f["name"].startswith("prog__f")]
    assert sorted(path["count"] for f in found for path in f["paths"]) == COUNTS
