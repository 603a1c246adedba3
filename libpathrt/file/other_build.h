/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Handling of profiles from other builds of a program.  They are kept next to the current profile under the name
 * FILE.BUILDID.  */
#ifndef PATHRT_OTHER_BUILD_H
#define PATHRT_OTHER_BUILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "libpathrt/file/replace.h"
#include "libpathrt/process/name.h"
#include "profile/format/image.h"

#pragma GCC visibility push(hidden)

/* Returns true if the older profile contains a different build of a module that is in the new profile.  In that case,
 * sets `*found` to the module in the older profile.  */
bool pathrt_is_other_build(const struct pathprof_image *fresh, const struct pathprof_image *older,
                           struct pathprof_module *found);

/* How a profile relates to the modules that this process has loaded.  */
struct pathrt_relation {
  bool is_same;  /* the profile contains a module in the build that this process runs */
  bool is_other; /* the profile contains a module of this process, but only in a different build */
};

/* Compares a profile with the modules of this process.  If is_other is true in the result, sets `*found` to the module
 * in the profile.  */
struct pathrt_relation pathrt_relation_of(const struct pathprof_image *profile, struct pathprof_module *found);

/* Keeps the older profile under another name, and writes the new profile (`image`) to `file`.  `module` is the module
 * in the older profile whose build differs.  The older profile is renamed only after the new profile has been written
 * to a temporary file.  On failure, prints a message and returns false.  */
bool pathrt_replace_other_build(const struct pathrt_name *file, const struct pathprof_buffer *image,
                                const struct pathprof_image *fresh, const struct pathprof_image *older,
                                const struct pathprof_module *module, const struct pathrt_rights *rights,
                                pathrt_pending pending);

/* Adds an orphan from another build of the program to the profile of that build.  `module` is a module in the
 * orphan.  */
bool pathrt_keep_orphan(const struct pathrt_name *file, const struct pathprof_buffer *image,
                        const struct pathprof_module *module, pathrt_pending pending);

#pragma GCC visibility pop

#endif
