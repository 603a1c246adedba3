# SPDX-License-Identifier: GPL-3.0-or-later
"""Random C and C++ programs whose activations end in every way but a return: what each of their lines did is known
from the program itself.

A line `HIT (n);` adds one to a counter of its own in a file that all processes of the program map, and nothing else is
on it.  Calls are on lines of their own, so that a path that is cut short there has passed the lines above and none of
those below.  Functions call those before them, in loops and branches, and deep in the calls the program exits (from
its main thread or another one), forks, executes another program, throws, jumps, cancels its thread, or raises a signal
whose handler does one of these.

C programs jump, C++ programs throw: through frames with destructors, and into functions of a file that is compiled
without pathprof (OTHERS).
"""

import random

C, CXX = "c", "c++"

PRELUDE = """\
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" int call_and_catch (int (*f) (void));
#endif

/* Where the file is mapped. */
static unsigned long hits[1 << 13] __attribute__ ((aligned (1 << 16)));
/* No two of these are ever taken for one by the compiler. */
#define HIT(n) do { __asm__ volatile ("" : : "i" (n)); COUNT (n); } while (0)
#define COUNT(n) __atomic_fetch_add (&hits[n], 1, __ATOMIC_RELAXED)

static unsigned state = %(seed)du;
static int fuel = %(fuel)d;
static volatile int sink;
static jmp_buf buffers[2000];
static volatile int armed, in_thread, in_handler;
static pthread_barrier_t barrier;

/* True in p of 64 cases; never when the fuel is used up. */
static __attribute__ ((noinline, noclone)) int
draw (int p)
{
  state = state * 1664525u + 1013904223u;
  if (fuel <= 0)
    return 0;
  fuel--;
  return (int) (state >> 16) %% 64 < p;
}

static __attribute__ ((noinline, noclone)) int
pick (int n)
{
  state = state * 1664525u + 1013904223u;
  return (int) ((state >> 16) %% (unsigned) n);
}
"""

OTHERS = """\
extern "C" int
call_and_catch (int (*f) (void))
{
  try { return f (); } catch (int) { return 1; }
}
"""

# How the process or the thread ends, or the jump that leaves activations; all are deep in calls.
END = """
static void handle (int);

static __attribute__ ((noinline, noclone)) void
finish (int kind)
{
  HIT (0);
  switch (kind)
    {
    case 0:
      exit (0);
    case 1:
      _exit (0);
    case 2:
      quick_exit (0);
    case 3:
      abort ();
    case 4:
      execl ("/bin/true", "true", (char *) 0);
      exit (0);
    case 5:
      if (in_thread)
        pthread_exit (0);
      break;
    case 6:
      if (in_thread)
      {
        pthread_cancel (pthread_self ());
        pthread_testcancel ();
      }
      break;
    case 7:
      if (!in_handler)
        raise (SIGUSR1);
      break;
    default:
      %(leave)s
      break;
    }
  HIT (1);
}

static void
handle (int number)
{
  HIT (2);
  sink = number;
  %(enter_handler)s
  finish (pick (%(kinds)d));
  HIT (3);
  in_handler = 0;
}
"""

MAIN = """
static void *
run_thread (void *data)
{
  pthread_barrier_wait (&barrier);
  HIT (4);
  sink = f%(last)d ();
  HIT (5);
  return data;
}

/* The program goes on in each process until it ends somewhere. */
int
main (int argc, char **argv)
{
  int file = open (argv[1], O_RDWR);
  mmap (hits, sizeof hits, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
  close (file);
  sink = argc;
  struct sigaction action = {};
  action.sa_handler = handle;
  action.sa_flags = SA_NODEFER;
  sigaction (SIGUSR1, &action, 0);
  for (int i = 0; i < %(runs)d; i++)
  {
    state += (unsigned) i * 7919u;
    HIT (6);
    pid_t child = fork ();
    if (child > 0)
    {
      HIT (7);
      waitpid (child, 0, 0);
      continue;
    }
    HIT (8);
    if (i %% 3 == 1)
    {
      pthread_t thread;
      in_thread = 1;
      HIT (9);
      pthread_barrier_init (&barrier, 0, 2);
      pthread_create (&thread, 0, run_thread, 0);
      HIT (10);
      /* The thread may end the process when this one has nothing to do but wait. */
      pthread_barrier_wait (&barrier);
      pthread_join (thread, 0);
      HIT (11);
      in_thread = 0;
      armed = 0;
    }
    fuel = %(fuel)d;
    HIT (12);
    sink = f%(last)d ();
    HIT (13);
    return 0;
  }
  HIT (14);
  return 0;
}
"""
FIRST = 15
RUNS = 12


