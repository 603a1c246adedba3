// SPDX-License-Identifier: GPL-3.0-or-later
// Unit tests of core/analysis/decisions.h and mcdc.h: random boolean expressions are lowered to flow graphs, their
// vectors are compared with an interpreter's, and MC/DC with its definition over all completions of all pairs of
// vectors.
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "core/analysis/decisions.h"
#include "core/analysis/mcdc.h"
#include "core/numbering/cut.h"
#include "testsuite/unit/graphs.h"
#include "testsuite/unit/random_graph.h"

#include "testsuite/unit/suite.h" // last: check.h defines a macro named fail

using namespace pathprof;
using namespace pathprof::testing;

namespace {

struct Expression {
  enum Kind { Condition, And, Or, Choice } kind = Condition;
  uint32_t condition = 0;
  std::vector<std::unique_ptr<Expression>> operands;
};

// Conditions are numbered from left to right.
std::unique_ptr<Expression> random_expression(Random &random, int num_conditions, uint32_t &next) {
  auto expression = std::make_unique<Expression>();
  if (num_conditions == 1) {
    expression->condition = next++;
    return expression;
  }
  bool is_choice = num_conditions > 2 && below(random, 6) == 0;
  expression->kind = is_choice ? Expression::Choice : below(random, 2) ? Expression::And : Expression::Or;
  int left = num_conditions;
  for (int parts = is_choice ? 3 : 2; parts > 0; parts--) {
    int own = parts == 1 ? left : 1 + below(random, left - parts + 1);
    left -= own;
    expression->operands.push_back(random_expression(random, own, next));
  }
  return expression;
}

using Values = std::vector<signed char>;

// What C does; `seen` becomes the values of the conditions that are evaluated.
bool evaluate(const Expression &expression, unsigned assignment, Values &seen) {
  auto operand = [&](size_t i) { return evaluate(*expression.operands[i], assignment, seen); };
  switch (expression.kind) {
  case Expression::And:
    return operand(0) && operand(1);
  case Expression::Or:
    return operand(0) || operand(1);
  case Expression::Choice:
    return operand(0) ? operand(1) : operand(2);
  default:
    seen[expression.condition] = assignment >> expression.condition & 1;
    return seen[expression.condition];
  }
}

// Lowers expressions as the gimplifier does, with other code between conditions.
class Lowering {
public:
  Lowering(Random &random, int num_blocks) : random_(random), graph_(num_blocks) {}

  int new_block() { return next_++; }
  void jump(int from, int to) { graph_.add_edge(from, to); }

  // Makes the blocks of the expression from `block` on; false[0] and true[1] outcomes.  Returns the first condition.
  void lower(const Expression &expression, int block, const uint32_t (&next)[2], const int (&to)[2]) {
    auto first_of = [](const Expression *e) {
      while (e->kind != Expression::Condition)
        e = e->operands[0].get();
      return kFirstCondition + e->condition;
    };
    if (expression.kind == Expression::Condition)
      return lower_condition(expression.condition, block, next, to);
    const Expression &left = *expression.operands[0], &right = *expression.operands[1];
    int on = new_block();
    uint32_t second = first_of(&right);
    if (expression.kind == Expression::And)
      lower(left, block, {next[0], second}, {to[0], on});
    else if (expression.kind == Expression::Or)
      lower(left, block, {second, next[1]}, {on, to[1]});
    else {
      int other = new_block();
      const Expression &last = *expression.operands[2];
      lower(left, block, {first_of(&last), second}, {other, on});
      lower(last, other, next, to);
    }
    lower(right, on, next, to);
  }

  FlowGraph graph_of() const { return graph_; }
  const std::vector<ConditionBlock> &conditions() const { return conditions_; }
  uint32_t decision = 0;

private:
  // A diamond, or a jump, before some conditions: what the evaluation of an operand needs.
  int add_evaluation(int block) {
    if (below(random_, 2))
      return block;
    int join = new_block();
    if (below(random_, 2)) {
      int arm = new_block();
      graph_.add_edge(block, arm, kTrue);
      graph_.add_edge(block, join, kFalse);
      graph_.add_edge(arm, join);
    } else {
      graph_.add_edge(block, join);
    }
    return join;
  }

