// SPDX-License-Identifier: GPL-3.0-or-later
// Collects the names of the functions in a profile.
#include "pathdump/cost/instrumented.h"

#include "pathdump/ui/names.h"

namespace pathprof {

InstrumentedNames::InstrumentedNames(const Profile &profile) {
  for (const Function &function : profile.functions) {
    names_.insert(function.notes.name);
    names_.insert(demangle(function.notes.name));
  }
}

bool InstrumentedNames::has(const std::string &name) const {
  return names_.count(name) || names_.count(name_of_original(name));
}

bool InstrumentedNames::is_runtime(const std::string &name) {
  return name.rfind("pathrt_", 0) == 0 || name.rfind("pathprof_", 0) == 0;
}

} // namespace pathprof
