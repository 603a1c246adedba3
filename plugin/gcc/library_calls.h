// SPDX-License-Identifier: GPL-3.0-or-later
// Recognizes calls of functions of the C and C++ libraries by name.
#ifndef PATHPROF_PLUGIN_GCC_LIBRARY_CALLS_H
#define PATHPROF_PLUGIN_GCC_LIBRARY_CALLS_H

#include <initializer_list>

struct basic_block_def;
struct gimple;
union tree_node;

namespace pathprof {

// Returns the library function that the statement calls, or null. Functions that the program defines or that are local
// to the unit are not library functions.
tree_node *called_in_library(gimple *statement);

// Returns the assembler name of a library function, or an empty string.
const char *library_name(tree_node *decl);

// Returns true if the function has one of these names.
bool has_library_name(tree_node *decl, std::initializer_list<const char *> names);

// Returns true if the call returns in the calling process and in a copy of it that has separate memory. The child of
// vfork shares its parent's memory, so that vfork is excluded. daemon() is included, although its parent process ends
// inside the call.
bool is_fork(gimple *statement);

// Returns the fork at the end of a block with a single successor, or null.
gimple *fork_at_end(basic_block_def *bb);

} // namespace pathprof

#endif
