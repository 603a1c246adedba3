// SPDX-License-Identifier: GPL-3.0-or-later
// Escapes characters with a special meaning for terminals and other tools.
#include "profile/model/visible.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

namespace pathprof {

namespace {

struct Character {
  uint32_t code = 0;
  size_t size = 0; // size in bytes, or 0 if the bytes are not UTF-8
};

unsigned char byte_at(std::string_view text, size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

// Decodes a multibyte character.  Overlong sequences and surrogates are not valid UTF-8 (RFC 3629).
Character long_character(std::string_view text, size_t at) {
  unsigned char first = byte_at(text, at);
  size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  static constexpr uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (first < 0xc2 || first > 0xf4)
    return {};
  uint32_t code = first & (0xffu >> (size + 1));
  for (size_t i = 1; i < size; i++) {
    unsigned char next = byte_at(text, at + i);
    if ((next & 0xc0) != 0x80)
      return {};
    code = code << 6 | (next & 0x3fu);
  }
  bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
  return code < least[size] || code > 0x10ffff || is_surrogate ? Character() : Character{code, size};
}

bool is_printable_ascii(char c) {
  return c >= ' ' && c <= '~';
}

// Returns true for the non-ASCII characters that must be escaped: C1 controls, bidirectional marks and embeddings, and
// line and paragraph separators.
bool must_be_escaped(uint32_t code) {
  static constexpr std::pair<uint32_t, uint32_t> ranges[] = {
      {0x80, 0x9f}, {0x61c, 0x61c}, {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069}};
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [code](const auto &range) { return code >= range.first && code <= range.second; });
}

void put_hexadecimal(std::string &out, uint32_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
    out += "0123456789abcdef"[value >> shift & 15];
}

std::string escaped(std::string_view text, bool keep_tabs) {
  auto is_kept = [keep_tabs](char c) { return is_printable_ascii(c) || (keep_tabs && c == '\t'); };
  if (std::all_of(text.begin(), text.end(), is_kept))
    return std::string(text);
  std::string out;
  for (size_t at = 0; at < text.size();) {
    Character character;
    if (is_kept(text[at]))
      character = {static_cast<uint32_t>(text[at]), 1};
    else if (byte_at(text, at) >= 0x80)
      character = long_character(text, at);
    if (character.size == 0) {
      out += "\\x";
      put_hexadecimal(out, byte_at(text, at), 2);
      at++;
      continue;
    }
    if (must_be_escaped(character.code)) {
      out += "\\u";
      put_hexadecimal(out, character.code, 4);
    } else {
      out += text.substr(at, character.size);
    }
    at += character.size;
  }
  return out;
}

} // namespace

std::string visible(std::string_view text) {
  return escaped(text, false);
}

std::string visible_line(std::string_view line) {
  return escaped(line, true);
}

} // namespace pathprof
