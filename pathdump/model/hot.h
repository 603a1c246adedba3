// SPDX-License-Identifier: GPL-3.0-or-later
// Executed paths by what they cost, and what the tables and the JSON say of each.
#ifndef PATHPROF_PATHDUMP_MODEL_HOT_H
#define PATHPROF_PATHDUMP_MODEL_HOT_H

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pathdump/describe/decisions.h"
#include "pathdump/describe/line_sequence.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/table.h"
#include "profile/model/profile.h"

namespace pathprof {

class Costs;

using Weight = unsigned __int128;

// What paths are ranked by: executions × statements, where nothing else is said.
struct Ranking {
  Ranking(bool cycles = false, const Costs *measured = nullptr) : by_cycles(cycles), costs(measured) {}
  bool by_cycles;
  const Costs *costs; // measured ones (costs.h), which go before cycles
};

struct HotPath {
  Weight weight; // what the paths are ranked by
  uint64_t count;
  std::optional<uint64_t> cycles; // of all executions, where they were measured
  uint64_t statements;
  size_t function; // index in the profile, whose order is file, line, name; of a program's path: where it begins
  WideNumber id;   // of a function's path below 2^64
  size_t program = kNoProgram; // index in the profile

  std::optional<double> cost = std::nullopt; // of all executions, where costs rank

  static constexpr size_t kNoProgram = SIZE_MAX;
  bool is_of_program() const { return program != kNoProgram; }

  void set_cost(double value); // which ranks then
  // Hotter ones come first.
  bool operator<(const HotPath &other) const;
};

// Calls `see` for every executed path of the index-th function, by increasing number, and gives what they
// add up to.
Totals for_each_path(const Function &function, size_t index, const Decoded &decoded, Ranking ranking,
                     const std::function<void(const HotPath &)> &see);

// Keeps the first `limit` of what may be sorted later; 0 keeps all.
template <typename T>
void keep_best(std::vector<T> &list, uint64_t limit) {
  if (limit == 0 || list.size() <= limit)
    return;
  std::nth_element(list.begin(), list.begin() + static_cast<ptrdiff_t>(limit), list.end());
  list.erase(list.begin() + static_cast<ptrdiff_t>(limit), list.end());
}

// Columns count to "to" of a table of paths, and their cells.
std::vector<Column> path_columns(bool with_cycles);
// All columns of such a table: those that rank paths, these, and where the path is, under `heading`
// (PathFormatter::heading).
std::vector<Column> ranked_path_columns(std::vector<Column> ranking, bool with_cycles, const char *heading);
std::vector<std::string> path_cells(const HotPath &hot, const std::string &start, const std::string &end,
                                    bool with_cycles);

// The columns that say which path of a function it is, behind others, and their cells.
std::vector<Column> located_path_columns(std::vector<Column> first, const char *heading);
std::vector<std::string> located_path_cells(const std::string &id, const PathLabel &text);

// Count, statements, function, number, ends and line_sequence; of a function's path also decisions, conditions where
// the source is there, cycles and context.
Json path_json(const HotPath &hot, const Function &function, PathStart start, PathEnd end, const std::string &lines,
               const Names &names);
Json path_json(const HotPath &hot, const Function &function, const Path &path, PathFormatter &formatter);
// "decisions", and "conditions" where any is known.
void add_decisions(Json &json, const Function &function, const Path &path, PathFormatter &formatter);
// The row of a path; its last resort is its number.
PathLabel path_label(const Function &function, const Path &path, WideNumber id, PathFormatter &formatter);

// Paths of a profile by their numbers; each function is decoded once.
class Decoder {
public:
  // Keeps references.
  Decoder(const Profile &profile, const std::string &file) : profile_(profile), file_(file) {}

  const Decoded &decoded(size_t function);
  const std::string &file() const { return file_; }
  Path path(const HotPath &hot) { return *decoded(hot.function).regenerate(static_cast<uint64_t>(hot.id)); }

private:
  const Profile &profile_;
  const std::string &file_;
  std::map<size_t, std::unique_ptr<Decoded>> decoded_;
};

} // namespace pathprof

#endif
