/* An interpreter with computed gotos.  Nothing can be counted on the jump: each handler is a path. */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* The entry up to the jump; each of the three handlers up to the next jump or out. */
/* EXPECT-NUM-PATHS interpret: 4 */
/* EXPECT-PATHS interpret: entry cut = 2 */
/* EXPECT-PATHS interpret: handler a cut = 3 */
/* EXPECT-PATHS interpret: handler b cut = 2 */
/* EXPECT-PATHS interpret: handler c exit = 2 */
/* EXPECT-LINE a: 3 */
/* EXPECT-LINE b: 2 */
/* EXPECT-LINE c: 2 */
static __attribute__ ((noinline)) void
interpret (const unsigned char *code)
{
  static const void *const handlers[] = { &&op_a, &&op_b, &&op_stop };
  goto *handlers[*code++];
op_a:
  hit (1); /* @a */
  goto *handlers[*code++];
op_b:
  hit (2); /* @b */
  goto *handlers[*code++];
op_stop:
  hit (3); /* @c */
}

int
main (void)
{
  static const unsigned char first[] = { 0, 1, 0, 0, 2 };
  static const unsigned char second[] = { 1, 2 };
  interpret (first);
  interpret (second);
  return 0;
}
