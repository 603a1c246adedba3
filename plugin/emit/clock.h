// SPDX-License-Identifier: GPL-3.0-or-later
// Statements that measure the cycles spent on paths (libpathrt/storage/cycles.h).
#ifndef PATHPROF_PLUGIN_EMIT_CLOCK_H
#define PATHPROF_PLUGIN_EMIT_CLOCK_H

union tree_node;
struct gimple;

namespace pathprof {

// The clock of an activation: what has passed without what its callees took.  All that is done in one sequence
// of statements happens at one time.
class Clock {
public:
  Clock();

  // What follows goes to another sequence, or is to happen at another time.
  void begin_sequence() { time_stamp_ = now_ = nullptr; }

  // A path starts.
  void start(gimple **sequence);
  // So does the activation.
  void enter(gimple **sequence);
  // The cycles of the path that ends.
  tree_node *spent(gimple **sequence);
  // The activation ends.
  void leave(gimple **sequence);

private:
  void read(gimple **sequence);

  tree_node *start_;                // register: the clock when the path began
  tree_node *entered_;              // register: when the activation began
  tree_node *time_stamp_ = nullptr; // the processor's counter, in this sequence
  tree_node *now_ = nullptr;        // the clock
};

} // namespace pathprof

#endif
