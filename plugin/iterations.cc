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
    return std::any_of(lines.begin(), lines.end(), [&](const LineRef &at) {
      return at.line == line && at.file == notes_.file && at.site == 0;
    });
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

mpz_class Iterations::num_paths() const {
  PathModel whole = notes_.model;
  whole.loops.clear();
  for (const Loop &loop : iterable_loops(notes_.graph))
    whole.loops.push_back({loop.head(), wanted(loop)});
  return count_paths(path_graph_of(notes_.graph, whole));
}

// Lines of other functions are theirs to warn of.
void Iterations::check_lines() const {
  std::vector<Loop> loops = iterable_loops(notes_.graph);
  auto last = static_cast<uint32_t>(LOCATION_LINE(cfun->function_end_locus));
  for (const auto &[line, k] : arguments_.loop_iterations) {
    bool is_found = std::any_of(loops.begin(), loops.end(), [&, at = line](const Loop &loop) { return has_line(loop, at); });
    if (!is_found && line >= notes_.line && line <= last)
      warning_at(DECL_SOURCE_LOCATION(cfun->decl), 0,
                 "pathprof: argument %<loops%>: %qs has no innermost loop with line %u that paths can go around",
                 notes_.name.c_str(), line);
  }
}

std::vector<LoopIterations> Iterations::choose() const {
  check_lines();
  std::map<int, uint32_t> k_of;
  for (const Edge &edge : notes_.graph.edges())
    if (edge.flags & kBack)
      k_of[edge.dst] = 1;
  for (const LoopIterations &loop : choose_iterations(notes_.graph, notes_.model.numbering, arguments_.paths_max,
                                                      [&](const Loop &loop) { return wanted(loop); }))
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

// That a loop around others is acyclic goes without saying.
void Iterations::explain() const {
  location_t location = DECL_SOURCE_LOCATION(cfun->decl);
  std::map<int, uint32_t> wanted_of;
  for (const Loop &loop : iterable_loops(notes_.graph))
    wanted_of[loop.head()] = wanted(loop);
  std::set<int> outer;
  for (const Loop &loop : natural_loops(notes_.graph))
    if (std::any_of(loop.blocks.begin() + 1, loop.blocks.end(), [&](int block) { return wanted_of.count(block); }))
      outer.insert(loop.head());
  for (const LoopIterations &loop : notes_.model.loops) {
    auto wanted = wanted_of.find(loop.head);
    if (wanted != wanted_of.end() && loop.k < wanted->second)
      inform(location, "pathprof: in %qs, paths span %u of %u iterations of the loop at line %u: "
             "there would be too many paths", notes_.name.c_str(), loop.k, wanted->second, line_of(notes_, loop.head));
    else if (wanted == wanted_of.end() && !outer.count(loop.head))
      inform(location, "pathprof: in %qs, paths end at the back edges of the loop at line %u: control enters it at "
             "several places, or it has abnormal edges or cuts in it", notes_.name.c_str(), line_of(notes_, loop.head));
  }
}

} // namespace pathprof
