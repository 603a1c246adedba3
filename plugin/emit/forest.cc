// SPDX-License-Identifier: GPL-3.0-or-later
// Emits the code that counts path sequences in a forest. At the end of a path, the code is:
//
//   slot = key % PATHPROF_NODE_CACHED_SUCCESSORS;
//   if (at->keys[slot] == key) {
//     at = at->to[slot];
//     at->count++;
//   } else
//     at = emit (forest, at, key, k);
//
// If the key is a constant, the slot is also a constant. `at` is the whole state of an activation
// (libpathrt/storage/forest.c).
#include "plugin/emit/forest.h"

#include <cstddef>

#include "profile/format/abi.h"

#include "plugin/emit/increment.h"
#include "plugin/emit/runtime_calls.h"
#include "plugin/gcc/sequence.h"

namespace pathprof {

static tree field(tree type, tree address, uint64_t offset) {
  return fold_build2(MEM_REF, type, unshare_expr(address),
                     build_int_cst(pointer_type(), static_cast<HOST_WIDE_INT>(offset)));
}

// Returns true if longjmp or a nonlocal goto can re-enter the function. The current node must then be kept in memory.
static bool may_return_again() {
  return cfun->calls_setjmp || cfun->has_nonlocal_label;
}

ForestState::ForestState(tree forest, uint64_t k, Update update)
    : k_(k), update_(update), head_(forest), in_memory_(may_return_again()) {
  if (in_memory_) {
    state_ = create_tmp_var(build_qualified_type(ptr_type_node, TYPE_QUAL_VOLATILE), "pathnode");
    TREE_THIS_VOLATILE(state_) = TREE_ADDRESSABLE(state_) = 1;
  } else {
    state_ = create_tmp_reg(ptr_type_node, "pathnode");
  }
}

//   at = &forest->root;
void ForestState::begin(gimple_seq *seq, tree head) {
  head_ = head;
  tree root = displaced(seq, ptr_type_node, head, size_int(offsetof(pathprof_forest, root)), "pathstar");
  gimple_seq_add_stmt(seq, gimple_build_assign(state_, root));
}

//   at = emit (forest, at, key, k);
void ForestState::emit(gimple_seq *seq, tree key, const RuntimeFunctions &runtime) {
  tree at = append(seq, gimple_build_assign(create_tmp_reg(ptr_type_node, "pathat"), state_));
  tree to = create_tmp_reg(ptr_type_node, "pathto");
  tree function = update_ == Update::Atomic ? runtime.emit_atomic : runtime.emit;
  gcall *call = gimple_build_call(function, 4, head_, at, key, word(k_));
  gimple_call_set_lhs(call, to);
  gimple_seq_add_stmt(seq, call);
  gimple_seq_add_stmt(seq, gimple_build_assign(state_, to));
  emissions_.push_back({call, at, to});
}

namespace {

// The slot for a key in a node's cache of successors.
class CachedSuccessor {
public:
  CachedSuccessor(gimple_seq *seq, tree at, tree key) : at_(at) {
    if (TREE_CODE(key) == INTEGER_CST) {
      offset_ = tree_to_uhwi(key) % PATHPROF_NODE_CACHED_SUCCESSORS * sizeof(uint64_t);
      return;
    }
    tree number = binary(seq, BIT_AND_EXPR, key, word(PATHPROF_NODE_CACHED_SUCCESSORS - 1), "pathway");
    tree bytes = binary(seq, MULT_EXPR, number, word(sizeof(uint64_t)), "pathway");
    at_ = displaced(seq, ptr_type_node, at, bytes, "pathway");
  }

  tree key(gimple_seq *seq) const {
    constexpr uint64_t keys = offsetof(pathprof_node, keys);
    return PATHPROF_ORDERS_LOADS ? load(seq, word_type(), keys, false) : load_first(seq, keys);
  }

  // Emits a load of the successor. The load must follow the load of the key, so that the successor belongs to this key.
  // If the target executes loads in program order, it suffices that GCC keeps the order, because the access is
  // volatile.
  tree to(gimple_seq *seq) const {
    return load(seq, ptr_type_node, offsetof(pathprof_node, to), PATHPROF_ORDERS_LOADS);
  }

private:
  tree load(gimple_seq *seq, tree type, uint64_t offset, bool is_volatile) const {
    tree from = field(is_volatile ? build_qualified_type(type, TYPE_QUAL_VOLATILE) : type, at_, offset_ + offset);
    TREE_THIS_VOLATILE(from) = TREE_SIDE_EFFECTS(from) = is_volatile;
    return append(seq, gimple_build_assign(create_tmp_reg(type, "pathway"), from));
  }

  // Emits an acquire load: it precedes all later loads.
  tree load_first(gimple_seq *seq, uint64_t offset) const {
    tree from = displaced(seq, ptr_type_node, at_, size_int(offset_ + offset), "pathway");
    tree value = create_tmp_reg(word_type(), "pathway");
    gcall *call = gimple_build_call(builtin_decl_explicit(BUILT_IN_ATOMIC_LOAD_8), 2, from,
                                    build_int_cst(integer_type_node, MEMMODEL_ACQUIRE));
    gimple_call_set_lhs(call, value);
    gimple_seq_add_stmt(seq, call);
    return value;
  }

  tree at_;
  uint64_t offset_ = 0;
};

} // namespace

void ForestState::look_first(const Emission &emission) {
  gcall *call = emission.call;
  gimple_seq look = nullptr, go = nullptr;
  tree wanted = gimple_call_arg(call, 2);
  CachedSuccessor successor(&look, emission.at, wanted);
  gcond *is_hit = gimple_build_cond(EQ_EXPR, successor.key(&look), wanted, NULL_TREE, NULL_TREE);
  gimple_seq_add_stmt(&look, is_hit);
  gimple_seq_add_stmt(&go, gimple_build_assign(emission.to, successor.to(&go)));
  append_increment(&go, field(word_type(), emission.to, offsetof(pathprof_node, count)), word(1), update_);
  gimple_stmt_iterator gsi = gsi_for_stmt(call);
  gsi_insert_seq_before(&gsi, look, GSI_SAME_STMT);
  branch_around(call, is_hit, go);
}

void ForestState::check_cached_successors_first() {
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
  for (const Emission &emission : emissions_)
    if (gimple_bb(emission.call) && !is_cold(gimple_bb(emission.call)))
      look_first(emission);
}

} // namespace pathprof
