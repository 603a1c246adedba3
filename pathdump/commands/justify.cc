// SPDX-License-Identifier: GPL-3.0-or-later
// Implements `pathdump justify`: adds a justification of uncovered code to a file.
#include <charconv>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pathdump/commands/commands.h"
#include "pathdump/coverage/conditions.h"
#include "pathdump/coverage/find_path.h"
#include "pathdump/coverage/covered.h"
#include "pathdump/coverage/justification_file.h"
#include "pathdump/coverage/justifications.h"
#include "pathdump/model/profile_view.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/options.h"
#include "pathdump/ui/program.h"

namespace pathprof {

namespace {

struct Options : CommonOptions {
  std::vector<std::string> operands; // the code, and optionally the profile
  std::string reason, author, ticket, justifications;
};

// A decision of a function, and its number in the function, starting from 1.
struct FoundDecision {
  const Function *function = nullptr;
  size_t number = 0;
  MeasuredDecision decision;
};

class Finder {
public:
  Finder(const Profile &profile, const std::string &file, const Names &names) : view_(profile, file, names) {}

  // Returns an entry for the code that the argument names: a function (FUNC), a path (FUNC:PATH), or a decision
  // (FILE:LINE[.COLUMN] or FUNC#NUMBER). Throws Failure if this code is covered.
  JustificationEntry find(const std::string &code) {
    JustificationEntry entry = entry_for(code);
    Names all(CommonOptions{}, {&view_.profile});
    CoverageOptions options;
    options.names_outcomes = true;
    options.prints_warnings = false;
    CoveredFiles files = covered_files(view_.profile, view_.file, all, options);
    for (auto &[name, file] : files)
      file.justified.clear(); // only the new entry is checked
    ProfileView view(view_.profile, view_.file, all);
    const Justification checked = Justifications(view, files, {entry}).take(false).front();
    if (!checked.fault.empty())
      throw Failure(kWrongUse, fmt::format("justify: {}: {}", checked.place, checked.fault));
    return entry;
  }

private:
  JustificationEntry entry_for(const std::string &code) {
    std::vector<FoundDecision> decisions = decisions_at(code);
    if (decisions.size() == 1)
      return entry_of(decisions.front());
    if (decisions.size() > 1)
      fail_ambiguous(code, decisions);
    if (size_t hash = code.rfind('#'); hash != std::string::npos)
      if (uint64_t number = 0; read_number(code.substr(hash + 1), number))
        return entry_of_decision(code.substr(0, hash), number);
    size_t colon = code.rfind(':');
    if (colon != std::string::npos && names_file(code.substr(0, colon)))
      throw Failure(kWrongUse, fmt::format("justify: no measured decision begins on {}; '{} coverage --conditions "
                                           "--vectors' lists all decisions",
                                           code, program_name));
    bool has_path = colon != std::string::npos && colon + 1 < code.size() &&
                    code.find_first_not_of("0123456789", colon + 1) == std::string::npos;
    return has_path ? entry_of_path(code) : entry_of(find_function(view_.profile, code, view_.names), code);
  }

  std::vector<FoundDecision> decisions_at(const std::string &code) {
    std::vector<FoundDecision> found;
    size_t colon = code.rfind(':');
    if (colon == std::string::npos)
      return found;
    std::string file = code.substr(0, colon), place = code.substr(colon + 1);
    for (size_t i = 0; i < view_.profile.functions.size(); i++) {
      const Function &function = view_.profile.functions[i];
      if (is_left_out(function) || !has_conditions(function))
        continue;
      size_t number = 0;
      for (MeasuredDecision &decision : decisions_of(function, view_.decoder.decoded(i), view_.formatter)) {
        number++;
        std::string line = std::to_string(decision.line);
        if ((place == line || place == fmt::format("{}.{}", line, decision.column)) &&
            view_.names.matches_file(file, decision.file))
          found.push_back({&function, number, std::move(decision)});
      }
    }
    return found;
  }

  static bool read_number(const std::string &text, uint64_t &number) {
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && number > 0;
  }

  // Returns true if a source file of the profile, but no function, has this name.
  bool names_file(const std::string &name) const {
    bool is_file = false;
    for (const Function &function : view_.profile.functions) {
      if (is_meant(name, function, view_.names))
        return false;
      is_file |= view_.names.matches_file(name, view_.names.file(function.file));
    }
    return is_file;
  }

