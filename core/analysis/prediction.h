// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how well path counts predict branches.
//
// An ideal static predictor always predicts the most frequent outcome.  With edge counts, the predictor makes one
// prediction per branch.  With path counts, the predictor makes one prediction per path prefix that leads to the
// branch.  With sequences of paths, the predictor also distinguishes the preceding path.  The number of wrong
// predictions shows how much the more detailed counts are worth.
#ifndef PATHPROF_CORE_ANALYSIS_PREDICTION_H
#define PATHPROF_CORE_ANALYSIS_PREDICTION_H

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/numbering/path_graph.h"

namespace pathprof {

// Number of executions of one or more branches, and number of mispredictions by each predictor.
struct Mispredictions {
  uint64_t executions = 0;
  uint64_t by_edges = 0;
  uint64_t by_paths = 0;
  uint64_t by_pairs = 0; // equals by_paths if no pairs were added

  void add(const Mispredictions &other);
};

class BranchPredictor {
public:
  // A block is a branch if it has several out-edges, not counting exception edges and abnormal edges.  All cut edges
  // out of a block are treated as one outcome.
  explicit BranchPredictor(const FlowGraph &graph);

  // Adds `count` executions of a path.  The path's context affects predictions, but the branches in it are not counted.
  void add(const Path &path, uint64_t count);
  // Adds `count` executions of a path that immediately followed the path with ID `before`.  If `before` is empty, each
  // execution began an activation.
  void add_behind(const Path &path, std::optional<uint64_t> before, uint64_t count);

  // Returns the number of branches on the path, excluding its context.
  uint64_t num_executions(const Path &path) const;

  bool is_branch(int block) const { return is_branch_[static_cast<size_t>(block)]; }

  // Maps each outcome of a branch to its execution count.  An outcome is an edge index, or num_edges() plus the block
  // number for the cut edges of the block.
  using Outcomes = std::map<int, uint64_t>; // execution count by outcome
  // The most frequent outcome (in case of a tie, the lowest), its count, and the sum of the counts of all outcomes.
  struct MostFrequent {
    int outcome;
    uint64_t count, all;
  };
  // Returns the most frequent outcome; `outcomes` must not be empty.
  static MostFrequent most_frequent(const Outcomes &outcomes);

  // Maps the block of each executed branch to the outcomes of the branch.
  const std::map<int, Outcomes> &outcomes() const { return by_edges_; }
  // Returns the number of mispredictions of each executed branch.  The key is the block of the branch.
  std::map<int, Mispredictions> branches() const;

  // The earlier branch on the same path whose outcome best predicts a branch.
  struct Decision {
    int block = 0;
    uint64_t missed = 0; // mispredictions given the earlier branch's last outcome, or its absence from the path
  };
  // Returns the earlier branch that best predicts `branch`, or nothing if no path contains an earlier branch.  Scans
  // all paths that were added.
  std::optional<Decision> decided_by(int branch) const;
  // Returns the outcomes of `branch`, grouped by the last preceding outcome of `earlier` on the same path.  The key is
  // kNotPassed if the path does not contain `earlier` before `branch`.
  std::map<int, Outcomes> outcomes_after(int earlier, int branch) const;
  static constexpr int kNotPassed = -1;

private:
  // Assigns numbers to contexts in the order of their first use.  A context is a sequence of outcomes.  It is
  // represented by its last outcome and the number of the context that consists of the preceding outcomes.
  class Contexts {
  public:
    uint32_t next(uint32_t context, uint64_t outcome);
    std::map<std::pair<uint32_t, int>, Outcomes> outcomes; // outcomes by context and branch

  private:
    std::map<std::pair<uint32_t, uint64_t>, uint32_t> numbers_;
  };

  int block_of(int outcome) const;
  int outcome_over(int edge) const;
  template <typename Visit>
  void for_decisions(const Path &path, Visit visit) const;
  void add_to(Contexts &contexts, uint32_t start, const Path &path, uint64_t count);
  // Returns the outcomes of `branch`, grouped by each earlier branch and its last outcome.
  std::map<int, std::map<int, Outcomes>> together_with(int branch) const;
  void add_missed(const Contexts &contexts, uint64_t Mispredictions::*by, std::map<int, Mispredictions> &sums) const;

  const FlowGraph &graph_;
  std::vector<char> is_branch_;
  std::vector<std::pair<std::vector<int>, uint64_t>> decisions_; // outcomes and execution count of each path
  std::vector<size_t> num_context_; // number of leading outcomes of each path that are context
  std::map<int, Outcomes> by_edges_;
  Contexts by_paths_, by_pairs_;
  bool has_pairs_ = false;
};

} // namespace pathprof

#endif
