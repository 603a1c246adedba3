// SPDX-License-Identifier: GPL-3.0-or-later
#include "pathdump/model/advice.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "pathdump/ui/opening.h"
#include "pathdump/ui/text.h"

namespace pathprof {

namespace {

const char *const kThread =
    "To use it: rebuild with --pathprof-use=PROFILE, which copies the code between where GCC can prove it "
    "(rebuild=counts,thread); or move the test to the earlier one.";

enum class Tense { Is, Was };

std::string without_indent(const std::string &line) {
  size_t begin = line.find_first_not_of(" \t");
  return begin == std::string::npos ? std::string() : line.substr(begin);
}

class Writer {
public:
  Writer(const Foresight &foresight, Wording &wording, Sources &sources)
      : foresight_(foresight), wording_(wording), sources_(sources) {}

  std::vector<AdvicePiece> pieces() {
    for (const Correlation &branch : foresight_.correlations)
      if (branch.decided_by)
        add_decided(branch);
    for (const Alternation &loop : foresight_.alternations)
      add_alternation(loop);
    for (const OneWay &branch : foresight_.one_ways)
      add_one_way(branch);
    for (const ConstantLoop &loop : foresight_.constant_loops)
      add_constant_loop(loop);
    for (AdvicePiece &piece : pieces_)
      if (piece.text.rfind("line ", 0) == 0)
        piece.text.front() = 'L';
    return std::move(pieces_);
  }

private:
  static LineRef line_of(const Function &function, int block) {
    const BranchNotes *branch = function.notes.branch_at(block);
    if (branch && branch->at.line)
      return branch->at;
    const std::vector<LineRef> &lines = function.notes.blocks[static_cast<size_t>(block)].lines;
    return lines.empty() ? LineRef() : lines.back();
  }

  // "line 9 `a`".
  std::string named(const Function &function, int block) {
    const Branches &branches = wording_.branches(function);
    const BranchPlace &place = branches.place(block);
    std::string condition = branches.condition(block);
    bool is_line = place.number.rfind("block", 0) != 0;
    return place.file + (is_line ? "line " : "") + place.number + (condition.empty() ? "" : " `" + condition + "`");
  }

  // "is true", "took case 3"; with `adverb` (empty, or ending in a blank): "is always true", "always took case 3".
  std::string outcome(const Function &function, int outcome, Tense tense, const std::string &adverb = "") {
    const FlowGraph &graph = function.notes.graph;
    bool is_now = tense == Tense::Is;
    int edge = outcome;
    if (outcome >= graph.num_edges()) { // the way over cut edges, of which there may be several
      std::vector<int> cut = cut_succs(graph, outcome - graph.num_edges());
      if (cut.size() != 1)
        return adverb + (is_now ? "goes around" : "went around");
      edge = cut.front();
    }
    const std::string &text = wording_.branches(function).outcome(edge);
    if (text == "T" || text == "F")
      return fmt::format("{} {}{}", is_now ? "is" : "was", adverb, text == "T" ? "true" : "false");
    if (text.empty())
      return adverb + (is_now ? "goes on" : "went on");
    return fmt::format("{}{} {}", adverb, is_now ? "takes" : "took", text);
  }

  AdvicePiece &add(const char *kind, const Function &function, int block, double part, double whole) {
    AdvicePiece piece;
    piece.kind = kind;
    piece.function = &function;
    piece.name = wording_.names().function(function.notes.name);
    piece.file = wording_.names().file(function.file);
    if (LineRef at = line_of(function, block); at.line) {
      const std::string &file = (*function.files)[at.file];
      piece.file = wording_.names().file(file);
      piece.line = at.line;
      if (const std::string *text = sources_.line(function, file, at.line))
        piece.source = without_indent(*text);
    }
    piece.worth = per_cent(part, whole);
    pieces_.push_back(std::move(piece));
    return pieces_.back();
  }

