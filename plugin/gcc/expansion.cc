// SPDX-License-Identifier: GPL-3.0-or-later
// Predicts how GCC expands calls of built-in functions.
#include "plugin/gcc/expansion.h"

#include <cstring>

#include "plugin/gcc/names.h"

#include "builtins.h"

namespace pathprof {

// Returns true if the name of the built-in function is the name of a library function, such as memcpy.
static bool has_library_function(tree decl) {
  const char *name = name_of(decl);
  for (const char *prefix : {"__builtin_", "__sync_", "__atomic_"})
    if (strncmp(name, prefix, strlen(prefix)) == 0)
      return false;
  return *name != '\0';
}

// Returns true if the target has an instruction that implements the function, such as a square root, rounding or
// bit-counting instruction.
static bool has_instruction(gcall *call, tree decl) {
  internal_fn fn = associated_internal_fn(decl);
  return fn != IFN_LAST && direct_internal_fn_p(fn) &&
         direct_internal_fn_supported_p(fn, direct_internal_fn_types(fn, call), OPTIMIZE_FOR_BOTH);
}

static bool is_at_most(tree size, unsigned HOST_WIDE_INT most) {
  return size && tree_fits_uhwi_p(size) && tree_to_uhwi(size) <= most;
}

// Returns the length of the string, or null if GCC cannot compute it.
static tree length_of(tree text) {
  return POINTER_TYPE_P(TREE_TYPE(text)) ? c_strlen(text, 1) : NULL_TREE;
}

// Returns true if the call copies, sets or compares so few bytes that GCC expands it inline. The limits are GCC's
// limits for a generic x86-64 processor: 8 kB for copying and setting memory, 64 bytes for moving and comparing memory,
// and two characters for comparing strings.
static bool is_small(gcall *call, tree decl) {
  constexpr unsigned HOST_WIDE_INT kMostCopied = 8192, kMostCompared = 64, kMostCharacters = 2;
  auto argument = [call](unsigned i) { return i < gimple_call_num_args(call) ? gimple_call_arg(call, i) : NULL_TREE; };
  switch (DECL_FUNCTION_CODE(decl)) {
  case BUILT_IN_MEMCPY:
  case BUILT_IN_MEMCPY_CHK:
  case BUILT_IN_MEMPCPY:
  case BUILT_IN_MEMPCPY_CHK:
  case BUILT_IN_MEMSET:
  case BUILT_IN_MEMSET_CHK:
    return is_at_most(argument(2), kMostCopied);
  case BUILT_IN_MEMMOVE:
  case BUILT_IN_MEMMOVE_CHK:
  case BUILT_IN_MEMCMP:
  case BUILT_IN_MEMCMP_EQ:
    return is_at_most(argument(2), kMostCompared);
  case BUILT_IN_BZERO:
    return is_at_most(argument(1), kMostCopied);
  case BUILT_IN_STRLEN:
    return argument(0) && length_of(argument(0));
  case BUILT_IN_STRCPY:
  case BUILT_IN_STPCPY:
    return argument(1) && is_at_most(length_of(argument(1)), kMostCopied);
  case BUILT_IN_STRCMP:
    return (argument(1) && is_at_most(length_of(argument(1)), kMostCharacters)) ||
           (argument(0) && is_at_most(length_of(argument(0)), kMostCharacters));
  default:
    return false;
  }
}

bool becomes_code(gcall *call, tree decl) {
  if (!fndecl_built_in_p(decl, BUILT_IN_NORMAL) || !has_library_function(decl))
    return true;
  if (ALLOCA_FUNCTION_CODE_P(DECL_FUNCTION_CODE(decl)))
    return true;
  if (!optimize && !called_as_built_in(decl))
    return false; // Without optimisation, GCC calls functions with ordinary names.
  if (!gimple_call_builtin_p(call, BUILT_IN_NORMAL))
    return false; // GCC calls a function whose arguments differ from those of its built-in.
  if (associated_internal_fn(decl) != IFN_LAST)
    return has_instruction(call, decl);
  return is_inexpensive_builtin(decl) || is_small(call, decl);
}

} // namespace pathprof
