// SPDX-License-Identifier: GPL-3.0-or-later
// Resolves direct calls to functions of the profile or to code that is not counted.
//
// The notes contain the assembler name of the callee. The name refers to a function of the profile if the callee is in
// the same unit as its caller or is visible to other units. Constructors and destructors have two names for one body,
// of which the notes contain only one.
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
  // Keeps a reference to the profile.
  explicit Callees(const Profile &profile);

  // Returns the function that `caller` calls by this name, or null if the profile does not contain the function.
  const Function *find(const Function &caller, const std::string &name) const;
  // Returns the assembler names of the functions that are called on the path but whose own paths are not counted, in
  // the order of their first calls. Calls in the path's context and calls after the line at which the path was
  // truncated are omitted.
  std::vector<std::string> not_counted(const Function &function, const Path &path) const;

private:
  const Function *visible(const Function &caller, const std::string &name) const;

  std::unordered_multimap<std::string, const Function *> by_name_;
};

} // namespace pathprof

#endif
