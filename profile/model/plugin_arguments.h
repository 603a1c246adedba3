// SPDX-License-Identifier: GPL-3.0-or-later
// Describes the plugin's arguments, -fplugin-arg-pathprof-KEY=VALUE, for the plugin's error messages and for the help
// of `pathprof build`.
#ifndef PATHPROF_PROFILE_MODEL_PLUGIN_ARGUMENTS_H
#define PATHPROF_PROFILE_MODEL_PLUGIN_ARGUMENTS_H

#include <string>
#include <vector>

namespace pathprof {

struct PluginArgument {
  const char *key;
  const char *values;  // accepted values, for "expected ..."
  const char *initial; // default value, or empty if the argument has no default
  const char *summary; // what the argument does
};

// Returns the descriptions of all arguments, in the order in which the help lists them.
const std::vector<PluginArgument> &plugin_arguments();

// Returns the description of the argument `key`, which must exist.
const PluginArgument &plugin_argument(const std::string &key);

} // namespace pathprof

#endif
