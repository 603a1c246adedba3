/* lzhuff.c - a compressor and decompressor for files of any kind.

   Usage: lzhuff -c [FILE] > OUT    compress
          lzhuff -d [FILE] > OUT    decompress

   lzhuff combines LZ77 with canonical Huffman codes and works on independent blocks; lzhuff.h
   describes the format.  encode.c contains the compressor.  This file contains the command line and
   the decompressor, which checks all of its input.  */

#include "lzhuff.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Helpers shared with the encoder.  */

_Noreturn void die(const char *message) {
  fprintf(stderr, "lzhuff: %s\n", message);
  exit(1);
}

uint32_t crc32_update(uint32_t crc, const uint8_t *data, size_t size) {
  static uint32_t table[256];

  if (table[1] == 0) {
    for (uint32_t i = 0; i < 256; i++) {
      uint32_t value = i;
      for (int bit = 0; bit < 8; bit++)
        value = value & 1 ? value >> 1 ^ 0xedb88320u : value >> 1;
      table[i] = value;
    }
  }
  crc = ~crc;
  for (size_t i = 0; i < size; i++)
    crc = crc >> 8 ^ table[(crc ^ data[i]) & 0xff];
  return ~crc;
}

size_t read_bytes(FILE *in, void *data, size_t size) {
  size_t got = fread(data, 1, size, in);
  if (ferror(in))
    die("cannot read the input");
  return got;
}

void write_bytes(FILE *out, const void *data, size_t size) {
  if (fwrite(data, 1, size, out) != size)
    die("cannot write the output");
}

/* Bit reader.  Beyond the end of the data, the reader returns zeros and counts them.  */

struct bit_reader {
  const uint8_t *next, *end;
  uint64_t bits; /* The low COUNT bits have not been consumed yet.  */
  unsigned count;
  unsigned padding; /* Number of bits read beyond the end.  */
};

/* Ensure that there are at least 32 bits.  */
static void refill(struct bit_reader *r) {
  while (r->count < 32) {
    r->bits <<= 8;
    if (r->next < r->end)
      r->bits |= *r->next++;
    else
      r->padding += 8;
    r->count += 8;
  }
}

static uint32_t peek_bits(const struct bit_reader *r, unsigned n) {
  return (uint32_t)(r->bits >> (r->count - n)) & ((1u << n) - 1);
}

static uint32_t get_bits(struct bit_reader *r, unsigned n) {
  refill(r);
  uint32_t value = peek_bits(r, n);
  r->count -= n;
  return value;
}

/* Return true if all data has been consumed, except the padding of the last byte.  */
static bool at_end(const struct bit_reader *r) {
  return r->next == r->end && r->padding <= r->count && r->count - r->padding < 8;
}

/* Huffman decoder.  Codes of up to FAST_BITS bits are looked up in a table.  The length of a longer
   code is found by comparing the code with the end of the codes of each length.  */

enum { FAST_BITS = 9 };

struct decoder {
  uint8_t fast_length[1 << FAST_BITS]; /* 0 if the code is longer or unused.  */
  uint16_t fast_symbol[1 << FAST_BITS];
  uint32_t end[MAX_CODE_LENGTH + 1];  /* End of the codes of each length, in MAX_CODE_LENGTH bits.  */
  uint32_t last[MAX_CODE_LENGTH + 1]; /* Index in SYMBOL of the end of the codes of each length.  */
  uint16_t symbol[MAX_SYMBOLS];       /* The symbols in the order of their codes.  */
};

static void read_lengths(struct bit_reader *r, uint8_t *lengths, unsigned symbols) {
  for (unsigned s = 0; s < symbols;) {
    uint8_t length = (uint8_t)get_bits(r, LENGTH_FIELD_BITS);
    unsigned run = length == 0 ? get_bits(r, LENGTH_FIELD_BITS) + 1 : 1;
    if (run > symbols - s)
      die("corrupt input: bad code lengths");
    memset(lengths + s, length, run);
    s += run;
  }
}

static void fill_fast_table(struct decoder *d, uint32_t code, unsigned length, uint16_t symbol) {
  uint32_t first = code >> (MAX_CODE_LENGTH - FAST_BITS);
  for (uint32_t i = 0; i < 1u << (FAST_BITS - length); i++) {
    d->fast_length[first + i] = (uint8_t)length;
    d->fast_symbol[first + i] = symbol;
  }
}

static void read_code(struct bit_reader *r, struct decoder *d, unsigned symbols) {
  uint8_t lengths[MAX_SYMBOLS];
  uint32_t code = 0, n = 0;

  read_lengths(r, lengths, symbols);
  memset(d, 0, sizeof *d);
  for (unsigned l = 1; l <= MAX_CODE_LENGTH; l++) {
    uint32_t step = 1u << (MAX_CODE_LENGTH - l);
    for (unsigned s = 0; s < symbols; s++) {
      if (lengths[s] != l)
        continue;
      if (code + step > 1u << MAX_CODE_LENGTH)
        die("corrupt input: too many codes");
      if (l <= FAST_BITS)
        fill_fast_table(d, code, l, (uint16_t)s);
      d->symbol[n++] = (uint16_t)s;
      code += step;
    }
    d->end[l] = code;
    d->last[l] = n;
  }
}

