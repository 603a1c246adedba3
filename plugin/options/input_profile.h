// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a profile that an argument of the plugin names.
#ifndef PATHPROF_PLUGIN_OPTIONS_INPUT_PROFILE_H
#define PATHPROF_PLUGIN_OPTIONS_INPUT_PROFILE_H

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "profile/model/profile.h"

namespace pathprof {

// The data of a function in an input profile.
struct InputFunction {
  // A profile of several builds may contain a function with several sets of truncation points. The graphs of these
  // variants are equal, so block and edge numbers match the function that was looked up.
  struct Variant {
    const Function *function; // the function with its counts
    std::unique_ptr<Decoded> decoded;
  };
  std::vector<Variant> variants;
  const char *why_unknown = "";      // reason if there are no variants; precedes the profile's name
  const Function *changed = nullptr; // function with a different graph, if there are no variants

  // Returns the number of traversals of every edge, summed over all variants. `estimate` is described in
  // core/analysis/edge_counts.h.
  std::vector<uint64_t> edge_counts(const std::vector<double> &estimate) const;
};

class InputProfile {
public:
  // Reads a profile and its raw files. Returns null after a compiler error that names the argument and the file if the
  // profile cannot be read or is damaged. If `stage` is given, also returns null if the profile was collected only at
  // other stages.
  static std::shared_ptr<const InputProfile> open(const std::string &argument, const std::string &file,
                                                  std::optional<Stage> stage);

  // Returns the function with this name, graph (ignoring truncation points) and stage in the source file with this
  // path. Emits a compiler error if the profile contradicts itself.
  InputFunction find(const FunctionNotes &notes, const std::string &path) const;

  // Returns all functions with this name in the source file with this path, whatever their graphs. If there are none,
  // the program may have been built in another directory. In this case, returns the functions in the file whose path
  // has the most trailing components in common with `path`, at least the file name, unless several files qualify.
  std::vector<const Function *> functions_of(const FunctionNotes &notes, const std::string &path) const;

  // Warns (-Wmissing-profile) if functions of the unit were looked up and the profile contains none of them.
  void warn_of_other_unit() const;

  // Returns true if the profile contains the function in this mode. The graph of a function may differ between modes
  // (plugin/cfg/function.h).
  bool has_mode(const FunctionNotes &notes, const std::string &path, Mode mode) const;

  // Returns the number of program runs in the profile, at least 1.
  uint64_t num_runs() const { return std::max<uint64_t>(profile_.runs, 1); }
  // Returns the highest edge count of all functions and stages. Stops decoding functions when no remaining function can
  // exceed the maximum.
  uint64_t most_traversals() const;

  // Returns true if the profile contains values of any function (values=1).
  bool has_values() const;

  const std::string &argument() const { return argument_; }
  const std::string &name() const { return file_; }
  const std::vector<Function> &functions() const { return profile_.functions; }

  InputProfile(const InputProfile &) = delete;
  InputProfile &operator=(const InputProfile &) = delete;

private:
  InputProfile(const std::string &argument, const std::string &file, Profile profile);
  bool has_stage(Stage stage) const;
  std::unique_ptr<Decoded> decode(const Function &function) const;

  std::string argument_;
  std::string file_;
  Profile profile_;
  std::multimap<std::string, const Function *> by_path_; // keyed by name_and_path
  std::multimap<std::string, const Function *> by_name_; // keyed by assembler name
  mutable bool was_asked_ = false, knows_any_ = false;   // set by find()
};

// Describes how the graph of a function differs from its graph in the profile, such as "14 blocks and 20 edges, not 12
// and 17". Also names the two compilers if their versions differ.
std::string difference(const FunctionNotes &now, const Function &then);

} // namespace pathprof

#endif
