// SPDX-License-Identifier: GPL-3.0-or-later
// Where paths know more of branches and loops than edges do: the figures.
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

// A branch that paths foresee better than edges do.
struct Correlation {
  const Function *function = nullptr;
  int block = 0;
  Mispredictions missed;
  std::optional<BranchPredictor::Decision> decided_by; // if that alone tells half of it
  std::map<int, BranchPredictor::Outcomes> after;      // that branch's outcomes, this one's

  uint64_t mispredictions_avoided() const { return missed.by_edges - std::min(missed.by_edges, missed.by_pairs); }
};

// A loop in which the path of one iteration tells that of the next one.
struct Alternation {
  const Function *function = nullptr;
  int head = 0;
  uint64_t executions = 0;   // of iterations that follow another one
  uint64_t missed = 0;       // by who always says the most frequent path
  uint64_t missed_after = 0; // by who knows the path before

  uint64_t mispredictions_avoided() const { return missed - missed_after; }
};

// All branches of a function.
struct FunctionCorrelations {
  const Function *function = nullptr;
  Mispredictions missed;
  bool has_pairs = false;

  uint64_t mispredictions_avoided() const { return missed.by_edges - std::min(missed.by_edges, missed.by_pairs); }
};

// A branch that goes one way nearly always, and neither around nor out of a loop.
struct OneWay {
  const Function *function = nullptr;
  int block = 0;
  int edge = 0; // that it takes
  uint64_t taken = 0;
  uint64_t executions = 0;
};

// A loop that control goes around equally often each time, or, beyond once, on average: counts of acyclic paths say no
// more.
struct ConstantLoop {
  const Function *function = nullptr;
  int head = 0;
  uint64_t entries = 0; // by control from outside
  uint64_t rounds = 0;  // times around, for each of these
};

// A loop whose every entry goes around equally often, as paths across iterations that enter and leave it say.
struct ExactLoop {
  const Function *function = nullptr;
  int head = 0;
  uint64_t entries = 0;
  uint64_t rounds = 0;
};

// Which case of a switch came after which, where control comes to it again in a loop.
struct CaseSequence {
  const Function *function = nullptr;
  int block = 0;
  std::map<int, BranchPredictor::Outcomes> after; // by edge that was taken before
  uint64_t executions = 0;                        // behind another one
  uint64_t missed = 0;                            // by who always says the most frequent case
  uint64_t missed_after = 0;                      // by who knows the case before

  uint64_t mispredictions_avoided() const { return missed - missed_after; }
};

// How much of a function's executed paths, or of all, was looked at: the hottest, where they are very many.
struct LookedAt {
  uint64_t paths = 0;
  uint64_t executed = 0;
  double statements = 0; // that these paths executed
  double all_statements = 0;

  bool is_all() const { return paths == executed; }
  double share() const { return per_cent(statements, all_statements); }
  // "the 100000 hottest of 35000000 executed paths, which have 12.34 % of their statements"
  std::string text() const;
};

// What paths foresee in the functions of a profile.
struct BranchCorrelations {
  LookedAt looked_at;
  std::map<const Function *, LookedAt> partly; // functions of which not all was looked at
  std::vector<FunctionCorrelations> rows;
  std::vector<Correlation> correlations;
  std::vector<Alternation> alternations;
  std::vector<OneWay> one_ways;
  std::vector<ConstantLoop> constant_loops;
  std::vector<ExactLoop> exact_loops;
  std::vector<CaseSequence> case_sequences;
  Mispredictions total;
  uint64_t num_without_pairs = 0;
  // Sums over the whole profile, which shares refer to: over all functions, selected or not, and over all paths,
  // also those that were not looked at.
  uint64_t branch_executions = 0; // of functions with paths of their own
  uint64_t statements = 0;        // executed, of which those in contexts of paths are counted once
};

// Whether it is known which path followed which.
bool has_pairs(const Function &function);

// Looking at one path takes a few microseconds.
constexpr uint64_t kMostLookedAt = 200'000;

// Returns rows and lists for the functions that `names` selects, ordered by gain.  At most so many paths are looked at,
// the hottest ones; branches that go one way, and loops that go around a constant number of times, are found in sums
// over all.
BranchCorrelations find_correlations(const Profile &profile, const std::string &file, const Names &names,
                                     uint64_t most_paths = kMostLookedAt);

} // namespace pathprof

#endif
