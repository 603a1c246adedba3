/* Paths that run so often that a table's inline cache has them; 256 of one function, more than the inline cache takes. */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-array-max=0 */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-array-max=0 -fplugin-arg-pathprof-update=atomic */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-array-max=0 -fplugin-arg-pathprof-update=thread */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}

/* i = 0..9999 */
/* EXPECT-STORAGE loop: hash */
/* EXPECT-PATHS loop: entry a backedge = 1 */
/* EXPECT-PATHS loop: loop a backedge = 4999 */
/* EXPECT-PATHS loop: loop b backedge = 5000 */
/* EXPECT-PATHS loop: loop c exit = 1 */
/* EXPECT-LINE a: 5000 */
/* EXPECT-LINE b: 5000 */
/* EXPECT-LINE c: 1 */
static __attribute__ ((noinline)) void
loop (int n)
{
  for (int i = 0; i < n; i++)
    if (i % 2 == 0)
      hit (1); /* @a */
    else
      hit (2); /* @b */
  hit (3); /* @c */
}

/* Each combination 200 times. */
/* EXPECT-NUM-PATHS combine: 256 */
/* EXPECT-ENTRIES combine: 51200 */
/* EXPECT-LINE d: 25600 */
/* EXPECT-LINE e: 25600 */
/* EXPECT-LINE f: 25600 */
/* EXPECT-LINE g: 25600 */
/* EXPECT-LINE h: 25600 */
/* EXPECT-LINE i: 25600 */
/* EXPECT-LINE j: 25600 */
/* EXPECT-LINE k: 25600 */
static __attribute__ ((noinline)) void
combine (int bits)
{
  if (bits & 1)
    hit (4); /* @d */
  if (bits & 2)
    hit (5); /* @e */
  if (bits & 4)
    hit (6); /* @f */
  if (bits & 8)
    hit (7); /* @g */
  if (bits & 16)
    hit (8); /* @h */
  if (bits & 32)
    hit (9); /* @i */
  if (bits & 64)
    hit (10); /* @j */
  if (bits & 128)
    hit (11); /* @k */
}

int
main (void)
{
  loop (10000);
  for (int i = 0; i < 51200; i++)
    combine (i);
  return 0;
}
