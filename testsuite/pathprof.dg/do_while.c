/* A do-while loop: an iteration ends after the condition was true. */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* The condition follows the body: back, or out through d.  With the diamond 2 * 2, from entry or loop. */
/* EXPECT-NUM-PATHS loop: 8 */
/* n = 1: entry a c d exit
   n = 4: entry a b backedge (4), loop a c backedge (3), loop a b backedge (2), loop a c d exit (1) */
/* EXPECT-PATHS loop: entry a c d exit = 1 */
/* EXPECT-PATHS loop: entry a b backedge = 1 */
/* EXPECT-PATHS loop: loop a c backedge = 1 */
/* EXPECT-PATHS loop: loop a b backedge = 1 */
/* EXPECT-PATHS loop: loop a c d exit = 1 */
/* EXPECT-LINE a: 5 */
/* EXPECT-LINE b: 2 */
/* EXPECT-LINE c: 3 */
/* EXPECT-LINE d: 2 */
static void
loop (int n)
{
  do
    {
      hit (1); /* @a */
      if (n % 2 == 0)
        hit (2); /* @b */
      else
        hit (3); /* @c */
    }
  while (--n > 0);
  hit (4); /* @d */
}

/* A loop of one block, whose back edge is a self loop. */
/* EXPECT-NUM-PATHS self: 4 */
/* n = 1, 5: */
/* EXPECT-PATHS self: entry e f exit = 1 */
/* EXPECT-PATHS self: entry e backedge = 1 */
/* EXPECT-PATHS self: loop e backedge = 3 */
/* EXPECT-PATHS self: loop e f exit = 1 */
/* EXPECT-LINE e: 6 */
static void
self (int n)
{
  do
    hit (5); /* @e */
  while (--n > 0);
  hit (6); /* @f */
}

int
main (void)
{
  loop (1);
  loop (4);
  self (1);
  self (5);
  return 0;
}
