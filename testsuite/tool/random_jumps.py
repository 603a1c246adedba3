# SPDX-License-Identifier: GPL-3.0-or-later
"""Random C and C++ programs full of jumps that a compiler's graph shows in unusual ways.

Computed gotos and labels whose address is taken, `case` labels and ranges inside loops (Duff's device), asm goto,
`setjmp` of every kind, gotos out of nested functions, `try` with handlers and cleanups, statement expressions.  Some
programs call `exit` deep in calls.
Nothing but the text is made here: how often a line runs is for gcov to say.

Decisions come from the stream of random_program.py.  Every jump backwards is decided by it, and without fuel
it decides for the way out, so that every program ends.
"""

import dataclasses
import random

from random_program import PRELUDE, Writer

FUEL = 600
RUNS = 20
DEEPEST = 4

C, CXX = "c", "c++"

# What stays the same of all programs; the line counts of these functions are compared, too.
DECLARATIONS = """
#include <setjmp.h>
#if defined __x86_64__
#define JUMP_IF(condition, label) \\
  asm goto ("testl %0, %0; jnz %l1" : : "r" (condition) : "cc" : label)
#else
#define JUMP_IF(condition, label) \\
  do { if (condition) goto label; asm goto ("" : : : : label); } while (0)
#endif

static int armed[SITES + 1];
static sigjmp_buf buffers[SITES + 1];
static void *small_buffers[SITES + 1][5];
static __attribute__ ((noinline)) void leap (void);

/* Before control can get into a function that was left by a jump or an exception. */
static __attribute__ ((noinline)) void
disarm (int below)
{
  for (int site = 0; site < below; site++)
    armed[site] = 0;
}
"""

GUARD = """
struct Guard
{
  unsigned number;
  explicit Guard (unsigned n) : number (n) {}
  ~Guard () { mark (number); }
};
"""

# Defined after `mark`, which all code calls.
EXIT = """
#include <stdlib.h>

static unsigned marks_left = %d;

static __attribute__ ((noinline)) void
mark_and_exit (unsigned n)
{
  mark (n);
  if (--marks_left == 0)
    {
      printf ("%%u\\n", trace);
      exit (0);
    }
}
#define mark mark_and_exit
"""
MOST_MARKS = 300


@dataclasses.dataclass(frozen=True)
class Place:
    """Which statements are possible here."""

    depth: int = 0
    in_loop: bool = False
    in_switch: bool = False
    is_plain: bool = True  # neither in a try block or handler, nor in the scope of an object or an expression
    in_expression: bool = False

    def inside(self, **changes):
        return dataclasses.replace(self, depth=self.depth + 1, **changes)


class FunctionText:
    """One function: what its head declares is known only behind its body."""

    def __init__(self, number):
        self.number = number
        self.labels = []  # whose address is taken
        self.local_labels = []  # that nested functions jump to
        self.computed = False
        self.first_site = 0


