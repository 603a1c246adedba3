// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the profiles that the runtime wrote next to a profile, and prints a note that names them.
#include "pathdump/ui/siblings.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <regex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pathdump/ui/program.h"
#include "pathdump/ui/text.h"
#include "profile/format/image.h"
#include "profile/format/tests.h"
#include "profile/model/file.h"
#include "profile/model/orphans.h"
#include "profile/model/visible.h"

namespace pathprof {

// Returns the names of the modules that both `contents` and `other` contain, but never in the same build.
static std::vector<std::string> other_builds(const ProfileContents &contents, const ProfileContents &other) {
  std::vector<std::string> names;
  for (const auto &[name, keys] : other.modules) {
    auto same_name = contents.modules.find(name);
    if (same_name != contents.modules.end() &&
        std::none_of(keys.begin(), keys.end(), [&](uint64_t key) { return same_name->second.count(key) != 0; }))
      names.push_back(name);
  }
  return names;
}

static constexpr size_t kMostNames = 6; // in a list of modules

bool ProfileContents::is_other_build_than(const ProfileContents &other) const {
  return !other_builds(*this, other).empty();
}

std::string ProfileContents::names() const {
  std::vector<std::string> names;
  for (const auto &[name, keys] : modules)
    names.push_back(name);
  return names.empty() ? "no program" : some_of(names, kMostNames, ", ");
}

std::string ProfileContents::names_of_other_builds(const ProfileContents &other) const {
  return some_of(other_builds(*this, other), kMostNames, ", ");
}

std::string ProfileContents::text() const {
  return plural(runs, "run") + " of " + names();
}

std::optional<ProfileContents> contents_of(const std::string &profile) {
  LoadError error;
  std::vector<std::string> notes;
  std::optional<FileBytes> bytes = open_with_orphans(profile, &error, &notes, Accept::Regular);
  pathprof_image image;
  pathprof_error wrong = {};
  if (!bytes || !pathprof_image_open(&image, bytes->data(), bytes->size(), &wrong))
    return std::nullopt;
  pathprof_cursor cursor = image.section[PATHPROF_SECTION_PROGRAM];
  pathprof_program program;
  pathprof_get_program(&cursor, &program);
  pathprof_cursor tests = image.section[PATHPROF_SECTION_TESTS];
  return ProfileContents{program.runs, modules_of(image), pathprof_open_tests(&tests) > 0};
}

std::string profile_of_sibling(const std::string &name) {
  static const std::regex form("(.+?)\\.([0-9]+|[0-9a-f]{8,}(\\.[0-9]+)?)"); // suffix of a process ID, or of a build ID
  std::smatch match;
  return std::regex_match(name, match, form) ? match[1].str() : std::string();
}

std::vector<std::string> siblings_of(const std::string &profile) {
  std::filesystem::path path(profile);
  std::string own_name = path.filename().string();
  std::vector<std::string> siblings;
  std::error_code ignored;
  for (const std::string &name : names_in(path.has_parent_path() ? path.parent_path().string() : "."))
    if (profile_of_sibling(name) == own_name && std::filesystem::is_regular_file(path.parent_path() / name, ignored))
      siblings.push_back((path.parent_path() / name).string());
  std::sort(siblings.begin(), siblings.end());
  return siblings;
}

std::string merge_command(const std::vector<std::string> &profiles) {
  std::string command = fmt::format("{} merge -o all.pathprof", program_name);
  for (const std::string &profile : profiles)
    command += " " + quoted_word(profile);
  return command;
}

void note_siblings(const std::string &profile) {
  std::vector<std::string> all = {profile}, texts;
  std::optional<ProfileContents> own;
  for (const std::string &sibling : siblings_of(profile)) {
    std::optional<ProfileContents> contents = contents_of(sibling);
    if (!contents)
      continue;
    if (!own)
      own = contents_of(profile).value_or(ProfileContents());
    all.push_back(sibling);
    texts.push_back(fmt::format("{} ({}{})", visible(sibling), contents->text(),
                                own->is_other_build_than(*contents) ? ", another build" : ""));
  }
  if (!texts.empty())
    std::cerr << fmt::format("{}: note: {} does not include {}; use '{}' to add up their counts\n", program_name,
                             visible(profile), fmt::join(texts, ", "), merge_command(all));
}

} // namespace pathprof
