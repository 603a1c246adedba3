// SPDX-License-Identifier: GPL-3.0-or-later
// Summarises the coverage of lines, branches, functions, conditions and paths, per file and in total.
#ifndef PATHPROF_PATHDUMP_COVERAGE_SUMMARY_H
#define PATHPROF_PATHDUMP_COVERAGE_SUMMARY_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <gmpxx.h>

#include "pathdump/coverage/covered.h"
#include "pathdump/coverage/justifications.h"
#include "pathdump/ui/names.h"
#include "profile/model/profile.h"

namespace pathprof {

// The number of items that a criterion requires (`total`), the number of covered items, and the number of items that
// are not covered but justified. All other items are open.
struct Tally {
  uint64_t covered = 0;
  mpz_class total = 0;
  uint64_t justified = 0;

  void add(const Tally &other);
  // Returns the percentage of covered items, or 100 if there are no items.
  double share() const;
  // Returns the percentage of items that are not open, or 100 if there are no items.
  double share_with_justified() const;
  bool is_empty() const { return total == 0; }
};

struct FileSummary {
  Tally lines;
  Tally branches;   // outgoing edges of branches
  Tally functions;  // functions that were called
  Tally conditions; // conditions that are shown to be independent (masking MC/DC)
  Tally paths;
  uint64_t excluded_lines = 0, excluded_branches = 0; // code that markers exclude
  uint64_t unmeasured_decisions = 0;                  // decisions whose conditions are not part of `conditions`

  void add(const FileSummary &other);
};

// The heading of a criterion, and the member of FileSummary that contains the tally of the criterion.
struct SummaryCriterion {
  const char *heading;
  Tally FileSummary::*tally;
};
inline constexpr SummaryCriterion kSummaryCriteria[] = {{"lines", &FileSummary::lines},
                                                        {"branches", &FileSummary::branches},
                                                        {"functions", &FileSummary::functions},
                                                        {"conditions", &FileSummary::conditions},
                                                        {"paths", &FileSummary::paths}};

// The path coverage of a function or of an interprocedural unit.
struct PathCoverage {
  std::string name, file; // display names
  std::string demangled;
  uint32_t line = 0;
  const Function *function = nullptr; // null for an interprocedural unit
  Tally paths;
};

struct CoverageSummary {
  std::vector<PathCoverage> paths; // functions, followed by interprocedural units
  std::map<std::string, FileSummary> files;
  FileSummary total;
  CoveredFiles details;
  std::vector<Justification> justifications;                              // in the order of their files and entries
  std::map<std::string, std::map<uint32_t, std::string>> justified_lines; // reasons, by file and line
};

// Summarises the coverage of the functions and files that `names` selects. Truncated paths are ignored. Functions with
// interprocedural paths are not in CoverageSummary::paths; instead, their units are. `file` is the name of the profile,
// and `entries` are justifications from a file.
CoverageSummary summarise(const Profile &profile, const std::string &file, const Names &names,
                          const CoverageOptions &options, const std::vector<JustificationEntry> &entries);

} // namespace pathprof

#endif
