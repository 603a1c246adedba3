# SPDX-License-Identifier: GPL-3.0-or-later
"""Random structured C programs, and the paths that they take by the definition from the source.

A program is a syntax tree that can be written as C and run in Python.  All decisions come from one
pseudo-random stream, whose state both keep.  Everything that is observed, a statement `mark (n);`, a call
in a condition, stands on a line of its own; a path is the sequence of such lines between its start and
its end: the entry or a loop's head, the exit or a jump back to a loop's head.

The head of `while` and `for` is the condition, that of do-while and of a loop without condition the body.
"""

import collections
import dataclasses
import random

PRELUDE = """\
#include <stdio.h>

static unsigned state = %(seed)du;
static unsigned fuel = %(fuel)du;
static unsigned trace;
static volatile unsigned sink;

/* A number below n; 0 when the fuel is used up, which ends every loop. */
static __attribute__ ((noinline)) unsigned
pick (unsigned n)
{
  state = state * 1664525u + 1013904223u;
  if (fuel == 0)
    return 0;
  fuel--;
  return (state >> 16) %% n;
}

/* True in p of 8 cases. */
static __attribute__ ((noinline)) int
draw (unsigned p)
{
  return pick (8) + p >= 8;
}

static __attribute__ ((noinline)) void
mark (unsigned n)
{
  trace = trace * 31u + n;
}
"""

POSTLUDE = """
int
main (void)
{
  for (int i = 0; i < %(runs)d; i++)
    f%(last)d ();
  printf ("%%u\\n", trace);
  return 0;
}
"""

FUEL = 20000
RUNS = 200


class Jump(Exception):
    """Control that leaves a statement other than at its end."""


class Break(Jump):
    pass


class Continue(Jump):
    pass


class Return(Jump):
    def __init__(self, value):
        super().__init__()
        self.value = value


class Goto(Jump):
    def __init__(self, label):
        super().__init__()
        self.label = label


class Writer:
    """C text, line by line."""

    def __init__(self, text):
        self.lines = text.splitlines()
        self.indent = 0

    def put(self, text):
        """Adds a line and returns its number."""
        self.lines.append("  " * self.indent + text)
        return len(self.lines)

    def nested(self, *nodes):
        """Adds nodes, indented."""
        self.indent += 1
        for node in nodes:
            node.write(self)
        self.indent -= 1

    def block(self, body):
        self.put("{")
        self.nested(body)
        self.put("}")

    def condition(self, condition):
        """Adds a condition with a line of its own for each bracket."""
        self.nested(condition)
        self.put(")")


class Machine:
    """What a running program keeps: the stream, the trace of marks, the paths of each function."""

    def __init__(self, seed):
        self.state = seed
        self.fuel = FUEL
        self.trace = 0
        self.paths = collections.defaultdict(collections.Counter)
        self.frames = []

    def pick(self, n):
        self.state = (self.state * 1664525 + 1013904223) % 2**32
        if self.fuel == 0:
            return 0
        self.fuel -= 1
        return (self.state >> 16) % n

    def draw(self, p):
        return self.pick(8) + p >= 8

    def mark(self, n):
        self.trace = (self.trace * 31 + n) % 2**32

    def see(self, line):
        self.frames[-1].lines.append(line)

    def call(self, function):
        self.frames.append(Frame(function.name))
        try:
            function.body.run(self)
            value = False
        except Return as returned:
            value = returned.value
        self.end_path("exit")
        self.frames.pop()
        return value

    def end_path(self, kind):
        frame = self.frames[-1]
        self.paths[frame.function][frame.start, tuple(frame.lines), kind] += 1

    def jump_back(self):
        """Control returns to the head of a loop: a path ends, a new one starts."""
        self.end_path("backedge")
        self.frames[-1].start = "loop"
        self.frames[-1].lines = []


@dataclasses.dataclass
class Frame:
    function: str
    start: str = "entry"
    lines: list = dataclasses.field(default_factory=list)


# Nodes: each writes itself and runs itself.  Conditions give their value.


