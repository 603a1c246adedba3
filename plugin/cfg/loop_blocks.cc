// SPDX-License-Identifier: GPL-3.0-or-later
// Adds blocks for labels, preheaders and latches of loops.
#include "plugin/cfg/loop_blocks.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "plugin/gcc/gcc.h"
#include "plugin/gcc/statements.h"

namespace pathprof {

namespace {

// Determines the functions that GCC's pass_nothrow will mark as nothrow. Each function is examined once, after its
// callees.
class NothrowFunctions {
public:
  bool contains(cgraph_node *node) {
    if (!node || TREE_NOTHROW(node->decl))
      return node != nullptr;
    node = node->ultimate_alias_target();
    function *body = DECL_STRUCT_FUNCTION(node->decl);
    if (!body || !body->cfg || node->get_availability() <= AVAIL_INTERPOSABLE)
      return false;
    auto [known, is_new] =
        known_.try_emplace(node, false); // Recursive calls are assumed to throw while the function is being examined.
    if (!is_new)
      return known->second;
    bool result = !throws_out(node, body);
    return known_[node] = result;
  }

private:
  bool throws_out(cgraph_node *node, function *body) {
    basic_block bb;
    FOR_EACH_BB_FN(bb, body)
      for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gimple *statement = gsi_stmt(gsi);
        if (!stmt_can_throw_external(body, statement))
          continue;
        cgraph_node *callee = callee_of(statement);
        if (!callee || (callee != node && !contains(callee)))
          return true;
      }
    return false;
  }

  static cgraph_node *callee_of(gimple *statement) {
    tree decl = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
    return decl ? cgraph_node::get(decl) : nullptr;
  }

  std::map<cgraph_node *, bool> known_;
};

// The function's graph after execute_fixup_cfg in GCC's tree-cfg.cc, as seen by the warn-printf pass and the coverage
// pass. This graph has no exception edges from calls that do not throw, and no blocks that are unreachable without
// these edges.
class CleanedGraph {
public:
  CleanedGraph() {
    NothrowFunctions nothrow;
    basic_block bb;
    FOR_EACH_BB_FN(bb, cfun)
      for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gimple *statement = gsi_stmt(gsi);
        tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
        if (!callee)
          continue;
        if (gimple_call_flags(statement) & (ECF_CONST | ECF_PURE | ECF_LOOPING_CONST_OR_PURE))
          is_cleaned_up_ = true;
        if (lookup_stmt_eh_lp(statement) > 0 && nothrow.contains(cgraph_node::get(callee)))
          remove_handlers(bb);
      }
    if (!removed_.empty())
      reachable_ = reachable_from(ENTRY_BLOCK_PTR_FOR_FN(cfun), nullptr);
  }

  // Returns true if execute_fixup_cfg cleans up the CFG. GCC does this if edges were removed or if the function calls
  // const or pure functions. Every exception handler contains calls to const or pure functions.
  bool is_cleaned_up() const { return is_cleaned_up_; }

  // Returns true if the edge is still in the graph after execute_fixup_cfg.
  bool has(edge e) const { return removed_.empty() || (!removed_.count(e) && reachable_.count(e->src)); }

  // Returns true if the source of `latch` dominates the sources of all edges in `latches`. All of these edges must lead
  // to the same loop header.
  bool dominates(edge latch, const std::vector<edge> &latches) const {
    if (removed_.empty())
      return std::all_of(latches.begin(), latches.end(),
                         [&](edge other) { return dominated_by_p(CDI_DOMINATORS, other->src, latch->src); });
    std::set<basic_block> around = reachable_from(latch->dest, latch->src);
    return std::none_of(latches.begin(), latches.end(),
                        [&](edge other) { return other != latch && around.count(other->src); });
  }

private:
  void remove_handlers(basic_block bb) {
    is_cleaned_up_ = true;
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE(e, ei, bb->succs)
      if (e->flags & EDGE_EH)
        removed_.insert(e);
  }

  // Returns the blocks that can be reached from `start` without passing through `avoided`.
  std::set<basic_block> reachable_from(basic_block start, basic_block avoided) const {
    std::set<basic_block> found;
    std::vector<basic_block> waiting;
    if (start != avoided && found.insert(start).second)
      waiting.push_back(start);
    while (!waiting.empty()) {
      basic_block bb = waiting.back();
      waiting.pop_back();
      edge e;
      edge_iterator ei;
      FOR_EACH_EDGE(e, ei, bb->succs)
        if (e->dest != avoided && !removed_.count(e) && found.insert(e->dest).second)
          waiting.push_back(e->dest);
    }
    return found;
  }

