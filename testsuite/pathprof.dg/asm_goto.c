/* An asm goto is a branch like any other. */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* Straight on, or over the label: two paths; the assembler code here never jumps. */
/* EXPECT-NUM-PATHS jump: 2 */
/* EXPECT-PATHS jump: entry a exit = 3 */
/* EXPECT-LINE a: 3 */
/* EXPECT-LINE b: 0 */
static __attribute__ ((noinline)) void
jump (void)
{
  asm goto ("" : : : : other);
  hit (1); /* @a */
  return;
other:
  hit (2); /* @b */
}

int
main (void)
{
  for (int n = 0; n < 3; n++)
    jump ();
  return 0;
}
