// SPDX-License-Identifier: GPL-3.0-or-later
// Formats the decisions of paths and compares two paths.
#include "pathdump/describe/decisions.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/models/model.h"
#include "pathdump/describe/flow_json.h"
#include "pathdump/describe/line_sequence.h"
#include "pathdump/ui/text.h"

namespace pathprof {

// ---- paths ----

std::string Decision::text() const {
  if (kind == Kind::Start)
    return "from " + file + place;
  if (kind == Kind::LoopVisit)
    return place;
  if (kind == Kind::Stop)
    return "stopped at " + place;
  std::string text = outcome.empty() ? std::string() : file + place + ":" + outcome;
  for (const char *word : {goes_around ? "around" : "", leaves ? "left" : ""})
    if (*word)
      text += (text.empty() ? "" : " ") + std::string(word);
  return text;
}

// Returns a decision at the branch that ends a block.
static Decision decision_at(const Branches &branches, int block, const std::string &outcome) {
  const BranchPlace &place = branches.place(block);
  Decision decision;
  decision.block = block;
  decision.file = place.file;
  decision.place = place.number;
  decision.line = place.line;
  decision.outcome = outcome;
  return decision;
}

namespace {

// Collects the decisions of a path.
class Collector {
public:
  Collector(const Branches &branches, const Path &path)
      : branches_(branches), path_(path), graph_(branches.function().notes.graph) {}

  std::vector<Decision> run() {
    if (!path_.blocks.empty() && path_.blocks.front() != kEntryBlock)
      add_start(path_.blocks.front(), 0);
    size_t passed = 0;
    for (size_t i = 0; i < path_.edges.size(); i++) {
      for (; passed < path_.loop_visits.size() && path_.loop_visits[passed].edges == i; passed++)
        add_loop_visit(path_.loop_visits[passed]);
      size_t block = i - passed; // index of the block that the edge leaves
      add_edge(path_.edges[i], contexts_behind(block));
      if (std::count(path_.contexts.begin(), path_.contexts.end(), block + 1) && block + 1 < path_.blocks.size())
        add_start(path_.blocks[block + 1], block + 1);
    }
    for (; passed < path_.loop_visits.size(); passed++)
      add_loop_visit(path_.loop_visits[passed]);
    add_end();
    remove_redundant_starts();
    return std::move(decisions_);
  }

private:
  size_t contexts_behind(size_t block) const {
    return static_cast<size_t>(path_.contexts.end() -
                               std::upper_bound(path_.contexts.begin(), path_.contexts.end(), block));
  }

  void add_start(int block, size_t index) {
    Decision start;
    start.kind = Decision::Kind::Start;
    start.block = block;
    start.place = branches_.start(block);
    start.contexts = contexts_behind(index);
    decisions_.push_back(std::move(start));
  }

  // Removes each element that only marks the start of the path, or of a part of its context, if the next element is a
  // decision in the same block. The decision already shows this position.
  void remove_redundant_starts() {
    for (size_t i = decisions_.size(); i-- > 1;) {
      const Decision &start = decisions_[i];
      bool is_said = i + 1 < decisions_.size() && decisions_[i + 1].block == start.block &&
                     !decisions_[i + 1].outcome.empty() && decisions_[i + 1].contexts == start.contexts;
      if (start.kind == Decision::Kind::Start && is_said)
        decisions_.erase(decisions_.begin() + static_cast<ptrdiff_t>(i));
    }
  }

  void add_loop_visit(const CollapsedLoopVisit &visit) {
    Decision decision;
    decision.kind = Decision::Kind::LoopVisit;
    decision.block = visit.head;
    decision.place = loop_visit_text(branches_.function(), visit);
    decision.contexts = visit.blocks ? contexts_behind(visit.blocks - 1) : path_.contexts.size();
    decisions_.push_back(std::move(decision));
  }

