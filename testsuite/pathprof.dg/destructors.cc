// Destructors run on the way out of a scope, however it is left.
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n) noexcept
{
  sink = n;
}
struct Guard
{
  int value;
  __attribute__ ((noinline)) explicit Guard (int n) : value (n) { hit (n); }
  // Four guards are made by leave, five by in_loop.
  // EXPECT-ENTRIES Guard::~Guard: 9
  // EXPECT-LINE a: 9
  __attribute__ ((noinline)) ~Guard ()
  {
    hit (-value); /* @a */
  }
};

// EXPECT-LINE b: 1
static __attribute__ ((noinline)) void
thrower (int n)
{
  if (n == 2)
    {
      hit (1); /* @b */
      throw n;
    }
}

// n = 0: early return; 1, 3: to the end; 2: unwound through the cleanup.
// EXPECT-PATHS leave: entry c d exit = 1
// EXPECT-PATHS leave: entry c e exit = 2
// EXPECT-PATHS leave: entry c noreturn = 1
// EXPECT-LINE c: 4
// EXPECT-LINE d: 1
// EXPECT-LINE e: 2
static __attribute__ ((noinline)) void
leave (int n)
{
  Guard guard (n + 1);
  hit (2); /* @c */
  if (n == 0)
    {
      hit (3); /* @d */
      return;
    }
  thrower (n);
  hit (4); /* @e */
}

// 0 and 1 continue, 2 and 3 reach the end of the body, 4 breaks; the guard goes each time.
// EXPECT-LINE f: 5
// EXPECT-LINE g: 2
// EXPECT-LINE h: 1
static __attribute__ ((noinline)) void
in_loop ()
{
  for (int n = 0; n < 9; n++)
    {
      Guard guard (n);
      hit (5); /* @f */
      if (n < 2)
        continue;
      if (n == 4)
        break;
      hit (6); /* @g */
    }
  hit (7); /* @h */
}

// EXPECT-LINE i: 1
int
main ()
{
  for (int n = 0; n < 4; n++)
    try
      {
        leave (n);
      }
    catch (int)
      {
        hit (8); /* @i */
      }
  in_loop ();
}
