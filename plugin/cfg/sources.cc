// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the checksums of the source files and determines the compilation directory.
#include "plugin/cfg/sources.h"

#include <algorithm>
#include <cstring>

#include "profile/model/file.h"
#include "profile/model/source_names.h"

#include "plugin/gcc/file_table.h"
#include "plugin/gcc/gcc.h"
#include "plugin/gcc/locations.h"

namespace pathprof {

// Returns true if the main input file is standard input. Recognizes "-" as well as "<stdin>", the name in preprocessed
// input.
static bool is_standard_input(const char *name) {
  return !name || !*name || strcmp(name, "-") == 0 || strcmp(name, "<stdin>") == 0;
}

static uint32_t checksum_of(const std::string &name) {
  LoadError ignored;
  std::optional<TextFile> file = read_text_file(name, &ignored);
  return file ? pathprof_crc32c(0, file->text.data(), file->text.size()) : 0;
}

void note_origin(UnitNotes &notes, const std::vector<std::string> &local_names) {
  notes.compiler = version_string;
  // The directory is recorded only if it is needed to resolve relative file names. Otherwise, the object file would
  // depend on the directory in which it was compiled.
  if (std::any_of(notes.files.begin(), notes.files.end(), is_relative_source))
    notes.folder = folder_of_compilation();
  if (in_lto_p || is_preprocessed() || is_standard_input(main_input_filename))
    return;
  for (const std::string &name : local_names)
    notes.checksums.push_back(checksum_of(name));
}

} // namespace pathprof
