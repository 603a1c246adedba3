// SPDX-License-Identifier: GPL-3.0-or-later
// Provides the tokens of a part of a source file, with macros expanded.
#ifndef PATHPROF_PLUGIN_GCC_SOURCE_TOKENS_H
#define PATHPROF_PLUGIN_GCC_SOURCE_TOKENS_H

#include <string>
#include <vector>

#include "plugin/gcc/gcc.h"

namespace pathprof {

struct SourceToken {
  std::string text;    // Text of the token; letters for a literal, the operator for `and`, `or` and `not` in C++
  location_t location; // Location of the first character; in a macro, GCC's location of the token in the expansion
  source_range use;    // First and last token of the macro use, outside macros, that produced the token
};

// Returns the tokens of the lines around a location outside macros, without preprocessor directives. Returns nothing if
// the file cannot be read.
std::vector<SourceToken> tokens_around(location_t location);

// Returns the range with both ends in the innermost macro whose expansion contains both. If an end is in another macro
// that is used there, the end of the macro's use replaces it. Returns unknown locations if there is no such macro.
source_range in_one_macro(source_range range);

// Returns the range of the macro argument if the range is a parameter in a macro's definition, and follows nested
// macros. Both ends of the argument must be in the same macro, or one of them in the source. Otherwise returns the
// range itself.
source_range in_argument(source_range range);

} // namespace pathprof

#endif
