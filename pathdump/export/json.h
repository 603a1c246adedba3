// SPDX-License-Identifier: GPL-3.0-or-later
// Serializes functions and interprocedural units in the JSON schema of `pathdump export --format=json`, version 1.
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

// Measured costs of a function's paths. `all` is null if no costs were measured. `function` is the index of the
// function in the profile.
struct CostsOfFunction {
  const Costs *all;
  size_t function;
};

// Maps the numbers that identify callees of indirect calls (profile/model/values.h) to assembler names.
using CalleeNames = std::map<int64_t, std::string>;
CalleeNames callee_names(const Profile &profile);

// Returns a function and its executed paths as JSON text.  The result is not a tree of JSON objects, because such a
// tree would need too much memory for millions of paths.
std::string function_text(const Function &function, const Decoded &decoded, const CostsOfFunction &costs,
                          const CalleeNames &callees, PathFormatter &formatter);

// Returns an element of "program_paths" (an interprocedural unit and its executed paths) as JSON text.
std::string program_text(const Profile &profile, size_t index, const Costs *costs, PathFormatter &formatter);

// Returns {"name": "g", "reason": "…"} for a function whose paths are not counted.
Json left_out_json(const Function &function);

} // namespace pathprof

#endif
