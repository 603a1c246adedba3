// Every instantiation is a function of its own; a line of the template counts for all of them.
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n) noexcept
{
  sink = n;
}
// int: 1, 2, 3; long: 4, 5
// EXPECT-NUM-PATHS above<int>: 2
// EXPECT-PATHS above<int>: entry a exit = 1
// EXPECT-PATHS above<int>: entry b exit = 2
// EXPECT-PATHS above<long>: entry a exit = 2
// EXPECT-ENTRIES above<int>: 3
// EXPECT-ENTRIES above<long>: 2
// EXPECT-LINE a: 3
// EXPECT-LINE b: 2
template <typename T>
__attribute__ ((noinline)) void
above (T value)
{
  if (value > 2)
    hit (1); /* @a */
  else
    hit (2); /* @b */
}

// Recursion at compile time: three instantiations, each with one path.
// EXPECT-PATHS repeat<2>: entry c exit = 1
// EXPECT-PATHS repeat<1>: entry c exit = 1
// EXPECT-PATHS repeat<0>: entry d exit = 1
// EXPECT-LINE c: 2
// EXPECT-LINE d: 1
template <int N>
__attribute__ ((noinline)) void
repeat ()
{
  hit (N); /* @c */
  repeat<N - 1> ();
}

template <>
__attribute__ ((noinline)) void
repeat<0> ()
{
  hit (0); /* @d */
}

int
main ()
{
  for (int n = 1; n < 4; n++)
    above (n);
  above (4L);
  above (5L);
  repeat<2> ();
}
