// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugin/replay.h"

#include <algorithm>

#include "plugin/gcc.h"

namespace pathprof {

// Whether the profile says of every path what ran before it.
static bool has_sequences(const Function &function) {
  return function.notes.model.mode == Mode::Kipf && function.notes.model.k > 1 && !function.is_pruned;
}

void CopiedCfg::order_paths(const EarlierFunction &earlier) {
  using Key = std::pair<const Function *, uint64_t>; // and number
  std::vector<std::pair<Key, MeasuredPath>> executed;
  for (const EarlierFunction::Variant &variant : earlier.variants)
    for (const auto *paths : {&variant.function->paths, &variant.function->cut_short})
      for (const ExecutedPath &path : *paths)
        if (path.count > 0)
          executed.push_back({{variant.function, path.id}, {*variant.decoded->regenerate(path.id), path.count}});
  std::stable_sort(executed.begin(), executed.end(),
                   [](const auto &a, const auto &b) { return a.second.count > b.second.count; });
  std::map<Key, size_t> index;
  for (auto &[key, path] : executed) {
    index[key] = paths_.size();
    paths_.push_back(std::move(path));
  }
  // The labels on the way to a node are what ran last: its parent's ran just before its own.
  for (const EarlierFunction::Variant &variant : earlier.variants) {
    const Function &function = *variant.function;
    knows_sequences_ &= has_sequences(function);
    if (!knows_sequences_)
      break;
    for (const ForestNode &node : function.forest) {
      auto at = index.find({&function, node.id});
      if (node.parent == ForestNode::kNone || node.count == 0 || at == index.end())
        continue;
      auto before = index.find({&function, function.forest[node.parent].id});
      if (before != index.end())
        paths_[at->second].after.push_back({before->second, node.count});
    }
  }
}

// Variants of other builds have other cuts.  Behind a collapsed loop a path goes on where that is left.
void CopiedCfg::fix_blocks() {
  fixed_.assign(blocks_.size(), Fixed::No);
  for (const Edge &edge : graph().edges())
    if (edge.is_cut())
      fixed_[static_cast<size_t>(edge.dst)] = Fixed::Start;
  for (const MeasuredPath &measured : paths_) {
    int at = measured.path.blocks.front();
    if (fixed_[static_cast<size_t>(at)] == Fixed::No)
      fixed_[static_cast<size_t>(at)] = Fixed::Start;
    for (int e : measured.path.edges) {
      if (graph().edge(e).src != at)
        fixed_[static_cast<size_t>(graph().edge(e).src)] = Fixed::Unknown;
      at = graph().edge(e).dst;
    }
  }
  fixed_[kEntryBlock] = fixed_[kExitBlock] = Fixed::Unknown;
}

CopiedCfg::CopiedCfg(const PlannedFunction &function, const EarlierFunction &earlier, std::vector<uint64_t> counts)
    : function_(function), counts_(std::move(counts)) {
  for (int number = 0; number < graph().num_blocks(); number++)
    blocks_.push_back(BASIC_BLOCK_FOR_FN(cfun, number));
  for (int e = 0; e < graph().num_edges(); e++)
    flow_edges_[function_.edges[static_cast<size_t>(e)]] = e;
  order_paths(earlier);
  fix_blocks();
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

bool CopiedCfg::may_be_copied(basic_block bb, Fixed most) const {
  return fixed_[static_cast<size_t>(original(bb))] <= most;
}

basic_block CopiedCfg::copy(edge e) {
  basic_block from = e->dest;
  gcc_assert(knows_sequences_ ? start_may_be_copied(from) : may_be_copied(from));
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

std::vector<edge> CopiedCfg::walk(const Path &path, basic_block from) const {
  std::vector<edge> edges;
  basic_block at = from ? from : block(path.blocks.front());
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

int CopiedCfg::cut_edge_of(const Path &path) const {
  int cut = -1;
  if (ends_at_cut(path))
    for (int e : graph().succs(path.blocks.back())) {
      if (!graph().edge(e).is_cut())
        continue;
      if (cut >= 0)
        return -1;
      cut = e;
    }
  return cut;
}

// Copies of first blocks are made behind blocks of their own, so that it does not matter which copy a path began in.
std::vector<basic_block> CopiedCfg::copies_at_ends() const {
  std::vector<basic_block> copies;
  for (const MeasuredPath &measured : paths_) {
    copies.push_back(nullptr);
    int cut = knows_sequences_ ? cut_edge_of(measured.path) : -1;
    if (cut < 0)
      continue;
    std::vector<edge> edges = walk(measured.path);
    basic_block last = edges.empty() ? block(measured.path.blocks.front()) : edges.back()->dest;
    basic_block next = out_edge(last, cut)->dest;
    if (is_copy(next))
      copies.back() = next;
  }
  return copies;
}

static uint64_t less(uint64_t a, uint64_t b) {
  return a - std::min(a, b);
}

// count · part / total
static uint64_t share(uint64_t count, uint64_t part, uint64_t total) {
  unsigned __int128 product = static_cast<unsigned __int128>(count) * part;
  return static_cast<uint64_t>(product / total);
}

namespace {

// What executed paths leave on GCC's edges.
struct Tracks {
  explicit Tracks(std::vector<uint64_t> counts) : left(std::move(counts)), on_paths(left.size(), 0) {}

  MeasuredEdges of_copies;
  std::vector<uint64_t> left;     // by flow edge: what is not on copies of it
  std::vector<uint64_t> on_paths; // by flow edge
  std::map<int, uint64_t> ends;   // at cut edges, by block
  std::map<basic_block, uint64_t> ends_of_copies;
};

} // namespace

static void add_track(Tracks &tracks, const Path &path, const std::vector<edge> &edges,
                      const std::vector<edge> &originals, uint64_t count) {
  for (size_t i = path.context_edges; i < edges.size(); i++) {
    auto e = static_cast<size_t>(path.edges[i]);
    tracks.on_paths[e] += count;
    if (edges[i] == originals[e])
      continue;
    tracks.of_copies[edges[i]] += count;
    tracks.left[e] = less(tracks.left[e], count);
  }
}

MeasuredEdges CopiedCfg::replay() const {
  Tracks tracks(counts_);
  std::vector<basic_block> next = copies_at_ends();
  for (const MeasuredPath &executed : paths_) {
    const Path &path = executed.path;
    // By the block that it starts in.
    std::map<basic_block, uint64_t> starts;
    uint64_t elsewhere = executed.count;
    for (auto [before, count] : executed.after)
      if (next[before] && original(next[before]) == path.blocks.front()) {
        uint64_t here = std::min(count, elsewhere);
        starts[next[before]] += here;
        elsewhere -= here;
      }
    starts[block(path.blocks.front())] += elsewhere;
    for (auto [start, count] : starts) {
      std::vector<edge> edges = walk(path, start);
      add_track(tracks, path, edges, function_.edges, count);
      basic_block last = edges.empty() ? start : edges.back()->dest;
      if (!ends_at_cut(path))
        continue;
      tracks.ends[path.blocks.back()] += count;
      if (is_copy(last))
        tracks.ends_of_copies[last] += count;
    }
  }
  for (auto [copy, num_ends] : tracks.ends_of_copies) {
    int number = original(copy);
    for (int e : graph().succs(number)) {
      if (!graph().edge(e).is_cut() || num_ends == 0)
        continue;
      auto index = static_cast<size_t>(e);
      uint64_t moved = share(less(counts_[index], tracks.on_paths[index]), num_ends, tracks.ends[number]);
      tracks.of_copies[out_edge(copy, e)] += moved;
      tracks.left[index] = less(tracks.left[index], moved);
    }
  }
  for (size_t e = 0; e < tracks.left.size(); e++)
    tracks.of_copies[function_.edges[e]] += tracks.left[e];
  return tracks.of_copies;
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
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
  update_ssa(TODO_update_ssa);
  if (!loops_for_fn(cfun))
    return;
  // A loop whose head was copied may be none now.
  loops_state_set(LOOPS_NEED_FIXUP);
  loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
  loop_optimizer_finalize();
}

} // namespace pathprof
