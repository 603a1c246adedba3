// SPDX-License-Identifier: GPL-3.0-or-later
// Functions and programs as JSON: the schema of `pathdump export --format=json`, version 1.
#ifndef PATHPROF_PATHDUMP_EXPORT_JSON_H
#define PATHPROF_PATHDUMP_EXPORT_JSON_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "pathdump/model/costs.h"
#include "pathdump/describe/decisions.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/names.h"
#include "profile/model/profile.h"

namespace pathprof {

// What was measured of the paths of a function: null where nothing was; the function's index in the profile.
struct CostsOfFunction {
  const Costs *all;
  size_t function;
};

// Assembler names of functions by their numbers as values of indirect calls (profile/model/values.h).
using CalleeNames = std::map<int64_t, std::string>;
CalleeNames callee_names(const Profile &profile);

// A function with its executed paths: the text, because a program may have millions of paths.
std::string function_text(const Function &function, const Decoded &decoded, const CostsOfFunction &costs,
                          const CalleeNames &callees, PathFormatter &formatter);

// An element of "program_paths": the text, likewise.
std::string program_text(const Profile &profile, size_t index, const Costs *costs, PathFormatter &formatter);

// {"name": "g", "reason": "…"}
Json left_out_json(const Function &function);

} // namespace pathprof

#endif