  void add_edge(int e, size_t contexts) {
    const Edge &edge = graph_.edge(e);
    Decision decision = decision_at(branches_, edge.src, branches_.outcome(e));
    decision.contexts = contexts;
    decision.edge = e;
    decision.goes_around = edge.flags & kBack;
    decision.leaves = branches_.leaves_loop(e);
    if (!decision.outcome.empty() || decision.goes_around || (decision.leaves && branches_.decides(edge.src)))
      decisions_.push_back(std::move(decision));
  }

  // Adds the call or the edge at which the path ends. If it is unknown at which of several edges the path ended, lists
  // the outcomes of all these edges.
  void add_end() {
    if (path_.end == PathEnd::Call) {
      Decision stop;
      stop.kind = Decision::Kind::Stop;
      stop.block = path_.blocks.back();
      stop.place = branches_.stop(stop.block, path_.call);
      decisions_.push_back(std::move(stop));
    }
    if (path_.blocks.empty() || path_.ends_in_loop_visit() ||
        (path_.end != PathEnd::BackEdge && path_.end != PathEnd::Cut))
      return;
    std::vector<int> over = cut_succs(graph_, path_.blocks.back());
    if (over.size() == 1)
      return add_edge(over.front(), 0);
    std::vector<std::string> outcomes;
    for (int e : over)
      outcomes.push_back(branches_.outcome(e));
    static constexpr size_t kFew = 3;
    bool are_many = outcomes.size() > kFew || std::count(outcomes.begin(), outcomes.end(), "");
    Decision decision =
        decision_at(branches_, path_.blocks.back(), are_many ? "jumps" : fmt::format("{}", fmt::join(outcomes, "|")));
    decision.goes_around = path_.end == PathEnd::BackEdge;
    if (!over.empty())
      decisions_.push_back(std::move(decision));
  }