  // "is always true after line 5 `a` was true".
  std::string after_text(const Correlation &branch, int earlier, const BranchPredictor::Outcomes &outcomes) {
    const Function &function = *branch.function;
    uint64_t all = 0;
    auto most = outcomes.begin();
    for (auto at = outcomes.begin(); at != outcomes.end(); ++at) {
      all += at->second;
      if (at->second > most->second)
        most = at;
    }
    double share = per_cent(static_cast<double>(most->second), static_cast<double>(all));
    std::string how = outcome(function, most->first, Tense::Is, most->second == all ? "always " : "");
    if (most->second != all)
      how += fmt::format(" in {:.1f} %", share);
    std::string when = earlier == BranchPredictor::kNotPassed ? "where control did not pass that"
                                                              : "where that " + outcome(function, earlier, Tense::Was);
    return fmt::format("{} {} ({} times)", how, when, all);
  }

  void add_decided(const Correlation &branch) {
    const Function &function = *branch.function;
    uint64_t executions = branch.missed.executions, missed = branch.decided_by->missed;
    uint64_t gain = branch.missed.by_edges - std::min(branch.missed.by_edges, missed);
    AdvicePiece &piece = add("decided", function, branch.block, static_cast<double>(gain),
                             static_cast<double>(foresight_.total.executions));
    piece.is_of_branches = true;
    std::string ways;
    for (const auto &[earlier, outcomes] : branch.after)
      if (earlier != BranchPredictor::kNotPassed)
        ways += (ways.empty() ? "" : ", ") + after_text(branch, earlier, outcomes);
    if (auto rest = branch.after.find(BranchPredictor::kNotPassed); rest != branch.after.end())
      ways += ", " + after_text(branch, rest->first, rest->second);
    piece.text = fmt::format("{} follows from {}: it {}. Of its {} executions a static predictor gets {:.1f} % wrong, "
                             "and {:.1f} % if it knows that one.",
                             named(function, branch.block), named(function, branch.decided_by->block), ways, executions,
                             per_cent(static_cast<double>(branch.missed.by_edges), static_cast<double>(executions)),
                             per_cent(static_cast<double>(missed), static_cast<double>(executions)));
    piece.use = kThread;
  }

  void add_alternation(const Alternation &loop) {
    const Function &function = *loop.function;
    AdvicePiece &piece = add("alternates", function, loop.head, static_cast<double>(loop.gain()),
                             static_cast<double>(foresight_.total.executions));
    piece.is_of_branches = true;
    auto share = [&](uint64_t part) {
      return per_cent(static_cast<double>(part), static_cast<double>(loop.executions));
    };
    piece.text = fmt::format("The way around the loop at {} follows from the way of the round before: of {} rounds who "
                             "always says the most frequent way gets {:.1f} % wrong, who knows the last way {:.1f} %.",
                             named(function, loop.head), loop.executions, share(loop.missed), share(loop.missed_after));
    piece.use = "To use it: unroll the loop by two, one copy for each way; where it leads to a switch, rebuild with "
                "--pathprof-use=PROFILE -fplugin-arg-pathprof-rebuild=counts,thread,dispatch.";
  }

  void add_one_way(const OneWay &branch) {
    const Function &function = *branch.function;
    AdvicePiece &piece = add("one-way", function, branch.block, static_cast<double>(branch.executions),
                             static_cast<double>(foresight_.statements));
    double share = per_cent(static_cast<double>(branch.taken), static_cast<double>(branch.executions));
    std::string adverb = branch.taken == branch.executions ? "always " : "nearly always ";
    piece.text = fmt::format("{} {}: {} of {} times.", named(function, branch.block),
                             outcome(function, branch.edge, Tense::Is, adverb), branch.taken, branch.executions);
    const std::string &text = wording_.branches(function).outcome(branch.edge);
    std::string condition = wording_.branches(function).condition(branch.block);
    piece.use = "To use it: rebuild with --pathprof-use=PROFILE, which lays out code by counts";
    if ((text == "T" || text == "F") && !condition.empty())
      piece.use += fmt::format("; or write `__builtin_expect_with_probability(!!({}), {}, {:.4f})`", condition,
                               text == "T" ? 1 : 0, std::floor(share * 100) / 10000);
    piece.use += "; or move the test out of the hot path.";
  }

