/* A loop with two entries.  A path may be truncated anywhere in the loop, but line counts are exact.  With mode=intracontext,
   the plugin copies one of the entries to make the loop reducible. */
/* EXPECT-OPTIONS: */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-mode=intracontext */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* (0, 3): a b a b a b c; (1, 3): b a b a b c */
/* EXPECT-LINE a: 5 */
/* EXPECT-LINE b: 6 */
/* EXPECT-LINE c: 2 */
/* EXPECT-ENTRIES jump: 2 */
static __attribute__ ((noinline)) void
jump (int enter, int n)
{
  if (enter)
    goto middle;
top:
  hit (1); /* @a */
middle:
  hit (2); /* @b */
  if (--n > 0)
    goto top;
  hit (3); /* @c */
}

int
main (void)
{
  jump (0, 3);
  jump (1, 3);
  return 0;
}
