// SPDX-License-Identifier: GPL-3.0-or-later
// Indirect calls as tests for the functions that are probably called (Melski and Reps, TR 1382, 1998, section 9.2.3).
#ifndef PATHPROF_PLUGIN_INTERPROCEDURAL_CHAIN_H
#define PATHPROF_PLUGIN_INTERPROCEDURAL_CHAIN_H

#include <map>
#include <string>
#include <vector>

struct cgraph_node;
struct gcall;

namespace pathprof {

// The functions that an indirect call may be made to call by name: given ones that it can reach, as far as types
// tell.
class KnownTargets {
public:
  // At most so many for a call; one that may go to more is left alone.
  static constexpr size_t kMost = 4;

  explicit KnownTargets(std::vector<cgraph_node *> functions);

  // Of a call in the function, by name; none if they are too many.
  std::vector<cgraph_node *> of(cgraph_node *caller, gcall *call) const;

private:
  std::vector<cgraph_node *> functions_;
};

// Puts before each indirect call in `cfun`, the function's body, a test for each of its known targets, and a direct
// call where that holds.  What is called otherwise is called as before.
void chain_indirect_calls(cgraph_node *node, const KnownTargets &targets);

} // namespace pathprof

#endif
