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

// The current node in the forest of `cfun`. The node is kept in a local variable, so recursion and threads need no
// special treatment.
class ForestState {
public:
  // `forest` is the table head of the forest. `k` is the maximum number of paths in a sequence.
  ForestState(tree forest, uint64_t k, Update update);

  // Emits code that starts an activation at the root. `head` is the address of the forest or, with update=thread, of
  // this thread's copy.
  void begin(gimple_seq *seq, tree head);
  // Ends the path whose ID is `key` - 1.
  void emit(gimple_seq *seq, tree key, const RuntimeFunctions &runtime);

  // Makes the calls that emit() inserted conditional: if the current node's cache contains the successor for the path,
  // the runtime is not called. Must be called after all other instrumentation has been inserted, because blocks are
  // split. Dominance information is freed, and SSA form must be updated afterwards.
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
