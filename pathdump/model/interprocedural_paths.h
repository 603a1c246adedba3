// SPDX-License-Identifier: GPL-3.0-or-later
// Paths that go from function to function, and how they are shown.
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

// The source file that was compiled; of a program that was linked as a whole its name.
std::string unit_of(const Profile &profile, const InterproceduralUnit &program, const Names &names);

// A path of a program in a profile, and how each of its steps is shown.
class ShownPath {
public:
  ShownPath(const Profile &profile, size_t program, WideNumber id);

  const InterproceduralUnit &program() const { return program_; }
  const InterproceduralPath &path() const { return path_; }
  const Function &function_of(size_t step) const;
  // Where the path begins, behind its context.
  const Function &first_function() const { return function_of(path_.prefix_len); }
  bool is_context(size_t step) const { return step < path_.prefix_len; }
  // Not of context that has come no further than to a function's entry, where the path goes on in this function.
  bool is_shown(size_t step) const;
  // How deep a step's activation lies below the outermost one that the path comes to.
  size_t depth(size_t step) const { return depths_[step]; }

  // Statements behind the context; of one step.
  uint64_t statements() const;
  uint64_t statements(size_t step) const;
  // Whether it comes, behind its context, to a function that `names` selects.
  bool is_selected(const Names &names) const;
  std::string unit(const Names &names) const { return unit_of(profile_, program_, names); }

  // The lines of a step: those of a block with a call up to it, or behind it.
  std::vector<Stretch> line_sequence(size_t step) const;
  // Which lines are the step's in the i-th of its blocks, of which there are `number`.
  LineLimits limits(size_t step, size_t i, size_t number) const;
  // What is decided in a step: its part of what text() says.
  std::vector<Decision> decisions(size_t step, PathFormatter &formatter) const;
  // "wc.c:12:T"; where nothing is decided, and by lines, "wc.c:12-14 18"; its blocks where the function has no lines;
  // maybe nothing.
  std::string step_text(size_t step, PathFormatter &formatter) const;
  // "(main wc.c:12:T) main 14:F @16 > count 30:T < main 18:F": '@' before the line of a call that the path goes
  // through,
  // '>' before what is called, '<' before what is returned to.  By lines "(main wc.c:12) main 14 > count 30-34 < main
  // 15".
  std::string text(PathFormatter &formatter) const;
  // The same with a word an element.
  Json decisions_json(PathFormatter &formatter) const;
  // The functions that it comes to behind its context, "main > count < main > print"; those in the middle are left out
  // where they are many.
  std::string calls_text(const Names &names) const;
  // What step_text says of a path that stays, behind its context, in one activation; else, by lines, what calls_text
  // says, and by decisions what text() says of the steps behind the context; those in the middle are left out where
  // they are many.
  std::string short_text(PathFormatter &formatter) const;
  // What is called on its steps behind the context and is not counted, as PathFormatter::calls says of a path.
  std::vector<std::string> calls(const PathFormatter &formatter) const;
  // Of short_text, or of text().
  PathLabel path_label(PathFormatter &formatter, bool is_short) const;
  // A line for each step, indented by depth and those of context in parentheses; if there are more than `limit` the
  // middle is left out.  With `sources` the source lines under each.
  std::string outline(const Output &out, PathFormatter &formatter, size_t limit, Sources *sources) const;

private:
  size_t lines_before_call(size_t step) const;
  std::string step_line(const Output &out, PathFormatter &formatter, size_t step) const;
  bool returns_from_elsewhere(size_t step) const;
  std::string said(const std::vector<size_t> &steps, PathFormatter &formatter) const;

  const Profile &profile_;
  const InterproceduralUnit &program_;
  WideNumber id_;
  InterproceduralPath path_;
  std::vector<size_t> depths_;
};

// What the steps of a program's path cost, behind its context.
double cost_of(const Costs &costs, const ShownPath &path, uint64_t count);

// Calls `see` for every executed path of the index-th program, by increasing number, and gives how many executions
// they add up to.
uint64_t for_each_path(const Profile &profile, size_t index,
                       const std::function<void(const HotPath &, const ShownPath &)> &see,
                       const Costs *costs = nullptr);

// What path_json says of a function's path, and "unit" and "mode".
Json program_path_json(const HotPath &hot, const ShownPath &path, PathFormatter &formatter);

// What a row says of a path of a function or of a program, on one line.
PathLabel row_of(const Profile &profile, Decoder &decoder, const HotPath &hot, PathFormatter &formatter);

// "context paths of a.c".
std::string name_of(const InterproceduralUnit &program, const Names &names);

} // namespace pathprof

#endif
