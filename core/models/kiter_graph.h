// SPDX-License-Identifier: GPL-3.0-or-later
// The path graph of paths across iterations (Roy and Srikant, CGO 2009).
//
// A path that enters a loop goes on over up to k iterations.  At the back edge of the k-th it is counted, and so
// is, at every later one, the path of the last k iterations: the windows slide.  The path that
// leaves the loop is the longest one, with whatever follows.  Of a path that starts at the head, all
// but the last iteration is context: the window before it was counted for that.
//
// The graph of these paths has a loop several times, once for each iteration that a path can be in.  Under
// Numbering::Paper these copies are those of the paper's unrolled graph, its section 3.1, except that paths
// from the head have copies of their own, without the exits that they cannot take: the paper's val is the
// val in the copies for paths from outside, val − cval that in the copies for paths from the head.
//
// Numbering::Register makes the number of a path a function of little: where it came from, the bodies
// that it went around (each has a number below n, for the n paths from the head to a back edge), and how it
// leaves.  Of the paths on from the head in iteration i, the X that leave in it come first, and are numbered
// alike in every iteration; behind them are, for each body, the paths on from iteration i + 1.  One path
// register, the number of the body so far, and the last k − 1 bodies as digits of one number are enough to
// count every path, however large k is.
#ifndef PATHPROF_CORE_MODELS_KITER_GRAPH_H
#define PATHPROF_CORE_MODELS_KITER_GRAPH_H

#include <cstddef>
#include <map>
#include <vector>

#include "core/models/kiter_loops.h"
#include "core/numbering/path_graph.h"

namespace pathprof {

// The nodes of one loop.  A node by block and copy; the blocks' own nodes are those of iterations that leave
// (Register) or of the last one of a path (Paper).
struct LoopCopies {
  using Copy = std::map<int, int>;
  int enter = 0;              // where control arrives from outside
  std::vector<int> decisions; // Register, by iteration - 1: leave in it, or go around
  std::vector<Copy> entered;  // iterations of paths from outside that go on; under Register, and of the last one
  std::vector<Copy> started;  // of paths from the head, but the last one
};

// Builds the path graph, and knows what is where in it.
class KIterGraph {
public:
  KIterGraph(const FlowGraph &graph, const PathModel &model);
  KIterGraph(const KIterGraph &) = delete;
  KIterGraph &operator=(const KIterGraph &) = delete;

  PathGraph build();

  const std::vector<IteratedLoop> &loops() const { return loops_; }
  // In which of them a block is, or -1.
  int loop_of(int block) const { return loop_of_[block]; }
  const std::vector<LoopCopies> &copies() const { return copies_; }
  // The graph that they are in.
  const FlowGraph &graph() const { return graph_; }
  const ContractedGraph &contracted() const { return scheme_.contracted; }
  // In which contracted loop this edge of the path graph is, or -1.
  int contracted_of(const PathEdge &edge) const;

private:
  using Copy = LoopCopies::Copy;

  // What a copy's back edges do.
  struct Next {
    int node = kExitBlock; // EXIT: the path ends
    bool ends_context = false;
  };

  int new_node(int block);
  Copy copy_of(const IteratedLoop &loop);
  void add_nodes(const IteratedLoop &loop);
  int entrance(int block) const;

  void add_real(int src, int dst, int e, bool ends_context = false);
  void add_choice(int src, int dst);
  void add_inside(const IteratedLoop &loop, const Copy &copy, bool leaving, const Next *next);
  void add_around(int node, int e, const Next &next);
  void add_cut_exits(const IteratedLoop &loop, int block, int node);
  void add_register_edges(size_t index);
  void add_paper_edges(size_t index);
  void add_paper_iteration(const IteratedLoop &loop, const LoopCopies &copies, size_t i);
  void add_started(size_t index, int last);
  void add_surrogates();
  void add_contracted(const Loop &loop);

  const FlowGraph &original_;
  IterationScheme scheme_;
  const FlowGraph &graph_; // with contracted loops
  bool is_paper_;
  const std::vector<IteratedLoop> &loops_;
  std::vector<int> loop_of_; // by block: index, or -1
  std::vector<char> reachable_;
  std::vector<int> block_of_;
  std::vector<LoopCopies> copies_;
  PathGraph *paths_ = nullptr;
};

// The graph of a model with Mode::KIter.
PathGraph kiter_path_graph(const FlowGraph &graph, const PathModel &model);

// Whether the model's graph has at most so many copies of blocks for the iterations: from a few bytes of notes loops of
// many blocks and iterations could ask for any amount of memory.
inline constexpr uint64_t kMaxCopies = uint64_t{1} << 18;
bool kiter_graph_has_room(const FlowGraph &graph, const PathModel &model);

} // namespace pathprof

#endif