  void add_constant_loop(const ConstantLoop &loop) {
    const Function &function = *loop.function;
    AdvicePiece &piece =
        add("constant-loop", function, loop.head, static_cast<double>(loop.entries * (loop.rounds + 1)),
            static_cast<double>(foresight_.statements));
    std::string times = loop.rounds == 0   ? "never goes around"
                        : loop.rounds == 1 ? "always goes around exactly once"
                                           : fmt::format("goes around {} times on average", loop.rounds);
    piece.text = fmt::format("The loop at {} {}, in {} entries.", named(function, loop.head), times, loop.entries);
    piece.use = loop.rounds == 0 ? "To use it: make a test of it, with the loop out of the way."
                : loop.rounds == 1
                    ? "To use it: write the one round in front of the loop, or in its place where it can be no other."
                    : fmt::format("To use it, if it is always so, which averages do not say: `#pragma GCC unroll {}`.",
                                  loop.rounds + 1);
  }

  const Foresight &foresight_;
  Wording &wording_;
  Sources &sources_;
  std::vector<AdvicePiece> pieces_;
};

void rank(std::vector<AdvicePiece> &pieces) {
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](const AdvicePiece &a, const AdvicePiece &b) { return a.worth > b.worth; });
}

} // namespace

std::string AdvicePiece::place() const {
  return fmt::format("{}{}, in {}", file, line ? fmt::format(":{}", line) : "", name);
}

std::string AdvicePiece::worth_text() const {
  return is_of_branches ? fmt::format("up to {:.2f} % of all executions of branches would be foreseen", worth)
                        : fmt::format("concerns up to {:.2f} % of executed statements", worth);
}

std::vector<AdvicePiece> pieces_of(const Foresight &foresight, Wording &wording, Sources &sources) {
  std::vector<AdvicePiece> pieces = Writer(foresight, wording, sources).pieces();
  rank(pieces);
  return pieces;
}

void add_untested(std::vector<AdvicePiece> &pieces, NamedProfile tests, NamedProfile field, Wording &wording,
                  Sources &sources) {
  Comparison comparison = compare({tests.profile, tests.file}, {field.profile, field.file}, wording.names(), 0, 0);
  for (const PathChange &change : comparison.changes) {
    if (change.is_of_program || change.count[0] || !change.count[1])
      continue;
    const Function &function = field.profile->functions[change.function[1]];
    Path path = *decode_or_fail(field.file, function)->regenerate(static_cast<uint64_t>(change.id));
    AdvicePiece piece;
    piece.kind = "untested";
    piece.function = &function;
    piece.name = wording.names().function(function.notes.name);
    piece.file = wording.names().file(function.file);
    piece.line = function.notes.line;
    if (const std::string *text = sources.line(function, function.file, piece.line))
      piece.source = without_indent(*text);
    piece.worth = per_cent(static_cast<double>(change.weight[1]), static_cast<double>(comparison.sides[1].weight));
    piece.text = fmt::format("Path {} ran {} times, and never in the tests: {}.", static_cast<uint64_t>(change.id),
                             change.count[1], wording.text(function, path));
    piece.use = "To use it: write a test that takes these decisions.";
    pieces.push_back(std::move(piece));
  }
  rank(pieces);
}

void keep_first(std::vector<AdvicePiece> &pieces, uint64_t limit) {
  if (limit && pieces.size() > limit)
    pieces.erase(pieces.begin() + static_cast<ptrdiff_t>(limit), pieces.end());
}

Json pieces_json(const std::vector<AdvicePiece> &pieces) {
  Json list = Json::array();
  for (const AdvicePiece &piece : pieces)
    list.push_back({{"kind", piece.kind},
                    {"function", piece.function->notes.name},
                    {"file", piece.file},
                    {"line", piece.line},
                    {"source", piece.source},
                    {"worth", piece.worth},
                    {"worth_of", piece.is_of_branches ? "branches" : "statements"},
                    {"text", piece.text},
                    {"use", piece.use}});
  return list;
}

} // namespace pathprof
