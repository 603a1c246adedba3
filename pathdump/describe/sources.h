// SPDX-License-Identifier: GPL-3.0-or-later
// The text of source files, found and read as needed, and what is to be said of files that were not found or changed.
//
// A profile names files as the compiler did: a relative name belongs to the folder of compilation, and one name can be
// that of several files.  So a name is looked up together with the unit that has it, and where the unit has a checksum,
// that says which of the files that could be meant it is.
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

// A file that lines were asked of.
struct SourceFile {
  std::string shown;  // its name
  std::string folder; // that a relative name belongs to, as shown; empty: not known, or the name is absolute
  std::string reason; // why it could not be read, although it is there; empty: there is none, or it was read
  std::string path;   // where it was found; not fit to be shown
  bool is_found = false;
  std::vector<std::string> lines; // fit to be shown; tabs stay
  std::string doubt;              // why they may not be the lines that were compiled; empty: nothing says so
};

class Sources {
public:
  Sources(const Names &names, const std::string &profile_file);

  // The file that a unit calls `file` (a name as UnitSources::files has it).  Names have one number as long as they are
  // those of one file.
  size_t number_of(const UnitSources &unit, const std::string &file);
  const SourceFile &operator[](size_t number) const { return files_[number]; }

  // The text of a line, or null where it cannot be read.
  const std::string *line(size_t number, uint32_t line) const;
  const std::string *line(const Function &function, const std::string &file, uint32_t line) {
    return this->line(number_of(*function.sources, file), line);
  }

  // For people, a line each, about files asked for since the last call: those that may not be what was compiled.
  std::vector<std::string> new_doubts();
  // The same about all files.
  std::vector<std::string> doubts() const;
  // Says these on standard error, with a word in front, such as "A: ".
  void warn_of_doubts(const std::string &whose) const;
  // The files that were not found, and those that could not be read: by name.
  std::vector<const SourceFile *> missing() const;
  std::vector<const SourceFile *> unreadable() const;
  // Says all that on standard error: a line for each doubt, one for what is missing and one for what is unreadable.
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
  timespec profile_changed_ = {};                                               // zero: not known
  std::map<std::string, Text> texts_;                                           // by path
  std::map<std::tuple<std::string, std::string, uint32_t>, size_t> by_origin_;  // by name, folder and checksum
  std::map<std::tuple<std::string, std::string, std::string>, size_t> by_path_; // by name as shown, path and doubt
  std::map<std::pair<const UnitSources *, std::string>, size_t> known_;
  std::vector<SourceFile> files_;
  size_t num_told_ = 0; // of files_
};

// For people: what is in doubt about a file.
std::string text_of_doubt(const SourceFile &file);
// Prints what is new in doubt among what is annotated, so that it cannot be missed.
void print_doubts(Output &out, Sources &sources);

} // namespace pathprof

#endif
