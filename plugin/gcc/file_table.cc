// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugin/gcc/file_table.h"

#include "plugin/gcc/gcc.h"

namespace pathprof {

uint32_t FileTable::index_of(const char *name) {
  std::string file = name ? remap_debug_filename(name) : "";
  auto [at, is_new] = index_.try_emplace(file, static_cast<uint32_t>(unit_.files.size()));
  if (is_new) {
    unit_.files.push_back(file);
    local_names_.push_back(name ? name : "");
  }
  return at->second;
}

} // namespace pathprof
