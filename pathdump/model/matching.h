// SPDX-License-Identifier: GPL-3.0-or-later
// Pairing the functions and programs of two profiles.
//
// A function is identified by its assembler name and the path of its source file, after --source-prefix.  What has no
// counterpart then is paired by the name of its file: the same program may have been built in two folders.
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

// A function or program of one profile and its counterpart in the other one.
struct Pair {
  size_t function[2];       // indices in the profiles; kNoFunction on the side that has none
  bool has_changed = false; // numbers of paths mean something else in the other profile
  bool is_program = false;
};

// Returns what the function's branches ask: if that has changed, the same edge is taken for another reason.
std::string conditions_of(const FunctionNotes &notes);

// Pair all functions, or all programs, in the order of B, then those that only A has.
std::vector<Pair> match_functions(const Profile &a, const Profile &b, const Names &names);
std::vector<Pair> match_programs(const Profile &a, const Profile &b, const Names &names);

} // namespace pathprof

#endif
