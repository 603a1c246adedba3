// SPDX-License-Identifier: GPL-3.0-or-later
// Exports rows "FILE:LINE: text", the hottest path first, in the format of compiler messages, from which editors can
// jump to the source.
#include <algorithm>

#include "pathdump/export/exports.h"
#include "pathdump/model/work.h"
#include "pathdump/ui/text.h"

namespace pathprof {

namespace {

struct Row {
  HotPath hot;
  std::string text; // text after the share

  bool operator<(const Row &other) const { return hot < other.hot; }
};

} // namespace

void export_quickfix(const Profile &profile, const std::string &file, const Names &names, Output &out) {
  std::vector<std::pair<Row, std::string>> rows; // each row with its position
  Weight all = 0;
  for_each_work(profile, file, names, Callers(profile, file), [&](const PathWork &work) {
    const Function &function = *work.parts.front().function;
    const LineRef &first = work.parts.front().lines.front().place;
    all += work.hot.weight;
    rows.push_back({{work.hot, fmt::format("{} x {} statements: {} [path {}] {}", work.hot.count, work.hot.statements,
                                           names.function(function.notes.name), digits(work.hot.id), work.lines)},
                    fmt::format("{}:{}", names.file((*function.files)[first.file]), std::max(first.line, 1u))});
  });
  std::sort(rows.begin(), rows.end());
  for (const auto &[row, place] : rows)
    out.print("{}: {:.2f}% {}\n", place, per_cent(static_cast<double>(row.hot.weight), static_cast<double>(all)),
              row.text);
}

} // namespace pathprof
