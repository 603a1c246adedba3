// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the path graph of k-iteration paths (Roy and Srikant, CGO 2009).
//
// A path that enters a loop continues for up to k iterations and is counted at the back edge of the k-th iteration.
// Each later back edge counts the path of the last k iterations: the windows slide.  The path that leaves the loop is
// the longest open window, together with its continuation after the loop.  In a path that starts at the loop header,
// all iterations but the last are context, because earlier windows have counted them.
//
// The path graph contains a loop several times: once for each iteration that a path can be in.  With Numbering::Paper,
// these copies form the paper's unrolled graph (section 3.1), except that paths from the loop header have their own
// copies without the exits that they cannot take.  The val in the copies for paths from outside is the paper's val; the
// val in the copies for paths from the loop header is the paper's val − cval.
//
// With Numbering::Register, the path ID depends only on the start of the path, on the numbers of its loop bodies (each
// below n if n paths lead from the header to a back edge), and on how the path leaves the loop.  Among the
// continuations from the header in iteration i, the X continuations that leave the loop in this iteration come first,
// with the same numbers in every iteration.  They are followed, for each body, by the continuations from iteration i
// + 1.  The path register, the number of the current body and the last k − 1 bodies as digits of one number are
// therefore sufficient to count every path, however large k is.
#ifndef PATHPROF_CORE_MODELS_KITER_GRAPH_H
#define PATHPROF_CORE_MODELS_KITER_GRAPH_H

#include <cstddef>
#include <map>
#include <vector>

#include "core/models/kiter_loops.h"
#include "core/numbering/path_graph.h"

namespace pathprof {

// Path-graph nodes of one loop.  Each Copy maps the blocks of the loop to nodes.  The nodes with the same numbers as
// the blocks represent iterations that leave the loop (Numbering::Register) or the last iteration of a path
// (Numbering::Paper).
struct LoopCopies {
  using Copy = std::map<int, int>;
  int enter = 0;              // node at which control enters the loop
  std::vector<int> decisions; // with Register, the node of each iteration at which a path leaves the loop or starts
                              // another iteration
  std::vector<Copy> entered;  // copies for the iterations of paths from outside; with Register, for all iterations that
                              // are followed by another iteration
  std::vector<Copy> started;  // copies for all iterations but the last of paths from the loop header
};

// Builds the graph of k-iteration paths, and maps blocks and loops to its nodes.
class KIterGraph {
public:
  KIterGraph(const FlowGraph &graph, const PathModel &model);
  KIterGraph(const KIterGraph &) = delete;
  KIterGraph &operator=(const KIterGraph &) = delete;

  PathGraph build();

  const std::vector<IteratedLoop> &loops() const { return loops_; }
  // Returns the index of the loop that contains the block, or -1.
  int loop_of(int block) const { return loop_of_[block]; }
  const std::vector<LoopCopies> &copies() const { return copies_; }
  // Returns the flow graph after the inner loops of iterated loops have been collapsed.
  const FlowGraph &graph() const { return graph_; }
  const CollapsedGraph &collapsed() const { return scheme_.collapsed; }
  // Returns the index of the collapsed loop that contains this path-graph edge, or -1.
  int collapsed_of(const PathEdge &edge) const;

private:
  using Copy = LoopCopies::Copy;

  // Destination of the back edges of a copy.
  struct Next {
    int node = kExitBlock; // EXIT if the path ends at the back edge
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
  void add_collapsed(const Loop &loop);

  const FlowGraph &original_;
  IterationScheme scheme_;
  const FlowGraph &graph_; // graph in which inner loops are collapsed
  bool is_paper_;
  const std::vector<IteratedLoop> &loops_;
  std::vector<int> loop_of_; // index of the loop that contains each block, or -1
  std::vector<char> reachable_;
  std::vector<int> block_of_;
  std::vector<LoopCopies> copies_;
  PathGraph *paths_ = nullptr;
};

// Returns the path graph of a model with Mode::KIter.
PathGraph kiter_path_graph(const FlowGraph &graph, const PathModel &model);

// Returns true if the model's path graph contains at most kMaxCopies copies of blocks.  Without this check, a few bytes
// of malicious notes could cause arbitrarily large memory allocations.
inline constexpr uint64_t kMaxCopies = uint64_t{1} << 18;
bool kiter_graph_has_room(const FlowGraph &graph, const PathModel &model);

} // namespace pathprof

#endif
