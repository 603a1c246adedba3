/* A switch with 24 cases, which becomes a jump table. */
static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}
/* EXPECT-NUM-PATHS choose: 25 */
/* Every case runs once, every third one once more; the default runs for -1 and 24. */
/* EXPECT-PATHS choose: entry c0 exit = 2 */
/* EXPECT-PATHS choose: entry c1 exit = 1 */
/* EXPECT-PATHS choose: entry c2 exit = 1 */
/* EXPECT-PATHS choose: entry c3 exit = 2 */
/* EXPECT-PATHS choose: entry c4 exit = 1 */
/* EXPECT-PATHS choose: entry c5 exit = 1 */
/* EXPECT-PATHS choose: entry c6 exit = 2 */
/* EXPECT-PATHS choose: entry c7 exit = 1 */
/* EXPECT-PATHS choose: entry c8 exit = 1 */
/* EXPECT-PATHS choose: entry c9 exit = 2 */
/* EXPECT-PATHS choose: entry c10 exit = 1 */
/* EXPECT-PATHS choose: entry c11 exit = 1 */
/* EXPECT-PATHS choose: entry c12 exit = 2 */
/* EXPECT-PATHS choose: entry c13 exit = 1 */
/* EXPECT-PATHS choose: entry c14 exit = 1 */
/* EXPECT-PATHS choose: entry c15 exit = 2 */
/* EXPECT-PATHS choose: entry c16 exit = 1 */
/* EXPECT-PATHS choose: entry c17 exit = 1 */
/* EXPECT-PATHS choose: entry c18 exit = 2 */
/* EXPECT-PATHS choose: entry c19 exit = 1 */
/* EXPECT-PATHS choose: entry c20 exit = 1 */
/* EXPECT-PATHS choose: entry c21 exit = 2 */
/* EXPECT-PATHS choose: entry c22 exit = 1 */
/* EXPECT-PATHS choose: entry c23 exit = 1 */
/* EXPECT-PATHS choose: entry d exit = 2 */
/* EXPECT-LINE c7: 1 */
/* EXPECT-LINE c21: 2 */
/* EXPECT-LINE d: 2 */
static __attribute__ ((noinline)) void
choose (int n)
{
  switch (n)
    {
    case 0:
      hit (1); /* @c0 */
      break;
    case 1:
      hit (2); /* @c1 */
      break;
    case 2:
      hit (3); /* @c2 */
      break;
    case 3:
      hit (4); /* @c3 */
      break;
    case 4:
      hit (5); /* @c4 */
      break;
    case 5:
      hit (6); /* @c5 */
      break;
    case 6:
      hit (7); /* @c6 */
      break;
    case 7:
      hit (8); /* @c7 */
      break;
    case 8:
      hit (9); /* @c8 */
      break;
    case 9:
      hit (10); /* @c9 */
      break;
    case 10:
      hit (11); /* @c10 */
      break;
    case 11:
      hit (12); /* @c11 */
      break;
    case 12:
      hit (13); /* @c12 */
      break;
    case 13:
      hit (14); /* @c13 */
      break;
    case 14:
      hit (15); /* @c14 */
      break;
    case 15:
      hit (16); /* @c15 */
      break;
    case 16:
      hit (17); /* @c16 */
      break;
    case 17:
      hit (18); /* @c17 */
      break;
    case 18:
      hit (19); /* @c18 */
      break;
    case 19:
      hit (20); /* @c19 */
      break;
    case 20:
      hit (21); /* @c20 */
      break;
    case 21:
      hit (22); /* @c21 */
      break;
    case 22:
      hit (23); /* @c22 */
      break;
    case 23:
      hit (24); /* @c23 */
      break;
    default:
      hit (0); /* @d */
    }
}

int
main (void)
{
  for (int n = -1; n <= 24; n++)
    choose (n);
  for (int n = 0; n < 24; n += 3)
    choose (n);
  return 0;
}