  void lower_condition(uint32_t index, int block, const uint32_t (&next)[2], const int (&to)[2]) {
    block = add_evaluation(block);
    graph_.add_edge(block, to[1], kTrue);
    graph_.add_edge(block, to[0], kFalse);
    ConditionBlock condition;
    condition.block = static_cast<uint32_t>(block);
    condition.decision = decision;
    condition.index = index;
    condition.next[0] = next[0];
    condition.next[1] = next[1];
    conditions_.push_back(condition);
  }

  Random &random_;
  FlowGraph graph_;
  int next_ = 2;
  std::vector<ConditionBlock> conditions_;
};

// A loop around two copies of the expression, one after the other, as a finally part is copied.
struct Lowered {
  FlowGraph graph;
  std::vector<ConditionBlock> conditions;
};

Lowered lower(Random &random, const Expression &expression) {
  Lowering lowering(random, 200);
  int head = lowering.new_block();
  lowering.jump(kEntryBlock, head);
  int at = head;
  for (int copy = 0; copy < 2; copy++) {
    int arm = lowering.new_block(), join = lowering.new_block();
    lowering.lower(expression, at, {kOutcomeFalse, kOutcomeTrue}, {join, arm});
    lowering.jump(arm, join);
    at = join;
  }
  Lowered lowered{lowering.graph_of(), lowering.conditions()};
  lowered.graph.add_edge(at, head, kTrue);
  lowered.graph.add_edge(at, kExitBlock, kFalse);
  mark_cuts(lowered.graph);
  std::sort(lowered.conditions.begin(), lowered.conditions.end(),
            [](const ConditionBlock &a, const ConditionBlock &b) { return a.block < b.block; });
  return lowered;
}

using Counts = std::map<std::pair<Values, bool>, uint64_t>;

// Runs the loop, once for two assignments, and feeds the paths that its trace falls into.
class Execution {
public:
  Execution(Random &random, const Lowered &lowered) : random_(random), lowered_(lowered) {}

  void run(const std::vector<unsigned> &assignments, DecisionVectors &vectors) {
    Path path;
    int block = kEntryBlock;
    size_t copy = 0;
    path.blocks = {block};
    while (block != kExitBlock) {
      int edge = choose(block, assignments, copy);
      const Edge &flow = lowered_.graph.edge(edge);
      if (flow.is_cut()) {
        path.end = PathEnd::BackEdge;
        vectors.add(path, 1);
        path = Path();
        path.start = PathStart::Loop;
      } else {
        path.edges.push_back(edge);
      }
      block = flow.dst;
      path.blocks.push_back(block);
    }
    vectors.add(path, 1);
  }

private:
  int choose(int block, const std::vector<unsigned> &assignments, size_t &copy) {
    const std::vector<int> &succs = lowered_.graph.succs(block);
    auto at = std::find_if(lowered_.conditions.begin(), lowered_.conditions.end(),
                           [&](const ConditionBlock &condition) { return condition.block == uint32_t(block); });
    bool value = below(random_, 2);
    if (at != lowered_.conditions.end()) {
      value = assignments[copy] >> at->index & 1;
      copy += at->next[value] < kFirstCondition;
    } else if (succs.size() == 2 && lowered_.graph.edge(succs[1]).dst == kExitBlock) {
      value = copy < assignments.size();
    }
    return succs.size() == 1 ? succs[0] : succs[value ? 0 : 1];
  }

  Random &random_;
  const Lowered &lowered_;
};

// ---- MC/DC by its definition ----

struct Definition {
  const std::vector<char> &table; // outcome by assignment
  size_t num_conditions;

  bool agrees(const Values &values, unsigned assignment) const {
    for (size_t i = 0; i < num_conditions; i++)
      if (values[i] != kNotEvaluated && values[i] != static_cast<signed char>(assignment >> i & 1))
        return false;
    return true;
  }