  bool is_cleaned_up_ = false;
  std::set<edge> removed_;
  std::set<basic_block> reachable_; // from the function's entry, if edges were removed
};

bool has_label_with_position(basic_block bb) {
  for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
    if (gimple_code(gsi_stmt(gsi)) != GIMPLE_LABEL)
      return false;
    if (!RESERVED_LOCATION_P(gimple_location(gsi_stmt(gsi))))
      return true;
  }
  return false;
}

// Returns true if GCC's warn-printf pass will run on `cfun` (pass_warn_printf::gate in tree-ssa-strlen.cc) and adds
// blocks to loops. In GCC 12 and later, the pass runs after SSA form is built and before inlining.
bool warns_of_printf() {
  return kWarnPrintfAddsBlocks && !optimize && (warn_format_overflow > 0 || warn_format_trunc > 0);
}

// The edges into a loop header, except those that GCC will remove.
struct HeadEdges {
  std::vector<edge> entries, latches;

  HeadEdges(class loop *loop, const CleanedGraph &cleaned) {
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE(e, ei, loop->header->preds)
      if (cleaned.has(e))
        (flow_bb_inside_loop_p(loop, e->src) ? latches : entries).push_back(e);
  }
};

// A block's accesses to a variable.
struct Accesses {
  bool is_read_first = false; // True if the block reads the variable before any assignment to it
  bool is_assigned = false;
};

// Maps each variable that will be in SSA form to a block's accesses to the variable. The null key represents memory.
using Variables = std::map<tree, Accesses>;

tree note_reads(tree *operand, int *, void *data) {
  if (DECL_P(*operand) && is_gimple_reg(*operand)) {
    Accesses &accesses = (*static_cast<Variables *>(data))[*operand];
    accesses.is_read_first |= !accesses.is_assigned;
  }
  return NULL_TREE;
}

bool writes_memory(gimple *statement) {
  if (is_gimple_call(statement) && !(gimple_call_flags(statement) & (ECF_CONST | ECF_PURE | ECF_NOVOPS)))
    return true;
  tree lhs = gimple_get_lhs(statement);
  return gimple_code(statement) == GIMPLE_ASM || (lhs && TREE_CODE(lhs) != SSA_NAME && !is_gimple_reg(lhs));
}

Variables variables_of(basic_block bb) {
  Variables variables;
  for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi); gsi_next_nondebug(&gsi)) {
    gimple *statement = gsi_stmt(gsi);
    tree lhs = gimple_get_lhs(statement);
    bool assigns_variable = lhs && DECL_P(lhs) && is_gimple_reg(lhs);
    for (unsigned i = assigns_variable ? 1 : 0; i < gimple_num_ops(statement); i++) // operand 0 is the left-hand side
      if (tree *operand = gimple_op_ptr(statement, i); *operand)
        walk_tree_without_duplicates(operand, note_reads, &variables);
    if (assigns_variable)
      variables[lhs].is_assigned = true;
    if (writes_memory(statement))
      variables[NULL_TREE].is_assigned = true;
  }
  return variables;
}

class Iteration {
public:
  explicit Iteration(class loop *loop) : loop_(loop) {}

  // Returns true if the loop assigns at least one variable that has the same value at the latches `inner` and `other`
  // and is read in the next iteration or after the loop. The variable must be assigned before `inner`, and must not be
  // assigned again between `inner` and `other`.
  bool share_a_value(edge inner, edge other) {
    std::set<basic_block> before = blocks_before(inner->src), between = blocks_before(other->src);
    for (basic_block bb : before)
      between.erase(bb);
    for (basic_block bb : before)
      for (const auto &[variable, accesses] : variables(bb))
        if (accesses.is_assigned && !is_assigned_in(between, variable) && is_live(variable))
          return true;
    return false;
  }

private:
  const Variables &variables(basic_block bb) {
    auto [known, is_new] = known_.try_emplace(bb);
    if (is_new)
      known->second = variables_of(bb);
    return known->second;
  }

  Accesses accesses(basic_block bb, tree variable) {
    const Variables &all = variables(bb);
    auto found = all.find(variable);
    return found == all.end() ? Accesses() : found->second;
  }

