/* The way into an inner loop begins with the way into the outer one. */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-mode=intracontext */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* From the inner condition: b and back, c and back to the outer one: 2, in the first iteration or a later one: 4.
   From the outer condition: d and out, a and on: 1 + 4, in the first iteration or a later one: 10. */
/* EXPECT-NUM-PATHS nested: 10 */
/* n = 0: entry d exit
   n = 2: i = 0: entry a b backedge, and with that way into the inner loop c backedge
          i = 1: all begins with the way into the outer loop; a b backedge, (a) b backedge, (a) c backedge
          d exit */
/* EXPECT-PATHS nested: entry d exit = 1 */
/* EXPECT-PATHS nested: entry a b backedge = 1 */
/* EXPECT-PATHS nested: entry (a) c backedge = 1 */
/* EXPECT-PATHS nested: entry () a b backedge = 1 */
/* EXPECT-PATHS nested: entry () (a) b backedge = 1 */
/* EXPECT-PATHS nested: entry () (a) c backedge = 1 */
/* EXPECT-PATHS nested: entry () d exit = 1 */
/* EXPECT-LINE a: 2 */
/* EXPECT-LINE b: 3 */
/* EXPECT-LINE c: 2 */
/* EXPECT-LINE d: 2 */
/* EXPECT-ENTRIES nested: 2 */
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