  bool shows_effect(const Values &values, size_t condition) const {
    if (values[condition] == kNotEvaluated)
      return false;
    for (unsigned assignment = 0; assignment < table.size(); assignment++)
      if (agrees(values, assignment) && table[assignment] != table[assignment ^ 1u << condition])
        return true;
    return false;
  }

  bool is_masking(const ConditionVector &a, const ConditionVector &b, size_t condition) const {
    return a.values[condition] == 1 && b.values[condition] == 0 && a.outcome != b.outcome &&
           shows_effect(a.values, condition) && shows_effect(b.values, condition);
  }

  bool is_unique_cause(const ConditionVector &a, const ConditionVector &b, size_t condition) const {
    if (a.values[condition] != 1 || b.values[condition] != 0 || a.outcome == b.outcome)
      return false;
    for (size_t i = 0; i < num_conditions; i++)
      if (i != condition && a.values[i] != kNotEvaluated && b.values[i] != kNotEvaluated && a.values[i] != b.values[i])
        return false;
    return true;
  }

  template <typename Test>
  bool any_pair(const std::vector<ConditionVector> &vectors, Test test) const {
    return std::any_of(vectors.begin(), vectors.end(), [&](const ConditionVector &a) {
      return std::any_of(vectors.begin(), vectors.end(), [&](const ConditionVector &b) { return test(a, b); });
    });
  }
};

// ---- coupled conditions ----

// By condition: the earlier one that it is coupled with, or itself; and whether it has the opposite value.
struct Couplings {
  std::vector<size_t> with;
  std::vector<char> is_opposite;