  bool is_assigned_in(const std::set<basic_block> &blocks, tree variable) {
    for (basic_block bb : blocks)
      if (accesses(bb, variable).is_assigned)
        return true;
    return false;
  }

  // Returns `last` and all blocks from which `last` can be reached within one iteration of the loop.
  std::set<basic_block> blocks_before(basic_block last) const {
    std::set<basic_block> found{last};
    std::vector<basic_block> waiting{last};
    while (!waiting.empty()) {
      basic_block bb = waiting.back();
      waiting.pop_back();
      edge e;
      edge_iterator ei;
      if (bb != loop_->header)
        FOR_EACH_EDGE(e, ei, bb->preds)
          if (found.insert(e->src).second)
            waiting.push_back(e->src);
    }
    return found;
  }

  // Returns true if a read of the variable can be reached from the loop header without an assignment to the variable.
  bool is_live(tree variable) {
    if (!variable)
      return true;
    std::set<basic_block> found{loop_->header};
    std::vector<basic_block> waiting{loop_->header};
    while (!waiting.empty()) {
      basic_block bb = waiting.back();
      waiting.pop_back();
      Accesses here = accesses(bb, variable);
      if (here.is_read_first)
        return true;
      edge e;
      edge_iterator ei;
      if (!here.is_assigned)
        FOR_EACH_EDGE(e, ei, bb->succs)
          if (found.insert(e->dest).second)
            waiting.push_back(e->dest);
    }
    return false;
  }

  class loop *loop_;
  std::map<basic_block, Variables> known_;
};

// Returns true if, in SSA form, at least one PHI node of the loop header will have the same argument for `inner` and
// for another latch, and the argument is computed in the loop. GCC then does not treat `inner` as the latch of an inner
// loop (find_subloop_latch_edge_by_ivs in cfgloop.cc). The source of `inner` must dominate the sources of the other
// latches.
bool share_a_value(class loop *of, edge inner, const std::vector<edge> &others) {
  Iteration iteration(of);
  for (edge other : others)
    if (other != inner && iteration.share_a_value(inner, other))
      return true;
  return false;
}

// Removes from `latches` the edge that GCC treats as the latch of an inner loop with the same header, and returns this
// edge. Returns null if there is no such edge. The conditions are those of find_subloop_latch_edge_by_ivs in
// cfgloop.cc.
edge take_inner_latch(class loop *loop, const CleanedGraph &cleaned, std::vector<edge> &latches) {
  auto inner =
      std::find_if(latches.begin(), latches.end(), [&](edge latch) { return cleaned.dominates(latch, latches); });
  if (inner == latches.end() || share_a_value(loop, *inner, latches))
    return nullptr;
  edge taken = *inner;
  latches.erase(inner);
  return taken;
}

bool is_simple(edge e) {
  return single_succ_p(e->src) && !(e->flags & EDGE_COMPLEX);
}

// Returns true if the edge has no source location and leaves an empty block. Another empty block on this edge would not
// change line counts.
bool leaves_empty_block(edge e) {
  return is_simple(e) && e->src != ENTRY_BLOCK_PTR_FOR_FN(cfun) && gsi_end_p(gsi_start_nondebug_bb(e->src)) &&
         RESERVED_LOCATION_P(e->goto_locus);
}

// The edges on which loop_optimizer_init (LOOPS_NORMAL) inserts an empty block, in GCC's order. The order determines
// the positions of the new blocks. If two blocks have the same source location, their positions determine which of the
// two blocks lists the location.
struct EmptyBlocks {
  std::vector<edge> first; // Entries of loops, and latches of loops with several latches
  std::vector<edge> last;  // Latches of loops with a single latch
  // Entry edges of loops that have several entries, and latches of loops that have several latches. In GCC's CFG, all
  // entry edges of a loop lead to one block before the loop header, and all its latches lead to another.
  std::set<edge> entries, latches;
  // Maps an edge to the block after which the new block on this edge must be placed. Contains the entry edges whose new
  // blocks GCC moves away from the loop header. Also contains the latches whose new blocks cannot directly precede the
  // loop header because another new block is there. GCC places these blocks after the source of the latch.
  std::map<edge, basic_block> predecessors;
};

// Returns true if loop_optimizer_init adds a preheader to a loop with a single latch.
bool gets_preheader(const HeadEdges &into) {
  edge entry = into.entries.empty() ? nullptr : into.entries.front();
  return entry && (into.entries.size() > 1 || entry->src == ENTRY_BLOCK_PTR_FOR_FN(cfun) || !is_simple(entry));
}

