// SPDX-License-Identifier: GPL-3.0-or-later
// Declares the options that several commands share, and checks their values.
#include "pathdump/ui/options.h"

#include <algorithm>
#include <charconv>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pathdump/ui/failure.h"

namespace pathprof {

std::string check_word(const std::string &what, const std::string &word, const std::vector<std::string> &accepted) {
  if (std::find(accepted.begin(), accepted.end(), word) != accepted.end())
    return {};
  return fmt::format("unknown {} '{}'; accepted: {}", what, word, fmt::join(accepted, ", "));
}

std::string check_percentage(const std::string &text) {
  double value = -1;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool is_one = error == std::errc() && end == text.data() + text.size() && value >= 0 && value <= 100;
  return is_one ? std::string() : fmt::format("invalid percentage '{}'; expected a number from 0 to 100", text);
}

static std::string check_prefix(const std::string &text) {
  if (text.find('=') != std::string::npos)
    return {};
  return fmt::format("invalid value '{}'; expected OLD=NEW", text);
}

// Repeatable options accept exactly one word per occurrence. If an option accepted several words, recent versions of
// CLI11 would parse [ab] as a list instead of a glob.
void add_common_options(CLI::App &command, CommonOptions &options, unsigned features) {
  if (!(features & kScreenOptions))
    command.add_option("-o,--output", options.output, "write the output to FILE ('-' for standard output)")
        ->type_name("FILE");
  command.add_option("--color", options.color, "use colours: auto, always or never")
      ->type_name("WHEN")
      ->check([](const std::string &word) {
        return check_word("colour choice", word, {"auto", "always", "never"});
      });
  if (features & kJsonOption) {
    command.add_flag("--json", options.json, "print JSON");
    command.add_flag("--no-pager", options.no_pager, "print directly to the terminal, without a pager");
    options.is_text = true;
  }
  if (features & kSelectionOptions) {
    command.add_option("--function", options.functions, "select the functions whose name matches GLOB")
        ->type_name("GLOB")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false);
    command
        .add_option("--file", options.source_files,
                    "select the functions in source files whose path or base name matches GLOB")
        ->type_name("GLOB")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false);
  }
  if (features & kLinesOption)
    command.add_flag("--lines", options.lines, "show the line sequence of each path instead of its decisions");
  if (features & kNameOptions) {
    CLI::Option *no_demangle = command.add_flag("--no-demangle", options.no_demangle, "show assembler names");
    if (features & (kJsonOption | kFullNamesOption))
      command
          .add_flag("--full-names", options.full_names,
                    "show full C++ names with all template arguments, parameters and result types")
          ->excludes(no_demangle);
    command
        .add_option("--source-prefix", options.source_prefixes, "replace the prefix OLD of source file names with NEW")
        ->type_name("OLD=NEW")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false)
        ->check(check_prefix);
  }
}

void check_lines_option(const CommonOptions &options, const std::string &command) {
  if (options.json && options.lines)
    throw Failure(
        kWrongUse,
        fmt::format(
            "{}: --lines cannot be used with --json; JSON always contains the lines and the decisions of each path",
            command));
}

void add_number_option(CLI::App &command, uint64_t &number, const std::string &description) {
  command.add_option("-n,--number", number, description)->type_name("N")->check([](const std::string &text) {
    bool is_number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    return is_number ? std::string() : "invalid number '" + text + "'";
  });
}

void add_threshold_option(CLI::App &command, double &threshold, const std::string &description) {
  command.add_option("--threshold", threshold, description)->type_name("PCT")->check(check_percentage);
}

void add_profile_argument(CLI::App &command, std::string &file) {
  command
      .add_option(
          "FILE", file,
          "profile to read ('-' for standard input); the default is the only *.pathprof file in the working directory")
      ->type_name("FILE");
}

} // namespace pathprof
