/* A nested function that jumps out into the function around it. */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* The nested function is called for 0, 1, 2, 3 and leaves at 3. */
/* EXPECT-LINE a: 4 */
/* EXPECT-LINE b: 3 */
/* EXPECT-LINE c: 0 */
/* EXPECT-LINE d: 1 */
static __attribute__ ((noinline)) void
outer (int limit)
{
  __label__ done;
  __attribute__ ((noinline)) void inner (int n)
  {
    hit (1); /* @a */
    if (n == limit)
      goto done;
    hit (2); /* @b */
  }
  for (int n = 0; n < 10; n++)
    inner (n);
  hit (3); /* @c */
done:
  hit (4); /* @d */
}

int
main (void)
{
  outer (3);
  return 0;
}
