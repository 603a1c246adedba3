// SPDX-License-Identifier: GPL-3.0-or-later
// Finds and reads source files, and reports the files that are missing or have changed.
//
// A profile contains the file names that the compiler used. A relative name refers to the compilation directory, and
// several files can have the same name, so each name is looked up together with its unit. If the unit contains a
// checksum, the checksum selects the file among the candidates.
#ifndef PATHPROF_PATHDUMP_DESCRIBE_SOURCES_H
#define PATHPROF_PATHDUMP_DESCRIBE_SOURCES_H

#include <cstdint>
#include <ctime>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "pathdump/ui/names.h"
#include "pathdump/ui/output.h"
#include "profile/model/profile.h"

namespace pathprof {

// A source file whose lines were requested.
struct SourceFile {
  std::string shown;  // name as printed
  std::string folder; // compilation directory of a relative name, as printed, or empty if it is unknown
  std::string reason; // reason why an existing file could not be read, or empty
  std::string path;   // path at which the file was found; not sanitized for printing
  bool is_found = false;
  std::vector<std::string> lines; // lines of the file, sanitized for printing; tabs are preserved
  std::string doubt;              // reason why the file may differ from the compiled file, or empty
};

class Sources {
public:
  Sources(const Names &names, const std::string &profile_file);

  // Returns the index of a source file, given its name in the unit's UnitSources::files. Different names of the same
  // file have the same index.
  size_t number_of(const UnitSources &unit, const std::string &file);
  const SourceFile &operator[](size_t number) const { return files_[number]; }

  // Returns the text of a line, or null if the line cannot be read.
  const std::string *line(size_t number, uint32_t line) const;
  const std::string *line(const Function &function, const std::string &file, uint32_t line) {
    return this->line(number_of(*function.sources, file), line);
  }

  // Returns one warning per file that was requested since the last call and that may differ from the compiled file.
  std::vector<std::string> new_doubts();
  // Returns the warnings for all files.
  std::vector<std::string> doubts() const;
  // Prints the warnings for all files to standard error, each with a prefix such as "A: ".
  void warn_of_doubts(const std::string &whose) const;
  // Returns the files that were not found, sorted by name.
  std::vector<const SourceFile *> missing() const;
  // Returns the files that were found but could not be read, sorted by name.
  std::vector<const SourceFile *> unreadable() const;
  // Prints all warnings to standard error: one line per changed file, one line for all missing files, and one line for
  // all unreadable files.
  void warn() const;

private:
  struct Text {
    std::string reason;
    bool is_there = false, is_read = false;
    uint32_t checksum = 0;
    timespec changed = {};
    std::vector<std::string> lines;
  };
  const Text &read(const std::string &path);
  std::string find(const std::string &name, const std::string &folder, uint32_t checksum);
  std::vector<const SourceFile *> not_found(bool is_there) const;
  std::string doubt_about(const Text &text, uint32_t checksum) const;

  const Names &names_;
  std::string profile_folder_;
  timespec profile_changed_ = {};     // modification time of the profile; zero if unknown
  std::map<std::string, Text> texts_; // file contents by path
  std::map<std::tuple<std::string, std::string, uint32_t>, size_t> by_origin_;  // by name, directory and checksum
  std::map<std::tuple<std::string, std::string, std::string>, size_t> by_path_; // by printed name, path and doubt
  std::map<std::pair<const UnitSources *, std::string>, size_t> known_;
  std::vector<SourceFile> files_;
  size_t num_told_ = 0; // number of files_ that new_doubts has processed
};

// Returns the warning that a source file may differ from the file that was compiled.
std::string text_of_doubt(const SourceFile &file);
// Prints the warnings that have not been printed yet. The warnings become part of the output, next to the source lines,
// so that users do not overlook them.
void print_doubts(Output &out, Sources &sources);

} // namespace pathprof

#endif
