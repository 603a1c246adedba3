// SPDX-License-Identifier: GPL-3.0-or-later
// Names that somebody who wrote another one may have meant.
#ifndef PATHPROF_PATHDUMP_UI_NEAREST_H
#define PATHPROF_PATHDUMP_UI_NEAREST_H

#include <set>
#include <string>
#include <vector>

namespace pathprof {

// The names nearest to what was wanted, a name or a glob, at most three, the nearest first: those that have it in them,
// whatever the case of letters, and those that differ in few letters, as a whole or in the last component after "::"
// or '/'.
std::vector<std::string> nearest_names(const std::string &wanted, const std::set<std::string> &names);

// "; did you mean 'a' or 'b'?", or nothing.
std::string did_you_mean(const std::string &wanted, const std::set<std::string> &names);

} // namespace pathprof

#endif
