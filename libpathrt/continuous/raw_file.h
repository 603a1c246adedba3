/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The raw file of continuous mode: its descriptor, its space, and the areas of it that are mapped.  */
#ifndef PATHRT_RAW_FILE_H
#define PATHRT_RAW_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "libpathrt/process/name.h"
#include "profile/format/raw.h"

/* This module's file.  */
struct pathrt_raw {
  struct pathprof_raw_header *header; /* mapped; null where there is no file */
  int fd;
  dev_t device;
  ino_t inode;
  bool has_name;
  bool paused;
  bool is_adopted; /* another process has added it to a profile, and this process has not written since */
  bool full;       /* it cannot grow any more */
  uint64_t size;   /* all of it is reserved; whole pages */
  uint64_t used;   /* how much of the newest area is used, where that is for blocks */
  uint32_t locked; /* somebody makes it grow */
};

extern struct pathrt_raw pathrt_raw;
/* Its name.  By itself, so that a program has no room for it in its file: it is all zeros at first, the above is not.
 */
extern struct pathrt_name pathrt_raw_name;

/* The size in whole pages.  */
uint64_t pathrt_raw_in_pages(uint64_t size);

/* Moves a descriptor to a high number, where few programs look for one: shells dup2 over the low ones.  */
int pathrt_raw_lift(int fd);
/* The file's descriptor, opened anew where the program has closed it.  -1 with errno set.  */
int pathrt_raw_own_fd(void);
void pathrt_raw_close_fd(void);
/* Whether the file still has the name that it was given.  */
bool pathrt_raw_has_its_name(void);

/* Writes into the header which test is under way; `tells`: and that this is a run of it.  */
void pathrt_raw_name_test(bool tells);

/* Reserves space at the end of the file and maps it, at an address or (null) anywhere.  Null with errno set.  */
unsigned char *pathrt_raw_add_area(void *address, uint64_t wanted);
/* Maps all areas anew: shared with the file, or private.  */
bool pathrt_raw_map_areas(int how);

#endif
