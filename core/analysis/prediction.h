// SPDX-License-Identifier: GPL-3.0-or-later
// What paths know of branches.
//
// An ideal static predictor always says the outcome that a branch has most often.  With edge counts it has one guess a
// branch; with path counts one for each path on which control can have come to it since the path began; and with
// sequences of paths one for each path before, too.  How many executions each gets wrong says what the more
// detailed counts are worth.
#ifndef PATHPROF_CORE_ANALYSIS_PREDICTION_H
#define PATHPROF_CORE_ANALYSIS_PREDICTION_H

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/numbering/path_graph.h"

namespace pathprof {

// Executions of branches, and how many of them each predictor gets wrong.
struct Mispredictions {
  uint64_t executions = 0;
  uint64_t by_edges = 0;
  uint64_t by_paths = 0;
  uint64_t by_pairs = 0; // as by_paths where no pairs were added

  void add(const Mispredictions &other);
};

class BranchPredictor {
public:
  // Branches are blocks with several edges that are neither exceptions' nor abnormal.  Cut edges out of a block count
  // as one outcome.
  explicit BranchPredictor(const FlowGraph &graph);

  // A path that was executed so often.  What is context in it tells of branches, but does not count.
  void add(const Path &path, uint64_t count);
  // The same, of all executions behind another path (its number), or at an activation's start.
  void add_behind(const Path &path, std::optional<uint64_t> before, uint64_t count);

  // Returns the number of branches that one execution of the path adds to the executions of branches.
  uint64_t num_executions(const Path &path) const;

  bool is_branch(int block) const { return is_branch_[static_cast<size_t>(block)]; }

  // An outcome of a branch is an edge; or the number of edges plus the block, where a path ends or may end.
  using Outcomes = std::map<int, uint64_t>; // execution count by outcome
  // The most frequent outcome, the lowest one of several, and the sum of all execution counts.
  struct MostFrequent {
    int outcome;
    uint64_t count, all;
  };
  // Returns the most frequent outcome.  There must be at least one.
  static MostFrequent most_frequent(const Outcomes &outcomes);

  // By block; only branches that ran.
  const std::map<int, Outcomes> &outcomes() const { return by_edges_; }
  // By block; only branches that ran.
  std::map<int, Mispredictions> branches() const;

  // An earlier branch on the same path that says most of what paths know of one.
  struct Decision {
    int block = 0;
    uint64_t missed = 0; // by who knows which outcome that one had, or that control did not pass it
  };
  // Nothing where no earlier branch was passed.  Looks at all paths again, as they were added.
  std::optional<Decision> decided_by(int branch) const;
  // By the outcome that the earlier branch had last on the path, or kNotPassed, the outcomes of a branch.
  std::map<int, Outcomes> outcomes_after(int earlier, int branch) const;
  static constexpr int kNotPassed = -1;

private:
  // Contexts are numbered as they are met: one is another one and an outcome.
  class Contexts {
  public:
    uint32_t next(uint32_t context, uint64_t outcome);
    std::map<std::pair<uint32_t, int>, Outcomes> outcomes; // by context and branch

  private:
    std::map<std::pair<uint32_t, uint64_t>, uint32_t> numbers_;
  };

  int block_of(int outcome) const;
  int outcome_over(int edge) const;
  template <typename Visit>
  void for_decisions(const Path &path, Visit visit) const;
  void add_to(Contexts &contexts, uint32_t start, const Path &path, uint64_t count);
  // By earlier branch: by the outcome that it had last, the outcomes that this one had.
  std::map<int, std::map<int, Outcomes>> together_with(int branch) const;
  void add_missed(const Contexts &contexts, uint64_t Mispredictions::*by, std::map<int, Mispredictions> &sums) const;

  const FlowGraph &graph_;
  std::vector<char> is_branch_;
  std::vector<std::pair<std::vector<int>, uint64_t>> decisions_; // of each path: outcomes; how often
  std::vector<size_t> num_context_;                              // of these, at the beginning
  std::map<int, Outcomes> by_edges_;
  Contexts by_paths_, by_pairs_;
  bool has_pairs_ = false;
};

} // namespace pathprof

#endif
