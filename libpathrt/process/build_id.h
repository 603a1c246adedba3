/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Which program this process runs, and which of its modules this copy of the runtime is in.  */
#ifndef PATHRT_BUILD_ID_H
#define PATHRT_BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>

struct pathrt_identity {
  char program[256];             /* base name of the program's file */
  bool is_program;               /* this copy is in the program itself */
  const char *module;            /* base name of the module's file; the program's for the program itself */
  const unsigned char *build_id; /* the module's GNU build id, null where it has none */
  size_t build_id_size;
};

/* To be asked once, at start: takes the dynamic loader's lock, needs /proc.  */
void pathrt_identify(struct pathrt_identity *identity);

#endif
