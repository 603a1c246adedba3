// SPDX-License-Identifier: GPL-3.0-or-later
// Formats the suggestions at the start of an HTML page.
#ifndef PATHPROF_PATHDUMP_HTML_ADVICE_H
#define PATHPROF_PATHDUMP_HTML_ADVICE_H

#include <string>

#include "pathdump/describe/decisions.h"
#include "pathdump/describe/sources.h"
#include "pathdump/ui/names.h"
#include "profile/model/profile.h"

namespace pathprof::html {

// Returns the first suggestions as markup, or an empty string if there are none.
std::string advice_text(const Profile &profile, const std::string &file, const Names &names, PathFormatter &formatter,
                        Sources &sources);

} // namespace pathprof::html

#endif
