// SPDX-License-Identifier: GPL-3.0-or-later
// Finds, counts and describes the prime paths of functions (core/analysis/prime_paths.h).
#ifndef PATHPROF_PATHDUMP_MODEL_PRIME_H
#define PATHPROF_PATHDUMP_MODEL_PRIME_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/prime_paths.h"
#include "pathdump/model/hot.h"
#include "pathdump/ui/json.h"
#include "pathdump/describe/decisions.h"
#include "profile/model/profile.h"

namespace pathprof {

// Returns true if acyclic paths, or sequences of acyclic paths, are counted in the function.
bool counts_prime_paths(const Function &function);

// Returns the maximum length of the counted path sequences, in paths. Prime paths that extend over more paths are not
// measured.
uint32_t sequence_length(const Function &function);

// Converts a prime path into a path from its first block to its last block, for printing.
Path path_of(const PrimeGraph &graph, const PrimePath &blocks);
// Returns the label of a prime path.
PathLabel path_label(const Function &function, const PrimeGraph &graph, const PrimePath &blocks,
                     PathFormatter &formatter);
// Returns {"count": 3, "cycle": false, "blocks": [2, 3], "statements": 5, "lines": "…", "decisions": […]}.
Json prime_path_json(const Function &function, const PrimeGraph &graph, const PrimePath &blocks, uint64_t count,
                     PathFormatter &formatter);

// The prime paths of a function. Keeps a reference to the function.
class FunctionPrimePaths {
public:
  FunctionPrimePaths(const Function &function, const Decoded &decoded);

  const Function &function() const { return *function_; }
  const PrimeGraph &graph() const { return graph_; }
  const PrimeCounts &executed() const { return executed_; }
  // Returns the executed prime paths, most frequent first.
  std::vector<std::pair<PrimePath, uint64_t>> by_count() const;
  const PrimeTotal &total() const { return total_; }
  // Returns the number of prime paths that are not measured because they extend over more paths than the longest
  // counted sequences. The number is a lower bound if the total is not exact.
  mpz_class num_unmeasured() const { return total_.all - total_.measured; }

  MissingPrimePaths missing(size_t limit) const;

  Path path(const PrimePath &blocks) const { return path_of(graph_, blocks); }
  // Returns "path" or "cycle".
  static const char *kind(const PrimePath &blocks) { return is_cycle(blocks) ? "cycle" : "path"; }
  PathLabel path_label(const PrimePath &blocks, PathFormatter &formatter) const {
    return pathprof::path_label(*function_, graph_, blocks, formatter);
  }
  // Returns the branches at which `path` and `other` take different edges.
  std::vector<Difference> differences(const PrimePath &path, const PrimePath &other) const;
  // Returns a phrase that states how an execution covers a missing path whose distance is 0, such as "after the nearest
  // path, go around the loop at line 11 once more and take 11:T again".
  std::string needed(const MissingPrimePath &missing, PathFormatter &formatter) const;

  Json path_json(const PrimePath &blocks, uint64_t count, PathFormatter &formatter) const {
    return prime_path_json(*function_, graph_, blocks, count, formatter);
  }

private:
  const Function *function_;
  PrimeGraph graph_;
  PrimeCounts executed_;
  PrimeTotal total_;
};

} // namespace pathprof

#endif
