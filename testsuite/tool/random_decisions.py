# SPDX-License-Identifier: GPL-3.0-or-later
"""Random decisions in C or C++ with much negation, and the vectors that an interpreter of the decisions finds.

By hand: random_decisions.py BUILD [--number N] [--seed S] [--language c|c++] [--verbose] compiles N decisions, and prints how many
conditions have no text, and how many decisions have vectors that are not those of the source.
"""

import argparse
import collections
import copy
import itertools
import json
import random
import re
import subprocess
import tempfile
from pathlib import Path

NUM_VARIABLES = 6
RUNS = 12
HEAD = """
#define GT(x, y) ((x) > (y))
#define NZ(x) ((x) != 0)
#define NOT(x) (!(x))
#define SAME(x) (x)
#define LIKELY(x) __builtin_expect (!!(x), 1)
#define BOTH(x, y) ((x) && (y))
#define EITHER(x, y) ((x) || (y))
#define IN(x, low, high) ((x) >= (low) && (x) <= (high))
#define NEITHER(x, y) (!((x) || (y)))
struct flags { unsigned one : 1; bool truth; int number; };
__attribute__ ((noipa)) static int same (int x) { return x; }
__attribute__ ((noipa)) static bool above (int x) { return x > 1; }
static volatile int seen;
"""


class Leaf:
    """A condition: its text, its value for values of the variables, and the use of a macro that may be shown in place of its text, with
    whether that is the opposite."""

    def __init__(self, text, value, use="", is_opposite=False):
        self.text, self.value, self.use, self.is_opposite = text, value, use, is_opposite
        self.operands = []  # none, so that leaves_of() recognises it

    def evaluate(self, values, vector):
        result = bool(self.value(values))
        vector.append((self.text, result))
        return result


class Not:
    def __init__(self, operand):
        self.operand, self.operands = operand, [operand]

    def evaluate(self, values, vector):
        return not self.operand.evaluate(values, vector)


class Joined:
    def __init__(self, is_and, operands):
        self.is_and, self.operands = is_and, operands

    def evaluate(self, values, vector):
        for operand in self.operands:
            if operand.evaluate(values, vector) != self.is_and:
                return not self.is_and
        return self.is_and


class Choice:
    def __init__(self, operands):
        self.operands = operands

    def evaluate(self, values, vector):
        return self.operands[1 if self.operands[0].evaluate(values, vector) else 2].evaluate(values, vector)


