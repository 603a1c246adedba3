// Handlers in loops with context go on with the path that threw.
// EXPECT-OPTIONS: -fplugin-arg-pathprof-mode=intracontext
static volatile int sink;

static __attribute__((noinline)) void hit(int n) {
  sink = n;
  if (n < 0)
    throw n;
}

// Rounds 0 to 4; 1 and 3 throw.
// EXPECT-LINE a: 2
// EXPECT-LINE b: 5
// EXPECT-LINE c: 2
// EXPECT-LINE d: 3
// EXPECT-LINE e: 1
// EXPECT-ENTRIES rounds: 1
static __attribute__((noinline)) void rounds(int n) {
  if (n > 3)
    hit(1); // @e
  for (int i = 0; i < n; i++) {
    try {
      hit(2); // @b
      hit(i % 2 ? -1 : 1);
      hit(3); // @d
    } catch (int) {
      hit(4); // @c
    }
    for (int j = 3; j < i; j++)
      for (int k = 0; k < 2; k++)
        hit(5); // @a
  }
}

int main() {
  rounds(5);
  return 0;
}
