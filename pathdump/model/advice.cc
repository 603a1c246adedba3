// SPDX-License-Identifier: GPL-3.0-or-later
// Formulates suggestions in English.
#include "pathdump/model/advice.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pathdump/model/interprocedural_paths.h"
#include "pathdump/ui/text.h"

namespace pathprof {

namespace {

const AdviceKind kDecided = {
    "decided", "Tests whose outcome followed from an earlier test in all or most executions",
    "If this holds for all inputs, let the earlier test jump past the later one: move the code "
    "that depends on the later test there. Otherwise, keep the later test for the remaining "
    "inputs. A rebuild with the profile ('pathprof rebuild') does this where GCC can prove "
    "the correlation.",
    true};
const AdviceKind kAlternates = {
    "alternates", "Loops in which an iteration depended on the previous one",
    "Write a copy of the loop body for each path, and let each copy jump to the copy for the next path. For a switch, "
    "rebuild with the profile instead ('pathprof rebuild'); "
    "-fplugin-arg-pathprof-rebuild=counts,thread,dispatch,inline also handles weaker correlations.",
    true};
const AdviceKind kNextCase = {
    "next-case", "Switches whose case depended on the previous case",
    "Give each case its own dispatch. A rebuild with the profile ('pathprof rebuild') does so for the most predictable "
    "switches; -fplugin-arg-pathprof-rebuild=counts,thread,dispatch,inline also includes less predictable ones. "
    "Alternatively, merge two cases that often follow each other.",
    true};
const AdviceKind kExactLoop = {"exact-loop", "Loops with the same number of iterations after each entry",
                               "If this number is the same for all inputs, use a constant as the bound of the loop, so "
                               "that the compiler removes the "
                               "tests of the loop condition.",
                               true};
const AdviceKind kSteadyCall = {
    "steady-call", "Calls in which the callee always executed the same path",
    "Write a variant of the callee for this call, or inline it (`__attribute__((flatten))` on the caller).", true};
const AdviceKind kUntested = {"untested", "Paths that no test executed", "Write a test for each of these paths.", true};
const AdviceKind kConstantLoop = {"constant-loop", "Loops whose body was executed once after each entry",
                                  "If this is so for all inputs, replace the loop with its body.", false};
const AdviceKind kOneWay = {
    "one-way", "Tests that (nearly) always had the same outcome",
    "A rebuild with the profile ('pathprof rebuild') moves rarely executed code out of the way. Without a profile, "
    "`__builtin_expect_with_probability(!!(CONDITION), OUTCOME, PROBABILITY)` has the same effect.",
    false};

// A test costs at least a comparison and a jump.
constexpr double kInstructionsPerTest = 2;

std::string without_indent(const std::string &line) {
  size_t begin = line.find_first_not_of(" \t");
  return begin == std::string::npos ? std::string() : line.substr(begin);
}

// Returns true if the source line contains a call of __builtin_expect() that states this outcome of the condition.
bool is_in_builtin_expect(const std::string &line, const std::string &condition, bool is_true) {
  size_t call = line.find("__builtin_expect");
  size_t at = call == std::string::npos || condition.empty() ? call : line.find(condition, call);
  if (at == std::string::npos)
    return false;
  size_t comma = line.find_first_not_of(") ", at + condition.size());
  size_t value = comma == std::string::npos || line[comma] != ',' ? comma : line.find_first_not_of(' ', comma + 1);
  return value != std::string::npos && line[value] == (is_true ? '1' : '0');
}

// Returns true if the source already states this outcome of the condition with likely(), unlikely() or
// __builtin_expect(). `line` is the source line.
bool is_stated(const std::string &line, const std::string &condition, bool is_true) {
  auto contains = [&](const char *text) { return condition.find(text) != std::string::npos; };
  bool is_unlikely = contains("unlikely") || contains("UNLIKELY");
  bool is_likely = !is_unlikely && (contains("likely") || contains("LIKELY"));
  return (is_true ? is_likely : is_unlikely) || is_in_builtin_expect(line, condition, is_true);
}

class Writer {
public:
  Writer(const BranchCorrelations &correlations, PathFormatter &formatter, Sources &sources)
      : correlations_(correlations), formatter_(formatter), sources_(sources) {}

