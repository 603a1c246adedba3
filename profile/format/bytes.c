/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Implements buffers, cursors and checksums.  */
#define _GNU_SOURCE
#include "profile/format/bytes.h"

#include <string.h>
#include <sys/mman.h>
#if defined __x86_64__
#include <cpuid.h>
#endif

#include "profile/format/system.h"

/* ---- buffer ---- */

void pathprof_buffer_free(struct pathprof_buffer *buffer) {
  if (buffer->data)
    pathprof_sys_munmap(buffer->data, buffer->capacity);
  memset(buffer, 0, sizeof *buffer);
}

static bool grow(struct pathprof_buffer *buffer, size_t wanted) {
  size_t capacity = 65536;
  while (capacity < wanted)
    capacity *= 2;
  void *data = buffer->data
                   ? pathprof_sys_mremap(buffer->data, buffer->capacity, capacity, MREMAP_MAYMOVE)
                   : pathprof_sys_mmap(NULL, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) {
    buffer->failed = true;
    return false;
  }
  buffer->data = data;
  buffer->capacity = capacity;
  return true;
}

void pathprof_expect(struct pathprof_buffer *buffer, size_t n) {
  enum { FEW = 65536 };
  if (buffer->data || buffer->failed || n < FEW || n > SIZE_MAX / 4)
    return;
  void *data = pathprof_sys_mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (data == MAP_FAILED)
    return;
  buffer->data = data;
  buffer->capacity = n;
}

unsigned char *pathprof_reserve(struct pathprof_buffer *buffer, size_t n) {
  if (buffer->failed || n > SIZE_MAX / 4 - buffer->size) {
    buffer->failed = true;
    return NULL;
  }
  if (buffer->size + n > buffer->capacity && !grow(buffer, buffer->size + n))
    return NULL;
  return buffer->data + buffer->size;
}

void pathprof_put_bytes(struct pathprof_buffer *buffer, const void *bytes, size_t n) {
  unsigned char *to = n ? pathprof_reserve(buffer, n) : NULL;
  if (!to)
    return;
  memcpy(to, bytes, n);
  buffer->size += n;
}

static void put_little_endian(struct pathprof_buffer *buffer, uint64_t value, size_t n) {
  unsigned char bytes[8];
  for (size_t i = 0; i < n; i++)
    bytes[i] = (unsigned char)(value >> (8 * i));
  pathprof_put_bytes(buffer, bytes, n);
}

void pathprof_put_u8(struct pathprof_buffer *buffer, uint8_t value) {
  put_little_endian(buffer, value, 1);
}

void pathprof_put_u16(struct pathprof_buffer *buffer, uint16_t value) {
  put_little_endian(buffer, value, 2);
}

void pathprof_put_u32(struct pathprof_buffer *buffer, uint32_t value) {
  put_little_endian(buffer, value, 4);
}

void pathprof_put_u64(struct pathprof_buffer *buffer, uint64_t value) {
  put_little_endian(buffer, value, 8);
}

void pathprof_put_long_varint(struct pathprof_buffer *buffer, uint64_t value) {
  unsigned char *to = pathprof_reserve(buffer, 10);
  if (!to)
    return;
  size_t n = 0;
  for (; value >= 0x80; value >>= 7)
    to[n++] = (unsigned char)(value | 0x80);
  to[n++] = (unsigned char)value;
  buffer->size += n;
}

void pathprof_put_string(struct pathprof_buffer *buffer, const void *bytes, size_t n) {
  pathprof_put_varint(buffer, n);
  pathprof_put_bytes(buffer, bytes, n);
}

/* ---- cursor ---- */

struct pathprof_cursor pathprof_cursor_over(const unsigned char *data, size_t size, uint64_t base) {
  struct pathprof_cursor cursor = {data, 0, size, base, {NULL, 0}};
  return cursor;
}

