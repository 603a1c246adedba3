// SPDX-License-Identifier: GPL-3.0-or-later
// Reads conditions, switch statements and other statements that end a block with several successors.
#include "plugin/cfg/branches.h"

#include <algorithm>
#include <utility>

#include "plugin/gcc/condition_text.h"
#include "plugin/gcc/gcc.h"
#include "plugin/gcc/locations.h"

namespace pathprof {

// ---- relations that conditions test ----

static Relation relation_of(tree_code code) {
  static const std::pair<tree_code, Relation> table[] = {
      {EQ_EXPR, Relation::Equal},      {UNEQ_EXPR, Relation::Equal},      {NE_EXPR, Relation::NotEqual},
      {LTGT_EXPR, Relation::NotEqual}, {LT_EXPR, Relation::Less},         {UNLT_EXPR, Relation::Less},
      {LE_EXPR, Relation::LessEqual},  {UNLE_EXPR, Relation::LessEqual},  {GT_EXPR, Relation::Greater},
      {UNGT_EXPR, Relation::Greater},  {GE_EXPR, Relation::GreaterEqual}, {UNGE_EXPR, Relation::GreaterEqual},
      {BIT_AND_EXPR, Relation::Holds}, {TRUTH_AND_EXPR, Relation::Holds}, {BIT_IOR_EXPR, Relation::Fails},
      {TRUTH_OR_EXPR, Relation::Fails}};
  for (auto [other, relation] : table)
    if (code == other)
      return relation;
  return Relation::None;
}

static Relation opposite(Relation relation) {
  static const std::pair<Relation, Relation> pairs[] = {{Relation::Equal, Relation::NotEqual},
                                                        {Relation::Less, Relation::GreaterEqual},
                                                        {Relation::LessEqual, Relation::Greater},
                                                        {Relation::Holds, Relation::Fails}};
  for (auto [one, other] : pairs)
    if (relation == one || relation == other)
      return relation == one ? other : one;
  return Relation::None;
}

static bool is_truth(tree value) {
  return TREE_CODE(TREE_TYPE(value)) == BOOLEAN_TYPE;
}

// Returns the statement that computes `value`. Returns null if `value` is not a temporary, or if the statement is not
// on the same line as the condition. The statement can be a call or a separately evaluated part of the condition.
static gimple *computed_by(tree value, gcond *condition) {
  gimple *found = nullptr;
  if (TREE_CODE(value) == SSA_NAME) {
    bool is_named = SSA_NAME_VAR(value) && !DECL_ARTIFICIAL(SSA_NAME_VAR(value));
    found = is_named ? nullptr : SSA_NAME_DEF_STMT(value);
  } else if (VAR_P(value) && DECL_ARTIFICIAL(value)) {
    gimple_stmt_iterator gsi = gsi_for_stmt(condition);
    for (gsi_prev(&gsi); !gsi_end_p(gsi) && !found; gsi_prev(&gsi))
      if (gimple_get_lhs(gsi_stmt(gsi)) == value)
        found = gsi_stmt(gsi);
  }
  return found && (!gimple_has_location(found) || gimple_lineno(found) == gimple_lineno(condition)) ? found : nullptr;
}

static gassign *part_of_condition(tree value, gcond *condition) {
  return safe_dyn_cast<gassign *>(computed_by(value, condition));
}

// If the statement calls an overloaded C++ comparison operator, returns the relation that this operator tests. Returns
// None otherwise.
static Relation relation_of_call(gimple *statement) {
  static const std::pair<const char *, Relation> table[] = {
      {"operator==", Relation::Equal},     {"operator!=", Relation::NotEqual}, {"operator<", Relation::Less},
      {"operator<=", Relation::LessEqual}, {"operator>", Relation::Greater},   {"operator>=", Relation::GreaterEqual}};
  gcall *call = safe_dyn_cast<gcall *>(statement);
  tree callee = call ? gimple_call_fndecl(call) : NULL_TREE;
  for (auto [name, relation] : table)
    if (callee && DECL_NAME(callee) && strcmp(IDENTIFIER_POINTER(DECL_NAME(callee)), name) == 0)
      return relation;
  return Relation::None;
}

// Determines the relation that the condition tests, and whether one operand is a constant. If the condition tests a
// truth value, the relation depends on the statement that computes the truth value, provided that this statement is on
// the same line. The statement can be a comparison or a call to an overloaded comparison operator. A negation inverts
// the relation.
static void read_condition(BranchNotes &branch, gcond *condition) {
  tree value = gimple_cond_lhs(condition), other = gimple_cond_rhs(condition);
  tree_code code = gimple_cond_code(condition);
  branch.with_constant = is_gimple_min_invariant(other);
  bool tests_truth = is_truth(value) && TREE_CODE(other) == INTEGER_CST && (code == EQ_EXPR || code == NE_EXPR);
  if (!tests_truth) {
    branch.relation = relation_of(code);
    return;
  }
  bool holds = (code == NE_EXPR) == static_cast<bool>(integer_zerop(other));
  gassign *part = part_of_condition(value, condition);
  for (; part && is_truth(gimple_assign_lhs(part)); part = part_of_condition(value, condition)) {
    code = gimple_assign_rhs_code(part);
    value = gimple_assign_rhs1(part);
    if (code == BIT_NOT_EXPR || code == TRUTH_NOT_EXPR)
      holds = !holds;
    else if (!(gimple_assign_single_p(part) || CONVERT_EXPR_CODE_P(code)) || !is_truth(value))
      break;
  }
  branch.relation = part ? relation_of(code) : relation_of_call(computed_by(value, condition));
  if (branch.relation == Relation::None)
    branch.relation = Relation::Holds;
  else if (!part)
    branch.with_constant = false;
  else
    branch.with_constant = TREE_CODE_CLASS(code) == tcc_comparison && is_gimple_min_invariant(gimple_assign_rhs2(part));
  if (!holds)
    branch.relation = opposite(branch.relation);
}

// Returns true if a bitwise operator computes the value from two other values. Some passes combine two conditions in
// this way.
static bool is_combined(tree value) {
  static constexpr int kMostSteps = 4;
  for (int step = 0; step < kMostSteps && TREE_CODE(value) == SSA_NAME; step++) {
    gassign *definition = safe_dyn_cast<gassign *>(SSA_NAME_DEF_STMT(value));
    if (!definition)
      return false;
    tree_code code = gimple_assign_rhs_code(definition);
    if (combines(code) && !is_gimple_min_invariant(gimple_assign_rhs2(definition)))
      return true;
    if (!combines(code) && !CONVERT_EXPR_CODE_P(code) && code != BIT_NOT_EXPR && code != SSA_NAME)
      return false;
    value = gimple_assign_rhs1(definition);
  }
  return false;
}

static bool is_same_file(const char *a, const char *b) {
  return a && b && strcmp(a, b) == 0;
}

static uint32_t number(int value) {
  return static_cast<uint32_t>(std::max(value, 0));
}

// Returns the last entry for this line in the block's list of lines. The entries are in statement order. The branch is
// the block's final statement, so the last entry for its line belongs to the branch.
static LineRef line_at(const BlockNotes &block, uint32_t file, uint32_t line) {
  auto at = std::find_if(block.lines.rbegin(), block.lines.rend(),
                         [&](const LineRef &ref) { return ref.file == file && ref.line == line; });
  return at == block.lines.rend() ? LineRef() : *at;
}

// Records the source range of the expression if the range lies in this file and is longer than one character.
static void set_range(BranchNotes &branch, location_t location, const char *file) {
  source_range range = get_range_from_loc(line_table, location);
  expanded_location first = expand_location(range.m_start), last = expand_location(range.m_finish);
  bool is_there = is_same_file(first.file, file) && is_same_file(last.file, file) && first.column > 0 &&
                  (first.line < last.line || (first.line == last.line && first.column < last.column));
  if (!is_there)
    return;
  branch.range = {number(first.line), number(first.column), number(last.line), number(last.column)};
}

// Returns the source location of the case label. If several labels are adjacent, returns the location of the first
// label. A label that a GCC pass created has no location, so the location of its CASE_LABEL_EXPR is returned.
static location_t position_of_case(tree label) {
  location_t declared = DECL_SOURCE_LOCATION(CASE_LABEL(label));
  return declared == UNKNOWN_LOCATION ? EXPR_LOCATION(label) : declared;
}

// Reads the case labels of the switch statement. Returns false if a label has no corresponding edge, or if a value does
// not fit in 64 bits. In these cases, the branch is recorded without labels.
static bool read_cases(BranchNotes &branch, gswitch *statement, const std::vector<edge> &succs, const char *file) {
  branch.cases.resize(succs.size());
  for (unsigned i = 0; i < gimple_switch_num_labels(statement); i++) {
    tree label = gimple_switch_label(statement, i);
    edge taken = find_edge(gimple_bb(statement), label_to_block(cfun, CASE_LABEL(label)));
    auto at = std::find(succs.begin(), succs.end(), taken);
    if (at == succs.end())
      return false;
    CaseLabels &labels = branch.cases[static_cast<size_t>(at - succs.begin())];
    if (!CASE_LOW(label)) {
      labels.has_default = true;
      continue;
    }
    tree low = CASE_LOW(label), high = CASE_HIGH(label) ? CASE_HIGH(label) : low;
    branch.is_unsigned = TYPE_UNSIGNED(TREE_TYPE(low));
    if (TYPE_PRECISION(TREE_TYPE(low)) > HOST_BITS_PER_WIDE_INT)
      return false;
    location_t position = position_of_case(label);
    expanded_location where = expand_location(position);
    bool is_known = is_same_file(where.file, file) && where.column > 0 && has_column(position);
    labels.labels.push_back({static_cast<int64_t>(TREE_INT_CST_LOW(low)), static_cast<int64_t>(TREE_INT_CST_LOW(high)),
                             is_known ? number(where.line) : 0, is_known ? number(where.column) : 0});
  }
  return true;
}

static void read_branch(FunctionNotes &notes, basic_block bb, const std::vector<edge> &succs, FileTable &files) {
  gimple_stmt_iterator gsi = gsi_last_nondebug_bb(bb);
  if (gsi_end_p(gsi))
    return;
  BranchNotes branch;
  branch.block = static_cast<uint32_t>(bb->index);
  gimple *statement = gsi_stmt(gsi);
  location_t location = gimple_location(statement);
  expanded_location where = {};
  if (!RESERVED_LOCATION_P(location))
    where = expand_location(location);
  if (where.file && where.line > 0)
    branch.at = line_at(notes.blocks[branch.block], files.index_of(where.file), number(where.line));
  if (branch.at.line && has_column(location)) {
    branch.column = number(where.column);
    set_range(branch, location, where.file);
  }
  if (gcond *condition = dyn_cast<gcond *>(statement)) {
    read_condition(branch, condition);
    if (branch.at.line)
      branch.text = text_of_condition(location, files);
    // When GCC inverts a condition, it does not reorder the edges out of the block, so the first edge is then the false
    // edge.
    bool is_exchanged = EDGE_SUCC(bb, 0)->flags & EDGE_FALSE_VALUE;
    if (is_exchanged)
      branch.text.sense = opposite(branch.text.sense);
    bool is_of_several = is_combined(gimple_cond_lhs(condition)) && !tests_combined_values(location);
    if (is_of_several) // The condition combines several source conditions, but the source text is that of one of them.
      branch.text.sense = Sense::Unknown;
  } else if (gswitch *choice = dyn_cast<gswitch *>(statement)) {
    branch.is_switch = read_cases(branch, choice, succs, where.file);
  }
  if (!branch.is_switch) {
    branch.is_unsigned = false;
    branch.cases.clear();
  }
  if (branch.at.line || branch.is_switch)
    notes.branches.push_back(std::move(branch));
}

void read_branches(FunctionNotes &notes, const std::vector<edge> &edges, FileTable &files) {
  const FlowGraph &graph = notes.graph;
  notes.branches.clear();
  for (int block = 2; block < graph.num_blocks(); block++) {
    if (graph.succs(block).size() < 2)
      continue;
    std::vector<edge> succs;
    for (int e : graph.succs(block))
      succs.push_back(edges[static_cast<size_t>(e)]);
    read_branch(notes, succs.front()->src, succs, files);
  }
}

} // namespace pathprof
