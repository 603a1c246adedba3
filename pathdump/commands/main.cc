// SPDX-License-Identifier: GPL-3.0-or-later
// Entry point of pathdump and pathprof: finds the subcommand on the command line, runs it, and reports failures.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <new>
#include <set>
#include <system_error>

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pathdump/commands/commands.h"
#include "pathdump/cost/cost_option.h"
#include "pathdump/ui/command_line.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/nearest.h"
#include "pathdump/ui/program.h"
#include "pathdump/ui/siblings.h"
#include "pathdump/workflow/record.h"
#include "profile/model/visible.h"

namespace pathprof {

namespace {

struct Command {
  const char *name;
  const char *group; // heading in the list of commands
  const char *arguments;
  const char *summary;
  Run (*declare)(Subcommand &);                                      // null for a command that takes a program to run
  Run (*declare_workflow)(Subcommand &, const Operands &) = nullptr; // null for a command that only reads profiles
  bool is_always_listed = false;                                     // listed by pathdump as well as by pathprof
};

const char *const kRecord = "Build and record";
const char *const kLook = "Look at a profile";
const char *const kCompare = "Find bugs and compare";
const char *const kTest = "Test";
const char *const kSpeed = "Make the program faster";
const char *const kExchange = "Combine, check and convert profiles";

// The commands of a group are consecutive.
const Command commands[] = {
    {"build", kRecord, "[KEY=VALUE]... -- make ...", "run a build with the pathprof drivers in place of the compilers",
     nullptr, declare_build},
    {"record", kRecord, "-p PID | -- PROGRAM ARGUMENT...",
     "run a program, or record a running process, and print the name of the profile", nullptr, declare_record, true},
    {"report", kLook, "[FILE]", "list the hot paths (default command)", declare_report},
    {"show", kLook, "[FILE]", "show the source with line counts and the hottest paths", declare_show},
    {"functions", kLook, "[FILE]", "list all functions with their static and executed paths, calls and storage",
     declare_functions},
    {"path", kLook, "[FILE] FUNC ID", "show the blocks, lines and statements of one path", declare_path},
    {"stats", kLook, "[FILE]", "print how many paths were executed, and how well an edge profile predicts them",
     declare_stats},
    {"html", kLook, "-o OUT [FILE]", "write an HTML page with the hot paths, the source and the control-flow graphs",
     declare_html},
    {"tui", kLook, "[FILE]", "browse hot paths, source and control-flow graphs in the terminal", declare_tui},
    {"find-bug", kCompare, "--pass CMD... --fail CMD... [-- PROGRAM {}]",
     "run passing and failing commands, and show the path that distinguishes them", nullptr, declare_find_bug},
    {"diff", kCompare, "A B", "list the paths that differ between two profiles, or between passing and failing runs",
     declare_diff},
    {"overlap", kCompare, "A B", "measure how well a training profile matches another profile", declare_overlap},
    {"coverage", kTest, "[FILE]", "report the coverage of lines, branches, functions, conditions and paths",
     declare_coverage},
    {"justify", kTest, "FUNC|FUNC:PATH|FILE:LINE --reason TEXT --author NAME [FILE]",
     "state why a function, a path or a decision is not covered", declare_justify},
    {"tests", kTest, "FILE...", "select tests, rank them, or find redundant ones, by the paths that they execute",
     declare_tests},
    {"advise", kSpeed, "[FILE]", "suggest optimisations of correlated branches and of loops with constant trip counts",
     declare_advise},
    {"rebuild", kSpeed, "--train CMD... [KEY=VALUE]... -- make ...",
     "rebuild a program with a profile of training runs, and compare the run times", nullptr, declare_rebuild},
    {"merge", kExchange, "-o OUT FILE...", "add profiles, optionally with weights", declare_merge},
    {"residual", kExchange, "[FILE]", "list the executed paths that are not interesting (mode=preferential)",
     declare_residual},
    {"import", kExchange, "PROGRAM DUMP... -o OUT",
     "write a profile with the counters of a program without an operating system", declare_import},
    {"check", kExchange, "[FILE]...", "verify structure, checksums, path IDs and flow conservation of profiles",
     declare_check},
    {"export", kExchange, "[FILE]", "convert the profile to a format that other tools read", declare_export},
};

bool is_listed(const Command &command) {
  return command.declare || command.is_always_listed || program_name == "pathprof";
}

const char *const version_text = " (pathprof) " PACKAGE_VERSION "\n"
                                 "License GPLv3+: GNU GPL version 3 or later <https://gnu.org/licenses/gpl.html>\n"
                                 "This is free software: you are free to change and redistribute it.\n"
                                 "There is NO WARRANTY, to the extent permitted by law.\n";

// The option heading is set explicitly because its default differs between versions of CLI11.
const char *const options_heading = "Options";

// Formats help in the style of GNU programs.
class GnuFormatter : public CLI::Formatter {
public:
  std::string make_help(const CLI::App *app, std::string, CLI::AppFormatMode mode) const override {
    return make_usage(app, {}) + app->get_description() + "\n" + make_positionals(app) + make_groups(app, mode) +
           make_subcommands(app, mode) + "\n" + make_footer(app);
  }

