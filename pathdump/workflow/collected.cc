// SPDX-License-Identifier: GPL-3.0-or-later
// Finds profiles by the pattern of their names, and detects the runtime in programs.
#include "pathdump/workflow/collected.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <glob.h>
#include <sys/stat.h>

#include "profile/format/abi.h"
#include "profile/model/orphans.h"

namespace pathprof {

namespace {

// Escapes the characters that are special in a glob(3) pattern.
std::string as_glob(const std::string &text) {
  std::string result;
  for (char c : text) {
    if (std::strchr("*?[]\\", c))
      result += '\\';
    result += c;
  }
  return result;
}

std::string value_of(const std::string &variable) {
  const char *value = std::getenv(variable.c_str());
  return value ? value : "";
}

// Returns a glob(3) pattern that matches every file name to which a PATHPROF_FILE pattern can expand.
std::string glob_of(const std::string &pattern) {
  std::string result;
  for (size_t i = 0; i < pattern.size(); i++) {
    if (pattern[i] != '%' || i + 1 == pattern.size()) {
      result += as_glob(std::string(1, pattern[i]));
      continue;
    }
    char what = pattern[++i];
    size_t end = what == 'q' ? pattern.find('}', i) : std::string::npos;
    if (what == '%') {
      result += '%';
    } else if (what == 't') {
      std::string folder = value_of("TMPDIR");
      result += as_glob(folder.empty() ? "/tmp" : folder);
    } else if (end != std::string::npos && pattern.compare(i + 1, 1, "{") == 0) {
      std::string name = pattern.substr(i + 2, end - i - 2);
      result += as_glob(std::getenv(name.c_str()) ? value_of(name) : name);
      i = end;
    } else {
      result += '*';
    }
  }
  return result;
}

std::vector<std::string> matches(const std::string &pattern) {
  glob_t found = {};
  std::vector<std::string> names;
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0)
    names.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  return names;
}

std::string from_here(const std::string &file) {
  std::string relative = std::filesystem::path(file).lexically_proximate(std::filesystem::current_path()).string();
  return relative.compare(0, 2, "..") == 0 ? file : relative;
}

} // namespace

FileState state_of(const std::string &file) {
  struct stat state = {};
  if (stat(file.c_str(), &state) != 0)
    return {};
  return {state.st_ino, state.st_size, state.st_mtim.tv_sec, state.st_mtim.tv_nsec};
}

std::string as_pattern(const std::string &text) {
  std::string result;
  for (char c : text)
    result += c == '%' ? "%%" : std::string(1, c);
  return result;
}

Collected::Collected(const std::string &pattern)
    : pattern_(pattern.compare(0, 1, "/") == 0 || pattern.compare(0, 2, "%t") == 0
                   ? pattern
                   : as_pattern(std::filesystem::current_path().string()) + "/" + pattern),
      glob_(glob_of(pattern_)), before_(find()) {
  for (const auto &[profile, files] : before_)
    if (std::optional<ProfileContents> contents = contents_of(profile))
      contents_before_[profile] = std::move(*contents);
}

std::map<std::string, FileStates> Collected::find() const {
  std::map<std::string, FileStates> profiles;
  for (const std::string &file : matches(glob_))
    if (profile_of_raw(file).empty() && std::filesystem::is_regular_file(file))
      profiles[from_here(file)][file] = state_of(file);
  for (const std::string &file : matches(glob_ + ".*"))
    if (!profile_of_sibling(file).empty() && std::filesystem::is_regular_file(file))
      profiles[from_here(file)][file] = state_of(file);
  for (const std::string &file : matches(glob_ + ".*.raw")) {
    std::string profile = profile_of_raw(file);
    if (!profile.empty() && (!std::filesystem::exists(profile) || std::filesystem::is_regular_file(profile)))
      profiles[from_here(profile)][file] = state_of(file);
  }
  return profiles;
}

const ProfileContents *Collected::contents_before(const std::string &profile) const {
  auto found = contents_before_.find(profile);
  return found == contents_before_.end() ? nullptr : &found->second;
}

std::vector<std::string> Collected::changed() const {
  std::vector<std::string> names;
  for (const auto &[profile, files] : find()) {
    auto before = before_.find(profile);
    if (before == before_.end() || before->second != files)
      names.push_back(profile);
  }
  return names;
}

// When a different build writes the main profile, the runtime moves the old contents to a sibling profile. A sibling is
// assumed to contain moved contents if it comes from the same build as the former contents of the main profile.
std::vector<WrittenProfile> Collected::written() const {
  std::vector<WrittenProfile> written;
  std::map<std::string, uint64_t> moved; // number of moved runs, by the profile that contained them before
  for (const std::string &name : changed()) {
    WrittenProfile profile;
    profile.name = name;
    profile.contents = contents_of(name);
    std::string main_profile = profile_of_sibling(name);
    const ProfileContents *former = contents_before(main_profile);
    if (former && profile.contents && !profile.contents->is_other_build_than(*former)) {
      profile.moved = former->runs;
      profile.moved_from = main_profile;
      profile.rebuilt = profile.contents->names_of_other_builds(contents_of(main_profile).value_or(ProfileContents()));
      moved[main_profile] = former->runs;
    }
    written.push_back(std::move(profile));
  }
  for (WrittenProfile &profile : written) {
    if (!profile.contents)
      continue;
    const ProfileContents *former = contents_before(profile.name);
    profile.was_there = former && !moved.count(profile.name);
    uint64_t old = (profile.was_there ? former->runs : 0) + profile.moved;
    profile.runs = profile.contents->runs - std::min(profile.contents->runs, old);
  }
  return written;
}

std::map<std::string, std::string> Collected::environment(const std::string &mode) const {
  std::map<std::string, std::string> environment = {{"PATHPROF_FILE", pattern_}, {"PATHPROF_MODE", mode}};
  if (value_of("PATHPROF_SWITCH").empty())
    environment["PATHPROF_SWITCH"] = "on";
  return environment;
}

// Returns true if the file is an ELF file that contains the string.
static bool is_in_program(const std::string &text, const std::string &file) {
  std::ifstream stream(file, std::ios::binary);
  std::string kept(4, '\0');
  if (!stream.read(kept.data(), 4) || kept != "\177ELF")
    return false;
  std::vector<char> part(1 << 20);
  while (stream.read(part.data(), static_cast<std::streamsize>(part.size())), stream.gcount() > 0) {
    kept.append(part.data(), static_cast<size_t>(stream.gcount()));
    if (kept.find(text) != std::string::npos)
      return true;
    kept.erase(0, kept.size() - std::min(kept.size(), text.size())); // the text may extend over two parts
  }
  return false;
}

bool has_runtime(const std::string &file) {
  return is_in_program("__pathrt_registry", file);
}

bool is_on_demand(const std::string &file) {
  return is_in_program(PATHPROF_SWITCHED_SYMBOL, file);
}

} // namespace pathprof
