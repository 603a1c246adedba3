/* encode.c - the compressor of lzhuff.

   Each block goes through three steps.  The match finder walks chains of earlier positions with
   the same hash and turns the block into tokens: literals and matches.  A match is deferred by one
   byte if the next position has a longer match.  The tokens are counted, and the counts determine two
   length-limited Huffman codes.  Finally, the codes and the tokens are written as bits.  A block that
   does not become smaller is stored uncompressed.  */

#include "lzhuff.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
  HASH_BITS = 15,
  MAX_CHAIN = 96,     /* Maximum number of candidates for a match.  */
  SHORT_CHAIN = 24,   /* The same if there already is a match of...  */
  GOOD_LENGTH = 16,   /* ...at least this length.  */
  LAZY_LENGTH = 64,   /* A match of this length is never deferred.  */
  FAR_DISTANCE = 4096 /* Beyond this distance, MIN_MATCH bytes do not save space.  */
};

/* A literal has length 1 and its byte as value; a match has its distance as value.  */
struct token {
  uint32_t length;
  uint32_t value;
};

struct match {
  uint32_t length;
  uint32_t distance; /* 0 if there is no match.  */
};

struct code {
  uint32_t count[MAX_SYMBOLS];
  uint8_t length[MAX_SYMBOLS];
  uint16_t bits[MAX_SYMBOLS];
};

struct encoder {
  uint32_t size;
  uint8_t data[BLOCK_SIZE];
  int32_t head[1 << HASH_BITS]; /* Most recent position of each hash, or -1.  */
  int32_t previous[BLOCK_SIZE]; /* Previous position with the same hash, or -1.  */
  uint32_t token_count;
  struct token tokens[BLOCK_SIZE];
  struct code main_code;
  struct code distance_code;
  uint8_t packed[BLOCK_SIZE];
};

/* Match finder.  */

static uint32_t hash_at(const uint8_t *p) {
  uint32_t word = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
  return (word * 2654435761u) >> (32 - HASH_BITS);
}

static void insert_position(struct encoder *e, uint32_t pos) {
  if (e->size - pos < MIN_MATCH)
    return;
  int32_t *head = &e->head[hash_at(e->data + pos)];
  e->previous[pos] = *head;
  *head = (int32_t)pos;
}

/* Return the longest match at POS that is longer than LENGTH bytes.  */
static struct match find_match(const struct encoder *e, uint32_t pos, uint32_t length) {
  struct match best = {length, 0};
  const uint8_t *here = e->data + pos;
  uint32_t limit = e->size - pos < MAX_MATCH ? e->size - pos : MAX_MATCH;
  int chain = length >= GOOD_LENGTH ? SHORT_CHAIN : MAX_CHAIN;

  if (limit <= length)
    return best;
  for (int32_t at = e->head[hash_at(here)]; at >= 0 && chain > 0; at = e->previous[at], chain--) {
    const uint8_t *candidate = e->data + at;
    uint32_t distance = pos - (uint32_t)at;
    uint32_t n = 0;
    if (candidate[best.length] != here[best.length])
      continue;
    while (n < limit && candidate[n] == here[n])
      n++;
    if (n <= best.length || (n == MIN_MATCH && distance >= FAR_DISTANCE))
      continue;
    best.length = n;
    best.distance = distance;
    if (n == limit)
      break;
  }
  return best;
}

/* Tokens.  */

static void add_literal(struct encoder *e, uint8_t byte) {
  e->tokens[e->token_count++] = (struct token){1, byte};
  e->main_code.count[byte]++;
}

static void add_match(struct encoder *e, struct match m) {
  e->tokens[e->token_count++] = (struct token){m.length, m.distance};
  e->main_code.count[LITERALS + slot_of(m.length - MIN_MATCH)]++;
  e->distance_code.count[slot_of(m.distance - 1)]++;
}

/* Divide the block into tokens and count their symbols.  */
static void tokenize(struct encoder *e) {
  uint32_t pos = 0;

  memset(e->head, -1, sizeof e->head);
  e->token_count = 0;
  while (pos < e->size) {
    struct match m = find_match(e, pos, MIN_MATCH - 1);
    insert_position(e, pos);
    while (m.distance != 0 && m.length < LAZY_LENGTH) {
      struct match next = find_match(e, pos + 1, m.length);
      if (next.distance == 0)
        break;
      add_literal(e, e->data[pos]);
      pos++;
      insert_position(e, pos);
      m = next;
    }
    if (m.distance == 0) {
      add_literal(e, e->data[pos]);
      pos++;
      continue;
    }
    add_match(e, m);
    for (uint32_t end = pos + m.length; ++pos < end;)
      insert_position(e, pos);
  }
}