static unsigned decode_symbol(struct bit_reader *r, const struct decoder *d) {
  refill(r);
  uint32_t bits = peek_bits(r, MAX_CODE_LENGTH);
  uint32_t prefix = bits >> (MAX_CODE_LENGTH - FAST_BITS);
  unsigned length = d->fast_length[prefix];

  if (length != 0) {
    r->count -= length;
    return d->fast_symbol[prefix];
  }
  for (length = FAST_BITS + 1; bits >= d->end[length]; length++)
    if (length == MAX_CODE_LENGTH)
      die("corrupt input: unknown code");
  r->count -= length;
  uint32_t from_end = (d->end[length] - 1 - bits) >> (MAX_CODE_LENGTH - length);
  return d->symbol[d->last[length] - 1 - from_end];
}

/* Blocks.  */

static uint32_t decode_slot(struct bit_reader *r, unsigned slot) {
  return slot_base(slot) + get_bits(r, slot_extra_bits(slot));
}

/* Decompress SIZE bytes at DATA to RAW_SIZE bytes at RAW.  */
static void unpack_block(const uint8_t *data, uint32_t size, uint8_t *raw, uint32_t raw_size) {
  struct bit_reader r = {.next = data, .end = data + size};
  struct decoder main_code, distance_code;
  uint32_t pos = 0;

  read_code(&r, &main_code, MAIN_SYMBOLS);
  read_code(&r, &distance_code, DISTANCE_SLOTS);
  while (pos < raw_size) {
    unsigned symbol = decode_symbol(&r, &main_code);
    if (symbol < LITERALS) {
      raw[pos++] = (uint8_t)symbol;
      continue;
    }
    uint32_t length = decode_slot(&r, symbol - LITERALS) + MIN_MATCH;
    uint32_t distance = decode_slot(&r, decode_symbol(&r, &distance_code)) + 1;
    if (distance > pos)
      die("corrupt input: match before the start of the block");
    if (length > raw_size - pos)
      die("corrupt input: match beyond the end of the block");
    for (; length > 0; length--, pos++) /* Source and destination may overlap.  */
      raw[pos] = raw[pos - distance];
  }
  if (!at_end(&r))
    die("corrupt input: wrong block size");
}

static uint32_t load_u32(const uint8_t *p) {
  return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void read_exactly(FILE *in, void *data, size_t size) {
  if (read_bytes(in, data, size) != size)
    die("corrupt input: unexpected end of file");
}

/* Read the payload of a frame and store the block in RAW.  */
static void read_block(FILE *in, unsigned kind, uint32_t size, uint8_t *raw, uint32_t raw_size) {
  static uint8_t packed[BLOCK_SIZE];

  if (raw_size > BLOCK_SIZE || size > raw_size || (size == raw_size) != (kind == FRAME_STORED))
    die("corrupt input: bad frame size");
  if (kind == FRAME_STORED) {
    read_exactly(in, raw, size);
  } else {
    read_exactly(in, packed, size);
    unpack_block(packed, size, raw, raw_size);
  }
}

static void decompress_stream(FILE *in, FILE *out) {
  static uint8_t raw[BLOCK_SIZE];
  uint8_t header[HEADER_SIZE];
  uint32_t crc = 0;

  if (read_bytes(in, header, MAGIC_SIZE) != MAGIC_SIZE || memcmp(header, MAGIC, MAGIC_SIZE) != 0)
    die("the input is not in lzhuff format");
  do {
    read_exactly(in, header, HEADER_SIZE);
    uint32_t raw_size = load_u32(header + 1);
    uint32_t size = load_u32(header + 5);
    if (header[0] > FRAME_PACKED || (header[0] == FRAME_END) != (raw_size == 0))
      die("corrupt input: bad frame header");
    if (header[0] != FRAME_END)
      read_block(in, header[0], size, raw, raw_size);
    else if (size != 0)
      die("corrupt input: bad frame size");
    crc = crc32_update(crc, raw, raw_size);
    if (crc != load_u32(header + 9))
      die("corrupt input: wrong checksum");
    write_bytes(out, raw, raw_size);
  } while (header[0] != FRAME_END);
  if (read_bytes(in, header, 1) != 0)
    die("corrupt input: data after the end");
}

int main(int argc, char **argv) {
  FILE *in = stdin;

  if (argc < 2 || argc > 3 || (strcmp(argv[1], "-c") != 0 && strcmp(argv[1], "-d") != 0)) {
    fprintf(stderr, "usage: lzhuff -c|-d [FILE] > OUT\n");
    return 2;
  }
  if (argc == 3 && (in = fopen(argv[2], "rb")) == NULL) {
    fprintf(stderr, "lzhuff: %s: %s\n", argv[2], strerror(errno));
    return 1;
  }
  if (argv[1][1] == 'c')
    compress_stream(in, stdout);
  else
    decompress_stream(in, stdout);
  if (fflush(stdout) != 0)
    die("cannot write the output");
  if (in != stdin)
    fclose(in);
  return 0;
}
