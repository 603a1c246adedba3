/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Recognizes the parts of a profile.  In a directory such as /tmp, a user cannot replace a profile FILE that another
 * user owns.  The counts of the user with ID USER are then stored in the part FILE.uUSER.  Readers of FILE add the
 * counts in its parts.  */
#ifndef PATHPROF_PROFILE_FORMAT_PART_H
#define PATHPROF_PROFILE_FORMAT_PART_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Separator between the name of the profile and the user ID in the name of a part.  */
#define PATHPROF_PART_SUFFIX ".u"

/* Returns true if the file `name` is a part of the profile `base`, and sets `*user` to the ID of the user who should
 * own the part.  Neither name contains a directory.  */
bool pathprof_is_part_name(const char *name, const char *base, uint64_t *user);

#ifdef __cplusplus
}
#endif
#endif
