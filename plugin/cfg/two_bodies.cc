// SPDX-License-Identifier: GPL-3.0-or-later
// Copying all blocks of a function as loop versioning copies those of a loop.
#include "plugin/cfg/two_bodies.h"

#include <algorithm>
#include <cstring>

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

// ---- what can be copied ----

// Whether assembler code may define a symbol that cannot be there twice: a label that is neither local ("1:") nor made
// unique ("%=").
static bool may_define_symbol(gasm *statement) {
  const char *text = gimple_asm_string(statement);
  for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
    const char *start = colon;
    while (start > text && (ISALNUM(start[-1]) || strchr("_.$%=", start[-1])))
      start--;
    std::string name(start, colon);
    bool is_segment = name[0] == '%'; // "%%fs:0"
    bool is_unique = name.find("%=") != std::string::npos;
    bool is_local = std::all_of(name.begin(), name.end(), [](char c) { return ISDIGIT(c); });
    if (!is_segment && !is_unique && !is_local)
      return true;
  }
  return false;
}

static std::string why_not_copied(basic_block bb) {
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE(e, ei, bb->succs)
    if (e->flags & EDGE_ABNORMAL)
      return "control may leave a block for an address (a computed goto, setjmp, a non-local goto)";
  for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
    gimple *statement = gsi_stmt(gsi);
    if (gimple_code(statement) == GIMPLE_EH_DISPATCH)
      return "it catches exceptions by their type; stage=late can copy it";
    gasm *assembler = dyn_cast<gasm *>(statement);
    if (assembler && gimple_asm_nlabels(assembler) > 0)
      return "assembler code jumps to labels of it";
    if (assembler && may_define_symbol(assembler))
      return "assembler code in it may define a symbol";
    if (glabel *label = dyn_cast<glabel *>(statement); label && DECL_NONLOCAL(gimple_label_label(label)))
      return "other functions jump into it";
  }
  return can_duplicate_block_p(bb) ? "" : "GCC cannot copy all of its blocks";
}

std::string why_not_two_bodies() {
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun) {
    std::string reason = why_not_copied(bb);
    if (!reason.empty())
      return "it cannot have a plain body beside the instrumented one (switch=1): " + reason;
  }
  return {};
}

// ---- where control may change the body ----

static bool has_call(class loop *loop) {
  basic_block *blocks = get_loop_body(loop);
  bool found = false;
  for (unsigned i = 0; i < loop->num_nodes && !found; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb(blocks[i]); !gsi_end_p(gsi) && !found; gsi_next(&gsi))
      found = is_gimple_call(gsi_stmt(gsi)) && !gimple_call_internal_p(gsi_stmt(gsi)) &&
              !gimple_call_builtin_p(gsi_stmt(gsi));
  free(blocks);
  return found;
}

// An outermost loop, or one with calls.  The test would be dear in an innermost loop without calls, which comes to its
// end, and it would keep GCC from vectorising it.
static bool may_run_long(class loop *loop) {
  return (loop_depth(loop) == 1 && loop->inner) || has_call(loop);
}

// Whether paths of the model go on over the back edges to this head.
static bool has_paths_across(const FunctionNotes &notes, int head) {
  return std::any_of(notes.model.loops.begin(), notes.model.loops.end(), [&](const LoopIterations &loop) {
    return loop.head == head && (loop.k > 1 || model_of(notes.model).has(Feature::LoopContexts));
  });
}

// Whether what the plan does on the edge is what ends a path, followed by what begins the next one.
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

// ---- copying ----

namespace {

class Copier {
public:
  Copier(std::vector<edge> &edges, tree is_on) : edges_(edges), is_on_(is_on) {
    basic_block bb;
    FOR_EACH_BB_FN(bb, cfun)
      blocks_.push_back(bb);
  }

