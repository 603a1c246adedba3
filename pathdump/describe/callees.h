// SPDX-License-Identifier: GPL-3.0-or-later
// What functions call by name: functions of the profile, or code that is not counted.
//
// The notes name the callee by its assembler name.  A function of the profile has it if both are of one unit, or it is
// visible to others.  Constructors and destructors have two names for one body, of which the notes have one.
#ifndef PATHPROF_PATHDUMP_DESCRIBE_CALLEES_H
#define PATHPROF_PATHDUMP_DESCRIBE_CALLEES_H

#include <string>
#include <unordered_map>
#include <vector>

#include "core/numbering/path_graph.h"
#include "profile/model/profile.h"

namespace pathprof {

class Callees {
public:
  // Keeps references.
  explicit Callees(const Profile &profile);

  // What `caller` calls by this name; null: no function of the profile.
  const Function *find(const Function &caller, const std::string &name) const;
  // The assembler names of what is called on the path, behind its context, and is not counted, in the order of the
  // first calls.  Of a path that was cut short, only those up to the line at which it was.
  std::vector<std::string> not_counted(const Function &function, const Path &path) const;

private:
  const Function *visible(const Function &caller, const std::string &name) const;

  std::unordered_multimap<std::string, const Function *> by_name_;
};

} // namespace pathprof

#endif
