/* The head of a while loop is its condition: an iteration ends after the body, before the condition is
   evaluated again.  With mode=kiter, paths span two iterations. */
/* EXPECT-OPTIONS: */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-mode=kiter */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* From the condition: body and back, or out.  The condition is reached from the entry or from the loop. */
/* EXPECT-NUM-PATHS [!mode=kiter] loop: 4 */
/* There is one exit (X = 1) and one body (n = 1): X + n * (X + n) = 3 paths from the entry, n * (X + n) = 2 from the head. */
/* EXPECT-NUM-PATHS [mode=kiter] loop: 5 */
/* n = 0, 1, 3: */
/* EXPECT-PATHS loop: entry b exit = 1 */
/* EXPECT-PATHS [!mode=kiter] loop: entry a backedge = 2 */
/* EXPECT-PATHS [!mode=kiter] loop: loop a backedge = 2 */
/* EXPECT-PATHS [!mode=kiter] loop: loop b exit = 2 */
/* With mode=kiter, the last path continues with the code after the loop. */
/* EXPECT-PATHS [mode=kiter] loop: entry a b exit = 1 */
/* EXPECT-PATHS [mode=kiter] loop: entry a a backedge = 1 */
/* EXPECT-PATHS [mode=kiter] loop: loop (a) a backedge = 1 */
/* EXPECT-PATHS [mode=kiter] loop: loop (a) b exit = 1 */
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
