// SPDX-License-Identifier: GPL-3.0-or-later
// Options that several commands have.
#ifndef PATHPROF_PATHDUMP_UI_OPTIONS_H
#define PATHPROF_PATHDUMP_UI_OPTIONS_H

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace pathprof {

struct CommonOptions {
  std::string output = "-";
  std::string color = "auto";
  bool json = false;
  bool no_demangle = false;
  bool lines = false; // paths are said by lines, not by decisions
  bool full_names = false;
  bool is_text = false; // tables and the like, for people: may go through a pager
  bool no_pager = false;
  std::vector<std::string> source_prefixes; // OLD=NEW
  std::vector<std::string> functions;       // globs
  std::vector<std::string> source_files;    // globs
};

// Which of the common options a command has besides -o and --color.
enum CommonFeature : unsigned {
  kJsonOption = 1u << 0,       // --json instead of text, of which --no-pager and --full-names are
  kNameOptions = 1u << 1,      // --no-demangle, --source-prefix
  kSelectionOptions = 1u << 2, // --function, --file
  kLinesOption = 1u << 3,      // --lines
  kFullNamesOption = 1u << 4,  // --full-names, of what is for people although it is no text
  kScreenOptions = 1u << 5,    // no -o
};
void add_common_options(CLI::App &command, CommonOptions &options, unsigned features);

// Throws Failure where --lines would have no effect beside --json: of every path that has both, lines and decisions.
void check_lines_option(const CommonOptions &options, const std::string &command);

// Declares an optional positional FILE.
void add_profile_argument(CLI::App &command, std::string &file);

// Declares -n N and --threshold PCT.
void add_number_option(CLI::App &command, uint64_t &number, const std::string &description);
void add_threshold_option(CLI::App &command, double &threshold, const std::string &description);

// Makes the option accept only numbers from 0 to 100.
std::string check_percentage(const std::string &text);

// Makes the option accept only these words; the error for another one lists them.
std::string check_word(const std::string &what, const std::string &word, const std::vector<std::string> &accepted);

} // namespace pathprof

#endif