  std::vector<AdvicePiece> pieces() {
    for (const Correlation &branch : correlations_.correlations)
      if (branch.decided_by && !is_next_case(branch) && num_decided(branch) > 0 && !is_part_of_test(branch))
        add_decided(branch);
    for (const Alternation &loop : correlations_.alternations)
      add_alternation(loop);
    for (const CaseSequence &cases : correlations_.case_sequences)
      add_case_sequence(cases);
    for (const ExactLoop &loop : correlations_.exact_loops)
      add_exact_loop(loop);
    for (const OneWay &branch : correlations_.one_ways)
      add_one_way(branch);
    for (const ConstantLoop &loop : correlations_.constant_loops)
      if (loop.rounds == 1)
        add_constant_loop(loop);
    for (AdvicePiece &piece : pieces_) {
      if (piece.text.rfind("line ", 0) == 0)
        piece.text.front() = 'L';
      auto partly = correlations_.partly.find(piece.function);
      if (partly != correlations_.partly.end() && piece.kind->is_of_paths)
        piece.text += fmt::format(" The analysis of this function covers {}.", partly->second.text());
    }
    return std::move(pieces_);
  }

private:
  // Returns true if the branch is a switch whose case depends on the previous case of the same switch.
  // add_case_sequence() reports these switches.
  bool is_next_case(const Correlation &branch) const {
    return branch.decided_by->block == branch.block &&
           std::any_of(correlations_.case_sequences.begin(), correlations_.case_sequences.end(),
                       [&](const CaseSequence &cases) {
                         return cases.function == branch.function && cases.block == branch.block;
                       });
  }

  // Returns true if the earlier branch is an operand of the same source condition. There is then no code between the
  // two tests that could be moved.
  bool is_part_of_test(const Correlation &branch) {
    const Function &function = *branch.function;
    const BranchNotes *later = function.notes.branch_at(branch.block);
    const BranchNotes *earlier = function.notes.branch_at(branch.decided_by->block);
    if (!later || !earlier || later == earlier)
      return false;
    const Branches &branches = formatter_.branches(function);
    std::string whole = branches.condition(branch.block), part = branches.condition(branch.decided_by->block);
    if (whole == part)
      return false;
    bool is_same_place = later->at == earlier->at && later->column == earlier->column;
    bool has_operands = whole.find("&&") != std::string::npos || whole.find("||") != std::string::npos;
    return is_same_place || (has_operands && !part.empty() && whole.find(part) != std::string::npos);
  }

  // Returns the number of executions whose outcome the earlier branch has decided. Returns 0 if the branch has the same
  // outcome after all outcomes of the earlier branch: the earlier branch then only shows that control has entered the
  // function or the loop, and the first test of a loop is removed by GCC.
  static uint64_t num_decided(const Correlation &branch) {
    uint64_t decided = 0;
    std::set<int> outcomes;
    for (const auto &[earlier, after] : branch.after) {
      if (earlier == BranchPredictor::kNotPassed)
        continue;
      BranchPredictor::MostFrequent most = BranchPredictor::most_frequent(after);
      outcomes.insert(most.outcome);
      if (most.count == most.all)
        decided += most.all;
    }
    return outcomes.size() > 1 ? decided : 0;
  }

  static LineRef line_of(const Function &function, int block) {
    const BranchNotes *branch = function.notes.branch_at(block);
    if (branch && branch->at.line)
      return branch->at;
    const std::vector<LineRef> &lines = function.notes.blocks[static_cast<size_t>(block)].lines;
    return lines.empty() ? LineRef() : lines.back();
  }

