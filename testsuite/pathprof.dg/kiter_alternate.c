/* A branch that alternates: acyclic paths do not tell it from one that goes each way half of the time.
   Three iterations a path. */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-mode=kiter -fplugin-arg-pathprof-k=3 -fplugin-arg-pathprof-numbering=register */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-mode=kiter -fplugin-arg-pathprof-k=3 -fplugin-arg-pathprof-numbering=paper */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}

/* X = 1 way to leave, n = 2 bodies: from outside 1 + 2 * (1 + 2 * 3) = 15, from the head 2 * 2 * 3 = 12. */
/* EXPECT-NUM-PATHS alternate: 27 */
/* i = 0..9 */
/* EXPECT-PATHS alternate: entry a b a backedge = 1 */
/* EXPECT-PATHS alternate: loop (b a) b backedge = 4 */
/* EXPECT-PATHS alternate: loop (a b) a backedge = 3 */
/* EXPECT-PATHS alternate: loop (a b) c exit = 1 */
/* EXPECT-LINE a: 5 */
/* EXPECT-LINE b: 5 */
/* EXPECT-LINE c: 1 */
static __attribute__ ((noinline)) void
alternate (int n)
{
  for (int i = 0; i < n; i++)
    if (i % 2 == 0)
      hit (1); /* @a */
    else
      hit (2); /* @b */
  hit (3); /* @c */
}

int
main (void)
{
  alternate (10);
  return 0;
}
