/* Inner loops that are unrolled completely: counts through the path register and counts at known places of the
   array then follow each other, and GCC must not take them for different memory. */
/* EXPECT-OPTIONS: -funroll-loops */
static void
differ (double x[2], double y[2])
{
  if (x == y)
    __builtin_abort ();
}

/* Ten pairs i <= j with four rounds of k and l each; of those, eight have i == j and k == l. */
/* EXPECT-LINE a: 32 */
int
main (void)
{
  struct
  {
    int head[3];
    double x[1][2];
  } part[4][2];
  int i, j, k, l, m, n;

  for (i = 0; i < 4; i++)
    for (j = i; j < 4; j++)
      for (k = 0; k < 2; k++)
        for (l = 0; l < 2; l++)
          if (!(j == i && k == l))
            for (m = 0; m < 1; m++)
              for (n = 0; n < 1; n++)
                differ (part[i][k].x[m], part[j][l].x[n]); /* @a */
  return 0;
}
