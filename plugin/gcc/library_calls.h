// SPDX-License-Identifier: GPL-3.0-or-later
// Recognizes calls of functions of the C and C++ libraries by name.
#ifndef PATHPROF_PLUGIN_GCC_LIBRARY_CALLS_H
#define PATHPROF_PLUGIN_GCC_LIBRARY_CALLS_H

#include <initializer_list>

struct basic_block_def;
struct gimple;
union tree_node;

namespace pathprof {

// Returns the library function that the statement calls, or null. Functions that are local to the unit or defined by
// the program are not library functions.
tree_node *called_in_library(gimple *statement);

// Returns the assembler name of a library function, or an empty string if the function has no assembler name.
const char *library_name(tree_node *decl);

// Returns true if the function's assembler name is one of these names.
bool has_library_name(tree_node *decl, std::initializer_list<const char *> names);

// Returns true if paths end before the call, so that they are counted before it. This is the case if the call creates a
// copy of the process with separate memory, but not for vfork, because the child shares the memory of its parent. Also
// returns true for daemon(), even though the parent process ends inside the call, and for pathrt_write(), which writes
// the counters of a freestanding program.
bool is_fork(gimple *statement);

// If the block has a single successor and ends in a call for which is_fork() returns true, returns this call. Returns
// null otherwise.
gimple *fork_at_end(basic_block_def *bb);

} // namespace pathprof

#endif
