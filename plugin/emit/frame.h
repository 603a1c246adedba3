// SPDX-License-Identifier: GPL-3.0-or-later
// The frame of an activation under exact termination (libpathrt): by it the runtime knows which path runs while a call
// is made at which the path may be cut short.  Include after plugin/gcc/gcc.h.
//
// Taking a place for it and giving it back are calls of the runtime until the function is optimised
// (plugin/emit/frame_place.h).
#ifndef PATHPROF_PLUGIN_EMIT_FRAME_H
#define PATHPROF_PLUGIN_EMIT_FRAME_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/plan/call_stores.h"
#include "plugin/cfg/function.h"
#include "plugin/emit/path_counters.h"
#include "plugin/emit/unit.h"

namespace pathprof {

// Whether activations that a block's predecessors called may have ended without leaving, by an exception or a jump.
enum class Arrival { Ordinary, Exception, Jump };
Arrival arrival_at(basic_block bb);

class ActivationFrame {
public:
  ActivationFrame(const PlannedFunction &function, UnitVariables &variables, const RuntimeFunctions &runtime);

  // In which blocks the activation has a frame: those where a path may be cut short, and between them.
  bool is_taken_in(int block) const { return is_taken_[static_cast<size_t>(block)]; }
  // Whether it is taken, or given back, behind the other statements on an edge of the flow graph.
  bool begins_on(int edge) const;
  bool ends_on(int edge) const;
  void enter(gimple_seq *seq, const PathCounters &counters);
  gimple_seq leave() const;
  // In a handler: activations that this one called may have ended without leaving.
  gimple_seq after_unwinding() const { return call(runtime_.unwound); }
  // Where abnormal edges arrive: so may have this activation's own path.
  gimple_seq after_jump() const { return call(runtime_.jumped); }

  // Puts what is stored before each call at which a path may be cut short before it.
  void note_calls(PathCounters &counters) const;
  // The path is counted.
  void note_count(gimple_seq *seq) const;

private:
  gimple_seq call(tree function) const;
  bool is_noted(const PossibleEnd &site) const;
  std::vector<int64_t> sums() const;
  bool has_few_borders(const std::vector<char> &set) const;
  std::vector<char> blocks_with_frame(const std::vector<char> &calls) const;
  void store(gimple_seq *seq, size_t offset, tree value) const;

  const PlannedFunction &function_;
  UnitVariables &variables_;
  const RuntimeFunctions &runtime_;
  tree frame_;
  std::vector<CallStore> stores_; // by block
  std::vector<char> is_taken_;    // by block
  tree_node *info_ = nullptr;     // address of the frame info
};

} // namespace pathprof

#endif
