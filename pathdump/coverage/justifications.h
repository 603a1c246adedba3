// SPDX-License-Identifier: GPL-3.0-or-later
// Applies justifications to code that is not covered.
//
// A justification states why lines, a function, a decision or a path cannot or need not be covered. It comes from a
// comment (pathdump/coverage/markers.h) or from a file (pathdump/coverage/justification_file.h). It applies only to
// code that is not covered, and it is invalid if all of its code is covered or if its function has changed.
#ifndef PATHPROF_PATHDUMP_COVERAGE_JUSTIFICATIONS_H
#define PATHPROF_PATHDUMP_COVERAGE_JUSTIFICATIONS_H

#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/path_filter.h"
#include "pathdump/coverage/conditions.h"
#include "pathdump/coverage/covered.h"
#include "pathdump/coverage/justification_file.h"
#include "pathdump/model/profile_view.h"
#include "profile/model/unfinished.h"

namespace pathprof {

// The numbers of uncovered items that justifications apply to.
struct JustifiedItems {
  uint64_t lines = 0, branches = 0, functions = 0, conditions = 0, paths = 0;

  bool is_empty() const { return !lines && !branches && !functions && !conditions && !paths; }
};

struct Justification {
  std::string place; // "a.c:12", "a.c:12-20", "price", "price, decision 1", "price, path 3"
  std::string reason, author, ticket;
  std::string fault;       // why it does not apply, or empty
  bool is_selected = true; // false if the function that it names was not selected
  // Numbers of uncovered items to which the justification applies. `paths` includes only a path that the justification
  // names, not the paths through justified lines.
  JustifiedItems items;
};

// The justifications of a profile. Each uncovered item is justified at most once.
class Justifications {
public:
  // Applies the entries to the code of the profile, whose coverage is `files`. Keeps a reference to `view`.
  Justifications(ProfileView &view, const CoveredFiles &files, const std::vector<JustificationEntry> &entries);
  Justifications(const Justifications &) = delete;
  Justifications &operator=(const Justifications &) = delete;

  // Returns the lines, branch outcomes and functions of a file that are justified. For each line that is justified or
  // has a justified outcome, adds the reason to `reasons`.
  JustifiedItems of_file(const std::string &name, const CoveredFile &file, std::map<uint32_t, std::string> &reasons);
  // Returns the number of conditions of a decision that are justified. `number` is the number of the decision in the
  // function, from 1.
  uint64_t num_conditions(const Function &function, size_t number, const MeasuredDecision &decision);
  // Returns the number of unexecuted paths of the function that are justified. These paths go through a justified line
  // or outcome that was not executed, or a justification names them. `excluded` contains the blocks and edges whose
  // paths do not count.
  uint64_t num_paths(const Function &function, const Decoded &decoded, const std::vector<char> &excluded_blocks,
                     const std::vector<char> &excluded_edges);

  // Returns all justifications. Must be called after of_file(), num_conditions() and num_paths() have been called for
  // all selected code, because these functions count the items of each justification. `is_complete` is true if all code
  // of the profile was selected. If `is_complete` is false, comments on lines without selected code are omitted.
  std::vector<Justification> take(bool is_complete);

private:
  struct Entry {
    Justification shown;
    LineRange lines = {0, 0};
    bool is_comment = false;
    bool has_code = false;    // there is code that a comment applies to
    bool is_preceded = false; // another justification applies to some of this code
    bool is_excluded = false; // all lines of a comment are excluded
  };
  const Decoded &decoded(const Function &function);
  void add_comments(const std::string &file, const CoveredFile &covered);
  void add(const JustificationEntry &entry, const CoveredFiles &files);
  // The functions add_function(), add_decision() and add_path() register an entry if it is valid, and return an empty
  // string. Otherwise, they return a description of the fault.
  std::string add_function(const Function &function, const CoveredFiles &files, Entry &added);
  bool may_have_run(const Function &function);
  std::string add_decision(const JustificationEntry &entry, const Function &function, Entry &added);
  std::string add_path(const JustificationEntry &entry, const Function &function, Entry &added);
  // Returns the justification of a function, or null.
  Entry *of_function(const Function *function) const;
  Entry *of_function(const CoveredFunction &function) const;
  // Returns the first comment on the line, or null. Sets `has_code` in all comments on the line, and `is_preceded` in
  // all but the first.
  Entry *on_line(const std::string &file, uint32_t line);
  // Returns the justification of a branch, or null.
  Entry *of_branch(const std::string &file, uint32_t line, const CoveredBranch &branch);
  // Returns the justification of a line that was not executed, or null. `owners` are the functions whose bodies contain
  // the line.
  Entry *of_line(const std::string &file, uint32_t line, const std::vector<const CoveredFunction *> &owners);

  ProfileView &view_;
  std::list<Entry> entries_;                            // entries do not move
  std::map<std::string, std::vector<Entry *>> by_file_; // comments
  std::map<const Function *, Entry *> by_function_;
  std::map<std::pair<const Function *, size_t>, Entry *> by_decision_;
  std::map<std::pair<const Function *, std::string>, Entry *> by_branch_; // of decisions, by CoveredBranch::place
  std::map<const Function *, std::map<uint64_t, Entry *>> by_path_;
  std::optional<Unfinished> unfinished_; // functions that may have been executed although no path was counted
};

} // namespace pathprof

#endif