class Generator:
    """Makes (text, tree) pairs.  Each variable is v0, v1 ..., whose value is 0 to 3."""

    def __init__(self, rng, is_cxx, has_choices):
        self.rng, self.is_cxx, self.has_choices = rng, is_cxx, has_choices

    def variable(self):
        i = self.rng.randrange(NUM_VARIABLES)
        return f"v{i}", i

    def leaf(self):
        (x, i), (y, j) = self.variable(), self.variable()
        while j == i:
            y, j = self.variable()
        k = self.rng.randrange(3)
        return self.rng.choice([
            (x, lambda v: v[i]), (x, lambda v: v[i]), (x, lambda v: v[i]), (f"{x} > {k}", lambda v: v[i] > k), (f"{x} == {y}", lambda v: v[i] == v[j]),
            (f"{x} != {k}", lambda v: v[i] != k), (f"{x} <= {y}", lambda v: v[i] <= v[j]), (f"{k} < {x}", lambda v: k < v[i]),
            (f"{x} == 0", lambda v: v[i] == 0), (f"({x} & 1)", lambda v: v[i] & 1), (f"({x} & 2) == 0", lambda v: not v[i] & 2), (f"{x} + {y}", lambda v: v[i] + v[j]),
            (f"{x} - {y}", lambda v: v[i] - v[j]), (f"{x} % 2", lambda v: v[i] % 2), (f"{x} % 2 == 1", lambda v: v[i] % 2 == 1),
            (f"({x} ^ {y})", lambda v: v[i] ^ v[j]), (f"same ({x})", lambda v: v[i]), (f"above ({x})", lambda v: v[i] > 1), (f"same ({x}) == {k}", lambda v: v[i] == k),
            (f"(bool) {x}", lambda v: v[i]), (f"(char) {x}", lambda v: v[i]), (f"*(p + {i})", lambda v: v[i]), (f"p[{i}]", lambda v: v[i]), (f"p[{i}] >= {k}", lambda v: v[i] >= k),
            ("f->one", lambda v: v[0] & 1), ("f->truth", lambda v: v[1] > 1), ("f->number", lambda v: v[2]), (f"f->number < {k}", lambda v: v[2] < k),
            (f"(seen = {x})", lambda v: v[i]), (f"(seen = {x}) > {k}", lambda v: v[i] > k), (f"(seen = 1, {x})", lambda v: v[i]),
            (f"d > {k}.5", lambda v: v[3] > k + 0.5), ("d", lambda v: v[3]), (f"~{x} & 1", lambda v: ~v[i] & 1), (f"-{x} < {y}", lambda v: -v[i] < v[j])])

    def plain(self):
        text, value = self.leaf()
        return text, Leaf(text, value)

    # What a macro makes has the text of its definition; an argument has its own.
    def macro(self):
        (x, i), (y, j) = self.variable(), self.variable()
        while j == i:
            y, j = self.variable()
        one, other = self.plain(), self.plain()
        same, not_, likely = f"SAME ({one[0]})", f"NOT ({one[0]})", f"LIKELY ({one[0]})"
        return self.rng.choice([
            (f"GT ({x}, {y})", Leaf("(x) > (y)", lambda v: v[i] > v[j], f"GT ({x}, {y})")), (f"NZ ({x})", Leaf("(x) != 0", lambda v: v[i] != 0, f"NZ ({x})")),
            (same, Leaf(one[0], one[1].value, same)), (not_, Not(Leaf("x", one[1].value, not_, True))),
            (likely, Leaf("__builtin_expect (!!(x), 1)", one[1].value, likely)),
            (f"BOTH ({one[0]}, {other[0]})", Joined(True, [one[1], other[1]])), (f"EITHER ({one[0]}, {other[0]})", Joined(False, [one[1], other[1]])),
            (f"NEITHER ({one[0]}, {other[0]})", Not(Joined(False, [one[1], other[1]]))),
            (f"IN ({x}, 1, 2)", Joined(True, [Leaf("(x) >= (low)", lambda v: v[i] >= 1), Leaf("(x) <= (high)", lambda v: v[i] <= 2)])),
            (f"IN (p[{j}], 1, 2)", Joined(True, [Leaf("(x) >= (low)", lambda v: v[j] >= 1), Leaf("(x) <= (high)", lambda v: v[j] <= 2)]))])

    def expression(self, size, macros):
        """A text that may be an operand of anything, and its tree."""
        rng = self.rng
        if size <= 1:
            text, tree = self.macro() if rng.random() < macros else self.plain()
            if rng.random() < 0.5:
                return f"({text})", tree
            return (text if re.fullmatch(r"\w+|\w+ ?\([^()]*\)", text) else f"({text})"), tree
        if rng.random() < 0.4:
            word = "not " if self.is_cxx and rng.random() < 0.3 else "!"
            if rng.random() < 0.2:
                text, tree = self.expression(size, macros)
                return f"{word}{text}", Not(tree)
            text, tree = self.joined(size, macros)
            return f"{word}({text})", Not(tree)
        text, tree = self.joined(size, macros)
        return f"({text})", tree

    def operand(self, size, macros):
        text, tree = self.expression(size, macros)
        if size <= 1:
            if isinstance(tree, Leaf) and rng_bare(self.rng, text):
                text = text[1:-1]
            elif self.rng.random() < 0.5:
                text, tree = "!" + text if text[0] in "(" or re.match(r"\w+( ?\(.*\))?$", text) else f"!({text})", Not(tree)
        return text, tree

    def joined(self, size, macros):
        rng = self.rng
        if self.has_choices and size >= 3 and rng.random() < 0.1:
            sizes = [1, 1, size - 2]
            parts = [self.expression(one, macros) for one in sizes]
            return " ? ".join([parts[0][0], f"{parts[1][0]} : {parts[2][0]}"]), Choice([tree for _, tree in parts])
        if size <= 1:
            return self.operand(1, macros)
        is_and, left = rng.random() < 0.5, rng.randrange(1, size)
        parts = [self.operand(left, macros), self.operand(size - left, macros)]
        word = {True: ["&&", "and"], False: ["||", "or"]}[is_and][self.is_cxx and rng.random() < 0.3]
        return f"{parts[0][0]} {word} {parts[1][0]}", Joined(is_and, [tree for _, tree in parts])


def rng_bare(rng, text):
    """Whether the parentheses around an operand of && or || may be left out."""
    return text.startswith("(") and text.endswith(")") and "," not in text and "?" not in text and " = " not in text and \
        rng.random() < 0.5 and is_one_pair(text)


def is_one_pair(text):
    depth = 0
    for at, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth == 0:
            return at == len(text) - 1
    return False


FORMS = ["if ({c}) hit (1); else hit (2);", "if ({c}) hit (1);", "if (!({c})) hit (1); else hit (2);", "while ({c}) {{ hit (1); break; }}",
         "for (; {c};) {{ hit (1); break; }}"]


