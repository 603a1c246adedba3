// SPDX-License-Identifier: GPL-3.0-or-later
// Changes the compilation options of individual functions.
#ifndef PATHPROF_PLUGIN_REBUILD_CHANGED_OPTIONS_H
#define PATHPROF_PLUGIN_REBUILD_CHANGED_OPTIONS_H

#include <functional>
#include <map>

#include "plugin/gcc/gcc.h"

namespace pathprof {

// A change of options, which is applied once to each distinct set of options (GCC's OPTIMIZATION_NODE). Use this class
// only between the compilation of two functions.
class ChangedOptions {
public:
  // `change` modifies the current options (GCC's global_options).
  explicit ChangedOptions(std::function<void()> change) : change_(std::move(change)) {}

  // Returns the set of options that results from applying the change to `options`. Afterwards, the unit's own options
  // are current.
  tree of(tree options);

private:
  std::function<void()> change_;
  std::map<tree, tree> changed_;
};

// Makes the unit's default options current. Functions without options of their own use these options.
void restore_default_options();

} // namespace pathprof

#endif
