// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that are to be compiled with other options than the user has asked for.
#ifndef PATHPROF_PLUGIN_REBUILD_CHANGED_OPTIONS_H
#define PATHPROF_PLUGIN_REBUILD_CHANGED_OPTIONS_H

#include <functional>
#include <map>

#include "plugin/gcc/gcc.h"

namespace pathprof {

// A change of options, made once for each set of them that functions have (GCC's OPTIMIZATION_NODEs).  To be used
// between two functions.
class ChangedOptions {
public:
  // change: of the options that are current, GCC's global_options.
  explicit ChangedOptions(std::function<void()> change) : change_(std::move(change)) {}

  // The set that the change makes of this one.  The unit's own are current afterwards.
  tree of(tree options);

private:
  std::function<void()> change_;
  std::map<tree, tree> changed_;
};

// Makes the options current that functions have unless they say something else.
void restore_default_options();

} // namespace pathprof

#endif
