/* What hardens the flow of control adds blocks, comparisons and calls behind this plugin; paths stay those of the source. */
/* EXPECT-SINCE: 14 */
/* EXPECT-OPTIONS: -fharden-compares -fharden-conditional-branches */
/* EXPECT-OPTIONS: -fharden-control-flow-redundancy */
/* EXPECT-OPTIONS: -fstack-protector-strong -fcf-protection=full -ftrivial-auto-var-init=zero */
/* EXPECT-OPTIONS: -fzero-call-used-regs=used -fstack-clash-protection */
/* EXPECT-OPTIONS: -fstrub=all */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}

/* EXPECT-NUM-PATHS sign: 3 */
/* EXPECT-PATHS sign: entry negative exit = 2 */
/* EXPECT-PATHS sign: entry zero exit = 1 */
/* EXPECT-PATHS sign: entry positive exit = 3 */
static __attribute__ ((noinline)) int
sign (int n)
{
  if (n < 0)
    {
      hit (1); /* @negative */
      return -1;
    }
  if (n == 0)
    {
      hit (2); /* @zero */
      return 0;
    }
  hit (3); /* @positive */
  return 1;
}

/* EXPECT-LINE around: 6 */
int
main (void)
{
  int sum = 0;
  for (int n = -2; n <= 3; n++)
    sum += sign (n); /* @around */
  return sum != 1;
}
