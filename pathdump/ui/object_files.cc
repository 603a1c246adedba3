// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the notes of instrumented code from ELF files.
//
// The section PATHPROF_UNITS_SECTION contains one record per unit (struct pathprof_unit), which points to the unit's
// notes.  In an object, and in a position-independent program, the linker or the dynamic linker sets this pointer, so
// its value is in a relocation.
#include "pathdump/ui/object_files.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pathdump/ui/elf_file.h"
#include "profile/format/abi.h"
#include "profile/format/image.h"
#include "profile/format/merge.h"

namespace pathprof {

namespace {

// A section of an ELF file.
struct Section {
  size_t index = 0;
  GElf_Shdr header = {};
  Elf_Data *data = nullptr;

  bool has(uint64_t offset, uint64_t size) const {
    return data && data->d_buf && offset <= data->d_size && size <= data->d_size - offset;
  }
  const unsigned char *at(uint64_t offset) const { return static_cast<const unsigned char *>(data->d_buf) + offset; }
};

// A position in a section, such as the position of a unit's notes.
struct Position {
  const Section *section = nullptr;
  uint64_t offset = 0;
};

class ElfReader {
public:
  explicit ElfReader(Elf *elf) : elf_(elf) {
    size_t names = 0;
    is_readable_ = gelf_getehdr(elf, &header_) && elf_getshdrstrndx(elf, &names) == 0;
    for (Elf_Scn *one = nullptr; is_readable_ && (one = elf_nextscn(elf, one));) {
      Section section;
      section.index = elf_ndxscn(one);
      if (!gelf_getshdr(one, &section.header))
        continue;
      section.data = elf_getdata(one, nullptr);
      const char *name = elf_strptr(elf, names, section.header.sh_name);
      if (name && strcmp(name, PATHPROF_UNITS_SECTION) == 0)
        records_.push_back(sections_.size());
      sections_.push_back(section);
    }
  }

  // Calls `visit` with each record and with the position of its notes.  Returns false if a record is malformed.
  template <typename Visit>
  bool visit_units(Visit visit) const {
    for (size_t index : records_) {
      const Section &records = sections_[index];
      for (uint64_t offset = 0; records.has(offset, sizeof(pathprof_unit)); offset += sizeof(pathprof_unit)) {
        pathprof_unit unit;
        memcpy(&unit, records.at(offset), sizeof unit);
        Position notes = target_of(records, offset + offsetof(pathprof_unit, notes));
        if (!notes.section || !notes.section->has(notes.offset, unit.notes_size))
          return false;
        visit(unit, notes.section->at(notes.offset));
      }
    }
    return true;
  }

  // Returns true if records of this file have the layout of struct pathprof_unit on this machine.
  bool is_supported() const {
    return header_.e_ident[EI_CLASS] == ELFCLASS64 && header_.e_ident[EI_DATA] == ELFDATA2LSB;
  }
  bool has_units() const { return !records_.empty(); }
  bool is_linked() const { return header_.e_type == ET_EXEC || header_.e_type == ET_DYN; }

private:
  bool is_object() const { return header_.e_type == ET_REL; }

  // Returns the position to which a pointer in a section points.
  Position target_of(const Section &section, uint64_t offset) const {
    uint64_t place = is_object() ? offset : section.header.sh_addr + offset;
    for (const Section &relocations : sections_) {
      bool has_addends = relocations.header.sh_type == SHT_RELA;
      if (!has_addends && relocations.header.sh_type != SHT_REL)
        continue;
      if (is_object() && relocations.header.sh_info != section.index)
        continue;
      if (std::optional<Position> target = relocated(relocations, has_addends, place, section, offset))
        return *target;
    }
    return position_of(value_at(section, offset));
  }

  // Returns the target of the relocation at `place`, or nothing if the section does not contain such a relocation.
  std::optional<Position> relocated(const Section &relocations, bool has_addends, uint64_t place,
                                    const Section &section, uint64_t offset) const {
    size_t size = relocations.header.sh_entsize ? relocations.data->d_size / relocations.header.sh_entsize : 0;
    for (size_t i = 0; i < size; i++) {
      GElf_Rela rela = {};
      GElf_Rel rel = {};
      if (has_addends ? !gelf_getrela(relocations.data, static_cast<int>(i), &rela)
                      : !gelf_getrel(relocations.data, static_cast<int>(i), &rel))
        return std::nullopt;
      if ((has_addends ? rela.r_offset : rel.r_offset) != place)
        continue;
      uint64_t info = has_addends ? rela.r_info : rel.r_info;
      uint64_t addend = has_addends ? static_cast<uint64_t>(rela.r_addend) : value_at(section, offset);
      return with_symbol(relocations, GELF_R_SYM(info), addend);
    }
    return std::nullopt;
  }

  // Returns the position at the offset `addend` from a symbol.  `number` is the index of the symbol in the symbol table
  // that the relocation section uses.  The index 0 stands for the address 0.
  Position with_symbol(const Section &relocations, uint64_t number, uint64_t addend) const {
    if (number == 0)
      return position_of(addend);
    GElf_Sym symbol;
    const Section *table = section_at(relocations.header.sh_link);
    if (!table || !gelf_getsym(table->data, static_cast<int>(number), &symbol))
      return {};
    if (is_object())
      return {section_at(symbol.st_shndx), symbol.st_value + addend};
    return position_of(symbol.st_value + addend);
  }

  const Section *section_at(size_t index) const {
    auto at = std::find_if(sections_.begin(), sections_.end(),
                           [index](const Section &section) { return section.index == index; });
    return at == sections_.end() ? nullptr : &*at;
  }

