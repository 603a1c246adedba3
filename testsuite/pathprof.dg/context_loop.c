/* Each iteration of a loop with context depends on the path that led to the loop; counts in arrays and in tables. */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-mode=intracontext */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-mode=intracontext -fplugin-arg-pathprof-array-max=2 -fplugin-arg-pathprof-update=atomic */
/* EXPECT-STORAGE [array-max=2] f: hash */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* Two ways to the loop; in the first iteration or a later one; round or out. */
/* EXPECT-NUM-PATHS f: 8 */
/* f (1, 3), f (0, 1), f (0, 0) */
/* EXPECT-PATHS f: entry a c backedge = 1 */
/* EXPECT-PATHS f: entry (a) c backedge = 2 */
/* EXPECT-PATHS f: entry (a) d exit = 1 */
/* EXPECT-PATHS f: entry b c backedge = 1 */
/* EXPECT-PATHS f: entry (b) d exit = 1 */
/* EXPECT-PATHS f: entry b d exit = 1 */
/* EXPECT-LINE a: 1 */
/* EXPECT-LINE b: 2 */
/* EXPECT-LINE c: 4 */
/* EXPECT-LINE d: 3 */
/* EXPECT-ENTRIES f: 3 */
static void
f (int odd, int n)
{
  if (odd)
    hit (1); /* @a */
  else
    hit (2); /* @b */
  while (n-- > 0)
    hit (3); /* @c */
  hit (4); /* @d */
}

int
main (void)
{
  f (1, 3);
  f (0, 1);
  f (0, 0);
  return 0;
}
