// termination=exact: frames that an exception leaves are counted up to the call that threw.
// EXPECT-OPTIONS: -fplugin-arg-pathprof-termination=exact
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n) noexcept
{
  sink = n;
}

// EXPECT-PATHS thrower: entry a exit = 2
// EXPECT-PATHS thrower: entry a b noreturn = 3
// EXPECT-LINE a: 5
// EXPECT-LINE b: 3
static __attribute__ ((noinline)) void
thrower (int n)
{
  hit (1); // @a
  if (n > 1)
    throw n; // @b
}

// n = 0 … 4: no handler, no cleanup.
// EXPECT-PATHS plain: entry c d exit = 2
// EXPECT-PATHS plain: entry c call = 3
// EXPECT-LINE c: 5
// EXPECT-LINE d: 2
static __attribute__ ((noinline)) void
plain (int n)
{
  hit (2); // @c
  thrower (n);
  hit (3); // @d
}

struct Guard
{
  // EXPECT-LINE e: 5
  __attribute__ ((noinline)) ~Guard ()
  {
    hit (4); // @e
  }
};

// A cleanup runs whether or not it is left by the exception.
// EXPECT-LINE f: 5
// EXPECT-LINE g: 2
static __attribute__ ((noinline)) void
guarded (int n)
{
  Guard guard;
  hit (5); // @f
  plain (n);
  hit (6); // @g
}

// The handler continues the path that called.
// EXPECT-LINE h: 5
// EXPECT-LINE i: 3
// EXPECT-LINE j: 5
// EXPECT-PATHS catching: entry h j exit = 2
// EXPECT-PATHS catching: entry h i j exit = 3
static __attribute__ ((noinline)) void
catching (int n)
{
  hit (7); // @h
  try
    {
      guarded (n);
    }
  catch (int)
    {
      hit (8); // @i
    }
  hit (9); // @j
}

int
main ()
{
  for (int n = 0; n < 5; n++)
    catching (n);
  return 0;
}
