/* With overflow=skip a function above the limit is left out and reported. */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-paths-max=100 -fplugin-arg-pathprof-overflow=skip */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* EXPECT-LEFT-OUT chain: 1024 paths, more than paths-max=100 */
static __attribute__ ((noinline)) void
chain (unsigned bits)
{
  if (bits & 1)
    hit (0); /* bit b0 */
  if (bits & 2)
    hit (1); /* bit b1 */
  if (bits & 4)
    hit (2); /* bit b2 */
  if (bits & 8)
    hit (3); /* bit b3 */
  if (bits & 16)
    hit (4); /* bit b4 */
  if (bits & 32)
    hit (5); /* bit b5 */
  if (bits & 64)
    hit (6); /* bit b6 */
  if (bits & 128)
    hit (7); /* bit b7 */
  if (bits & 256)
    hit (8); /* bit b8 */
  if (bits & 512)
    hit (9); /* bit b9 */
}

/* EXPECT-PATHS simple: entry s exit = 5 */
/* EXPECT-PATHS simple: entry exit = 5 */
/* EXPECT-ENTRIES simple: 10 */
/* EXPECT-LINE s: 5 */
static __attribute__ ((noinline)) void
simple (unsigned bits)
{
  if (bits & 1)
    hit (10); /* @s */
}

int
main (void)
{
  for (unsigned n = 0; n < 10; n++)
    {
      chain (n);
      simple (n);
    }
  return 0;
}
