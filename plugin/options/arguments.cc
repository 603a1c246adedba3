// SPDX-License-Identifier: GPL-3.0-or-later
// Parses and validates the plugin's arguments.
#include "plugin/options/arguments.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include <fnmatch.h>

#include "plugin/options/interesting.h"
#include "profile/model/file.h"
#include "profile/model/plugin_arguments.h"
#include "profile/model/visible.h"

#include "plugin/gcc/compiler_target.h"
#include "plugin/gcc/file_table.h"
#include "plugin/gcc/gcc.h"

namespace pathprof {

const char *to_string(Update update) {
  return update == Update::Single ? "single" : update == Update::Atomic ? "atomic" : "thread";
}

static bool matches(const std::string &glob, const char *assembler_name, const char *printed_name, const char *file) {
  auto matches_text = [&](const char *text) { return fnmatch(glob.c_str(), text, 0) == 0; };
  return matches_text(assembler_name) || matches_text(printed_name) || (file && matches_source(glob, file));
}

bool Arguments::wants(const char *assembler_name, const char *printed_name, const char *file) const {
  auto matches_any = [&](const std::vector<std::string> &globs) {
    return std::any_of(globs.begin(), globs.end(),
                       [&](const std::string &glob) { return matches(glob, assembler_name, printed_name, file); });
  };
  return (include.empty() || matches_any(include)) && !matches_any(exclude);
}

namespace {

// Maps keys to functions that parse the value. A function returns false if the value is not accepted.
template <typename Target>
using Readers = std::map<std::string, bool (*)(Target &, const char *value)>;

bool read_number(const char *text, uint64_t low, uint64_t high, uint64_t &number) {
  if (!ISDIGIT(*text))
    return false;
  char *end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  number = value;
  return errno == 0 && *end == '\0' && value >= low && value <= high;
}

bool read_switch(const char *text, bool &flag) {
  flag = strcmp(text, "1") == 0;
  return flag || strcmp(text, "0") == 0;
}

// Reads a comma-separated list of globs.
bool read_globs(const char *text, std::vector<std::string> &globs) {
  std::string list = text;
  for (size_t start = 0, comma = 0; comma != std::string::npos; start = comma + 1) {
    comma = list.find(',', start);
    std::string glob = list.substr(start, comma == std::string::npos ? comma : comma - start);
    if (glob.empty())
      return false;
    globs.push_back(glob);
  }
  return true;
}

bool read_stage(Arguments &arguments, const char *value) {
  for (Stage stage : {Stage::Source, Stage::Early, Stage::Late})
    if (strcmp(value, to_string(stage)) == 0) {
      arguments.stage = stage;
      arguments.has_stage = true;
      return true;
    }
  return false;
}

bool read_target(Arguments &arguments, const char *value) {
  arguments.function.is_freestanding = strcmp(value, "freestanding") == 0;
  return arguments.function.is_freestanding || strcmp(value, "hosted") == 0;
}

bool read_counters(Arguments &arguments, const char *value) {
  static const std::pair<const char *, Counters> table[] = {
      {"64", Counters::Bits64}, {"32", Counters::Bits32}, {"bit", Counters::Bit}};
  for (auto [name, counters] : table)
    if (strcmp(value, name) == 0) {
      arguments.function.counters = counters;
      return true;
    }
  return false;
}

bool read_overflow(FunctionArguments &arguments, const char *value) {
  arguments.skip_on_overflow = strcmp(value, "skip") == 0;
  return arguments.skip_on_overflow || strcmp(value, "cut") == 0;
}

bool read_update(FunctionArguments &arguments, const char *value) {
  for (Update update : {Update::Single, Update::Atomic, Update::Thread})
    if (strcmp(value, to_string(update)) == 0) {
      arguments.update = update;
      return true;
    }
  return false;
}

bool read_termination(FunctionArguments &arguments, const char *value) {
  arguments.exact_termination = strcmp(value, "exact") == 0;
  arguments.keeps_tail_calls = !arguments.exact_termination;
  return arguments.exact_termination || strcmp(value, "basic") == 0;
}

bool read_metric(FunctionArguments &arguments, const char *value) {
  arguments.measures_cycles = strcmp(value, "tsc") == 0;
  return arguments.measures_cycles || strcmp(value, "none") == 0;
}

bool read_hybrid(Arguments &arguments, const char *value) {
  static const std::pair<const char *, Hybrid> table[] = {
      {"auto", Hybrid::Auto}, {"static", Hybrid::Static}, {"file", Hybrid::File},
      {"leaf", Hybrid::Leaf}, {"all", Hybrid::All},
  };
  for (auto [name, hybrid] : table)
    if (strcmp(value, name) == 0) {
      arguments.hybrid = hybrid;
      return true;
    }
  return false;
}

bool read_recursion(Arguments &arguments, const char *value) {
  arguments.splits_at_calls = strcmp(value, "split") == 0;
  return arguments.splits_at_calls || strcmp(value, "summary") == 0;
}

bool read_indirect(Arguments &arguments, const char *value) {
  arguments.chains_indirect_calls = strcmp(value, "chain") == 0;
  return arguments.chains_indirect_calls || strcmp(value, "cut") == 0;
}

bool read_dump(Arguments &arguments, const char *value) {
  bool known = strncmp(value, "ipa-pathprof", 12) == 0 || strncmp(value, "tree-pathprof", 13) == 0;
  if (known)
    arguments.dumps.push_back(value);
  return known;
}

// Reads a file name. Rejects "-", because standard input may be the source file.
bool read_file_name(const char *value, std::string &name) {
  name = value;
  return *value != '\0' && name != "-";
}

// Reads a comma-separated list of rebuild steps. The step `counts` is always applied, because the other steps depend on
// it.
bool read_rebuild(Arguments &arguments, const char *value) {
  std::vector<std::string> steps;
  if (!read_globs(value, steps))
    return false;
  arguments.has_rebuild = true;
  arguments.rebuild = {false, DispatchStep::Never, false};
  for (const std::string &step : steps) {
    arguments.rebuild.thread |= step == "thread";
    arguments.rebuild.raises_inline_limits |= step == "inline";
    if (step == "dispatch")
      arguments.rebuild.dispatch = DispatchStep::IfMuchIsForeseen;
    if (step != "counts" && step != "thread" && step != "dispatch" && step != "inline")
      return false;
  }
  return true;
}

bool read_mode(FunctionArguments &arguments, const char *value) {
  for (int mode = 0; mode < kNumModes; mode++)
    if (strcmp(value, to_string(static_cast<Mode>(mode))) == 0) {
      arguments.mode = static_cast<Mode>(mode);
      return true;
    }
  return false;
}

bool read_k(FunctionArguments &arguments, const char *value) {
  bool is_auto = strcmp(value, "auto") == 0;
  if (is_auto)
    arguments.k = kAutomaticK;
  return is_auto || read_number(value, 1, kMaxIterations, arguments.k);
}

bool read_numbering(FunctionArguments &arguments, const char *value) {
  arguments.numbering = strcmp(value, "paper") == 0 ? Numbering::Paper : Numbering::Register;
  return strcmp(value, to_string(arguments.numbering)) == 0;
}

bool read_large_ids(FunctionArguments &arguments, const char *value) {
  arguments.hashes_large_ids = strcmp(value, "hash") == 0;
  return arguments.hashes_large_ids || strcmp(value, "residual") == 0;
}

bool read_interesting(Arguments &arguments, const char *value) {
  InterestingItems ignored;
  arguments.interesting_items = value;
  return InterestingItems::read(value, ignored);
}

// Reads "LINE:K,LINE:K".
bool read_loops(FunctionArguments &arguments, const char *value) {
  arguments.loop_iterations.clear();
  std::istringstream list(value);
  for (std::string loop; std::getline(list, loop, ',');) {
    size_t colon = loop.find(':');
    uint64_t line, k;
    if (colon == std::string::npos || !read_number(loop.substr(0, colon).c_str(), 1, UINT32_MAX, line) ||
        !read_number(loop.c_str() + colon + 1, 1, kMaxIterations, k))
      return false;
    arguments.loop_iterations.push_back({static_cast<uint32_t>(line), static_cast<uint32_t>(k)});
  }
  return !arguments.loop_iterations.empty() && value[strlen(value) - 1] != ',';
}

bool read_array_max(FunctionArguments &arguments, const char *value) {
  bool is_valid = read_number(value, 0, 1000000000, arguments.array_max);
  arguments.program_array_max = arguments.array_max;
  return is_valid;
}

// Returns the readers of the arguments that can also be set in a scheme file.
const Readers<FunctionArguments> &function_readers() {
  using Target = FunctionArguments;
  static const Readers<Target> table = {
      {"mode", read_mode},
      {"k", read_k},
      {"numbering", read_numbering},
      {"loops", read_loops},
      {"array-max", read_array_max},
      {"paths-max", [](Target &a, const char *v) { return read_number(v, 1, (uint64_t{1} << 62) - 1, a.paths_max); }},
      {"large-ids", read_large_ids},
      {"overflow", read_overflow},
      {"notify", [](Target &a, const char *v) { return read_switch(v, a.notifies); }},
      {"switch", [](Target &a, const char *v) { return read_switch(v, a.on_demand); }},
      {"values", [](Target &a, const char *v) { return read_switch(v, a.counts_values); }},
      {"update", read_update},
      {"termination", read_termination},
      {"metric", read_metric},
      {"verbose", [](Target &a, const char *v) { return read_switch(v, a.verbose); }},
  };
  return table;
}

bool read_scheme(Arguments &arguments, const char *value);

const Readers<Arguments> &unit_readers() {
  using Target = Arguments;
  static const Readers<Target> table = {
      {"stage", read_stage},
      {"target", read_target},
      {"counters", read_counters},
      {"conditions", [](Target &a, const char *v) { return read_switch(v, a.keeps_conditions); }},
      {"hybrid", read_hybrid},
      {"recursion", read_recursion},
      {"indirect", read_indirect},
      {"wide", [](Target &a, const char *v) { return read_switch(v, a.has_wide_numbers); }},
      {"include", [](Target &a, const char *v) { return read_globs(v, a.include); }},
      {"exclude", [](Target &a, const char *v) { return read_globs(v, a.exclude); }},
      {"dump", read_dump},
      {"scheme", read_scheme},
      {"interesting", read_interesting},
      {"weights", [](Target &a, const char *v) { return read_file_name(v, a.weights_file); }},
      {"use", [](Target &a, const char *v) { return read_file_name(v, a.use_file); }},
      {"rebuild", read_rebuild},
  };
  return table;
}

// Returns the keys that `is_listed` accepts, in alphabetical order, separated by commas.
template <typename Predicate>
std::string keys_where(Predicate is_listed) {
  std::set<std::string> keys;
  for (const PluginArgument &argument : plugin_arguments())
    if (is_listed(argument.key))
      keys.insert(argument.key);
  std::string list;
  for (const std::string &key : keys)
    list += (list.empty() ? "" : ", ") + key;
  return list;
}

std::string known_arguments() {
  return keys_where([](const char *) { return true; });
}

std::string known_scheme_keys() {
  return keys_where([](const char *key) { return function_readers().count(key) != 0; });
}

// ---- the scheme file ----

// Returns true if the argument `key` can be set per function and accepts `value`. Otherwise, reports an error at
// `where`.
bool check_setting(const std::string &where, const std::string &key, const std::string &value) {
  auto reader = function_readers().find(key);
  FunctionArguments ignored;
  if (reader == function_readers().end())
    error("pathprof: %s: %qs cannot be set per function; expected one of %s", where.c_str(), visible(key).c_str(),
          known_scheme_keys().c_str());
  else if (!reader->second(ignored, value.c_str()))
    error("pathprof: %s: argument %qs: invalid value %qs; expected %s", where.c_str(), key.c_str(),
          visible(value).c_str(), plugin_argument(key).values);
  else
    return true;
  return false;
}

// Reads a line such as "GLOB KEY=VALUE KEY=VALUE". Reports an error and returns false if the line is invalid.
bool read_scheme_line(const std::string &where, const std::string &text, SchemeLine &line) {
  std::istringstream words(text);
  line.where = where;
  words >> line.glob;
  for (std::string word; words >> word;) {
    size_t equals = word.find('=');
    std::string key = word.substr(0, equals);
    std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (!check_setting(where, key, value))
      return false;
    line.settings.push_back({key, value});
  }
  if (line.settings.empty())
    error("pathprof: %s: %qs is not followed by KEY=VALUE", where.c_str(), visible(line.glob).c_str());
  return !line.settings.empty();
}

// Reads the scheme file. Returns true even after an error, because the error has already been reported.
bool read_scheme(Arguments &arguments, const char *name) {
  LoadError wrong;
  std::optional<TextFile> file = read_text_file(name, &wrong);
  if (!file) {
    error("pathprof: cannot read file %qs in argument %<scheme%>: %s", visible(name).c_str(), wrong.reason.c_str());
    return true;
  }
  arguments.scheme_file = name;
  std::istringstream lines(file->text);
  std::string text;
  for (int number = 1; std::getline(lines, text); number++) {
    size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string::npos || text[first] == '#')
      continue;
    SchemeLine line;
    if (!read_scheme_line(visible(name) + ":" + std::to_string(number), text, line))
      return true;
    arguments.scheme.push_back(line);
  }
  return true;
}

// Returns the values of all arguments in the order of the command line. The values are taken from the original options,
// because GCC's parser for plugin arguments drops characters from values that contain '='.
std::vector<std::string> whole_values(const plugin_name_args &given) {
  std::vector<std::string> values;
  std::string prefix = std::string(given.base_name) + "-";
  for (unsigned i = 0; i < save_decoded_options_count; i++) {
    const cl_decoded_option &option = save_decoded_options[i];
    if (option.opt_index != OPT_fplugin_arg_ || !option.arg || strncmp(option.arg, prefix.c_str(), prefix.size()) != 0)
      continue;
    const char *equals = strchr(option.arg, '=');
    values.push_back(equals ? equals + 1 : "");
  }
  values.resize(static_cast<size_t>(given.argc));
  return values;
}

// Reads an argument, and reports an error if its value is invalid. If there is no reader for `key`, returns false
// without an error.
template <typename Target>
bool read_argument(const Readers<Target> &readers, Target &target, const std::string &key, const char *value) {
  auto reader = readers.find(key);
  if (reader == readers.end())
    return false;
  if (!value || !reader->second(target, value))
    error("pathprof: argument %qs: invalid value %qs; expected %s", key.c_str(), visible(value ? value : "").c_str(),
          plugin_argument(key).values);
  return true;
}

} // namespace