  // Returns the name of a branch, such as "line 9 `a`".
  std::string named(const Function &function, int block) {
    const Branches &branches = formatter_.branches(function);
    const BranchPlace &place = branches.place(block);
    std::string condition = branches.condition(block);
    bool is_line = place.file.empty() && place.number.rfind("block", 0) != 0;
    return place.file + (is_line ? "line " : "") + place.number + (condition.empty() ? "" : " `" + condition + "`");
  }

  // Returns the name of the branch that decides the outcome of `branch`. If the deciding branch is `branch` itself or
  // another copy of the same source branch, returns a phrase that says so.
  std::string named_decider(const Function &function, int branch, int decider) {
    if (decider == branch)
      return "its own previous execution";
    std::string name = named(function, decider);
    return name == named(function, branch) ? "an earlier copy of the branch, created by the compiler" : name;
  }

  // Returns text such as "was true" or "took case 3". With the adverb "always ", returns "was always true" or "always
  // took case 3".
  std::string outcome(const Function &function, int outcome, const std::string &adverb = "") {
    const FlowGraph &graph = function.notes.graph;
    int edge = outcome;
    if (outcome >= graph.num_edges()) { // truncation points, of which there can be several
      std::vector<int> cut = cut_succs(graph, outcome - graph.num_edges());
      if (cut.size() != 1)
        return adverb + "ended the path";
      edge = cut.front();
    }
    const std::string &text = formatter_.branches(function).outcome(edge);
    if (text == "T" || text == "F")
      return fmt::format("was {}{}", adverb, text == "T" ? "true" : "false");
    if (text.empty())
      return adverb + "continued";
    return fmt::format("{}{} {}", adverb, text.rfind("to ", 0) == 0 ? "branched" : "took", text);
  }

  // Returns the source line of the branch, or an empty string if it is unknown.
  std::string source_of(const Function &function, int block) {
    LineRef at = line_of(function, block);
    const std::string *text = at.line ? sources_.line(function, (*function.files)[at.file], at.line) : nullptr;
    return text ? without_indent(*text) : std::string();
  }

  AdvicePiece &add(const AdviceKind &kind, const Function &function, int block, double part, double whole) {
    AdvicePiece piece;
    piece.kind = &kind;
    piece.function = &function;
    piece.name = formatter_.names().function(function.notes.name);
    piece.file = formatter_.names().file(function.file);
    if (LineRef at = line_of(function, block); at.line) {
      const std::string &file = (*function.files)[at.file];
      piece.file = formatter_.names().file(file);
      piece.line = at.line;
      piece.source = source_of(function, block);
    }
    piece.worth = per_cent(part, whole);
    pieces_.push_back(std::move(piece));
    return pieces_.back();
  }

  void set_saving(AdvicePiece &piece, uint64_t num_tests) const {
    piece.saving = kInstructionsPerTest * static_cast<double>(num_tests);
    piece.saved_share = per_cent(piece.saving, static_cast<double>(correlations_.statements));
  }

  // Returns text such as "was always true if line 5 `a` was true (200 times)". `decider` is the name of the earlier
  // branch.
  std::string after_text(const Correlation &branch, int earlier, const BranchPredictor::Outcomes &outcomes,
                         const std::string &decider) {
    const Function &function = *branch.function;
    BranchPredictor::MostFrequent most = BranchPredictor::most_frequent(outcomes);
    uint64_t all = most.all;
    double share = per_cent(static_cast<double>(most.count), static_cast<double>(all));
    std::string how = outcome(function, most.outcome, most.count == all ? "always " : "");
    bool is_nearly_all = most.count != all && share >= 99.95;
    if (most.count != all && !is_nearly_all)
      how += fmt::format(" in {:.1f}% of cases", share);
    std::string times =
        is_nearly_all ? fmt::format("all but {} of {} times", all - most.count, all) : plural(all, "time");
    std::string when = earlier == BranchPredictor::kNotPassed
                           ? "if that test is not on the path"
                           : fmt::format("if {} {}", decider, outcome(function, earlier));
    return fmt::format("{} {} ({})", how, when, times);
  }

