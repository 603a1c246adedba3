// SPDX-License-Identifier: GPL-3.0-or-later
// Copies blocks of a flow graph and computes the edge counts after copying.
#include "core/analysis/copied_graph.h"

#include <algorithm>
#include <numeric>

namespace pathprof {

CopiedGraph::CopiedGraph(const FlowGraph &graph, std::vector<uint64_t> counts, std::vector<MeasuredPath> paths,
                         const std::vector<char> &tells_before)
    : graph_(graph), counts_(std::move(counts)), paths_(std::move(paths)),
      originals_(static_cast<size_t>(graph.num_blocks())), flow_edges_(static_cast<size_t>(graph.num_edges())) {
  std::iota(originals_.begin(), originals_.end(), 0);
  std::iota(flow_edges_.begin(), flow_edges_.end(), 0);
  for (const Edge &edge : graph.edges())
    destinations_.push_back(edge.dst);
  fix_blocks(tells_before);
}

// Marks the blocks that must not be copied.  They include each block at which a path resumes after a collapsed loop.
// The path does not contain the edge into this block, so it does not determine which copy of the block is executed.
void CopiedGraph::fix_blocks(const std::vector<char> &tells_before) {
  fixed_.assign(originals_.size(), Fixed::No);
  auto start_at = [&](int block) {
    auto index = static_cast<size_t>(block);
    fixed_[index] = std::max(fixed_[index], tells_before[index] ? Fixed::Start : Fixed::Unknown);
  };
  for (const Edge &edge : graph_.edges())
    if (edge.is_cut())
      start_at(edge.dst);
  for (const MeasuredPath &measured : paths_) {
    int at = measured.path.blocks.front();
    start_at(at);
    for (int e : measured.path.edges) {
      if (graph_.edge(e).src != at)
        fixed_[static_cast<size_t>(graph_.edge(e).src)] = Fixed::Unknown;
      at = graph_.edge(e).dst;
    }
  }
  fixed_[kEntryBlock] = fixed_[kExitBlock] = Fixed::Unknown;
}

int CopiedGraph::out_edge(int block, int flow_edge) const {
  return is_copy(block) ? of_copies_.at({block, flow_edge}) : flow_edge;
}

int CopiedGraph::copy(int edge) {
  int from = destination(edge), copy = static_cast<int>(originals_.size());
  originals_.push_back(original(from));
  for (int e : graph_.succs(original(from))) {
    of_copies_[{copy, e}] = num_edges();
    flow_edges_.push_back(e);
    destinations_.push_back(destination(out_edge(from, e)));
  }
  destinations_[static_cast<size_t>(edge)] = copy;
  return copy;
}

std::vector<int> CopiedGraph::walk(const Path &path, int from) const {
  std::vector<int> edges;
  int at = from;
  for (int e : path.edges) {
    if (original(at) != graph_.edge(e).src)
      at = graph_.edge(e).src;
    edges.push_back(out_edge(at, e));
    at = destination(edges.back());
  }
  return edges;
}

static bool ends_at_cut(const Path &path) {
  return (path.end == PathEnd::BackEdge || path.end == PathEnd::Cut) && !path.ends_in_loop_visit();
}

int CopiedGraph::cut_edge_of(const Path &path) const {
  int cut = -1;
  if (ends_at_cut(path))
    for (int e : graph_.succs(path.blocks.back())) {
      if (!graph_.edge(e).is_cut())
        continue;
      if (cut >= 0)
        return -1;
      cut = e;
    }
  return cut;
}

// Returns, for each path, the block copy to which the cut edge at the end of the path leads.  The result is −1 if the
// cut edge is unknown or does not lead to a copy.  The result does not depend on the block copy in which the path
// started.
std::vector<int> CopiedGraph::copies_at_ends() const {
  std::vector<int> copies;
  for (const MeasuredPath &measured : paths_) {
    copies.push_back(-1);
    int cut = cut_edge_of(measured.path);
    if (cut < 0)
      continue;
    std::vector<int> edges = walk(measured.path);
    int last = edges.empty() ? measured.path.blocks.front() : destination(edges.back());
    int next = destination(out_edge(last, cut));
    if (is_copy(next))
      copies.back() = next;
  }
  return copies;
}

static uint64_t less(uint64_t a, uint64_t b) {
  return a - std::min(a, b);
}

// Returns count · part / total.
static uint64_t share(uint64_t count, uint64_t part, uint64_t total) {
  unsigned __int128 product = static_cast<unsigned __int128>(count) * part;
  return static_cast<uint64_t>(product / total);
}

// Edge counts that are accumulated while the executed paths are replayed.
struct CopiedGraph::Tracks {
  std::vector<uint64_t> traversals;       // execution count of each edge; the count of a flow edge does not include its
                                          // copies
  std::vector<uint64_t> on_paths;         // executions of the paths that contain each flow edge
  std::map<int, uint64_t> ends;           // path ends at cut edges, by block of the flow graph
  std::map<int, uint64_t> ends_of_copies; // path ends at cut edges, by copy
};

void CopiedGraph::add_track(Tracks &tracks, const Path &path, int start, uint64_t count) const {
  std::vector<int> edges = walk(path, start);
  for (size_t i = path.context_edges; i < edges.size(); i++) {
    auto flow_edge = static_cast<size_t>(path.edges[i]), edge = static_cast<size_t>(edges[i]);
    tracks.on_paths[flow_edge] += count;
    if (edge == flow_edge)
      continue;
    tracks.traversals[edge] += count;
    tracks.traversals[flow_edge] = less(tracks.traversals[flow_edge], count);
  }
  if (!ends_at_cut(path))
    return;
  tracks.ends[path.blocks.back()] += count;
  int last = edges.empty() ? start : destination(edges.back());
  if (is_copy(last))
    tracks.ends_of_copies[last] += count;
}

// Returns the number of times the path started in its first block and in each copy of that block.  A path starts in a
// copy if the preceding path is known to lead to that copy.
std::map<int, uint64_t> CopiedGraph::starts_of(const MeasuredPath &executed, const std::vector<int> &next) const {
  int first = executed.path.blocks.front();
  std::map<int, uint64_t> starts;
  uint64_t elsewhere = executed.count;
  for (auto [before, count] : executed.after)
    if (next[before] >= 0 && original(next[before]) == first) {
      uint64_t here = std::min(count, elsewhere);
      starts[next[before]] += here;
      elsewhere -= here;
    }
  starts[first] += elsewhere;
  return starts;
}

// Distributes the count of each cut edge among the copies of its source block, in proportion to the number of paths
// that end in each copy.  This step is necessary because no path contains a cut edge.
void CopiedGraph::share_ends(Tracks &tracks) const {
  for (auto [copy, num_ends] : tracks.ends_of_copies) {
    int block = original(copy);
    for (int e : graph_.succs(block)) {
      if (!graph_.edge(e).is_cut() || num_ends == 0)
        continue;
      auto index = static_cast<size_t>(e);
      uint64_t moved = share(less(counts_[index], tracks.on_paths[index]), num_ends, tracks.ends[block]);
      tracks.traversals[static_cast<size_t>(out_edge(copy, e))] += moved;
      tracks.traversals[index] = less(tracks.traversals[index], moved);
    }
  }
}

std::vector<uint64_t> CopiedGraph::replay() const {
  Tracks tracks;
  tracks.traversals = counts_;
  tracks.traversals.resize(destinations_.size(), 0);
  tracks.on_paths.assign(counts_.size(), 0);
  std::vector<int> next = copies_at_ends();
  for (const MeasuredPath &executed : paths_)
    for (auto [start, count] : starts_of(executed, next))
      add_track(tracks, executed.path, start, count);
  share_ends(tracks);
  return tracks.traversals;
}

} // namespace pathprof
