// A call that must be a jump, out of a function whose variables end with it: the handler that ends them when the call
// throws has nothing to do.
// EXPECT-SINCE: 15
// EXPECT-OPTIONS:
// EXPECT-OPTIONS: -fplugin-arg-pathprof-termination=exact
// EXPECT-OPTIONS: -fplugin-arg-pathprof-mode=kiter
static volatile int sink;

static __attribute__ ((noinline)) void
hit (const int *n)
{
  sink = *n;
}

static int odd (int n, int steps);

// EXPECT-LINE even: 50001
// EXPECT-LINE zero: 1
static __attribute__ ((noinline)) int
even (int n, int steps)
{
  int local = n;
  hit (&local); // @even
  if (n == 0)
    {
      hit (&steps); // @zero
      return steps;
    }
  [[gnu::musttail]] return odd (n - 1, steps + 1);
}

// EXPECT-LINE odd: 50000
static __attribute__ ((noinline)) int
odd (int n, int steps)
{
  int local = n;
  hit (&local); // @odd
  [[gnu::musttail]] return even (n - 1, steps + 1);
}

int
main ()
{
  return even (100000, 0) != 100000;
}
