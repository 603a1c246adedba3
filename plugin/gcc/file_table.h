// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers the source files of a translation unit.
#ifndef PATHPROF_PLUGIN_GCC_FILE_TABLE_H
#define PATHPROF_PLUGIN_GCC_FILE_TABLE_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "profile/model/notes.h"

namespace pathprof {

// Returns the directory against which relative source file names are resolved. This is the directory that the debug
// information names. For preprocessed input that does not name a directory, it is the working directory.
const std::string &folder_of_compilation();

// Returns true if the glob matches the source file name `name`, the last component of this name, or the full path of
// the file.
bool matches_source(const std::string &glob, const std::string &name);

// Source files of a unit. The file names have been mapped according to -ffile-prefix-map and -fdebug-prefix-map.
class FileTable {
public:
  explicit FileTable(UnitNotes &unit) : unit_(unit) {}
  uint32_t index_of(const char *name);
  const std::string &name(uint32_t index) const { return unit_.files[index]; }
  // Returns the path that identifies the file (profile/model/source_names.h).
  std::string path(uint32_t index) const;
  // Returns the unmapped file names, as they are used in this compilation.
  const std::vector<std::string> &local_names() const { return local_names_; }

private:
  UnitNotes &unit_;
  std::vector<std::string> local_names_;
  std::map<std::string, uint32_t> index_;
};

} // namespace pathprof

#endif
