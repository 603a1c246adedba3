// SPDX-License-Identifier: GPL-3.0-or-later
// Applies justifications to code that is not covered.
#include "pathdump/coverage/justifications.h"

#include <algorithm>

#include "pathdump/coverage/find_path.h"
#include "pathdump/model/lines.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/opening.h"

namespace pathprof {

namespace {

bool has_run(const Function &function) {
  auto was_counted = [](const ExecutedPath &path) { return path.count > 0; };
  return std::any_of(function.paths.begin(), function.paths.end(), was_counted) ||
         std::any_of(function.cut_short.begin(), function.cut_short.end(), was_counted);
}

bool contains(const LineRange &range, uint32_t line) {
  return range.first <= line && line <= range.second;
}

} // namespace

Justifications::Justifications(ProfileView &view, const CoveredFiles &files,
                               const std::vector<JustificationEntry> &entries)
    : view_(view) {
  for (const auto &[name, file] : files)
    add_comments(name, file);
  for (const JustificationEntry &entry : entries)
    add(entry, files);
}

const Decoded &Justifications::decoded(const Function &function) {
  return view_.decoder.decoded(static_cast<size_t>(&function - view_.profile.functions.data()));
}

void Justifications::add_comments(const std::string &file, const CoveredFile &covered) {
  for (const JustifiedLines &comment : covered.justified) {
    Entry &entry = entries_.emplace_back();
    auto [first, last] = entry.lines = comment.lines;
    entry.is_comment = true;
    entry.shown.place = first == last ? fmt::format("{}:{}", file, first) : fmt::format("{}:{}-{}", file, first, last);
    entry.shown.reason = comment.reason;
    by_file_[file].push_back(&entry);
  }
}

void Justifications::add(const JustificationEntry &entry, const CoveredFiles &files) {
  Entry &added = entries_.emplace_back();
  added.shown.place = entry.decision        ? fmt::format("{}, decision {}", entry.function, entry.decision)
                      : !entry.path.empty() ? fmt::format("{}, path {}", entry.function, entry.path)
                                            : entry.function;
  added.shown.reason = entry.reason;
  added.shown.author = entry.author;
  added.shown.ticket = entry.ticket;
  try {
    const Function &function = find_function(view_.profile, entry.function, view_.names);
    std::string hash = hash_of(function, view_.sources);
    added.shown.fault = hash.empty()          ? "the source of the function cannot be read"
                        : hash != entry.hash  ? "the function has changed since it was justified"
                        : entry.decision      ? add_decision(entry, function, added)
                        : !entry.path.empty() ? add_path(entry, function, added)
                                              : add_function(function, files, added);
  } catch (const Failure &failure) {
    added.shown.fault = failure.what();
  }
}

std::string Justifications::add_function(const Function &function, const CoveredFiles &files, Entry &added) {
  if (has_run(function))
    return "the function was executed";
  std::string file = view_.names.file(function.file);
  auto covered = files.find(file);
  if (covered == files.end())
    return "";
  for (const CoveredFunction &one : covered->second.functions)
    if (one.line == function.notes.line && one.calls > 0 && !one.shares_line)
      return "the function was executed";
    else if (one.line == function.notes.line)
      added.lines = {one.line, one.last_line};
  by_file_[file].push_back(&added);
  return "";
}

std::string Justifications::add_decision(const JustificationEntry &entry, const Function &function, Entry &added) {
  if (!has_conditions(function))
    return "the conditions of the function are not measured";
  std::vector<MeasuredDecision> decisions = decisions_of(function, decoded(function), view_.formatter);
  if (entry.decision > decisions.size())
    return fmt::format("the function has only {} decisions", decisions.size());
  const MeasuredDecision &decision = decisions[entry.decision - 1];
  if (decision.conditions != entry.conditions)
    return "the decision has other conditions";
  if (decision.is_covered())
    return "all conditions of the decision are covered";
  by_decision_[{&function, entry.decision}] = &added;
  for (const std::string &place : decision.places)
    by_branch_[{decision.file, place.substr(place.rfind(':') + 1)}] = &added;
  return "";
}

std::string Justifications::add_path(const JustificationEntry &entry, const Function &function, Entry &added) {
  if (function.in_program)
    return "the function has only interprocedural paths";
  uint64_t id = parse_id(entry.path, function, decoded(function));
  if (view_.formatter.text(function, *decoded(function).regenerate(id)) != entry.decisions)
    return "the path with this ID takes other decisions";
  for (const std::vector<ExecutedPath> *paths : {&function.paths, &function.cut_short})
    for (const ExecutedPath &path : *paths)
      if (path.id == id && path.count > 0)
        return "the path was executed";
  by_path_[&function][id] = &added;
  return "";
}

Justifications::Entry *Justifications::on_line(const std::string &file, uint32_t line) {
  auto entries = by_file_.find(file);
  if (entries == by_file_.end())
    return nullptr;
  Entry *first = nullptr;
  for (Entry *entry : entries->second)
    if (contains(entry->lines, line)) {
      entry->has_code = true;
      first = first ? first : entry;
    }
  return first;
}

JustifiedItems Justifications::of_file(const std::string &name, const CoveredFile &file) {
  JustifiedItems sum;
  auto add = [&](Entry *entry, uint64_t JustifiedItems::*items, uint64_t number) {
    if (!entry)
      return;
    entry->shown.items.*items += number;
    sum.*items += number;
  };
  for (const auto &[line, count] : file.lines)
    add(on_line(name, line), &JustifiedItems::lines, count == 0);
  for (const CoveredFunction &function : file.functions)
    add(on_line(name, function.line), &JustifiedItems::functions, function.calls == 0);
  for (const auto &[line, branches] : file.branches)
    for (const CoveredBranch &branch : branches) {
      auto decision = by_branch_.find({name, branch.place});
      add(decision == by_branch_.end() ? on_line(name, line) : decision->second, &JustifiedItems::branches,
          branch.taken.size() - branch.num_taken());
    }
  return sum;
}

std::map<uint32_t, std::string> Justifications::reasons_of(const std::string &name, const CoveredFile &file) {
  std::map<uint32_t, std::string> reasons;
  auto add = [&](uint32_t line, const Entry *entry) {
    if (entry)
      reasons.emplace(line, entry->shown.reason);
  };
  for (const auto &[line, count] : file.lines)
    if (count == 0)
      add(line, on_line(name, line));
  for (const auto &[line, branches] : file.branches)
    for (const CoveredBranch &branch : branches)
      if (branch.num_taken() < branch.taken.size()) {
        auto decision = by_branch_.find({name, branch.place});
        add(line, decision == by_branch_.end() ? on_line(name, line) : decision->second);
      }
  return reasons;
}

uint64_t Justifications::num_conditions(const Function &function, size_t number, const MeasuredDecision &decision) {
  auto named = by_decision_.find({&function, number});
  Entry *entry = named != by_decision_.end() ? named->second : on_line(decision.file, decision.line);
  if (!entry)
    return 0;
  ConditionTotals totals = decision.totals();
  entry->shown.items.conditions += totals.conditions - totals.masking;
  return totals.conditions - totals.masking;
}

uint64_t Justifications::num_paths(const Function &function, const Decoded &decoded,
                                   const std::vector<char> &excluded_blocks, const std::vector<char> &excluded_edges) {
  const FlowGraph &graph = function.notes.graph;
  std::vector<char> blocks(excluded_blocks.size()), edges(excluded_edges.size());
  auto is_justified = [&](const LineRef &position) {
    return position.line && on_line(view_.names.file((*function.files)[position.file]), position.line);
  };
  const Branches &branches = view_.formatter.branches(function);
  auto is_named = [&](int block, const LineRef &position) {
    return by_branch_.count({view_.names.file((*function.files)[position.file]), branches.place(block).number}) != 0;
  };
  std::vector<uint64_t> counts = count_edges(function, decoded);
  for (size_t block = 0; block < blocks.size(); block++) {
    const std::vector<LineRef> &lines = function.notes.blocks[block].lines;
    const std::vector<int> &successors = graph.succs(static_cast<int>(block)),
                           &predecessors = graph.preds(static_cast<int>(block));
    auto was_taken = [&](int edge) { return counts[static_cast<size_t>(edge)] > 0; };
    bool block_has_run = std::any_of(predecessors.begin(), predecessors.end(), was_taken);
    blocks[block] = !block_has_run && std::any_of(lines.begin(), lines.end(), is_justified);
    if (block_has_run && successors.size() > 1 && !lines.empty() &&
        (is_justified(lines.back()) || is_named(static_cast<int>(block), lines.back())))
      for (int edge : successors)
        edges[static_cast<size_t>(edge)] = !was_taken(edge);
  }
  auto combined = [](std::vector<char> some, const std::vector<char> &others) {
    for (size_t i = 0; i < some.size(); i++)
      some[i] |= others[i];
    return some;
  };
  PathFilter excluded(graph, excluded_blocks, excluded_edges);
  PathFilter open(graph, combined(blocks, excluded_blocks), combined(edges, excluded_edges));
  uint64_t number = 0;
  bool has_lines = std::count(blocks.begin(), blocks.end(), 1) || std::count(edges.begin(), edges.end(), 1);
  if (has_lines) {
    number = excluded.num_paths(decoded.graph) - open.num_paths(decoded.graph);
    for (const ExecutedPath &path : function.paths) // if only the sum of the counts of several edges is known
      if (path.count > 0)
        number -= open.excludes(*decoded.regenerate(path.id)) && !excluded.excludes(*decoded.regenerate(path.id));
  }
  if (auto named = by_path_.find(&function); named != by_path_.end())
    for (auto [id, entry] : named->second)
      if (Path path = *decoded.regenerate(id); !excluded.excludes(path) && !(has_lines && open.excludes(path))) {
        entry->shown.items.paths++;
        number++;
      }
  return number;
}

std::vector<Justification> Justifications::take(bool is_complete) {
  std::vector<Justification> all;
  for (Entry &entry : entries_) {
    if (entry.is_comment && entry.shown.items.is_empty()) {
      if (!entry.has_code && !is_complete)
        continue;
      entry.shown.fault = entry.has_code ? "all code that it justifies is covered" : "there is no code on the line";
    }
    all.push_back(std::move(entry.shown));
  }
  return all;
}

} // namespace pathprof
