// A generator of the library: its coroutine's frame, promise and iterators are templates of the standard's headers.
// EXPECT-SINCE: 14
// EXPECT-OPTIONS: -std=c++23
#include <generator>

static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n) noexcept
{
  sink = n;
}

// EXPECT-LINE odd: 2
// EXPECT-LINE end: 1
static std::generator<int>
numbers (int count)
{
  for (int n = 0; n < count; n++)
    {
      if (n % 2)
        hit (n); // @odd
      co_yield n;
    }
  hit (-1); // @end
}

int
main ()
{
  int sum = 0;
  for (int n : numbers (5))
    sum += n;
  return sum != 10;
}
