/* The smallest limit: what has a branch does not fit even when it is cut everywhere. */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-paths-max=1 */
static volatile int sink;

/* EXPECT-NUM-PATHS hit: 1 */
/* EXPECT-ENTRIES hit: 6 */
static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}

/* EXPECT-LEFT-OUT loop: paths-max=1 */
static __attribute__ ((noinline)) void
loop (int n)
{
  while (n-- > 0)
    if (n & 1)
      hit (1);
    else
      hit (2);
}

int
main (void)
{
  loop (0);
  loop (6);
  return 0;
}
