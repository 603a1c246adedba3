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

// Returns `share`, a percentage, with two decimal places. Returns "100.00%" only for exactly 100, and "0.00%" only for
// exactly 0.
std::string share_text(double share);
// Returns the percentage of covered items, or "-" if there are no items.
std::string share_text(const Tally &tally);
// Returns the numbers of covered items and of all items, such as "3/4", or "" if there are no items.
std::string count_text(const Tally &tally);

// Prints one row per file, and the totals.
void print_files(const CoverageSummary &summary, Output &out);
// Prints the lines that were not executed, per file.
void print_missing_lines(const CoverageSummary &summary, Output &out);
// Prints the branch outcomes that were not taken, per file and line.
void print_missing_branches(const CoverageSummary &summary, Output &out);

// Prints the totals of covered, justified and open items, followed by all justifications. Prints nothing if there are
// no justifications.
void print_justifications(const CoverageSummary &summary, Output &out);

// Returns the keys `lines`, `branches`, `functions`, `conditions` (null if conditions were not measured),
// `decisions_not_measured` and `excluded` of a file or of the total.
Json summary_json(const FileSummary &summary);
// Return the missing lines and branches of all files.
Json missing_lines_json(const CoverageSummary &summary);
Json missing_branches_json(const CoverageSummary &summary);
// Returns all justifications.
Json justifications_json(const CoverageSummary &summary);

// Returns one sentence for each invalid justification.
std::vector<std::string> faults_of(const CoverageSummary &summary);

} // namespace pathprof

#endif