  // Gives coupled conditions the values that follow from those of earlier ones.
  unsigned adapt(unsigned assignment) const {
    for (size_t i = 0; i < with.size(); i++)
      if (with[i] != i) {
        bool value = (assignment >> with[i] & 1) != unsigned(is_opposite[i]);
        assignment = (assignment & ~(1u << i)) | unsigned{value} << i;
      }
    return assignment;
  }
};

Couplings random_couplings(Random &random, size_t num_conditions) {
  bool are_some = below(random, 2);
  Couplings couplings;
  for (size_t i = 0; i < num_conditions; i++) {
    bool is_coupled = i > 0 && are_some && below(random, 3) == 0;
    couplings.with.push_back(is_coupled ? size_t(below(random, int(i))) : i);
    couplings.is_opposite.push_back(is_coupled && below(random, 2));
  }
  return couplings;
}

// The vectors of all assignments in which coupled conditions have values that go together.
std::vector<ConditionVector> possible_vectors(const Couplings &couplings, const Expression &expression) {
  std::set<std::pair<Values, bool>> found;
  for (unsigned assignment = 0; assignment < 1u << couplings.with.size(); assignment++) {
    Values seen(couplings.with.size(), kNotEvaluated);
    bool outcome = evaluate(expression, couplings.adapt(assignment), seen);
    found.insert({seen, outcome});
  }
  std::vector<ConditionVector> vectors;
  for (const auto &[values, outcome] : found)
    vectors.push_back({values, outcome, 0});
  return vectors;
}

void check_missing(const Definition &definition, const ExecutedDecision &decision, const ConditionCoverage &coverage,
                   size_t condition, const std::vector<ConditionVector> &possible) {
  auto is_masking = [&](const auto &a, const auto &b) { return definition.is_masking(a, b, condition); };
  bool can_be_shown = definition.any_pair(possible, is_masking);
  ck_assert(coverage.by_masking == (can_be_shown ? Showable::Yes : Showable::No));
  ck_assert_int_eq(coverage.missing.empty(), !can_be_shown);
  std::vector<std::vector<ConditionVector>> suggestions = coverage.alternatives;
  if (can_be_shown)
    suggestions.push_back(coverage.missing);
  ck_assert_uint_le(coverage.alternatives.size(), kMostAlternatives);
  std::set<std::vector<Values>> distinct;
  for (const std::vector<ConditionVector> &suggestion : suggestions) {
    std::vector<ConditionVector> all = decision.vectors;
    std::vector<Values> values;
    for (const ConditionVector &vector : suggestion) {
      ck_assert(std::any_of(possible.begin(), possible.end(), [&](const ConditionVector &one) {
        return one.values == vector.values && one.outcome == vector.outcome;
      }));
      all.push_back(vector);
      values.push_back(vector.values);
    }
    ck_assert(definition.any_pair(all, is_masking));
    ck_assert(distinct.insert(values).second);
  }
}

void check_coverage(const ExecutedDecision &decision, const std::vector<ConditionVector> &possible,
                    const std::vector<char> &table, size_t num_conditions) {
  Definition definition{table, num_conditions};
  const std::vector<ConditionVector> &vectors = decision.vectors;
  DecisionCoverage coverage = cover(decision);
  for (size_t c = 0; c < num_conditions; c++) {
    const ConditionCoverage &own = coverage.conditions[c];
    for (signed char value : {0, 1}) {
      uint64_t executed = 0;
      bool shows = false;
      for (const ConditionVector &vector : vectors)
        if (vector.values[c] == value) {
          executed += vector.count;
          shows |= definition.shows_effect(vector.values, c);
        }
      ck_assert_uint_eq(own.executed[value], executed);
      ck_assert_int_eq(own.shows_effect[value], shows);
    }
    auto masking = [&](const auto &a, const auto &b) { return definition.is_masking(a, b, c); };
    auto unique = [&](const auto &a, const auto &b) { return definition.is_unique_cause(a, b, c); };
    ck_assert_int_eq(own.masking.has_value(), definition.any_pair(vectors, masking));
    ck_assert_int_eq(own.unique_cause.has_value(), definition.any_pair(vectors, unique));
    if (own.masking)
      ck_assert(masking(vectors[own.masking->if_true], vectors[own.masking->if_false]));
    else
      check_missing(definition, decision, own, c, possible);
    if (own.unique_cause)
      ck_assert(unique(vectors[own.unique_cause->if_true], vectors[own.unique_cause->if_false]));
    else
      ck_assert(own.by_unique_cause == (definition.any_pair(possible, unique) ? Showable::Yes : Showable::No));
  }
}

} // namespace

// Regression 7: among others, suggested vectors are possible if conditions are coupled.
START_TEST(test_random_expressions) {
  Random random(27);
  for (int trial = 0; trial < 3000; trial++) {
    int num_conditions = 1 + below(random, trial % 10 ? 7 : 12);
    uint32_t next = 0;
    std::unique_ptr<Expression> expression = random_expression(random, num_conditions, next);
    Lowered lowered = lower(random, *expression);
    Couplings couplings = random_couplings(random, static_cast<size_t>(num_conditions));
    for (ConditionBlock &condition : lowered.conditions) {
      condition.coupled_back = condition.index - static_cast<uint32_t>(couplings.with[condition.index]);
      condition.is_opposite = couplings.is_opposite[condition.index];
    }
    DecisionVectors vectors(lowered.graph, lowered.conditions);
    Execution execution(random, lowered);
    Counts expected;
    std::vector<unsigned> assignments;
    for (int run = below(random, 12); run > 0; run--)
      for (int copy = 0; copy < 2; copy++) {
        assignments.push_back(couplings.adapt(static_cast<unsigned>(below(random, 1 << num_conditions))));
        Values seen(static_cast<size_t>(num_conditions), kNotEvaluated);
        bool outcome = evaluate(*expression, assignments.back(), seen);
        expected[{seen, outcome}]++;
      }
    if (!assignments.empty())
      execution.run(assignments, vectors);
    std::vector<ExecutedDecision> decisions = vectors.take();
    ck_assert_uint_eq(decisions.size(), 1);
    ck_assert(decisions[0].unmeasured == Unmeasured::No);
    Counts found;
    for (const ConditionVector &vector : decisions[0].vectors)
      found[{vector.values, vector.outcome}] = vector.count;
    ck_assert(found == expected);
    std::vector<char> table;
    for (unsigned assignment = 0; assignment < 1u << num_conditions; assignment++) {
      Values ignored(static_cast<size_t>(num_conditions));
      table.push_back(evaluate(*expression, assignment, ignored));
    }
    check_coverage(decisions[0], possible_vectors(couplings, *expression), table, static_cast<size_t>(num_conditions));
  }
}
END_TEST

