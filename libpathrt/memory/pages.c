/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Reads /proc/self/pagemap to find pages that have been touched.  */
#define _GNU_SOURCE
#include "libpathrt/memory/pages.h"

#include <fcntl.h>

#include "profile/format/system.h"

void pathrt_pages_begin(struct pathrt_pages *pages) {
  pages->pagemap = 0;
  pages->page_size = pathprof_sys_page_size();
  pages->last_page = 0;
  for (int i = 0; i < PATHRT_NUM_WINDOWS; i++)
    pages->windows[i].num_pages = 0;
}

static void open_pagemap(struct pathrt_pages *pages) {
  int fd = pathprof_sys_open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0);
  pages->pagemap = fd == 0 ? pathprof_sys_fcntl(fd, F_DUPFD_CLOEXEC, 3) : fd;
  if (fd == 0)
    pathprof_sys_close(fd);
}

static void read_window(struct pathrt_pages *pages, struct pathrt_window *window, uint64_t number) {
  window->number = number;
  window->num_pages = 0;
  if (!pages->pagemap)
    open_pagemap(pages);
  if (pages->pagemap < 0)
    return;
  ssize_t n =
      pathprof_sys_pread(pages->pagemap, window->pages, sizeof window->pages, (off_t)(number * sizeof window->pages));
  if (n > 0)
    window->num_pages = (uint64_t)n / sizeof window->pages[0];
}

bool pathrt_ask_of_page(struct pathrt_pages *pages, uint64_t page) {
  enum { PRESENT_OR_SWAPPED = 62 };
  uint64_t number = page / PATHRT_WINDOW_PAGES, at = page % PATHRT_WINDOW_PAGES;
  /* The index of the slot is a hash of the window's number.  Otherwise, windows in the counter copies of different
   * threads could share a slot, because the distances between these copies can be powers of two.  */
  struct pathrt_window *window = &pages->windows[number * UINT64_C(0x9e3779b97f4a7c15) >> 58];
  _Static_assert(PATHRT_NUM_WINDOWS == 1 << (64 - 58), "the number of windows must be 2^(64 - shift)");
  if (window->number != number || !window->num_pages)
    read_window(pages, window, number);
  return at >= window->num_pages || window->pages[at] >> PRESENT_OR_SWAPPED;
}

void pathrt_pages_end(struct pathrt_pages *pages) {
  if (pages->pagemap > 0)
    pathprof_sys_close(pages->pagemap);
  pages->pagemap = 0;
}