  std::string make_usage(const CLI::App *app, std::string) const override {
    for (const Command &command : commands)
      if (app->get_name() == command.name)
        return fmt::format("Usage: {} {} [OPTION]... {}\n", program_name, command.name, command.arguments);
    return fmt::format("Usage: {} [COMMAND] [OPTION]... [FILE]\n", program_name);
  }

  // Replaces underscores with spaces, because CLI11 does not allow spaces in the names of positional arguments.
  std::string make_option_name(const CLI::Option *option, bool is_positional) const override {
    std::string name = CLI::Formatter::make_option_name(option, is_positional);
    if (is_positional)
      std::replace(name.begin(), name.end(), '_', ' ');
    return name;
  }

  std::string make_option_opts(const CLI::Option *option) const override {
    return option->get_type_size() && !option->get_positional() ? " " + option->get_type_name() : "";
  }

  std::string make_option(const CLI::Option *option, bool is_positional) const override {
    return row(make_option_name(option, is_positional) + make_option_opts(option), make_option_desc(option));
  }

  std::string make_subcommand(const CLI::App *command) const override {
    return row(command->get_name(), command->get_description());
  }

private:
  // Does not wrap descriptions, because the manual pages are generated from the help output.
  std::string row(const std::string &what, const std::string &description) const {
    std::string left = fmt::format("  {:<{}}", what, get_column_width() - 2);
    if (what.size() + 2 >= get_column_width())
      left += fmt::format("\n{:<{}}", "", get_column_width());
    return left + description + "\n";
  }
};

bool is_command(const std::string &word) {
  return std::any_of(std::begin(commands), std::end(commands),
                     [&](const Command &command) { return word == command.name; });
}

bool is_workflow(const std::string &word) {
  return std::any_of(std::begin(commands), std::end(commands),
                     [&](const Command &command) { return word == command.name && command.declare_workflow; });
}

bool looks_like_file(const std::string &word) {
  return word == "-" || word.find_first_of("./") != std::string::npos || access(word.c_str(), F_OK) == 0;
}

[[noreturn]] void unknown_command(const std::string &word) {
  std::vector<std::string> names;
  for (const Command &command : commands)
    if (is_listed(command))
      names.push_back(command.name);
  throw Failure(kWrongUse, fmt::format("'{}' is neither a file nor a command{}; commands: {}", word,
                                       did_you_mean(word, {names.begin(), names.end()}), fmt::join(names, ", ")));
}

// Rejects a command line such as "prog.pathprof show -n 3"; `at` is the index of the command.
[[noreturn]] void misplaced_command(std::vector<std::string> arguments, size_t at) {
  auto command = arguments.begin() + static_cast<ptrdiff_t>(at);
  std::rotate(arguments.begin(), command, command + 1);
  throw Failure(kWrongUse,
                fmt::format("the command must come first; use '{} {}'", program_name, fmt::join(arguments, " ")));
}

// Returns the options of all commands that take a value, such as "-o" and "--output".
std::set<std::string> options_with_values(const CLI::App &app) {
  std::set<std::string> names;
  for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; }))
    for (const CLI::Option *option : command->get_options()) {
      if (option->get_type_size_max() == 0)
        continue;
      for (const std::string &name : option->get_snames())
        names.insert("-" + name);
      for (const std::string &name : option->get_lnames())
        names.insert("--" + name);
    }
  return names;
}

// Returns true if the argument after the option `at` is its value. The value of --cost can be omitted.
bool has_value(std::vector<std::string>::const_iterator at, const std::vector<std::string> &arguments,
               const std::set<std::string> &with_values) {
  return with_values.count(*at) && at + 1 != arguments.end() && (*at != "--cost" || is_cost_value(*(at + 1)));
}

// Returns the first argument at or after `at` that is neither an option nor an option's value.
std::vector<std::string>::iterator first_word(std::vector<std::string>::iterator at,
                                              std::vector<std::string> &arguments,
                                              const std::set<std::string> &with_values) {
  while (at != arguments.end() && at->size() > 1 && at->front() == '-')
    at += has_value(at, arguments, with_values) ? 2 : 1;
  return at;
}

