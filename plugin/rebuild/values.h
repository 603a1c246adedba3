// SPDX-License-Identifier: GPL-3.0-or-later
// Passes the values in a profile (values=1) to GCC's value transformations.
#ifndef PATHPROF_PLUGIN_REBUILD_VALUES_H
#define PATHPROF_PLUGIN_REBUILD_VALUES_H

#include <cstdint>
#include <map>

#include "plugin/gcc/value_sites.h"
#include "plugin/options/input_profile.h"
#include "plugin/gcc/file_table.h"

namespace pathprof {

// Maps profiled callees of indirect calls to GCC's function IDs.
class CalleeIds {
public:
  // Collects the functions of the unit. Also collects functions from other units by name, because link-time
  // optimisation might find their definitions.
  CalleeIds(const InputProfile &profile, FileTable &files);
  ~CalleeIds();
  CalleeIds(const CalleeIds &) = delete;
  CalleeIds &operator=(const CalleeIds &) = delete;

  // Returns GCC's ID of the function with this callee number (profile/model/values.h), or 0 if the function is unknown.
  int64_t id_of(int64_t callee) const;

private:
  std::map<int64_t, int64_t> ids_;
};

// Attaches the profiled values to statements of `cfun`. Block counts must already be set. Returns false if no values
// were attached.
bool attach_values(ValueHistograms &found, const InputFunction &input, const CalleeIds &callees);

// Applies GCC's value transformations to the statements of `cfun` that have profiled values. First scales the values to
// the current block counts, because blocks may have been copied. Indirect calls are transformed later, by another GCC
// pass. The caller must rebuild the call-graph edges.
void transform_by_values();

} // namespace pathprof

#endif