// a && b: control goes from block 2 by way of block 3, or 4, to the second condition in block 5.
static FlowGraph with_evaluation() {
  return flow_graph(8, {{kEntryBlock, 2},
                        {2, 3, kTrue},
                        {2, 7, kFalse},
                        {3, 4, kTrue},
                        {3, 5, kFalse},
                        {4, 5},
                        {5, 6, kTrue},
                        {5, 7, kFalse},
                        {6, 7},
                        {7, kExitBlock}});
}

static std::vector<ConditionBlock> conjunction() {
  return {{2, 0, 0, {kOutcomeFalse, kFirstCondition + 1}}, {5, 0, 1, {kOutcomeFalse, kOutcomeTrue}}};
}

START_TEST(test_cuts_inside) {
  FlowGraph graph = with_evaluation();
  ck_assert(edges_inside_decisions(graph, conjunction()) == (std::vector<char>{0, 1, 0, 1, 1, 1, 0, 0, 0, 0}));
  for (int e = 0; e < graph.num_edges(); e++) {
    FlowGraph cut = graph;
    cut.edge(e).flags |= kCut;
    bool is_inside = e == 1 || (e >= 3 && e <= 5);
    Unmeasured expected = is_inside ? Unmeasured::Cut : Unmeasured::No;
    ck_assert(DecisionVectors(cut, conjunction()).take()[0].unmeasured == expected);
  }
}
END_TEST

// Three decisions in a row: cutting between them is enough.
START_TEST(test_cuts_spare_decisions) {
  const FlowGraph one = with_evaluation();
  FlowGraph graph(2 + 3 * 6);
  std::vector<ConditionBlock> conditions;
  graph.add_edge(kEntryBlock, 2);
  for (int copy = 0; copy < 3; copy++) {
    for (const Edge &edge : one.edges())
      if (edge.src != kEntryBlock)
        graph.add_edge(edge.src + 6 * copy,
                       edge.dst != kExitBlock ? edge.dst + 6 * copy
                       : copy < 2             ? 8 + 6 * copy
                                              : kExitBlock,
                       edge.flags);
    for (ConditionBlock condition : conjunction()) {
      condition.block += static_cast<uint32_t>(6 * copy);
      condition.decision = static_cast<uint32_t>(copy);
      conditions.push_back(condition);
    }
  }
  std::vector<char> spared = edges_inside_decisions(graph, conditions);
  FlowGraph cut = graph;
  ck_assert_int_gt(cut_to_limit(cut, 20, spared), 0);
  ck_assert(count_paths(cut) <= 20);
  for (int e = 0; e < cut.num_edges(); e++)
    ck_assert(!cut.edge(e).is_cut() || !spared[static_cast<size_t>(e)]);
  for (const ExecutedDecision &decision : DecisionVectors(cut, conditions).take())
    ck_assert(decision.unmeasured == Unmeasured::No);
  FlowGraph not_cut = graph;
  ck_assert_int_lt(cut_to_limit(not_cut, 1, std::vector<char>(spared.size(), 1)), 0);
}
END_TEST

// Where the true edge is cut already the false one is spared, else the true edge may be cut.
START_TEST(test_one_edge_of_each_condition_is_spared) {
  FlowGraph graph = with_evaluation();
  ck_assert(edges_spared_for_decisions(graph, conjunction()) == (std::vector<char>{0, 2, 1, 2, 2, 2, 0, 1, 0, 0}));
  graph.edge(7).flags |= kBack;
  ck_assert(edges_spared_for_decisions(graph, conjunction()) == (std::vector<char>{0, 2, 1, 2, 2, 2, 1, 0, 0, 0}));
}
END_TEST

