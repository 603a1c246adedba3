// SPDX-License-Identifier: GPL-3.0-or-later
// What the fuzz target and its mutator both know of an input.
#ifndef PATHPROF_FUZZ_INPUT_H
#define PATHPROF_FUZZ_INPUT_H

#include <cstddef>

#include "profile/format/bytes.h"

namespace pathprof::fuzz {

struct Buffer : pathprof_buffer {
  Buffer() : pathprof_buffer{} {}
  Buffer(const Buffer &) = delete;
  ~Buffer() { pathprof_buffer_free(this); }
};

// Where the second of two profiles begins: the size that the first one's header says.
inline size_t size_of_first(const unsigned char *data, size_t size) {
  enum { kSizeAt = 16 };
  pathprof_cursor header = pathprof_cursor_over(data, size, 0);
  header.pos = size < kSizeAt ? size : size_t{kSizeAt};
  uint64_t first = pathprof_get_u64(&header);
  return pathprof_cursor_ok(&header) && first > 0 && first < size ? first : size;
}

} // namespace pathprof::fuzz

#endif
