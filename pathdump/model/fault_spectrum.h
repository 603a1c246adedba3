// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the decision outcomes and the lines that distinguish failing runs from passing runs.
//
// An outcome or a line is on several paths. A run executes it if it executes one of these paths, so its score can be
// higher than the score of each path: different failing runs can reach the faulty line on different paths.
#ifndef PATHPROF_PATHDUMP_MODEL_FAULT_SPECTRUM_H
#define PATHPROF_PATHDUMP_MODEL_FAULT_SPECTRUM_H

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "pathdump/describe/branches.h"
#include "pathdump/model/fault_localization.h"

namespace pathprof {

// An outcome of a decision in a function.
struct SuspiciousOutcome {
  int block;                  // deciding block
  int edge;                   // edge of the flow graph
  uint32_t line;              // line of the decision
  std::set<WideNumber> paths; // IDs of the executed paths that contain the outcome
};

// The outcomes of a function that have the highest score, ordered by line.
struct SuspiciousOutcomes {
  const Function *function = nullptr;
  double score = 0;
  SeenIn seen;
  uint64_t function_passed = 0; // number of passing runs that executed the function
  std::vector<SuspiciousOutcome> outcomes;
};

// Lines of a function that only failing runs executed.
struct FailingLines {
  const Function *function;
  std::map<std::string, std::set<uint32_t>> lines; // lines by file
};

class FaultSpectrum {
public:
  // `runs` must store run sets. Keeps no references to its arguments.
  FaultSpectrum(const Runs &runs, const Names &names);

  // Returns the most suspicious outcomes of the function that contains the most suspicious outcome, or null if no
  // outcome is suspicious.
  const SuspiciousOutcomes *best() const;
  // Returns the most suspicious outcomes of a function, or null if it has none.
  const SuspiciousOutcomes *of(const Function &function) const;
  // Returns the lines that no passing run executed and that the largest number of failing runs executed.
  const std::vector<FailingLines> &failing_lines() const { return failing_lines_; }
  // Returns the number of failing runs that executed the failing_lines().
  uint64_t num_failed() const { return most_failed_; }

private:
  using Position = std::pair<std::string, uint32_t>; // file and line
  void add_outcomes(const Runs &runs, const Function &function, const Runs::ExecutedIn &executed,
                    const Decoded &decoded, const Branches &branches);
  void find_failing_lines(const Runs &runs);

  std::map<const Function *, SuspiciousOutcomes> outcomes_;
  std::map<Position, RunSet> lines_;               // the runs that executed each line
  std::map<Position, const Function *> functions_; // function in which each line was first found
  std::vector<FailingLines> failing_lines_;
  uint64_t most_failed_ = 0;
};

} // namespace pathprof

#endif
