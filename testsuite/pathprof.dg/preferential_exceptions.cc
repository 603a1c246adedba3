// Exceptions, handlers and calls that do not return, among interesting and residual paths.
// EXPECT-OPTIONS: -fplugin-arg-pathprof-mode=preferential -fplugin-arg-pathprof-interesting=*:20-38
// EXPECT-OPTIONS: -fplugin-arg-pathprof-mode=preferential -fplugin-arg-pathprof-interesting=*:20-38 -fplugin-arg-pathprof-array-max=3
// EXPECT-OPTIONS: -fplugin-arg-pathprof-mode=preferential -fplugin-arg-pathprof-interesting=*:20-38 -fplugin-arg-pathprof-array-max=3 -fplugin-arg-pathprof-notify=1
// EXPECT-OPTIONS: -fplugin-arg-pathprof-mode=preferential -fplugin-arg-pathprof-interesting=*:1-1000 -fplugin-arg-pathprof-array-max=1
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}

static __attribute__ ((noinline)) void
may_throw (int n)
{
  if (n % 3 == 0)
    throw n; /* @a */
  if (n % 2)
    hit (1); /* @b */
}

static __attribute__ ((noinline)) int
caught (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    try
      {
        may_throw (i);
        sum += 2; /* @c */
      }
    catch (int i)
      {
        sum += i > 3 ? 5 : 1; /* @d */
      }
  return sum;
}

// i = 0..29
// EXPECT-LINE a: 10
// EXPECT-LINE b: 10
// EXPECT-LINE c: 20
// EXPECT-ENTRIES caught: 1
int
main ()
{
  return caught (30) != 2 * 20 + 2 + 5 * 8;
}
