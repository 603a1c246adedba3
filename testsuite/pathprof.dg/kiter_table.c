/* Windows in a hash table, with one path register less a word; k is lowered where paths-max says so. */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-mode=kiter -fplugin-arg-pathprof-k=8 -fplugin-arg-pathprof-array-max=0 -fplugin-arg-pathprof-paths-max=1000 */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}

/* X = 1, n = 3: 1000 paths hold k = 5 (364 + 324), not 6 (1093 + 972). */
/* EXPECT-NUM-PATHS three: 688 */
/* EXPECT-STORAGE three: hash */
/* i = 0..99 */
/* EXPECT-PATHS three: entry a b c a b backedge = 1 */
/* EXPECT-PATHS three: loop (b c a b) c backedge = 32 */
/* EXPECT-PATHS three: loop (c a b c) a backedge = 32 */
/* EXPECT-PATHS three: loop (a b c a) b backedge = 31 */
/* EXPECT-PATHS three: loop (a b c a) d exit = 1 */
/* EXPECT-LINE a: 34 */
/* EXPECT-LINE b: 33 */
/* EXPECT-LINE c: 33 */
/* EXPECT-LINE d: 1 */
static __attribute__ ((noinline)) void
three (int n)
{
  for (int i = 0; i < n; i++)
    if (i % 3 == 0)
      hit (1); /* @a */
    else if (i % 3 == 1)
      hit (2); /* @b */
    else
      hit (3); /* @c */
  hit (4); /* @d */
}

int
main (void)
{
  three (100);
  return 0;
}
