/* A for loop with continue and break: continue goes to the step, which ends the iteration. */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* From the condition: out (c); a and continue; a, break, c; a, b and back: four, from entry or loop. */
/* EXPECT-NUM-PATHS loop: 8 */
/* n = 0:  entry c exit
   n = 2:  entry a b backedge, loop a b backedge, loop c exit
   n = 10: entry a b backedge (0), loop a b backedge (1, 3), loop a backedge (2), loop a c exit (4) */
/* EXPECT-PATHS loop: entry c exit = 1 */
/* EXPECT-PATHS loop: entry a b backedge = 2 */
/* EXPECT-PATHS loop: loop a b backedge = 3 */
/* EXPECT-PATHS loop: loop a backedge = 1 */
/* EXPECT-PATHS loop: loop a c exit = 1 */
/* EXPECT-PATHS loop: loop c exit = 1 */
/* EXPECT-LINE a: 7 */
/* EXPECT-LINE b: 5 */
/* EXPECT-LINE c: 3 */
static void
loop (int n)
{
  for (int i = 0; i < n; i++)
    {
      hit (1); /* @a */
      if (i == 2)
        continue;
      if (i == 4)
        break;
      hit (2); /* @b */
    }
  hit (3); /* @c */
}

int
main (void)
{
  loop (0);
  loop (2);
  loop (10);
  return 0;
}
