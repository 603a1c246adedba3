// SPDX-License-Identifier: GPL-3.0-or-later
// Reads dumps of a target's memory: plain bytes, Intel HEX and Motorola S-records.
#ifndef PATHPROF_PATHDUMP_IMPORT_MEMORY_DUMP_H
#define PATHPROF_PATHDUMP_IMPORT_MEMORY_DUMP_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pathprof {

// Kinds of dumps, distinguished by their contents.
enum class DumpKind {
  Stream,   // contains a stream that pathrt_write() wrote
  IntelHex, // text in Intel HEX format
  SRecords, // text in Motorola S-record format
  Memory,   // anything else: a copy of the memory
};

DumpKind kind_of_dump(std::string_view contents);

class HexLines;

// Parts of the memory of the target.
class MemoryDump {
public:
  // Adds a copy of the memory that starts at `address`.
  void add(uint64_t address, std::string_view bytes);
  // Adds the contents of a text file. `name` is the name of the file for error messages. Throws Failure if the text is
  // malformed or incomplete, or contains several dumps.
  void add_intel_hex(const std::string &name, std::string_view text);
  void add_s_records(const std::string &name, std::string_view text);

  // Copies `size` bytes from `address`. Returns an empty vector if the dump does not contain all of them.
  std::vector<unsigned char> bytes(uint64_t address, uint64_t size) const;

private:
  // Adds a byte of the current line. Fails if the dump already contains this address.
  void add_byte(const HexLines &lines, uint64_t address, unsigned char byte);

  std::map<uint64_t, unsigned char> bytes_of_text_;
  uint64_t start_ = 0; // address of the copy of the memory
  std::string_view copy_;
};

} // namespace pathprof

#endif
