// SPDX-License-Identifier: GPL-3.0-or-later
// A program with decisions in templates, beside exceptions and destructors, for compare-conditions.
#include <cstdlib>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Guard {
  Guard(bool armed, int &counter) : armed_(armed), counter_(counter) {}
  ~Guard() {
    if (armed_ && counter_ > 0)
      --counter_;
  }
  bool armed_;
  int &counter_;
};

template <typename T>
T clamp(T value, T low, T high) {
  if (value < low || value > high)
    return value < low ? low : high;
  return value;
}

bool check(int value) {
  if (value == 7 || (value < 0 && value % 2))
    throw std::out_of_range("value " + std::to_string(value));
  return value > 2 && !(value == 4 || value == 6);
}

template <typename Container>
int count_good(const Container &values, int &counter) {
  int good = 0;
  for (const auto &value : values) {
    Guard guard(good % 2 == 0, counter);
    try {
      if (check(value) && (good < 3 || check(value + 1)))
        good++;
    } catch (const std::out_of_range &error) {
      std::string text = error.what();
      if (!text.empty() && text + "!" != "value 7!")
        counter++;
    }
  }
  return good;
}

bool is_between(int low, int value, int high) {
  bool result = low <= value && value <= high;
  return result ? result || low == high : result && high > 0;
}

} // namespace

int main(int argc, char **argv) {
  int counter = 0;
  std::vector<int> values{1, 2, 3, 4, 5, 6, 7, -1, -2, 8};
  if (argc > 1 && std::atoi(argv[1]) > 0 && (argc == 2 || std::string(argv[2]) == "x"))
    values.push_back(std::atoi(argv[1]));
  std::map<std::string, int> words;
  for (int i = 2; i < argc && words.size() < 5; i++)
    if (words[argv[i]]++ == 0 && std::string(argv[i]).size() > 1)
      counter += 2;
  int good = count_good(values, counter);
  double sum = clamp(0.5 * good, 0.0, 2.0) + clamp(good, 1, 3);
  for (int value : values)
    sum += is_between(2, value, 5) && !is_between(3, value, 3);
  while (counter > 0 && sum > 0)
    counter--, sum -= 1;
  std::cout << good << ' ' << counter << ' ' << sum << '\n';
  return argc > 2 && std::string(argv[2]) == "throw" ? 3 : 0;
}