  JustificationEntry entry_of_decision(const std::string &name, uint64_t number) {
    const Function &function = find_function(view_.profile, name, view_.names);
    std::vector<MeasuredDecision> decisions;
    if (has_conditions(function))
      decisions =
          decisions_of(function, view_.decoder.decoded(static_cast<size_t>(&function - view_.profile.functions.data())),
                       view_.formatter);
    if (number > decisions.size())
      throw Failure(kWrongUse, fmt::format("justify: {} has {} measured decisions", name, decisions.size()));
    return entry_of({&function, number, std::move(decisions[number - 1])});
  }

  [[noreturn]] void fail_ambiguous(const std::string &code, const std::vector<FoundDecision> &decisions) const {
    std::vector<std::string> places;
    for (const FoundDecision &decision : decisions)
      places.push_back(fmt::format("'{}#{}' ({})", unique_name(*decision.function), decision.number,
                                   fmt::join(decision.decision.conditions, ", ")));
    throw Failure(kWrongUse, fmt::format("justify: '{}' matches several decisions; use one of: {}", code,
                                         fmt::join(places, "; ")));
  }

  JustificationEntry entry_of(const Function &function, const std::string &name) {
    JustificationEntry entry;
    entry.function = name;
    entry.hash = hash_of(function, view_.sources);
    if (entry.hash.empty())
      throw Failure(kBadData, fmt::format("justify: the source of {} cannot be read; run the command in the directory "
                                          "of the build, or use --source-prefix",
                                          name));
    return entry;
  }

  JustificationEntry entry_of(const FoundDecision &found) {
    const Function &function = *found.function;
    JustificationEntry entry = entry_of(function, unique_name(function));
    entry.decision = found.number;
    entry.conditions = found.decision.conditions;
    return entry;
  }

  JustificationEntry entry_of_path(const std::string &code) {
    auto [index, id] = find_path(view_.profile, code, view_.names, view_.file);
    const Function &function = view_.profile.functions[index];
    JustificationEntry entry = entry_of(function, code.substr(0, code.rfind(':')));
    entry.path = std::to_string(id);
    entry.decisions = view_.formatter.text(function, *view_.decoder.decoded(index).regenerate(id));
    return entry;
  }

  // Returns the shortest name by which find_function() finds the function.
  std::string unique_name(const Function &function) const {
    for (const std::string &name :
         {without_parameters(demangle(function.notes.name)), view_.names.full(function.notes.name),
          view_.names.file(function.file) + ":" + function.notes.name})
      try {
        if (&find_function(view_.profile, name, view_.names) == &function)
          return name;
      } catch (const Failure &) { // several functions have this name
      }
    return fmt::format("{}@{:08x}", function.notes.name, function.notes.checksum());
  }

  ProfileView view_;
};

int run(const Options &options) {
  if (options.operands.empty() || options.operands.size() > 2)
    throw Failure(kWrongUse, "justify: expected FUNC, FUNC:PATH or FILE:LINE, and optionally a profile");
  for (const auto &[name, value] : {std::pair("--reason", &options.reason), std::pair("--author", &options.author)})
    if (is_blank(*value))
      throw Failure(kWrongUse, fmt::format("justify: {} is required", name));
  std::string file = choose_profile(options.operands.size() == 2 ? options.operands[1] : "");
  Profile profile = open_profile_with_objects(file, {});
  Names names(options, {&profile});
  JustificationEntry entry = Finder(profile, file, names).find(options.operands[0]);
  entry.reason = options.reason;
  entry.author = options.author;
  entry.ticket = options.ticket;
  add_justification(options.justifications.empty() ? justifications_of_tree(names) : options.justifications, entry);
  return kGood;
}

} // namespace

Run declare_justify(Subcommand &command) {
  auto options = std::make_shared<Options>();
  options->has_root = true;
  command.add_option("--reason", options->reason, "TEXT", "state why the code is not covered");
  command.add_option("--author", options->author, "NAME", "state who justifies it");
  command.add_option("--ticket", options->ticket, "ID", "refer to a ticket or a review");
  command.add_option("--justifications", options->justifications, "JUST",
                     "add the justification to the file JUST (default: pathprof-justifications.json at the top of the "
                     "source tree)");
  command.add_operand(
      "CODE_[FILE]", options->operands,
      "the code to justify (a function FUNC, a path FUNC:PATH, or the decision FILE:LINE that begins on a line), "
      "followed by the profile");
  add_common_options(command, *options, kNameOptions);
  return [options] { return run(*options); };
}

} // namespace pathprof
