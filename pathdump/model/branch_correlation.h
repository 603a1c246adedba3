// SPDX-License-Identifier: GPL-3.0-or-later
// Finds branches and loops that paths predict better than edge counts do.
#ifndef PATHPROF_PATHDUMP_MODEL_BRANCH_CORRELATION_H
#define PATHPROF_PATHDUMP_MODEL_BRANCH_CORRELATION_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/prediction.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/text.h"
#include "profile/model/profile.h"

namespace pathprof {

// A branch whose outcome is predicted better by paths than by edge counts.
struct Correlation {
  const Function *function = nullptr;
  int block = 0;
  Mispredictions missed;
  std::optional<BranchPredictor::Decision> decided_by; // earlier branch that alone achieves at least half of the gain
  std::map<int, BranchPredictor::Outcomes> after;      // outcomes of this branch, by outcome of the earlier branch

  uint64_t mispredictions_avoided() const { return missed.by_edges - std::min(missed.by_edges, missed.by_pairs); }
};

// A loop in which the path of an iteration depends on the path of the previous iteration.
struct Alternation {
  const Function *function = nullptr;
  int head = 0;
  uint64_t executions = 0;   // iterations that follow another iteration
  uint64_t missed = 0;       // mispredictions if the most frequent path is always predicted
  uint64_t missed_after = 0; // mispredictions if the previous path is known

  uint64_t mispredictions_avoided() const { return missed - missed_after; }
};

// Total mispredictions of all branches in a function.
struct FunctionCorrelations {
  const Function *function = nullptr;
  Mispredictions missed;
  bool has_pairs = false;

  uint64_t mispredictions_avoided() const { return missed.by_edges - std::min(missed.by_edges, missed.by_pairs); }
};

// A branch that nearly always has the same outcome and whose edges are neither truncation points nor loop exits.
struct OneWay {
  const Function *function = nullptr;
  int block = 0;
  int edge = 0; // edge that is nearly always taken
  uint64_t taken = 0;
  uint64_t executions = 0;
};

// A loop whose mean number of back edges per loop entry is a whole number. If this number is 0 or 1, it is the same
// after every entry. If it is greater than 1, the number after each entry is unknown, because acyclic paths do not show
// how often the back edge is taken after each entry.
struct ConstantLoop {
  const Function *function = nullptr;
  int head = 0;
  uint64_t entries = 0; // entries from outside the loop
  uint64_t rounds = 0;  // back edges taken per entry
};

// A loop whose back edge is taken the same number of times after every entry, according to k-iteration paths that enter
// and leave the loop.
struct ExactLoop {
  const Function *function = nullptr;
  int head = 0;
  uint64_t entries = 0;
  uint64_t rounds = 0;
};

// A switch in a loop, and the count of each pair of successive cases.
struct CaseSequence {
  const Function *function = nullptr;
  int block = 0;
  std::map<int, BranchPredictor::Outcomes> after; // counts of the next case, by edge of the previous case
  uint64_t executions = 0;                        // executions that follow another execution
  uint64_t missed = 0;                            // mispredictions if the most frequent case is always predicted
  uint64_t missed_after = 0;                      // mispredictions if the previous case is known

  uint64_t mispredictions_avoided() const { return missed - missed_after; }
};

// The extent of an analysis, in one function or in all functions. If there are very many paths, only the hottest paths
// are analyzed.
struct LookedAt {
  uint64_t paths = 0;        // number of analyzed paths
  uint64_t executed = 0;     // number of executed paths
  double statements = 0;     // statements executed by the analyzed paths
  double all_statements = 0; // statements executed by all paths

  bool is_all() const { return paths == executed; }
  double share() const { return per_cent(statements, all_statements); }
  // Returns text such as "the 100000 hottest of 35000000 executed paths, which account for 12.34 % of the executed
  // statements".
  std::string text() const;
};

// The branch correlations in the functions of a profile.
struct BranchCorrelations {
  LookedAt looked_at;
  std::map<const Function *, LookedAt> partly; // functions that were analyzed only in part
  std::vector<FunctionCorrelations> rows;
  std::vector<Correlation> correlations;
  std::vector<Alternation> alternations;
  std::vector<OneWay> one_ways;
  std::vector<ConstantLoop> constant_loops;
  std::vector<ExactLoop> exact_loops;
  std::vector<CaseSequence> case_sequences;
  Mispredictions total;
  uint64_t num_without_pairs = 0;
  // Returns true if the pairs of paths are known in any function.
  bool has_pairs() const { return num_without_pairs < rows.size(); }
  // Totals of the whole profile, relative to which percentages are computed. The totals include functions that are not
  // selected and paths that were not analyzed.
  uint64_t branch_executions = 0; // branch executions in functions with intraprocedural paths
  uint64_t statements = 0;        // executed statements; the context of paths is not counted again
};

// Returns true if the profile contains counts of pairs of successive paths for the function.
bool has_pairs(const Function &function);

// Maximum number of paths to analyze. The analysis of one path takes a few microseconds.
constexpr uint64_t kMostLookedAt = 200'000;

// Returns the correlations in the functions that `names` selects, sorted by gain. Analyzes only the `most_paths`
// hottest paths, but uses sums over all paths to find branches with a constant outcome and loops with a constant trip
// count.
BranchCorrelations find_correlations(const Profile &profile, const std::string &file, const Names &names,
                                     uint64_t most_paths = kMostLookedAt);

} // namespace pathprof

#endif
