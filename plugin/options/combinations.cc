// SPDX-License-Identifier: GPL-3.0-or-later
// Checks combinations of the plugin's arguments. A table lists the feature that a model must have for an argument. An
// argument that is not in the table works with all modes.
#include "plugin/options/combinations.h"

#include <algorithm>
#include <cstring>

#include "profile/model/plugin_arguments.h"

#include "plugin/gcc/gcc.h"

namespace pathprof {

namespace {

// A set of modes: the bitwise OR of 1 << mode for all modes in the set.
using Modes = unsigned;

constexpr Modes only(Mode mode) {
  return 1u << static_cast<unsigned>(mode);
}

Modes modes_with(Feature feature) {
  Modes modes = 0;
  for (const Model *model : all_models())
    if (model->has(feature))
      modes |= only(model->mode());
  return modes;
}

struct NeedOfArgument {
  const char *key;
  Feature feature;
  const char *neutral; // value with no effect, accepted in every mode; null if none
  // Returns true if a function's arguments request additional data, such as cycles. The function must then have a mode
  // that supports the data. `is_asked` is null if the argument only configures a mode. Such an argument is an error
  // only if no function has a suitable mode.
  bool (*is_asked)(const FunctionArguments &);
  const char *asking; // value that makes the request; if null, all values except `neutral`
};

bool asks(const NeedOfArgument &row, const std::string &value) {
  return row.asking ? value == row.asking : !row.neutral || value != row.neutral;
}

const NeedOfArgument needs_of_arguments[] = {
    {"k", Feature::Sequences, nullptr, [](const FunctionArguments &a) { return a.k == kAutomaticK; }, "auto"},
    {"k", Feature::K, nullptr, nullptr, nullptr},
    {"numbering", Feature::Numberings, nullptr, nullptr, nullptr},
    {"loops", Feature::LoopIterations, nullptr, nullptr, nullptr},
    {"paths-max", Feature::PathLimit, nullptr, nullptr, nullptr},
    {"hybrid", Feature::ThroughCalls, nullptr, nullptr, nullptr},
    {"recursion", Feature::ThroughCalls, nullptr, nullptr, nullptr},
    {"indirect", Feature::ThroughCalls, nullptr, nullptr, nullptr},
    {"wide", Feature::ThroughCalls, "0", nullptr, nullptr},
    {"interesting", Feature::InterestingPaths, nullptr, nullptr, nullptr},
    {"large-ids", Feature::InterestingPaths, nullptr, nullptr, nullptr},
    {"notify", Feature::InterestingPaths, "0", nullptr, nullptr},
    {"metric", Feature::Cycles, nullptr, [](const FunctionArguments &a) { return a.measures_cycles; }, "tsc"},
    {"switch", Feature::Switch, nullptr, [](const FunctionArguments &a) { return a.on_demand; }, "1"},
    {"values", Feature::Values, nullptr, [](const FunctionArguments &a) { return a.counts_values; }, "1"},
    {"termination", Feature::ExactTermination, nullptr, [](const FunctionArguments &a) { return a.exact_termination; },
     "exact"},
};

// Returns a list such as "'mode=a', 'mode=b' and 'mode=c'", with the compiler's quotation marks.
std::string list_of(Modes modes) {
  std::vector<std::string> words;
  for (int mode = 0; mode < kNumModes; mode++)
    if (modes & only(static_cast<Mode>(mode)))
      words.push_back(std::string(open_quote) + "mode=" + to_string(static_cast<Mode>(mode)) + close_quote);
  std::string list;
  for (size_t i = 0; i < words.size(); i++)
    list += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return list;
}

// Reports a conflict. `where` names the line of the scheme file that contains the setting, or is empty.
void refuse(unsigned location, const std::string &where, const Setting &setting, Modes accepted, Modes given) {
  error_at(location, "pathprof: %s%<%s=%s%> works only with %s, not with %s",
           where.empty() ? "" : (where + ": ").c_str(), setting.first.c_str(), setting.second.c_str(),
           list_of(accepted).c_str(), list_of(given).c_str());
}

// Returns a set that contains the mode that the settings select, or an empty set if they do not select a mode.
Modes modes_in(const std::vector<Setting> &settings) {
  Modes modes = 0;
  for (const auto &[key, value] : settings)
    for (int mode = 0; mode < kNumModes; mode++)
      if (key == "mode" && value == to_string(static_cast<Mode>(mode)))
        modes = only(static_cast<Mode>(mode)); // the last mode is effective
  return modes;
}

bool check_settings(const std::string &where, const std::vector<Setting> &settings, Modes possible) {
  for (const Setting &setting : settings)
    for (const NeedOfArgument &row : needs_of_arguments) {
      if (setting.first != row.key || !asks(row, setting.second) || (modes_with(row.feature) & possible))
        continue;
      refuse(UNKNOWN_LOCATION, where, setting, modes_with(row.feature), possible);
      return false;
    }
  return true;
}

// Checks that the arguments are compatible with the modes. If a line of the scheme file sets the mode, the other
// arguments on that line must work with that mode. All other arguments must work with at least one possible mode.
bool check_modes(const Arguments &arguments) {
  Modes possible = only(arguments.function.mode);
  for (const SchemeLine &line : arguments.scheme)
    possible |= modes_in(line.settings);
  if (!check_settings("", arguments.given, possible))
    return false;
  return std::all_of(arguments.scheme.begin(), arguments.scheme.end(), [&](const SchemeLine &line) {
    Modes own = modes_in(line.settings);
    return check_settings(line.where, line.settings, own ? own : possible);
  });
}

bool check_interesting(const Arguments &arguments) {
  bool is_missing = arguments.may_have(Mode::Preferential) && arguments.interesting_items.empty();
  if (is_missing)
    error("pathprof: %<mode=preferential%> requires argument %qs; possible values: %s", "interesting",
          plugin_argument("interesting").values);
  return !is_missing;
}

// Checks that the unit's stage supports a rebuild. At -O0, nothing is rebuilt and the default stage is not `early`, so
// the stage is checked only if it is explicit or if an interprocedural mode determines it.
bool check_stage_of_rebuild(const Arguments &arguments) {
  Mode mode = arguments.mode_through_calls();
  bool is_of_mode = !arguments.has_stage && is_interprocedural(mode);
  if (arguments.stage == Stage::Early || (leaves_profile_unused(arguments) && !arguments.has_stage && !is_of_mode))
    return true;
  error("pathprof: %<use=%s%> works only with %<stage=early%>, not with %<stage=%s%>%s%s", arguments.use_file.c_str(),
        to_string(arguments.stage), is_of_mode ? ", the stage of " : "", is_of_mode ? list_of(only(mode)).c_str() : "");
  return false;
}

bool check_rebuild(const Arguments &arguments) {
  if (arguments.use_file.empty() && arguments.has_rebuild) {
    error("pathprof: argument %<rebuild%> requires %<use=FILE%>");
    return false;
  }
  if (arguments.use_file.empty() || !will_plan_functions(arguments))
    return true;
  if (!check_stage_of_rebuild(arguments))
    return false;
  if (flag_branch_probabilities || flag_auto_profile) {
    error("pathprof: %<use=%s%> cannot be combined with %qs, because both provide execution counts",
          arguments.use_file.c_str(), flag_auto_profile ? "-fauto-profile" : "-fprofile-use");
    return false;
  }
  return true;
}

} // namespace

// Checks the restrictions on switch=1. Control can enter the instrumented body in the middle of a loop, so features
// that need a complete activation from entry to exit are not supported.
static bool check_switch(const FunctionArguments &arguments, Stage stage, unsigned location) {
  if (!arguments.on_demand)
    return true;
  if (stage == Stage::Source)
    error_at(location, "pathprof: %<switch=1%> works only with %<stage=early%> and %<stage=late%>, not with "
                       "%<stage=source%>");
  else if (arguments.exact_termination)
    error_at(location, "pathprof: %<switch=1%> works only with %<termination=basic%>, not with %<termination=exact%>");
  else if (arguments.measures_cycles)
    error_at(location, "pathprof: %<switch=1%> works only with %<metric=none%>, not with %<metric=tsc%>");
  else
    return true;
  return false;
}

// Checks the restrictions on values=1. Only rebuilds use values, and rebuilds require stage=early. Values cannot be
// counted in functions with two bodies (switch=1).
static bool check_values(const FunctionArguments &arguments, Stage stage, unsigned location) {
  if (!arguments.counts_values)
    return true;
  if (arguments.on_demand)
    error_at(location, "pathprof: %<values=1%> works only with %<switch=0%>, not with %<switch=1%>");
  else if (stage != Stage::Early)
    error_at(location, "pathprof: %<values=1%> works only with %<stage=early%>, not with %<stage=%s%>",
             to_string(stage));
  else
    return true;
  return false;
}

namespace {

// An argument that freestanding programs cannot use, because it requires the runtime or threads.
struct HostedArgument {
  const char *key;
  const char *value; // null if all values are rejected
  const char *remedy;
};

constexpr const char *kFreestandingModes = "use mode=acyclic, mode=kiter or mode=intracontext";
const HostedArgument hosted_arguments[] = {
    {"mode", "kipf", kFreestandingModes},
    {"mode", "context", kFreestandingModes},
    {"mode", "piecewise", kFreestandingModes},
    {"mode", "preferential", kFreestandingModes},
    {"update", "thread", "use update=single or update=atomic"},
    {"termination", "exact", "use termination=basic"},
    {"metric", "tsc", "use metric=none"},
    {"switch", "1", "use switch=0"},
    {"values", "1", "use values=0"},
    {"array-max", nullptr, "use paths-max to limit the size of the counter arrays"},
};

// Checks settings on the command line or, if `where` is not empty, on this line of the scheme file.
bool check_freestanding_settings(const std::string &where, const std::vector<Setting> &settings) {
  for (const auto &[key, value] : settings)
    for (const HostedArgument &row : hosted_arguments)
      if (key == row.key && (!row.value || value == row.value)) {
        error("pathprof: %s%<%s=%s%>: freestanding programs have no runtime for this argument; %s",
              where.empty() ? "" : (where + ": ").c_str(), key.c_str(), value.c_str(), row.remedy);
        return false;
      }
  return true;
}

// An atomic increment cannot saturate, and a store of a constant is atomic.
bool check_atomic(const FunctionArguments &arguments, unsigned location) {
  if (!arguments.is_freestanding || arguments.update != Update::Atomic)
    return true;
  if (arguments.counters != Counters::Bits64)
    error_at(location, "pathprof: %<update=atomic%>: works only with %<counters=64%>; use update=single");
  return arguments.counters == Counters::Bits64;
}

// With counters=bit, a path must be counted by a store of a constant. Paths across iterations are counted by adding a
// variable amount.
bool check_counters(const FunctionArguments &arguments, unsigned location) {
  if (arguments.counters == Counters::Bit && model_of(arguments.mode).has(Feature::LoopIterations))
    error_at(location, "pathprof: %<counters=bit%>: cannot record the paths of %<mode=%s%>; use counters=32",
             to_string(arguments.mode));
  else
    return check_atomic(arguments, location);
  return false;
}

bool check_target(const Arguments &arguments) {
  const FunctionArguments &function = arguments.function;
  if (!function.is_freestanding && function.counters != Counters::Bits64)
    error("pathprof: %<counters=%s%>: hosted programs have 64-bit counters; use target=freestanding or counters=64",
          function.counters == Counters::Bit ? "bit" : "32");
  else if (function.is_freestanding)
    return check_freestanding_settings("", arguments.given) &&
           std::all_of(arguments.scheme.begin(), arguments.scheme.end(),
                       [](const SchemeLine &line) { return check_freestanding_settings(line.where, line.settings); });
  else
    return true;
  return false;
}

} // namespace

bool check_combination(const FunctionArguments &arguments, Stage stage, unsigned location) {
#ifndef PATHPROF_HAS_TIME_STAMPS
  if (arguments.measures_cycles) {
    error_at(location,
             "pathprof: %<metric=tsc%> is not supported on this target, which has no clock that programs can read");
    return false;
  }
#endif
  const Model &model = model_of(arguments.mode);
  if (!model.has(Feature::Stages) && stage != Stage::Source) {
    error_at(location, "pathprof: %<mode=%s%> works only with %<stage=source%>, not with %<stage=%s%>", model.name(),
             to_string(stage));
    return false;
  }
  for (const NeedOfArgument &row : needs_of_arguments)
    if (row.is_asked && row.is_asked(arguments) && !model.has(row.feature)) {
      refuse(location, "", {row.key, row.asking}, modes_with(row.feature), only(arguments.mode));
      return false;
    }
  return check_switch(arguments, stage, location) && check_values(arguments, stage, location) &&
         check_counters(arguments, location);
}

// Checks the restriction on conditions=1. Conditions are available only at stage=source, immediately after the
// control-flow graph is built.
static bool check_conditions(const Arguments &arguments) {
  if (arguments.keeps_conditions && arguments.stage != Stage::Source)
    error("pathprof: %<conditions=1%> works only with %<stage=source%>, not with %<stage=%s%>",
          to_string(arguments.stage));
  return !arguments.keeps_conditions || arguments.stage == Stage::Source;
}

// Path IDs of 124 bits require integers of 128 bits.
static bool check_wide_numbers(const Arguments &arguments) {
  bool has_wide_integers = targetm.scalar_mode_supported_p(TImode);
  if (arguments.has_wide_numbers && !has_wide_integers)
    error("pathprof: %<wide=1%> is not supported on this target, because it has no integers of 128 bits");
  return !arguments.has_wide_numbers || has_wide_integers;
}

bool check_combinations(const Arguments &arguments) {
  return check_target(arguments) && check_wide_numbers(arguments) && check_conditions(arguments) &&
         check_modes(arguments) && check_combination(arguments.function, arguments.stage, UNKNOWN_LOCATION) &&
         check_rebuild(arguments) && check_interesting(arguments);
}

} // namespace pathprof
