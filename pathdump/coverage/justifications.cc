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
    entry.shown.fault = comment.fault;
    auto excluded = covered.excluded_lines.lower_bound(first);
    entry.is_excluded = excluded != covered.excluded_lines.end() && *excluded <= last;
    if (comment.fault.empty())
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
    std::string hash = hash_of(function, view_.sources), doubt = doubt_about(function, view_.sources);
    added.shown.is_selected = view_.names.selects(function);
    added.shown.fault = hash.empty()          ? "the source of the function cannot be read"
                        : !doubt.empty()      ? "the source file " + doubt
                        : hash != entry.hash  ? "the function has changed since it was justified"
                        : entry.decision      ? add_decision(entry, function, added)
                        : !entry.path.empty() ? add_path(entry, function, added)
                                              : add_function(function, files, added);
  } catch (const Failure &failure) {
    added.shown.fault = failure.what();
  }
}

bool Justifications::may_have_run(const Function &function) {
  if (!unfinished_)
    unfinished_ = unfinished_of(view_.profile);
  auto index = static_cast<size_t>(&function - view_.profile.functions.data());
  return std::count(unfinished_->affected.begin(), unfinished_->affected.end(), index) > 0;
}

std::string Justifications::add_function(const Function &function, const CoveredFiles &files, Entry &added) {
  bool was_called = has_run(function);
  if (auto covered = files.find(view_.names.file(function.file)); covered != files.end())
    for (const CoveredFunction &one : covered->second.functions)
      was_called |= one.calls > 0 && std::count(one.bodies.begin(), one.bodies.end(), &function);
  if (was_called)
    return "the function was executed";
  if (may_have_run(function))
    return "the function may have been executed (activations never finished)";
  by_function_[&function] = &added;
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
    return "the conditions of the decision differ from those in the justification";
  if (decision.is_covered())
    return "all conditions of the decision are covered";
  by_decision_[{&function, entry.decision}] = &added;
  for (const std::string &place : decision.places)
    by_branch_[{&function, place.substr(place.rfind(':') + 1)}] = &added;
  return "";
}

std::string Justifications::add_path(const JustificationEntry &entry, const Function &function, Entry &added) {
  if (function.in_program)
    return "the function has only interprocedural paths";
  uint64_t id = parse_id(entry.path, function, decoded(function));
  if (view_.formatter.text(function, *decoded(function).regenerate(id)) != entry.decisions)
    return "the decisions of the path with this ID differ from those in the justification";
  for (const std::vector<ExecutedPath> *paths : {&function.paths, &function.cut_short})
    for (const ExecutedPath &path : *paths)
      if (path.id == id && path.count > 0)
        return "the path was executed";
  by_path_[&function][id] = &added;
  return "";
}

Justifications::Entry *Justifications::of_function(const Function *function) const {
  auto entry = by_function_.find(function);
  return entry == by_function_.end() ? nullptr : entry->second;
}

Justifications::Entry *Justifications::of_function(const CoveredFunction &function) const {
  for (const Function *body : function.bodies)
    if (Entry *entry = of_function(body))
      return entry;
  return nullptr;
}

Justifications::Entry *Justifications::on_line(const std::string &file, uint32_t line) {
  auto entries = by_file_.find(file);
  if (entries == by_file_.end())
    return nullptr;
  Entry *first = nullptr;
  for (Entry *entry : entries->second)
    if (contains(entry->lines, line)) {
      entry->has_code = true;
      entry->is_preceded |= first != nullptr;
      first = first ? first : entry;
    }
  return first;
}

Justifications::Entry *Justifications::of_branch(const std::string &file, uint32_t line, const CoveredBranch &branch) {
  if (Entry *entry = on_line(file, line))
    return entry;
  if (Entry *entry = of_function(branch.function))
    return entry;
  auto decision = by_branch_.find({branch.function, branch.place});
  return decision == by_branch_.end() ? nullptr : decision->second;
}

Justifications::Entry *Justifications::of_line(const std::string &file, uint32_t line,
                                               const std::vector<const CoveredFunction *> &owners) {
  if (Entry *entry = on_line(file, line))
    return entry;
  Entry *first = nullptr;
  for (const CoveredFunction *owner : owners) {
    Entry *entry = of_function(*owner);
    if (!entry)
      return nullptr;
    first = first ? first : entry;
  }
  return first;
}

