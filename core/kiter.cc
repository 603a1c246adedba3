// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kiter.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "core/numbering.h"

namespace pathprof {

namespace {

// A loop whose paths span iterations, with what its copies are made of.
struct Iterated {
  Loop loop;
  uint32_t k = 2;
  std::vector<char> inside;    // by block
  std::vector<char> is_back;   // by flow edge: one of the loop's own
  std::vector<char> can_leave; // by block: without going around

  bool stays(const Edge &edge) const { return inside[edge.src] && inside[edge.dst]; }
};

// Whether some way from the block leaves without going around.
std::vector<char> blocks_that_leave(const FlowGraph &graph, const Iterated &iterated) {
  std::vector<char> leaves(graph.num_blocks(), 0);
  std::vector<int> work;
  auto reach = [&](int block) {
    if (!leaves[block])
      work.push_back(block);
    leaves[block] = 1;
  };
  for (int block : iterated.loop.blocks)
    for (int e : graph.succs(block))
      if (!iterated.inside[graph.edge(e).dst])
        reach(block);
  while (!work.empty()) {
    int block = work.back();
    work.pop_back();
    for (int e : graph.preds(block))
      if (iterated.stays(graph.edge(e)) && !iterated.is_back[e])
        reach(graph.edge(e).src);
  }
  return leaves;
}

Iterated iterated(const FlowGraph &graph, Loop loop, uint32_t k) {
  Iterated result;
  result.k = k;
  result.inside.assign(graph.num_blocks(), 0);
  result.is_back.assign(graph.num_edges(), 0);
  for (int block : loop.blocks)
    result.inside[block] = 1;
  for (int e : loop.back_edges)
    result.is_back[e] = 1;
  result.loop = std::move(loop);
  result.can_leave = blocks_that_leave(graph, result);
  return result;
}

bool is_iterable(const FlowGraph &graph, const Iterated &iterated) {
  for (int block : iterated.loop.blocks) {
    int back_edges = 0, cuts = 0;
    for (int e : graph.succs(block)) {
      back_edges += iterated.is_back[e];
      cuts += graph.edge(e).is_cut();
      if (!iterated.is_back[e] && graph.edge(e).is_cut() && iterated.stays(graph.edge(e)))
        return false;
    }
    if (back_edges > 0 && cuts > 1)
      return false;
  }
  return true;
}

bool has_head(const std::vector<Loop> &loops, int head) {
  return std::any_of(loops.begin(), loops.end(), [&](const Loop &loop) { return loop.head() == head; });
}

// Collapses what is inside of `outer`, one of all natural loops, if paths can span its iterations then.
bool try_to_collapse(const FlowGraph &graph, const Loop &outer, const std::vector<Loop> &all,
                     CollapsedGraph &collapsed) {
  CollapsedGraph result = collapsed;
  result.collapse_inside(graph, outer, all);
  bool is_possible =
      result.loops.size() > collapsed.loops.size() && has_head(iterable_loops(result.graph), outer.head());
  if (is_possible)
    collapsed = std::move(result);
  return is_possible;
}

// What a model does with a graph's loops.
struct Scheme {
  CollapsedGraph collapsed;
  std::vector<Iterated> loops; // of the collapsed graph
};

Scheme scheme_of(const FlowGraph &graph, const PathModel &model) {
  std::map<int, uint32_t> k_of;
  for (const LoopIterations &loop : model.loops)
    if (loop.k > 1)
      k_of[loop.head] = loop.k;
  Scheme scheme{CollapsedGraph(graph), {}};
  std::vector<Loop> iterable = iterable_loops(graph);
  bool only_innermost = std::all_of(k_of.begin(), k_of.end(), [&](const std::pair<const int, uint32_t> &loop) {
    return has_head(iterable, loop.first);
  });
  if (!only_innermost) {
    std::vector<Loop> all = natural_loops(graph);
    for (auto outer = all.rbegin(); outer != all.rend(); ++outer)
      if (k_of.count(outer->head()) && scheme.collapsed.loop_of[outer->head()] < 0)
        try_to_collapse(graph, *outer, all, scheme.collapsed);
    iterable = iterable_loops(scheme.collapsed.graph);
  }
  for (Loop &loop : iterable) {
    auto k = k_of.find(loop.head());
    if (k != k_of.end())
      scheme.loops.push_back(iterated(scheme.collapsed.graph, std::move(loop), k->second));
  }
  return scheme;
}

} // namespace

std::vector<Loop> iterable_loops(const FlowGraph &graph) {
  std::vector<Loop> loops;
  for (Loop &loop : natural_loops(graph)) {
    Iterated candidate = iterated(graph, std::move(loop), 1);
    if (is_iterable(graph, candidate))
      loops.push_back(std::move(candidate.loop));
  }
  return loops;
}

bool is_collapsible(const FlowGraph &graph, const Loop &loop) {
  CollapsedGraph collapsed(graph);
  return try_to_collapse(graph, loop, natural_loops(graph), collapsed);
}

std::vector<CollapsedLoop> collapsed_loops(const FlowGraph &graph, const PathModel &model) {
  return scheme_of(graph, model).collapsed.loops;
}

bool has_room(const FlowGraph &graph, const PathModel &model) {
  // Most often it does not matter how large the loops are.
  uint64_t all_blocks = 0, copies = 0;
  for (const LoopIterations &loop : model.loops)
    all_blocks += loop.k > 1 ? uint64_t{loop.k} * static_cast<uint64_t>(graph.num_blocks()) : 0;
  if (all_blocks <= kMaxCopies)
    return true;
  for (const Iterated &loop : scheme_of(graph, model).loops)
    copies += uint64_t{loop.k} * loop.loop.blocks.size();
  return copies <= kMaxCopies;
}

// ---------------------------------------------------------------------------------------------------
// The graph.

namespace {

// The nodes of one loop.  A node by block and copy; the blocks' own nodes are those of iterations that leave
// (Register) or of the last one of a path (Paper).
struct Copies {
  using Copy = std::map<int, int>;
  int enter = 0;              // where control arrives from outside
  std::vector<int> decisions; // Register, by iteration - 1: leave in it, or go around
  std::vector<Copy> entered;  // iterations of paths from outside that go on; under Register, and of the last one
  std::vector<Copy> started;  // of paths from the head, but the last one
};

class GraphBuilder {
public:
  GraphBuilder(const FlowGraph &graph, const PathModel &model)
      : original_(graph), scheme_(scheme_of(graph, model)), graph_(scheme_.collapsed.graph),
        is_paper_(model.numbering == Numbering::Paper), loops_(scheme_.loops), loop_of_(graph_.num_blocks(), -1),
        reachable_(reachable_blocks(graph_)) {
    for (int block = 0; block < graph_.num_blocks(); block++)
      new_node(block);
    for (const Iterated &loop : loops_)
      add_nodes(loop);
  }
  GraphBuilder(const GraphBuilder &) = delete;
  GraphBuilder &operator=(const GraphBuilder &) = delete;

