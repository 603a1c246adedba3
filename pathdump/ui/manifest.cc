// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes the list of the files that a build wrote.
#include "pathdump/ui/manifest.h"

#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>

#include "pathdump/ui/failure.h"
#include "pathdump/ui/object_files.h"
#include "profile/model/visible.h"

namespace pathprof {

namespace fs = std::filesystem;

void add_to_manifest_here(const std::vector<std::string> &files) {
  std::error_code ignored;
  fs::path here = fs::canonical(fs::current_path(ignored), ignored);
  std::set<std::string> names;
  bool exists = fs::exists(kManifest, ignored);
  if (exists)
    for (const std::string &file : read_manifest(kManifest).existing)
      names.insert(file);
  for (const std::string &file : files) {
    std::string name = fs::path(file).lexically_relative(here).string();
    if (may_be_instrumented(file))
      names.insert(name);
    else
      names.erase(name);
  }
  if (names.empty() && !exists)
    return;
  std::ofstream out(kManifest);
  for (const std::string &name : names)
    out << name << "\n";
  if (!out.flush())
    throw Failure(kWrongUse, fmt::format("{}: cannot write the file", kManifest));
}

std::string find_manifest(const std::string &profile) {
  std::error_code ignored;
  for (const fs::path &folder : {fs::path(), fs::path(profile).parent_path()})
    if (fs::path manifest = folder / kManifest; fs::is_regular_file(manifest, ignored))
      return manifest.string();
  return {};
}

ListedFiles read_manifest(const std::string &manifest) {
  std::ifstream in(manifest);
  if (!in)
    throw Failure(kWrongUse, fmt::format("{}: cannot read the file", visible(manifest)));
  ListedFiles files;
  std::error_code ignored;
  fs::path folder = fs::path(manifest).parent_path();
  for (std::string line; std::getline(in, line);)
    if (fs::path file = folder / line; !line.empty())
      (fs::is_regular_file(file, ignored) ? files.existing : files.missing).push_back(file.string());
  return files;
}

} // namespace pathprof
