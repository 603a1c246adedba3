// SPDX-License-Identifier: GPL-3.0-or-later
// Addresses a function's counters in memory and emits their increments. Include after plugin/gcc/gcc.h.
#ifndef PATHPROF_PLUGIN_EMIT_COUNTER_MEMORY_H
#define PATHPROF_PLUGIN_EMIT_COUNTER_MEMORY_H

#include <cstdint>

#include "plugin/cfg/function.h"
#include "plugin/emit/increment.h"
#include "plugin/gcc/sequence.h"

namespace pathprof {

// The counters of the unit or, with update=thread, the copy of these counters that belongs to the running thread. The
// copy is addressed either relative to a segment register or by adding an offset to the addresses.
class CounterMemory {
public:
  static constexpr uint64_t kCounterShift = 3; // binary logarithm of the size of a 64-bit counter

  // `tls_counter_offset` is the offset from the unit's counters to the thread's copy. It is null if threads share the
  // counters or if the counters are addressed relative to a segment register.
  CounterMemory(const PlannedFunction &function, tree tls_counter_offset)
      : function_(function), tls_counter_offset_(tls_counter_offset) {}

  tree own(gimple_seq *seq, tree address) const { return own_address(seq, address, tls_counter_offset_); }

  // The constant &counters[first + value]. The address may lie outside the array, because an index is added to it
  // later.
  tree unit_address(int64_t value) const { return address_of(function_.counters, value); }

  // Returns the type of the function's counters.
  tree counter_type() const { return TREE_TYPE(TREE_TYPE(function_.counters.array)); }
  tree counter_pointer_type() const { return build_pointer_type(counter_type()); }
  int64_t counter_size() const { return int_size_in_bytes(counter_type()); }

  // counters[first + value], as an lvalue
  tree counter(gimple_seq *seq, int64_t value) const {
    if (tls_counter_offset_)
      return at(own(seq, unit_address(value)), 0);
    const Place &first = function_.counters;
    tree index = build_int_cst(sizetype, static_cast<int64_t>(first.index) + value);
    return build4(ARRAY_REF, counter_type(), first.array, index, NULL_TREE, NULL_TREE);
  }

  // pointer[index], as an lvalue
  static tree at(tree pointer, int64_t index) {
    tree type = TREE_TYPE(pointer);
    return build2(MEM_REF, TREE_TYPE(type), pointer, build_int_cst(type, index * int_size_in_bytes(TREE_TYPE(type))));
  }

  // counter += amount
  void increment(gimple_seq *seq, tree counter, tree amount) const {
    append_increment(seq, counter, amount, function_.update);
  }

  bool is_atomic() const { return function_.update == Update::Atomic; }

private:
  const PlannedFunction &function_;
  tree tls_counter_offset_;
};

} // namespace pathprof

#endif
