# SPDX-License-Identifier: GPL-3.0-or-later
"""pathdump coverage --conditions: vectors of generated programs against a model of short-circuit evaluation, and the
constructs of each language that decisions stand in."""

import collections
import json
import os
import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import BUILD, FLAGS, GCC
from pages import Page
from random_decisions import shown_conditions

COUNT = max(1, int(os.environ.get("PATHPROF_RANDOM_PROGRAMS", "24")) // 12)
FIRST = int(os.environ.get("PATHPROF_RANDOM_FIRST", "0"))
CONDITIONS = "-fplugin-arg-pathprof-conditions=1"


def build_and_run(folder, name, source, level, driver="pathprof-gcc", options=()):
    """The profile of a program."""
    (folder / name).write_text(source)
    quiet = "-gnatws" if "gnatmake" in driver else "-w"
    subprocess.run([BUILD / "bin" / driver, f"-{level}", "-g", quiet, CONDITIONS, *options, "-o", "prog", name], check=True,
                   cwd=folder, timeout=900)
    subprocess.run([folder / "prog"], cwd=folder, check=True, stdout=subprocess.DEVNULL, timeout=900)
    return folder / "prog.pathprof"


def coverage(pathdump, profile, *options, status=0):
    return pathdump.json("coverage", "--conditions", "--json", *options, profile, status=status)


def decisions(report):
    """By function, the list of its decisions."""
    return {function["name"]: function["decision_list"] for function in report["functions"]}


def vectors(decision):
    return {(vector["values"], vector["outcome"]): vector["count"] for vector in decision["vectors"]}


class Expression:
    """A random boolean expression over the conditions 0 …, from left to right."""

    def __init__(self, rng, size, kinds, first=0):
        self.first, self.size = first, size
        self.kind = "condition" if size == 1 else rng.choice([kind for kind in kinds if size > 2 or kind != "?:"])
        # The compiler evaluates what is not under && and ||, and ?: below a !, as decisions of their own.
        self.negated = self.kind != "?:" and rng.random() < 0.2
        self.before_second = ""  # of ?:, a comma's first operand
        self.operands = []
        if size > 1:
            sizes = [1] * (3 if self.kind == "?:" else 2)
            for _ in range(size - len(sizes)):
                sizes[rng.randrange(len(sizes))] += 1
            for own in sizes:
                self.operands.append(Expression(rng, own, kinds, first))
                first += own

    def text(self):
        if self.kind == "condition":
            text = f"c(v, {self.first})" if self.first % 2 else f"((v & {1 << self.first}) != 0)"
        elif self.kind == "?:":
            a, b, c = (operand.text() for operand in self.operands)
            text = f"({a} ? {self.before_second}{b} : {c})"
        else:
            text = f"({self.operands[0].text()} {self.kind} {self.operands[1].text()})"
        return "!" + text if self.negated else text

    def value(self, assignment, seen):
        """As C evaluates it.  `seen`: by condition whether it was true."""
        def operand(i):
            return self.operands[i].value(assignment, seen)

        if self.kind == "condition":
            result = seen[self.first] = bool(assignment >> self.first & 1)
        elif self.kind == "&&":
            result = operand(0) and operand(1)
        elif self.kind == "||":
            result = operand(0) or operand(1)
        else:
            result = operand(1) if operand(0) else operand(2)
        return result != self.negated

    def outcome(self, values):
        return self.value(sum(value << i for i, value in enumerate(values)), {})


def joined(expression):
    """A ?: as a whole is no decision, and its last operands may be values without a branch: && of the first two instead."""
    if expression.kind == "?:":
        expression.operands, expression.kind = expression.operands[:2], "&&"
        expression.size = sum(operand.size for operand in expression.operands)
    return expression


CONTEXTS = {
    "if": "if ({e}) return 1; return 0;",
    "else": "if ({e}) n++; else n--; return n;",
    "assigned": "int x = {e}; return x;",
    "passed": "return take(n, {e});",
    "returned": "return {e};",
    "while": "while ({e}) {{ n++; break; }} return n;",
    "for": "for (int i = 0; {e}; i++) if (i == 0) v = ~0u << 30; return n;",
    "statement expression": "return ({{ int y = v; take(y, {e}); }});",
}


def model(expression, context, assignments):
    """Executed vectors, which of its conditions are said with the opposite sense set aside: by values of `seen`."""
    counts = collections.Counter()
    for assignment in assignments:
        for _ in range(2):
            seen = {}
            outcome = expression.value(assignment, seen)
            counts[(tuple(seen.get(i) for i in range(expression.size)), outcome)] += 1
            if context != "for" or not outcome:
                break
            assignment = 0
    return counts


def random_functions(rng, name, number, contexts, random_expression):
    """Returns the text of a C or C++ program, and the expression and the expected counts of each of its functions."""
    linkage = 'extern "C" ' if name == "prog.cc" else ""
    text = ["#include <stdbool.h>",
            "static bool __attribute__((noinline)) c(unsigned v, int i) { return v >> i & 1; }",
            "static int __attribute__((noinline)) take(int n, int x) { return n + x; }"]
    calls, expected = [], {}
    for function in (f"f{i}" for i in range(number)):
        context = rng.choice([context for context in contexts if context != "for"])
        expression = random_expression()
        assignments = [rng.randrange(1 << expression.size) for _ in range(rng.randint(0, 30))]
        text.append(f"{linkage}int __attribute__((noinline)) {function}(unsigned v, int n) "
                    f"{{ {contexts[context].format(e=expression.text())} }}")
        calls += [f"s += {function}({assignment}u, {assignment}u);" for assignment in assignments]
        expected[function] = (expression, model(expression, context, assignments))
    text.append("int main(void) { int s = 0; " + "\n".join(calls) + " return s == -12345; }")
    return "\n".join(text), expected


# In C ?: has an integer's value, and is no part of a decision around it.
@pytest.mark.parametrize("level", ["O0", "O2"])
@pytest.mark.parametrize("driver, name, kinds", [("pathprof-gcc", "prog.c", ["&&", "||"]),
                                                 ("pathprof-g++", "prog.cc", ["&&", "||", "?:"])])
@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_random_expressions(tmp_path, pathdump, seed, driver, name, kinds, level):
    rng = random.Random(seed)
    text, expected = random_functions(rng, name, 24, CONTEXTS, lambda: joined(Expression(rng, rng.randint(1, 7), kinds)))
    found = decisions(coverage(pathdump, build_and_run(tmp_path, name, text, level, driver, FLAGS)))
    for function, (expression, counts) in expected.items():
        if expression.size == 1 and not found[function]:
            continue  # a value is assigned without a branch
        assert len(found[function]) == 1, (function, expression.text())
        decision = found[function][0]
        assert decision["measured"], (function, expression.text(), decision)
        assert len(decision["conditions"]) == expression.size, (function, expression.text())
        # Whether a jump's true edge is the condition's, and the decision's the expression's, is the compiler's choice.
        senses = by_sense(decision, counts, expression.size)
        assert senses is not None, (function, expression.text(), vectors(decision), counts)
        shown = [(bool(condition["masking"]), bool(condition["unique_cause"])) for condition in decision["conditions"]]
        assert shown == shown_conditions(expression.size, expression.outcome, list(counts)), (function, expression.text(), shown)


def every_conditional(expression):
    """The ?: in an expression."""
    for operand in expression.operands:
        yield from every_conditional(operand)
    if expression.kind == "?:":
        yield expression


def pairs(counts):
    """How often true and false, as the compiler chooses which is which."""
    return collections.Counter(tuple(sorted(pair)) for pair in counts)


# Where one of the outcomes of && or || has nothing to do, GCC computes a ?: among the operands as a value, in C in most
# other places, too.  Which it is is the compiler's choice.  The decision that tests the value is not measured.  If there is
# none, each condition is counted as often as it was evaluated.
@pytest.mark.parametrize("level", ["O0", "O2"])
@pytest.mark.parametrize("driver, name", [("pathprof-gcc", "prog.c"), ("pathprof-g++", "prog.cc")])
def test_conditionals_among_operands(tmp_path, pathdump, driver, name, level):
    rng = random.Random(7)
    contexts = {**CONTEXTS, "only else": "if ({e}) ; else return 1; return 0;", "empty": "if ({e}) n = n; return n;"}

    def random_expression():
        expression = joined(Expression(rng, rng.randint(3, 8), ["&&", "||", "?:"]))
        for conditional in every_conditional(expression):
            conditional.before_second = rng.choice(["", "take(n, 1), "])
        return expression

    text, expected = random_functions(rng, name, 40, contexts, random_expression)
    found = decisions(coverage(pathdump, build_and_run(tmp_path, name, text, level, driver)))
    num_measured = 0
    for function, (expression, counts) in expected.items():
        what = function, expression.text(), found[function]
        unmeasured = [decision for decision in found[function] if not decision["measured"]]
        assert not unmeasured or list(every_conditional(expression)), what
        if unmeasured:
            continue
        num_measured += 1
        values_of_conditionals = {operand.first for conditional in every_conditional(expression)
                                  for operand in conditional.operands[1:] if operand.kind == "condition"}
        evaluated = [[sum(count for (values, _), count in counts.items() if values[i] is value) for value in (True, False)]
                     for i in range(expression.size) if i not in values_of_conditionals]
        told = [condition["executed"].values() for decision in found[function] for condition in decision["conditions"]]
        assert not pairs(evaluated) - pairs(told), what
        # One more for each ?: and for each of its values, where that is tested again.
        assert len(told) <= expression.size + 3 * len(list(every_conditional(expression))), what
        outcomes = [sum(count for (_, outcome), count in counts.items() if outcome is value) for value in (True, False)]
        assert pairs([outcomes]) <= pairs(decision["outcomes"].values() for decision in found[function]), what
    assert num_measured > 10


CHOICE = """\
__attribute__((noipa)) static int call (int x) { return x; }
static int first (int a, int b, int c) { if (a ? b : c) return 1; return 0; }
static int other (int a, int b, int c) { while (a > 0 ? b > 0 : c > 0) a = b = c = 0; return a; }
static int calls (int a, int b, int c) { if (a ? call (b) > 0 : call (c) > 0) return 1; return 0; }
static int in_or (int a, int b, int c) { if ((a ? !b : call (c)) || (c ? (call (a) && b) : a)) return 1; return 0; }
int main (void) { return first (1, 1, 0) + first (0, 1, 0) + other (1, 1, 0) + other (0, 1, 0) + calls (1, 1, 0) + calls (0, 1, 0)
                         + in_or (1, 1, 0) + in_or (0, 1, 0) == 99; }
"""


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("name", ["prog.c", "prog.cc"])
def test_value_of_a_conditional_is_not_measured(project, level, name):
    """b is never false, and c never true: the decision is not fully covered. In C++, the value is copied before temporaries are destroyed."""
    project.write(name, CHOICE)
    (project.gcc if name == "prog.c" else project.gxx)(level, "-g", "-fplugin-arg-pathprof-conditions=1", name, "-o", "prog")
    project.run("./prog")
    report = json.loads(project.pathdump("coverage", "--conditions", "--json", "prog.pathprof").stdout)
    found = {function["demangled"].split("(")[0]: function["decision_list"] for function in report["functions"]}
    for function in ("first", "other", "calls", "in_or"):
        assert [decision["measured"] for decision in found[function]].count(False) == 1, function
        measured = [decision for decision in found[function] if decision["measured"]]
        assert all(len(decision["conditions"]) == 1 or function == "in_or" for decision in measured)


def by_sense(decision, counts, size):
    """The senses of conditions and outcome with which the vectors are those of the model, or None."""
    found = vectors(decision)
    for outcome in (False, True):
        senses = [None] * size
        if all(match(values, result != outcome, found, count, senses) for (values, result), count in counts.items()) \
                and len(found) == len(counts):
            return senses
    return None


def match(values, outcome, found, count, senses):
    for (text, result), times in found.items():
        if times != count or result != outcome:
            continue
        if any((letter == "-") != (value is None) for letter, value in zip(text, values)):
            continue
        turned = [None if value is None else (letter == "T") != value for letter, value in zip(text, values)]
        if all(a is None or b is None or a == b for a, b in zip(senses, turned)):
            for i, sense in enumerate(turned):
                senses[i] = sense if sense is not None else senses[i]
            return True
    return False


# Joined conditions before ?:, and their two operands.
JOINED = [("n > 0 && m > 0", "n > 0", "m > 0"), ("n > 0 || m > 0", "n > 0", "m > 0"), ("n && m", "n", "m"), ("n || m > 1", "n", "m > 1"),
          ("!(n && m)", "n", "m"), ("!(n > 0 || m > 0)", "n > 0", "m > 0"), ("!n && m", "!n", "m"), ("!!(n && m)", "n", "m"),
          ("n > 0 && !(m > 0)", "n > 0", "!(m > 0)"), ("(n > 0 && m > 0)", "n > 0", "m > 0"),
          ("(n == 1) || same (n, m)", "n == 1", "same (n, m)"), ("n > 0 && same (n, m)", "n > 0", "same (n, m)"),
          ("!(n && !same (n, m))", "n", "!same (n, m)"), ("BOTH (n, m > 0)", "n", "m > 0"), ("!BOTH (n > 0, m)", "n > 0", "m")]
# What fold may exchange, and the condition is turned around then.
ARMS = ["n : twice (n)", "twice (n) : n", "n : n + 1", "n : -m", "n : ~n", "1 : twice (n)", "0 : m * 3 + 4", "n : m", "n : (n = m)",
        "m : p[0]", "p[1] : m", "n : (long) m", "n : !m", "n : (m > n)", "n : (twice (n), m)", "n++ : 4", "3 : n--", "1 : 0", "0 : 1",
        "n : (m ? 7 : twice (m))", "(n) : (twice (n))", "2 : n"]
CHOICES = {"returned": "return {c} ? {a};", "assigned": "int r = {c} ? {a}; return r;", "in parentheses": "return ({c} ? {a});",
           "passed": "return twice ({c} ? {a});", "compound": "n += ({c} ? {a}); return n;", "lines": "return {c}\n  ? {a};",
           "macro": "return CHOOSE ({c}, {a});"}


def in_python(text):
    text = re.sub(r"BOTH \((.*?), (.*?)\)", r"(\1 and \2)", text).replace("same (n, m)", "(n == m)")
    return text.replace("&&", " and ").replace("||", " or ").replace("!", " not ").strip()


def expected_vectors(condition, operands, inputs):
    counts = collections.Counter()
    for n, m in inputs:
        values = [bool(eval(in_python(text), {"n": n, "m": m})) for text in (*operands, condition)]
        is_decided = values[0] == ("||" in condition)
        counts["FT"[values[0]] + ("-" if is_decided else "FT"[values[1]]), values[2]] += 1
    return counts


@pytest.mark.parametrize("level", ["O0", "O2"])
@pytest.mark.parametrize("form", CHOICES)
@pytest.mark.parametrize("driver, name", [("pathprof-gcc", "prog.c"), ("pathprof-g++", "prog.cc")])
def test_conditions_of_exchanged_arms(tmp_path, pathdump, driver, name, form, level):
    """Conditions that have a text have its values, and decisions those of the source, though GCC exchanges the arms."""
    linkage = 'extern "C" ' if name == "prog.cc" else ""
    text = ["#include <stdbool.h>", "#define BOTH(x, y) ((x) && (y))", "#define CHOOSE(x, y) ((x) ? y)",
            "static int __attribute__((noinline)) twice (int x) { return 2 * x; }",
            "static bool __attribute__((noinline)) same (int a, int b) { return a == b; }"]
    inputs = [(n, m) for n in (0, 1, 2) for m in (0, 1) for _ in range(1 + n + 3 * m)]
    functions = [(*joined, arms) for joined in JOINED for arms in ARMS]
    for number, (condition, _, _, arms) in enumerate(functions):
        body = CHOICES[form].format(c=condition, a=arms)
        text.append(f"{linkage}int __attribute__((noipa)) f{number} (int n, int m, int *p)\n{{\n{body}\n}}")
    calls = "\n".join(f"s += f{number} (in[i][0], in[i][1], p);" for number in range(len(functions)))
    text.append(f"int main (void) {{ int s = 0, p[2] = {{5, 6}}, in[{len(inputs)}][2] = {{"
                + ", ".join(f"{{{n}, {m}}}" for n, m in inputs)
                + f"}}; for (int i = 0; i < {len(inputs)}; i++) {{\n{calls}\n}} return s == -12345; }}")
    found = decisions(coverage(pathdump, build_and_run(tmp_path, name, "\n".join(text), level, driver)))
    told = 0
    for number, (condition, first, second, arms) in enumerate(functions):
        of_two = [decision for decision in found[f"f{number}"] if len(decision["conditions"]) == 2]
        if not of_two:
            assert level != "O0"
            continue
        shown = ["".join(c for c in one["text"] if c not in " ()") for one in of_two[0]["conditions"]]
        if shown == ["".join(c for c in operand if c not in " ()") for operand in (first, second)]:
            told += 1
            assert vectors(of_two[0]) == expected_vectors(condition, (first, second), inputs), (condition, arms)
    assert told > len(functions) // 2

# What stands in the source, what it is in Python, and conditions by their texts.
AROUND = [('return a > 1 && has("a)", b) ? 1 : twice (a);', "a > 1 and b > 1", {"a > 1": "a > 1", 'has("a)", b)': "b > 1"}),
          ("return (b > 0 // first; then\n && a > 1) ? 1 : twice (a);", "b > 0 and a > 1", {"b > 0": "b > 0", "a > 1": "a > 1"}),
          ("return // not yet!\n b > 1 && a > 1 ? 1 : twice (a);", "b > 1 and a > 1", {"b > 1": "b > 1", "a > 1": "a > 1"}),
          ("return a > 1 && is (b, ')' - 40) ? 1 : twice (a);", "a > 1 and b == 1", {"a > 1": "a > 1", "is (b, ')' - 40)": "b == 1"}),
          ("return K ? a : twice (a);", "a > 1 and b > 0 or c > 0", {"K: a > 1": "a > 1", "K: b > 0": "b > 0", "K: c > 0": "c > 0"}),
          ("double d = a; return !(d > 1.5) ? 3 : twice (a);", None, {"d > 1.5": "a > 1.5", "!(d > 1.5)": "not a > 1.5"}),
          ("double d = a; return c > 0 && !(d > 1.5) ? 3 : twice (a);", "c > 0 and not a > 1.5",
           {"d > 1.5": "a > 1.5", "!(d > 1.5)": "not a > 1.5", "c > 0": "c > 0"}),
          ("bool r = a > 1 ? a : twice (a); return r;", None, {"a > 1": "a > 1"}),
          ("bool p = a > 1; return 3 + (!(p && is (b, 0)) ? 2 : a);", "not (a > 1 and b == 0)", {"p": "a > 1", "is (b, 0)": "b == 0"}),
          ("return c > 0 && (~a & 1) ? 1 : twice (a);", "c > 0 and a != 1", {"c > 0": "c > 0", "~a & 1": "a != 1"}),
          ("return is (b, 0) && (c > 0 || a > 1) ? 0 : 1;", "b == 0 and (c > 0 or a > 1)",
           {"is (b, 0)": "b == 0", "c > 0": "c > 0", "a > 1": "a > 1"})]


@pytest.mark.parametrize("level", ["O0", "O2"])
@pytest.mark.parametrize("driver, name", [("pathprof-gcc", "prog.c"), ("pathprof-g++", "prog.cc")])
def test_what_stands_around_conditions(tmp_path, pathdump, driver, name, level):
    """Comments, literals, macros and arithmetic around conditions turn nothing around."""
    linkage = 'extern "C" ' if name == "prog.cc" else ""
    text = ["#include <stdbool.h>", "#define K a > 1 && b > 0 || c > 0",
            "bool __attribute__((noipa)) is (int x, int y) { return x == y; }",
            "bool __attribute__((noipa)) has (const char *s, int x) { return x > 1 && s[0]; }",
            "int __attribute__((noipa)) twice (int x) { return 2 * x; }"]
    for number, (body, _, _) in enumerate(AROUND):
        text.append(f"{linkage}int __attribute__((noipa)) f{number} (int a, int b, int c)\n{{\n{body}\n}}")
    calls = " + ".join(f"f{number} (a, b, c)" for number in range(len(AROUND)))
    text.append(f"int main (void) {{ int s = 0; for (int i = 0; i < 24; i++) {{ int a = i % 3, b = i / 3 % 4, c = i / 12; s += {calls}; }} "
                "return s == -12345; }")
    found = decisions(coverage(pathdump, build_and_run(tmp_path, name, "\n".join(text), level, driver)))
    inputs = [{"a": i % 3, "b": i // 3 % 4, "c": i // 12} for i in range(24)]
    told = 0
    for number, (body, whole, conditions) in enumerate(AROUND):
        (decision,) = found[f"f{number}"]
        if whole:
            assert decision["outcomes"]["true"] == sum(bool(eval(whole, {}, values)) for values in inputs), body
        for condition in decision["conditions"]:
            if condition["text"].startswith("condition "):
                continue  # it is not known which one it is
            python = conditions[condition["text"]]
            told += 1
            shares = [bool(eval(python, {}, values)) for values in inputs]
            executed = condition["executed"]
            if sum(executed.values()) == len(inputs):  # else only some of the inputs came to it
                assert executed["true"] == sum(shares), (body, condition["text"])
            else:
                assert sum(shares) >= executed["true"] and shares.count(False) >= executed["false"], (body, condition["text"])
    assert told > 15


def test_nested_ifs_are_two_decisions(tmp_path, pathdump):
    source = """
int f(int a, int b) { if (a) if (b) return 1; return 0; }
int g(int a, int b) { if (a && b) return 1; return 0; }
int main(void) { return f(1, 1) + f(0, 1) + g(1, 0) + g(1, 1) - 2; }
"""
    for level in ("O0", "O1"):
        found = decisions(coverage(pathdump, build_and_run(tmp_path, "prog.c", source, level)))
        assert [len(decision["conditions"]) for decision in found["f"]] == [1, 1]
        assert [len(decision["conditions"]) for decision in found["g"]] == [2]
        assert vectors(found["g"][0]) == {("TF", False): 1, ("TT", True): 1}
        a, b = found["g"][0]["conditions"]
        assert a["masking"] is None and a["missing"] == [{"values": "F-", "outcome": False}]
        assert b["masking"] == b["unique_cause"] == [1, 0] and b["executed"] == {"true": 1, "false": 1}
        (tmp_path / "prog.pathprof").unlink()


def test_masking_and_unique_cause(tmp_path, pathdump):
    # With TTF and FTT of (a && b) || c: unique cause of c fails, as a differs; masking holds.
    source = """
int f(int a, int b, int c) { if ((a && b) || c) return 1; return 0; }
int main(void) { return f(1, 1, 0) + f(0, 1, 1) + f(1, 0, 0) - 2; }
"""
    decision = decisions(coverage(pathdump, build_and_run(tmp_path, "prog.c", source, "O0")))["f"][0]
    assert vectors(decision) == {("TT-", True): 1, ("F-T", True): 1, ("TFF", False): 1}
    a, b, c = decision["conditions"]
    assert a["masking"] is None and a["shows_effect"] == {"true": True, "false": False}
    assert b["masking"] and b["unique_cause"]
    assert c["masking"] and c["unique_cause"] is None


def test_expected_outcomes(tmp_path, pathdump):
    source = """
int f(int a, int b) { if (__builtin_expect(a && b, 0)) return 1; return 0; }
int main(void) { return f(1, 1) + f(1, 0) + f(0, 1) - 1; }
"""
    for level in ("O0", "O1"):
        found = decisions(coverage(pathdump, build_and_run(tmp_path, "prog.c", source, level)))["f"]
        assert [vectors(decision) for decision in found] == [{("TT", True): 1, ("TF", False): 1, ("F-", False): 1}]
        (tmp_path / "prog.pathprof").unlink()


def test_text(tmp_path, pathdump):
    source = """int f(int a, int b)
{
  if (a > 0 && b)
    return 1;
  return 0;
}
int main(void) { return f(1, 1) + f(1, 0) - 1; }
"""
    profile = build_and_run(tmp_path, "prog.c", source, "O0")
    text = pathdump("coverage", "--conditions", profile).stdout
    (line,) = [line for line in text.splitlines() if line.startswith("prog.c:3.6 in f: 1 of 2 conditions")]
    assert re.search(r"\btrue 1 time\b.*\bfalse 1 time\b", line)
    assert "missing F- gives F" in text and "TT gives T, TF gives F" in text and "same vectors" in text
    assert "a > 0" in text
    assert "executions  vector  outcome" not in text
    assert "executions  vector  outcome" in pathdump("coverage", "--conditions", "--vectors", profile).stdout
    pathdump("coverage", "--conditions", "--fail-under", "50", profile)
    pathdump("coverage", "--conditions", "--fail-under", "51", profile, status=1)


COUPLED = """#define IS(x) ((x)->on)
struct box { int on; volatile int live; };
static int reads;
__attribute__((noipa)) static int next (void) { return reads++ & 1; }
#define F __attribute__((noipa)) static int
F opposite (int closed, int e, int f) { if ((closed && !e) || (!closed && f)) return 1; return 0; }
F same (int a, int b) { if (a > 1 || (b && 1 < a)) return 1; return 0; }
F inverse (int a, int b, int c) { if ((a < b && c) || (a >= b && !c)) return 1; return 0; }
F nans (double a, double b, int c) { if ((a < b && c) || (a >= b && !c)) return 1; return 0; }
F equal (double a, double b, int c) { if ((a == b && c) || (a != b && !c)) return 1; return 0; }
F zero (int *p, int c) { if ((p && c) || (p == 0 && !c)) return 1; return 0; }
F called (int c) { if ((next () && c) || (!next () && !c)) return 1; return 0; }
F stepped (int *p, int c) { if ((*p++ && c) || (!*p++ && !c)) return 1; return 0; }
F assigned (int x, int c) { if ((x && c) || ((x = c) && !x)) return 1; return 0; }
F live (struct box *p, int c) { if ((p->live && c) || (!p->live && !c)) return 1; return 0; }
F arguments (struct box *p, struct box *q, int c) { if ((IS (p) && c) || (!IS (q) && !c)) return 1; return 0; }
F argument (struct box *p, int c) { if ((IS (p) && c) || (!IS (p) && !c)) return 1; return 0; }
int main (void)
{
  int some[4] = {0};
  struct box b = {0, 0}, d = {1, 0};
  opposite (0, 0, 1); same (0, 1); inverse (1, 2, 0); nans (1, 2, 0); equal (1, 1, 0); zero (0, 1); called (1); stepped (some, 1);
  assigned (0, 0); live (&b, 1); arguments (&b, &d, 1); argument (&b, 1);
  return 0;
}
"""
# By function: (condition, coupled condition, opposite), of conditions numbered from 0.
COUPLINGS = {"opposite": (0, 2, True), "same": (0, 2, False), "inverse": (0, 2, True), "nans": None, "equal": (0, 2, True), "zero": (0, 2, True),
             "called": None, "stepped": None, "assigned": None, "live": None, "arguments": None, "argument": (0, 2, True)}


@pytest.mark.parametrize("name", ["prog.c", "prog.cc"])
def test_coupled_conditions(tmp_path, pathdump, name):
    """Regression 7: a suggested vector respects conditions that test the same thing; with side effects none are coupled."""
    profile = build_and_run(tmp_path, name, COUPLED, "O0", "pathprof-gcc" if name == "prog.c" else "pathprof-g++")
    told = {function["demangled"].split("(")[0]: function["decision_list"] for function in coverage(pathdump, profile)["functions"]}
    for function, coupling in COUPLINGS.items():
        (decision,) = told[function]
        found = {(i, one["condition"], one["opposite"]) for i, condition in enumerate(decision["conditions"]) for one in condition["coupled"]}
        pairs = {(min(i, j), max(i, j), is_opposite) for i, j, is_opposite in found if {i, j} != {1, 3}}
        assert pairs == ({coupling} if coupling else set()), function
        for condition in decision["conditions"]:
            for suggestion in [condition["missing"], *condition["alternatives"]]:
                for vector in suggestion:
                    for one, other, is_opposite in found:
                        values = vector["values"][one] + vector["values"][other]
                        assert "-" in values or (values[0] != values[1]) == is_opposite, (function, condition, vector)
    first, _, third, last = told["opposite"][0]["conditions"]
    assert third["can_be_shown"] == {"masking": True, "unique_cause": False}
    assert [[vector["values"] for vector in vectors] for vectors in [last["missing"], *last["alternatives"]]] == [["F-TF"]]
    assert {vector["values"] for vectors in [third["missing"], *third["alternatives"]] for vector in vectors} == {"TFF-"}
    assert first["can_be_shown"]["masking"]
    never = told["same"][0]["conditions"][2]
    assert never["missing"] == never["alternatives"] == [] and never["can_be_shown"]["masking"] is False
    text = pathdump("coverage", "--conditions", profile).stdout
    assert re.search("cannot be shown: .*condition 1 always has the same value as condition 3", text)
    assert re.search("impossible: .*condition 1 always has the opposite value of condition 3", text)


def test_alternatives(tmp_path, pathdump):
    """Regression 7: if several vectors would do, they are listed."""
    source = """
int f(int a, int b, int c, int d) { if ((a || b) && (c || d)) return 1; return 0; }
int main(void) { return f(1, 0, 0, 0); }
"""
    profile = build_and_run(tmp_path, "prog.c", source, "O0")
    conditions = decisions(coverage(pathdump, profile))["f"][0]["conditions"]
    assert conditions[3]["missing"] == [{"values": "T-FT", "outcome": True}]
    assert conditions[3]["alternatives"] == [[{"values": "FTFT", "outcome": True}]]
    assert "missing T-FT gives T or FTFT gives T" in pathdump("coverage", "--conditions", profile).stdout
    page = tmp_path / "page.html"
    pathdump("html", "-o", page, profile)
    shown = Page(page.read_text(encoding="utf-8")).unpack("function", "f")["decisions"][0]["conditions"]
    assert shown[3]["alternatives"] == " or FTFT gives T"


def test_wrong_use(tmp_path, pathdump):
    profile = build_and_run(tmp_path, "prog.c", "int main(void) { return 0; }\n", "O0")
    assert "--conditions" in pathdump("coverage", "--vectors", profile, status=2).stderr
    assert "--missing" in pathdump("coverage", "--conditions", "--missing", profile, status=2).stderr
    source = "int f(int a, int b) { return a && b; }\nint main(void) { return f(1, 0); }\n"
    (tmp_path / "late.c").write_text(source)
    subprocess.run([BUILD / "bin/pathprof-gcc", "-O1", "-o", "late", "late.c"], check=True, cwd=tmp_path)
    subprocess.run([tmp_path / "late"], check=True, cwd=tmp_path)
    assert "stage=source" in pathdump("coverage", "--conditions", "late.pathprof", status=2).stderr
    refused = subprocess.run([BUILD / "bin/pathprof-gcc", "-O1", CONDITIONS, "-fplugin-arg-pathprof-stage=early", "-c", "late.c"],
                             cwd=tmp_path, capture_output=True, text=True, check=False)
    assert refused.returncode != 0 and "stage=source" in refused.stderr


def test_merged_operands_are_not_measured(tmp_path, pathdump):
    source = """
int f(int a, int b) { if (a && b) return 1; return 0; }
int main(void) { return f(1, 1) + f(1, 0) - 1; }
"""
    (tmp_path / "prog.c").write_text(source)
    subprocess.run([BUILD / "bin/pathprof-gcc", "-O2", "-g", "-fplugin-arg-pathprof-stage=source", "-o", "prog", "prog.c"],
                   check=True, cwd=tmp_path)
    subprocess.run([tmp_path / "prog"], check=True, cwd=tmp_path)
    report = coverage(pathdump, tmp_path / "prog.pathprof")
    decision = decisions(report)["f"][0]
    assert not decision["measured"] and "without a branch" in decision["reason"]
    assert report["total"]["not_measured"] == 1 and report["total"]["conditions"] == 0
    assert report["total"]["share"] == 100
    assert re.search("not measured: .*without a branch",
                     pathdump("coverage", "--conditions", tmp_path / "prog.pathprof").stdout)


def test_loop_inside_is_not_measured(tmp_path, pathdump):
    source = """
int f(int a, int n) {
  if (a && ({ int s = 0; for (int i = 0; i < n; i++) s += i; s; }) && n != 4)
    return 1;
  return 0;
}
int main(void) { return f(1, 3) + f(0, 3) + f(1, 0) - 1; }
"""
    found = decisions(coverage(pathdump, build_and_run(tmp_path, "prog.c", source, "O0")))["f"]
    by_size = {len(decision["conditions"]): decision for decision in found}
    assert not by_size[3]["measured"] and "paths start or end" in by_size[3]["reason"]
    assert by_size[1]["measured"] and sum(vectors(by_size[1]).values()) == 5


def test_constants_are_no_conditions(tmp_path, pathdump):
    source = """
enum { DEBUG = 0, ON = 1 };
int f(int a, int b) { if (a && (ON || b) && !DEBUG) return 1; return 0; }
int main(void) { return f(1, 1) + f(0, 1) - 1; }
"""
    decision = decisions(coverage(pathdump, build_and_run(tmp_path, "prog.c", source, "O0")))["f"][0]
    assert decision["measured"]
    assert all(condition["executed"]["true"] for condition in decision["conditions"])


def test_copies_of_finally_and_exceptions(tmp_path, pathdump):
    source = """
#include <stdexcept>
#include <string>
struct Guard { bool &a; int &n; ~Guard() { if (a && n > 1) n = 0; } };
bool check(int x) { if (x == 3) throw std::runtime_error("three"); return x & 1; }
template <typename T> int g(T x, T y) { try { if (check(x) && (y > 0 || check(y))) return 1; } catch (const std::exception &) { return 2; } return 0; }
int f(bool a, int n) { Guard guard{a, n}; if (n == 5) throw 5; return n; }
int main() {
  int s = g(1, 1) + g(2, 1) + g(3, 0) + g(1, -2) + g<long>(1, 1);
  try { s += f(true, 5); } catch (int) { s++; }
  s += f(true, 2) + f(false, 2) + f(true, 1);
  std::string t = "x";
  if (t.size() > 0 && t + "y" == std::string("xy")) s++;
  return s == -1;
}
"""
    found = decisions(coverage(pathdump, build_and_run(tmp_path, "prog.cc", source, "O0", "pathprof-g++")))
    g = next(decision for decision in found["_Z1gIiEiT_S0_"] if len(decision["conditions"]) == 3)
    # g(3, 0) throws while the first condition is evaluated: no vector.
    assert vectors(g) == {("TT-", True): 1, ("F--", False): 1, ("TFF", False): 1}
    guard = next(decision for decision in found["_ZN5GuardD2Ev"] if len(decision["conditions"]) == 2)
    assert vectors(guard) == {("TT", True): 2, ("F-", False): 1, ("TF", False): 1}
    main = next(decision for decision in found["main"] if len(decision["conditions"]) == 2)
    assert vectors(main) == {("TT", True): 1}
    assert [len(decision["conditions"]) for decision in found["main"]] == [2]  # the stored outcome is no other decision


MADE_BY_FRONT_END = """
#include <new>
#include <typeinfo>
struct A { int a; A (int n) : a (n) {} virtual ~A () {} virtual int v () { return 1; } int p () { return 2; } };
struct B { int b; virtual ~B () { b = 0; } };
struct C : A, B { C () : A (1) {} };
struct V : virtual B { int c; };
struct E { int x; E () : x (1) { } ~E () { x = 0; } };
#define GONE(x) delete x
int make (int n) { if (n < 0) throw n; return n; }
int local (int n) { static int one = make (n); thread_local int other = make (n); return one + other; }
int member (A *a, int (A::*f) ()) { return (a->*f) (); }
void gone (A *a) { delete a; }
void gone_by_macro (A *a) { GONE (a); }
void arrays (int n) { E *e = new E[n]; delete[] e; E own[2]; (void) own; }
A *fresh () { return new (std::nothrow) A (3); }
B *up (C *c) { return c; }
B *virtual_up (V *v) { B *b; b = v; return b; }
C *down (B *b) { return static_cast<C *> (b); }
C *find (A *a) { return dynamic_cast<C *> (a); }
C &find_there (A &a) { return dynamic_cast<C &> (a); }
const char *name (A *a) { return typeid (*a).name (); }
int user_if (A *a) { if (dynamic_cast<C *> (a)) return 1; return 0; }
int user_choice (A *a) { return dynamic_cast<C *> (a) ? 1 : 0; }
int user_null (A *a) { if (a) delete a; return 0; }
B *user_pointers (B *b, C *c) { B *first = c ? c : b;
  return first
           ? first : b; }
int user_loop (E *e, int n) { int sum = 0; for (E *at = e; at != e + n; at++) sum += at->x; return sum; }
bool enabled (const char *name, int n) { return name[0] == 'u' && n; }
int user_name (int n) { if (enabled (__func__, n)) return 1; return 0; }
int user_type (A *a) { if (typeid (C) == typeid (*a)) return 1; return 0; }
int user_comma (A *a, int n) { if (delete a, n > 3) return 1; return 0; }
int user_value (int n) { if (({ int m = n; m; }) > 1) return 1; return 0; }
int main () {
  C c; V v; A a (1); E e[2];
  local (1); member (&a, &A::v); member (&a, &A::p); gone (new A (1)); gone_by_macro (nullptr); arrays (2); gone (fresh ());
  up (&c); virtual_up (&v); down (up (&c)); find (&a); find_there (c); name (&a);
  user_if (&c); user_choice (&a); user_null (nullptr); user_pointers (&v, &c); user_name (1); user_type (&c); user_comma (new A (1), 2); user_loop (e, 2); user_value (1);
}
"""


@pytest.mark.parametrize("level", ["O0", "O1", "O2"])
def test_what_the_front_end_tests_is_no_decision(tmp_path, pathdump, level):
    report = coverage(pathdump, build_and_run(tmp_path, "prog.cc", MADE_BY_FRONT_END, level, "pathprof-g++"))
    sizes = {function["demangled"].partition("(")[0]: [len(decision["conditions"]) for decision in function["decision_list"]]
             for function in report["functions"] if Path(function["file"]).name == "prog.cc" and function["decision_list"]}
    assert sizes == {"make": [1], "user_if": [1], "user_choice": [1, 1],  # of a ?:, the cast's own test is not told apart
                     "user_null": [1], "user_pointers": [1, 1], "enabled": [2], "user_name": [1], "user_type": [1],
                     "user_comma": [1], "user_loop": [1], "user_value": [1]}


@pytest.mark.parametrize("level, options", [("O0", ["-fdeclone-ctor-dtor"]),
                                            ("Os", ["-fplugin-arg-pathprof-stage=source", "-fplugin-arg-pathprof-conditions=1"])])
def test_constructors_of_virtual_bases_are_no_decisions(tmp_path, pathdump, level, options):
    source = """struct B { int v; B(int x) : v(x) {} ~B() { v = 0; } };
struct D : virtual B { D(int x) : B(x) { if (x) v++; } ~D() { v = 1; } };
struct E : D { E(int x) : B(x), D(x) {} };
int main() { D d(1); E e(2); return d.v + e.v == 0; }
"""
    profile = build_and_run(tmp_path, "prog.cc", source, level, "pathprof-g++", options)
    report = coverage(pathdump, profile)
    assert [(decision["line"], [condition["text"] for condition in decision["conditions"]])
            for function in report["functions"] for decision in function["decision_list"]] == [(2, ["x"])]


FORTRAN = """program p
  logical :: a
  integer :: i, n
  n = 0
  do i = 1, 4
    a = i > 1
    if (a .and. mod(i, 2) == 0) n = n + 1
    if (i > 3 .or. i < 2) n = n + 1
  end do
  print *, n
end program
"""


def test_what_somebody_wrote_in_functions_that_the_compiler_makes(tmp_path, pathdump):
    """Initialisers of objects and members, and the bodies of coroutines, are in functions that nobody wrote."""
    source = """#include <coroutine>
struct Task { struct promise_type {
  Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
  std::suspend_never initial_suspend() { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; }
  void return_void() {} void unhandled_exception() {} };
  std::coroutine_handle<promise_type> h; };
struct Wait { int v; bool await_ready() { return v != 2; } void await_suspend(std::coroutine_handle<>) {} int await_resume() { return v; } };
int sum;
int id(int x) { return x; }
bool global = id(1) > 0 && id(0);
inline int chosen = id(2) ? 7 : 8;
thread_local int own = id(3) > 2 || global;
struct Member { bool b = id(sum) > 100 || global; };
Task task(int a, int b) {
  while (co_await Wait{a} > sum && b < 9) sum++;
  if (b > 2) sum++;
}
int main() { for (int i = 0; i < 4; i++) task(i, i + 1).h.destroy(); Member m; return sum + m.b + chosen + own == -1; }
"""
    profile = build_and_run(tmp_path, "prog.cc", source, "O0", "pathprof-g++", ["-std=c++20"])
    told = sorted((decision["line"], tuple(condition["text"] for condition in decision["conditions"]), *decision["outcomes"].values())
                  for function in decisions(coverage(pathdump, profile)).values() for decision in function)
    member = told.pop(3)
    assert told == [(11, ("id(1) > 0", "id(0)"), 0, 1), (12, ("id(2)",), 1, 0), (13, ("id(3) > 2", "global"), 1, 0),
                    (16, ("co_await Wait{a} > sum", "b < 9"), 3, 3), (17, ("b > 2",), 1, 2), (19, ("i < 4",), 4, 1)]
    assert member[0] == 14 and len(member[1]) == 2 and member[2:] == (0, 1)


@pytest.mark.skipif(not shutil.which("gfortran"), reason="needs gfortran")
def test_fortran(tmp_path, pathdump):
    found = decisions(coverage(pathdump, build_and_run(tmp_path, "prog.f90", FORTRAN, "O0", "pathprof-gfortran")))
    # gfortran evaluates both operands, where that has no side effects.
    merged = [decision for decision in found["MAIN__"] if not decision["measured"]]
    assert len(merged) == 2 and all("without a branch" in decision["reason"] for decision in merged)
    loop = [decision for decision in found["MAIN__"] if decision["measured"]]
    assert [sum(vectors(decision).values()) for decision in loop] == [5]


ADA = """procedure Prog is
   Stop : exception;
   Number : Integer := 0;

   function Check (X : Integer) return Boolean is
   begin
      if X = 9 then
         raise Stop;
      end if;
      return X mod 2 = 1;
   end Check;

   function Either (A, B, C : Boolean) return Boolean is ((A and then B) or else C);

   function Called (X, Y : Integer) return Integer is
   begin
      if Check (X) and then not Check (Y) then
         return 1;
      end if;
      return 0;
   exception
      when Stop => return 2;
   end Called;

   function Steps (Limit : Integer) return Integer is
      I : Integer := 0;
   begin
      while I < Limit and then (I < 3 or else Limit > 7) loop
         I := I + 1;
      end loop;
      return I;
   end Steps;

   function Both (A, B : Boolean) return Integer is (if A and B then 1 else 0);
begin
   Number := Number + Boolean'Pos (Either (True, True, False)) + Boolean'Pos (Either (True, False, True));
   Number := Number + Boolean'Pos (Either (False, True, False));
   Number := Number + Called (1, 2) + Called (1, 3) + Called (2, 2) + Called (9, 2) + Called (1, 9);
   Number := Number + Steps (2) + Steps (5) + Both (True, False) + Both (False, True);
   if Number = 0 then
      raise Program_Error;
   end if;
end Prog;
"""

D = """import core.exception;

class Stop : Exception { this() { super("stop"); } }
struct Guard { bool* seen; int n; ~this() { if (*seen && n > 1) *seen = false; } }

bool check(int x) { if (x == 9) throw new Stop; return x % 2 == 1; }

extern (C) int either(bool a, bool b, bool c) { if ((a && b) || c) return 1; return 0; }

extern (C) int called(int x, int y) {
  try { if (check(x) && !check(y)) return 1; } catch (Stop) { return 2; }
  return 0;
}

extern (C) int steps(int limit) {
  int i = 0;
  while (i < limit && (i < 3 || limit > 7)) i++;
  return i;
}

extern (C) bool assigned(bool a, bool b) { bool r = a || b; return r; }

int main() {
  bool seen = true;
  int n = either(true, true, false) + either(true, false, true) + either(false, true, false);
  n += called(1, 2) + called(1, 3) + called(2, 2) + called(9, 2) + called(1, 9);
  n += steps(2) + steps(5) + assigned(true, false) + assigned(false, false);
  { auto guard = Guard(&seen, 2); n++; }
  return n == 0;
}
"""
# The same in both: by function the vectors of its one decision.  What an exception leaves has none.
SHORT_CIRCUITS = {
    "either": {("TT-", True): 1, ("TFT", True): 1, ("F-F", False): 1},
    "called": {("TT", True): 1, ("TF", False): 1, ("F-", False): 1},  # the second condition is `not Check (Y)`
    "steps": {("TT-", True): 5, ("F--", False): 1, ("TFF", False): 1},
}


def check_short_circuits(found, expected_vectors):
    for function, expected in expected_vectors.items():
        largest = max(found[function], key=lambda decision: len(decision["conditions"]))
        assert largest["measured"]
        assert vectors(largest) == expected, function


@pytest.mark.skipif(not shutil.which("gnatmake-12"), reason="needs gnat-12")
def test_ada(tmp_path, pathdump):
    profile = build_and_run(tmp_path, "prog.adb", ADA, "O0", "pathprof-gnatmake-12")
    found = {name.split("__")[1].split(".")[0]: list_ for name, list_ in decisions(coverage(pathdump, profile)).items() if "__" in name}
    check_short_circuits(found, SHORT_CIRCUITS)
    # `and` evaluates both sides: one condition to the compiler.
    assert all(not decision["measured"] or len(decision["conditions"]) == 1 for decision in found["both"])


def test_d(tmp_path, pathdump):
    version = subprocess.run([GCC, "-dumpversion"], capture_output=True, text=True, check=True).stdout.split(".")[0].strip()
    if not shutil.which(f"gdc-{version}"):
        pytest.skip(f"needs gdc-{version}")
    profile = build_and_run(tmp_path, "prog.d", D, "O0", f"pathprof-gdc-{version}")
    found = decisions(coverage(pathdump, profile))
    # The compiler tests whether the loop ends, so true and false are turned around (doc/limits.md).
    turned = {"steps": {(values.translate(str.maketrans("TF", "FT")), not outcome): count
                        for (values, outcome), count in SHORT_CIRCUITS["steps"].items()}}
    check_short_circuits(found, {**SHORT_CIRCUITS, **turned})
    assert [vectors(decision) for decision in found["assigned"]] == [{("T-", True): 1, ("FF", False): 1}]
    guard = next(decision for name, list_ in found.items() if "Guard" in name for decision in list_)
    assert vectors(guard) == {("TT", True): 1}


def test_cuts_avoid_decisions(tmp_path, pathdump):
    lines = "\n".join(f"  if (a & {1 << i} && b & {1 << i}) n += {i + 1};" for i in range(12))
    source = f"int f(int a, int b) {{ int n = 0;\n{lines}\n  return n; }}\nint main(void) {{ return f(21, 13) + f(3, 7) == 0; }}\n"
    profile = build_and_run(tmp_path, "prog.c", source, "O0", options=("-fplugin-arg-pathprof-paths-max=100",))
    report = coverage(pathdump, profile)
    found = decisions(report)["f"]
    assert len(found) == 12 and all(decision["measured"] for decision in found)
    for i, decision in enumerate(found):
        expected = collections.Counter()
        for a, b in ((21, 13), (3, 7)):
            first, second = bool(a >> i & 1), bool(b >> i & 1)
            expected[(("T" if first else "F") + ("-" if not first else "T" if second else "F"), first and second)] += 1
        assert vectors(decision) == dict(expected)


def test_the_switch_off_is_neutral(tmp_path):
    (tmp_path / "prog.c").write_text("int f(int a, int b) { return a && b; }\n")
    command = [BUILD / "bin/pathprof-gcc", "-O2", "-c", "prog.c", "-fplugin-arg-pathprof-stage=source"]
    subprocess.run([*command, "-o", "a.o"], check=True, cwd=tmp_path)
    subprocess.run([*command, "-fplugin-arg-pathprof-conditions=0", "-o", "b.o"], check=True, cwd=tmp_path)
    for name in "ab":
        subprocess.run(["objcopy", "-O", "binary", "-j", ".text", f"{name}.o", name], check=True, cwd=tmp_path)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes() != b""


COMBINED = """
#define OUT(x) ((x) < LEAST || (x) > 100)
#define LEAST 0
#define likely(x) __builtin_expect (!!(x), 1)
enum { NONE = 1 };
struct pair { char a, b; unsigned c: 3, d: 5; };
volatile int sink;
#define F __attribute__((noipa)) int
F range (int v) { if (v < 0 || v > 100) return 1; return 0; }
F negated (int v) { if (!(v >= 5 && v <= 9)) return 1; return 0; }
F in_macro (int v, int w) { while (w-- && OUT (v)) v++; return v; }
F ends_in_macro (int v) { return v != NONE && v != LEAST ? 3 : 4; }
F bytes (struct pair *p) { if (p->a == 1 && p->b == 2) return 1; return 0; }
F bits (struct pair *p, int v) { if (v && (p->c == 1 && p->d == 2)) return 1; return 0; }
F expected (int v) { if (likely (v == 4 || v == 5)) return 1; return 0; }
F same_limit (int v) { if (v < 0 || v > 0) return 1; return 0; }
F two_values (int v, int w) { if (v == 0 && w == 0) return 1; return 0; }
F and_constant (int v) { if (v && 1) return 1; return 0; }
F and_constant_size (int v) { if (v > 3 && sizeof (long) >= 4) return 1; return 0; }
F and_enumerator (int v) { if (v && NONE) return 1; return 0; }
F single (int v, int w) { if (v > 3) return 1; if (w & 4) return 2; return 0; }
F apart (int v, int w) { if (v > 3 && w) return 1; if (w || v > 8) return 2; return 0; }
int main (void)
{
  struct pair p = {1, 2, 3, 4};
  for (int v = 1; v < 300; v += 7)
    sink = range (v) + negated (v) + in_macro (v, 2) + ends_in_macro (v) + bytes (&p) + bits (&p, v & 1) + expected (v) + same_limit (v)
           + two_values (v, v & 1) + and_constant (v) + and_constant_size (v) + and_enumerator (v) + single (v, v) + apart (v, v & 2);
  return 0;
}
"""
COMBINED_IN_CXX = """
volatile int sink;
template <typename T> __attribute__((noipa)) int range_of (T v) { if (v < T (0) || v > T (9)) return 1; return 2; }
template <int N> __attribute__((noipa)) int and_constant (int v) { if (v && N) return 1; return 2; }
struct pair
{
  int n; char a, b;
  __attribute__((noipa)) int member () { if (n < 0 or n > 9) return 1; return 2; }
  __attribute__((noipa)) int bytes () { if (a == 1 && b == 2) return 1; return 2; }
  __attribute__((noipa)) int captured (int v) { auto is = [&] { if (v == 1 || v == 2) return true; return n > 3; }; return is (); }
  __attribute__((noipa)) int long_line (int v) { /*                                            */ if (v > 9 && !(this->n >= 3 and this->n <= 4)) return 1; return 2; }
};
__attribute__((noipa)) int reference (const int &v) { if (sink < v && (v < 0 || v > 9)) return 1; return 2; }
__attribute__((noipa)) int apart (bool a, bool b) { if (a && b) return 1; if (a || !b) return 2; return 3; }
int main () { pair p{1, 2, 3}; sink = range_of (1) + range_of (1.5) + and_constant<4> (1) + p.member () + p.bytes () + p.captured (3) + p.long_line (9)
                                      + reference (3) + apart (sink, true); }
"""


@pytest.mark.parametrize("driver, name, text", [("pathprof-gcc", "prog.c", COMBINED), ("pathprof-g++", "prog.cc", COMBINED_IN_CXX)],
                         ids=["C", "C++"])
def test_combined_conditions_are_not_measured(tmp_path, pathdump, driver, name, text):
    """When optimising, front ends combine conditions: their values are unknown, and the decision must not count as one with fewer conditions."""
    found = {}
    (tmp_path / name).write_text(text)
    for level in ("-O0", "-O2"):
        subprocess.run([BUILD / "bin" / driver, level, "-g", "-fplugin-arg-pathprof-conditions=1", "-o", "prog", name], check=True, cwd=tmp_path)
        subprocess.run([tmp_path / "prog"], check=True, cwd=tmp_path, env={**os.environ, "PATHPROF_FILE": f"prog{level}.pathprof"})
        found[level] = {(function["demangled"], decision["line"], decision["column"]): decision
                        for function in coverage(pathdump, tmp_path / f"prog{level}.pathprof")["functions"] for decision in function["decision_list"]}
    assert all(decision["measured"] for decision in found["-O0"].values())
    combined = {re.split("::| ", place[0].split("(")[0])[-1] for place, decision in found["-O2"].items() if not decision["measured"]}
    of_fields = {"bytes", "bits"}  # since GCC 15, only later passes combine comparisons of adjacent fields
    assert combined | of_fields == ({"range", "negated", "in_macro", "ends_in_macro", *of_fields, "expected", "same_limit", "two_values"}
                                    if name == "prog.c" else {"range_of<int>", "member", *of_fields, "captured", "long_line", "reference"})
    for place, decision in found["-O2"].items():
        if decision["measured"]:
            assert len(decision["conditions"]) == len(found["-O0"][place]["conditions"]), place
