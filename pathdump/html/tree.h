// SPDX-License-Identifier: GPL-3.0-or-later
// Writes coverage as a tree of HTML pages: an index of directories and files, and one page per source file.
#ifndef PATHPROF_PATHDUMP_HTML_TREE_H
#define PATHPROF_PATHDUMP_HTML_TREE_H

#include <string>

#include "pathdump/coverage/output_folder.h"
#include "pathdump/coverage/summary.h"
#include "pathdump/model/profile_view.h"

namespace pathprof::html {

// The beginning of each page.
inline constexpr OutputFolder kPagesFolder = {
    "--html", kStartPage,
    "<!DOCTYPE html>\n<html lang=\"en\">\n<meta name=\"generator\" content=\"pathprof coverage --html\">\n"};

// Returns the pages by file name; index.html is the index. `summary` must contain the names of branch outcomes. Source
// files that cannot be read are shown without text.
OutputFiles coverage_pages(const CoverageSummary &summary, ProfileView &view);

} // namespace pathprof::html

#endif
