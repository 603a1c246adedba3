/* A function that is called from two places, and a call that may not return.  */
#include <stdlib.h>

int small, big;

static void put (int n)
{
  if (n > 99)
    exit (0);
  if (n < 5)
    small++;
  else
    big++;
}

int main (void)
{
  for (int i = 0; i < 10; i++)
    put (i);
  put (100);
}
