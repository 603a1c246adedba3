// SPDX-License-Identifier: GPL-3.0-or-later
// Emits the counting code of functions with interesting paths (mode=preferential). Interesting paths are counted in
// slots; the runtime counts the residual paths. Include after plugin/gcc/gcc.h.
#ifndef PATHPROF_PLUGIN_EMIT_RESIDUAL_H
#define PATHPROF_PLUGIN_EMIT_RESIDUAL_H

#include <vector>

#include "plugin/emit/counter_memory.h"
#include "plugin/emit/unit.h"

namespace pathprof {

class ResidualPaths {
public:
  // Declares the function's ResidualInfo if the function has slots or if the runtime notifies the program of residual
  // paths. Otherwise, the runtime does not need this description.
  ResidualPaths(const PlannedFunction &function, const CounterMemory &memory, UnitVariables &variables,
                const RuntimeFunctions &runtime);

  bool is_runtime_told() const { return info_ != NULL_TREE; }

  // Emits a call that counts a path in `table`, and returns this call. `sum` is the value of the path register at the
  // end of the path. `cache` is the table's inline cache, if any.
  gcall *call(gimple_seq *seq, const Place &table, const Place &cache, tree sum, tree amount) const;

  // Counts a path of a function with slots. `sum` is the value of the path register at the end of the path.
  void count_sum(gimple_seq *seq, tree sum, tree amount);

  // Increments the counter of a path in a function with array storage. The path may be residual.
  void count_in_array(gimple_seq *seq, tree counter, tree amount);

  // Inlines the common case of calls to the runtime. Must be called after all other instrumentation has been inserted.
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
  tree info_ = NULL_TREE; // address of the residual info, or null if the runtime needs none
  tree keys_ = NULL_TREE; // address of the array of keys
  uint64_t slot_mask_ = 0;
  std::vector<gcall *> slot_counts_;
  std::vector<ZeroCount> zero_counts_;
};

} // namespace pathprof

#endif