class Marked:
    """A node with an observed line."""

    line = 0

    def put_marked(self, writer, text):
        self.line = writer.put(text)


@dataclasses.dataclass
class Draw(Marked):
    p: int

    def write(self, writer):
        self.put_marked(writer, f"draw ({self.p})")

    def run(self, machine):
        machine.see(self.line)
        return machine.draw(self.p)


@dataclasses.dataclass
class Call(Marked):
    """A call of an earlier function, as a condition."""

    function: object

    def write(self, writer):
        self.put_marked(writer, f"{self.function.name} ()")

    def run(self, machine):
        machine.see(self.line)
        return machine.call(self.function)


@dataclasses.dataclass
class Logical:
    """&& or ||"""

    operator: str
    left: object
    right: object

    def write(self, writer):
        writer.put("(")
        writer.nested(self.left)
        writer.put(self.operator)
        writer.nested(self.right)
        writer.put(")")

    def run(self, machine):
        if self.operator == "&&":
            return self.left.run(machine) and self.right.run(machine)
        return self.left.run(machine) or self.right.run(machine)


@dataclasses.dataclass
class Choice:
    """?:"""

    condition: object
    yes: object
    no: object

    def write(self, writer):
        writer.put("(")
        writer.nested(self.condition)
        writer.put("?")
        writer.nested(self.yes)
        writer.put(":")
        writer.nested(self.no)
        writer.put(")")

    def run(self, machine):
        return (self.yes if self.condition.run(machine) else self.no).run(machine)


@dataclasses.dataclass
class Mark(Marked):
    number: int

    def write(self, writer):
        self.put_marked(writer, f"mark ({self.number});")

    def run(self, machine):
        machine.see(self.line)
        machine.mark(self.number)


@dataclasses.dataclass
class Evaluate:
    """A condition used as a value."""

    condition: object

    def write(self, writer):
        writer.put("sink =")
        writer.nested(self.condition)
        writer.put(";")

    def run(self, machine):
        self.condition.run(machine)


@dataclasses.dataclass
class Leave:
    """break, continue or goto"""

    text: str
    jump: Jump

    def write(self, writer):
        writer.put(f"{self.text};")

    def run(self, _):
        raise self.jump


@dataclasses.dataclass
class ReturnValue:
    value: object

    def write(self, writer):
        writer.put("result =")
        writer.nested(self.value)
        writer.put(";")
        writer.put("return result;")

    def run(self, machine):
        raise Return(self.value.run(machine))


@dataclasses.dataclass
class Sequence:
    statements: list

    def write(self, writer):
        for statement in self.statements:
            statement.write(writer)

    def run(self, machine):
        for statement in self.statements:
            statement.run(machine)


@dataclasses.dataclass
class If:
    condition: object
    yes: object
    no: object  # or None

    def write(self, writer):
        writer.put("if (")
        writer.condition(self.condition)
        writer.block(self.yes)
        if self.no:
            writer.put("else")
            writer.block(self.no)

    def run(self, machine):
        if self.condition.run(machine):
            self.yes.run(machine)
        elif self.no:
            self.no.run(machine)


class Loop:
    """What the loops share: an iteration, and leaving by break."""

    def run(self, machine):
        try:
            self.iterate(machine)
        except Break:
            pass

    def run_body(self, machine):
        try:
            self.body.run(machine)
        except Continue:
            pass


@dataclasses.dataclass
class While(Loop):
    condition: object
    body: object

    def write(self, writer):
        writer.put("while (")
        writer.condition(self.condition)
        writer.block(self.body)

    def iterate(self, machine):
        while self.condition.run(machine):
            self.run_body(machine)
            machine.jump_back()


@dataclasses.dataclass
class For(Loop):
    """for, with a step that is observed"""

    condition: object
    step: object
    body: object

    def write(self, writer):
        writer.put("for (;")
        writer.nested(self.condition)
        writer.put(";")
        writer.condition(self.step)
        writer.block(self.body)

    def iterate(self, machine):
        while self.condition.run(machine):
            self.run_body(machine)
            self.step.run(machine)
            machine.jump_back()


