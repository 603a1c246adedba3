// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the notes and the counter positions of a freestanding program (target=freestanding) from its ELF file, and
// those of Linux kernel modules from their object files.
#ifndef PATHPROF_PATHDUMP_IMPORT_FREESTANDING_PROGRAM_H
#define PATHPROF_PATHDUMP_IMPORT_FREESTANDING_PROGRAM_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
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

// The linked program, or a module of a Linux kernel.
struct FreestandingImage {
  std::string file;
  std::string module; // name of the kernel module; empty: the linked program
  // Contents of the section with the records of all units. In the records of a module, addresses are offsets in the
  // sections that they refer to.
  std::vector<unsigned char> records;
  std::vector<unsigned char> build_id;
  size_t first_unit = 0; // index in FreestandingProgram::units()
  size_t num_units = 0;
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

  // Adds a module of a Linux kernel. Throws Failure if the file is not the object file of an instrumented module.
  void add_module(const std::string &file);

  const std::string &file() const { return images_[0].file; }
  // Returns the linked program, followed by the modules.
  const std::vector<FreestandingImage> &images() const { return images_; }
  // Returns the units of all images.
  const std::vector<FreestandingUnit> &units() const { return units_; }
  uint64_t records_address() const { return records_address_; }
  uint64_t pointer_size() const { return pointer_size_; }
  // Returns the smallest range that contains all counters of the linked program.
  AddressRange counters() const;
  // Returns the address that a number, such as 0x20000000, or the name of a symbol stands for. Throws Failure if the
  // text is neither.
  uint64_t address_of(const std::string &text) const;
  // Decodes an unsigned integer in the byte order of the program.
  uint64_t number_at(const unsigned char *bytes, uint64_t size) const;

private:
  class Reader;

  void add_image(const Reader &reader, FreestandingImage image);
  void add_unit(const std::string &file, const unsigned char *record, const std::vector<unsigned char> &all_notes);

  bool is_big_endian_ = false;
  uint64_t pointer_size_ = 8;
  std::vector<FreestandingImage> images_;
  std::vector<FreestandingUnit> units_;
  uint64_t records_address_ = 0;
  std::map<std::string, uint64_t> symbols_;
};

// Returns true if a file with these contents is a relocatable ELF file, such as a module of a Linux kernel.
bool is_object_file(std::string_view contents);

} // namespace pathprof

#endif
