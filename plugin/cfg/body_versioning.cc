// SPDX-License-Identifier: GPL-3.0-or-later
// Copies the blocks of a function to separate instrumented and uninstrumented bodies (switch=1).
#include "plugin/cfg/body_versioning.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "core/models/model.h"
#include "core/plan/plan.h"
#include "profile/model/notes.h"

#include "plugin/gcc/gcc.h"
#include "plugin/gcc/barriers.h"
#include "plugin/gcc/copying.h"
#include "plugin/gcc/library_calls.h"
#include "plugin/gcc/scope.h"
#include "plugin/gcc/statements.h"

namespace pathprof {

// ---- blocks that can be copied ----

static std::string why_not_copied(basic_block bb) {
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE(e, ei, bb->succs)
    if (e->flags & EDGE_ABNORMAL)
      return "the function contains an abnormal jump (computed goto, setjmp or non-local goto)";
  for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
    gimple *statement = gsi_stmt(gsi);
    if (gimple_code(statement) == GIMPLE_EH_DISPATCH)
      return "the function catches exceptions by type; use stage=late";
    gasm *assembler = dyn_cast<gasm *>(statement);
    if (assembler && gimple_asm_nlabels(assembler) > 0)
      return "assembler code jumps to labels of the function";
    if (assembler && may_define_symbol(assembler))
      return "assembler code in the function may define a symbol";
    if (glabel *label = dyn_cast<glabel *>(statement); label && DECL_NONLOCAL(gimple_label_label(label)))
      return "other functions jump into the function";
  }
  return can_duplicate_block_p(bb) ? "" : "GCC cannot copy every block of the function";
}

std::string why_not_versioned() {
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun) {
    std::string reason = why_not_copied(bb);
    if (!reason.empty() && cfun->has_forced_label_in_static)
      reason = "the function jumps to labels whose addresses are stored in static data";
    if (!reason.empty())
      return "cannot create an uninstrumented body (switch=1): " + reason;
  }
  return {};
}

// ---- choice of switch points ----

static bool has_call(basic_block bb) {
  for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
    if (is_gimple_call(gsi_stmt(gsi)) && !gimple_call_internal_p(gsi_stmt(gsi)) &&
        !gimple_call_builtin_p(gsi_stmt(gsi)))
      return true;
  return false;
}

static std::vector<basic_block> blocks_of(class loop *loop) {
  basic_block *blocks = get_loop_body(loop);
  std::vector<basic_block> found(blocks, blocks + loop->num_nodes);
  free(blocks);
  return found;
}

static bool has_call(class loop *loop) {
  std::vector<basic_block> blocks = blocks_of(loop);
  return std::any_of(blocks.begin(), blocks.end(), [](basic_block bb) { return has_call(bb); });
}

// Returns true if the loop contains a call, or if it is an outermost loop and contains another loop. In an innermost
// loop without calls, a check of the profiling switch would be expensive and would prevent vectorisation.
static bool may_run_long(class loop *loop) {
  return (loop_depth(loop) == 1 && loop->inner) || has_call(loop);
}

bool has_loops_to_version() {
  if (!why_not_versioned().empty())
    return false;
  LoopScope scope;
  bool has_one = false;
  compat_for_each_loop([&](class loop *loop) { has_one = has_one || may_run_long(loop); });
  return has_one;
}

// Returns true if the function's model contains paths that include a back edge to this loop header.
static bool has_paths_across(const FunctionNotes &notes, int head) {
  return std::any_of(notes.model.loops.begin(), notes.model.loops.end(), [&](const LoopIterations &loop) {
    return loop.head == head && (loop.k > 1 || model_of(notes.model).has(Feature::LoopContexts));
  });
}

// Returns true if the code that is planned for this edge ends a path and then starts the next path.
static bool is_parted(const Plan &plan, int e) {
  auto found = plan.starts.find(e);
  if (found == plan.starts.end())
    return false;
  const Ops &ops = plan.on_edge[static_cast<size_t>(e)], &start = found->second;
  return ops.size() >= start.size() && std::equal(start.rbegin(), start.rend(), ops.rbegin());
}

