/* Each update policy with counts in arrays and in tables. */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-update=atomic */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-update=thread */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-array-max=0 */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-array-max=0 -fplugin-arg-pathprof-update=atomic */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-array-max=0 -fplugin-arg-pathprof-update=thread */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}

/* n = 5: i = 0..4, even ones a. */
/* EXPECT-STORAGE [!array-max=0] loop: array */
/* EXPECT-STORAGE [array-max=0] loop: hash */
/* EXPECT-NUM-PATHS loop: 6 */
/* EXPECT-PATHS loop: entry a backedge = 1 */
/* EXPECT-PATHS loop: loop a backedge = 2 */
/* EXPECT-PATHS loop: loop b backedge = 2 */
/* EXPECT-PATHS loop: loop c exit = 1 */
/* EXPECT-PATHS loop: entry c exit = 1 */
/* EXPECT-LINE a: 3 */
/* EXPECT-LINE b: 2 */
/* EXPECT-LINE c: 2 */
static void
loop (int n)
{
  for (int i = 0; i < n; i++)
    if (i % 2 == 0)
      hit (1); /* @a */
    else
      hit (2); /* @b */
  hit (3); /* @c */
}

/* EXPECT-PATHS straight: entry d exit = 3 */
/* EXPECT-LINE d: 3 */
static __attribute__ ((noinline)) void
straight (void)
{
  hit (4); /* @d */
}

int
main (void)
{
  loop (5);
  loop (0);
  for (int i = 0; i < 3; i++)
    straight ();
  return 0;
}
