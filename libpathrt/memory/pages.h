/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Detection of touched pages in private memory.  Reading an untouched page costs a page fault and yields only zeros.
 * Asking the kernel about many pages at once is cheaper.  */
#ifndef PATHRT_PAGES_H
#define PATHRT_PAGES_H

#include <stdbool.h>
#include <stdint.h>

/* Cache of the kernel's answers about aligned windows of memory.  Each slot keeps the most recent window that maps to
 * it.  The structure is too large for the stack of a small thread.  */
enum { PATHRT_WINDOW_PAGES = 64, PATHRT_NUM_WINDOWS = 64 };
struct pathrt_window {
  uint64_t number;    /* number of the first page, divided by the window size */
  uint64_t num_pages; /* 0 if nothing is known */
  uint64_t pages[PATHRT_WINDOW_PAGES];
};
struct pathrt_pages {
  int pagemap;        /* descriptor; 0: not opened yet, -1: not available */
  uint64_t page_size; /* in bytes */
  uint64_t last_page; /* page of the last query; 0: none yet */
  bool is_last_touched;
  struct pathrt_window windows[PATHRT_NUM_WINDOWS];
};

/* Empties the cache, including leftovers from before a fork.  */
void pathrt_pages_begin(struct pathrt_pages *pages);
/* Returns true if the page was touched or if the kernel does not say.  May miss a page that was touched after its
 * window was read.  */
bool pathrt_ask_of_page(struct pathrt_pages *pages, uint64_t page);
/* Returns true if the page of `data` was touched, or if the kernel does not say.  */
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
