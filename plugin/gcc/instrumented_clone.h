// SPDX-License-Identifier: GPL-3.0-or-later
// switch=1: an uninstrumented function whose instrumented body is a function of its own, a clone.
//
//     f:    cmpb $0, switched
//           jne  f.counted.0
//           the uninstrumented body
//
// Registers, stack and unwind information at the jump are those of the call of f, so each of the two saves the
// registers that it needs, where it needs them.  Two bodies in one function (plugin/cfg/body_versioning.h) share what
// GCC does at a function's beginning, but can be changed at back edges; so functions whose loops may run long have
// these.
#ifndef PATHPROF_PLUGIN_GCC_INSTRUMENTED_CLONE_H
#define PATHPROF_PLUGIN_GCC_INSTRUMENTED_CLONE_H

struct cgraph_node;
union tree_node;

namespace pathprof {

// Makes a version of the function with a copy of its body as it is now, which is `cfun`; null if it can have none.
// After GCC's last pass over GIMPLE: the version is to be compiled from there on.
cgraph_node *make_instrumented_clone(cgraph_node *node);

// As if it had not been made.
void remove_instrumented_clone(cgraph_node *version);

// The instrumented version of this function; null if there is none.
tree_node *instrumented_clone_of(tree_node *decl);

// The function that this one is the instrumented version of; null if it is none's.
tree_node *uninstrumented_original_of(tree_node *decl);

// The function that somebody wrote: the plain version of an instrumented one, and any other itself.
tree_node *source_function_of(tree_node *decl);

// Tells GCC that `cfun`, an instrumented version, hardly ever runs.  When all its code is in place.
void mark_clone_cold();

} // namespace pathprof

#endif
