# SPDX-License-Identifier: GPL-3.0-or-later
"""T says that the condition holds as the source has it: in macros, under !, in ?:, of truth values, whatever the compiler
makes of it.  Programs count for themselves how often each condition holds.

PATHPROF_RANDOM_PROGRAMS=N makes 5 N random decisions instead of the fixed sample; PATHPROF_RANDOM_FIRST=SEED chooses others.
"""

import os

import pytest

import random_decisions
from conftest import BUILD, FLAGS_WITHOUT_LEVEL, plugin

NUM_DECISIONS = 5 * int(os.environ.get("PATHPROF_RANDOM_PROGRAMS", "24"))
FIXED_SEED = 8
SEED = int(os.environ.get("PATHPROF_RANDOM_FIRST", FIXED_SEED))
MACROS = """
#define GT(x, y) ((x) > (y))
#define NZ(x) ((x) != 0)
#define EMPTY(x) ((x) == 0)
#define BOTH(x, y) ((x) && (y))
#define RAW(x) x > 1
#define LARGER(x, y) GT(x, y)
#define SAME(x) (x)
#define CHECKED(what, x) (x)
#define EQUAL(x, y) CHECKED ((x) + (y) > 0, (x) == (y))
#define IS_ONE a == 1
#define DONE (a == 0)
#define NOTDONE (!DONE)
#define CAT(x, y) x##y
#define BIT(x, n) (((x) >> (n)) & 1)
#define ZERO 0
#define LIKELY(x) __builtin_expect (!!(x), 1)
"""
# Conditions of a and b, which are 0 to 3.
CONDITIONS = ["a", "!a", "a > b", "!(a > b)", "2 > a", "a <= 1", "a ^ b", "a - b", "a & 1", "!(a & 2)", "a == b", "a != b",
              "!(a == b)", "GT (a, b)", "!GT (a, b)", "NZ (a)", "!NZ (a)", "EMPTY (b)", "!EMPTY (b)", "RAW (a)", "LARGER (a, b)",
              "!LARGER (a, b)", "LIKELY (a > b)", "!LIKELY (a == b)", "same (a, b)", "!same (a, b)", "same (a, b) == false",
              "true != same (a, b)", "f.one", "f.one == 0", "!f.one", "f.truth", "!f.truth", "f.truth == 0", "(EMPTY (a))", "!(EMPTY (a))", "!(GT (a, b))", "(a + b) % 2 == 0",
              "a + GT (a, b) == 2", "GT (b, a) == 0",
              "SAME (a == b)", "!SAME (a == b)", "SAME (!(a == b))", "SAME (!SAME (a < b))", "EQUAL (a, b)", "!EQUAL (a, b)",
              "EQUAL (EQUAL (a, 1), b)", "IS_ONE", "!(IS_ONE)", "!(!(IS_ONE))", "SAME (a)", "!SAME (a)"]
# Those that front ends and GIMPLE passes fold, so that what is tested looks otherwise.
FOLDED = ["(a & 1) == 1", "(a & 2) != 2", "a % 2 == 1", "BIT (a, 0) == 1", "~a & 1", "'\\1' <= a", "LO < a", "k < a", "(int) 0 < a", "-0x1 < a - 2",
          "sizeof (char) > a + 0u", "!(0 < a)", "!(1.5 < a)", "!(a > 0u)", "!(0u < a)", "!(a >= 1u)", "a <= b - 1", "a + 1 > b", "-a < 0", "~a < -1", "a * -1 < 0",
          "!a + !b", "!a | !b", "!(!a | !b)", "!((a > 0) ^ (b > 0))", "!a - 1", "!a < 1", "!a > 0", "!a == ZERO", "!a == !b",
          "(a > 0) == (b > 0)", "(a > 0 && b > 0) == 0", "f.truth < 1", "f.truth == LO", "a + 1", "a ^ 3", "a % 2", "(last, !a)", "NOTDONE", "!NOTDONE",
          "CAT (a,) > 0", "!(a > 0 ? b > 0 : b < 2)", "a > 0 ? !b : b", "a > 0 ? 0 : 1", "a ? b : 0", "!(a ? b : 2)", "empty (a)", "!empty (b)", "less (0, a)",
          "!less (a, b)", "!(a && b)", "!(a || b)", "a && !(b || a > 2)", "!(a && !(b && a < 3))",
          "!(a && !same (a, b))", "!(same (a, b) || !a)", "a && !same (a, b)"]
