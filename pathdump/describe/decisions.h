// SPDX-License-Identifier: GPL-3.0-or-later
// Describes paths by their decisions, and finds the branches at which two paths of a function differ.
//
// In the codes "from wc.c:8:T 10:F around", the path starts at line 8, whose condition is true. The condition of
// line 10 is false, and control then follows a back edge. Different paths of a function have different descriptions
// (see Branches). Calls that do not throw and edges without an alternative are omitted.
#ifndef PATHPROF_PATHDUMP_DESCRIBE_DECISIONS_H
#define PATHPROF_PATHDUMP_DESCRIBE_DECISIONS_H

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "pathdump/describe/branches.h"
#include "pathdump/describe/callees.h"
#include "pathdump/describe/path_text.h"
#include "pathdump/describe/sources.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/output.h"
#include "pathdump/ui/table.h"
#include "profile/model/profile.h"

namespace pathprof {

// An element in the description of a path.
struct Decision {
  enum class Kind {
    Branch,    // an edge with an alternative, a back edge, or an edge that leaves a loop
    Start,     // start of the path, or of the part after its context, elsewhere than at the function's entry
    LoopVisit, // traversal of a collapsed loop
    Stop,      // call at which the path ends
  };
  Kind kind = Kind::Branch;
  int block = -1;           // deciding block; for Start the first block, for LoopVisit the loop header
  int edge = -1;            // edge of the flow graph that was taken; -1 if there is none or it is one of several
  std::string file;         // file of the position; empty for the function's own file
  std::string place;        // position such as "8" or "8.11"
  std::string line;         // `place` without the column
  std::string outcome;      // "T", "case 3"; empty if there was no alternative
  bool goes_around = false; // true if the path follows a back edge here
  bool leaves = false;      // true if the path leaves a loop here
  size_t contexts = 0;      // number of context parts that end after this decision

  // Returns the description of this decision, such as "8:T", "table.inc:8:F left", "from 8", "{14}", "stopped at 14" or
  // "around".
  std::string text() const;
};

// Returns the decisions of a path in order.
std::vector<Decision> decisions_of(const Branches &branches, const Path &path);

// Formats paths as decisions, or as source lines (see line_sequence_text()). Caches the branches of each function, and
// remembers the listed paths (see ListedPaths), so a command should use a single formatter.
class PathFormatter {
public:
  enum class Form {
    Conditions, // decisions and the source texts of their conditions
    Codes,      // only decisions; a legend contains the source texts
    Lines
  };

  // Keeps references to its arguments. If `sources` is null, conditions are omitted and case labels are printed as
  // values.
  PathFormatter(const Names &names, Sources *sources, Form form = Form::Conditions)
      : names_(names), sources_(sources), form_(form) {}
  PathFormatter(const Names &names, Sources *sources, const CommonOptions &options)
      : PathFormatter(names, sources, form_of(options)) {}

  // Returns the form that --lines and --codes select.
  static Form form_of(const CommonOptions &options) {
    return options.lines ? Form::Lines : options.codes ? Form::Codes : Form::Conditions;
  }

  // Returns a formatter that prints paths as source lines.
  PathFormatter by_lines() const { return {names_, nullptr, Form::Lines}; }
  // Returns a formatter that prints only the codes of decisions.
  PathFormatter by_codes() const { return {names_, sources_, Form::Codes}; }

  const Names &names() const { return names_; }
  bool in_lines() const { return form_ == Form::Lines; }
  bool in_conditions() const { return form_ == Form::Conditions; }
  // Returns the heading of the path column in tables.
  const char *heading() const { return in_lines() ? "lines" : "decisions"; }
  const Branches &branches(const Function &function);
  // Makes calls() return the callees whose paths are not counted in this profile.
  void mark_calls(const Profile &profile) { callees_ = std::make_shared<Callees>(profile); }
  // Returns the names of the functions that are called on the path but whose own paths are not counted, in the order of
  // their first calls. Calls in the path's context are omitted. The list is empty unless mark_calls() has been called.
  std::vector<std::string> calls(const Function &function, const Path &path) const;

  // Makes this formatter list its paths together with the paths of another formatter.
  void list_with(const PathFormatter &other) { listed_ = other.listed_; }