static std::vector<int> edges_to_cross(const FunctionNotes &notes, const Plan &plan, const std::vector<edge> &edges) {
  const FlowGraph &graph = notes.graph;
  std::vector<int> found;
  for (int e = 0; e < graph.num_edges(); e++) {
    edge in_gcc = edges[static_cast<size_t>(e)];
    if (!(graph.edge(e).flags & kBack) || (in_gcc->flags & EDGE_COMPLEX) || fork_at_end(in_gcc->src) ||
        tail_call_of(in_gcc->src))
      continue;
    class loop *loop = in_gcc->dest->loop_father;
    if (loop->header == in_gcc->dest && may_run_long(loop) && is_parted(plan, e) &&
        !has_paths_across(notes, graph.edge(e).dst))
      found.push_back(e);
  }
  return found;
}

// ---- iterations with a switch check ----

namespace {

using Blocks = std::unordered_set<basic_block>;

// Returns the blocks in `open` and all blocks that are reachable from them. Only blocks for which `may_enter` returns
// true are visited.
template <typename Allowed>
Blocks reached_from(std::vector<basic_block> open, Allowed may_enter) {
  Blocks reached(open.begin(), open.end());
  while (!open.empty()) {
    basic_block from = open.back();
    open.pop_back();
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE(e, ei, from->succs)
      if (may_enter(e->dest) && reached.insert(e->dest).second)
        open.push_back(e->dest);
  }
  return reached;
}

// Blocks of a loop that are executed in both short and long iterations. A long iteration is one that executes a call or
// an inner loop.
struct SharedBlocks {
  std::vector<basic_block> blocks;
  std::vector<edge> entries; // Edges on which an iteration that has been short so far enters these blocks
};

class ShortIterations {
public:
  explicit ShortIterations(class loop *loop) : body_(blocks_of(loop)), in_body_(body_.begin(), body_.end()) {
    Blocks long_ones;
    std::copy_if(body_.begin(), body_.end(), std::inserter(long_ones, long_ones.end()),
                 [&](basic_block bb) { return bb->loop_father != loop || has_call(bb); });
    auto is_ahead = [&](basic_block bb) { return bb != loop->header && in_body_.count(bb); };
    after_long_ = reached_from({long_ones.begin(), long_ones.end()}, is_ahead);
    if (!long_ones.count(loop->header))
      short_ = reached_from({loop->header}, [&](basic_block bb) { return is_ahead(bb) && !long_ones.count(bb); });
    find_shared();
  }

  // Returns true if the profiling switch is checked on this back edge, because the iteration may have executed a call
  // or an inner loop.
  bool checks_switch(edge back) const { return after_long_.count(back->src); }

  const SharedBlocks &shared() const { return shared_; }

private:
  // The shared blocks are copied only if their size is at most 1/kMaxSharedShare of the size of the loop.
  static constexpr int kMaxSharedShare = 2;

  // Finds the blocks that short and long iterations share. If the shared blocks are too large, or if an edge into them
  // cannot be redirected to a copy, the result is empty, and short iterations also check the profiling switch.
  void find_shared() {
    int size = 0, shared_size = 0;
    bool can_enter = gimple_in_ssa_p(cfun);
    SharedBlocks found;
    for (basic_block bb : body_) {
      int size_of_block = size_of(bb);
      size += size_of_block;
      if (!short_.count(bb))
        continue;
      if (after_long_.count(bb)) {
        found.blocks.push_back(bb);
        shared_size += size_of_block;
        continue;
      }
      edge e;
      edge_iterator ei;
      FOR_EACH_EDGE(e, ei, bb->succs)
        if (short_.count(e->dest) && after_long_.count(e->dest)) {
          found.entries.push_back(e);
          can_enter &= !(e->flags & EDGE_COMPLEX);
        }
    }
    if (can_enter && shared_size * kMaxSharedShare <= size)
      shared_ = std::move(found);
  }

  std::vector<basic_block> body_; // Blocks of the loop, in a deterministic order
  Blocks in_body_;
  Blocks after_long_, short_; // Blocks that can follow a call or an inner loop in an iteration, and blocks that can be
                              // executed before them
  SharedBlocks shared_;
};

} // namespace

// ---- copying ----

namespace {

// A back edge of the instrumented body on which control can move to another body of the function.
struct SwitchedBackEdge {
  int index; // Index of the edge in the planned graph
  edge back;
  int loop;           // GCC's number of the loop
  bool checks_switch; // True if uninstrumented bodies check the switch on this edge
};

// Returns the blocks that are reachable from the targets of these back edges, in the function's block order. For each
// loop, the result contains either all blocks or none.
std::vector<basic_block> blocks_from(const std::vector<SwitchedBackEdge> &switched) {
  std::vector<basic_block> heads;
  for (const SwitchedBackEdge &one : switched)
    heads.push_back(one.back->dest);
  Blocks found = reached_from(heads, [](basic_block bb) { return bb != EXIT_BLOCK_PTR_FOR_FN(cfun); });
  std::vector<basic_block> in_order;
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
    if (found.count(bb))
      in_order.push_back(bb);
  return in_order;
}

class Copier {
public:
  Copier(std::vector<edge> &edges, tree is_on) : edges_(edges), is_on_(is_on) {
    basic_block bb;
    FOR_EACH_BB_FN(bb, cfun)
      blocks_.push_back(bb);
  }

