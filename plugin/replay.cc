// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugin/replay.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "core/kiter.h"

#include "plugin/gcc.h"

namespace pathprof {

// Whether its paths can be taken apart at back edges.  Of collapsed loops they do not tell the iterations.
static bool tells_iterations(const Function &function) {
  const FunctionNotes &notes = function.notes;
  return notes.model.mode == Mode::KIter && notes.model.spans_iterations() &&
         collapsed_loops(notes.graph, notes.model).empty();
}

// One iteration after the other.  `num_context`: so many of them are context.
static std::vector<Path> split_at_back_edges(const Path &path, const FlowGraph &graph, size_t &num_context) {
  num_context = 0;
  std::vector<Path> pieces;
  Path piece;
  piece.start = path.start;
  piece.blocks = {path.blocks.front()};
  for (size_t i = 0; i < path.edges.size(); i++) {
    const Edge &edge = graph.edge(path.edges[i]);
    if (edge.is_cut()) {
      piece.end = PathEnd::BackEdge;
      pieces.push_back(std::move(piece));
      piece = {};
      piece.start = PathStart::Loop;
    } else {
      piece.edges.push_back(path.edges[i]);
    }
    piece.blocks.push_back(edge.dst);
    if (i < path.context_edges)
      num_context = pieces.size();
  }
  piece.end = path.end;
  piece.call = path.call;
  pieces.push_back(std::move(piece));
  return pieces;
}

namespace {

// The paths of all variants, each once.
class PathTable {
public:
  // Returns its index.
  size_t add(const Path &path, uint64_t count) {
    auto [at, is_new] = index_.emplace(key_of(path), paths_.size());
    if (is_new)
      paths_.push_back({path, 0});
    paths_[at->second].count += count;
    return at->second;
  }

  void add_sequence(size_t before, size_t path, uint64_t count) { after_[{path, before}] += count; }

  // Most executed first.
  std::vector<MeasuredPath> take() {
    std::vector<size_t> order(paths_.size()), place(paths_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return paths_[a].count > paths_[b].count; });
    std::vector<MeasuredPath> sorted;
    for (size_t index : order) {
      place[index] = sorted.size();
      sorted.push_back(std::move(paths_[index]));
    }
    for (auto [pair, count] : after_)
      sorted[place[pair.first]].after.push_back({place[pair.second], count});
    return sorted;
  }

private:
  using Key = std::tuple<PathStart, PathEnd, uint32_t, int, size_t, std::vector<int>>;

  static Key key_of(const Path &path) {
    return {path.start, path.end, path.call, path.blocks.front(), path.context_edges, path.edges};
  }

  std::map<Key, size_t> index_;
  std::vector<MeasuredPath> paths_;
  std::map<std::pair<size_t, size_t>, uint64_t> after_; // path, what ran before
};

// Of one variant.
class PathReader {
public:
  PathReader(const EarlierFunction::Variant &variant, PathTable &table)
      : function_(*variant.function), decoded_(*variant.decoded), table_(table),
        has_iterations_(tells_iterations(function_)) {}

  void read() {
    for (const auto *paths : {&function_.paths, &function_.cut_short})
      for (const ExecutedPath &path : *paths)
        if (path.count > 0)
          add(path);
    read_forest();
  }

private:
  void add(const ExecutedPath &executed) {
    Path path = *decoded_.regenerate(executed.id);
    if (!has_iterations_) {
      of_id_[executed.id] = table_.add(path, executed.count);
      return;
    }
    size_t num_context, before = 0;
    std::vector<Path> pieces = split_at_back_edges(path, function_.notes.graph, num_context);
    for (size_t i = 0; i < pieces.size(); i++) {
      size_t index = table_.add(pieces[i], i < num_context ? 0 : executed.count);
      if (i > 0 && i >= num_context)
        table_.add_sequence(before, index, executed.count);
      before = index;
    }
  }

  // The labels on the way to a node are what ran last: its parent's ran just before its own.
  void read_forest() {
    if (function_.is_pruned)
      return;
    for (const ForestNode &node : function_.forest) {
      auto at = of_id_.find(node.id);
      if (node.parent == ForestNode::kNone || node.count == 0 || at == of_id_.end())
        continue;
      auto before = of_id_.find(function_.forest[node.parent].id);
      if (before != of_id_.end())
        table_.add_sequence(before->second, at->second, node.count);
    }
  }

  const Function &function_;
  const Decoded &decoded_;
  PathTable &table_;
  bool has_iterations_;
  std::map<uint64_t, size_t> of_id_;
};

} // namespace

// By block, whether the profile says of paths that start there what ran before: all blocks, or heads of loops.
static std::vector<char> blocks_with_sequences(const Function &function) {
  const PathModel &model = function.notes.model;
  bool has_forest = model.mode == Mode::Kipf && model.k > 1 && !function.is_pruned;
  std::vector<char> known(static_cast<size_t>(function.notes.graph.num_blocks()), has_forest);
  if (tells_iterations(function))
    for (const LoopIterations &loop : model.loops)
      known[static_cast<size_t>(loop.head)] = loop.k > 1;
  return known;
}

// Variants of other builds have other cuts.  Behind a collapsed loop a path goes on where that is left.
void CopiedCfg::fix_blocks(const EarlierFunction &earlier) {
  fixed_.assign(blocks_.size(), Fixed::No);
  std::vector<Fixed> of_start(blocks_.size(), Fixed::Start);
  for (const EarlierFunction::Variant &variant : earlier.variants) {
    std::vector<char> known = blocks_with_sequences(*variant.function);
    for (size_t block = 0; block < of_start.size(); block++)
      if (!known[block])
        of_start[block] = Fixed::Unknown;
  }
  auto start_at = [&](int block) {
    Fixed &fixed = fixed_[static_cast<size_t>(block)];
    fixed = std::max(fixed, of_start[static_cast<size_t>(block)]);
  };
  for (const Edge &edge : graph().edges())
    if (edge.is_cut())
      start_at(edge.dst);
  for (const MeasuredPath &measured : paths_) {
    int at = measured.path.blocks.front();
    start_at(at);
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
  PathTable table;
  for (const EarlierFunction::Variant &variant : earlier.variants)
    PathReader(variant, table).read();
  paths_ = table.take();
  fix_blocks(earlier);
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
  gcc_assert(start_may_be_copied(from) && !single_pred_p(from));
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
    int cut = cut_edge_of(measured.path);
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