@dataclasses.dataclass
class DoWhile(Loop):
    body: object
    condition: object

    def write(self, writer):
        writer.put("do")
        writer.block(self.body)
        writer.put("while (")
        writer.nested(self.condition)
        writer.put(");")

    def iterate(self, machine):
        self.run_body(machine)
        while self.condition.run(machine):
            machine.jump_back()
            self.run_body(machine)


@dataclasses.dataclass
class Forever(Loop):
    """A loop without condition; the body breaks out of it."""

    body: object

    def write(self, writer):
        writer.put("for (;;)")
        writer.block(self.body)

    def iterate(self, machine):
        while True:
            self.run_body(machine)
            machine.jump_back()


@dataclasses.dataclass
class Switch(Marked):
    """Case i is for the value i; without break it falls through.  The last one may be the default."""

    values: int
    cases: list
    has_default: bool

    def write(self, writer):
        writer.put("switch (")
        self.put_marked(writer, f"  pick ({self.values})")
        writer.put("  )")
        writer.put("{")
        for number, case in enumerate(self.cases):
            last = number == len(self.cases) - 1
            writer.put("default:" if last and self.has_default else f"case {number}:")
            writer.nested(case)
        writer.put("}")

    def run(self, machine):
        machine.see(self.line)
        value = machine.pick(self.values)
        if self.has_default:
            value = min(value, len(self.cases) - 1)
        try:
            for case in self.cases[value:]:
                case.run(machine)
        except Break:
            pass


@dataclasses.dataclass
class Labelled:
    """Statements, then a label that they may jump to."""

    body: object
    label: str
    after: object

    def write(self, writer):
        writer.block(self.body)
        writer.put(f"{self.label}:")
        self.after.write(writer)

    def run(self, machine):
        try:
            self.body.run(machine)
        except Goto as jump:
            if jump.label != self.label:
                raise
        self.after.run(machine)


@dataclasses.dataclass
class Function:
    name: str
    body: object

    def write(self, writer):
        writer.put("")
        writer.put("static __attribute__ ((noinline)) int")
        writer.put(f"{self.name} (void)")
        writer.put("{")
        writer.put("  int result;")
        writer.nested(self.body)
        writer.put("}")


