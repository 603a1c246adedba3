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

// Returns the tokens in the lines around a location, without preprocessor directives. The location must not be in a
// macro. Returns no tokens if the file cannot be read. The next call invalidates the reference.
const std::vector<SourceToken> &tokens_around(location_t location);

// Finds the innermost macro whose expansion contains both ends of the range, and returns the range in this macro. If an
// end is in a nested macro, it is replaced with the corresponding end of the invocation of the nested macro. Returns
// unknown locations if there is no such macro.
source_range in_one_macro(source_range range);

// If the range is a parameter in a macro's definition, returns the range of the corresponding argument. If this
// argument is a parameter of another macro, continues with the argument of that macro. Returns the range unchanged if
// it is not a parameter, or if the ends of the argument are in different macros.
source_range in_argument(source_range range);

} // namespace pathprof

#endif
