// Functions that do not return but throw, or end the program: in a try block, and where a destructor has to run.
#include <cstdio>
#include <cstdlib>

static int destroyed;

struct Guard {
  explicit Guard(int by) : by(by) {}
  ~Guard() { destroyed += by; }
  int by;
};

[[noreturn]] static void fail(int n)
{
  if (n < 4)
    throw n;
  std::printf("%d\n", destroyed);
  std::exit(5);
}

static int check(int n)
{
  Guard guard(n);
  if (n % 3)
    fail(n);
  return n;
}

static int attempt(int n)
{
  try {
    return check(n);
  } catch (int caught) {
    if (caught == 2)
      throw;
    return -caught;
  }
}

static int twice(int n)
{
  try {
    return attempt(n) + attempt(n);
  } catch (...) {
    return 100;
  }
}

int main()
{
  int sum = 0;
  for (int i = 0; i < 9; i++)
    sum += twice(i);
  std::printf("not reached: %d\n", sum);
  return 0;
}
