// SPDX-License-Identifier: GPL-3.0-or-later
// Exceptions through calls: thrown and caught in all distances, with objects to be destroyed on the way, rethrown,
// out of virtual functions, and in loops.
#include <cstdio>
#include <memory>
#include <string>

#ifdef noinline
#define FUNCTION
#else
#define FUNCTION __attribute__((noinline))
#endif

static unsigned seed = 1;

FUNCTION static unsigned draw(unsigned n) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 16) % n;
}

namespace {

int destroyed = 0;

struct Guard {
  explicit Guard(int by) : by_(by) {}
  FUNCTION ~Guard() {
    if (by_ & 1)
      destroyed += by_;
  }
  int by_;
};

struct Shape {
  virtual ~Shape() {}
  virtual int area(int x) const = 0;
};

struct Square : Shape {
  FUNCTION int area(int x) const override {
    if (x > 8)
      throw x;
    return x * x;
  }
};

struct Line : Shape {
  FUNCTION int area(int x) const override {
    while (x > 3)
      x -= 2;
    return x;
  }
};

} // namespace

FUNCTION static int throws(int x) {
  Guard guard(x);
  if (x % 5 == 0)
    throw std::string("five");
  if (x % 7 == 0)
    throw x;
  return x + 1;
}

FUNCTION static int passes_on(int x) {
  Guard guard(x + 1);
  int sum = 0;
  for (int i = 0; i < 3; i++)
    sum += throws(x + i);
  return sum;
}

FUNCTION static int catches_some(int x) {
  try {
    return passes_on(x);
  } catch (int value) {
    if (value > 20)
      throw;
    return value;
  }
}

FUNCTION static int catches_all(int x) {
  try {
    return catches_some(x) + throws(x + 3);
  } catch (const std::string &text) {
    return static_cast<int>(text.size());
  } catch (...) {
    return -1;
  }
}

FUNCTION static int in_loop(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    try {
      sum += throws(i);
    } catch (int value) {
      sum -= value;
    } catch (const std::string &) {
      continue;
    }
  }
  return sum;
}

FUNCTION static int area_of(const Shape &shape, int x) {
  try {
    return shape.area(x) + shape.area(x + 1);
  } catch (int) {
    return 0;
  }
}

int main() {
  int total = 0;
  Square square;
  Line line;
  for (int round = 0; round < 50; round++) {
    total += catches_all(static_cast<int>(draw(40)));
    total += in_loop(static_cast<int>(draw(12)));
    total += area_of(draw(2) ? static_cast<Shape &>(square) : line, static_cast<int>(draw(12)));
  }
  std::printf("%d %d\n", total, destroyed);
}
