/* The attributes that keep GCC's own instrumentation away keep this one away too. */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* EXPECT-ABSENT without_profile: */
static __attribute__ ((noinline, no_profile_instrument_function)) void
without_profile (int n)
{
  if (n > 0)
    hit (n);
}

/* EXPECT-ABSENT without_calls: */
static __attribute__ ((noinline, no_instrument_function)) void
without_calls (int n)
{
  if (n > 0)
    hit (n);
}

/* EXPECT-PATHS with_profile: entry a exit = 1 */
/* EXPECT-PATHS with_profile: entry exit = 1 */
/* EXPECT-ENTRIES with_profile: 2 */
static __attribute__ ((noinline)) void
with_profile (int n)
{
  if (n > 0)
    hit (n); /* @a */
}

int
main (void)
{
  for (int n = 0; n < 2; n++)
    {
      without_profile (n);
      without_calls (n);
      with_profile (n);
    }
  return 0;
}
