/* termination=exact where paths are kept in tables, with copies of a thread's own. */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-termination=exact -fplugin-arg-pathprof-array-max=0 -fplugin-arg-pathprof-update=thread */
/* EXPECT-EXIT: 2 */
#include <stdlib.h>

static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}

/* EXPECT-PATHS leave_at_zero: entry a exit = 3 */
/* EXPECT-PATHS leave_at_zero: entry b noreturn = 1 */
/* EXPECT-LINE a: 3 */
/* EXPECT-LINE b: 1 */
static __attribute__ ((noinline)) void
leave_at_zero (int n)
{
  if (n > 0)
    hit (1); /* @a */
  else
    exit (2); /* @b */
}

/* n = 3, 2, 1, 0; the last iteration ends at the call. */
/* EXPECT-STORAGE count_down: hash */
/* EXPECT-PATHS count_down: entry c d backedge = 1 */
/* EXPECT-PATHS count_down: loop c d backedge = 2 */
/* EXPECT-PATHS count_down: loop c call = 1 */
/* EXPECT-LINE c: 4 */
/* EXPECT-LINE d: 3 */
static __attribute__ ((noinline)) void
count_down (int n)
{
  for (;;)
    {
      hit (2); /* @c */
      leave_at_zero (n--);
      hit (3); /* @d */
    }
}

int
main (void)
{
  count_down (3);
  return 0;
}