  // Transforms the function in steps. After each step, `bodies_.plain` contains all blocks outside the instrumented
  // body.
  VersionedBodies run(const FunctionNotes &notes, const Plan &plan) {
    LoopScope scope;
    choose_back_edges(notes, plan);
    add_uninstrumented_bodies();
    update_ssa(TODO_update_ssa);
    free_dominance_info(CDI_DOMINATORS);
    for (const UninstrumentedBody *body : {&initial_, &resumed_})
      for (const auto &[loop, shared] : body->shared)
        add_short_iterations(shared);
    if (optimize && notes.stage == Stage::Late)
      separate_registers();
    return std::move(bodies_);
  }

private:
  // The initial body, in which the function starts, or the resumed body.
  struct UninstrumentedBody {
    basic_block first = nullptr;        // First block of the function, or null if this body does not contain it
    std::vector<edge> back_edges;       // Back edges that are switch points, in the order of switched_back_edges_
    std::map<int, SharedBlocks> shared; // Blocks that short and long iterations share, by loop number
  };

  void choose_back_edges(const FunctionNotes &notes, const Plan &plan) {
    for (int e : edges_to_cross(notes, plan, edges_)) {
      edge back = edges_[static_cast<size_t>(e)];
      class loop *loop = back->dest->loop_father;
      const ShortIterations &iterations = iterations_.emplace(loop->num, loop).first->second;
      switched_back_edges_.push_back({e, back, loop->num, iterations.checks_switch(back)});
    }
  }

  // Copies the blocks and inserts all switch checks. SSA form must be updated afterwards.
  void add_uninstrumented_bodies() {
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
    initialize_original_copy_tables();
    initial_ = copy(blocks_);
    if (!switched_back_edges_.empty())
      resumed_ = copy(blocks_from(switched_back_edges_));
    check_at_entry();
    for (size_t i = 0; i < switched_back_edges_.size(); i++) {
      SwitchPoint switch_point = check_in_instrumented(switched_back_edges_[i], resumed_.back_edges[i]->dest);
      if (switched_back_edges_[i].checks_switch)
        for (UninstrumentedBody *body : {&initial_, &resumed_})
          check_in_uninstrumented(body->back_edges[i], body->shared.at(switched_back_edges_[i].loop).blocks,
                                  switch_point);
      bodies_.switch_points.push_back(switch_point);
    }
    loops_state_set(LOOPS_NEED_FIXUP);
    free_original_copy_tables();
  }

  UninstrumentedBody copy(std::vector<basic_block> blocks) {
    Blocks in_body(blocks.begin(), blocks.end());
    class loop *root = loops_for_fn(cfun)->tree_root;
    set_loop_copy(root, root);
    std::vector<class loop *> outermost;
    for (class loop *loop = root->inner; loop; loop = loop->next)
      if (in_body.count(loop->header))
        outermost.push_back(loop);
    for (class loop *loop : outermost)
      duplicate_subloops(loop, duplicate_loop(loop, root));
    std::vector<basic_block> copies(blocks.size());
    unsigned number = static_cast<unsigned>(blocks.size());
    copy_bbs(blocks.data(), number, copies.data(), nullptr, 0, nullptr, root, EXIT_BLOCK_PTR_FOR_FN(cfun)->prev_bb,
             false);
    add_phi_args_after_copy(copies.data(), number, nullptr);
    bodies_.plain.insert(copies.begin(), copies.end());
    UninstrumentedBody body;
    if (basic_block first = single_succ(ENTRY_BLOCK_PTR_FOR_FN(cfun)); in_body.count(first))
      body.first = get_bb_copy(first);
    for (const SwitchedBackEdge &switched : switched_back_edges_)
      body.back_edges.push_back(copied_edge(switched.back));
    for (const auto &[loop, iterations] : iterations_) {
      SharedBlocks &copied = body.shared[loop];
      for (basic_block bb : iterations.shared().blocks)
        copied.blocks.push_back(get_bb_copy(bb));
      for (edge e : iterations.shared().entries)
        copied.entries.push_back(copied_edge(e));
    }
    return body;
  }

