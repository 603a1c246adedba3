/* A K&R definition, a function with variable arguments, a pointer to a function. */
/* EXPECT-OPTIONS: -std=gnu89 */
#include <stdarg.h>

static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* EXPECT-PATHS old: entry a exit = 1 */
/* EXPECT-PATHS old: entry b exit = 1 */
/* EXPECT-LINE a: 1 */
/* EXPECT-LINE b: 1 */
static int
old (x, y)
     int x, y;
{
  if (x < y)
    hit (1); /* @a */
  else
    hit (2); /* @b */
  return x + y;
}

/* Without arguments; with 2; with 1. */
/* EXPECT-PATHS sum: entry d exit = 1 */
/* EXPECT-PATHS sum: entry c backedge = 2 */
/* EXPECT-PATHS sum: loop c backedge = 1 */
/* EXPECT-PATHS sum: loop d exit = 2 */
/* EXPECT-LINE c: 3 */
/* EXPECT-LINE d: 3 */
static int
sum (int count, ...)
{
  va_list arguments;
  int total = 0;
  va_start (arguments, count);
  while (count > 0)
    {
      count--;
      hit (3); /* @c */
      total += va_arg (arguments, int);
    }
  va_end (arguments);
  hit (4); /* @d */
  return total;
}

int
main ()
{
  int (*volatile pointer) () = old;
  sink = (*pointer) (1, 2);
  sink = (*pointer) (2, 1);
  sink = sum (0);
  sink = sum (2, 10, 20);
  sink = sum (1, 10);
  return 0;
}
