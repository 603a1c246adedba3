/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Parses the names of the parts of a profile.  */
#include "profile/format/part.h"

#include "profile/format/text.h"

bool pathprof_is_part_name(const char *name, const char *base, uint64_t *user) {
  if (!pathprof_text_starts(name, base))
    return false;
  name += pathprof_text_size(base);
  return pathprof_text_starts(name, PATHPROF_PART_SUFFIX) &&
         pathprof_text_number(name + sizeof PATHPROF_PART_SUFFIX - 1, &name, user) && !*name;
}
