// SPDX-License-Identifier: GPL-3.0-or-later
// Writes an HTML page with the hot paths and functions of a profile, and the source and control-flow graphs of detailed
// functions.
//
// Tables are plain HTML. The view of a function is stored as compressed data and unpacked when the view is opened. All
// text from the profile and from source files passes through escape() or into compressed JSON. The page's
// Content-Security-Policy allows only the page's own script.
#ifndef PATHPROF_PATHDUMP_HTML_PAGE_H
#define PATHPROF_PATHDUMP_HTML_PAGE_H

#include <memory>
#include <optional>
#include <string>

#include "pathdump/coverage/changed_code.h"
#include "pathdump/coverage/tested_paths.h"
#include "pathdump/html/leading_list.h"
#include "pathdump/html/ranking.h"
#include "pathdump/model/basis.h"
#include "pathdump/ui/options.h"
#include "pathdump/ui/output.h"
#include "profile/model/profile.h"

namespace pathprof::html {

// The ranking of a page and its optional parts.
struct Additions {
  Basis basis;                       // quantity by which the page ranks
  std::string hint;                  // note that tells how to rank by cost, or empty
  std::optional<TestedPaths> tested; // paths per test, if the profile distinguishes tests
  std::optional<ChangedCode> changed;
  std::unique_ptr<LeadingList> leading; // list at the start of the page

  ListedPaths listed() const { return leading ? leading->listed() : ListedPaths(); }
};

// Prints the page. `file` is the name of the profile; source files are also searched for in its directory.
void print_page(const Profile &profile, const std::string &file, const CommonOptions &options, const Limits &limits,
                const Additions &additions, Output &out);

} // namespace pathprof::html

#endif
