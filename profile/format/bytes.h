/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Reads and writes bytes: a growing buffer, a bounds-checked cursor, varints, CRC-32C, and the hash that is used as the
 * key of notes.
 *
 * The runtime uses this code, so it depends only on libc and the kernel.  It never calls malloc, because the heap of
 * the program may be corrupt when a profile is written.  */
#ifndef PATHPROF_PROFILE_FORMAT_BYTES_H
#define PATHPROF_PROFILE_FORMAT_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reason and position of an error in the data.  `reason` is a constant string, or null if there is no error.  */
struct pathprof_error {
  const char *reason;
  uint64_t offset;
};

/* A buffer that grows by mapping pages.  If `failed` is true (out of memory), writes have no effect.  */
struct pathprof_buffer {
  unsigned char *data;
  size_t size;
  size_t capacity;
  bool failed;
};

void pathprof_buffer_free(struct pathprof_buffer *buffer);
/* Prepares an empty buffer for n bytes that will all be written.  The kernel then maps all pages at once instead of one
 * page per page fault.  */
void pathprof_expect(struct pathprof_buffer *buffer, size_t n);
/* Makes space for n more bytes.  Returns the address of the space (data + size), or null if memory is exhausted.  */
unsigned char *pathprof_reserve(struct pathprof_buffer *buffer, size_t n);
void pathprof_put_bytes(struct pathprof_buffer *buffer, const void *bytes, size_t n);
void pathprof_put_u8(struct pathprof_buffer *buffer, uint8_t value);
void pathprof_put_u16(struct pathprof_buffer *buffer, uint16_t value);
void pathprof_put_u32(struct pathprof_buffer *buffer, uint32_t value);
void pathprof_put_u64(struct pathprof_buffer *buffer, uint64_t value);
/* Appends a number in LEB128 encoding, which takes at most 10 bytes.  */
void pathprof_put_long_varint(struct pathprof_buffer *buffer, uint64_t value);
/* Appends a number in LEB128 encoding.  Most numbers need one or two bytes, and the code does not branch between these
 * two cases.  */
static inline void pathprof_put_varint(struct pathprof_buffer *buffer, uint64_t value) {
  if (value < 0x4000 && buffer->size + 2 <= buffer->capacity && !buffer->failed) {
    unsigned more = value >= 0x80;
    buffer->data[buffer->size] = (unsigned char)((value & 0x7f) | more << 7);
    buffer->data[buffer->size + 1] = (unsigned char)(value >> 7);
    buffer->size += 1 + more;
  } else
    pathprof_put_long_varint(buffer, value);
}
/* Appends n as a varint, and then the n bytes.  */
void pathprof_put_string(struct pathprof_buffer *buffer, const void *bytes, size_t n);

/* A cursor that reads data[pos … end).  If a read passes the end or finds invalid data, it sets error.reason.  All
 * later reads return 0 without moving the cursor, so callers can check for errors once after a group of reads.  `base`
 * is the file offset of data[0], which is added to the offsets in errors.  */
struct pathprof_cursor {
  const unsigned char *data;
  size_t pos;
  size_t end;
  uint64_t base;
  struct pathprof_error error;
};

struct pathprof_cursor pathprof_cursor_over(const unsigned char *data, size_t size, uint64_t base);
void pathprof_cursor_fail(struct pathprof_cursor *cursor, const char *reason);
static inline bool pathprof_cursor_ok(const struct pathprof_cursor *cursor) {
  return cursor->error.reason == 0;
}
static inline size_t pathprof_cursor_left(const struct pathprof_cursor *cursor) {
  return cursor->end - cursor->pos;
}
/* Returns a pointer to the next n bytes, or null if fewer bytes are left.  */
static inline const unsigned char *pathprof_get_bytes(struct pathprof_cursor *cursor, uint64_t n) {
  if (n > cursor->end - cursor->pos || cursor->error.reason) {
    pathprof_cursor_fail(cursor, "the data ends too early");
    return 0;
  }
  const unsigned char *bytes = cursor->data + cursor->pos;
  cursor->pos += (size_t)n;
  return bytes;
}

static inline uint8_t pathprof_get_u8(struct pathprof_cursor *cursor) {
  const unsigned char *bytes = pathprof_get_bytes(cursor, 1);
  return bytes ? bytes[0] : 0;
}
uint16_t pathprof_get_u16(struct pathprof_cursor *cursor);
static inline uint32_t pathprof_get_u32(struct pathprof_cursor *cursor) {
  const unsigned char *bytes = pathprof_get_bytes(cursor, 4);
  return bytes ? bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24 : 0;
}
uint64_t pathprof_get_u64(struct pathprof_cursor *cursor);
uint64_t pathprof_get_long_varint(struct pathprof_cursor *cursor);
static inline uint64_t pathprof_get_varint(struct pathprof_cursor *cursor) {
  size_t pos = cursor->pos;
  if (cursor->end - pos >= 2) {
    unsigned first = cursor->data[pos], second = cursor->data[pos + 1];
    unsigned more = first >> 7;
    if (!(more & second >> 7)) {
      cursor->pos = pos + 1 + more;
      return (first & 0x7f) | (second << 7 & (0 - more));
    }
  }
  return pathprof_get_long_varint(cursor);
}
/* Reads a varint into `*n`, and returns a pointer to the `*n` bytes that follow it.  */
const unsigned char *pathprof_get_string(struct pathprof_cursor *cursor, size_t *n);

/* Returns the CRC-32C (Castagnoli) of the bytes as defined in RFC 3720.  `crc` is the checksum of the preceding data,
 * or 0.  */
uint32_t pathprof_crc32c(uint32_t crc, const void *bytes, size_t n);

/* Returns a 64-bit FNV-1a hash, which is used to sort and look up notes.  If the hashes of two notes are equal, the
 * notes are compared byte by byte.  */
uint64_t pathprof_key(const void *bytes, size_t n);

#ifdef __cplusplus
}
#endif
#endif
