// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the instrumented body of a function into a separate function, a clone (switch=1).
//
//     f:    cmpb $0, switched
//           jne  f.counted.0
//           the uninstrumented body
//
// At the jump, registers, stack and unwind information are the same as at the entry of f. Therefore, each body saves
// only the registers that it needs. Two bodies in one function (plugin/cfg/body_versioning.h) share GCC's prologue, but
// control can move between them at back edges. Functions with long-running loops therefore have two bodies instead of a
// clone.
#ifndef PATHPROF_PLUGIN_GCC_INSTRUMENTED_CLONE_H
#define PATHPROF_PLUGIN_GCC_INSTRUMENTED_CLONE_H

struct cgraph_node;
union tree_node;

namespace pathprof {

// Creates a clone of the function with a copy of its current body, which must be `cfun`. Returns null if the function
// cannot be cloned. Must be called after GCC's last GIMPLE pass, because no GIMPLE passes are executed for the clone.
cgraph_node *make_instrumented_clone(cgraph_node *node);

// Removes a clone and all references to it.
void remove_instrumented_clone(cgraph_node *version);

// Returns the instrumented clone of the function, or null.
tree_node *instrumented_clone_of(tree_node *decl);

// Returns the original function of an instrumented clone, or null for any other function.
tree_node *uninstrumented_original_of(tree_node *decl);

// If the function is an instrumented clone, returns the original function. Otherwise returns the function itself.
tree_node *source_function_of(tree_node *decl);

// Marks `cfun`, an instrumented clone, as never executed, so that GCC treats it as cold. Must be called after all code
// has been added to the clone.
void mark_clone_cold();

} // namespace pathprof

#endif