/* Huffman codes.  */

struct leaf {
  uint32_t count;
  uint16_t symbol;
};

static int compare_leaves(const void *a, const void *b) {
  const struct leaf *x = a, *y = b;
  if (x->count != y->count)
    return x->count < y->count ? -1 : 1;
  return x->symbol < y->symbol ? -1 : x->symbol > y->symbol;
}

/* Build the Huffman tree of the N sorted leaves and set DEPTH to the depth of each leaf.  The inner
   nodes are created in the order of their weights, so the two lightest nodes are always at the
   front of the leaves or at the front of the inner nodes.  */
static void tree_depths(const struct leaf *leaves, unsigned n, unsigned *depth) {
  uint32_t weight[2 * MAX_SYMBOLS];
  unsigned parent[2 * MAX_SYMBOLS];
  unsigned leaf = 0, inner = n, nodes = n;

  while (nodes < 2 * n - 1) {
    weight[nodes] = 0;
    for (int child = 0; child < 2; child++) {
      if (leaf < n && (inner == nodes || leaves[leaf].count <= weight[inner])) {
        weight[nodes] += leaves[leaf].count;
        parent[leaf++] = nodes;
      } else {
        weight[nodes] += weight[inner];
        parent[inner++] = nodes;
      }
    }
    nodes++;
  }
  depth[nodes - 1] = 0;
  for (unsigned i = nodes - 1; i-- > 0;)
    depth[i] = depth[parent[i]] + 1;
}

/* Make PER_LENGTH, the number of codes of each length, valid for a prefix code again after longer
   codes were shortened to the limit.  While there are too many codes, move a code of less than the
   maximum length one level down, and make one of the longest codes its sibling.  */
static void limit_lengths(unsigned *per_length) {
  uint32_t used = 0;

  for (unsigned l = 1; l <= MAX_CODE_LENGTH; l++)
    used += per_length[l] << (MAX_CODE_LENGTH - l);
  for (; used > 1u << MAX_CODE_LENGTH; used--) {
    unsigned l = MAX_CODE_LENGTH - 1;
    while (per_length[l] == 0)
      l--;
    per_length[l]--;
    per_length[l + 1] += 2;
    per_length[MAX_CODE_LENGTH]--;
  }
}

static void build_lengths(struct code *code, unsigned symbols) {
  struct leaf leaves[MAX_SYMBOLS];
  unsigned depth[2 * MAX_SYMBOLS];
  unsigned per_length[MAX_CODE_LENGTH + 1] = {0};
  unsigned n = 0;

  memset(code->length, 0, sizeof code->length);
  for (unsigned s = 0; s < symbols; s++)
    if (code->count[s] != 0)
      leaves[n++] = (struct leaf){code->count[s], (uint16_t)s};
  if (n == 0)
    return;
  if (n == 1) {
    code->length[leaves[0].symbol] = 1;
    return;
  }
  qsort(leaves, n, sizeof *leaves, compare_leaves);
  tree_depths(leaves, n, depth);
  for (unsigned i = 0; i < n; i++)
    per_length[depth[i] < MAX_CODE_LENGTH ? depth[i] : MAX_CODE_LENGTH]++;
  limit_lengths(per_length);
  for (unsigned l = 1; l <= MAX_CODE_LENGTH; l++)
    for (unsigned i = 0; i < per_length[l]; i++)
      code->length[leaves[--n].symbol] = (uint8_t)l;
}

/* Assign the canonical code: shorter codes first, and symbols of the same length in order.  */
static void assign_bits(struct code *code, unsigned symbols) {
  uint16_t next = 0;

  for (unsigned l = 1; l <= MAX_CODE_LENGTH; l++) {
    for (unsigned s = 0; s < symbols; s++)
      if (code->length[s] == l)
        code->bits[s] = next++;
    next = (uint16_t)(next << 1);
  }
}

/* Bit writer.  */

struct bit_writer {
  uint8_t *data;
  uint32_t size, capacity;
  uint64_t pending; /* The low PENDING_BITS bits are not written yet.  */
  unsigned pending_bits;
  bool full; /* The output did not fit.  */
};

