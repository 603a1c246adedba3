/* What C23 has: constants and types that are derived, labels at the end of a block and before declarations, attributes,
   and code that is said not to be reached. */
/* EXPECT-SINCE: 13 */
/* EXPECT-OPTIONS: -std=c2x */
#include <stddef.h>

static volatile int sink;

[[gnu::noinline]] static void
hit (int n)
{
  sink = n;
}

enum Colour : unsigned char { RED, GREEN, BLUE };

/* One path leads to where no value does. */
/* EXPECT-NUM-PATHS colour: 4 */
/* EXPECT-PATHS colour: entry r g exit = 2 */
/* EXPECT-PATHS colour: entry g exit = 1 */
/* EXPECT-PATHS colour: entry b exit = 3 */
/* EXPECT-LINE r: 2 */
/* EXPECT-LINE g: 3 */
/* EXPECT-LINE b: 3 */
static void
colour (enum Colour c)
{
  switch (c)
    {
    case RED:
      hit (1'0); /* @r */
      [[fallthrough]];
    case GREEN:
      hit (0b11); /* @g */
      break;
    case BLUE:
      constexpr int blue = 3;
      sink = blue; /* @b */
      break;
    default:
      unreachable ();
    }
}

/* EXPECT-NUM-PATHS pointer: 2 */
/* EXPECT-PATHS pointer: entry null exit = 1 */
/* EXPECT-PATHS pointer: entry other exit = 2 */
static void
pointer (const int *p)
{
  auto q = p;
  typeof_unqual (*q) value = 0;
  if (q == nullptr)
    {
      hit (-1); /* @null */
      goto end;
    }
  value = *q; hit (value); /* @other */
end:
}

int
main (void)
{
  int n = {};
  static_assert (sizeof (enum Colour) == 1);
  enum Colour all[] = { RED, RED, GREEN, BLUE, BLUE, BLUE };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    colour (all[i]);
  pointer (nullptr);
  pointer (&n);
  pointer (&n);
  return 0;
}
