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
  // A variant of the function. A profile merged from several builds can contain variants with different truncation
  // points. Apart from these points, the graphs are identical, so block and edge numbers match the function that was
  // looked up.
  struct Variant {
    const Function *function; // the function with its counts
    std::unique_ptr<Decoded> decoded;
  };
  std::vector<Variant> variants;
  const char *why_unknown = "";      // reason if there are no variants; precedes the profile's name
  const Function *changed = nullptr; // function with a different graph, if there are no variants

  // Returns the number of traversals of each edge, summed over all variants. `estimate` is described in
  // core/analysis/edge_counts.h.
  std::vector<uint64_t> edge_counts(const std::vector<double> &estimate) const;
};

class InputProfile {
public:
  // Reads a profile and its raw files. If the profile cannot be read, is damaged, or was collected only at stages other
  // than `stage` (if given), emits a compiler error that names the argument and the file, and returns null.
  static std::shared_ptr<const InputProfile> open(const std::string &argument, const std::string &file,
                                                  std::optional<Stage> stage);

  // Looks up a function by its name, graph (ignoring truncation points), stage and source file. `path` is the path of
  // the source file. Emits a compiler error if the profile is inconsistent.
  InputFunction find(const FunctionNotes &notes, const std::string &path) const;

  // Returns all functions with this name in the source file `path`, regardless of their graphs. If there are none, the
  // program may have been built in another directory. In this case, uses the source file that shares the most trailing
  // path components with `path`, unless its file name differs or several files match equally well.
  std::vector<const Function *> functions_of(const FunctionNotes &notes, const std::string &path) const;

  // Warns (-Wmissing-profile) if functions of the unit were looked up but the profile contains none of these functions.
  void warn_of_other_unit() const;

  // Returns true if the profile contains the function with this mode. A function can have different graphs in different
  // modes (plugin/cfg/function.h).
  bool has_mode(const FunctionNotes &notes, const std::string &path, Mode mode) const;

  // Returns the number of program runs in the profile, at least 1.
  uint64_t num_runs() const { return std::max<uint64_t>(profile_.runs, 1); }
  // Returns the highest edge count in the profile. Stops decoding functions when no remaining function can exceed the
  // maximum so far.
  uint64_t most_traversals() const;

  // Returns true if any function in the profile has values (values=1).
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

// Returns a description of the first difference between the function's graph and its graph in the profile, such as "14
// blocks and 20 edges, but 12 blocks and 17 edges in the profile". Also names the two compiler versions if they differ.
std::string difference(const FunctionNotes &now, const Function &then);

} // namespace pathprof

#endif
