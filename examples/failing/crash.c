// SPDX-License-Identifier: GPL-3.0-or-later
// Prints the values of arguments such as size=3. Crashes if an argument begins with '-' and has no value.
#include <stdio.h>
#include <string.h>

static void print_value(const char *text)
{
  const char *equals = strchr(text, '=');
  if (text[0] == '-')
    printf("option ");
  else if (!equals)
    return;
  printf("%c...\n", equals[1]);
}

int main(int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    print_value(argv[i]);
  return 0;
}
