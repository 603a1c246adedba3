/* More paths than an array is wanted for: the runtime keeps those that ran. */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* Thirteen branches in a row. */
/* EXPECT-NUM-PATHS chain: 8192 */
/* EXPECT-STORAGE chain: hash */
/* EXPECT-ENTRIES chain: 200 */
/* The bits of 81 * n for n = 0..99, all twice: */
/* EXPECT-LINE b0: 100 */
/* EXPECT-LINE b1: 100 */
/* EXPECT-LINE b2: 96 */
/* EXPECT-LINE b3: 96 */
/* EXPECT-LINE b4: 100 */
/* EXPECT-LINE b5: 100 */
/* EXPECT-LINE b6: 100 */
/* EXPECT-LINE b7: 98 */
/* EXPECT-LINE b8: 94 */
/* EXPECT-LINE b9: 98 */
/* EXPECT-LINE b10: 98 */
/* EXPECT-LINE b11: 98 */
/* EXPECT-LINE b12: 98 */
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
  if (bits & 1024)
    hit (10); /* @b10 */
  if (bits & 2048)
    hit (11); /* @b11 */
  if (bits & 4096)
    hit (12); /* @b12 */
}

int
main (void)
{
  for (int round = 0; round < 2; round++)
    for (unsigned n = 0; n < 100; n++)
      chain (81 * n);
  return 0;
}
