/* If a function has more paths than paths-max, its paths are truncated, and line counts do not change.  With overflow=skip,
   the function is left out and reported. */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-paths-max=100 */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-paths-max=100 -fplugin-arg-pathprof-overflow=skip */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* EXPECT-UNCUT-PATHS [!overflow=skip] chain: 1024 */
/* EXPECT-MAX-PATHS [!overflow=skip] chain: 100 */
/* EXPECT-ENTRIES [!overflow=skip] chain: 1024 */
/* EXPECT-LEFT-OUT [overflow=skip] chain: 1024 paths, more than paths-max=100 */
/* Of 0..1023 every bit is set in one half. */
/* EXPECT-LINE [!overflow=skip] b0: 512 */
/* EXPECT-LINE [!overflow=skip] b1: 512 */
/* EXPECT-LINE [!overflow=skip] b2: 512 */
/* EXPECT-LINE [!overflow=skip] b3: 512 */
/* EXPECT-LINE [!overflow=skip] b4: 512 */
/* EXPECT-LINE [!overflow=skip] b5: 512 */
/* EXPECT-LINE [!overflow=skip] b6: 512 */
/* EXPECT-LINE [!overflow=skip] b7: 512 */
/* EXPECT-LINE [!overflow=skip] b8: 512 */
/* EXPECT-LINE [!overflow=skip] b9: 512 */
static __attribute__ ((noinline)) void
chain (unsigned bits)
{
  if (bits & 1)
    hit (0); /* @b0 */
  if (bits & 2)
    hit (1); /* @b1 */
  if (bits & 4)
    hit (2); /* @b2 */
  if (bits & 8)
    hit (3); /* @b3 */
  if (bits & 16)
    hit (4); /* @b4 */
  if (bits & 32)
    hit (5); /* @b5 */
  if (bits & 64)
    hit (6); /* @b6 */
  if (bits & 128)
    hit (7); /* @b7 */
  if (bits & 256)
    hit (8); /* @b8 */
  if (bits & 512)
    hit (9); /* @b9 */
}

/* No more paths than the limit: never truncated. */
/* EXPECT-NUM-PATHS simple: 2 */
/* EXPECT-UNCUT-PATHS simple: 2 */
/* EXPECT-PATHS simple: entry s exit = 512 */
/* EXPECT-PATHS simple: entry exit = 512 */
/* EXPECT-ENTRIES simple: 1024 */
/* EXPECT-LINE s: 512 */
static __attribute__ ((noinline)) void
simple (unsigned bits)
{
  if (bits & 1)
    hit (10); /* @s */
}

int
main (void)
{
  for (unsigned n = 0; n < 1024; n++)
    {
      chain (n);
      simple (n);
    }
  return 0;
}
