/* Statements with several conditions, of which one part ends in a call that may not return: control then goes on with
   the position of the whole statement, and of loops whose conditions are looked at again. */
#include <stdio.h>
#include <stdlib.h>

struct base
{
  int active, expired;
};

#define IS_ODD(x) ((x) & 1)

__attribute__ ((noinline)) static void
expire (struct base *base, int x)
{
  if (x > 90)
    exit (3);
  base->expired += x;
}

static int
change (struct base *base, int p, int x, int y)
{
  if (p && (p & 4) == 4 && x == y)
    {
      if (base->active)
        {
          expire (base, 1);
          return 5;
        }
      else
        {
          expire (base, 0);
        }
    }
  else if (x == 0 && !IS_ODD (y))
    {
      return 0;
    }
  if (IS_ODD (p) || !x)
    expire (base, 2);
  else
    expire (base, 3);
  p += x;
  return p;
}

static int
repeat (struct base *base, int n)
{
  int sum = 0;
  for (int i = 0; sum < 40 && i < n; i++)
    if (IS_ODD (i) && i != 5)
      {
        expire (base, i);
      }
    else
      sum += i;
  while (!IS_ODD (sum) && n-- > 0)
    {
      if (n > 20)
        continue;
      expire (base, n);
    }
  return sum;
}

int
main (void)
{
  struct base base = { 0, 0 };
  int sum = 0;
  for (int i = 0; i < 30; i++)
    {
      base.active = i > 20;
      sum += change (&base, i, i % 3, i % 2);
      sum += repeat (&base, i);
    }
  printf ("%d\n", sum);
  expire (&base, 95);
  return 1;
}
