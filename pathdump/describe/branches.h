// SPDX-License-Identifier: GPL-3.0-or-later
// What the branches of a function are called: where each is, and their outcomes.
//
// Of the outcomes of one block no two have one name, so that who knows where a path begins, and the names of the
// outcomes that it took, knows the path.
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

// Where something is, as rows have it: "8", or "8.11" (line and column) where another branch is on the line.
struct BranchPlace {
  std::string file;   // what is before that: empty in the function's own file; "table.inc:", inlined "max@util.h:"
  std::string number; // "8", "8.11"; "block 5" where no line is known

  std::string text() const { return file + number; }
};

class Branches {
public:
  // Keeps references.  With `sources` labels of a switch are said as the source has them.
  Branches(const Function &function, const Names &names, Sources *sources);

  const Function &function() const { return function_; }
  // Whether control can go on from the block in several ways.
  bool decides(int block) const { return function_.notes.graph.succs(block).size() > 1; }
  const BranchPlace &place(int block) const { return places_[static_cast<size_t>(block)]; }
  // By edge of the function's graph: "T", "F", "case 3", "case RED", "default", "throws", "to 12", which at late also
  // stands where it is not known what the condition is; empty where it is the only edge out of its block, and where it
  // is what follows a call that throws nothing.
  const std::string &outcome(int edge) const { return outcomes_[static_cast<size_t>(edge)]; }
  // Whether the edge leads out of a loop.
  bool leaves_loop(int edge) const { return leaves_loop_[static_cast<size_t>(edge)]; }
  // Where paths begin that begin at this block; no two such blocks have one name.
  std::string start(int block) const;
  // Where paths end that end at this call (an index into BlockNotes::breaks) of a block; likewise.
  std::string stop(int block, uint32_t call) const;
  // Where a call of an interprocedural model is (an index into FunctionNotes::calls): "14", "14#2" the second one
  // there.
  std::string call(int call) const;

  // The text of the condition in the source, or of what a switch looks at: "n > 0".  T says that it is true, as far as
  // the text tells.  Empty: not known.
  std::string condition(int block) const;
  // Whether the compiler tests the opposite of that, so that T is the edge of the graph that has the flag "false".
  bool is_turned(int block) const;

  // Whether the condition is in the definition of a macro: the text is that of the macro's use, in front of what the
  // macro makes of it, "EMPTY(p): (p)->n == 0".
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
  std::string own_text(const BranchNotes &branch) const;
  std::string text_of(const BranchNotes &branch, const Surroundings &place) const;
  bool is_at_macro(int block) const;
  bool is_of_lowered_switch(int block) const;
  Sense find_sense(const BranchNotes &branch) const;
  Sense sense_of(const BranchNotes &branch) const; // of a condition: unknown where it is not said whether it holds
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
  std::vector<BranchPlace> places_;   // by block
  std::vector<std::string> outcomes_; // by edge
  std::vector<char> leaves_loop_;
  mutable std::map<int, std::string> starts_, conditions_; // those that were asked for
  mutable std::map<uint32_t, Sense> senses_;               // likewise, by block
};

} // namespace pathprof

#endif
