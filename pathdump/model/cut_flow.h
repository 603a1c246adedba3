// SPDX-License-Identifier: GPL-3.0-or-later
// Checks whether the counts of a function's paths can flow from path to path over its truncation points.
//
// Within a path, as many executions leave a block as enter it, regardless of the counts. Counts can therefore be
// inconsistent only between paths. A path that starts at the target of a truncation point follows a path that ended at
// its source. The counts of path ends must therefore be able to flow over the truncation points to the counts of path
// starts. Excess ends belong to activations that never finished, whose last path is not counted. Excess starts are
// errors.
#ifndef PATHPROF_PATHDUMP_MODEL_CUT_FLOW_H
#define PATHPROF_PATHDUMP_MODEL_CUT_FLOW_H

#include <cstdint>
#include <map>
#include <set>

#include "profile/model/profile.h"

namespace pathprof {

using Amount = unsigned __int128;

// A block at which counted paths end, or a block at which counted paths start.
struct Port {
  Amount count = 0;
  Amount left = 0;            // part that the other side does not match
  std::map<int, Amount> flow; // flow over the truncation points, by block of the other side
  // True if a path can end at an abnormal edge, or at an edge that unwinds from a call, without being counted. If this
  // is possible, the counts cannot be checked.
  bool unknown = false;
  Amount missing = 0;     // paths that enter or leave a collapsed loop here without a matching path in the loop
  bool leads_out = false; // for ends: a truncation point leads to EXIT, so no path follows
};

// The flow through the truncation points of a function, from path ends to path starts.
class CutFlow {
public:
  CutFlow(const Function &function, const Decoded &decoded);

  const std::map<int, Port> &ends() const { return ends_; }
  const std::map<int, Port> &starts() const { return starts_; }
  // Returns true if the block is the header of a collapsed loop. A path that traverses the collapsed loop can reach
  // this block without ending.
  bool is_passed(int start) const { return passed_.count(start) != 0; }
  // Returns true if the block is a path start that is reachable from ENTRY through executed paths.
  bool is_led_to(int start) const { return led_to_.count(start) != 0; }
  bool has_saturated_counts() const { return saturated_; }
  // Returns true if a path can end without being counted while its activation continues.
  bool has_unknown_ends() const { return has_unknown_; }

private:
  static constexpr int kFromEntry = -1;

  void find_passed(const FunctionNotes &notes);
  void find_ports(const Function &function);
  void spread_unknown();
  void add_counts(const Activity &activity);
  void add_counts(const Function &function);
  void add_passages(const Path &path, int start, uint64_t count);
  void take_passages();
  static void take(Port &port, Amount count);
  void follow(const std::map<int, std::set<int>> &ends_of);
  void match();
  void send(int from, int to, Amount amount);
  bool augment(int from);
  void push(int from, int to, std::map<int, int> &came_from, std::map<int, int> &gave_back);

  const Decoded &decoded_;
  std::map<int, Port> ends_;
  std::map<int, Port> starts_;
  std::set<int> led_to_;
  std::set<int> passed_;                   // headers of collapsed loops
  std::map<int, Amount> entered_, left_;   // paths that enter or leave a collapsed loop, by block
  std::map<int, std::set<int>> passed_on_; // collapsed loops that paths traverse, by start of the path
  bool saturated_ = false;
  bool has_unknown_ = false;
};

} // namespace pathprof

#endif
