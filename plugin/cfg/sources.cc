// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugin/cfg/sources.h"

#include <algorithm>
#include <cstring>

#include "profile/model/file.h"

#include "plugin/gcc/gcc.h"
#include "plugin/gcc/locations.h"

namespace pathprof {

// What is read from standard input may be preprocessed, too.
static bool is_standard_input(const char *name) {
  return !name || !*name || strcmp(name, "-") == 0 || strcmp(name, "<stdin>") == 0;
}

static uint32_t checksum_of(const std::string &name) {
  LoadError ignored;
  std::optional<TextFile> file = read_text_file(name, &ignored);
  return file ? pathprof_crc32c(0, file->text.data(), file->text.size()) : 0;
}

// Names as "<built-in>" are none of files.
static bool is_relative(const std::string &name) {
  return !name.empty() && name[0] != '<' && !IS_ABSOLUTE_PATH(name.c_str());
}

static bool leads_out(const std::string &name) {
  return name.compare(0, 3, "../") == 0 || name.find("/../") != std::string::npos;
}

// Objects without debug information do not name folders, so that they are the same wherever they are compiled; but
// names that lead out of the folder of compilation mean nothing without it.
static bool needs_folder(const std::vector<std::string> &names) {
  bool has_debug_information = debug_info_level != DINFO_LEVEL_NONE;
  return std::any_of(names.begin(), names.end(), [has_debug_information](const std::string &name) {
    return is_relative(name) && (has_debug_information || leads_out(name));
  });
}

// As the debug information has it.  Preprocessed input says with -g where it comes from; else its names may belong to
// a folder of another machine.
static std::string folder_of_compilation() {
  const char *folder = get_src_pwd();
  bool is_known = folder && (!is_preprocessed() || debug_info_level != DINFO_LEVEL_NONE || strcmp(folder, getpwd()));
  return is_known ? remap_debug_filename(folder) : "";
}

void note_origin(UnitNotes &notes, const std::vector<std::string> &local_names) {
  notes.compiler = version_string;
  if (needs_folder(notes.files))
    notes.folder = folder_of_compilation();
  if (in_lto_p || is_preprocessed() || is_standard_input(main_input_filename))
    return;
  for (const std::string &name : local_names)
    notes.checksums.push_back(checksum_of(name));
}

} // namespace pathprof
