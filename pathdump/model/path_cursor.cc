// SPDX-License-Identifier: GPL-3.0-or-later
// Iterates over executed paths.
#include "pathdump/model/path_cursor.h"

namespace pathprof {

static HotPath hot_path(Ranking ranking, const Function &function, const ExecutedPath &path, uint64_t statements,
                        size_t index) {
  Weight weight = ranking.by_cycles ? Weight{path.cycles} : static_cast<Weight>(path.count) * statements;
  std::optional<uint64_t> cycles;
  if (has_cycles(function, path))
    cycles = path.cycles;
  return {weight, path.count, cycles, statements, index, path.id, HotPath::kNoProgram, std::nullopt};
}

PathCursor::PathCursor(const Function &function, size_t index, const Decoded &decoded, Ranking ranking)
    : function_(function), decoded_(decoded), index_(index), ranking_(ranking), walk_(function, decoded) {}

const HotPath *PathCursor::see(const ExecutedPath &path, uint64_t statements) {
  hot_ = hot_path(ranking_, function_, path, statements, index_);
  if (ranking_.costs)
    hot_.set_cost(ranking_.costs->of(index_, *decoded_.regenerate(path.id), path.count));
  return &hot_;
}

const HotPath *PathCursor::next() {
  size_t at = next_++, num_whole = function_.paths.size();
  if (at < num_whole) {
    const ExecutedPath &executed = function_.paths[at];
    walk_.go_to(executed.id);
    totals_.add(walk_, executed.count);
    return see(executed, walk_.statements());
  }
  if (at - num_whole >= function_.cut_short.size())
    return nullptr;
  const ExecutedPath &executed = function_.cut_short[at - num_whole];
  Path path = *decoded_.regenerate(executed.id);
  uint64_t statements = statements_of(function_, path);
  totals_.add_cut_short(path, statements, executed.count);
  return see(executed, statements);
}

Totals for_each_path(const Function &function, size_t index, const Decoded &decoded, Ranking ranking,
                     const std::function<void(const HotPath &)> &see) {
  if (function.in_program)
    return totals_of(function, decoded);
  PathCursor cursor(function, index, decoded, ranking);
  while (const HotPath *hot = cursor.next())
    see(*hot);
  return cursor.totals();
}

} // namespace pathprof
