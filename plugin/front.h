// SPDX-License-Identifier: GPL-3.0-or-later
// Counting in the front of a table (profile/abi.h) without a call.
#ifndef PATHPROF_PLUGIN_FRONT_H
#define PATHPROF_PLUGIN_FRONT_H

#include <vector>

#include "plugin/arguments.h"

struct gcall;

namespace pathprof {

// Each of these calls, count (table, id), is made only where the path has no slot in the table's front; else
// the count in that slot goes up.  Calls that hardly ever run, and those in functions that GCC optimises for size, stay as they are.  Leaves no
// dominance information, and SSA form to be updated.
void look_at_front_first(const std::vector<gcall *> &counts, Update update);

} // namespace pathprof

#endif
