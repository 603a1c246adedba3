// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the outlines that CallCounter works on.
#include "core/interprocedural/call_count.h"

#include "core/models/model.h"
#include "core/numbering/path_graph.h"

namespace pathprof {

namespace {

bool unwinds(const Edge &edge) {
  return edge.flags & (kEh | kAbnormal);
}

// Returns true if a path ends at the block because an out-edge is a truncation point or because there are no out-edges.
bool ends(const FlowGraph &graph, int block, bool with_unwinding) {
  bool none = true;
  for (int e : graph.succs(block)) {
    if (unwinds(graph.edge(e)) && !with_unwinding)
      continue;
    if (graph.edge(e).is_cut())
      return true;
    none = false;
  }
  return none;
}

void add_edges(const FlowGraph &graph, int block, bool unwinding, std::vector<int> &blocks) {
  for (int e : graph.succs(block))
    if (!graph.edge(e).is_cut() && unwinds(graph.edge(e)) == unwinding)
      blocks.push_back(graph.edge(e).dst);
}

std::vector<std::vector<int>> calls_by_block(const Procedure &procedure) {
  std::vector<std::vector<int>> calls(procedure.graph.num_blocks());
  for (size_t call = 0; call < procedure.calls.size(); call++)
    calls[procedure.calls[call].block].push_back(static_cast<int>(call));
  return calls;
}

} // namespace

Outline::Outline(const Procedure &procedure) : num_blocks(procedure.graph.num_blocks()) {
  const FlowGraph &graph = procedure.graph;
  const std::vector<std::vector<int>> calls_in = calls_by_block(procedure);
  PathGraph paths(graph);
  std::vector<char> starts(num_blocks, 0);
  for (int e : paths.succs(kEntryBlock))
    if (paths.edge(e).kind == PathEdgeKind::Start)
      starts[paths.edge(e).dst] = 1;
  for (int block : paths.reverse_topological()) {
    if (block == kExitBlock)
      continue;
    Node node;
    node.block = block;
    node.starts = starts[block];
    node.ends = ends(graph, block, true);
    node.ends_behind_call = ends(graph, block, false);
    node.call_unwinds = !calls_in[block].empty() && procedure.calls[calls_in[block].back()].ends_block;
    node.first_edge = edges.size();
    add_edges(graph, block, false, edges);
    node.first_unwinding = edges.size();
    add_edges(graph, block, true, edges);
    node.end_edge = edges.size();
    node.first_call = calls.size();
    calls.insert(calls.end(), calls_in[block].begin(), calls_in[block].end());
    node.end_call = calls.size();
    nodes.push_back(node);
  }
}

SupergraphOutline::SupergraphOutline(const Supergraph &supergraph)
    : is_piecewise(model_of(supergraph.mode).has(Feature::Pieces)), callees_first(pathprof::callees_first(supergraph)),
      position(callees_first.size()), sites_into(callees_first.size()) {
  for (size_t i = 0; i < callees_first.size(); i++)
    position[callees_first[i]] = static_cast<int>(i);
  for (size_t p = 0; p < supergraph.procedures.size(); p++) {
    const Procedure &procedure = supergraph.procedures[p];
    procedures.emplace_back(procedure);
    begins_paths.push_back(procedure.begins_paths);
    first_site.push_back(static_cast<int>(sites.size()));
    for (size_t call = 0; call < procedure.calls.size(); call++) {
      const CallSite &site = procedure.calls[call];
      if (site.kind == CallKind::Traversed)
        sites_into[site.callee].push_back(static_cast<int>(sites.size()));
      sites.push_back({static_cast<int>(p), static_cast<int>(call), site.callee, site.kind});
    }
  }
  first_site.push_back(static_cast<int>(sites.size()));
}

} // namespace pathprof
