// SPDX-License-Identifier: GPL-3.0-or-later
// Conditional expressions with temporaries, and conditions that continue on the next line: their statements take their
// lines from the expression around them.
#include <cstdio>
#include <string>

static std::string written (const char *format, double value)
{
  char text[32];
  std::snprintf (text, sizeof text, format, value);
  return text;
}

static int rate (double value)
{
  std::string comp = "a";
  std::string text = (value >= 0) ? written ("%.1f", value)
                                  : std::string ("?");
  return static_cast<int> (text.size () + comp.size ());
}

static bool fast (const char *from, unsigned long available, unsigned long length)
{
  if (length <= 16 && available >= 16 + 5 &&
      from[0] - from[1] >= 1 && from[2] >= 16) {
    return true;
  }
  return length > 2
         && (available > 4
             || from[0] == 'x');
}

struct Guard
{
  Guard (int &count) : count_ (count) {}
  ~Guard () { count_++; }
  operator bool () const { return count_ % 2; }
  int &count_;
};

static int chosen (int n, int &count)
{
  int sum = n > 2 ? (Guard (count) ? 3 : 4)
                  : n < 0
                      ? static_cast<int> (std::string (n, 'x').size ())
                      : 5;
  for (int i = 0; i < n
                  && Guard (count); i++)
    sum += i;
  return sum;
}

int main ()
{
  int count = 0, sum = 0;
  for (int i = -1; i < 6; i++)
    try {
      sum += rate (i) + fast ("ba c", static_cast<unsigned long> (20 + i), static_cast<unsigned long> (i + 10)) + chosen (i, count);
    } catch (const std::exception &) {
      sum++;
    }
  std::printf ("%d %d\n", sum, count);
}
