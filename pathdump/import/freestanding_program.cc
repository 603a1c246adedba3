// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the records and notes of a freestanding program (profile/format/freestanding.h) from its ELF file.
#include "pathdump/import/freestanding_program.h"

#include <algorithm>
#include <charconv>
#include <cerrno>
#include <climits>
#include <cstring>
#include <optional>

#include <elf.h>
#include <fmt/format.h>

#include "pathdump/ui/elf_file.h"
#include "pathdump/ui/failure.h"
#include "profile/format/freestanding.h"
#include "profile/format/image.h"
#include "profile/model/visible.h"

namespace pathprof {

namespace {

[[noreturn]] void fail(const std::string &file, const std::string &reason) {
  throw Failure(kBadData, fmt::format("{}: {}", visible(file), reason));
}

std::vector<unsigned char> bytes_of(Elf_Scn *section, uint64_t start, uint64_t size) {
  Elf_Data *data = elf_rawdata(section, nullptr);
  if (!data || !data->d_buf || start > data->d_size || size > data->d_size - start)
    return {};
  const unsigned char *first = static_cast<const unsigned char *>(data->d_buf) + start;
  return {first, first + size};
}

} // namespace

// Reads the parts of an ELF file that the program needs.
class FreestandingProgram::Reader {
public:
  Reader(const std::string &file, bool is_module) : file_(file), descriptor_(file) {
    if (descriptor_.number() < 0)
      fail(file, strerror(errno));
    elf_version(EV_CURRENT);
    elf_.reset(elf_begin(descriptor_.number(), ELF_C_READ_MMAP, nullptr));
    if (!elf_ || elf_kind(elf_.get()) != ELF_K_ELF || !gelf_getehdr(elf_.get(), &header_))
      fail(file, "not an ELF file; give the linked program before the dumps");
    if (is_module && header_.e_machine != EM_X86_64)
      fail(file, "only kernel modules for x86-64 are supported");
    if (!is_module && header_.e_type != ET_EXEC)
      fail(file, header_.e_type == ET_REL
                     ? "an object file, whose counters have no addresses; give the linked program first"
                     : "a position-independent program, whose counters have no fixed addresses; link with -static or "
                       "-no-pie");
    for (Elf_Scn *section = nullptr; (section = elf_nextscn(elf_.get(), section));)
      add_section(section);
  }

  bool is_big_endian() const { return header_.e_ident[EI_DATA] == ELFDATA2MSB; }
  uint64_t pointer_size() const { return header_.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4; }
  std::map<std::string, uint64_t> take_symbols() { return std::move(symbols_); }

  // Returns the range of the records. A linker script can combine the section with others; the symbols at its ends then
  // identify the range.
  std::optional<AddressRange> records() const {
    if (auto section = sections_.find(PATHPROF_FREESTANDING_UNITS_SECTION); section != sections_.end())
      return AddressRange{section->second.header.sh_addr,
                          section->second.header.sh_addr + section->second.header.sh_size};
    auto start = symbols_.find("__start_" PATHPROF_FREESTANDING_UNITS_SECTION);
    auto stop = symbols_.find("__stop_" PATHPROF_FREESTANDING_UNITS_SECTION);
    if (start == symbols_.end() || stop == symbols_.end() || stop->second < start->second)
      return std::nullopt;
    return AddressRange{start->second, stop->second};
  }

  // Returns the contents of the loaded section at these addresses, or nothing if no section contains all of them.
  std::vector<unsigned char> loaded(AddressRange range) const {
    for (const auto &[name, section] : sections_) {
      const GElf_Shdr &header = section.header;
      if ((header.sh_flags & SHF_ALLOC) && header.sh_type != SHT_NOBITS && range.start >= header.sh_addr &&
          range.start - header.sh_addr <= header.sh_size)
        if (auto bytes = bytes_of(section.section, range.start - header.sh_addr, range.size()); !bytes.empty())
          return bytes;
    }
    return {};
  }

  std::vector<unsigned char> section(const std::string &name) const {
    auto found = sections_.find(name);
    if (found == sections_.end() || found->second.header.sh_type == SHT_NOBITS)
      return {};
    return bytes_of(found->second.section, 0, found->second.header.sh_size);
  }

