// SPDX-License-Identifier: GPL-3.0-or-later
// Describes paths by their decisions, and finds the branches at which two paths of a function differ.
//
// In the description "from wc.c:8:T 10:F around", the path starts at line 8, whose condition is true. The condition of
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
#include "pathdump/describe/sources.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/output.h"
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

// Formats paths as decisions, or as source lines (see line_sequence_text()). Caches the branches of each function, so a
// command should use a single formatter.
class PathFormatter {
public:
  enum class Form { Decisions, Lines };

  // Keeps references to its arguments. If `sources` is null, conditions are omitted and case labels are printed as
  // values.
  PathFormatter(const Names &names, Sources *sources, Form form = Form::Decisions)
      : names_(names), sources_(sources), form_(form) {}
  PathFormatter(const Names &names, Sources *sources, const CommonOptions &options)
      : PathFormatter(names, sources, options.lines ? Form::Lines : Form::Decisions) {}

  // Returns a formatter that prints paths as source lines.
  PathFormatter by_lines() const { return {names_, nullptr, Form::Lines}; }

  const Names &names() const { return names_; }
  bool in_lines() const { return form_ == Form::Lines; }
  // Returns the heading of the path column in tables.
  const char *heading() const { return in_lines() ? "lines" : "decisions"; }
  const Branches &branches(const Function &function);
  // Makes calls() return the callees whose paths are not counted in this profile.
  void mark_calls(const Profile &profile) { callees_ = std::make_shared<Callees>(profile); }
  // Returns the names of the functions that are called on the path but whose own paths are not counted, in the order of
  // their first calls. Calls in the path's context are omitted. The list is empty unless mark_calls() has been called.
  std::vector<std::string> calls(const Function &function, const Path &path) const;

  // Returns the description of a path, such as "wc.c:8:T 10:F left". Each part of the context is in parentheses:
  // "(wc.c:8:T) 8:F". A path without decisions is described by its lines.
  std::string text(const Function &function, const Path &path);
  // Returns the description of consecutive decisions. `named_own_file` is true if the name of the function's file has
  // already been printed.
  std::string text(const Function &function, const std::vector<Decision> &decisions, bool &named_own_file);
  // Returns the description of a path as a JSON array, such as ["8:T", "10:F left"]. The elements "(" and ")" enclose
  // each part of the context.
  Json json(const Function &function, const Path &path);
  // Returns the conditions on the path whose source text is known:
  // [{"place": "8", "line": 8, "column": 9, "text": "n > 0"}, …].
  Json conditions_json(const Function &function, const Path &path);
  // Records the conditions at the decisions, for print_legend(). The second overload does nothing if paths are printed
  // as source lines.
  void note(const Function &function, const std::vector<Decision> &decisions);
  void note(const Function &function, const Path &path) {
    if (!in_lines())
      note(function, decisions_of(branches(function), path));
  }
  // Prints the recorded conditions below a table, grouped by function. Prints nothing if no conditions were recorded.
  void print_legend(Output &out) const;

private:
  const Names &names_;
  Sources *sources_;
  Form form_;
  std::shared_ptr<const Callees> callees_;
  std::map<const Function *, Branches> branches_;
  std::vector<std::pair<const Function *, std::vector<std::pair<std::string, std::string>>>>
      legend_; // positions and conditions by function
};

// The strings that identify a path in a table row.
struct PathLabel {
  std::string function, start, end, path;
  // Texts that disambiguate the row as a last resort, in order of preference: "path 7", "path 7 of _ZN1AC2Ev".
  std::vector<std::string> last_resorts;
  // Longer descriptions of the path, which are tried before `last_resorts`.
  std::vector<std::string> longer = {};
  // Names of the functions that are called on the path but whose own paths are not counted.
  std::vector<std::string> calls = {};

  // Returns the path, followed by " calls malloc, strlen, ..." if the path calls functions whose paths are not counted.
  std::string marked_path() const;
};
// Makes identical table rows distinct. First replaces `path` with longer descriptions. If rows are still identical,
// appends texts from `last_resorts` in parentheses.
void disambiguate(std::vector<PathLabel> &rows);
// Makes identical table rows distinct. Does nothing if the formatter prints paths as source lines.
inline void disambiguate(std::vector<PathLabel> &rows, const PathFormatter &formatter) {
  if (!formatter.in_lines())
    disambiguate(rows);
}

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
