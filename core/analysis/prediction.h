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

// Execution count of branches, and the number of mispredictions of each predictor.
struct Mispredictions {
  uint64_t executions = 0;
  uint64_t by_edges = 0;
  uint64_t by_paths = 0;
  uint64_t by_pairs = 0; // equals by_paths if no pairs were added

  void add(const Mispredictions &other);
};

class BranchPredictor {
public:
  // Branches are blocks with several out-edges that are neither exception edges nor abnormal.  All cut edges out of a
  // block are one outcome.
  explicit BranchPredictor(const FlowGraph &graph);

  // Adds a path with its execution count.  The context of the path affects predictions, but its branches are not
  // counted.
  void add(const Path &path, uint64_t count);
  // As above, for the executions after the path with ID `before`, or at the start of an activation if there is none.
  void add_behind(const Path &path, std::optional<uint64_t> before, uint64_t count);

  // Returns the number of branches on the path, excluding its context.
  uint64_t num_executions(const Path &path) const;

  bool is_branch(int block) const { return is_branch_[static_cast<size_t>(block)]; }

  // An outcome of a branch is an edge, or num_edges() plus the block if a path ends or may end there.
  using Outcomes = std::map<int, uint64_t>; // execution count by outcome
  // The most frequent outcome (the lowest one in case of a tie), its count, and the sum of all counts.
  struct MostFrequent {
    int outcome;
    uint64_t count, all;
  };
  // Returns the most frequent outcome; `outcomes` must not be empty.
  static MostFrequent most_frequent(const Outcomes &outcomes);

  // Returns the outcomes by block; contains only executed branches.
  const std::map<int, Outcomes> &outcomes() const { return by_edges_; }
  // Returns the mispredictions by block; contains only executed branches.
  std::map<int, Mispredictions> branches() const;

  // The earlier branch on the same path whose outcome best predicts a branch.
  struct Decision {
    int block = 0;
    uint64_t missed = 0; // mispredictions given the earlier branch's last outcome, or its absence from the path
  };
  // Returns the best earlier branch, or nothing if no path contains an earlier branch.  Scans all added paths again.
  std::optional<Decision> decided_by(int branch) const;
  // Returns the outcomes of `branch` by the last outcome of `earlier` on the path, or by kNotPassed.
  std::map<int, Outcomes> outcomes_after(int earlier, int branch) const;
  static constexpr int kNotPassed = -1;

private:
  // Contexts are numbered in order of first use; a context consists of another context and an outcome.
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
  // Returns the outcomes of `branch` by earlier branch and its last outcome.
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
