// SPDX-License-Identifier: GPL-3.0-or-later
// Serializes functions and interprocedural units with their paths.
#include "pathdump/export/json.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/models/forest.h"
#include "core/models/model.h"
#include "pathdump/describe/flow_json.h"
#include "pathdump/model/families.h"
#include "pathdump/model/interprocedural_paths.h"
#include "pathdump/ui/text.h"

namespace pathprof {

// Returns the blocks of a function. Skips block numbers without edges, which are gaps in the compiler's numbering.
static Json blocks_json(const Function &function, const Names &names) {
  const FlowGraph &graph = function.notes.graph;
  Json blocks = Json::array();
  for (int block = 0; block < graph.num_blocks(); block++)
    if (block == kEntryBlock || block == kExitBlock || !graph.succs(block).empty() || !graph.preds(block).empty())
      blocks.push_back(block_json(function, block, names));
  return blocks;
}

// Appends the residual paths if `residual` is true, and all other paths otherwise. For a truncated path, "parts" is the
// number of executed pieces of the last block.
static void append_paths(std::string &text, const Function &function, const Decoded &decoded, bool residual,
                         const CostsOfFunction &costs, PathFormatter &formatter) {
  auto out = std::back_inserter(text);
  for (const auto *paths : {&function.paths, &function.cut_short})
    for (const ExecutedPath &executed : *paths) {
      if (is_residual(function, executed.id) != residual)
        continue;
      std::optional<Path> path = decoded.regenerate(executed.id);
      fmt::format_to(out, R"({{"id":"{}","count":{},"start":"{}","end":"{}","blocks":[{}])", executed.id,
                     dump(count_json(executed.count)), to_string(path->start), to_string(path->end),
                     fmt::join(path->blocks, ","));
      fmt::format_to(out, R"(,"decisions":{})", dump(formatter.json(function, *path)));
      if (has_cycles(function, executed))
        fmt::format_to(out, R"(,"cycles":{})", dump(count_json(executed.cycles)));
      if (costs.all)
        fmt::format_to(out, R"(,"cost":{:.0f})", costs.all->of(costs.function, *path, executed.count));
      if (path->context_blocks > 0)
        fmt::format_to(out, R"(,"prefix_len":{})", path->context_blocks);
      if (path->contexts.size() > 1)
        fmt::format_to(out, R"(,"prefix_parts":[{}])", fmt::join(path->contexts, ","));
      if (!path->loop_visits.empty())
        fmt::format_to(out, R"(,"passes":{})", dump(passages_json(*path)));
      if (path->end == PathEnd::Call)
        fmt::format_to(out, R"(,"parts":{})", path->call + 1);
      text += "},";
    }
  if (text.back() == ',')
    text.pop_back();
}

// Returns the loops for which k-iteration or intracontext paths are counted, each with the headers of the collapsed
// loops inside it.
static Json loops_json(const FunctionNotes &notes) {
  Json loops = Json::array();
  std::map<int, std::vector<int>> collapsed;
  for (const CollapsedLoop &loop : model_of(notes.model).collapsed_loops(notes.graph, notes.model))
    collapsed[loop.around].push_back(loop.loop.head());
  for (const LoopIterations &loop : notes.model.loops) {
    loops.push_back({{"head", loop.head}, {"k", loop.k}});
    if (collapsed.count(loop.head))
      loops.back()["collapsed"] = collapsed[loop.head];
  }
  return loops;
}

// Returns the blocks that have several successors, each with its condition and outcomes.
static Json branches_json(const Function &function, const Branches &branches) {
  Json list = Json::array();
  for (int block = 0; block < function.notes.graph.num_blocks(); block++) {
    if (!branches.decides(block))
      continue;
    Json json = {{"block", block}, {"place", branches.place(block).text()}};
    if (const BranchNotes *branch = function.notes.branch_at(block); branch && branch->at.line) {
      json["line"] = branch->at.line;
      if (branch->column)
        json["column"] = branch->column;
      if (const SourceRange &range = branch->range; range.is_known())
        json["range"] = {range.first_line, range.first_column, range.last_line, range.last_column};
    }
    if (std::string text = branches.condition(block); !text.empty())
      json["condition"] = visible(text);
    Json outcomes = Json::array();
    for (int e : function.notes.graph.succs(block))
      outcomes.push_back(branches.outcome(e));
    json["outcomes"] = std::move(outcomes);
    list.push_back(std::move(json));
  }
  return list;
}

// Returns a function as JSON, without its paths.
static Json head_json(const Function &function, PathFormatter &formatter) {
  const Names &names = formatter.names();
  const FunctionNotes &notes = function.notes;
  Json edges = Json::array();
  for (const Edge &edge : notes.graph.edges())
    edges.push_back({{"src", edge.src}, {"dst", edge.dst}, {"flags", flags_json(edge.flags)}});
  Json json = {{"name", notes.name},
               {"demangled", names.full(notes.name)},
               {"file", names.file(function.file)},
               {"line", notes.line},
               {"mode", to_string(notes.model.mode)},
               {"k", notes.model.k},
               {"numbering", to_string(notes.model.numbering)},
               {"stage", to_string(notes.stage)},
               {"termination", notes.flags & kExactTermination ? "exact" : "basic"},
               {"artificial", (notes.flags & kArtificial) != 0},
               {"optimised", (notes.flags & kOptimised) != 0},
               {"metric", notes.measures_cycles() ? "tsc" : "none"},
               {"num_paths", num_own_paths(function).get_str()},
               {"num_paths_uncut", notes.num_paths_uncut.get_str()},
               {"storage", storage_name(function)},
               {"cuts", notes.num_cuts()},
               {"checksum", fmt::format("{:08x}", notes.checksum())},
               {"loops", loops_json(notes)},
               {"blocks", blocks_json(function, names)},
               {"edges", std::move(edges)},
               {"branches", branches_json(function, formatter.branches(function))}};
  if (is_of_another(function))
    json["part_of"] = name_of_original(notes.name);
  if (function.in_program)
    json["calls"] = calls_json(function);
  if (model_of(notes.model).has(Feature::InterestingPaths)) {
    json["interesting_paths"] = notes.interesting.size();
    json["slots"] = notes.num_slots;
  }
  return json;
}

namespace {

class ForestText : public PrefixVisitor {
public:
  explicit ForestText(std::string &text) : text_(text) {}

