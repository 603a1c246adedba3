// SPDX-License-Identifier: GPL-3.0-or-later
// Strict reading of the plugin's arguments.
#include "plugin/arguments.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>

#include <fnmatch.h>

#include "plugin/gcc.h"

namespace pathprof {

static bool matches_any(const std::vector<std::string> &globs, const char *assembler_name,
                        const char *printed_name, const char *file) {
  return std::any_of(globs.begin(), globs.end(), [&](const std::string &glob) {
    auto matches = [&](const char *text) { return fnmatch(glob.c_str(), text, 0) == 0; };
    return matches(assembler_name) || matches(printed_name) ||
           (file && (matches(file) || matches(lbasename(file))));
  });
}

bool Arguments::wants(const char *assembler_name, const char *printed_name,
                      const char *file) const {
  return (include.empty() || matches_any(include, assembler_name, printed_name, file)) &&
         !matches_any(exclude, assembler_name, printed_name, file);
}

namespace {

// One argument: how to read its value; false if the value is not accepted.
struct Rule {
  const char *accepted; // for the error message
  bool (*read)(Arguments &, const char *value);
};

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

// Globs are separated by commas.
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
  arguments.stage = strcmp(value, "early") == 0 ? Stage::Early : Stage::Source;
  return arguments.stage == Stage::Early || strcmp(value, "source") == 0;
}

bool read_overflow(Arguments &arguments, const char *value) {
  arguments.skip_on_overflow = strcmp(value, "skip") == 0;
  return arguments.skip_on_overflow || strcmp(value, "cut") == 0;
}

bool read_update(Arguments &arguments, const char *value) {
  static const std::map<std::string, Update> updates = {
      {"single", Update::Single}, {"atomic", Update::Atomic}, {"thread", Update::Thread}};
  auto update = updates.find(value);
  if (update != updates.end())
    arguments.update = update->second;
  return update != updates.end();
}

bool read_termination(Arguments &arguments, const char *value) {
  arguments.exact_termination = strcmp(value, "exact") == 0;
  return arguments.exact_termination || strcmp(value, "basic") == 0;
}

bool read_dump(Arguments &arguments, const char *value) {
  bool known = strncmp(value, "ipa-pathprof", 12) == 0 || strncmp(value, "tree-pathprof", 13) == 0;
  if (known)
    arguments.dumps.push_back(value);
  return known;
}

const std::map<std::string, Rule> &rules() {
  static const std::map<std::string, Rule> table = {
      {"mode", {"acyclic", [](Arguments &, const char *v) { return strcmp(v, "acyclic") == 0; }}},
      {"stage", {"source, early", read_stage}},
      {"array-max",
       {"a number from 0 to 1000000000",
        [](Arguments &a, const char *v) { return read_number(v, 0, 1000000000, a.array_max); }}},
      {"paths-max",
       {"a number from 1 to 4611686018427387903",
        [](Arguments &a, const char *v) {
          return read_number(v, 1, (uint64_t{1} << 62) - 1, a.paths_max);
        }}},
      {"overflow", {"cut, skip", read_overflow}},
      {"update", {"single, atomic, thread", read_update}},
      {"termination", {"basic, exact", read_termination}},
      {"verbose", {"0, 1", [](Arguments &a, const char *v) { return read_switch(v, a.verbose); }}},
      {"include",
       {"globs separated by commas",
        [](Arguments &a, const char *v) { return read_globs(v, a.include); }}},
      {"exclude",
       {"globs separated by commas",
        [](Arguments &a, const char *v) { return read_globs(v, a.exclude); }}},
      {"dump", {"ipa-pathprof, tree-pathprof, with the suffixes of -fdump-", read_dump}},
  };
  return table;
}

std::string known_arguments() {
  std::string list;
  for (const auto &[key, rule] : rules())
    list += (list.empty() ? "" : ", ") + key;
  return list;
}

// The values as they were given, in the order of the arguments.  GCC's own parser cuts a character off a
// value for each '=' in it; the option itself is whole.
std::vector<std::string> whole_values(const plugin_name_args &given) {
  std::vector<std::string> values;
  std::string prefix = std::string(given.base_name) + "-";
  for (unsigned i = 0; i < save_decoded_options_count; i++) {
    const cl_decoded_option &option = save_decoded_options[i];
    if (option.opt_index != OPT_fplugin_arg_ || !option.arg ||
        strncmp(option.arg, prefix.c_str(), prefix.size()) != 0)
      continue;
    const char *equals = strchr(option.arg, '=');
    values.push_back(equals ? equals + 1 : "");
  }
  values.resize(static_cast<size_t>(given.argc));
  return values;
}

} // namespace

bool parse_arguments(const plugin_name_args &given, Arguments &arguments) {
  arguments.stage = optimize ? Stage::Early : Stage::Source;
  std::vector<std::string> values = whole_values(given);
  for (int i = 0; i < given.argc; i++) {
    const char *key = given.argv[i].key;
    const char *value = given.argv[i].value ? values[static_cast<size_t>(i)].c_str() : nullptr;
    auto rule = rules().find(key);
    if (rule == rules().end()) {
      error("pathprof: unknown argument %qs; accepted are: %s", key, known_arguments().c_str());
      return false;
    }
    if (!value || !rule->second.read(arguments, value)) {
      error("pathprof: argument %qs does not accept %qs; accepted: %s", key, value ? value : "",
            rule->second.accepted);
      return false;
    }
  }
  return true;
}

} // namespace pathprof
