// SPDX-License-Identifier: GPL-3.0-or-later
// Converts blocks, edges, calls and paths to JSON.
#ifndef PATHPROF_PATHDUMP_DESCRIBE_FLOW_JSON_H
#define PATHPROF_PATHDUMP_DESCRIBE_FLOW_JSON_H

#include <cstddef>

#include "pathdump/ui/json.h"
#include "pathdump/ui/names.h"
#include "profile/model/profile.h"

namespace pathprof {

// Returns a block as JSON: {"id": 2, "stmts": 3, "lines": […], "inlined": […]}.
Json block_json(const Function &function, int block, const Names &names);

// Returns the names of the flags of an edge, such as ["true", "back"].
Json flags_json(unsigned edge_flags);

// Adds "prefix_len" (the number of blocks in the context), "prefix_parts" (if the context has several parts, the end of
// each part) and "passes" (a list of the collapsed loops on the path). In this list, "head" is the loop header, and
// "blocks" is the number of blocks before the loop. Empty members are omitted.
void add_context(Json &json, const Path &path);
// Returns the collapsed loops on the path, in the format of the member "passes" that add_context() adds.
Json passages_json(const Path &path);

// Returns the calls in a function. Each step of an interprocedural path refers to a call by its index in this list.
Json calls_json(const Function &function);
// Returns the steps of an interprocedural path and the calls between them. Sets *prefix_len to the number of elements
// that belong to the path's context.
Json steps_json(const Profile &profile, const InterproceduralUnit &program, const InterproceduralPath &path,
                size_t *prefix_len);

} // namespace pathprof

#endif