  const Branches &branches_;
  const Path &path_;
  const FlowGraph &graph_;
  std::vector<Decision> decisions_;
};

} // namespace

std::vector<Decision> decisions_of(const Branches &branches, const Path &path) {
  return Collector(branches, path).run();
}

// ---- class PathFormatter ----

const Branches &PathFormatter::branches(const Function &function) {
  return branches_.try_emplace(&function, function, names_, sources_).first->second;
}

std::vector<std::string> PathFormatter::calls(const Function &function, const Path &path) const {
  std::vector<std::string> names;
  if (callees_)
    for (const std::string &name : callees_->not_counted(function, path))
      if (std::string shown = names_.function(name); std::find(names.begin(), names.end(), shown) == names.end())
        names.push_back(std::move(shown));
  return names;
}

// Returns true if "from 8" and "8:T" can be combined into "from 8:T".
static bool says_start(const Decision &start, const Decision &next) {
  return start.kind == Decision::Kind::Start && next.kind == Decision::Kind::Branch && !next.outcome.empty() &&
         next.block == start.block && next.file + next.place == start.place && next.contexts == start.contexts;
}

// Returns the element of a decision. If `has_texts` is false, the parts that codes_of() does not print are left out.
PathElement PathFormatter::element_of(const Function &function, const Decision &decision, bool has_texts) {
  PathElement element;
  if (has_texts)
    element.function = {names_.function(function.notes.name), names_.file(function.file)};
  bool is_start = decision.kind == Decision::Kind::Start;
  element.takes_own_file = decision.file.empty() && (is_start || !decision.outcome.empty());
  if (decision.kind != Decision::Kind::Branch) {
    element.text = decision.text();
    if (is_start) {
      element.start = "from ";
      element.text.erase(0, element.start.size());
    }
    return element;
  }
  if (!decision.outcome.empty()) {
    element.place = decision.file + decision.place;
    element.outcome = decision.outcome;
  }
  if (!decision.outcome.empty() && has_texts) {
    const Branches &names = branches(function);
    element.line = decision.file + decision.line;
    element.condition = visible(names.condition(decision.block));
    const BranchNotes *branch = function.notes.branch_at(decision.block);
    if (branch && branch->is_switch && !element.condition.empty())
      element.condition = "switch (" + element.condition + ")";
  }
  if (decision.goes_around)
    element.events.push_back("around");
  if (decision.leaves)
    element.events.push_back("left");
  return element;
}

PathElements PathFormatter::make_elements(const Function &function, const std::vector<Decision> &decisions,
                                          bool has_texts, bool &named_own_file) {
  PathElements path;
  for (size_t i = 0; i < decisions.size(); i++) {
    bool is_start = i + 1 < decisions.size() && says_start(decisions[i], decisions[i + 1]);
    if (is_start)
      i++;
    PathElement element = element_of(function, decisions[i], has_texts);
    if (is_start)
      element.start = "from ";
    if (element.takes_own_file && !named_own_file) {
      element.own_file = other_place_text(function.file, "", names_);
      named_own_file = true;
    }
    path.push_back(std::move(element));
  }
  return path;
}

PathElements PathFormatter::make_elements(const Function &function, const Path &path, bool has_texts) {
  if (in_lines())
    return {text_element(line_sequence_text(function, path, names_))};
  std::vector<Decision> decisions = decisions_of(branches(function), path);
  if (decisions.empty() && path.contexts.empty())
    return {text_element(line_sequence_text(function, path, names_))};
  bool named_own_file = false;
  PathElements elements;
  for (size_t contexts = path.contexts.size() + 1; contexts-- > 0;) {
    std::vector<Decision> part;
    std::copy_if(decisions.begin(), decisions.end(), std::back_inserter(part),
                 [&](const Decision &decision) { return decision.contexts == contexts; });
    PathElements of_part = make_elements(function, part, has_texts, named_own_file);
    if (of_part.empty())
      of_part.push_back(text_element("-"));
    if (contexts) {
      of_part.front().open = "(";
      of_part.back().close = ")";
    }
    elements.insert(elements.end(), of_part.begin(), of_part.end());
  }
  return elements;
}

PathElements PathFormatter::elements(const Function &function, const std::vector<Decision> &decisions,
                                     bool &named_own_file) {
  PathElements path = make_elements(function, decisions, in_conditions(), named_own_file);
  if (in_conditions())
    listed_->add(path);
  return path;
}

PathElements PathFormatter::elements(const Function &function, const Path &path) {
  PathElements elements = make_elements(function, path, in_conditions());
  if (in_conditions())
    listed_->add(elements);
  return elements;
}

std::vector<std::string> PathFormatter::items(const PathElements &path) const {
  return in_conditions() ? listed_->items(path) : code_items(path);
}

std::string PathFormatter::shown(const PathElements &path) const {
  return fmt::format("{}", fmt::join(items(path), " "));
}

std::string PathFormatter::paragraph(const Output &out, const PathElements &path, size_t used, size_t indent) const {
  if (in_lines() || out.row_width() <= indent)
    return shown(path);
  size_t width = out.row_width();
  std::vector<std::string> lines = wrapped(items(path), width - std::min(width, used), width - indent);
  return fmt::format("{}", fmt::join(lines, "\n" + std::string(indent, ' ')));
}

std::string PathFormatter::branch_text(const Function &function, int block, const std::string &outcome) {
  PathElements path = {element_of(function, decision_at(branches(function), block, outcome), in_conditions())};
  if (in_conditions())
    listed_->add(path);
  return shown(path);
}

Json PathFormatter::json(const Function &function, const Path &path) {
  Json json = Json::array();
  size_t contexts = path.contexts.size();
  if (contexts > 0)
    json.push_back("(");
  auto go_to = [&](size_t wanted) {
    for (; contexts > wanted; contexts--) {
      json.push_back(")");
      if (contexts > 1)
        json.push_back("(");
    }
  };
  for (const Decision &decision : decisions_of(branches(function), path)) {
    go_to(decision.contexts);
    json.push_back(decision.text());
  }
  go_to(0);
  return json;
}

Json PathFormatter::conditions_json(const Function &function, const Path &path) {
  const Branches &names = branches(function);
  Json json = Json::array();
  std::set<int> seen;
  for (const Decision &decision : decisions_of(names, path)) {
    if (decision.outcome.empty() || !seen.insert(decision.block).second)
      continue;
    std::string text = names.condition(decision.block);
    const BranchNotes *branch = function.notes.branch_at(decision.block);
    if (!text.empty())
      json.push_back({{"place", decision.file + decision.place},
                      {"line", branch->at.line},
                      {"column", branch->column},
                      {"text", visible(text)}});
  }
  return json;
}

// Returns the source text of the condition at a decision. If the text is unknown and the position contains the number
// of the condition, as in "108#2", returns an explanation of this number.
static std::string legend_text(const Branches &names, const Decision &decision) {
  std::string condition = decision.outcome.empty() ? "" : names.condition(decision.block);
  size_t number = decision.kind == Decision::Kind::Branch && !decision.outcome.empty() ? decision.place.rfind('#')
                                                                                       : std::string::npos;
  if (condition.empty() && number != std::string::npos)
    return fmt::format("condition {} at this position; its source text is unknown", decision.place.substr(number + 1));
  return condition;
}

void PathFormatter::note(const Function &function, const std::vector<Decision> &decisions) {
  if (form_ != Form::Codes)
    return;
  const Branches &names = branches(function);
  auto of_function =
      std::find_if(legend_.begin(), legend_.end(), [&](const auto &one) { return one.first == &function; });
  for (const Decision &decision : decisions) {
    std::string condition = legend_text(names, decision);
    if (condition.empty())
      continue;
    if (of_function == legend_.end())
      of_function = legend_.insert(legend_.end(), {&function, {}});
    std::pair<std::string, std::string> line{decision.file + decision.place, visible(condition)};
    if (std::find(of_function->second.begin(), of_function->second.end(), line) == of_function->second.end())
      of_function->second.push_back(std::move(line));
  }
}

void PathFormatter::print_legend(Output &out) const {
  static constexpr size_t kWidest = 70;
  if (in_conditions())
    listed_->print_legend(out);
  if (legend_.empty())
    return;
  out.write("\n");
  print_remark("Conditions: T is true, F is false", out);
  for (const auto &[function, lines] : legend_) {
    out.print("{} {}\n", paint(out, Colour::Name, names_.function(function->notes.name)),
              paint(out, Colour::Place, "(" + names_.file(function->file) + ")"));
    for (const auto &[place, condition] : lines)
      out.print("{}  {}\n", paint(out, Colour::Place, fmt::format("{:>10}", place)), cut_text(condition, kWidest));
  }
}

// Returns the rows whose codes are not unique.
static std::vector<PathLabel *> alike(std::vector<PathLabel> &rows) {
  std::map<std::tuple<std::string, std::string, std::string, std::string>, std::vector<PathLabel *>> by_text;
  for (PathLabel &row : rows)
    by_text[{row.function, row.start, row.end, codes_of(row.elements)}].push_back(&row);
  std::vector<PathLabel *> found;
  for (auto &[text, same] : by_text)
    if (same.size() > 1)
      found.insert(found.end(), same.begin(), same.end());
  return found;
}

static void disambiguate(std::vector<PathLabel> &rows) {
  auto change = [&](size_t i, auto PathLabel::*texts, auto &&apply) {
    bool any = false;
    for (PathLabel *row : alike(rows))
      if (i < (row->*texts).size()) {
        apply(*row, (row->*texts)[i]);
        any = true;
      }
    return any;
  };
  auto say_longer = [](PathLabel &row, const PathElements &longer) { row.elements = longer; };
  auto append = [](PathLabel &row, const std::string &text) { row.elements.push_back(text_element("(" + text + ")")); };
  for (size_t i = 0; change(i, &PathLabel::longer, say_longer); i++)
    ;
  for (size_t i = 0; change(i, &PathLabel::last_resorts, append); i++)
    ;
}

// Returns text such as "calls malloc, strlen, memcpy, ...".
static std::string calls_text(const std::vector<std::string> &calls) {
  static constexpr size_t kMost = 3;
  std::vector<std::string> first(calls.begin(), calls.begin() + static_cast<ptrdiff_t>(std::min(kMost, calls.size())));
  return fmt::format("calls {}{}", fmt::join(first, ", "), calls.size() > kMost ? ", ..." : "");
}

PathElements with_calls(const PathLabel &row) {
  PathElements elements = row.elements;
  if (!row.calls.empty())
    elements.push_back(text_element(calls_text(row.calls)));
  return elements;
}

void complete(std::vector<PathLabel> &rows, const PathFormatter &formatter) {
  if (!formatter.in_lines())
    disambiguate(rows);
  for (PathLabel &row : rows) {
    row.elements = with_calls(row);
    row.path = formatter.shown(row.elements);
  }
}

// Returns the codes of each row, broken into lines of at most `width` characters.
static std::vector<std::string> folded_codes(const std::vector<PathLabel> &rows, size_t width) {
  std::vector<std::string> texts;
  for (const PathLabel &row : rows)
    texts.push_back(fmt::format("{}", fmt::join(wrapped(code_items(row.elements), width, width), "\n")));
  return texts;
}

void fit_paths(Table &table, const std::vector<PathLabel> &rows, const PathFormatter &formatter) {
  if (formatter.in_lines())
    return;
  table.fit_last_column([&rows, &formatter](size_t width) {
    if (!formatter.in_conditions())
      return folded_codes(rows, width);
    std::vector<const PathElements *> paths;
    for (const PathLabel &row : rows)
      paths.push_back(&row.elements);
    return formatter.listed().fit(paths, width);
  });
}

// ---- two paths ----

std::string nearest_text(const std::string &text, const PathElements &path, const PathFormatter &formatter,
                         const Output &out) {
  static constexpr size_t kIndent = 6;
  return fmt::format("{:{}}{}{}\n", "", kIndent, text,
                     formatter.paragraph(out, path, kIndent + num_characters(text), kIndent + 2));
}

std::vector<int> Decisions::of(uint64_t id) const {
  std::vector<int> walk = decoded_.numbering.walk_of(id);
  walk.erase(std::remove_if(walk.begin(), walk.end(),
                            [&](int e) { return decoded_.graph.succs(decoded_.graph.edge(e).src).size() < 2; }),
             walk.end());
  return walk;
}

// Returns the source block of the edge. If the source node has no block, returns the loop header to which the edge
// leads.
int Decisions::block_of(const PathEdge &edge) const {
  int block = decoded_.graph.block_of(edge.src);
  return block >= 0 ? block : decoded_.graph.block_of(edge.dst);
}

Json Decisions::edge_json(int e) const {
  const PathEdge &edge = decoded_.graph.edge(e);
  if (edge.kind == PathEdgeKind::Real && edge.src != kEntryBlock)
    return flags_json(function_.notes.graph.edge(edge.via.front()).flags);
  if (edge.kind == PathEdgeKind::Decision)
    return Json::array({model_of(function_.notes.model).choice_text(function_.notes.graph, edge)});
  if (edge.kind == PathEdgeKind::End)
    return Json::array({fmt::format("to {}", to_string(decoded_.graph.end_of(edge)))});
  return Json::array({fmt::format("from {}", edge.src == kEntryBlock && edge.kind == PathEdgeKind::Start
                                                 ? fmt::format("{} at {}", to_string(decoded_.graph.start_of(edge)),
                                                               target_place(decoded_.graph.block_of(edge.dst)))
                                                 : "entry")});
}

std::vector<Difference> Decisions::differences(const std::vector<int> &path, const std::vector<int> &other) const {
  std::map<int, int> taken_by_other; // edges of the other path, by node
  for (int e : other)
    taken_by_other[decoded_.graph.edge(e).src] = e;
  auto flow_edge = [&](int e) {
    const PathEdge &edge = decoded_.graph.edge(e);
    return edge.kind != PathEdgeKind::Start && edge.src != kEntryBlock && edge.via.size() == 1 ? edge.via.front() : -1;
  };
  auto target = [&](int e) { return decoded_.graph.block_of(decoded_.graph.edge(e).dst); };
  std::vector<Difference> result;
  for (int e : path) {
    int node = decoded_.graph.edge(e).src, block = block_of(decoded_.graph.edge(e));
    auto at = taken_by_other.find(node);
    if (at == taken_by_other.end())
      result.push_back({block, edge_json(e), nullptr, {target(e), 0}, {flow_edge(e), -1}});
    else if (at->second != e)
      result.push_back({block,
                        edge_json(e),
                        edge_json(at->second),
                        {target(e), target(at->second)},
                        {flow_edge(e), flow_edge(at->second)}});
  }
  return result;
}

// Returns the position of a branch: the last line in its block that belongs to the function itself.
std::string Decisions::branch_place(int block) const {
  if (block == kEntryBlock)
    return "start";
  std::string place = target_place(block);
  if (block >= 0)
    for (const LineRef &line : function_.notes.blocks[static_cast<size_t>(block)].lines)
      if (line.site == 0)
        place = fmt::format("line {}", line.line);
  return place;
}

// Returns the position of a branch target: the first line in the block that belongs to the function itself.
std::string Decisions::target_place(int block) const {
  if (block == kExitBlock)
    return "the function's end";
  if (block < 0)
    return "a loop";
  for (const LineRef &line : function_.notes.blocks[static_cast<size_t>(block)].lines)
    if (line.site == 0)
      return fmt::format("line {}", line.line);
  return fmt::format("block {}", block);
}

std::string Decisions::edge_text(const Json &edge, int to) const {
  std::string text;
  for (const Json &flag : edge)
    text += (text.empty() ? "" : ",") + flag.get<std::string>();
  return text.empty() ? "to " + target_place(to) : text;
}

// Describes a difference between two paths by branch outcomes if the differing edges belong to the flow graph, and
// otherwise by source lines.
std::string Decisions::difference_text(const Difference &difference, PathFormatter &formatter) const {
  bool is_missing = difference.other.is_null();
  if (!formatter.in_lines() && difference.edge[0] >= 0 && (is_missing || difference.edge[1] >= 0)) {
    const Branches &branches = formatter.branches(function_);
    const FlowGraph &graph = function_.notes.graph;
    auto event = [&](int e) -> std::string {
      std::string text = graph.edge(e).flags & kBack ? "around" : branches.leaves_loop(e) ? "left" : "";
      return text.empty() ? "" : formatter.in_conditions() ? " (" + text + ")" : " " + text;
    };
    auto outcome = [&](int e) {
      std::string text = branches.outcome(e);
      return text.empty() && event(e).empty() ? std::string("continues") : text;
    };
    int edge = difference.edge[0], other = difference.edge[1];
    return fmt::format("{}{}, {}", formatter.branch_text(function_, graph.edge(edge).src, outcome(edge)), event(edge),
                       is_missing ? "not reached by the other path"
                                  : fmt::format("{}{} in the other path", outcome(other), event(other)));
  }
  return fmt::format("{}: {}, {}", branch_place(difference.block), edge_text(difference.taken, difference.to[0]),
                     is_missing ? "not reached by the other path"
                                : edge_text(difference.other, difference.to[1]) + " in the other path");
}

std::string Decisions::text(const std::vector<Difference> &differences, PathFormatter &formatter) const {
  std::vector<std::string> parts;
  for (const Difference &difference : differences)
    parts.push_back(difference_text(difference, formatter));
  std::string number = parts.size() == 1 ? "1 branch differs" : fmt::format("{} branches differ", parts.size());
  return fmt::format("{}: {}", number, fmt::join(parts, "; "));
}

Json Decisions::json(const std::vector<Difference> &differences) const {
  Json list = Json::array();
  for (const Difference &difference : differences) {
    Json lines = Json::array();
    if (difference.block >= 0)
      for (const LineRef &line : function_.notes.blocks[static_cast<size_t>(difference.block)].lines)
        if (line.site == 0 && std::find(lines.begin(), lines.end(), line.line) == lines.end())
          lines.push_back(line.line);
    list.push_back({{"block", difference.block},
                    {"lines", std::move(lines)},
                    {"taken", difference.taken},
                    {"nearest_taken", difference.other}});
  }
  return list;
}

} // namespace pathprof