  PathGraph run() {
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

  const std::vector<Iterated> &loops() const { return loops_; }
  // In which of them a block is, or -1.
  int loop_of(int block) const { return loop_of_[block]; }
  const std::vector<Copies> &copies() const { return copies_; }
  // The graph that they are in.
  const FlowGraph &graph() const { return graph_; }
  const CollapsedGraph &collapsed() const { return scheme_.collapsed; }
  // In which collapsed loop this edge of the path graph is, or -1.
  int collapsed_of(const PathEdge &edge) const {
    int node = edge.kind == PathEdgeKind::Start ? edge.dst : edge.src;
    return node < original_.num_blocks() ? scheme_.collapsed.loop_of[node] : -1;
  }

private:
  using Copy = Copies::Copy;

  int new_node(int block) {
    block_of_.push_back(block < original_.num_blocks() ? block : PathGraph::kCollapsed);
    return static_cast<int>(block_of_.size()) - 1;
  }

  Copy copy_of(const Iterated &loop) {
    Copy copy;
    for (int block : loop.loop.blocks)
      copy[block] = new_node(block);
    return copy;
  }

  Copy own_nodes(const Iterated &loop) {
    Copy copy;
    for (int block : loop.loop.blocks)
      copy[block] = block;
    return copy;
  }

  void add_nodes(const Iterated &loop) {
    Copies copies;
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

  // Where a path is that has come to the block from elsewhere.
  int entrance(int block) const { return loop_of_[block] < 0 ? block : copies_[loop_of_[block]].enter; }

  void add_real(int src, int dst, int e, bool ends_context = false) {
    paths_->add_edge({PathEdgeKind::Real, src, dst, {e}, graph_.edge(e).frequency, ends_context});
  }

  void add_choice(int src, int dst) { paths_->add_edge({PathEdgeKind::Choice, src, dst, {}, 0, false}); }

  void add_end(int src, std::vector<int> via) {
    double frequency = frequency_of(graph_, via);
    paths_->add_edge({PathEdgeKind::End, src, kExitBlock, std::move(via), frequency, false});
  }

  // What a copy's back edges do.
  struct Next {
    int node = kExitBlock; // EXIT: the path ends
    bool ends_context = false;
  };

  // Edges inside a copy, in the stable order; ways that do not leave are left out if `leaving`.
  void add_inside(const Iterated &loop, const Copy &copy, bool leaving, const Next *next) {
    for (auto [block, node] : copy)
      for (int e : graph_.succs(block)) {
        const Edge &edge = graph_.edge(e);
        if (loop.is_back[e]) {
          if (next)
            add_around(node, e, *next);
        } else if (loop.stays(edge) && (!leaving || loop.can_leave[edge.dst])) {
          add_real(node, copy.at(edge.dst), e);
        } else if (!loop.stays(edge) && leaving && !edge.is_cut()) {
          add_real(node, entrance(edge.dst), e);
        }
      }
    if (leaving)
      for (auto [block, node] : copy)
        add_cut_exits(loop, block, node);
  }

  void add_around(int node, int e, const Next &next) {
    if (next.node == kExitBlock)
      add_end(node, {e});
    else
      add_real(node, next.node, e, next.ends_context);
  }

  void add_cut_exits(const Iterated &loop, int block, int node) {
    std::vector<int> via;
    for (int e : graph_.succs(block))
      if (graph_.edge(e).is_cut() && !loop.is_back[e])
        via.push_back(e);
    if (!via.empty())
      add_end(node, std::move(via));
  }

  void add_register_edges(size_t index) {
    const Iterated &loop = loops_[index];
    const Copies &copies = copies_[index];
    int head = loop.loop.head();
    add_inside(loop, own_nodes(loop), true, nullptr);
    for (size_t i = 0; i < loop.k; i++) {
      bool is_last = i + 1 == loop.k;
      paths_->keep_order(copies.decisions[i]);
      if (loop.can_leave[head])
        add_choice(copies.decisions[i], head);
      add_choice(copies.decisions[i], copies.entered[i].at(head));
      Next around{is_last ? kExitBlock : copies.decisions[i + 1]};
      add_inside(loop, copies.entered[i], false, &around);
    }
    add_started(index, copies.decisions.back());
  }

  // In the paper's order: around comes before the ways that leave.
  void add_paper_edges(size_t index) {
    const Iterated &loop = loops_[index];
    const Copies &copies = copies_[index];
    for (size_t i = 0; i < loop.k; i++) {
      bool is_last = i + 1 == loop.k;
      if (!is_last)
        for (auto [block, node] : copies.entered[i])
          for (int e : graph_.succs(block))
            if (loop.is_back[e])
              add_real(node, copies.entered[i + 1].at(loop.loop.head()), e);
      for (auto [block, node] : copies.entered[i])
        for (int e : graph_.succs(block)) {
          const Edge &edge = graph_.edge(e);
          if (!edge.is_cut())
            add_real(node, loop.stays(edge) ? copies.entered[i].at(edge.dst) : entrance(edge.dst), e);
        }
      for (auto [block, node] : copies.entered[i]) {
        if (is_last)
          for (int e : graph_.succs(block))
            if (loop.is_back[e])
              add_end(node, {e});
        add_cut_exits(loop, block, node);
      }
    }
    add_started(index, copies.entered.back().at(loop.loop.head()));
  }

  // The iterations of paths from the head that come before the last one, which begins at `last`.
  void add_started(size_t index, int last) {
    const Iterated &loop = loops_[index];
    const std::vector<Copy> &started = copies_[index].started;
    for (size_t i = 0; i < started.size(); i++) {
      bool is_last = i + 1 == started.size();
      Next around{is_last ? last : started[i + 1].at(loop.loop.head()), is_last};
      if (is_paper_)
        for (auto [block, node] : started[i])
          for (int e : graph_.succs(block))
            if (loop.is_back[e])
              add_around(node, e, around);
      add_inside(loop, started[i], false, is_paper_ ? nullptr : &around);
    }
  }

  // ENTRY→w and v→EXIT as in the graph of acyclic paths, but for the ends in loops.
  void add_surrogates() {
    for (int block = 0; block < graph_.num_blocks(); block++) {
      if (!reachable_[block] || block == kExitBlock)
        continue;
      const Iterated *loop = loop_of_[block] < 0 ? nullptr : &loops_[loop_of_[block]];
      std::vector<int> arrivals, rounds;
      for (int e : graph_.preds(block))
        if (graph_.edge(e).is_cut() && reachable_[graph_.edge(e).src])
          (loop && loop->is_back[e] ? rounds : arrivals).push_back(e);
      if (!arrivals.empty())
        add_start(entrance(block), std::move(arrivals));
      if (!rounds.empty())
        add_start(copies_[loop_of_[block]].started.front().at(block), std::move(rounds));
      if (!loop)
        add_ends(block);
    }
  }

  // Acyclic paths, on the blocks' own nodes: the collapsed graph has no use for these.
  void add_collapsed(const Loop &loop) {
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
      if (!starts.empty())
        add_start(block, std::move(starts));
      if (!ends.empty())
        add_end(block, std::move(ends));
    }
  }

  void add_start(int dst, std::vector<int> via) {
    double frequency = frequency_of(graph_, via);
    paths_->add_edge({PathEdgeKind::Start, kEntryBlock, dst, std::move(via), frequency, false});
  }

  void add_ends(int block) {
    std::vector<int> via;
    for (int e : graph_.succs(block))
      if (graph_.edge(e).is_cut())
        via.push_back(e);
    if (!via.empty())
      add_end(block, std::move(via));
    if (!graph_.succs(block).empty())
      return;
    paths_->add_edge({PathEdgeKind::End, block, kExitBlock, {}, frequency_of(graph_, graph_.preds(block)), false});
  }

  const FlowGraph &original_;
  Scheme scheme_;
  const FlowGraph &graph_; // with collapsed loops
  bool is_paper_;
  const std::vector<Iterated> &loops_;
  std::vector<int> loop_of_; // by block: index, or -1
  std::vector<char> reachable_;
  std::vector<int> block_of_;
  std::vector<Copies> copies_;
  PathGraph *paths_ = nullptr;
};

} // namespace

PathGraph kiter_path_graph(const FlowGraph &graph, const PathModel &model) {
  return GraphBuilder(graph, model).run();
}

// ---------------------------------------------------------------------------------------------------
// Choosing k.

static bool has_at_most(const FlowGraph &graph, const PathModel &model, uint64_t limit) {
  if (!has_room(graph, model))
    return false;
  PathGraph paths = kiter_path_graph(graph, model);
  PathNumbering numbering(paths);
  return numbering.fits() && numbering.num_paths() <= limit;
}

using Wanted = std::function<uint32_t(const Loop &)>;

static void sort_hot_first(const FlowGraph &graph, std::vector<Loop> &loops) {
  std::stable_sort(loops.begin(), loops.end(), [&](const Loop &a, const Loop &b) {
    return frequency_of(graph, a.back_edges) > frequency_of(graph, b.back_edges);
  });
}

// A loop of which some iterations are wanted.
struct Candidate {
  Loop loop;
  uint32_t most;
};

// First those around others.
static std::vector<Candidate> candidates(const FlowGraph &graph, const Wanted &wanted, const Wanted &wanted_around) {
  std::vector<Candidate> candidates;
  auto add = [&](std::vector<Loop> loops, const Wanted &wanted_of, bool are_around) {
    sort_hot_first(graph, loops);
    for (Loop &loop : loops) {
      uint32_t most = wanted_of(loop);
      if (most > 1 && (!are_around || is_collapsible(graph, loop)))
        candidates.push_back({std::move(loop), most});
    }
  };
  if (wanted_around)
    add(natural_loops(graph), wanted_around, true);
  add(iterable_loops(graph), wanted, false);
  return candidates;
}

// Without loops that are inside of others of them, and collapsed.
static std::vector<LoopIterations> without_collapsed(const FlowGraph &graph, PathModel model) {
  std::vector<CollapsedLoop> collapsed = collapsed_loops(graph, model);
  auto is_in_one = [&](const LoopIterations &loop) {
    return std::any_of(collapsed.begin(), collapsed.end(), [&](const CollapsedLoop &other) {
      const std::vector<int> &blocks = other.loop.blocks;
      return std::find(blocks.begin(), blocks.end(), loop.head) != blocks.end();
    });
  };
  model.loops.erase(std::remove_if(model.loops.begin(), model.loops.end(), is_in_one), model.loops.end());
  std::sort(model.loops.begin(), model.loops.end(),
            [](const LoopIterations &a, const LoopIterations &b) { return a.head < b.head; });
  return model.loops;
}

std::vector<LoopIterations> wanted_iterations(const FlowGraph &graph, const Wanted &wanted,
                                              const Wanted &wanted_around) {
  PathModel model{Mode::KIter, Numbering::Register, 1, {}};
  for (const Candidate &candidate : candidates(graph, wanted, wanted_around))
    model.loops.push_back({candidate.loop.head(), candidate.most});
  return without_collapsed(graph, model);
}

std::vector<LoopIterations> choose_iterations(const FlowGraph &graph, Numbering numbering, uint64_t limit,
                                              const Wanted &wanted, const Wanted &wanted_around) {
  PathModel all{Mode::KIter, numbering, 1, wanted_iterations(graph, wanted, wanted_around)};
  if (has_at_most(graph, all, limit))
    return all.loops;
  PathModel model{Mode::KIter, numbering, 1, {}};
  for (const Candidate &candidate : candidates(graph, wanted, wanted_around)) {
    // More iterations are never fewer paths, from 2 on if loops are collapsed.
    uint32_t fits = 1, most = candidate.most;
    while (fits < most) {
      uint32_t k = fits + (most - fits + 1) / 2;
      model.loops.push_back({candidate.loop.head(), k});
      if (has_at_most(graph, model, limit))
        fits = k;
      else
        most = k - 1;
      model.loops.pop_back();
    }
    if (fits > 1)
      model.loops.push_back({candidate.loop.head(), fits});
  }
  return without_collapsed(graph, model);
}

// ---------------------------------------------------------------------------------------------------
// Plans.

namespace {

using Vals = std::vector<int64_t>;

// Places what happens outside of loops, and in them what happens to the path register; adds what they do with
// their windows.
class Planner {
public:
  Planner(const FlowGraph &graph, const PathModel &model, const PlacementOptions &options)
      : original_(graph), builder_(graph, model), graph_(builder_.graph()), paths_(builder_.run()), numbering_(paths_),
        options_(options), outer_(graph_, identity(graph_)), loop_entered_at_(paths_.num_nodes(), -1) {
    options_.barriers.assign(graph_.num_blocks(), 0);
    for (size_t index = 0; index < builder_.loops().size(); index++) {
      loop_entered_at_[builder_.copies()[index].enter] = static_cast<int>(index);
      for (int block : builder_.loops()[index].loop.blocks)
        options_.barriers[block] = 1;
    }
  }

protected:
  static std::vector<int> identity(const FlowGraph &graph) {
    std::vector<int> blocks;
    for (int block = 0; block < graph.num_blocks(); block++)
      blocks.push_back(block);
    return blocks;
  }

