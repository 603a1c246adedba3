/* Both arms of an if; an if without else; a conditional expression. */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* EXPECT-NUM-PATHS both: 2 */
/* Of 0..4, 3 and 4 are above 2. */
/* EXPECT-PATHS both: entry a exit = 2 */
/* EXPECT-PATHS both: entry b exit = 3 */
/* EXPECT-LINE a: 2 */
/* EXPECT-LINE b: 3 */
static void
both (int n)
{
  if (n > 2)
    hit (1); /* @a */
  else
    hit (2); /* @b */
}

/* EXPECT-NUM-PATHS one: 2 */
/* EXPECT-PATHS one: entry c e exit = 1 */
/* EXPECT-PATHS one: entry e exit = 4 */
/* EXPECT-LINE c: 1 */
/* EXPECT-LINE e: 5 */
static void
one (int n)
{
  if (n == 2)
    hit (3); /* @c */
  hit (4); /* @e */
}

static __attribute__ ((noinline)) int
value (int n)
{
  hit (n);
  return n;
}

/* EXPECT-NUM-PATHS conditional: 2 */
/* EXPECT-PATHS conditional: entry g exit = 3 */
/* EXPECT-PATHS conditional: entry h exit = 2 */
/* EXPECT-LINE g: 3 */
/* EXPECT-LINE h: 2 */
static int
conditional (int n)
{
  return n % 2 == 0
    ?
    value (1) /* @g */
    :
    value (2); /* @h */
}

int
main (void)
{
  for (int n = 0; n < 5; n++)
    {
      both (n);
      one (n);
      sink = conditional (n);
    }
  return 0;
}