void pathprof_cursor_fail(struct pathprof_cursor *cursor, const char *reason) {
  if (cursor->error.reason)
    return;
  cursor->error.reason = reason;
  cursor->error.offset = cursor->base + cursor->pos;
  cursor->end = cursor->pos;
}

static uint64_t get_little_endian(struct pathprof_cursor *cursor, size_t n) {
  const unsigned char *bytes = pathprof_get_bytes(cursor, n);
  uint64_t value = 0;
  for (size_t i = 0; bytes && i < n; i++)
    value |= (uint64_t)bytes[i] << (8 * i);
  return value;
}

uint16_t pathprof_get_u16(struct pathprof_cursor *cursor) {
  return (uint16_t)get_little_endian(cursor, 2);
}

uint64_t pathprof_get_u64(struct pathprof_cursor *cursor) {
  return get_little_endian(cursor, 8);
}

uint64_t pathprof_get_long_varint(struct pathprof_cursor *cursor) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (cursor->pos == cursor->end) {
      pathprof_cursor_fail(cursor, "the data ends too early");
      return 0;
    }
    unsigned char byte = cursor->data[cursor->pos++];
    if (shift == 63 && byte > 1)
      break;
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return value;
  }
  pathprof_cursor_fail(cursor, "an integer is longer than 64 bits");
  return 0;
}

const unsigned char *pathprof_get_string(struct pathprof_cursor *cursor, size_t *n) {
  uint64_t length = pathprof_get_varint(cursor);
  const unsigned char *bytes = pathprof_get_bytes(cursor, length);
  *n = bytes ? (size_t)length : 0;
  return bytes;
}

/* ---- checksums ---- */

/* Checksums of single bytes, for processors without an instruction for CRC-32C.  The table is filled before its first
 * use.  Two threads can safely fill it at the same time, because both write the same values.  The runtime is part of
 * each instrumented program, so the code does not use larger tables that process several bytes per step.  */
static uint32_t crc_table[256];

static void fill_crc_table(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; bit++)
      crc = (crc >> 1) ^ (0x82f63b78u & (0u - (crc & 1)));
    crc_table[i] = crc;
  }
}

#if defined __x86_64__
/* Returns true if the processor supports SSE 4.2.  Remembers the answer, because a virtual machine can take many
 * microseconds to execute cpuid.  Does not call __builtin_cpu_supports, because that function would add libgcc's
 * detection of all processors to each instrumented program.  */
static bool has_crc_instruction(void) {
  enum { UNKNOWN, NO, YES };
  static unsigned char known;
  unsigned char answer = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (answer == UNKNOWN) {
    unsigned int a, b, c, d;
    answer = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_2) ? YES : NO;
    __atomic_store_n(&known, answer, __ATOMIC_RELAXED);
  }
  return answer == YES;
}

/* Computes the checksum with the processor's CRC-32C instruction.  */
__attribute__((target("sse4.2"))) static uint32_t crc32c_of_processor(uint32_t crc, const unsigned char *bytes,
                                                                      size_t n) {
  uint64_t rest = (uint32_t)~crc;
  for (; n >= 8; n -= 8, bytes += 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    rest = __builtin_ia32_crc32di(rest, word);
  }
  for (; n; n--, bytes++)
    rest = __builtin_ia32_crc32qi((uint32_t)rest, *bytes);
  return ~(uint32_t)rest;
}
#endif

uint32_t pathprof_crc32c(uint32_t crc, const void *data, size_t n) {
  const unsigned char *bytes = data;
#if defined __x86_64__
  if (has_crc_instruction())
    return crc32c_of_processor(crc, bytes, n);
#endif
  if (!crc_table[255])
    fill_crc_table();
  crc = ~crc;
  for (; n; n--, bytes++)
    crc = (crc >> 8) ^ crc_table[(crc ^ *bytes) & 0xff];
  return ~crc;
}

uint64_t pathprof_key(const void *data, size_t n) {
  const unsigned char *bytes = data;
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < n; i++)
    hash = (hash ^ bytes[i]) * 0x100000001b3u;
  return hash;
}
