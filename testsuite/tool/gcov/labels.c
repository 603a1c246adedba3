/* Labels whose address is taken: alone on a line, with a statement, with attributes, two in a row, never jumped
   to, at a function's beginning, in loops and behind asm goto; a switch that jumps into loops. */
#include <stdio.h>

static int
fall_through (int n)
{
  static void *const targets[] = { &&first, &&second, &&third };
  int sum = 0, turn = 0;
  goto *targets[n % 3];
first:
  sum += 1;
second:;
  sum += 2;
  if (turn++ < 3)
    goto *targets[turn % 3];
third: sum += n;
  return sum;
}

static int
forms (int n)
{
  static void *const targets[] = { &&plain, &&cold, &&two, &&unused, &&out };
  int sum = n;
plain: __attribute__ ((unused));
  sum++;
  if (sum > 40)
    goto *targets[4];
cold: __attribute__ ((cold));
  sum += 3;
  asm goto ("" : : : : two);
one:
two: sum += 5; sum ^= 1;
  for (int i = 0; i < 3; i++)
    {
      if (i == 2 && sum < 30) goto *targets[(sum + n) % 3];
      /* Nothing jumps here. */
    unused: sum++;
    }
  if (sum % 7 == 0)
    goto one;
out:
  return sum;
}

static int
at_the_beginning (int n)
{
  static int sum;
begin:
  sum += n;
  void *next = sum % 5 ? &&begin : &&end;
  goto *next;
end:
  return sum;
}

static int
device (int n)
{
  int sum = 0, turns = (n + 3) / 4;
  switch (n % 4)
    {
    case 0: do { sum += 1;
    case 3:      sum += 2;
    case 1 ... 2:
      sum += 3;
            } while (--turns > 0);
    }
  switch (n)
    {
    case 2:
      sum++;
    case 5:
      do
        {
          sum += 7;
        }
      while (sum % 3);
      break;
    case 6 ... 9:
      while (sum % 11)
        {
        case 10:
          sum++;
        }
    }
  return sum;
}

int
main (void)
{
  int sum = 0;
  for (int n = 0; n < 12; n++)
    sum += fall_through (n) + forms (n) + at_the_beginning (n) + device (n + 1);
  printf ("%d\n", sum);
  return 0;
}
