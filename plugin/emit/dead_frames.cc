// SPDX-License-Identifier: GPL-3.0-or-later
// Removes frames that are never read. A frame exists for calls that may not return. If no such call is executed before
// the frame is released, the frame is dead: this is a liveness problem in which the variables are frames. A live frame
// keeps all of its stores, because another thread that ends the process may read the frame at any time.
#include "plugin/gcc/gcc.h"

#include "plugin/emit/dead_frames.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "plugin/emit/frame_uses.h"

namespace pathprof {

namespace {

class DeadFrames {
public:
  explicit DeadFrames(const std::vector<gcall *> &enters)
      : uses_(enters),
        live_in_(static_cast<size_t>(last_basic_block_for_fn(cfun)), std::vector<char>(uses_.num_frames())) {}

  void solve() {
    std::vector<int> order(live_in_.size());
    int number = post_order_compute(order.data(), false, false);
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (int i = 0; i < number; i++) {
        basic_block bb = BASIC_BLOCK_FOR_FN(cfun, order[static_cast<size_t>(i)]);
        std::vector<char> live = live_out(bb);
        go_back(bb, live, [](const FrameEvent &, bool) {});
        if (live == live_in_[index(bb)])
          continue;
        live_in_[index(bb)] = std::move(live);
        is_changed = true;
      }
    }
  }

  bool remove() {
    std::vector<char> is_needed(uses_.num_frames());
    std::vector<gimple *> dead;
    basic_block bb;
    FOR_EACH_BB_FN(bb, cfun) {
      std::vector<char> live = live_out(bb);
      go_back(bb, live, [&](const FrameEvent &event, bool is_live) {
        if (event.effect == FrameEffect::Allocate && is_live)
          is_needed[event.frame] = 1;
      });
    }
    FOR_EACH_BB_FN(bb, cfun)
      for (const FrameEvent &event : uses_.events(bb))
        if (event.is_of_one() && !is_needed[event.frame])
          dead.push_back(event.statement);
    for (gimple *statement : dead)
      remove_frame_use(statement);
    return !dead.empty();
  }

private:
  static size_t index(basic_block bb) { return static_cast<size_t>(bb->index); }

  // Returns the frames that are live at the end of a block. If control leaves the function at the end of the block, all
  // frames that have not been released are considered live.
  std::vector<char> live_out(basic_block bb) const {
    std::vector<char> live(uses_.num_frames());
    bool is_left = EDGE_COUNT(bb->succs) == 0;
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE(e, ei, bb->succs) {
      is_left |= e->dest == EXIT_BLOCK_PTR_FOR_FN(cfun);
      const std::vector<char> &in = live_in_[index(e->dest)];
      std::transform(in.begin(), in.end(), live.begin(), live.begin(), std::bit_or<>());
    }
    if (is_left)
      std::fill(live.begin(), live.end(), 1);
    return live;
  }

  // On entry, `live` contains the frames that are live at the end of a block. On return, it contains the frames that
  // are live at the start of the block. Calls `visit` with each event in the block and a flag that is true if the
  // event's frame is live after the event.
  template <typename Visit>
  void go_back(basic_block bb, std::vector<char> &live, Visit visit) const {
    const std::vector<FrameEvent> &events = uses_.events(bb);
    for (auto event = events.rbegin(); event != events.rend(); ++event) {
      if (event->effect == FrameEffect::Read)
        std::fill(live.begin(), live.end(), 1);
      if (!event->is_of_one())
        continue;
      visit(*event, live[event->frame]);
      if (event->effect != FrameEffect::Store)
        live[event->frame] = 0;
    }
  }

  FrameUses uses_;
  std::vector<std::vector<char>> live_in_; // indexed by block
};

} // namespace

bool remove_dead_frames() {
  std::vector<gcall *> enters = enters_to_look_at();
  if (enters.empty())
    return false;
  DeadFrames frames(enters);
  frames.solve();
  return frames.remove();
}

} // namespace pathprof
