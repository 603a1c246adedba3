/* A block that control does not leave ends its path before the call. */
/* EXPECT-EXIT: 3 */
#include <stdlib.h>

static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* n = 2, 1, 0: */
/* EXPECT-NUM-PATHS leave_at_zero: 2 */
/* EXPECT-PATHS leave_at_zero: entry a exit = 2 */
/* EXPECT-PATHS leave_at_zero: entry b noreturn = 1 */
/* EXPECT-LINE a: 2 */
/* EXPECT-LINE b: 1 */
static void
leave_at_zero (int n)
{
  if (n > 0)
    hit (1); /* @a */
  else
    {
      hit (2); /* @b */
      exit (3);
    }
}

/* The frames above never finish; their finished iterations count. */
/* EXPECT-LINE c: 2 */
static void
count_down (int n)
{
  for (;;)
    {
      leave_at_zero (n--);
      hit (3); /* @c */
    }
}

int
main (void)
{
  count_down (2);
  return 0;
}
