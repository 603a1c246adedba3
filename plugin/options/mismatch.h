// SPDX-License-Identifier: GPL-3.0-or-later
// Warnings about input that does not match the code, under GCC's own option -Wcoverage-mismatch.
#ifndef PATHPROF_PLUGIN_OPTIONS_MISMATCH_H
#define PATHPROF_PLUGIN_OPTIONS_MISMATCH_H

#include <string>

#include "plugin/gcc/gcc.h"

namespace pathprof {

// Warns that a function has another graph, or other loops or paths, than a profile or an argument says.  GCC makes
// errors of such warnings unless -Wno-error=coverage-mismatch is given.  Here they are errors only with -Werror or
// -Werror=coverage-mismatch, because compilation after an edit is to be expected.
void warn_of_mismatch(location_t location, const std::string &text);

} // namespace pathprof

#endif
