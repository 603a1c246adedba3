// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the notes of instrumented code from ELF files: objects, archives, shared libraries and executables.
#ifndef PATHPROF_PATHDUMP_UI_OBJECT_FILES_H
#define PATHPROF_PATHDUMP_UI_OBJECT_FILES_H

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "profile/format/image.h"
#include "profile/model/file.h"

struct Elf;

namespace pathprof {

// An instrumented program or shared library.
struct LinkedFile {
  std::string name;     // file name without directories
  std::string build_id; // in hexadecimal digits
};

// The notes of units that were compiled but perhaps never executed.
class CompiledUnits {
public:
  // Adds the units of an ELF file or of the members of an archive.  Other files contain no units.  Returns false and
  // sets `*error` if the file cannot be read or is damaged.
  bool add(const std::string &file, LoadError *error);
  // Returns the number of units that add() has found so far, including units that several files contain.
  size_t num_found() const { return num_found_; }

  // Removes the units for which `is_kept` returns false.  The image contains a single unit of the file, without counts.
  void keep_if(const std::function<bool(const std::string &file, const FileBytes &image)> &is_kept);

  // Returns the programs and shared libraries among the files that were added. Files without a build ID are left out.
  const std::vector<LinkedFile> &linked() const { return linked_; }

  // Returns the image of a profile to which the units have been added, without counts.
  FileBytes merged_with(const FileBytes &profile) const;

private:
  using Notes = std::vector<unsigned char>;

  static FileBytes image_of(const std::vector<pathprof_unit_notes> &units, pathprof_text program = {});
  bool add_elf(Elf *elf, const std::string &file, LoadError *error);

  std::map<std::pair<uint64_t, Notes>, std::string> units_; // names of the files, by key and notes
  std::vector<LinkedFile> linked_;
  size_t num_found_ = 0;
};

// Returns true if the file contains instrumented code, or if it cannot be read.
bool may_be_instrumented(const std::string &file);

} // namespace pathprof

#endif
