// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugin/replay.h"

#include <algorithm>

#include "plugin/gcc.h"

namespace pathprof {

static std::vector<MeasuredPath> executed_paths(const EarlierFunction &earlier) {
  std::vector<MeasuredPath> paths;
  for (const EarlierFunction::Variant &variant : earlier.variants)
    for (const auto *executed : {&variant.function->paths, &variant.function->cut_short})
      for (const ExecutedPath &path : *executed)
        if (path.count > 0)
          paths.push_back({*variant.decoded->regenerate(path.id), path.count});
  std::stable_sort(paths.begin(), paths.end(),
                   [](const MeasuredPath &a, const MeasuredPath &b) { return a.count > b.count; });
  return paths;
}

CopiedCfg::CopiedCfg(const PlannedFunction &function, const EarlierFunction &earlier, std::vector<uint64_t> counts)
    : function_(function), counts_(std::move(counts)), paths_(executed_paths(earlier)) {
  for (int number = 0; number < graph().num_blocks(); number++)
    blocks_.push_back(BASIC_BLOCK_FOR_FN(cfun, number));
  for (int e = 0; e < graph().num_edges(); e++)
    flow_edges_[function_.edges[static_cast<size_t>(e)]] = e;
  is_fixed_.resize(blocks_.size());
  is_fixed_[kEntryBlock] = is_fixed_[kExitBlock] = 1;
  for (const Edge &edge : graph().edges())
    if (edge.is_cut())
      is_fixed_[static_cast<size_t>(edge.dst)] = 1;
  // Variants of other builds have other cuts.  Behind a collapsed loop a path goes on where that is left.
  for (const MeasuredPath &measured : paths_) {
    is_fixed_[static_cast<size_t>(measured.path.blocks.front())] = 1;
    int at = measured.path.blocks.front();
    for (int e : measured.path.edges) {
      if (graph().edge(e).src != at)
        is_fixed_[static_cast<size_t>(graph().edge(e).src)] = 1;
      at = graph().edge(e).dst;
    }
  }
}

int CopiedCfg::original(basic_block bb) const {
  auto at = copies_.find(bb);
  return at == copies_.end() ? bb->index : at->second;
}

edge CopiedCfg::out_edge(basic_block bb, int flow_edge) const {
  if (!is_copy(bb))
    return function_.edges[static_cast<size_t>(flow_edge)];
  return of_copies_.at({bb, flow_edge});
}

bool CopiedCfg::may_be_copied(basic_block bb) const { return !is_fixed_[static_cast<size_t>(original(bb))]; }

basic_block CopiedCfg::copy(edge e) {
  basic_block from = e->dest;
  gcc_assert(may_be_copied(from));
  basic_block copy = duplicate_block(from, e, e->src);
  flush_pending_stmts(e);
  add_phi_args_after_copy(&copy, 1, NULL);
  copies_.emplace(copy, original(from));
  for (unsigned i = 0; i < EDGE_COUNT(from->succs); i++) {
    edge old = EDGE_SUCC(from, i), of_copy = EDGE_SUCC(copy, i);
    gcc_assert(old->dest == of_copy->dest);
    of_copy->goto_locus = old->goto_locus;
    auto known = flow_edges_.find(old);
    if (known == flow_edges_.end())
      continue;
    of_copies_[{copy, known->second}] = of_copy;
    flow_edges_[of_copy] = known->second;
  }
  return copy;
}

std::vector<edge> CopiedCfg::walk(const Path &path) const {
  std::vector<edge> edges;
  basic_block at = block(path.blocks.front());
  for (int e : path.edges) {
    if (original(at) != graph().edge(e).src)
      at = block(graph().edge(e).src);
    edges.push_back(out_edge(at, e));
    at = edges.back()->dest;
  }
  return edges;
}

static bool ends_at_cut(const Path &path) {
  return (path.end == PathEnd::BackEdge || path.end == PathEnd::Cut) && !path.ends_in_passage();
}

static uint64_t less(uint64_t a, uint64_t b) { return a - std::min(a, b); }

// count · part / total
static uint64_t share(uint64_t count, uint64_t part, uint64_t total) {
  unsigned __int128 product = static_cast<unsigned __int128>(count) * part;
  return static_cast<uint64_t>(product / total);
}

MeasuredEdges CopiedCfg::replay() const {
  std::vector<uint64_t> left = counts_, on_paths(counts_.size(), 0);
  std::map<int, uint64_t> ends;                // by block, and by copy
  std::map<basic_block, uint64_t> ends_of_copies;
  MeasuredEdges measured;
  for (const MeasuredPath &executed : paths_) {
    const Path &path = executed.path;
    std::vector<edge> edges = walk(path);
    for (size_t i = path.context_edges; i < edges.size(); i++) {
      auto e = static_cast<size_t>(path.edges[i]);
      on_paths[e] += executed.count;
      if (edges[i] == function_.edges[e])
        continue;
      measured[edges[i]] += executed.count;
      left[e] = less(left[e], executed.count);
    }
    if (!ends_at_cut(path))
      continue;
    ends[path.blocks.back()] += executed.count;
    if (!edges.empty() && is_copy(edges.back()->dest))
      ends_of_copies[edges.back()->dest] += executed.count;
  }
  for (auto [copy, num_ends] : ends_of_copies) {
    int number = original(copy);
    for (int e : graph().succs(number)) {
      if (!graph().edge(e).is_cut())
        continue;
      auto index = static_cast<size_t>(e);
      uint64_t moved = share(less(counts_[index], on_paths[index]), num_ends, ends[number]);
      measured[out_edge(copy, e)] += moved;
      left[index] = less(left[index], moved);
    }
  }
  for (size_t e = 0; e < left.size(); e++)
    measured[function_.edges[e]] += left[e];
  return measured;
}

CopyScope::CopyScope(const CopiedCfg &cfg) : cfg_(cfg) {
  loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
  initialize_original_copy_tables();
}

CopyScope::~CopyScope() {
  free_original_copy_tables();
  loop_optimizer_finalize();
  if (cfg_.num_copies() == 0)
    return;
  if (loops_for_fn(cfun))
    loops_state_set(LOOPS_NEED_FIXUP);
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
  update_ssa(TODO_update_ssa);
}

} // namespace pathprof
