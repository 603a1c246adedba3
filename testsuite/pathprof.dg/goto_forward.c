/* A goto forward, out of nested blocks, is an ordinary edge. */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* n & 1 no: c d.  n & 1, n & 2: a d.  n & 1 only: a b c d. */
/* EXPECT-NUM-PATHS leave: 3 */
/* n = 0..7: */
/* EXPECT-PATHS leave: entry c d exit = 4 */
/* EXPECT-PATHS leave: entry a d exit = 2 */
/* EXPECT-PATHS leave: entry a b c d exit = 2 */
/* EXPECT-LINE a: 4 */
/* EXPECT-LINE b: 2 */
/* EXPECT-LINE c: 6 */
/* EXPECT-LINE d: 8 */
static void
leave (int n)
{
  if (n & 1)
    {
      hit (1); /* @a */
      if (n & 2)
        goto done;
      hit (2); /* @b */
    }
  hit (3); /* @c */
done:
  hit (4); /* @d */
}

/* Out of two loops at once: not a back edge.  n = 2: i = 0: f (0), f (1), i = 1: f (1) leaves. */
/* EXPECT-LINE f: 4 */
/* EXPECT-LINE g: 1 */
static void
leave_loops (int n)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        hit (5); /* @f */
        if (i + j == n)
          goto done;
      }
done:
  hit (6); /* @g */
}

int
main (void)
{
  for (int n = 0; n < 8; n++)
    leave (n);
  leave_loops (2);
  return 0;
}