  // The graph that the register is placed on has each block once.  Its edges into loops are those from outside,
  // and one for the paths from the head.
  void add_outer(const PathEdge &edge, int dst, int64_t val) {
    PathEdge copy = edge;
    copy.dst = dst;
    outer_.add_edge(std::move(copy));
    outer_vals_.push_back(val);
  }

  void add_outer_starts() {
    for (const Iterated &loop : builder_.loops()) {
      double frequency = frequency_of(graph_, loop.loop.back_edges);
      outer_.add_edge({PathEdgeKind::Start, kEntryBlock, loop.loop.head(), {}, frequency, false});
      outer_vals_.push_back(0);
    }
    outer_.sort_nodes();
  }

  // In which loop control arrives at this node from outside, or -1.
  int entered_at(int node) const { return loop_entered_at_[node]; }

  int block_at(int node) const {
    int loop = entered_at(node);
    return loop < 0 ? node : builder_.loops()[loop].loop.head();
  }

  bool is_block(int node) const { return node < graph_.num_blocks(); }

  bool is_collapsed(const PathEdge &edge) const { return builder_.collapsed_of(edge) >= 0; }

  // The start of paths at a loop's head.
  int start_edge(size_t loop) const {
    int first = builder_.copies()[loop].started.front().at(builder_.loops()[loop].loop.head());
    for (int e : paths_.preds(first))
      if (paths_.edge(e).kind == PathEdgeKind::Start)
        return e;
    return -1;
  }

