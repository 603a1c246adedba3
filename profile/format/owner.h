/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The process that counts in a raw file: its identity, and whether it may still be alive.
 *
 * Neither a lock nor a lease proves that a process is dead: a process that closed all descriptors still counts through
 * its mapping, and overlayfs, the file system of containers, and NFS grant both although the file is mapped.  The
 * identity does not depend on the file system.  */
#ifndef PATHPROF_PROFILE_FORMAT_OWNER_H
#define PATHPROF_PROFILE_FORMAT_OWNER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The identity of a process.  A process has the same identity after exec.  */
struct pathprof_owner {
  uint64_t pid;            /* in its PID namespace; 0: the identity is unknown */
  uint64_t start_time;     /* clock ticks from the start of the machine, as in /proc/PID/stat */
  uint64_t pid_namespace;  /* inode of /proc/self/ns/pid */
  uint64_t time_namespace; /* inode of /proc/self/ns/time, 0 before Linux 5.6 */
  uint64_t boot[2];        /* the random boot ID of the kernel */
};

/* Determines the identity of the calling process.  `pid` is 0 if /proc does not tell.  */
void pathprof_identify_owner(struct pathprof_owner *owner);

enum pathprof_life {
  PATHPROF_DEAD,    /* no process counts in the file */
  PATHPROF_ALIVE,   /* a process counts in the file */
  PATHPROF_UNKNOWN, /* a process that this one cannot see may count in the file */
};

/* Determines whether the process is alive and still maps raw files, from what /proc shows to the calling process.  */
enum pathprof_life pathprof_life_of(const struct pathprof_owner *owner);

#ifdef __cplusplus
}
#endif
#endif
