// SPDX-License-Identifier: GPL-3.0-or-later
// Declares the options that several commands share.
#ifndef PATHPROF_PATHDUMP_UI_OPTIONS_H
#define PATHPROF_PATHDUMP_UI_OPTIONS_H

#include <cstdint>
#include <string>
#include <vector>

#include "pathdump/ui/command_line.h"

namespace pathprof {

struct CommonOptions {
  std::string output = "-";
  std::string color = "auto";
  bool json = false;
  bool no_demangle = false;
  bool lines = false; // paths are shown as line sequences instead of decisions
  bool codes = false; // decisions are shown without the source texts of their conditions
  bool full_names = false;
  bool is_text = false; // the output is text for people and can be shown in a pager
  bool no_pager = false;
  std::vector<std::string> source_prefixes; // each of the form OLD=NEW
  std::vector<std::string> functions;       // globs
  std::vector<std::string> source_files;    // globs
  // For commands that report on a source tree (kSourceTreeOptions).
  bool has_root = false;            // names are relative to the top of the source tree
  std::string root;                 // the value of --root; if empty, the top is found (Names)
  bool all_files = false;           // files outside the source tree are included
  std::vector<std::string> include; // globs over functions and files; if empty, everything is included
  std::vector<std::string> exclude; // globs over functions and files
};

// Groups of common options that a command can accept in addition to -o and --color.
enum CommonFeature : unsigned {
  kJsonOption = 1u << 0,        // --json and --no-pager; with kNameOptions, also --full-names
  kNameOptions = 1u << 1,       // --no-demangle, --source-prefix
  kSelectionOptions = 1u << 2,  // --function, --file
  kLinesOption = 1u << 3,       // --lines
  kFullNamesOption = 1u << 4,   // --full-names, for output for people that is not text
  kScreenOptions = 1u << 5,     // for commands that use the whole terminal: no -o option
  kSourceTreeOptions = 1u << 6, // --root, --all, --include, --exclude
  kCodesOption = 1u << 7        // --codes
};
void add_common_options(Subcommand &command, CommonOptions &options, unsigned features);

// Throws Failure if --json is given together with --lines or --codes. JSON always contains the lines and the decisions
// of every path, so these options would have no effect.
void check_lines_option(const CommonOptions &options, const std::string &command);

// Files whose code is reported even if it was never executed.
struct ObjectOptions {
  std::vector<std::string> objects; // ELF files, and directories that are searched for them
  std::string manifest;             // a list of such files (manifest.h); if empty, it is searched for

  bool is_given() const { return !objects.empty() || !manifest.empty(); }
};

// Declares --objects and --manifest.
void add_object_options(Subcommand &command, ObjectOptions &options);

// Declares an optional positional FILE.
void add_profile_argument(Subcommand &command, std::string &file);

// Declares -n N.
void add_number_option(Subcommand &command, uint64_t &number, const std::string &description);
// Declares --clean CMD.
void add_clean_option(Subcommand &command, std::string &clean);
// Declares an option whose value is a number from 0 to 100.
void add_percentage_option(Subcommand &command, const std::string &name, double &percentage,
                           const std::string &description);

// The passing and failing runs that --pass and --fail name.
struct RunOptions {
  std::vector<std::string> passed, failed;

  bool are_given() const { return !passed.empty() || !failed.empty(); }
  // Throws Failure with this usage unless both options are given.
  void check(const std::string &command, const std::string &usage) const;
};
// Declares --pass and --fail. `type` is the placeholder for a value in the help, such as FILE.
void add_run_options(Subcommand &command, RunOptions &runs, const char *type, const std::string &pass_description,
                     const std::string &fail_description);

} // namespace pathprof

#endif
