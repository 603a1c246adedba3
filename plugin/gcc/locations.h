// SPDX-License-Identifier: GPL-3.0-or-later
// Answers questions about GCC's source locations.
#ifndef PATHPROF_PLUGIN_GCC_LOCATIONS_H
#define PATHPROF_PLUGIN_GCC_LOCATIONS_H

#include <algorithm>

#include "plugin/gcc/gcc.h"

namespace pathprof {

inline bool is_known(location_t location) {
  return location > BUILTINS_LOCATION;
}

// Returns true if the input is preprocessed. In this case, line numbers refer to the source, but columns refer to the
// output of the preprocessor.
inline bool is_preprocessed() {
  static const bool is_so =
      std::any_of(save_decoded_options, save_decoded_options + save_decoded_options_count,
                  [](const cl_decoded_option &option) { return option.opt_index == OPT_fpreprocessed; });
  return is_so;
}

// Returns true if the file name of the location is the name under which the compiler opened the file. Returns false if
// the name comes from a #line directive. In this case, columns refer to the generated file that contains the directive.
bool is_in_own_file(location_t location);

// Returns true if the column of the location refers to the source.
inline bool has_column(location_t location) {
  return !is_preprocessed() && is_in_own_file(location);
}

// Returns true if both ends of the range are known.
inline bool is_known(source_range range) {
  return is_known(range.m_start) && is_known(range.m_finish);
}

// Returns true if location `one` precedes location `other`. Both locations may be in macros.
inline bool is_before(location_t one, location_t other) {
  return linemap_compare_locations(line_table, one, other) > 0;
}

inline bool is_of_macro(location_t location) {
  return linemap_location_from_macro_expansion_p(line_table, location);
}

// A token in a macro's expansion. `written` is the location of the token in the macro's definition or in an argument.
// `defined` is the location of the token in the definition, or of the parameter that the argument replaces. The two
// locations differ only for tokens that come from arguments.
struct MacroWord {
  location_t written, defined;
  bool is_of_argument() const { return written != defined; }
};

inline MacroWord word_of_macro(const line_map_macro *map, location_t location) {
  const location_t *places = MACRO_MAP_LOCATIONS(map) + 2 * (location - MAP_START_LOCATION(map));
  return {places[0], places[1]};
}

} // namespace pathprof

#endif
