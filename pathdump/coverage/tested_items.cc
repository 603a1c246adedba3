// SPDX-License-Identifier: GPL-3.0-or-later
// Formats the items that tests cover: paths, effects of conditions, prime paths and lines.
#include "pathdump/coverage/tested_items.h"

#include "pathdump/model/prime.h"
#include "pathdump/model/interprocedural_paths.h"
#include "pathdump/ui/text.h"

namespace pathprof {

const char *noun_of(Criterion criterion) {
  static const char *const nouns[] = {"path", "effect", "prime path", "line"};
  return nouns[static_cast<size_t>(criterion)];
}

const char *to_string(Criterion criterion) {
  static const char *const words[] = {"paths", "conditions", "prime", "lines"};
  return words[static_cast<size_t>(criterion)];
}

std::vector<Column> ItemTexts::columns() const {
  std::vector<Column> columns = {{"test", false, Colour::Name, 40}, {"count", true}};
  if (tested_.criterion == Criterion::Paths)
    return located_path_columns(std::move(columns), formatter_.heading());
  if (tested_.criterion == Criterion::Lines) {
    columns.push_back({"line", false, Colour::Place});
    return columns;
  }
  if (tested_.criterion == Criterion::PrimePaths)
    columns.insert(columns.end(), {{"kind"},
                                   {"blocks", true},
                                   {"function", false, Colour::Name, 40},
                                   {formatter_.heading(), false, Colour::Place}});
  else
    columns.insert(columns.end(), {{"value"},
                                   {"outcome"},
                                   {"condition", false, Colour::Name, 48},
                                   {"function", false, Colour::Name, 40},
                                   {"place", false, Colour::Place}});
  return columns;
}

PathLabel ItemTexts::label_of(const CoveredItem &item) {
  if (tested_.criterion == Criterion::PrimePaths)
    return path_label(function_of(item), PrimeGraph(function_of(item).notes.graph), at(item).prime, formatter_);
  return path_label(tested_.profile, decoder_, hot_path_of(at(item)), formatter_);
}

// Returns the effect in terms of the condition's source text.  Inverts the value if the compiler tests the negation of
// that text.
static Effect shown_effect(const TestedPath &path, const Branches &branches) {
  Effect effect = effect_of(path);
  if (branches.is_turned(effect.block)) {
    effect.value = !effect.value;
    if (is_only_condition(branches.function().notes.conditions, effect.block))
      effect.outcome = effect.value;
  }
  return effect;
}

std::vector<std::string> ItemTexts::cells(const CoveredItem &item, const PathLabel &text) {
  std::vector<std::string> cells = {tested_.tests[item.test].name, std::to_string(item.count)};
  auto append = [&](std::vector<std::string> more) { cells.insert(cells.end(), more.begin(), more.end()); };
  const TestedPath &path = at(item);
  if (tested_.criterion == Criterion::Lines) {
    append({fmt::format("{}:{}", tested_.files[path.function], digits(path.id))});
  } else if (tested_.criterion == Criterion::Paths) {
    if (!path.is_of_program)
      formatter_.note(function_of(item), decoder_.path(hot_path_of(path)));
    append(located_path_cells(digits(path.id), text));
  } else if (tested_.criterion == Criterion::PrimePaths) {
    formatter_.note(function_of(item), path_of(PrimeGraph(function_of(item).notes.graph), path.prime));
    append({text.start, std::to_string(path.prime.size() - is_cycle(path.prime)), text.function, text.path});
  } else {
    const Branches &branches = formatter_.branches(function_of(item));
    Effect effect = shown_effect(path, branches);
    std::string condition = branches.condition(effect.block), place = branches.place(effect.block).text();
    bool has_file = place.find(':') != std::string::npos;
    const Names &names = formatter_.names();
    append({effect.value ? "T" : "F", effect.outcome ? "T" : "F", visible(condition),
            names.function(function_of(item).notes.name),
            has_file ? place : fmt::format("{}:{}", names.file(function_of(item).file), place)});
  }
  return cells;
}

void ItemTexts::print_table(const std::vector<CoveredItem> &items, Output &out) {
  Table table(columns());
  std::vector<PathLabel> texts(items.size());
  if (tested_.criterion == Criterion::Paths || tested_.criterion == Criterion::PrimePaths) {
    for (size_t i = 0; i < items.size(); i++)
      texts[i] = label_of(items[i]);
    complete(texts, formatter_);
  }
  for (size_t i = 0; i < items.size(); i++)
    table.add(cells(items[i], texts[i]));
  if (tested_.criterion == Criterion::Paths || tested_.criterion == Criterion::PrimePaths)
    fit_paths(table, texts, formatter_);
  table.print(out);
}

Json ItemTexts::json(const CoveredItem &item) {
  if (tested_.criterion == Criterion::Paths)
    return path_json_of(item);
  if (tested_.criterion == Criterion::Lines)
    return {{"file", tested_.files[at(item).function]},
            {"line", static_cast<uint64_t>(at(item).id)},
            {"count", count_json(item.count)}};
  const Function &function = function_of(item);
  Json json = {{"function", function.notes.name},
               {"demangled", formatter_.names().full(function.notes.name)},
               {"file", formatter_.names().file(function.file)}};
  json.update(tested_.criterion == Criterion::Conditions ? effect_json(item)
                                                         : prime_path_json(function, PrimeGraph(function.notes.graph),
                                                                           at(item).prime, item.count, formatter_));
  return json;
}

Json ItemTexts::effect_json(const CoveredItem &item) {
  const Branches &branches = formatter_.branches(function_of(item));
  Effect effect = shown_effect(at(item), branches);
  return {{"count", count_json(item.count)}, {"place", branches.place(effect.block).text()},
          {"block", effect.block},           {"condition", visible(branches.condition(effect.block))},
          {"value", effect.value},           {"outcome", effect.outcome}};
}

Json ItemTexts::path_json_of(const CoveredItem &item) {
  HotPath hot = hot_path_of(at(item));
  hot.count = item.count;
  if (hot.is_of_program()) {
    ShownPath shown(tested_.profile, hot.program, hot.id);
    hot.statements = shown.statements();
    return program_path_json(hot, shown, formatter_);
  }
  Path decoded = decoder_.path(hot);
  hot.statements = statements_of(function_of(item), decoded);
  return path_json(hot, function_of(item), decoded, formatter_);
}

} // namespace pathprof
