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

// Returns the target of the compiler, such as "x86_64-linux-gnu". Returns an empty string if the options with which GCC
// was configured do not specify the target.
static std::string target_of_compiler() {
  std::string arguments = gcc_version.configuration_arguments;
  for (const char *option : {"--target=", "--host=", "--build="})
    if (size_t at = arguments.find(option); at != std::string::npos) {
      size_t begin = at + strlen(option);
      return arguments.substr(begin, arguments.find_first_of(" \'\"", begin) - begin);
    }
  return "";
}

// Returns true if the option must not be recorded. An option is not recorded if it does not affect the generated code,
// or if it contains the name of a directory or an output file. Such a name would make the object file depend on the
// directory in which it is compiled.
static bool is_of_place(const std::string &option) {
  static const char *const beginnings[] = {"-o",
                                           "-I",
                                           "-i",
                                           "-L",
                                           "-M",
                                           "-d",
                                           "-quiet",
                                           "-version",
                                           "-v",
                                           "-fplugin=",
                                           "-fdump",
                                           "-fltrans",
                                           "-fresolution",
                                           "-fdiagnostics",
                                           "-fpreprocessed",
                                           "-fverbose-asm",
                                           "-fpch",
                                           "--output",
                                           "-nostdinc",
                                           "-B"};
  return option[0] != '-' || option.find("-prefix-map=") != std::string::npos ||
         std::any_of(std::begin(beginnings), std::end(beginnings),
                     [&](const char *beginning) { return option.compare(0, strlen(beginning), beginning) == 0; });
}

// Returns the target of the compiler and the options of the compilation.
static std::vector<std::string> options_of_compilation() {
  std::vector<std::string> options = {target_of_compiler()};
  for (unsigned i = 0; i < save_decoded_options_count; i++)
    if (const char *text = save_decoded_options[i].orig_option_with_args_text; text && !is_of_place(text))
      options.push_back(text);
  return options;
}

void note_origin(UnitNotes &notes, const std::vector<std::string> &local_names) {
  notes.compiler = version_string;
  notes.options = options_of_compilation();
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
