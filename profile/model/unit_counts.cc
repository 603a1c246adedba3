// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and verifies the counts of a unit.
#include "profile/model/unit_counts.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/numbering/preferential.h"
#include "profile/format/forest.h"
#include "profile/format/values.h"

namespace pathprof {

namespace {

// Returns the function with this index, or null if the index refers to the program or is too large.
const FunctionNotes *function_at(const UnitNotes &unit, uint64_t index) {
  uint64_t place = index - first_function(unit);
  return place < unit.functions.size() ? &unit.functions[place] : nullptr;
}

// Returns true if the function or program with this index has a forest.
bool has_forest(const UnitNotes &unit, uint64_t index) {
  const FunctionNotes *function = function_at(unit, index);
  return function ? function->has_forest() : index < first_function(unit) && unit.program->is_wide();
}

unsigned __int128 num_ids(const UnitNotes &unit, uint64_t index) {
  const FunctionNotes *function = function_at(unit, index);
  if (!function)
    return unit.program->is_wide() ? kDigitValues : wide(unit.program->num_paths);
  const FunctionNotes &notes = *function;
  if (is_in_program(unit, notes))
    return 0;
  if (notes.num_slots > 0)
    return static_cast<unsigned __int128>(notes.num_slots) + notes.num_paths;
  std::vector<uint32_t> calls = notes.calls_by_block();
  uint64_t num_calls = std::accumulate(calls.begin(), calls.end(), uint64_t{0});
  return static_cast<unsigned __int128>(notes.num_paths) * (num_calls + 1);
}

// Moves the counts of values from the counts of a function to `values`.  Returns false if a value does not match the
// function's notes.
bool split_values(const FunctionNotes *function, UnitCounts::Sums &executed, std::vector<CountedValue> &values) {
  auto first = std::partition_point(executed.begin(), executed.end(),
                                    [](const ExecutedPath &path) { return path.id < PATHPROF_FIRST_VALUE; });
  for (auto at = first; at != executed.end(); ++at) {
    if (!function || pathprof_site_of(at->id) >= function->values.size() || !pathprof_is_code(pathprof_code_of(at->id)))
      return false;
    values.push_back(value_with(at->id, at->count));
  }
  executed.erase(first, executed.end());
  return true;
}

// Reads the counts of a unit.  `values` has one element per entry, or is null if the section cannot contain values.
void read_sums(pathprof_cursor &cursor, const UnitNotes &unit, std::vector<UnitCounts::Sums> &sums,
               std::vector<std::vector<CountedValue>> *values = nullptr) {
  uint64_t num_functions = pathprof_get_varint(&cursor);
  pathprof_function_counts function = {UINT64_MAX, 0};
  for (uint64_t i = 0; i < num_functions && pathprof_cursor_ok(&cursor); i++) {
    pathprof_get_function(&cursor, function.index, &function);
    if (!pathprof_cursor_ok(&cursor))
      return;
    if (function.index >= sums.size())
      return pathprof_cursor_fail(&cursor, "there are counts for a function that is not in the notes");
    UnitCounts::Sums &executed = sums[function.index];
    executed.reserve(function.num_paths);
    ExecutedPath path{UINT64_MAX, 0};
    for (uint64_t p = 0; p < function.num_paths && pathprof_cursor_ok(&cursor); p++) {
      path.id = pathprof_get_path(&cursor, path.id, &path.count);
      executed.push_back(path);
    }
    if (pathprof_cursor_ok(&cursor) && values &&
        !split_values(function_at(unit, function.index), executed, (*values)[function.index]))
      pathprof_cursor_fail(&cursor, "the ID of a value is out of bounds");
    if (pathprof_cursor_ok(&cursor) && !executed.empty() && executed.back().id >= num_ids(unit, function.index))
      pathprof_cursor_fail(&cursor, "the ID of an executed path is out of bounds");
  }
}

void read_nodes(pathprof_forest_walk &walk, uint32_t max_depth, uint64_t num_paths, Forest &forest) {
  std::vector<uint32_t> open; // nodes from the root to the last node
  if (walk.left >= ForestNode::kNone)
    return pathprof_cursor_fail(walk.cursor, "a forest has too many nodes");
  forest.reserve(walk.left);
  while (pathprof_get_node(&walk)) {
    if (walk.depth > max_depth)
      return pathprof_cursor_fail(walk.cursor, "a forest node is too deep");
    if (walk.path[walk.depth - 1] >= num_paths)
      return pathprof_cursor_fail(walk.cursor, "the ID of an executed path is out of bounds");
    open.resize(walk.depth - 1);
    uint32_t parent = open.empty() ? ForestNode::kNone : open.back();
    open.push_back(static_cast<uint32_t>(forest.size()));
    forest.push_back({parent, static_cast<uint32_t>(walk.depth), walk.path[walk.depth - 1], walk.count});
  }
}

// Reads the forest of an interprocedural unit with wide path IDs.  The nodes from a root to a leaf represent the digits
// of a path ID.
void read_digits(pathprof_forest_walk &walk, UnitCounts::Sequences &sequences) {
  read_nodes(walk, kMaxDigits, static_cast<uint64_t>(kDigitValues), sequences.forest);
  bool has_single = std::any_of(sequences.forest.begin(), sequences.forest.end(),
                                [](const ForestNode &node) { return node.depth < kMaxDigits && node.count > 0; });
  if (sequences.is_pruned || has_single)
    pathprof_cursor_fail(walk.cursor, "the ID of an executed path is incomplete");
}

void read_forests(pathprof_cursor &cursor, const UnitNotes &unit, std::vector<UnitCounts::Sequences> &sequences) {
  uint64_t num_functions = pathprof_get_varint(&cursor);
  pathprof_forest_walk walk = {};
  walk.cursor = &cursor;
  walk.index = UINT64_MAX;
  for (uint64_t i = 0; i < num_functions && pathprof_cursor_ok(&cursor); i++) {
    pathprof_get_forest(&walk);
    if (!pathprof_cursor_ok(&cursor))
      return;
    if (!has_forest(unit, walk.index))
      return pathprof_cursor_fail(&cursor, "a forest exists for a function that does not use forests");
    sequences[walk.index].is_pruned = walk.flags & PATHPROF_FOREST_PRUNED;
    const FunctionNotes *function = function_at(unit, walk.index);
    if (function)
      read_nodes(walk, slab_depth(function->model.k), function->num_paths, sequences[walk.index].forest);
    else
      read_digits(walk, sequences[walk.index]);
  }
}

// Verifies that each path count is the sum of the counts of the path's sequences.
bool check_forests(pathprof_cursor &cursor, const UnitNotes &unit, const std::vector<UnitCounts::Sequences> &sequences,
                   const std::vector<UnitCounts::Sums> &paths) {
  for (size_t i = 0; i < sequences.size() && pathprof_cursor_ok(&cursor); i++) {
    if (!has_forest(unit, i))
      continue;
    std::vector<std::pair<uint64_t, uint64_t>> counts = path_counts(sequences[i].forest);
    bool same = std::equal(counts.begin(), counts.end(), paths[i].begin(), paths[i].end(),
                           [](const auto &a, const ExecutedPath &b) { return a.first == b.id && a.second == b.count; });
    if (!same)
      pathprof_cursor_fail(&cursor, "the sequences of a function do not match the counts of its paths");
  }
  return pathprof_cursor_ok(&cursor);
}

// Verifies that cycles are present only for functions whose cycles are measured, and only for paths that are not truncated.
bool check_cycles(pathprof_cursor &cursor, const UnitNotes &unit, const std::vector<UnitCounts::Sums> &times) {
  for (size_t i = 0; i < times.size(); i++) {
    const FunctionNotes *function = function_at(unit, i);
    if (!times[i].empty() && (!function || !function->measures_cycles() || times[i].back().id >= function->num_paths))
      pathprof_cursor_fail(&cursor, "cycles exist for a path whose cycles are not measured");
  }
  return pathprof_cursor_ok(&cursor);
}

// Verifies that each function has at most one entry for the cost of measuring, whose ID is 0.
bool check_measuring(pathprof_cursor &cursor, const UnitNotes &unit, const std::vector<UnitCounts::Sums> &costs) {
  for (size_t i = 0; i < costs.size(); i++) {
    const FunctionNotes *function = function_at(unit, i);
    if (!costs[i].empty() && (!function || !function->measures_cycles() || costs[i].back().id != 0))
      pathprof_cursor_fail(&cursor, "the cost of measuring is recorded for a function whose cycles are not measured");
  }
  return pathprof_cursor_ok(&cursor);
}

// Replaces slots and residual IDs with Ball-Larus path IDs.  Returns null on success, otherwise an error message.
const char *number_slots(const FunctionNotes &notes, std::vector<ExecutedPath> &paths) {
  if (notes.num_slots == 0 || paths.empty())
    return nullptr;
  PathGraph graph = path_graph_of(notes.graph, notes.model);
  PathNumbering numbering(graph);
  std::vector<uint64_t> interesting = notes.interesting_ids();
  if (!graph.is_acyclic() || !numbering.fits() || numbering.num_paths() != notes.num_paths ||
      !can_be_compact(graph, numbering, interesting))
    return "the graph of a function does not match the paths in its notes";
  PreferentialCounters counters(graph, numbering, interesting, notes.num_slots);
  if (counters.num_slots() != notes.num_slots)
    return "the slots of a function do not match its paths";
  for (ExecutedPath &path : paths) {
    std::optional<uint64_t> id = counters.path_at(path.id);
    if (!id)
      return "the ID of an executed path is out of bounds";
    path.id = *id;
  }
  std::sort(paths.begin(), paths.end(), [](const ExecutedPath &a, const ExecutedPath &b) { return a.id < b.id; });
  auto twice = std::adjacent_find(paths.begin(), paths.end(),
                                  [](const ExecutedPath &a, const ExecutedPath &b) { return a.id == b.id; });
  return twice == paths.end() ? nullptr : "a path is counted both in a slot and by its ID";
}

} // namespace

CountSections::CountSections(const pathprof_image &image)
    : counts_(image.section[PATHPROF_SECTION_COUNTS]), cycles_(image.section[PATHPROF_SECTION_CYCLES]),
      forests_(image.section[PATHPROF_SECTION_FORESTS]), measuring_(image.section[PATHPROF_SECTION_MEASURING]) {}

bool CountSections::read(const UnitNotes &unit, UnitCounts &counts) {
  read_sums(counts_, unit, counts.paths, &counts.values);
  if (cycles_.data)
    read_sums(cycles_, unit, counts.cycles);
  if (measuring_.data)
    read_sums(measuring_, unit, counts.costs);
  if (!pathprof_cursor_ok(&counts_) || !check_cycles(cycles_, unit, counts.cycles) ||
      !check_measuring(measuring_, unit, counts.costs))
    return false;
  if (forests_.data)
    read_forests(forests_, unit, counts.sequences);
  return check_forests(forests_, unit, counts.sequences, counts.paths);
}

std::optional<UnitCounts> CountSections::next(const UnitNotes &unit, uint64_t base, pathprof_error *wrong) {
  UnitCounts counts(first_function(unit) + unit.functions.size());
  if (!read(unit, counts)) {
    for (const pathprof_cursor *cursor : {&measuring_, &forests_, &cycles_, &counts_})
      if (!pathprof_cursor_ok(cursor))
        *wrong = cursor->error;
    return std::nullopt;
  }
  for (size_t i = 0; i < unit.functions.size(); i++)
    if (const char *reason = number_slots(unit.functions[i], counts.paths[first_function(unit) + i])) {
      *wrong = {reason, base};
      return std::nullopt;
    }
  return counts;
}

} // namespace pathprof