  void add_decided(const Correlation &branch) {
    const Function &function = *branch.function;
    uint64_t executions = branch.missed.executions, missed = branch.decided_by->missed;
    uint64_t gain = branch.missed.by_edges - std::min(branch.missed.by_edges, missed);
    AdvicePiece &piece = add(kDecided, function, branch.block, static_cast<double>(gain),
                             static_cast<double>(correlations_.branch_executions));
    piece.is_of_branches = true;
    std::vector<std::string> cases;
    std::string decider = named_decider(function, branch.block, branch.decided_by->block);
    for (const auto &[earlier, outcomes] : branch.after)
      if (earlier != BranchPredictor::kNotPassed)
        cases.push_back(after_text(branch, earlier, outcomes, cases.empty() ? decider : "it"));
    if (auto rest = branch.after.find(BranchPredictor::kNotPassed); rest != branch.after.end())
      cases.push_back(after_text(branch, rest->first, rest->second, decider));
    auto share = [&](uint64_t part) { return per_cent(static_cast<double>(part), static_cast<double>(executions)); };
    piece.text =
        fmt::format("{} {}. Of {} executions, {:.1f}% would be mispredicted if only the counts of the outcomes were "
                    "known, and {:.1f}% if the outcome of the earlier test were known.",
                    named(function, branch.block), fmt::join(cases, ", "), executions, share(branch.missed.by_edges),
                    share(missed));
    piece.executions = num_decided(branch);
    set_saving(piece, piece.executions);
  }

  void add_alternation(const Alternation &loop) {
    const Function &function = *loop.function;
    AdvicePiece &piece = add(kAlternates, function, loop.head, static_cast<double>(loop.mispredictions_avoided()),
                             static_cast<double>(correlations_.branch_executions));
    piece.is_of_branches = true;
    auto share = [&](uint64_t part) {
      return per_cent(static_cast<double>(part), static_cast<double>(loop.executions));
    };
    piece.text = fmt::format(
        "In the loop at {}, the path of an iteration depended on the path of the previous iteration. Of {} iterations, "
        "a predictor that always chooses the most frequent path mispredicts {:.1f}%, and a predictor that knows the "
        "previous path mispredicts {:.1f}%.",
        named(function, loop.head), loop.executions, share(loop.missed), share(loop.missed_after));
  }

  void add_case_sequence(const CaseSequence &cases) {
    static constexpr size_t kMost = 3;
    const Function &function = *cases.function;
    AdvicePiece &piece = add(kNextCase, function, cases.block, static_cast<double>(cases.mispredictions_avoided()),
                             static_cast<double>(correlations_.branch_executions));
    piece.is_of_branches = true;
    struct Follower {
      int before, next;
      uint64_t count, all;
    };
    std::vector<Follower> followers;
    for (const auto &[before, next] : cases.after) {
      Follower follower{before, -1, 0, 0};
      for (auto [edge, count] : next) {
        follower.all += count;
        if (count > follower.count)
          std::tie(follower.next, follower.count) = std::pair(edge, count);
      }
      followers.push_back(follower);
    }
    std::stable_sort(followers.begin(), followers.end(),
                     [](const Follower &a, const Follower &b) { return a.count > b.count; });
    const Branches &branches = formatter_.branches(function);
    std::vector<std::string> texts;
    for (size_t i = 0; i < std::min(followers.size(), kMost); i++)
      texts.push_back(fmt::format(
          "{0} followed {1} in {2:.1f}% of the {3} executions of {1}", branches.outcome(followers[i].next),
          branches.outcome(followers[i].before),
          per_cent(static_cast<double>(followers[i].count), static_cast<double>(followers[i].all)), followers[i].all));
    auto share = [&](uint64_t part) {
      return per_cent(static_cast<double>(part), static_cast<double>(cases.executions));
    };
    piece.text = fmt::format(
        "The case that {} took depended on the previous case: {}. A predictor that always chooses the most frequent "
        "case mispredicts {:.1f}%, and a predictor that knows the previous case mispredicts {:.1f}%.",
        named(function, cases.block), fmt::join(texts, ", "), share(cases.missed), share(cases.missed_after));
  }

