// SPDX-License-Identifier: GPL-3.0-or-later
// Pairs the functions and interprocedural units of two profiles.
//
// A function is identified by its assembler name and the path of its source file, after --source-prefix was applied.
// Functions without a counterpart are then paired by file name, because the same program may have been built in two
// directories.
#ifndef PATHPROF_PATHDUMP_MODEL_MATCHING_H
#define PATHPROF_PATHDUMP_MODEL_MATCHING_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pathdump/ui/names.h"
#include "profile/model/profile.h"

namespace pathprof {

constexpr size_t kNoFunction = SIZE_MAX;

// A function or interprocedural unit of one profile and its counterpart in the other profile.
struct Pair {
  size_t function[2];       // indices in the profiles, or kNoFunction
  bool has_changed = false; // true if path IDs have another meaning in the other profile
  bool is_program = false;
};

// Returns a string that identifies the conditions tested by the function's branches. If the strings of two functions
// differ, their path IDs are not comparable.
std::string conditions_of(const FunctionNotes &notes);

// Returns the pairs of functions in the order of profile B, followed by the functions that only profile A contains.
std::vector<Pair> match_functions(const Profile &a, const Profile &b, const Names &names);
// Returns the pairs of interprocedural units in the order of profile B, followed by the units that only A contains.
std::vector<Pair> match_programs(const Profile &a, const Profile &b, const Names &names);

} // namespace pathprof

#endif
