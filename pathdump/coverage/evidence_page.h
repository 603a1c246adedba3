// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the manifest of coverage evidence as an HTML page.
#ifndef PATHPROF_PATHDUMP_COVERAGE_EVIDENCE_PAGE_H
#define PATHPROF_PATHDUMP_COVERAGE_EVIDENCE_PAGE_H

#include <string>

#include "pathdump/ui/json.h"

namespace pathprof {

// Returns a page without scripts that contains all tables of the manifest and links to the files of the functions.
std::string evidence_page(const Json &manifest);

} // namespace pathprof

#endif
