// SPDX-License-Identifier: GPL-3.0-or-later
// The frame of an activation (termination=exact, libpathrt). From the frame, the runtime determines the path that is
// active during a call at which the path may be truncated. Include after plugin/gcc/gcc.h.
//
// Frames are allocated and released by calls of the runtime until the function is optimised
// (plugin/emit/frame_allocation.h).
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

// The ways in which control can enter a block. If control enters through an exception or a nonlocal jump such as
// longjmp, callees may have ended without releasing their frames.
enum class Arrival { Ordinary, Exception, Jump };
Arrival arrival_at(basic_block bb);

class ActivationFrame {
public:
  ActivationFrame(const PlannedFunction &function, UnitVariables &variables, const RuntimeFunctions &runtime);

  // Returns true if the activation has a frame (`pathprof_frame`) while the block is executed. This is the case for
  // each block in which a path may be truncated, and for each block on a path from one such block to another.
  bool is_taken_in(int block) const { return is_taken_[static_cast<size_t>(block)]; }
  // Return true if the frame is allocated or released on this edge of the flow graph. The frame is allocated or
  // released after the other statements on the edge.
  bool begins_on(int edge) const;
  bool ends_on(int edge) const;
  void enter(gimple_seq *seq, const PathCounters &counters);
  gimple_seq leave() const;
  // Returns the call to insert at the start of an exception handler. The call is needed because callees may have ended
  // without releasing their frames.
  gimple_seq after_unwinding() const { return call(runtime_.unwound); }
  // Returns the call to insert at the target of an abnormal edge. A jump to this target may have ended the current path
  // of this activation, in addition to activations of callees.
  gimple_seq after_jump() const { return call(runtime_.jumped); }

  // Inserts stores to the frame before each call at which a path may be truncated.
  void note_calls(PathCounters &counters) const;
  // Marks the current path as counted.
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
  std::vector<CallStore> stores_; // indexed by block
  std::vector<char> is_taken_;    // indexed by block
  tree_node *info_ = nullptr;     // address of the frame info
};

} // namespace pathprof

#endif
