// SPDX-License-Identifier: GPL-3.0-or-later
// Places in the source, as GCC has them.
#ifndef PATHPROF_PLUGIN_GCC_LOCATIONS_H
#define PATHPROF_PLUGIN_GCC_LOCATIONS_H

#include <algorithm>

#include "plugin/gcc/gcc.h"

namespace pathprof {

inline bool is_known(location_t location) {
  return location > BUILTINS_LOCATION;
}

// Whether lines are those of the source, but columns those of what a preprocessor has made of it.
inline bool is_preprocessed() {
  static const bool is_so =
      std::any_of(save_decoded_options, save_decoded_options + save_decoded_options_count,
                  [](const cl_decoded_option &option) { return option.opt_index == OPT_fpreprocessed; });
  return is_so;
}

// Whether the place is in a file of the name that the compiler opened, and not that of a #line: columns behind a #line
// are those of what a generator has made of the file.
bool is_in_own_file(location_t location);

// Whether the column is one of the source.
inline bool has_column(location_t location) {
  return !is_preprocessed() && is_in_own_file(location);
}

// Whether both are known.
inline bool is_known(source_range range) {
  return is_known(range.m_start) && is_known(range.m_finish);
}

// Whether the first place is before the second one, also in macros.
inline bool is_before(location_t one, location_t other) {
  return linemap_compare_locations(line_table, one, other) > 0;
}

inline bool is_of_macro(location_t location) {
  return linemap_location_from_macro_expansion_p(line_table, location);
}

// A word of what a macro was replaced by: where it was written, in the macro's definition or in an argument, and where
// the definition has it, or the parameter that stands for it.  They are one place unless it is of an argument.
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