  void enter(size_t index, Plan &plan) const {
    const Iterated &loop = builder_.loops()[index];
    for (int e : graph_.preds(loop.loop.head()))
      if (!loop.is_back[e])
        plan.on_edge[e].push_back({OpKind::Enter, static_cast<int64_t>(index)});
  }

  // Adds what collapsed loops do.  The register is theirs from where control enters them to where it leaves.
  void add_collapsed(Plan &plan) const {
    const CollapsedGraph &collapsed = builder_.collapsed();
    if (collapsed.loops.empty())
      return;
    std::vector<Plan> inside;
    for (size_t index = 0; index < collapsed.loops.size(); index++)
      inside.push_back(place_collapsed(static_cast<int>(index)));
    for (int e = 0; e < original_.num_edges(); e++) {
      const Edge &edge = original_.edge(e);
      int left = collapsed.left_by(edge), entered = collapsed.entered_by(edge), within = collapsed.loop_of[edge.src];
      Ops ops;
      if (within >= 0)
        append(ops, inside[within].on_edge[e]);
      if (left >= 0)
        ops.push_back({OpKind::Restore, collapsed.loops[left].loop.head()});
      append(ops, plan.on_edge[e]);
      if (entered >= 0) {
        ops.push_back({OpKind::Save, collapsed.loops[entered].loop.head()});
        append(ops, inside[entered].on_edge[e]);
      }
      plan.on_edge[e] = std::move(ops);
    }
    for (std::vector<Ops> *of_block : {&plan.at_start, &plan.before_end})
      of_block->resize(original_.num_blocks());
    plan.choices.resize(original_.num_blocks());
  }

