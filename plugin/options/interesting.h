// SPDX-License-Identifier: GPL-3.0-or-later
// Selects interesting paths (mode=preferential): the paths that the argument `interesting` names, and the paths through
// code that has the attribute pathprof_interesting.
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

// The parsed value of the argument, a list of items separated by commas. The files that the value names have not been
// read yet.
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

  static const char *accepted();
  // Returns false if the text is not a valid list of items.
  static bool read(const char *text, InterestingItems &items);
};

class InterestingPaths {
public:
  // Reads the files. Returns null after a compiler error that names the argument and the file if a file cannot be read,
  // is neither a profile nor a list, is damaged, or contains only paths of another stage or kind.
  static std::shared_ptr<const InterestingPaths> open(const InterestingItems &items, std::optional<Stage> stage);

  // The paths of a function in the profiles. The graph of the function contains the truncation points that all models
  // share.
  struct Known {
    std::vector<InterestingPath> paths; // paths in the profiles
    bool has_cuts = false;              // the graph now has the truncation points of the profile, so IDs match
  };
  // Returns the paths of a function in the profiles. `path` is the path of the function's source file. Warns at the
  // declaration of `cfun` if the function has a different graph in a profile. With `verbose`, notes which profiles do
  // not contain the function.
  Known find(FunctionNotes &notes, const std::string &path, bool verbose) const;
  // Warns about each profile that contains no function of this unit (plugin/options/input_profile.h).
  void warn_of_other_units() const;

  // Returns the interesting paths of a function by increasing ID: the `known` paths, the listed paths, and the paths
  // through marked code. Warns about listed IDs that do not exist and about marked code with too many paths.
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

// Registers the attribute with the compiler. Call this once.
void register_attribute(const char *plugin_name);

} // namespace pathprof

#endif
