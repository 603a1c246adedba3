// SPDX-License-Identifier: GPL-3.0-or-later
// Emits the code of k-iteration paths: their registers and the operations on back edges (core/plan/plan.h, Window).
// Include after plugin/gcc/gcc.h.
#ifndef PATHPROF_PLUGIN_EMIT_WINDOWS_H
#define PATHPROF_PLUGIN_EMIT_WINDOWS_H

#include <cstdint>
#include <vector>

#include "core/plan/plan.h"

namespace pathprof {

// The interface through which windows access the path register. The register represents a path ID in the form that the
// function's counters require, such as a counter address.
class PathRegister {
public:
  virtual ~PathRegister() = default;
  virtual tree variable() const = 0;
  // Returns the value that represents the path ID `number` in the path register.
  virtual tree value_of(gimple_seq *seq, int64_t number) = 0;
  // value + amount * factor; `amount` is unsigned.
  virtual tree plus(gimple_seq *seq, tree value, tree amount, int64_t factor) = 0;
  virtual tree plus(gimple_seq *seq, tree value, int64_t number) = 0;
  // count[value + number] += 1
  virtual void count(gimple_seq *seq, tree value, int64_t number) = 0;
  // count[value + number] += amount
  virtual void count(gimple_seq *seq, tree value, int64_t number, tree amount) = 0;
};

class Windows {
public:
  Windows(const Plan &plan, PathRegister &path) : plan_(plan), path_(path) {}

  // Each of these functions appends the statements for an operation on windows.
  void emit(gimple_seq *seq, const op::Enter &op);
  void emit(gimple_seq *seq, const op::SaveHead &);
  void emit(gimple_seq *seq, const op::SetBody &op);
  void emit(gimple_seq *seq, const op::AddBody &op);
  void emit(gimple_seq *seq, const op::BackEdge &op);
  void emit(gimple_seq *seq, const op::CountAtExit &op);
  void emit(gimple_seq *seq, const op::Accumulate &op);
  void emit(gimple_seq *seq, const op::Leave &op);

  // Returns the variable in which the ID of the path through the current loop body is computed.
  tree body();

  // Creates the branches on back edges. Must be called after all other statements have been inserted.
  void branch();

private:
  // A back edge whose operations depend on whether the k-th iteration is complete. The operations are inserted at
  // `marker`.
  struct BackEdge {
    gimple *marker;
    tree completed;
    int64_t last;
    gimple_seq earlier, full;
  };

  tree number_at(size_t i);
  // Each of these functions returns a variable, which is created on the first call.
  tree head();
  tree bodies();
  tree completed();
  static void set(gimple_seq *seq, tree variable, tree value);
  void enter(gimple_seq *seq, const Window &window);
  void accumulate(gimple_seq *seq, const WindowWeights &weights);
  void leave(gimple_seq *seq, const WindowWeights &weights);
  void back_edge(gimple_seq *seq, const Window &window);
  void sink_counts(gimple_seq *seq, const Window &window);
  void back_edge_paper(gimple_seq *seq, const Window &window, BackEdge &back_edge);
  void back_edge_register(gimple_seq *seq, const Window &window, BackEdge &back_edge);
  tree bodies_with(gimple_seq *seq, const Window &window);
  tree num_paths_after_completed(gimple_seq *seq, const Window &window);
  static tree select(gimple_seq *seq, tree_code code, tree left, int64_t right, tree if_true, tree if_false);

  const Plan &plan_;
  PathRegister &path_;
  tree head_ = NULL_TREE, body_ = NULL_TREE, bodies_ = NULL_TREE, completed_ = NULL_TREE;
  std::vector<tree> numbers_;
  std::vector<BackEdge> back_edges_to_branch_;
};

} // namespace pathprof

#endif