  const FlowGraph &original_;
  GraphBuilder builder_;
  const FlowGraph &graph_; // with collapsed loops
  PathGraph paths_;
  PathNumbering numbering_;
  PlacementOptions options_;
  PathGraph outer_;
  Vals outer_vals_;
  std::vector<int> loop_entered_at_; // by node

private:
  static void append(Ops &to, const Ops &from) { to.insert(to.end(), from.begin(), from.end()); }

  Plan place_collapsed(int index) const {
    PathGraph ways(original_, identity(original_));
    Vals vals;
    for (int e = 0; e < paths_.num_edges(); e++)
      if (builder_.collapsed_of(paths_.edge(e)) == index) {
        ways.add_edge(paths_.edge(e));
        vals.push_back(numbering_.val(e));
      }
    ways.sort_nodes();
    PlacementOptions options;
    options.hoist_counts = options_.hoist_counts;
    std::vector<char> in_tree = maximum_spanning_tree(ways);
    return place(ways, in_tree, chord_increments(ways, in_tree, vals).of_edge, options);
  }
};

class RegisterPlanner : public Planner {
public:
  using Planner::Planner;

  KIterPlan run(const Settling &known) {
    Settling settling; // not around collapsed loops, nor in them
    if (builder_.collapsed().loops.empty())
      settling = known;
    for (int e = 0; e < paths_.num_edges(); e++) {
      const PathEdge &edge = paths_.edge(e);
      bool is_outer = is_block(edge.src) && (is_block(edge.dst) || entered_at(edge.dst) >= 0);
      if (is_outer && edge.kind != PathEdgeKind::Choice && !is_collapsed(edge))
        add_outer(edge, block_at(edge.dst), numbering_.val(e));
    }
    add_outer_starts();
    KIterPlan best = place_outer();
    std::vector<Loop> settled;
    for (size_t loop = 0; loop < builder_.loops().size(); loop++)
      if (add_window(loop, settling, best))
        settled.push_back(builder_.loops()[loop].loop);
    settle_others(settling, settled, best.plan);
    add_collapsed(best.plan);
    return best;
  }

private:
  KIterPlan place_outer() const {
    std::vector<KIterPlan> best;
    double lowest = 0;
    for (const TreePolicy &policy : tree_policies(options_.try_policies)) {
      std::vector<char> in_tree = maximum_spanning_tree(outer_, policy, {}, options_.copied);
      Increments increments = chord_increments(outer_, in_tree, outer_vals_);
      Plan plan = place(outer_, in_tree, increments.of_edge, options_);
      double cost = cost_of(plan, graph_);
      if (!best.empty() && cost >= lowest)
        continue;
      lowest = cost;
      best = {{std::move(plan), std::move(increments)}};
    }
    return std::move(best.front());
  }

