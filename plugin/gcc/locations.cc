// SPDX-License-Identifier: GPL-3.0-or-later
// Determines whether source locations belong to the files that GCC opened.
#include <unordered_map>

#include "plugin/gcc/gcc.h"

#include "plugin/gcc/locations.h"

namespace pathprof {

// Returns true if the file name in the line map with this index is the name of the file that GCC opened. GCC begins a
// new line map at the start and the end of a file, at a #line directive, and at a line that is too long for the current
// map. Directories are ignored because #line directives in generated files may refer to the generated file itself
// without its directory.
static bool has_name_of_opened_file(unsigned index) {
  const line_map_ordinary *map = LINEMAPS_ORDINARY_MAP_AT(line_table, index);
  for (unsigned i = index + 1; i-- > 0;) {
    const line_map_ordinary *entered = LINEMAPS_ORDINARY_MAP_AT(line_table, i);
    if (entered->reason == LC_ENTER && linemap_included_from(entered) == linemap_included_from(map))
      return strcmp(lbasename(ORDINARY_MAP_FILE_NAME(entered)), lbasename(ORDINARY_MAP_FILE_NAME(map))) == 0;
  }
  return true;
}

bool is_in_own_file(location_t location) {
  if (in_lto_p) // Link-time optimisation creates new maps for locations.
    return true;
  location = linemap_resolve_location(line_table, location, LRK_MACRO_EXPANSION_POINT, nullptr);
  const line_map *map = is_known(location) ? linemap_lookup(line_table, location) : nullptr;
  if (!map)
    return true;
  static std::unordered_map<unsigned, bool> known;
  unsigned index = static_cast<unsigned>(linemap_check_ordinary(map) - LINEMAPS_ORDINARY_MAP_AT(line_table, 0));
  auto [at, is_new] = known.try_emplace(index);
  if (is_new)
    at->second = has_name_of_opened_file(index);
  return at->second;
}

} // namespace pathprof
