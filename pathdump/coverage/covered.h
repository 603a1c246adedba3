// SPDX-License-Identifier: GPL-3.0-or-later
// Derives line, branch and function coverage per source file from paths.
#ifndef PATHPROF_PATHDUMP_COVERAGE_COVERED_H
#define PATHPROF_PATHDUMP_COVERAGE_COVERED_H

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "pathdump/coverage/markers.h"
#include "pathdump/ui/names.h"
#include "profile/model/profile.h"

namespace pathprof {

// Execution counts of the outgoing edges of a block with several successors, excluding abnormal edges. If several edges
// of a block are truncation points, their total count may be known although the count of each edge is unknown
// (core/analysis/edge_counts.h).
struct CoveredBranch {
  std::vector<uint64_t> taken;
  const Function *function = nullptr;     // function of the profile that contains the branch
  std::string place = {};                 // "8" or "8.11", with CoverageOptions::names_outcomes
  std::vector<std::string> outcomes = {}; // name of each edge, such as "T"

  bool has_run() const;
  size_t num_taken() const; // number of edges with a nonzero count
};

// Return the number of edges of the branches, and the number of those with a nonzero count.
size_t num_edges(const std::vector<CoveredBranch> &branches);
size_t num_edges_taken(const std::vector<CoveredBranch> &branches);

// A decision. Records, for each condition, the values with which the condition was shown to affect the outcome
// (core/analysis/mcdc.h).
struct CoveredDecision {
  std::vector<std::string> conditions;           // source text of each condition
  std::vector<std::array<bool, 2>> shows_effect; // for each condition, with the values false and true

  size_t num_effects() const;
};

struct CoveredFunction {
  std::string name; // displayed name, unique in its file
  uint32_t line = 0;
  uint32_t last_line = 0; // if several functions begin on `line`, the last line of all of them
  uint64_t calls = 0;
  bool ran_inlined = false; // true if an inlined copy of its code was executed
  // Lines of the function's body and their counts. If several functions begin on `line`, such as instances of a
  // template, the counts are those of this function alone. Otherwise, the counts are those of the file.
  std::map<uint32_t, uint64_t> lines;
  bool shares_line = false;
  std::map<uint32_t, std::vector<CoveredBranch>> branches; // empty unless shares_line
  std::vector<const Function *> bodies;                    // functions of the profile, including parts and clones
};

// Options for computing coverage.
struct CoverageOptions {
  bool counts_exceptions = true; // exception edges are branches
  bool names_outcomes = false;   // CoveredBranch contains the names of its edges
  bool only_lines = false;       // computes only CoveredFile::lines and excluded_lines, and prints no warnings
  bool prints_warnings = true;   // of markers and source files
};

struct CoveredFile {
  bool lacks_source = false;          // the source file was not found, so its markers are not known
  std::map<uint32_t, uint64_t> lines; // execution counts, computed as in gcov (pathdump/model/lines.h)
  std::map<uint32_t, std::vector<CoveredBranch>> branches; // by last line of the condition
  // Measured decisions, by the first line of the decision. Results of template instances and of copies of a decision
  // are combined.
  std::map<uint32_t, std::vector<CoveredDecision>> decisions;
  std::vector<CoveredFunction> functions; // ordered by line, then by name
  // Code that markers exclude. It is not part of the other members.
  std::set<uint32_t> excluded_lines;
  size_t num_excluded_edges = 0;
  std::vector<JustifiedLines> justified; // by comments; this code is part of the other members

  size_t num_lines_run() const;
  size_t num_functions_run() const;
  size_t num_edges() const; // number of edges of all branches
  size_t num_edges_taken() const;
};

using CoveredFiles = std::map<std::string, CoveredFile>; // by displayed name

// Returns the coverage of each source file, by the displayed name of the file. Inlined code is attributed to the file
// in which it was written. `names` selects functions by their names and by the files that contain their code. Prints a
// warning to standard error for each marker without effect and for each source file that may have changed.
CoveredFiles covered_files(const Profile &profile, const std::string &file, const Names &names,
                           const CoverageOptions &options);

// Returns a sentence that names the files whose sources were not found, or an empty string if there are none.
std::string text_of_missing_sources(const CoveredFiles &files);

} // namespace pathprof

#endif
