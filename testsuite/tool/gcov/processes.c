/* Processes that both go on behind a fork, in loops, branches and at the end of a block.  */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int
leaf (int x)
{
  if (x & 1)
    return x * 3;
  return x + 1;
}

static int
children (int n)
{
  int s = leaf (1);
  for (int i = 0; i < n; i++)
    {
      s += leaf (i);
      pid_t pid = fork ();
      if (pid == 0)
	exit (s + leaf (2) > 0 ? 0 : 1);
      int status;
      waitpid (pid, &status, 0);
      s += status;
    }
  return s;
}

int
main (void)
{
  int s = leaf (1);
  s += children (3);
  s = leaf (s);
  if (fork () == 0)
    s += leaf (3);
  else
    wait (0);
  s += leaf (2);
  printf ("%d\n", s > 0);
  return 0;
}
