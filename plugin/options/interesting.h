// SPDX-License-Identifier: GPL-3.0-or-later
// Which paths are interesting (mode=preferential): what the argument `interesting` names, and what the source marks
// with the attribute pathprof_interesting.
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

// The value of the argument, read but not yet looked up: items separated by commas.
struct InterestingItems {
  struct File {
    std::string name;            // of a profile, or of a list of path numbers
    std::optional<double> share; // FILE@SHARE: of a profile the hottest paths that have this share of what ran
  };
  struct Lines {
    std::string source; // a glob over names as the compiler has them, or their last components
    uint32_t first, last;
  };
  std::vector<File> files;
  std::vector<Lines> lines;

  static const char *accepted();
  // False if the text is none.
  static bool read(const char *text, InterestingItems &items);
};

class InterestingPaths {
public:
  // Reads the files.  After a compiler error, which names argument and file, null: where one cannot be read, is neither
  // profile nor list, is damaged, or was collected at another stage or with paths of another kind only.
  static std::shared_ptr<const InterestingPaths> open(const InterestingItems &items, std::optional<Stage> stage);

  // What is known of a function, whose graph has the cuts that every model has.
  struct Known {
    std::vector<InterestingPath> paths; // of a profile
    bool has_cuts = false;              // the graph has those of that profile now: numbers mean the same
  };
  // `path` is the path of the function's source file.  Warns, at the declaration of `cfun`, of a function that has
  // another graph in a profile; `verbose`: a note on others that profiles do not know.
  Known find(FunctionNotes &notes, const std::string &path, bool verbose) const;
  // Of each profile that knows none of them (plugin/options/input_profile.h).
  void warn_of_other_units() const;

  // The interesting paths of a function by increasing number, all below that of its paths: those `known`, those in
  // lists, and those that marked code is on.  Warns, likewise, of numbers in lists that are none of a path, and where
  // marked code is on too many paths.
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
    std::string name;  // a function's, or FILE:NAME
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

// Makes the attribute known to the compiler.  Once.
void register_attribute(const char *plugin_name);

} // namespace pathprof

#endif
