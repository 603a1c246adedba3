// SPDX-License-Identifier: GPL-3.0-or-later
// Infers the callers of functions from execution counts.
//
// Intraprocedural paths do not identify the caller of a function. But the notes list the direct calls of each function,
// and a callee starts as often as control reaches its call. If the calls in one function account for all activations of
// another function, the first function is the caller.
#ifndef PATHPROF_PATHDUMP_MODEL_CALLERS_H
#define PATHPROF_PATHDUMP_MODEL_CALLERS_H

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "pathdump/describe/callees.h"
#include "pathdump/ui/names.h"
#include "profile/model/profile.h"

namespace pathprof {

// A call that is active while its callee is executed.
struct OpenCall {
  const Function *function;
  uint32_t line; // line of the call; 0 if it is unknown or ambiguous
};

class Callers {
public:
  Callers(const Profile &profile, const std::string &file);

  // Returns the active calls during an activation of the function, outermost first, or nothing if the caller is
  // unknown.
  std::vector<OpenCall> of(const Function &function) const;
  // Returns a message that lists the functions in `outermost` whose callers are unknown, with the reasons. Returns an
  // empty string if there are no such functions.
  std::string text_of_unknown(const std::set<const Function *> &outermost, const Names &names) const;

private:
  struct Called {
    std::map<const Function *, std::map<uint32_t, unsigned __int128>> sites; // call counts by caller and line
    unsigned __int128 from_sites = 0;
    uint64_t activations = 0;
  };

  void add_calls(const Function &function, const Decoded &decoded);
  void add_call(const Function &caller, const Function &callee, uint32_t line, unsigned __int128 count);
  bool is_known(const Called &called) const;

  const Profile &profile_;
  Callees callees_;
  std::map<const Function *, Called> called_;
};

} // namespace pathprof

#endif
