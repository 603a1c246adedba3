/* Loops with several entries, computed gotos and setjmp in and around loops with context. */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-mode=intracontext */
#include <setjmp.h>

static jmp_buf again;
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* (0, 3): a b a b a b c; (1, 3): b a b a b c, each twice */
/* EXPECT-LINE a: 10 */
/* EXPECT-LINE b: 12 */
/* EXPECT-LINE c: 4 */
/* EXPECT-ENTRIES jump: 2 */
static __attribute__ ((noinline)) void
jump (int enter, int n)
{
  for (int i = 0; i < 2; i++)
    {
      int left = n;
      if (enter)
        goto middle;
    top:
      hit (1); /* @a */
    middle:
      hit (2); /* @b */
      if (--left > 0)
        goto top;
      hit (3); /* @c */
    }
}
/* EXPECT-LINE d: 6 */
/* EXPECT-LINE e: 3 */
/* EXPECT-LINE f: 9 */
static __attribute__ ((noinline)) void
threaded (const char *code)
{
  static const void *const labels[] = { &&add, &&loop, &&end };
  goto *labels[(int) *code++];
add:
  hit (1); /* @d */
  goto *labels[(int) *code++];
loop:
  hit (2); /* @e */
  for (int i = 0; i < 3; i++)
    hit (3); /* @f */
  goto *labels[(int) *code++];
end:
  hit (4);
}
/* EXPECT-LINE g: 2 */
/* EXPECT-LINE h: 1 */
static __attribute__ ((noinline)) void
retry (volatile int n)
{
  for (volatile int i = 0; i < 2; i++)
    if (setjmp (again) < 2)
      {
        if (n++ < 1)
          longjmp (again, 1);
        hit (5); /* @g */
        if (n == 3)
          longjmp (again, 2);
      }
    else
      hit (6); /* @h */
}

int
main (void)
{
  jump (0, 3);
  jump (1, 3);
  threaded ("\0\0\1\0\1\0\0\1\0\2");
  retry (0);
  return 0;
}
