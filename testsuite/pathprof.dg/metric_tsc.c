/* metric=tsc: cycles of paths, without what instrumented functions that they call spend. */
/* EXPECT-TARGET: x86_64 i686 aarch64 riscv64 powerpc64le s390x */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-metric=tsc */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-metric=tsc -fplugin-arg-pathprof-array-max=0 -fplugin-arg-pathprof-update=thread */
/* EXPECT-OPTIONS: -fplugin-arg-pathprof-metric=tsc -fplugin-arg-pathprof-update=atomic -fplugin-arg-pathprof-termination=exact */
#include <sys/resource.h>

extern void pathrt_reset (void) __attribute__ ((weak));

static volatile unsigned sink;

/* What is not instrumented belongs to its caller. */
static __attribute__ ((noinline, no_profile_instrument_function)) void
spin (unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    sink += i;
}

/* EXPECT-PATHS choose: entry slow exit = 600 */
/* EXPECT-PATHS choose: entry fast exit = 200 */
/* EXPECT-SLOWER slow: 20 fast */
static __attribute__ ((noinline)) void
choose (int is_slow)
{
  if (is_slow)
    spin (2000); /* @slow */
  else
    spin (20); /* @fast */
  sink++;
}

/* EXPECT-PATHS outer: entry outside exit = 200 */
/* EXPECT-SLOWER slow: 20 outside */
static __attribute__ ((noinline)) void
outer (void)
{
  choose (1); /* @outside */
  sink++;
}

/* EXPECT-PATHS jump: entry before exit = 200 */
/* EXPECT-SLOWER slow: 20 before */
static __attribute__ ((noinline)) void
jump (void)
{
  choose (1); /* @before */
}

/* The ways around a loop, each from the head to the back edge. */
/* EXPECT-PATHS around: entry long backedge = 1 */
/* EXPECT-PATHS around: loop long backedge = 99 */
/* EXPECT-PATHS around: loop short backedge = 100 */
/* EXPECT-PATHS around: loop exit = 1 */
/* EXPECT-SLOWER long: 20 short */
static __attribute__ ((noinline)) void
around (int n)
{
  for (int i = 0; i < n; i++)
    if (i % 2 == 0)
      spin (2000); /* @long */
    else
      spin (20); /* @short */
}

static void
run (void)
{
  for (int i = 0; i < 200; i++)
    {
      choose (1);
      choose (0);
      outer ();
      jump ();
    }
  around (200);
}

static __attribute__ ((no_profile_instrument_function)) long
interruptions (void)
{
  struct rusage usage;
  getrusage (RUSAGE_SELF, &usage);
  return usage.ru_nivcsw + usage.ru_nvcsw;
}

/* The counter goes on while others have the processor: what was interrupted is done again. */
int
main (void)
{
  long before;
  int tries = 50;
  do
    {
      pathrt_reset ();
      before = interruptions ();
      run ();
    }
  while (interruptions () != before && --tries > 0);
  return 0;
}