  // Returns the codes of a path, such as "wc.c:8:T 10:F left", or its lines. Each part of the context is in
  // parentheses: "(wc.c:8:T) 8:F". A path without decisions is described by its lines.
  std::string text(const Function &function, const Path &path) {
    return codes_of(make_elements(function, path, false));
  }
  // Returns the elements of the description of a path, and adds the path to the listed paths.
  PathElements elements(const Function &function, const Path &path);
  // Returns the elements of consecutive decisions, and adds them to the listed paths. `named_own_file` is true if the
  // name of the function's file has already been printed.
  PathElements elements(const Function &function, const std::vector<Decision> &decisions, bool &named_own_file);
  // Returns the description for people, in which the text of each condition follows its code:
  // "wc.c:8:T c == ' '; 10:F inword; left". All listed paths must be known when the first one is described.
  std::string shown(const PathElements &path) const;
  std::string shown(const Function &function, const Path &path) { return shown(elements(function, path)); }
  // Returns the description in items, between which a line can be broken.
  std::vector<std::string> items(const PathElements &path) const;
  // Returns the description, broken into lines if it is printed on a terminal. `used` is the number of characters that
  // precede it on its first line, and `indent` the number of blanks that precede it on the other lines.
  std::string paragraph(const Output &out, const PathElements &path, size_t used, size_t indent) const;
  // Returns an outcome of a branch, such as "8:T n > 0", and adds the branch to the listed paths.
  std::string branch_text(const Function &function, int block, const std::string &outcome);
  ListedPaths &listed() const { return *listed_; }
  // Returns the description of a path as a JSON array, such as ["8:T", "10:F left"]. The elements "(" and ")" enclose
  // each part of the context.
  Json json(const Function &function, const Path &path);
  // Returns the conditions on the path whose source text is known:
  // [{"place": "8", "line": 8, "column": 9, "text": "n > 0"}, …].
  Json conditions_json(const Function &function, const Path &path);
  // Record the conditions at the decisions, for the legend that explains the codes.
  void note(const Function &function, const std::vector<Decision> &decisions);
  void note(const Function &function, const Path &path) {
    if (form_ == Form::Codes)
      note(function, decisions_of(branches(function), path));
  }
  // Prints the legend of the decisions below a table. If the rows consist of codes, the legend contains the recorded
  // conditions, grouped by function. Prints nothing if nothing needs to be explained.
  void print_legend(Output &out) const;

private:
  PathElements make_elements(const Function &function, const Path &path, bool has_texts);
  PathElements make_elements(const Function &function, const std::vector<Decision> &decisions, bool has_texts,
                             bool &named_own_file);
  PathElement element_of(const Function &function, const Decision &decision, bool has_texts);
  const Names &names_;
  Sources *sources_;
  Form form_;
  std::shared_ptr<const Callees> callees_;
  std::map<const Function *, Branches> branches_;
  std::vector<std::pair<const Function *, std::vector<std::pair<std::string, std::string>>>>
      legend_; // positions and conditions by function
  std::shared_ptr<ListedPaths> listed_ = std::make_shared<ListedPaths>();
};

// The strings that identify a path in a table row.
struct PathLabel {
  std::string function, start, end;
  PathElements elements;
  // Texts that disambiguate the row as a last resort, in order of preference: "path 7", "path 7 of _ZN1AC2Ev".
  std::vector<std::string> last_resorts;
  // Longer descriptions of the path, which are tried before `last_resorts`.
  std::vector<PathElements> longer = {};
  // Names of the functions that are called on the path but whose own paths are not counted.
  std::vector<std::string> calls = {};
  // The description of the path. It ends in "calls malloc, strlen, ..." if the path calls functions whose paths are not
  // counted. Set by complete().
  std::string path = {};
};
// Returns the elements of a row, followed by "calls malloc, strlen, ..." if the path calls functions whose paths are
// not counted.
PathElements with_calls(const PathLabel &row);
// Completes the rows of a table. Makes identical rows distinct: first replaces `elements` with longer descriptions; if
// rows are still identical, appends texts from `last_resorts` in parentheses. Rows are not made distinct if the
// formatter prints paths as source lines.
void complete(std::vector<PathLabel> &rows, const PathFormatter &formatter);
// Makes the table shorten the descriptions in its last column to the width of the rows, or fold them if they consist of
// codes.
void fit_paths(Table &table, const std::vector<PathLabel> &rows, const PathFormatter &formatter);

// Returns the text, such as "nearest: 5, executed 3 times: ", followed by the description of a path, as lines to print
// below the row of another path.
std::string nearest_text(const std::string &text, const PathElements &path, const PathFormatter &formatter,
                         const Output &out);

// A branch at which the two compared paths take different edges.
struct Difference {
  int block = 0;          // block of the branch; ENTRY if the paths start at different positions
  Json taken;             // the path's edge: its flags, "from …", "to …", or the choice of a loop iteration
  Json other;             // the other path's edge; null if the other path does not reach the branch
  int to[2] = {};         // target blocks of the two edges, which alone distinguish the edges of a switch
  int edge[2] = {-1, -1}; // edges of the flow graph; -1 if there is none or it is one of several
};

// Compares the paths of a function by their decisions. Keeps references to its arguments.
class Decisions {
public:
  Decisions(const Function &function, const Decoded &decoded) : function_(function), decoded_(decoded) {}

  // Returns the edges of the path graph that the path with this ID takes at nodes with several successors.
  std::vector<int> of(uint64_t id) const;
  // Returns the branches at which `path` and `other` take different edges.
  std::vector<Difference> differences(const std::vector<int> &path, const std::vector<int> &other) const;

  // Returns text such as "1 branch differs: 8:T, F in the other path": at line 8, the path takes T, and the other path
  // takes F. If paths are printed as source lines, the text for the same difference is "1 branch differs: line 8: true,
  // false in the other path".
  std::string text(const std::vector<Difference> &differences, PathFormatter &formatter) const;
  // Returns an array of objects with "block", "lines", "taken" and "nearest_taken".
  Json json(const std::vector<Difference> &differences) const;

private:
  Json edge_json(int edge) const;
  int block_of(const PathEdge &edge) const;
  std::string branch_place(int block) const;
  std::string target_place(int block) const;
  std::string edge_text(const Json &edge, int to) const;
  std::string difference_text(const Difference &difference, PathFormatter &formatter) const;

  const Function &function_;
  const Decoded &decoded_;
};

} // namespace pathprof

#endif
