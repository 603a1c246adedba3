// SPDX-License-Identifier: GPL-3.0-or-later
// Finds similar names by edit distance.
#include "pathdump/ui/nearest.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pathprof {

static std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

static std::string without_wildcards(const std::string &glob) {
  std::string text;
  std::copy_if(glob.begin(), glob.end(), std::back_inserter(text), [](char c) { return !std::strchr("*?[]\\", c); });
  return text;
}

// Returns the minimum number of insertions, deletions, replacements and swaps of adjacent characters that turn `a` into
// `b`. This is the Damerau-Levenshtein distance restricted to one edit per character.
static size_t distance(const std::string &a, const std::string &b) {
  std::vector<size_t> before, last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j < last.size(); j++)
    last[j] = j;
  for (size_t i = 0; i < a.size(); i++) {
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); j++) {
      row[j + 1] = std::min({last[j] + (a[i] != b[j]), last[j + 1] + 1, row[j] + 1});
      if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j])
        row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
    before = std::exchange(last, row);
  }
  return last.back();
}

static std::string last_component(const std::string &name) {
  size_t at = name.find_last_of(":/");
  return at == std::string::npos ? name : name.substr(at + 1);
}

// Returns a distance that is smaller for more similar names, or nothing if the two names are not similar enough.
static std::optional<size_t> farness(const std::string &wanted, const std::string &name) {
  static constexpr size_t kLongest = 64; // limit in characters; edit distances of longer names are not computed
  if (name.find(wanted) != std::string::npos)
    return 0;
  size_t most = wanted.size() < 2 ? 0 : std::max<size_t>(1, wanted.size() / 3), least = SIZE_MAX;
  for (const std::string &text : {name, last_component(name)})
    if (wanted.size() <= kLongest && text.size() <= wanted.size() + most && wanted.size() <= text.size() + most)
      least = std::min(least, distance(wanted, text));
  return least <= most ? std::make_optional(least) : std::nullopt;
}

std::vector<std::string> nearest_names(const std::string &wanted, const std::set<std::string> &names) {
  static constexpr size_t kMost = 3;
  std::string text = lower(without_wildcards(wanted));
  std::vector<std::pair<size_t, std::string>> found;
  for (const std::string &name : names)
    if (std::optional<size_t> far = text.empty() ? std::nullopt : farness(text, lower(name)))
      found.emplace_back(*far, name);
  std::stable_sort(found.begin(), found.end(), [](const auto &a, const auto &b) {
    return std::make_pair(a.first, a.second.size()) < std::make_pair(b.first, b.second.size());
  });
  std::vector<std::string> nearest;
  for (size_t i = 0; i < std::min(found.size(), kMost); i++)
    nearest.push_back(found[i].second);
  return nearest;
}

std::string did_you_mean(const std::string &wanted, const std::set<std::string> &names) {
  std::vector<std::string> nearest = nearest_names(wanted, names);
  return nearest.empty() ? "" : fmt::format("; did you mean '{}'?", fmt::join(nearest, "' or '"));
}

} // namespace pathprof
