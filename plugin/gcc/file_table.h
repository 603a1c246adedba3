// SPDX-License-Identifier: GPL-3.0-or-later
// The source files of a translation unit, numbered.
#ifndef PATHPROF_PLUGIN_GCC_FILE_TABLE_H
#define PATHPROF_PLUGIN_GCC_FILE_TABLE_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "profile/model/notes.h"

namespace pathprof {

// Returns the folder that relative names of source files belong to, as the debug information has it.  Of preprocessed
// input that does not name the folder, it is the working directory.
const std::string &folder_of_compilation();

// Returns true if the glob matches the name of a source file, its last component, or its path.
bool matches_source(const std::string &glob, const std::string &name);

// The files that a unit's positions name, as -ffile-prefix-map and -fdebug-prefix-map have them.
class FileTable {
public:
  explicit FileTable(UnitNotes &unit) : unit_(unit) {}
  uint32_t index_of(const char *name);
  const std::string &name(uint32_t index) const { return unit_.files[index]; }
  // The path of the file, which identifies it (profile/model/source_names.h).
  std::string path(uint32_t index) const;
  // The names that this compilation has them under.
  const std::vector<std::string> &local_names() const { return local_names_; }

private:
  UnitNotes &unit_;
  std::vector<std::string> local_names_;
  std::map<std::string, uint32_t> index_;
};

} // namespace pathprof

#endif
