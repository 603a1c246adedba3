// SPDX-License-Identifier: GPL-3.0-or-later
// Parses dumps of a target's memory.
#include "pathdump/import/memory_dump.h"

#include <cctype>

#include <fmt/format.h>

#include "pathdump/ui/failure.h"
#include "profile/format/freestanding.h"
#include "profile/model/visible.h"

namespace pathprof {

DumpKind kind_of_dump(std::string_view contents) {
  // The first byte and the line feed of the magic are not compared, so that a stream that was damaged by a transfer as
  // text is still recognized.
  if (contents.find(std::string_view(PATHPROF_STREAM_MAGIC).substr(1, 6)) != std::string_view::npos)
    return DumpKind::Stream;
  auto is_hexadecimal = [&](size_t i) {
    return i < contents.size() && isxdigit(static_cast<unsigned char>(contents[i]));
  };
  if (!contents.empty() && contents[0] == ':' && is_hexadecimal(1) && is_hexadecimal(2))
    return DumpKind::IntelHex;
  if (contents.size() > 1 && contents[0] == 'S' && isdigit(static_cast<unsigned char>(contents[1])) &&
      is_hexadecimal(2) && is_hexadecimal(3))
    return DumpKind::SRecords;
  return DumpKind::Memory;
}

// Reads the lines of a text in which each line starts with `prefix` characters and continues with pairs of hexadecimal
// digits.
class HexLines {
public:
  HexLines(const std::string &name, std::string_view text, size_t prefix) : name_(name), text_(text), prefix_(prefix) {}

  // Reads the next line that is not empty. Returns false at the end of the text.
  bool next() {
    do {
      if (text_.empty())
        return false;
      size_t end = text_.find('\n');
      line_ = text_.substr(0, end);
      text_ = end == std::string_view::npos ? std::string_view() : text_.substr(end + 1);
      while (!line_.empty() && isspace(static_cast<unsigned char>(line_.back())))
        line_.remove_suffix(1);
      number_++;
    } while (line_.empty());
    decode();
    return true;
  }

  char at(size_t i) const { return i < line_.size() ? line_[i] : '\0'; }
  const std::vector<unsigned char> &bytes() const { return bytes_; }
  uint8_t sum() const {
    unsigned sum = 0;
    for (unsigned char byte : bytes_)
      sum += byte;
    return static_cast<uint8_t>(sum);
  }
  // Returns a big-endian number in the bytes.
  uint64_t number(size_t start, size_t size) const {
    uint64_t number = 0;
    for (size_t i = start; i < start + size; i++)
      number = number << 8 | bytes_.at(i);
    return number;
  }

  // Fails if lines follow the end record.
  void expect_end() {
    if (next())
      refuse("a line follows the end record; write each dump to its own file");
  }

  [[noreturn]] void fail(const std::string &reason) const { refuse(reason + "; transfer the dump again"); }
  [[noreturn]] void refuse(const std::string &message) const {
    throw Failure(kBadData, fmt::format("{}:{}: {}", visible(name_), number_, message));
  }

private:
  void decode() {
    bytes_.clear();
    for (size_t i = prefix_; i < line_.size(); i += 2) {
      int high = digit(line_[i]), low = i + 1 < line_.size() ? digit(line_[i + 1]) : -1;
      if (high < 0 || low < 0)
        fail("the line is incomplete or contains characters that are not hexadecimal digits");
      bytes_.push_back(static_cast<unsigned char>(high << 4 | low));
    }
  }

  static int digit(char c) {
    if (!isxdigit(static_cast<unsigned char>(c)))
      return -1;
    return isdigit(static_cast<unsigned char>(c)) ? c - '0' : tolower(c) - 'a' + 10;
  }

