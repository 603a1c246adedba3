/* A sequence goes on over a longjmp into its function. */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-mode=kipf -fplugin-arg-pathprof-k=4 */
#include <setjmp.h>

static jmp_buf buffer;
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
  if (n == 3)
    longjmp (buffer, 1);
}

/* i = 0 1 2 3, where the call of hit does not return: that path is in no sequence.  Then again with four
   iterations less. */
/* EXPECT-SEQUENCE jumps: loop a backedge | loop a backedge = 1 */
/* The first path after the jump follows that of i = 2. */
/* EXPECT-SEQUENCE jumps: loop a backedge | handler a backedge = 1 */
/* EXPECT-LINE b: 1 */
static __attribute__ ((noinline)) void
jumps (void)
{
  volatile int first = 0;
  if (setjmp (buffer))
    first = 4;
  for (int i = first; i < 6; i++)
    hit (i); /* @a */
  hit (7); /* @b */
}

int
main (void)
{
  for (int i = 0; i < 1; i++)
    jumps ();
  return 0;
}
