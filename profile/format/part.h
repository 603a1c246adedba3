/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Recognizes the parts of a profile, which hold the counts of different users.  In a directory such as /tmp, a user
 * cannot replace a profile FILE that another user owns.  In this case, the counts of the user with the number USER are
 * stored in FILE.uUSER, and readers of FILE add them.  */
#ifndef PATHPROF_PROFILE_FORMAT_PART_H
#define PATHPROF_PROFILE_FORMAT_PART_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Separates the name of the profile from the user ID in the name of a part.  */
#define PATHPROF_PART_SUFFIX ".u"

/* Returns true if `name` is the name of a part of the profile `base`, both without directories, and sets `*user` to the
 * ID of the user who should own the part.  */
bool pathprof_is_part_name(const char *name, const char *base, uint64_t *user);

#ifdef __cplusplus
}
#endif
#endif
