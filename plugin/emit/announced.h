// SPDX-License-Identifier: GPL-3.0-or-later
// Inserts calls that notify the runtime before the program calls _exit, abort, exec, seccomp_load or similar functions.
#ifndef PATHPROF_PLUGIN_EMIT_ANNOUNCED_H
#define PATHPROF_PLUGIN_EMIT_ANNOUNCED_H

#include <utility>
#include <vector>

#include "plugin/emit/unit.h"

struct cgraph_node;
struct gimple;

namespace pathprof {

// Inserts calls to the runtime before certain calls in a unit's functions. Before _exit, abort, exec and similar calls,
// the runtime writes the counts. Before calls that may restrict the system calls of the process, the runtime prepares
// for the restriction.
class AnnouncedCalls {
public:
  explicit AnnouncedCalls(const RuntimeFunctions &runtime) : runtime_(runtime) {}
  // Finds the calls in `cfun`, the body of `node`, that require a preceding call to the runtime.
  void find(cgraph_node *node);
  bool empty() const { return calls_.empty(); }
  // Inserts a call to the runtime before each call found by find(). Must be called after all counting code has been
  // inserted, because a path that ends in such a call must be counted before the runtime writes the counts. The caller
  // must update SSA form.
  void insert_announcements() const;

private:
  const RuntimeFunctions &runtime_;
  std::vector<std::pair<cgraph_node *, gimple *>> calls_;
};

} // namespace pathprof

#endif