FORMS = {"if": "if ({c}) hit (1); else hit (2);", "not": "if ({c}) ; else hit (2);", "only": "if ({c}) hit (1);",
         "choice": "hit ({c} ? a + 5 : b - 7);", "choice 2": "hit ({c} ? 0 : b * 2 - a);",
         "choice 3": "hit ({c} ? (b * 2 - a) : 0);", "choice 4": "hit ({c} ? 0 : (b * 2 - a));",
         "choice 5": "hit ({c} ? b : b + 3);", "choice 6": "hit ({c} ? (b + 3) : b);", "choice 7": "int s = {c} ? 0 : b; hit (s);",
         "choice 8": "int s = {c} ? b : 0; hit (s);", "choice 9": "int s = {c} ? a : b; hit (s);",
         "choice 10": "hit (1 ? ({c} ? 0 : (b * 2 - a)) : 7);", "choice 11": "hit ({c} ? same (a, b) : 0);",
         "loop": "for (int i = 0; {c}; i++) {{ hit (i); if (i == 0) break; }}"}
# GCC exchanges the arms of these, and whether it did is seldom known.
EXCHANGED = ("choice 2", "choice 4", "choice 5", "choice 10")
HEAD = MACROS + """
#include <stdbool.h>
#include <stdio.h>
struct flags { unsigned one : 1, more : 3; bool truth; };
volatile int last;
__attribute__((noipa)) static void hit (int x) { last = x; }
enum { LO = 0 };
static const int k = 1;
static inline bool empty (int x) { return x == 0; }
static inline bool less (int x, int y) { if (x < y) return true; return false; }
__attribute__((noipa)) static bool same (int a, int b) { return a == b; }
"""


def program(form, conditions=CONDITIONS):
    text, calls = [HEAD], []
    for number, condition in enumerate(conditions):
        text.append(f"__attribute__((noipa)) static void f{number} (int a, int b, struct flags f)\n"
                    f"{{ {FORMS[form].format(c='(' + condition + ')' if form.startswith('choice') else condition)} }}\n"
                    f"__attribute__((noipa)) static int t{number} (int a, int b, struct flags f) {{ return ({condition}) != 0; }}")
        calls.append(f"f{number} (a, b, f); holds[{number}] += t{number} (a, b, f);")
    text.append(f"int main (void) {{ int holds[{len(conditions)}] = {{0}};\n"
                "for (int a = 0; a < 4; a++) for (int b = 0; b < 4; b++) { struct flags f = {a & 1, b, b > 1};\n"
                + "\n".join(calls) + f"\n}} for (int i = 0; i < {len(conditions)}; i++) printf (\"%d\\n\", holds[i]); }}")
    return "\n".join(text)


def is_negated(text, condition):
    """Whether the text that is shown for the condition is its opposite: GCC drops a ! in front of a ?:."""
    def bare(text):
        return "".join(c for c in text if c not in " ()")

    return bare(condition) == "!" + bare(text.split(": ")[0])


def truths(report, function, condition):
    """How often the condition was true and false by the first decisions of a function's paths; None where one is said
    otherwise."""
    counts = {"T": 0, "F": 0}
    for path in report["paths"]:
        if path["demangled"].split("(")[0] == function and path["decisions"]:
            outcome = path["decisions"][0].split(":")[-1].split()[0]
            if outcome not in counts:
                return None
            if is_negated(path["conditions"][0]["text"], condition):
                outcome = "F" if outcome == "T" else "T"
            counts[outcome] += path["count"]
    return counts


