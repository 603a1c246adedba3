/* setjmp of every kind, in conditions and in loops, on one line with others, first in a function, and together with
   computed gotos and labels. */
#include <setjmp.h>
#include <stdio.h>

static void *small[5];
static jmp_buf plain;
static sigjmp_buf with_signals;
static int turns;

static __attribute__ ((noinline)) void
jump (int kind)
{
  turns++;
  if (kind == 0)
    __builtin_longjmp (small, 1);
  if (kind == 1)
    longjmp (plain, turns);
  if (kind == 2)
    siglongjmp (with_signals, turns);
}

static __attribute__ ((noinline)) int
test (int kind)
{
  int result = 0;
  if (__builtin_setjmp (small))
    {
      turns++;
      result = 1;
    }
  else
    {
      turns += 10;
      jump (kind);
    }
  return result;
}

static __attribute__ ((noinline)) int
first (int kind)
{
  if (setjmp (plain) == 0)
    jump (kind);
  return turns;
}

static __attribute__ ((noinline)) int
two (int kind)
{
  if (kind > 0) { if (sigsetjmp (with_signals, 0) > 100)
      return turns; }
  switch (setjmp (plain)) {
    case 0:
      jump (kind);
      break;
    default:
      turns += 2;
      if (turns < 200)
        jump (kind);
  }
  return 0;
}

static __attribute__ ((noinline)) int
with_labels (int kind)
{
  static void *volatile next; next = kind ? &&again : &&end;
again:
  while (setjmp (plain) == 0)
    jump (kind);
  turns += 3;
  if (turns < 400)
    goto *next;
end:
  return turns;
}

int
main (void)
{
  int sum = 0;
  for (int kind = 0; kind < 4; kind++)
    sum += test (kind == 0 ? 0 : 3) + first (kind == 1 ? 1 : 3) + two (kind == 2 ? 2 : 3);
  for (int kind = 0; kind < 2; kind++)
    sum += two (1);
  sum += with_labels (1);
  printf ("%d %d\n", sum, turns);
  return 0;
}
