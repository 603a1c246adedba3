// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the compilers that built the modules of several profiles.
#include "pathdump/ui/builds.h"

#include <algorithm>
#include <vector>

#include <fmt/ranges.h>

#include "profile/model/visible.h"

namespace pathprof {

namespace {

std::string string_of(pathprof_text text) {
  return {reinterpret_cast<const char *>(text.data), text.size};
}

std::set<std::string> compilers_of(const pathprof_image &image) {
  std::set<std::string> compilers;
  pathprof_cursor cursor = image.section[PATHPROF_SECTION_UNITS];
  for (uint64_t left = pathprof_get_varint(&cursor); left && pathprof_cursor_ok(&cursor); left--) {
    pathprof_unit_notes unit;
    pathprof_get_unit(&cursor, &unit);
    pathprof_text compiler = pathprof_unit_compiler(unit.notes);
    if (pathprof_cursor_ok(&cursor) && compiler.size)
      compilers.insert(string_of(compiler));
  }
  return compilers;
}

bool are_disjoint(const std::set<std::string> &a, const std::set<std::string> &b) {
  return std::none_of(a.begin(), a.end(), [&b](const std::string &text) { return b.count(text) != 0; });
}

} // namespace

void Builds::add(const pathprof_image &image, const std::string &name, size_t order) {
  std::set<std::string> compilers = compilers_of(image);
  pathprof_cursor cursor = image.section[PATHPROF_SECTION_PROGRAM];
  pathprof_program program;
  pathprof_get_program(&cursor, &program);
  pathprof_module module;
  for (uint64_t left = program.num_modules; pathprof_next_module(&cursor, &left, &module);) {
    auto [at, is_new] = modules_[string_of(module.name)].try_emplace(module.units_key);
    if (is_new || order < at->second.order)
      at->second = {order, name, compilers};
  }
}

std::string Builds::conflict() const {
  for (const auto &[module, by_key] : modules_) {
    std::vector<const Build *> builds;
    for (const auto &[key, build] : by_key)
      if (!build.compilers.empty())
        builds.push_back(&build);
    std::sort(builds.begin(), builds.end(), [](const Build *a, const Build *b) { return a->order < b->order; });
    for (const Build *build : builds)
      if (are_disjoint(build->compilers, builds.front()->compilers))
        return fmt::format(
            "{}: {} was built by GCC {} in this profile, but by GCC {} in {}; merge the profiles of each build "
            "separately, and compare the sums with 'pathdump diff'",
            visible(build->name), visible(module), fmt::join(build->compilers, " and "),
            fmt::join(builds.front()->compilers, " and "), visible(builds.front()->name));
  }
  return "";
}

} // namespace pathprof
