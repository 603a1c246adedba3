// An assumption is not evaluated: what it calls is no part of a path, and the function that GCC makes of it never runs.
// EXPECT-SINCE: 13
// EXPECT-OPTIONS: -std=c++23
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}

static __attribute__ ((noinline)) bool
is_small (int n)
{
  hit (n); // @called
  return n < 100;
}

// EXPECT-LINE called: 0
// EXPECT-NUM-PATHS divide: 2
// EXPECT-PATHS divide: entry even exit = 2
// EXPECT-PATHS divide: entry odd exit = 3
static __attribute__ ((noinline)) int
divide (int n)
{
  [[assume (n >= 0 && is_small (n))]];
  if (n % 2 == 0)
    hit (n / 2); // @even
  else
    hit (n); // @odd
  return n / 4;
}

int
main ()
{
  static const int numbers[] = { 1, 3, 4, 5, 8 };
  int sum = 0;
  for (int n : numbers)
    sum += divide (n);
  return sum != 4;
}
