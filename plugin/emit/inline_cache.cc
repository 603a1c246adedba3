// SPDX-License-Identifier: GPL-3.0-or-later
// Inlines the common case of counting in a table. Each counting call is replaced with the following code:
//
//   slot = &cache[key % size];
//   if (slot->key == key)
//     slot->count++;
//   else
//     count (table, key, cache);
//
// If the key is a constant, the address of the slot is also a constant. Each call of count_mapped is replaced with the
// following code:
//
//   counters = table->counters
//   if (counters)
//     counters[id]++;
//   else
//     count_mapped (table, id, num_paths);
//
// The calls are replaced after all other code of the plugin has been inserted, because the replacement splits blocks.
#include "plugin/emit/inline_cache.h"

#include <cstddef>

#include "profile/format/abi.h"

#include "plugin/emit/increment.h"
#include "plugin/emit/runtime_calls.h"
#include "plugin/gcc/gcc.h"
#include "plugin/gcc/sequence.h"

namespace pathprof {

namespace {

// The slot for a path in an inline cache. The constructor emits the code that computes the slot's address.
class CacheSlot {
public:
  // `size` is the number of slots of the inline cache.
  CacheSlot(gimple_seq *seq, tree cache, uint64_t size, tree key) : key_(key) {
    if (TREE_CODE(key) == INTEGER_CST) {
      address_ = cache;
      offset_ = tree_to_uhwi(key) % size * sizeof(pathprof_slot);
    } else {
      tree number = binary(seq, BIT_AND_EXPR, key_, word(size - 1), "pathslot");
      tree bytes = binary(seq, MULT_EXPR, number, word(sizeof(pathprof_slot)), "pathslot");
      address_ = displaced(seq, TREE_TYPE(cache), cache, bytes);
    }
  }

  // Returns the key of the path. The path is cached if the slot contains this key.
  tree wanted_key() const { return key_; }
  // Lvalues of the slot's fields.
  tree key() const { return field(offsetof(pathprof_slot, key)); }
  tree count() const { return field(offsetof(pathprof_slot, count)); }

private:
  tree field(uint64_t offset) const {
    return fold_build2(MEM_REF, word_type(), unshare_expr(address_),
                       build_int_cst(pointer_type(), static_cast<HOST_WIDE_INT>(offset_ + offset)));
  }

  tree address_;
  uint64_t offset_ = 0;
  tree key_;
};

// Returns the slot for the path that is counted by the call.
CacheSlot slot_of(gimple_seq *seq, gcall *count, CountCall kind) {
  tree key = gimple_call_arg(count, 1);
  if (kind == CountCall::Residual)
    return {seq, gimple_call_arg(count, 4), PATHPROF_INLINE_CACHE_SIZE, key_of(seq, key)};
  uint64_t size = kind == CountCall::Program ? PATHPROF_PROGRAM_CACHE_SIZE : PATHPROF_INLINE_CACHE_SIZE;
  return {seq, gimple_call_arg(count, 2), size, key};
}

void look_into_inline_cache(gcall *count, CountCall kind, Update update) {
  gimple_seq look = nullptr, increment = nullptr;
  CacheSlot slot = slot_of(&look, count, kind);
  tree key = copied(&look, slot.key(), "pathkey");
  gcond *is_hit = gimple_build_cond(EQ_EXPR, key, slot.wanted_key(), NULL_TREE, NULL_TREE);
  gimple_seq_add_stmt(&look, is_hit);
  append_increment(&increment, slot.count(), word(1), update);

  gimple_stmt_iterator gsi = gsi_for_stmt(count);
  gsi_insert_seq_before(&gsi, look, GSI_SAME_STMT);
  branch_around(count, is_hit, increment);
}

void look_for_array(gcall *count, Update update) {
  tree table = gimple_call_arg(count, 0), id = gimple_call_arg(count, 1);
  gimple_seq look = nullptr, increment = nullptr;
  tree field = fold_build2(MEM_REF, pointer_type(), unshare_expr(table),
                           build_int_cst(build_pointer_type(pointer_type()), offsetof(pathprof_table, counters)));
  tree counters = copied(&look, field, "pathcounters");
  gcond *has_array = gimple_build_cond(NE_EXPR, counters, build_int_cst(pointer_type(), 0), NULL_TREE, NULL_TREE);
  gimple_seq_add_stmt(&look, has_array);

  tree at = counters;
  uint64_t known = 0; // offset in bytes if the ID is a constant
  if (TREE_CODE(id) == INTEGER_CST) {
    known = tree_to_uhwi(id) * sizeof(uint64_t);
  } else {
    tree index = converted(&increment, sizetype, id, "pathindex");
    at = displaced(&increment, pointer_type(), counters,
                   binary(&increment, MULT_EXPR, index, size_int(sizeof(uint64_t)), "pathindex"));
  }
  append_increment(&increment,
                   build2(MEM_REF, word_type(), at, build_int_cst(pointer_type(), static_cast<HOST_WIDE_INT>(known))),
                   word(1), update);

  gimple_stmt_iterator gsi = gsi_for_stmt(count);
  gsi_insert_seq_before(&gsi, look, GSI_SAME_STMT);
  branch_around(count, has_array, increment);
}

// Applies `look` to each call in `counts` that has not been removed and is not in a cold block.
template <typename Look>
void look_first_at_each(const std::vector<gcall *> &counts, Look look) {
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
  for (gcall *count : counts)
    if (gimple_bb(count) && !is_cold(gimple_bb(count)))
      look(count);
}

} // namespace

tree key_of(gimple_seq *seq, tree id) {
  return TREE_CODE(id) == INTEGER_CST ? word(tree_to_uhwi(id) + 1) : binary(seq, PLUS_EXPR, id, word(1), "pathkey");
}

void look_into_inline_caches_first(const std::vector<gcall *> &counts, CountCall kind, Update update) {
  look_first_at_each(counts, [=](gcall *count) { look_into_inline_cache(count, kind, update); });
}

void look_for_array_first(const std::vector<gcall *> &counts, Update update) {
  look_first_at_each(counts, [=](gcall *count) { look_for_array(count, update); });
}

} // namespace pathprof
