/* Functions that GCC may call less often than written count every call that is made all the same: what
   the counters need is not lost with the attributes, and no call is merged once counters are in. */
static volatile int sink;

/* fib (5) makes 15 calls, each with its own activation; xor keeps GCC from turning one into a loop. */
/* EXPECT-NUM-PATHS fib: 2 */
/* EXPECT-PATHS fib: entry exit = 15 */
/* EXPECT-ENTRIES fib: 15 */
static __attribute__ ((const, noinline)) int
fib (int n)
{
  if (n < 2)
    return n;
  int first = fib (n - 1);
  int second = fib (n - 2);
  return first ^ second;
}

static int table[] = { 4, 3, 2, 1 };

/* EXPECT-PATHS lookup: entry exit = 8 */
static __attribute__ ((pure, noinline)) int
lookup (int n)
{
  return table[n];
}

/* Found to be const without being declared so. */
/* EXPECT-PATHS cube: entry exit = 20 */
static __attribute__ ((noinline)) int
cube (int n)
{
  return n * n * n;
}

int
main (void)
{
  sink = fib (5);
  for (int n = 0; n < 4; n++)
    sink = lookup (2) + lookup (2);
  for (int n = 0; n < 10; n++)
    sink = cube (3) - cube (3);
  return 0;
}
