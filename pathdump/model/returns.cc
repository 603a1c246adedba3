// SPDX-License-Identifier: GPL-3.0-or-later
// Follows paths from calls to the end of their function.
#include "pathdump/model/returns.h"

#include <iterator>
#include <set>

namespace pathprof {

namespace {

// The events that can happen on a path between a position and the end of the path.
struct Reach {
  bool is_lost = false; // reaches a call that may not return and at which the path does not end
  bool returns = false; // reaches the end of the function
  bool passes = true;   // reaches the end of the block
};

// Computes the possible events in one procedure. The callees into which its paths continue must be processed first.
class ProcedureReach {
public:
  // `is_lost` contains one flag per call. The flag is true if a path may end during the call without being counted.
  ProcedureReach(const Procedure &procedure, const FunctionNotes &notes, const std::vector<char> &is_lost)
      : procedure_(procedure), notes_(notes), within_(notes.blocks.size()), behind_(notes.calls.size()),
        from_(notes.blocks.size()) {
    std::vector<std::vector<size_t>> calls(notes.blocks.size());
    for (size_t call = 0; call < notes.calls.size(); call++)
      calls[notes.calls[call].block].push_back(call);
    for (size_t block = 0; block < within_.size(); block++)
      find_events_within(static_cast<int>(block), calls[block], is_lost);
    spread(&Reach::is_lost);
    spread(&Reach::returns);
  }

  Reach from_entry() const { return from_[kEntryBlock]; }

  Reach behind(size_t call) const {
    int block = static_cast<int>(notes_.calls[call].block);
    Reach reach = behind_[call];
    if (reach.passes)
      for (int e : procedure_.graph.succs(block))
        if (!procedure_.graph.edge(e).is_cut()) {
          const Reach &on = from_[static_cast<size_t>(procedure_.graph.edge(e).dst)];
          reach.is_lost |= on.is_lost;
          reach.returns |= on.returns;
        }
    return reach;
  }

private:
  // Computes the events that can occur between each call and the end of the block, and between the start and the end of
  // the block.
  void find_events_within(int block, const std::vector<size_t> &calls, const std::vector<char> &is_lost) {
    std::set<uint32_t> others = unknown_ends(block); // statements other than `calls` that might not return
    for (size_t call : calls)
      others.erase(notes_.calls[call].num_lines);
    // Proceeds from the last call to the first. `reach` contains the events from `position` to the end of the block.
    Reach reach;
    reach.returns = block == kExitBlock;
    uint32_t position = UINT32_MAX;
    for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
      uint32_t end_of_call = notes_.calls[*call].num_lines;
      reach.is_lost |= has_one_between(others, end_of_call + 1, position);
      behind_[*call] = reach;
      if (procedure_.calls[*call].kind == CallKind::Ended)
        reach = {false, false, false};
      else
        reach.is_lost |= is_lost[*call] != 0;
      position = end_of_call;
    }
    reach.is_lost |= has_one_between(others, 0, position) || (notes_.stage != Stage::Source && (notes_.flags & kCalls));
    within_[static_cast<size_t>(block)] = reach;
  }

  // Returns the positions of the statements in the block that might not return. The position of a statement is the
  // number of the block's lines up to and including the statement. These statements are listed only in notes of
  // stage=source; other notes state only whether the function contains such statements.
  std::set<uint32_t> unknown_ends(int block) const {
    const BlockNotes &here = notes_.blocks[static_cast<size_t>(block)];
    std::set<uint32_t> ends(here.breaks.begin(), here.breaks.end());
    // If the block has no successors, its paths end at the call that ends the block.
    if (procedure_.graph.succs(block).empty() && here.ends_in_call && !ends.empty())
      ends.erase(std::prev(ends.end()));
    return ends;
  }

  // Returns true if the set contains a position from `begin` to `end` - 1.
  static bool has_one_between(const std::set<uint32_t> &positions, uint32_t begin, uint32_t end) {
    auto next = positions.lower_bound(begin);
    return next != positions.end() && *next < end;
  }

  // Propagates an event from blocks to their predecessors.
  void spread(bool Reach::*what) {
    std::vector<int> work;
    auto reach = [&](int block) {
      if (!(from_[static_cast<size_t>(block)].*what)) {
        from_[static_cast<size_t>(block)].*what = true;
        work.push_back(block);
      }
    };
    for (size_t block = 0; block < within_.size(); block++)
      if (within_[block].*what)
        reach(static_cast<int>(block));
    while (!work.empty()) {
      int block = work.back();
      work.pop_back();
      for (int e : procedure_.graph.preds(block))
        if (!procedure_.graph.edge(e).is_cut() && within_[static_cast<size_t>(procedure_.graph.edge(e).src)].passes)
          reach(procedure_.graph.edge(e).src);
    }
  }

  const Procedure &procedure_;
  const FunctionNotes &notes_;
  std::vector<Reach> within_; // events from a block's start to its end, per block
  std::vector<Reach> behind_; // events from after a call to the end of its block, per call
  std::vector<Reach> from_;   // events from a block's start to the function's end, per block
};

// Adds the functions of one interprocedural unit.
void add_lost_behind(const Profile &profile, const InterproceduralUnit &unit, std::vector<char> &lost) {
  const std::vector<Procedure> &procedures = unit.supergraph->procedures;
  auto notes = [&](size_t p) -> const FunctionNotes & { return profile.functions[unit.functions[p]].notes; };
  std::vector<char> lost_inside(procedures.size(), 0), lost_behind(procedures.size(), 0);
  auto reach_of = [&](size_t p) {
    std::vector<char> is_lost;
    for (const CallSite &call : procedures[p].calls) {
      auto callee = static_cast<size_t>(call.callee);
      is_lost.push_back(call.callee == kUnknownProcedure ||
                        (call.kind == CallKind::Traversed ? lost_inside[callee] : (notes(callee).flags & kCalls) != 0));
    }
    return ProcedureReach(procedures[p], notes(p), is_lost);
  };
  std::vector<int> order = callees_first(*unit.supergraph);
  for (int p : order)
    lost_inside[static_cast<size_t>(p)] = reach_of(static_cast<size_t>(p)).from_entry().is_lost;
  for (auto at = order.rbegin(); at != order.rend(); ++at) {
    auto p = static_cast<size_t>(*at);
    if (notes(p).flags & kExactTermination)
      continue;
    ProcedureReach reach = reach_of(p);
    for (size_t call = 0; call < procedures[p].calls.size(); call++) {
      if (procedures[p].calls[call].kind != CallKind::Traversed)
        continue;
      Reach after = reach.behind(call);
      lost_behind[static_cast<size_t>(procedures[p].calls[call].callee)] |=
          after.is_lost || (after.returns && lost_behind[p]);
    }
  }
  for (size_t p = 0; p < procedures.size(); p++)
    lost[unit.functions[p]] |= lost_behind[p];
}

} // namespace

std::vector<char> functions_lost_behind(const Profile &profile) {
  std::vector<char> lost(profile.functions.size(), 0);
  for (const InterproceduralUnit &unit : profile.interprocedural_units)
    add_lost_behind(profile, unit, lost);
  return lost;
}

} // namespace pathprof
