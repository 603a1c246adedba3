// SPDX-License-Identifier: GPL-3.0-or-later
// Whether what && and || join is negated as a whole, in the source.
#ifndef PATHPROF_PLUGIN_GCC_NEGATION_H
#define PATHPROF_PLUGIN_GCC_NEGATION_H

#include <optional>

#include "plugin/gcc/connectives.h"
#include "plugin/gcc/gcc.h"

namespace pathprof {

// Of the outermost connective of a ?:'s condition: whether there is an odd number of '!' before the parentheses around
// it, up to the '?'.  `near` is a place in what it joins, or its own, which tells the macros that it is in.  Nothing
// where it is not known.
std::optional<bool> is_negated_before_choice(const Connective &connective, location_t near);

} // namespace pathprof

#endif
