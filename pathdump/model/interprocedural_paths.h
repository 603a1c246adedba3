// SPDX-License-Identifier: GPL-3.0-or-later
// Decodes and formats interprocedural paths.
#ifndef PATHPROF_PATHDUMP_MODEL_INTERPROCEDURAL_PATHS_H
#define PATHPROF_PATHDUMP_MODEL_INTERPROCEDURAL_PATHS_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "pathdump/model/costs.h"
#include "pathdump/describe/decisions.h"
#include "pathdump/model/hot.h"
#include "pathdump/describe/sources.h"
#include "pathdump/describe/line_sequence.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/output.h"
#include "profile/model/profile.h"

namespace pathprof {

// Returns the source file that was compiled or, for a program that was instrumented at link time, the program's name.
std::string unit_of(const Profile &profile, const InterproceduralUnit &unit, const Names &names);

// An interprocedural path of a profile. The member functions describe its steps.
class ShownPath {
public:
  ShownPath(const Profile &profile, size_t unit, WideNumber id);

  const InterproceduralUnit &interprocedural_unit() const { return unit_; }
  const InterproceduralPath &path() const { return path_; }
  const Function &function_of(size_t step) const;
  // Returns the function in which the path starts after its context.
  const Function &first_function() const { return function_of(path_.prefix_len); }
  bool is_context(size_t step) const { return step < path_.prefix_len; }
  // Returns false for a step that belongs to the context, consists only of ENTRY, and is followed by a restart of the
  // path in the same function.
  bool is_shown(size_t step) const;
  // Returns the call depth of the step's activation, relative to the outermost activation on the path.
  size_t depth(size_t step) const { return depths_[step]; }

  // Returns the number of statements on the path, excluding its context.
  uint64_t statements() const;
  // Returns the number of statements in one step.
  uint64_t statements(size_t step) const;
  // Returns true if the part of the path after its context goes through a function that `names` selects.
  bool is_selected(const Names &names) const;
  std::string unit(const Names &names) const { return unit_of(profile_, unit_, names); }

  // Returns the lines of a step. If the step begins after a call, the block's lines up to the call are excluded. If the
  // step ends at a call, the block's lines after the call are excluded.
  std::vector<Stretch> line_sequence(size_t step) const;
  // Returns how many lines to skip and how many to keep in block `i` of a step that consists of `number` blocks.
  LineLimits limits(size_t step, size_t i, size_t number) const;
  // Returns the decisions in a step, as printed by text().
  std::vector<Decision> decisions(size_t step, PathFormatter &formatter) const;
  // Returns the description of a step, such as "wc.c:12:T". If the step contains no decisions or the formatter prints
  // lines, returns the lines ("wc.c:12-14 18"), or the blocks if the function has no lines. The description can be
  // empty.
  PathElements step_elements(size_t step, PathFormatter &formatter) const;
  // Returns a description such as "(main wc.c:12:T) main 14:F @16 > count 30:T < main 18:F". '@' precedes the line of a
  // call at which the path continues in the callee, '>' the callee, and '<' the function to which control returns. If
  // the formatter prints lines, the description is "(main wc.c:12) main 14 > count 30-34 < main 15".
  PathElements elements(PathFormatter &formatter) const;
  std::string text(PathFormatter &formatter) const { return codes_of(elements(formatter)); }
  // Returns the description as an array of words.
  Json decisions_json(PathFormatter &formatter) const;
  // Returns the functions that the path reaches after its context, such as "main > count < main > print". Functions in
  // the middle of a long list are omitted.
  std::string calls_text(const Names &names) const;
  // Returns step_elements() if the path stays in one activation after its context. Otherwise, returns calls_text() if
  // the formatter prints lines, or the description of the steps after the context if the formatter prints decisions.
  // Steps in the middle of a long path are omitted.
  PathElements short_elements(PathFormatter &formatter) const;
  // Returns the callees that are not counted (see PathFormatter::calls), for all steps after the context.
  std::vector<std::string> calls(const PathFormatter &formatter) const;
  // Returns the label of the path, based on short_elements() if `is_short` is true and on elements() otherwise.
  PathLabel path_label(PathFormatter &formatter, bool is_short) const;
  // Returns one line per step, indented by depth, with the steps of the context in parentheses. If there are more than
  // `limit` steps, the steps in the middle are omitted. If `sources` is not null, each step is followed by its source
  // lines.
  std::string outline(const Output &out, PathFormatter &formatter, size_t limit, Sources *sources) const;

private:
  size_t lines_before_call(size_t step) const;
  std::string step_line(const Output &out, PathFormatter &formatter, size_t step) const;
  bool returns_from_elsewhere(size_t step) const;
  PathElements said(const std::vector<size_t> &steps, PathFormatter &formatter) const;

  const Profile &profile_;
  const InterproceduralUnit &unit_;
  WideNumber id_;
  InterproceduralPath path_;
  std::vector<size_t> depths_;
};

// Returns the cost of the steps after the path's context.
double cost_of(const Costs &costs, const ShownPath &path, uint64_t count);

// Calls `see` for every executed path of the interprocedural unit with this index, in order of increasing path ID.
// Returns the total number of executions.
uint64_t for_each_path(const Profile &profile, size_t index,
                       const std::function<void(const HotPath &, const ShownPath &)> &see,
                       const Costs *costs = nullptr);

// Returns the result of path_json() with the additional members "unit" and "mode".
Json program_path_json(const HotPath &hot, const ShownPath &path, PathFormatter &formatter);

// Returns the label of a path within a function or of an interprocedural path. `is_short` affects interprocedural paths
// (see ShownPath::path_label).
PathLabel path_label(const Profile &profile, Decoder &decoder, const HotPath &hot, PathFormatter &formatter,
                     bool is_short = true);

// Returns text such as "context paths of a.c".
std::string name_of(const InterproceduralUnit &unit, const Names &names);

} // namespace pathprof

#endif
