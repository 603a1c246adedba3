// SPDX-License-Identifier: GPL-3.0-or-later
// Counting values (values=1).  Include after plugin/gcc/gcc.h.
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

  // Before each statement that computes or uses a value, counts it.
  void count_values() const;

  // What the function does first where it may be called indirectly: tells the runtime who was called, if the thread's
  // last indirect call called it.  Null elsewhere.
  gimple_seq tell_callee();

  // Only after all other code of the plugin is in place.
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