START_TEST(test_unmeasured) {
  FlowGraph graph = with_evaluation();
  std::vector<ConditionBlock> merged = conjunction(), unknown = conjunction(), missing = conjunction();
  merged[1].is_merged = true;
  unknown[0].is_known = false;
  missing[0].next[1] = kFirstCondition + 7;
  ck_assert(DecisionVectors(graph, merged).take()[0].unmeasured == Unmeasured::Merged);
  ck_assert(DecisionVectors(graph, unknown).take()[0].unmeasured == Unmeasured::Unknown);
  ck_assert(DecisionVectors(graph, missing).take()[0].unmeasured == Unmeasured::Unknown);
}
END_TEST

// A chain of so many conditions that nothing may go by 2^n, nor be nested as deep.
START_TEST(test_many_conditions) {
  ExecutedDecision decision;
  constexpr uint32_t num = 2000;
  for (uint32_t i = 0; i < num; i++)
    decision.graph.next.push_back({kOutcomeFalse, i + 1 < num ? kFirstCondition + i + 1 : kOutcomeTrue});
  for (uint32_t stop = 0; stop < num; stop += 500) {
    ConditionVector vector{Values(num, kNotEvaluated), false, 1};
    std::fill(vector.values.begin(), vector.values.begin() + stop, 1);
    vector.values[stop] = 0;
    decision.vectors.push_back(vector);
  }
  decision.vectors.push_back({Values(num, 1), true, 3});
  DecisionCoverage coverage = cover(decision);
  for (uint32_t i = 0; i < num; i++) {
    ck_assert_int_eq(coverage.conditions[i].masking.has_value(), i % 500 == 0);
    ck_assert_int_eq(coverage.conditions[i].unique_cause.has_value(), i % 500 == 0);
  }
  ck_assert_uint_eq(coverage.outcomes[1], 3);
}
END_TEST

// Regression 7: (a && b) || (!a && c), of which only F-F- was executed before, needs no vector in which a and !a are
// false. Of a || (b && a), the second a never matters.
START_TEST(test_coupled_conditions) {
  ExecutedDecision decision;
  auto condition = [](uint32_t i) { return kFirstCondition + i; };
  decision.graph.next = {{condition(2), condition(1)},
                         {condition(2), kOutcomeTrue},
                         {kOutcomeFalse, condition(3)},
                         {kOutcomeFalse, kOutcomeTrue}};
  decision.couplings = {{0, false}, {1, false}, {0, true}, {3, false}};
  decision.vectors = {{{0, kNotEvaluated, 1, 1}, true, 1}};
  ConditionCoverage opposite = cover(decision).conditions[2];
  ck_assert(opposite.missing.size() == 1 && opposite.missing[0].values == (Values{1, 0, 0, kNotEvaluated}));
  ck_assert(opposite.by_masking == Showable::Yes && opposite.by_unique_cause == Showable::No);
  ck_assert(opposite.coupled == std::vector<size_t>{0});
  decision.graph.next = {{condition(1), kOutcomeTrue}, {kOutcomeFalse, condition(2)}, {kOutcomeFalse, kOutcomeTrue}};
  decision.couplings = {{0, false}, {1, false}, {0, false}};
  decision.vectors = {{{0, 1, 0}, false, 1}};
  ck_assert(cover(decision).conditions[2].missing.empty());
  ck_assert(cover(decision).conditions[2].by_masking == Showable::No);
}
END_TEST

int main() {
  return run_suite("conditions", {{"conditions",
                                   {test_random_expressions, test_cuts_inside, test_cuts_spare_decisions,
                                    test_one_edge_of_each_condition_is_spared, test_unmeasured, test_many_conditions,
                                    test_coupled_conditions},
                                   240}});
}
