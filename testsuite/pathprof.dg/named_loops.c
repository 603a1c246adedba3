/* break and continue of an outer loop by its name (C2Y): a jump forward out of the inner one, and to the outer one's step. */
/* EXPECT-SINCE: 16 */
/* EXPECT-OPTIONS: -std=c2y */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}

/* i = 0: columns 0, 1, 2, step.  i = 1: column 0, next row.  i = 2: column 0, column 1, end. */
/* EXPECT-LINE row: 3 */
/* EXPECT-LINE column: 6 */
/* EXPECT-LINE next: 1 */
/* EXPECT-LINE out: 1 */
/* EXPECT-LINE last: 1 */
/* EXPECT-LINE end: 1 */
static __attribute__ ((noinline)) void
table (int rows, int columns)
{
rows:
  for (int i = 0; i < rows; i++)
    {
      hit (i); /* @row */
      for (int j = 0; j < columns; j++)
        {
          hit (j); /* @column */
          if (i == 1)
            {
              hit (10); /* @next */
              continue rows;
            }
          if (i == 2 && j == 1)
            {
              hit (11); /* @out */
              break rows;
            }
        }
      hit (12); /* @last */
    }
  hit (13); /* @end */
}

int
main (void)
{
  table (5, 3);
  return 0;
}
