/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The section that contains the counters and table heads of a module (profile/format/abi.h).  */
#ifndef PATHRT_SECTION_H
#define PATHRT_SECTION_H

#include <stddef.h>

/* Start and end of the section.  The linker defines these symbols.  Both addresses are null if the module does not have
 * this section.  */
extern unsigned char __start_pathprof_counters[] __attribute__((weak, visibility("hidden")));
extern unsigned char __stop_pathprof_counters[] __attribute__((weak, visibility("hidden")));

static inline size_t pathrt_section_size(void) {
  return (size_t)(__stop_pathprof_counters - __start_pathprof_counters);
}

#endif
