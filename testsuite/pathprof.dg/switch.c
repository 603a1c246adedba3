/* A switch with a fall-through, a range and a default; one without default. */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* Cases that share a target share an edge: 1, 2, 3 to 5, default. */
/* EXPECT-NUM-PATHS choose: 4 */
/* n = 0..6: */
/* EXPECT-PATHS choose: entry a b e exit = 1 */
/* EXPECT-PATHS choose: entry b e exit = 1 */
/* EXPECT-PATHS choose: entry c e exit = 3 */
/* EXPECT-PATHS choose: entry d e exit = 2 */
/* EXPECT-LINE a: 1 */
/* EXPECT-LINE b: 2 */
/* EXPECT-LINE c: 3 */
/* EXPECT-LINE d: 2 */
/* EXPECT-LINE e: 7 */
static void
choose (int n)
{
  switch (n)
    {
    case 1:
      hit (1); /* @a */
      /* fall through */
    case 2:
      hit (2); /* @b */
      break;
    case 3:
    case 4:
    case 5:
      hit (3); /* @c */
      break;
    default:
      hit (4); /* @d */
    }
  hit (5); /* @e */
}

/* EXPECT-NUM-PATHS some: 3 */
/* EXPECT-PATHS some: entry f h exit = 1 */
/* EXPECT-PATHS some: entry g h exit = 1 */
/* EXPECT-PATHS some: entry h exit = 5 */
static void
some (int n)
{
  switch (n)
    {
    case 2:
      hit (6); /* @f */
      break;
    case 6:
      hit (7); /* @g */
      break;
    }
  hit (8); /* @h */
}

int
main (void)
{
  for (int n = 0; n < 7; n++)
    {
      choose (n);
      some (n);
    }
  return 0;
}
