// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the plugin's arguments and the profiles that they name.
#include "plugin/options/read.h"

#include <memory>
#include <optional>
#include <string>

#include "plugin/options/combinations.h"
#include "plugin/options/input_profile.h"
#include "plugin/options/interesting.h"

#include "plugin/gcc/gcc.h"

namespace pathprof {

namespace {

// Returns the stage at which input profiles must have been collected, or nothing if the profiles are checked but not
// used.
std::optional<Stage> stage_of_profiles(const Arguments &arguments) {
  return leaves_profile_unused(arguments) ? std::nullopt : std::make_optional(arguments.stage);
}

// Opens the profile that an argument names. Reports an error and returns false if the file cannot be used. Returns true
// if `file` is empty.
bool open_input_profile(const char *argument, const std::string &file, const Arguments &arguments,
                        std::shared_ptr<const InputProfile> &profile) {
  if (!file.empty())
    profile = InputProfile::open(argument, file, stage_of_profiles(arguments));
  return file.empty() || profile;
}

// Opens the files that the `interesting` argument names. Reports an error and returns false if a file cannot be used.
bool open_interesting_paths(Arguments &arguments) {
  if (arguments.interesting_items.empty())
    return true;
  InterestingItems items;
  InterestingItems::read(arguments.interesting_items.c_str(), items);
  arguments.interesting = InterestingPaths::open(items, stage_of_profiles(arguments));
  return arguments.interesting != nullptr;
}

// Opens all input profiles. Call this function after the value of `stage` is final. An unreadable file is an error even
// if it would not be used.
bool open_input_profiles(Arguments &arguments) {
  if (!will_plan_functions(arguments))
    return true;
  if (!open_input_profile("weights", arguments.weights_file, arguments, arguments.weights) ||
      !open_input_profile("use", arguments.use_file, arguments, arguments.use) || !open_interesting_paths(arguments))
    return false;
  if (leaves_profile_unused(arguments)) {
    inform(UNKNOWN_LOCATION, "pathprof: %<use=%s%> has no effect at %<-O0%>, because nothing is optimised",
           arguments.use_file.c_str());
    arguments.use = nullptr;
  }
  return true;
}

} // namespace

bool read_arguments(const plugin_name_args &given, Arguments &arguments) {
  return parse_arguments(given, arguments) && check_combinations(arguments) && open_input_profiles(arguments);
}

} // namespace pathprof
