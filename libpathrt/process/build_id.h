/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Identity of the program and of the module that contains this copy of the runtime.  */
#ifndef PATHRT_BUILD_ID_H
#define PATHRT_BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>

struct pathrt_identity {
  char program[256];             /* base name of the program's file */
  bool is_program;               /* true if this copy of the runtime is linked into the program, false if it is linked
                                    into a shared library */
  const char *module;            /* base name of the module's file */
  const unsigned char *build_id; /* GNU build ID of the module, or null */
  size_t build_id_size;
};

/* Determines the identity.  Called only once, at startup, because it acquires the dynamic loader's lock and reads
 * /proc.  */
void pathrt_identify(struct pathrt_identity *identity);

#endif