  // Of loops without windows.
  void settle_others(const Settling &settling, const std::vector<Loop> &settled, Plan &plan) const {
    std::vector<Loop> others;
    for (Loop &loop : natural_loops(graph_))
      if (settling.count(loop.head()) &&
          std::none_of(builder_.loops().begin(), builder_.loops().end(),
                       [&](const Iterated &one) { return one.loop.head() == loop.head(); }))
        others.push_back(std::move(loop));
    pathprof::settle(others, settling, graph_, plan, settled);
  }

  // Whether nothing is left in the loop.
  bool add_window(size_t index, const Settling &settling, KIterPlan &result) const {
    const Iterated &loop = builder_.loops()[index];
    const Copies &copies = builder_.copies()[index];
    int head = loop.loop.head();
    int64_t behind = result.increments.behind_at[head];
    auto ways_from = [&](int node) { return static_cast<int64_t>(numbering_.num_paths_from(node)); };
    Window window;
    window.k = loop.k;
    window.exits = loop.can_leave[head] ? ways_from(head) : 0;
    window.num_bodies = ways_from(copies.entered.back().at(head));
    window.ways_from_head = window.exits + window.num_bodies;
    window.start = numbering_.val(start_edge(index)) - behind;
    window.counted = behind + window.exits;
    for (size_t i = 1; i < loop.k; i++)
      window.ways.push_back(ways_from(copies.decisions[i]));
    for (int block : loop.loop.blocks)
      for (int e : graph_.succs(block))
        window.keeps_head |= loop.stays(graph_.edge(e)) && !result.plan.on_edge[e].empty();
    if (window.keeps_head)
      result.plan.at_start[head].push_back({OpKind::KeepHead, static_cast<int64_t>(index)});
    window.settles =
        window.num_bodies == 1 && !window.keeps_head && !options_.settled.empty() && options_.settled[head];
    bool settles = window.settles;
    auto known = settling.find(head);
    result.plan.windows.push_back(std::move(window));
    if (settles && known != settling.end() && known->second >= loop.k) {
      settle_known(index, known->second, result.plan);
      return true;
    }
    enter(index, result.plan);
    settles ? settle(index, result.plan) : count_bodies(index, result.plan);
    return false;
  }