@pytest.mark.parametrize("level", ["O0", "O2"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["texts.c", "texts.cc"])
@pytest.mark.parametrize("stage", ["source", "early", "late"])
def test_t_is_the_text(project, pathdump, name, form, level, stage):
    project.write(name, program(form))
    project.compile(name, f"-{level}", "-g", "-w", *plugin(f"stage={stage}"))
    printed = project.run("./texts").stdout.split()
    report = pathdump.json("report", "--json", "-n", "0", "texts.pathprof")
    told = branches = 0
    for number, (condition, holds) in enumerate(zip(CONDITIONS, map(int, printed))):
        counts = truths(report, f"f{number}", condition)
        if counts and not any(counts.values()):
            continue  # made without a branch; compilers differ in where
        branches += 1
        if counts is None:
            continue  # said without T and F
        told += 1
        assert counts == {"T": holds, "F": 16 - holds}, (condition, holds, counts)
    if form in EXCHANGED:
        assert told >= 2
    else:
        assert branches > 4 and told > branches // (3 if stage == "late" else 2)


def test_text_of_wrapped_conditions(project, pathdump):
    """Parentheses that a macro puts around its argument hide nothing; a macro without arguments is said, too."""
    project.write("texts.c", program("if"))
    report = pathdump.json("report", "--json", "-n", "0", project.profiled("texts.c", "-O2", "-g", "-w"))
    texts = {path["demangled"]: path["conditions"][0]["text"] for path in report["paths"] if path.get("conditions")}
    for condition, text in {"EQUAL (a, b)": "EQUAL (a, b): (x) == (y)", "IS_ONE": "IS_ONE: a == 1", "SAME (a == b)": "a == b"}.items():
        assert texts[f"f{CONDITIONS.index(condition)}"] == text


def test_use_of_the_macro(project, pathdump):
    """In front of what a macro makes is its own use where the condition has one, else that of the macro around it."""
    project.write("uses.c", """#define LIKELY(x) __builtin_expect (!!(x), 1)
#define GT(x, y) \\
  ((x) > (y))
#  define DONE (a == 3)
#define BETWEEN(low, x, high) (LIKELY ((low) <= (x)) && GT (high, x))
__attribute__((noipa)) static int same (int a, int b) { return a == b; }
int main (int argc, char **argv)
{
  int a = argc, b = argc + 3, n = 0;
  if (LIKELY (GT (a, b))) n += 1;
  if (same (GT (a, b) ? 3 : b, 3)) n += 2;
  if (DONE) n += 4;
  if (GT (a, b) || GT (b, 0)) n += 8;
  if (BETWEEN (0, a, 9)) n += 16;
  return n != 24;
}
""")
    report = pathdump.json("report", "--json", "-n", "0", project.profiled("uses.c", "-O0", "-g", "-w"))
    (path,) = [path for path in report["paths"] if path["demangled"] == "main"]
    assert [condition["text"] for condition in path["conditions"]] == [
        "LIKELY (GT (a, b)): !!(x)", "GT (a, b): (x) > (y)", "same (GT (a, b) ? 3 : b, 3)", "DONE: a == 3", "GT (a, b): (x) > (y)",
        "GT (b, 0): (x) > (y)", "BETWEEN (0, a, 9): __builtin_expect (!!(x), 1)", "BETWEEN (0, a, 9): (x) > (y)"]


@pytest.mark.parametrize("level", ["O0", "O2"])
@pytest.mark.parametrize("form", ["if", "not", "choice", "choice 4", "loop"])
@pytest.mark.parametrize("name", ["texts.c", "texts.cc"])
@pytest.mark.parametrize("stage", ["source", "early", "late"])
def test_t_of_what_is_folded(project, pathdump, name, form, level, stage):
    """Where the text of a row is the whole condition, T is said of that."""
    project.write(name, program(form, FOLDED))
    project.compile(name, f"-{level}", "-g", "-w", *plugin(f"stage={stage}"))
    printed = project.run("./texts").stdout.split()
    paths = pathdump.json("report", "--json", "-n", "0", "texts.pathprof")["paths"]
    told = 0
    for number, (condition, holds) in enumerate(zip(FOLDED, map(int, printed))):
        counts = {"T": 0, "F": 0}
        for path in paths:
            texts = {one["place"]: one["text"].split(": ")[0] for one in path.get("conditions", [])}
            if path["demangled"].split("(")[0] != f"f{number}" or len(path["decisions"]) == 0 or path["start"] != "entry":
                continue
            place, outcome = path["decisions"][0].removeprefix("from ").split()[0].rsplit(":", 1)
            if "".join(texts.get(place, "").split()) == "".join(condition.split()) and outcome in counts:
                counts[outcome] += path["count"]
        if any(counts.values()):
            told += 1
            assert counts == {"T": holds, "F": 16 - holds}, (condition, holds, counts)
    if form in EXCHANGED:
        assert told >= 1 or stage == "late"
    else:
        assert told >= 4 if stage == "late" else told > len(FOLDED) // 2


# What operands and negations lose their places in: arguments of calls, macros, constants beside them, templates.
JOINED = ["hit ({c});", "hit (same (({c}), b));", "ASSERTED ({c});", "TERNARY ({c});", "if (!({c})) hit (1);", "if (!(!({c}))) hit (1);",
          "if (LIKELY ({c})) hit (1);", "if (LIKELY (!({c}))) hit (1);", "if (SAME ({c}) || last > 5) hit (1);", "if (sizeof (int) == 4 && ({c})) hit (1);",
          "if (!(sizeof (int) == 4 && ({c}))) hit (1);", "if (QUIET || !({c})) hit (1);", "while ({c}) {{ hit (1); break; }}", "int z = !({c}); hit (z);",
          "if (a && (b ? ({c}) : f.one)) hit (1);", "if (!(p ? *p : ({c}))) hit (1);", "if (a ? ({c}) : b > 2) hit (1);", "if (a ?: ({c})) hit (1);",
          "hit (-(a < b ? f.truth : 2) < b && ({c}));"]
OPERANDS = ["a && b", "a || b", "!(a && b)", "a > 1 && b > 1", "a > 1 || b == 2", "!(a > 1 || b < 2)", "f.truth && *p > 1", "!f.one || !*p", "~a & 1", "!(a % 2)", "a % 2 == 0 && b",
            "ZERO == *p", "!(ZERO != f.truth && a <= *p)", "BOTH (a, b)", "BOTH (a > 1, *p)", "!BOTH (a > b, *p > 1)", "*p && same (a, b)", "!(*p < b)"]
JOINED_HEAD = HEAD + """
#define ASSERTED(x) do { if (x) ; else hit (9); } while (0)
#define TERNARY(x) ((x) ? (void) 0 : hit (9))
#define QUIET 0
"""


def functions_once(is_cxx):
    """Functions that are called once each, with what they are called with."""
    for number, (form, condition) in enumerate((form, condition) for form in JOINED for condition in OPERANDS):
        is_template = is_cxx and number % 2
        a, b, p = number % 3, number // 3 % 3, number % 5 % 3
        values = f"struct flags f = {{{a & 1}u, {b}u, {'true' if b > 1 else 'false'}}}; int v = {p}, *p = &v;"
        head = f"{'template <typename I> ' if is_template else ''}__attribute__((noipa)) static void f{number} "
        types = "(I a, I b, struct flags f, I *p)" if is_template else "(int a, int b, struct flags f, int *p)"
        yield number, f"{head}{types}\n{{ {form.format(c=condition)} }}", f"int a = {a}, b = {b}; {values}"


@pytest.mark.parametrize("level, stage", [("O0", "source"), ("O0", "early"), ("O2", "source"), ("O2", "early"), ("O2", "late"), ("O3", "late")])
@pytest.mark.parametrize("compiler, name", [("gcc", "once.c"), ("g++", "once.cc")])
def test_each_text_holds(project, pathdump, compiler, name, level, stage):
    """Each function runs one path: what is said of a condition there is what its text is, computed with the same values."""
    functions = list(functions_once(name.endswith("cc")))
    calls = "\n".join(f"{{ {values} f{number} (a, b, f, p); }}" for number, _, values in functions)
    project.write(name, "\n".join([JOINED_HEAD, *(text for _, text, _ in functions), f"int main (void) {{ {calls} return 0; }}"]))
    report = pathdump.json("report", "--json", "-n", "0", project.profiled(name, f"-{level}", "-g", "-w", *plugin(f"stage={stage}")))
    values = {number: values for number, _, values in functions}
    said = []
    for path in report["paths"]:
        function = path["demangled"].split("(")[0].split("<")[0].split()[-1]
        texts = {condition["place"]: condition["text"] for condition in path.get("conditions", [])}
        for decision in path["decisions"] if function[1:].isdigit() else []:
            place, _, outcome = decision.removeprefix("from ").split()[0].rpartition(":")
            text = texts.get(place, "")
            is_of_macro = ": " in text and "?" not in text  # with names of its parameters
            if outcome in ("T", "F") and text and "@" not in place and not is_of_macro:
                said.append((function, text, outcome))
    checks = "\n".join(f'{{ {values[int(function[1:])]} puts (({text}) ? "T" : "F"); }}' for function, text, _ in said)
    project.write(f"check-{name}", f"{JOINED_HEAD}\nint main (void) {{ {checks} return 0; }}")
    project.run(compiler, "-w", f"check-{name}", "-o", "check")
    printed = project.run("./check").stdout.split()
    wrong = [(one, holds) for one, holds in zip(said, printed, strict=True) if one[2] != holds]
    assert not wrong
    assert len(said) > (len(functions) // 2 if stage != "late" else 50)


def test_what_nobody_wrote_has_no_text(project, pathdump):
    """Tests that the C++ front end adds stand at words of the source, which are no conditions."""
    project.write("made.cc", """#include <new>
struct T { int x; __attribute__((noinline)) T (int y) : x (y) {} ~T () { x = 0; } };
struct B { virtual int v (int x) { return x; } int nv (int x) { return x + 1; } };
__attribute__((noipa)) int local (int x) { static T t (x); thread_local int u = x; return t.x + u; }
__attribute__((noipa)) int made (int x) { T *t = new (std::nothrow) T (x); return t->x; }
__attribute__((noipa)) int called (B *b, int (B::*f) (int), int x) { return (b->*f) (x); }
__attribute__((noipa)) void gone (T *a) { delete[] a; }
__attribute__((noipa)) bool there (int (B::*f) (int)) { if (f) return true; return false; }
int main () { B b; local (1); local (0); made (0); made (1); called (&b, &B::v, 0); called (&b, &B::nv, 1); gone (new T[2] {1, 2});
              gone (nullptr); there (&B::nv); there (nullptr); }
""")
    for level, stage in [("O0", "source"), ("O0", "early"), ("O2", "early"), ("O2", "late")]:
        paths = pathdump.json("report", "--json", "-n", "0", project.profiled("made.cc", f"-{level}", "-g", "-w", *plugin(f"stage={stage}")))["paths"]
        texts = {condition["text"] for path in paths for condition in path.get("conditions", [])}
        assert texts <= {"f"}, (level, stage)
        assert len([path for path in paths if path["demangled"].startswith("called")]) == 2


@pytest.mark.parametrize("language", ["c", "c++"])
def test_random_decisions(tmp_path, language):
    """Regression 8: every condition of random decisions with much negation has its text, vectors are those that an interpreter finds, and
    MC/DC is that of the definition."""
    result = random_decisions.random_run(BUILD, SEED, NUM_DECISIONS, language == "c++", 0.2, False, tmp_path, FLAGS_WITHOUT_LEVEL)
    assert [(decision.body(), fault) for decision, fault in result.faults if not fault.startswith("no text")] == []
    assert result.unnamed <= (0 if SEED == FIXED_SEED else 1 + result.conditions // 50)  # a few are numbered (doc/limits.md)
    assert result.conditions > 3 * NUM_DECISIONS and result.unmeasured < result.decisions // 2


@pytest.mark.parametrize("name", ["range.c", "range.cc"])
def test_conditions_of_function_like_macros(project, pathdump, name):
    """Regression 18: what a function-like macro joins has a text, and the use of the macro."""
    project.write(name, """#define IN(x, a, b) ((x) >= (a) && (x) <= (b))
#define OUT(x, a, b) (!IN (x, a, b))
struct node { int n; };
__attribute__((noipa)) static int f (struct node *p, int q) { if (IN (p->n, 1, 9) || q) return 1; return 0; }
__attribute__((noipa)) static int g (struct node *p, int q) { if (OUT (p->n, 1, 9) && !q) return 1; return 0; }
__attribute__((noipa)) static int h (struct node *p, int q) { while (!IN (p->n, 1, 9) && q) return 1; return 0; }
int main (void) { struct node n = {3}; f (&n, 0); g (&n, 0); h (&n, 0); return 0; }
""")
    report = pathdump.json("coverage", "--conditions", "--json", project.profiled(name, "-O0", "-g", *plugin("conditions=1")))
    found = {function["demangled"].split("(")[0]: function["decision_list"][0] for function in report["functions"] if function["decision_list"]}
    texts = {name: [condition["text"] for condition in decision["conditions"]] for name, decision in found.items()}
    assert texts == {"f": ["IN (p->n, 1, 9): (x) >= (a)", "IN (p->n, 1, 9): (x) <= (b)", "q"],
                     "g": ["OUT (p->n, 1, 9): (x) >= (a)", "OUT (p->n, 1, 9): (x) <= (b)", "!q"],
                     "h": ["IN (p->n, 1, 9): (x) >= (a)", "IN (p->n, 1, 9): (x) <= (b)", "q"]}
    vectors = {name: {vector["values"]: vector["outcome"] for vector in decision["vectors"]} for name, decision in found.items()}
    assert vectors == {"f": {"TT-": True}, "g": {"TT-": False}, "h": {"TT-": False}}


NESTED = """#define SAME(x) (x)
#define TWICE(x) SAME (SAME (x))
#define NOT(x) (!(x))
#define BOTH(x, y) ((x) && (y))
#define CHOOSE(x, y) ((x) ? y)
#define IN(x, a, b) ((x) >= (a) && (x) <= (b))
#define F __attribute__((noipa)) static int
F negated (int a, int b) { if (NOT (TWICE (a && SAME (b)))) return 1; return 0; }
F chosen (int a, int b) { return CHOOSE (!BOTH (a > 0, b), a : -b * 3); }
F merged (int a, int b) { while (!b && IN (a, 1, 2)) return 1; return 0; }
F number (double a, int b) { if (SAME (a > 1.5) || b) return 1; return 0; }
int main (void) { negated (1, 1); chosen (1, 1); merged (1, 0); number (2, 0); return 0; }
"""


@pytest.mark.parametrize("name", ["nested.c", "nested.cc"])
def test_conditions_in_arguments_of_macros(project, pathdump, name):
    """Regression 8: conditions in macros in arguments of macros have their texts, and decisions the outcome of the source; what optimization
    merges has no text of something else."""
    project.write(name, NESTED)
    found = {}
    for level in "O0", "O2":
        report = pathdump.json("coverage", "--conditions", "--json", project.profiled(name, f"-{level}", "-g", *plugin("conditions=1")))
        for function in report["functions"]:
            for decision in function["decision_list"]:
                texts = [condition["text"] for condition in decision["conditions"]]
                found[level, function["demangled"].split("(")[0]] = texts, {vector["values"]: vector["outcome"] for vector in decision["vectors"]}
    assert found["O0", "negated"] == (["a", "b"], {"TT": False})
    assert found["O0", "chosen"] == (["a > 0", "b"], {"TT": False})
    assert found["O0", "merged"] == (["!b", "IN (a, 1, 2): (x) >= (a)", "IN (a, 1, 2): (x) <= (b)"], {"TTT": True})
    assert found["O0", "number"] == (["a > 1.5", "b"], {"T-": True})
    texts, vectors = found["O2", "merged"]
    assert len(texts) == 2 and texts[0] in ("!b", "condition 1") and vectors == {}


ENDS_IN_MACROS = """\
#define POS(x) ((x) > 3)
#define TWICE(n) ((n) * 2)
#define LEAST 3
#define LIMIT 9
#define REFUSE(x) if (!POS (x)) return 1;
#define REQUIRE(x) REFUSE (x)
#define WRAP(e) if (e) return 2;
int f (int a, int b)
{
  REFUSE (a + 5)
  REQUIRE (a + 5)
  if (TWICE (a) > TWICE (b))
    return 3;
  WRAP (TWICE (a) > TWICE (b))
  if (LEAST > LIMIT + a)
    return 4;
  if (!(TWICE (a) > TWICE (b)) && POS (b))
    return 5;
  return 6;
}
int main (void)
{
  return f (0, 1) == 9;
}
"""


@pytest.mark.parametrize("name", ["ends.c", "ends.cc"])
def test_conditions_that_begin_and_end_in_two_macros(project, pathdump, name):
    """Regression 18: their texts have the uses of the macros, not a part of one macro's definition."""
    project.write(name, ENDS_IN_MACROS)
    report = pathdump.json("coverage", "--conditions", "--json", project.profiled(name, "-O0", "-g", *plugin("conditions=1")))
    found = [[condition["text"] for condition in decision["conditions"]]
             for function in report["functions"] for decision in function["decision_list"]]
    assert found == [["REFUSE (a + 5): !POS (x)"], ["REQUIRE (a + 5): !POS (x)"], ["TWICE (a) > TWICE (b)"], ["TWICE (a) > TWICE (b)"],
                     ["LEAST > LIMIT + a"], ["!(TWICE (a) > TWICE (b))", "POS (b): (x) > 3"]]
