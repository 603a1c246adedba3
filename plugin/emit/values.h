// SPDX-License-Identifier: GPL-3.0-or-later
// Counts values for rebuilds (values=1). Include after plugin/gcc/gcc.h.
#ifndef PATHPROF_PLUGIN_EMIT_VALUES_H
#define PATHPROF_PLUGIN_EMIT_VALUES_H

#include <string>

#include "plugin/cfg/function.h"
#include "plugin/emit/unit.h"

namespace pathprof {

class ValueCounters {
public:
  ValueCounters(const PlannedFunction &function, const RuntimeFunctions &runtime)
      : function_(function), runtime_(runtime) {}

  // Inserts counting code before each statement whose values are recorded.
  void count_values() const;

  // Returns code that must be inserted at function entry. If the thread's last indirect call called this function, the
  // code reports the function to the runtime as the target of the call. Returns null if this function is never called
  // indirectly.
  gimple_seq tell_callee();

  // Makes the call to the runtime in the code of tell_callee() conditional: an inlined check tests whether the thread's
  // last indirect call called this function. Must be called after all other instrumentation has been inserted.
  void branch() const;

private:
  tree table(gimple_seq *seq) const;
  void count(gimple_seq *seq, const ValueSite &at, tree value) const;
  void note_call(gimple_seq *seq, const ValueSite &at) const;

  const PlannedFunction &function_;
  const RuntimeFunctions &runtime_;
  gcall *called_ = nullptr;
};

} // namespace pathprof

#endif
