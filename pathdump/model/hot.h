// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks executed paths by cost, and formats them for tables and JSON.
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

// The quantity by which paths are ranked. The default is executions × statements.
struct Ranking {
  Ranking(bool cycles = false, const Costs *measured = nullptr) : by_cycles(cycles), costs(measured) {}
  bool by_cycles;
  const Costs *costs; // costs that another tool measured, or null; preferred to cycles
};

struct HotPath {
  Weight weight; // quantity by which the path is ranked
  uint64_t count;
  std::optional<uint64_t> cycles; // cycles of all executions, if measured
  uint64_t statements;
  size_t function;             // index in the profile; for an interprocedural path, the function in which it starts
  WideNumber id;               // path ID; below 2^64 for a path within a function
  size_t program = kNoProgram; // index of the interprocedural unit in the profile

  std::optional<double> cost = std::nullopt; // cost of all executions, if rows are ranked by costs

  static constexpr size_t kNoProgram = SIZE_MAX;
  bool is_of_program() const { return program != kNoProgram; }

  void set_cost(double value); // also sets the weight of the path
  // Sorts hotter paths first.
  bool operator<(const HotPath &other) const;
};

// Calls `see` for every executed path of the function with this index in the profile, in order of increasing path ID.
// Returns the totals of these paths.
Totals for_each_path(const Function &function, size_t index, const Decoded &decoded, Ranking ranking,
                     const std::function<void(const HotPath &)> &see);

// Keeps the `limit` smallest elements, in unspecified order. If `limit` is 0, keeps all elements.
template <typename T>
void keep_best(std::vector<T> &list, uint64_t limit) {
  if (limit == 0 || list.size() <= limit)
    return;
  std::nth_element(list.begin(), list.begin() + static_cast<ptrdiff_t>(limit), list.end());
  list.erase(list.begin() + static_cast<ptrdiff_t>(limit), list.end());
}

// Returns the columns "count" through "to" of a path table.
std::vector<Column> path_columns(bool with_cycles);
// Returns all columns of a path table: the columns in `ranking`, the columns that path_columns() returns, the function
// column, and the path column. `heading` is the title of the path column (see PathFormatter::heading()).
std::vector<Column> ranked_path_columns(std::vector<Column> ranking, bool with_cycles, const char *heading);
// Returns the cells for the columns that path_columns() returns.
std::vector<std::string> path_cells(const HotPath &hot, const std::string &start, const std::string &end,
                                    bool with_cycles);

// Returns the columns in `first`, followed by the columns that identify a path of a function.
std::vector<Column> located_path_columns(std::vector<Column> first, const char *heading);
// Returns the cells for the columns that identify a path of a function.
std::vector<std::string> located_path_cells(const std::string &id, const PathLabel &text);

// Return a path as JSON: count, statements, function, path ID, start, end and lines. The second overload, for paths
// within a function, adds decisions, conditions (if the source is available), cycles, cost and context.
Json path_json(const HotPath &hot, const Function &function, PathStart start, PathEnd end, const std::string &lines,
               const Names &names);
Json path_json(const HotPath &hot, const Function &function, const Path &path, PathFormatter &formatter);
// Adds the member "decisions" and, if any condition is known, the member "conditions".
void add_decisions(Json &json, const Function &function, const Path &path, PathFormatter &formatter);
// Returns the label of a path, which complete() completes. The label's `last_resorts` are the path ID, file, assembler
// name, graph and mode.
PathLabel path_label(const Function &function, const Path &path, WideNumber id, PathFormatter &formatter);

// Decodes the paths of a profile by path ID. Each function is decoded only once.
class Decoder {
public:
  // Keeps references to its arguments.
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
