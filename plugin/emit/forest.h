// SPDX-License-Identifier: GPL-3.0-or-later
// Emits the code that counts path sequences in a forest (profile/format/abi.h), and inlines the common case.
#ifndef PATHPROF_PLUGIN_EMIT_FOREST_H
#define PATHPROF_PLUGIN_EMIT_FOREST_H

#include <cstdint>
#include <vector>

#include "plugin/options/arguments.h"
#include "plugin/emit/unit.h"

#include "plugin/gcc/gcc.h"

namespace pathprof {

// The current node of an activation of `cfun` in its function's forest. The node is a local variable, so recursion and
// threads need no special treatment.
class ForestState {
public:
  // `forest` is the table head; `k` is the maximum length of a sequence.
  ForestState(tree forest, uint64_t k, Update update);

  // Starts an activation at the root. `head` is the address of the forest, or of this thread's copy.
  void begin(gimple_seq *seq, tree head);
  // Ends the path whose ID is `key` - 1.
  void emit(gimple_seq *seq, tree key, const RuntimeFunctions &runtime);

  // Inlines the common case of the calls that emit() inserted: if the current node has cached the path's successor, no
  // call is made. Call this after all other code of the plugin has been inserted, because it splits blocks. Dominance
  // information is freed, and SSA form must be updated afterwards.
  void check_cached_successors_first();

private:
  struct Emission {
    gcall *call;
    tree at, to; // current and next node
  };

  void look_first(const Emission &emission);

  uint64_t k_;
  Update update_;
  tree head_;
  tree state_;
  bool in_memory_;
  std::vector<Emission> emissions_;
};

} // namespace pathprof

#endif