static bool sets(const std::vector<Setting> &settings, const char *key) {
  return std::any_of(settings.begin(), settings.end(), [key](const Setting &setting) { return setting.first == key; });
}

// Returns true if the default is termination=exact. Profiles for coverage (stage=source or conditions=1) must be exact.
// Some modes cannot count truncated paths and support only termination=basic. Interprocedural modes with
// recursion=summary also default to termination=basic, because with exact termination, their paths could not step over
// calls. With target=freestanding, there is no runtime that could count truncated paths.
static bool is_exact_by_default(const FunctionArguments &arguments, const Arguments &all) {
  bool steps_over_calls = is_interprocedural(arguments.mode) && !all.splits_at_calls;
  if (arguments.is_freestanding)
    return false;
  bool serves_coverage = all.keeps_conditions || (all.stage == Stage::Source && !steps_over_calls);
  return serves_coverage && model_of(arguments.mode).has(Feature::ExactTermination);
}

FunctionArguments Arguments::of(const char *assembler_name, const char *printed_name, const char *file) const {
  FunctionArguments result = function;
  bool has_termination = sets(given, "termination");
  for (const SchemeLine &line : scheme)
    if (matches(line.glob, assembler_name, printed_name, file)) {
      has_termination |= sets(line.settings, "termination");
      for (const auto &[key, value] : line.settings)
        function_readers().at(key)(result, value.c_str());
    }
  if (!has_termination)
    result.exact_termination = is_exact_by_default(result, *this);
  return result;
}

