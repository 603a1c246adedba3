// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugin/iterations.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/cut.h"
#include "core/kiter.h"

#include "plugin/gcc.h"

namespace pathprof {

bool Iterations::has_line(const Loop &loop, uint32_t line) const {
  return std::any_of(loop.blocks.begin(), loop.blocks.end(), [&](int block) {
    const std::vector<LineRef> &lines = notes_.blocks[static_cast<size_t>(block)].lines;
    return std::any_of(lines.begin(), lines.end(),
                       [&](const LineRef &at) { return at.line == line && at.file == notes_.file && at.site == 0; });
  });
}

// Of a loop that is left sooner there are no longer paths.
uint32_t Iterations::wanted(const Loop &loop) const {
  for (const auto &[line, k] : arguments_.loop_iterations)
    if (has_line(loop, line))
      return k;
  if (are_measured_)
    return static_cast<uint32_t>(std::min<double>(notes_.model.k, std::ceil(trips(notes_.graph, loop))));
  return notes_.model.k;
}

// Whether no loop inside has the line.
bool Iterations::is_innermost_at(const Loop &loop, uint32_t line) const {
  std::vector<Loop> loops = natural_loops(notes_.graph);
  return has_line(loop, line) && std::none_of(loops.begin(), loops.end(), [&](const Loop &inner) {
           return is_inside(inner, loop) && has_line(inner, line);
         });
}

// Loops around others span iterations where that is asked for only.
uint32_t Iterations::wanted_around(const Loop &loop) const {
  for (const auto &[line, k] : arguments_.loop_iterations)
    if (is_innermost_at(loop, line))
      return k;
  return 1;
}

std::function<uint32_t(const Loop &)> Iterations::around() const {
  if (arguments_.loop_iterations.empty())
    return {};
  return [this](const Loop &loop) { return wanted_around(loop); };
}

std::vector<LoopIterations> Iterations::all_wanted() const {
  return wanted_iterations(
      notes_.graph, [&](const Loop &loop) { return wanted(loop); }, around());
}

mpz_class Iterations::num_paths() const {
  PathModel whole = notes_.model;
  whole.loops = all_wanted();
  return count_paths(path_graph_of(notes_.graph, whole));
}

// Lines of other functions are theirs to warn of.
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
      warning_at(location, 0,
                 "pathprof: argument %<loops%>: in %qs, paths cannot go around the loop with line %u: there are "
                 "cuts in it, or loops that cannot be collapsed since control enters them at several places",
                 notes_.name.c_str(), line);
    else
      warning_at(location, 0, "pathprof: argument %<loops%>: %qs has no loop with line %u that paths can go around",
                 notes_.name.c_str(), line);
  }
}

std::vector<LoopIterations> Iterations::choose() const {
  check_lines();
  std::map<int, uint32_t> k_of;
  for (const Edge &edge : notes_.graph.edges())
    if (edge.flags & kBack)
      k_of[edge.dst] = 1;
  for (const LoopIterations &loop : choose_iterations(
           notes_.graph, notes_.model.numbering, arguments_.paths_max, [&](const Loop &loop) { return wanted(loop); },
           around()))
    k_of[loop.head] = loop.k;
  std::vector<LoopIterations> loops;
  for (auto [head, k] : k_of)
    loops.push_back({head, k});
  return loops;
}

// Of the first statement that has one, or 0.
static unsigned line_of(const FunctionNotes &notes, int block) {
  for (const LineRef &at : notes.blocks[static_cast<size_t>(block)].lines)
    if (at.line != 0)
      return at.line;
  return 0;
}

void Iterations::explain_collapsed(const std::vector<CollapsedLoop> &collapsed) const {
  for (const CollapsedLoop &loop : collapsed)
    inform(DECL_SOURCE_LOCATION(cfun->decl), "pathprof: in %qs, the loop at line %u is collapsed in that at line %u",
           notes_.name.c_str(), line_of(notes_, loop.loop.head()), line_of(notes_, loop.around));
}

// That a loop around others is acyclic goes without saying.
void Iterations::explain() const {
  location_t location = DECL_SOURCE_LOCATION(cfun->decl);
  std::vector<CollapsedLoop> collapsed = collapsed_loops(notes_.graph, notes_.model);
  explain_collapsed(collapsed);
  std::map<int, uint32_t> wanted_of;
  for (const Loop &loop : iterable_loops(notes_.graph))
    wanted_of[loop.head()] = wanted(loop);
  for (const LoopIterations &loop : all_wanted())
    wanted_of[loop.head] = loop.k;
  std::set<int> outer;
  for (const Loop &loop : natural_loops(notes_.graph))
    if (std::any_of(loop.blocks.begin() + 1, loop.blocks.end(), [&](int block) { return wanted_of.count(block); }))
      outer.insert(loop.head());
  for (const LoopIterations &loop : notes_.model.loops) {
    if (std::any_of(collapsed.begin(), collapsed.end(), [&](const CollapsedLoop &other) {
          return std::count(other.loop.blocks.begin(), other.loop.blocks.end(), loop.head) > 0;
        }))
      continue;
    auto wanted = wanted_of.find(loop.head);
    if (wanted != wanted_of.end() && loop.k < wanted->second)
      inform(location,
             "pathprof: in %qs, paths span %u of %u iterations of the loop at line %u: "
             "there would be too many paths",
             notes_.name.c_str(), loop.k, wanted->second, line_of(notes_, loop.head));
    else if (wanted == wanted_of.end() && !outer.count(loop.head))
      inform(location,
             "pathprof: in %qs, paths end at the back edges of the loop at line %u: control enters it at "
             "several places, or it has abnormal edges or cuts in it",
             notes_.name.c_str(), line_of(notes_, loop.head));
  }
}

} // namespace pathprof
