// SPDX-License-Identifier: GPL-3.0-or-later
// Functions as JSON: the schema of `pathdump export --format=json`, version 1.
#ifndef PATHPROF_PATHDUMP_JSON_H
#define PATHPROF_PATHDUMP_JSON_H

#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

#include "pathdump/common.h"

namespace pathprof {

using Json = nlohmann::ordered_json;

// A number, or a string where a double could not hold it.
Json count_json(uint64_t count);

// {"id": 2, "stmts": 3, "lines": […], "inlined": […]}
Json block_json(const Function &function, int block, const Names &names);

// ["true", "back"]
Json flags_json(unsigned edge_flags);

// "prefix_len": so many of the path's blocks are context; "prefix_parts": where each part of it ends, if there are
// several.  Nothing where a path has no context.
// "passes": the collapsed loops that the path passes, each with its "head" and the number of "blocks" before it.
void add_context(Json &json, const Path &path);

// A function with its executed paths: the text, because a program may have millions of paths.
std::string function_text(const Function &function, const Decoded &decoded, const Names &names);

// The calls of a program's function; a step of a path names a call by its place in this list.
Json calls_json(const Function &function);
// The steps of a program's path, and calls between them; *prefix_len: how many of these are context.
Json steps_json(const Profile &profile, const Program &program, const ProgramPath &path, size_t *prefix_len);
// An element of "program_paths": the text, likewise.
std::string program_text(const Profile &profile, size_t index, const Names &names);

// {"name": "g", "reason": "…"}
Json left_out_json(const Function &function);

// One line.  Bytes that are not UTF-8 are replaced: names come from object files.
std::string dump(const Json &json);
// For people: several lines.
std::string dump_indented(const Json &json);

} // namespace pathprof

#endif