  // On the only edge out of ENTRY, emits a branch that goes to the first instrumented block if the profiling switch is
  // on, and to the first uninstrumented block otherwise.
  void check_at_entry() {
    edge entry = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun));
    auto planned = std::find(edges_.begin(), edges_.end(), entry);
    basic_block test = split_edge(entry);
    bodies_.plain.insert(test);
    bodies_.entry = single_succ_edge(test);
    branch_on_switch(test, bodies_.entry, branch_to(test, initial_.first, bodies_.entry), profile_probability::never());
    *planned = bodies_.entry;
  }

  // On a back edge of the instrumented body, emits a branch that goes to the loop header in the same body if the
  // profiling switch is on, and to the loop header in the resumed body otherwise.
  SwitchPoint check_in_instrumented(const SwitchedBackEdge &switched, basic_block resumed_head) {
    basic_block test = split_edge(switched.back);
    edge goes_on = single_succ_edge(test);
    branch_on_switch(test, goes_on, branch_to(test, resumed_head, goes_on), profile_probability::very_likely());
    return {switched.index, goes_on, {}};
  }

  // On a back edge of an uninstrumented body, emits a branch that goes to the loop header in the instrumented body if
  // the profiling switch is on, and to the loop header in the same body otherwise.
  void check_in_uninstrumented(edge back, std::vector<basic_block> &shared, SwitchPoint &switch_point) {
    basic_block latch = back->src, test = split_edge(back);
    bodies_.plain.insert(test);
    tests_.insert(test);
    edge stays = single_succ_edge(test), leaves = branch_to(test, switch_point.goes_on->dest, stays);
    branch_on_switch(test, leaves, stays, profile_probability::never());
    switch_point.from_plain.push_back(leaves);
    if (std::find(shared.begin(), shared.end(), latch) != shared.end())
      shared.push_back(test);
  }

  // Copies the blocks that short and long iterations share, and redirects short iterations to the copies. Removes the
  // checks of the profiling switch from the copies, because only long iterations need them.
  void add_short_iterations(const SharedBlocks &shared) {
    if (shared.entries.empty())
      return;
    std::vector<basic_block> copies = copy_behind(shared.entries, shared.blocks);
    bodies_.plain.insert(copies.begin(), copies.end());
    for (size_t i = 0; i < copies.size(); i++)
      if (tests_.count(shared.blocks[i]))
        remove_check(copies[i]);
  }

  // Removes the check of the profiling switch from the block. The block itself is kept, because it may contain labels
  // of a switch statement.
  static void remove_check(basic_block test) {
    for (gimple_stmt_iterator gsi = gsi_after_labels(test); !gsi_end_p(gsi);) {
      gimple *statement = gsi_stmt(gsi);
      unlink_stmt_vdef(statement);
      gsi_remove(&gsi, true);
      release_defs(statement);
    }
    remove_edge(EDGE_SUCC(test, 0)->flags & EDGE_TRUE_VALUE ? EDGE_SUCC(test, 0) : EDGE_SUCC(test, 1));
    edge stays = single_succ_edge(test);
    stays->flags = (stays->flags & ~EDGE_FALSE_VALUE) | EDGE_FALLTHRU;
    stays->probability = profile_probability::always();
  }

  // Inserts copies of SSA names on each edge from the initial body to the instrumented body. Without the copies, an SSA
  // name that both bodies use would be allocated to the same register in both bodies. The rarely executed instrumented
  // body would then influence register allocation in the initial body.
  void separate_registers() {
    std::vector<edge> entries = {bodies_.entry};
    for (const SwitchPoint &switch_point : bodies_.switch_points)
      if (!switch_point.from_plain.empty())
        entries.push_back(switch_point.from_plain.front());
    std::vector<tree> parameters;
    unsigned number;
    tree name;
    FOR_EACH_SSA_NAME(number, name, cfun)
      if (SSA_NAME_IS_DEFAULT_DEF(name) && is_parameter(name) && has_register(name) && !has_zero_uses(name))
        parameters.push_back(name);
    for (edge entry : entries) {
      for (gphi_iterator phi = gsi_start_phis(entry->dest); !gsi_end_p(phi); gsi_next(&phi)) {
        use_operand_p use = PHI_ARG_DEF_PTR_FROM_EDGE(phi.phi(), entry);
        tree value = USE_FROM_PTR(use);
        if (TREE_CODE(value) == SSA_NAME && has_register(value) && !SSA_NAME_IS_DEFAULT_DEF(value))
          SET_USE(use, copy_on(entry, value));
      }
      for (tree parameter : parameters)
        copy_on(entry, parameter);
    }
    gsi_commit_edge_inserts();
    update_ssa(TODO_update_ssa);
  }

  static bool is_parameter(tree name) { return SSA_NAME_VAR(name) && TREE_CODE(SSA_NAME_VAR(name)) == PARM_DECL; }

  static bool has_register(tree name) {
    if (virtual_operand_p(name) || SSA_NAME_OCCURS_IN_ABNORMAL_PHI(name))
      return false;
    machine_mode mode = TYPE_MODE(TREE_TYPE(name));
    return SCALAR_INT_MODE_P(mode) && GET_MODE_SIZE(as_a<scalar_int_mode>(mode)) <= UNITS_PER_WORD;
  }

  // Emits `copy = value;` on an edge as an asm statement, so that GCC cannot propagate the value. The copy of a
  // parameter redefines the parameter, so SSA form must be updated afterwards.
  static tree copy_on(edge on, tree value) {
    bool is_renamed = SSA_NAME_IS_DEFAULT_DEF(value);
    tree copy = is_renamed ? value : make_ssa_name(TREE_TYPE(value));
    gasm *statement = opaque_copy(copy, value);
    if (is_renamed)
      create_new_def_for(value, statement, SINGLE_SSA_DEF_OPERAND(statement, SSA_OP_DEF));
    else
      SSA_NAME_DEF_STMT(copy) = statement;
    gsi_insert_on_edge(on, statement);
    return copy;
  }

  // Creates an edge from block `from` to block `to`. Each PHI node in `to` gets an argument for the new edge. This is
  // the argument that the corresponding PHI node in `twin->dest` has for the edge `twin`.
  static edge branch_to(basic_block from, basic_block to, edge twin) {
    edge made = make_edge(from, to, 0);
    gphi_iterator phi = gsi_start_phis(to), of_twin = gsi_start_phis(twin->dest);
    for (; !gsi_end_p(phi); gsi_next(&phi), gsi_next(&of_twin))
      add_phi_arg(phi.phi(), PHI_ARG_DEF_FROM_EDGE(of_twin.phi(), twin), made,
                  gimple_phi_arg_location_from_edge(of_twin.phi(), twin));
    return made;
  }

  // Emits `value = is_on; if (value != 0) goto if_on; else goto if_off;` into an empty block. A barrier makes the
  // program read `is_on` again at each check, because other code can change this variable at any time. With a volatile
  // access instead of the barrier, GCC would read `is_on` with a separate instruction before the comparison.
  void branch_on_switch(basic_block test, edge if_on, edge if_off, profile_probability likely) {
    tree type = TREE_TYPE(is_on_);
    tree value = gimple_in_ssa_p(cfun) ? make_ssa_name(type) : create_tmp_reg(type, "pathswitch");
    gimple_stmt_iterator gsi = gsi_last_bb(test);
    gsi_insert_after(&gsi, barrier_for({is_on_}), GSI_NEW_STMT);
    gsi_insert_after(&gsi, gimple_build_assign(value, is_on_), GSI_NEW_STMT);
    gcond *branch = gimple_build_cond(NE_EXPR, value, build_zero_cst(type), NULL_TREE, NULL_TREE);
    gsi_insert_after(&gsi, branch, GSI_NEW_STMT);
    if_on->flags = (if_on->flags & ~EDGE_FALLTHRU) | EDGE_TRUE_VALUE;
    if_off->flags = (if_off->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
    if_on->probability = likely;
    if_off->probability = likely.invert();
  }

  std::vector<edge> &edges_;
  tree is_on_;
  std::vector<basic_block> blocks_;
  std::vector<SwitchedBackEdge> switched_back_edges_;
  std::map<int, ShortIterations> iterations_; // Iterations of the loops with switch points, by loop number
  UninstrumentedBody initial_, resumed_;
  Blocks tests_; // Switch checks at back edges of uninstrumented bodies
  VersionedBodies bodies_;
};

} // namespace

VersionedBodies version_body(const FunctionNotes &notes, const Plan &plan, std::vector<edge> &edges, tree is_on) {
  return Copier(edges, is_on).run(notes, plan);
}

void mark_instrumented_body_cold(const VersionedBodies &bodies) {
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
    if (!bodies.plain.count(bb))
      bb->count = profile_count::zero();
}

} // namespace pathprof
