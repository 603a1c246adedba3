// SPDX-License-Identifier: GPL-3.0-or-later
// A boiler's alarm: too much pressure, or heat while nobody is at the panel.  Arguments: three numbers per reading.
#include <stdio.h>
#include <stdlib.h>

static int is_raised(int pressure, int heat, int attended)
{
  if (pressure > 90 || (heat > 70 && !attended))
    return 1;
  return 0;
}

int main(int argc, char **argv)
{
  for (int i = 1; i + 2 < argc; i += 3)
    if (is_raised(atoi(argv[i]), atoi(argv[i + 1]), atoi(argv[i + 2])))
      printf("reading %d: alarm\n", i / 3 + 1);
  return 0;
}
