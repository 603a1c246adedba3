// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces estimated edge frequencies with measured frequencies.
#include "plugin/options/weights.h"

#include <algorithm>
#include <vector>

#include "profile/model/visible.h"

#include "plugin/gcc/gcc.h"

namespace pathprof {

void weigh_edges(FunctionNotes &notes, const std::string &path, const InputProfile &input, bool verbose) {
  FlowGraph &graph = notes.graph;
  InputFunction known = input.find(notes, path);
  if (known.variants.empty()) {
    if (verbose)
      inform(DECL_SOURCE_LOCATION(cfun->decl), "pathprof: %qs: %s %qs (argument %qs); GCC%'s estimate is used",
             visible(notes.name).c_str(), known.why_unknown, input.name().c_str(), input.argument().c_str());
    return;
  }
  std::vector<double> estimate;
  double sum = 1;
  for (const Edge &edge : graph.edges()) {
    estimate.push_back(std::max(edge.frequency, 0.0));
    sum += estimate.back();
  }
  std::vector<uint64_t> counts = known.edge_counts(estimate);
  for (int e = 0; e < graph.num_edges(); e++)
    graph.edge(e).frequency = static_cast<double>(counts[e]) + estimate[e] / sum;
}

} // namespace pathprof
