// SPDX-License-Identifier: GPL-3.0-or-later
// Defines how instrumented code increments counters.
#ifndef PATHPROF_PLUGIN_OPTIONS_UPDATE_H
#define PATHPROF_PLUGIN_OPTIONS_UPDATE_H

namespace pathprof {

enum class Update {
  Single, // Non-atomic increments of shared counters; data races lose counts
  Atomic, // Atomic increments of counters that all threads share
  Thread, // Non-atomic increments of counters that belong to the thread
};

} // namespace pathprof

#endif
