// Of C++23 and C++26: deduced this, static call operators, if consteval, names that nobody uses, a pack's element.
// EXPECT-SINCE: 15
// EXPECT-OPTIONS: -std=c++26
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}

struct Base
{
  // EXPECT-LINE this_: 3
  template <class Self> void visit (this Self &self, int n)
  {
    if (n > 0)
      self.step (n - 1); // @this_
  }
};

struct Derived : Base
{
  void step (int n) { visit (n); }
};

struct Less
{
  static bool operator() (int a, int b) { return a < b; }
};

constexpr int
where ()
{
  if consteval
    {
      return 1;
    }
  else
    {
      hit (2); // @when_run
      return 2;
    }
}

template <class... T>
static int
second (T... values)
{
  auto _ = values...[0];
  auto _ = values...[2];
  return values...[1];
}

// EXPECT-LINE when_run: 1
// EXPECT-PATHS choose: entry less exit = 1
// EXPECT-PATHS choose: entry more exit = 2
static __attribute__ ((noinline)) void
choose (int a, int b)
{
  if (Less {}(a, b))
    hit (a); // @less
  else
    hit (b); // @more
}

int
main ()
{
  static_assert (where () == 1);
  Derived derived;
  derived.visit (3);
  choose (1, second (1, 2, 3));
  choose (3, 2);
  choose (2, 2);
  return where () != 2;
}
