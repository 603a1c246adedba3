// SPDX-License-Identifier: GPL-3.0-or-later
// An input profile that an argument of the plugin names.
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

// What an input profile knows of a function.
struct InputFunction {
  // A profile of several builds may have one function with several sets of cuts.  Their graphs are
  // alike, so that block and edge numbers are those of the function that was asked for.
  struct Variant {
    const Function *function; // its counted paths
    std::unique_ptr<Decoded> decoded;
  };
  std::vector<Variant> variants;
  const char *why_unknown = "";      // if there are none: "is not in", to be followed by the profile
  const Function *changed = nullptr; // if there are none: one that has another graph

  // Traversals of every edge, of all variants.  `estimate` as in core/analysis/edge_counts.h.
  std::vector<uint64_t> edge_counts(const std::vector<double> &estimate) const;
};

class InputProfile {
public:
  // Reads a profile with its raw files.  After a compiler error, which names argument and file,
  // null: where the profile cannot be read, is damaged, or was collected at other stages only (if a stage is given).
  static std::shared_ptr<const InputProfile> open(const std::string &argument, const std::string &file,
                                                  std::optional<Stage> stage);

  // Returns the function with this name, this graph (whatever its cuts) and this stage in the source file with this
  // path.  Emits a compiler error if the profile contradicts itself.
  InputFunction find(const FunctionNotes &notes, const std::string &path) const;

  // Returns the functions, of whatever graph, with this name in the source file with this path.  If there are none, the
  // program may have been built in another folder then: returns those in the file that has the most components at the
  // end of its path in common with `path`, at least its name, unless several files have as many.
  std::vector<const Function *> functions_of(const FunctionNotes &notes, const std::string &path) const;

  // Warns (-Wmissing-profile) where functions of the unit were looked for and none was there under its name.
  void warn_of_other_unit() const;

  // Whether any graph that the profile has of the function is of this mode, whose graph may differ from those of other
  // modes (plugin/cfg/function.h).
  bool has_mode(const FunctionNotes &notes, const std::string &path, Mode mode) const;

  // Runs of programs that the counts are from, at least one.
  uint64_t num_runs() const { return std::max<uint64_t>(profile_.runs, 1); }
  // Traversals of the edge that was traversed most often, of all functions and stages.  Decodes functions until no
  // other can have more.
  uint64_t most_traversals() const;

  // Whether it has values of any function (values=1).
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
  std::multimap<std::string, const Function *> by_path_; // by name_and_path
  std::multimap<std::string, const Function *> by_name_; // by assembler name
  mutable bool was_asked_ = false, knows_any_ = false;   // by `find`
};

// How a function's graph is another one than that of the profile: "it has 14 blocks and 20 edges, not 12 and 17"; and
// which compilers made the two, if they differ.
std::string difference(const FunctionNotes &now, const Function &then);

} // namespace pathprof

#endif
