// SPDX-License-Identifier: GPL-3.0-or-later
// Formats numbers, and measures and truncates text.
#include "pathdump/ui/text.h"

#include <algorithm>
#include <cctype>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "profile/model/visible.h"

namespace pathprof {

static bool starts_character(char c) {
  return (c & 0xc0) != 0x80;
}

size_t num_characters(const std::string &text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

size_t position_of(const std::string &text, size_t index) {
  size_t at = 0;
  for (size_t seen = 0; at < text.size(); at++)
    if (starts_character(text[at]) && seen++ == index)
      break;
  return at;
}

std::string cut_text(const std::string &text, size_t width) {
  static const std::string ellipsis = "...";
  if (num_characters(text) <= width)
    return text;
  size_t keep = width > ellipsis.size() ? width - ellipsis.size() : 0;
  return text.substr(0, position_of(text, keep)) + ellipsis.substr(0, width);
}

std::string cut_middle(const std::string &text, size_t width) {
  static const std::string ellipsis = "...";
  size_t length = num_characters(text);
  if (length <= width)
    return text;
  if (width <= ellipsis.size() + 1)
    return cut_text(text, width);
  size_t last = (width - ellipsis.size()) / 3, first = width - ellipsis.size() - last;
  return text.substr(0, position_of(text, first)) + ellipsis + text.substr(position_of(text, length - last));
}

std::string without_tabs(const std::string &line) {
  static constexpr size_t kTab = 8;
  std::string text;
  size_t column = 0;
  for (char c : line) {
    if (c == '\t') {
      text.append(kTab - column % kTab, ' ');
      column += kTab - column % kTab;
    } else if (c != '\r') {
      text += c;
      column += starts_character(c);
    }
  }
  return text;
}

std::string short_number(const mpz_class &number) {
  static constexpr size_t kShown = 19;
  std::string digits = number.get_str();
  if (digits.size() <= kShown)
    return digits;
  char text[32];
  gmp_snprintf(text, sizeof text, "%.1Fe", mpf_class(number, 64).get_mpf_t());
  return text;
}

std::string plural(uint64_t number, const std::string &noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string some_of(const std::vector<std::string> &names, size_t most, const std::string &separator) {
  auto end = names.begin() + static_cast<ptrdiff_t>(std::min(most, names.size()));
  std::string text = visible(fmt::format("{}", fmt::join(names.begin(), end, separator)));
  return names.size() > most ? fmt::format("{} and {} more", text, names.size() - most) : text;
}

std::string enumeration(const std::vector<std::string> &words) {
  if (words.size() < 2)
    return words.empty() ? "" : words.front();
  return fmt::format("{} and {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

std::string digits(unsigned __int128 number) {
  std::string text;
  do
    text.insert(text.begin(), static_cast<char>('0' + static_cast<int>(number % 10)));
  while (number /= 10);
  return text;
}

double per_cent(double part, double whole) {
  return whole > 0 ? 100 * part / whole : 0;
}

std::string quoted_word(const std::string &word) {
  auto is_not_special = [](unsigned char c) { return isalnum(c) || std::strchr("_-./=,+@%:", c) || c >= 0x80; };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_not_special))
    return visible(word);
  std::string quoted = "'";
  for (char c : word)
    quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return visible(quoted + "'");
}

} // namespace pathprof
