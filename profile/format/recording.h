/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* How a tool has a running process recorded ('pathdump record -p', libpathrt/recording.c): what both agree on.
 *
 * The process tells that it may be asked by a mapping whose name has the number of the signal to ask with
 * (/proc/PID/maps):
 *
 *     /memfd:pathprof-switch-1-23 (deleted)
 *
 * It is gone when the process executes another program, or takes its handler away.  A request is that signal with a
 * value of 32 bits (sigqueue), pathprof_request.  To PATHPROF_REQUEST_BEGIN the process answers with a file in memory
 * that it keeps open, to be found in /proc/PID/fd as "/memfd:pathprof-recording (deleted)": the structure below, and
 * at PATHPROF_RECORDING_DATA the profile once `state` says that it is there.  Neither needs a folder that both can see.
 * A tool holds the file's lock (flock) while it records.  A recording whose tool goes away without ending it ends by
 * itself when the time it asked for is over.  */
#ifndef PATHPROF_PROFILE_FORMAT_RECORDING_H
#define PATHPROF_PROFILE_FORMAT_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#define PATHPROF_ANNOUNCED_NAME "pathprof-switch-1-" /* the signal's number follows */
#define PATHPROF_RECORDING_NAME "pathprof-recording"
#define PATHPROF_RECORDING_MAGIC UINT64_C(0x3163657268746170) /* "pathrec1" */

enum { PATHPROF_RECORDING_DATA = 4096 };

enum pathprof_recording_state {
  PATHPROF_RECORDING_NEW,
  PATHPROF_RECORDING_ON,     /* switched on, and what is counted is for the profile */
  PATHPROF_RECORDING_DONE,   /* the profile is there */
  PATHPROF_RECORDING_FAILED, /* `error` says why */
  PATHPROF_RECORDING_EXPIRED /* nobody ended it in time */
};

/* Written by the process alone; `state` last.  */
struct pathprof_recording {
  uint64_t magic;
  uint32_t state;    /* enum pathprof_recording_state */
  int32_t error;     /* errno, 0: a line on the process's standard error says what was wrong */
  uint64_t size;     /* of the profile, in bytes */
  uint64_t switched; /* for how many microseconds it was on for this recording */
};

enum pathprof_request {
  PATHPROF_REQUEST_BEGIN,
  PATHPROF_REQUEST_RENEW, /* it may last longer */
  PATHPROF_REQUEST_END,
  PATHPROF_REQUEST_EXPIRE /* of the process to itself */
};

/* The fields of a value: 8 bits that tell it from others, 2 of enum pathprof_request, 12 of the time until which it may
 * be handled (a signal may stay blocked), and 10 of how long the recording may last.  */
enum {
  PATHPROF_REQUEST_MARK = 0xb5,
  PATHPROF_REQUEST_CLOCK = 1 << 12, /* the time is a number of seconds modulo this */
  PATHPROF_REQUEST_PATIENCE = 64,   /* seconds for which a request can be handled at most */
  PATHPROF_LEASE_UNIT = 8,          /* seconds */
  PATHPROF_LONGEST_LEASE = ((1 << 10) - 1) * PATHPROF_LEASE_UNIT /* seconds */
};

/* `until`: seconds of the real-time clock.  `lease`: seconds, at most PATHPROF_LONGEST_LEASE.  */
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

/* Whether the request may still be handled.  */
static inline bool pathprof_request_is_timely(uint32_t value, uint64_t now) {
  uint32_t left = ((value >> 10) - (uint32_t)now) % PATHPROF_REQUEST_CLOCK;
  return left <= PATHPROF_REQUEST_PATIENCE;
}

/* In seconds.  */
static inline uint32_t pathprof_request_lease(uint32_t value) {
  return (value & 0x3ff) * PATHPROF_LEASE_UNIT;
}

#endif
