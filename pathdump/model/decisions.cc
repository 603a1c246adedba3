// SPDX-License-Identifier: GPL-3.0-or-later
// Comparing the branches of two paths of a function.
#include "pathdump/model/decisions.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/models/model.h"
#include "pathdump/model/flow_json.h"

namespace pathprof {

std::vector<int> Decisions::of(uint64_t id) const {
  std::vector<int> walk = decoded_.numbering.walk_of(id);
  walk.erase(std::remove_if(walk.begin(), walk.end(),
                            [&](int e) { return decoded_.graph.succs(decoded_.graph.edge(e).src).size() < 2; }),
             walk.end());
  return walk;
}

// Nodes without a block stand before the head of a loop.
int Decisions::block_of(const PathEdge &edge) const {
  int block = decoded_.graph.block_of(edge.src);
  return block >= 0 ? block : decoded_.graph.block_of(edge.dst);
}

Json Decisions::edge_json(int e) const {
  const PathEdge &edge = decoded_.graph.edge(e);
  if (edge.kind == PathEdgeKind::Real && edge.src != kEntryBlock)
    return flags_json(function_.notes.graph.edge(edge.via.front()).flags);
  if (edge.kind == PathEdgeKind::Choice)
    return Json::array({model_of(function_.notes.model).choice_text(function_.notes.graph, edge)});
  if (edge.kind == PathEdgeKind::End)
    return Json::array({fmt::format("to {}", to_string(decoded_.graph.end_of(edge)))});
  return Json::array({fmt::format("from {}", edge.src == kEntryBlock && edge.kind == PathEdgeKind::Start
                                                 ? fmt::format("{} at {}", to_string(decoded_.graph.start_of(edge)),
                                                               target_place(decoded_.graph.block_of(edge.dst)))
                                                 : "entry")});
}

std::vector<Difference> Decisions::differences(const std::vector<int> &path, const std::vector<int> &other) const {
  std::map<int, int> taken_by_other; // by node
  for (int e : other)
    taken_by_other[decoded_.graph.edge(e).src] = e;
  std::vector<Difference> result;
  for (int e : path) {
    int node = decoded_.graph.edge(e).src, block = block_of(decoded_.graph.edge(e));
    auto at = taken_by_other.find(node);
    int to = decoded_.graph.block_of(decoded_.graph.edge(e).dst);
    if (at == taken_by_other.end())
      result.push_back({block, edge_json(e), nullptr, {to, 0}});
    else if (at->second != e)
      result.push_back({block,
                        edge_json(e),
                        edge_json(at->second),
                        {to, decoded_.graph.block_of(decoded_.graph.edge(at->second).dst)}});
  }
  return result;
}

// The last line of the function's own in a block; that is where it branches.
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

// The first one: where control goes.
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

std::string Decisions::text(const std::vector<Difference> &differences) const {
  std::vector<std::string> parts;
  for (const Difference &difference : differences)
    parts.push_back(fmt::format(
        "{}: {}, {}", branch_place(difference.block), edge_text(difference.taken, difference.to[0]),
        difference.other.is_null() ? "not passed there" : edge_text(difference.other, difference.to[1]) + " there"));
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
