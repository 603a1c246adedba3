/* Interesting paths that the source marks: a function's all, and those through a statement. */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-mode=preferential -fplugin-arg-pathprof-interesting=annotated */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-mode=preferential -fplugin-arg-pathprof-interesting=annotated -fplugin-arg-pathprof-array-max=4 */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-mode=preferential -fplugin-arg-pathprof-interesting=annotated -fplugin-arg-pathprof-array-max=2 -fplugin-arg-pathprof-notify=1 */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-mode=preferential -fplugin-arg-pathprof-interesting=annotated -fplugin-arg-pathprof-array-max=2 -fplugin-arg-pathprof-large-ids=hash */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-mode=preferential -fplugin-arg-pathprof-interesting=annotated -fplugin-arg-pathprof-array-max=4 -fplugin-arg-pathprof-update=atomic */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-mode=preferential -fplugin-arg-pathprof-interesting=annotated -fplugin-arg-pathprof-array-max=4 -fplugin-arg-pathprof-update=thread -fplugin-arg-pathprof-notify=1 */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}

/* n = 0..15; only the four paths over b, of eight, are interesting. */
/* EXPECT-NUM-PATHS some: 8 */
/* EXPECT-PATHS some: entry exit = 2 */
/* EXPECT-PATHS some: entry a exit = 2 */
/* EXPECT-PATHS some: entry b exit = 2 */
/* EXPECT-PATHS some: entry a b exit = 2 */
/* EXPECT-PATHS some: entry c exit = 2 */
/* EXPECT-PATHS some: entry a c exit = 2 */
/* EXPECT-PATHS some: entry b c exit = 2 */
/* EXPECT-PATHS some: entry a b c exit = 2 */
/* EXPECT-RESIDUAL some: 8 */
static __attribute__ ((noinline)) void
some (int n)
{
  if (n & 1)
    hit (1); /* @a */
  if (n & 2)
    {
    failed: __attribute__ ((pathprof_interesting));
      hit (2); /* @b */
    }
  if (n & 4)
    hit (3); /* @c */
}

/* EXPECT-NUM-PATHS all: 4 */
/* EXPECT-PATHS all: entry d backedge = 1 */
/* EXPECT-PATHS all: loop d backedge = 8 */
/* EXPECT-PATHS all: loop exit = 1 */
/* EXPECT-RESIDUAL all: 0 */
static __attribute__ ((noinline, pathprof_interesting)) void
all (int n)
{
  for (int i = 0; i < n; i++)
    hit (i); /* @d */
}

/* EXPECT-NUM-PATHS none: 2 */
/* EXPECT-PATHS none: entry e exit = 1 */
/* EXPECT-PATHS none: entry exit = 1 */
/* EXPECT-RESIDUAL none: 2 */
static __attribute__ ((noinline)) void
none (int n)
{
  if (n)
    hit (4); /* @e */
}

/* EXPECT-LINE a: 8 */
/* EXPECT-LINE b: 8 */
/* EXPECT-LINE c: 8 */
/* EXPECT-LINE d: 9 */
/* EXPECT-LINE e: 1 */
int
main (void)
{
  for (int n = 0; n < 16; n++)
    some (n);
  all (9);
  none (0);
  none (1);
  return 0;
}
