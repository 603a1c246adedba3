/* termination=exact: what longjmp and exit cut short is counted up to the call. */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-termination=exact */
/* EXPECT-EXIT: 3 */
#include <setjmp.h>
#include <stdlib.h>

static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}

static jmp_buf target;

/* n = 1, 2, 3; the last one leaves the program. */
/* EXPECT-PATHS leave: entry a b noreturn = 2 */
/* EXPECT-PATHS leave: entry a c noreturn = 1 */
/* EXPECT-LINE a: 3 */
/* EXPECT-LINE b: 2 */
/* EXPECT-LINE c: 1 */
static __attribute__ ((noinline)) void
leave (int n)
{
  hit (1); /* @a */
  if (n == 3)
    exit (3); /* @c */
  longjmp (target, n); /* @b */
}

/* EXPECT-PATHS between: entry d call = 3 */
/* EXPECT-LINE d: 3 */
/* EXPECT-LINE e: 0 */
static __attribute__ ((noinline)) void
between (int n)
{
  hit (2); /* @d */
  leave (n);
  hit (3); /* @e */
}

/* Twice the call jumps back; each receiver's path goes on to the next call. */
/* EXPECT-LINE f: 2 */
/* EXPECT-LINE g: 3 */
/* EXPECT-LINE h: 0 */
static __attribute__ ((noinline)) void
receive (void)
{
  volatile int n = 0;
  if (setjmp (target))
    hit (4); /* @f */
  n++;
  hit (5); /* @g */
  between (n);
  hit (6); /* @h */
}

/* EXPECT-PATHS main: entry i call = 1 */
/* EXPECT-LINE i: 1 */
/* EXPECT-LINE j: 0 */
int
main (void)
{
  hit (7); /* @i */
  receive ();
  hit (8); /* @j */
  return 0;
}
