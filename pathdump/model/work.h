// SPDX-License-Identifier: GPL-3.0-or-later
// Divides the statements of executed paths among activations and lines, for viewers of call stacks.
#ifndef PATHPROF_PATHDUMP_MODEL_WORK_H
#define PATHPROF_PATHDUMP_MODEL_WORK_H

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "pathdump/model/callers.h"
#include "pathdump/model/hot.h"
#include "pathdump/ui/names.h"
#include "profile/model/profile.h"

namespace pathprof {

// Number of statements that one execution of the path executes on a line. Statements without a line are attributed to
// the function's line.
struct LineWork {
  LineRef place;
  uint64_t statements = 0;
};

// A part of a path that is executed in one activation without interruption.
struct ActivationWork {
  std::vector<OpenCall> callers; // active callers, outermost first, as far as known
  const Function *function = nullptr;
  bool is_called = false;      // true if the activation begins in this part
  std::vector<LineWork> lines; // lines of this part; never empty
};

struct PathWork {
  HotPath hot;
  const char *mode = "";
  std::string lines;                 // line sequence, as in reports
  std::vector<ActivationWork> parts; // one part, or one per step after the context of an interprocedural path
};

// Calls `see` for every executed path of the functions that `names` selects. Returns the outermost functions of the
// call stacks.
std::set<const Function *> for_each_work(const Profile &profile, const std::string &file, const Names &names,
                                         const Callers &callers, const std::function<void(const PathWork &)> &see);

} // namespace pathprof

#endif
