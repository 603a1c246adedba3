/* Ways out of a loop and around it: break, continue, return, and a loop in a loop. */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-mode=kiter */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}

/* i = 0, 1, 2 for break at 2; 0, 1 for return at 1; all of 0..4 for neither. */
/* EXPECT-LINE continued: 1 */
/* EXPECT-LINE body: 7 */
/* EXPECT-LINE broken: 1 */
/* EXPECT-LINE returned: 1 */
/* EXPECT-LINE behind: 2 */
/* EXPECT-ENTRIES leave: 3 */
static __attribute__ ((noinline)) int
leave (int break_at, int return_at)
{
  for (int i = 0; i < 5; i++)
    {
      if (i == break_at)
        {
          hit (1); /* @broken */
          break;
        }
      if (i == return_at)
        {
          hit (2); /* @returned */
          return 1;
        }
      if (i == 3)
        {
          hit (3); /* @continued */
          continue;
        }
      hit (4); /* @body */
    }
  hit (5); /* @behind */
  return 0;
}

/* Paths of the outer loop are acyclic: they end at its back edge, in the middle of what the inner loop began. */
/* EXPECT-PATHS nest: entry inner inner backedge = 1 */
/* EXPECT-PATHS nest: loop (inner) inner backedge = 6 */
/* EXPECT-PATHS nest: loop (inner) outer backedge = 4 */
/* EXPECT-PATHS nest: loop inner inner backedge = 3 */
/* EXPECT-PATHS nest: loop exit = 1 */
/* EXPECT-LINE inner: 14 */
/* EXPECT-LINE outer: 4 */
static __attribute__ ((noinline)) void
nest (int rounds)
{
  for (int i = 0; i < rounds; i++)
    {
      for (int j = 0; j < 3 + i % 2; j++)
        hit (6); /* @inner */
      hit (7); /* @outer */
    }
}

int
main (void)
{
  leave (2, 9);
  leave (9, 1);
  leave (9, 9);
  nest (4);
  return 0;
}
