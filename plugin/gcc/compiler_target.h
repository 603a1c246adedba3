// SPDX-License-Identifier: GPL-3.0-or-later
// Describes the target for which GCC was configured.
#ifndef PATHPROF_PLUGIN_GCC_COMPILER_TARGET_H
#define PATHPROF_PLUGIN_GCC_COMPILER_TARGET_H

namespace pathprof {

// Returns false if the target of this compiler, such as arm-none-eabi, has no operating system that the runtime
// supports.
bool compiler_has_operating_system();

} // namespace pathprof

#endif
