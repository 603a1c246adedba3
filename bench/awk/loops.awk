# SPDX-License-Identifier: GPL-3.0-or-later
# Numeric loops without input: primes by trial division, and sums over a table of a thousand elements.
BEGIN {
  n = ARGV[1]
  for (i = 2; i < n; i++) {
    prime = 1
    for (j = 2; j * j <= i; j++)
      if (i % j == 0) {
        prime = 0
        break
      }
    primes += prime
  }
  for (i = 0; i < n; i++) {
    x = (x * 5 + i) % 1000
    seen[x]++
  }
  for (i = 0; i < 1000; i++)
    sum += seen[i] * i
  print primes, sum
}
