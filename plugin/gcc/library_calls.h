// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of functions of the C and C++ libraries that the plugin knows by name.
#ifndef PATHPROF_PLUGIN_GCC_LIBRARY_CALLS_H
#define PATHPROF_PLUGIN_GCC_LIBRARY_CALLS_H

#include <initializer_list>

struct basic_block_def;
struct gimple;
union tree_node;

namespace pathprof {

// The library's function that is called, or null.  One that the program defines itself, or that is local to the unit,
// is not the library's.
tree_node *called_in_library(gimple *statement);

// The name in the library of a function that is called; empty without one.
const char *library_name(tree_node *decl);

// Whether it is one of these names.
bool has_library_name(tree_node *decl, std::initializer_list<const char *> names);

// Whether a call returns in the process that made it and in a copy of it: both go on from there, with one memory each.
// (The child of vfork borrows its parent's.)  daemon() is one whose parent ends inside.
bool is_fork(gimple *statement);

// The fork that a block ends in where it has one successor; null without one.
gimple *fork_at_end(basic_block_def *bb);

} // namespace pathprof

#endif
