// SPDX-License-Identifier: GPL-3.0-or-later
// Declares the options that several commands share, and checks their values.
#include "pathdump/ui/options.h"

#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "pathdump/ui/failure.h"

namespace pathprof {

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

void add_common_options(Subcommand &command, CommonOptions &options, unsigned features) {
  if (!(features & kScreenOptions))
    command.add_option("-o,--output", options.output, "write the output to FILE ('-' for standard output)")
        .type_name("FILE");
  command.add_option("--color", options.color, "use colours: auto, always or never")
      .type_name("WHEN")
      .accept("colour choice", {"auto", "always", "never"});
  if (features & kJsonOption) {
    command.add_flag("--json", options.json, "print JSON");
    command.add_flag("--no-pager", options.no_pager, "print directly to the terminal, without a pager");
    options.is_text = true;
  }
  if (features & kSelectionOptions) {
    command.add_option("--function", options.functions, "select the functions whose name matches GLOB")
        .type_name("GLOB")
        .one_value_each();
    command
        .add_option("--file", options.source_files,
                    "select the functions in source files whose path or base name matches GLOB")
        .type_name("GLOB")
        .one_value_each();
  }
  if (features & kSourceTreeOptions) {
    options.has_root = true;
    command
        .add_option("--root", options.root,
                    "print file names relative to DIR, and leave out files outside DIR (default: the top of the git "
                    "work tree or, outside of one, the working directory)")
        .type_name("DIR")
        .check([](const std::string &name) {
          std::error_code ignored;
          return std::filesystem::is_directory(name, ignored) ? std::string() : "not a directory: " + name;
        });
    command.add_flag("--all", options.all_files, "include files outside of the source tree, such as system headers");
    command.add_option("--include", options.include, "include only functions and source files whose name matches GLOB")
        .type_name("GLOB")
        .one_value_each();
    command.add_option("--exclude", options.exclude, "leave out functions and source files whose name matches GLOB")
        .type_name("GLOB")
        .one_value_each();
  }
  if (features & kLinesOption)
    command.add_flag("--lines", options.lines, "show the line sequence of each path instead of its decisions");
  if (features & kNameOptions) {
    Option no_demangle = command.add_flag("--no-demangle", options.no_demangle, "show assembler names");
    if (features & (kJsonOption | kFullNamesOption))
      command
          .add_flag("--full-names", options.full_names,
                    "show full C++ names with all template arguments, parameters and result types")
          .excludes(no_demangle);
    command
        .add_option("--source-prefix", options.source_prefixes, "replace the prefix OLD of source file names with NEW")
        .type_name("OLD=NEW")
        .one_value_each()
        .check(check_prefix);
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

void add_number_option(Subcommand &command, uint64_t &number, const std::string &description) {
  command.add_option("-n,--number", number, description).type_name("N").check([](const std::string &text) {
    bool is_number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    return is_number ? std::string() : "invalid number '" + text + "'";
  });
}

void add_threshold_option(Subcommand &command, double &threshold, const std::string &description) {
  command.add_option("--threshold", threshold, description).type_name("PCT").check(check_percentage);
}

void add_profile_argument(Subcommand &command, std::string &file) {
  command
      .add_option(
          "FILE", file,
          "profile to read ('-' for standard input); the default is the only *.pathprof file in the working directory")
      .type_name("FILE");
}

} // namespace pathprof
