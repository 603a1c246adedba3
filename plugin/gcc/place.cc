// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the addresses of array elements.
#include "plugin/gcc/place.h"

#include "plugin/gcc/gcc.h"

namespace pathprof {

static constexpr HOST_WIDE_INT kWordSize = 8;

tree address_of(const Place &place, int64_t offset) {
  tree type = build_pointer_type(long_long_unsigned_type_node);
  HOST_WIDE_INT bytes = (static_cast<int64_t>(place.index) + offset) * kWordSize;
  tree element =
      build2(MEM_REF, long_long_unsigned_type_node, build_fold_addr_expr(place.array), build_int_cst(type, bytes));
  return build1(ADDR_EXPR, type, element);
}

} // namespace pathprof
