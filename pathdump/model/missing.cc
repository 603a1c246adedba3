// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the paths that were never executed, nearest to executed paths first.
#include "pathdump/model/missing.h"

#include <algorithm>
#include <tuple>

#include "pathdump/describe/line_sequence.h"
#include "pathdump/ui/progress.h"
#include "pathdump/ui/table.h"
#include "pathdump/ui/text.h"

namespace pathprof {

// Maximum number of edges that the search examines in one function. Examining this many edges takes a fraction of a
// second.
static constexpr uint64_t kEffort = 10000000;

MissingPaths::MissingPaths(const Profile &profile, const std::string &file, const Names &names,
                           PathFormatter &formatter, uint64_t limit)
    : profile_(profile), names_(names), formatter_(formatter), decoder_(profile, file) {
  Progress progress(profile.functions.size(), "functions");
  for (size_t i = 0; i < profile.functions.size(); i++) {
    progress.advance();
    const Function &function = profile.functions[i];
    if (!is_left_out(function) && !function.in_program && names.selects(function))
      look_at(i, limit);
  }
  std::stable_sort(paths_.begin(), paths_.end(), [](const Entry &a, const Entry &b) {
    return std::tie(a.path.distance, b.path.count) < std::tie(b.path.distance, a.path.count);
  });
  if (paths_.size() > limit)
    paths_.resize(limit);
}

void MissingPaths::look_at(size_t index, uint64_t limit) {
  const Function &function = profile_.functions[index];
  std::vector<std::pair<uint64_t, uint64_t>> executed;
  for (const ExecutedPath &path : function.paths)
    if (path.count > 0)
      executed.emplace_back(path.id, path.count);
  if (executed.empty()) {
    num_not_run_ += function.cut_short.empty();
    return;
  }
  num_missing_ += num_own_paths(function) - executed.size();
  const Decoded &decoded = decoder_.decoded(index);
  uint64_t effort = kEffort;
  UnexecutedPaths found = nearest_unexecuted(decoded.graph, decoded.numbering, executed, limit, effort);
  for (const UnexecutedPath &path : found.paths)
    paths_.push_back({index, path});
  if (!found.is_complete)
    unfinished_.push_back(index);
}

std::string MissingPaths::line_sequence(const Entry &entry, uint64_t id, PathFormatter &formatter) {
  return formatter.text(profile_.functions[entry.function], *decoder_.decoded(entry.function).regenerate(id));
}

std::vector<Difference> MissingPaths::differences(const Entry &entry, const Decisions &decisions) const {
  return decisions.differences(decisions.of(entry.path.id), decisions.of(entry.path.nearest));
}

void MissingPaths::print_text(Output &out) {
  out.print("\n{} unexecuted {} in executed functions", short_number(num_missing_),
            num_missing_ == 1 ? "path" : "paths");
  if (num_not_run_)
    out.print("; {} {} no executed path", plural(num_not_run_, "function"), num_not_run_ == 1 ? "has" : "have");
  out.write("\n");
  if (!paths_.empty())
    print_table(out);
  for (size_t function : unfinished_)
    out.print("{}: the search ended early; paths that are not listed may be as near to an executed path as the listed "
              "paths\n",
              name_of(function));
}

void MissingPaths::print_table(Output &out) {
  out.write("\n");
  Table table(
      located_path_columns({{"rank", true}, {"differs in", true, Colour::Hot}, {"stmts", true}}, formatter_.heading()));
  std::vector<PathLabel> rows;
  for (const Entry &entry : paths_)
    rows.push_back(path_label(profile_.functions[entry.function],
                              *decoder_.decoded(entry.function).regenerate(entry.path.id), entry.path.id, formatter_));
  for (const Entry &entry : paths_) // all listed paths must be known before they are described
    formatter_.elements(profile_.functions[entry.function],
                        *decoder_.decoded(entry.function).regenerate(entry.path.nearest));
  complete(rows, formatter_);
  uint64_t rank = 0;
  for (const Entry &entry : paths_) {
    const Function &function = profile_.functions[entry.function];
    const Decoded &decoded = decoder_.decoded(entry.function);
    Decisions decisions(function, decoded);
    Path path = *decoded.regenerate(entry.path.id);
    const PathLabel &row = rows[rank];
    std::vector<std::string> cells = {std::to_string(++rank), std::to_string(entry.path.distance),
                                      std::to_string(statements_of(function, path))};
    for (std::string &cell : located_path_cells(std::to_string(entry.path.id), row))
      cells.push_back(std::move(cell));
    table.add(
        std::move(cells),
        nearest_text(fmt::format("nearest: {}, executed {}: ", entry.path.nearest, plural(entry.path.count, "time")),
                     formatter_.elements(function, *decoded.regenerate(entry.path.nearest)), formatter_, out) +
            fmt::format("      {}\n", decisions.text(differences(entry, decisions), formatter_)));
    formatter_.note(function, path);
  }
  fit_paths(table, rows, formatter_);
  table.print(out);
  if (num_missing_ > paths_.size())
    out.print("... and {} more (use -n N to show N)\n", short_number(num_missing_ - paths_.size()));
}

Json MissingPaths::json() {
  Json paths = Json::array(), unfinished = Json::array();
  for (const Entry &entry : paths_)
    paths.push_back(path_of(entry));
  for (size_t function : unfinished_)
    unfinished.push_back(profile_.functions[function].notes.name);
  return {{"num_paths", num_missing_.get_str()},
          {"functions_never_run", num_not_run_},
          {"unfinished", std::move(unfinished)},
          {"paths", std::move(paths)}};
}

Json MissingPaths::path_of(const Entry &entry) {
  const Function &function = profile_.functions[entry.function];
  const Decoded &decoded = decoder_.decoded(entry.function);
  Decisions decisions(function, decoded);
  Path path = *decoded.regenerate(entry.path.id);
  HotPath hot = {0, 0, std::nullopt, statements_of(function, path), entry.function, entry.path.id};
  Json json = path_json(hot, function, path, formatter_);
  PathFormatter lines = formatter_.by_lines();
  json["distance"] = entry.path.distance;
  json["nearest"] = {{"id", std::to_string(entry.path.nearest)},
                     {"count", count_json(entry.path.count)},
                     {"lines", line_sequence(entry, entry.path.nearest, lines)},
                     {"decisions", formatter_.json(function, *decoded.regenerate(entry.path.nearest))},
                     {"differences", decisions.json(differences(entry, decisions))}};
  return json;
}

} // namespace pathprof