// Returns true if create_preheader moves the preheader away from the loop header because the latch falls through. If
// the loop has several latches, GCC merges them into one block, which always falls through.
bool is_moved_preheader(const HeadEdges &into) {
  return into.latches.size() > 1 || (into.latches.front()->flags & EDGE_FALLTHRU);
}

// Returns the block after which GCC places a moved preheader that has several entry edges. Among the sources of the
// entry edges, this is the last block with a single successor. If there is no such block, it is the source of the
// preheader's first predecessor edge.
basic_block source_of_moved_preheader(const HeadEdges &into) {
  for (auto entry = into.entries.rbegin(); entry != into.entries.rend(); ++entry)
    if (single_succ_p((*entry)->src))
      return (*entry)->src;
  basic_block head = into.entries.front()->dest;
  if (into.latches.size() == 1)
    return EDGE_PRED(head, 0) == into.latches.front() ? EDGE_PRED(head, EDGE_COUNT(head->preds) - 1)->src
                                                      : EDGE_PRED(head, 0)->src;
  return into.entries.back()->src;
}

// Appends the edges of the loop on which GCC inserts empty blocks. An empty block between two edges without source
// locations is removed by a later CFG cleanup, unless it is the first block of the function.
void find_empty_blocks(class loop *loop, const CleanedGraph &cleaned, EmptyBlocks &edges) {
  HeadEdges into(loop, cleaned);
  if (into.latches.empty())
    return; // The loop was removed.
  auto stays = [&](edge e) {
    return e->src == ENTRY_BLOCK_PTR_FOR_FN(cfun) || !cleaned.is_cleaned_up() || !RESERVED_LOCATION_P(e->goto_locus);
  };
  edge inner_latch = into.latches.size() > 1 ? take_inner_latch(loop, cleaned, into.latches) : nullptr;
  bool has_inner_loop = inner_latch != nullptr, labels_get_a_block = has_label_with_position(loop->header);
  auto add_single_latch = [&](edge latch, bool follows_source) {
    if ((latch->src != loop->header && single_succ_p(latch->src)) || !stays(latch))
      return;
    edges.last.push_back(latch);
    if (follows_source)
      edges.predecessors[latch] = latch->src;
  };
  if (inner_latch) // the block that GCC creates before the inner loop's head falls through to it
    add_single_latch(inner_latch, true);
  if (into.latches.size() == 1) {
    add_single_latch(into.latches.front(), gets_preheader(into) && !is_moved_preheader(into));
  } else if (has_inner_loop || !labels_get_a_block) { // else the latches share the block of the labels
    edges.first.insert(edges.first.end(), into.latches.begin(), into.latches.end());
    if (!has_inner_loop)
      edges.latches.insert(into.latches.begin(), into.latches.end());
  }
  if (into.entries.size() > 1 || has_inner_loop) {
    if (!labels_get_a_block) {
      edges.first.insert(edges.first.end(), into.entries.begin(), into.entries.end());
      edges.entries.insert(into.entries.begin(), into.entries.end());
      if (is_moved_preheader(into) && !has_inner_loop) {
        basic_block source = source_of_moved_preheader(into);
        for (edge entry : into.entries)
          edges.predecessors[entry] = source;
      }
    }
  } else if (into.entries.size() == 1) {
    edge entry = into.entries.front();
    if (stays(entry) && gets_preheader(into)) {
      edges.first.push_back(entry);
      if (is_moved_preheader(into))
        edges.predecessors[entry] = entry->src;
    }
  }
}

void place_before(basic_block block, basic_block other) {
  if (other->prev_bb != block)
    move_block_after(block, other->prev_bb);
}

// Returns true if the edge follows a call that might not return, and the location of the edge is on a different line
// than the call. With --coverage, the block of the call also has an edge to EXIT, so branch_prob in profile.cc creates
// a separate block for the edge's location.
bool position_gets_a_block(edge e) {
  gimple *last = compat_last_stmt(e->src);
  return single_succ_p(e->src) && last && stmt_can_terminate_bb_p(last) && !RESERVED_LOCATION_P(e->goto_locus) &&
         !same_line(e->goto_locus, last_position(e->src));
}

void give_position_a_block(edge e) {
  location_t position = e->goto_locus;
  e->goto_locus = UNKNOWN_LOCATION;
  basic_block below = e->dest, block = split_edge(e);
  single_succ_edge(block)->goto_locus = position;
  place_before(block, below);
}

