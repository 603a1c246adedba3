// SPDX-License-Identifier: GPL-3.0-or-later
// Counting in a forest of path sequences (profile/format/abi.h): the node of an activation, and going on without a
// call.
#ifndef PATHPROF_PLUGIN_EMIT_FOREST_H
#define PATHPROF_PLUGIN_EMIT_FOREST_H

#include <cstdint>
#include <vector>

#include "plugin/options/arguments.h"
#include "plugin/emit/unit.h"

#include "plugin/gcc/gcc.h"

namespace pathprof {

// Where an activation of `cfun` is in its function's forest: a variable of the activation's own, so that recursion
// and threads need nothing.
class ForestState {
public:
  // `forest`: table head; `k`: the longest sequence.
  ForestState(tree forest, uint64_t k, Update update);

  // The activation begins: it is at the star.  `head` is the address of the forest, or of this thread's copy.
  void begin(gimple_seq *seq, tree head);
  // A path with this number + 1 ends.
  void emit(gimple_seq *seq, tree key, const RuntimeFunctions &runtime);

  // What emit asked the runtime for is done without a call where the node has a way of the path's.  Only after all
  // other code of the plugin is in place: this splits blocks.  Leaves no dominance information, and SSA form to
  // be updated.
  void check_cached_successors_first();

private:
  struct Emission {
    gcall *call;
    tree at, to; // nodes
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
