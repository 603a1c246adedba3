/* Calls that come back twice, and one that does not come back.  */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int runs;

static int
child (int n)
{
  int status = 0;
  pid_t pid = fork ();
  if (pid == 0)
    exit (n);
  runs += n;
  waitpid (pid, &status, 0);
  return WEXITSTATUS (status);
}

static int
stop (int n)
{
  if (n == 5)
    exit (6);
  return n;
}

static int
use (int n)
{
  int sum = child (n);
  sum += stop (n);
  return sum;
}

int
main (void)
{
  int sum = 0;
  for (int i = 1; i < 9; i++)
    sum += use (i);
  return sum;
}
