/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Profiles of other builds of a program, which are kept next to the current profile as FILE.BUILDID.  */
#ifndef PATHRT_OTHER_BUILD_H
#define PATHRT_OTHER_BUILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "libpathrt/file/replace.h"
#include "libpathrt/process/name.h"
#include "profile/format/image.h"

#pragma GCC visibility push(hidden)

/* Returns true if the older profile belongs to another build of one of the modules in the new profile.  Then `*found`
 * is that module in the older profile.  */
bool pathrt_is_other_build(const struct pathprof_image *fresh, const struct pathprof_image *older,
                           struct pathprof_module *found);

/* Renames the older profile, which contains `module`, and gives its name to the new profile (`image`).  The new profile
 * is complete on disk before the older profile is renamed.  Returns false after printing a message.  */
bool pathrt_replace_other_build(const struct pathrt_name *file, const struct pathprof_buffer *image,
                                const struct pathprof_image *fresh, const struct pathprof_image *older,
                                const struct pathprof_module *module, const struct pathrt_rights *rights,
                                pathrt_pending pending);

/* Adds an orphan, which contains `module`, to the profile that is kept for its build.  */
bool pathrt_keep_orphan(const struct pathrt_name *file, const struct pathprof_buffer *image,
                        const struct pathprof_module *module, pathrt_pending pending);

#pragma GCC visibility pop

#endif
