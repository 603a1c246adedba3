// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks, edges and calls of functions as JSON, and what is in paths of them.
#ifndef PATHPROF_PATHDUMP_DESCRIBE_FLOW_JSON_H
#define PATHPROF_PATHDUMP_DESCRIBE_FLOW_JSON_H

#include <cstddef>

#include "pathdump/ui/json.h"
#include "pathdump/ui/names.h"
#include "profile/model/profile.h"

namespace pathprof {

// {"id": 2, "stmts": 3, "lines": […], "inlined": […]}
Json block_json(const Function &function, int block, const Names &names);

// ["true", "back"]
Json flags_json(unsigned edge_flags);

// "prefix_len": so many of the path's blocks are context; "prefix_parts": where each part of it ends, if there are
// several.  Nothing where a path has no context.
// "passes": the contracted loops that the path passes, each with its "head" and the number of "blocks" before it.
void add_context(Json &json, const Path &path);
// The contracted loops that the path passes, as "passes" has them.
Json passages_json(const Path &path);

// The calls of a program's function; a step of a path names a call by its place in this list.
Json calls_json(const Function &function);
// The steps of a program's path, and calls between them; *prefix_len: how many of these are context.
Json steps_json(const Profile &profile, const InterproceduralUnit &program, const InterproceduralPath &path,
                size_t *prefix_len);

} // namespace pathprof

#endif
