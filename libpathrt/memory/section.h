/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The section of the module that contains its counters and table heads (profile/format/abi.h).  */
#ifndef PATHRT_SECTION_H
#define PATHRT_SECTION_H

#include <stddef.h>

/* Start and end of the section, defined by the linker; null if the module has no such section.  */
extern unsigned char __start_pathprof_counters[] __attribute__((weak, visibility("hidden")));
extern unsigned char __stop_pathprof_counters[] __attribute__((weak, visibility("hidden")));

static inline size_t pathrt_section_size(void) {
  return (size_t)(__stop_pathprof_counters - __start_pathprof_counters);
}

#endif
