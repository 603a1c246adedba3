// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdint>
#include <vector>

#include "plugin/gcc.h"

#include "plugin/sequence.h"
#include "plugin/windows.h"

namespace pathprof {

static tree made(tree &variable, const char *name) {
  if (!variable)
    variable = create_tmp_reg(word_type(), name);
  return variable;
}

tree Windows::body() {
  return made(body_, "pathbody");
}
tree Windows::bodies() {
  return made(bodies_, "pathbodies");
}
tree Windows::rounds() {
  return made(rounds_, "pathrounds");
}

tree Windows::head() {
  if (!head_)
    head_ = create_tmp_reg(TREE_TYPE(path_.variable()), "pathhead");
  return head_;
}

tree Windows::number_at(size_t i) {
  while (numbers_.size() <= i)
    numbers_.push_back(create_tmp_reg(TREE_TYPE(path_.variable()), "pathwindow"));
  return numbers_[i];
}

void Windows::set(gimple_seq *seq, tree variable, tree value) {
  gimple_seq_add_stmt(seq, gimple_build_assign(variable, value));
}

void Windows::perform(gimple_seq *seq, const Op &op) {
  auto index = static_cast<size_t>(op.value);
  switch (op.kind) {
  case OpKind::Enter:
    enter(seq, plan_.windows[index]);
    break;
  case OpKind::KeepHead:
    set(seq, head(), path_.variable());
    break;
  case OpKind::SetBody:
    set(seq, body(), word(op.value));
    break;
  case OpKind::AddBody:
    gimple_seq_add_stmt(seq, gimple_build_assign(body(), PLUS_EXPR, body(), word(op.value)));
    break;
  case OpKind::Around:
    around(seq, plan_.windows[index]);
    break;
  case OpKind::Settle:
    settle(seq, plan_.windows[index]);
    break;
  case OpKind::Accumulate:
    accumulate(seq, plan_.weights[index]);
    break;
  case OpKind::Leave:
    leave(seq, plan_.weights[index]);
    break;
  default:
    gcc_unreachable();
  }
}

// All have a value: what has not been in use yet is selected nowhere.
void Windows::enter(gimple_seq *seq, const Window &window) {
  set(seq, rounds(), word(0));
  if (window.has_numbers)
    for (size_t i = 0; i < window.k; i++)
      set(seq, number_at(i), path_.variable());
  else if (window.k > 2 && window.num_bodies > 1)
    set(seq, bodies(), word(0));
}

// left CODE right ? if_true : if_false
tree Windows::select(gimple_seq *seq, tree_code code, tree left, int64_t right, tree if_true, tree if_false) {
  tree condition = compat_condition(seq, code, left, word(right));
  return append(
      seq, gimple_build_assign(create_tmp_reg(TREE_TYPE(if_true), "pathsel"), COND_EXPR, condition, if_true, if_false));
}

void Windows::accumulate(gimple_seq *seq, const WindowWeights &weights) {
  for (size_t i = 0; i < weights.entered.size(); i++) {
    if (weights.entered[i] == 0 && weights.started[i] == 0)
      continue;
    tree value = path_.plus(seq, number_at(i), weights.entered[i]);
    if (weights.started[i] != weights.entered[i])
      value = select(seq, GT_EXPR, rounds(), static_cast<int64_t>(i), path_.plus(seq, number_at(i), weights.started[i]),
                     value);
    set(seq, number_at(i), value);
  }
}

// The longest window is in its last iteration, or it is the one that came from outside.
void Windows::leave(gimple_seq *seq, const WindowWeights &weights) {
  size_t last = weights.entered.size() - 1;
  tree longest = path_.plus(seq, number_at(last), weights.entered[last]);
  for (size_t i = last; i-- > 0;)
    longest = select(seq, EQ_EXPR, rounds(), static_cast<int64_t>(i), path_.plus(seq, number_at(i), weights.entered[i]),
                     longest);
  set(seq, path_.variable(), longest);
}

// Without a branch: counters may go up by nothing.
void Windows::settle(gimple_seq *seq, const Window &window) {
  auto k = static_cast<int64_t>(window.k);
  tree path = path_.variable(), start = path_.value_of(seq, window.start);
  path_.count(seq, path, (k - 1) * window.exits + window.counted, select(seq, GE_EXPR, rounds(), k, word(1), word(0)));
  path_.count(seq, start, window.counted,
              select(seq, GE_EXPR, rounds(), k, binary(seq, MINUS_EXPR, rounds(), word(k)), word(0)));
  set(seq, path, select(seq, GE_EXPR, rounds(), k, start, path_.plus(seq, path, rounds(), window.exits)));
}

void Windows::around(gimple_seq *seq, const Window &window) {
  if (window.settles) {
    gimple_seq_add_stmt(seq, gimple_build_assign(rounds(), PLUS_EXPR, rounds(), word(1)));
    return;
  }
  Round round{gimple_build_nop(), rounds(), static_cast<int64_t>(window.k) - 1, nullptr, nullptr};
  window.has_numbers ? around_paper(seq, window, round) : around_register(seq, window, round);
  rounds_to_branch_.push_back(round);
}

void Windows::around_paper(gimple_seq *seq, const Window &window, Round &round) {
  size_t last = window.k - 1;
  path_.count(&round.full, number_at(last), 0);
  gimple_seq_add_stmt(&round.earlier, gimple_build_assign(rounds(), PLUS_EXPR, rounds(), word(1)));
  gimple_seq_add_stmt(seq, round.marker);
  for (size_t i = last; i > 0; i--)
    set(seq, number_at(i), number_at(i - 1));
  set(seq, number_at(0), path_.value_of(seq, window.start));
}

// The last k - 1 bodies as one number.  `bodies` keeps the k - 2 before the one that is complete now.
tree Windows::bodies_with(gimple_seq *seq, const Window &window) {
  if (window.num_bodies == 1)
    return word(0);
  if (window.k == 2)
    return body();
  tree all = binary(seq, PLUS_EXPR, binary(seq, MULT_EXPR, bodies(), word(window.num_bodies)), body());
  int64_t different = 1; // sequences of k - 2 bodies
  for (uint32_t i = 2; i < window.k; i++)
    different *= window.num_bodies;
  set(seq, bodies(), window.k == 3 ? body() : binary(seq, TRUNC_MOD_EXPR, all, word(different)));
  return all;
}

// In how many ways a path goes on that has not made k iterations yet.
tree Windows::ways_after(gimple_seq *seq, const Window &window) {
  tree ways = word(window.ways.back());
  for (size_t i = window.ways.size() - 1; i-- > 0;)
    ways = select(seq, EQ_EXPR, rounds(), static_cast<int64_t>(i), word(window.ways[i]), ways);
  return ways;
}

void Windows::around_register(gimple_seq *seq, const Window &window, Round &round) {
  tree path = path_.variable();
  tree from = window.keeps_head ? head() : path;
  bool one_body = window.num_bodies == 1;
  tree all = bodies_with(seq, window);
  tree last = one_body ? word(0) : body();
  gimple_seq_add_stmt(seq, round.marker);

  path_.count(&round.full, one_body ? from : path_.plus(&round.full, from, last, 1), window.counted);
  tree start = path_.value_of(&round.full, window.start);
  set(&round.full, path, one_body ? start : path_.plus(&round.full, start, all, window.ways_from_head));

  tree next = path_.plus(&round.earlier, from, window.exits);
  if (!one_body && window.k == 2)
    next = path_.plus(&round.earlier, next, last, window.ways.front());
  else if (!one_body)
    next = path_.plus(&round.earlier, next, binary(&round.earlier, MULT_EXPR, last, ways_after(&round.earlier, window)),
                      1);
  set(&round.earlier, path, next);
  gimple_seq_add_stmt(&round.earlier, gimple_build_assign(rounds(), PLUS_EXPR, rounds(), word(1)));
}

// ---- control flow ----

static basic_block block_of(gimple_seq statements, basic_block after) {
  basic_block bb = create_empty_bb(after);
  gimple_stmt_iterator gsi = gsi_start_bb(bb);
  gsi_insert_seq_after(&gsi, statements, GSI_NEW_STMT);
  bb->flags |= after->flags & BB_IRREDUCIBLE_LOOP;
  if (current_loops)
    add_bb_to_loop(bb, after->loop_father);
  return bb;
}

static void connect(basic_block from, basic_block through, basic_block to, int flag, profile_probability probability) {
  int irreducible = from->flags & BB_IRREDUCIBLE_LOOP ? EDGE_IRREDUCIBLE_LOOP : 0;
  edge in = make_edge(from, through, static_cast<unsigned>(flag | irreducible));
  in->probability = probability;
  through->count = in->count();
  make_single_succ_edge(through, to, static_cast<unsigned>(EDGE_FALLTHRU | irreducible));
}

void Windows::branch() {
  if (rounds_to_branch_.empty())
    return;
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
  for (Round &round : rounds_to_branch_) {
    basic_block bb = gimple_bb(round.marker);
    gimple_stmt_iterator gsi = gsi_for_stmt(round.marker);
    gcond *is_earlier = gimple_build_cond(LT_EXPR, round.rounds, word(round.last), NULL_TREE, NULL_TREE);
    gsi_insert_before(&gsi, is_earlier, GSI_SAME_STMT);
    gsi_remove(&gsi, true);
    edge on = split_block(bb, is_earlier);
    basic_block join = on->dest;
    remove_edge(on);
    basic_block full = block_of(round.full, bb);
    basic_block earlier = block_of(round.earlier, bb);
    profile_probability is_rare = profile_probability::unlikely();
    connect(bb, earlier, join, EDGE_TRUE_VALUE, is_rare);
    connect(bb, full, join, EDGE_FALSE_VALUE, is_rare.invert());
  }
  rounds_to_branch_.clear();
}

} // namespace pathprof