  void add_exact_loop(const ExactLoop &loop) {
    const Function &function = *loop.function;
    AdvicePiece &piece = add(kExactLoop, function, loop.head, static_cast<double>(loop.entries * (loop.rounds + 1)),
                             static_cast<double>(correlations_.statements));
    piece.text = fmt::format("The loop at {} took its back edge exactly {} on each of its {} entries.",
                             named(function, loop.head), plural(loop.rounds, "time"), loop.entries);
    piece.executions = loop.entries;
    set_saving(piece, loop.entries * (loop.rounds + 1));
  }

  void add_one_way(const OneWay &branch) {
    const Function &function = *branch.function;
    const Branches &branches = formatter_.branches(function);
    const std::string &label = branches.outcome(branch.edge);
    bool is_condition = label == "T" || label == "F";
    if (is_condition && is_stated(source_of(function, branch.block), branches.condition(branch.block), label == "T"))
      return;
    AdvicePiece &piece = add(kOneWay, function, branch.block, static_cast<double>(branch.executions),
                             static_cast<double>(correlations_.statements));
    double share = per_cent(static_cast<double>(branch.taken), static_cast<double>(branch.executions));
    std::string adverb = branch.taken == branch.executions ? "always " : "nearly always ";
    piece.text = fmt::format("{} {}: {} of {} times.", named(function, branch.block),
                             outcome(function, branch.edge, adverb), branch.taken, branch.executions);
    std::string condition = branches.is_of_macro(branch.block) ? "" : branches.condition(branch.block);
    if (is_condition && !condition.empty())
      piece.hint = fmt::format("`__builtin_expect_with_probability(!!({}), {}, {:.4f})`", condition,
                               label == "T" ? 1 : 0, std::floor(share * 100) / 10000);
  }

  void add_constant_loop(const ConstantLoop &loop) {
    const Function &function = *loop.function;
    AdvicePiece &piece = add(kConstantLoop, function, loop.head, static_cast<double>(loop.entries * (loop.rounds + 1)),
                             static_cast<double>(correlations_.statements));
    piece.text = fmt::format("The loop at {} always took its back edge exactly once in {} entries.",
                             named(function, loop.head), loop.entries);
    set_saving(piece, loop.entries);
  }

