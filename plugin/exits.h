// SPDX-License-Identifier: GPL-3.0-or-later
// Calls that end a process, or the program in it, without its exit handlers.
#ifndef PATHPROF_PLUGIN_EXITS_H
#define PATHPROF_PLUGIN_EXITS_H

#include <utility>
#include <vector>

#include "plugin/unit.h"

struct cgraph_node;
struct gimple;

namespace pathprof {

// Whether a call may put another program in the place of this one, and returns if it fails.
bool may_execute(gimple *statement);

// Whether control may not pass the statement, most often a call: it may end the program, exceptions and jumps may leave
// it, or it may execute another program.
bool may_not_return(gimple *statement);

// The calls of _exit, abort, exec and the like in the functions of a unit.  The runtime writes the
// counts before them.
class SuddenEnds {
public:
  // Looks through the function that is `cfun`.
  void find(cgraph_node *node);
  bool empty() const { return calls_.empty(); }
  // To be done when all counts are in place: those of a path that ends in such a call come before
  // it.  The caller brings SSA form up to date.
  void insert_flushes(const RuntimeFunctions &runtime) const;

private:
  std::vector<std::pair<cgraph_node *, gimple *>> calls_;
};

} // namespace pathprof

#endif
