// SPDX-License-Identifier: GPL-3.0-or-later
// Changes the compilation options of individual functions.
#ifndef PATHPROF_PLUGIN_REBUILD_CHANGED_OPTIONS_H
#define PATHPROF_PLUGIN_REBUILD_CHANGED_OPTIONS_H

#include <functional>
#include <map>

#include "plugin/gcc/gcc.h"

namespace pathprof {

// A change to compilation options, which is applied once to each distinct set of options (GCC's OPTIMIZATION_NODE). Use
// this class only while no function is being compiled.
class ChangedOptions {
public:
  // `change` modifies the current options (GCC's global_options).
  explicit ChangedOptions(std::function<void()> change) : change_(std::move(change)) {}

  // Returns `options` with the change applied. Afterwards, the unit's default options are in effect.
  tree of(tree options);

private:
  std::function<void()> change_;
  std::map<tree, tree> changed_;
};

// Makes the unit's default options current. These options apply to functions without their own options.
void restore_default_options();

} // namespace pathprof

#endif
