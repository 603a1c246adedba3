/* A loop in a loop: a path that leaves the inner loop starts at the inner loop's last evaluation of its condition.  With
   mode=intracontext, a path in the inner loop also contains the path that led to the outer loop. */
/* EXPECT-OPTIONS: */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-mode=intracontext */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* From the inner condition: b and back; c and back to the outer one: 2.
   From the outer condition: d and out; a and on to the inner condition: 1 + 2.
   Starts: entry and the outer loop at the outer condition, the inner loop at the inner: 3 + 3 + 2. */
/* EXPECT-NUM-PATHS [!mode=intracontext] nested: 8 */
/* With context, the inner loop has 2 paths in the first iteration and 2 in a later one: 4.  The outer loop has 1 + 4 in the
   first iteration and as many in a later one: 10. */
/* EXPECT-NUM-PATHS [mode=intracontext] nested: 10 */
/* n = 0: entry d exit
   n = 2: i = 0: entry a b backedge, loop c backedge
          i = 1: loop a b backedge, loop b backedge, loop c backedge
          loop d exit */
/* EXPECT-PATHS nested: entry d exit = 1 */
/* EXPECT-PATHS nested: entry a b backedge = 1 */
/* EXPECT-PATHS [!mode=intracontext] nested: loop a b backedge = 1 */
/* EXPECT-PATHS [!mode=intracontext] nested: loop b backedge = 1 */
/* EXPECT-PATHS [!mode=intracontext] nested: loop c backedge = 2 */
/* EXPECT-PATHS [!mode=intracontext] nested: loop d exit = 1 */
/* EXPECT-PATHS [mode=intracontext] nested: entry (a) c backedge = 1 */
/* EXPECT-PATHS [mode=intracontext] nested: entry () a b backedge = 1 */
/* EXPECT-PATHS [mode=intracontext] nested: entry () (a) b backedge = 1 */
/* EXPECT-PATHS [mode=intracontext] nested: entry () (a) c backedge = 1 */
/* EXPECT-PATHS [mode=intracontext] nested: entry () d exit = 1 */
/* EXPECT-ENTRIES nested: 2 */
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
