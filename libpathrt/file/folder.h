/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Creating and listing the directory of a file.  */
#ifndef PATHRT_FOLDER_H
#define PATHRT_FOLDER_H

#include <stdbool.h>

#include "libpathrt/process/name.h"

/* Creates the directories in the name.  Returns false with errno set.  */
bool pathrt_make_folders(const struct pathrt_name *name);

/* Calls `visit` for every name in the directory of `file`.  Not reentrant.  */
void pathrt_visit_folder(const struct pathrt_name *file,
                         void (*visit)(int folder, const char *name, const struct pathrt_name *file));

#endif
