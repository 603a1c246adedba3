// SPDX-License-Identifier: GPL-3.0-or-later
// Propagates call frequencies from callers to callees.
#include "core/interprocedural/call_frequency.h"

#include <algorithm>

namespace pathprof {

std::vector<std::vector<double>> call_frequencies(const Supergraph &supergraph) {
  std::vector<double> activations(supergraph.procedures.size(), 0);
  std::vector<std::vector<double>> result(supergraph.procedures.size());
  std::vector<int> order = callees_first(supergraph);
  std::reverse(order.begin(), order.end());
  for (int procedure : order) {
    const Procedure &source = supergraph.procedures[static_cast<size_t>(procedure)];
    double &activated = activations[static_cast<size_t>(procedure)];
    activated += source.begins_paths;
    double entries = std::max(frequency_of(source.graph, source.graph.succs(kEntryBlock)), 1e-9);
    for (const CallSite &call : source.calls) {
      double executed = activated * frequency_of(source.graph, source.graph.preds(call.block)) / entries;
      result[static_cast<size_t>(procedure)].push_back(executed);
      if (call.kind == CallKind::Traversed)
        activations[static_cast<size_t>(call.callee)] += executed;
    }
  }
  return result;
}

} // namespace pathprof
