/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Detection of private memory pages that have been touched.  Reading an untouched page yields only zeros but causes a
 * page fault.  It is cheaper to ask the kernel about many pages at once.  */
#ifndef PATHRT_PAGES_H
#define PATHRT_PAGES_H

#include <stdbool.h>
#include <stdint.h>

/* Cache of the page states that the kernel reported.  A window is an aligned range of pages.  Each slot of the cache
 * contains the most recently read window that maps to the slot.  The structure is too large for a small stack.  */
enum { PATHRT_WINDOW_PAGES = 64, PATHRT_NUM_WINDOWS = 64 };
struct pathrt_window {
  uint64_t number;    /* page number of the window's first page, divided by PATHRT_WINDOW_PAGES */
  uint64_t num_pages; /* 0 if nothing is known */
  uint64_t pages[PATHRT_WINDOW_PAGES];
};
struct pathrt_pages {
  int pagemap;        /* descriptor of /proc/self/pagemap; 0 if not opened yet, -1 if unavailable */
  uint64_t page_size; /* in bytes */
  uint64_t last_page; /* page of the last query; 0: none yet */
  bool is_last_touched;
  struct pathrt_window windows[PATHRT_NUM_WINDOWS];
};

/* Clears the cache, which can still contain data from before a fork.  */
void pathrt_pages_begin(struct pathrt_pages *pages);
/* Returns true if the page has been touched, or if the kernel does not provide this information.  The result can be
 * false if the page was touched after its window was read.  */
bool pathrt_ask_of_page(struct pathrt_pages *pages, uint64_t page);
/* Returns true if the page that contains `data` has been touched, or if the kernel does not provide this
 * information.  */
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
