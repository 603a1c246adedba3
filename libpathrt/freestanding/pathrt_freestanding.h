/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Interface of the runtime for freestanding programs (target=freestanding).  doc/embedded.md shows how to use it.  */
#ifndef PATHRT_FREESTANDING_H
#define PATHRT_FREESTANDING_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sets all counters to zero.  Call this function when the program starts, unless the startup code clears the section
 * "pathprof_counters", and before each test that is to be reported separately.  */
void pathrt_clear(void);

/* Writes the counters of the program as a stream.  Calls `put` repeatedly with 4 or 8 bytes; `put` must deliver the
 * bytes in order, for example to a serial port or to a file of the host, and may collect them in a buffer.  Paths in
 * the caller end before this call; paths of other open activations are not counted.  */
void pathrt_write(void (*put)(const void *data, size_t size));

#ifdef __cplusplus
}
#endif
#endif
