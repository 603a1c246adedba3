// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the addresses of array elements.
#include "plugin/gcc/place.h"

#include "plugin/gcc/gcc.h"

namespace pathprof {

// ThreadSanitizer regards an address without the segment's base as the same address in all threads.
bool has_thread_segment() {
#ifdef PATHPROF_IS_X86
  return TARGET_64BIT && !TARGET_X32 && !flag_shlib && !(flag_sanitize & SANITIZE_THREAD);
#else
  return false;
#endif
}

// The type is identified by its name, because link-time optimisation streams it to another process.
static constexpr const char *kSegmentWord = "pathprof_counter";

tree segment_word_type() {
  static tree type;
  if (!type) {
    type = build_distinct_type_copy(long_long_unsigned_type_node);
    TYPE_NAME(type) = get_identifier(kSegmentWord);
  }
  return type;
}

bool is_segment_word_type(tree type) {
  tree name = TYPE_P(type) ? TYPE_IDENTIFIER(TYPE_MAIN_VARIANT(type)) : NULL_TREE;
  return name && id_equal(name, kSegmentWord);
}

bool Place::is_in_segment() const {
  return array && is_segment_word_type(TREE_TYPE(TREE_TYPE(array)));
}

tree address_of(const Place &place, int64_t offset) {
  tree element_type = TREE_TYPE(TREE_TYPE(place.array));
  tree type = build_pointer_type(element_type);
  HOST_WIDE_INT bytes = (static_cast<int64_t>(place.index) + offset) * int_size_in_bytes(element_type);
  tree element = build2(MEM_REF, element_type, build_fold_addr_expr(place.array), build_int_cst(type, bytes));
  return build1(ADDR_EXPR, type, element);
}

} // namespace pathprof
