// SPDX-License-Identifier: GPL-3.0-or-later
// Determines and reports the number of iterations that paths span in each loop (mode=kiter).
#include "plugin/cfg/iterations.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/models/kiter_loop_selection.h"
#include "core/models/kiter_loops.h"

#include "profile/model/visible.h"

#include "plugin/gcc/gcc.h"
#include "plugin/options/mismatch.h"

namespace pathprof {

bool Iterations::has_line(const Loop &loop, uint32_t line) const {
  return std::any_of(loop.blocks.begin(), loop.blocks.end(), [&](int block) {
    const std::vector<LineRef> &lines = notes_.blocks[static_cast<size_t>(block)].lines;
    return std::any_of(lines.begin(), lines.end(),
                       [&](const LineRef &at) { return at.line == line && at.file == notes_.file && at.site == 0; });
  });
}

// Returns the requested number of iterations of the loop that one path should span. If the `loops` argument contains a
// line of the loop, this is the number in the argument. Otherwise, it is `k` or, if the loop's trip count was measured
// and is smaller, the trip count.
uint32_t Iterations::wanted_of(const Loop &loop) const {
  for (const auto &[line, k] : arguments_.loop_iterations)
    if (has_line(loop, line))
      return k;
  if (are_measured_)
    return static_cast<uint32_t>(std::min<double>(notes_.model.k, std::ceil(trips(notes_.graph, loop))));
  return notes_.model.k;
}

// Returns true if this is the innermost loop that contains the line.
bool Iterations::is_innermost_at(const Loop &loop, uint32_t line) const {
  std::vector<Loop> loops = natural_loops(notes_.graph);
  return has_line(loop, line) && std::none_of(loops.begin(), loops.end(), [&](const Loop &inner) {
           return is_inside(inner, loop) && has_line(inner, line);
         });
}

// Returns the requested number of iterations of an outer loop that one path should span. The number is 1 unless the
// `loops` argument contains a larger number.
uint32_t Iterations::wanted_around(const Loop &loop) const {
  for (const auto &[line, k] : arguments_.loop_iterations)
    if (is_innermost_at(loop, line))
      return k;
  return 1;
}

WantedIterations Iterations::wanted() const {
  WantedIterations wanted;
  wanted.innermost = [this](const Loop &loop) { return wanted_of(loop); };
  if (!arguments_.loop_iterations.empty())
    wanted.around = [this](const Loop &loop) { return wanted_around(loop); };
  return wanted;
}

// Ignores lines in the `loops` argument that are outside this function. They are checked when the functions that
// contain them are planned.
void Iterations::check_lines() const {
  std::vector<Loop> iterable = iterable_loops(notes_.graph), all = natural_loops(notes_.graph);
  auto last = static_cast<uint32_t>(LOCATION_LINE(cfun->function_end_locus));
  for (const auto &[line, k] : arguments_.loop_iterations) {
    auto has_it = [&, at = line](const Loop &loop) { return is_innermost_at(loop, at); };
    auto can_have_it = [&](const Loop &loop) { return has_it(loop) && is_collapsible(notes_.graph, loop); };
    if (line < notes_.line || line > last || std::any_of(iterable.begin(), iterable.end(), has_it) ||
        std::any_of(all.begin(), all.end(), can_have_it))
      continue;
    location_t location = DECL_SOURCE_LOCATION(cfun->decl);
    if (std::any_of(all.begin(), all.end(), has_it))
      warn_of_mismatch(
          location,
          fmt::format("argument 'loops': in '{}', paths cannot span several iterations of the loop at line {}: the "
                      "loop contains truncation points, or an inner loop that has several entries and "
                      "cannot be collapsed",
                      visible(notes_.name), line));
    else
      warn_of_mismatch(
          location,
          fmt::format("argument 'loops': '{}' has no loop at line {}, or the loop has several entries or abnormal "
                      "edges",
                      visible(notes_.name), line));
  }
}

// Returns the first line number in the block, or 0 if no statement has a line number.
static unsigned line_of(const FunctionNotes &notes, int block) {
  for (const LineRef &at : notes.blocks[static_cast<size_t>(block)].lines)
    if (at.line != 0)
      return at.line;
  return 0;
}

void Iterations::explain_collapsed(const std::vector<CollapsedLoop> &collapsed) const {
  for (const CollapsedLoop &loop : collapsed)
    inform(DECL_SOURCE_LOCATION(cfun->decl),
           "pathprof: in %qs, the loop at line %u is collapsed inside the loop at line %u",
           visible(notes_.name).c_str(), line_of(notes_, loop.loop.head()), line_of(notes_, loop.around));
}

// Does not report outer loops whose paths span only one iteration, because this is the default for outer loops.
void Iterations::explain() const {
  location_t location = DECL_SOURCE_LOCATION(cfun->decl);
  std::vector<CollapsedLoop> collapsed = model_of(notes_.model).collapsed_loops(notes_.graph, notes_.model);
  explain_collapsed(collapsed);
  std::map<int, uint32_t> wanted_of_head;
  for (const Loop &loop : iterable_loops(notes_.graph))
    wanted_of_head[loop.head()] = wanted_of(loop);
  for (const LoopIterations &loop : wanted_iterations(notes_.graph, wanted()))
    wanted_of_head[loop.head] = loop.k;
  std::set<int> outer;
  for (const Loop &loop : natural_loops(notes_.graph))
    if (std::any_of(loop.blocks.begin() + 1, loop.blocks.end(), [&](int block) { return wanted_of_head.count(block); }))
      outer.insert(loop.head());
  for (const LoopIterations &loop : notes_.model.loops) {
    if (std::any_of(collapsed.begin(), collapsed.end(),
                    [&](const CollapsedLoop &other) { return other.loop.contains(loop.head); }))
      continue;
    auto wanted = wanted_of_head.find(loop.head);
    if (wanted != wanted_of_head.end() && loop.k < wanted->second)
      inform(location,
             "pathprof: in %qs, paths span %u instead of %u iterations of the loop at line %u: "
             "the function would have too many paths",
             visible(notes_.name).c_str(), loop.k, wanted->second, line_of(notes_, loop.head));
    else if (wanted == wanted_of_head.end() && !outer.count(loop.head))
      inform(location,
             "pathprof: in %qs, paths end at the back edges of the loop at line %u: the loop has several "
             "entries, abnormal edges or truncation points",
             visible(notes_.name).c_str(), line_of(notes_, loop.head));
  }
}

} // namespace pathprof
