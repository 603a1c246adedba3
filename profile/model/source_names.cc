// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the names of source files unique within a profile.
#include "profile/model/source_names.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>
#include <utility>

namespace pathprof {

namespace fs = std::filesystem;

using Paths = std::vector<std::string>;

bool is_relative_source(const std::string &name) {
  return !name.empty() && name.front() != '/' && (name.front() != '<' || name == "<stdin>");
}

std::string path_of_source(const std::string &folder, const std::string &name) {
  bool has_folder = is_relative_source(name) && !folder.empty();
  return (has_folder ? fs::path(folder) / name : fs::path(name)).lexically_normal().string();
}

bool is_end_of_path(const std::string &wanted, const std::string &path) {
  if (wanted.empty() || wanted.size() > path.size())
    return false;
  size_t rest = path.size() - wanted.size();
  return path.compare(rest, wanted.size(), wanted) == 0 && (rest == 0 || path[rest - 1] == '/');
}

size_t num_common_at_end(const std::string &a, const std::string &b) {
  fs::path x(a), y(b);
  size_t number = 0;
  for (auto i = x.end(), j = y.end(); i != x.begin() && j != y.begin() && *--i == *--j;)
    number++;
  return number;
}

static fs::path common_folder(const Paths &paths) {
  fs::path common = fs::path(paths.front()).parent_path();
  for (const std::string &text : paths) {
    fs::path folder = fs::path(text).parent_path(), both;
    auto [end, ignored] = std::mismatch(common.begin(), common.end(), folder.begin(), folder.end());
    for (auto part = common.begin(); part != end; ++part)
      both /= *part;
    common = both;
  }
  return common;
}

static std::string relative_to(const fs::path &folder, const std::string &path) {
  return folder.empty() ? path : fs::path(path).lexically_relative(folder).string();
}

static std::map<std::string, Paths> by_name(const std::map<std::string, std::string> &name_of) {
  std::map<std::string, Paths> paths;
  for (const auto &[path, name] : name_of)
    paths[name].push_back(path);
  return paths;
}

// Assigns new names to files that share their name with another file.
static void make_unique(std::map<std::string, std::string> &name_of) {
  Paths renamed;
  for (const auto &[name, paths] : by_name(name_of)) {
    if (paths.size() == 1)
      continue;
    fs::path common = common_folder(paths);
    for (const std::string &path : paths)
      name_of[path] = relative_to(common, path);
    renamed.insert(renamed.end(), paths.begin(), paths.end());
  }
  std::map<std::string, Paths> known = by_name(name_of);
  for (const std::string &path : renamed)
    if (known[name_of[path]].size() > 1)
      name_of[path] = path;
}

void name_sources(std::vector<std::unique_ptr<UnitSources>> &units) {
  std::map<std::string, std::string> name_of; // display name of each path
  auto is_better = [](const std::string &a, const std::string &b) {
    return std::make_tuple(a.size(), std::cref(a)) < std::make_tuple(b.size(), std::cref(b));
  };
  for (std::unique_ptr<UnitSources> &unit : units) {
    unit->paths.clear();
    for (const std::string &name : unit->names) {
      unit->paths.push_back(path_of_source(unit->folder, name));
      auto [at, is_new] = name_of.try_emplace(unit->paths.back(), name);
      if (!is_new && is_better(name, at->second))
        at->second = name;
    }
  }
  make_unique(name_of);
  for (std::unique_ptr<UnitSources> &unit : units) {
    unit->files.clear();
    for (const std::string &path : unit->paths)
      unit->files.push_back(name_of.at(path));
  }
}

} // namespace pathprof
