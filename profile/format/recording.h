/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Defines the protocol by which a tool requests a profile from a running process ('pathdump record -p',
 * libpathrt/recording.c).
 *
 * A process that accepts requests announces this in /proc/PID/maps with a mapping whose name contains the number of the
 * request signal:
 *
 *     /memfd:pathprof-switch-1-23 (deleted)
 *
 * The mapping disappears when the process executes another program or removes its signal handler.  To send a request,
 * the tool queues that signal (sigqueue) with a 32-bit value (pathprof_request_value).  The process answers
 * PATHPROF_REQUEST_BEGIN with a file in memory, which it keeps open and which the tool finds in /proc/PID/fd as
 * "/memfd:pathprof-recording (deleted)".  The file contains the structure below and, once `state` is
 * PATHPROF_RECORDING_DONE, the profile at offset PATHPROF_RECORDING_DATA.  The tool and the process do not need a
 * common directory.  A tool locks the file (flock) while it records.  If the tool disappears, the recording ends when
 * the requested time is over.  */
#ifndef PATHPROF_PROFILE_FORMAT_RECORDING_H
#define PATHPROF_PROFILE_FORMAT_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#define PATHPROF_ANNOUNCED_NAME "pathprof-switch-1-" /* the signal number follows in the name */
#define PATHPROF_RECORDING_NAME "pathprof-recording"
#define PATHPROF_RECORDING_MAGIC UINT64_C(0x3163657268746170) /* the bytes "pathrec1" */

enum { PATHPROF_RECORDING_DATA = 4096 };

enum pathprof_recording_state {
  PATHPROF_RECORDING_NEW,
  PATHPROF_RECORDING_ON,     /* profiling is switched on in the process for this recording */
  PATHPROF_RECORDING_DONE,   /* the profile of the recording is complete */
  PATHPROF_RECORDING_FAILED, /* the recording failed; `error` contains the reason */
  PATHPROF_RECORDING_EXPIRED /* no tool ended the recording in time */
};

/* The header of a recording.  Only the process writes the header, and it writes `state` last.  */
struct pathprof_recording {
  uint64_t magic;
  uint32_t state;    /* state of the recording, an enum pathprof_recording_state */
  int32_t error;     /* errno of the failure, or 0 if the process printed the reason to standard error */
  uint64_t size;     /* size of the profile in bytes */
  uint64_t switched; /* time during which profiling was switched on for this recording, in microseconds */
};

enum pathprof_request {
  PATHPROF_REQUEST_BEGIN,
  PATHPROF_REQUEST_RENEW, /* extends the duration of the recording */
  PATHPROF_REQUEST_END,
  PATHPROF_REQUEST_EXPIRE /* ends an expired recording; the process sends this request to itself */
};

/* The fields of a request value: 8 bits that mark it as a request, 2 bits for the enum pathprof_request, 12 bits for
 * the deadline by which the request must be handled (a signal can remain blocked), and 10 bits for the maximum duration
 * of the recording.  */
enum {
  PATHPROF_REQUEST_MARK = 0xb5,
  PATHPROF_REQUEST_CLOCK = 1 << 12, /* times in requests are in seconds, modulo this number */
  PATHPROF_REQUEST_PATIENCE = 64,   /* maximum age of a request in seconds */
  PATHPROF_LEASE_UNIT = 8           /* seconds */
};

/* Returns the 32-bit value that encodes a request.  `until` is the deadline by which the request must be handled, in
 * seconds of the real-time clock.  `lease` is the maximum duration of the recording in seconds, at most
 * 1023 * PATHPROF_LEASE_UNIT.  */
static inline uint32_t pathprof_request_value(enum pathprof_request request, uint64_t until, uint32_t lease) {
  uint32_t units = (lease + PATHPROF_LEASE_UNIT - 1) / PATHPROF_LEASE_UNIT;
  return (uint32_t)PATHPROF_REQUEST_MARK << 24 | (uint32_t)request << 22 |
         (uint32_t)(until % PATHPROF_REQUEST_CLOCK) << 10 | (units & 0x3ff);
}

static inline bool pathprof_is_request(uint32_t value) {
  return value >> 24 == PATHPROF_REQUEST_MARK;
}

static inline enum pathprof_request pathprof_request_in(uint32_t value) {
  return (enum pathprof_request)(value >> 22 & 3);
}

/* Returns true if the deadline of the request has not passed.  */
static inline bool pathprof_request_is_timely(uint32_t value, uint64_t now) {
  uint32_t left = ((value >> 10) - (uint32_t)now) % PATHPROF_REQUEST_CLOCK;
  return left <= PATHPROF_REQUEST_PATIENCE;
}

/* Returns the maximum duration of the recording in seconds.  */
static inline uint32_t pathprof_request_lease(uint32_t value) {
  return (value & 0x3ff) * PATHPROF_LEASE_UNIT;
}

#endif
