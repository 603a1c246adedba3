// Exceptions through frames with cleanups, function try blocks, rethrows, threads, setjmp, recursion.
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::jmp_buf target;

struct Guard {
  int n;
  Guard(int n) : n(n) {}
  ~Guard() {
    if (n > 2)
      std::printf("~%d\n", n);
  }
};

static int leaf(int x) {
  if (x % 3 == 0)
    throw std::runtime_error("three");
  if (x % 5 == 0)
    throw x;
  return x * 2;
}

static int middle(int x) {
  Guard guard(x);
  int r = leaf(x);
  r += leaf(x + 1);
  return r;
}

static int outer(int x) {
  try {
    return middle(x) + middle(x + 2);
  } catch (std::runtime_error &error) {
    std::printf("%s %d\n", error.what(), x);
    return -1;
  }
}

static int again(int n) try {
  Guard guard(n);
  for (int i = 0; i < n; i++)
    if (i == 4)
      throw 2.5;
  return leaf(n);
} catch (double) {
  std::puts("double");
  throw;
}

static void swallow(int n) {
  try {
    again(n);
  } catch (int k) {
    std::printf("int %d\n", k);
  } catch (...) {
    std::puts("...");
  }
}

static void jump(int depth) {
  if (depth == 0)
    std::longjmp(target, 7);
  jump(depth - 1);
  std::puts("never");
}

// Because of the handler, GCC removes the empty block in front of the loop again, after it has placed the one of the latch.
static int loop_after_a_break(int n) {
  static unsigned state = 1;
  auto is_odd = [&] { return (state = state * 1664525u + 1013904223u) >> 30 & 1; };
  switch (n % 3) {
  case 0: break;
  case 1: do {
    if (is_odd() && is_odd())
      n++;
    } while (is_odd() || n < 4);
  }
  try {
    if (n > 6)
      throw 1;
  } catch (...) {
  }
  return n;
}

// GCC finds that the handler is never entered, and so the inner loop's latch dominates the outer one's.
static int loops_at_one_label(int n) {
  static unsigned state = 1;
  auto draw = [&](unsigned below) { return (state = state * 1664525u + 1013904223u) / 65536 % below; };
  switch (n % 3) {
  case 0: break;
  case 1:
    do
      try {
        do {
        } while (draw(3));
      } catch (...) {
      }
    while (draw(4));
  }
  return n;
}

static int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

int main() {
  std::vector<std::string> texts;
  for (int i = 0; i < 40; i++) {
    try {
      int r = outer(i);
      texts.push_back(std::to_string(r));
    } catch (int k) {
      if (k > 30)
        try {
          throw;
        } catch (...) {
          texts.clear();
        }
    }
  }
  volatile int jumps = 0;
  if (int value = setjmp(target))
    jumps = jumps + value;
  if (jumps < 20)
    jump(5);
  for (int i = 0; i < 9; i++) {
    swallow(i);
    std::printf("%d\n", loop_after_a_break(i) + loops_at_one_label(i));
  }
  std::thread thread([] {
    try {
      swallow(3);
      throw std::logic_error("thread");
    } catch (std::exception &error) {
      std::puts(error.what());
    }
  });
  thread.join();
  std::function<int(int)> function = fibonacci;
  std::printf("%d %zu\n", function(12), texts.size());
  std::exit(texts.empty() ? 1 : 0);
}