  // After so many rounds, at least k.
  void settle_known(size_t index, uint64_t rounds, Plan &plan) const {
    const Iterated &loop = builder_.loops()[index];
    const Window &window = plan.windows[index];
    Ops ops = settling_ops((window.k - 1) * window.exits + window.counted,
                           {window.start + window.counted, rounds - window.k}, window.start, plan);
    for (int block : loop.loop.blocks)
      for (int e : graph_.succs(block))
        if (!loop.stays(graph_.edge(e)))
          plan.on_edge[e].insert(plan.on_edge[e].begin(), ops.begin(), ops.end());
  }

  void settle(size_t index, Plan &plan) const {
    const Iterated &loop = builder_.loops()[index];
    auto number = static_cast<int64_t>(index);
    for (int block : loop.loop.blocks)
      for (int e : graph_.succs(block)) {
        Ops &ops = plan.on_edge[e];
        if (loop.is_back[e])
          ops.push_back({OpKind::Around, number});
        else if (!loop.stays(graph_.edge(e)))
          ops.insert(ops.begin(), {OpKind::Settle, number});
      }
  }

  // The ways around have numbers of their own, placed like those of paths from ENTRY to EXIT.
  void count_bodies(size_t index, Plan &plan) const {
    const Iterated &loop = builder_.loops()[index];
    FlowGraph body(graph_.num_blocks());
    std::vector<int> edge_of{-1};
    body.add_edge(kEntryBlock, loop.loop.head(), 0, std::numeric_limits<double>::max());
    for (int block : loop.loop.blocks)
      for (int e : graph_.succs(block)) {
        const Edge &edge = graph_.edge(e);
        if (!loop.stays(edge))
          continue;
        body.add_edge(block, loop.is_back[e] ? kExitBlock : edge.dst, 0, edge.frequency);
        edge_of.push_back(e);
      }
    PathGraph ways(body);
    PathNumbering numbers(ways);
    std::vector<char> in_tree = maximum_spanning_tree(ways);
    PlacementOptions options;
    options.hoist_counts = false;
    Plan placed = place(ways, in_tree, chord_increments(ways, in_tree, numbers.vals()).of_edge, options);
    for (int e = 1; e < body.num_edges(); e++) {
      Ops &ops = plan.on_edge[edge_of[e]];
      for (const Op &op : placed.on_edge[e])
        append_body(ops, op, numbers.num_paths() > 1, static_cast<int64_t>(index));
    }
  }

