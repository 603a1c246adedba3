// SPDX-License-Identifier: GPL-3.0-or-later
// Prime paths of a profile's functions (core/analysis/prime_paths.h): those that ran, how many there are, and as what
// they are written.
#ifndef PATHPROF_PATHDUMP_MODEL_PRIME_H
#define PATHPROF_PATHDUMP_MODEL_PRIME_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/prime_missing.h"
#include "core/analysis/prime_paths.h"
#include "core/analysis/prime_total.h"
#include "pathdump/model/hot.h"
#include "pathdump/ui/json.h"
#include "pathdump/describe/decisions.h"
#include "profile/model/profile.h"

namespace pathprof {

// Whether it counts acyclic paths, with or without sequences of them.
bool counts_prime_paths(const Function &function);

// The longest sequences that are counted, in paths: prime paths that need longer ones are not measured.
uint32_t sequence_length(const Function &function);

// A prime path as one for texts: from its first block to its last.
Path path_of(const PrimeGraph &graph, const PrimePath &blocks);
// What a row says of it.
PathLabel path_label(const Function &function, const PrimeGraph &graph, const PrimePath &blocks,
                     PathFormatter &formatter);
// {"count": 3, "cycle": false, "blocks": [2, 3], "statements": 5, "lines": "…", "decisions": […]}
Json prime_path_json(const Function &function, const PrimeGraph &graph, const PrimePath &blocks, uint64_t count,
                     PathFormatter &formatter);

// The prime paths of a function.  Keeps a reference.
class FunctionPrimePaths {
public:
  FunctionPrimePaths(const Function &function, const Decoded &decoded);

  const Function &function() const { return *function_; }
  const PrimeGraph &graph() const { return graph_; }
  const PrimeCounts &executed() const { return executed_; }
  // Those that ran, most often first.
  std::vector<std::pair<PrimePath, uint64_t>> by_count() const;
  const PrimeTotal &total() const { return total_; }
  // How many need longer sequences than are counted; at least so many where the total is not exact.
  mpz_class num_unmeasured() const { return total_.all - total_.measured; }

  MissingPrimePaths missing(size_t limit) const;

  Path path(const PrimePath &blocks) const { return path_of(graph_, blocks); }
  // "path", "cycle".
  static const char *kind(const PrimePath &blocks) { return is_cycle(blocks) ? "cycle" : "path"; }
  PathLabel path_label(const PrimePath &blocks, PathFormatter &formatter) const {
    return pathprof::path_label(*function_, graph_, blocks, formatter);
  }
  // The branches at which a path takes another edge than one that it is compared with.
  std::vector<Difference> differences(const PrimePath &path, const PrimePath &other) const;

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
