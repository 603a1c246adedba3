// SPDX-License-Identifier: GPL-3.0-or-later
// Calls that the runtime is told of before the program makes them.
#ifndef PATHPROF_PLUGIN_EMIT_ANNOUNCED_H
#define PATHPROF_PLUGIN_EMIT_ANNOUNCED_H

#include <utility>
#include <vector>

#include "plugin/emit/unit.h"

struct cgraph_node;
struct gimple;

namespace pathprof {

// The calls in the functions of a unit that the runtime is told of before they are made: of _exit, abort, exec and the
// like, before which it writes the counts, and of those by which a process may restrict its system calls.
class AnnouncedCalls {
public:
  explicit AnnouncedCalls(const RuntimeFunctions &runtime) : runtime_(runtime) {}
  // Looks through the function that is `cfun`.
  void find(cgraph_node *node);
  bool empty() const { return calls_.empty(); }
  // To be done when all counts are in place: those of a path that ends in such a call come before
  // it.  The caller brings SSA form up to date.
  void insert_announcements() const;

private:
  const RuntimeFunctions &runtime_;
  std::vector<std::pair<cgraph_node *, gimple *>> calls_;
};

} // namespace pathprof

#endif
