/* A loop whose header is a label with its address taken: it is entered and repeated both in the ordinary
   way and by a computed goto. */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* Three rounds by goto, three by the table, then out. */
/* EXPECT-LINE a: 7 */
/* EXPECT-LINE b: 3 */
/* EXPECT-LINE c: 3 */
/* EXPECT-LINE d: 1 */
static __attribute__ ((noinline)) void
rounds (int limit)
{
  static void *const table[] = { &&head, &&out };
  int n = 0;
head:
  hit (1); /* @a */
  if (n++ < limit)
    {
      hit (2); /* @b */
      goto head;
    }
  if (n <= 2 * limit)
    hit (3); /* @c */
  goto *table[n > 2 * limit];
out:
  hit (4); /* @d */
}

int
main (void)
{
  rounds (3);
  return 0;
}