class Generator:
    def __init__(self, seed, language):
        self.random = random.Random(f"{language} {seed}")
        self.language = language
        self.hits = FIRST
        self.lines = []
        self.names = 0

    def put(self, *lines):
        self.lines += ["  " + line for line in lines]

    def hit(self):
        self.put(f"HIT ({self.hits});")
        self.hits += 1

    def condition(self):
        return f"draw ({self.random.choice((8, 24, 32, 44))})"

    def block(self, depth, in_loop):
        self.put("{")
        self.hit()
        self.sequence(depth + 1, in_loop)
        self.put("}")

    def sequence(self, depth, in_loop, longest=3):
        for _ in range(self.random.randint(1, longest)):
            self.statement(depth, in_loop)

    def statement(self, depth, in_loop):
        self.budget -= 1
        makers = [self.call, self.call, self.end]
        if depth < 4 and self.budget > 0:
            makers += [self.branch, self.branch, self.loop, self.guarded, self.guarded]
        if in_loop:
            makers.append(self.leave_loop)
        self.random.choice(makers)(depth, in_loop)
        self.hit()

    def call(self, *_):
        if self.number == 0:
            self.put(f"sink = draw ({self.random.randint(1, 40)});")
        else:
            callee = self.random.randrange(self.number)
            caught = self.language == CXX and self.random.random() < 0.2
            self.put(f"sink = call_and_catch (f{callee});" if caught else f"sink = f{callee} ();")

    def end(self, *_):
        self.put(f"if (draw ({self.random.choice((1, 1, 2))}))", "{")
        self.hit()
        self.put(f"finish ({self.random.choice(('pick (9)', '8', '8', '7', '5', 'pick (5)'))});")
        self.hit()
        self.put("}")

    def branch(self, depth, in_loop):
        self.put(f"if ({self.condition()})")
        self.block(depth, in_loop)
        if self.random.random() < 0.5:
            self.put("else")
            self.block(depth, in_loop)

    def loop(self, depth, _):
        if self.random.random() < 0.5:
            self.put(f"while ({self.condition()})")
            self.block(depth, True)
        else:
            self.put("do")
            self.block(depth, True)
            self.put(f"while ({self.condition()});")

    def leave_loop(self, *_):
        self.put(f"if (draw ({self.random.choice((4, 16))}))", f"  {self.random.choice(('break', 'continue'))};")

    def guarded(self, depth, in_loop):
        if self.language == CXX:
            return self.attempt(depth, in_loop)
        self.names += 1
        mine = f"mine{self.names}"
        self.put("{", f"volatile int {mine} = armed++;", f"if (setjmp (buffers[{mine}]) == 0)")
        self.block(depth, False)
        self.put("else", "{")
        self.put("in_handler = 0;")
        self.hit()
        self.put("}", f"armed = {mine};", "}")

    def attempt(self, depth, in_loop):
        if self.random.random() < 0.5:
            self.names += 1
            self.put("{", f"Guard guard{self.names} ({self.hits});")
            self.hits += 1
            self.sequence(depth + 1, in_loop)
            self.put("}")
            return
        self.put("try")
        self.block(depth, in_loop)
        self.put("catch (int)", "{", "in_handler = 0;")
        self.hit()
        if self.random.random() < 0.3:
            self.put(f"if (draw ({self.random.choice((8, 32))}))", "  throw;")
            self.hit()
        self.put("}")

    def function(self, number):
        self.number = number
        self.budget = self.random.choice((4, 8, 14))
        self.lines += ["", "static __attribute__ ((noinline, noclone)) int", f"f{number} (void)", "{"]
        if self.language == C:
            self.put("volatile int outer = armed;")
        self.hit()
        self.sequence(0, False, longest=5)
        if self.language == C:
            self.put("armed = outer;")
        self.put(f"return draw ({self.random.randint(1, 40)});")
        self.lines.append("}")


GUARD = """
struct Guard
{
  unsigned number;
  explicit Guard (unsigned n) : number (n) {}
  ~Guard () { COUNT (number); }
};
"""


class EndsProgram:
    """`text`; `lines`: by the number of a line of it, which counter says how often it ran."""

    def __init__(self, seed, language):
        generator = Generator(seed, language)
        count = generator.random.randint(2, 6)
        if language == C:
            leave, enter = "if (armed > 0)\n        longjmp (buffers[armed - 1], 1);", "in_handler = 1;"
        else:
            # A handler may throw only where the raised signal came from a call that may.
            leave, enter = "if (!in_handler && !in_thread && catchers > 0)\n        throw 1;", "in_handler = 1;"
        for number in range(count):
            generator.function(number)
        text = PRELUDE % {"seed": seed, "fuel": 400}
        if language == CXX:
            text += "static const int catchers = 1;\n" + GUARD
        text += END % {"leave": leave, "enter_handler": enter, "kinds": 9}
        body = "\n".join(generator.lines) + "\n"
        if language == CXX:  # so that nothing is thrown out of the program
            last = count - 1
            body += (f"\nstatic __attribute__ ((noinline, noclone)) int\nf{count} (void)\n{{\n  try\n  {{\n    return f{last} ();\n"
                     f"  }}\n  catch (int)\n  {{\n    HIT ({generator.hits});\n    return 1;\n  }}\n}}\n")
            count += 1
        self.text = text + body + MAIN % {"last": count - 1, "runs": RUNS, "fuel": 400}
        self.lines = {}
        for number, line in enumerate(self.text.splitlines(), start=1):
            stripped = line.strip()
            if stripped.startswith("HIT (") and stripped.endswith(");") and stripped[5:-2].isdigit():
                self.lines[number] = int(stripped[5:-2])