static void put_bits(struct bit_writer *w, uint32_t value, unsigned bits) {
  w->pending = w->pending << bits | value;
  w->pending_bits += bits;
  while (w->pending_bits >= 8) {
    w->pending_bits -= 8;
    if (w->size == w->capacity)
      w->full = true;
    else
      w->data[w->size++] = (uint8_t)(w->pending >> w->pending_bits);
  }
}

static void put_symbol(struct bit_writer *w, const struct code *code, unsigned symbol) {
  put_bits(w, code->bits[symbol], code->length[symbol]);
}

static void put_extra(struct bit_writer *w, uint32_t value, unsigned slot) {
  put_bits(w, value - slot_base(slot), slot_extra_bits(slot));
}

/* Write the code lengths.  A zero is followed by the number of further zeros.  */
static void put_lengths(struct bit_writer *w, const struct code *code, unsigned symbols) {
  for (unsigned s = 0; s < symbols;) {
    unsigned run = 1;
    put_bits(w, code->length[s], LENGTH_FIELD_BITS);
    if (code->length[s] == 0) {
      while (s + run < symbols && code->length[s + run] == 0 && run < MAX_ZERO_RUN)
        run++;
      put_bits(w, run - 1, LENGTH_FIELD_BITS);
    }
    s += run;
  }
}

static void put_tokens(struct bit_writer *w, const struct encoder *e) {
  for (uint32_t i = 0; i < e->token_count && !w->full; i++) {
    struct token t = e->tokens[i];
    if (t.length == 1) {
      put_symbol(w, &e->main_code, t.value);
      continue;
    }
    unsigned length_slot = slot_of(t.length - MIN_MATCH);
    unsigned distance_slot = slot_of(t.value - 1);
    put_symbol(w, &e->main_code, LITERALS + length_slot);
    put_extra(w, t.length - MIN_MATCH, length_slot);
    put_symbol(w, &e->distance_code, distance_slot);
    put_extra(w, t.value - 1, distance_slot);
  }
}

/* Blocks.  */

/* Compress the block and return the size of the result, or 0 if the block does not become smaller.  */
static uint32_t pack_block(struct encoder *e) {
  struct bit_writer w = {.data = e->packed, .capacity = e->size - 1};

  memset(&e->main_code, 0, sizeof e->main_code);
  memset(&e->distance_code, 0, sizeof e->distance_code);
  tokenize(e);
  build_lengths(&e->main_code, MAIN_SYMBOLS);
  build_lengths(&e->distance_code, DISTANCE_SLOTS);
  assign_bits(&e->main_code, MAIN_SYMBOLS);
  assign_bits(&e->distance_code, DISTANCE_SLOTS);
  put_lengths(&w, &e->main_code, MAIN_SYMBOLS);
  put_lengths(&w, &e->distance_code, DISTANCE_SLOTS);
  put_tokens(&w, e);
  put_bits(&w, 0, 7); /* Completes the last byte.  */
  return w.full ? 0 : w.size;
}

static void store_u32(uint8_t *p, uint32_t value) {
  for (int i = 0; i < 4; i++)
    p[i] = (uint8_t)(value >> (8 * i));
}

static void write_frame(FILE *out, enum frame_kind kind, uint32_t raw_size, uint32_t size,
                        uint32_t crc, const uint8_t *payload) {
  uint8_t header[HEADER_SIZE] = {(uint8_t)kind};

  store_u32(header + 1, raw_size);
  store_u32(header + 5, size);
  store_u32(header + 9, crc);
  write_bytes(out, header, sizeof header);
  write_bytes(out, payload, size);
}

void compress_stream(FILE *in, FILE *out) {
  static struct encoder encoder; /* Too large for the stack.  */
  struct encoder *e = &encoder;
  uint32_t crc = 0;

  write_bytes(out, MAGIC, MAGIC_SIZE);
  while ((e->size = (uint32_t)read_bytes(in, e->data, BLOCK_SIZE)) > 0) {
    crc = crc32_update(crc, e->data, e->size);
    uint32_t size = pack_block(e);
    if (size > 0)
      write_frame(out, FRAME_PACKED, e->size, size, crc, e->packed);
    else
      write_frame(out, FRAME_STORED, e->size, e->size, crc, e->data);
  }
  write_frame(out, FRAME_END, 0, 0, crc, e->data);
}