  // Returns the records of an object file, after relocation. Symbols of sections have the value 0, so an address in a
  // record becomes an offset in the section that it refers to.
  std::vector<unsigned char> relocated_records() const {
    std::vector<unsigned char> records = section(PATHPROF_FREESTANDING_UNITS_SECTION);
    auto of = sections_.find(PATHPROF_FREESTANDING_UNITS_SECTION);
    for (const auto &[name, section] : sections_)
      if (section.header.sh_type == SHT_RELA && of != sections_.end() &&
          section.header.sh_info == elf_ndxscn(of->second.section))
        relocate(records, section.section, section.header.sh_link);
    return records;
  }

  // Returns the name of a kernel module, which is stored in its .modinfo section as a string "name=NAME".
  std::string module_name() const {
    std::vector<unsigned char> information = section(".modinfo");
    information.push_back('\0');
    constexpr std::string_view key = "name=";
    for (size_t at = 0; at < information.size();) {
      std::string text = reinterpret_cast<const char *>(information.data() + at);
      if (text.compare(0, key.size(), key) == 0)
        return text.substr(key.size());
      at += text.size() + 1;
    }
    fail(file_, "an object file that is not a kernel module; give the linked program and, for a Linux kernel, its "
                "modules (.ko)");
  }

  std::vector<unsigned char> build_id() const { return build_id_of(elf_.get()); }

private:
  struct Section {
    Elf_Scn *section;
    GElf_Shdr header;
  };

  void add_section(Elf_Scn *section) {
    size_t names = 0;
    GElf_Shdr header;
    if (elf_getshdrstrndx(elf_.get(), &names) != 0 || !gelf_getshdr(section, &header))
      return;
    if (const char *name = elf_strptr(elf_.get(), names, header.sh_name))
      sections_.emplace(name, Section{section, header});
    Elf_Data *data = header.sh_type == SHT_SYMTAB ? elf_getdata(section, nullptr) : nullptr;
    size_t n = data && header.sh_entsize ? data->d_size / header.sh_entsize : 0;
    for (size_t i = 0; i < n; i++) {
      GElf_Sym symbol;
      if (!gelf_getsym(data, static_cast<int>(i), &symbol) || symbol.st_shndx == SHN_UNDEF)
        continue;
      if (const char *name = elf_strptr(elf_.get(), header.sh_link, symbol.st_name); name && *name)
        symbols_.emplace(name, symbol.st_value);
    }
  }

  // Applies relocations to the records. Pointers are the only relocated fields.
  void relocate(std::vector<unsigned char> &records, Elf_Scn *relocations, uint32_t symbol_table) const {
    Elf_Data *data = elf_getdata(relocations, nullptr);
    Elf_Data *symbols = elf_getdata(elf_getscn(elf_.get(), symbol_table), nullptr);
    GElf_Rela relocation;
    GElf_Sym symbol;
    for (int i = 0; data && gelf_getrela(data, i, &relocation); i++) {
      constexpr uint64_t size = sizeof(uint64_t);
      if (!symbols || GELF_R_TYPE(relocation.r_info) != R_X86_64_64 || relocation.r_offset % size != 0 ||
          relocation.r_offset >= records.size() || records.size() - relocation.r_offset < size ||
          !gelf_getsym(symbols, static_cast<int>(GELF_R_SYM(relocation.r_info)), &symbol))
        fail(file_, "the records of instrumented code are damaged; compile the module again");
      uint64_t value = symbol.st_value + static_cast<uint64_t>(relocation.r_addend);
      for (uint64_t byte = 0; byte < size; byte++, value >>= CHAR_BIT)
        records[relocation.r_offset + byte] = static_cast<unsigned char>(value);
    }
  }

