/* Paths across two iterations of a loop with one way around: X = 1 way to leave, n = 1 body. */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-mode=kiter */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* From outside X + n * (X + n) = 3, from the head n * (X + n) = 2. */
/* EXPECT-NUM-PATHS loop: 5 */
/* n = 0, 1, 3: windows of two iterations; the last goes on with what follows the loop. */
/* EXPECT-PATHS loop: entry b exit = 1 */
/* EXPECT-PATHS loop: entry a b exit = 1 */
/* EXPECT-PATHS loop: entry a a backedge = 1 */
/* EXPECT-PATHS loop: loop (a) a backedge = 1 */
/* EXPECT-PATHS loop: loop (a) b exit = 1 */
/* EXPECT-LINE a: 4 */
/* EXPECT-LINE b: 3 */
static void
loop (int n)
{
  while (n > 0)
    {
      hit (1); /* @a */
      n--;
    }
  hit (2); /* @b */
}

int
main (void)
{
  loop (0);
  loop (1);
  loop (3);
  return 0;
}
