// SPDX-License-Identifier: GPL-3.0-or-later
// Values that a profile counted (values=1), for GCC's own transformations by value.
#ifndef PATHPROF_PLUGIN_REBUILD_VALUES_H
#define PATHPROF_PLUGIN_REBUILD_VALUES_H

#include <cstdint>
#include <map>

#include "plugin/gcc/value_sites.h"
#include "plugin/options/input_profile.h"
#include "plugin/gcc/file_table.h"

namespace pathprof {

// What GCC calls functions that are known as values of indirect calls.
class CalleeIds {
public:
  // Those of the unit, and those of other units by their names, which link-time optimisation may find.
  CalleeIds(const InputProfile &profile, FileTable &files);
  ~CalleeIds();
  CalleeIds(const CalleeIds &) = delete;
  CalleeIds &operator=(const CalleeIds &) = delete;

  // GCC's number of the function with that number (profile/model/values.h); 0: not known.
  int64_t id_of(int64_t callee) const;

private:
  std::map<int64_t, int64_t> ids_;
};

// Gives statements of `cfun` the values that the profile has of them.  Blocks must have their counts.  False where the
// profile has values of other statements, or none.
bool attach_values(ValueHistograms &found, const InputFunction &input, const CalleeIds &callees);

// Lets GCC transform statements of `cfun` that have values; indirect calls follow in a later pass of its own.  Values
// are adapted to the counts of blocks, which may have been copied since.  Edges of the call graph must be built anew.
void transform_by_values();

} // namespace pathprof

#endif
