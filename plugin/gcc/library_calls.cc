// SPDX-License-Identifier: GPL-3.0-or-later
// Identifies library functions by the names that calls use.
#include "plugin/gcc/library_calls.h"

#include <algorithm>
#include <cstring>

#include "plugin/gcc/gcc.h"

namespace pathprof {

tree called_in_library(gimple *statement) {
  tree decl = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  return decl && TREE_PUBLIC(decl) && DECL_EXTERNAL(decl) && !gimple_has_body_p(decl) ? decl : NULL_TREE;
}

const char *library_name(tree decl) {
  if (!DECL_ASSEMBLER_NAME_SET_P(decl) && !HAS_DECL_ASSEMBLER_NAME_P(decl))
    return "";
  const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl));
  return name + (*name == '*');
}

bool has_library_name(tree decl, std::initializer_list<const char *> names) {
  const char *name = library_name(decl);
  return std::any_of(names.begin(), names.end(), [=](const char *known) { return strcmp(name, known) == 0; });
}

bool is_fork(gimple *statement) {
  tree decl = called_in_library(statement);
  return decl &&
         (fndecl_built_in_p(decl, BUILT_IN_FORK) ||
          has_library_name(decl, {"fork", "_Fork", "__fork", "__libc_fork", "forkpty", "daemon", "pathrt_write"}));
}

gimple *fork_at_end(basic_block bb) {
  gimple_stmt_iterator gsi = gsi_last_nondebug_bb(bb);
  return !gsi_end_p(gsi) && single_succ_p(bb) && is_fork(gsi_stmt(gsi)) ? gsi_stmt(gsi) : nullptr;
}

} // namespace pathprof