JustifiedItems Justifications::of_file(const std::string &name, const CoveredFile &file,
                                       std::map<uint32_t, std::string> &reasons) {
  JustifiedItems sum;
  auto add = [&](Entry *entry, uint64_t JustifiedItems::*items, uint32_t line, uint64_t number) {
    if (!entry || number == 0)
      return;
    entry->shown.items.*items += number;
    sum.*items += number;
    if (items != &JustifiedItems::functions)
      reasons.emplace(line, entry->shown.reason);
  };
  std::map<uint32_t, std::vector<const CoveredFunction *>> owners;
  for (const CoveredFunction &function : file.functions)
    for (const auto &[line, count] : function.lines)
      owners[line].push_back(&function);
  for (const auto &[line, count] : file.lines)
    add(of_line(name, line, owners[line]), &JustifiedItems::lines, line, count == 0);
  for (const CoveredFunction &function : file.functions) {
    Entry *entry = on_line(name, function.line);
    add(entry ? entry : of_function(function), &JustifiedItems::functions, function.line, function.calls == 0);
  }
  for (const auto &[line, branches] : file.branches)
    for (const CoveredBranch &branch : branches)
      add(of_branch(name, line, branch), &JustifiedItems::branches, line, branch.taken.size() - branch.num_taken());
  return sum;
}

uint64_t Justifications::num_conditions(const Function &function, size_t number, const MeasuredDecision &decision) {
  auto named = by_decision_.find({&function, number});
  Entry *entry = on_line(decision.file, decision.line);
  if (!entry)
    entry = named != by_decision_.end() ? named->second : of_function(&function);
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
  std::vector<uint64_t> counts = count_edges(function, decoded);
  auto has_run = [&](int block) {
    const std::vector<int> &predecessors = graph.preds(block);
    return std::any_of(predecessors.begin(), predecessors.end(),
                       [&](int edge) { return counts[static_cast<size_t>(edge)] > 0; });
  };
  for (size_t block = 0; block < blocks.size(); block++) {
    const std::vector<LineRef> &lines = function.notes.blocks[block].lines;
    blocks[block] = !has_run(static_cast<int>(block)) && std::any_of(lines.begin(), lines.end(), is_justified);
  }
  for (const BranchCount &branch : count_branches(function, decoded))
    if (has_run(branch.block) &&
        (is_justified(branch.position) || by_branch_.count({&function, branches.place(branch.block).number})))
      for (const EdgeCount &edge : branch.edges)
        edges[static_cast<size_t>(edge.edge)] = edge.count == 0;
  auto combined = [](std::vector<char> some, const std::vector<char> &others) {
    for (size_t i = 0; i < some.size(); i++)
      some[i] |= others[i];
    return some;
  };
  PathFilter excluded(graph, excluded_blocks, excluded_edges);
  PathFilter open(graph, combined(blocks, excluded_blocks), combined(edges, excluded_edges));
  uint64_t number = 0;
  if (of_function(&function)) // no path was executed
    return excluded.num_paths(decoded.graph);
  bool has_lines = std::count(blocks.begin(), blocks.end(), 1) || std::count(edges.begin(), edges.end(), 1);
  if (has_lines) {
    number = excluded.num_paths(decoded.graph) - open.num_paths(decoded.graph);
    for (const ExecutedPath &path : function.paths) // if only the sum of the counts of several edges is known
      if (path.count > 0) {
        Path executed = *decoded.regenerate(path.id);
        number -= open.excludes(executed) && !excluded.excludes(executed);
      }
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
    if (entry.is_comment && entry.shown.items.is_empty() && entry.shown.fault.empty()) {
      if (!entry.has_code && !is_complete)
        continue;
      entry.shown.fault = !entry.has_code ? entry.is_excluded ? "its code is excluded" : "there is no code on the line"
                          : entry.is_preceded ? "another justification applies to its code"
                                              : "all code that it justifies is covered";
    }
    all.push_back(std::move(entry.shown));
  }
  return all;
}

} // namespace pathprof