bool Arguments::may_have(Mode mode) const {
  return function.mode == mode || std::any_of(scheme.begin(), scheme.end(), [mode](const SchemeLine &line) {
           return std::any_of(line.settings.begin(), line.settings.end(), [mode](const auto &setting) {
             return setting.first == "mode" && setting.second == to_string(mode);
           });
         });
}

Mode Arguments::mode_through_calls() const {
  FunctionArguments result = function;
  for (const SchemeLine &line : scheme)
    for (const auto &[key, value] : line.settings)
      if (key == "mode" && !is_interprocedural(result.mode))
        function_readers().at(key)(result, value.c_str());
  return is_interprocedural(result.mode) ? result.mode : function.mode;
}

bool is_link() {
  return strcmp(lang_hooks.name, "GNU GIMPLE") == 0;
}

bool will_plan_functions(const Arguments &arguments) {
  return !flag_preprocess_only && !flag_syntax_only &&
         (!is_link() || is_interprocedural(arguments.mode_through_calls()));
}

bool leaves_profile_unused(const Arguments &arguments) {
  return !arguments.use_file.empty() && !optimize;
}

// Sets the defaults of target=freestanding. Because the program has no runtime, all counters must be in arrays.
static void set_freestanding_defaults(Arguments &arguments) {
  if (!sets(arguments.given, "paths-max"))
    arguments.function.paths_max = PATHPROF_FREESTANDING_PATHS_MAX;
  if (!sets(arguments.given, "counters"))
    arguments.function.counters = Counters::Bits32;
  if (!sets(arguments.given, "array-max"))
    arguments.function.array_max = UINT64_MAX;
}

