// SPDX-License-Identifier: GPL-3.0-or-later
// Emits statements that measure the cycles spent on paths (libpathrt/storage/cycles.h).
#ifndef PATHPROF_PLUGIN_EMIT_CLOCK_H
#define PATHPROF_PLUGIN_EMIT_CLOCK_H

union tree_node;
struct gimple;

namespace pathprof {

// The clock of an activation, which does not advance during calls. All events in a sequence of statements use the same
// reading of the clock.
class Clock {
public:
  Clock();

  // Begins a new sequence of statements, so that the next event reads the clock again.
  void begin_sequence() { time_stamp_ = now_ = nullptr; }

  // Emits the start of a path.
  void start(gimple **sequence);
  // Emits the start of the activation.
  void enter(gimple **sequence);
  // Emits code that computes the cycles spent on the path that ends here, and returns the result.
  tree_node *spent(gimple **sequence);
  // Emits the end of the activation.
  void leave(gimple **sequence);

private:
  void read(gimple **sequence);

  tree_node *start_;                // register: clock at the start of the path
  tree_node *entered_;              // register: clock at the start of the activation
  tree_node *time_stamp_ = nullptr; // time-stamp counter, if this sequence has read it
  tree_node *now_ = nullptr;        // clock, if this sequence has read it
};

} // namespace pathprof

#endif
