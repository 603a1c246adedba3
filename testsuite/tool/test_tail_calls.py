# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls in tail position stay jumps if nothing must follow them, and their paths are counted."""

import re
import subprocess

import pytest

from conftest import GCC, version_of

DEPTH = 3_000_000  # far more than a stack holds
RECURSION = """\
#include <stdio.h>
static long odd (long n);
static __attribute__ ((noinline)) long
even (long n)
{
  if (n == 0)
    return 1;
  return odd (n - 1);
}
static __attribute__ ((noinline)) long
odd (long n)
{
  if (n == 0)
    return 0;
  return even (n - 1);
}
int
main (void)
{
  printf ("%%ld\\n", even (%d));
  return 0;
}
""" % DEPTH
# Several calls share one return; one has its value changed, which is no tail call.
SHARED = """\
static __attribute__ ((noinline)) int leaf (int n) { __asm__ volatile (""); return n; }
static __attribute__ ((noinline)) int other (int n) { __asm__ volatile (""); return n + 1; }
static __attribute__ ((noinline)) void nothing (int n) { __asm__ volatile (""); }
static __attribute__ ((noinline)) int
choose (int n)
{
  int result;
  if (n % 3 == 0)
    result = leaf (n);
  else if (n % 3 == 1)
    result = other (n);
  else
    result = leaf (n) + 1;
  return result;
}
static __attribute__ ((noinline)) void
perhaps (int n)
{
  if (n % 2)
    nothing (n);
}
int
main (void)
{
  for (int n = 0; n < 10; n++)
    {
      choose (n);
      perhaps (n);
    }
  return 0;
}
"""
# An object's life ends ahead of a return that calls share, or that one call shares with another way there.
CLOBBERS = """\
struct pair { int a, b; };
int log_[20], at;
__attribute__ ((noinline)) struct pair *create (struct pair *p) { log_[at++ % 20] = p->a; return p->b ? p : 0; }
__attribute__ ((noinline)) void complain (int n) { log_[at++ % 20] = n; }
static __attribute__ ((noinline)) void
setup (int n)
{
  struct pair p = { n, n % 3 };
  if (create (&p) == 0)
    complain (n);
}
static __attribute__ ((noinline)) void
either (int n)
{
  struct pair p = { n, n % 2 };
  if (create (&p) == 0)
    complain (n);
  else
    complain (-n);
}
__attribute__ ((noinline)) void first (int n) { setup (n); log_[0]++; }
__attribute__ ((noinline)) void second (int n) { setup (n + 1); log_[1]++; }
__attribute__ ((noinline)) void third (int n) { setup (n + 2); log_[2]++; }
int
main (void)
{
  for (int n = 0; n < 12; n++)
    {
      first (n);
      second (n);
      third (n);
      either (n);
    }
  return 0;
}
"""
DISPATCH = """\
#include <stdio.h>
struct vm { const unsigned char *at; long sum; long left; };
typedef long handler (struct vm *);
static handler add, subtract, again;
static handler *const table[] = { add, subtract, again };
#define NEXT __attribute__ ((musttail)) return table[*vm->at] (vm)
static __attribute__ ((noinline)) long add (struct vm *vm) { vm->sum += 3; vm->at++; NEXT; }
static __attribute__ ((noinline)) long subtract (struct vm *vm) { vm->sum -= 1; vm->at++; NEXT; }
static __attribute__ ((noinline)) long
again (struct vm *vm)
{
  if (vm->left-- == 0)
    return vm->sum;
  vm->at -= 2;
  NEXT;
}
int
main (void)
{
  static const unsigned char code[] = { 0, 1, 2 };
  struct vm vm = { code, 0, 1000000 };
  printf ("%ld\\n", table[code[0]] (&vm));
  return 0;
}
"""


def arguments(**settings):
    return [f"-fplugin-arg-pathprof-{key}={value}" for key, value in settings.items()]


