// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the counts of a function's paths can flow from path to path over its cut edges.
//
// Inside a path as many executions leave a block as enter it, whatever the counts are.  What can go
// wrong lies between paths: each path that starts where a cut edge arrives follows one that ended
// where a cut edge leaves.  So the counts of ends must be able to flow over the cut edges to the
// counts of starts. Ends that are left over belong to activations that never finished (their last
// path is not counted); starts that are left over came from nowhere.
#ifndef PATHPROF_PATHDUMP_MODEL_CUT_FLOW_H
#define PATHPROF_PATHDUMP_MODEL_CUT_FLOW_H

#include <cstdint>
#include <map>
#include <set>

#include "profile/model/profile.h"

namespace pathprof {

using Amount = unsigned __int128;

// One side of the cut edges: a block where counted paths end, or one where they start.
struct Port {
  Amount count = 0;
  Amount left = 0;            // not matched by the other side
  std::map<int, Amount> flow; // by block of the other side: how much of it goes over the cut edges
  // Over an abnormal edge, or one out of a call, paths may end uncounted: nothing can be told about the ports that it
  // joins.
  bool unknown = false;
  Amount missing = 0;     // paths enter or leave a contracted loop here that none in it began or ended for
  bool leads_out = false; // of ends: a cut edge goes to EXIT, so that no path follows
};

// The flow over a function's cut edges.
class CutFlow {
public:
  CutFlow(const Function &function, const Decoded &decoded);

  const std::map<int, Port> &ends() const { return ends_; }
  const std::map<int, Port> &starts() const { return starts_; }
  // True if contracted loops begin at the block: control comes to it on paths that may not be finished.
  bool is_passed(int start) const { return passed_.count(start) != 0; }
  // True if executed paths lead from ENTRY to the block where others start.
  bool is_led_to(int start) const { return led_to_.count(start) != 0; }
  bool has_saturated_counts() const { return saturated_; }
  // True if a path may end uncounted although the activation goes on.
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
  std::set<int> passed_;                   // heads of contracted loops
  std::map<int, Amount> entered_, left_;   // by block: paths that enter or leave one there
  std::map<int, std::set<int>> passed_on_; // by where paths start: which they pass
  bool saturated_ = false;
  bool has_unknown_ = false;
};

} // namespace pathprof

#endif