class Generator:
    def __init__(self, seed, language):
        self.random = random.Random(f"{language} {seed}")
        self.language = language
        self.marks = 0
        self.names = 0
        self.sites = []  # the kind of each setjmp
        self.budget = 0
        # Some programs put several statements on a line.
        self.density = self.random.choice((0, 0, 0.1, 0.4))
        self.has_setjmp = self.random.random() < 0.6
        # A jump out of a function skips destructors, which C++ does not allow.
        self.has_guards = language == CXX and not self.has_setjmp
        self.has_throws = language == CXX and self.random.random() < 0.7

    # ---- text ----

    def put(self, text, alone=False):
        lines = self.writer.lines
        if not alone and self.density and len(lines) > self.body_start and self.random.random() < self.density:
            lines[-1] += f" {text}"
        else:
            self.writer.put(text)

    def name(self, kind):
        self.names += 1
        return f"{kind}{self.names}"

    def mark(self):
        self.marks += 1
        self.put(f"mark ({self.marks});")

    def draw(self):
        return f"draw ({self.random.randint(1, 6)})"

    def condition(self, place):
        kind = self.random.random()
        if kind < 0.15:
            return f"{self.draw()} && {self.draw()}"
        if kind < 0.3:
            return f"({self.draw()} ? {self.draw()} : {self.draw()})"
        if kind < 0.4 and self.function.number > 0 and not place.in_expression:
            return f"f{self.random.randrange(self.function.number)} ()"
        return self.draw()

    def block(self, place):
        self.put("{")
        self.sequence(place)
        self.put("}")

    def sequence(self, place, longest=4):
        for _ in range(self.random.randint(1, longest)):
            self.statement(place)

    # ---- statements ----

    def statement(self, place):
        self.budget -= 1
        if self.budget <= 0 or place.depth > DEEPEST:
            self.mark()
            return
        makers = [self.plain, self.branch, self.loop, self.switch, self.call, self.taken_label, self.taken_label,
                  self.computed_goto, self.asm_goto, self.forward, self.expression, self.leave]
        if self.has_setjmp:
            makers += [self.set_jump, self.leap]
        if self.language == C:
            makers += [self.nested_goto]
        else:
            makers += [self.attempt, self.attempt]
        if self.has_throws:
            makers += [self.throw]
        if self.has_guards:
            makers += [self.guard]
        self.random.choice(makers)(place)

    def plain(self, _):
        self.mark()

    def branch(self, place):
        self.put(f"if ({self.condition(place)})")
        self.block(place.inside())
        if self.random.random() < 0.5:
            self.put("else")
            self.block(place.inside())

    def loop(self, place):
        inside = place.inside(in_loop=True, in_switch=False)
        kind = self.random.randrange(4)
        if kind == 0:
            self.put(f"while ({self.condition(place)})")
            self.block(inside)
        elif kind == 1:
            self.put(f"for (; {self.draw()}; sink = {self.draw()})")
            self.block(inside)
        elif kind == 2:
            self.put("do")
            self.block(inside)
            self.put(f"while ({self.draw()});")
        else:
            self.put("for (;;)")
            self.put("{")
            self.put(f"if (!{self.draw()})")
            self.put("  break;")
            self.sequence(inside)
            self.put("}")

    def switch(self, place):
        """With case labels also inside a loop that it holds."""
        inside = place.inside(in_switch=True)
        self.put(f"switch (pick ({self.random.randint(2, 8)}))")
        self.put("{")
        first = 0
        for _ in range(self.random.randint(1, 4)):
            first = self.case(first)
            if self.random.random() < 0.5:
                first = self.labelled_loop(place, first)
            else:
                self.sequence(inside, 2)
            if self.random.random() < 0.5:
                self.put("break;")
        if self.random.random() < 0.4:
            self.put("default:")
            self.sequence(inside, 2)
        self.put("}")

    def case(self, first):
        if self.random.random() < 0.2:
            self.put(f"case {first} ... {first + 1}:")
            return first + 2
        self.put(f"case {first}:")
        return first + 1

    def labelled_loop(self, place, first):
        """A loop right behind a case label, with further ones inside."""
        inside = place.inside(in_loop=True, in_switch=False).inside()
        is_do = self.random.random() < 0.6
        self.put("do" if is_do else f"while ({self.draw()})")
        self.put("{")
        self.sequence(inside, 2)
        for _ in range(self.random.randint(0, 2)):
            first = self.case(first)
            self.sequence(inside, 2)
        self.put("}")
        if is_do:
            self.put(f"while ({self.draw()});")
        return first

    def call(self, place):
        if self.function.number > 0 and not place.in_expression:
            self.put(f"sink = f{self.random.randrange(self.function.number)} ();")
        else:
            self.mark()

    def taken_label(self, place):
        """A label whose address is taken; with a statement, or alone, or with attributes."""
        if not place.is_plain:
            self.mark()
            return
        label = self.name("taken")
        self.function.labels.append(label)
        kind = self.random.random()
        if kind < 0.3:
            self.put(f"{label}:;")
        elif kind < 0.5:
            self.put(f"{label}:")
            self.mark()
        elif kind < 0.6:
            self.put(f"{label}: __attribute__ ((unused));")
        elif kind < 0.7:
            self.put(f"{label}: __attribute__ ((cold));")
            self.mark()
        elif kind < 0.8:
            other = self.name("taken")
            self.function.labels.append(other)
            self.put(f"{label}:")
            self.put(f"{other}: sink = 1;")
        else:
            self.put(f"{label}: sink = {self.draw()};")

    def computed_goto(self, place):
        if not place.is_plain:
            self.mark()
            return
        self.function.computed = True
        if self.random.random() < 0.7:
            self.put(f"if ({self.draw()})")
            self.put("  goto *targets[pick (NUM_TARGETS)];")
        else:
            self.put("goto *targets[pick (NUM_TARGETS)];")

    def asm_goto(self, place):
        label = self.name("over")
        self.put(f"JUMP_IF ({self.draw()}, {label});")
        self.sequence(place.inside(is_plain=place.is_plain and self.language == C, in_expression=place.in_expression), 2)
        self.put(f"{label}:;")

    def forward(self, place):
        label = self.name("label")
        self.put(f"if ({self.draw()})")
        self.put(f"  goto {label};")
        self.sequence(place.inside(), 2)
        self.put(f"{label}:")
        self.mark()

    def expression(self, place):
        """A statement expression; nothing may jump into it."""
        self.put("sink = ({")
        self.sequence(place.inside(is_plain=False, in_expression=True, in_loop=False, in_switch=False), 2)
        self.put(f"{self.draw()};")
        self.put("});")

    def leave(self, place):
        ways = ["goto done;"] if not place.in_expression else []
        if place.in_loop or place.in_switch:
            ways.append("break;")
        if place.in_loop:
            ways.append("continue;")
        if not ways:
            self.mark()
            return
        self.put(f"if ({self.draw()})")
        self.put(f"  {self.random.choice(ways)}")

    # ---- setjmp ----

    def set_jump(self, place):
        if not place.is_plain:
            self.mark()
            return
        site = len(self.sites)
        kind = self.random.choice(("__builtin_setjmp", "setjmp", "sigsetjmp"))
        self.sites.append((kind, self.function.number))
        call = {"__builtin_setjmp": f"__builtin_setjmp (small_buffers[{site}])", "setjmp": f"setjmp (buffers[{site}])",
                "sigsetjmp": f"sigsetjmp (buffers[{site}], 0)"}[kind]
        form = self.random.randrange(4)
        if form == 0:
            self.put(f"if ({call})")
            self.block(place.inside())
            self.put("else")
            self.put(f"  armed[{site}] = 1;")
        elif form == 1:
            self.put(f"if ({call} == 0)")
            self.put("{")
            self.put(f"armed[{site}] = 1;")
            self.sequence(place.inside())
            self.put("}")
        elif form == 2:
            self.put(f"switch ({call})")
            self.put("{")
            self.put("case 0:")
            self.put(f"armed[{site}] = 1;")
            self.sequence(place.inside(in_switch=True), 2)
            self.put("break;")
            self.put("case 1:")
            self.sequence(place.inside(in_switch=True), 2)
            self.put("}")
        else:
            self.put(f"while ({call} && {self.draw()})")
            self.put(f"  armed[{site}] = 1;")
            self.put(f"armed[{site}] = {self.random.randint(0, 1)};")
        self.leap(place)

    def leap(self, _):
        self.put("leap ();")

    # ---- C ----

    def nested_goto(self, place):
        if place.depth > 0 or len(self.function.local_labels) > 1:
            self.mark()
            return
        number = len(self.function.local_labels)
        label = self.name("outer")
        self.function.local_labels.append(label)
        before = self.random.random() < 0.5
        if before:
            self.put(f"{label}:" + self.random.choice(("", ";")))
            self.mark()
        self.put(f"inner{number} ();")
        self.sequence(place.inside(), 2)
        if not before:
            self.put(f"{label}:" + self.random.choice(("", ";")))
            self.mark()

    # ---- C++ ----

    def attempt(self, place):
        inside = place.inside(is_plain=False)
        self.put("try")
        self.put("{")
        self.sequence(inside)
        if self.random.random() < 0.5:
            self.put(f"if ({self.draw()})")
            self.put(f"  throw {self.random.randint(1, 2)};")
        self.put("}")
        handlers = self.random.choice((("int",), ("unsigned", "..."), ("...",)))
        for handler in handlers:
            self.put(f"catch ({handler})")
            self.put("{")
            self.put(f"disarm ({self.function.first_site});")
            if self.random.random() < 0.3:
                self.handler_loop(inside)
            self.sequence(inside)
            self.put("}")

    def handler_loop(self, place):
        label = self.name("again")
        self.put(f"{label}:")
        self.sequence(place.inside(), 2)
        self.put(f"if ({self.draw()})")
        self.put(f"  goto {label};")

    def throw(self, _):
        self.put(f"if ({self.draw()} && {self.draw()})")
        self.put(f"  throw {self.random.choice(('1', '2u'))};")

    def guard(self, place):
        self.put("{")
        self.marks += 1
        self.put(f"Guard {self.name('guard')} ({self.marks});")
        self.sequence(place.inside(is_plain=False))
        self.put("}")

    # ---- functions ----

    def write_function(self, number):
        function = self.function = FunctionText(number)
        function.first_site = len(self.sites)
        self.writer = Writer("")
        self.body_start = 0
        self.budget = self.random.choice((6, 12, 24, 40))
        self.sequence(Place(), longest=8)
        body = self.writer.lines
        lines = ["", "static __attribute__ ((noinline)) int", f"f{number} (void)", "{"]
        lines += [f"  __label__ {label};" for label in function.local_labels]
        for index, label in enumerate(function.local_labels):
            lines += [f"  auto void inner{index} (void);", f"  void inner{index} (void)", "  {", f"    if ({self.draw()})",
                      f"      goto {label};", "    leap ();" if self.has_setjmp else "    mark (0);", "  }"]
        if function.labels or function.computed:
            # The last label is never jumped to.
            targets = ["done", *function.labels]
            reached = len(targets) - (len(targets) > 2)
            lines += ["  static void *const targets[] = { " + ", ".join(f"&&{label}" for label in targets) + " };",
                      f"  enum {{ NUM_TARGETS = {reached} }};"]
            if not function.computed:
                lines += ["  sink = targets[pick (NUM_TARGETS)] != 0;"]
        lines += [f"  {line}" for line in body]
        lines += ["done:"]
        lines += [f"  armed[{site}] = 0;" for site in range(function.first_site, len(self.sites))]
        return [*lines, f"  return {self.draw()};", "}"]

    def leap_function(self):
        lines = ["", "static __attribute__ ((noinline)) void", "leap (void)", "{"]
        for site, (kind, number) in enumerate(self.sites):
            first = next(index for index, (_, other) in enumerate(self.sites) if other == number)
            jump = {"__builtin_setjmp": f"__builtin_longjmp (small_buffers[{site}], 1);",
                    "setjmp": f"longjmp (buffers[{site}], 1);", "sigsetjmp": f"siglongjmp (buffers[{site}], 1);"}[kind]
            lines += [f"  if (armed[{site}] && {self.draw()})", "  {", f"    disarm ({first});", f"    armed[{site}] = 0;",
                      f"    {jump}", "  }"]
        return [*lines, "}"]

    def main_function(self, last):
        call = f"sink = f{last} ();"
        lines = ["", "int", "main (void)", "{", f"  for (int i = 0; i < {RUNS}; i++)"]
        if self.has_throws:
            lines += ["    try", "    {", f"      {call}", "    }", "    catch (...)", "    {",
                      f"      disarm ({len(self.sites)});", "    }"]
        else:
            lines += [f"    {call}"]
        return [*lines, '  printf ("%u\\n", trace);', "  return 0;", "}"]


class JumpProgram:
    """A random program's text; `is_finished`: no activation ends before its end."""

    def __init__(self, seed, language):
        generator = Generator(seed, language)
        count = generator.random.randint(1, 4)
        functions = [line for number in range(count) for line in generator.write_function(number)]
        lines = (PRELUDE % {"seed": seed, "fuel": FUEL}).splitlines()
        # Drawn from a stream of its own: all else in a program does not depend on how it ends.
        end = random.Random(f"end {language} {seed}")
        self.may_exit = end.random() < 0.4
        if self.may_exit:
            lines += (EXIT % end.randint(1, MOST_MARKS)).splitlines()
        lines += [f"#define SITES {len(generator.sites)}", *DECLARATIONS.splitlines()]
        if generator.has_guards:
            lines += GUARD.splitlines()
        lines += [*functions, *generator.leap_function(), *generator.main_function(count - 1)]
        self.text = "\n".join(lines) + "\n"
        jumps = "setjmp (" in "".join(functions) or "throw" in self.text or "inner" in self.text
        self.is_finished = not jumps and not self.may_exit
