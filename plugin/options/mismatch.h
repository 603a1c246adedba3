// SPDX-License-Identifier: GPL-3.0-or-later
// Warns about input that does not match the code (GCC's option -Wcoverage-mismatch).
#ifndef PATHPROF_PLUGIN_OPTIONS_MISMATCH_H
#define PATHPROF_PLUGIN_OPTIONS_MISMATCH_H

#include <string>

#include "plugin/gcc/gcc.h"

namespace pathprof {

// Warns that the graph, loops or paths of a function do not match a profile or an argument. By default, GCC turns such
// warnings into errors. This function emits errors only with -Werror or -Werror=coverage-mismatch, because a mismatch
// is normal after an edit.
void warn_of_mismatch(location_t location, const std::string &text);

} // namespace pathprof

#endif
