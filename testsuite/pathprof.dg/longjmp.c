/* setjmp and longjmp: the frame that jumps ends its path before the call, the receiver starts one. */
#include <setjmp.h>

static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}

static jmp_buf target;

/* EXPECT-NUM-PATHS jump: 1 */
/* EXPECT-PATHS jump: entry a noreturn = 3 */
/* EXPECT-LINE a: 3 */
static __attribute__ ((noinline)) void
jump (int n)
{
  hit (1); /* @a */
  longjmp (target, n);
}

/* The path that leads to jump may be lost: the call might as well have come back.  The paths from the
   receiver on finish. */
/* EXPECT-LINE b: 2 */
/* EXPECT-LINE c: 1 */
/* EXPECT-LINE d: 3 */
static __attribute__ ((noinline)) void
receive (int n)
{
  switch (setjmp (target))
    {
    case 0:
      jump (n);
      break;
    case 2:
      hit (2); /* @c */
      break;
    default:
      hit (3); /* @b */
    }
  hit (4); /* @d */
}

int
main (void)
{
  receive (1);
  receive (2);
  receive (3);
  return 0;
}
