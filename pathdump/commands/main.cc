// SPDX-License-Identifier: GPL-3.0-or-later
// The command line: finds the command, runs it, prints what went wrong.
#include <algorithm>
#include <iostream>
#include <new>
#include <set>
#include <system_error>

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pathdump/commands/commands.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/nearest.h"
#include "profile/model/visible.h"

namespace pathprof {

namespace {

struct Command {
  const char *name;
  const char *arguments;
  const char *summary;
  Run (*declare)(CLI::App &);
};

const Command commands[] = {
    {"report", "[FILE]", "the hot paths, by cycles or by executions times statements (the default)", declare_report},
    {"show", "[FILE]", "the source with its line counts and the hottest paths through it", declare_show},
    {"functions", "[FILE]", "a row a function: static and executed paths, calls, storage", declare_functions},
    {"path", "[FILE] FUNC ID", "one path decoded: blocks, lines, statements", declare_path},
    {"coverage", "[FILE]", "executed paths of all paths, by function and file; those that never ran, or only here",
     declare_coverage},
    {"diff", "A B", "paths new, gone, hotter and colder; or those that failing runs take", declare_diff},
    {"overlap", "A B", "what two profiles have in common: does a training run execute the paths that matter",
     declare_overlap},
    {"stats", "[FILE]", "how many paths, how long, and how many of them an edge profile would have predicted",
     declare_stats},
    {"advise", "[FILE]",
     "where paths know more than edges: branches that the way to them decides, loops that alternate", declare_advise},
    {"export", "[FILE]", "the whole profile for other tools", declare_export},
    {"html", "-o OUT [FILE]", "one page with the hot paths, the source and the control-flow graphs", declare_html},
    {"tui", "[FILE]", "hot paths, source, graphs and paths on the terminal, to go about in with keys", declare_tui},
    {"residual", "[FILE]", "paths that ran although no test took them (mode=preferential), and the nearest known ones",
     declare_residual},
    {"merge", "-o OUT FILE...", "the weighted sum of profiles", declare_merge},
    {"check", "[FILE]...", "verify profiles: structure, checksums, numbers, flow of control", declare_check},
};

const char *const version_text = "pathdump (pathprof) " PACKAGE_VERSION "\n"
                                 "License GPLv3+: GNU GPL version 3 or later <https://gnu.org/licenses/gpl.html>\n"
                                 "This is free software: you are free to change and redistribute it.\n"
                                 "There is NO WARRANTY, to the extent permitted by law.\n";

// Versions of CLI11 write headings in different ways, unless they are told how.
const char *const options_heading = "Options";

// Help in the form that GNU programs give it.
class GnuFormatter : public CLI::Formatter {
public:
  std::string make_help(const CLI::App *app, std::string, CLI::AppFormatMode mode) const override {
    return make_usage(app, {}) + app->get_description() + "\n" + make_positionals(app) + make_groups(app, mode) +
           make_subcommands(app, mode) + "\n" + make_footer(app);
  }

  std::string make_usage(const CLI::App *app, std::string) const override {
    for (const Command &command : commands)
      if (app->get_name() == command.name)
        return fmt::format("Usage: pathdump {} [OPTION]... {}\n", command.name, command.arguments);
    return "Usage: pathdump [COMMAND] [OPTION]... [FILE]\n";
  }