  TwoBodies run(const FunctionNotes &notes, const Plan &plan) {
    {
      LoopScope scope;
      std::vector<int> crossed = edges_to_cross(notes, plan, edges_);
      free_dominance_info(CDI_DOMINATORS);
      free_dominance_info(CDI_POST_DOMINATORS);
      initialize_original_copy_tables();
      copy_blocks();
      enter();
      for (int e : crossed)
        cross(e);
      loops_state_set(LOOPS_NEED_FIXUP);
      free_original_copy_tables();
      update_ssa(TODO_update_ssa);
      free_dominance_info(CDI_DOMINATORS);
    }
    return std::move(bodies_);
  }

private:
  void copy_blocks() {
    class loop *root = loops_for_fn(cfun)->tree_root;
    set_loop_copy(root, root);
    std::vector<class loop *> outermost;
    for (class loop *loop = root->inner; loop; loop = loop->next)
      outermost.push_back(loop);
    for (class loop *loop : outermost)
      duplicate_subloops(loop, duplicate_loop(loop, root));
    std::vector<basic_block> copies(blocks_.size());
    unsigned number = static_cast<unsigned>(blocks_.size());
    copy_bbs(blocks_.data(), number, copies.data(), nullptr, 0, nullptr, root, EXIT_BLOCK_PTR_FOR_FN(cfun)->prev_bb,
             false);
    add_phi_args_after_copy(copies.data(), number, nullptr);
    bodies_.plain.insert(copies.begin(), copies.end());
  }

  // On the only edge out of ENTRY:      if (is_on) goto first; else goto first in the plain body;
  void enter() {
    edge entry = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun));
    auto planned = std::find(edges_.begin(), edges_.end(), entry);
    basic_block first = entry->dest;
    basic_block plain_first = get_bb_copy(first);
    basic_block test = split_edge(entry);
    bodies_.plain.insert(test);
    bodies_.entry = single_succ_edge(test);
    choose(test, bodies_.entry, branch_to(test, plain_first, bodies_.entry), profile_probability::never());
    *planned = bodies_.entry;
  }

  // On a back edge, in both bodies:      if (is_on) goto head; else goto head in the plain body;
  void cross(int e) {
    edge back = edges_[static_cast<size_t>(e)], plain_back = copied_edge(back);
    basic_block head = back->dest, plain_head = plain_back->dest;
    basic_block test = split_edge(back), plain_test = split_edge(plain_back);
    edge goes_on = single_succ_edge(test), stays_plain = single_succ_edge(plain_test);
    choose(test, goes_on, branch_to(test, plain_head, goes_on), profile_probability::very_likely());
    edge from_plain = branch_to(plain_test, head, stays_plain);
    choose(plain_test, from_plain, stays_plain, profile_probability::never());
    bodies_.plain.insert(plain_test);
    bodies_.crossings.push_back({e, goes_on, from_plain});
  }

  // A new edge to the block that has the same values there as an edge to its twin.
  static edge branch_to(basic_block from, basic_block to, edge twin) {
    edge made = make_edge(from, to, 0);
    gphi_iterator phi = gsi_start_phis(to), of_twin = gsi_start_phis(twin->dest);
    for (; !gsi_end_p(phi); gsi_next(&phi), gsi_next(&of_twin))
      add_phi_arg(phi.phi(), PHI_ARG_DEF_FROM_EDGE(of_twin.phi(), twin), made,
                  gimple_phi_arg_location_from_edge(of_twin.phi(), twin));
    return made;
  }

  // In a block without statements:      value = is_on; if (value != 0)
  // Others change the switch at any time, so it is read anew behind a barrier.  As a volatile variable it would be read
  // by an instruction of its own before the one that compares.
  void choose(basic_block test, edge if_on, edge if_off, profile_probability likely) {
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
  TwoBodies bodies_;
};

} // namespace

TwoBodies make_two_bodies(const FunctionNotes &notes, const Plan &plan, std::vector<edge> &edges, tree is_on) {
  return Copier(edges, is_on).run(notes, plan);
}

void mark_instrumented_body_cold(const TwoBodies &bodies) {
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
    if (!bodies.plain.count(bb))
      bb->count = profile_count::zero();
}

} // namespace pathprof
