// SPDX-License-Identifier: GPL-3.0-or-later
// Lists suspicious paths for an HTML page.
#include "pathdump/html/fault_localization.h"

#include <unordered_map>

#include <fmt/format.h>

#include "pathdump/html/text.h"
#include "pathdump/model/interprocedural_paths.h"
#include "pathdump/ui/text.h"

namespace pathprof::html {

FaultLocalization::FaultLocalization(const Runs &runs, const Profile &sum, const Names &names)
    : runs_(runs), sum_(sum), suspicious_paths_(runs.suspicious_paths(names, kListed, 0, &num_found_)) {
  std::unordered_map<std::string, size_t> functions,
      programs; // indices in the sum, by the key that identifies them in all runs
  for (size_t i = 0; i < sum.functions.size(); i++)
    functions[Runs::key_of(sum.functions[i])] = i;
  for (size_t i = 0; i < sum.interprocedural_units.size(); i++)
    programs[Runs::key_of(sum, sum.interprocedural_units[i])] = i;
  for (const SuspiciousPath &suspect : suspicious_paths_) {
    HotPath hot = {0, 0, std::nullopt, suspect.statements, 0, suspect.id};
    if (suspect.profile) {
      hot.program = programs.at(Runs::key_of(*suspect.profile, suspect.profile->interprocedural_units[suspect.unit]));
      programs_[hot.program].insert(hot.id);
    } else {
      hot.function = functions.at(Runs::key_of(*suspect.function));
      listed_[hot.function][static_cast<uint64_t>(hot.id)] = hot.statements;
    }
    paths_.push_back(hot);
  }
}

std::vector<std::string> FaultLocalization::cells(const HotPath &hot) const {
  SeenIn seen = runs_.seen(sum_, hot);
  return {fmt::format("{}/{}", seen.failed, runs_.num_failed()), fmt::format("{}/{}", seen.passed, runs_.num_passed())};
}

std::string FaultLocalization::contents(const PageParts &page) {
  std::string text = fmt::format(
      "<p class=\"intro\"><b>{}</b> failed and <b>{}</b> passed. Rows are sorted by suspiciousness, that is, by how "
      "well a path separates failing runs from passing runs. The columns “failed” and “passed” count runs, not "
      "executions. "
      "All other data on this page covers all runs together.</p>\n",
      plural(runs_.num_failed(), "run"), grouped(runs_.num_passed()));
  for (const std::string &module : runs_.rebuilt_modules())
    text +=
        fmt::format("<p class=\"note\">The runs belong to several builds of {}. If a function differs between builds, "
                    "each version is listed as a separate function.</p>\n",
                    escape(module));
  if (suspicious_paths_.empty())
    return text + "<p>No suspicious paths: the failing runs executed no paths.</p>\n";
  std::vector<PathLabel> rows;
  for (const HotPath &hot : paths_)
    rows.push_back(path_label(sum_, page.decoder, hot, page.formatter));
  complete(rows, page.formatter);
  Table table(
      page.glossary, "Paths by suspiciousness",
      with_location_heads({{"rank", true}, {"score", true}, {"failed", true}, {"passed", true}, {"stmts", true}},
                          page.formatter));
  for (size_t i = 0; i < rows.size(); i++) {
    table.begin_row();
    table.number(i + 1);
    table.number(fmt::format("{:.3f}", suspicious_paths_[i].score));
    for (const std::string &cell : cells(paths_[i]))
      table.number(cell);
    table.number(suspicious_paths_[i].statements);
    add_location(table, page.address(paths_[i]), paths_[i].id, rows[i]);
    table.end_row();
  }
  text += table.finish();
  if (num_found_ > rows.size())
    text += fmt::format("<p class=\"more\">The {} most suspicious of {} paths that failing runs executed.</p>\n",
                        rows.size(), grouped(num_found_));
  return text;
}

} // namespace pathprof::html
