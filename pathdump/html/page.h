// SPDX-License-Identifier: GPL-3.0-or-later
// A page: a profile's hot paths and functions, with the source and the control-flow graphs of those that it shows in detail.
//
// Tables are plain HTML.  What a function's view shows is packed beside them and unpacked when it is looked at.
// Everything that comes from the profile or from source files goes through escape() or into packed JSON, and the
// page's policy lets no other script run than its own.
#ifndef PATHPROF_PATHDUMP_HTML_PAGE_H
#define PATHPROF_PATHDUMP_HTML_PAGE_H

#include <memory>
#include <optional>
#include <string>

#include "pathdump/coverage/changed_code.h"
#include "pathdump/coverage/tested_paths.h"
#include "pathdump/html/leading_list.h"
#include "pathdump/html/ranking.h"
#include "pathdump/ui/options.h"
#include "pathdump/ui/output.h"
#include "profile/model/profile.h"

namespace pathprof::html {

// What a page has besides the profile's paths.
struct Additions {
  std::optional<TestedPaths> tested; // of profiles that tell tests apart
  std::optional<ChangedCode> changed;
  std::unique_ptr<LeadingList> leading; // what the page begins with

  ListedPaths listed() const { return leading ? leading->listed() : ListedPaths(); }
};

// `file`: what the profile is called; sources are looked for beside it.
void print_page(const Profile &profile, const std::string &file, const CommonOptions &options, const Limits &limits,
                const Additions &additions, Output &out);

} // namespace pathprof::html

#endif
