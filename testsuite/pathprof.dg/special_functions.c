/* Functions in which a counter or a call of the runtime would do harm. */
/* EXPECT-TARGET: x86_64 */
static volatile int sink;

/* EXPECT-LEFT-OUT bare: stack frame */
__attribute__ ((naked)) void
bare (void)
{
  asm ("ret");
}

/* The attribute stands on the function's type. */
/* EXPECT-LEFT-OUT handler: save every register */
struct frame;
__attribute__ ((interrupt, target ("general-regs-only"))) void
handler (struct frame *frame)
{
  if (frame)
    sink = 1;
}

/* EXPECT-LEFT-OUT saving: save every register */
__attribute__ ((noinline, no_caller_saved_registers, target ("general-regs-only"))) void
saving (int n)
{
  if (n > 0)
    sink = n;
}

/* EXPECT-ENTRIES implementation: 2 */
static __attribute__ ((noinline)) int
implementation (int n)
{
  return n;
}

/* The resolver runs before the program is relocated. */
/* EXPECT-ABSENT resolve: */
static __typeof__ (&implementation)
resolve (void)
{
  if (sink)
    return 0;
  return implementation;
}
int chosen (int n) __attribute__ ((ifunc ("resolve")));

/* EXPECT-ABSENT cloned.resolver: */
__attribute__ ((noinline, target_clones ("avx2", "default"))) int
cloned (int n)
{
  if (n > 0)
    sink = n;
  return n;
}

int
main (void)
{
  bare ();
  for (int n = 0; n < 2; n++)
    {
      saving (n);
      sink = chosen (n) + cloned (n);
    }
  return 0;
}