// Moves the command in front of any options that precede it.  Inserts `report` if there is no command.
void normalise(std::vector<std::string> &arguments, const std::set<std::string> &with_values) {
  if (!arguments.empty() && arguments.front() == "help") {
    arguments.erase(arguments.begin());
    if (!arguments.empty() && !is_command(arguments.front()))
      unknown_command(arguments.front());
    arguments.push_back("--help");
    return;
  }
  if (!arguments.empty() && (arguments.front() == "--help" || arguments.front() == "-h" ||
                             arguments.front() == "--version" || arguments.front() == "-V"))
    return;
  auto word = first_word(arguments.begin(), arguments, with_values);
  if (word != arguments.end() && is_command(*word)) {
    std::rotate(arguments.begin(), word, word + 1);
    return;
  }
  if (word == arguments.begin() && word != arguments.end() && !looks_like_file(*word))
    unknown_command(*word);
  auto second = word == arguments.end() ? word : first_word(word + 1, arguments, with_values);
  if (second != arguments.end() && is_command(*second))
    misplaced_command(arguments, static_cast<size_t>(second - arguments.begin()));
  arguments.insert(arguments.begin(), "report");
}

// Replaces "--option=" with two arguments, "--option" and an empty argument, because CLI11 would otherwise use the next
// argument as the value.
void split_empty_values(std::vector<std::string> &arguments, const std::set<std::string> &with_values) {
  for (size_t i = 0; i < arguments.size() && arguments[i] != "--"; i++) {
    std::string name = arguments[i].substr(0, arguments[i].size() - !arguments[i].empty());
    if (arguments[i] != name + "=" || !with_values.count(name))
      continue;
    arguments[i] = name;
    arguments.insert(arguments.begin() + static_cast<ptrdiff_t>(i) + 1, "");
  }
}

