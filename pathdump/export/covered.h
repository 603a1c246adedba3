// SPDX-License-Identifier: GPL-3.0-or-later
// Line, branch and function coverage by source file, derived from paths.
#ifndef PATHPROF_PATHDUMP_EXPORT_COVERED_H
#define PATHPROF_PATHDUMP_EXPORT_COVERED_H

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "pathdump/ui/names.h"
#include "profile/model/profile.h"

namespace pathprof {

// A block with several edges out of it, exceptions and abnormal edges aside, and how often each was taken.  Of cut
// edges that leave one block it is not always known how their sum is divided (core/analysis/edge_counts.h).
struct CoveredBranch {
  std::vector<uint64_t> taken;

  bool has_run() const;
  size_t num_taken() const; // edges
};

// A decision, and with which values its conditions affected the outcome (core/analysis/mcdc.h).
struct CoveredDecision {
  std::vector<std::string> conditions;           // as the source has them
  std::vector<std::array<bool, 2>> shows_effect; // of each, when it is false, true

  size_t num_effects() const;
};

struct CoveredFunction {
  std::string name; // as shown, unique in its file
  uint32_t line = 0;
  uint64_t calls = 0;
  bool ran_inlined = false; // code of it that was inlined into another function was executed
};

struct CoveredFile {
  std::map<uint32_t, uint64_t> lines;                      // counts as gcov's (pathdump/model/lines.h)
  std::map<uint32_t, std::vector<CoveredBranch>> branches; // by their last line
  // Those that are measured, by their first line; what instances of a template or copies of one decision show is one.
  std::map<uint32_t, std::vector<CoveredDecision>> decisions;
  std::vector<CoveredFunction> functions; // by line, then name

  size_t num_lines_run() const;
  size_t num_functions_run() const;
  size_t num_edges() const; // of all branches
  size_t num_edges_taken() const;
};

// By file, as shown: what functions have there, each function's inlined code where it was written.  `names` selects the
// functions by their names, and the files that they have code in.
std::map<std::string, CoveredFile> covered_files(const Profile &profile, const std::string &file, const Names &names);

} // namespace pathprof

#endif
