// SPDX-License-Identifier: GPL-3.0-or-later
// More paths through calls than 62 bits can name, and fewer than 2^124: each storey calls the one below from three
// places, and some of what they call throws.

#include <signal.h>

#ifndef TIMES
#define TIMES 60
#endif

static volatile int sink;
static unsigned long long random_bits = 88172645463325252ull;

static bool bit() {
  random_bits ^= random_bits << 13;
  random_bits ^= random_bits >> 7;
  random_bits ^= random_bits << 17;
  return random_bits >> 40 & 1;
}

__attribute__((noinline)) static int ground(int depth) {
  if (bit())
    sink = depth;
  if (bit())
    sink = -depth;
  if (depth > 600 && bit())
    throw depth;
  return depth + 1;
}

template <int storey>
__attribute__((noinline)) static int climb(int depth) {
  if (bit())
    sink = depth;
  depth = climb<storey - 1>(depth);
  if (bit())
    depth = climb<storey - 1>(depth);
  while (bit())
    sink = depth;
  return bit() ? climb<storey - 1>(depth) : depth;
}

template <>
int climb<0>(int depth) {
  return ground(depth);
}

int main(int argc, char **) {
  int depth = 0;
  for (int i = 0; i < TIMES; i++)
    try {
      depth = climb<4>(depth);
    } catch (int at) {
      sink = at;
    }
  if (argc > 1)
    raise(SIGKILL);
  return 0;
}