// Adds the default value to each option --cost that has no value, because CLI11 would use the next argument as the
// value.
void complete_cost(std::vector<std::string> &arguments) {
  for (auto at = arguments.begin(); at != arguments.end() && *at != "--"; ++at)
    if (*at == "--cost" && (at + 1 == arguments.end() || !is_cost_value(*(at + 1))))
      *at += std::string("=") + kDefaultCost;
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

// Returns the text of a CLI11 error as a single line, and rephrases errors such as "Could not convert: --pid = abc".
std::string in_words(const std::string &text) {
  static const std::string kUnconverted = "Could not convert: ";
  size_t value = text.find(" = ");
  if (text.compare(0, kUnconverted.size(), kUnconverted) != 0 || value == std::string::npos)
    return one_line(text);
  return fmt::format("{}: invalid number '{}'", text.substr(kUnconverted.size(), value - kUnconverted.size()),
                     visible(text.substr(value + 3)));
}

std::set<std::string> names_of_options(const CLI::App &command) {
  std::set<std::string> names;
  for (const CLI::Option *option : command.get_options())
    for (const std::string &name : option->get_lnames())
      names.insert("--" + name);
  return names;
}

// If the command accepts only one profile but several were given, returns their names. Otherwise, returns an empty
// list.
std::vector<std::string> several_profiles(const CLI::App &command, const std::vector<std::string> &left) {
  const CLI::Option *file = command.get_option_no_throw("FILE");
  if (!file || file->count() != 1)
    return {};
  std::vector<std::string> profiles = {file->results().front()};
  profiles.insert(profiles.end(), left.begin(), left.end());
  bool are_there = std::all_of(profiles.begin(), profiles.end(),
                               [](const std::string &name) { return std::filesystem::is_regular_file(name); });
  return are_there ? profiles : std::vector<std::string>();
}

// Throws Failure with a message about the arguments in `left`, which the command does not accept.
[[noreturn]] void unexpected(const CLI::App &command, const std::vector<std::string> &left) {
  auto option = std::find_if(left.begin(), left.end(),
                             [](const std::string &word) { return word.size() > 1 && word.front() == '-'; });
  if (std::vector<std::string> profiles = several_profiles(command, left); !profiles.empty())
    throw Failure(kWrongUse, fmt::format("{}: expected one profile, got {}; merge them first: {}", command.get_name(),
                                         profiles.size(), merge_command(profiles)));
  std::string what = option == left.end() ? fmt::format("unexpected operand '{}'", left.front())
                                          : fmt::format("unknown option '{}'", *option);
  if (option != left.end() && option->compare(0, 2, "--") == 0)
    what += did_you_mean(option->substr(0, option->find('=')), names_of_options(command));
  if (option != left.end() && (command.get_name() == "build" || command.get_name() == "rebuild"))
    what += "; write plugin arguments without dashes, as in mode=kiter";
  throw Failure(kWrongUse,
                fmt::format("{}: {}; see '{} {} --help'", command.get_name(), what, program_name, command.get_name()));
}

// Removes the plugin settings and the program to run from the arguments of a command such as `record`, and returns
// them.  The program starts after "--" or, except with `find-bug`, at the first operand that is not of the form
// KEY=VALUE.
Operands take_operands(std::vector<std::string> &arguments, const std::set<std::string> &with_values) {
  static const std::set<std::string> kNeedDashes = {"find-bug"};
  Operands operands;
  std::vector<std::string> left = {arguments.front()};
  bool needs_dashes = kNeedDashes.count(arguments.front()) != 0;
  auto at = arguments.begin() + 1;
  for (; at != arguments.end() && *at != "--"; ++at) {
    bool is_option = at->size() > 1 && at->front() == '-';
    if (!is_option && !needs_dashes && at->find('=') == std::string::npos)
      break;
    (is_option || needs_dashes ? left : operands.settings).push_back(*at);
    if (is_option && has_value(at, arguments, with_values) && *(at + 1) != "--")
      left.push_back(*++at);
  }
  if (at != arguments.end())
    operands.program.assign(at + (*at == "--"), arguments.end());
  arguments = std::move(left);
  return operands;
}

const char *description() {
  return program_name == "pathprof"
             ? "Counts how often each path of a program is executed, and analyses the counts.  The first three "
               "commands: 'pathprof build -- make', 'pathprof record -- ./prog', 'pathprof report'."
             : "Shows and combines path profiles.  'pathdump prog.pathprof' prints the hot paths.";
}

// Rejects an empty option value, which usually results from an unset shell variable.
std::string check_not_empty(const std::string &text) {
  return text.empty() ? "the argument is empty" : std::string();
}

std::vector<Run> add_commands(CLI::App &app, const Operands &operands) {
  std::vector<Run> runs;
  for (const Command &command : commands) {
    CLI::App *subcommand =
        app.add_subcommand(command.name, command.summary)->group(is_listed(command) ? command.group : "");
    subcommand->get_help_ptr()->group(options_heading);
    Subcommand arguments(subcommand);
    runs.push_back(command.declare ? command.declare(arguments) : command.declare_workflow(arguments, operands));
    for (CLI::Option *option :
         subcommand->get_options([](const CLI::Option *one) { return one->get_items_expected_max() > 0; }))
      option->check(check_not_empty);
  }
  return runs;
}

int run(std::vector<std::string> arguments) {
  CLI::App app(description(), program_name);
  auto formatter = std::make_shared<GnuFormatter>();
  formatter->label("POSITIONALS", "Positionals");
  app.formatter(formatter);
  app.option_defaults()->group(options_heading);
  app.set_help_flag("-h,--help", "print this help and exit")->group(options_heading);
  app.set_version_flag("-V,--version", program_name + version_text, "print the version and exit");
  app.require_subcommand(1);
  app.footer("'" + program_name +
             " COMMAND --help' describes COMMAND.\n"
             "Exit status: 0 success, 1 a check failed, a threshold was not met or a GLOB matched nothing, "
             "2 wrong usage, 3 bad data.");
  Operands operands;
  std::vector<Run> runs = add_commands(app, operands);
  std::set<std::string> with_values = options_with_values(app);
  if (arguments.empty() && program_name == "pathprof")
    arguments = {"--help"};
  normalise(arguments, with_values);
  std::string command = arguments.front();
  if (is_workflow(command))
    operands = take_operands(arguments, with_values);
  complete_cost(arguments);
  split_empty_values(arguments, with_values);
  std::reverse(arguments.begin(), arguments.end()); // CLI11 takes arguments from the end
  try {
    app.parse(arguments);
  } catch (const CLI::Success &asked) {
    return app.exit(asked);
  } catch (const CLI::ExtrasError &) {
    unexpected(*app.get_subcommand(command), app.remaining(true));
  } catch (const CLI::ParseError &error) {
    throw Failure(kWrongUse,
                  fmt::format("{}: {}; see '{} {} --help'", command, in_words(error.what()), program_name, command));
  }
  for (size_t i = 0; i < runs.size(); i++)
    if (app.got_subcommand(commands[i].name))
      return runs[i]();
  return kWrongUse;
}

} // namespace

} // namespace pathprof

int main(int argc, char **argv) {
  int status = pathprof::kWrongUse;
  std::string message;
  std::string name = argc ? argv[0] : "";
  if (name.substr(name.rfind('/') + 1) == "pathprof")
    pathprof::program_name = "pathprof";
  try {
    return pathprof::run({argv + 1, argv + argc});
  } catch (const pathprof::ClosedPipe &) {
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
    return status; // not reached unless the signal is blocked
  } catch (const pathprof::Failure &failure) {
    status = failure.status();
    message = failure.what();
  } catch (const std::bad_alloc &) {
    message = "out of memory";
  } catch (const std::system_error &error) { // thrown by the file system library and by threads
    status = pathprof::kBadData;
    message = fmt::format("system call failed: {}", error.what());
  }
  std::cerr << pathprof::program_name << ": " << pathprof::visible(message) << "\n";
  return status;
}
