// SPDX-License-Identifier: GPL-3.0-or-later
// Formats the changed lines of a function as text, Markdown and JSON.
#include "pathdump/commands/changed_lines.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "pathdump/ui/table.h"
#include "pathdump/ui/text.h"

namespace pathprof {

// Returns the outcome counts of each branch, such as "60:40 3:0" for two branches with two outcomes each.
static std::string outcomes_text(const std::vector<std::vector<uint64_t>> &branches) {
  std::vector<std::string> texts;
  for (const std::vector<uint64_t> &outcomes : branches)
    texts.push_back(fmt::format("{}", fmt::join(outcomes, ":")));
  return fmt::format("{}", fmt::join(texts, " "));
}

static const char *kind_of(const LineChange &change) {
  if (!change.line[0] || !change.line[1])
    return change.line[1] ? "new" : "gone";
  return change.count[1] > change.count[0] ? "hotter" : change.count[1] < change.count[0] ? "colder" : "other outcomes";
}

// Returns the `limit` largest changes (0: all), in the order of `changes`, which are sorted by line.
static std::vector<const LineChange *> largest(const std::vector<LineChange> &changes, uint64_t limit) {
  std::vector<const LineChange *> chosen;
  for (const LineChange &change : changes)
    chosen.push_back(&change);
  if (limit == 0 || chosen.size() <= limit)
    return chosen;
  std::stable_sort(chosen.begin(), chosen.end(),
                   [](const LineChange *a, const LineChange *b) { return a->size() > b->size(); });
  chosen.resize(limit);
  std::sort(chosen.begin(), chosen.end()); // pointers into one vector, so in line order
  return chosen;
}

// Returns the cells of a row: the kind of change, then the line number, count and outcomes in A, and then the same
// three cells for B.
static std::vector<std::string> cells_of(const LineChange &change) {
  std::vector<std::string> cells = {kind_of(change)};
  for (int side : {0, 1}) {
    bool is_there = change.line[side] != 0;
    cells.push_back(is_there ? std::to_string(change.line[side]) : "-");
    cells.push_back(is_there ? std::to_string(change.count[side]) : "-");
    cells.push_back(outcomes_text(change.outcomes[side]));
  }
  return cells;
}

static std::string rest_text(const std::vector<LineChange> &changes, size_t shown) {
  return changes.size() == shown ? ""
                                 : fmt::format("... and {} more {} (-n 0 shows all)", changes.size() - shown,
                                               changes.size() - shown == 1 ? "line" : "lines");
}

void print_changed_lines(const std::vector<LineChange> &changes, uint64_t limit, Output &out) {
  Table table({{"    kind", false},
               {"line A", true, Colour::Place},
               {"count A", true},
               {"outcomes A"},
               {"line B", true, Colour::Place},
               {"count B", true},
               {"outcomes B"}});
  std::vector<const LineChange *> chosen = largest(changes, limit);
  for (const LineChange *change : chosen) {
    std::vector<std::string> cells = cells_of(*change);
    cells.front() = "    " + cells.front();
    table.add(std::move(cells));
  }
  if (!chosen.empty())
    table.print(out);
  if (std::string rest = rest_text(changes, chosen.size()); !rest.empty())
    out.print("    {}\n", rest);
}

// Encloses the text between two runs of backquotes, which are longer than any run of backquotes in the text.  Escapes
// vertical bars, because a bar ends a table cell even inside code.
std::string markdown_code(const std::string &text) {
  if (text.empty())
    return "";
  size_t longest = 0, run = 0;
  std::string escaped;
  for (char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
    escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  }
  std::string fence(longest + 1, '`');
  const char *space = text.front() == '`' || text.back() == '`' ? " " : "";
  return fence + space + escaped + space + fence;
}

void print_markdown_row(const std::vector<std::string> &cells, Output &out) {
  out.print("| {} |\n", fmt::join(cells, " | "));
}

void print_changed_lines_markdown(const std::vector<LineChange> &changes, uint64_t limit, Output &out) {
  print_markdown_row({"kind", "line A", "count A", "outcomes A", "line B", "count B", "outcomes B"}, out);
  print_markdown_row({"---", "---:", "---:", "---", "---:", "---:", "---"}, out);
  std::vector<const LineChange *> chosen = largest(changes, limit);
  for (const LineChange *change : chosen)
    print_markdown_row(cells_of(*change), out);
  if (std::string rest = rest_text(changes, chosen.size()); !rest.empty())
    out.print("\n{}\n", rest);
}

Json changed_lines_json(const std::vector<LineChange> &changes) {
  Json list = Json::array();
  for (const LineChange &change : changes) {
    Json json = {{"kind", kind_of(change)}};
    for (int side : {0, 1}) {
      std::string suffix = side ? "_b" : "_a";
      Json branches = Json::array();
      for (const std::vector<uint64_t> &outcomes : change.outcomes[side]) {
        branches.push_back(Json::array());
        for (uint64_t count : outcomes)
          branches.back().push_back(count_json(count));
      }
      json["line" + suffix] = change.line[side] ? Json(change.line[side]) : Json();
      json["count" + suffix] = count_json(change.count[side]);
      json["branches" + suffix] = std::move(branches);
    }
    list.push_back(std::move(json));
  }
  return list;
}

} // namespace pathprof
