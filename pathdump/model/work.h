// SPDX-License-Identifier: GPL-3.0-or-later
// In which activations and on which lines executed paths ran their statements, for viewers of call stacks.
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

// Statements that one execution of a path runs on a line.  What has no line is on that of its function.
struct LineWork {
  LineRef place;
  uint64_t statements = 0;
};

// What a path runs in one activation without a break.
struct ActivationWork {
  std::vector<OpenCall> callers; // outermost first, as far as they are known
  const Function *function = nullptr;
  bool is_called = false;      // the activation begins here
  std::vector<LineWork> lines; // never empty
};

struct PathWork {
  HotPath hot;
  const char *mode = "";
  std::string lines;                 // as reports name the path
  std::vector<ActivationWork> parts; // one, or of a path through calls one for each step behind its context
};

// Calls `see` for every executed path of what `names` selects, and gives the functions that are outermost then.
std::set<const Function *> for_each_work(const Profile &profile, const std::string &file, const Names &names,
                                         const Callers &callers, const std::function<void(const PathWork &)> &see);

} // namespace pathprof

#endif
