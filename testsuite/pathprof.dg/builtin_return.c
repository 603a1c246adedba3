/* A function that passes its arguments on and returns what the other one does, without knowing either. */
/* EXPECT-NUM-PATHS forward: 2 */
/* k = 98..103: */
/* EXPECT-PATHS forward: entry a exit = 3 */
/* EXPECT-PATHS forward: entry b exit = 3 */
/* EXPECT-LINE a: 3 */
/* EXPECT-LINE b: 3 */

static volatile int sink;

static __attribute__ ((noipa)) int
sum (int n, double d)
{
  return n + (int) d;
}

static __attribute__ ((noipa)) int
forward (int k, double d)
{
  void *arguments = __builtin_apply_args ();
  if (k > 100)
    {
      sink = k; /* @a */
      return 3;
    }
  sink = 0; /* @b */
  void *result = __builtin_apply ((void (*) ()) sum, arguments, 256);
  __builtin_return (result);
}

int
main (void)
{
  int all = 0;
  for (int i = 98; i < 104; i++)
    all += forward (i, 2.5);
  return all != 312;
}