  // The number of a single body is known.
  static void append_body(Ops &ops, const Op &op, bool is_numbered, int64_t index) {
    bool ends = op.kind == OpKind::CountAt || op.kind == OpKind::CountConst;
    bool sets = op.kind == OpKind::Set || op.kind == OpKind::CountConst;
    if (!is_numbered && !ends)
      return;
    if (sets && is_numbered)
      ops.push_back({OpKind::SetBody, op.value});
    else if (op.value != 0 && is_numbered)
      ops.push_back({OpKind::AddBody, op.value});
    if (ends)
      ops.push_back({OpKind::Around, index});
  }
};

// Algorithm 3, without chords: it is what others are compared with.  The printed one lets one flag say whether the
// windows' weights are compensated; from k = 3 on that takes a condition a window: those that started at the head
// are, the one that came from outside is not.
class PaperPlanner : public Planner {
public:
  using Planner::Planner;

  KIterPlan run() {
    for (int e = 0; e < paths_.num_edges(); e++) {
      const PathEdge &edge = paths_.edge(e);
      bool enters = entered_at(edge.dst) >= 0;
      if (is_block(edge.src) && (is_block(edge.dst) || enters) && !is_round(edge) && !is_collapsed(edge))
        add_outer(edge, block_at(edge.dst), builder_.loop_of(edge.src) < 0 ? numbering_.val(e) : 0);
    }
    add_outer_starts();
    std::vector<char> in_tree(outer_.num_edges(), 0);
    KIterPlan result{place(outer_, in_tree, outer_vals_, options_), {outer_vals_, {}}};
    result.increments.behind_at.assign(graph_.num_blocks(), 0);
    for (size_t loop = 0; loop < builder_.loops().size(); loop++)
      add_window(loop, result.plan);
    add_collapsed(result.plan);
    return result;
  }

private:
  // An end at a loop's back edge counts a window.
  bool is_round(const PathEdge &edge) const {
    int loop = edge.kind == PathEdgeKind::End ? builder_.loop_of(edge.src) : -1;
    return loop >= 0 && builder_.loops()[loop].is_back[edge.via.front()];
  }

  void add_window(size_t index, Plan &plan) const {
    const Iterated &loop = builder_.loops()[index];
    Window window;
    window.k = loop.k;
    window.has_numbers = true;
    window.start = numbering_.val(start_edge(index));
    plan.windows.push_back(std::move(window));
    enter(index, plan);
    for (int block : loop.loop.blocks)
      for (int e : graph_.succs(block)) {
        plan.weights.push_back(weights_of(index, e));
        auto number = static_cast<int64_t>(plan.weights.size()) - 1;
        Ops &ops = plan.on_edge[e];
        if (!loop.stays(graph_.edge(e)))
          ops.insert(ops.begin(), {OpKind::Leave, number});
        else
          ops = {{OpKind::Accumulate, number}};
        if (loop.is_back[e])
          ops.push_back({OpKind::Around, static_cast<int64_t>(index)});
      }
  }

  // An edge out of a window that has not made k iterations yet is on no path from the head.
  WindowWeights weights_of(size_t index, int e) const {
    const Copies &copies = builder_.copies()[index];
    int block = graph_.edge(e).src;
    WindowWeights weights;
    for (const Copies::Copy &copy : copies.entered)
      weights.entered.push_back(val_at(copy.at(block), e));
    for (const Copies::Copy &copy : copies.started)
      weights.started.push_back(val_at(copy.at(block), e));
    weights.started.push_back(weights.entered.back());
    return weights;
  }

  int64_t val_at(int node, int e) const {
    for (int edge : paths_.succs(node)) {
      const std::vector<int> &via = paths_.edge(edge).via;
      if (std::find(via.begin(), via.end(), e) != via.end())
        return numbering_.val(edge);
    }
    return 0;
  }
};

} // namespace

KIterPlan plan_iterations(const FlowGraph &graph, const PathModel &model, const PlacementOptions &options,
                          const Settling &settling) {
  if (model.numbering == Numbering::Paper)
    return PaperPlanner(graph, model, options).run();
  return RegisterPlanner(graph, model, options).run(settling);
}

} // namespace pathprof
