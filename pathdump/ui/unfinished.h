// SPDX-License-Identifier: GPL-3.0-or-later
// Describes activations that never finished.
#ifndef PATHPROF_PATHDUMP_UI_UNFINISHED_H
#define PATHPROF_PATHDUMP_UI_UNFINISHED_H

#include <string>

#include "profile/model/unfinished.h"

namespace pathprof {

// Number of functions that were executed, including those whose only activations never finished.
struct ExecutedFunctions {
  uint64_t number;
  bool is_lower_bound; // true if other functions may have been executed, although no count proves it

  std::string text() const; // "3", "at least 3"
};
ExecutedFunctions executed_functions(const Profile &profile, const Unfinished &unfinished);

// Returns a description of the evidence that activations never finished, such as the number of these activations and
// their functions. Returns an empty string if unfinished activations do not affect any count.
std::string evidence_text(const Profile &profile, const Unfinished &unfinished);
// Returns a warning that states the number of processes that ended without writing all their counts, and the effect on
// the counts. Returns an empty string if there are no such processes.
std::string killed_text(const Profile &profile, const Unfinished &unfinished);
// Returns a warning about activations that never finished for other reasons. The warning lists the functions whose
// counts may be wrong, and states the effect on the counts and the option that avoids the problem.
std::string unfinished_text(const Profile &profile, const Unfinished &unfinished);

} // namespace pathprof

#endif
