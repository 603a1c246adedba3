// SPDX-License-Identifier: GPL-3.0-or-later
// Pairs the lines of two versions of a function.
#include "pathdump/model/line_changes.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <string>

#include <fmt/format.h>

namespace pathprof {

namespace {

struct SourceLine {
  uint32_t number = 0;
  size_t num_positions = 0;
  uint64_t count = 0;
  uint64_t factor = 1; // factor of the counts when they are compared with those of the other profile
  std::vector<std::vector<EdgeCount>> outcomes;
  std::string conditions; // identifies the conditions and case labels of the branches, without their line numbers

  // Returns true if the lines have the same number of positions and the same number of branches, and if corresponding
  // branches have the same number of outcomes. These properties do not change if other lines are edited.
  bool resembles(const SourceLine &other) const {
    return num_positions == other.num_positions &&
           std::equal(outcomes.begin(), outcomes.end(), other.outcomes.begin(), other.outcomes.end(),
                      [](const auto &mine, const auto &its) { return mine.size() == its.size(); });
  }

  // Returns true if the two lines, which are similar, have equal execution counts, and all their outcomes do, too.
  bool counts_equal(const SourceLine &other) const {
    auto is_equal = [&](uint64_t mine, uint64_t its) { return Weight{mine} * factor == Weight{its} * other.factor; };
    auto are_equal = [&](const std::vector<EdgeCount> &mine, const std::vector<EdgeCount> &its) {
      return std::equal(mine.begin(), mine.end(), its.begin(),
                        [&](const EdgeCount &a, const EdgeCount &b) { return is_equal(a.count, b.count); });
    };
    return is_equal(count, other.count) &&
           std::equal(outcomes.begin(), outcomes.end(), other.outcomes.begin(), are_equal);
  }

