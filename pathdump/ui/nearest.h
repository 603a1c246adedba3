// SPDX-License-Identifier: GPL-3.0-or-later
// Suggests existing names that resemble an unknown name.
#ifndef PATHPROF_PATHDUMP_UI_NEAREST_H
#define PATHPROF_PATHDUMP_UI_NEAREST_H

#include <set>
#include <string>
#include <vector>

namespace pathprof {

// Returns at most three names that are similar to `wanted` (a name or a glob), most similar first. A name is similar if
// it contains `wanted`, ignoring case, or if it differs from `wanted` in only a few characters. The last component of
// the name, after "::" or '/', is also compared in this way.
std::vector<std::string> nearest_names(const std::string &wanted, const std::set<std::string> &names);

// Returns "; did you mean 'a' or 'b'?", or an empty string if no name is similar.
std::string did_you_mean(const std::string &wanted, const std::set<std::string> &names);

} // namespace pathprof

#endif
