/* A function without branches has one path. */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* EXPECT-NUM-PATHS straight: 1 */
/* EXPECT-PATHS straight: entry a b exit = 3 */
/* EXPECT-ENTRIES straight: 3 */
/* EXPECT-LINE a: 3 */
static __attribute__ ((noinline)) void
straight (void)
{
  hit (1); /* @a */
  hit (2); /* @b */
}

/* EXPECT-PATHS main: entry m exit = 1 */
int
main (void)
{
  straight ();
  straight ();
  straight ();
  hit (3); /* @m */
  return 0;
}
