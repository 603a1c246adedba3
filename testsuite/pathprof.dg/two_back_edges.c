/* Two back edges to one head. */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* a b back, a c back, a d out; from entry or loop. */
/* EXPECT-NUM-PATHS again: 6 */
/* n = 1: entry a d exit
   n = 7: entry a b backedge (6), loop a b backedge (5), loop a c backedge (4 3 2 1), loop a d exit (0) */
/* EXPECT-PATHS again: entry a d exit = 1 */
/* EXPECT-PATHS again: entry a b backedge = 1 */
/* EXPECT-PATHS again: loop a b backedge = 1 */
/* EXPECT-PATHS again: loop a c backedge = 4 */
/* EXPECT-PATHS again: loop a d exit = 1 */
/* EXPECT-LINE a: 8 */
/* EXPECT-LINE b: 2 */
/* EXPECT-LINE c: 4 */
/* EXPECT-LINE d: 2 */
static void
again (int n)
{
head:
  hit (1); /* @a */
  n--;
  if (n > 4)
    {
      hit (2); /* @b */
      goto head;
    }
  if (n > 0)
    {
      hit (3); /* @c */
      goto head;
    }
  hit (4); /* @d */
}

int
main (void)
{
  again (1);
  again (7);
  return 0;
}
