// SPDX-License-Identifier: GPL-3.0-or-later
// Prints findings in the formats in which code review tools display them.
#ifndef PATHPROF_PATHDUMP_UI_ANNOTATIONS_H
#define PATHPROF_PATHDUMP_UI_ANNOTATIONS_H

#include <cstdint>
#include <string>
#include <vector>

#include "pathdump/ui/output.h"

namespace pathprof {

struct Annotation {
  std::string file;
  uint32_t first, last; // first and last line
  const char *check;    // name of the kind of finding
  std::string text;
};

// Returns "Line 3 was never executed" or, if `first` and `last` differ, "Lines 3 to 5 were never executed".
std::string text_of_unexecuted(uint32_t first, uint32_t last);
// Returns an annotation for branch outcomes on one line that were never taken.
Annotation annotation_of_outcomes(const std::string &file, uint32_t line, const char *check,
                                  const std::vector<std::string> &outcomes);
// Prints a GitHub workflow command that does not refer to a file or line.
void print_for_whole_report(const std::string &text, Output &out);
// Prints GitHub workflow commands, or a GitLab code quality report if `for_gitlab` is set.
void print_annotations(const std::vector<Annotation> &annotations, bool for_gitlab, Output &out);

} // namespace pathprof

#endif
