/* Nonlocal gotos, siglongjmp out of a handler, exit in a handler deep in calls, qsort's callbacks. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static sigjmp_buf target;
static int signals;

static void
handle (int number)
{
  printf ("signal %d\n", number == SIGUSR1);
  if (++signals < 3)
    siglongjmp (target, 1);
  exit (3);
}

static int
work (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    {
      sum += i;
      if (i == 7)
        raise (SIGUSR1);
      sum ^= 3;
    }
  return sum;
}

static int
nested (int from)
{
  __label__ out;
  int result = 0;
  void inner (int x)
  {
    if (x > 2)
      goto out;
    printf ("in %d\n", x);
    inner (x + 1);
    printf ("not reached\n");
  }
  inner (from);
  result = 1;
out:
  printf ("out\n");
  return result;
}

static int
compare (const void *a, const void *b)
{
  int x = *(const int *) a, y = *(const int *) b;
  return x < y ? -1 : x > y;
}

static int
dispatch (const char *code)
{
  static void *const labels[] = { &&increment, &&twice, &&stop };
  int value = 1;
  goto *labels[*code++ - '0'];
increment:
  value++;
  goto *labels[*code++ - '0'];
twice:
  value *= 2;
  goto *labels[*code++ - '0'];
stop:
  return value;
}

int
main (void)
{
  int numbers[] = { 5, 3, 9, 1, 3, 7 };
  qsort (numbers, 6, sizeof numbers[0], compare);
  printf ("%d %d %d\n", numbers[0], nested (0), nested (2));
  printf ("%d\n", dispatch ("0110102"));
  signal (SIGUSR1, handle);
  if (sigsetjmp (target, 1))
    printf ("again\n");
  printf ("%d\n", work (5));
  printf ("%d\n", work (20));
  return 0;
}
