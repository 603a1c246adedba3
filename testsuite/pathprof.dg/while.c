/* The head of a while loop is its condition: an iteration ends after the body, before the condition is
   evaluated again. */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* From the condition: body and back, or out.  It is reached from the entry or from the loop. */
/* EXPECT-NUM-PATHS loop: 4 */
/* n = 0, 1, 3: */
/* EXPECT-PATHS loop: entry b exit = 1 */
/* EXPECT-PATHS loop: entry a backedge = 2 */
/* EXPECT-PATHS loop: loop a backedge = 2 */
/* EXPECT-PATHS loop: loop b exit = 2 */
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
