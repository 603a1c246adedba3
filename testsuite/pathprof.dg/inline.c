/* Inline functions of every kind: wherever the body ends up, its lines count. */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* EXPECT-LINE a: 5 */
static __attribute__ ((always_inline)) inline void
always (int n)
{
  if (n < 5)
    hit (1); /* @a */
}

/* Without a body of its own: another unit has that.  The lines here count all the same, since it is inlined into each
   of its callers. */
/* EXPECT-LINE b: 3 */
extern __attribute__ ((gnu_inline, always_inline)) inline void
borrowed (int n)
{
  if (n < 3)
    hit (2); /* @b */
}

/* EXPECT-LINE c: 7 */
static inline void
small (int n)
{
  if (n >= 1)
    hit (3); /* @c */
}

/* EXPECT-ENTRIES user: 8 */
/* EXPECT-LINE d: 8 */
static __attribute__ ((noinline)) void
user (int n)
{
  always (n);
  borrowed (n);
  small (n);
  hit (4); /* @d */
}

int
main (void)
{
  for (int n = 0; n < 8; n++)
    user (n);
  return 0;
}
