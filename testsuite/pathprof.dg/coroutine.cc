// A coroutine is entered again and again; the lines of its body count like any others.
// EXPECT-OPTIONS: -std=c++20
#include <coroutine>

static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n) noexcept
{
  sink = n;
}

struct Generator
{
  struct promise_type
  {
    Generator get_return_object ()
    {
      return { std::coroutine_handle<promise_type>::from_promise (*this) };
    }
    std::suspend_always initial_suspend () { return {}; }
    std::suspend_always final_suspend () noexcept { return {}; }
    std::suspend_always yield_value (int) { return {}; }
    void return_void () {}
    void unhandled_exception () {}
  };
  ~Generator () { handle.destroy (); }
  std::coroutine_handle<promise_type> handle;
};

// Five numbers, of which 1 and 3 are odd.
// EXPECT-LINE a: 2
// EXPECT-LINE b: 3
// EXPECT-LINE c: 1
static Generator
count (int limit)
{
  for (int n = 0; n < limit; n++)
    {
      if (n % 2 == 1)
        hit (1); /* @a */
      else
        hit (2); /* @b */
      co_yield n;
    }
  hit (3); /* @c */
}

// EXPECT-LINE d: 6
int
main ()
{
  Generator numbers = count (5);
  while (!numbers.handle.done ())
    {
      hit (4); /* @d */
      numbers.handle.resume ();
    }
}
