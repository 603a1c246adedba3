// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the uses of frames (termination=exact) in a function, including the frames of functions that were inlined into
// it.
#ifndef PATHPROF_PLUGIN_EMIT_FRAME_USES_H
#define PATHPROF_PLUGIN_EMIT_FRAME_USES_H

#include <cstddef>
#include <optional>
#include <vector>

#include "plugin/gcc/gcc.h"

namespace pathprof {

class FrameNames;

// Effect of a statement on frames. AllocateOther is the allocation of a frame that is not analysed, because code other
// than the instrumentation may also use it.
enum class FrameEffect { Read, Store, Allocate, Release, AllocateOther };

struct FrameEvent {
  gimple *statement;
  FrameEffect effect;
  size_t frame = 0; // frame of a Store, Allocate or Release; a Read may read any frame

  bool is_of_one() const { return effect != FrameEffect::Read && effect != FrameEffect::AllocateOther; }
};

// The frames (`pathprof_frame`) that a function and the functions inlined into it allocate, and the statements that use
// these frames. A frame is identified by a number. SSA names that are connected by PHIs and copies denote the same
// frame.
class FrameUses {
public:
  // Analyses `cfun`, which must be in SSA form. Only frames that are allocated by the calls `enters` and used
  // exclusively by instrumentation code are considered.
  explicit FrameUses(const std::vector<gcall *> &enters);

  size_t num_frames() const { return num_frames_; }

  // Returns the events in a block, in the order of its statements.
  const std::vector<FrameEvent> &events(basic_block bb) const { return events_[static_cast<size_t>(bb->index)]; }

private:
  std::optional<FrameEvent> event_of(FrameNames &names, gimple *statement) const;

  size_t num_frames_;
  std::vector<std::vector<FrameEvent>> events_; // indexed by block
};

// Returns the calls in `cfun` that allocate the frames to optimise. Returns no calls if `cfun` is not optimised, if it
// is optimised for size, or if it has so many frames that the analysis would need too much memory.
std::vector<gcall *> enters_to_look_at();

// Removes a statement that allocates a frame, stores to a frame, or releases a frame. SSA form must be updated
// afterwards.
void remove_frame_use(gimple *statement);

} // namespace pathprof

#endif
