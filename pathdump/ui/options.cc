// SPDX-License-Identifier: GPL-3.0-or-later
// Declares the options that several commands share, and checks their values.
#include "pathdump/ui/options.h"

#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "pathdump/ui/failure.h"

namespace pathprof {

static std::string check_percentage(const std::string &text) {
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
    command.add_option("-o,--output", options.output, "FILE", "write the output to FILE ('-' for standard output)");
  command.add_option("--color", options.color, "WHEN", "use colours: auto, always or never")
      .accept("colour choice", {"auto", "always", "never"});
  if (features & kJsonOption) {
    command.add_flag("--json", options.json, "print JSON");
    command.add_flag("--no-pager", options.no_pager, "print directly to the terminal, without a pager");
    options.is_text = true;
  }
  if (features & kSelectionOptions) {
    command.add_option("--function", options.functions, "GLOB", "select the functions whose name matches GLOB")
        .one_value_each();
    command
        .add_option("--file", options.source_files, "GLOB",
                    "select the functions in source files whose path or base name matches GLOB")
        .one_value_each();
  }
  if (features & kSourceTreeOptions) {
    options.has_root = true;
    command
        .add_option("--root", options.root, "DIR",
                    "print file names relative to DIR, and leave out files outside DIR (default: the top of the git "
                    "work tree or, outside of one, the working directory)")
        .check([](const std::string &name) {
          std::error_code ignored;
          return std::filesystem::is_directory(name, ignored) ? std::string() : "not a directory: " + name;
        });
    command.add_flag("--all", options.all_files, "include files outside of the source tree, such as system headers");
    command
        .add_option("--include", options.include, "GLOB",
                    "include only functions and source files whose name matches GLOB")
        .one_value_each();
    command
        .add_option("--exclude", options.exclude, "GLOB",
                    "leave out functions and source files whose name matches GLOB")
        .one_value_each();
  }
  auto add_codes = [&] {
    return command.add_flag("--codes", options.codes,
                            "show only the codes of decisions, such as 9:T, and list the conditions below");
  };
  if (features & kLinesOption)
    command.add_flag("--lines", options.lines, "show the line sequence of each path instead of its decisions")
        .excludes(add_codes());
  else if (features & kCodesOption)
    add_codes();
  if (features & kNameOptions) {
    Option no_demangle = command.add_flag("--no-demangle", options.no_demangle, "show assembler names");
    if (features & (kJsonOption | kFullNamesOption))
      command
          .add_flag("--full-names", options.full_names,
                    "show full C++ names with all template arguments, parameters and result types")
          .excludes(no_demangle);
    command
        .add_option("--source-prefix", options.source_prefixes, "OLD=NEW",
                    "replace the prefix OLD of source file names with NEW")
        .one_value_each()
        .check(check_prefix);
  }
}

void add_object_options(Subcommand &command, ObjectOptions &options) {
  command
      .add_option("--objects", options.objects, "FILE",
                  "include the code of the object file, archive or program FILE, or of all such files in a directory, "
                  "even if it was never executed")
      .one_value_each();
  command.add_option("--manifest", options.manifest, "FILE",
                     "include the code of the files that FILE lists (default: the list that 'pathprof build' wrote to "
                     "pathprof.objects in the working directory or next to the profile)");
}

void check_lines_option(const CommonOptions &options, const std::string &command) {
  if (options.json && (options.lines || options.codes))
    throw Failure(
        kWrongUse,
        fmt::format("{}: {} cannot be used with --json; JSON always contains the lines and the decisions of each path",
                    command, options.lines ? "--lines" : "--codes"));
}

void add_number_option(Subcommand &command, uint64_t &number, const std::string &description) {
  command.add_option("-n,--number", number, "N", description).check([](const std::string &text) {
    bool is_number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    return is_number ? std::string() : "invalid number '" + text + "'";
  });
}

void add_clean_option(Subcommand &command, std::string &clean) {
  command.add_option("--clean", clean, "CMD", "use CMD to remove the previous build (default for make: make clean)");
}

void add_percentage_option(Subcommand &command, const std::string &name, double &percentage,
                           const std::string &description) {
  command.add_option(name, percentage, "PCT", description).check(check_percentage);
}

void RunOptions::check(const std::string &command, const std::string &usage) const {
  if (passed.empty() || failed.empty())
    throw Failure(kWrongUse, fmt::format("{}: --pass and --fail must be given together: {}", command, usage));
}

void add_run_options(Subcommand &command, RunOptions &runs, const char *type, const std::string &pass_description,
                     const std::string &fail_description) {
  command.add_option("--pass", runs.passed, type, pass_description);
  command.add_option("--fail", runs.failed, type, fail_description);
}

void add_profile_argument(Subcommand &command, std::string &file) {
  command.add_operand(
      "FILE", file,
      "profile to read ('-' for standard input); the default is the only *.pathprof file in the working directory");
}

} // namespace pathprof
