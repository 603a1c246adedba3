// SPDX-License-Identifier: GPL-3.0-or-later
// What a function does with its frames (exact termination), and with those of functions that were inlined into it.
#ifndef PATHPROF_PLUGIN_EMIT_FRAME_USES_H
#define PATHPROF_PLUGIN_EMIT_FRAME_USES_H

#include <cstddef>
#include <optional>
#include <vector>

#include "plugin/gcc/gcc.h"

namespace pathprof {

class FrameNames;

// Another frame is one that is taken, and may be used in other ways than these.
enum class FrameEffect { Read, Store, Take, GiveBack, TakeOther };

struct FrameEvent {
  gimple *statement;
  FrameEffect effect;
  size_t frame = 0; // of stores, and of what takes and gives back: reads may be of every frame

  bool is_of_one() const { return effect != FrameEffect::Read && effect != FrameEffect::TakeOther; }
};

// Frames are numbered.  What has one number is all that the names of one value have in common that are joined where
// ways meet.
class FrameUses {
public:
  // In `cfun`, in SSA form: of frames that these calls take, and that are used in no other ways than the plugin does.
  explicit FrameUses(const std::vector<gcall *> &enters);

  size_t num_frames() const { return num_frames_; }

  // In the order of a block's statements.
  const std::vector<FrameEvent> &events(basic_block bb) const { return events_[static_cast<size_t>(bb->index)]; }

private:
  std::optional<FrameEvent> event_of(FrameNames &names, gimple *statement) const;

  size_t num_frames_;
  std::vector<std::vector<FrameEvent>> events_; // by block
};

// The calls of `cfun` that take frames.  None where it is not optimised, or for size; nor where they are so many that
// what is known of each frame at each block would take too much memory: then all frames stay where they are.
std::vector<gcall *> enters_to_look_at();

// Takes a statement out that takes, stores to or gives back a frame.  To be followed by an update of SSA form.
void remove_frame_use(gimple *statement);

} // namespace pathprof

#endif
