// SPDX-License-Identifier: GPL-3.0-or-later
// The function and the path that an operand names.
#ifndef PATHPROF_PATHDUMP_COVERAGE_FIND_PATH_H
#define PATHPROF_PATHDUMP_COVERAGE_FIND_PATH_H

#include <cstdint>
#include <string>
#include <utility>

#include "pathdump/ui/names.h"
#include "profile/model/profile.h"

namespace pathprof {

// FUNC is a name, assembler or demangled, with or without parameters, or NAME@CHECKSUM; FILE: before it tells functions
// of one name apart.
bool is_meant(const std::string &wanted, const Function &function, const Names &names);
// The function of that name.  Throws Failure where there is none, or several.
const Function &find_function(const Profile &profile, const std::string &wanted, const Names &names);
// The number of a path of the function, whole or cut short.  Throws Failure where it is none.
uint64_t parse_id(const std::string &text, const Function &function, const Decoded &decoded);
// "FUNC:PATH": index of the function and number of the path.  `file` is the profile's name.  Throws Failure.
std::pair<size_t, uint64_t> find_path(const Profile &profile, const std::string &wanted, const Names &names,
                                      const std::string &file);

} // namespace pathprof

#endif
