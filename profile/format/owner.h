/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Identifies the process whose counters are in a raw file, and determines whether that process can still be alive.
 *
 * Neither a lock nor a lease proves that a process is dead.  A process that has closed all descriptors can still update
 * the counters through its mapping.  Both overlayfs (the file system of containers) and NFS grant locks and leases on a
 * file even if another process has mapped it.  The identity of a process does not depend on the file system.  */
#ifndef PATHPROF_PROFILE_FORMAT_OWNER_H
#define PATHPROF_PROFILE_FORMAT_OWNER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The identity of a process, which exec does not change.  */
struct pathprof_owner {
  uint64_t pid;            /* process ID in its PID namespace, or 0 if the identity is unknown */
  uint64_t start_time;     /* start time of the process in clock ticks after boot, as in /proc/PID/stat */
  uint64_t pid_namespace;  /* inode of /proc/self/ns/pid */
  uint64_t time_namespace; /* inode of /proc/self/ns/time, or 0 before Linux 5.6 */
  uint64_t boot[2];        /* random boot ID of the kernel */
};

/* Determines the identity of the calling process.  Sets `pid` to 0 if /proc does not provide the identity.  */
void pathprof_identify_owner(struct pathprof_owner *owner);

enum pathprof_life {
  PATHPROF_DEAD,    /* no process can still update the file */
  PATHPROF_ALIVE,   /* a process can still update the file */
  PATHPROF_UNKNOWN, /* a process that the caller cannot see might still update the file */
};

/* Determines whether the process is alive and still maps raw files.  Uses only the data in /proc that the caller can
 * read.  */
enum pathprof_life pathprof_life_of(const struct pathprof_owner *owner);

#ifdef __cplusplus
}
#endif
#endif
