// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the notes and the counter positions of a freestanding program (target=freestanding) from its ELF file.
#ifndef PATHPROF_PATHDUMP_IMPORT_FREESTANDING_PROGRAM_H
#define PATHPROF_PATHDUMP_IMPORT_FREESTANDING_PROGRAM_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pathprof {

// An instrumented unit of a freestanding program.
struct FreestandingUnit {
  std::vector<unsigned char> notes;
  uint64_t counters = 0;      // address of the first counter
  uint64_t counters_size = 0; // in bytes
  uint64_t counter_size = 8;  // size of a counter in bytes: 1, 4 or 8

  uint64_t num_counters() const { return counters_size / counter_size; }
};

// A range of addresses.
struct AddressRange {
  uint64_t start = 0;
  uint64_t end = 0;

  uint64_t size() const { return end - start; }
};

class FreestandingProgram {
public:
  // Reads the program. Throws Failure if the file is not the ELF file of an instrumented freestanding program.
  explicit FreestandingProgram(const std::string &file);

  const std::string &file() const { return file_; }
  const std::vector<FreestandingUnit> &units() const { return units_; }
  // Contents of the section with the records of all units.
  const std::vector<unsigned char> &records() const { return records_; }
  uint64_t records_address() const { return records_address_; }
  const std::vector<unsigned char> &build_id() const { return build_id_; }
  // Returns the smallest range that contains all counters.
  AddressRange counters() const;
  // Returns the address that a number, such as 0x20000000, or the name of a symbol stands for. Throws Failure if the
  // text is neither.
  uint64_t address_of(const std::string &text) const;
  // Decodes an unsigned integer in the byte order of the program.
  uint64_t number_at(const unsigned char *bytes, uint64_t size) const;

private:
  class Reader;

  void add_unit(const unsigned char *record, const std::vector<unsigned char> &all_notes);

  std::string file_;
  bool is_big_endian_ = false;
  uint64_t pointer_size_ = 8;
  std::vector<FreestandingUnit> units_;
  std::vector<unsigned char> records_;
  uint64_t records_address_ = 0;
  std::vector<unsigned char> build_id_;
  std::map<std::string, uint64_t> symbols_;
};

} // namespace pathprof

#endif
