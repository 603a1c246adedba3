// SPDX-License-Identifier: GPL-3.0-or-later
// Finds functions and paths by the names that users specify.
#include "pathdump/coverage/find_path.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <vector>

#include <fmt/ranges.h>

#include "pathdump/ui/failure.h"
#include "pathdump/ui/nearest.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/program.h"
#include "profile/model/source_names.h"

namespace pathprof {

static std::string with_checksum(const Function &function) {
  return fmt::format("{}@{:08x}", function.notes.name, function.notes.checksum());
}

namespace {

enum class Match { None, Name, WholeFileName };

Match match(const std::string &wanted, const Function &function, const Names &names) {
  std::vector<std::string> accepted = spellings(function.notes.name);
  accepted.push_back(with_checksum(function));
  for (const std::string &name : accepted) {
    if (wanted == name)
      return Match::Name;
    if (wanted.size() <= name.size() + 1 ||
        wanted.compare(wanted.size() - name.size() - 1, std::string::npos, ":" + name) != 0)
      continue;
    std::string file = wanted.substr(0, wanted.size() - name.size() - 1);
    if (file == names.file(function.file))
      return Match::WholeFileName;
    if (is_end_of_path(file, function.path) || is_end_of_path(file, names.file(function.file)))
      return Match::Name;
  }
  return Match::None;
}

} // namespace

bool is_meant(const std::string &wanted, const Function &function, const Names &names) {
  return match(wanted, function, names) != Match::None;
}

[[noreturn]] static void fail_unknown(const Profile &profile, const std::string &wanted) {
  std::set<std::string> known;
  for (const Function &function : profile.functions)
    known.insert(without_parameters(demangle(function.notes.name)));
  std::string hint = did_you_mean(wanted, known);
  throw Failure(
      kWrongUse,
      fmt::format("no function '{}' in the profile{}{}", wanted,
                  profile.interprocedural_units.empty() ? "" : ", and no source file with interprocedural paths",
                  hint.empty() ? "; use '" + program_name + " functions' to list all functions" : hint));
}

const Function &find_function(const Profile &profile, const std::string &wanted, const Names &names) {
  std::vector<const Function *> found;
  Match best = Match::Name;
  for (const Function &function : profile.functions) {
    Match here = match(wanted, function, names);
    if (here > best)
      found.clear();
    best = std::max(best, here);
    if (here == best)
      found.push_back(&function);
  }
  if (found.empty())
    fail_unknown(profile, wanted);
  if (found.size() == 1)
    return *found.front();
  std::vector<std::string> choices;
  for (const Function *function : found) {
    bool file_tells = std::count_if(found.begin(), found.end(), [&](const Function *other) {
                        return other->file == function->file && other->notes.name == function->notes.name;
                      }) == 1;
    choices.push_back(names.file(function->file) + ":" +
                      (file_tells ? function->notes.name : with_checksum(*function)));
  }
  throw Failure(kWrongUse,
                fmt::format("several functions are named '{}'; use one of: {}", wanted, fmt::join(choices, " ")));
}

uint64_t parse_id(const std::string &text, const Function &function, const Decoded &decoded) {
  uint64_t id = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc() || end != text.data() + text.size() || !decoded.regenerate(id))
    throw Failure(kWrongUse, fmt::format("unknown path ID '{}'; the path IDs of {} are 0 to {}{}", text,
                                         function.notes.name, function.notes.num_paths - 1,
                                         function.notes.counts_prefixes() ? ", plus the IDs of truncated paths" : ""));
  return id;
}

std::pair<size_t, uint64_t> find_path(const Profile &profile, const std::string &wanted, const Names &names,
                                      const std::string &file) {
  size_t colon = wanted.rfind(':');
  if (colon == std::string::npos)
    throw Failure(kWrongUse, fmt::format("'{}' does not have the form FUNC:PATH", wanted));
  const Function &function = find_function(profile, wanted.substr(0, colon), names);
  if (function.in_program)
    throw Failure(kWrongUse, fmt::format("{} has only interprocedural paths (mode=context or mode=piecewise)",
                                         function.notes.name));
  std::unique_ptr<Decoded> decoded = decode_or_fail(file, function);
  return {static_cast<size_t>(&function - profile.functions.data()),
          parse_id(wanted.substr(colon + 1), function, *decoded)};
}

std::optional<std::pair<size_t, uint32_t>> find_line(const std::vector<std::string> &files, const std::string &wanted) {
  size_t colon = wanted.rfind(':');
  std::string file = wanted.substr(0, colon);
  std::vector<size_t> found;
  for (size_t i = 0; colon != std::string::npos && i < files.size(); i++) {
    if (files[i] == file)
      found = {i};
    if (files[i] == file)
      break;
    if (is_end_of_path(file, files[i]))
      found.push_back(i);
  }
  if (found.empty())
    return std::nullopt;
  if (found.size() > 1) {
    std::vector<std::string> choices;
    for (size_t i : found)
      choices.push_back(files[i]);
    throw Failure(kWrongUse,
                  fmt::format("several files are named '{}'; use one of: {}", file, fmt::join(choices, " ")));
  }
  uint32_t line = 0;
  auto [end, error] = std::from_chars(wanted.data() + colon + 1, wanted.data() + wanted.size(), line);
  if (error != std::errc() || end != wanted.data() + wanted.size() || line == 0)
    throw Failure(kWrongUse,
                  fmt::format("invalid line number '{}'; expected a number above 0", wanted.substr(colon + 1)));
  return std::make_pair(found.front(), line);
}

} // namespace pathprof