  const std::string &name_;
  std::string_view text_;
  size_t prefix_;
  std::string_view line_;
  size_t number_ = 0;
  std::vector<unsigned char> bytes_;
};

void MemoryDump::add(uint64_t address, std::string_view bytes) {
  start_ = address;
  copy_ = bytes;
}

void MemoryDump::add_byte(const HexLines &lines, uint64_t address, unsigned char byte) {
  if (!bytes_of_text_.insert({address, byte}).second)
    lines.refuse("the dump contains an address twice; write each dump to its own file");
}

// A line contains the number of data bytes, a 16-bit address, the type, the data, and a byte that makes the sum zero.
// Types 2 and 4 set a base that is added to the addresses of the following lines.
void MemoryDump::add_intel_hex(const std::string &name, std::string_view text) {
  enum { DATA = 0, END = 1, SEGMENT = 2, SEGMENT_START = 3, LINEAR = 4, LINEAR_START = 5, OVERHEAD = 5 };
  HexLines lines(name, text, 1);
  uint64_t base = 0;
  while (lines.next()) {
    const std::vector<unsigned char> &bytes = lines.bytes();
    if (lines.at(0) != ':')
      lines.fail("expected ':' at the start of the line");
    if (bytes.size() < OVERHEAD || bytes.size() != bytes[0] + size_t{OVERHEAD})
      lines.fail("the length of the line does not match its first byte");
    if (lines.sum() != 0)
      lines.fail("wrong checksum");
    unsigned type = bytes[3];
    if (type == END) {
      lines.expect_end();
      return;
    }
    if ((type == SEGMENT || type == LINEAR) && bytes[0] != 2)
      lines.fail("wrong length of an address record");
    if (type == SEGMENT || type == LINEAR)
      base = lines.number(4, 2) << (type == SEGMENT ? 4 : 16);
    else if (type == DATA)
      for (size_t i = 0; i < bytes[0]; i++)
        add_byte(lines, base + lines.number(1, 2) + i, bytes[4 + i]);
    else if (type != SEGMENT_START && type != LINEAR_START)
      lines.fail(fmt::format("unknown record type {}", type));
  }
  throw Failure(kBadData, fmt::format("{}: no end record; transfer the dump again", visible(name)));
}

// A line contains the type, the number of bytes that follow, an address whose size depends on the type, the data, and a
// byte that makes the sum 255.
void MemoryDump::add_s_records(const std::string &name, std::string_view text) {
  HexLines lines(name, text, 2);
  while (lines.next()) {
    const std::vector<unsigned char> &bytes = lines.bytes();
    char type = lines.at(1);
    if (lines.at(0) != 'S' || !isdigit(static_cast<unsigned char>(type)) || type == '4')
      lines.fail("unknown record type");
    if (bytes.size() < 2 || bytes.size() != bytes[0] + size_t{1})
      lines.fail("the length of the line does not match its first byte");
    if (lines.sum() != UINT8_MAX)
      lines.fail("wrong checksum");
    if (type >= '7') {
      lines.expect_end();
      return;
    }
    if (type < '1' || type > '3')
      continue;
    size_t address_size = static_cast<size_t>(type - '0') + 1;
    if (bytes.size() < address_size + 2)
      lines.fail("the line is too short");
    uint64_t address = lines.number(1, address_size);
    for (size_t i = 1 + address_size; i + 1 < bytes.size(); i++)
      add_byte(lines, address++, bytes[i]);
  }
  throw Failure(kBadData, fmt::format("{}: no end record; transfer the dump again", visible(name)));
}

std::vector<unsigned char> MemoryDump::bytes(uint64_t address, uint64_t size) const {
  if (address >= start_ && address - start_ <= copy_.size() && size <= copy_.size() - (address - start_)) {
    const char *first = copy_.data() + (address - start_);
    return {first, first + size};
  }
  std::vector<unsigned char> bytes;
  for (auto at = bytes_of_text_.find(address); at != bytes_of_text_.end() && bytes.size() < size; ++at) {
    if (at->first != address + bytes.size())
      return {};
    bytes.push_back(at->second);
  }
  return bytes.size() == size ? bytes : std::vector<unsigned char>();
}

} // namespace pathprof
