/* A noreturn function of the program's own; what exit runs is counted too. */
/* EXPECT-EXIT: 4 */
#include <stdlib.h>

static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* EXPECT-PATHS at_exit: entry a exit = 1 */
/* EXPECT-LINE a: 1 */
static void
at_exit (void)
{
  hit (1); /* @a */
}

/* EXPECT-NUM-PATHS leave: 1 */
/* EXPECT-PATHS leave: entry b noreturn = 1 */
/* EXPECT-LINE b: 1 */
static __attribute__ ((noreturn, noinline)) void
leave (int status)
{
  hit (2); /* @b */
  exit (status);
}

/* EXPECT-NUM-PATHS check: 3 */
/* EXPECT-PATHS check: entry c exit = 2 */
/* EXPECT-PATHS check: entry d noreturn = 1 */
/* EXPECT-LINE c: 2 */
/* EXPECT-LINE d: 1 */
/* EXPECT-LINE e: 0 */
static void
check (int n)
{
  if (n == 4)
    {
      hit (3); /* @d */
      leave (4);
    }
  if (n == 9)
    {
      hit (4); /* @e */
      leave (9);
    }
  hit (5); /* @c */
}

int
main (void)
{
  atexit (at_exit);
  for (int n = 2;; n++)
    check (n);
}