  std::string file_;
  Descriptor descriptor_;
  ElfFile elf_;
  GElf_Ehdr header_ = {};
  std::multimap<std::string, Section> sections_;
  std::map<std::string, uint64_t> symbols_;
};

FreestandingProgram::FreestandingProgram(const std::string &file) {
  Reader reader(file, false);
  is_big_endian_ = reader.is_big_endian();
  pointer_size_ = reader.pointer_size();
  FreestandingImage image;
  image.file = file;
  if (std::optional<AddressRange> range = reader.records()) {
    image.records = reader.loaded(*range);
    records_address_ = range->start;
  }
  add_image(reader, std::move(image));
  symbols_ = reader.take_symbols();
}

void FreestandingProgram::add_module(const std::string &file) {
  Reader reader(file, true);
  FreestandingImage image;
  image.file = file;
  image.module = reader.module_name();
  image.records = reader.relocated_records();
  for (const FreestandingImage &earlier : images_)
    if (earlier.module == image.module)
      fail(file, fmt::format("{} is the same kernel module; give each module once", visible(earlier.file)));
  add_image(reader, std::move(image));
}

void FreestandingProgram::add_image(const Reader &reader, FreestandingImage image) {
  uint64_t record_size = sizeof(pathprof_freestanding_unit) / sizeof(uintptr_t) * pointer_size_;
  if (image.records.empty())
    fail(image.file,
         "no instrumented code of a freestanding program; compile with the plugin argument target=freestanding");
  std::vector<unsigned char> notes = reader.section(PATHPROF_FREESTANDING_NOTES_SECTION);
  if (notes.empty())
    fail(image.file, "the section " PATHPROF_FREESTANDING_NOTES_SECTION
                     " is missing; use the file that the linker wrote, and do not discard the section");
  if (image.records.size() % record_size != 0)
    fail(image.file, "the records of instrumented code are damaged; compile the program again");
  image.first_unit = units_.size();
  for (size_t at = 0; at < image.records.size(); at += record_size)
    add_unit(image.file, image.records.data() + at, notes);
  image.num_units = units_.size() - image.first_unit;
  image.build_id = reader.build_id();
  images_.push_back(std::move(image));
}

// The fields are in the order of struct pathprof_freestanding_unit.
void FreestandingProgram::add_unit(const std::string &file, const unsigned char *record,
                                   const std::vector<unsigned char> &all_notes) {
  auto field = [&](uint64_t index) { return number_at(record + index * pointer_size_, pointer_size_); };
  uint64_t version = field(0), key = field(1), notes = field(2), notes_size = field(3);
  FreestandingUnit unit;
  unit.counters = field(4);
  unit.counters_size = field(5);
  unit.counter_size = version - PATHPROF_FREESTANDING_VERSION;
  if (unit.counter_size != 1 && unit.counter_size != 4 && unit.counter_size != 8)
    fail(file, "instrumented by another version of pathprof; use the pathdump of that version, or compile again");
  bool has_notes = notes <= all_notes.size() && notes_size <= all_notes.size() - notes;
  if (has_notes)
    unit.notes.assign(all_notes.begin() + static_cast<ptrdiff_t>(notes),
                      all_notes.begin() + static_cast<ptrdiff_t>(notes + notes_size));
  if (!has_notes || static_cast<uint32_t>(pathprof_unit_key({unit.notes.data(), unit.notes.size()})) != key ||
      unit.counters_size % unit.counter_size != 0 || unit.counters + unit.counters_size < unit.counters)
    fail(file, "the notes of instrumented code are damaged; compile the program again");
  units_.push_back(std::move(unit));
}

AddressRange FreestandingProgram::counters() const {
  AddressRange range = {UINT64_MAX, 0};
  for (size_t i = 0; i < images_[0].num_units; i++)
    if (const FreestandingUnit &unit = units_[i]; unit.counters_size) {
      range.start = std::min(range.start, unit.counters);
      range.end = std::max(range.end, unit.counters + unit.counters_size);
    }
  return range.end ? range : AddressRange{};
}

uint64_t FreestandingProgram::address_of(const std::string &text) const {
  if (auto symbol = symbols_.find(text); symbol != symbols_.end())
    return symbol->second;
  bool is_hexadecimal = text.compare(0, 2, "0x") == 0 || text.compare(0, 2, "0X") == 0;
  const char *start = text.data() + (is_hexadecimal ? 2 : 0), *end = text.data() + text.size();
  uint64_t address = 0;
  auto [at, error] = std::from_chars(start, end, address, is_hexadecimal ? 16 : 10);
  if (error != std::errc() || at != end)
    throw Failure(kWrongUse, fmt::format("import: invalid address '{}'; expected a number, such as 0x20000000, or a "
                                         "symbol of {}",
                                         visible(text), visible(file())));
  return address;
}

uint64_t FreestandingProgram::number_at(const unsigned char *bytes, uint64_t size) const {
  uint64_t number = 0;
  for (uint64_t i = 0; i < size; i++)
    number = number << 8 | bytes[is_big_endian_ ? i : size - 1 - i];
  return number;
}

bool is_object_file(std::string_view contents) {
  if (contents.size() < sizeof(Elf64_Ehdr) || contents.substr(0, SELFMAG) != ELFMAG)
    return false;
  // The type is at the same position in the headers of both sizes.
  bool is_little_endian = contents[EI_DATA] == ELFDATA2LSB;
  size_t at = offsetof(Elf64_Ehdr, e_type);
  return contents[at + !is_little_endian] == ET_REL && contents[at + is_little_endian] == 0;
}

} // namespace pathprof
