// SPDX-License-Identifier: GPL-3.0-or-later
// The definition of paths across procedures: a run of a program as a sequence of events, and the paths that it
// consists of, written down as they happen.  Nothing here numbers anything, and no split graph is used.
#ifndef PATHPROF_TESTSUITE_ORACLE_PROGRAM_H
#define PATHPROF_TESTSUITE_ORACLE_PROGRAM_H

#include <map>
#include <string>
#include <vector>

#include "core/interprocedural/interprocedural.h"

namespace pathprof::testing {

// A path in words; equal for equal paths only.
inline std::string spell(const InterproceduralPath &path) {
  std::string text = "prefix " + std::to_string(path.prefix_len) + (path.end == PathEnd::Exit ? " whole" : "");
  for (const PathStep &step : path.steps) {
    text += std::string(" | ") + "bcrs"[static_cast<int>(step.from)] + std::to_string(step.procedure) + "," +
            std::to_string(step.call) + ":";
    for (int block : step.blocks)
      text += " " + std::to_string(block);
    text += " by";
    for (int edge : step.edges)
      text += " " + std::to_string(edge);
  }
  return text;
}

using ProgramCounts = std::map<std::string, uint64_t>;

// Writes the paths of a run down.
class ProgramDefinition {
public:
  explicit ProgramDefinition(const Supergraph &program) : program_(program) {}

  const ProgramCounts &counts() const { return counts_; }
  int depth() const { return static_cast<int>(activations_.size()); }

  // Control enters a procedure at the innermost activation's call `call`, or from outside (-1).
  void enter(int procedure, int call) {
    bool through = call >= 0 && kind_of(call) == CallKind::Traversed;
    if (through) {
      now_.steps.push_back({PathStep::From::Call, procedure, call, {kEntryBlock}, {}});
    } else {
      if (call >= 0 && kind_of(call) == CallKind::Ended)
        record(PathEnd::Call);
      waiting_.push_back(now_);
      now_ = InterproceduralPath{
          {{PathStep::From::Begin, procedure, -1, {kEntryBlock}, {}}}, 0, PathStart::Entry, PathEnd::Exit};
    }
    activations_.push_back({procedure, call, through, now_});
  }

  // Over an edge of the innermost activation; `in_call`: out of its call with that number, by an exception.
  void traverse(int edge, int in_call = -1) {
    const Edge &traversed = graph().edge(edge);
    CallKind kind = in_call < 0 ? CallKind::SteppedOver : kind_of(in_call);
    if (!traversed.is_cut() && kind == CallKind::SteppedOver) {
      now_.steps.back().edges.push_back(edge);
      if (traversed.dst != kExitBlock)
        now_.steps.back().blocks.push_back(traversed.dst);
      return;
    }
    if (kind == CallKind::SteppedOver)
      record(PathEnd::Cut);
    restart(traversed.dst);
  }

  // From EXIT, back to behind the call.
  void leave() {
    Activation callee = activations_.back();
    activations_.pop_back();
    if (callee.through) {
      now_.steps.push_back({PathStep::From::Return, activations_.back().procedure, callee.call, {}, {}});
      return;
    }
    record(PathEnd::Exit);
    go_on_waiting();
    if (callee.call >= 0 && kind_of(callee.call) == CallKind::Ended)
      restart(program_.procedures[activations_.back().procedure].calls[callee.call].block, callee.call);
  }

  // Without coming to EXIT; what was not recorded is lost.
  void unwind() {
    bool through = activations_.back().through;
    activations_.pop_back();
    if (!through)
      go_on_waiting();
  }

  // At a path-ending call whose callee is not profiled, and returns or throws.
  void step_over(int call, bool threw) {
    record(PathEnd::Call);
    if (!threw)
      restart(program_.procedures[activations_.back().procedure].calls[call].block, call);
  }

  // In a block without successors.
  void end() { record(PathEnd::NoReturn); }

private:
  struct Activation {
    int procedure;
    int call;
    bool through;
    InterproceduralPath on_entry;
  };

  const FlowGraph &graph() const { return program_.procedures[activations_.back().procedure].graph; }
  CallKind kind_of(int call) const { return program_.procedures[activations_.back().procedure].calls[call].kind; }

  void record(PathEnd end) {
    InterproceduralPath path = now_;
    path.end = end;
    counts_[spell(path)]++;
  }

  void go_on_waiting() {
    now_ = waiting_.back();
    waiting_.pop_back();
  }

  void restart(int block, int behind_call = -1) {
    if (program_.mode == Mode::Piecewise) {
      now_ = InterproceduralPath{
          {{PathStep::From::Begin, activations_.back().procedure, behind_call, {block}, {}}}, 0, {}, {}};
      return;
    }
    now_ = activations_.back().on_entry;
    now_.steps.push_back({PathStep::From::Restart, activations_.back().procedure, behind_call, {block}, {}});
    now_.prefix_len = now_.steps.size() - 1;
  }

  const Supergraph &program_;
  ProgramCounts counts_;
  InterproceduralPath now_;
  std::vector<InterproceduralPath> waiting_; // at calls that paths do not go through
  std::vector<Activation> activations_;
};

} // namespace pathprof::testing

#endif