bool parse_arguments(const plugin_name_args &given, Arguments &arguments) {
  arguments.stage = optimize ? Stage::Early : Stage::Source;
  arguments.function.is_freestanding = !compiler_has_operating_system();
  std::vector<std::string> values = whole_values(given);
  for (int i = 0; i < given.argc; i++) {
    const char *key = given.argv[i].key;
    const char *value = given.argv[i].value ? values[static_cast<size_t>(i)].c_str() : nullptr;
    if (!read_argument(function_readers(), arguments.function, key, value) &&
        !read_argument(unit_readers(), arguments, key, value))
      error("pathprof: unknown argument %qs; expected one of %s", visible(key).c_str(), known_arguments().c_str());
    if (seen_error())
      return false;
    arguments.given.push_back({key, value});
  }
  if (!arguments.has_stage && (is_interprocedural(arguments.function.mode) || arguments.keeps_conditions))
    arguments.stage = Stage::Source;
  else if (!arguments.has_stage && arguments.function.on_demand)
    arguments.stage = Stage::Late; // the bodies are optimised before they are duplicated
  else if (!arguments.has_stage && arguments.function.counts_values)
    arguments.stage = Stage::Early;
  if (arguments.function.is_freestanding)
    set_freestanding_defaults(arguments);
  if (!sets(arguments.given, "termination"))
    arguments.function.exact_termination = is_exact_by_default(arguments.function, arguments);
  return true;
}

} // namespace pathprof
