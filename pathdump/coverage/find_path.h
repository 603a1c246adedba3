// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the function and the path that an operand names.
#ifndef PATHPROF_PATHDUMP_COVERAGE_FIND_PATH_H
#define PATHPROF_PATHDUMP_COVERAGE_FIND_PATH_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pathdump/ui/names.h"
#include "profile/model/profile.h"

namespace pathprof {

// Returns true if `wanted` names the function.  Accepts assembler names, demangled names with or without parameters,
// and NAME@CHECKSUM.  The prefix "FILE:" distinguishes functions that have the same name.
bool is_meant(const std::string &wanted, const Function &function, const Names &names);
// Returns the function that `wanted` names.  Throws Failure unless exactly one function matches.
const Function &find_function(const Profile &profile, const std::string &wanted, const Names &names);
// Parses the ID of a complete or truncated path of the function.  Throws Failure if the ID is invalid.
uint64_t parse_id(const std::string &text, const Function &function, const Decoded &decoded);
// Parses an operand of the form FUNC:PATH and returns the index of the function and the path ID.  `file` is the name of
// the profile.  Throws Failure if there is no such path.
std::pair<size_t, uint64_t> find_path(const Profile &profile, const std::string &wanted, const Names &names,
                                      const std::string &file);

// Returns the index of the file and the line number that an operand of the form FILE:LINE names, or nothing if FILE
// does not name any of the files.  FILE is a complete name or its last components.  Throws Failure if several files
// match, or if LINE is not a number.
std::optional<std::pair<size_t, uint32_t>> find_line(const std::vector<std::string> &files, const std::string &wanted);

} // namespace pathprof

#endif
