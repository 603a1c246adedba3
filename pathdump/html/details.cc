// SPDX-License-Identifier: GPL-3.0-or-later
// Serializes functions and paths for the script of the page.
#include "pathdump/html/details.h"

#include <algorithm>
#include <cmath>

#include <fmt/ranges.h>

#include "pathdump/html/parts.h"
#include "pathdump/html/text.h"
#include "pathdump/describe/flow_json.h"
#include "pathdump/model/costs.h"
#include "pathdump/model/interprocedural_paths.h"
#include "pathdump/model/lines.h"
#include "pathdump/model/sequences.h"
#include "pathdump/ui/text.h"

namespace pathprof::html {

// Maximum number of lines without code that are displayed between lines with code.
static constexpr uint32_t kGap = 20;

static const std::string &function_of_site(const Function &function, const LineRef &line) {
  static const std::string none;
  return line.site ? function.notes.sites[line.site - 1].function : none;
}

// ---- the graph ----

static bool is_terminal(const DrawnNode &node) {
  return !node.is_stub() && (node.blocks.front() == kEntryBlock || node.blocks.front() == kExitBlock);
}

// Returns the distinct lines of the blocks in execution order. Inlined lines are returned only if the blocks contain no
// lines of the function itself.
static std::vector<LineRef> lines_of(const Function &function, const std::vector<int> &blocks) {
  std::vector<LineRef> own, all;
  for (int block : blocks)
    for (const LineRef &line : function.notes.blocks[static_cast<size_t>(block)].lines) {
      if (line.line == 0)
        continue;
      bool is_own = line.site == 0 && (*function.files)[line.file] == function.file;
      for (std::vector<LineRef> *list : {&own, &all})
        if ((is_own || list == &all) && std::find(list->begin(), list->end(), line) == list->end())
          list->push_back(line);
    }
  return own.empty() ? all : own;
}

static std::string text_of_blocks(const Function &function, const std::vector<int> &blocks, const Names &names) {
  Path path;
  path.blocks = blocks;
  bool named_own_file = true;
  std::vector<Stretch> line_sequence = line_sequence_of(function, path);
  return line_sequence.empty() ? fmt::format("block {}", fmt::join(blocks, " "))
                               : stretches_text(function, line_sequence, names, named_own_file);
}

// Returns the size of a box with a heading and up to three source lines. The size must match the box that graph.js
// draws.
static Box box_for(const std::string &heading, const std::vector<const std::string *> &lines) {
  static constexpr double kCharacter = 6.05, kMargin = 14, kHeading = 20, kLine = 13, kBelow = 5;
  static constexpr size_t kLeast = 12, kMost = 38, kCount = 8;
  size_t width = std::max(kLeast, heading.size() + kCount);
  for (const std::string *line : lines)
    width = std::max(width, line->size() - std::min(line->size(), line->find_first_not_of(" \t")));
  double below = lines.empty() ? 0 : kBelow + kLine * static_cast<double>(lines.size());
  return {kMargin + kCharacter * static_cast<double>(std::min(width, kMost)), kHeading + below};
}

Json Details::node_json(const Function &function, const DrawnNode &node, Box &box) {
  static constexpr size_t kMostLines = 3;
  if (is_terminal(node)) {
    box = {44, 20};
    return {{"kind", node.blocks.front() == kEntryBlock ? "entry" : "exit"}, {"count", count_json(node.count)}};
  }
  std::string heading = text_of_blocks(function, node.blocks, names_);
  Json lines = Json::array();
  std::vector<const std::string *> shown;
  for (const LineRef &line : lines_of(function, node.blocks)) {
    const std::string &file = (*function.files)[line.file];
    lines.push_back({files_.number_of(function, file), line.line});
    const std::string *text = files_.line(function, file, line.line);
    if (text && shown.size() < kMostLines)
      shown.push_back(text);
  }
  Json json = {{"text", heading}, {"lines", std::move(lines)}, {"count", count_json(node.count)}};
  if (node.is_stub()) {
    json["kind"] = "stub";
    box = {84, 18};
    return json;
  }
  json["blocks"] = node.blocks;
  box = box_for(heading, shown);
  return json;
}

// Returns the layout weight of an edge. Graphviz draws edges with higher weights as straighter lines.
static int weight_of(const DrawnEdge &edge) {
  return 1 + static_cast<int>(std::log2(static_cast<double>(edge.count) + 1) / 2);
}

static Json points_json(const std::vector<Point> &points) {
  Json json = Json::array();
  for (const Point &point : points) {
    json.push_back(point.x);
    json.push_back(point.y);
  }
  return json;
}

Json Details::graph_json(const Function &function, const DrawnGraph &graph) {
  Json json = {{"extent", to_string(graph.extent)}, {"blocks", graph.num_blocks}};
  if (graph.extent == Extent::None)
    return json;
  Json nodes = Json::array(), edges = Json::array();
  std::vector<Box> boxes(graph.nodes.size());
  for (size_t i = 0; i < graph.nodes.size(); i++)
    nodes.push_back(node_json(function, graph.nodes[i], boxes[i]));
  std::vector<Link> lines;
  for (const DrawnEdge &edge : graph.edges)
    lines.push_back({edge.from, edge.to, weight_of(edge)});
  std::optional<Layout> layout = graphviz_.lay_out(boxes, lines);
  (layout ? num_laid_out_ : num_failed_)++;
  if (!layout)
    return {{"extent", "failed"}, {"blocks", graph.num_blocks}};
  for (size_t i = 0; i < nodes.size(); i++)
    nodes[i]["box"] = {layout->centres[i].x, layout->centres[i].y, std::lround(boxes[i].width),
                       std::lround(boxes[i].height)};
  for (size_t i = 0; i < graph.edges.size(); i++) {
    const DrawnEdge &edge = graph.edges[i];
    edges.push_back({{"from", edge.from},
                     {"to", edge.to},
                     {"count", count_json(edge.count)},
                     {"flags", flags_json(edge.flags)},
                     {"points", points_json(layout->lines[i])}});
    if (edge.flow_edge >= 0)
      if (const std::string &outcome = formatter_.branches(function).outcome(edge.flow_edge); !outcome.empty())
        edges.back()["outcome"] = visible(outcome);
  }
  json.update({{"width", layout->width}, {"height", layout->height}});
  json.update({{"nodes", std::move(nodes)}, {"edges", std::move(edges)}});
  return json;
}

// ---- paths ----

Json Details::lines_json(const Function &function, const std::vector<Stretch> &line_sequence) {
  Json json = Json::array();
  for (const Stretch &stretch : line_sequence) {
    json.push_back({files_.number_of(function, stretch.file), stretch.first, stretch.last});
    if (stretch.contexts)
      json.back().push_back(stretch.contexts);
  }
  return json;
}

// Adds the number ("line") and the text ("code") of a source line.
void Details::add_code(Json &json, const std::optional<SourceLine> &at) {
  if (const std::string *text = at ? files_.line(*at->function, at->file, at->line) : nullptr)
    json.update({{"line", at->line}, {"code", stripped(*text)}});
}

void Details::add_drawn(Json &json, size_t function, const Path &path) const {
  auto at = drawn_.find(function);
  if (at == drawn_.end())
    return;
  add_drawn(json, profile_.functions[function], at->second[0], path);
  if (at->second.size() > 1)
    add_drawn(json["unfolded"], profile_.functions[function], at->second[1], path);
}

// Adds "nodes" and "edges": the nodes and edges of a drawing that the path goes through. Also adds "context", the
// number of edges in the path's context, and "over", the edge at which the path ends.
void Details::add_drawn(Json &json, const Function &function, const DrawnGraph &graph, const Path &path) {
  if (graph.extent == Extent::None)
    return;
  Json nodes = Json::array(), edges = Json::array();
  auto add_node = [&](int block) {
    int node = graph.node_of[static_cast<size_t>(block)];
    if (node >= 0 && (nodes.empty() || nodes.back() != node))
      nodes.push_back(node);
  };
  for (int block : path.blocks)
    add_node(block);
  for (const CollapsedLoopVisit &visit : path.loop_visits)
    add_node(visit.head);
  size_t in_context = 0;
  for (size_t i = 0; i < path.edges.size(); i++) {
    int edge = graph.edge_of[static_cast<size_t>(path.edges[i])];
    if (edge < 0)
      continue;
    in_context += i < path.context_edges;
    edges.push_back(edge);
    if (Json to = graph.edges[static_cast<size_t>(edge)].to; std::find(nodes.begin(), nodes.end(), to) == nodes.end())
      nodes.push_back(to); // EXIT, which the steps of interprocedural paths do not list
  }
  json["nodes"] = std::move(nodes);
  json["edges"] = std::move(edges);
  if (in_context)
    json["context"] = in_context;
  int over = ending_edge(function.notes.graph, path);
  if (over >= 0 && graph.edge_of[static_cast<size_t>(over)] >= 0)
    json["over"] = graph.edge_of[static_cast<size_t>(over)];
}

static Json costs_json(const HotPath &hot, const Ranking &ranking) {
  Json json = {{"id", digits(hot.id)},
               {"count", count_json(hot.count)},
               {"share", ranking.share_of(hot.weight)},
               {"statements", count_json(hot.statements)}};
  if (hot.cycles)
    json["cycles"] = count_json(*hot.cycles);
  if (hot.cost)
    json["cost"] = std::round(*hot.cost);
  return json;
}

Json Details::path_json(const RankedFunction &ranked, const HotPath &hot) {
  const Function &function = profile_.functions[ranked.index];
  Path path = decoder_.path(hot);
  Json json = costs_json(hot, ranking_);
  json.update({{"start", to_string(path.start)}, {"end", to_string(path.end)}, {"trail", trails_.at(&hot)}});
  if (is_residual(function, hot.id))
    json["residual"] = true;
  add_code(json, hottest_line(function, path));
  json["lines"] = lines_json(function, line_sequence_of(function, path));
  add_drawn(json, ranked.index, path);
  if (Json parts = parts_json(ranked.index, path); parts.size() > 1)
    json["parts"] = std::move(parts);
  return json;
}

// Returns the parts of a path. Each part contains the edges between its blocks and the edge that leads to the part.
Json Details::parts_json(size_t index, const Path &path) {
  const Function &function = profile_.functions[index];
  std::vector<size_t> begins = parts_of(function.notes.graph, path);
  Json parts = Json::array();
  for (size_t i = 0; i < begins.size(); i++) {
    size_t end = i + 1 < begins.size() ? begins[i + 1] : path.blocks.size();
    Path part = part_of(path, begins[i], end);
    for (size_t e = 0; e < path.edges.size(); e++)
      if (block_behind(path, e) >= begins[i] && (block_behind(path, e) < end || i + 1 == begins.size()))
        part.edges.push_back(path.edges[e]);
    Json shown = {{"trail", line_sequence_text(function, part, names_)},
                  {"lines", lines_json(function, line_sequence_of(function, part))}};
    if (begins[i] < path.context_blocks)
      shown["context"] = true;
    part.end = PathEnd::Exit; // the path does not end after this part
    add_drawn(shown, index, part);
    parts.push_back(std::move(shown));
  }
  return parts;
}

// Serializes an interprocedural path for the view of one of its functions. The path's steps in this function are
// combined, and steps in the context are excluded.
Json Details::program_path_json(const RankedFunction &ranked, const HotPath &hot) {
  ShownPath path(profile_, hot.program, hot.id);
  Json json = costs_json(hot, ranking_);
  json.update({{"unit", hot.program},
               {"start", to_string(path.path().start)},
               {"end", to_string(path.path().end)},
               {"trail", trails_.at(&hot)}});
  add_code(json, hottest_line(path));
  Json lines = Json::array();
  Path all;
  for (size_t step = path.path().prefix_len; step < path.path().steps.size(); step++) {
    if (&path.function_of(step) != &profile_.functions[ranked.index])
      continue;
    if (!json.contains("step"))
      json["step"] = step;
    for (Json &stretch : lines_json(path.function_of(step), path.line_sequence(step)))
      lines.push_back(std::move(stretch));
    Path piece = piece_of(path.interprocedural_unit(), path.path(), step);
    all.blocks.insert(all.blocks.end(), piece.blocks.begin(), piece.blocks.end());
    all.edges.insert(all.edges.end(), piece.edges.begin(), piece.edges.end());
  }
  json["lines"] = std::move(lines);
  add_drawn(json, ranked.index, all);
  return json;
}

std::vector<char> Details::blocks_of_paths(const RankedFunction &ranked) {
  std::vector<char> passed(profile_.functions[ranked.index].notes.blocks.size(), 0);
  auto pass = [&](int block) { passed[static_cast<size_t>(block)] = 1; };
  for (const HotPath &hot : ranked.paths) {
    if (hot.count == 0) // executed only in an earlier profile
      continue;
    if (!hot.is_of_program()) {
      Path path = decoder_.path(hot);
      std::for_each(path.blocks.begin(), path.blocks.end(), pass);
      for (const CollapsedLoopVisit &visit : path.loop_visits)
        pass(visit.head);
      continue;
    }
    ShownPath path(profile_, hot.program, hot.id);
    for (size_t step = 0; step < path.path().steps.size(); step++)
      if (&path.function_of(step) == &profile_.functions[ranked.index]) {
        const std::vector<int> blocks = piece_of(path.interprocedural_unit(), path.path(), step).blocks;
        std::for_each(blocks.begin(), blocks.end(), pass);
      }
  }
  return passed;
}

Json Details::sequences_json(size_t function) const {
  Json json = Json::array();
  for (size_t i = 0; i < ranking_.sequences.size(); i++) {
    const Sequence &sequence = ranking_.sequences[i];
    if (sequence.function != function)
      continue;
    Json steps = Json::array();
    for (const SequenceStep &step : steps_of(sequence))
      steps.push_back({std::to_string(step.path), step.times});
    json.push_back({{"rank", i + 1},
                    {"share", ranking_.share_of(sequence)},
                    {"count", count_json(sequence.count)},
                    {"length", sequence.paths.size()},
                    {"repeated", repetition_text(sequence)},
                    {"steps", std::move(steps)}});
  }
  return json;
}

// ---- source ----

// Groups lines into ranges. Short gaps between lines are included in the ranges.
static Json ranges_json(const std::vector<uint32_t> &lines) {
  Json ranges = Json::array();
  for (uint32_t line : lines) {
    if (ranges.empty() || line - ranges.back()[1].get<uint32_t>() > kGap + 1)
      ranges.push_back({line, line});
    ranges.back()[1] = line;
  }
  return ranges;
}

// Returns the changed lines in the ranges.
Json Details::changed_json(const Function &function, const std::string &file, const Json &ranges) const {
  Json changed = Json::array();
  const std::vector<std::string> &files = *function.files;
  auto index = static_cast<size_t>(std::find(files.begin(), files.end(), file) - files.begin());
  const ChangedLines *lines = changed_ ? changed_->of(*function.sources, index, names_) : nullptr;
  if (lines)
    for (const Json &range : ranges)
      for (auto line = range[0].get<uint32_t>(); line <= range[1].get<uint32_t>(); line++)
        if (lines->has(line))
          changed.push_back(line);
  return changed;
}

// Returns the source of a function: one section per file for the function's own code, starting with the function's
// file, and one section per inlined function. The line counts include only executions in this function.
Json Details::source_json(const Function &function, const Decoded &decoded) {
  using Owner = std::pair<std::string, std::string>;              // name of the inlined function, or empty, and file
  std::map<Owner, std::set<std::pair<uint32_t, uint32_t>>> owned; // line number and file
  for (const BlockNotes &block : function.notes.blocks)
    for (const LineRef &line : block.lines)
      if (line.line)
        owned[{function_of_site(function, line), (*function.files)[line.file]}].insert({line.line, line.file});
  std::map<Line, LineCount> counts = count_lines(function, decoded);
  std::vector<Owner> order;
  for (const auto &[owner, lines] : owned)
    order.push_back(owner);
  std::stable_partition(order.begin(), order.end(), [&](const Owner &owner) {
    return owner == Owner{"", function.file};
  });
  Json sections = Json::array();
  for (const Owner &owner : order) {
    std::vector<uint32_t> numbers;
    Json counted = Json::array();
    uint32_t first = owned[owner].begin()->first;
    bool has_heading = owner == order.front() && owner.second == function.file && function.notes.line < first &&
                       first - function.notes.line <= kGap;
    if (has_heading)
      numbers.push_back(function.notes.line);
    for (const auto &[number, file] : owned[owner]) {
      numbers.push_back(number);
      counted.push_back({number, count_json(counts[{file, number}].count())});
    }
    Json ranges = ranges_json(numbers);
    for (const Json &range : ranges)
      files_.need(function, owner.second, range[0], range[1]);
    sections.push_back(
        {{"file", files_.number_of(function, owner.second)}, {"ranges", ranges}, {"counts", std::move(counted)}});
    if (!owner.first.empty())
      sections.back()["of"] = names_.function(owner.first);
    if (Json changed = changed_json(function, owner.second, ranges); !changed.empty())
      sections.back()["changed"] = std::move(changed);
  }
  return sections;
}

// ---- functions and programs ----

PathLabel Details::label_of(const HotPath &hot) {
  return pathprof::path_label(profile_, decoder_, hot, formatter_);
}

Json Details::function(const RankedFunction &ranked) {
  const Function &function = profile_.functions[ranked.index];
  const FunctionNotes &notes = function.notes;
  const Decoded &decoded = decoder_.decoded(ranked.index);
  std::vector<DrawnGraph> &graphs = drawn_[ranked.index];
  graphs = draw_graph(function, count_edges(function, decoded), blocks_of_paths(ranked));
  std::vector<PathLabel> labels;
  for (const HotPath &hot : ranked.paths)
    labels.push_back(label_of(hot));
  trails_.clear();
  for (size_t i = 0; i < labels.size(); i++)
    trails_[&ranked.paths[i]] = formatter_.shown(with_calls(labels[i]));
  Json paths = Json::array();
  for (const HotPath &hot : ranked.paths)
    paths.push_back(hot.is_of_program() ? program_path_json(ranked, hot) : path_json(ranked, hot));
  Json json = {{"key", ranked.key},
               {"name", names_.function(notes.name)},
               {"assembler", notes.name},
               {"file", names_.file(function.file)},
               {"line", notes.line},
               {"share", ranking_.share_of(ranked.weight)},
               {"calls", count_json(ranked.calls)},
               {"executions", count_json(ranked.totals.executions)},
               {"executed", ranked.num_executed},
               {"static", grouped(short_number(num_own_paths(function)))},
               {"uncut", grouped(short_number(notes.num_paths_uncut))},
               {"mode", to_string(notes.model.mode)},
               {"k", notes.model.k},
               {"stage", to_string(notes.stage)},
               {"graph", graph_json(function, graphs[0])},
               {"paths", std::move(paths)},
               {"source", source_json(function, decoded)}};
  if (graphs.size() > 1)
    json["unfolded"] = graph_json(function, graphs[1]);
  if (Json sequences = sequences_json(ranked.index); !sequences.empty())
    json["sequences"] = std::move(sequences);
  return json;
}

Json Details::step_json(const ShownPath &path, size_t step) {
  const Function &function = path.function_of(step);
  size_t index = static_cast<size_t>(&function - profile_.functions.data());
  static const char *const kinds[] = {"begin", "call", "return", "restart"};
  Json json = {{"name", names_.function(function.notes.name)},
               {"way", kinds[static_cast<int>(path.path().steps[step].from)]},
               {"depth", path.depth(step)},
               {"trail", formatter_.shown(path.step_elements(step, formatter_))},
               {"step", step},
               {"lines", lines_json(path.function_of(step), path.line_sequence(step))}};
  if (path.is_context(step))
    json["context"] = true;
  auto ranked = ranked_.find(index);
  if (ranked == ranked_.end() || !ranked->second->is_detailed)
    return json;
  json["function"] = ranked->second->key;
  Path piece = piece_of(path.interprocedural_unit(), path.path(), step);
  add_drawn(json, index, piece);
  return json;
}

// Only the first kMostSteps steps of a long path are included.
Json Details::program(size_t index, const std::set<WideNumber> &ids) {
  static constexpr size_t kMostSteps = 400;
  Json paths = Json::array();
  for (const ExecutedProgramPath &executed : profile_.interprocedural_units[index].paths) {
    if (!ids.count(executed.id))
      continue;
    ShownPath path(profile_, index, executed.id);
    uint64_t statements = path.statements();
    Weight weight = ranking_.basis.by_cycles ? 0 : static_cast<Weight>(executed.count) * statements;
    if (ranking_.basis.costs)
      weight = static_cast<Weight>(std::llround(cost_of(*ranking_.basis.costs, path, executed.count)));
    Json steps = Json::array();
    size_t step = 0;
    for (; step < path.path().steps.size() && steps.size() < kMostSteps; step++)
      if (path.is_shown(step))
        steps.push_back(step_json(path, step));
    paths.push_back({{"id", digits(executed.id)},
                     {"count", count_json(executed.count)},
                     {"share", ranking_.share_of(weight)},
                     {"statements", count_json(statements)},
                     {"start", to_string(path.path().start)},
                     {"end", to_string(path.path().end)},
                     {"trail", path.calls_text(names_)},
                     {"steps", std::move(steps)},
                     {"more", path.path().steps.size() - step}});
  }
  return {{"name", name_of(profile_.interprocedural_units[index], names_)}, {"paths", std::move(paths)}};
}

} // namespace pathprof::html