void give_loops_empty_blocks(const std::vector<class loop *> &loops, const CleanedGraph &cleaned) {
  EmptyBlocks edges;
  for (class loop *loop : loops)
    find_empty_blocks(loop, cleaned, edges);
  for (const std::vector<edge> &group : {edges.first, edges.last})
    for (edge e : group) {
      if (leaves_empty_block(e))
        continue;
      bool is_latch = edges.latches.count(e) != 0;
      basic_block head = e->dest, block = split_edge(e);
      auto predecessor = edges.predecessors.find(e);
      if (predecessor != edges.predecessors.end()) {
        if (block->prev_bb != predecessor->second)
          move_block_after(block, predecessor->second);
      } else if (is_latch || edges.entries.count(e)) {
        place_before(block, head);
      }
      if (is_latch && position_gets_a_block(e))
        give_position_a_block(e);
    }
}

// Returns the edges that bypass the labels of the loop header after GCC has split off inner loops, merged the remaining
// latches (merge_latch_edges in cfgloop.cc), and created a preheader. The labels are in the merged latch block or, if
// only one latch remains, in the preheader that several entry edges share.
std::vector<edge> edges_below_preheader(class loop *loop, const CleanedGraph &cleaned) {
  HeadEdges into(loop, cleaned);
  std::vector<edge> below;
  for (edge inner = nullptr; into.latches.size() > 1 && (inner = take_inner_latch(loop, cleaned, into.latches));)
    below.push_back(inner);
  if (into.latches.size() > 1)
    below.insert(below.end(), into.entries.begin(), into.entries.end());
  else if (into.entries.size() > 1)
    below.insert(below.end(), into.latches.begin(), into.latches.end());
  return below;
}

// Returns the edges that bypass the labels of the loop header after GCC has cleaned up the CFG. If the loop has several
// entry edges and no abnormal edge enters the header, these are the back edges. Otherwise, no edges bypass the labels.
std::vector<edge> edges_below_cleaned_labels(basic_block head) {
  std::vector<edge> repeating;
  unsigned entries = 0;
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE(e, ei, head->preds) {
    if (e->flags & EDGE_ABNORMAL)
      return {};
    if (e->flags & EDGE_DFS_BACK)
      repeating.push_back(e);
    else
      entries++;
  }
  return entries > 1 ? repeating : std::vector<edge>();
}

// Loop headers whose labels are moved to a separate block, each with the edges that bypass the labels.
using LabelledHeads = std::vector<std::pair<basic_block, std::vector<edge>>>;

LabelledHeads labelled_heads(const std::vector<class loop *> &loops, const CleanedGraph &cleaned, bool has_preheaders) {
  mark_dfs_back_edges();
  LabelledHeads heads;
  for (class loop *loop : loops)
    if (has_label_with_position(loop->header))
      heads.push_back({loop->header, has_preheaders ? edges_below_preheader(loop, cleaned)
                                                    : edges_below_cleaned_labels(loop->header)});
  return heads;
}

void give_labels_a_block(const LabelledHeads &heads) {
  for (const auto &[head, below] : heads) {
    if (below.empty())
      continue;
    basic_block body = split_block_after_labels(head)->dest;
    for (edge e : below) // The edge may have been split by an empty block.
      redirect_edge_and_branch(e->dest == head ? e : single_succ_edge(e->dest), body);
    loops_state_set(LOOPS_NEED_FIXUP);
  }
}

} // namespace

void give_loops_their_blocks() {
  if (!current_loops)
    return;
  std::vector<class loop *> loops;
  bool has_labels = false;
  for (class loop *loop : *get_loops(cfun))
    if (loop && loop->header && loop->header != ENTRY_BLOCK_PTR_FOR_FN(cfun)) {
      loops.push_back(loop);
      has_labels |= has_label_with_position(loop->header);
    }
  bool has_preheaders = warns_of_printf();
  if (loops.empty() || (!has_labels && !has_preheaders))
    return;
  calculate_dominance_info(CDI_DOMINATORS);
  CleanedGraph cleaned;
  LabelledHeads heads;
  if (has_labels && (has_preheaders || cleaned.is_cleaned_up()))
    heads = labelled_heads(loops, cleaned, has_preheaders);
  if (has_preheaders)
    give_loops_empty_blocks(loops, cleaned);
  give_labels_a_block(heads);
}

} // namespace pathprof
