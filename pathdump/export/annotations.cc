// SPDX-License-Identifier: GPL-3.0-or-later
// What never ran, for where changes are reviewed: workflow commands of GitHub, code quality reports of GitLab.
#include <map>
#include <optional>

#include <zlib.h>

#include "pathdump/export/covered.h"
#include "pathdump/export/exports.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/text.h"

namespace pathprof {

namespace {

struct Annotation {
  std::string file;
  uint32_t first, last; // lines
  const char *check;
  std::string text;
};

// A stretch of lines that did not run, with the function that begins with it.
struct Stretch {
  uint32_t first, last;
  const CoveredFunction *function;
};

std::vector<Stretch> stretches_of(const CoveredFile &covered) {
  std::map<uint32_t, const CoveredFunction *> begins;
  for (const CoveredFunction &function : covered.functions)
    begins[function.line] = &function;
  std::vector<Stretch> stretches;
  bool goes_on = false;
  for (auto [line, count] : covered.lines) {
    auto begin = begins.find(line);
    const CoveredFunction *function = begin == begins.end() || begin->second->calls ? nullptr : begin->second;
    if (count == 0 && goes_on && begin == begins.end())
      stretches.back().last = line;
    else if (count == 0)
      stretches.push_back({line, line, function});
    goes_on = count == 0;
  }
  return stretches;
}

std::vector<Annotation> annotations_of(const std::string &file, const CoveredFile &covered) {
  std::vector<Annotation> found;
  for (const Stretch &stretch : stretches_of(covered)) {
    std::string lines = stretch.first == stretch.last ? fmt::format("Line {}", stretch.first)
                                                      : fmt::format("Lines {} to {}", stretch.first, stretch.last);
    std::string text =
        stretch.function ? fmt::format("The function {} never ran", stretch.function->name) : lines + " never ran";
    found.push_back(
        {file, stretch.first, stretch.last, stretch.function ? "function-never-ran" : "lines-never-ran", text});
  }
  for (const auto &[line, branches] : covered.branches)
    for (const CoveredBranch &branch : branches)
      if (size_t taken = branch.num_taken(); branch.has_run() && taken < branch.taken.size())
        found.push_back({file, line, line, "branch-never-taken",
                         fmt::format("{} of the {} outcomes of this branch {} never taken", branch.taken.size() - taken,
                                     branch.taken.size(), branch.taken.size() - taken == 1 ? "was" : "were")});
  return found;
}

std::vector<Annotation> all_annotations(const Profile &profile, const std::string &file, const Names &names) {
  std::vector<Annotation> all;
  for (const auto &[name, covered] : covered_files(profile, file, names))
    for (Annotation &one : annotations_of(name, covered))
      all.push_back(std::move(one));
  return all;
}

// What ends a property or a command is written as in an address.
std::string escaped(const std::string &text, const std::string &special) {
  std::string result;
  for (char c : text)
    result += c == '%' || special.find(c) != std::string::npos ? fmt::format("%{:02X}", static_cast<unsigned char>(c))
                                                               : std::string(1, c);
  return result;
}

// The same for the same finding in another report, also where lines above it were added: so not of the line.
std::string fingerprint(const Annotation &one, size_t ordinal) {
  std::string text = fmt::format("{} {} {} {}", one.check, one.file,
                                 one.check == std::string("function-never-ran") ? one.text : "", ordinal);
  auto digest = [&](uLong seed) {
    return crc32_z(seed, reinterpret_cast<const unsigned char *>(text.data()), text.size());
  };
  return fmt::format("{:08x}{:08x}", digest(0), digest(1));
}

} // namespace

void export_github(const Profile &profile, const std::string &file, const Names &names, Output &out) {
  for (const Annotation &one : all_annotations(profile, file, names))
    out.print("::warning file={},line={},endLine={},title=pathprof {}::{}\n", escaped(one.file, ":,"), one.first,
              one.last, one.check, escaped(one.text, ""));
}

void export_gitlab(const Profile &profile, const std::string &file, const Names &names, Output &out) {
  Json findings = Json::array();
  std::map<std::string, size_t> ordinals;
  for (const Annotation &one : all_annotations(profile, file, names))
    findings.push_back({{"description", one.text},
                        {"check_name", one.check},
                        {"fingerprint", fingerprint(one, ordinals[one.check + one.file]++)},
                        {"severity", "info"},
                        {"location", {{"path", one.file}, {"lines", {{"begin", one.first}, {"end", one.last}}}}}});
  out.print("{}\n", dump_indented(findings));
}

} // namespace pathprof