@dataclasses.dataclass
class Place:
    """Which jumps are possible here."""

    in_loop: bool = False
    in_switch: bool = False
    labels: tuple = ()
    depth: int = 0

    def inside(self, **changes):
        return dataclasses.replace(self, depth=self.depth + 1, **changes)


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.functions = []
        self.marks = 0
        self.labels = 0
        self.budget = 0

    def program(self):
        for number in range(self.random.randint(2, 5)):
            self.budget = self.random.choice((8, 16, 32, 64))
            body = self.sequence(Place(), longest=10)
            if not isinstance(body.statements[-1], ReturnValue):
                body.statements.append(ReturnValue(self.condition()))
            self.functions.append(Function(f"f{number}", body))
        return self.functions

    def mark(self):
        self.marks += 1
        return Mark(self.marks)

    def condition(self, depth=0):
        kind = self.random.random()
        if depth < 2 and kind < 0.3:
            return Logical(self.random.choice(("&&", "||")), self.condition(depth + 1),
                           self.condition(depth + 1))
        if depth < 2 and kind < 0.38:
            return Choice(*(self.condition(depth + 1) for _ in range(3)))
        if self.functions and kind > 0.92:
            return Call(self.random.choice(self.functions))
        return Draw(self.random.randint(1, 6))

    def sequence(self, place, longest=3):
        statements = [self.mark()] if self.random.random() < 0.6 else []
        for _ in range(self.random.randint(1, longest)):
            statements.append(self.statement(place))
            if isinstance(statements[-1], (Leave, ReturnValue)):
                return Sequence(statements)
        if self.random.random() < 0.6:
            statements.append(self.mark())
        return Sequence(statements)

    def statement(self, place):
        self.budget -= 1
        if self.budget <= 0 or place.depth > 4:
            return self.mark()
        makers = [self.mark, self.evaluate]
        makers += 4 * [lambda: self.branch(place)]
        makers += 2 * [lambda: self.loop(place)]
        makers += [lambda: self.switch(place), lambda: self.labelled(place)]
        if self.functions:
            makers.append(lambda: Evaluate(Call(self.random.choice(self.functions))))
        if place.depth > 0:
            makers += 2 * [lambda: self.leave(place)]
        return self.random.choice(makers)()

    def evaluate(self):
        return Evaluate(self.condition())

    def branch(self, place):
        inside = place.inside()
        no = self.sequence(inside) if self.random.random() < 0.5 else None
        return If(self.condition(), self.sequence(inside), no)

    def loop(self, place):
        inside = place.inside(in_loop=True, in_switch=False)
        kind = self.random.choice((While, For, DoWhile, Forever))
        body = self.sequence(inside)
        if kind is While:
            return While(self.condition(), body)
        if kind is For:
            return For(self.condition(), self.condition(), body)
        if kind is DoWhile:
            return DoWhile(body, self.condition())
        # Without fuel a draw is false: the loop must end then.
        goes_on = If(Draw(4), Sequence([self.mark()]), Sequence([Leave("break", Break())]))
        return Forever(Sequence([goes_on, *body.statements]))

    def switch(self, place):
        cases = []
        for _ in range(self.random.randint(1, 5)):
            case = self.sequence(place.inside(in_switch=True))
            if self.random.random() < 0.6:
                case.statements.append(Leave("break", Break()))
            cases.append(case)
        return Switch(len(cases) + self.random.randint(0, 2), cases, self.random.random() < 0.5)

    def labelled(self, place):
        self.labels += 1
        label = f"label{self.labels}"
        inside = place.inside(labels=(*place.labels, label))
        return Labelled(self.sequence(inside), label, self.mark())

    def leave(self, place):
        ways = [lambda: ReturnValue(self.condition())]
        if place.in_loop or place.in_switch:
            ways.append(lambda: Leave("break", Break()))
        if place.in_loop:
            ways.append(lambda: Leave("continue", Continue()))
        if place.labels:
            label = self.random.choice(place.labels)
            ways += 2 * [lambda: Leave(f"goto {label}", Goto(label))]
        return self.random.choice(ways)()


class Program:
    """A random program: its C text, what it prints, and its paths.

    `paths` has for each function a Counter of (start, lines, end); `observed` are the lines that occur in
    paths, `marks` those of them that hold a whole statement.
    """

    def __init__(self, seed):
        functions = Generator(seed).program()
        writer = Writer(PRELUDE % {"seed": seed, "fuel": FUEL})
        for function in functions:
            function.write(writer)
        last = functions[-1]
        writer.lines += (POSTLUDE % {"runs": RUNS, "last": len(functions) - 1}).splitlines()
        self.text = "\n".join(writer.lines) + "\n"
        machine = Machine(seed)
        for _ in range(RUNS):
            machine.call(last)
        self.output = f"{machine.trace}\n"
        self.paths = dict(machine.paths)
        self.observed = {node.line for node in nodes_of(functions) if isinstance(node, Marked)}
        self.marks = {node.line for node in nodes_of(functions) if isinstance(node, Mark)}

    def mark_counts(self):
        """How often each marked statement runs."""
        counts = collections.Counter()
        for paths in self.paths.values():
            for (_, lines, _), count in paths.items():
                for line in self.marks.intersection(lines):
                    counts[line] += count
        return counts

    def calls(self, name):
        return sum(count for (start, _, _), count in self.paths[name].items() if start == "entry")


def nodes_of(tree):
    """All nodes of a tree, or of a list of trees."""
    if isinstance(tree, list):
        for item in tree:
            yield from nodes_of(item)
    elif dataclasses.is_dataclass(tree):
        yield tree
        # A called function is no part of the call.
        if not isinstance(tree, Call):
            for field in dataclasses.fields(tree):
                yield from nodes_of(getattr(tree, field.name))
