/* Sequences of up to three paths, over iterations. */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-mode=kipf -fplugin-arg-pathprof-k=3 */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-mode=kipf -fplugin-arg-pathprof-k=3 -fplugin-arg-pathprof-update=atomic */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-mode=kipf -fplugin-arg-pathprof-k=3 -fplugin-arg-pathprof-update=thread */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}

/* Even and odd iterations alternate: 0 1 2 3 and out, three times. */
/* EXPECT-PATHS loop: entry a backedge = 3 */
/* EXPECT-PATHS loop: loop a backedge = 3 */
/* EXPECT-PATHS loop: loop b backedge = 6 */
/* EXPECT-PATHS loop: loop c exit = 3 */
/* EXPECT-SEQUENCE loop: entry a backedge | loop b backedge = 3 */
/* EXPECT-SEQUENCE loop: loop b backedge | loop a backedge = 3 */
/* EXPECT-SEQUENCE loop: loop a backedge | loop b backedge = 3 */
/* EXPECT-SEQUENCE loop: loop b backedge | loop c exit = 3 */
/* EXPECT-SEQUENCE loop: entry a backedge | loop b backedge | loop a backedge = 3 */
/* EXPECT-SEQUENCE loop: loop a backedge | loop b backedge | loop c exit = 3 */
/* Another activation is another sequence. */
/* EXPECT-SEQUENCE loop: loop c exit | entry a backedge = 0 */
/* k paths, no more. */
/* EXPECT-SEQUENCE loop: entry a backedge | loop b backedge | loop a backedge | loop b backedge = 0 */
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

/* walk (3): an activation each at depths 3, 2, 1, 0 (1, 2, 4 and 8 of them); inner ones come between the
   iterations of an outer one and are not in its sequence. */
/* EXPECT-SEQUENCE walk: entry d backedge | loop d backedge = 7 */
/* EXPECT-SEQUENCE walk: entry d backedge | loop d backedge | loop e exit = 7 */
/* EXPECT-SEQUENCE walk: entry d backedge | entry e exit = 0 */
static __attribute__ ((noinline)) void
walk (int depth)
{
  for (int i = 0; i < (depth ? 2 : 0); i++)
    walk (depth - 1); /* @d */
  hit (4); /* @e */
}

int
main (void)
{
  for (int i = 0; i < 3; i++)
    loop (4);
  walk (3);
  return 0;
}
