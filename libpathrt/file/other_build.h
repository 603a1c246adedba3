/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Profiles of other builds of a program: they are kept beside the one of this build, as FILE.BUILDID.  */
#ifndef PATHRT_OTHER_BUILD_H
#define PATHRT_OTHER_BUILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "libpathrt/file/replace.h"
#include "libpathrt/process/name.h"
#include "profile/format/image.h"

#pragma GCC visibility push(hidden)

/* Whether the older profile is of another build of one of the modules in the fresh one, which *found is then, as the
 * older profile has it.  */
bool pathrt_is_other_build(const struct pathprof_image *fresh, const struct pathprof_image *older,
                           struct pathprof_module *found);

/* Moves the older profile, which holds this module, out of the way and gives the fresh one (`image`) its name.  The new
 * profile is complete on disk before the older one is touched.  False after a message.  */
bool pathrt_replace_other_build(const struct pathrt_name *file, const struct pathprof_buffer *image,
                                const struct pathprof_image *fresh, const struct pathprof_image *older,
                                const struct pathprof_module *module, const struct pathrt_rights *rights,
                                pathrt_pending pending);

/* Adds an orphan, which holds this module, to what is kept of its build.  */
bool pathrt_keep_orphan(const struct pathrt_name *file, const struct pathprof_buffer *image,
                        const struct pathprof_module *module, pathrt_pending pending);

#pragma GCC visibility pop

#endif