  const BranchCorrelations &correlations_;
  PathFormatter &formatter_;
  Sources &sources_;
  std::vector<AdvicePiece> pieces_;
};

void rank(std::vector<AdvicePiece> &pieces) {
  auto size = [](const AdvicePiece &piece) { return std::pair(piece.saving, piece.worth); };
  std::map<const AdviceKind *, std::pair<double, double>> largest; // of each kind
  for (const AdvicePiece &piece : pieces)
    largest[piece.kind] = std::max(largest[piece.kind], size(piece));
  auto rank_of = [&](const AdvicePiece &piece) {
    return std::tuple(piece.kind->is_of_paths, largest.at(piece.kind), std::string_view(piece.kind->name), size(piece));
  };
  std::stable_sort(pieces.begin(), pieces.end(),
                   [&](const AdvicePiece &a, const AdvicePiece &b) { return rank_of(a) > rank_of(b); });
}

} // namespace

std::string AdvicePiece::place() const {
  return fmt::format("{}{}, in {}", file, line ? fmt::format(":{}", line) : "", name);
}

std::string AdvicePiece::worth_text() const {
  std::string amount =
      saving > 0
          ? fmt::format("saves about {:.0f} instructions ({:.2f}% of the executed statements); ", saving, saved_share)
          : std::string();
  return amount + (is_of_branches
                       ? fmt::format("up to {:.2f}% of all branch executions would become predictable", worth)
                       : fmt::format("affects up to {:.2f}% of executed statements", worth));
}

std::string AdvicePiece::use() const {
  return hint.empty() ? kind->use : fmt::format("{} Here: {}.", kind->use, hint);
}

std::vector<AdvicePiece> pieces_of(const BranchCorrelations &correlations, PathFormatter &formatter, Sources &sources) {
  std::vector<AdvicePiece> pieces = Writer(correlations, formatter, sources).pieces();
  rank(pieces);
  return pieces;
}

// Returns the position of the last branch on a path. The line is 0 if no position is known.
static LineRef last_branch(const Function &function, const Path &path) {
  for (auto block = path.blocks.rbegin(); block != path.blocks.rend(); ++block)
    if (const BranchNotes *branch = function.notes.branch_at(*block); branch && branch->at.line)
      return branch->at;
  return {};
}

uint64_t add_untested(std::vector<AdvicePiece> &pieces, NamedProfile tests, NamedProfile field, uint64_t limit,
                      PathFormatter &formatter, Sources &sources) {
  auto is_untested = [](const PathChange &change) {
    return !change.is_of_program && !change.count[0] && change.count[1];
  };
  Comparison comparison =
      compare({tests.profile, tests.file}, {field.profile, field.file}, formatter.names(), limit, {}, is_untested);
  Decoder decoder(*field.profile, field.file);
  for (const PathChange &change : comparison.changes) {
    const Function &function = field.profile->functions[change.function[1]];
    Path path = *decoder.decoded(change.function[1]).regenerate(static_cast<uint64_t>(change.id));
    AdvicePiece piece;
    piece.kind = &kUntested;
    piece.function = &function;
    piece.name = formatter.names().function(function.notes.name);
    piece.file = formatter.names().file(function.file);
    LineRef at = last_branch(function, path);
    if (at.line)
      piece.file = formatter.names().file((*function.files)[at.file]);
    piece.line = at.line ? at.line : function.notes.line;
    if (const std::string *text =
            sources.line(function, at.line ? (*function.files)[at.file] : function.file, piece.line))
      piece.source = without_indent(*text);
    piece.worth = per_cent(static_cast<double>(change.weight[1]), static_cast<double>(comparison.sides[1].weight));
    piece.text = fmt::format("Path {} was executed in the field (count: {}) but never by the tests: {}.",
                             static_cast<uint64_t>(change.id), change.count[1], formatter.text(function, path));
    pieces.push_back(std::move(piece));
  }
  rank(pieces);
  return comparison.num_of_kind[static_cast<size_t>(ChangeKind::New)] - comparison.changes.size();
}

namespace {

// A call site. Each key of `ways` describes a path from the callee's entry; the value is the number of calls in which
// the callee executed this path.
struct CallSite {
  const Function *caller = nullptr;
  const Function *callee = nullptr;
  uint32_t line = 0;
  uint64_t calls = 0;
  std::map<std::string, uint64_t> ways;
  double statements = 0;
};

using CallSites = std::map<std::tuple<const Function *, int, const Function *>, CallSite>;

void add_calls(CallSites &sites, const ShownPath &path, uint64_t count, PathFormatter &formatter) {
  const std::vector<PathStep> &steps = path.path().steps;
  for (size_t i = std::max<size_t>(path.path().prefix_len, 1); i < steps.size(); i++) {
    if (steps[i].from != PathStep::From::Call)
      continue;
    const Function &caller = path.function_of(i - 1);
    CallSite &site = sites[{&caller, steps[i].call, &path.function_of(i)}];
    site.caller = &caller;
    site.callee = &path.function_of(i);
    site.line = caller.notes.calls[static_cast<size_t>(steps[i].call)].line;
    site.calls += count;
    site.ways[codes_of(path.step_elements(i, formatter))] += count;
    site.statements += static_cast<double>(path.statements(i)) * static_cast<double>(count);
  }
}

} // namespace

void add_steady_calls(std::vector<AdvicePiece> &pieces, const BranchCorrelations &correlations, NamedProfile profile,
                      PathFormatter &formatter, Sources &sources) {
  CallSites sites;
  for (size_t i = 0; i < profile.profile->interprocedural_units.size(); i++)
    for_each_path(*profile.profile, i, [&](const HotPath &hot, const ShownPath &path) {
      if (path.is_selected(formatter.names()))
        add_calls(sites, path, hot.count, formatter);
    });
  // Number of call sites from which the path was executed, by callee and path.
  std::map<const Function *, std::map<std::string, size_t>> num_sites_of_way;
  for (const auto &[key, site] : sites)
    for (const auto &[way, count] : site.ways)
      num_sites_of_way[site.callee][way]++;
  auto takes_others_elsewhere = [&](const auto &site, const std::string &usual) {
    const std::map<std::string, size_t> &ways = num_sites_of_way[site.callee];
    return std::any_of(ways.begin(), ways.end(),
                       [&](const auto &way) { return way.first != usual && way.second > site.ways.count(way.first); });
  };
  for (const auto &[key, site] : sites) {
    auto most = std::max_element(site.ways.begin(), site.ways.end(),
                                 [](const auto &a, const auto &b) { return a.second < b.second; });
    if (site.calls < 100 || (site.calls - most->second) * 100 > site.calls ||
        !takes_others_elsewhere(site, most->first))
      continue;
    AdvicePiece piece;
    piece.kind = &kSteadyCall;
    piece.function = site.caller;
    piece.name = formatter.names().function(site.caller->notes.name);
    piece.file = formatter.names().file(site.caller->file);
    piece.line = site.line;
    if (const std::string *text = sources.line(*site.caller, site.caller->file, site.line))
      piece.source = without_indent(*text);
    piece.worth = per_cent(site.statements, static_cast<double>(correlations.statements));
    std::string callee = formatter.names().function(site.callee->notes.name);
    piece.text = fmt::format("{} executed the same path in {} of {} calls from here: {}. Calls from elsewhere also "
                             "executed other paths.",
                             callee, most->second, site.calls, most->first.empty() ? "no decisions" : most->first);
    pieces.push_back(std::move(piece));
  }
  rank(pieces);
}

size_t remove_small(std::vector<AdvicePiece> &pieces, double least) {
  auto is_small = [least](const AdvicePiece &piece) {
    return piece.kind != &kUntested &&
           (std::max(piece.worth, piece.saved_share) < least || (least > 0 && piece.executions < kFewestExecutions));
  };
  auto small = std::remove_if(pieces.begin(), pieces.end(), is_small);
  auto number = static_cast<size_t>(pieces.end() - small);
  pieces.erase(small, pieces.end());
  return number;
}

size_t keep_first(std::vector<AdvicePiece> &pieces, uint64_t limit) {
  if (!limit || pieces.size() <= limit)
    return 0;
  size_t more = pieces.size() - static_cast<size_t>(limit);
  pieces.resize(static_cast<size_t>(limit));
  return more;
}

Json pieces_json(const std::vector<AdvicePiece> &pieces) {
  Json list = Json::array();
  for (const AdvicePiece &piece : pieces)
    list.push_back({{"kind", piece.kind->name},
                    {"function", piece.function->notes.name},
                    {"file", piece.file},
                    {"line", piece.line},
                    {"source", piece.source},
                    {"worth", piece.worth},
                    {"worth_of", piece.is_of_branches ? "branches" : "statements"},
                    {"saving", piece.saving},
                    {"text", piece.text},
                    {"use", piece.use()}});
  return list;
}

} // namespace pathprof
