// SPDX-License-Identifier: GPL-3.0-or-later
// The tokens of a part of a source file, in which the uses of macros are replaced by what the macros make of them.
#ifndef PATHPROF_PLUGIN_GCC_SOURCE_TOKENS_H
#define PATHPROF_PLUGIN_GCC_SOURCE_TOKENS_H

#include <string>
#include <vector>

#include "plugin/gcc/gcc.h"

namespace pathprof {

struct SourceToken {
  std::string text;    // of a literal: letters; of `and`, `or` and `not` in C++: the operator
  location_t location; // of its first character; in a macro, as GCC has it for the token of the expansion
  source_range use;    // the first and the last token of the use of a macro, outside macros, that it comes from
};

// Returns the tokens of the lines around a location outside macros, without preprocessor directives. Returns nothing if
// the lines cannot be read.
std::vector<SourceToken> tokens_around(location_t location);

// Returns the range with both ends in the innermost macro whose expansion contains both: an end in another macro that
// is used there is replaced by the end of the use.  Returns unknown locations if there is no such macro.
source_range in_one_macro(source_range range);

// Returns the argument that a use in the definition of a macro stands for, as long as both ends of it are in one macro
// or one of them is in the source; else the range itself.
source_range in_argument(source_range range);

} // namespace pathprof

#endif
