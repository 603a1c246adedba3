// SPDX-License-Identifier: GPL-3.0-or-later
// Paths of source files, which identify them, and the names under which tools show them.
//
// A compiler that is started in two directories may call two files by one name (cd a && cc -c util.c; cd b && cc -c
// util.c), and one file by two names (util.h, ../a/util.h).  Therefore a file is identified by its path: the folder of
// compilation joined with the name.
#ifndef PATHPROF_PROFILE_MODEL_SOURCE_NAMES_H
#define PATHPROF_PROFILE_MODEL_SOURCE_NAMES_H

#include <memory>
#include <string>
#include <vector>

#include "profile/model/profile.h"

namespace pathprof {

// Returns true if `name` belongs to the folder of compilation.  Names such as "<built-in>" do not, but "<stdin>" does.
bool is_relative_source(const std::string &name);

// Joins `folder` and `name` lexically: "/tree/build" and "../node.c" are "/tree/node.c".  Returns the normalised name
// if it is absolute or if the folder is empty, that is, not known.
std::string path_of_source(const std::string &folder, const std::string &name);

// Returns true if `wanted` is the path or a number of its last components: "a/util.c" of "/tree/a/util.c".
bool is_end_of_path(const std::string &wanted, const std::string &path);

// Returns the number of components at the end that two paths have in common.
size_t num_common_at_end(const std::string &a, const std::string &b);

// Fills in UnitSources::paths, and UnitSources::files with names that are unique among the paths of all units.  A path
// keeps the shortest name under which it was compiled, unless another path has the same name.  Then both are named
// relative to the deepest directory that is common to all paths with that name, for example "a/util.c" and "b/util.c".
// If another path has the relative name, too, the whole path is the name.
void name_sources(std::vector<std::unique_ptr<UnitSources>> &units);

} // namespace pathprof

#endif
