// SPDX-License-Identifier: GPL-3.0-or-later
// Findings for where changes are reviewed.
#ifndef PATHPROF_PATHDUMP_UI_ANNOTATIONS_H
#define PATHPROF_PATHDUMP_UI_ANNOTATIONS_H

#include <cstdint>
#include <string>
#include <vector>

#include "pathdump/ui/output.h"

namespace pathprof {

struct Annotation {
  std::string file;
  uint32_t first, last; // lines
  const char *check;    // what kind of finding it is
  std::string text;
};

// A workflow command of GitHub that names no line.
void print_for_whole_report(const std::string &text, Output &out);
// Workflow commands of GitHub, or a code quality report of GitLab.
void print_annotations(const std::vector<Annotation> &annotations, bool for_gitlab, Output &out);

} // namespace pathprof

#endif
