/* Every activation has a path of its own. */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* depth (0), depth (4): */
/* EXPECT-NUM-PATHS depth: 2 */
/* EXPECT-PATHS depth: entry a exit = 2 */
/* EXPECT-PATHS depth: entry b exit = 4 */
/* EXPECT-LINE a: 2 */
/* EXPECT-LINE b: 4 */
static int
depth (int n)
{
  if (n == 0)
    {
      hit (1); /* @a */
      return 0;
    }
  int below = depth (n - 1);
  hit (2); /* @b */
  return below + 1;
}

static int odd (int n);

/* even (5) calls odd (4), even (3), odd (2), even (1), odd (0). */
/* EXPECT-PATHS even: entry c exit = 3 */
/* EXPECT-PATHS odd: entry e exit = 2 */
/* EXPECT-PATHS odd: entry d exit = 1 */
/* EXPECT-LINE c: 3 */
/* EXPECT-LINE d: 1 */
/* EXPECT-LINE e: 2 */
static int
even (int n)
{
  if (n == 0)
    return 1;
  hit (3); /* @c */
  return odd (n - 1);
}

static int
odd (int n)
{
  if (n == 0)
    {
      hit (4); /* @d */
      return 0;
    }
  hit (5); /* @e */
  return even (n - 1);
}

int
main (void)
{
  sink = depth (0);
  sink = depth (4);
  sink = even (5);
  return 0;
}
