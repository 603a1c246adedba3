// SPDX-License-Identifier: GPL-3.0-or-later
// How instrumented code increments counters.
#ifndef PATHPROF_PLUGIN_GCC_UPDATE_H
#define PATHPROF_PLUGIN_GCC_UPDATE_H

namespace pathprof {

enum class Update {
  Single, // plainly: races lose counts
  Atomic, // atomically, in memory that all threads share
  Thread, // plainly, in memory of the thread's own
};

} // namespace pathprof

#endif
