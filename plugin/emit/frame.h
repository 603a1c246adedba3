// SPDX-License-Identifier: GPL-3.0-or-later
// The frame of an activation under exact termination (libpathrt): by it the runtime knows which path runs while a call
// is made at which the path may be cut short.  Include after plugin/gcc/gcc.h.
#ifndef PATHPROF_PLUGIN_EMIT_FRAME_H
#define PATHPROF_PLUGIN_EMIT_FRAME_H

#include <cstddef>
#include <cstdint>

#include "plugin/cfg/function.h"
#include "plugin/emit/unit.h"

namespace pathprof {

class ActivationFrame {
public:
  ActivationFrame(const PlannedFunction &function, UnitVariables &variables, const RuntimeFunctions &runtime)
      : function_(function), variables_(variables), runtime_(runtime),
        frame_(create_tmp_reg(ptr_type_node, "pathframe")) {}

  // The activation begins.  The path register holds `base` + (sum << `shift`).
  void enter(gimple_seq *seq, tree base, uint64_t shift) const;
  // It ends.
  gimple_seq leave() const { return call(runtime_.leave); }
  // In a handler: activations that this one called may have ended without leaving.
  gimple_seq after_unwinding() const { return call(runtime_.unwound); }
  // Where abnormal edges arrive: so may have this activation's own path.
  gimple_seq after_jump() const { return call(runtime_.jumped); }

  // Before a call at which a path may be cut short; `path_register` is a word.
  void note_call(gimple_seq *seq, tree path_register, uint64_t place) const;
  // The path is counted.
  void note_count(gimple_seq *seq) const;

private:
  gimple_seq call(tree function) const;
  void store(gimple_seq *seq, size_t offset, tree value) const;

  const PlannedFunction &function_;
  UnitVariables &variables_;
  const RuntimeFunctions &runtime_;
  tree frame_;
};

} // namespace pathprof

#endif
