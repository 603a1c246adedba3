// A lambda is a function; its name in the profile is the assembler's.
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n) noexcept
{
  sink = n;
}
template <typename F>
static void
each (int count, F function)
{
  for (int n = 0; n < count; n++)
    function (n);
}

// EXPECT-PATHS _ZZ4mainENKUliE_clEi: entry a exit = 2
// EXPECT-PATHS _ZZ4mainENKUliE_clEi: entry b exit = 4
// EXPECT-PATHS _ZZ4mainENKUliE0_clEi: entry c exit = 3
// EXPECT-LINE a: 2
// EXPECT-LINE b: 4
// EXPECT-LINE c: 3
// EXPECT-LINE d: 1
int
main ()
{
  int limit = sink + 2;
  each (6, [limit] (int n) {
    if (n < limit)
      hit (1); /* @a */
    else
      hit (2); /* @b */
  });
  each (3, [] (int) {
    hit (3); /* @c */
  });
  hit (4); /* @d */
}