class Decision:
    def __init__(self, rng, is_cxx, macros, has_choices):
        size = rng.randrange(2, 7)
        self.text, self.tree = Generator(rng, is_cxx, has_choices).joined(size, macros)
        self.form = rng.randrange(len(FORMS))
        self.is_negated = self.form == 2

    def body(self):
        return FORMS[self.form].format(c=self.text)

    def uses(self):
        """By the use of a macro, without blanks and negations: the text of the condition, and whether that is the opposite."""
        found, waiting = {}, [self.tree]
        while waiting:
            node = waiting.pop()
            waiting += node.operands
            if isinstance(node, Leaf) and node.use:
                (use, is_use_opposite), (text, is_opposite) = normalised(node.use), normalised(node.text)
                found[use] = text, is_use_opposite ^ is_opposite ^ node.is_opposite
        return found

    def vectors(self, all_values):
        found = collections.Counter()
        for values in all_values:
            vector = []
            outcome = self.tree.evaluate(values, vector)
            found[tuple((*normalised(text), value) for text, value in vector), outcome != self.is_negated] += 1
        return collections.Counter({(tuple((text, value != is_opposite) for text, is_opposite, value in vector), outcome): count
                                    for (vector, outcome), count in found.items()})

    def shown(self, all_values):
        """Returns what shown_conditions() returns for these values of the variables."""
        numbered, abstract = copy.deepcopy(self.tree), copy.deepcopy(self.tree)
        leaves = leaves_of(numbered)
        for i, (leaf, other) in enumerate(zip(leaves, leaves_of(abstract))):
            leaf.text = i
            other.value = lambda values, i=i: values[i]
        executed = set()
        for values in all_values:
            vector = []
            outcome = numbered.evaluate(values, vector)
            executed.add((tuple(dict(vector).get(i) for i in range(len(leaves))), outcome))
        return shown_conditions(len(leaves), lambda values: abstract.evaluate(values, []), executed)


def shown_conditions(num, outcome_of, executed):
    """Returns a pair of booleans for each condition: whether the executed vectors show masking and unique-cause MC/DC.

    Follows the definition by brute force.  `outcome_of` maps the values of all conditions to the outcome; `executed` contains pairs of
    a vector, in which None is a condition that was not evaluated, and its outcome.
    """
    truth = {values: outcome_of(values) for values in itertools.product((False, True), repeat=num)}

    def affects(vector, outcome, i):
        """Whether the condition could change the outcome while the other evaluated conditions keep their values."""
        return any(result != outcome for values, result in truth.items()
                   if values[i] != vector[i] and all(j == i or vector[j] in (None, values[j]) for j in range(num)))

    effective = [[(vector, outcome) for vector, outcome in executed if vector[i] is not None and affects(vector, outcome, i)]
                 for i in range(num)]
    shown = []
    for i in range(num):
        pairs = [(one, other) for (one, a), (other, b) in itertools.combinations(effective[i], 2) if a != b and one[i] != other[i]]
        shown.append((bool(pairs), any(all(j == i or None in (one[j], other[j]) or one[j] == other[j] for j in range(num))
                                       for one, other in pairs)))
    return shown


def leaves_of(tree):
    """Returns the conditions from left to right."""
    return [tree] if not tree.operands else [leaf for operand in tree.operands for leaf in leaves_of(operand)]


def normalised(text):
    """The text without blanks, parentheses and leading negations, and whether there was an odd number of these."""
    text = "".join(re.sub(r"\bnot\b", "!", text).split())
    is_opposite = False
    while True:
        if is_one_pair(text) and text.startswith("("):
            text = text[1:-1]
        elif text.startswith("!") and not text.startswith("!=") and re.fullmatch(r"!+(\w+(->\w+)?(\(.*\))?|\(.*\))", text) and \
                (not text.lstrip("!").startswith("(") or is_one_pair(text.lstrip("!"))):
            text, is_opposite = text[1:], not is_opposite
        else:
            return text, is_opposite


