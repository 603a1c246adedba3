// Virtual calls count in the function that ran.
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n) noexcept
{
  sink = n;
}
struct Shape
{
  virtual ~Shape () = default;
  virtual void draw (int n) = 0;
};

// EXPECT-PATHS Circle::draw: entry a exit = 2
// EXPECT-PATHS Circle::draw: entry b exit = 1
// EXPECT-LINE a: 2
// EXPECT-LINE b: 1
struct Circle final : Shape
{
  void draw (int n) override
  {
    if (n < 2)
      hit (1); /* @a */
    else
      hit (2); /* @b */
  }
};

// EXPECT-PATHS Square::draw: entry c exit = 3
// EXPECT-LINE c: 3
struct Square : Shape
{
  void draw (int n) override
  {
    hit (n); /* @c */
  }
};

// A base that is not the first: the call goes through a thunk, which has no paths of its own.
struct Named
{
  virtual ~Named () = default;
  virtual void name () { hit (3); }
};

// EXPECT-PATHS Both::name: entry d exit = 1
// EXPECT-LINE d: 1
struct Both : Square, Named
{
  void name () override
  {
    hit (4); /* @d */
  }
};

static __attribute__ ((noinline)) void
draw_all (Shape *const *shapes, int count)
{
  for (int n = 0; n < 3; n++)
    for (int i = 0; i < count; i++)
      shapes[i]->draw (n);
}

static __attribute__ ((noinline)) void
name_it (Named *named)
{
  named->name ();
}

int
main ()
{
  Circle circle;
  Square square;
  Both both;
  Shape *shapes[] = { &circle, &square };
  draw_all (shapes, 2);
  name_it (&both);
}
