// SPDX-License-Identifier: GPL-3.0-or-later
// Functions whose paths differ by what stands on one line: for test_decisions.py.  Macros, conditions, cases, loops,
// templates, lambdas and inlined functions are on lines of their own on purpose, so that this file is not formatted.
// clang-format off
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

volatile int sink;

#define CLAMP(x, low, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))
#define EACH(i, n) for (int i = 0; i < (n); i++) if (i % 3 == 0) sink += i; else if (i % 3 == 1) continue; else sink -= i
#define CHECK(x) do { if (!(x)) sink++; } while (0)

static inline int sign (int x) { return x < 0 ? -1 : x > 0 ? 1 : 0; }
static inline __attribute__ ((always_inline)) bool in (int x, int a, int b) { return x >= a && x <= b; }

__attribute__ ((noinline)) int macros (int a, int b) { CHECK (a > 1); CHECK (b > 1); CHECK (a > b); return CLAMP (a, 1, 4) + CLAMP (b, 1, 4); }
__attribute__ ((noinline)) int each (int n) { EACH (i, n); EACH (j, n / 2); return sink; }
__attribute__ ((noinline)) int conditions (int a, int b, int c) { if ((a && b) || (b && c) || (c && !a)) return a ? b ? 1 : 2 : c ? 3 : 4; return !a && !c; }
__attribute__ ((noinline)) int ternaries (int a, int b) { return (a > b ? a - b : b - a) + (a & 1 ? b & 1 ? 3 : 2 : b & 2 ? 1 : 0) + (a == 2 ? 7 : b == 2 ? 8 : 9); }
__attribute__ ((noinline)) int cases (int a, int b) { switch (a) { case 0: return b; case 1: case 2: switch (b) { case 0: return 5; case 1: return 6; default: break; } break; case 3: return 7; default: sink++; } return a + b; }
__attribute__ ((noinline)) int loops (int n) { int s = 0; for (int i = 0; i < n; i++) { while (s % 4) s++; for (int j = 0; j < i; j++) if (j & 1) s += j; else s--; do s++; while (s % 3); } return s; }
__attribute__ ((noinline)) int inlined (int a, int b) { return sign (a) * 3 + sign (b) + sign (a - b) + in (a, 1, 3) + in (b, 1, 3) + (in (a, b, 5) || in (b, a, 5)); }

template <int N, typename T> __attribute__ ((noinline)) T unrolled (T x) { if constexpr (N > 0) { T y = x > N ? x - N : x; return (y == 1 ? y + 5 : y == 2 ? y : y - 1) + unrolled<N - 1, T> (y); } else return x > 2 ? 1 : x < 0 ? 2 : 3; }
template <typename T> struct Pair { T a, b; bool operator< (const Pair &o) const { return a != o.a ? a < o.a : b < o.b; } };
template <typename C> __attribute__ ((noinline)) int best (const C &all) { int n = 0; for (const auto &x : all) if (x < all.front () || all.back () < x) n++; else n--; return n; }
auto twice = [] (int x) { auto g = [x] (int y) { return y > x ? y : y == x ? 0 : -y; }; return g (3) > 0 && g (1) < 2 ? g (x) : g (2); };
__attribute__ ((noinline)) int strings (const std::string &a, const std::string &b) { return a == b || a.empty () || b.empty () ? 0 : a < b ? -1 : a.size () > 2 && b.size () > 2 ? 2 : 1; }
__attribute__ ((noinline)) int sums (const std::vector<int> &v) { int m[3] = {}; for (int x : v) m[x % 3] += x > 2 ? x : 1; int s = 0; for (int &x : m) s += x > m[0] ? x : -x; return s; }
__attribute__ ((noinline)) int throws (int a) { try { if (a == 1) throw 1; if (a == 2) throw std::runtime_error ("2"); try { if (a & 4) throw 'c'; } catch (char) { if (a & 1) throw; sink++; } } catch (int) { return 1; } catch (std::exception &) { return 2; } catch (...) { return 3; } return a > 8 ? 4 : 5; }
__attribute__ ((noinline)) int jumps (int a) { again: if (a > 20) goto out; if (a & 1) { a += 3; goto again; } a += 5; if (a < 12) goto again; out: return a > 22 ? a : -a; }

int main ()
{
  int s = 0;
  std::vector<Pair<int>> pairs;
  for (int a = -2; a < 7; a++)
    for (int b = -2; b < 7; b++)
      {
	s += macros (a, b) + conditions (a > 0, b & 1, a & 2) + ternaries (a, b) + cases (a, b) + inlined (a, b);
	s += unrolled<3, int> (a) + unrolled<2, long> (b) + twice (a) + throws (a + b) + jumps (a * b);
	s += strings (std::string (a > 0 ? a : 0, 'a'), std::string (b > 0 ? b : 0, b & 1 ? 'a' : 'b'));
	pairs.push_back ({a, b});
      }
  for (int n = 0; n < 9; n++)
    s += each (n) + loops (n) + best (std::vector<long> (n + 1, n)) + best (std::vector<int>{n, 4, 2}) + sums (std::vector<int> (n, n));
  s += best (pairs);
  return s == 0;
}
