/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Which pages of the process's private memory ever got contents of their own.  Reading another one costs a page fault
 * to find zeros; what the kernel says of many pages at once costs less than that.  */
#ifndef PATHRT_PAGES_H
#define PATHRT_PAGES_H

#include <stdbool.h>
#include <stdint.h>

/* What the kernel said: of the aligned windows of memory that were asked about, the last one in each place.
 * Too large for the stack of a small thread.  */
enum { PATHRT_WINDOW_PAGES = 64, PATHRT_NUM_WINDOWS = 64 };
struct pathrt_window {
  uint64_t number;    /* of the first page, in windows */
  uint64_t num_pages; /* 0: nothing is known */
  uint64_t pages[PATHRT_WINDOW_PAGES];
};
struct pathrt_pages {
  int pagemap;        /* 0: not yet opened, -1: not available */
  uint64_t page_size; /* in bytes */
  uint64_t last_page; /* that was asked about; 0: none yet */
  bool is_last_touched;
  struct pathrt_window windows[PATHRT_NUM_WINDOWS];
};

/* Begins with nothing known; what a fork may have left here is forgotten.  */
void pathrt_pages_begin(struct pathrt_pages *pages);
/* True also where the kernel does not say.  A page that was touched after its window was asked about may be missed.  */
bool pathrt_ask_of_page(struct pathrt_pages *pages, uint64_t page);
static inline bool pathrt_is_touched(struct pathrt_pages *pages, const void *data) {
  uint64_t page = (uintptr_t)data / pages->page_size;
  if (page != pages->last_page) {
    pages->is_last_touched = pathrt_ask_of_page(pages, page);
    pages->last_page = page;
  }
  return pages->is_last_touched;
}
void pathrt_pages_end(struct pathrt_pages *pages);

#endif
