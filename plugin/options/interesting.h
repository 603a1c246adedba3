// SPDX-License-Identifier: GPL-3.0-or-later
// Selects interesting paths (mode=preferential): the paths that the `interesting` argument names, and the paths through
// code with the pathprof_interesting attribute.
#ifndef PATHPROF_PLUGIN_OPTIONS_INTERESTING_H
#define PATHPROF_PLUGIN_OPTIONS_INTERESTING_H

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/numbering/numbering.h"
#include "plugin/options/input_profile.h"
#include "plugin/gcc/file_table.h"
#include "profile/model/notes.h"

namespace pathprof {

// The parsed value of the `interesting` argument, which is a comma-separated list of items. The files that the items
// name have not been read yet.
struct InterestingItems {
  struct File {
    std::string name;            // name of a profile or of a list of path IDs
    std::optional<double> share; // with FILE@SHARE: only the hottest paths, up to this share of the execution cost
  };
  struct Lines {
    std::string source; // glob over file names as the compiler has them, or over their last components
    uint32_t first, last;
  };
  std::vector<File> files;
  std::vector<Lines> lines;

  // Parses `text` into `items`. Returns false if `text` is not a valid list of items.
  static bool read(const char *text, InterestingItems &items);
};

class InterestingPaths {
public:
  // Reads the files. If a file cannot be read or is damaged, is neither a profile nor a list, or contains only paths of
  // another stage or kind, emits a compiler error that names the argument and the file, and returns null.
  static std::shared_ptr<const InterestingPaths> open(const InterestingItems &items, std::optional<Stage> stage);

  // The paths that the input profiles contain for one function.
  struct Known {
    std::vector<InterestingPath> paths; // paths in the profiles
    bool has_cuts = false;              // the graph now has the truncation points of the profile, so IDs match
  };
  // Returns the paths that the profiles contain for the function. Copies the truncation points that the function has in
  // the profiles to `notes.graph`. `path` is the path of the function's source file. Warns at the declaration of `cfun`
  // if the function has a different graph in a profile. With `verbose`, also reports the profiles that do not contain
  // the function.
  Known find(FunctionNotes &notes, const std::string &path, bool verbose) const;
  // Warns about each profile that contains no functions of this unit (plugin/options/input_profile.h).
  void warn_of_other_units() const;

  // Returns the interesting paths of a function, sorted by ID: the `known` paths from profiles, the paths in lists of
  // path IDs, and the paths through marked code. Warns if a listed ID does not exist or if too many paths go through
  // marked code.
  std::vector<InterestingPath> choose(const FunctionNotes &notes, const FileTable &files,
                                      const PathNumbering &numbering, const PathGraph &paths, const Known &known) const;

private:
  struct FromProfile {
    std::shared_ptr<const InputProfile> profile;
    bool only_hot = false;
    std::map<const Function *, std::set<uint64_t>> hot;
  };
  struct Range {
    uint64_t first, last;
  };
  struct FromList {
    std::string where; // file and line
    std::string name;  // name of a function, or FILE:NAME
    std::vector<Range> ranges;
  };

  bool read_list(const std::string &name);
  bool read_list_line(const std::string &where, const std::string &text);
  void choose_hot(FromProfile &from, double share) const;
  bool use(const FromProfile &from, const InputFunction &function, FunctionNotes &notes, Known &known) const;
  void add_listed(const FunctionNotes &notes, const std::string &path, std::map<uint64_t, uint64_t> &chosen) const;

  std::vector<FromProfile> profiles_;
  std::vector<FromList> listed_;
  std::vector<InterestingItems::Lines> lines_;
};

// Registers the pathprof_interesting attribute with the compiler. Call this function once.
void register_attribute(const char *plugin_name);

} // namespace pathprof

#endif
