// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the split graph of a procedure, and orders the procedures of a supergraph.
#include "core/interprocedural/supergraph.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace pathprof {

const char *to_string(CallKind kind) {
  static const char *const names[kNumCallKinds] = {"whole", "summary", "split"};
  return names[static_cast<int>(kind)];
}

static constexpr unsigned kUnwinding = kEh | kAbnormal;

SplitGraph::SplitGraph(const Procedure &procedure)
    : graph(procedure.graph.num_blocks()), block_of(procedure.graph.num_blocks()),
      call_on(procedure.graph.num_edges(), -1), edge_of(procedure.calls.size(), -1) {
  std::iota(block_of.begin(), block_of.end(), 0);
  std::vector<int> last_part = block_of;              // last part of each block
  std::vector<int> unwinds_from(block_of.size(), -1); // part of each block that exception edges leave, or -1
                                                      // for the last part
  std::vector<std::pair<int, size_t>> behind;         // the block before each new block, and the call between them
  for (size_t i = 0; i < procedure.calls.size(); i++) {
    const CallSite &call = procedure.calls[i];
    if (call.kind == CallKind::SteppedOver)
      continue;
    int before = last_part[call.block];
    behind.push_back({before, i});
    last_part[call.block] = static_cast<int>(block_of.size());
    block_of.push_back(call.block);
    if (call.ends_block)
      unwinds_from[call.block] = before;
  }
  graph = FlowGraph(static_cast<int>(block_of.size()));
  for (const Edge &edge : procedure.graph.edges()) {
    bool unwinds = (edge.flags & kUnwinding) && unwinds_from[edge.src] >= 0;
    graph.add_edge(unwinds ? unwinds_from[edge.src] : last_part[edge.src], edge.dst, edge.flags | (unwinds ? kCut : 0u),
                   edge.frequency);
  }
  for (size_t i = 0; i < behind.size(); i++) {
    auto [before, call] = behind[i];
    double frequency = frequency_of(procedure.graph, procedure.graph.preds(block_of[before]));
    unsigned cut = procedure.calls[call].kind == CallKind::Ended ? kCut : 0u;
    edge_of[call] =
        graph.add_edge(before, procedure.graph.num_blocks() + static_cast<int>(i), kFallthru | cut, frequency);
    call_on.push_back(static_cast<int>(call));
  }
}

bool SplitGraph::ends_in_whole_call(const Procedure &procedure, int block) const {
  const std::vector<int> &succs = graph.succs(block);
  return std::any_of(succs.begin(), succs.end(),
                     [&](int e) { return is_call(e) && procedure.calls[call_on[e]].kind == CallKind::Traversed; });
}

PathGraph path_graph_of(const Procedure &procedure, const SplitGraph &split) {
  return PathGraph(split.graph, [&](int block) { return !split.ends_in_whole_call(procedure, block); });
}

// Returns the procedures in the postorder of a depth-first search over traversed calls.  For each call that would close
// a cycle, calls `recursive` with the procedure and the call, and does not follow the call.
static std::vector<int> postorder(const Supergraph &supergraph, const std::function<void(size_t, size_t)> &recursive) {
  enum State : char { New, Open, Done };
  const std::vector<Procedure> &procedures = supergraph.procedures;
  std::vector<char> state(procedures.size(), New);
  std::vector<int> order;
  std::vector<std::pair<size_t, size_t>> stack; // procedure and next call
  for (size_t root = 0; root < procedures.size(); root++) {
    if (state[root] != New)
      continue;
    state[root] = Open;
    stack.push_back({root, 0});
    while (!stack.empty()) {
      auto &[procedure, next] = stack.back();
      if (next == procedures[procedure].calls.size()) {
        state[procedure] = Done;
        order.push_back(static_cast<int>(procedure));
        stack.pop_back();
        continue;
      }
      size_t call = next++;
      const CallSite &site = procedures[procedure].calls[call];
      if (site.kind != CallKind::Traversed)
        continue;
      size_t callee = static_cast<size_t>(site.callee);
      if (state[callee] == Open) {
        recursive(procedure, call);
      } else if (state[callee] == New) {
        state[callee] = Open;
        stack.push_back({callee, 0});
      }
    }
  }
  return order;
}

std::vector<int> callees_first(Supergraph &supergraph, CallKind instead) {
  std::vector<std::pair<size_t, size_t>> circles;
  std::vector<int> order = postorder(supergraph, [&](size_t procedure, size_t call) {
    circles.push_back({procedure, call});
  });
  for (auto [procedure, call] : circles)
    supergraph.procedures[procedure].calls[call].kind = instead;
  return order;
}

std::vector<int> callees_first(const Supergraph &supergraph) {
  return postorder(supergraph, [](size_t, size_t) {});
}

bool has_recursive_whole_call(const Supergraph &supergraph) {
  bool has = false;
  postorder(supergraph, [&](size_t, size_t) { has = true; });
  return has;
}

} // namespace pathprof