  // Names of positional arguments have no spaces: each underscore stands for one.
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
  // Descriptions are not wrapped, as the manual pages are made of them.
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

bool looks_like_file(const std::string &word) {
  return word == "-" || word.find_first_of("./") != std::string::npos || access(word.c_str(), F_OK) == 0;
}

[[noreturn]] void unknown_command(const std::string &word) {
  std::vector<std::string> names;
  for (const Command &command : commands)
    names.push_back(command.name);
  throw Failure(kWrongUse, fmt::format("'{}' is neither a file nor a command{}; commands: {}", word,
                                       did_you_mean(word, {names.begin(), names.end()}), fmt::join(names, ", ")));
}

// "prog.pathprof show -n 3": the command stands at `at`.
[[noreturn]] void misplaced_command(std::vector<std::string> arguments, size_t at) {
  auto command = arguments.begin() + static_cast<ptrdiff_t>(at);
  std::rotate(arguments.begin(), command, command + 1);
  throw Failure(kWrongUse, fmt::format("the command comes first: pathdump {}", fmt::join(arguments, " ")));
}

// The options of all commands that a value follows, such as "-o" and "--output".
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

// The first argument from `at` on that is neither an option nor the value of one.
std::vector<std::string>::iterator first_word(std::vector<std::string>::iterator at,
                                              std::vector<std::string> &arguments,
                                              const std::set<std::string> &with_values) {
  while (at != arguments.end() && at->size() > 1 && at->front() == '-')
    at += with_values.count(*at) && at + 1 != arguments.end() ? 2 : 1;
  return at;
}

// Brings the command to the front: options may stand before it, and without one it is `report`.
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

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::set<std::string> names_of_options(const CLI::App &command) {
  std::set<std::string> names;
  for (const CLI::Option *option : command.get_options())
    for (const std::string &name : option->get_lnames())
      names.insert("--" + name);
  return names;
}

// Nothing else is wrong then with what is left, which a command has no use for.
[[noreturn]] void unexpected(const CLI::App &command, const std::vector<std::string> &left) {
  auto option = std::find_if(left.begin(), left.end(),
                             [](const std::string &word) { return word.size() > 1 && word.front() == '-'; });
  std::string what = option == left.end() ? fmt::format("'{}' is one operand too many", left.front())
                                          : fmt::format("there is no option '{}'", *option);
  if (option != left.end() && option->compare(0, 2, "--") == 0)
    what += did_you_mean(option->substr(0, option->find('=')), names_of_options(command));
  throw Failure(kWrongUse,
                fmt::format("{}: {}; see 'pathdump {} --help'", command.get_name(), what, command.get_name()));
}

int run(std::vector<std::string> arguments) {
  CLI::App app("Shows and combines path profiles.  'pathdump prog.pathprof' prints the hot paths.", "pathdump");
  auto formatter = std::make_shared<GnuFormatter>();
  formatter->label("POSITIONALS", "Positionals");
  app.formatter(formatter);
  app.option_defaults()->group(options_heading);
  app.set_help_flag("-h,--help", "print this help")->group(options_heading);
  app.set_version_flag("-V,--version", version_text, "print the version");
  app.require_subcommand(1);
  app.footer(
      "'pathdump COMMAND --help' describes a command.\n"
      "Exit status: 0 good, 1 a check or threshold was missed or a GLOB matches nothing, 2 wrong use, 3 bad data.");
  std::vector<Run> runs;
  for (const Command &command : commands) {
    CLI::App *subcommand = app.add_subcommand(command.name, command.summary)->group("Subcommands");
    subcommand->get_help_ptr()->group(options_heading);
    runs.push_back(command.declare(*subcommand));
  }
  normalise(arguments, options_with_values(app));
  std::string command = arguments.front();
  std::reverse(arguments.begin(), arguments.end()); // the order that CLI11 pops them in
  try {
    app.parse(arguments);
  } catch (const CLI::Success &asked) {
    return app.exit(asked);
  } catch (const CLI::ExtrasError &) {
    unexpected(*app.get_subcommand(command), app.remaining(true));
  } catch (const CLI::ParseError &error) {
    throw Failure(kWrongUse, fmt::format("{}: {}; see 'pathdump {} --help'", command, one_line(error.what()), command));
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
  try {
    return pathprof::run({argv + 1, argv + argc});
  } catch (const pathprof::Failure &failure) {
    status = failure.status();
    message = failure.what();
  } catch (const std::bad_alloc &) {
    message = "not enough memory";
  } catch (const std::system_error &error) { // of folders and threads
    status = pathprof::kBadData;
    message = fmt::format("the system refused: {}", error.what());
  }
  std::cerr << "pathdump: " << pathprof::visible(message) << "\n";
  return status;
}
