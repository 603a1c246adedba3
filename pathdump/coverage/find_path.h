// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the function and the path that an operand names.
#ifndef PATHPROF_PATHDUMP_COVERAGE_FIND_PATH_H
#define PATHPROF_PATHDUMP_COVERAGE_FIND_PATH_H

#include <cstdint>
#include <string>
#include <utility>

#include "pathdump/ui/names.h"
#include "profile/model/profile.h"

namespace pathprof {

// Returns true if `wanted` names the function.  The name is an assembler or demangled name, with or without parameters,
// or NAME@CHECKSUM; a prefix FILE: distinguishes functions of the same name.
bool is_meant(const std::string &wanted, const Function &function, const Names &names);
// Returns the function that `wanted` names.  Throws Failure if no function or several functions match.
const Function &find_function(const Profile &profile, const std::string &wanted, const Names &names);
// Returns the ID of a complete or truncated path of the function.  Throws Failure for an invalid ID.
uint64_t parse_id(const std::string &text, const Function &function, const Decoded &decoded);
// Returns the index of the function and the path ID for an operand FUNC:PATH.  `file` is the name of the profile.
// Throws Failure.
std::pair<size_t, uint64_t> find_path(const Profile &profile, const std::string &wanted, const Names &names,
                                      const std::string &file);

} // namespace pathprof

#endif
