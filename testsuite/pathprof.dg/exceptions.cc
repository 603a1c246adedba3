// Exceptions: an edge to a handler is an ordinary edge, the handler continues the path that threw.
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n) noexcept
{
  sink = n;
}
// Called for 0, 1, 2 by one and for 0, 1 by the other.
// EXPECT-LINE a: 5
// EXPECT-LINE b: 2
static __attribute__ ((noinline)) void
thrower (int n)
{
  hit (1); /* @a */
  if (n == 1)
    throw 1;
  if (n == 2)
    throw 2.0;
  hit (2); /* @b */
}

// n = 0: nothing is thrown; 1: the handler for int; 2: the handler for anything.
// EXPECT-PATHS catching: entry c d g exit = 1
// EXPECT-PATHS catching: entry c e g exit = 1
// EXPECT-PATHS catching: entry c f g exit = 1
// EXPECT-LINE c: 3
// EXPECT-LINE d: 1
// EXPECT-LINE e: 1
// EXPECT-LINE f: 1
// EXPECT-LINE g: 3
static __attribute__ ((noinline)) void
catching (int n)
{
  try
    {
      hit (3); /* @c */
      thrower (n);
      hit (4); /* @d */
    }
  catch (int)
    {
      hit (5); /* @e */
    }
  catch (...)
    {
      hit (6); /* @f */
    }
  hit (7); /* @g */
}

// n = 0: through; n = 1: rethrown, and the path ends like one that calls a noreturn function.
// EXPECT-PATHS rethrowing: entry h j exit = 1
// EXPECT-PATHS rethrowing: entry h i noreturn = 1
// EXPECT-LINE h: 2
// EXPECT-LINE i: 1
// EXPECT-LINE j: 1
static __attribute__ ((noinline)) void
rethrowing (int n)
{
  hit (8); /* @h */
  try
    {
      thrower (n);
    }
  catch (int)
    {
      hit (9); /* @i */
      throw;
    }
  hit (10); /* @j */
}

// EXPECT-LINE k: 1
// EXPECT-LINE l: 1
int
main ()
{
  for (int n = 0; n < 3; n++)
    catching (n);
  for (int n = 0; n < 2; n++)
    try
      {
        rethrowing (n);
        hit (11); /* @l */
      }
    catch (...)
      {
        hit (12); /* @k */
      }
}
