/* A loop in a loop: the inner loop's exit continues the path of its last look at the condition. */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* From the inner condition: b and back; c and back to the outer one: 2.
   From the outer condition: d and out; a and on to the inner condition: 1 + 2.
   Starts: entry and the outer loop at the outer condition, the inner loop at the inner: 3 + 3 + 2. */
/* EXPECT-NUM-PATHS nested: 8 */
/* n = 0: entry d exit
   n = 2: i = 0: entry a b backedge, loop c backedge
          i = 1: loop a b backedge, loop b backedge, loop c backedge
          loop d exit */
/* EXPECT-PATHS nested: entry d exit = 1 */
/* EXPECT-PATHS nested: entry a b backedge = 1 */
/* EXPECT-PATHS nested: loop a b backedge = 1 */
/* EXPECT-PATHS nested: loop b backedge = 1 */
/* EXPECT-PATHS nested: loop c backedge = 2 */
/* EXPECT-PATHS nested: loop d exit = 1 */
/* EXPECT-LINE a: 2 */
/* EXPECT-LINE b: 3 */
/* EXPECT-LINE c: 2 */
/* EXPECT-LINE d: 2 */
static void
nested (int n)
{
  for (int i = 0; i < n; i++)
    {
      hit (1); /* @a */
      for (int j = 0; j <= i; j++)
        hit (2); /* @b */
      hit (3); /* @c */
    }
  hit (4); /* @d */
}

int
main (void)
{
  nested (0);
  nested (2);
  return 0;
}
