/* Returns in the middle of a function and of a loop end the path at the exit. */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* Before the loop: a and out, or on.  From the loop's condition: d and out; b and out; c and back.
   1 + 3 from the entry, 3 from the loop. */
/* EXPECT-NUM-PATHS find: 7 */
/* (-1, 0): entry a exit
   (0, 0):  entry d exit
   (2, 5):  entry c backedge, loop c backedge, loop d exit
   (9, 1):  entry c backedge, loop b exit
   (9, 0):  entry b exit */
/* EXPECT-PATHS find: entry a exit = 1 */
/* EXPECT-PATHS find: entry d exit = 1 */
/* EXPECT-PATHS find: entry c backedge = 2 */
/* EXPECT-PATHS find: loop c backedge = 1 */
/* EXPECT-PATHS find: loop d exit = 1 */
/* EXPECT-PATHS find: loop b exit = 1 */
/* EXPECT-PATHS find: entry b exit = 1 */
/* EXPECT-LINE a: 1 */
/* EXPECT-LINE b: 2 */
/* EXPECT-LINE c: 3 */
/* EXPECT-LINE d: 2 */
static int
find (int n, int wanted)
{
  if (n < 0)
    {
      hit (1); /* @a */
      return -1;
    }
  for (int i = 0; i < n; i++)
    {
      if (i == wanted)
        {
          hit (2); /* @b */
          return i;
        }
      hit (3); /* @c */
    }
  hit (4); /* @d */
  return n;
}

int
main (void)
{
  sink = find (-1, 0);
  sink = find (0, 0);
  sink = find (2, 5);
  sink = find (9, 1);
  sink = find (9, 0);
  return 0;
}
