// SPDX-License-Identifier: GPL-3.0-or-later
// What a model must have for an argument stands in one table; an argument that is not in it goes with all modes.
#include "plugin/options/combinations.h"

#include <algorithm>
#include <cstring>

#include "plugin/options/interesting.h"

#include "plugin/gcc/gcc.h"

namespace pathprof {

namespace {

// A set of modes: bit 1 << mode.
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
  const char *neutral; // the value that asks for nothing, and so goes with every mode; null if there is none
  // Whether a function asks for what the argument adds to every mode's counts: then each function that has the argument
  // must have such a mode.  Null of an argument that says how a mode does its work: functions of another mode
  // have no use for it, and it is wrong only if no function has such a mode.
  bool (*is_asked)(const FunctionArguments &);
  const char *asking; // the only value that asks for it; null: each but the neutral one does
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

// "'mode=a', 'mode=b' and 'mode=c'", in the compiler's quotes.
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

// `where`: empty, or the line of a scheme file.
void refuse(unsigned location, const std::string &where, const Setting &setting, Modes accepted, Modes given) {
  error_at(location, "pathprof: %s%<%s=%s%> works with %s only, not with %s",
           where.empty() ? "" : (where + ": ").c_str(), setting.first.c_str(), setting.second.c_str(),
           list_of(accepted).c_str(), list_of(given).c_str());
}

// The modes that a line of the scheme file or the command line gives; 0 if it says nothing of modes.
Modes modes_in(const std::vector<Setting> &settings) {
  Modes modes = 0;
  for (const auto &[key, value] : settings)
    for (int mode = 0; mode < kNumModes; mode++)
      if (key == "mode" && value == to_string(static_cast<Mode>(mode)))
        modes = only(static_cast<Mode>(mode)); // the last one counts
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

// A line that gives a mode speaks of that; what else is set may be for functions of any mode.
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
    error("pathprof: %<mode=preferential%> needs argument %qs, which is not given; accepted: %s", "interesting",
          InterestingItems::accepted());
  return !is_missing;
}

// The stage of a rebuild is that of the unit, or at -O0, where the default is another one and nothing is rebuilt, the
// one that was asked for.
bool check_stage_of_rebuild(const Arguments &arguments) {
  Mode mode = arguments.mode_through_calls();
  bool is_of_mode = !arguments.has_stage && is_interprocedural(mode);
  if (arguments.stage == Stage::Early || (leaves_profile_unused(arguments) && !arguments.has_stage && !is_of_mode))
    return true;
  error("pathprof: %<use=%s%> works with %<stage=early%> only, not with %<stage=%s%>%s%s", arguments.use_file.c_str(),
        to_string(arguments.stage), is_of_mode ? ", which is that of " : "",
        is_of_mode ? list_of(only(mode)).c_str() : "");
  return false;
}

bool check_rebuild(const Arguments &arguments) {
  if (arguments.use_file.empty() && arguments.has_rebuild) {
    error("pathprof: argument %<rebuild%> works with %<use=FILE%> only, which is not given");
    return false;
  }
  if (arguments.use_file.empty() || !will_plan_functions(arguments))
    return true;
  if (!check_stage_of_rebuild(arguments))
    return false;
  if (flag_branch_probabilities || flag_auto_profile) {
    error("pathprof: %<use=%s%> does not go with %qs: both say how often blocks run", arguments.use_file.c_str(),
          flag_auto_profile ? "-fauto-profile" : "-fprofile-use");
    return false;
  }
  return true;
}

} // namespace

// What belongs to an activation from its entry to its end goes with no body that control enters in a loop.
static bool check_switch(const FunctionArguments &arguments, Stage stage, unsigned location) {
  if (!arguments.on_demand)
    return true;
  if (stage == Stage::Source)
    error_at(location, "pathprof: %<switch=1%> works with %<stage=early%> and %<stage=late%> only, not with "
                       "%<stage=source%>");
  else if (arguments.exact_termination)
    error_at(location, "pathprof: %<switch=1%> works with %<termination=basic%> only, not with %<termination=exact%>");
  else if (arguments.measures_cycles)
    error_at(location, "pathprof: %<switch=1%> works with %<metric=none%> only, not with %<metric=tsc%>");
  else
    return true;
  return false;
}

// Values are for rebuilds, which are at that stage, and are counted at statements of one body.
static bool check_values(const FunctionArguments &arguments, Stage stage, unsigned location) {
  if (!arguments.counts_values)
    return true;
  if (arguments.on_demand)
    error_at(location, "pathprof: %<values=1%> works with %<switch=0%> only, not with %<switch=1%>");
  else if (stage != Stage::Early)
    error_at(location, "pathprof: %<values=1%> works with %<stage=early%> only, not with %<stage=%s%>",
             to_string(stage));
  else
    return true;
  return false;
}

bool check_combination(const FunctionArguments &arguments, Stage stage, unsigned location) {
  const Model &model = model_of(arguments.mode);
  if (!model.has(Feature::Stages) && stage != Stage::Source) {
    error_at(location, "pathprof: %<mode=%s%> works with %<stage=source%> only, not with %<stage=%s%>", model.name(),
             to_string(stage));
    return false;
  }
  for (const NeedOfArgument &row : needs_of_arguments)
    if (row.is_asked && row.is_asked(arguments) && !model.has(row.feature)) {
      refuse(location, "", {row.key, row.asking}, modes_with(row.feature), only(arguments.mode));
      return false;
    }
  return check_switch(arguments, stage, location) && check_values(arguments, stage, location);
}

// Conditions are known on the graph just built only.
static bool check_conditions(const Arguments &arguments) {
  if (arguments.keeps_conditions && arguments.stage != Stage::Source)
    error("pathprof: %<conditions=1%> works with %<stage=source%> only, not with %<stage=%s%>",
          to_string(arguments.stage));
  return !arguments.keeps_conditions || arguments.stage == Stage::Source;
}

bool check_combinations(const Arguments &arguments) {
  return check_conditions(arguments) && check_modes(arguments) &&
         check_combination(arguments.function, arguments.stage, UNKNOWN_LOCATION) && check_rebuild(arguments) &&
         check_interesting(arguments);
}

} // namespace pathprof
