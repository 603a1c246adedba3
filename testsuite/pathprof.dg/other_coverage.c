/* GCC's own counters of arcs, conditions and paths stand in the same function, and neither count changes the other's. */
/* EXPECT-SINCE: 15 */
/* EXPECT-OPTIONS: --coverage */
/* EXPECT-OPTIONS: --coverage -fcondition-coverage */
/* EXPECT-OPTIONS: --coverage -fpath-coverage */
/* EXPECT-OPTIONS: --coverage -fcondition-coverage -fpath-coverage */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}

/* EXPECT-PATHS both: entry yes exit = 1 */
/* EXPECT-PATHS both: entry no exit = 3 */
static __attribute__ ((noinline)) void
both (int a, int b)
{
  if (a && b)
    hit (1); /* @yes */
  else
    hit (2); /* @no */
}

/* EXPECT-LINE around: 4 */
int
main (void)
{
  for (int n = 0; n < 4; n++)
    both (n & 1, n & 2); /* @around */
  return 0;
}
