// SPDX-License-Identifier: GPL-3.0-or-later
// Converts indirect calls into tests for their probable targets and direct calls (Melski and Reps, TR 1382, 1998,
// section 9.2.3).
#ifndef PATHPROF_PLUGIN_INTERPROCEDURAL_CHAIN_H
#define PATHPROF_PLUGIN_INTERPROCEDURAL_CHAIN_H

#include <map>
#include <string>
#include <vector>

struct cgraph_node;
struct gcall;

namespace pathprof {

// Candidate targets for indirect calls. The type of a call or, for a virtual call, the class hierarchy determines which
// candidates the call can reach.
class KnownTargets {
public:
  // Maximum number of targets per call. Calls with more targets are left unchanged.
  static constexpr size_t kMost = 4;

  explicit KnownTargets(std::vector<cgraph_node *> functions);

  // Returns the possible targets of `call` in `caller`, sorted by name, or an empty list if there are more than kMost.
  std::vector<cgraph_node *> of(cgraph_node *caller, gcall *call) const;

private:
  std::vector<cgraph_node *> functions_;
};

// Inserts tests and direct calls for the known targets of all indirect calls in `cfun`, the body of `node`. The
// original calls handle all other targets.
void chain_indirect_calls(cgraph_node *node, const KnownTargets &targets);

} // namespace pathprof

#endif
