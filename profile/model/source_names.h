// SPDX-License-Identifier: GPL-3.0-or-later
// Determines the paths of source files, which identify the files, and their display names.
//
// A compiler that is started in two directories can use the same name for two files (cd a && cc -c util.c; cd b && cc
// -c util.c), and two names for the same file (util.h, ../a/util.h).  Therefore, a file is identified by its path: the
// compilation directory joined with the name.
#ifndef PATHPROF_PROFILE_MODEL_SOURCE_NAMES_H
#define PATHPROF_PROFILE_MODEL_SOURCE_NAMES_H

#include <memory>
#include <string>
#include <vector>

#include "profile/model/profile.h"

namespace pathprof {

// Returns true if `name` is relative to the compilation directory.  The name "<stdin>" is relative, but names such as
// "<built-in>" are not.
bool is_relative_source(const std::string &name);

// Joins `folder` and `name` lexically: "/tree/build" and "../node.c" give "/tree/node.c".  Returns the normalized name
// if it is absolute or if `folder` is empty (unknown).
std::string path_of_source(const std::string &folder, const std::string &name);

// Returns true if `wanted` consists of one or more trailing components of the path, such as "a/util.c" in
// "/tree/a/util.c".
bool is_end_of_path(const std::string &wanted, const std::string &path);

// Returns the number of trailing components that two paths have in common.
size_t num_common_at_end(const std::string &a, const std::string &b);

// Sets UnitSources::paths, and sets UnitSources::files to names that are unique in the profile.  The name of a file is
// the shortest name under which it was compiled.  If several files have the same shortest name, their names are
// relative to their deepest common directory, for example "a/util.c" and "b/util.c".  If a relative name is not unique
// either, the full path is used.
void name_sources(std::vector<std::unique_ptr<UnitSources>> &units);

} // namespace pathprof

#endif
