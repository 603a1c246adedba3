// SPDX-License-Identifier: GPL-3.0-or-later
// Copies the blocks of loops once per iteration and connects the copies.
#include "core/models/kiter_graph.h"

#include <cstdint>
#include <utility>

namespace pathprof {

KIterGraph::KIterGraph(const FlowGraph &graph, const PathModel &model)
    : original_(graph), scheme_(iteration_scheme(graph, model)), graph_(scheme_.collapsed.graph),
      is_paper_(model.numbering == Numbering::Paper), loops_(scheme_.loops), loop_of_(graph_.num_blocks(), -1),
      reachable_(reachable_blocks(graph_)) {
  for (int block = 0; block < graph_.num_blocks(); block++)
    new_node(block);
  for (const IteratedLoop &loop : loops_)
    add_nodes(loop);
}

PathGraph KIterGraph::build() {
  PathGraph paths(original_, block_of_);
  paths_ = &paths;
  for (int e = 0; e < graph_.num_edges(); e++)
    if (reachable_[graph_.edge(e).src] && loop_of_[graph_.edge(e).src] < 0 && !graph_.edge(e).is_cut())
      add_real(graph_.edge(e).src, entrance(graph_.edge(e).dst), e);
  for (size_t loop = 0; loop < loops_.size(); loop++)
    is_paper_ ? add_paper_edges(loop) : add_register_edges(loop);
  add_surrogates();
  for (const CollapsedLoop &loop : scheme_.collapsed.loops)
    add_collapsed(loop.loop);
  if (is_paper_)
    for (int node = 0; node < paths.num_nodes(); node++)
      paths.keep_order(node);
  paths.sort_nodes();
  return paths;
}

int KIterGraph::collapsed_of(const PathEdge &edge) const {
  int node = edge.kind == PathEdgeKind::Start ? edge.dst : edge.src;
  return node < original_.num_blocks() ? scheme_.collapsed.loop_of[node] : -1;
}

int KIterGraph::new_node(int block) {
  block_of_.push_back(block < original_.num_blocks() ? block : PathGraph::kCollapsed);
  return static_cast<int>(block_of_.size()) - 1;
}

KIterGraph::Copy KIterGraph::copy_of(const IteratedLoop &loop) {
  Copy copy;
  for (int block : loop.loop.blocks)
    copy[block] = new_node(block);
  return copy;
}

static LoopCopies::Copy own_nodes(const IteratedLoop &loop) {
  LoopCopies::Copy copy;
  for (int block : loop.loop.blocks)
    copy[block] = block;
  return copy;
}

void KIterGraph::add_nodes(const IteratedLoop &loop) {
  LoopCopies copies;
  for (int block : loop.loop.blocks)
    loop_of_[block] = static_cast<int>(copies_.size());
  for (uint32_t i = 1; i <= loop.k; i++) {
    if (!is_paper_)
      copies.decisions.push_back(new_node(PathGraph::kNoBlock));
    copies.entered.push_back(is_paper_ && i == loop.k ? own_nodes(loop) : copy_of(loop));
    if (i < loop.k)
      copies.started.push_back(copy_of(loop));
  }
  copies.enter = is_paper_ ? copies.entered.front().at(loop.loop.head()) : copies.decisions.front();
  copies_.push_back(std::move(copies));
}

// Returns the node for paths that enter `block` from outside its loop.
int KIterGraph::entrance(int block) const {
  return loop_of_[block] < 0 ? block : copies_[loop_of_[block]].enter;
}

void KIterGraph::add_real(int src, int dst, int e, bool ends_context) {
  paths_->add_edge({PathEdgeKind::Real, src, dst, {e}, graph_.edge(e).frequency, ends_context});
}

void KIterGraph::add_choice(int src, int dst) {
  paths_->add_edge({PathEdgeKind::Decision, src, dst, {}, 0, false});
}

// Adds the edges of one copy of a loop, in the stable order.  If `leaving` is true, adds only edges on paths that leave
// the loop; otherwise, omits the edges that leave the loop.
void KIterGraph::add_inside(const IteratedLoop &loop, const Copy &copy, bool leaving, const Next *next) {
  for (auto [block, node] : copy)
    for (int e : graph_.succs(block)) {
      const Edge &edge = graph_.edge(e);
      if (loop.is_back(e)) {
        if (next)
          add_around(node, e, *next);
      } else if (loop.stays(edge) && (!leaving || loop.can_leave(edge.dst))) {
        add_real(node, copy.at(edge.dst), e);
      } else if (!loop.stays(edge) && leaving && !edge.is_cut()) {
        add_real(node, entrance(edge.dst), e);
      }
    }
  if (leaving)
    for (auto [block, node] : copy)
      add_cut_exits(loop, block, node);
}

void KIterGraph::add_around(int node, int e, const Next &next) {
  if (next.node == kExitBlock)
    paths_->add_end(node, {e});
  else
    add_real(node, next.node, e, next.ends_context);
}

void KIterGraph::add_cut_exits(const IteratedLoop &loop, int block, int node) {
  std::vector<int> via;
  for (int e : cut_succs(graph_, block))
    if (!loop.is_back(e))
      via.push_back(e);
  paths_->add_end(node, std::move(via));
}

void KIterGraph::add_register_edges(size_t index) {
  const IteratedLoop &loop = loops_[index];
  const LoopCopies &copies = copies_[index];
  int head = loop.loop.head();
  add_inside(loop, own_nodes(loop), true, nullptr);
  for (size_t i = 0; i < loop.k; i++) {
    bool is_last = i + 1 == loop.k;
    paths_->keep_order(copies.decisions[i]);
    if (loop.can_leave(head))
      add_choice(copies.decisions[i], head);
    add_choice(copies.decisions[i], copies.entered[i].at(head));
    Next around{is_last ? kExitBlock : copies.decisions[i + 1]};
    add_inside(loop, copies.entered[i], false, &around);
  }
  add_started(index, copies.decisions.back());
}

void KIterGraph::add_paper_edges(size_t index) {
  const LoopCopies &copies = copies_[index];
  for (size_t i = 0; i < loops_[index].k; i++)
    add_paper_iteration(loops_[index], copies, i);
  add_started(index, copies.entered.back().at(loops_[index].loop.head()));
}

// Adds the edges of one iteration in the paper's order, in which back edges precede the edges that leave the loop.
void KIterGraph::add_paper_iteration(const IteratedLoop &loop, const LoopCopies &copies, size_t i) {
  bool is_last = i + 1 == loop.k;
  const Copy &copy = copies.entered[i];
  if (!is_last)
    for (auto [block, node] : copy)
      for (int e : graph_.succs(block))
        if (loop.is_back(e))
          add_real(node, copies.entered[i + 1].at(loop.loop.head()), e);
  for (auto [block, node] : copy)
    for (int e : graph_.succs(block)) {
      const Edge &edge = graph_.edge(e);
      if (!edge.is_cut())
        add_real(node, loop.stays(edge) ? copy.at(edge.dst) : entrance(edge.dst), e);
    }
  for (auto [block, node] : copy) {
    if (is_last)
      for (int e : graph_.succs(block))
        if (loop.is_back(e))
          paths_->add_end(node, {e});
    add_cut_exits(loop, block, node);
  }
}

// For the paths that start at the loop header, adds the edges of all iterations except the last.  `last` is the header
// node of the last iteration.
void KIterGraph::add_started(size_t index, int last) {
  const IteratedLoop &loop = loops_[index];
  const std::vector<Copy> &started = copies_[index].started;
  for (size_t i = 0; i < started.size(); i++) {
    bool is_last = i + 1 == started.size();
    Next around{is_last ? last : started[i + 1].at(loop.loop.head()), is_last};
    if (is_paper_)
      for (auto [block, node] : started[i])
        for (int e : graph_.succs(block))
          if (loop.is_back(e))
            add_around(node, e, around);
    add_inside(loop, started[i], false, is_paper_ ? nullptr : &around);
  }
}

// Adds the same surrogate edges as in the graph of acyclic paths, except for the back edges of iterated loops.
void KIterGraph::add_surrogates() {
  for (int block = 0; block < graph_.num_blocks(); block++) {
    if (!reachable_[block] || block == kExitBlock)
      continue;
    const IteratedLoop *loop = loop_of_[block] < 0 ? nullptr : &loops_[loop_of_[block]];
    std::vector<int> arrivals, around;
    for (int e : cut_preds(graph_, block, reachable_))
      (loop && loop->is_back(e) ? around : arrivals).push_back(e);
    paths_->add_start(entrance(block), std::move(arrivals));
    if (!around.empty())
      paths_->add_start(copies_[loop_of_[block]].started.front().at(block), std::move(around));
    if (!loop)
      paths_->add_ends_of(graph_, block);
  }
}

// Adds the acyclic paths inside a collapsed loop.  These paths use the nodes that have the same numbers as the blocks
// and that are otherwise unused.
void KIterGraph::add_collapsed(const Loop &loop) {
  std::vector<char> reachable = reachable_blocks(original_);
  auto stays = [&](const Edge &edge) {
    return scheme_.collapsed.loop_of[edge.src] == scheme_.collapsed.loop_of[edge.dst];
  };
  for (int block : loop.blocks) {
    if (!reachable[block])
      continue;
    std::vector<int> starts, ends;
    for (int e : original_.preds(block))
      if (reachable[original_.edge(e).src] && (original_.edge(e).is_cut() || !stays(original_.edge(e))))
        starts.push_back(e);
    for (int e : original_.succs(block))
      if (original_.edge(e).is_cut() || !stays(original_.edge(e)))
        ends.push_back(e);
      else
        add_real(block, original_.edge(e).dst, e);
    paths_->add_start(block, std::move(starts));
    paths_->add_end(block, std::move(ends));
  }
}

PathGraph kiter_path_graph(const FlowGraph &graph, const PathModel &model) {
  return KIterGraph(graph, model).build();
}

bool kiter_graph_has_room(const FlowGraph &graph, const PathModel &model) {
  // `all_blocks` is an upper bound on the number of copies.  It is usually at most kMaxCopies, so the exact number,
  // which depends on the loops, need not be computed.
  uint64_t all_blocks = 0, copies = 0;
  for (const LoopIterations &loop : model.loops)
    all_blocks += loop.k > 1 ? uint64_t{loop.k} * static_cast<uint64_t>(graph.num_blocks()) : 0;
  if (all_blocks <= kMaxCopies)
    return true;
  for (const IteratedLoop &loop : iteration_scheme(graph, model).loops)
    copies += uint64_t{loop.k} * loop.loop.blocks.size();
  return copies <= kMaxCopies;
}

} // namespace pathprof
