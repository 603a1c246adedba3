// SPDX-License-Identifier: GPL-3.0-or-later
// Declares the options and operands of subcommands. Only this component and commands/main.cc include CLI11, whose
// headers take longer to compile than any command.
#ifndef PATHPROF_PATHDUMP_UI_COMMAND_LINE_H
#define PATHPROF_PATHDUMP_UI_COMMAND_LINE_H

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace pathprof {

// An option or operand of a subcommand. Each function returns the option, so that calls can be chained.
class Option {
public:
  // Returns an empty string if `text` is an acceptable value, and an error message otherwise.
  using Check = std::function<std::string(const std::string &text)>;

  explicit Option(CLI::Option *option) : option_(option) {}

  // Replaces the description in the help.
  Option &description(const std::string &text);
  Option &check(Check check);
  // Accepts only the words in `accepted`. `what` is the kind of value that the error message names, such as "sort key".
  Option &accept(const std::string &what, std::vector<std::string> accepted);
  // Makes each occurrence of the option accept exactly one value.
  Option &one_value_each();
  Option &required();
  // Rejects a command line that contains both options.
  Option &excludes(const Option &other);

private:
  CLI::Option *option_;
};

// The arguments of a subcommand.
class Subcommand {
public:
  explicit Subcommand(CLI::App *command) : command_(command) {}

  // Adds an option without a value. The option sets `is_given` to true.
  Option add_flag(const std::string &names, bool &is_given, const std::string &description);
  // Adds an option with a value. Its names are text such as "-n,--number". `type` is the name of the value in the help,
  // such as "FILE". T is std::string, uint64_t, int, double or std::vector<std::string>, which receives the values of
  // all occurrences of the option.
  template <typename T>
  Option add_option(const std::string &names, T &value, const char *type, const std::string &description);
  // Adds an operand, or several operands with one name. T is std::string or std::vector<std::string>.
  template <typename T>
  Option add_operand(const std::string &name, T &value, const std::string &description);

  // Adds a section to the end of the help. Each row has a term and its description.
  void add_help_section(const std::string &heading, const std::vector<std::pair<std::string, std::string>> &rows);

  // Returns the option that was added with this name, such as "--output".
  Option option(const std::string &name) const;
  // Returns true if the command line contains the option.
  bool has(const std::string &name) const;

private:
  CLI::App *command_;
};

} // namespace pathprof

#endif
