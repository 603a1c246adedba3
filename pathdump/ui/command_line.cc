// SPDX-License-Identifier: GPL-3.0-or-later
// Declares the options and operands of subcommands with CLI11.
#include "pathdump/ui/command_line.h"

#include <algorithm>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pathprof {

Option &Option::description(const std::string &text) {
  option_->description(text);
  return *this;
}

Option &Option::check(Check check) {
  option_->check(std::move(check));
  return *this;
}

Option &Option::accept(const std::string &what, std::vector<std::string> accepted) {
  return check([what, accepted = std::move(accepted)](const std::string &word) {
    bool is_accepted = std::find(accepted.begin(), accepted.end(), word) != accepted.end();
    return is_accepted ? std::string()
                       : fmt::format("unknown {} '{}'; accepted: {}", what, word, fmt::join(accepted, ", "));
  });
}

// If an option accepted several values, recent versions of CLI11 would parse [ab] as a list instead of a glob.
Option &Option::one_value_each() {
  option_->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(false);
  return *this;
}

Option &Option::required() {
  option_->required();
  return *this;
}

Option &Option::excludes(const Option &other) {
  option_->excludes(other.option_);
  return *this;
}

Option Subcommand::add_flag(const std::string &names, bool &is_given, const std::string &description) {
  return Option(command_->add_flag(names, is_given, description));
}

template <typename T>
Option Subcommand::add_option(const std::string &names, T &value, const char *type, const std::string &description) {
  return Option(command_->add_option(names, value, description)->type_name(type));
}
using Text = const std::string &;
template Option Subcommand::add_option(Text, std::string &, const char *, Text);
template Option Subcommand::add_option(Text, std::vector<std::string> &, const char *, Text);
template Option Subcommand::add_option(Text, uint64_t &, const char *, Text);
template Option Subcommand::add_option(Text, int &, const char *, Text);
template Option Subcommand::add_option(Text, double &, const char *, Text);

template <typename T>
Option Subcommand::add_operand(const std::string &name, T &value, const std::string &description) {
  return Option(command_->add_option(name, value, description));
}
template Option Subcommand::add_operand(Text, std::string &, Text);
template Option Subcommand::add_operand(Text, std::vector<std::string> &, Text);

void Subcommand::add_help_section(const std::string &heading,
                                  const std::vector<std::pair<std::string, std::string>> &rows) {
  std::string text = heading + ":\n";
  for (const auto &[term, description] : rows)
    text += fmt::format("  {:<27} {}\n", term, description);
  command_->footer(text + "\n" + command_->get_footer());
}

Option Subcommand::option(const std::string &name) const {
  return Option(command_->get_option(name));
}

bool Subcommand::has(const std::string &name) const {
  return command_->count(name) != 0;
}

} // namespace pathprof
