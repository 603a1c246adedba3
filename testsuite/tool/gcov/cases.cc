// Labels ahead of loops, which GCC gives a block of their own in functions with handlers, in those that call what only
// returns a value, and in those whose handlers nothing can reach.
#include <cstdio>
#include <cstring>

static int thrower(int n)
{
  if (n % 5 == 4)
    throw n;
  return n;
}

static int quiet(int n) { return n / 2; }

static int with_try(int n)
{
  int sum = 0;
  switch (n % 3)
    {
    case 0:
      sum++;
    case 1: do
      {
        sum += 3;
      }
      while (sum < 50);
      break;
    case 2:
      for (;;)
      {
        if (sum > 10)
          break;
        sum += 4;
      }
    }
  try
    {
      sum += thrower(n);
    }
  catch (int)
    {
    again:
      sum++;
      if (sum % 4)
        goto again;
    }
  return sum;
}

static int without(int n)
{
  int sum = 0;
  switch (n % 3)
    {
    case 0:
      sum++;
    case 1:
      do
        {
          sum += 3;
        }
      while (sum < 50);
    }
  return sum;
}

static int with_strlen(int n, const char *text)
{
  int sum = static_cast<int>(strlen(text));
  if (n % 2)
    goto middle;
  sum++;
middle:
  do
    sum += 3;
  while (sum < 50);
  return sum;
}

struct Guard
{
  int &sum;
  ~Guard() { sum++; }
};

static int with_cleanup(int n)
{
  int sum = 0;
  Guard guard{sum};
  switch (n % 4)
    {
    case 1:
      sum += quiet(n);
    case 2:
      while (sum < 20)
        sum += 7;
    }
  return sum + quiet(n);
}

int main()
{
  int sum = 0;
  for (int n = 0; n < 30; n++)
    sum += with_try(n) + without(n) + with_strlen(n, "label") + with_cleanup(n);
  std::printf("%d\n", sum);
  return 0;
}
