// SPDX-License-Identifier: GPL-3.0-or-later
// Who called a function, where the profile leaves no doubt.
//
// Paths that stay in functions do not tell who called these.  But notes have the direct calls of each function, and as
// often as control came to a call its callee began: where the calls of one function account for all activations of
// another, that is its caller.
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

// A call that is open while what it called runs.
struct OpenCall {
  const Function *function;
  uint32_t line; // of the call; 0: not known, or there were several
};

class Callers {
public:
  Callers(const Profile &profile, const std::string &file);

  // The calls that are open when the function runs, outermost first; nothing where its caller is not known.
  std::vector<OpenCall> of(const Function &function) const;
  // For people: at which of the functions that stacks begin with they do although somebody called these, and why;
  // empty: at none.
  std::string text_of_unknown(const std::set<const Function *> &outermost, const Names &names) const;

private:
  struct Called {
    std::map<const Function *, std::map<uint32_t, unsigned __int128>> sites; // by caller and line: how often
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
