// SPDX-License-Identifier: GPL-3.0-or-later
// Emits the code of k-iteration paths. In the comments on statements, r is the path register, and windows[i] is the
// partial path ID of the window that is in iteration i.
#include <cstdint>
#include <vector>

#include "plugin/gcc/gcc.h"

#include "plugin/gcc/sequence.h"
#include "plugin/emit/windows.h"

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
tree Windows::completed() {
  return made(completed_, "pathdone");
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

void Windows::emit(gimple_seq *seq, const op::Enter &op) {
  enter(seq, plan_.windows[op.window]);
}
void Windows::emit(gimple_seq *seq, const op::SaveHead &) {
  set(seq, head(), path_.variable());
}
void Windows::emit(gimple_seq *seq, const op::SetBody &op) {
  set(seq, body(), word(op.value));
}
void Windows::emit(gimple_seq *seq, const op::AddBody &op) {
  gimple_seq_add_stmt(seq, gimple_build_assign(body(), PLUS_EXPR, body(), word(op.delta)));
}
void Windows::emit(gimple_seq *seq, const op::BackEdge &op) {
  back_edge(seq, plan_.windows[op.window]);
}
void Windows::emit(gimple_seq *seq, const op::CountAtExit &op) {
  sink_counts(seq, plan_.windows[op.window]);
}
void Windows::emit(gimple_seq *seq, const op::Accumulate &op) {
  accumulate(seq, plan_.weights[op.weights]);
}
void Windows::emit(gimple_seq *seq, const op::Leave &op) {
  leave(seq, plan_.weights[op.weights]);
}

// Initialises the variables of all windows. For windows that are not open, the initial values are irrelevant.
//
//   completed = 0; windows[i] = r;      or      completed = 0; bodies = 0;
void Windows::enter(gimple_seq *seq, const Window &window) {
  set(seq, completed(), word(0));
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

//   windows[i] = completed > i ? windows[i] + started[i] : windows[i] + entered[i];
void Windows::accumulate(gimple_seq *seq, const WindowWeights &weights) {
  for (size_t i = 0; i < weights.entered.size(); i++) {
    if (weights.entered[i] == 0 && weights.started[i] == 0)
      continue;
    tree value = path_.plus(seq, number_at(i), weights.entered[i]);
    if (weights.started[i] != weights.entered[i])
      value = select(seq, GT_EXPR, completed(), static_cast<int64_t>(i),
                     path_.plus(seq, number_at(i), weights.started[i]), value);
    set(seq, number_at(i), value);
  }
}

// Sets the path register to the value of the longest open window.
//
//   r = completed == 0 ? windows[0] + entered[0] : completed == 1 ? windows[1] + entered[1] : ...;
void Windows::leave(gimple_seq *seq, const WindowWeights &weights) {
  size_t last = weights.entered.size() - 1;
  tree longest = path_.plus(seq, number_at(last), weights.entered[last]);
  for (size_t i = last; i-- > 0;)
    longest = select(seq, EQ_EXPR, completed(), static_cast<int64_t>(i),
                     path_.plus(seq, number_at(i), weights.entered[i]), longest);
  set(seq, path_.variable(), longest);
}

// Emits the counting code at the loop exit. The code needs no branch, because adding 0 to a counter is harmless.
//
//   count[r + (k - 1) * exits + counted] += completed >= k ? 1 : 0;
//   count[start + counted] += completed >= k ? completed - k : 0;
//   r = completed >= k ? start : r + completed * exits;
void Windows::sink_counts(gimple_seq *seq, const Window &window) {
  auto k = static_cast<int64_t>(window.k);
  tree path = path_.variable(), start = path_.value_of(seq, window.start);
  path_.count(seq, path, (k - 1) * window.exits + window.counted,
              select(seq, GE_EXPR, completed(), k, word(1), word(0)));
  path_.count(seq, start, window.counted,
              select(seq, GE_EXPR, completed(), k, binary(seq, MINUS_EXPR, completed(), word(k)), word(0)));
  set(seq, path, select(seq, GE_EXPR, completed(), k, start, path_.plus(seq, path, completed(), window.exits)));
}

void Windows::back_edge(gimple_seq *seq, const Window &window) {
  if (window.counts_at_exit) {
    gimple_seq_add_stmt(seq, gimple_build_assign(completed(), PLUS_EXPR, completed(), word(1)));
    return;
  }
  BackEdge back_edge{gimple_build_nop(), completed(), static_cast<int64_t>(window.k) - 1, nullptr, nullptr};
  window.has_numbers ? back_edge_paper(seq, window, back_edge) : back_edge_register(seq, window, back_edge);
  back_edges_to_branch_.push_back(back_edge);
}

// Emits the code for a back edge with Numbering::Paper:
//
//   if (completed < k - 1)
//     completed++;
//   else
//     count[windows[k - 1]]++;
//   windows[k - 1] = windows[k - 2]; ...; windows[1] = windows[0]; windows[0] = start;
void Windows::back_edge_paper(gimple_seq *seq, const Window &window, BackEdge &back_edge) {
  size_t last = window.k - 1;
  path_.count(&back_edge.full, number_at(last), 0);
  gimple_seq_add_stmt(&back_edge.earlier, gimple_build_assign(completed(), PLUS_EXPR, completed(), word(1)));
  gimple_seq_add_stmt(seq, back_edge.marker);
  for (size_t i = last; i > 0; i--)
    set(seq, number_at(i), number_at(i - 1));
  set(seq, number_at(0), path_.value_of(seq, window.start));
}

// Emits code that encodes the paths through the last k - 1 loop bodies as one number, and returns this number. Also
// emits code that updates `bodies`, which encodes the paths through the last k - 2 loop bodies.
//
//   all = bodies * num_bodies + body; bodies = all % num_bodies^(k - 2);
tree Windows::bodies_with(gimple_seq *seq, const Window &window) {
  if (window.num_bodies == 1)
    return word(0);
  if (window.k == 2)
    return body();
  tree all = binary(seq, PLUS_EXPR, binary(seq, MULT_EXPR, bodies(), word(window.num_bodies)), body());
  int64_t different = 1; // number of sequences of k - 2 bodies
  for (uint32_t i = 2; i < window.k; i++)
    different *= window.num_bodies;
  set(seq, bodies(), window.k == 3 ? body() : binary(seq, TRUNC_MOD_EXPR, all, word(different)));
  return all;
}

// Emits code that computes the number of possible continuations of a path that has executed fewer than k iterations,
// and returns the result.
//
//   completed == 0 ? num_paths_after[0] : completed == 1 ? num_paths_after[1] : ... : num_paths_after[k - 2]
tree Windows::num_paths_after_completed(gimple_seq *seq, const Window &window) {
  tree num_paths = word(window.num_paths_after.back());
  for (size_t i = window.num_paths_after.size() - 1; i-- > 0;)
    num_paths = select(seq, EQ_EXPR, completed(), static_cast<int64_t>(i), word(window.num_paths_after[i]), num_paths);
  return num_paths;
}

// Emits the code for a back edge with Numbering::Register. `all` is the result of bodies_with(), and `num_paths` is the
// result of num_paths_after_completed():
//
//   if (completed < k - 1) {
//     r = head + exits + body * num_paths; completed++;
//   } else {
//     count[head + body + counted]++; r = start + all * num_paths_from_head;
//   }
void Windows::back_edge_register(gimple_seq *seq, const Window &window, BackEdge &back_edge) {
  tree path = path_.variable();
  tree from = window.keeps_head ? head() : path;
  bool one_body = window.num_bodies == 1;
  tree all = bodies_with(seq, window);
  tree last = one_body ? word(0) : body();
  gimple_seq_add_stmt(seq, back_edge.marker);

  path_.count(&back_edge.full, one_body ? from : path_.plus(&back_edge.full, from, last, 1), window.counted);
  tree start = path_.value_of(&back_edge.full, window.start);
  set(&back_edge.full, path, one_body ? start : path_.plus(&back_edge.full, start, all, window.num_paths_from_head));

  tree next = path_.plus(&back_edge.earlier, from, window.exits);
  if (!one_body && window.k == 2)
    next = path_.plus(&back_edge.earlier, next, last, window.num_paths_after.front());
  else if (!one_body)
    next = path_.plus(
        &back_edge.earlier, next,
        binary(&back_edge.earlier, MULT_EXPR, last, num_paths_after_completed(&back_edge.earlier, window)), 1);
  set(&back_edge.earlier, path, next);
  gimple_seq_add_stmt(&back_edge.earlier, gimple_build_assign(completed(), PLUS_EXPR, completed(), word(1)));
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
  if (back_edges_to_branch_.empty())
    return;
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
  for (BackEdge &back_edge : back_edges_to_branch_) {
    basic_block bb = gimple_bb(back_edge.marker);
    gimple_stmt_iterator gsi = gsi_for_stmt(back_edge.marker);
    gcond *is_earlier = gimple_build_cond(LT_EXPR, back_edge.completed, word(back_edge.last), NULL_TREE, NULL_TREE);
    gsi_insert_before(&gsi, is_earlier, GSI_SAME_STMT);
    gsi_remove(&gsi, true);
    edge on = split_block(bb, is_earlier);
    basic_block join = on->dest;
    remove_edge(on);
    basic_block full = block_of(back_edge.full, bb);
    basic_block earlier = block_of(back_edge.earlier, bb);
    profile_probability is_rare = profile_probability::unlikely();
    connect(bb, earlier, join, EDGE_TRUE_VALUE, is_rare);
    connect(bb, full, join, EDGE_FALSE_VALUE, is_rare.invert());
  }
  back_edges_to_branch_.clear();
}

} // namespace pathprof