def program(decisions, rng):
    all_values = [[rng.randrange(4) if rng.random() < 0.6 else 0 for _ in range(NUM_VARIABLES)] for _ in range(RUNS)]
    variables = ", ".join(f"int v{i}" for i in range(NUM_VARIABLES))
    arguments = ", ".join(f"v[{i}]" for i in range(NUM_VARIABLES))
    text = ["#include <stdbool.h>", HEAD, "__attribute__ ((noipa)) static void hit (int x) { seen = x; }"]
    for number, decision in enumerate(decisions):
        text.append(f"__attribute__ ((noipa)) static void f{number} ({variables}, int *p, struct flags *f, double d)\n{{ {decision.body()} }}")
    rows = ", ".join("{" + ", ".join(map(str, values)) + "}" for values in all_values)
    calls = "\n".join(f"f{number} ({arguments}, v, &f, v[3]);" for number in range(len(decisions)))
    text.append(f"static int all[{RUNS}][{NUM_VARIABLES}] = {{ {rows} }};\nint main (void) {{ for (int i = 0; i < {RUNS}; i++) {{ int *v = all[i];\n"
                f"struct flags f = {{ (unsigned) v[0] & 1u, v[1] > 1, v[2] }};\n{calls} }} }}")
    return "\n".join(text), all_values


class Result:
    def __init__(self):
        self.decisions = self.conditions = self.unnamed = self.unmeasured = 0
        self.faults = []  # (decision, what)


def told_vectors(rows, uses):
    """By texts of the evaluated conditions. In front of the text in a macro's definition stands the use of the macro."""
    names = [normalised(re.sub(r"^!?\w+ ?\(.*\): ", "", condition["text"])) for condition in rows["conditions"]]
    names = [(uses[text][0], uses[text][1] ^ is_opposite) if text in uses else (text, is_opposite) for text, is_opposite in names]
    found = collections.Counter()
    for vector in rows["vectors"]:
        values = tuple((name, (value == "T") != is_opposite) for (name, is_opposite), value in zip(names, vector["values"]) if value != "-")
        found[values, vector["outcome"]] += vector["count"]
    return found


def run(build, decisions, rng, is_cxx, folder, options=()):
    name = "decisions.cc" if is_cxx else "decisions.c"
    text, all_values = program(decisions, rng)
    (folder / name).write_text(text)
    driver = build / "bin" / ("pathprof-g++" if is_cxx else "pathprof-gcc")
    subprocess.run([driver, "-O0", "-g", "-w", "-fplugin-arg-pathprof-conditions=1", *options, name, "-o", "decisions"], cwd=folder, check=True)
    subprocess.run(["./decisions"], cwd=folder, check=True)
    report = json.loads(subprocess.run([build / "bin/pathdump", "coverage", "--conditions", "--json", "decisions.pathprof"], cwd=folder,
                                       check=True, capture_output=True, text=True).stdout)
    result = Result()
    by_name = {function["demangled"].split("(")[0]: function for function in report["functions"]}
    for number, decision in enumerate(decisions):
        function = by_name[f"f{number}"]
        result.decisions += 1
        rows = function["decision_list"]
        texts = [condition["text"] for row in rows for condition in row["conditions"]]
        result.conditions += len(texts)
        unnamed = [text for text in texts if re.fullmatch(r"condition \d+", text)]
        result.unnamed += len(unnamed)
        if unnamed:
            result.faults.append((decision, f"no text: {texts}"))
        if len(rows) != 1 or not rows[0]["measured"]:
            result.unmeasured += 1
            continue
        told, expected = told_vectors(rows[0], decision.uses()), decision.vectors(all_values)
        if not unnamed and told != expected:
            result.faults.append((decision, f"vectors: told {dict(told)}, expected {dict(expected)}"))
        shown = [(bool(condition["masking"]), bool(condition["unique_cause"])) for condition in rows[0]["conditions"]]
        if shown != decision.shown(all_values):
            result.faults.append((decision, f"MC/DC: told {shown}, expected {decision.shown(all_values)}"))
    return result


def random_run(build, seed, number, is_cxx, macros, has_choices, folder, options=()):
    rng = random.Random(seed)
    return run(build, [Decision(rng, is_cxx, macros, has_choices) for _ in range(number)], rng, is_cxx, folder, options)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("--number", type=int, default=720)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--language", choices=["c", "c++"], default="c")
    parser.add_argument("--macros", type=float, default=0.0, help="share of conditions that a macro makes")
    parser.add_argument("--choices", action="store_true", help="with ?: among the operands")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--keep", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        result = random_run(arguments.build.resolve(), arguments.seed, arguments.number, arguments.language == "c++", arguments.macros,
                            arguments.choices, arguments.keep or Path(folder))
    for decision, fault in result.faults if arguments.verbose else []:
        print(f"{decision.body()}\n    {fault}")
    wrong = sum(fault.startswith(("vectors", "MC/DC")) for _, fault in result.faults)
    print(f"{result.decisions} decisions, {result.conditions} conditions: {result.unnamed} without a text; {result.unmeasured} decisions are several "
          f"or not measured; {wrong} have other vectors than the source")


if __name__ == "__main__":
    main()
