// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers the source files of a unit and matches their names with globs.
#include "plugin/gcc/file_table.h"

#include <fnmatch.h>

#include "profile/model/source_names.h"

#include "plugin/gcc/gcc.h"

namespace pathprof {

const std::string &folder_of_compilation() {
  static const std::string folder = get_src_pwd() ? remap_debug_filename(get_src_pwd()) : "";
  return folder;
}

uint32_t FileTable::index_of(const char *name) {
  std::string file = name ? remap_debug_filename(name) : "";
  auto [at, is_new] = index_.try_emplace(file, static_cast<uint32_t>(unit_.files.size()));
  if (is_new) {
    unit_.files.push_back(file);
    local_names_.push_back(name ? name : "");
  }
  return at->second;
}

std::string FileTable::path(uint32_t index) const {
  return path_of_source(folder_of_compilation(), name(index));
}

bool matches_source(const std::string &glob, const std::string &name) {
  auto matches = [&](const char *text) { return fnmatch(glob.c_str(), text, 0) == 0; };
  return matches(name.c_str()) || matches(lbasename(name.c_str())) ||
         matches(path_of_source(folder_of_compilation(), name).c_str());
}

} // namespace pathprof
