// SPDX-License-Identifier: GPL-3.0-or-later
// Counting in functions that have interesting paths (mode=preferential): those in slots, all others, which are
// residual, by the runtime.  Include after plugin/gcc/gcc.h.
#ifndef PATHPROF_PLUGIN_EMIT_RESIDUAL_H
#define PATHPROF_PLUGIN_EMIT_RESIDUAL_H

#include <vector>

#include "plugin/emit/counter_memory.h"
#include "plugin/emit/unit.h"

namespace pathprof {

class ResidualPaths {
public:
  // Declares what the runtime must know of the function, if it has to: where paths are counted beside slots, and where
  // it tells the program of residual paths.
  ResidualPaths(const PlannedFunction &function, const CounterMemory &memory, UnitVariables &variables,
                const RuntimeFunctions &runtime);

  bool is_runtime_told() const { return info_ != NULL_TREE; }

  // The path with this number ends, of a function without slots and array, or with an array.  `cache`: the table's
  // inline cache, if it has one.
  gcall *call(gimple_seq *seq, const Place &table, const Place &cache, tree sum, tree amount) const;

  // Of a function with slots: `sum` is what the path register has at the path's end.
  void count_sum(gimple_seq *seq, tree sum, tree amount);

  // Of a function with an array: the counter of a path that may be residual.
  void count_in_array(gimple_seq *seq, tree counter, tree amount);

  // Gives the calls of the runtime their branches.  Only after all other code of the plugin is in place.
  void branch();

private:
  struct ZeroCount {
    gcall *call;
    tree before, amount, counter;
  };

  void declare_keys(UnitVariables &variables);
  void look_at_slot(gcall *call);
  void look_at_zero(const ZeroCount &count);

  const PlannedFunction &function_;
  const CounterMemory &memory_;
  const RuntimeFunctions &runtime_;
  tree info_ = NULL_TREE; // address of the runtime's knowledge; none where it needs none
  tree keys_ = NULL_TREE; // address of the slots' keys
  uint64_t slot_mask_ = 0;
  std::vector<gcall *> slot_counts_;
  std::vector<ZeroCount> zero_counts_;
};

} // namespace pathprof

#endif