@pytest.mark.parametrize("mode", ["acyclic", "kiter", "kipf", "intracontext"])
@pytest.mark.parametrize("stage", ["source", "early", "late"])
def test_constant_stack(project, stage, mode):
    project.write("prog.c", RECURSION)
    project.gcc("-O2", "-g", *arguments(stage=stage, mode=mode), "prog.c", "-o", "prog")
    assert project.run("sh", "-c", "ulimit -s 1024; ./prog").stdout == "1\n"
    functions = project.functions()
    for name in ("even", "odd"):
        counts = [n for count in functions[name] for n in (count if isinstance(count, list) else [count])]
        assert sum(map(int, counts)) in (DEPTH // 2, DEPTH // 2 + 1)


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2", "-O3"])
@pytest.mark.parametrize("stage", ["source", "early"])
@pytest.mark.parametrize("termination", ["basic", "exact"])
def test_shared_returns(project, level, stage, termination):
    """The same paths, as often, whether a call is counted before it or behind it."""
    project.write("prog.c", SHARED)
    project.gcc(level, "-g", *arguments(stage=stage, termination=termination), "prog.c", "-o", "prog")
    project.run("./prog")
    functions = project.functions()
    assert functions["choose"] == [3, 3, 4] and functions["perhaps"] == [5, 5]


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2", "-O3"])
@pytest.mark.parametrize("stage", ["source", "early"])
def test_ends_of_objects(project, level, stage):
    project.write("prog.c", CLOBBERS)
    project.gcc(level, "-g", "-fchecking=1", *arguments(stage=stage), "prog.c", "-o", "prog")
    project.run("./prog")
    functions = project.functions()
    assert functions["either"] == [6, 6] and sum(functions["complain"]) == 24


def has_musttail(folder):
    (folder / "try.c").write_text("int f (int n); int g (int n) { __attribute__ ((musttail)) return f (n); }\n")
    return subprocess.run([GCC, "-O0", "-Werror", "-c", "try.c", "-o", "try.o"], cwd=folder, capture_output=True,
                          check=False).returncode == 0


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2"])
@pytest.mark.parametrize("stage", ["source", "early", "late"])
def test_musttail(project, level, stage):
    """An interpreter whose operations call each other, from GCC 15 on."""
    if not has_musttail(project.folder):
        pytest.skip("the compiler has no musttail")
    project.write("prog.c", DISPATCH)
    project.gcc(level, "-g", *arguments(stage=stage), "prog.c", "-o", "prog")
    assert project.run("sh", "-c", "ulimit -s 1024; ./prog").stdout == "2000002\n"
    assert project.functions()["add"] == [1000001]


# GCC chooses calls to be jumps that do not become any: memcpy is a few instructions here, and the other call has more
# arguments on the stack than its caller.  Other ways through the function share the return behind them.
NO_JUMPS = """\
#include <string.h>
volatile int sink;
char a[100], b[100];
__attribute__((noinline)) int x(int n) { sink = n; return n; }
__attribute__((noinline)) int g(int a,int b,int c,int d,int e,int f,int h,int i) { return sink + a+b+c+d+e+f+h+i; }
__attribute__((noinline,cold)) void f(int n, char *p, long m) {
  if(n & 1) { x(1); if(n & 4) x(5); }
  if(n & 2) { if(m < 50) memcpy(a, p, m); }
  else sink = 9;
}
__attribute__((noinline,cold)) int k(int n) {
  if(n & 1) { x(1); if(n & 4) x(5); }
  if(n & 2) return g(n, 1, 2, 3, 4, 5, 6, 7);
  if(n & 8) sink = 4;
  return 5;
}
int main(int c, char **v) {
  for(int i = 0; i < 64; i++) { f(i, b, c + i); sink = k(i); }
  return 0;
}
"""


@pytest.mark.parametrize("arguments", [["stage=late"], ["stage=late", "array-max=0"], ["switch=1", "array-max=0"], ["array-max=0"]])
def test_calls_that_do_not_become_jumps(project, arguments):
    project.write("prog.c", NO_JUMPS)
    found = []
    for options in ["-O2"], ["-Os"], ["-O2", "-fno-optimize-sibling-calls"]:
        project.gcc(*options, *(f"-fplugin-arg-pathprof-{argument}" for argument in arguments), "prog.c", "-o", "prog")
        (project.folder / "prog.pathprof").unlink(missing_ok=True)
        project.run("./prog", env={"PATHPROF_SWITCH": "on"})
        functions = project.functions()
        found.append([functions[name] for name in "fk"])
    assert found[0] == found[1] == found[2]
    assert [sum(counts) for counts in found[0]] == [64, 64]


# Functions that make calls in tail position.  Nothing is inlined or cloned, except for `split`.
TAIL_CALLS = """\
#define N __attribute__ ((noipa))
#include <string.h>
int leaf (int), other (int), seven (int, int, int, int, int, int, int, int), cond (int);
long wide (long);
void nothing (int), v8 (int, int, int, int, int, int, int, int);
unsigned as_unsigned (int);
char *text (int);
double real (double);
struct big { long a[6]; };
struct big make_big (int);
struct pair { long a, b; };
struct pair make_pair (int);
extern int (*through) (int);
volatile int sink;
int even (int);
N int odd (int n) { return n ? even (n - 1) : 0; }
N int even (int n) { return n ? odd (n - 1) : 1; }
N int direct (int n) { return leaf (n + 1); }
N void no_value (int n) { nothing (n); }
N void drops_value (int n) { leaf (n); }
N void maybe (int n) { if (n > 3) nothing (n); }
N int arms (int n)
  { int r; if (n % 3 == 0) r = leaf (n); else if (n % 3 == 1) r = other (n); else r = leaf (n) + 1; return r; }
N int in_switch (int n)
  { switch (n) { case 1: return leaf (n); case 2: return other (n); case 5: sink = 3; return leaf (2); default:
  return 7; } }
N int after_loop (int n) { for (int i = 0; i < n; i++) sink += i; return leaf (sink); }
N int in_loop (int n) { for (int i = 0; i < n; i++) if (sink == i) return leaf (i); return other (n); }
N int pointer (int n) { return through (n); }
N int on_stack (int a, int b, int c, int d, int e, int f, int g, int h)
  { if (a) return seven (h, g, f, e, d, c, b, a); return seven (a + 1, b, c, d, e, f, g, h); }
N void v_stack (int a, int b, int c, int d, int e, int f, int g, int h) { v8 (h, g, f, e, d, c, b, a); }
N unsigned converts (int n) { return leaf (n); }
N int converts_back (int n) { return as_unsigned (n); }
N char *string (int n) { if (n) return text (n); return 0; }
N double reals (double x) { if (x > 1) return real (x - 1); return real (x + 1); }
N struct big bigs (int n) { if (n) return make_big (n); return make_big (n + 1); }
N struct pair pairs (int n) { if (n) return make_pair (n); return make_pair (n + 1); }
N void *copies (void *a, const void *b, unsigned long n) { if (n) return memcpy (a, b, n); return a; }
N void clobbers (int n) { { struct pair p = { n, n }; sink = p.a; } if (n) nothing (n); else nothing (2); }
N int guarded (int n)
  { if (cond (n) && cond (n + 1)) return leaf (n); if (n < 0 || cond (n)) return other (n); return 0; }
N int nested (int n)
  { if (n) { if (n & 1) { if (n & 2) return leaf (n); sink = 1; } else sink = 2; } return other (n); }
N int constant_after (int n) { if (n) { leaf (n); return 0; } return other (n); }
N int same (int n) { int r = leaf (n); if (r) return r; return 0; }
N int recursion (int n) { if (n <= 0) return leaf (n); return recursion (n - 1); }
N long factorial (long n) { if (n <= 1) return 1; return n * factorial (n - 1); }
N int do_while (int n) { do { if (cond (n)) return leaf (n); n--; } while (n > 0); return other (n); }
N int with_goto (int n) { if (cond (n)) goto out; sink = 1; out: return leaf (n); }
N int short_circuit (int n) { return cond (n) ? leaf (n) : cond (n + 1) ? other (n) : leaf (n + 2); }
N void void_arms (int n)
  { switch (n & 3) { case 0: nothing (1); break; case 1: nothing (2); break; case 2: v8 (1, 2, 3, 4, 5, 6, 7, 8);
  break; default: sink = n; } }
N long widened (int n) { if (n) return wide (n); return wide (-n); }
N int falls (int n) { while (cond (n)) { if (n & 4) break; n++; } return leaf (n); }
static N int local_part (int n) { sink++; if (n & 1) return leaf (n); sink++; return other (n); }
N int calls_local (int n) { if (n) return local_part (n); return local_part (3); }
N const char *returns_argument (char *a, const char *b, int n) { if (n) return strcpy (a, b); return strcat (a, b); }
N int table (int n)
  { switch (n) { case 0: return leaf (0); case 1: return leaf (1); case 2: return other (2); case 3: return cond
  (3); case 4: return leaf (4); case 5: return other (5); default: return leaf (9); } }
static int cached;
int split (int n)
  { if (n == cached) return 1; for (int i = 0; i < n; i++) { sink += other (i); sink *= cond (sink); sink -= other
  (3); } cached = n; return leaf (n + 1); }
N int calls_split (int n) { int s = 0; while (n--) { s += split (n); s ^= split (s); } return s; }
"""
TAIL_CALLS_CC = """\
#define N __attribute__ ((noipa))
struct base { virtual int f (int); virtual ~base (); int x; };
struct second { virtual int g (int); virtual ~second (); int y; };
struct derived : base, second { int f (int) override; int g (int) override; ~derived (); };
int leaf (int);
void nothing (int);
N int derived::f (int n) { if (n) return base::f (n); return leaf (n); }
N int derived::g (int n) { return second::g (n) ; }
derived::~derived () {}
N int virtual_call (base *b, int n) { if (n) return b->f (n); return b->f (2); }
N int member_pointer (base *b, int (base::*p) (int), int n) { return (b->*p) (n); }
struct object { int a; ~object () {} };
N int with_object (int n) { object o { n }; (void) o; return leaf (n); }
N void catches (int n) { try { leaf (n); } catch (int) { nothing (1); } nothing (2); }
N int no_throw (int n) noexcept { return leaf (n); }
template <typename F> static N int apply (F f, int n) { if (n) return f (n); return f (n + 1); }
N int lambdas (int n) { return apply ([=] (int m) { return leaf (m + n); }, n); }
"""
# After these calls, the source has a branch or the end of an object, which later passes remove. GCC 11 removes the branch after
# stage early.
FOLLOWED = {("same", "leaf"), ("_Z11with_objecti", "_Z4leafi")}
FOLLOWED_AT_EARLY = {("same", "leaf")}
MODES = [{"mode": mode} for mode in ("acyclic", "kiter", "kipf", "intracontext")]
MODES += [{"mode": "preferential", "interesting": "list"}, {"update": "thread"}, {"update": "atomic"},
          # With hash tables and update=thread, GCC does not inline destructors into thunks, which then jump to them.
          {"array-max": 0, "update": "single"}]


def sibling_calls(folder, stem):
    """Returns the pairs of caller and callee of the calls that the last compilation expanded to jumps."""
    [dump] = folder.glob(f"{stem}.*r.expand")
    pairs, caller = set(), None
    for text in re.split(r"^(?=;; Function |\()", dump.read_text(), flags=re.M):
        if header := re.match(r";; Function .* \(([\w.]+), funcdef_no", text):
            caller = header[1].partition(".part.")[0]
        elif text.startswith("(call_insn/j"):
            callee = re.search(r'\(symbol_ref:\w+ \("([\w.]+)"', text)
            pairs.add((caller, callee[1] if callee else "*"))
    dump.unlink()
    return {(caller, callee) for caller, callee in pairs if not callee.startswith(f"{caller}.part.")}


@pytest.mark.parametrize("level", ["-O2", "-O3", "-Os"])
@pytest.mark.parametrize("source", ["calls.c", "calls.cc"])
def test_calls_stay_jumps(project, source, level):
    """Regression 3: a call that GCC turns into a jump is a jump with instrumentation, too."""
    project.write(source, TAIL_CALLS if source == "calls.c" else TAIL_CALLS_CC)
    project.write("list", "direct 0\n")
    flags = [level, "-fno-jump-tables", "-fdump-rtl-expand", "-S", source, "-o", "calls.s"]
    compile_with = project.gcc if source == "calls.c" else project.gxx
    subprocess.run([GCC, *flags], cwd=project.folder, check=True)
    plain = sibling_calls(project.folder, source)
    assert len(plain) > 10
    for stage in "source", "early", "late":
        for mode in MODES if level == "-O2" else MODES[:2]:
            compile_with(*arguments(stage=stage, termination="basic", **mode), *flags)
            lost = plain - sibling_calls(project.folder, source)
            is_late_removal = stage == "early" and int(version_of(GCC).split(".")[0]) < 12
            followed = FOLLOWED if stage == "source" else FOLLOWED_AT_EARLY if is_late_removal else set()
            assert lost == followed & plain, (stage, mode)


TRANSFERS = """\
#include <coroutine>
struct task {
  struct promise_type;
  using H = std::coroutine_handle<promise_type>;
  struct fin { bool await_ready () noexcept { return false; }
    std::coroutine_handle<> await_suspend (H h) noexcept { return h.promise ().cont; }
    void await_resume () noexcept {} };
  struct promise_type { std::coroutine_handle<> cont;
    task get_return_object () { return task { H::from_promise (*this) }; }
    std::suspend_always initial_suspend () noexcept { return {}; }
    fin final_suspend () noexcept { return {}; }
    void return_void () {}
    void unhandled_exception () {} };
  H h;
  ~task () { h.destroy (); }
  bool await_ready () { return false; }
  std::coroutine_handle<> await_suspend (std::coroutine_handle<> c) { h.promise ().cont = c; return h; }
  void await_resume () {}
};
static task leaf () { co_return; }
static task loop (int n) { while (n--) co_await leaf (); }
int main () { task t = loop (1000000); t.h.promise ().cont = std::noop_coroutine (); t.h.resume (); }
"""


@pytest.mark.parametrize("stage", ["source", "early", "late"])
@pytest.mark.parametrize("level", ["-O2", "-O3"])
def test_symmetric_transfer(project, level, stage):
    """Regression 3: coroutines that resume each other need no stack, whatever is counted."""
    project.write("prog.cc", TRANSFERS)
    settings = [{"mode": "acyclic"}]
    if level == "-O3":
        settings += [{"mode": "kiter"}, {"mode": "kipf"}, {"mode": "intracontext"}, {"termination": "exact"},
                     {"metric": "tsc"}, {"update": "thread"}]
    for setting in settings:
        project.gxx(level, "-std=c++20", *arguments(stage=stage, **setting), "prog.cc", "-o", "prog")
        project.run("sh", "-c", "ulimit -s 1024; ./prog")


ENDS_OF_LIFE = """\
struct buffer { char *value; int length; };
void fill (struct buffer *, const char *);
int check (char *, int);
char *steal (struct buffer *);
void release (struct buffer *);
char *
read (const char *text, int *length)
{
  if (!text)
    return 0;
  if (*text)
    {
      struct buffer buffer;
      fill (&buffer, text);
      if (!check (buffer.value, buffer.length))
        {
          release (&buffer);
          return 0;
        }
      *length = buffer.length;
      return steal (&buffer);
    }
  return 0;
}
"""


@pytest.mark.parametrize("stage", ["source", "early", "late"])
def test_variables_end_before_the_own_return(project, stage):
    """Regression: without the end of `buffer` before the call's own return, GCC warned of a dangling pointer."""
    project.write("prog.c", ENDS_OF_LIFE)
    assert project.gcc("-O2", "-Wall", *arguments(stage=stage), "-c", "prog.c").stderr == ""