  bool enter(uint64_t id, uint64_t count, const std::vector<uint32_t> &) override {
    if (text_.back() == '}')
      text_ += ',';
    text_ += fmt::format(R"({{"path":"{}","count":{},"children":[)", id, dump(count_json(count)));
    return true;
  }
  void leave() override { text_ += "]}"; }

private:
  std::string &text_;
};

} // namespace

// Appends "forest", the forest of path sequences (mode=kipf).
static void append_forest(std::string &text, const Function &function) {
  text += ",\"forest\":[";
  ForestText visitor(text);
  walk_prefix_forest(forest_of(function), function.notes.model.k, visitor);
  text += fmt::format("],\"forest_pruned\":{}", function.is_pruned);
}

CalleeNames callee_names(const Profile &profile) {
  CalleeNames names;
  for (size_t i : {0, 1}) // unambiguous numbers first, because several functions can have the same compiled name
    for (const Function &function : profile.functions)
      names.try_emplace(callee_numbers(function)[i], function.notes.name);
  return names;
}

static Json value_json(const ValueNotes &site, const CountedValue &value, const CalleeNames &callees) {
  Json json;
  auto callee = callees.find(value.value);
  if (site.kind == ValueKind::Callee && callee != callees.end())
    json["callee"] = callee->second;
  else if (value.is_exact)
    json["value"] = std::to_string(value.value);
  else
    json["magnitude"] = std::to_string(value.value);
  json["count"] = count_json(value.count);
  return json;
}

// Returns the values that were recorded at each position in the function at which values are profiled (values=1).
static Json values_json(const Function &function, const CalleeNames &callees) {
  static const char *const kinds[] = {"callee", "operand", "quotient", "alignment"};
  Json sites = Json::array();
  for (const ValueNotes &site : function.notes.values)
    sites.push_back({{"kind", kinds[static_cast<size_t>(site.kind)]}, {"line", site.line}, {"values", Json::array()}});
  for (const CountedValue &value : function.values)
    sites[value.site]["values"].push_back(value_json(function.notes.values[value.site], value, callees));
  return sites;
}

std::string function_text(const Function &function, const Decoded &decoded, const CostsOfFunction &costs,
                          const CalleeNames &callees, PathFormatter &formatter) {
  Json head = head_json(function, formatter);
  if (!function.notes.values.empty())
    head["values"] = values_json(function, callees);
  std::string text = dump(head);
  text.back() = ',';
  text += "\"paths\":[";
  append_paths(text, function, decoded, false, costs, formatter);
  text += ']';
  if (model_of(function.notes.model).has(Feature::InterestingPaths)) {
    text += ",\"residual\":[";
    append_paths(text, function, decoded, true, costs, formatter);
    text += ']';
  }
  if (model_of(function.notes.model).has(Feature::Sequences))
    append_forest(text, function);
  return text + '}';
}

static Json executed_json(const Profile &profile, const ExecutedProgramPath &executed, const ShownPath &shown,
                          const Costs *costs, PathFormatter &formatter) {
  const InterproceduralPath &path = shown.path();
  size_t prefix_len = 0;
  Json steps = steps_json(profile, shown.interprocedural_unit(), path, &prefix_len);
  Json json = {{"id", digits(executed.id)},
               {"count", count_json(executed.count)},
               {"start", to_string(path.start)},
               {"end", to_string(path.end)},
               {"prefix_len", prefix_len},
               {"steps", std::move(steps)},
               {"decisions", shown.decisions_json(formatter)}};
  if (costs)
    json["cost"] = std::llround(cost_of(*costs, shown, executed.count));
  return json;
}

std::string program_text(const Profile &profile, size_t index, const Costs *costs, PathFormatter &formatter) {
  const Names &names = formatter.names();
  const InterproceduralUnit &unit = profile.interprocedural_units[index];
  std::string text = dump(Json{{"mode", to_string(unit.mode)},
                               {"unit", unit_of(profile, unit, names)},
                               {"num_paths", unit.num_paths.get_str()},
                               {"bits", unit.num_bits()},
                               {"cut_sites", unit.num_cut_calls()}});
  text.back() = ',';
  text += "\"paths\":[";
  const char *separator = "";
  for (const ExecutedProgramPath &executed : unit.paths) {
    ShownPath path(profile, index, executed.id);
    if (!path.is_selected(names))
      continue;
    text += separator + dump(executed_json(profile, executed, path, costs, formatter));
    separator = ",\n    ";
  }
  return text + "]}";
}

Json left_out_json(const Function &function) {
  return {{"name", function.notes.name}, {"reason", why_left_out(function)}};
}

} // namespace pathprof
