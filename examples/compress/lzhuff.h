/* lzhuff.h - the compressed format, and declarations shared by the encoder and the decoder.

   A compressed file is the magic string "LZH1" followed by frames.  A frame has a header of 13
   bytes (numbers are little-endian)

     u8  kind      one of enum frame_kind
     u32 raw_size  size of the block before compression
     u32 size      number of payload bytes that follow the header
     u32 crc       CRC-32 of all raw data up to and including this block

   The last frame has kind FRAME_END and no payload.  It repeats the CRC of the whole data, so that a
   truncated file is detected.

   The payload of a FRAME_PACKED block is a bit string, most significant bit first: the code
   lengths of the two Huffman codes, then the symbols.  Symbols 0..255 of the first code are
   literals; the others are slots of match lengths, each followed by the extra bits of the length,
   a distance slot of the second code, and the extra bits of the distance.  */

#ifndef LZHUFF_H
#define LZHUFF_H

#include <stdint.h>
#include <stdio.h>

#define MAGIC "LZH1"

enum { MAGIC_SIZE = 4, HEADER_SIZE = 13 };

enum frame_kind { FRAME_END, FRAME_STORED, FRAME_PACKED };

enum {
  BLOCK_BITS = 18,
  BLOCK_SIZE = 1 << BLOCK_BITS, /* Matches do not cross block boundaries.  */
  MIN_MATCH = 3,
  MAX_MATCH = 258,
  LITERALS = 256,
  LENGTH_SLOTS = 16,               /* Enough for length - MIN_MATCH < 2^8.  */
  DISTANCE_SLOTS = 2 * BLOCK_BITS, /* Enough for distance - 1 < 2^BLOCK_BITS.  */
  MAIN_SYMBOLS = LITERALS + LENGTH_SLOTS,
  MAX_SYMBOLS = MAIN_SYMBOLS,
  MAX_CODE_LENGTH = 15,
  LENGTH_FIELD_BITS = 4, /* Width of a code length, and of a run of zero lengths.  */
  MAX_ZERO_RUN = 1 << LENGTH_FIELD_BITS
};

/* Values are coded as a slot and extra bits.  Slots 0..3 are the values themselves; above them, each
   power of two is divided into two slots.  */

static inline unsigned slot_extra_bits(unsigned slot) {
  return slot < 4 ? 0 : slot / 2 - 1;
}

static inline uint32_t slot_base(unsigned slot) {
  return slot < 4 ? slot : (2 + (slot & 1)) << slot_extra_bits(slot);
}

static inline unsigned slot_of(uint32_t value) {
  unsigned log2 = 1;
  if (value < 4)
    return value;
  while (value >> (log2 + 1))
    log2++;
  return 2 * log2 + ((value >> (log2 - 1)) & 1);
}

/* Print an error message and exit with status 1.  */
_Noreturn void die(const char *message);

/* Return the CRC-32 of data with checksum CRC, followed by the SIZE bytes at DATA.  */
uint32_t crc32_update(uint32_t crc, const uint8_t *data, size_t size);

/* Read SIZE bytes from IN, or fewer at the end of the file.  */
size_t read_bytes(FILE *in, void *data, size_t size);

/* Write SIZE bytes to OUT, or die.  */
void write_bytes(FILE *out, const void *data, size_t size);

/* Compress IN to OUT (encode.c).  */
void compress_stream(FILE *in, FILE *out);

#endif
