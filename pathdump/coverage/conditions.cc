// SPDX-License-Identifier: GPL-3.0-or-later
// Derives decisions from the notes, condition vectors from executed paths, and condition texts from the source.
#include "pathdump/coverage/conditions.h"

#include <algorithm>

#include <fmt/format.h>

#include "pathdump/ui/text.h"

namespace pathprof {

void ConditionTotals::add(const ConditionTotals &other) {
  decisions += other.decisions;
  unmeasured += other.unmeasured;
  outcomes += other.outcomes;
  conditions += other.conditions;
  condition_outcomes += other.condition_outcomes;
  effects += other.effects;
  masking += other.masking;
  unique_cause += other.unique_cause;
}

double ConditionTotals::share() const {
  return conditions > 0 ? per_cent(static_cast<double>(masking), static_cast<double>(conditions)) : 100;
}

ConditionTotals MeasuredDecision::totals() const {
  ConditionTotals totals;
  if (executed.unmeasured != Unmeasured::No) {
    totals.unmeasured = 1;
    return totals;
  }
  totals.decisions = 1;
  totals.conditions = coverage.conditions.size();
  for (size_t value = 0; value < 2; value++)
    totals.outcomes += coverage.outcomes[value] > 0;
  for (const ConditionCoverage &condition : coverage.conditions) {
    for (size_t value = 0; value < 2; value++) {
      totals.condition_outcomes += condition.executed[value] > 0;
      totals.effects += condition.shows_effect[value];
    }
    totals.masking += condition.masking.has_value();
    totals.unique_cause += condition.unique_cause.has_value();
  }
  return totals;
}

bool MeasuredDecision::is_covered() const {
  return executed.unmeasured == Unmeasured::No &&
         std::all_of(coverage.conditions.begin(), coverage.conditions.end(),
                     [](const ConditionCoverage &condition) { return condition.masking.has_value(); });
}

bool has_conditions(const Function &function) {
  return function.notes.stage == Stage::Source && !function.in_program && !is_left_out(function);
}

bool is_made_up(const Function &function, const ExecutedDecision &decision) {
  if (!(function.notes.flags & kArtificial) || decision.blocks.size() > 1)
    return false;
  const BranchNotes *branch = function.notes.branch_at(decision.blocks.front().front());
  return !branch || !branch->text.is_known() || branch->text.is_beginning;
}

const char *text_of(Unmeasured reason) {
  switch (reason) {
  case Unmeasured::Merged:
    return "operands are computed without a branch, or as the value of a ?:";
  case Unmeasured::Unknown:
    return "the compiler has changed the expression";
  case Unmeasured::Cut:
    return "paths start or end inside the decision";
  default:
    return "";
  }
}

std::string values_text(const std::vector<signed char> &values) {
  std::string text;
  for (signed char value : values)
    text += value == kNotEvaluated ? '-' : value ? 'T' : 'F';
  return text;
}

std::string vector_text(const ConditionVector &vector) {
  return fmt::format("{} gives {}", values_text(vector.values), vector.outcome ? 'T' : 'F');
}

static std::string suggestion_text(const std::vector<ConditionVector> &vectors) {
  std::string text;
  for (const ConditionVector &vector : vectors)
    text += (text.empty() ? "" : ", ") + vector_text(vector);
  return text;
}

std::string alternatives_text(const ConditionCoverage &condition) {
  std::string text;
  for (const std::vector<ConditionVector> &vectors : condition.alternatives)
    text += (vectors.size() > 1 ? "; or " : " or ") + suggestion_text(vectors);
  return text;
}

// Returns the reason why a condition cannot be shown to be independent, such as "condition 1 always has the opposite
// value of condition 2".
static std::string coupling_text(const MeasuredDecision &decision, size_t condition) {
  const std::vector<Coupling> &couplings = decision.executed.couplings;
  std::string text;
  for (size_t other : decision.coverage.conditions[condition].coupled)
    text += fmt::format("{}condition {} always has the {} condition {}", text.empty() ? "" : ", ", other + 1,
                        couplings[other].is_opposite == couplings[condition].is_opposite ? "same value as"
                                                                                         : "opposite value of",
                        condition + 1);
  return text.empty() ? "the other conditions are mutually exclusive" : text;
}

std::string missing_text(const MeasuredDecision &decision, size_t condition) {
  const ConditionCoverage &coverage = decision.coverage.conditions[condition];
  if (!coverage.missing.empty())
    return "missing " + suggestion_text(coverage.missing) + alternatives_text(coverage);
  if (coverage.by_masking == Showable::Unknown)
    return "no possible vector found; " + coupling_text(decision, condition);
  return decision.executed.couplings.empty() ? "cannot be shown"
                                             : "cannot be shown: " + coupling_text(decision, condition);
}

std::string unique_cause_limit(const MeasuredDecision &decision, size_t condition) {
  bool is_impossible = decision.coverage.conditions[condition].by_unique_cause == Showable::No;
  return is_impossible ? "impossible: " + coupling_text(decision, condition) : "";
}

namespace {

std::vector<ExecutedDecision> executed_decisions(const Function &function, const Decoded &decoded,
                                                 const Branches &branches) {
  if (function.notes.conditions.empty())
    return {};
  std::vector<char> is_turned(function.notes.blocks.size());
  for (const ConditionBlock &condition : function.notes.conditions)
    is_turned[condition.block] = branches.is_turned(static_cast<int>(condition.block));
  DecisionVectors vectors(function.notes.graph, function.notes.conditions, std::move(is_turned));
  for (const std::vector<ExecutedPath> *paths : {&function.paths, &function.cut_short})
    for (const ExecutedPath &path : *paths)
      if (path.count > 0)
        vectors.add(*decoded.regenerate(path.id), path.count);
  return vectors.take();
}

// Describes a decision.  If the compiled code contains several copies of a condition, describes the first copy.
MeasuredDecision describe(const Function &function, ExecutedDecision executed, const Branches &branches,
                          const Names &names) {
  MeasuredDecision decision;
  for (const std::vector<int> &blocks : executed.blocks) {
    const BranchPlace &place = branches.place(blocks.front());
    std::string text = branches.condition(blocks.front());
    decision.conditions.push_back(text.empty() ? fmt::format("condition {}", decision.conditions.size() + 1) : text);
    decision.places.push_back(place.text());
    const BranchNotes *branch = function.notes.branch_at(blocks.front());
    decision.at.push_back(branch ? branch->at : LineRef{});
  }
  decision.place = decision.places.front();
  const BranchNotes *first = function.notes.branch_at(executed.blocks.front().front());
  if (first) {
    decision.file = names.file((*function.files)[first->at.file]);
    decision.line = first->at.line;
    decision.column = first->column;
  }
  decision.executed = std::move(executed);
  if (decision.executed.unmeasured == Unmeasured::No)
    decision.coverage = cover(decision.executed);
  return decision;
}

} // namespace

std::vector<MeasuredDecision> decisions_of(const Function &function, const Decoded &decoded, PathFormatter &formatter) {
  const Branches &branches = formatter.branches(function);
  std::vector<MeasuredDecision> decisions;
  for (ExecutedDecision &executed : executed_decisions(function, decoded, branches))
    if (!is_made_up(function, executed))
      decisions.push_back(describe(function, std::move(executed), branches, formatter.names()));
  std::stable_sort(decisions.begin(), decisions.end(), [](const MeasuredDecision &a, const MeasuredDecision &b) {
    return std::make_pair(a.line, a.column) < std::make_pair(b.line, b.column);
  });
  return decisions;
}

} // namespace pathprof
