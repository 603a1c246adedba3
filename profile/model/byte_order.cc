// SPDX-License-Identifier: GPL-3.0-or-later
// Swaps the bytes of the numbers in a raw file. The header also contains texts. The placements and all areas, with the
// counters, table heads, slots and nodes, consist of words of 8 bytes. The image is a profile.
#include "profile/model/byte_order.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "profile/format/raw.h"

namespace pathprof {

namespace {

// Swaps the words that lie completely in [start, end).
void swap_words(unsigned char *data, uint64_t start, uint64_t end) {
  for (; end >= sizeof(uint64_t) && start <= end - sizeof(uint64_t); start += sizeof(uint64_t))
    std::reverse(data + start, data + start + sizeof(uint64_t));
}

// Swaps the numbers of the header. The ranges are those between the texts.
void swap_header(pathprof_raw_header &header) {
  auto *bytes = reinterpret_cast<unsigned char *>(&header);
  header.major = __builtin_bswap16(header.major);
  header.minor = __builtin_bswap16(header.minor);
  header.crc = __builtin_bswap32(header.crc);
  swap_words(bytes, offsetof(pathprof_raw_header, byte_order), offsetof(pathprof_raw_header, pending_name));
  swap_words(bytes, offsetof(pathprof_raw_header, copies), offsetof(pathprof_raw_header, test));
  swap_words(bytes, offsetof(pathprof_raw_header, owner), sizeof header);
}

// Returns true if the placements lie in the file.
bool has_placements(const pathprof_raw_header &header, size_t size) {
  return header.placements_offset <= size &&
         header.num_placements <= (size - header.placements_offset) / sizeof(pathprof_raw_placement);
}

// Returns the checksum of the constant part of the file, in the byte order of the machine that wrote it.
uint32_t checksum_of(const unsigned char *data, const pathprof_raw_header &header) {
  constexpr size_t start = offsetof(pathprof_raw_header, byte_order);
  uint32_t crc = pathprof_crc32c(0, data + start, offsetof(pathprof_raw_header, runs) - start);
  return pathprof_crc32c(crc, data + header.placements_offset, header.num_placements * sizeof(pathprof_raw_placement));
}

} // namespace

FileBytes in_own_byte_order(const FileBytes &raw) {
  pathprof_raw_header header;
  if (!pathprof_is_raw(raw.data(), raw.size()) || raw.size() < PATHPROF_RAW_HEADER_SIZE)
    return raw;
  std::memcpy(&header, raw.data(), sizeof header);
  if (header.byte_order != __builtin_bswap64(PATHPROF_RAW_BYTE_ORDER))
    return raw;
  swap_header(header);
  pathprof_buffer copy = {};
  pathprof_put_bytes(&copy, raw.data(), raw.size());
  if (copy.failed || !has_placements(header, raw.size())) {
    pathprof_buffer_free(&copy);
    return raw;
  }
  bool is_valid = checksum_of(raw.data(), header) == header.crc;
  swap_words(copy.data, header.placements_offset,
             header.placements_offset + header.num_placements * sizeof(pathprof_raw_placement));
  for (uint64_t i = 0; i < std::min<uint64_t>(header.num_areas, PATHPROF_RAW_MAX_AREAS); i++) {
    const pathprof_raw_area &area = header.areas[i];
    if (area.offset <= raw.size() && area.size <= raw.size() - area.offset)
      swap_words(copy.data, area.offset, area.offset + area.size);
  }
  if (is_valid)
    header.crc = pathprof_raw_checksum(&header, copy.data + header.placements_offset);
  std::memcpy(copy.data, &header, sizeof header);
  return FileBytes::from(&copy);
}

} // namespace pathprof
