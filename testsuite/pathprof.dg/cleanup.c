/* The cleanup attribute and a variable-length array: blocks that the compiler adds belong to the path. */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* EXPECT-PATHS clean: entry a exit = 5 */
/* EXPECT-LINE a: 5 */
static void
clean (int *value)
{
  hit (*value); /* @a */
}

/* n = 0: returns early; 1..4: to the end. */
/* EXPECT-PATHS scope: entry b exit = 1 */
/* EXPECT-PATHS scope: entry c exit = 4 */
/* EXPECT-LINE b: 1 */
/* EXPECT-LINE c: 4 */
static __attribute__ ((noinline)) void
scope (int n)
{
  __attribute__ ((cleanup (clean))) int value = n;
  volatile char array[n + 1];
  array[n] = 1;
  if (array[n] + n == 1)
    {
      hit (1); /* @b */
      return;
    }
  hit (2); /* @c */
}

int
main (void)
{
  for (int n = 0; n < 5; n++)
    scope (n);
  return 0;
}