  // Returns 0 if the lines cannot be paired, and otherwise a number that is greater if their branches test the same
  // conditions, and slightly greater if their counts are equal. Without it, `case` groups of the same shape would be
  // paired in their order, and a group inserted before them would make all of them look changed.
  uint32_t likeness(const SourceLine &other) const {
    if (!resembles(other))
      return 0;
    return 8 + 4 * (conditions == other.conditions) + 2 * counts_equal(other);
  }
  static constexpr uint32_t kMostLikeness = 14;
};

// Returns a string that identifies what the branch tests, but not the line on which it stands.
std::string condition_of(const BranchNotes &branch) {
  std::string text = fmt::format("{},{}-{},{}.{};", branch.column, branch.range.first_column, branch.range.last_column,
                                 static_cast<int>(branch.relation), static_cast<int>(branch.text.sense));
  for (const CaseLabels &edge : branch.cases)
    for (const CaseLabel &label : edge.labels)
      text += fmt::format("{}-{};", label.low, label.high);
  return text;
}

std::vector<SourceLine> lines_of(const Function &function, const Decoded &decoded, uint64_t factor) {
  std::map<uint32_t, SourceLine> lines;
  for (const BlockNotes &block : function.notes.blocks)
    for (const LineRef &position : block.lines)
      if (position.line && position.site == 0 && position.file == function.notes.file) {
        lines[position.line].number = position.line;
        lines[position.line].num_positions++;
      }
  for (const auto &[place, count] : count_lines(function, decoded))
    if (auto line = lines.find(place.second); place.first == function.notes.file && line != lines.end())
      line->second.count = count.count();
  std::map<uint32_t, const BranchNotes *> branches;
  for (const BranchNotes &branch : function.notes.branches)
    branches[branch.block] = &branch;
  for (const BranchCount &branch : count_branches(function, decoded)) {
    auto line = lines.find(branch.position.line);
    if (branch.position.site != 0 || branch.position.file != function.notes.file || line == lines.end())
      continue;
    std::vector<EdgeCount> outcomes;
    std::copy_if(branch.edges.begin(), branch.edges.end(), std::back_inserter(outcomes),
                 [](const EdgeCount &edge) { return !edge.is_exception; });
    if (outcomes.size() < 2)
      continue;
    line->second.outcomes.push_back(std::move(outcomes));
    if (auto notes = branches.find(static_cast<uint32_t>(branch.block)); notes != branches.end())
      line->second.conditions += condition_of(*notes->second);
  }
  std::vector<SourceLine> sorted;
  for (auto &[number, line] : lines) {
    line.factor = factor;
    sorted.push_back(std::move(line));
  }
  return sorted;
}

// Indices of corresponding lines in A and B.
using Pairs = std::vector<std::pair<size_t, size_t>>;

// The most cells of the table from which the best pairs are found.
constexpr size_t kMostCells = size_t{1} << 24;

// Pairs the lines of [begin, end_a) and [begin, end_b) in their order, with the greatest sum of likeness.
void pair_middle(const std::vector<SourceLine> &a, const std::vector<SourceLine> &b, size_t begin, size_t end_a,
                 size_t end_b, Pairs &pairs) {
  size_t rows = end_a - begin, columns = end_b - begin;
  std::vector<std::vector<uint32_t>> best(rows + 1, std::vector<uint32_t>(columns + 1, 0));
  auto likeness = [&](size_t i, size_t j) { return a[begin + i].likeness(b[begin + j]); };
  for (size_t i = rows; i-- > 0;)
    for (size_t j = columns; j-- > 0;) {
      best[i][j] = std::max(best[i + 1][j], best[i][j + 1]);
      if (uint32_t value = likeness(i, j))
        best[i][j] = std::max(best[i][j], best[i + 1][j + 1] + value);
    }
  for (size_t i = 0, j = 0; i < rows && j < columns;) {
    if (uint32_t value = likeness(i, j); value && best[i][j] == best[i + 1][j + 1] + value)
      pairs.push_back({begin + i++, begin + j++});
    else if (best[i + 1][j] >= best[i][j + 1])
      i++;
    else
      j++;
  }
}

// Pairs equal lines at the start and at the end of the function first, then the lines between them. If there are too
// many of these for a table, pairs lines that resemble each other from both ends until the rest is small enough, or
// leaves the rest without pairs.
Pairs pair_up(const std::vector<SourceLine> &a, const std::vector<SourceLine> &b) {
  Pairs pairs;
  size_t begin = 0, end_a = a.size(), end_b = b.size();
  auto is_small = [&] { return end_a == begin || end_b == begin || end_a - begin <= kMostCells / (end_b - begin); };
  auto pair_ends = [&](auto &&matches) {
    for (; begin < end_a && begin < end_b && matches(a[begin], b[begin]); begin++)
      pairs.push_back({begin, begin});
    for (; end_a > begin && end_b > begin && matches(a[end_a - 1], b[end_b - 1]); end_a--, end_b--)
      pairs.push_back({end_a - 1, end_b - 1});
  };
  pair_ends([](const SourceLine &x, const SourceLine &y) { return x.likeness(y) == SourceLine::kMostLikeness; });
  pair_ends([&](const SourceLine &x, const SourceLine &y) { return !is_small() && x.likeness(y) > 0; });
  if (is_small())
    pair_middle(a, b, begin, end_a, end_b, pairs);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

} // namespace

RunScale::RunScale(uint64_t runs_a, uint64_t runs_b) {
  if (runs_a == runs_b || !runs_a || !runs_b)
    return;
  uint64_t divides_both = std::gcd(runs_a, runs_b);
  factor[0] = runs_b / divides_both;
  factor[1] = runs_a / divides_both;
  divisor = static_cast<double>(runs_a) * static_cast<double>(factor[0]);
}

Weight RunScale::scaled(Weight value, int side) const {
  Weight product;
  return __builtin_mul_overflow(value, Weight{factor[side]}, &product) ? ~Weight{0} : product;
}

std::vector<LineChange> line_changes(const Function &a, const Decoded &decoded_a, const Function &b,
                                     const Decoded &decoded_b, const RunScale &scale) {
  std::vector<SourceLine> lines[2] = {lines_of(a, decoded_a, scale.factor[0]), lines_of(b, decoded_b, scale.factor[1])};
  Pairs pairs = pair_up(lines[0], lines[1]);
  pairs.push_back({lines[0].size(), lines[1].size()});
  std::vector<LineChange> changes;
  size_t next[2] = {};
  for (auto [at_a, at_b] : pairs) {
    size_t until[2] = {at_a, at_b};
    for (int side : {0, 1})
      for (; next[side] < until[side]; next[side]++) {
        SourceLine &line = lines[side][next[side]];
        changes.emplace_back();
        changes.back().scale = scale;
        changes.back().line[side] = line.number;
        changes.back().count[side] = line.count;
        changes.back().outcomes[side] = std::move(line.outcomes);
      }
    if (at_a == lines[0].size())
      break;
    SourceLine &old = lines[0][next[0]++], &now = lines[1][next[1]++];
    if (!old.counts_equal(now))
      changes.push_back({{old.number, now.number},
                         {old.count, now.count},
                         {std::move(old.outcomes), std::move(now.outcomes)},
                         scale});
  }
  return changes;
}

} // namespace pathprof
