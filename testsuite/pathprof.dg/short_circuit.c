/* Conditions with && and ||: every operand is a branch of its own. */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
static __attribute__ ((noinline)) int
probe (int n)
{
  sink = n;
  return n != 0;
}

/* a no: u.  a, b yes: t.  a yes, b no, c yes: t.  a yes, b no, c no: u. */
/* EXPECT-NUM-PATHS mixed: 4 */
/* n = 0..7, as bits a = 1, b = 2, c = 4: */
/* EXPECT-PATHS mixed: entry a u exit = 4 */
/* EXPECT-PATHS mixed: entry a b t exit = 2 */
/* EXPECT-PATHS mixed: entry a b c t exit = 1 */
/* EXPECT-PATHS mixed: entry a b c u exit = 1 */
/* EXPECT-LINE a: 8 */
/* EXPECT-LINE b: 4 */
/* EXPECT-LINE c: 2 */
/* EXPECT-LINE t: 3 */
/* EXPECT-LINE u: 5 */
static void
mixed (int n)
{
  if (probe (n & 1) /* @a */
      &&
      (probe (n & 2) /* @b */
       ||
       probe (n & 4))) /* @c */
    hit (1); /* @t */
  else
    hit (2); /* @u */
}

/* The loop's condition has two branches: from its head e no: out; e yes, f no: out; e and f yes: g, back.
   From entry or loop. */
/* EXPECT-NUM-PATHS loop: 6 */
/* n = 3: entry e f g backedge (3), loop e f g backedge (2), loop e f g backedge (1), loop e h exit (0)
   n = -2: entry e f h exit */
/* EXPECT-PATHS loop: entry e f g backedge = 1 */
/* EXPECT-PATHS loop: loop e f g backedge = 2 */
/* EXPECT-PATHS loop: loop e h exit = 1 */
/* EXPECT-PATHS loop: entry e f h exit = 1 */
/* EXPECT-LINE e: 5 */
/* EXPECT-LINE f: 4 */
/* EXPECT-LINE g: 3 */
static void
loop (int n)
{
  while (
    probe (n) /* @e */
    &&
    probe (n > 0)) /* @f */
    {
      hit (n); /* @g */
      n--;
    }
  hit (3); /* @h */
}

int
main (void)
{
  for (int n = 0; n < 8; n++)
    mixed (n);
  loop (3);
  loop (-2);
  return 0;
}
