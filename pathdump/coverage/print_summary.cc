// SPDX-License-Identifier: GPL-3.0-or-later
// Prints the summary of coverage per file, and the lines and branches that were not executed.
#include "pathdump/coverage/print_summary.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pathdump/ui/table.h"
#include "pathdump/ui/text.h"

namespace pathprof {

std::string share_text(double share) {
  if (share < 100)
    share = std::min(share, 99.99);
  if (share > 0)
    share = std::max(share, 0.01);
  return fmt::format("{:.2f}%", share);
}

std::string share_text(const Tally &tally) {
  return tally.is_empty() ? "-" : share_text(tally.share());
}

std::string count_text(const Tally &tally) {
  return tally.is_empty() ? "" : fmt::format("{}/{}", tally.covered, short_number(tally.total));
}

namespace {

// Returns ranges such as "3-5, 9" of the lines with code that were not executed. Lines without code do not interrupt a
// range.
std::vector<std::string> missing_ranges(const CoveredFile &file) {
  std::vector<std::string> ranges;
  std::pair<uint32_t, uint32_t> open = {0, 0};
  auto close = [&] {
    if (open.first)
      ranges.push_back(open.first == open.second ? std::to_string(open.first)
                                                 : fmt::format("{}-{}", open.first, open.second));
    open = {0, 0};
  };
  for (const auto &[line, count] : file.lines) {
    if (count > 0) {
      close();
      continue;
    }
    open = {open.first ? open.first : line, line};
  }
  close();
  return ranges;
}

// Returns what a justification applies to, such as "2 lines, 1 branch outcome".
std::string items_text(const JustifiedItems &items) {
  std::vector<std::string> texts;
  for (auto [number, noun] : {std::pair(items.lines, "line"), std::pair(items.branches, "branch outcome"),
                              std::pair(items.functions, "function"), std::pair(items.conditions, "condition"),
                              std::pair(items.paths, "path")})
    if (number)
      texts.push_back(plural(number, noun));
  return texts.empty() ? "nothing beyond other justifications" : fmt::format("{}", fmt::join(texts, ", "));
}

// Calls `visit` with the line, the branch and the index of the edge, for each edge of an executed branch that was not
// taken.
template <typename Visit>
void visit_missing_edges(const CoveredFile &file, Visit visit) {
  for (const auto &[line, branches] : file.branches)
    for (const CoveredBranch &branch : branches)
      for (size_t edge = 0; edge < branch.taken.size(); edge++)
        if (branch.has_run() && branch.taken[edge] == 0)
          visit(line, branch, edge);
}

// Prints the lines below the table of files.
void print_notes(const FileSummary &total, Output &out) {
  if (!total.conditions.is_empty() || total.unmeasured_decisions)
    out.write("\n");
  if (!total.conditions.is_empty())
    print_remark("conditions: shown to affect their decision independently (masking MC/DC)", out);
  if (total.unmeasured_decisions)
    print_remark(fmt::format("not included in conditions: {} that could not be measured; --conditions lists {}",
                             plural(total.unmeasured_decisions, "decision"),
                             total.unmeasured_decisions == 1 ? "it" : "them"),
                 out);
  if (total.excluded_lines || total.excluded_branches)
    out.print("\nMarkers in the source exclude {} and {}\n", plural(total.excluded_lines, "line"),
              total.excluded_branches == 1 ? "1 branch" : fmt::format("{} branches", total.excluded_branches));
}

} // namespace

void print_files(const CoverageSummary &summary, Output &out) {
  std::vector<const SummaryCriterion *> shown;
  std::vector<Column> columns;
  for (const SummaryCriterion &criterion : kSummaryCriteria)
    if (!(summary.total.*criterion.tally).is_empty()) {
      shown.push_back(&criterion);
      columns.push_back({criterion.heading, true, Colour::Hot});
      columns.push_back({"", true});
    }
  columns.push_back({"file", false, Colour::Place});
  Table table(columns);
  auto add = [&](const std::string &name, const FileSummary &file) {
    std::vector<std::string> cells;
    for (const SummaryCriterion *criterion : shown) {
      cells.push_back(share_text(file.*criterion->tally));
      cells.push_back(count_text(file.*criterion->tally));
    }
    cells.push_back(name);
    table.add(std::move(cells));
  };
  for (const auto &[name, file] : summary.files)
    add(name, file);
  add("total", summary.total);
  table.print(out);
  print_notes(summary.total, out);
}

void print_missing_lines(const CoverageSummary &summary, Output &out) {
  out.write("\nLines that were not executed\n\n");
  Table table({{"file", false, Colour::Place}, {"lines"}});
  bool is_empty = true;
  for (const auto &[name, file] : summary.details)
    if (std::vector<std::string> ranges = missing_ranges(file); !ranges.empty()) {
      table.add({name, fmt::format("{}", fmt::join(ranges, ", "))});
      is_empty = false;
    }
  if (is_empty)
    out.write("none\n");
  else
    table.print(out);
}

void print_missing_branches(const CoverageSummary &summary, Output &out) {
  out.write("\nUntaken outcomes of executed branches\n\n");
  Table table({{"place", false, Colour::Place}, {"outcome"}});
  uint64_t num_listed = 0;
  for (const auto &[name, file] : summary.details)
    visit_missing_edges(file, [&, &shown = name](uint32_t, const CoveredBranch &branch, size_t edge) {
      table.add({fmt::format("{}:{}", shown, branch.place), branch.outcomes[edge]});
      num_listed++;
    });
  if (num_listed)
    table.print(out);
  else
    out.write("none\n");
  mpz_class num_others = summary.total.branches.total - summary.total.branches.covered - num_listed;
  if (num_others > 0)
    out.print("\n{} more on branches that were not executed\n", short_number(num_others));
}

void print_justifications(const CoverageSummary &summary, Output &out) {
  if (summary.justifications.empty())
    return;
  out.write("\nJustified code, which is not counted as covered\n\n");
  Table totals({{"", false}, {"covered", true}, {"justified", true}, {"open", true}});
  for (const SummaryCriterion &criterion : kSummaryCriteria)
    if (const Tally &tally = summary.total.*criterion.tally; !tally.is_empty())
      totals.add({criterion.heading, std::to_string(tally.covered), std::to_string(tally.justified),
                  short_number(tally.total - tally.covered - tally.justified)});
  totals.print(out);
  out.write("\n");
  Table table({{"place", false, Colour::Place}, {"justifies"}, {"reason"}, {"author"}, {"ticket"}});
  for (const Justification &one : summary.justifications)
    table.add({one.place,
               !one.fault.empty() ? "FAULT: " + one.fault
               : one.is_selected  ? items_text(one.items)
                                  : "not in the selection",
               one.reason, one.author, one.ticket});
  table.print(out);
}

Json summary_json(const FileSummary &summary) {
  auto tally = [](const Tally &one) {
    return Json{
        {"covered", one.covered}, {"total", one.total.get_ui()}, {"share", one.share()}, {"justified", one.justified}};
  };
  return {{"lines", tally(summary.lines)},
          {"branches", tally(summary.branches)},
          {"functions", tally(summary.functions)},
          {"conditions", summary.conditions.is_empty() ? Json() : tally(summary.conditions)},
          {"decisions_not_measured", summary.unmeasured_decisions},
          {"excluded", {{"lines", summary.excluded_lines}, {"branches", summary.excluded_branches}}}};
}

Json missing_lines_json(const CoverageSummary &summary) {
  Json all = Json::array();
  for (const auto &[name, file] : summary.details)
    for (const auto &[line, count] : file.lines)
      if (count == 0)
        all.push_back({{"file", name}, {"line", line}});
  return all;
}

Json missing_branches_json(const CoverageSummary &summary) {
  Json all = Json::array();
  for (const auto &[name, file] : summary.details)
    visit_missing_edges(file, [&, &shown = name](uint32_t line, const CoveredBranch &branch, size_t edge) {
      all.push_back({{"file", shown}, {"line", line}, {"place", branch.place}, {"outcome", branch.outcomes[edge]}});
    });
  return all;
}

Json justifications_json(const CoverageSummary &summary) {
  Json all = Json::array();
  for (const Justification &one : summary.justifications)
    all.push_back({{"place", one.place},
                   {"reason", one.reason},
                   {"author", one.author},
                   {"ticket", one.ticket},
                   {"lines", one.items.lines},
                   {"branches", one.items.branches},
                   {"functions", one.items.functions},
                   {"conditions", one.items.conditions},
                   {"paths", one.items.paths},
                   {"fault", one.fault.empty() ? Json() : Json(one.fault)}});
  return all;
}

std::vector<std::string> faults_of(const CoverageSummary &summary) {
  std::vector<std::string> faults;
  for (const Justification &one : summary.justifications)
    if (!one.fault.empty())
      faults.push_back(fmt::format("justification of {}: {}; correct or remove it", one.place, one.fault));
  return faults;
}

} // namespace pathprof
