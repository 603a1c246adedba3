// SPDX-License-Identifier: GPL-3.0-or-later
// Prints the summary of coverage per file, and the lines and branches that were not executed.
#ifndef PATHPROF_PATHDUMP_COVERAGE_PRINT_SUMMARY_H
#define PATHPROF_PATHDUMP_COVERAGE_PRINT_SUMMARY_H

#include <string>

#include "pathdump/coverage/summary.h"
#include "pathdump/model/profile_view.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/output.h"

namespace pathprof {

// Returns a percentage with two digits after the point. Only a complete tally is printed as 100.00%, and only an empty
// one as 0.00%. Returns "-" if there are no items.
std::string share_text(const Tally &tally);

// Prints one row per file, and the totals.
void print_files(const CoverageSummary &summary, Output &out);
// Prints the lines that were not executed, per file.
void print_missing_lines(const CoverageSummary &summary, Output &out);
// Prints the branch outcomes that were not taken, per file and line.
void print_missing_branches(const CoverageSummary &summary, Output &out);

// Prints the totals of covered, justified and open items, followed by all justifications. Prints nothing if there are
// no justifications.
void print_justifications(const CoverageSummary &summary, Output &out);

// Returns the keys `lines`, `branches`, `functions`, `conditions` (null if conditions were not measured), `path_totals`
// and `excluded` of a file or of the total.
Json summary_json(const FileSummary &summary);
// Return the missing lines and branches of all files.
Json missing_lines_json(const CoverageSummary &summary);
Json missing_branches_json(const CoverageSummary &summary);
// Returns all justifications.
Json justifications_json(const CoverageSummary &summary);

// Returns one sentence for each faulty justification.
std::vector<std::string> faults_of(const CoverageSummary &summary);

// The percentages that a command requires; 0 if no percentage is required.
struct Thresholds {
  double line = 0, branch = 0, function = 0, condition = 0, path = 0;
  bool accept_justified = false; // justified items count as covered

  bool any() const { return line > 0 || branch > 0 || function > 0 || condition > 0 || path > 0; }
};

// Returns one sentence for each criterion below its threshold.
std::vector<std::string> missed_thresholds(const FileSummary &total, const Thresholds &thresholds);

} // namespace pathprof

#endif
