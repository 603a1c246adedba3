// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands share: options, opening a profile, names, output and tables.
#ifndef PATHPROF_PATHDUMP_COMMON_H
#define PATHPROF_PATHDUMP_COMMON_H

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "profile/profile.h"

namespace CLI {
class App;
}

namespace pathprof {

// What a command exits with.
enum ExitStatus : int { kGood = 0, kMissed = 1, kWrongUse = 2, kBadData = 3 };

// Ends a command: main prints the message as one line and exits with the status.
class Failure : public std::runtime_error {
public:
  Failure(ExitStatus status, const std::string &message) : std::runtime_error(message), status_(status) {}
  ExitStatus status() const { return status_; }

private:
  ExitStatus status_;
};

struct CommonOptions {
  std::string output = "-";
  std::string color = "auto";
  bool json = false;
  bool no_demangle = false;
  std::vector<std::string> source_prefixes; // OLD=NEW
  std::vector<std::string> functions;       // globs
  std::vector<std::string> source_files;    // globs
};

// Which of the common options a command has besides -o and --color.
enum CommonFeature : unsigned {
  kJsonOption = 1u << 0,
  kNameOptions = 1u << 1,      // --no-demangle, --source-prefix
  kSelectionOptions = 1u << 2, // --function, --file
};
void add_common_options(CLI::App &command, CommonOptions &options, unsigned features);

// Declares an optional positional FILE.
void add_profile_argument(CLI::App &command, std::string &file);

// Declares -n N and --threshold PCT.
void add_number_option(CLI::App &command, uint64_t &number, const std::string &description);
void add_threshold_option(CLI::App &command, double &threshold, const std::string &description);

// Makes the option accept only these words; the error for another one lists them.
std::string check_word(const std::string &what, const std::string &word, const std::vector<std::string> &accepted);

// ---- profiles ----

// The file itself, or where none is named the only *.pathprof in the working directory.
std::string choose_profile(const std::string &file);

// The loaded profile, with what processes left that ended suddenly.  Throws Failure.
Profile open_profile(const std::string &file);
// Its bytes.
FileBytes open_image(const std::string &file);

// A function's rebuilt numbering.  Throws Failure where the notes contradict themselves.
std::unique_ptr<Decoded> decode_or_fail(const std::string &file, const Function &function);

// "array", "hash"; "none" of functions whose paths are a program's.
const char *storage_name(const Function &function);
// How many paths of its own a function has, after cutting.
mpz_class num_own_paths(const Function &function);

// ---- names ----

// Function and file names as they are to be shown.
class Names {
public:
  explicit Names(const CommonOptions &options);

  std::string function(const std::string &assembler_name) const;
  // A file name with the last --source-prefix that matches applied (the order of GCC's
  // -ffile-prefix-map).
  std::string file(const std::string &name) const;
  // True if no --function is given or one matches one of the function's spellings.
  bool selects_name(const std::string &assembler_name) const;
  // True if no --file is given or one matches the file's name (as the profile has it) as shown, or its last part.
  bool selects_file(const std::string &name) const;
  bool selects(const Function &function) const {
    return selects_name(function.notes.name) && selects_file(function.file);
  }

private:
  bool demangle_;
  std::vector<std::pair<std::string, std::string>> prefixes_;
  std::vector<std::string> functions_, files_; // globs
};

// The C++ name behind an assembler name, or the name itself.
std::string demangle(const std::string &name);
// "ns::f(int) const" → "ns::f".
std::string without_parameters(const std::string &demangled);
// What users may call a function: the assembler name, the demangled one, that without parameters, and for
// an instance of a template also without its result type.
std::vector<std::string> spellings(const std::string &assembler_name);

// Source lines, read as needed.
class Sources {
public:
  // Relative names that are not found are tried beside the profile.
  Sources(const Names &names, const std::string &profile_file);

  // The text of a line of a file (a name as the profile has it), or null where it cannot be read.
  const std::string *line(const std::string &file, uint32_t line);
  // Names of the files, as shown, that were asked for and could not be read.
  std::vector<std::string> missing() const;
  // Names them on standard error, and the way out.
  void warn_of_missing() const;

private:
  std::optional<std::vector<std::string>> read(const std::string &name) const;

  const Names &names_;
  std::string folder_;
  std::map<std::string, std::optional<std::vector<std::string>>> files_;
};

// ---- output ----

// Standard output, or a file that appears under its name only when it is complete.
class Output {
public:
  explicit Output(const CommonOptions &options);
  ~Output();
  Output(const Output &) = delete;
  Output &operator=(const Output &) = delete;

  void write(std::string_view text);
  template <typename... T>
  void print(fmt::format_string<T...> format, T &&...args) {
    write(fmt::format(format, std::forward<T>(args)...));
  }
  // Throws Failure where something could not be written.
  void commit();

  bool colours() const { return colours_; }
  // Columns of the terminal, 0 where the output is not one.
  size_t width() const { return width_; }

private:
  void open_temporary();
  [[noreturn]] void fail(int error);

  std::string name_;      // empty: standard output
  std::string temporary_; // empty: written directly
  std::FILE *stream_ = nullptr;
  bool colours_ = false;
  size_t width_ = 0;
};

enum class Colour { None, Heading, Hot, Name, Place, Faint };
std::string paint(const Output &out, Colour colour, const std::string &text);
// One of a few colours that tell neighbours in a series apart.
std::string paint_series(const Output &out, size_t index, const std::string &text);

struct Column {
  std::string title;
  bool right = false;
  Colour colour = Colour::None;
  size_t limit = 0;                                       // no wider than so many characters; 0: as wide as need be
  Colour (*colour_of)(const std::string &cell) = nullptr; // where cells differ in colour
};

// At most `width` characters (UTF-8), the last ones dots where some are missing.
std::string cut_text(const std::string &text, size_t width);

// A table whose columns are as wide as their widest cell.  On a terminal the last column is cut at
// its edge.
class Table {
public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  // `below` is printed as it is after the row.
  void add(std::vector<std::string> cells, std::string below = {});
  void print(Output &out) const;

private:
  std::string row_text(const Output &out, const std::vector<std::string> &cells, const std::vector<size_t> &widths,
                       bool heading) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::string> below_;
};

// 1234567890123456789 stays, longer numbers become 1.2e+34.
std::string short_number(const mpz_class &number);

// "1 run", "2 runs".
std::string plural(uint64_t number, const std::string &noun);

} // namespace pathprof

#endif
