/* Functions that begin with loops, loops that are repeated from a branch or from several blocks, and loops on one line.
   With -Wformat, GCC adds empty blocks to them before its coverage reads the graph.  */
#include <stdio.h>
#include <string.h>

static int left = 40;

static int
next (void)
{
  return left-- > 0;
}

static int
begins_with_while (void)
{
  while (next ())
    if (left % 7 == 0)
      return 1;
  return 0;
}

static int
begins_forever (void)
{
  while (1)
    {
      if (!next ()) return 0;
      while (left % 5 == 1 ||
             (left > 10 &&
              left % 3 == 2)) {
        left--;
        if (!next ()) return 1;
      }
      if (left % 4 == 0)
        {
          while (left % 6) {
            left--;
            if (!next ()) return 2;
          }
        }
      if (left % 8 == 3)
        continue;
      if (left % 9 == 4)
        break;
    }
  return 3;
}

static int begins_with_do (int n) { do n--; while (n > 0); return n; }

static int
repeats_from_a_branch (int n)
{
  int sum = 0;
  do
    sum += n;
  while (--n > 0);
  do { sum++; if (sum % 3 == 0) continue; sum++; } while (sum % 7);
  for (;;)
    {
      sum++;
      if (sum % 5)
        continue;
      if (sum % 2)
        break;
    }
  return sum;
}

static int
is_entered_twice (int n)
{
  int sum = 0;
  switch (n)
    {
    case 1:
      sum = 3;
    case 2: while (sum < 9) sum += 2; break;
    case 3:
      do
        {
          sum++;
    case 4:
          sum += 2;
        }
      while (sum < 8);
    }
  return sum;
}

static int
calls_a_pure_function (const char *text)
{
  size_t i = 0;
  do
    i++;
  while (i < strlen (text));
  while (i > 2)
    if (text[i - 1] == 'x')
      i -= 2;
    else
      i--;
  return (int) i;
}

static int
repeats_a_decision (int a, int b)
{
  do
    {
      a--;
      b -= 2;
    }
  while (a > 0 || b > 0);
  do a++; while (a < 3 || b++ < 2);
  return a + b;
}

static int
is_entered_from_branches (const char *text, int known)
{
  if (!(known > 2 || next ())) return 0;

  while (*text == ' ' || *text == 't') {
    text++;
    if (!(known > 1 || next ())) return 1;
  }
  return 2;
}

static int
begins_at_labels (int n)
{
  switch (n)
    {
    case 0: next (); next ();
      break;
    case 1 ... 2:
      do
        {
          n++; } while (next ());
      break;
    default:
      next ();
    }
  return n;
}

static int
shares_an_exit (int n)
{
  switch (n)
    {
      do { n++;
    case 1:
        next (); n += 2; case 2: next (); }
      while (n < 6);
    case 3: while (next ()) n--;
    }
  return n;
}

/* Regression 22: the latch falls through to the head, so GCC places the preheader behind the switch. */
static int
falls_through_to_its_head (int kind)
{
  static void *const targets[] = { &&again, &&last };
  int n = 0;
  switch (kind)
    {
    case 0:
      do
        {
          asm goto ("" : : : : over);
          n++;
        over:
          break;
        again:
    case 7:
          if (next ())
            goto *targets[left % 2];
        }
      while (n++ < 1);
    }
last:
  return n;
}

/* Regression 22: two loops begin at one label, and neither latch dominates the other: GCC merges them, and the label
   goes with them.  */
static int
begins_twice_at_a_label (int kind)
{
  switch (kind)
    {
    case 2: do { for (;;)
          if (left-- % 3 == 0)
            break;
        }
      while (left-- % 4);
    }
  return kind;
}

/* Regression 22: both latches have the value of `n` that the header computes from the value before, so GCC sees one loop.  */
static int
counts_down (int n)
{
  int sum = 0, last = 3;
  while (--n >= 1)
    {
      last = n;
      if (next ())
        sum++;
      if (left % 2)
        sum += last;
    }
  return sum;
}

int
main (void)
{
  int sum = 0;
  for (int i = 0; i < 4; i++)
    {
      left = 40 + i;
      sum += falls_through_to_its_head (i == 0 ? 0 : 7);
      sum += begins_twice_at_a_label (i);
      sum += counts_down (i);
      sum += begins_with_while ();
      sum += begins_forever ();
      sum += begins_with_do (i);
      sum += repeats_from_a_branch (i);
      sum += is_entered_twice (i + 1);
      sum += repeats_a_decision (i, 2 * i);
      sum += begins_at_labels (i) + shares_an_exit (i);
      sum += is_entered_from_branches ("t  t", i);
    }
  sum += calls_a_pure_function ("text x") + calls_a_pure_function ("xxxxxxx");
  printf ("%d\n", sum);
  return 0;
}
