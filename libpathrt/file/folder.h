/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Creation and listing of the directory that contains a file.  */
#ifndef PATHRT_FOLDER_H
#define PATHRT_FOLDER_H

#include <stdbool.h>

#include "libpathrt/process/name.h"

/* Creates the missing parent directories of a file.  On failure, sets errno and returns false.  */
bool pathrt_make_folders(const struct pathrt_name *name);

/* Opens the directory that contains `file`.  Returns the descriptor, or −1 on failure.  */
int pathrt_open_folder(const struct pathrt_name *file);

/* Calls `visit` for each name in the directory that contains `file`.  Not reentrant.  */
void pathrt_visit_folder(const struct pathrt_name *file,
                         void (*visit)(int folder, const char *name, const struct pathrt_name *file));

#endif
