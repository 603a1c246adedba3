/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* A user's part of a profile.  In a folder such as /tmp a user cannot replace a profile FILE that another user owns.
 * That user's counts are in FILE.uUSER then, where USER is the number of the user, and readers of FILE add them.  */
#ifndef PATHPROF_PROFILE_FORMAT_PART_H
#define PATHPROF_PROFILE_FORMAT_PART_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Precedes the number of the user.  */
#define PATHPROF_PART_SUFFIX ".u"

/* Returns true if a file of this name is a part of the profile `base` (both without folders); its owner should be
 * `*user`.
 */
bool pathprof_is_part_name(const char *name, const char *base, uint64_t *user);

#ifdef __cplusplus
}
#endif
#endif
