// SPDX-License-Identifier: GPL-3.0-or-later
// Paths as what was decided on them, and the branches at which two paths of a function take different edges.
//
// A path is said as "from wc.c:8:T 10:F around": it begins at line 8, whose condition holds, the one of line 10 does
// not, and control goes around a loop.  No two paths of a function are said alike: see Branches for why.  Of calls that
// throw nothing, and of edges that are the only ones out of their blocks, nothing is said.
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

// Something that was decided on a path.
struct Decision {
  enum class Kind {
    Branch,    // an edge out of a block with several, or around or out of a loop
    Start,     // the path, or what follows its context, begins elsewhere than at the function's entry
    LoopVisit, // a contracted loop is passed
    Stop,      // a call cuts the path short
  };
  Kind kind = Kind::Branch;
  int block = -1;           // that decides; of Start where it begins; of LoopVisit the loop's head
  int edge = -1;            // of the flow graph, that was taken; -1: none, or one of several
  std::string file;         // of the place; empty: the function's own
  std::string place;        // "8", "8.11"; empty: control could not go on otherwise
  std::string outcome;      // "T", "case 3"; empty: likewise
  bool goes_around = false; // a loop
  bool leaves = false;      // a loop
  size_t contexts = 0;      // how many parts of the path's context end behind it

  // "8:T", "table.inc:8:F left", "from 8", "{14}", "stopped at 14", "around".
  std::string text() const;
};

// In the order of the path.
std::vector<Decision> decisions_of(const Branches &branches, const Path &path);

// How paths are said: by decisions, or by lines as line_sequence_text has it.  Knows the branches of each function that
// it was asked about; one for a command.
class PathFormatter {
public:
  enum class Form { Decisions, Lines };

  // Keeps references.  Without `sources` nothing is said of conditions, and labels are values.
  PathFormatter(const Names &names, Sources *sources, Form form = Form::Decisions)
      : names_(names), sources_(sources), form_(form) {}
  PathFormatter(const Names &names, Sources *sources, const CommonOptions &options)
      : PathFormatter(names, sources, options.lines ? Form::Lines : Form::Decisions) {}

  // The same by lines.
  PathFormatter by_lines() const { return {names_, nullptr, Form::Lines}; }

  const Names &names() const { return names_; }
  bool in_lines() const { return form_ == Form::Lines; }
  // Of the column in tables.
  const char *heading() const { return in_lines() ? "lines" : "decisions"; }
  const Branches &branches(const Function &function);
  // From now on calls() knows what is not counted in this profile.
  void mark_calls(const Profile &profile) { callees_ = std::make_shared<Callees>(profile); }
  // What is called on the path, behind its context, and is not counted, in the order of the first calls; nothing
  // without mark_calls.
  std::vector<std::string> calls(const Function &function, const Path &path) const;

  // "wc.c:8:T 10:F left"; each part of its context in parentheses: "(wc.c:8:T) 8:F".  A path on which nothing is
  // decided has its lines, as line_sequence_text says them.
  std::string text(const Function &function, const Path &path);
  // Of decisions that belong together; `named_own_file`: whether the function's own file was named before.
  std::string text(const Function &function, const std::vector<Decision> &decisions, bool &named_own_file);
  // ["8:T", "10:F left"]; "(" and ")" around parts of the context.
  Json json(const Function &function, const Path &path);
  // [{"place": "8", "line": 8, "column": 9, "text": "n > 0"}, …]: of the places on the path where the source is known.
  Json conditions_json(const Function &function, const Path &path);
  // Remembers the conditions on a path that a row says by decisions, for print_legend.
  void note(const Function &function, const std::vector<Decision> &decisions);
  void note(const Function &function, const Path &path) {
    if (!in_lines())
      note(function, decisions_of(branches(function), path));
  }
  // Below a table: the conditions that were noted, by function; nothing where none is known.
  void print_legend(Output &out) const;

private:
  const Names &names_;
  Sources *sources_;
  Form form_;
  std::shared_ptr<const Callees> callees_;
  std::map<const Function *, Branches> branches_;
  std::vector<std::pair<const Function *, std::vector<std::pair<std::string, std::string>>>>
      legend_; // place, condition
};

// What a row says of a path beside figures.
struct PathLabel {
  std::string function, start, end, path;
  // What tells it apart where all that does not, the first that does: "path 7", "path 7 of _ZN1AC2Ev".
  std::vector<std::string> last_resorts;
  // Longer texts of the path, which may tell it apart before.
  std::vector<std::string> longer = {};
  // What is called on it and is not counted.
  std::vector<std::string> calls = {};

  // The path, and behind it " calls malloc, strlen, ..." where it calls what is not counted.
  std::string marked_path() const;
};
// Where rows are alike, says `path` of each at greater length; where they still are, ends it with one of its last
// resorts in parentheses, or several.
void disambiguate(std::vector<PathLabel> &rows);
// The same, unless paths are said by lines.
inline void disambiguate(std::vector<PathLabel> &rows, const PathFormatter &formatter) {
  if (!formatter.in_lines())
    disambiguate(rows);
}

// A branch at which a path takes another edge than the one that it is compared with.
struct Difference {
  int block = 0;  // ENTRY: the two begin at different places
  Json taken;     // flags of the edge; "from …", "to …" of what begins or ends there; what a loop's iteration does
  Json other;     // likewise; null: the other path does not come here
  int to[2] = {}; // blocks that the two go to; of a switch that is all there is to tell the edges apart
  int edge[2] = {-1, -1}; // of the flow graph; -1: none, or one of several
};

// The decisions of a function's paths by number.  Keeps references.
class Decisions {
public:
  Decisions(const Function &function, const Decoded &decoded) : function_(function), decoded_(decoded) {}

  // Edges of the path graph on the path with this number, from nodes that have several.
  std::vector<int> of(uint64_t id) const;
  // At which of its decisions a path differs from another.
  std::vector<Difference> differences(const std::vector<int> &path, const std::vector<int> &other) const;

  // "1 branch differs: 8:T, F there"; in lines "1 branch differs: line 8: true, false there".  "there" is on the other
  // path.
  std::string text(const std::vector<Difference> &differences, PathFormatter &formatter) const;
  // Each with "block", "lines", "taken", "nearest_taken".
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
