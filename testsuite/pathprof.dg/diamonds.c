/* Three diamonds in a row: 2 * 2 * 2 paths, of which 0..5 as bits take six. */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* EXPECT-NUM-PATHS diamonds: 8 */
/* EXPECT-PATHS diamonds: entry c exit = 1 */
/* EXPECT-PATHS diamonds: entry a c exit = 1 */
/* EXPECT-PATHS diamonds: entry b exit = 1 */
/* EXPECT-PATHS diamonds: entry a b exit = 1 */
/* EXPECT-PATHS diamonds: entry c d exit = 1 */
/* EXPECT-PATHS diamonds: entry a c d exit = 1 */
/* EXPECT-LINE a: 3 */
/* EXPECT-LINE b: 2 */
/* EXPECT-LINE c: 4 */
/* EXPECT-LINE d: 2 */
static void
diamonds (int n)
{
  if (n & 1)
    hit (1); /* @a */
  if (n & 2)
    hit (2); /* @b */
  else
    hit (3); /* @c */
  if (n & 4)
    hit (4); /* @d */
}

int
main (void)
{
  for (int n = 0; n < 6; n++)
    diamonds (n);
  return 0;
}
