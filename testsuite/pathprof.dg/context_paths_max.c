/* A loop whose context would give too many paths has none. */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-mode=intracontext -fplugin-arg-pathprof-paths-max=60 */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
#define TOSS(bit) if (n & (bit)) hit (bit)
/* 2^4 ways to the first loop, which has a branch in it; with context 16 * 2 * 3 paths. */
/* EXPECT-UNCUT-PATHS f: 96 */
/* EXPECT-NUM-PATHS f: 51 */
/* EXPECT-LINE a: 4 */
/* EXPECT-LINE b: 6 */
/* EXPECT-LINE c: 2 */
/* EXPECT-ENTRIES f: 2 */
static __attribute__ ((noinline)) void
f (int n)
{
  TOSS (1);
  TOSS (2);
  TOSS (4);
  TOSS (8);
  for (int i = 0; i < 5; i++)
    if (n & i & 1)
      hit (1); /* @a */
    else
      hit (2); /* @b */
  hit (3); /* @c */
}

int
main (void)
{
  f (9);
  f (3);
  return 0;
}
