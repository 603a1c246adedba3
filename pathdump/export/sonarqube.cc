// SPDX-License-Identifier: GPL-3.0-or-later
// Exports coverage in SonarQube's generic format for test coverage.
#include <sstream>

#include <pugixml.hpp>

#include "pathdump/coverage/covered.h"
#include "pathdump/export/exports.h"
#include "pathdump/ui/opening.h"

namespace pathprof {

static void add_file(pugi::xml_node coverage, const std::string &name, const CoveredFile &covered) {
  pugi::xml_node file = coverage.append_child("file");
  file.append_attribute("path") = name.c_str();
  for (const auto &[number, count] : covered.lines) {
    pugi::xml_node line = file.append_child("lineToCover");
    line.append_attribute("lineNumber") = number;
    line.append_attribute("covered") = count > 0;
    auto branches = covered.branches.find(number);
    if (branches == covered.branches.end())
      continue;
    line.append_attribute("branchesToCover") = static_cast<unsigned long long>(num_edges(branches->second));
    line.append_attribute("coveredBranches") = static_cast<unsigned long long>(num_edges_taken(branches->second));
  }
}

void export_sonarqube(const Profile &profile, const CoveredFiles &files, Output &out) {
  pugi::xml_document document;
  for (const std::string &warning : warnings_of(profile))
    document.append_child(pugi::node_comment).set_value((" WARNING: " + warning + " ").c_str());
  pugi::xml_node coverage = document.append_child("coverage");
  coverage.append_attribute("version") = 1;
  for (const auto &[name, covered] : files)
    add_file(coverage, name, covered);
  std::ostringstream text;
  document.save(text, " ", pugi::format_default, pugi::encoding_utf8);
  out.write(text.str());
}

} // namespace pathprof
