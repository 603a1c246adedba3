/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The raw file of continuous mode, with its descriptor, its space and its mapped areas.  */
#ifndef PATHRT_RAW_FILE_H
#define PATHRT_RAW_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "libpathrt/process/name.h"
#include "profile/format/raw.h"

/* State of the module's raw file.  */
struct pathrt_raw {
  struct pathprof_raw_header *header; /* address at which the header is mapped, or null if there is no raw file */
  int fd;
  dev_t device;
  ino_t inode;
  bool has_name;
  bool paused;
  bool is_adopted; /* true if another process has added the counts in the file to a profile, and this process has not
                      written its counts since then */
  bool full;       /* the file cannot grow any more */
  uint64_t size;   /* size of the file, which is a multiple of the page size; disk space is reserved for the whole
                      file */
  uint64_t used;   /* number of allocated bytes in the newest area, if blocks are allocated from that area */
  uint32_t locked; /* 1 while a thread is extending the file */
};

extern struct pathrt_raw pathrt_raw;
/* Name of the raw file, or null if this module has never tried to create one.  The name is too large for a static
 * variable, which would be part of each instrumented program.  */
extern struct pathrt_name *pathrt_raw_name;

/* Returns `size` rounded up to whole pages.  */
uint64_t pathrt_raw_in_pages(uint64_t size);

/* Replaces a descriptor with a duplicate that has a high number, because programs such as shells overwrite low
 * descriptors with dup2.  Returns the new descriptor, or `fd` if it cannot be duplicated.  */
int pathrt_raw_lift(int fd);
/* Returns the descriptor of the file.  Reopens the file if the program has closed the descriptor.  On failure, sets
 * errno and returns -1.  */
int pathrt_raw_own_fd(void);
void pathrt_raw_close_fd(void);
/* Returns true if the name still refers to the raw file.  */
bool pathrt_raw_has_its_name(void);

/* Writes the name of the active test to the header.  Also records one run of the test if `tells` is true and this run
 * does not continue an earlier run; otherwise, records no run.  */
void pathrt_raw_name_test(bool tells);

/* Reserves space at the end of the file and maps it at `address`, or at any address if `address` is null.  On failure,
 * sets errno and returns null.  */
unsigned char *pathrt_raw_add_area(void *address, uint64_t wanted);
/* Maps all areas again with the mmap flags `how`, which select a shared or private mapping.  */
bool pathrt_raw_map_areas(int how);

#endif
