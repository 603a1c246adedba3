// SPDX-License-Identifier: GPL-3.0-or-later
// Names the branches of a function by position, and the outcomes of each branch.
//
// The outcomes of a block have different names. The start of a path and the outcomes on it therefore identify the path.
#ifndef PATHPROF_PATHDUMP_DESCRIBE_BRANCHES_H
#define PATHPROF_PATHDUMP_DESCRIBE_BRANCHES_H

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pathdump/describe/sources.h"
#include "pathdump/ui/names.h"
#include "profile/model/profile.h"

namespace pathprof {

// The position as printed in tables: "8", or "8.11" (line and column) if the line contains another branch.
struct BranchPlace {
  std::string file;   // prefix: empty in the function's own file, else "table.inc:", or "max@util.h:" for inlined code
  std::string number; // "8", "8.11", or "block 5" if the line is unknown
  std::string line;   // `number` without the column: "8"

  std::string text() const { return file + number; }
};

class Branches {
public:
  // Keeps references to its arguments. If `sources` is not null, case labels are printed as spelled in the source.
  Branches(const Function &function, const Names &names, Sources *sources);

  const Function &function() const { return function_; }
  // Returns true if the block has several successors.
  bool decides(int block) const { return function_.notes.graph.succs(block).size() > 1; }
  const BranchPlace &place(int block) const { return places_[static_cast<size_t>(block)]; }
  // Returns the name of an outcome, given the edge of the flow graph: "T", "F", "case 3", "case RED", "default",
  // "throws", or "to 12" (used at stage=late if the condition is unknown). The name is empty if the edge is the only
  // outgoing edge of its block, or if the edge is taken when a call does not throw.
  const std::string &outcome(int edge) const { return outcomes_[static_cast<size_t>(edge)]; }
  // Returns true if the edge leaves a loop.
  bool leaves_loop(int edge) const { return leaves_loop_[static_cast<size_t>(edge)]; }
  // Returns the position that is printed for paths that start at this block. No other block has the same start
  // position.
  std::string start(int block) const;
  // Returns the position that is printed for paths that end at a call in this block. `call` is an index into
  // BlockNotes::breaks. No other call in this list has the same position.
  std::string stop(int block, uint32_t call) const;
  // Returns the position of a call in an interprocedural path, such as "14", or "14#2" for the second call on line 14.
  // `call` is an index into FunctionNotes::calls.
  std::string call(int call) const;

  // Returns the source text of the condition or of a switch's controlling expression, such as "n > 0", or an empty
  // string if the text is unknown. If the outcome is T, the condition as written in the source is true.
  std::string condition(int block) const;
  // Returns true if the compiler tests the negation of the source condition, so that T is the edge with the flag
  // "false".
  bool is_turned(int block) const;

  // Returns true if the condition is in the definition of a macro, or if it is unknown whether the compiler tests the
  // condition or its negation. The text of a condition in a macro consists of the macro invocation and the expanded
  // condition: "EMPTY(p): (p)->n == 0".
  bool is_of_macro(int block) const;

private:
  void name_places();
  void name_outcomes(int block);
  struct Surroundings;
  std::optional<Surroundings> surroundings(const BranchNotes &branch) const;
  bool is_as_compiled(uint32_t file) const;
  bool is_alone(const BranchNotes &branch) const;
  std::string find_condition(int block) const;
  std::string use_of_macro(const BranchNotes &branch) const;
  std::string noted_text(const BranchNotes &branch) const;
  bool is_beginning(const BranchNotes &branch, const std::string &noted) const;
  std::string own_text(const BranchNotes &branch, std::string text) const;
  std::string text_of(const BranchNotes &branch, const Surroundings &place) const;
  bool is_at_macro(int block) const;
  bool is_of_lowered_switch(int block) const;
  Sense find_sense(const BranchNotes &branch) const;
  Sense sense_of(const BranchNotes &branch) const; // Unknown if the true edge cannot be mapped to T or F
  bool is_late() const { return function_.notes.stage == Stage::Late; }
  std::string outcome_of(int block, size_t successor) const;
  std::string case_text(const BranchNotes &branch, const CaseLabels &labels) const;
  std::string label_text(const BranchNotes &branch, const CaseLabel &label) const;
  void make_quiet_places_distinct();
  void turn_as_in_source();
  void find_loop_exits();
  bool is_quiet(int block) const;
  bool may_be_macro(const std::string &condition, int block) const;
  LineRef line_of(int block) const;
  std::string file_text(const LineRef &at) const;
  std::string number_of(int block) const;

  const Function &function_;
  const Names &names_;
  Sources *sources_;
  std::vector<BranchPlace> places_;   // positions per block
  std::vector<std::string> outcomes_; // outcomes per edge
  std::vector<char> leaves_loop_;
  mutable std::map<int, std::string> starts_, conditions_; // caches, per block
  mutable std::map<uint32_t, Sense> senses_;               // cache, per block
};

} // namespace pathprof

#endif
