// SPDX-License-Identifier: GPL-3.0-or-later
// The advice that a page begins with.
#ifndef PATHPROF_PATHDUMP_HTML_ADVICE_H
#define PATHPROF_PATHDUMP_HTML_ADVICE_H

#include <string>

#include "pathdump/describe/decisions.h"
#include "pathdump/describe/sources.h"
#include "pathdump/ui/names.h"
#include "profile/model/profile.h"

namespace pathprof::html {

// The first few pieces of advice, as markup; nothing where there is none.
std::string advice_text(const Profile &profile, const std::string &file, const Names &names, PathFormatter &formatter,
                        Sources &sources);

} // namespace pathprof::html

#endif
