// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks executed paths and formats them.
#include "pathdump/model/hot.h"

#include <cmath>
#include <tuple>

#include "pathdump/describe/flow_json.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/text.h"

namespace pathprof {

bool HotPath::operator<(const HotPath &other) const {
  return std::tie(other.weight, other.count, function, program, id) <
         std::tie(weight, count, other.function, other.program, other.id);
}

void HotPath::set_cost(double value) {
  cost = value;
  weight = static_cast<Weight>(std::llround(value));
}

static double cycles_per_execution(const HotPath &path) {
  return path.count ? static_cast<double>(*path.cycles) / static_cast<double>(path.count) : 0;
}

std::vector<Column> path_columns(bool with_cycles) {
  std::vector<Column> columns = {{"count", true}};
  if (with_cycles)
    columns.insert(columns.end(), {{"cycles", true}, {"each", true}});
  columns.insert(columns.end(), {{"stmts", true}, {"id", true}, {"from"}, {"to"}});
  return columns;
}

std::vector<Column> ranked_path_columns(std::vector<Column> ranking, bool with_cycles, const char *heading) {
  for (Column &column : path_columns(with_cycles))
    ranking.push_back(std::move(column));
  ranking.insert(ranking.end(), {{"function", false, Colour::Name, 40}, {heading, false, Colour::Place}});
  return ranking;
}

std::vector<std::string> path_cells(const HotPath &hot, const std::string &start, const std::string &end,
                                    bool with_cycles) {
  std::vector<std::string> cells = {std::to_string(hot.count)};
  if (with_cycles)
    cells.insert(cells.end(), {hot.cycles ? std::to_string(*hot.cycles) : "-",
                               hot.cycles ? fmt::format("{:.1f}", cycles_per_execution(hot)) : "-"});
  cells.insert(cells.end(), {std::to_string(hot.statements), digits(hot.id), start, end});
  return cells;
}

std::vector<Column> located_path_columns(std::vector<Column> first, const char *heading) {
  first.insert(
      first.end(),
      {{"id", true}, {"from"}, {"to"}, {"function", false, Colour::Name, 40}, {heading, false, Colour::Place}});
  return first;
}

std::vector<std::string> located_path_cells(const std::string &id, const PathLabel &text) {
  return {id, text.start, text.end, text.function, text.path};
}

Json path_json(const HotPath &hot, const Function &function, PathStart start, PathEnd end, const std::string &lines,
               const Names &names) {
  return {{"count", count_json(hot.count)},
          {"statements", count_json(hot.statements)},
          {"function", function.notes.name},
          {"demangled", names.full(function.notes.name)},
          {"file", names.file(function.file)},
          {"line", function.notes.line},
          {"id", digits(hot.id)},
          {"start", to_string(start)},
          {"end", to_string(end)},
          {"lines", lines}};
}

void add_decisions(Json &json, const Function &function, const Path &path, PathFormatter &formatter) {
  json["decisions"] = formatter.json(function, path);
  if (Json conditions = formatter.conditions_json(function, path); !conditions.empty())
    json["conditions"] = std::move(conditions);
}

PathLabel path_label(const Function &function, const Path &path, WideNumber id, PathFormatter &formatter) {
  PathLabel row = {formatter.names().function(function.notes.name),
                   to_string(path.start),
                   to_string(path.end),
                   formatter.elements(function, path),
                   {"path " + digits(id), "of " + formatter.names().file(function.file), "in " + function.notes.name,
                    fmt::format("of the graph {:08x}", function.notes.checksum()),
                    to_string(function.notes.model.mode)}};
  row.calls = formatter.calls(function, path);
  return row;
}

Json path_json(const HotPath &hot, const Function &function, const Path &path, PathFormatter &formatter) {
  const Names &names = formatter.names();
  Json json = path_json(hot, function, path.start, path.end, line_sequence_text(function, path, names), names);
  add_decisions(json, function, path, formatter);
  if (std::vector<std::string> calls = formatter.calls(function, path); !calls.empty())
    json["calls"] = std::move(calls);
  add_context(json, path);
  if (hot.cost)
    json["cost"] = std::round(*hot.cost);
  if (hot.cycles) {
    json["cycles"] = count_json(*hot.cycles);
    json["cycles_per_execution"] = cycles_per_execution(hot);
  }
  return json;
}

const Decoded &Decoder::decoded(size_t function) {
  std::unique_ptr<Decoded> &decoded = decoded_[function];
  if (!decoded)
    decoded = decode_or_fail(file_, profile_.functions[function]);
  return *decoded;
}

} // namespace pathprof