  // Returns the section and the offset that correspond to an address in a linked program.
  Position position_of(uint64_t address) const {
    for (const Section &section : sections_)
      if ((section.header.sh_flags & SHF_ALLOC) && section.header.sh_type != SHT_NOBITS &&
          address >= section.header.sh_addr && address - section.header.sh_addr < section.header.sh_size)
        return {&section, address - section.header.sh_addr};
    return {};
  }

  static uint64_t value_at(const Section &section, uint64_t offset) {
    uint64_t value = 0;
    if (section.has(offset, sizeof value))
      memcpy(&value, section.at(offset), sizeof value);
    return value;
  }

  Elf *elf_;
  GElf_Ehdr header_ = {};
  bool is_readable_ = false;
  std::vector<Section> sections_;
  std::vector<size_t> records_; // indices of the sections with records
};

} // namespace

bool CompiledUnits::add_elf(Elf *elf, const std::string &file, LoadError *error) {
  ElfReader reader(elf);
  if (reader.has_units() && !reader.is_supported()) {
    *error = {file, std::nullopt, "it contains instrumented code for a target that is not supported"};
    return false;
  }
  std::vector<unsigned char> build_id = build_id_of(elf);
  if (reader.has_units() && reader.is_linked() && !build_id.empty())
    linked_.push_back(
        {std::filesystem::path(file).filename().string(), fmt::format("{:02x}", fmt::join(build_id, ""))});
  bool is_complete = reader.visit_units([&](const pathprof_unit &unit, const unsigned char *notes) {
    units_.emplace(std::pair(unit.key, Notes(notes, notes + unit.notes_size)), file);
    num_found_++;
  });
  if (!is_complete)
    *error = {file, std::nullopt, "the notes of its instrumented code are damaged"};
  return is_complete;
}

bool CompiledUnits::add(const std::string &file, LoadError *error) {
  Descriptor descriptor(file);
  if (descriptor.number() < 0) {
    *error = {file, std::nullopt, strerror(errno)};
    return false;
  }
  elf_version(EV_CURRENT);
  ElfFile whole(elf_begin(descriptor.number(), ELF_C_READ_MMAP, nullptr));
  if (whole && elf_kind(whole.get()) == ELF_K_ELF)
    return add_elf(whole.get(), file, error);
  if (!whole || elf_kind(whole.get()) != ELF_K_AR)
    return true;
  Elf_Cmd command = ELF_C_READ_MMAP;
  while (ElfFile member{elf_begin(descriptor.number(), command, whole.get())}) {
    if (elf_kind(member.get()) == ELF_K_ELF && !add_elf(member.get(), file, error))
      return false;
    command = elf_next(member.get());
  }
  return true;
}

bool may_be_instrumented(const std::string &file) {
  CompiledUnits units;
  LoadError error;
  return !units.add(file, &error) || units.num_found() > 0;
}

// Returns the image of a profile of a program that contains the sorted units but no counts and no runs.
FileBytes CompiledUnits::image_of(const std::vector<pathprof_unit_notes> &units, pathprof_text program_name) {
  pathprof_writer writer = {};
  pathprof_program program = {};
  program.name = program_name;
  pathprof_program_more more = {};
  pathprof_put_program(&writer.section[PATHPROF_SECTION_PROGRAM], &program);
  pathprof_put_program_more(&writer.section[PATHPROF_SECTION_PROGRAM], &more);
  pathprof_put_varint(&writer.section[PATHPROF_SECTION_UNITS], units.size());
  for (const pathprof_unit_notes &unit : units) {
    pathprof_put_unit(&writer.section[PATHPROF_SECTION_UNITS], &unit);
    pathprof_put_varint(&writer.section[PATHPROF_SECTION_COUNTS], 0); // no function was executed
  }
  pathprof_buffer file = {};
  pathprof_writer_finish(&writer, &file);
  return FileBytes::from(&file);
}

static pathprof_unit_notes unit_of(const std::pair<uint64_t, std::vector<unsigned char>> &unit) {
  return {unit.first, {unit.second.data(), unit.second.size()}};
}

void CompiledUnits::keep_if(const std::function<bool(const std::string &file, const FileBytes &image)> &is_kept) {
  for (auto at = units_.begin(); at != units_.end();)
    at = is_kept(at->second, image_of({unit_of(at->first)})) ? std::next(at) : units_.erase(at);
}

FileBytes CompiledUnits::merged_with(const FileBytes &profile) const {
  std::vector<pathprof_unit_notes> units;
  for (const auto &[unit, file] : units_)
    units.push_back(unit_of(unit));
  std::sort(units.begin(), units.end(), [](const pathprof_unit_notes &a, const pathprof_unit_notes &b) {
    return pathprof_compare_units(&a, &b) < 0;
  });
  std::vector<pathprof_unit_notes> distinct;
  for (const pathprof_unit_notes &unit : units)
    if (distinct.empty() || pathprof_compare_units(&distinct.back(), &unit) != 0)
      distinct.push_back(unit);
    else
      distinct.back() = *pathprof_choose_unit(&distinct.back(), &unit);
  pathprof_image a, b;
  pathprof_error error = {};
  pathprof_buffer sum = {};
  bool in_second = false;
  if (!pathprof_image_open(&a, profile.data(), profile.size(), &error))
    return profile; // the profile is damaged, which its reader reports
  pathprof_cursor cursor = a.section[PATHPROF_SECTION_PROGRAM];
  pathprof_program program;
  pathprof_get_program(&cursor, &program);
  FileBytes compiled = image_of(distinct, program.name); // the sum has the smaller name
  if (!pathprof_image_open(&b, compiled.data(), compiled.size(), &error) ||
      !pathprof_merge(&a, 1, &b, 1, &sum, &error, &in_second))
    return profile;
  return FileBytes::from(&sum);
}

} // namespace pathprof
